#include "mock-server/outbox/publishing.h"

#include "mock-server/bank/id_source.h"

#include <utility>

namespace mockbank {

namespace {

// Beyond them a direct event is lost at once. A webhook that answers never fills them.
constexpr int maxDirectInFlight = 256;

} // namespace

Publishing::Publishing(const WebhookOptions &options, Tell tell)
    : m_options(options)
    , m_tell(std::move(tell))
{
}

void Publishing::open(Bank &bank, const std::shared_ptr<Mailbox> &mailbox)
{
    if (m_options.url.isEmpty())
        return;
    m_bank = &bank;
    m_webhook = std::make_unique<WebhookSender>(m_options);
    m_directWebhook = std::make_unique<WebhookSender>(m_options);
    m_publisher =
        std::make_unique<OutboxPublisher>(PublisherContext{bank, mailbox, *m_webhook, m_counters, m_tell}, m_options);
    bank.setDirectPublisher(
        [this, mailbox](const OutboxEvent &event) { mailbox->post([this, event] { publishDirectly(event); }); });
}

void Publishing::finish()
{
    if (m_publisher)
        m_publisher->finish();
}

void Publishing::close()
{
    m_publisher.reset();
    m_webhook.reset();
    m_directWebhook.reset();
    // Nobody is left to be told.
    m_directFailed += static_cast<quint64>(std::exchange(m_directInFlight, 0));
    m_bank = nullptr;
}

void Publishing::bankDid(const QByteArray &kind)
{
    if (!m_publisher)
        return;
    if (kind == "committed" || kind == "voided")
        m_publisher->poke();
    else if (kind == "ledger_reset")
        m_publisher->forget();
}

void Publishing::publishDirectly(const OutboxEvent &event)
{
    if (!m_directWebhook)
        return;
    WebhookMessage message;
    message.eventId = m_bank->options().ids->make("evt_");
    message.topic = event.topic;
    message.ledgerId = m_bank->ledgerId().toLatin1();
    message.body = webhookBody(message.eventId, event.topic, event.createdAtMs, event.payload);
    if (m_directInFlight >= maxDirectInFlight) {
        directEnded(message, {DeliveryPlan::Outcome::Failed, 0, QStringLiteral("too many are under way")});
        return;
    }
    ++m_directInFlight;
    m_directWebhook->post(message, [this, message](const WebhookOutcome &outcome) {
        --m_directInFlight;
        directEnded(message, outcome);
    });
}

void Publishing::directEnded(const WebhookMessage &message, const WebhookOutcome &outcome)
{
    const bool isDelivered = outcome.kind == DeliveryPlan::Outcome::Delivered;
    ++(isDelivered ? m_directPublished : m_directFailed);
    QJsonObject data{{QStringLiteral("event_id"), QString::fromLatin1(message.eventId)},
                     {QStringLiteral("topic"), QString::fromLatin1(message.topic)}};
    if (outcome.status != 0)
        data.insert(QStringLiteral("status"), outcome.status);
    if (!isDelivered)
        data.insert(QStringLiteral("error"), outcome.detail);
    m_tell(isDelivered ? "direct_published" : "direct_failed", data);
}

QJsonObject Publishing::report() const
{
    QJsonObject report{{QStringLiteral("webhook"), QJsonValue::Null},
                       {QStringLiteral("publisher"), QStringLiteral("off")},
                       {QStringLiteral("in_flight"), 0},
                       {QStringLiteral("paused_ms"), 0}};
    if (m_publisher)
        report = m_publisher->report();
    report.insert(QStringLiteral("tries"), static_cast<qint64>(m_counters.tries));
    report.insert(QStringLiteral("failed_tries"), static_cast<qint64>(m_counters.failed));
    report.insert(QStringLiteral("direct_published"), static_cast<qint64>(m_directPublished));
    report.insert(QStringLiteral("direct_failed"), static_cast<qint64>(m_directFailed));
    return report;
}

} // namespace mockbank
