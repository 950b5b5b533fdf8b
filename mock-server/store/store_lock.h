#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QString>

#include <memory>

namespace mockbank {

class MemoryStore;
struct StoreAddress;

/// Holds a right at a store of SQLite until destroyed; the system lets go when the process dies, however it dies.
class StoreLock {
public:
    virtual ~StoreLock() = default;

    // Null where another holder lives. Both throw StoreError where the lock cannot be made.
    /// The right to be the instance of that name.
    static std::unique_ptr<StoreLock> tryInstance(const StoreAddress &address, const QByteArray &instance);
    /// The right to publish the outbox.
    static std::unique_ptr<StoreLock> tryPublisher(const StoreAddress &address);
};

} // namespace mockbank
