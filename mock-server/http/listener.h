#pragma once

#include "mock-server/http/connection.h"
#include "mock-server/http/waiting_room.h"

#include <QtCore/QSet>
#include <QtCore/QTimer>
#include <QtNetwork/QSslConfiguration>
#include <QtNetwork/QTcpServer>

#include <optional>

namespace mockbank {

/// The port of the bank and its open connections. Lives on the network thread.
class Listener : public QTcpServer {
    Q_OBJECT

public:
    /// Beyond `maxConnections` a few more are accepted and have everything but the control plane answered 503; beyond
    /// those a connection gets its 503 unread.
    Listener(int maxConnections, const ConnectionLimits &limits, RequestHandler *handler, QObject *parent);
    ~Listener() override;

    /// Every connection accepted from now on speaks TLS.
    void setTls(const QSslConfiguration &tls) { m_tls = tls; }

    /// Opens the port. False, with `error` naming address and reason, where it cannot.
    [[nodiscard]] bool open(const QHostAddress &address, quint16 port, QString *error);

    /// As a killed process leaves it: the port refuses, every connection is reset. The port itself is kept from
    /// others, so that `open` gets it back.
    void crash();
    /// Ends listening and every connection in order.
    void closeAll();

    /// The port refuses; connections end as soon as they are idle, but for those of the control plane.
    void refuse();
    /// Listens again where it did before.
    [[nodiscard]] bool reopen(QString *error) { return open(m_address, m_port, error); }

    /// Is asked for each connection, before anything is read of it, whether it keeps it to itself.
    void setDoor(std::function<bool(qintptr descriptor)> door) { m_door = std::move(door); }
    /// Serves a connection that the door has kept.
    void adopt(qintptr descriptor);

    [[nodiscard]] quint64 accepted() const { return m_accepted; }
    [[nodiscard]] quint64 refused() const { return m_refused; }
    [[nodiscard]] qsizetype openCount() const { return m_connections.size() + m_waiting.count(); }
    /// Of the open ones, those that are kept as descriptors between two requests.
    [[nodiscard]] qsizetype restingCount() const { return m_waiting.count(); }

protected:
    void incomingConnection(qintptr descriptor) override;

private:
    void serve(qintptr descriptor, quint64 number, bool beyondLimit);
    void sweep();
    void rest(Connection *connection);
    void refuseUnread(qintptr descriptor);
    void keepPort();
    void releasePort();

    const int m_maxConnections;
    const ConnectionLimits m_limits;
    RequestHandler *const m_handler;
    std::optional<QSslConfiguration> m_tls;
    std::function<bool(qintptr)> m_door;
    QSet<Connection *> m_connections;
    WaitingRoom m_waiting;
    int m_sweeps = 0;
    QTimer m_sweep;
    QHostAddress m_address;
    quint16 m_port = 0;
    int m_portKeeper = -1;
    quint64 m_accepted = 0;
    quint64 m_refused = 0;
};

} // namespace mockbank
