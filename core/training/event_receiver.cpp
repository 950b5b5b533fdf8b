#include "core/training/event_receiver.h"

#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtNetwork/QTcpSocket>

#include <optional>

namespace ikkai {

namespace {

/// The value of a header of a request that the bank made; it writes each name once, one a line.
QByteArray headerOf(QByteArrayView head, QByteArrayView name)
{
    const auto lines = head.toByteArray().split('\n');
    for (const QByteArray &line : lines) {
        const qsizetype colon = line.indexOf(':');
        if (colon > 0 && line.first(colon).trimmed().compare(name, Qt::CaseInsensitive) == 0)
            return line.sliced(colon + 1).trimmed();
    }
    return {};
}

} // namespace

EventReceiver::EventReceiver(QObject *parent)
    : QObject(parent)
{
    connect(&m_server, &QTcpServer::newConnection, this, [this] {
        while (QTcpSocket *socket = m_server.nextPendingConnection()) {
            connect(socket, &QTcpSocket::readyRead, this, [this, socket] { take(socket); });
            connect(socket, &QTcpSocket::disconnected, this, [this, socket] {
                m_incoming.remove(socket);
                socket->deleteLater();
            });
        }
    });
    m_server.listen(QHostAddress::LocalHost);
}

QString EventReceiver::url() const
{
    return m_server.isListening() ? QStringLiteral("http://127.0.0.1:%1/events").arg(m_server.serverPort()) : QString();
}

void EventReceiver::take(QTcpSocket *socket)
{
    QByteArray &bytes = m_incoming[socket];
    bytes += socket->readAll();
    while (true) {
        const qsizetype blank = bytes.indexOf("\r\n\r\n");
        if (blank < 0)
            return;
        const QByteArray head = bytes.first(blank);
        const qsizetype length = headerOf(head, "Content-Length").toLongLong();
        if (bytes.size() < blank + 4 + length)
            return;
        const QJsonObject event = QJsonDocument::fromJson(bytes.sliced(blank + 4, length)).object();
        const QString order = event.value(QLatin1String("data")).toObject().value(QLatin1String("order_id")).toString();
        m_events[order].insert(headerOf(head, "Event-Id"));
        bytes.remove(0, blank + 4 + length);
        socket->write("HTTP/1.1 204 No Content\r\n\r\n");
    }
}

QHash<QString, int> EventReceiver::eventsByOrder() const
{
    QHash<QString, int> counts;
    for (auto it = m_events.begin(); it != m_events.end(); ++it)
        counts.insert(it.key(), int(it->size()));
    return counts;
}

} // namespace ikkai
