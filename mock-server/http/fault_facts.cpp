#include "mock-server/http/fault_facts.h"

#include "mock-server/faults/fault_table.h"

namespace mockbank {

QJsonObject with(QJsonObject facts, const QJsonObject &more)
{
    for (auto it = more.begin(); it != more.end(); ++it)
        facts.insert(it.key(), it.value());
    return facts;
}

QJsonObject ruleFacts(const FaultDecision &decision)
{
    const Fault &fault = decision.fault;
    QJsonObject facts{
        {QStringLiteral("rule_id"), QString::fromLatin1(decision.ruleId)},
        {QStringLiteral("source"), sourceName(decision.source)},
        {QStringLiteral("spec"), QString::fromLatin1(printFault(fault))},
        {QStringLiteral("placement"), QString::fromLatin1(placementName(fault.placement))},
        {QStringLiteral("manifestation"), QString::fromLatin1(manifestationName(fault.manifestation.kind))}};
    if (decision.drawMillionths)
        facts.insert(QStringLiteral("draw_millionths"), *decision.drawMillionths);
    if (decision.delayMs > 0)
        facts.insert(QStringLiteral("delay_ms"), decision.delayMs);
    return facts;
}

bool isKnowable(const FaultDecision &decision)
{
    const FaultTruth *truth = faultTruth(decision.fault.placement, decision.fault.manifestation.kind);
    return truth && truth->knowable;
}

bool reachesBank(const FaultDecision &decision)
{
    const FaultTruth *truth = faultTruth(decision.fault.placement, decision.fault.manifestation.kind);
    return truth && truth->reachesBank;
}

} // namespace mockbank
