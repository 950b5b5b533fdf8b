#include "mock-server/bank/strategy.h"

#include "mock-server/bank/atomic_strategy.h"

namespace mockbank {

void Step::tell(const char *kind, const ChargeWork &work)
{
    const ChargeDetails &details = work.request.details;
    QJsonObject data{
        {QStringLiteral("idempotency_key"), QString::fromUtf8(work.name.key)},
        {QStringLiteral("attempt"), work.arrival.attempt},
        {QStringLiteral("merchant"), QString::fromUtf8(work.arrival.merchant)},
        {QStringLiteral("order_id"), details.orderId},
        {QStringLiteral("amount"), details.amountMinor},
        {QStringLiteral("currency"), QString::fromUtf8(details.currency)},
        {QStringLiteral("source"), details.source},
    };
    if (!details.terminalId.isEmpty())
        data.insert(QStringLiteral("terminal_id"), details.terminalId);
    if (!work.chargeId.isEmpty())
        data.insert(QStringLiteral("charge_id"), QString::fromUtf8(work.chargeId));
    events.append({kind, work.arrival.arrivalId, data});
}

std::unique_ptr<Strategy> makeStrategy(const QString &name)
{
    if (name == QLatin1String("atomic"))
        return std::make_unique<AtomicStrategy>();
    return nullptr;
}

ScopedKey chargeKey(const QByteArray &merchant, const QByteArray &key)
{
    return {merchant + " POST /v1/charges", key};
}

} // namespace mockbank
