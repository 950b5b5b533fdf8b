#include "core/gateway/exchange.h"

#include "core/gateway/one_shot_body.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QThread>
#include <QtNetwork/QHostAddress>
#include <QtNetwork/QNetworkAccessManager>
#include <QtNetwork/QNetworkProxy>
#include <QtNetwork/QNetworkReply>
#include <QtNetwork/QNetworkRequest>
#include <QtNetwork/QSslConfiguration>

#include <algorithm>
#include <utility>

namespace ikkai {

bool isOnThisMachine(const QUrl &url)
{
    const QString host = url.host();
    return host == QLatin1String("localhost") || QHostAddress(host).isLoopback();
}

void trustOnly(const Authorities &authorities, QNetworkRequest *request)
{
    if (authorities.isEmpty())
        return;
    QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
    tls.setCaCertificates(authorities);
    request->setSslConfiguration(tls);
}

namespace exchange {

QNetworkRequest networkRequest(const ExchangeRequest &request)
{
    QNetworkRequest network(request.url);
    for (const auto &[name, value] : request.headers)
        network.setRawHeader(name, value);
    // Both are needed so that the body is streamed and not kept: a kept body could be sent again.
    network.setHeader(QNetworkRequest::ContentLengthHeader, request.body.size());
    network.setAttribute(QNetworkRequest::DoNotBufferUploadDataAttribute, true);
    network.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    network.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
    network.setAttribute(QNetworkRequest::CacheLoadControlAttribute, QNetworkRequest::AlwaysNetwork);
    network.setAttribute(QNetworkRequest::CacheSaveControlAttribute, false);
    network.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    network.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    network.setAttribute(QNetworkRequest::AuthenticationReuseAttribute, QNetworkRequest::Manual);
    trustOnly(request.authorities, &network);
    return network;
}

HttpAnswer answerOf(const QNetworkReply &reply, const QByteArray &body)
{
    HttpAnswer answer;
    answer.status = reply.attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    for (const auto &[name, value] : reply.rawHeaderPairs())
        answer.headers.insert(name.toLower(), value);
    answer.body = body;
    return answer;
}

/// About what the head took on the wire: the status line's reason and the fields.
qint64 headBytes(const QNetworkReply &reply)
{
    constexpr qint64 perField = 4; // colon, space, line end
    qint64 bytes = reply.attribute(QNetworkRequest::HttpReasonPhraseAttribute).toString().size();
    for (const auto &[name, value] : reply.rawHeaderPairs())
        bytes += name.size() + value.size() + perField;
    return bytes;
}

/// A head has come. An error does not unmake it: Qt reports a status of 400 and above as one, and a connection that
/// closes right behind the answer (or a 307, even unfollowed) as ContentReSendError. Whether the body is whole shows
/// in its bytes.
bool hasHead(const QNetworkReply &reply)
{
    return reply.attribute(QNetworkRequest::HttpStatusCodeAttribute).isValid() &&
           reply.error() != QNetworkReply::ProtocolFailure;
}

/// Ends that come before the first byte can leave.
bool neverConnected(const QNetworkReply &reply)
{
    switch (reply.error()) {
    case QNetworkReply::ConnectionRefusedError:
    case QNetworkReply::HostNotFoundError:
    case QNetworkReply::SslHandshakeFailedError:
        return true;
    default:
        return false;
    }
}

} // namespace exchange

Exchange::Exchange(ExchangeRequest request, QObject *parent)
    : QObject(parent)
    , m_request(std::move(request))
{
    m_deadline.setSingleShot(true);
    m_deadline.setTimerType(Qt::PreciseTimer);
    m_lateLimit.setSingleShot(true);
    connect(&m_deadline, &QTimer::timeout, this, [this] {
        // One more turn of the event loop: what the network thread has posted by now (requests sent, an answer that
        // is complete) is taken first.
        QMetaObject::invokeMethod(this, &Exchange::passDeadline, Qt::QueuedConnection);
    });
    connect(&m_lateLimit, &QTimer::timeout, this, &Exchange::giveUp);
}

Exchange::~Exchange()
{
    abortSilently();
    // The reply first: it holds the body, and its network thread may be waiting for a word about it.
    m_reply.reset();
}

void Exchange::start()
{
    Q_ASSERT(QThread::currentThread() == thread());
    m_clock.start();
    m_deadline.start(static_cast<int>(std::clamp<qint64>(m_request.deadlineMs, 0, 3'600'000)));

    m_manager = std::make_unique<QNetworkAccessManager>();
    m_manager->setAutoDeleteReplies(false);
    if (isOnThisMachine(m_request.url))
        m_manager->setProxy(QNetworkProxy(QNetworkProxy::NoProxy));
    m_body = std::make_unique<OneShotBody>(m_request.body);
    m_reply.reset(m_manager->sendCustomRequest(exchange::networkRequest(m_request), m_request.verb, m_body.get()));
    m_reply->setReadBufferSize(m_request.maxAnswerBytes + 1);
    connect(m_reply.get(), &QNetworkReply::requestSent, this, [this] { ++m_requestsSent; });
    connect(m_reply.get(), &QNetworkReply::metaDataChanged, this, &Exchange::takeHead);
    connect(m_reply.get(), &QNetworkReply::readyRead, this, &Exchange::takeBytes);
    connect(m_reply.get(), &QNetworkReply::finished, this, &Exchange::finish);
}

void Exchange::drain()
{
    if (m_phase == Phase::Over || !m_reply)
        return;
    QCoreApplication::sendPostedEvents(m_reply.get(), QEvent::MetaCall);
    deliver();
}

void Exchange::takeHead()
{
    if (!m_aborting && exchange::headBytes(*m_reply) > m_request.maxHeadBytes)
        refuse(QStringLiteral("answer head larger than %1 bytes").arg(m_request.maxHeadBytes));
}

void Exchange::takeBytes()
{
    if (m_aborting)
        return;
    m_answerBody += m_reply->read(m_request.maxAnswerBytes + 1 - m_answerBody.size());
    if (m_answerBody.size() > m_request.maxAnswerBytes)
        refuse(QStringLiteral("answer larger than %1 bytes").arg(m_request.maxAnswerBytes));
}

void Exchange::refuse(const QString &tooLarge)
{
    m_tooLarge = tooLarge;
    abortSilently();
    finish();
}

void Exchange::finish()
{
    if (m_phase == Phase::Over || m_unreported)
        return;
    if (m_aborting && m_tooLarge.isEmpty())
        return;
    if (!m_aborting)
        takeBytes();
    if (m_unreported) // the last bytes were too many
        return;
    m_unreported = outcome();
    QMetaObject::invokeMethod(this, &Exchange::deliver, Qt::QueuedConnection);
}

Transmission Exchange::outcome() const
{
    Transmission transmission;
    transmission.wireSends = wireSends();
    transmission.elapsedMs = m_clock.elapsed();
    if (!m_tooLarge.isEmpty()) {
        transmission.end = Transmission::End::AnswerCut;
        transmission.detail = m_tooLarge;
        return transmission;
    }
    if (!exchange::hasHead(*m_reply)) {
        transmission.end = failureEnd();
        transmission.detail = m_reply->error() == QNetworkReply::ContentReSendError
                                  ? QStringLiteral("the connection ended before the answer")
                                  : m_reply->errorString();
        return transmission;
    }
    HttpAnswer answer = exchange::answerOf(*m_reply, m_answerBody);
    if (const std::optional<QString> cut = whyCut(answer)) {
        transmission.end = Transmission::End::AnswerCut;
        transmission.detail = *cut;
        return transmission;
    }
    transmission.end = Transmission::End::Answered;
    transmission.answer = std::move(answer);
    return transmission;
}

Transmission::End Exchange::failureEnd() const
{
    // "Nothing was charged" hangs on the first three, so each needs proof that no byte of the request left.
    const bool nothingLeft = wireSends() == 0;
    switch (m_reply->error()) {
    case QNetworkReply::ConnectionRefusedError:
        if (nothingLeft)
            return Transmission::End::ConnectionRefused;
        break;
    case QNetworkReply::HostNotFoundError:
        if (nothingLeft)
            return Transmission::End::HostNotFound;
        break;
    case QNetworkReply::SslHandshakeFailedError:
        if (nothingLeft)
            return Transmission::End::TlsFailed;
        break;
    case QNetworkReply::ContentReSendError:
        return Transmission::End::ResendPrevented;
    case QNetworkReply::ProtocolFailure:
        return Transmission::End::AnswerCut;
    default:
        break;
    }
    return Transmission::End::ConnectionLost;
}

int Exchange::wireSends() const
{
    if (m_request.body.isEmpty())
        return exchange::neverConnected(*m_reply) ? 0 : 1;
    // requestSent comes with the first piece of the body. A connection that ends between head and body would count as
    // nothing, though the bank may have seen a head: from the moment the body is asked for it counts as sent.
    return std::max(m_requestsSent, m_body->wasTouched() ? 1 : 0);
}

void Exchange::passDeadline()
{
    if (m_phase != Phase::Running)
        return;
    if (m_unreported) {
        deliver();
        return;
    }
    m_phase = Phase::DeadlinePassed;
    Transmission transmission;
    transmission.end = Transmission::End::DeadlinePassed;
    transmission.wireSends = wireSends();
    transmission.elapsedMs = m_clock.elapsed();
    transmission.detail = QStringLiteral("no complete answer within %1 ms").arg(m_request.deadlineMs);
    // What has not left by now must never leave: nobody would expect it any more. What has left may be answered yet.
    const bool canBeAnswered = transmission.wireSends > 0 && m_request.lateAnswerMs > 0;
    if (canBeAnswered)
        m_lateLimit.start(static_cast<int>(std::min<qint64>(m_request.lateAnswerMs, 3'600'000)));
    else
        abortSilently();
    Q_EMIT ended(transmission);
    if (!canBeAnswered)
        giveUp();
}

void Exchange::giveUp()
{
    if (m_phase == Phase::Over)
        return;
    m_phase = Phase::Over;
    m_unreported.reset();
    abortSilently();
    Q_EMIT over();
}

void Exchange::deliver()
{
    if (!m_unreported || m_phase == Phase::Over)
        return;
    const bool late = m_phase == Phase::DeadlinePassed;
    m_phase = Phase::Over;
    m_deadline.stop();
    m_lateLimit.stop();
    const Transmission transmission = *std::exchange(m_unreported, std::nullopt);
    if (!late)
        Q_EMIT ended(transmission);
    else if (transmission.end == Transmission::End::Answered)
        Q_EMIT answeredLate(transmission);
    Q_EMIT over();
}

void Exchange::abortSilently()
{
    if (m_aborting || !m_reply)
        return;
    m_aborting = true;
    if (m_reply->isRunning())
        m_reply->abort();
}

} // namespace ikkai
