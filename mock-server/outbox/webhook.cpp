#include "mock-server/outbox/webhook.h"

#include "mock-server/bank/http_date.h"
#include "mock-server/bank/json_writer.h"
#include "mock-server/bank/outbox_desk.h"

namespace mockbank {

std::optional<QUrl> readWebhookUrl(const QString &text, QString *error)
{
    const QUrl url(text, QUrl::StrictMode);
    const bool isHttp = url.scheme() == QLatin1StringView("http") || url.scheme() == QLatin1StringView("https");
    if (!url.isValid() || !isHttp || url.host().isEmpty() || url.port(1) == 0 || url.hasFragment()) {
        *error = QStringLiteral("must be a URL such as http://127.0.0.1:9000/events, not \"%1\"")
                     .arg(url.isValid() ? shownUrl(url) : text);
        return std::nullopt;
    }
    return url;
}

QString shownUrl(const QUrl &url)
{
    return url.toString(QUrl::RemoveUserInfo | QUrl::RemoveQuery | QUrl::RemoveFragment);
}

QByteArray webhookBody(const QByteArray &eventId, const QByteArray &topic, qint64 createdAtMs,
                       const QByteArray &payload)
{
    QByteArray body =
        JsonWriter().text("event_id", eventId).text("topic", topic).text("created_at", isoTime(createdAtMs)).object();
    body.chop(1);
    return body + ",\"data\":" + (payload.isEmpty() ? QByteArrayLiteral("{}") : payload) + '}';
}

WebhookMessage webhookMessage(const OutboxEvent &event, const QByteArray &ledgerId)
{
    WebhookMessage message;
    message.eventId = outbox_desk::eventId(ledgerId, event.id);
    message.topic = event.topic;
    message.ledgerId = ledgerId;
    message.attempt = event.attempts + 1;
    message.body = webhookBody(message.eventId, event.topic, event.createdAtMs, event.payload);
    return message;
}

} // namespace mockbank
