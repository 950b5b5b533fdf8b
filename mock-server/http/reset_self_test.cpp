#include "mock-server/http/reset_self_test.h"

#include <arpa/inet.h>
#include <cerrno>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace mockbank {

namespace {

class Descriptor {
public:
    explicit Descriptor(int fd)
        : m_fd(fd)
    {
    }
    ~Descriptor() { close(); }
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;
    int get() const { return m_fd; }
    void close()
    {
        if (m_fd >= 0)
            ::close(m_fd);
        m_fd = -1;
    }

private:
    int m_fd;
};

} // namespace

bool resetsAreReal()
{
    const Descriptor listening(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    auto *generic = reinterpret_cast<sockaddr *>(&address);
    if (::bind(listening.get(), generic, length) != 0 || ::listen(listening.get(), 1) != 0 ||
        ::getsockname(listening.get(), generic, &length) != 0)
        return false;
    const Descriptor client(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (::connect(client.get(), generic, length) != 0)
        return false;
    Descriptor server(::accept(listening.get(), nullptr, nullptr));
    const linger atOnce{1, 0};
    ::setsockopt(server.get(), SOL_SOCKET, SO_LINGER, &atOnce, sizeof atOnce);
    server.close();
    pollfd readable{client.get(), POLLIN, 0};
    char byte = 0;
    return ::poll(&readable, 1, 200) == 1 && ::recv(client.get(), &byte, 1, MSG_DONTWAIT) < 0 && errno == ECONNRESET;
}

} // namespace mockbank
