#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QSet>
#include <QtCore/QString>

#include <mutex>

namespace mockbank {

/// A database in the memory of this process. It has no connection of its own thread: the first one is kept open here
/// and never used, because SQLite forgets such a database with its last connection.
class MemoryStore {
public:
    MemoryStore(); ///< throws StoreError
    ~MemoryStore();
    MemoryStore(const MemoryStore &) = delete;
    MemoryStore &operator=(const MemoryStore &) = delete;

    QString uri() const { return m_uri; }

    // Who holds which right (an instance name, the publishing), for all who have this memory open. Thread safe.
    bool hold(const QByteArray &right);
    void letGo(const QByteArray &right);

private:
    QString m_uri;
    QString m_connection;
    std::mutex m_mutex;
    QSet<QByteArray> m_held;
};

} // namespace mockbank
