#pragma once

#include "mock-server/outbox/outbox_publisher.h"
#include "mock-server/outbox/webhook_sender.h"

#include <QtCore/QJsonObject>

#include <memory>

namespace mockbank {

/// All that goes to the webhook: from the outbox, and directly from strategies that know no outbox. The counters
/// outlive a run of the bank, nothing else does. Lives on the network thread.
class Publishing {
public:
    using Tell = std::function<void(const char *kind, const QJsonObject &data)>;

    Publishing(const WebhookOptions &options, Tell tell);

    /// Begins with a new run of the bank. Does nothing without a webhook.
    void open(Bank &bank, const std::shared_ptr<Mailbox> &mailbox);
    /// Begins nothing new: the bank is closing.
    void finish();
    /// Cuts what is under way; before its bank goes. The next run sends it again, but for what went directly.
    void close();

    /// The bank did something of that kind: there may be something new in the outbox.
    void bankDid(const QByteArray &kind);

    /// One try, straight to the webhook and no more: what it loses is lost, which is how such strategies lose events.
    /// Under an id of its own; of `event` topic, payload and times count.
    void publishDirectly(const OutboxEvent &event);

    /// For `GET /control/outbox`: {"webhook","publisher","in_flight","tries","failed_tries","paused_ms",
    /// "direct_published","direct_failed"}; `webhook` is null where there is none.
    [[nodiscard]] QJsonObject report() const;

private:
    void directEnded(const WebhookMessage &message, const WebhookOutcome &outcome);

    const WebhookOptions m_options;
    const Tell m_tell;
    OutboxCounters m_counters;
    quint64 m_directPublished = 0;
    quint64 m_directFailed = 0;
    int m_directInFlight = 0;

    Bank *m_bank = nullptr;
    std::unique_ptr<WebhookSender> m_webhook;
    std::unique_ptr<WebhookSender> m_directWebhook; ///< its own connections: the outbox waits for nobody
    std::unique_ptr<OutboxPublisher> m_publisher;
};

} // namespace mockbank
