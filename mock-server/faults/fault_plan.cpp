#include "mock-server/faults/fault_plan.h"

#include "mock-server/faults/fault_table.h"

#include <algorithm>

namespace mockbank {

namespace {

QByteArray keyId(const QByteArray &merchant, const QByteArray &key)
{
    return merchant + '\n' + key;
}

} // namespace

bool FaultPlan::isSpent(const Rule &rule)
{
    return rule.fault.selector.next && rule.matched >= *rule.fault.selector.next;
}

std::optional<QByteArray> FaultPlan::arm(const Fault &fault, qint64 nowMs)
{
    const std::lock_guard lock(m_mutex);
    if (m_rules.size() >= maxRules) {
        const auto spent = std::ranges::find_if(m_rules, isSpent);
        if (spent == m_rules.end())
            return std::nullopt;
        m_rules.erase(spent);
    }
    m_rules.push_back({"f" + QByteArray::number(++m_lastId), fault, nowMs, 0, 0, 0});
    return m_rules.back().id;
}

bool FaultPlan::disarm(const QByteArray &id)
{
    const std::lock_guard lock(m_mutex);
    return std::erase_if(m_rules, [&](const Rule &rule) { return rule.id == id; }) > 0;
}

int FaultPlan::disarmAll()
{
    const std::lock_guard lock(m_mutex);
    const auto count = static_cast<int>(m_rules.size());
    m_rules.clear();
    return count;
}

std::optional<FaultDecision> FaultPlan::choose(int attemptNumber)
{
    for (Rule &rule : m_rules) {
        if (isSpent(rule) || (rule.fault.selector.attempt && *rule.fault.selector.attempt != attemptNumber))
            continue;
        ++rule.matched;
        return FaultDecision{rule.id, rule.fault};
    }
    return std::nullopt;
}

void FaultPlan::remember(const QByteArray &attemptId, const std::optional<FaultDecision> &decision)
{
    if (m_decidedOrder.size() >= maxAttempts) {
        m_decided.remove(m_decidedOrder.front());
        m_decidedOrder.pop_front();
    }
    m_decided.insert(attemptId, decision);
    m_decidedOrder.push_back(attemptId);
}

std::optional<FaultDecision> FaultPlan::decide(const ClientAttempt &attempt, const std::optional<Fault> &fromRequest)
{
    const std::lock_guard lock(m_mutex);
    if (fromRequest) {
        if (fromRequest->selector.attempt && *fromRequest->selector.attempt != attempt.number)
            return std::nullopt;
        return FaultDecision{QByteArrayLiteral("header"), *fromRequest};
    }
    if (attempt.number == 0 || attempt.key.isEmpty())
        return choose(attempt.number);

    const QByteArray id = keyId(attempt.merchant, attempt.key) + '\n' + QByteArray::number(attempt.number);
    if (const auto known = m_decided.constFind(id); known != m_decided.constEnd())
        return *known;
    const auto decision = choose(attempt.number);
    remember(id, decision);
    return decision;
}

void FaultPlan::fired(const QByteArray &ruleId, const ClientAttempt &attempt)
{
    const std::lock_guard lock(m_mutex);
    const auto rule = std::ranges::find(m_rules, ruleId, &Rule::id);
    if (rule == m_rules.end())
        return;
    ++rule->fired;
    if (attempt.key.isEmpty())
        return;
    const QByteArray key = keyId(attempt.merchant, attempt.key);
    if (!m_hurtKeys.contains(key) && m_hurtKeys.size() >= static_cast<qsizetype>(maxAttempts))
        m_hurtKeys.erase(m_hurtKeys.begin());
    m_hurtKeys[key].append(ruleId);
}

QList<QByteArray> FaultPlan::delivered(const QByteArray &merchant, const QByteArray &key)
{
    const std::lock_guard lock(m_mutex);
    if (m_hurtKeys.isEmpty())
        return {};
    const QList<QByteArray> healed = m_hurtKeys.take(keyId(merchant, key));
    for (Rule &rule : m_rules)
        rule.healed += static_cast<int>(healed.count(rule.id));
    return healed;
}

QJsonObject FaultPlan::toJson(const Rule &rule)
{
    const Fault &fault = rule.fault;
    QString light = QStringLiteral("armed");
    if (rule.matched > 0)
        light = QStringLiteral("matched");
    if (rule.fired > 0)
        light = QStringLiteral("fired");
    if (rule.fired > 0 && rule.healed >= rule.fired)
        light = QStringLiteral("healed");

    QJsonObject json = faultToJson(fault);
    json.insert(QStringLiteral("id"), QString::fromLatin1(rule.id));
    json.insert(QStringLiteral("spec"), QString::fromLatin1(printFault(fault)));
    json.insert(QStringLiteral("light"), light);
    json.insert(QStringLiteral("armed_at_ms"), rule.armedAtMs);
    json.insert(QStringLiteral("matched"), rule.matched);
    json.insert(QStringLiteral("fired"), rule.fired);
    json.insert(QStringLiteral("healed"), rule.healed);
    json.insert(QStringLiteral("left"),
                fault.selector.next ? QJsonValue(*fault.selector.next - rule.matched) : QJsonValue());
    if (const FaultTruth *truth = faultTruth(fault.placement, fault.manifestation.kind)) {
        json.insert(QStringLiteral("charged"), moneyName(truth->money));
        json.insert(QStringLiteral("knowable"), truth->knowable);
        json.insert(QStringLiteral("wire"), QString::fromLatin1(truth->wire));
    }
    return json;
}

QJsonArray FaultPlan::list() const
{
    const std::lock_guard lock(m_mutex);
    QJsonArray rules;
    for (const Rule &rule : m_rules)
        rules.append(toJson(rule));
    return rules;
}

std::optional<QJsonObject> FaultPlan::find(const QByteArray &id) const
{
    const std::lock_guard lock(m_mutex);
    const auto rule = std::ranges::find(m_rules, id, &Rule::id);
    return rule == m_rules.end() ? std::nullopt : std::optional(toJson(*rule));
}

} // namespace mockbank
