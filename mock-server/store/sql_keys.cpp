#include "mock-server/store/sql_columns.h"
#include "mock-server/store/sql_store.h"

#include <QtCore/QVariant>

#include <algorithm>
#include <tuple>

namespace mockbank {

namespace {

QString resultName(VoidResult result)
{
    switch (result) {
    case VoidResult::Reversed:
        return QStringLiteral("reversed");
    case VoidResult::Prevented:
        return QStringLiteral("prevented");
    case VoidResult::NotCharged:
        return QStringLiteral("not_charged");
    }
    return {};
}

VoidResult resultOf(const QString &name)
{
    if (name == QLatin1String("reversed"))
        return VoidResult::Reversed;
    return name == QLatin1String("prevented") ? VoidResult::Prevented : VoidResult::NotCharged;
}

KeyState stateOf(const QString &name)
{
    if (name == QLatin1String("claimed"))
        return KeyState::Claimed;
    return name == QLatin1String("finished") ? KeyState::Finished : KeyState::Voided;
}

} // namespace

KeyRecord SqlStore::keyRecordOf(const Rows &row)
{
    KeyRecord record;
    record.state = stateOf(row.string(0));
    Claim &claim = record.claim;
    claim.name = {row.bytes(1), row.bytes(2)};
    claim.owner = {row.bytes(3), row.bytes(4)};
    claim.epoch = row.integer(5);
    claim.leaseUntilMs = row.integer(6);
    claim.fingerprint = row.bytes(7);
    claim.claimedAtMs = row.integer(8);
    if (record.state == KeyState::Claimed)
        return record;
    if (record.state == KeyState::Voided) {
        record.mark = {resultOf(row.string(20)), row.integer(21), row.string(12), row.integer(13), row.bytes(14)};
        return record;
    }
    Verdict &verdict = record.verdict;
    verdict.status = int(row.integer(9));
    verdict.body = row.bytes(10);
    verdict.chargeId = row.bytes(11);
    verdict.details.orderId = row.string(12);
    verdict.details.amountMinor = row.integer(13);
    verdict.details.currency = row.bytes(14);
    verdict.details.source = row.string(15);
    verdict.declineCode = row.bytes(16);
    verdict.balanceMinor = row.integer(17);
    verdict.answeredAtMs = row.integer(18);
    verdict.expiresAtMs = row.integer(19);
    return record;
}

QList<KeyRecord> SqlStore::keyRecords(QSqlQuery &query)
{
    Rows rows(*this, query);
    QList<KeyRecord> records;
    while (rows.next())
        records.append(keyRecordOf(rows));
    return records;
}

std::optional<KeyRecord> SqlStore::key(const ScopedKey &name)
{
    const QList<KeyRecord> records =
        keyRecords(run("SELECT " SQL_KEY_COLUMNS " FROM key_record WHERE scope = ? AND key = ?",
                       {sqlText(name.scope), sqlText(name.key)}));
    return records.isEmpty() ? std::nullopt : std::optional(records.constFirst());
}

QList<KeyRecord> SqlStore::keys(int limit)
{
    return keyRecords(run("SELECT " SQL_KEY_COLUMNS " FROM key_record ORDER BY seq DESC LIMIT ?", {limit}));
}

bool SqlStore::addClaim(const Claim &claim)
{
    return change(
               "INSERT INTO key_record (scope, key, state, instance, run, epoch, lease_until, fingerprint, claimed_at)"
               " VALUES (?, ?, 'claimed', ?, ?, ?, ?, ?, ?) ON CONFLICT (scope, key) DO NOTHING",
               {sqlText(claim.name.scope), sqlText(claim.name.key), sqlText(claim.owner.instance),
                sqlText(claim.owner.run), claim.epoch, claim.leaseUntilMs, claim.fingerprint, claim.claimedAtMs}) == 1;
}

bool SqlStore::takeOverClaim(const Claim &old, const Claim &next)
{
    return change("UPDATE key_record SET instance = ?, run = ?, epoch = ?, lease_until = ?, fingerprint = ?,"
                  " claimed_at = ?"
                  " WHERE scope = ? AND key = ? AND state = 'claimed' AND instance = ? AND run = ? AND epoch = ?"
                  " AND lease_until = ?",
                  {sqlText(next.owner.instance), sqlText(next.owner.run), next.epoch, next.leaseUntilMs,
                   next.fingerprint, next.claimedAtMs, sqlText(old.name.scope), sqlText(old.name.key),
                   sqlText(old.owner.instance), sqlText(old.owner.run), old.epoch, old.leaseUntilMs}) == 1;
}

bool SqlStore::renewClaim(const Claim &claim, qint64 leaseUntilMs)
{
    return change("UPDATE key_record SET lease_until = ? WHERE scope = ? AND key = ? AND state = 'claimed'"
                  " AND instance = ? AND run = ? AND epoch = ? AND fingerprint = ?",
                  {leaseUntilMs, sqlText(claim.name.scope), sqlText(claim.name.key), sqlText(claim.owner.instance),
                   sqlText(claim.owner.run), claim.epoch, claim.fingerprint}) == 1;
}

bool SqlStore::deleteClaim(const Claim &claim)
{
    return change("DELETE FROM key_record WHERE scope = ? AND key = ? AND state = 'claimed'"
                  " AND instance = ? AND run = ? AND epoch = ? AND fingerprint = ?",
                  {sqlText(claim.name.scope), sqlText(claim.name.key), sqlText(claim.owner.instance),
                   sqlText(claim.owner.run), claim.epoch, claim.fingerprint}) == 1;
}

bool SqlStore::finishClaim(const Claim &claim, const Verdict &verdict)
{
    return change("UPDATE key_record SET state = 'finished', status = ?, body = ?, charge_id = ?, order_id = ?,"
                  " amount = ?, currency = ?, source = ?, decline_code = ?, balance = ?, answered_at = ?,"
                  " expires_at = ?"
                  " WHERE scope = ? AND key = ? AND state = 'claimed'"
                  " AND instance = ? AND run = ? AND epoch = ? AND fingerprint = ?",
                  {verdict.status, verdict.body, sqlText(verdict.chargeId), verdict.details.orderId,
                   verdict.details.amountMinor, sqlText(verdict.details.currency), verdict.details.source,
                   sqlTextOrNull(sqlText(verdict.declineCode)), verdict.balanceMinor, verdict.answeredAtMs,
                   verdict.expiresAtMs, sqlText(claim.name.scope), sqlText(claim.name.key),
                   sqlText(claim.owner.instance), sqlText(claim.owner.run), claim.epoch, claim.fingerprint}) == 1;
}

int SqlStore::endLeases(const ClaimOwner &living)
{
    return change("UPDATE key_record SET lease_until = 0 WHERE state = 'claimed' AND instance = ? AND run <> ?",
                  {sqlText(living.instance), sqlText(living.run)});
}

bool SqlStore::putAnswer(const ScopedKey &name, const QByteArray &fingerprint, const Verdict &verdict)
{
    return change("INSERT INTO key_record (scope, key, state, instance, run, epoch, lease_until, fingerprint,"
                  " claimed_at, status, body, charge_id, order_id, amount, currency, source, decline_code, balance,"
                  " answered_at, expires_at)"
                  " VALUES (?, ?, 'finished', '', '', 1, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                  " ON CONFLICT (scope, key) DO UPDATE SET state = excluded.state, fingerprint = excluded.fingerprint,"
                  " status = excluded.status, body = excluded.body, charge_id = excluded.charge_id,"
                  " order_id = excluded.order_id, amount = excluded.amount, currency = excluded.currency,"
                  " source = excluded.source, decline_code = excluded.decline_code, balance = excluded.balance,"
                  " answered_at = excluded.answered_at, expires_at = excluded.expires_at"
                  " WHERE key_record.state <> 'voided'",
                  {sqlText(name.scope), sqlText(name.key), fingerprint, verdict.answeredAtMs, verdict.status,
                   verdict.body, sqlText(verdict.chargeId), verdict.details.orderId, verdict.details.amountMinor,
                   sqlText(verdict.details.currency), verdict.details.source,
                   sqlTextOrNull(sqlText(verdict.declineCode)), verdict.balanceMinor, verdict.answeredAtMs,
                   verdict.expiresAtMs}) == 1;
}

bool SqlStore::addTombstone(const ScopedKey &name, const VoidMark &mark)
{
    return change("INSERT INTO key_record (scope, key, state, instance, run, epoch, lease_until, fingerprint,"
                  " claimed_at, void_result, void_at, order_id, amount, currency)"
                  " VALUES (?, ?, 'voided', '', '', 1, 0, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (scope, key) DO NOTHING",
                  {sqlText(name.scope), sqlText(name.key), QByteArray(""), mark.atMs, resultName(mark.result),
                   mark.atMs, mark.orderId, mark.amountMinor, sqlText(mark.currency)}) == 1;
}

bool SqlStore::voidClaim(const Claim &claim, const VoidMark &mark)
{
    return change("UPDATE key_record SET state = 'voided', lease_until = 0, void_result = ?, void_at = ?,"
                  " order_id = ?, amount = ?, currency = ?"
                  " WHERE scope = ? AND key = ? AND state = 'claimed'"
                  " AND instance = ? AND run = ? AND epoch = ? AND fingerprint = ?",
                  {resultName(mark.result), mark.atMs, mark.orderId, mark.amountMinor, sqlText(mark.currency),
                   sqlText(claim.name.scope), sqlText(claim.name.key), sqlText(claim.owner.instance),
                   sqlText(claim.owner.run), claim.epoch, claim.fingerprint}) == 1;
}

bool SqlStore::voidFinished(const ScopedKey &name, const VoidMark &mark)
{
    return change("UPDATE key_record SET state = 'voided', body = NULL, void_result = ?, void_at = ?,"
                  " order_id = ?, amount = ?, currency = ?"
                  " WHERE scope = ? AND key = ? AND state = 'finished'",
                  {resultName(mark.result), mark.atMs, mark.orderId, mark.amountMinor, sqlText(mark.currency),
                   sqlText(name.scope), sqlText(name.key)}) == 1;
}

QList<KeyRecord> SqlStore::lapsedClaims(qint64 nowMs, int limit)
{
    return keyRecords(run("SELECT " SQL_KEY_COLUMNS " FROM key_record WHERE state = 'claimed' AND lease_until <= ?"
                          " ORDER BY lease_until, seq LIMIT ?",
                          {nowMs, limit}));
}

QList<ScopedKey> SqlStore::sweepAnswers(qint64 nowMs, int limit)
{
    struct Expired {
        QString scope;
        QString key;
        bool declined = false;
    };
    QList<Expired> expired;
    {
        Rows rows(*this, run("SELECT scope, key, status FROM key_record WHERE state = 'finished' AND body IS NOT NULL"
                             " AND expires_at <= ? ORDER BY expires_at LIMIT ?",
                             {nowMs, limit}));
        while (rows.next())
            expired.append({rows.string(0), rows.string(1), rows.integer(2) == 402});
    }
    // In the order in which every bank takes its keys, so that two of them do not wait for each other.
    std::sort(expired.begin(), expired.end(), [](const Expired &left, const Expired &right) {
        return std::tie(left.scope, left.key) < std::tie(right.scope, right.key);
    });
    QList<ScopedKey> swept;
    for (const Expired &answer : std::as_const(expired)) {
        // Another bank may have swept, voided or answered it anew since it was read.
        const int rows = answer.declined
                             ? change("UPDATE key_record SET body = NULL WHERE scope = ? AND key = ? AND status = 402"
                                      " AND state = 'finished' AND body IS NOT NULL AND expires_at <= ?",
                                      {answer.scope, answer.key, nowMs})
                             : change("DELETE FROM key_record WHERE scope = ? AND key = ? AND status <> 402"
                                      " AND state = 'finished' AND expires_at <= ?",
                                      {answer.scope, answer.key, nowMs});
        if (rows == 1)
            swept.append({answer.scope.toUtf8(), answer.key.toUtf8()});
    }
    change("DELETE FROM void_key WHERE (scope, key) IN"
           " (SELECT scope, key FROM void_key WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)",
           {nowMs, limit});
    return swept;
}

bool SqlStore::expireAnswer(const ScopedKey &name, qint64 nowMs)
{
    return change("UPDATE key_record SET expires_at = ? WHERE scope = ? AND key = ? AND state = 'finished'",
                  {nowMs, sqlText(name.scope), sqlText(name.key)}) == 1;
}

std::optional<VoidKey> SqlStore::voidKey(const ScopedKey &name)
{
    Rows rows(*this, run("SELECT fingerprint, original_scope, original_key, expires_at FROM void_key"
                         " WHERE scope = ? AND key = ?",
                         {sqlText(name.scope), sqlText(name.key)}));
    if (!rows.next())
        return std::nullopt;
    return VoidKey{name, rows.bytes(0), {rows.bytes(1), rows.bytes(2)}, rows.integer(3)};
}

bool SqlStore::addVoidKey(const VoidKey &key)
{
    return change("INSERT INTO void_key (scope, key, fingerprint, original_scope, original_key, expires_at)"
                  " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (scope, key) DO NOTHING",
                  {sqlText(key.name.scope), sqlText(key.name.key), key.fingerprint, sqlText(key.original.scope),
                   sqlText(key.original.key), key.expiresAtMs}) == 1;
}

} // namespace mockbank
