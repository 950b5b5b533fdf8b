#pragma once

#include "mock-server/bank/bank.h"
#include "mock-server/http/mailbox.h"
#include "mock-server/outbox/delivery_plan.h"
#include "mock-server/outbox/webhook_sender.h"

#include <QtCore/QJsonObject>
#include <QtCore/QObject>
#include <QtCore/QTimer>

#include <functional>
#include <memory>
#include <set>
#include <vector>

namespace mockbank {

class Clock;

/// Counted over simulated crashes.
struct OutboxCounters {
    quint64 tries = 0; ///< POSTs begun
    quint64 delivered = 0;
    quint64 failed = 0;
};

struct PublisherContext {
    Bank &bank;
    std::shared_ptr<Mailbox> mailbox;
    Webhook &webhook;
    OutboxCounters &counters;
    /// A line for the event stream.
    std::function<void(const char *kind, const QJsonObject &data)> tell;
};

/// Takes what the outbox holds to the webhook, each event at least once: it is marked delivered after the webhook's
/// 2xx, and until then it is tried again, whatever happens in between. Publishes only while its bank has the store's
/// right to; else it waits until the holder dies. Lives on the network thread, blocks nobody, dies with a run of the
/// bank: what was under way then is sent again by the next one.
///
/// Waits are counted in elapsed time and never in the bank's own, which people freeze and set: neither stops a delivery
/// nor hurries one.
class OutboxPublisher : public QObject {
    Q_OBJECT

public:
    OutboxPublisher(PublisherContext context, const WebhookOptions &options);
    ~OutboxPublisher() override;

    /// There may be something new in the outbox.
    void poke();
    /// The ledger is another one: what was read of the old one is not sent any more.
    void forget();
    /// Begins nothing new: the bank is closing. What is under way is left to the next run.
    void finish() { m_finishing = true; }

    /// {"webhook","publisher","in_flight","paused_ms"}.
    [[nodiscard]] QJsonObject report() const;

private:
    struct Delivery {
        OutboxEvent event;
        QByteArray ledgerId;
        WebhookOutcome outcome;
        OutboxMark mark;
    };
    using DeliveryPtr = std::shared_ptr<Delivery>;

    void tick();
    void ask();
    void take(const OutboxTurn &turn);
    void sendWhatMayGo();
    void ended(const DeliveryPtr &delivery, const WebhookOutcome &outcome);
    void mark(const DeliveryPtr &delivery);
    void marked(const DeliveryPtr &delivery);
    void goOn();
    void armTimer();
    [[nodiscard]] qint64 nowMs() const;

    PublisherContext m_context;
    const WebhookOptions m_options;
    const std::shared_ptr<Clock> m_clock;
    const qint64 m_originMs; ///< what the clock said at the start, less what had elapsed
    DeliveryPlan m_plan;
    OutboxTurn::Right m_right = OutboxTurn::Right::Unknown;
    QByteArray m_ledgerId;
    bool m_afresh = true;
    bool m_asking = false;
    bool m_finishing = false;
    bool m_more = false;                 ///< something has happened since the store was asked
    bool m_pageWasFull = false;          ///< the store has more than was offered
    std::multiset<qint64> m_retries;     ///< when failed events are due again
    std::vector<DeliveryPtr> m_unmarked; ///< the store could not be told
    QTimer m_timer;
};

} // namespace mockbank
