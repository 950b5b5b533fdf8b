#pragma once

#include <QtCore/QHash>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QList>
#include <QtCore/QMutex>
#include <QtCore/QObject>
#include <QtCore/QSet>
#include <QtCore/QThread>
#include <QtCore/QUrl>
#include <QtNetwork/QHostAddress>
#include <QtNetwork/QTcpServer>
#include <QtNetwork/QTcpSocket>

#include <sys/socket.h>

#include <functional>

namespace ikkai::test {

/// A shop that is told by the bank what it was paid, as such a shop should be written: it takes every event once, by
/// its Event-Id. Plays trouble on request. Lives on a thread of its own; every call may be made from any thread.
class WebhookReceiver {
public:
    struct Arrival {
        QHash<QByteArray, QByteArray> headers; ///< names in lower case
        QByteArray body;

        [[nodiscard]] QByteArray header(const QByteArray &name) const { return headers.value(name.toLower()); }
        [[nodiscard]] QByteArray eventId() const { return header("Event-Id"); }
        [[nodiscard]] QJsonObject json() const { return QJsonDocument::fromJson(body).object(); }
        [[nodiscard]] QJsonObject data() const { return json().value(QStringLiteral("data")).toObject(); }
        [[nodiscard]] QString order() const { return data().value(QStringLiteral("order_id")).toString(); }
        [[nodiscard]] QString key() const { return data().value(QStringLiteral("idempotency_key")).toString(); }
        bool operator==(const Arrival &) const = default;
    };

    /// What is done with one arrival.
    enum class Play {
        Accept,
        AcceptThenAnswer500, ///< the receiver has the event and says that it has not
        AcceptThenCut,       ///< the acknowledgment is lost
        AcceptThenReset,
        AcceptThenStaySilent,
        Answer500,
        Redirect,
        Cut,
        StaySilent,
        HalfAnswer, ///< taken; the connection ends within the head of the answer
        Answer204,
        AcceptWithoutEnd, ///< 200, and a body that never ends
    };
    using Player = std::function<Play(const Arrival &)>;

    WebhookReceiver()
    {
        m_thread.start();
        m_context = new QObject;
        m_context->moveToThread(&m_thread);
        up();
    }
    ~WebhookReceiver()
    {
        inThread([this] { delete m_context; });
        m_thread.quit();
        m_thread.wait();
    }
    WebhookReceiver(const WebhookReceiver &) = delete;
    WebhookReceiver &operator=(const WebhookReceiver &) = delete;

    [[nodiscard]] quint16 port() const { return m_port; }
    [[nodiscard]] QUrl url() const { return QUrl(QStringLiteral("http://127.0.0.1:%1/events?from=bank").arg(m_port)); }

    void play(Player player)
    {
        const QMutexLocker lock(&m_mutex);
        m_player = std::move(player);
    }
    void play(Play play)
    {
        this->play([play](const Arrival &) { return play; });
    }
    /// Nobody listens any more; connections are reset.
    void down()
    {
        inThread([this] { delete std::exchange(m_server, nullptr); });
    }
    /// Listens, after `down` on the same port.
    void up()
    {
        inThread([this] {
            m_server = new QTcpServer(m_context);
            m_server->setMaxPendingConnections(1'000);
            QObject::connect(m_server, &QTcpServer::newConnection, m_context, [this] { accept(); });
            if (!m_server->listen(QHostAddress::LocalHost, m_port))
                qCritical("the receiver cannot listen: %s", qPrintable(m_server->errorString()));
            m_port = m_server->serverPort();
        });
    }

    /// Every request that came whole, in order.
    [[nodiscard]] QList<Arrival> arrivals() const
    {
        const QMutexLocker lock(&m_mutex);
        return m_arrivals;
    }
    /// What the shop has made of them: each event once, when it was first taken.
    [[nodiscard]] QList<Arrival> taken() const
    {
        const QMutexLocker lock(&m_mutex);
        return m_taken;
    }
    [[nodiscard]] int takenCount() const { return static_cast<int>(taken().size()); }
    /// Taken events by idempotency key: 1 each, if all is well.
    [[nodiscard]] QHash<QString, int> takenByKey() const
    {
        QHash<QString, int> count;
        for (const Arrival &event : taken())
            ++count[event.key() + QLatin1Char(' ') + QString::fromLatin1(event.header("Event-Topic"))];
        return count;
    }
    /// The most requests that were under way at once.
    [[nodiscard]] int mostAtOnce() const
    {
        const QMutexLocker lock(&m_mutex);
        return m_mostAtOnce;
    }
    /// Requests that are under way now.
    [[nodiscard]] int openNow()
    {
        int count = 0;
        inThread([&] { count = static_cast<int>(m_open.size()); });
        return count;
    }
    /// Goes on with what stays silent: accepted after all.
    void answerTheSilent()
    {
        inThread([this] {
            for (QTcpSocket *socket : std::exchange(m_silent, {}))
                answer(socket, "200 OK");
        });
    }

private:
    template <class F>
    void inThread(F f)
    {
        QMetaObject::invokeMethod(m_context, std::move(f), Qt::BlockingQueuedConnection);
    }

    void accept()
    {
        while (QTcpSocket *socket = m_server->nextPendingConnection()) {
            // Closed by the other side, or by `down`.
            QObject::connect(socket, &QTcpSocket::disconnected, m_context, [this, socket] {
                m_silent.removeAll(socket);
                m_open.remove(socket);
                socket->deleteLater();
            });
            QObject::connect(socket, &QObject::destroyed, m_context, [this, socket] {
                m_buffers.remove(socket);
                m_silent.removeAll(socket);
                m_open.remove(socket);
            });
            QObject::connect(socket, &QTcpSocket::readyRead, m_context, [this, socket] { read(socket); });
        }
    }

    void read(QTcpSocket *socket)
    {
        QByteArray &bytes = m_buffers[socket];
        bytes += socket->readAll();
        const qsizetype end = bytes.indexOf("\r\n\r\n");
        if (end < 0)
            return;
        Arrival arrival;
        for (const QByteArray &line : bytes.first(end).split('\n').mid(1)) {
            const qsizetype colon = line.indexOf(':');
            arrival.headers.insert(line.first(colon).toLower(), line.mid(colon + 1).trimmed());
        }
        const qsizetype length = arrival.header("Content-Length").toLongLong();
        if (bytes.size() < end + 4 + length)
            return;
        arrival.headers.insert("(request line)", bytes.first(bytes.indexOf('\r')));
        arrival.body = bytes.mid(end + 4, length);
        bytes.clear();
        m_open.insert(socket);
        const Play play = note(arrival);
        answer(socket, play);
    }

    Play note(const Arrival &arrival)
    {
        Player player;
        {
            const QMutexLocker lock(&m_mutex);
            m_arrivals.append(arrival);
            m_mostAtOnce = std::max(m_mostAtOnce, static_cast<int>(m_open.size()));
            player = m_player;
        }
        const Play play = player ? player(arrival) : Play::Accept;
        static const QSet<int> refusals{int(Play::Answer500), int(Play::Redirect), int(Play::Cut),
                                        int(Play::StaySilent)};
        const QMutexLocker lock(&m_mutex);
        if (!refusals.contains(int(play)) && !m_known.contains(arrival.eventId())) {
            m_known.insert(arrival.eventId());
            m_taken.append(arrival);
        }
        return play;
    }

    void answer(QTcpSocket *socket, Play play)
    {
        switch (play) {
        case Play::Accept:
            answer(socket, "200 OK");
            return;
        case Play::Answer204:
            answer(socket, "204 No Content");
            return;
        case Play::AcceptThenAnswer500:
        case Play::Answer500:
            answer(socket, "500 Internal Server Error");
            return;
        case Play::Redirect:
            answer(socket, "302 Found\r\nLocation: http://127.0.0.1:" + QByteArray::number(m_port) + "/elsewhere");
            return;
        case Play::AcceptThenCut:
        case Play::Cut:
            socket->disconnectFromHost();
            return;
        case Play::AcceptThenReset: {
            const linger atOnce{1, 0};
            ::setsockopt(static_cast<int>(socket->socketDescriptor()), SOL_SOCKET, SO_LINGER, &atOnce, sizeof atOnce);
            socket->abort();
            return;
        }
        case Play::HalfAnswer:
            socket->write("HTTP/1.1 200 OK\r\nContent-Le");
            socket->disconnectFromHost();
            return;
        case Play::AcceptWithoutEnd:
            socket->write("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n" + QByteArray(200'000, 'x'));
            return;
        case Play::AcceptThenStaySilent:
        case Play::StaySilent:
            m_silent.append(socket);
            return;
        }
    }

    void answer(QTcpSocket *socket, const QByteArray &statusAndMore)
    {
        m_open.remove(socket);
        socket->write("HTTP/1.1 " + statusAndMore + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        socket->disconnectFromHost();
    }

    QThread m_thread;
    QObject *m_context = nullptr;
    QTcpServer *m_server = nullptr;
    quint16 m_port = 0;
    QHash<QTcpSocket *, QByteArray> m_buffers;
    QList<QTcpSocket *> m_silent;
    QSet<QTcpSocket *> m_open;

    mutable QMutex m_mutex;
    Player m_player;
    QList<Arrival> m_arrivals;
    QList<Arrival> m_taken;
    QSet<QByteArray> m_known;
    int m_mostAtOnce = 0;
};

} // namespace ikkai::test
