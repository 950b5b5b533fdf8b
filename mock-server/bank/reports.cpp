#include "mock-server/bank/reports.h"

#include "mock-server/bank/http_date.h"

#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>

#include <algorithm>

namespace mockbank::reports {

namespace {

constexpr int maxPage = 500;
constexpr int maxListed = 1000;

QString shown(const QByteArray &utf8)
{
    return QString::fromUtf8(utf8);
}

QJsonObject movementRow(const Movement &movement)
{
    const bool charge = movement.kind == MovementKind::Charge;
    return {
        {QStringLiteral("id"), movement.id},
        {QStringLiteral("kind"), charge ? QStringLiteral("charge") : QStringLiteral("reversal")},
        {QStringLiteral("idempotency_key"), shown(movement.name.key)},
        {QStringLiteral("order_id"), movement.details.orderId},
        {QStringLiteral("amount"), movement.details.amountMinor},
        {QStringLiteral("currency"), shown(movement.details.currency)},
        {QStringLiteral("source"), movement.details.source},
        {QStringLiteral("at"), shown(isoTime(movement.atMs))},
    };
}

QJsonObject keyRow(const KeyRecord &record, qint64 nowMs)
{
    const Claim &claim = record.claim;
    const bool finished = record.state == KeyState::Finished;
    QJsonObject row{
        {QStringLiteral("idempotency_key"), shown(claim.name.key)},
        {QStringLiteral("scope"), shown(claim.name.scope)},
        {QStringLiteral("state"), finished ? QStringLiteral("finished") : QStringLiteral("claimed")},
        {QStringLiteral("instance"), shown(claim.owner.instance)},
        {QStringLiteral("run"), shown(claim.owner.run)},
        {QStringLiteral("epoch"), claim.epoch},
        {QStringLiteral("fingerprint"), shown(claim.fingerprint.toHex())},
        {QStringLiteral("claimed_at"), shown(isoTime(claim.claimedAtMs))},
    };
    if (!finished) {
        row.insert(QStringLiteral("lease_until"), shown(isoTime(claim.leaseUntilMs)));
        row.insert(QStringLiteral("lease_ended"), claim.leaseUntilMs <= nowMs);
        return row;
    }
    const Verdict &verdict = record.verdict;
    row.insert(QStringLiteral("status"), verdict.status);
    row.insert(QStringLiteral("charge_id"), shown(verdict.chargeId));
    row.insert(QStringLiteral("order_id"), verdict.details.orderId);
    row.insert(QStringLiteral("amount"), verdict.details.amountMinor);
    row.insert(QStringLiteral("currency"), shown(verdict.details.currency));
    row.insert(QStringLiteral("source"), verdict.details.source);
    if (!verdict.declineCode.isEmpty())
        row.insert(QStringLiteral("decline_code"), shown(verdict.declineCode));
    row.insert(QStringLiteral("answered_at"), shown(isoTime(verdict.answeredAtMs)));
    row.insert(QStringLiteral("expires_at"), shown(isoTime(verdict.expiresAtMs)));
    row.insert(QStringLiteral("expired"), verdict.expiresAtMs <= nowMs);
    return row;
}

} // namespace

QJsonObject movements(Store &store, qint64 after, int limit)
{
    const int size = std::clamp(limit, 1, maxPage);
    // One more than asked for tells whether there is a next page.
    QList<Movement> page = store.movements(after, size + 1);
    const bool more = page.size() > size;
    if (more)
        page.removeLast();
    QJsonArray rows;
    for (const Movement &movement : page)
        rows.append(movementRow(movement));
    return {{QStringLiteral("movements"), rows},
            {QStringLiteral("next"), more ? QJsonValue(page.constLast().id) : QJsonValue(QJsonValue::Null)}};
}

QJsonObject keys(Store &store, qint64 nowMs)
{
    QJsonArray rows;
    const QList<KeyRecord> records = store.keys(maxListed + 1);
    for (const KeyRecord &record : records.mid(0, maxListed))
        rows.append(keyRow(record, nowMs));
    return {{QStringLiteral("keys"), rows}, {QStringLiteral("truncated"), records.size() > maxListed}};
}

QJsonObject outbox(Store &store)
{
    QJsonArray rows;
    const QList<OutboxEvent> events = store.outbox(maxListed + 1);
    for (const OutboxEvent &event : events.mid(0, maxListed)) {
        rows.append(QJsonObject{
            {QStringLiteral("id"), event.id},
            {QStringLiteral("movement"), event.movementId},
            {QStringLiteral("topic"), shown(event.topic)},
            {QStringLiteral("payload"), QJsonDocument::fromJson(event.payload).object()},
            {QStringLiteral("at"), shown(isoTime(event.createdAtMs))},
        });
    }
    return {{QStringLiteral("events"), rows}, {QStringLiteral("truncated"), events.size() > maxListed}};
}

QJsonObject counters(const LedgerCounters &counters, size_t running)
{
    const auto number = [](quint64 value) { return QJsonValue(qint64(value)); };
    return {
        {QStringLiteral("charges"), number(counters.charges)},
        {QStringLiteral("declines"), number(counters.declines)},
        {QStringLiteral("replays"), number(counters.replays)},
        {QStringLiteral("in_progress"), number(counters.inProgress)},
        {QStringLiteral("mismatches"), number(counters.mismatches)},
        {QStringLiteral("rolled_back"), number(counters.rolledBack)},
        {QStringLiteral("inquiries"), number(counters.inquiries)},
        {QStringLiteral("running"), number(running)},
        {QStringLiteral("steps"), number(counters.steps)},
        {QStringLiteral("commits"), number(counters.commits)},
        {QStringLiteral("commits_batched"), number(counters.commitsBatched)},
        {QStringLiteral("commit_failures"), number(counters.commitFailures)},
    };
}

} // namespace mockbank::reports
