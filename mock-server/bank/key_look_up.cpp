#include "mock-server/bank/key_look_up.h"

#include "mock-server/bank/answers.h"

namespace mockbank::key_look_up {

namespace {

/// What the ledger says of an answer that is no longer kept.
QByteArray ledgerWord(const Verdict &verdict, const Step &at)
{
    if (!verdict.declineCode.isEmpty())
        return "declined";
    return at.store.reversalOf(verdict.chargeId) ? "reversed" : "charged";
}

} // namespace

bool lives(const Claim &claim, const Step &at)
{
    // A claim that is being worked on right here lives, whatever a clock that was moved by hand says of its lease.
    if (claim.owner == at.settings.self && at.runningForMs.contains(claim.name))
        return true;
    // One that was made in the future is from a clock that was set back since: without this a crash at that time would
    // keep its key busy until then.
    return claim.leaseUntilMs > at.nowMs && claim.claimedAtMs <= at.nowMs + at.settings.leaseMs;
}

bool changedSince(const std::optional<KeyRecord> &record, const ScopedKey &name, Step &at)
{
    const std::optional<KeyRecord> now = at.store.key(name);
    if (!now || !record)
        return now.has_value() != record.has_value();
    return now->state != record->state || now->claim.owner != record->claim.owner ||
           now->claim.epoch != record->claim.epoch;
}

qint64 retryAfterMs(const Claim &claim, const Step &at)
{
    const auto running = at.runningForMs.constFind(claim.name);
    if (claim.owner == at.settings.self && running != at.runningForMs.cend())
        return *running;
    return claim.leaseUntilMs - at.nowMs;
}

Answer toCharge(const Verdict &verdict, const QByteArray &fingerprint, ChargeWork &work, Step &at)
{
    // Before anything else: what is said of another payment must never be taken for this one.
    if (fingerprint != work.request.fingerprint) {
        at.tell("mismatch", work);
        return answers::mismatch(work.name.key, at.settings.mismatchStatus);
    }
    work.chargeId = verdict.chargeId;
    if (verdict.expiresAtMs <= at.nowMs) {
        const QByteArray ledger = ledgerWord(verdict, at);
        at.tell("expired", work, {{QStringLiteral("ledger"), QString::fromLatin1(ledger)}});
        return answers::expired(work.name.key, ledger);
    }
    at.tell("replayed", work);
    return answers::replay(work.name.key, verdict);
}

Answer toChargeOfVoided(const VoidMark &mark, ChargeWork &work, Step &at)
{
    const ChargeDetails &details = work.request.details;
    if (mark.orderId != details.orderId || mark.amountMinor != details.amountMinor ||
        mark.currency != details.currency) {
        at.tell("mismatch", work);
        return answers::mismatch(work.name.key, at.settings.mismatchStatus);
    }
    at.tell("key_voided", work, {{QStringLiteral("result"), QString::fromLatin1(answers::voidWord(mark.result))}});
    return answers::keyVoided(work.name.key, mark);
}

Verdict ledgerVerdict(const Movement &charge, const Step &at)
{
    Verdict verdict = answers::verdictOf(charge);
    verdict.expiresAtMs = charge.guarded ? at.nowMs : charge.atMs + at.settings.keyTtlMs;
    return verdict;
}

Answer toInquiry(const InquiryArrival &arrival, const ScopedKey &name, Step &at)
{
    const std::optional<KeyRecord> record = at.store.key(name);
    if (record && record->state == KeyState::Finished && record->verdict.status >= 500)
        return answers::neverSeen(name.key); // a failure that a lesson keeps is no charge
    if (record && record->state == KeyState::Finished)
        return answers::stored(name.key, record->verdict);
    if (record && record->state == KeyState::Voided)
        return answers::inquiryOfVoided(name.key, record->mark);
    if (record && lives(record->claim, at))
        return answers::stillRunning(name.key, retryAfterMs(record->claim, at));
    const std::optional<Movement> charged = at.store.chargeUnder(name);
    if ((record || charged) && changedSince(record, name, at))
        return toInquiry(arrival, name, at);
    // What nobody works on any more is deleted: an inquiry never moves money.
    if (record && at.store.deleteClaim(record->claim)) {
        at.events.append({"claim_deleted", arrival.arrivalId,
                          QJsonObject{{QStringLiteral("idempotency_key"), QString::fromUtf8(name.key)}}});
    }
    if (charged)
        return answers::stored(name.key, answers::verdictOf(*charged));
    return answers::neverSeen(name.key);
}

} // namespace mockbank::key_look_up
