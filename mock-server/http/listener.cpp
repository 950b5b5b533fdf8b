#include "mock-server/http/listener.h"

#include <QtNetwork/QTcpSocket>

#include <chrono>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace mockbank {

namespace {

constexpr int beyondLimitConnections = 32;
constexpr int listenBacklog = 1024;
constexpr auto sweepInterval = std::chrono::milliseconds(100);
constexpr auto acceptAgainAfter = std::chrono::milliseconds(100);
// A socket object takes some 20 us to go: thousands in one sweep would hold everybody up.
constexpr int restAtOnce = 100;
constexpr int sweepsPerWaitingSweep = 10;

} // namespace

Listener::Listener(int maxConnections, const ConnectionLimits &limits, RequestHandler *handler, QObject *parent)
    : QTcpServer(parent)
    , m_maxConnections(maxConnections)
    , m_limits(limits)
    , m_handler(handler)
    , m_waiting([this](const WaitingRoom::Guest &guest) { serve(guest.descriptor, guest.number, false); }, this)
{
    setListenBacklogSize(listenBacklog);
    m_sweep.setInterval(sweepInterval);
    connect(&m_sweep, &QTimer::timeout, this, &Listener::sweep);
    // Without descriptors to accept with, QTcpServer stops for good; it must only pause.
    connect(this, &QTcpServer::acceptError, this,
            [this] { QTimer::singleShot(acceptAgainAfter, this, [this] { resumeAccepting(); }); });
}

Listener::~Listener()
{
    releasePort();
}

bool Listener::open(const QHostAddress &address, quint16 port, QString *error)
{
    const bool listening = listen(address, port);
    releasePort();
    if (!listening) {
        *error = QStringLiteral("cannot listen on %1 port %2: %3").arg(address.toString()).arg(port).arg(errorString());
        return false;
    }
    m_address = address;
    m_port = serverPort();
    return true;
}

void Listener::incomingConnection(qintptr descriptor)
{
    if (m_door && m_door(descriptor)) {
        ++m_accepted;
        return;
    }
    adopt(descriptor);
}

void Listener::adopt(qintptr descriptor)
{
    const bool beyondLimit = openCount() >= m_maxConnections;
    if (beyondLimit)
        ++m_refused;
    if (openCount() >= m_maxConnections + beyondLimitConnections) {
        refuseUnread(descriptor);
        return;
    }
    ++m_accepted;
    serve(descriptor, m_accepted, beyondLimit);
}

void Listener::serve(qintptr descriptor, quint64 number, bool beyondLimit)
{
    auto *connection = new Connection(descriptor, m_limits, m_handler, beyondLimit, m_tls ? &*m_tls : nullptr, this);
    connection->setNumber(number);
    m_connections.insert(connection);
    connect(connection, &Connection::closed, this, [this, connection] {
        m_connections.remove(connection);
        connection->deleteLater();
    });
    if (!m_sweep.isActive())
        m_sweep.start();
}

void Listener::sweep()
{
    const auto now = std::chrono::steady_clock::now();
    const auto connections = m_connections;
    int laidToRest = 0;
    for (Connection *connection : connections) {
        connection->sweep(now);
        if (laidToRest < restAtOnce && connection->canRest(now)) {
            rest(connection);
            ++laidToRest;
        }
    }
    if (++m_sweeps % sweepsPerWaitingSweep == 0)
        m_waiting.closeIdle(now, m_limits.idle);
    if (openCount() == 0)
        m_sweep.stop();
}

void Listener::rest(Connection *connection)
{
    const int descriptor = connection->keepDescriptor();
    if (descriptor < 0)
        return;
    if (!m_waiting.take({descriptor, connection->number(), connection->idleSince()})) {
        ::close(descriptor);
        return;
    }
    m_connections.remove(connection);
    delete connection;
}

void Listener::refuseUnread(qintptr descriptor)
{
    const int fd = static_cast<int>(descriptor);
    if (m_tls) { // a refusal that could be read would cost a handshake
        ::close(fd);
        return;
    }
    Response busy = toResponse({503,
                                QByteArrayLiteral("too-many-connections"),
                                QStringLiteral("Too many connections"),
                                QStringLiteral("the bank has as many connections as it takes"),
                                true,
                                {},
                                {}});
    busy.headers.emplaceBack("Retry-After", "1");
    const QByteArray wire =
        writeHead(busy, m_handler->commonHeaders(m_handler->nextRequestId()), busy.body.size(), false) + busy.body;
    // A fresh socket has room for this; where it has not, the client gets a bare close.
    [[maybe_unused]] const ssize_t written =
        ::send(fd, wire.constData(), static_cast<std::size_t>(wire.size()), MSG_DONTWAIT | MSG_NOSIGNAL);
    ::shutdown(fd, SHUT_WR);
    ::close(fd);
}

void Listener::crash()
{
    keepPort();
    close();
    m_waiting.resetAll();
    const auto connections = m_connections;
    for (Connection *connection : connections)
        connection->cut(Cut::Rst);
}

void Listener::refuse()
{
    keepPort();
    close();
    m_waiting.closeAll();
    const auto connections = m_connections;
    for (Connection *connection : connections) {
        if (!connection->servesControl())
            connection->cutWhenIdle(Cut::Fin);
    }
}

void Listener::closeAll()
{
    close();
    m_waiting.closeAll();
    const auto connections = m_connections;
    for (Connection *connection : connections)
        connection->cut(Cut::Fin);
    qDeleteAll(connections);
    m_connections.clear();
    m_sweep.stop();
}

void Listener::keepPort()
{
    // Bound but not listening: connections are refused, and the system gives the port to nobody else.
    sockaddr_storage storage{};
    socklen_t length = sizeof storage;
    if (::getsockname(static_cast<int>(socketDescriptor()), reinterpret_cast<sockaddr *>(&storage), &length) != 0)
        return;
    m_portKeeper = ::socket(storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int on = 1;
    if (storage.ss_family == AF_INET6) {
        int onlyV6 = 0;
        socklen_t size = sizeof onlyV6;
        ::getsockopt(static_cast<int>(socketDescriptor()), IPPROTO_IPV6, IPV6_V6ONLY, &onlyV6, &size);
        ::setsockopt(m_portKeeper, IPPROTO_IPV6, IPV6_V6ONLY, &onlyV6, sizeof onlyV6);
    }
    ::setsockopt(m_portKeeper, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    // Two sockets can share the address only while neither listens.
    close();
    if (::bind(m_portKeeper, reinterpret_cast<sockaddr *>(&storage), length) != 0)
        releasePort();
}

void Listener::releasePort()
{
    if (m_portKeeper >= 0)
        ::close(m_portKeeper);
    m_portKeeper = -1;
}

} // namespace mockbank
