#include "mock-server/http/connection.h"

#include <QtNetwork/QSslConfiguration>
#include <QtNetwork/QSslSocket>
#include <QtNetwork/QTcpSocket>

#include <fcntl.h>
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>

namespace mockbank {

namespace {

// Room for the next pipelined request while one is being answered; beyond it TCP holds the client back.
constexpr qint64 readAheadBytes = 96 * 1024;
// A client that sends requests without reading the answers is not read on either: they would wait here, all of them.
constexpr qint64 unreadAnswersBytes = 256 * 1024;
// The first byte of every TLS connection: a record of type handshake (RFC 8446 section 5.1). No method begins so.
constexpr char tlsHandshakeRecord = 0x16;

/// How much of what was written the other system has acknowledged; 0 where this one does not count.
quint64 acknowledgedBytes(int descriptor)
{
    tcp_info info{};
    socklen_t length = sizeof info;
    return ::getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &length) == 0 ? info.tcpi_bytes_acked : 0;
}

} // namespace

Exchange::Exchange(Connection *connection, Request request_, quint64 requestId_)
    : request(std::move(request_))
    , requestId(requestId_)
    , m_connection(connection)
{
}

bool Exchange::isOpen() const
{
    return m_connection && m_connection->m_exchange.get() == this;
}

Exchange::Wire Exchange::toWire(const Response &response) const
{
    return {headOf(response, response.body.size()), request.method == "HEAD" ? QByteArray() : response.body};
}

QByteArray Exchange::headOf(const Response &response, qsizetype promisedLength) const
{
    const Headers common = m_connection ? m_connection->m_handler->commonHeaders(requestId) : Headers();
    return writeHead(response, common, promisedLength, m_connection && m_connection->willKeepAlive());
}

void Exchange::answer(const Response &response, std::function<void()> delivered)
{
    if (!isOpen())
        return;
    const Wire wire = toWire(response);
    writePart(wire.head + wire.body);
    finish(std::move(delivered));
}

void Exchange::writePart(const QByteArray &bytes)
{
    if (!isOpen())
        return;
    if (witness)
        witness->writing(*this, bytes);
    m_connection->write(bytes);
}

void Exchange::finish(std::function<void()> delivered)
{
    if (!isOpen())
        return;
    if (witness) {
        delivered = [who = witness, id = arrivalId, route = notes.route, tell = std::move(delivered)] {
            who->delivered(id, route);
            if (tell)
                tell();
        };
    }
    m_connection->finishAnswer(std::move(delivered));
}

void Exchange::startStream(const Response &head)
{
    if (!isOpen())
        return;
    m_connection->m_state = Connection::State::Streaming;
    m_connection->write(writeHead(head, m_connection->m_handler->commonHeaders(requestId), -1, false));
}

qint64 Exchange::bytesWaiting() const
{
    return isOpen() ? m_connection->unsentBytes() : 0;
}

void Exchange::cut(Cut how)
{
    if (isOpen())
        m_connection->cut(how);
}

bool Exchange::cutWhenIdle(Cut how)
{
    if (!m_connection || m_connection->m_state == Connection::State::Closed ||
        m_connection->m_state == Connection::State::Closing)
        return false;
    m_connection->cutWhenIdle(how);
    return true;
}

void Exchange::setClientGone(std::function<void()> gone)
{
    if (isOpen())
        m_gone = std::move(gone);
}

Connection::Connection(qintptr descriptor, const ConnectionLimits &limits, RequestHandler *handler, bool beyondLimit,
                       const QSslConfiguration *tls, QObject *parent)
    : QObject(parent)
    , m_limits(limits)
    , m_handler(handler)
    , m_beyondLimit(beyondLimit)
    , m_parser(limits.request)
    , m_since(std::chrono::steady_clock::now())
{
    if (tls) {
        m_tls = new QSslSocket(this);
        m_tls->setSslConfiguration(*tls);
        m_state = State::Handshake;
        connect(m_tls, &QSslSocket::encrypted, this, [this] {
            m_state = State::Reading;
            m_since = std::chrono::steady_clock::now();
        });
        connect(m_tls, &QSslSocket::encryptedBytesWritten, this, &Connection::endWriting);
        listenTo(m_tls);
    } else {
        listenTo(new QTcpSocket(this));
    }
    m_socket->setSocketDescriptor(descriptor);
    m_socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
    m_peer = m_socket->peerAddress().toString().toLatin1() + ':' + QByteArray::number(m_socket->peerPort());
}

void Connection::listenTo(QTcpSocket *socket)
{
    m_socket = socket;
    m_socket->setReadBufferSize(readAheadBytes);
    connect(m_socket, &QTcpSocket::readyRead, this, &Connection::readMore);
    connect(m_socket, &QTcpSocket::stateChanged, this, &Connection::onStateChanged);
    connect(m_socket, &QTcpSocket::disconnected, this, &Connection::onDisconnected);
    connect(m_socket, &QTcpSocket::bytesWritten, this, [this] {
        m_since = std::chrono::steady_clock::now();
        endWriting();
        goOnReading();
    });
}

Connection::~Connection()
{
    // The socket goes with this object and says `disconnected` on its way.
    m_socket->disconnect(this);
    if (m_keptDescriptor >= 0)
        ::close(m_keptDescriptor);
    endWatch();
    releaseExchange(ExchangeEnd::Fin);
}

bool Connection::willKeepAlive() const
{
    return m_exchange && m_exchange->request.keepAlive && !m_beyondLimit && !m_cutAfterAnswer &&
           m_state != State::Streaming;
}

qint64 Connection::unsentBytes() const
{
    return m_socket->bytesToWrite() + (m_tls ? m_tls->encryptedBytesToWrite() : 0);
}

int Connection::descriptor() const
{
    return m_keptDescriptor >= 0 ? m_keptDescriptor : static_cast<int>(m_socket->socketDescriptor());
}

void Connection::beginTls()
{
    char first = 0;
    if (m_tls->mode() != QSslSocket::UnencryptedMode || m_tls->peek(&first, 1) != 1)
        return;
    if (first == tlsHandshakeRecord) {
        m_tls->startServerEncryption();
        return;
    }
    m_handler->handshakeFailed(QStringLiteral("the client does not speak TLS"));
    m_state = State::Reading;
    refuse({400, QStringLiteral("this port speaks TLS: the address begins with https://")});
}

void Connection::readMore()
{
    if (m_state == State::Handshake) {
        beginTls();
        return;
    }
    if (m_state == State::Closing || m_state == State::Closed) {
        m_socket->skip(m_socket->bytesAvailable());
        return;
    }
    // Answering at once from within onRequest would come back here; the loop below goes on instead.
    if (m_reading)
        return;
    m_reading = true;
    while (m_state == State::Reading && unsentBytes() <= unreadAnswersBytes) {
        takeBytes();
        if (m_buffer.isEmpty())
            break;
        if (m_parser.stage() == RequestParser::Stage::Idle)
            m_since = std::chrono::steady_clock::now();
        checkDelivery();
        const bool headWasKnown = m_parser.stage() == RequestParser::Stage::Body;
        const RequestParser::Stage stage = m_parser.read(&m_buffer);
        const bool headIsKnown = !m_parser.head().method.isEmpty();
        if (headIsKnown && !headWasKnown) {
            m_lastExchange = m_exchange = std::make_shared<Exchange>(this, m_parser.head(), m_handler->nextRequestId());
            m_exchange->localAddress = m_socket->localAddress();
            m_exchange->connectionNumber = m_number;
            m_exchange->peer = m_peer;
            m_handler->headRead(*m_exchange);
            if (stage == RequestParser::Stage::Body && m_exchange->request.expectsContinue)
                write("HTTP/1.1 100 Continue\r\n\r\n");
        }
        if (stage == RequestParser::Stage::Failed) {
            refuse(m_parser.failure());
            break;
        }
        if (stage != RequestParser::Stage::Done)
            break;
        onRequest();
    }
    m_reading = false;
}

void Connection::takeBytes()
{
    // Not readAll: that makes 16 KiB of room for every 400 bytes.
    const qint64 waiting = m_socket->bytesAvailable();
    if (waiting <= 0)
        return;
    const qsizetype had = m_buffer.size();
    m_buffer.resize(had + waiting);
    const qint64 got = m_socket->read(m_buffer.data() + had, waiting);
    m_buffer.resize(had + std::max<qint64>(got, 0));
}

void Connection::onRequest()
{
    m_exchange->request = m_parser.take();
    m_state = State::Answering;
    m_since = std::chrono::steady_clock::now();
    const std::shared_ptr<Exchange> exchange = m_exchange;
    if (m_beyondLimit && !m_handler->isServedBeyondLimit(exchange->request)) {
        m_handler->requestLost(*exchange, QByteArrayLiteral("too many connections"));
        Response busy = toResponse({503,
                                    QByteArrayLiteral("too-many-connections"),
                                    QStringLiteral("Too many connections"),
                                    QStringLiteral("the bank has as many connections as it takes"),
                                    true,
                                    {},
                                    {}});
        busy.headers.emplaceBack("Retry-After", "1");
        exchange->answer(busy);
        return;
    }
    m_handler->requestRead(exchange);
}

void Connection::refuse(const RequestParser::Failure &failure)
{
    if (m_exchange)
        m_handler->requestLost(*m_exchange, failure.detail.toUtf8());
    else
        m_exchange = std::make_shared<Exchange>(this, Request(), m_handler->nextRequestId());
    m_exchange->request.keepAlive = false;
    m_state = State::Answering;
    m_exchange->answer(toResponse({failure.status,
                                   problemTypeOf(failure.status),
                                   QString::fromLatin1(reasonPhrase(failure.status)),
                                   failure.detail,
                                   failure.status == 408,
                                   {},
                                   {}}));
}

void Connection::write(const QByteArray &bytes)
{
    m_since = std::chrono::steady_clock::now();
    m_socket->write(bytes);
    m_socket->flush();
}

void Connection::finishAnswer(std::function<void()> delivered)
{
    const bool keepAlive = willKeepAlive();
    releaseExchange(ExchangeEnd::Answered);
    if (m_delivered && delivered) {
        m_delivered = [earlier = std::move(m_delivered), later = std::move(delivered)] {
            earlier();
            later();
        };
    } else if (delivered) {
        m_delivered = std::move(delivered);
    }
    m_since = std::chrono::steady_clock::now();
    m_deliveryMark = 0;
    if (!keepAlive) {
        cut(m_cutAfterAnswer.value_or(Cut::Fin));
        return;
    }
    m_state = State::Reading;
    checkDelivery();
    watchDelivery();
    goOnReading();
}

void Connection::goOnReading()
{
    // Queued, so that a long row of pipelined requests does not become a deep stack.
    if (m_state == State::Reading && (!m_buffer.isEmpty() || m_socket->bytesAvailable() > 0))
        QMetaObject::invokeMethod(this, &Connection::readMore, Qt::QueuedConnection);
}

void Connection::markDelivery()
{
    int unacknowledged = 0;
    if (m_delivered && unsentBytes() == 0 && ::ioctl(descriptor(), SIOCOUTQ, &unacknowledged) == 0)
        m_deliveryMark = acknowledgedBytes(descriptor()) + static_cast<quint64>(unacknowledged);
}

void Connection::checkDelivery()
{
    if (!m_delivered || unsentBytes() > 0)
        return;
    int unacknowledged = 0;
    const int open = descriptor() >= 0 ? descriptor() : m_watchDescriptor;
    if (::ioctl(open, SIOCOUTQ, &unacknowledged) != 0)
        return;
    // A client may have the answer and reset the connection over the goodbye behind it, which is not acknowledged then.
    const bool hasAnswer = m_deliveryMark > 0 && acknowledgedBytes(open) >= m_deliveryMark;
    if (unacknowledged > 0 && !hasAnswer)
        return;
    endWatch();
    const auto delivered = std::exchange(m_delivered, {});
    delivered();
}

void Connection::watchDelivery()
{
    // A client that takes its answer and closes at once has Qt close the descriptor before anyone can ask whether it
    // was acknowledged. What is not with the system yet would not be seen there, so it is not watched.
    if (unsentBytes() > 0)
        endWatch();
    else if (m_delivered && m_watchDescriptor < 0 && !m_tls)
        m_watchDescriptor = keepDescriptor();
}

void Connection::endWatch()
{
    if (m_watchDescriptor >= 0)
        ::close(std::exchange(m_watchDescriptor, -1));
}

void Connection::cut(Cut how)
{
    if (m_state == State::Closed)
        return;
    releaseExchange(how == Cut::Rst ? ExchangeEnd::Rst : ExchangeEnd::Fin);
    if (how == Cut::Rst) {
        m_state = State::Closed;
        m_delivered = {};
        endWatch(); // the last descriptor decides what goes out
        const linger atOnce{1, 0};
        ::setsockopt(static_cast<int>(m_socket->socketDescriptor()), SOL_SOCKET, SO_LINGER, &atOnce, sizeof atOnce);
        m_socket->abort();
        return;
    }
    // A close with unread bytes in the system's buffer would be a reset on the wire, and would destroy the answer on
    // its way: so say FIN, then read and forget until the client closes too.
    m_state = State::Closing;
    m_since = std::chrono::steady_clock::now();
    m_buffer.clear();
    m_socket->skip(m_socket->bytesAvailable());
    m_finAfterWriting = true;
    endWriting();
}

void Connection::cutWhenIdle(Cut how)
{
    if (m_state == State::Reading && m_parser.stage() == RequestParser::Stage::Idle)
        cut(how);
    else
        m_cutAfterAnswer = how;
}

void Connection::releaseExchange(ExchangeEnd end)
{
    if (!m_exchange)
        return;
    if (m_exchange->witness)
        m_exchange->witness->ended(*m_exchange, end);
    // From here on the end is ours: nobody is to be told that the client has gone. And what would tell it holds the
    // exchange itself, more often than not.
    m_exchange->m_gone = {};
    m_servedControl = m_exchange->ofControlPlane;
    m_exchange.reset();
}

void Connection::endWriting()
{
    if (!m_finAfterWriting || m_finSent || unsentBytes() > 0)
        return;
    m_finSent = true;
    markDelivery();
    // Queued: within its own signals a QSslSocket is not to be closed.
    if (m_tls && m_tls->isEncrypted())
        QMetaObject::invokeMethod(this, &Connection::sayGoodbye, Qt::QueuedConnection);
    else
        shutDownWriting();
}

void Connection::shutDownWriting()
{
    ::shutdown(descriptor(), SHUT_WR);
}

void Connection::sayGoodbye()
{
    if (m_state != State::Closing || !m_tls)
        return;
    // An end of TLS is said in TLS (close_notify, RFC 8446 section 6.1), which Qt does only on its way to closing the
    // descriptor, with all the harm that `cut` avoids. A second descriptor keeps the connection through it.
    m_keptDescriptor = ::fcntl(static_cast<int>(m_tls->socketDescriptor()), F_DUPFD_CLOEXEC, 0);
    if (m_keptDescriptor < 0) {
        m_tls->abort();
        return;
    }
    m_tls->disconnect(this);
    connect(m_tls, &QSslSocket::disconnected, this, &Connection::lingerOn);
    m_tls->disconnectFromHost();
}

void Connection::lingerOn()
{
    std::exchange(m_tls, nullptr)->deleteLater();
    listenTo(new QTcpSocket(this));
    shutDownWriting();
    if (!m_socket->setSocketDescriptor(::fcntl(m_keptDescriptor, F_DUPFD_CLOEXEC, 0)))
        onDisconnected(); // reset meanwhile
}

void Connection::onStateChanged()
{
    // The client has closed and the descriptor is still open: the last moment to learn what it acknowledged.
    if (m_socket->state() == QAbstractSocket::ClosingState)
        checkDelivery();
}

void Connection::onDisconnected()
{
    // Those who read our goodbye as a reason to reset have closed Qt's descriptor by now, but not this one.
    if (m_keptDescriptor >= 0 || m_watchDescriptor >= 0)
        checkDelivery();
    endWatch();
    const bool unfinished = m_state == State::Answering || m_state == State::Streaming;
    const bool unread = m_state == State::Reading && m_exchange;
    // A client that came and went without a byte has failed at nothing.
    if (m_state == State::Handshake && m_tls->mode() != QSslSocket::UnencryptedMode)
        m_handler->handshakeFailed(m_tls->errorString());
    m_state = State::Closed;
    const std::shared_ptr<Exchange> exchange = std::exchange(m_exchange, {});
    if (unread)
        m_handler->requestLost(*exchange, QByteArrayLiteral("the client left before its body was complete"));
    if (exchange && exchange->witness)
        exchange->witness->ended(*exchange, ExchangeEnd::ClientGone);
    if (unfinished && exchange && exchange->m_gone)
        std::exchange(exchange->m_gone, {})();
    Q_EMIT closed();
}

bool Connection::canRest(std::chrono::steady_clock::time_point now) const
{
    return m_state == State::Reading && m_parser.stage() == RequestParser::Stage::Idle && !m_beyondLimit && !m_tls &&
           now - m_since > m_limits.restAfter && m_buffer.isEmpty() && m_socket->bytesAvailable() == 0 &&
           unsentBytes() == 0 && !m_delivered && !m_cutAfterAnswer && !m_servedControl && m_lastExchange.expired();
}

int Connection::keepDescriptor() const
{
    return ::fcntl(descriptor(), F_DUPFD_CLOEXEC, 0);
}

void Connection::sweep(std::chrono::steady_clock::time_point now)
{
    checkDelivery();
    const auto waited = now - m_since;
    switch (m_state) {
    case State::Handshake:
        if (waited > m_limits.slowSender)
            m_socket->abort();
        break;
    case State::Reading:
        if (m_parser.stage() == RequestParser::Stage::Idle) {
            if (unsentBytes() > 0 && waited > m_limits.stalledReader)
                m_socket->abort();
            else if (waited > m_limits.idle)
                cut(Cut::Fin);
        } else if (waited > m_limits.slowSender) {
            refuse({408, QStringLiteral("the request was not complete after %1 ms").arg(m_limits.slowSender.count())});
        }
        break;
    case State::Answering:
    case State::Streaming:
        if (unsentBytes() > 0 && waited > m_limits.stalledReader)
            m_socket->abort();
        break;
    case State::Closing:
        if (waited > (m_finSent ? m_limits.lingering : m_limits.stalledReader))
            m_socket->abort();
        break;
    case State::Closed:
        break;
    }
}

} // namespace mockbank
