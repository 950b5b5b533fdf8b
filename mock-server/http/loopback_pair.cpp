#include "mock-server/http/loopback_pair.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <utility>

namespace mockbank {

LoopbackPair::LoopbackPair()
{
    const int listening = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listening < 0)
        return;
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    auto *generic = reinterpret_cast<sockaddr *>(&address);
    if (::bind(listening, generic, length) == 0 && ::listen(listening, 1) == 0 &&
        ::getsockname(listening, generic, &length) == 0) {
        m_client = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (m_client >= 0 && ::connect(m_client, generic, length) == 0)
            m_server = ::accept4(listening, nullptr, nullptr, SOCK_CLOEXEC);
    }
    ::close(listening);
}

LoopbackPair::~LoopbackPair()
{
    for (const int fd : {m_client, m_server}) {
        if (fd >= 0)
            ::close(fd);
    }
}

int LoopbackPair::takeServer()
{
    return std::exchange(m_server, -1);
}

} // namespace mockbank
