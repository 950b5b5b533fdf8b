#pragma once

#include <QtCore/QHash>
#include <QtCore/QSet>
#include <QtNetwork/QTcpServer>

namespace ikkai {

/// The other end of the bank's webhook, for counting: answers 204 to every event and remembers whose order it was.
/// An event that comes twice is the same event (`Event-Id`). Lives on the thread that made it.
class EventReceiver : public QObject {
public:
    explicit EventReceiver(QObject *parent = nullptr);

    /// Opens a port on loopback; empty where that fails.
    [[nodiscard]] QString url() const;
    /// Distinct events of each order.
    [[nodiscard]] QHash<QString, int> eventsByOrder() const;

private:
    void take(QTcpSocket *socket);

    QHash<QTcpSocket *, QByteArray> m_incoming;
    QHash<QString, QSet<QByteArray>> m_events;
    QTcpServer m_server; ///< the first to go: its sockets say farewell to the others
};

} // namespace ikkai
