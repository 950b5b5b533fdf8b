#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QElapsedTimer>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QList>

#include <arpa/inet.h>
#include <cerrno>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace ikkai::test {

/// How reading an answer ended.
enum class Ending {
    Complete, ///< the whole answer came
    Closed,   ///< an orderly FIN before that
    Reset,    ///< ECONNRESET before that
    Silent,   ///< nothing more within the time
    Refused,  ///< the connection was not made
};

struct RawAnswer {
    Ending ending = Ending::Refused;
    int status = 0; ///< 0 where the head is not complete
    QList<std::pair<QByteArray, QByteArray>> headers;
    QByteArray body;
    QByteArray bytes; ///< everything that came, as it came

    [[nodiscard]] QByteArray header(QByteArrayView name) const
    {
        for (const auto &[headerName, value] : headers) {
            if (headerName.compare(name, Qt::CaseInsensitive) == 0)
                return value;
        }
        return {};
    }
    [[nodiscard]] QJsonObject json() const { return QJsonDocument::fromJson(body).object(); }
    [[nodiscard]] QByteArray problem() const
    {
        return json().value(QStringLiteral("type")).toString().toLatin1().replace("urn:ikkai:problem:", "");
    }
    [[nodiscard]] bool replayed() const { return header("Idempotent-Replayed") == "true"; }
};

/// Takes the first answer out of `buffer`; false, with nothing taken, where it is not complete.
inline bool takeAnswer(QByteArray *buffer, RawAnswer *answer, bool headOnly = false)
{
    const qsizetype end = buffer->indexOf("\r\n\r\n");
    if (end < 0)
        return false;
    const QList<QByteArray> lines = buffer->first(end).split('\n');
    answer->status = lines.first().mid(9, 3).toInt();
    answer->headers.clear();
    for (const QByteArray &line : lines.mid(1)) {
        const qsizetype colon = line.indexOf(':');
        if (colon > 0)
            answer->headers.emplaceBack(line.first(colon).trimmed(), line.mid(colon + 1).trimmed());
    }
    const qsizetype length = headOnly || answer->status == 100 ? 0 : answer->header("Content-Length").toLongLong();
    if (buffer->size() < end + 4 + length)
        return false;
    answer->bytes = buffer->first(end + 4 + length);
    answer->body = answer->bytes.mid(end + 4);
    buffer->remove(0, end + 4 + length);
    return true;
}

/// A client of one blocking TCP connection to loopback. Reads and writes bytes and hides nothing: what Qt's sockets
/// make the same (a FIN and a reset) it tells apart. Any thread, one at a time.
class RawConnection {
public:
    explicit RawConnection(quint16 port)
        : m_fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
    {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        address.sin_port = htons(port);
        const int on = 1;
        ::setsockopt(m_fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        m_connected = ::connect(m_fd, reinterpret_cast<sockaddr *>(&address), sizeof address) == 0;
    }
    ~RawConnection() { close(); }
    RawConnection(const RawConnection &) = delete;
    RawConnection &operator=(const RawConnection &) = delete;

    [[nodiscard]] bool isConnected() const { return m_connected; }

    bool send(const QByteArray &bytes)
    {
        qsizetype sent = 0;
        while (sent < bytes.size()) {
            const ssize_t n =
                ::send(m_fd, bytes.constData() + sent, static_cast<size_t>(bytes.size() - sent), MSG_NOSIGNAL);
            if (n <= 0)
                return false;
            sent += n;
        }
        return true;
    }

    /// The next answer of this connection; bytes after it stay for the next call.
    RawAnswer read(int timeoutMs = 5000, bool headOnly = false)
    {
        RawAnswer answer;
        if (!m_connected)
            return answer;
        QElapsedTimer clock;
        clock.start();
        answer.ending = Ending::Silent;
        while (!takeAnswer(&m_buffer, &answer, headOnly)) {
            const Ending more = receive(static_cast<int>(std::max<qint64>(0, timeoutMs - clock.elapsed())));
            if (more != Ending::Complete) {
                answer.ending = more;
                answer.bytes = m_buffer;
                return answer;
            }
        }
        answer.ending = Ending::Complete;
        return answer;
    }

    /// Whatever has come within the time, for streams; ends early as soon as `until` is among it.
    QByteArray readUntil(QByteArrayView until, int timeoutMs = 5000)
    {
        QElapsedTimer clock;
        clock.start();
        while (!m_buffer.contains(until)) {
            if (receive(static_cast<int>(std::max<qint64>(0, timeoutMs - clock.elapsed()))) != Ending::Complete)
                break;
        }
        return m_buffer;
    }

    /// Everything that comes until the other side ends the connection, and how it ended; the first answer in it is read
    /// as far as it goes.
    RawAnswer readToEnd(int timeoutMs = 5000)
    {
        RawAnswer answer;
        answer.ending = waitForEnd(timeoutMs);
        answer.bytes = m_buffer;
        const Ending how = answer.ending;
        const QByteArray whole = answer.bytes;
        if (takeAnswer(&m_buffer, &answer, true))
            answer.body = whole.mid(whole.indexOf("\r\n\r\n") + 4);
        answer.bytes = whole;
        answer.ending = how;
        m_buffer.clear();
        return answer;
    }

    /// Waits for the other side to end the connection.
    Ending waitForEnd(int timeoutMs = 5000)
    {
        QElapsedTimer clock;
        clock.start();
        Ending more = Ending::Complete;
        while (more == Ending::Complete)
            more = receive(static_cast<int>(std::max<qint64>(0, timeoutMs - clock.elapsed())));
        return more;
    }

    /// Ends with a reset, as a killed client's system may.
    void reset()
    {
        const linger atOnce{1, 0};
        ::setsockopt(m_fd, SOL_SOCKET, SO_LINGER, &atOnce, sizeof atOnce);
        close();
    }
    void close()
    {
        if (m_fd >= 0)
            ::close(m_fd);
        m_fd = -1;
        m_connected = false;
    }

private:
    Ending receive(int timeoutMs)
    {
        pollfd readable{m_fd, POLLIN, 0};
        if (::poll(&readable, 1, timeoutMs) <= 0)
            return Ending::Silent;
        char bytes[16384];
        const ssize_t n = ::recv(m_fd, bytes, sizeof bytes, 0);
        if (n > 0) {
            m_buffer.append(bytes, n);
            return Ending::Complete;
        }
        return n == 0 ? Ending::Closed : Ending::Reset;
    }

    int m_fd;
    bool m_connected = false;
    QByteArray m_buffer;
};

} // namespace ikkai::test
