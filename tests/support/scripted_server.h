#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QMutex>
#include <QtCore/QObject>
#include <QtCore/QPointer>
#include <QtCore/QThread>
#include <QtCore/QTimer>
#include <QtCore/QUrl>
#include <QtNetwork/QHostAddress>
#include <QtNetwork/QTcpServer>
#include <QtNetwork/QTcpSocket>

#include <sys/socket.h>

#include <deque>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

namespace ikkai::test {

/// What a scripted server does on one connection, step by step.
namespace act {
struct ReadHead {};    ///< until the empty line of a request head has come
struct ReadRequest {}; ///< until head and body (Content-Length) have come
struct Write {
    QByteArray bytes;
};
/// One byte per packet.
struct WriteSlowly {
    QByteArray bytes;
    int gapMs = 0;
};
/// Until ScriptedServer::openGate().
struct AwaitGate {};
struct Pause {
    int ms = 0;
};
struct Fin {}; ///< orderly close
struct Rst {}; ///< real reset: SO_LINGER 0
} // namespace act

/// A script that ends without Fin or Rst leaves the connection open and silent.
using Act = std::variant<act::ReadHead, act::ReadRequest, act::Write, act::WriteSlowly, act::AwaitGate, act::Pause,
                         act::Fin, act::Rst>;
using Script = std::vector<Act>;

/// An HTTP peer that does exactly what it is told, on a thread of its own, so that it answers while the thread under
/// test is busy. Each connection takes the next script; the last one is used for all further connections.
class ScriptedServer {
    template <class F>
    auto locked(F f) const
    {
        const QMutexLocker lock(&m_mutex);
        return f();
    }

public:
    explicit ScriptedServer(std::vector<Script> scripts)
        : m_scripts(scripts.begin(), scripts.end())
    {
        m_thread.start();
        m_context = new QObject;
        m_context->moveToThread(&m_thread);
        inThread([this] {
            m_server = new QTcpServer(m_context);
            m_server->setMaxPendingConnections(1'000);
            QObject::connect(m_server, &QTcpServer::newConnection, m_context, [this] { acceptAll(); });
            m_listening = m_server->listen(QHostAddress::LocalHost, 0);
            m_port = m_server->serverPort();
        });
    }
    ~ScriptedServer()
    {
        inThread([this] { delete m_context; });
        m_thread.quit();
        m_thread.wait();
    }
    ScriptedServer(const ScriptedServer &) = delete;
    ScriptedServer &operator=(const ScriptedServer &) = delete;

    [[nodiscard]] bool isListening() const { return m_listening; }
    [[nodiscard]] quint16 port() const { return m_port; }
    [[nodiscard]] QUrl url() const { return QUrl(QStringLiteral("http://127.0.0.1:%1").arg(m_port)); }

    [[nodiscard]] int connections() const
    {
        return locked([this] { return m_connections; });
    }
    /// Request heads that were read to their end, on all connections.
    [[nodiscard]] int arrivals() const
    {
        return locked([this] {
            int heads = 0;
            for (const QByteArray &bytes : m_received)
                heads += static_cast<int>(bytes.count("\r\n\r\n"));
            return heads;
        });
    }
    /// All bytes of each connection, in the order of the connections.
    [[nodiscard]] std::vector<QByteArray> received() const
    {
        return locked([this] { return m_received; });
    }
    /// Connections that the other side has closed.
    [[nodiscard]] int closedByPeer() const
    {
        return locked([this] { return m_closedByPeer; });
    }

    void openGate()
    {
        inThread([this] {
            m_gateOpen = true;
            const auto waiting = std::exchange(m_atGate, {});
            for (const auto &connection : waiting)
                step(connection);
        });
    }

    /// A port of loopback where nobody listens.
    static quint16 closedPort()
    {
        QTcpServer server;
        server.listen(QHostAddress::LocalHost, 0);
        return server.serverPort();
    }

private:
    struct Connection {
        QPointer<QTcpSocket> socket;
        Script script;
        size_t at = 0;
        size_t index = 0;
        qsizetype slowAt = 0;
        bool reading = false;
        bool done = false;
    };
    using Shared = std::shared_ptr<Connection>;

    template <class F>
    void inThread(F f)
    {
        QMetaObject::invokeMethod(m_context, std::move(f), Qt::BlockingQueuedConnection);
    }

    void acceptAll()
    {
        while (QTcpSocket *socket = m_server->nextPendingConnection()) {
            socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
            auto connection = std::make_shared<Connection>();
            connection->socket = socket;
            connection->script = m_scripts.front();
            if (m_scripts.size() > 1)
                m_scripts.pop_front();
            {
                const QMutexLocker lock(&m_mutex);
                connection->index = m_received.size();
                m_received.emplace_back();
                ++m_connections;
            }
            QObject::connect(socket, &QTcpSocket::readyRead, m_context, [this, connection] { take(connection); });
            QObject::connect(socket, &QTcpSocket::disconnected, m_context, [this, connection] {
                if (!connection->done) {
                    const QMutexLocker lock(&m_mutex);
                    ++m_closedByPeer;
                }
                connection->done = true;
            });
            step(connection);
        }
    }

    void take(const Shared &connection)
    {
        if (!connection->socket)
            return;
        {
            const QMutexLocker lock(&m_mutex);
            m_received[connection->index] += connection->socket->readAll();
        }
        if (connection->reading)
            step(connection);
    }

    [[nodiscard]] QByteArray bytesOf(const Shared &connection) const
    {
        return locked([&] { return m_received[connection->index]; });
    }

    [[nodiscard]] bool headIsThere(const Shared &connection) const { return bytesOf(connection).contains("\r\n\r\n"); }

    [[nodiscard]] bool requestIsThere(const Shared &connection) const
    {
        const QByteArray bytes = bytesOf(connection);
        const qsizetype end = bytes.indexOf("\r\n\r\n");
        if (end < 0)
            return false;
        qsizetype length = 0;
        const QByteArray head = bytes.first(end).toLower() + "\r\n";
        const qsizetype at = head.indexOf("\r\ncontent-length:");
        if (at >= 0) {
            const qsizetype value = at + 17;
            length = head.sliced(value, head.indexOf("\r\n", value) - value).trimmed().toLongLong();
        }
        return bytes.size() >= end + 4 + length;
    }

    void later(const Shared &connection, int ms)
    {
        QTimer::singleShot(ms, Qt::PreciseTimer, m_context, [this, connection] { step(connection); });
    }

    void step(const Shared &connection)
    {
        connection->reading = false;
        while (!connection->done && connection->socket && connection->at < connection->script.size()) {
            const Act &now = connection->script[connection->at];
            if (std::holds_alternative<act::ReadHead>(now) || std::holds_alternative<act::ReadRequest>(now)) {
                const bool there =
                    std::holds_alternative<act::ReadHead>(now) ? headIsThere(connection) : requestIsThere(connection);
                if (!there) {
                    connection->reading = true;
                    return;
                }
            } else if (const auto *write = std::get_if<act::Write>(&now)) {
                connection->socket->write(write->bytes);
                connection->socket->flush();
            } else if (const auto *slowly = std::get_if<act::WriteSlowly>(&now)) {
                if (connection->slowAt < slowly->bytes.size()) {
                    connection->socket->write(slowly->bytes.sliced(connection->slowAt++, 1));
                    connection->socket->flush();
                    later(connection, slowly->gapMs);
                    return;
                }
                connection->slowAt = 0;
            } else if (std::holds_alternative<act::AwaitGate>(now)) {
                if (!m_gateOpen) {
                    m_atGate.push_back(connection);
                    return;
                }
            } else if (const auto *pause = std::get_if<act::Pause>(&now)) {
                ++connection->at;
                later(connection, pause->ms);
                return;
            } else if (std::holds_alternative<act::Fin>(now)) {
                connection->done = true;
                connection->socket->disconnectFromHost();
                return;
            } else {
                connection->done = true;
                const linger reset{1, 0};
                ::setsockopt(static_cast<int>(connection->socket->socketDescriptor()), SOL_SOCKET, SO_LINGER, &reset,
                             sizeof reset);
                connection->socket->abort();
                return;
            }
            ++connection->at;
        }
    }

    QThread m_thread;
    QObject *m_context = nullptr;
    QTcpServer *m_server = nullptr;
    std::deque<Script> m_scripts;
    std::vector<Shared> m_atGate;
    bool m_gateOpen = false;
    bool m_listening = false;
    quint16 m_port = 0;

    mutable QMutex m_mutex;
    std::vector<QByteArray> m_received;
    int m_connections = 0;
    int m_closedByPeer = 0;
};

/// An answer with its Content-Length.
inline QByteArray httpAnswer(const QByteArray &statusLine, const QByteArray &body,
                             const QByteArray &moreHeaders = QByteArray())
{
    return "HTTP/1.1 " + statusLine + "\r\nContent-Type: application/json\r\n" + moreHeaders +
           "Content-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body;
}

} // namespace ikkai::test
