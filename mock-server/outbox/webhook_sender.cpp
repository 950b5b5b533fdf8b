#include "mock-server/outbox/webhook_sender.h"

#include "mock-server/outbox/one_shot_upload.h"

#include <QtCore/QTimer>
#include <QtNetwork/QNetworkProxy>
#include <QtNetwork/QNetworkReply>
#include <QtNetwork/QNetworkRequest>

#include <memory>
#include <utility>

namespace mockbank {

namespace {

// Of an answer only the status matters. What comes after it is read so that the connection ends well, but not for ever.
constexpr qint64 maxAnswerBytes = 64 * 1024;

QNetworkRequest requestFor(const WebhookOptions &options, const WebhookMessage &message)
{
    QNetworkRequest request(options.url.adjusted(QUrl::RemoveUserInfo));
    request.setHeader(QNetworkRequest::ContentTypeHeader, QByteArrayLiteral("application/json"));
    request.setHeader(QNetworkRequest::ContentLengthHeader, message.body.size());
    request.setHeader(QNetworkRequest::UserAgentHeader, QByteArrayLiteral("mock-payment-server"));
    request.setRawHeader("Event-Id", message.eventId);
    request.setRawHeader("Event-Topic", message.topic);
    request.setRawHeader("Ledger-Id", message.ledgerId);
    request.setRawHeader("Attempt-Number", QByteArray::number(message.attempt));
    // An idle connection that its receiver has given up looks like a lost answer.
    request.setRawHeader("Connection", "close");
    if (!options.url.userInfo().isEmpty()) {
        // Given at once: a body that cannot be rewound cannot wait for a 401.
        const QString user = options.url.userName(QUrl::FullyDecoded);
        const QString password = options.url.password(QUrl::FullyDecoded);
        request.setRawHeader("Authorization", "Basic " + (user + QLatin1Char(':') + password).toUtf8().toBase64());
    }
    request.setAttribute(QNetworkRequest::DoNotBufferUploadDataAttribute, true);
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    request.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
    request.setAttribute(QNetworkRequest::CacheLoadControlAttribute, QNetworkRequest::AlwaysNetwork);
    request.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::AuthenticationReuseAttribute, QNetworkRequest::Manual);
    return request;
}

bool isNoConnection(QNetworkReply::NetworkError error)
{
    switch (error) {
    case QNetworkReply::ConnectionRefusedError:
    case QNetworkReply::HostNotFoundError:
    case QNetworkReply::SslHandshakeFailedError:
    case QNetworkReply::TemporaryNetworkFailureError:
    case QNetworkReply::NetworkSessionFailedError:
    case QNetworkReply::UnknownNetworkError:
        return true;
    default:
        return false;
    }
}

QString troubleOf(const QNetworkReply &reply)
{
    switch (reply.error()) {
    case QNetworkReply::ConnectionRefusedError:
        return QStringLiteral("connection refused");
    case QNetworkReply::HostNotFoundError:
        return QStringLiteral("host %1 not found").arg(reply.url().host());
    case QNetworkReply::RemoteHostClosedError:
    case QNetworkReply::ContentReSendError:
    case QNetworkReply::NoError:
        return QStringLiteral("the connection ended before an answer");
    default:
        return reply.errorString().simplified();
    }
}

} // namespace

struct WebhookSender::Try {
    std::function<void(const WebhookOutcome &)> done; ///< null once told
    QTimer *deadline = nullptr;
    qint64 answerBytes = 0;
};

WebhookSender::WebhookSender(const WebhookOptions &options)
    : m_options(options)
{
    m_network.setProxy(QNetworkProxy::NoProxy);
}

WebhookSender::~WebhookSender()
{
    const auto tries = std::exchange(m_tries, {});
    for (auto it = tries.begin(); it != tries.end(); ++it) {
        it.key()->disconnect(this);
        delete it.key();
    }
}

void WebhookSender::post(const WebhookMessage &message, std::function<void(const WebhookOutcome &)> done)
{
    auto *body = new OneShotUpload(message.body, nullptr);
    QNetworkReply *reply = m_network.post(requestFor(m_options, message), body);
    body->setParent(reply);
    auto *deadline = new QTimer(reply);
    deadline->setSingleShot(true);
    deadline->setTimerType(Qt::PreciseTimer);
    m_tries.insert(reply, Try{std::move(done), deadline, 0});
    connect(reply, &QNetworkReply::metaDataChanged, this, [this, reply] { headRead(reply); });
    connect(reply, &QNetworkReply::readyRead, this, [this, reply] { bodyRead(reply); });
    connect(reply, &QNetworkReply::finished, this, [this, reply] { finished(reply); });
    connect(deadline, &QTimer::timeout, this, [this, reply] {
        tell(reply, {DeliveryPlan::Outcome::Failed, 0,
                     QStringLiteral("no answer within %1 ms").arg(m_options.timeout.count())});
        reply->abort();
    });
    deadline->start(m_options.timeout);
}

/// The status decides, whatever becomes of the body: the receiver has said that it has the event, or that it has not.
void WebhookSender::headRead(QNetworkReply *reply)
{
    const int status = reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    if (status < 200)
        return;
    if (status < 300) {
        tell(reply, {DeliveryPlan::Outcome::Delivered, status, {}});
        return;
    }
    const QString reason = reply->attribute(QNetworkRequest::HttpReasonPhraseAttribute).toString().simplified();
    QString detail = QStringLiteral("answered %1 %2").arg(status).arg(reason.left(100)).trimmed();
    if (status < 400)
        detail += QStringLiteral(" (redirects are not followed)");
    tell(reply, {DeliveryPlan::Outcome::Failed, status, detail});
}

void WebhookSender::bodyRead(QNetworkReply *reply)
{
    const auto known = m_tries.find(reply);
    if (known == m_tries.end())
        return;
    known->answerBytes += reply->readAll().size();
    if (known->answerBytes > maxAnswerBytes)
        reply->abort();
}

void WebhookSender::finished(QNetworkReply *reply)
{
    tell(reply, {isNoConnection(reply->error()) ? DeliveryPlan::Outcome::Unreachable : DeliveryPlan::Outcome::Failed, 0,
                 troubleOf(*reply)});
    m_tries.remove(reply);
    reply->deleteLater();
}

void WebhookSender::tell(QNetworkReply *reply, const WebhookOutcome &outcome)
{
    const auto known = m_tries.find(reply);
    if (known == m_tries.end())
        return;
    if (const auto done = std::exchange(known->done, nullptr))
        done(outcome);
}

} // namespace mockbank
