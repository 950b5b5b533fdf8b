#include "mock-server/http/answer_sender.h"

#include <QtCore/QPointer>

namespace mockbank {

AnswerSender::AnswerSender(FaultPlan &faults, EventLog &events)
    : m_faults(faults)
    , m_events(events)
{
}

QJsonObject AnswerSender::factsOf(const Arrival &arrival, const QJsonObject &more) const
{
    QJsonObject facts = with(arrival.facts, more);
    facts.insert(QStringLiteral("money_moved"), arrival.moneyMoved);
    facts.insert(QStringLiteral("replayed"), arrival.replayed);
    if (arrival.madeUp)
        facts.insert(QStringLiteral("made_up"), true);
    return facts;
}

void AnswerSender::send(const ArrivalPtr &arrival, const Response &response)
{
    const QJsonObject facts = factsOf(*arrival, {{QStringLiteral("status"), response.status},
                                                 {QStringLiteral("written"), arrival->exchange->isOpen()}});
    // Written down before the first byte leaves.
    m_events.append("answer", facts);
    const bool final = response.status < 500 && response.status != 409;
    arrival->exchange->answer(response, [this, guard = QPointer(this), arrival, facts, final] {
        if (guard)
            delivered(arrival, facts, final && !arrival->madeUp);
    });
}

AnswerSender::Started AnswerSender::begin(const ArrivalPtr &arrival, const Response &response, qsizetype firstBytes)
{
    const Exchange::Wire wire = arrival->exchange->toWire(response);
    Started started{wire.head + wire.body, wire.head.size(), {}};
    started.facts = factsOf(*arrival, {{QStringLiteral("status"), response.status},
                                       {QStringLiteral("bytes"), firstBytes},
                                       {QStringLiteral("bytes_whole"), started.bytes.size()},
                                       {QStringLiteral("written"), arrival->exchange->isOpen()}});
    m_events.append("answer_started", started.facts);
    if (firstBytes > 0)
        arrival->exchange->writePart(started.bytes.first(firstBytes));
    return started;
}

void AnswerSender::finish(const ArrivalPtr &arrival, const QJsonObject &facts)
{
    arrival->exchange->finish([this, guard = QPointer(this), arrival, facts] {
        if (guard)
            delivered(arrival, facts, false);
    });
}

void AnswerSender::sendRaw(const ArrivalPtr &arrival, const QByteArray &bytes)
{
    const QJsonObject facts = factsOf(*arrival, {{QStringLiteral("malformed"), true},
                                                 {QStringLiteral("bytes"), bytes.size()},
                                                 {QStringLiteral("written"), arrival->exchange->isOpen()}});
    m_events.append("answer", facts);
    arrival->exchange->request.keepAlive = false;
    arrival->exchange->writePart(bytes);
    finish(arrival, facts);
}

void AnswerSender::delivered(const ArrivalPtr &arrival, const QJsonObject &facts, bool settles)
{
    m_events.append("delivered", facts);
    if (arrival->struck) {
        for (const LightChange &change : m_faults.seen(arrival->attempt))
            tellLight(*arrival, change.light, change.ruleId);
        return;
    }
    if (!settles || arrival->attempt.key.isEmpty())
        return;
    for (const QByteArray &rule : m_faults.delivered(arrival->attempt))
        tellLight(*arrival, QStringLiteral("healed"), rule);
}

void AnswerSender::tellLight(const Arrival &arrival, const QString &light, const QByteArray &rule)
{
    m_events.append("fault", with(arrival.facts, {{QStringLiteral("light"), light},
                                                  {QStringLiteral("rule_id"), QString::fromLatin1(rule)}}));
}

} // namespace mockbank
