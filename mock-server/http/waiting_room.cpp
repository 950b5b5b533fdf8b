#include "mock-server/http/waiting_room.h"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>

namespace mockbank {

namespace waiting_room {

// In one turn of the event loop; the rest is told again in the next.
constexpr int wakenAtOnce = 64;

/// Its client has gone without another word.
bool isOver(int descriptor)
{
    char byte = 0;
    return ::recv(descriptor, &byte, 1, MSG_PEEK | MSG_DONTWAIT) <= 0;
}

} // namespace waiting_room

WaitingRoom::WaitingRoom(std::function<void(const Guest &)> wake, QObject *parent)
    : QObject(parent)
    , m_wake(std::move(wake))
    , m_epoll(::epoll_create1(EPOLL_CLOEXEC))
{
    if (m_epoll < 0)
        return;
    m_notifier = std::make_unique<QSocketNotifier>(m_epoll, QSocketNotifier::Read);
    connect(m_notifier.get(), &QSocketNotifier::activated, this, &WaitingRoom::onReady);
}

WaitingRoom::~WaitingRoom()
{
    closeAll();
    m_notifier.reset();
    if (m_epoll >= 0)
        ::close(m_epoll);
}

bool WaitingRoom::take(const Guest &guest)
{
    epoll_event event{};
    event.events = EPOLLIN | EPOLLRDHUP;
    event.data.fd = guest.descriptor;
    if (m_epoll < 0 || ::epoll_ctl(m_epoll, EPOLL_CTL_ADD, guest.descriptor, &event) != 0)
        return false;
    m_guests.insert(guest.descriptor, guest);
    return true;
}

void WaitingRoom::onReady()
{
    std::array<epoll_event, waiting_room::wakenAtOnce> ready{};
    const int count = ::epoll_wait(m_epoll, ready.data(), static_cast<int>(ready.size()), 0);
    for (int i = 0; i < count; ++i) {
        const auto found = m_guests.constFind(ready[static_cast<std::size_t>(i)].data.fd);
        if (found == m_guests.constEnd())
            continue;
        const Guest guest = *found;
        m_guests.erase(found);
        ::epoll_ctl(m_epoll, EPOLL_CTL_DEL, guest.descriptor, nullptr);
        if (waiting_room::isOver(guest.descriptor))
            ::close(guest.descriptor);
        else
            m_wake(guest);
    }
}

void WaitingRoom::closeIdle(std::chrono::steady_clock::time_point now, std::chrono::milliseconds limit)
{
    m_guests.removeIf([&](const std::pair<const int &, Guest &> &entry) {
        if (now - entry.second.since <= limit)
            return false;
        ::close(entry.first);
        return true;
    });
}

void WaitingRoom::closeAll()
{
    for (const Guest &guest : std::as_const(m_guests))
        ::close(guest.descriptor);
    m_guests.clear();
}

void WaitingRoom::resetAll()
{
    for (const Guest &guest : std::as_const(m_guests)) {
        const linger atOnce{1, 0};
        ::setsockopt(guest.descriptor, SOL_SOCKET, SO_LINGER, &atOnce, sizeof atOnce);
    }
    closeAll();
}

} // namespace mockbank
