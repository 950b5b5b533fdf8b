#include "core/training/event_follower.h"

#include "core/gateway/exchange.h"
#include "core/gateway/one_shot_body.h"
#include "core/training/control_codec.h"

#include <QtNetwork/QNetworkAccessManager>
#include <QtNetwork/QNetworkProxy>
#include <QtNetwork/QNetworkReply>
#include <QtNetwork/QNetworkRequest>

#include <algorithm>
#include <utility>

namespace ikkai {

namespace event_follower {

// Streams are read as they come; this only bounds what waits unread.
constexpr qint64 readBufferBytes = 1024 * 1024;
// A run is one start of the bank: dozens of restarts are remembered, not thousands.
constexpr qsizetype maxRuns = 64;
constexpr int maxDoublings = 20;
constexpr qint64 longestRetryMs = 60'000;

} // namespace event_follower

qint64 reconnectDelayMs(qint64 baseMs, qint64 capMs, int failuresBefore)
{
    const qint64 base = std::clamp<qint64>(baseMs, 1, capMs);
    return std::min(base << std::min(failuresBefore, event_follower::maxDoublings), capMs);
}

EventFollower::EventFollower(EventFollowerSettings settings, QObject *parent)
    : QObject(parent)
    , m_settings(std::move(settings))
    , m_baseMs(m_settings.reconnectBaseMs)
{
    m_again.setSingleShot(true);
    m_silence.setSingleShot(true);
    connect(&m_again, &QTimer::timeout, this, &EventFollower::connectNow);
    connect(&m_silence, &QTimer::timeout, this, [this] {
        fail({ControlError::Kind::NoAnswer, 0, QString(), QStringLiteral("the event stream has fallen silent")});
    });
}

EventFollower::~EventFollower()
{
    dropReply();
}

void EventFollower::start(From from)
{
    stop();
    m_lastId = from == From::Beginning ? QByteArray("0") : QByteArray();
    m_wasOpen = false;
    m_failures = 0;
    setLink(ControlLink::Connecting);
    connectNow();
}

void EventFollower::stop()
{
    m_again.stop();
    dropReply();
    setLink(ControlLink::Off);
}

void EventFollower::connectNow()
{
    dropReply();
    if (!m_manager) {
        m_manager = new QNetworkAccessManager(this);
        if (isOnThisMachine(m_settings.url))
            m_manager->setProxy(QNetworkProxy(QNetworkProxy::NoProxy));
    }
    QNetworkRequest request(m_settings.url);
    for (const auto &[name, value] : m_settings.headers)
        request.setRawHeader(name, value);
    request.setRawHeader("Accept", "text/event-stream");
    if (!m_lastId.isEmpty())
        request.setRawHeader("Last-Event-ID", m_lastId);
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    request.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
    request.setAttribute(QNetworkRequest::CacheLoadControlAttribute, QNetworkRequest::AlwaysNetwork);
    request.setAttribute(QNetworkRequest::CacheSaveControlAttribute, false);
    trustOnly(m_settings.authorities, &request);
    // The transport would repeat a plain GET by itself, with the old Last-Event-ID, and lose what had come already.
    request.setHeader(QNetworkRequest::ContentLengthHeader, 0);
    request.setAttribute(QNetworkRequest::DoNotBufferUploadDataAttribute, true);
    auto *nothing = new OneShotBody(QByteArray());
    m_reply = m_manager->sendCustomRequest(request, "GET", nothing);
    nothing->setParent(m_reply);
    m_reply->setReadBufferSize(event_follower::readBufferBytes);
    m_parser.reset();
    connect(m_reply, &QNetworkReply::metaDataChanged, this, &EventFollower::takeHead);
    connect(m_reply, &QNetworkReply::readyRead, this, &EventFollower::takeBytes);
    connect(m_reply, &QNetworkReply::finished, this, &EventFollower::end);
    m_silence.start(static_cast<int>(m_settings.silenceLimitMs));
}

void EventFollower::takeHead()
{
    if (m_parser)
        return;
    const int status = m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    const QByteArray type = m_reply->rawHeader("Content-Type").toLower();
    if (status != 200 || !type.startsWith("text/event-stream"))
        return; // end() says what it was
    m_parser.emplace();
    m_failures = 0;
    // Without an id there is nothing to go on from: what happened meanwhile is lost.
    if (m_wasOpen && m_lastId.isEmpty())
        Q_EMIT gapNoticed();
    m_wasOpen = true;
    setLink(ControlLink::Following);
}

void EventFollower::takeBytes()
{
    if (!m_reply)
        return;
    m_silence.start(static_cast<int>(m_settings.silenceLimitMs));
    const QByteArray bytes = m_reply->readAll();
    if (!m_parser)
        return;
    const bool hadLost = m_parser->hasLost();
    const std::vector<ServerSentEvent> events = m_parser->feed(bytes);
    if (m_parser->retryMs())
        m_baseMs = std::min(*m_parser->retryMs(), event_follower::longestRetryMs);
    const bool isLost = !hadLost && m_parser->hasLost();
    const QNetworkReply *stream = m_reply;
    if (isLost)
        Q_EMIT gapNoticed();
    for (const ServerSentEvent &event : events) {
        if (m_reply != stream) // whoever heard the last one has stopped this
            return;
        take(event);
    }
}

void EventFollower::take(const ServerSentEvent &event)
{
    if (!event.id.isEmpty())
        m_lastId = event.id;
    if (event.event == "gap") {
        Q_EMIT gapNoticed();
        return;
    }
    const Result<BankLogEntry, ControlError> entry = control::readLogEntry(event.data);
    if (!entry)
        Q_EMIT gapNoticed();
    else if (isNew(entry.value()))
        Q_EMIT happened(entry.value());
}

bool EventFollower::isNew(const BankLogEntry &entry)
{
    const auto known = m_newestOfRun.find(entry.run);
    if (known != m_newestOfRun.end()) {
        if (entry.n <= *known)
            return false;
        *known = entry.n;
        return true;
    }
    if (m_runs.size() >= event_follower::maxRuns)
        m_newestOfRun.remove(m_runs.takeFirst());
    m_runs.append(entry.run);
    m_newestOfRun.insert(entry.run, entry.n);
    return true;
}

void EventFollower::end()
{
    const QNetworkReply *stream = m_reply;
    takeBytes();
    if (m_reply != stream)
        return;
    Transmission transmission;
    transmission.detail = m_reply->errorString();
    const QVariant status = m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute);
    if (m_parser) {
        transmission.detail = QStringLiteral("the event stream ended");
    } else if (status.isValid()) {
        transmission.end = Transmission::End::Answered;
        transmission.answer = HttpAnswer{status.toInt(), {}, {}};
    } else if (m_reply->error() == QNetworkReply::ConnectionRefusedError) {
        transmission.end = Transmission::End::ConnectionRefused;
    } else if (m_reply->error() == QNetworkReply::HostNotFoundError) {
        transmission.end = Transmission::End::HostNotFound;
    } else if (m_reply->error() == QNetworkReply::SslHandshakeFailedError) {
        transmission.end = Transmission::End::TlsFailed;
    }
    ControlError error = control::errorOf(transmission);
    if (error.status == 200)
        error = control::notUnderstood(QStringLiteral("/control/events is not an event stream"));
    fail(error);
}

void EventFollower::fail(const ControlError &error)
{
    dropReply();
    if (error.kind == ControlError::Kind::TokenRefused) {
        setLink(ControlLink::Off);
        Q_EMIT troubled(error);
        return;
    }
    m_again.start(static_cast<int>(reconnectDelayMs(m_baseMs, m_settings.reconnectCapMs, m_failures++)));
    setLink(ControlLink::Connecting);
    Q_EMIT troubled(error);
}

void EventFollower::dropReply()
{
    m_silence.stop();
    if (!m_reply)
        return;
    QNetworkReply *reply = std::exchange(m_reply, nullptr);
    reply->disconnect(this);
    reply->abort();
    reply->deleteLater();
}

void EventFollower::setLink(ControlLink link)
{
    if (std::exchange(m_link, link) != link)
        Q_EMIT linkChanged(link);
}

} // namespace ikkai
