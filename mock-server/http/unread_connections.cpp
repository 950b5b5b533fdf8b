#include "mock-server/http/unread_connections.h"

#include <poll.h>
#include <unistd.h>

#include <vector>

namespace mockbank {

UnreadConnections::UnreadConnections(QObject *parent)
    : QObject(parent)
{
    m_sweep.setInterval(sweepMs);
    connect(&m_sweep, &QTimer::timeout, this, &UnreadConnections::sweep);
}

UnreadConnections::~UnreadConnections()
{
    closeAll();
}

void UnreadConnections::keep(int descriptor, std::function<void()> clientGone)
{
    m_kept.emplace(descriptor, std::move(clientGone));
    if (!m_sweep.isActive())
        m_sweep.start();
}

bool UnreadConnections::giveBack(int descriptor)
{
    return m_kept.erase(descriptor) > 0;
}

void UnreadConnections::close(int descriptor)
{
    if (m_kept.erase(descriptor) > 0)
        ::close(descriptor);
}

void UnreadConnections::closeAll()
{
    for (const auto &[descriptor, gone] : m_kept)
        ::close(descriptor);
    m_kept.clear();
    m_sweep.stop();
}

void UnreadConnections::sweep()
{
    // POLLRDHUP tells of a client that closed without anything being read.
    std::vector<pollfd> watched;
    watched.reserve(m_kept.size());
    for (const auto &[descriptor, gone] : m_kept)
        watched.push_back({descriptor, POLLRDHUP, 0});
    if (::poll(watched.data(), watched.size(), 0) > 0) {
        for (const pollfd &one : watched) {
            if (one.revents == 0)
                continue;
            const auto gone = m_kept.extract(one.fd);
            ::close(one.fd);
            gone.mapped()();
        }
    }
    if (m_kept.empty())
        m_sweep.stop();
}

} // namespace mockbank
