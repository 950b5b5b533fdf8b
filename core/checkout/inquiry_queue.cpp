#include "core/checkout/inquiry_queue.h"

#include "core/checkout/retry_policy.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ikkai {

namespace inquiry_queue {

constexpr qint64 pauseFromMs = 300; ///< between two inquiries, and a random part of
constexpr qint64 pausePartMs = 400; ///< this much more: tills that lost the same bank come back apart
constexpr qint64 soonestAgainMs = 5'000;

qint64 pauseMs(quint32 draw)
{
    return pauseFromMs + qint64((quint64(draw) * quint64(pausePartMs + 1)) >> 32);
}

} // namespace inquiry_queue

InquiryQueue::Entry &InquiryQueue::entry(const IdempotencyKey &key)
{
    return m_entries.try_emplace(key, Entry{.plan = {.key = key}}).first->second;
}

bool InquiryQueue::isOneUnderWay() const
{
    return std::any_of(m_entries.begin(), m_entries.end(), [](const auto &each) { return each.second.plan.underWay; });
}

void InquiryQueue::plan(const IdempotencyKey &key, First first, qint64 nowMs, quint32 draw)
{
    Entry &each = entry(key);
    each.isForgotten = false;
    if (std::exchange(each.isPlanned, true))
        return;
    if (each.dueMs)
        return;
    each.triesSoFar = first == First::AtOnce ? 0 : 1;
    each.dueMs = first == First::AtOnce ? nowMs : nowMs + patientDelayMs(1, draw);
}

void InquiryQueue::pause(const IdempotencyKey &key)
{
    if (const auto found = m_entries.find(key); found != m_entries.end())
        found->second.isPlanned = false;
}

void InquiryQueue::stop(const IdempotencyKey &key)
{
    pause(key);
    if (const auto found = m_entries.find(key); found != m_entries.end())
        found->second.dueMs.reset();
}

void InquiryQueue::forget(const IdempotencyKey &key)
{
    const auto found = m_entries.find(key);
    if (found == m_entries.end())
        return;
    if (found->second.plan.underWay) {
        found->second.isPlanned = false;
        found->second.isForgotten = true;
    } else {
        m_entries.erase(found);
    }
}

bool InquiryQueue::personAsks(const IdempotencyKey &key)
{
    Entry &each = entry(key);
    each.byPerson = true;
    each.triesSoFar = 0;
    return !std::exchange(each.plan.underWay, true);
}

std::optional<IdempotencyKey> InquiryQueue::begin(qint64 nowMs)
{
    const std::optional<qint64> wake = wakeMs();
    if (!wake || *wake > nowMs)
        return {};
    Entry *next = nullptr;
    for (auto &[key, each] : m_entries) {
        if (each.isPlanned && (!next || *each.dueMs < *next->dueMs))
            next = &each;
    }
    next->plan.underWay = true;
    next->byPerson = false;
    return next->plan.key;
}

std::optional<qint64> InquiryQueue::wakeMs() const
{
    if (isOneUnderWay())
        return {};
    std::optional<qint64> soonest;
    for (const auto &[key, each] : m_entries) {
        if (each.isPlanned)
            soonest = std::min(soonest.value_or(std::numeric_limits<qint64>::max()), *each.dueMs);
    }
    return soonest ? std::max(*soonest, m_quietUntilMs) : soonest;
}

InquiryQueue::AskedBy InquiryQueue::end(const IdempotencyKey &key, const Stamp &now,
                                        const std::optional<inquiry::Nothing> &nothing, quint32 draw)
{
    Entry &each = entry(key);
    const AskedBy by = std::exchange(each.byPerson, false) ? AskedBy::Person : AskedBy::Itself;
    m_quietUntilMs = now.monotonicMs + inquiry_queue::pauseMs(draw);
    if (each.isForgotten) {
        m_entries.erase(key);
        return by;
    }
    each.plan.underWay = false;
    ++each.plan.asked;
    each.plan.lastAnswer = nothing;
    each.plan.lastEndedWallMs = now.wallMs;
    each.lastEndedMs = now.monotonicMs;
    each.dueMs = now.monotonicMs + patientDelayMs(++each.triesSoFar, draw);
    return by;
}

void InquiryQueue::bringForward(qint64 nowMs)
{
    for (auto &[key, each] : m_entries) {
        if (!each.isPlanned || each.plan.underWay)
            continue;
        const qint64 soonestMs = each.lastEndedMs ? *each.lastEndedMs + inquiry_queue::soonestAgainMs : nowMs;
        each.dueMs = std::min(*each.dueMs, std::max(nowMs, soonestMs));
    }
}

void InquiryQueue::planAnew(qint64 nowMs, quint32 draw)
{
    for (auto &[key, each] : m_entries) {
        each.triesSoFar = 1;
        if (each.dueMs)
            each.dueMs = nowMs + patientDelayMs(1, draw);
    }
}

InquiryPlan InquiryQueue::planOf(const IdempotencyKey &key) const
{
    const auto found = m_entries.find(key);
    if (found == m_entries.end())
        return {.key = key};
    InquiryPlan plan = found->second.plan;
    if (found->second.isPlanned && !plan.underWay)
        plan.nextMonotonicMs = found->second.dueMs;
    return plan;
}

} // namespace ikkai
