#pragma once

#include <QtCore/QObject>
#include <QtCore/QTimer>

#include <functional>
#include <map>

namespace mockbank {

/// Accepted connections of which nothing is ever read: what their clients send stays with the system, and once its
/// buffers are full the clients cannot send either. Costs a descriptor each; a client that leaves is noticed within
/// `sweepMs`. Lives on the network thread.
class UnreadConnections : public QObject {
    Q_OBJECT

public:
    static constexpr int sweepMs = 50;

    explicit UnreadConnections(QObject *parent = nullptr);
    ~UnreadConnections() override;

    void keep(int descriptor, std::function<void()> clientGone);
    /// Gives the descriptor back; false where it is not here any more.
    bool giveBack(int descriptor);
    /// Closes it in order; a system that has unread bytes of the client makes a reset of that.
    void close(int descriptor);
    /// As a killed process leaves them.
    void closeAll();
    [[nodiscard]] qsizetype count() const { return static_cast<qsizetype>(m_kept.size()); }

private:
    void sweep();

    std::map<int, std::function<void()>> m_kept;
    QTimer m_sweep;
};

} // namespace mockbank
