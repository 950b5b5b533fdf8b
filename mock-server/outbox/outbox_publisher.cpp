#include "mock-server/outbox/outbox_publisher.h"

#include "mock-server/bank/clock.h"

#include <QtCore/QRandomGenerator>

#include <algorithm>
#include <utility>

namespace mockbank {

namespace {

constexpr int outboxPage = 256;
// How often to look for what nobody tells of: rows of other banks at this store, a right that has become free, a store
// that can be used again.
constexpr qint64 lookAgainMs = 1000;

QString roleName(OutboxTurn::Right right)
{
    switch (right) {
    case OutboxTurn::Right::Held:
        return QStringLiteral("publishing");
    case OutboxTurn::Right::HeldElsewhere:
        return QStringLiteral("waiting: another bank publishes");
    case OutboxTurn::Right::Unknown:
        break;
    }
    return QStringLiteral("waiting for the store");
}

} // namespace

OutboxPublisher::OutboxPublisher(PublisherContext context, const WebhookOptions &options)
    : m_context(std::move(context))
    , m_options(options)
    , m_clock(m_context.bank.options().clock)
    , m_originMs(m_clock->nowMs() - m_clock->elapsedMs())
    , m_plan(options.parallel, options.backoff)
{
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &OutboxPublisher::tick);
    m_clock->onMoved(this, [this] { QMetaObject::invokeMethod(this, &OutboxPublisher::tick, Qt::QueuedConnection); });
    ask();
}

OutboxPublisher::~OutboxPublisher()
{
    m_clock->onMoved(this, nullptr);
}

qint64 OutboxPublisher::nowMs() const
{
    return m_originMs + m_clock->elapsedMs();
}

void OutboxPublisher::poke()
{
    m_more = true;
    goOn();
}

void OutboxPublisher::forget()
{
    m_plan.offer({});
    poke();
}

void OutboxPublisher::tick()
{
    m_more = true;
    for (const DeliveryPtr &delivery : std::exchange(m_unmarked, {}))
        mark(delivery);
    goOn();
}

/// Sends what may go, and asks for more where everything new has gone.
void OutboxPublisher::goOn()
{
    const qint64 now = nowMs();
    m_retries.erase(m_retries.begin(), m_retries.upper_bound(now));
    sendWhatMayGo();
    const bool wantsMore = (m_more && !m_plan.hasFresh()) || (m_pageWasFull && !m_plan.hasWaiting());
    if (wantsMore && !m_finishing && now >= m_plan.pausedUntilMs())
        ask();
    armTimer();
}

void OutboxPublisher::armTimer()
{
    const qint64 now = nowMs();
    qint64 wait = lookAgainMs;
    if (!m_retries.empty())
        wait = std::min(wait, *m_retries.begin() - now);
    if (m_plan.pausedUntilMs() > now)
        wait = std::min(wait, m_plan.pausedUntilMs() - now);
    m_timer.start(static_cast<int>(std::max<qint64>(1, wait)));
}

void OutboxPublisher::ask()
{
    if (m_asking)
        return;
    m_asking = true;
    m_more = false;
    // Runs on the ledger thread and may outlive this object: the mailbox is closed before that.
    m_context.bank.takeOutboxTurn(
        {nowMs(), outboxPage, m_afresh},
        [this, mailbox = m_context.mailbox](const OutboxTurn &turn) { mailbox->post([this, turn] { take(turn); }); });
}

void OutboxPublisher::take(const OutboxTurn &turn)
{
    m_asking = false;
    m_right = turn.right;
    m_plan.offer(turn.due);
    if (turn.right == OutboxTurn::Right::Held) {
        m_afresh = false;
        m_ledgerId = turn.ledgerId;
        m_pageWasFull = turn.due.size() == outboxPage;
    } else {
        // Whoever may publish next time begins anew. Until then only the timer asks.
        m_afresh = true;
        m_more = false;
        m_pageWasFull = false;
    }
    goOn();
}

void OutboxPublisher::sendWhatMayGo()
{
    while (!m_finishing) {
        const auto event = m_plan.next(nowMs());
        if (!event)
            return;
        auto delivery = std::make_shared<Delivery>();
        delivery->event = *event;
        delivery->ledgerId = m_ledgerId;
        ++m_context.counters.tries;
        m_context.webhook.post(webhookMessage(*event, m_ledgerId),
                               [this, delivery](const WebhookOutcome &outcome) { ended(delivery, outcome); });
    }
}

void OutboxPublisher::ended(const DeliveryPtr &delivery, const WebhookOutcome &outcome)
{
    const qint64 now = nowMs();
    const qint64 nextAttemptAtMs =
        m_plan.outcome(delivery->event, outcome.kind, now, QRandomGenerator::global()->generate64());
    delivery->outcome = outcome;
    delivery->mark = {delivery->ledgerId, delivery->event.id, now, {}};
    if (outcome.kind == DeliveryPlan::Outcome::Delivered) {
        ++m_context.counters.delivered;
    } else {
        ++m_context.counters.failed;
        m_retries.insert(nextAttemptAtMs);
        delivery->mark.failure = {nextAttemptAtMs, outcome.detail};
    }
    mark(delivery);
    goOn();
}

void OutboxPublisher::mark(const DeliveryPtr &delivery)
{
    m_context.bank.markOutbox(delivery->mark, [this, delivery, mailbox = m_context.mailbox](bool isStored) {
        mailbox->post([this, delivery, isStored] {
            // Until the store knows, the order stays occupied, and what was delivered is not sent again.
            if (!isStored)
                m_unmarked.push_back(delivery);
            else
                marked(delivery);
        });
    });
}

void OutboxPublisher::marked(const DeliveryPtr &delivery)
{
    m_plan.recorded(delivery->event);
    const OutboxEvent &event = delivery->event;
    QJsonObject data{
        {QStringLiteral("event_id"), QString::fromLatin1(outbox_desk::eventId(delivery->ledgerId, event.id))},
        {QStringLiteral("topic"), QString::fromLatin1(event.topic)},
        {QStringLiteral("order_id"), event.orderId},
        {QStringLiteral("attempts"), event.attempts + 1}};
    if (delivery->outcome.status != 0)
        data.insert(QStringLiteral("status"), delivery->outcome.status);
    if (const auto &failure = delivery->mark.failure) {
        data.insert(QStringLiteral("error"), failure->error);
        data.insert(QStringLiteral("retry_after_ms"), std::max<qint64>(0, failure->nextAttemptAtMs - nowMs()));
        m_context.tell("outbox_failed", data);
    } else {
        m_context.tell("outbox_delivered", data);
        // The order may have another event that has waited for this one.
        m_more = true;
    }
    goOn();
}

QJsonObject OutboxPublisher::report() const
{
    return {{QStringLiteral("webhook"), shownUrl(m_options.url)},
            {QStringLiteral("publisher"), roleName(m_right)},
            {QStringLiteral("in_flight"), m_plan.inFlight()},
            {QStringLiteral("paused_ms"), std::max<qint64>(0, m_plan.pausedUntilMs() - nowMs())}};
}

} // namespace mockbank
