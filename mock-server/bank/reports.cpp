#include "mock-server/bank/reports.h"

#include "mock-server/bank/answers.h"
#include "mock-server/bank/http_date.h"
#include "mock-server/bank/outbox_desk.h"

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

QJsonObject chargeRow(const ChargeRow &row)
{
    const Movement &charge = row.charge;
    const ChargeDetails &details = charge.details;
    QJsonValue reversal(QJsonValue::Null);
    if (row.reversal) {
        reversal = QJsonObject{{QStringLiteral("movement"), row.reversal->id},
                               {QStringLiteral("at"), shown(isoTime(row.reversal->atMs))}};
    }
    return {
        {QStringLiteral("id"), shown(charge.chargeId)},
        {QStringLiteral("movement"), charge.id},
        {QStringLiteral("status"), QStringLiteral("approved")},
        {QStringLiteral("idempotency_key"), shown(charge.name.key)},
        {QStringLiteral("order_id"), details.orderId},
        {QStringLiteral("amount"), details.amountMinor},
        {QStringLiteral("currency"), shown(details.currency)},
        {QStringLiteral("source"), details.source},
        {QStringLiteral("terminal_id"),
         details.terminalId.isEmpty() ? QJsonValue(QJsonValue::Null) : QJsonValue(details.terminalId)},
        {QStringLiteral("created_at"), shown(isoTime(charge.atMs))},
        {QStringLiteral("reversal"), reversal},
    };
}

QJsonObject keyRow(const KeyRecord &record, qint64 nowMs)
{
    const Claim &claim = record.claim;
    const char *states[] = {"claimed", "finished", "voided"};
    QJsonObject row{
        {QStringLiteral("idempotency_key"), shown(claim.name.key)},
        {QStringLiteral("scope"), shown(claim.name.scope)},
        {QStringLiteral("state"), QString::fromLatin1(states[int(record.state)])},
    };
    if (record.state == KeyState::Voided) {
        const VoidMark &mark = record.mark;
        row.insert(QStringLiteral("result"), shown(answers::voidWord(mark.result)));
        row.insert(QStringLiteral("voided_at"), shown(isoTime(mark.atMs)));
        row.insert(QStringLiteral("order_id"), mark.orderId);
        row.insert(QStringLiteral("amount"), mark.amountMinor);
        row.insert(QStringLiteral("currency"), shown(mark.currency));
        return row;
    }
    row.insert(QStringLiteral("instance"), shown(claim.owner.instance));
    row.insert(QStringLiteral("run"), shown(claim.owner.run));
    row.insert(QStringLiteral("epoch"), claim.epoch);
    row.insert(QStringLiteral("fingerprint"), shown(claim.fingerprint.toHex()));
    row.insert(QStringLiteral("claimed_at"), shown(isoTime(claim.claimedAtMs)));
    if (record.state == KeyState::Claimed) {
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

/// {"bounds":[...],"counts":[...],"sum","count"}; one count more than bounds.
template <std::size_t Size>
QJsonObject histogram(const CountedBounds<Size> &counted)
{
    QJsonArray bounds;
    for (const qint64 bound : counted.bounds)
        bounds.append(bound);
    QJsonArray counts;
    for (const quint64 count : counted.counts)
        counts.append(qint64(count));
    return {{QStringLiteral("bounds"), bounds},
            {QStringLiteral("counts"), counts},
            {QStringLiteral("sum"), counted.sum},
            {QStringLiteral("count"), qint64(counted.count)}};
}

QJsonObject outboxRow(const OutboxEvent &event, const QByteArray &ledgerId)
{
    QJsonObject row{
        {QStringLiteral("id"), event.id},
        {QStringLiteral("event_id"), shown(outbox_desk::eventId(ledgerId, event.id))},
        {QStringLiteral("movement"), event.movementId},
        {QStringLiteral("topic"), shown(event.topic)},
        {QStringLiteral("order_id"), event.orderId},
        {QStringLiteral("payload"), QJsonDocument::fromJson(event.payload).object()},
        {QStringLiteral("at"), shown(isoTime(event.createdAtMs))},
        {QStringLiteral("attempts"), event.attempts},
    };
    if (event.deliveredAtMs) {
        row.insert(QStringLiteral("delivered_at"), shown(isoTime(*event.deliveredAtMs)));
        return row;
    }
    if (!event.lastError.isEmpty())
        row.insert(QStringLiteral("last_error"), event.lastError);
    if (event.nextAttemptAtMs > 0)
        row.insert(QStringLiteral("next_attempt_at"), shown(isoTime(event.nextAttemptAtMs)));
    return row;
}

} // namespace

QByteArray charges(Store &store, ChargeFilter filter)
{
    const int size = std::clamp(filter.limit, 1, maxPage);
    filter.limit = size + 1; // one more tells whether there is a next page
    QList<ChargeRow> page = store.charges(filter);
    const bool more = page.size() > size;
    if (more)
        page.removeLast();
    QJsonArray rows;
    for (const ChargeRow &row : page)
        rows.append(chargeRow(row));
    const QJsonObject body{
        {QStringLiteral("charges"), rows},
        {QStringLiteral("next"), more ? QJsonValue(page.constLast().charge.id) : QJsonValue(QJsonValue::Null)}};
    return QJsonDocument(body).toJson(QJsonDocument::Compact);
}

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

QJsonObject outbox(Store &store, qint64 after, int limit, OutboxRows rows, const QByteArray &ledgerId)
{
    const int size = std::clamp(limit, 1, maxPage);
    QList<OutboxEvent> page = store.outbox(after, size + 1, rows);
    const bool more = page.size() > size;
    if (more)
        page.removeLast();
    QJsonArray list;
    for (const OutboxEvent &event : page)
        list.append(outboxRow(event, ledgerId));
    return {{QStringLiteral("events"), list},
            {QStringLiteral("next"), more ? QJsonValue(page.constLast().id) : QJsonValue(QJsonValue::Null)}};
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
        {QStringLiteral("expired"), number(counters.expired)},
        {QStringLiteral("key_voided"), number(counters.keyVoided)},
        {QStringLiteral("inquiries"), number(counters.inquiries)},
        {QStringLiteral("lists"), number(counters.lists)},
        {QStringLiteral("voids_reversed"), number(counters.voidsReversed)},
        {QStringLiteral("voids_prevented"), number(counters.voidsPrevented)},
        {QStringLiteral("voids_not_charged"), number(counters.voidsNotCharged)},
        {QStringLiteral("void_replays"), number(counters.voidReplays)},
        {QStringLiteral("voids_in_progress"), number(counters.voidsInProgress)},
        {QStringLiteral("void_mismatches"), number(counters.voidMismatches)},
        {QStringLiteral("takeovers"), number(counters.takeovers)},
        {QStringLiteral("claims_deleted"), number(counters.claimsDeleted)},
        {QStringLiteral("swept"), number(counters.swept)},
        {QStringLiteral("running"), number(running)},
        {QStringLiteral("steps"), number(counters.steps)},
        {QStringLiteral("commits"), number(counters.commits)},
        {QStringLiteral("commits_batched"), number(counters.commitsBatched)},
        {QStringLiteral("commit_failures"), number(counters.commitFailures)},
        {QStringLiteral("busy_repeats"), number(counters.busyRepeats)},
        {QStringLiteral("batch_sizes"), histogram(counters.batchSizes)},
        {QStringLiteral("commit_us"), histogram(counters.commitUs)},
    };
}

QJsonObject outboxCount(Store &store, qint64 nowMs)
{
    const Store::OutboxCount count = store.countOutbox();
    return {{QStringLiteral("pending"), count.pending},
            {QStringLiteral("delivered"), count.delivered},
            {QStringLiteral("oldest_pending_ms"),
             count.oldestPendingAtMs ? QJsonValue(nowMs - *count.oldestPendingAtMs) : QJsonValue(QJsonValue::Null)}};
}

} // namespace mockbank::reports
