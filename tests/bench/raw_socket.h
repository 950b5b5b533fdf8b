#pragma once

#include <QtCore/QByteArray>

#include <cstdint>
#include <utility>

/// The thinnest cover over POSIX sockets on 127.0.0.1: what is measured is the other side.
namespace ikkai::bench {

/// Owns a descriptor.
class Socket {
public:
    Socket() = default;
    explicit Socket(int descriptor)
        : m_descriptor(descriptor)
    {
    }
    ~Socket() { close(); }
    Socket(Socket &&other) noexcept
        : m_descriptor(std::exchange(other.m_descriptor, -1))
    {
    }
    Socket &operator=(Socket &&other) noexcept
    {
        std::swap(m_descriptor, other.m_descriptor);
        return *this;
    }
    Socket(const Socket &) = delete;
    Socket &operator=(const Socket &) = delete;

    [[nodiscard]] bool isOpen() const { return m_descriptor >= 0; }
    [[nodiscard]] int descriptor() const { return m_descriptor; }
    void close();

private:
    int m_descriptor = -1;
};

/// A connection to 127.0.0.1 without Nagle's delay; not open where it failed.
[[nodiscard]] Socket connectTo(std::uint16_t port);
/// Listens on a free port of 127.0.0.1; not open where it failed.
[[nodiscard]] Socket listenOn(std::uint16_t *port);
/// All bytes or false.
[[nodiscard]] bool sendAll(const Socket &socket, const QByteArray &bytes);

/// One GET over a connection of its own; the body, empty where there was no 200 within 10 s.
[[nodiscard]] QByteArray httpGet(std::uint16_t port, const QByteArray &path, const QByteArray &bearer);

/// The length of the first whole HTTP message in `bytes` (its length by Content-Length), 0 while it is not whole.
[[nodiscard]] qsizetype wholeMessageLength(QByteArrayView bytes);

} // namespace ikkai::bench
