#include "mock-server/outbox/delivery_plan.h"

#include <algorithm>

namespace mockbank {

qint64 backoffMs(int failures, const BackoffSettings &settings, quint64 draw)
{
    // 2^62 ms are beyond every cap: the exponent need not grow further.
    const int doublings = std::clamp(failures - 1, 0, 40);
    const qint64 first = std::clamp<qint64>(settings.firstMs, 1, settings.capMs);
    const qint64 whole = first > (settings.capMs >> doublings) ? settings.capMs : first << doublings;
    const qint64 half = whole / 2;
    return half + static_cast<qint64>(draw % static_cast<quint64>(whole - half + 1));
}

DeliveryPlan::DeliveryPlan(int parallel, const BackoffSettings &backoff)
    : m_parallel(std::max(1, parallel))
    , m_backoff(backoff)
{
}

void DeliveryPlan::offer(const QList<OutboxEvent> &due)
{
    m_offered.clear();
    for (const OutboxEvent &event : due) {
        // What the store knew when it was asked may have been sent since.
        if (!m_busyOrders.contains(event.orderId))
            m_offered.append(event);
    }
}

bool DeliveryPlan::hasFresh() const
{
    return std::ranges::any_of(m_offered, [this](const OutboxEvent &event) { return !isRetry(event); });
}

std::optional<OutboxEvent> DeliveryPlan::next(qint64 nowMs)
{
    if (m_inFlight >= m_parallel || nowMs < m_pausedUntilMs || (m_unreachable > 0 && m_inFlight > 0))
        return std::nullopt;
    const int retrySlots = std::max(1, m_parallel / 2);
    const auto found = std::ranges::find_if(m_offered, [&](const OutboxEvent &event) {
        return !m_busyOrders.contains(event.orderId) && (!isRetry(event) || m_retriesInFlight < retrySlots);
    });
    if (found == m_offered.end())
        return std::nullopt;
    OutboxEvent event = *found;
    m_offered.erase(found);
    m_busyOrders.insert(event.orderId, event.id);
    ++m_inFlight;
    if (isRetry(event))
        ++m_retriesInFlight;
    return event;
}

qint64 DeliveryPlan::outcome(const OutboxEvent &event, Outcome outcome, qint64 nowMs, quint64 draw)
{
    --m_inFlight;
    if (isRetry(event))
        --m_retriesInFlight;
    if (outcome != Outcome::Unreachable) {
        m_unreachable = 0;
        m_pausedUntilMs = 0;
    }
    if (outcome == Outcome::Delivered)
        return 0;
    if (outcome == Outcome::Failed)
        return nowMs + backoffMs(event.attempts + 1, m_backoff, draw);
    // By the receiver's failures, not the event's: it may be the first time that this one is tried.
    m_pausedUntilMs = nowMs + backoffMs(++m_unreachable, m_backoff, draw);
    return m_pausedUntilMs;
}

void DeliveryPlan::recorded(const OutboxEvent &event)
{
    const auto busy = m_busyOrders.constFind(event.orderId);
    if (busy != m_busyOrders.cend() && *busy == event.id)
        m_busyOrders.erase(busy);
}

} // namespace mockbank
