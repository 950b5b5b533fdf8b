#include "mock-server/bank/strategy.h"

#include "mock-server/bank/answers.h"
#include "mock-server/bank/atomic_strategy.h"
#include "mock-server/bank/check_then_act_strategy.h"
#include "mock-server/bank/naive_strategy.h"
#include "mock-server/bank/redis_lock_strategy.h"
#include "mock-server/store/memory_key_lock.h"

namespace mockbank {

const QJsonObject &ChargeWork::facts()
{
    if (m_facts.isEmpty() && !arrival.facts.isEmpty()) {
        m_facts = arrival.facts;
    } else if (m_facts.isEmpty()) {
        const ChargeDetails &details = request.details;
        // In the order in which it keeps them, so that each goes to the end.
        m_facts = {
            {QStringLiteral("amount"), details.amountMinor},
            {QStringLiteral("arrival_id"), static_cast<qint64>(arrival.arrivalId)},
            {QStringLiteral("attempt"), arrival.attempt},
            {QStringLiteral("currency"), QString::fromUtf8(details.currency)},
            {QStringLiteral("idempotency_key"), QString::fromUtf8(name.key)},
            {QStringLiteral("merchant"), QString::fromUtf8(arrival.merchant)},
            {QStringLiteral("order_id"), details.orderId},
            {QStringLiteral("source"), details.source},
        };
        if (!details.terminalId.isEmpty())
            m_facts.insert(QStringLiteral("terminal_id"), details.terminalId);
    }
    return m_facts;
}

const QJsonObject &VoidWork::facts()
{
    if (!m_facts.isEmpty())
        return m_facts;
    m_facts = arrival.facts;
    if (m_facts.isEmpty()) {
        m_facts = {
            {QStringLiteral("amount"), request.amountMinor},
            {QStringLiteral("arrival_id"), static_cast<qint64>(arrival.arrivalId)},
            {QStringLiteral("attempt"), arrival.attempt},
            {QStringLiteral("currency"), QString::fromUtf8(request.currency)},
            {QStringLiteral("idempotency_key"), QString::fromUtf8(name.key)},
            {QStringLiteral("merchant"), QString::fromUtf8(arrival.merchant)},
            {QStringLiteral("order_id"), request.orderId},
        };
    }
    m_facts.insert(QStringLiteral("original_key"), QString::fromUtf8(original.key));
    return m_facts;
}

static QJsonObject joined(QJsonObject facts, const QJsonObject &more)
{
    for (auto it = more.begin(); it != more.end(); ++it)
        facts.insert(it.key(), it.value());
    return facts;
}

void Step::tell(const char *kind, ChargeWork &work, const QJsonObject &more)
{
    QJsonObject data = more.isEmpty() ? work.facts() : joined(work.facts(), more);
    if (!work.chargeId.isEmpty())
        data.insert(QStringLiteral("charge_id"), QString::fromUtf8(work.chargeId));
    events.append({kind, work.arrival.arrivalId, data});
}

void Step::tell(const char *kind, VoidWork &work, const QJsonObject &more)
{
    events.append({kind, work.arrival.arrivalId, joined(work.facts(), more)});
}

StepOutcome Strategy::voidCharge(VoidWork &work, Step &)
{
    return answers::notImplemented(
        work.name.key, QStringLiteral("this strategy remembers no keys, so it cannot void what was charged under one"));
}

std::optional<Answer> Strategy::readBackVoid(VoidWork &, Step &)
{
    return std::nullopt;
}

void Step::publish(const OutboxEvent &event) const
{
    if (publishNow && *publishNow)
        (*publishNow)(event);
}

QStringList strategyNames()
{
    return {QStringLiteral("naive"), QStringLiteral("check_then_act"), QStringLiteral("redis_lock"),
            QStringLiteral("atomic")};
}

std::unique_ptr<Strategy> makeStrategy(const QString &name, std::shared_ptr<KeyLock> lock)
{
    if (name == QLatin1String("atomic"))
        return std::make_unique<AtomicStrategy>();
    if (name == QLatin1String("naive"))
        return std::make_unique<NaiveStrategy>();
    if (name == QLatin1String("check_then_act"))
        return std::make_unique<CheckThenActStrategy>();
    if (name == QLatin1String("redis_lock"))
        return std::make_unique<RedisLockStrategy>(lock ? std::move(lock) : std::make_shared<MemoryKeyLock>());
    return nullptr;
}

ScopedKey chargeKey(const QByteArray &merchant, const QByteArray &key)
{
    return {merchant + " POST /v1/charges", key};
}

ScopedKey voidKey(const QByteArray &merchant, const QByteArray &key)
{
    return {merchant + " POST /v1/voids", key};
}

} // namespace mockbank
