#include "mock-server/bank/voiding.h"

#include "mock-server/bank/answers.h"
#include "mock-server/bank/http_date.h"
#include "mock-server/bank/json_writer.h"
#include "mock-server/bank/key_look_up.h"

namespace mockbank::voiding {

namespace {

QJsonObject resultFact(VoidResult result)
{
    return {{QStringLiteral("result"), QString::fromLatin1(answers::voidWord(result))}};
}

bool isAbout(const VoidRequest &request, const QString &orderId, qint64 amountMinor, const QByteArray &currency)
{
    return request.orderId == orderId && request.amountMinor == amountMinor && request.currency == currency;
}

bool isAbout(const VoidRequest &request, const ChargeDetails &details)
{
    return isAbout(request, details.orderId, details.amountMinor, details.currency);
}

/// The charge that was made or declined under the key is not the one that the void names.
bool isAboutAnother(const VoidRequest &request, const std::optional<Movement> &charged,
                    const std::optional<KeyRecord> &record)
{
    if (charged)
        return !isAbout(request, charged->details);
    return record && record->state == KeyState::Finished && !isAbout(request, record->verdict.details);
}

Answer otherDetails(VoidWork &work, Step &at)
{
    at.tell("void_mismatch", work);
    return answers::voidDetailsMismatch(work.name.key, work.original.key);
}

bool remember(const VoidWork &work, Step &at)
{
    return at.store.addVoidKey({work.name, work.request.fingerprint, work.original, at.nowMs + at.settings.keyTtlMs});
}

/// The key was voided before, by this void or another: the first one's answer.
StepOutcome again(VoidWork &work, const VoidMark &mark, bool remembered, Step &at)
{
    if (!isAbout(work.request, mark.orderId, mark.amountMinor, mark.currency))
        return otherDetails(work, at);
    // Also a void that changed nothing owns its key from now on.
    if (!remembered && !remember(work, at))
        return ResolveAnew{};
    at.tell("void_replayed", work, resultFact(mark.result));
    return answers::voidedBefore(work.original.key, mark);
}

/// Keeps what the void makes of the key, wherever it finds it; false where the record is another one by now.
bool writeMark(const VoidWork &work, const std::optional<KeyRecord> &record, Step &at)
{
    if (!record)
        return at.store.addTombstone(work.original, work.mark);
    if (record->state == KeyState::Claimed)
        return at.store.voidClaim(record->claim, work.mark);
    return at.store.voidFinished(work.original, work.mark);
}

/// False where the ledger has a reversal by now.
bool giveBack(const VoidWork &work, const Movement &charged, Step &at)
{
    const std::optional<qint64> balanceMinor = at.store.credit(charged.details.source, charged.details.amountMinor);
    if (!balanceMinor)
        throw StoreError(QStringLiteral("account %1 of a charge is gone").arg(charged.details.source));
    Movement movement = charged;
    movement.id = 0;
    movement.kind = MovementKind::Reversal;
    movement.balanceMinor = *balanceMinor;
    movement.atMs = work.mark.atMs;
    OutboxEvent event;
    try {
        event.movementId = at.store.addMovement(movement);
    } catch (const StoreConflict &) {
        return false;
    }
    event.topic = "charge.reversed";
    event.orderId = charged.details.orderId;
    event.payload = JsonWriter()
                        .text("id", charged.chargeId)
                        .text("status", QByteArray("reversed"))
                        .text("idempotency_key", work.original.key)
                        .text("order_id", charged.details.orderId)
                        .integer("amount", charged.details.amountMinor)
                        .text("currency", charged.details.currency)
                        .integer("balance", *balanceMinor)
                        .text("reversed_at", isoTime(work.mark.atMs))
                        .object();
    event.createdAtMs = at.nowMs;
    at.store.addOutboxEvent(event);
    return true;
}

bool hasRoomFor(const Movement &charged, Step &at)
{
    const std::optional<Account> account = at.store.lockAccount(charged.details.source);
    return !account || account->balanceMinor <= maxBalanceMinor - charged.details.amountMinor;
}

/// What a fault makes of a void that is about to write something. Its transaction would be rolled back whole: nothing
/// of it, not even a claim, is committed before.
std::optional<Answer> struck(VoidWork &work, Step &at)
{
    if (work.arrival.fault == LedgerFault::CrashBeforeCommit)
        return answers::crashed();
    if (work.arrival.fault != LedgerFault::FailBeforeCommit)
        return std::nullopt;
    at.tell("rolled_back", work);
    return answers::rolledBack(work.name.key);
}

} // namespace

StepOutcome voidCharge(VoidWork &work, Step &at)
{
    work.made = false;
    const std::optional<VoidKey> sent = at.store.voidKey(work.name);
    if (sent && sent->fingerprint != work.request.fingerprint) {
        at.tell("void_mismatch", work);
        return answers::voidKeyMismatch(work.name.key);
    }
    const std::optional<KeyRecord> record = at.store.key(work.original);
    if (record && record->state == KeyState::Voided)
        return again(work, record->mark, sent.has_value(), at);
    if (record && record->state == KeyState::Claimed && key_look_up::lives(record->claim, at)) {
        at.tell("void_in_progress", work);
        return answers::originalInProgress(work.name.key, work.original.key,
                                           key_look_up::retryAfterMs(record->claim, at));
    }
    // The money is where the ledger says it is, whatever became of the record of the key.
    const std::optional<Movement> charged = at.store.chargeUnder(work.original);
    const bool declined = !charged && record && record->state == KeyState::Finished;
    if (isAboutAnother(work.request, charged, record))
        return otherDetails(work, at);
    if (const std::optional<Answer> answer = struck(work, at))
        return *answer;
    // Only where the key's record was lost: the money went back already, and it goes back once.
    const std::optional<Movement> reversed =
        charged ? at.store.reversalOf(charged->chargeId) : std::optional<Movement>();
    if (charged && !reversed && !hasRoomFor(*charged, at)) {
        at.tell("rolled_back", work);
        return answers::rolledBack(work.name.key);
    }

    work.mark = {charged    ? VoidResult::Reversed
                 : declined ? VoidResult::NotCharged
                            : VoidResult::Prevented,
                 reversed ? reversed->atMs : at.nowMs, work.request.orderId, work.request.amountMinor,
                 work.request.currency};
    // The first write of all: unless the key is still as it was found, nothing that follows may happen.
    if (!writeMark(work, record, at) || (!sent && !remember(work, at)))
        return ResolveAnew{};
    if (reversed) {
        at.tell("void_replayed", work, resultFact(work.mark.result));
        return answers::voidedBefore(work.original.key, work.mark);
    }
    if (charged && !giveBack(work, *charged, at))
        return ResolveAnew{};
    work.made = true;
    QJsonObject facts = resultFact(work.mark.result);
    if (charged) {
        facts.insert(QStringLiteral("charge_id"), QString::fromUtf8(charged->chargeId));
        facts.insert(QStringLiteral("source"), charged->details.source);
    }
    at.tell("voided", work, facts);
    return answers::voided(work.original.key, work.mark);
}

std::optional<Answer> readBack(VoidWork &work, Step &at)
{
    const std::optional<VoidKey> sent = at.store.voidKey(work.name);
    if (sent && sent->fingerprint != work.request.fingerprint) {
        at.tell("void_mismatch", work);
        return answers::voidKeyMismatch(work.name.key);
    }
    const std::optional<KeyRecord> record = at.store.key(work.original);
    if (!record || record->state != KeyState::Voided) {
        // Nothing was stored, but what is wrong with it is as wrong as before.
        if (isAboutAnother(work.request, at.store.chargeUnder(work.original), record))
            return otherDetails(work, at);
        return std::nullopt;
    }
    const VoidMark &mark = record->mark;
    if (!isAbout(work.request, mark.orderId, mark.amountMinor, mark.currency))
        return otherDetails(work, at);
    if (sent && work.made && mark == work.mark) {
        // The commit was durable although it reported failure.
        at.tell("voided", work, resultFact(mark.result));
        return answers::voided(work.original.key, mark);
    }
    at.tell("void_replayed", work, resultFact(mark.result));
    return answers::voidedBefore(work.original.key, mark);
}

} // namespace mockbank::voiding
