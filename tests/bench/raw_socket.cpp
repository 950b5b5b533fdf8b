#include "tests/bench/raw_socket.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

namespace ikkai::bench {

static sockaddr_in loopbackAddress(std::uint16_t port)
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

void Socket::close()
{
    if (m_descriptor >= 0)
        ::close(std::exchange(m_descriptor, -1));
}

Socket connectTo(std::uint16_t port)
{
    Socket socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const sockaddr_in address = loopbackAddress(port);
    const int on = 1;
    if (!socket.isOpen() ||
        ::connect(socket.descriptor(), reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0 ||
        ::setsockopt(socket.descriptor(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0)
        socket.close();
    return socket;
}

Socket listenOn(std::uint16_t *port)
{
    Socket socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address = loopbackAddress(0);
    socklen_t length = sizeof address;
    if (!socket.isOpen() ||
        ::bind(socket.descriptor(), reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0 ||
        ::listen(socket.descriptor(), 128) != 0 ||
        ::getsockname(socket.descriptor(), reinterpret_cast<sockaddr *>(&address), &length) != 0)
        socket.close();
    *port = ntohs(address.sin_port);
    return socket;
}

bool sendAll(const Socket &socket, const QByteArray &bytes)
{
    qsizetype sent = 0;
    while (sent < bytes.size()) {
        const ssize_t written = ::send(socket.descriptor(), bytes.constData() + sent,
                                       static_cast<std::size_t>(bytes.size() - sent), MSG_NOSIGNAL);
        if (written <= 0)
            return false;
        sent += written;
    }
    return true;
}

QByteArray httpGet(std::uint16_t port, const QByteArray &path, const QByteArray &bearer)
{
    const Socket socket = connectTo(port);
    const timeval patience{10, 0};
    if (!socket.isOpen() ||
        ::setsockopt(socket.descriptor(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) != 0 ||
        !sendAll(socket, "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nAuthorization: Bearer " +
                             bearer + "\r\n\r\n"))
        return {};
    QByteArray answer;
    char part[16 * 1024];
    while (wholeMessageLength(answer) == 0) {
        const ssize_t got = ::recv(socket.descriptor(), part, sizeof part, 0);
        if (got <= 0)
            return {};
        answer.append(part, got);
    }
    return answer.startsWith("HTTP/1.1 200 ") ? answer.sliced(answer.indexOf("\r\n\r\n") + 4) : QByteArray();
}

qsizetype wholeMessageLength(QByteArrayView bytes)
{
    const qsizetype head = bytes.indexOf("\r\n\r\n");
    if (head < 0)
        return 0;
    qsizetype body = 0;
    // Both ends of a bench write the header this way; curl's spelling and ours are the same.
    const QByteArrayView name("\r\nContent-Length: ");
    QByteArrayView all = bytes.first(head + 2);
    qsizetype at = all.indexOf(name);
    if (at < 0)
        at = all.indexOf("\r\ncontent-length: ");
    if (at >= 0) {
        for (qsizetype i = at + name.size(); all[i] >= '0' && all[i] <= '9'; ++i)
            body = body * 10 + (all[i] - '0');
    }
    const qsizetype length = head + 4 + body;
    return bytes.size() >= length ? length : 0;
}

} // namespace ikkai::bench
