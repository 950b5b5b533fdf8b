#pragma once

#include <QtCore/QHash>
#include <QtCore/QObject>
#include <QtCore/QSocketNotifier>

#include <chrono>
#include <functional>
#include <memory>

namespace mockbank {

/// Connections between two requests, as nothing but descriptors. The event loop looks at every socket it knows each
/// time it turns, so thousands of silent ones would slow down the few that speak; here the system's epoll holds them
/// behind one descriptor, and each costs some hundred bytes instead of a socket object, its buffers and a parser. Lives
/// on the network thread.
class WaitingRoom : public QObject {
public:
    struct Guest {
        int descriptor = -1;
        quint64 number = 0; ///< of the connection
        std::chrono::steady_clock::time_point since;
    };
    /// `wake` is given the descriptor back when its client has sent something.
    WaitingRoom(std::function<void(const Guest &)> wake, QObject *parent);
    ~WaitingRoom() override;

    /// Keeps the descriptor; false, and it stays the caller's, where the system does not watch it.
    [[nodiscard]] bool take(const Guest &guest);
    /// Closes, in order, who has waited for longer than this.
    void closeIdle(std::chrono::steady_clock::time_point now, std::chrono::milliseconds limit);
    void closeAll();
    /// As a killed process leaves them.
    void resetAll();
    [[nodiscard]] qsizetype count() const { return m_guests.size(); }

private:
    void onReady();

    const std::function<void(const Guest &)> m_wake;
    const int m_epoll;
    std::unique_ptr<QSocketNotifier> m_notifier;
    QHash<int, Guest> m_guests; ///< by descriptor
};

} // namespace mockbank
