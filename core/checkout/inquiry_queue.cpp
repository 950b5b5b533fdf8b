#include "core/checkout/inquiry_queue.h"

#include "core/checkout/retry_policy.h"

#include <algorithm>

namespace ikkai {

namespace inquiry_queue_detail {

constexpr qint64 spacingMs = 300; ///< between two turns after a reconnect, and up to as much again at random

qint64 spacedMs(quint32 draw)
{
    return spacingMs + draw % static_cast<quint32>(spacingMs);
}

/// xorshift: one draw is enough for a whole queue, and the same draw gives the same turns.
quint32 nextDraw(quint32 draw)
{
    draw ^= draw << 13;
    draw ^= draw >> 17;
    draw ^= draw << 5;
    return draw == 0 ? 1 : draw;
}

} // namespace inquiry_queue_detail

void InquiryQueue::watch(const IdempotencyKey &key, qint64 nowMs, quint32 draw)
{
    m_plans.try_emplace(key, InquiryPlan{key, false, nowMs + patientDelayMs(1, draw), 0, {}, 0});
}

void InquiryQueue::watchAtOnce(const IdempotencyKey &key, qint64 nowMs, quint32 draw)
{
    qint64 turnMs = nowMs;
    for (const auto &[other, plan] : m_plans) {
        if (plan.nextMonotonicMs && *plan.nextMonotonicMs >= turnMs)
            turnMs = *plan.nextMonotonicMs + inquiry_queue_detail::spacedMs(draw);
    }
    m_plans.insert_or_assign(key, InquiryPlan{key, false, turnMs, 0, {}, 0});
}

void InquiryQueue::forget(const IdempotencyKey &key)
{
    m_plans.erase(key);
    if (m_onTheWire == key)
        m_onTheWire.reset();
}

void InquiryQueue::drain(qint64 nowMs, quint32 draw)
{
    qint64 turnMs = nowMs;
    for (auto &[key, plan] : m_plans) {
        if (plan.underWay)
            continue;
        draw = inquiry_queue_detail::nextDraw(draw);
        turnMs += inquiry_queue_detail::spacedMs(draw);
        plan.nextMonotonicMs = turnMs;
    }
}

std::optional<IdempotencyKey> InquiryQueue::due(qint64 nowMs) const
{
    if (m_onTheWire || nowMs < m_notBeforeMs)
        return {};
    const InquiryPlan *first = nullptr;
    for (const auto &[key, plan] : m_plans) {
        const bool isDue = plan.nextMonotonicMs && *plan.nextMonotonicMs <= nowMs;
        if (isDue && (!first || *plan.nextMonotonicMs < *first->nextMonotonicMs))
            first = &plan;
    }
    return first ? std::optional(first->key) : std::nullopt;
}

std::optional<qint64> InquiryQueue::nextTurnMs() const
{
    std::optional<qint64> turnMs;
    for (const auto &[key, plan] : m_plans) {
        if (plan.nextMonotonicMs)
            turnMs = std::min(turnMs.value_or(*plan.nextMonotonicMs), *plan.nextMonotonicMs);
    }
    return turnMs ? std::optional(std::max(*turnMs, m_notBeforeMs)) : std::nullopt;
}

void InquiryQueue::begun(const IdempotencyKey &key)
{
    const auto found = m_plans.find(key);
    if (found == m_plans.end())
        return;
    found->second.underWay = true;
    found->second.nextMonotonicMs.reset();
    m_onTheWire = key;
}

void InquiryQueue::ended(const IdempotencyKey &key, const inquiry::Nothing &nothing, const Stamp &now, quint32 draw)
{
    if (m_onTheWire == key)
        m_onTheWire.reset();
    m_notBeforeMs = now.monotonicMs + inquiry_queue_detail::spacedMs(draw);
    const auto found = m_plans.find(key);
    if (found == m_plans.end())
        return;
    InquiryPlan &plan = found->second;
    plan.underWay = false;
    plan.lastAnswer = nothing;
    plan.lastEndedWallMs = now.wallMs;
    plan.nextMonotonicMs = now.monotonicMs + patientDelayMs(++plan.asked + 1, draw);
}

const InquiryPlan *InquiryQueue::plan(const IdempotencyKey &key) const
{
    const auto found = m_plans.find(key);
    return found == m_plans.end() ? nullptr : &found->second;
}

std::vector<IdempotencyKey> InquiryQueue::watched() const
{
    std::vector<IdempotencyKey> keys;
    for (const auto &[key, plan] : m_plans)
        keys.push_back(key);
    return keys;
}

} // namespace ikkai
