#include "mock-server/bank/atomic_strategy.h"

#include "mock-server/bank/answers.h"
#include "mock-server/bank/charging.h"

#include <algorithm>

namespace mockbank {

namespace {

enum AtomicStep { Claiming, Charging };

bool lives(const Claim &claim, const Step &at)
{
    // A claim that is being worked on right here lives, whatever a clock that was moved by hand says of its lease.
    return claim.leaseUntilMs > at.nowMs || (claim.owner == at.settings.self && at.runningForMs.contains(claim.name));
}

qint64 retryAfterMs(const Claim &claim, const Step &at)
{
    const auto running = at.runningForMs.constFind(claim.name);
    if (claim.owner == at.settings.self && running != at.runningForMs.cend())
        return *running;
    return claim.leaseUntilMs - at.nowMs;
}

/// A finished key, or one that only the ledger knows.
Answer answerFrom(const Verdict &verdict, const QByteArray &fingerprint, ChargeWork &work, Step &at)
{
    // Before anything else: what is said of another payment must never be taken for this one.
    if (fingerprint != work.request.fingerprint) {
        at.tell("mismatch", work);
        return answers::mismatch(work.name.key, at.settings.mismatchStatus);
    }
    work.chargeId = verdict.chargeId;
    if (verdict.expiresAtMs <= at.nowMs) {
        at.tell("expired", work);
        return answers::expired(work.name.key, verdict.declineCode.isEmpty() ? "charged" : "declined");
    }
    at.tell("replayed", work);
    return answers::replay(work.name.key, verdict);
}

Verdict ledgerVerdict(const Movement &charge, const Step &at)
{
    Verdict verdict = answers::verdictOf(charge);
    verdict.expiresAtMs = charge.atMs + at.settings.keyTtlMs;
    return verdict;
}

} // namespace

StepOutcome AtomicStrategy::step(ChargeWork &work, Step &at)
{
    return work.step == Claiming ? claim(work, at) : charge(work, at);
}

StepOutcome AtomicStrategy::claim(ChargeWork &work, Step &at)
{
    work.chargeId.clear();
    const std::optional<KeyRecord> record = at.store.key(work.name);
    if (record && record->state == KeyState::Finished)
        return answerFrom(record->verdict, record->claim.fingerprint, work, at);
    if (record && lives(record->claim, at)) {
        if (record->claim.fingerprint != work.request.fingerprint) {
            at.tell("mismatch", work);
            return answers::mismatch(work.name.key, at.settings.mismatchStatus);
        }
        at.tell("in_progress", work);
        return answers::inProgress(work.name.key, retryAfterMs(record->claim, at));
    }
    // No record, or a lapsed claim: only the ledger can say whether money moved.
    if (const std::optional<Movement> charged = at.store.chargeUnder(work.name)) {
        if (record && at.store.deleteClaim(record->claim))
            at.tell("claim_deleted", work);
        return answerFrom(ledgerVerdict(*charged, at), charged->fingerprint, work, at);
    }
    return claimAnew(record ? &record->claim : nullptr, work, at);
}

StepOutcome AtomicStrategy::claimAnew(const Claim *lapsed, ChargeWork &work, Step &at)
{
    Claim claim;
    claim.name = work.name;
    claim.owner = at.settings.self;
    claim.epoch = lapsed ? lapsed->epoch + 1 : 1;
    claim.leaseUntilMs = at.nowMs + at.settings.leaseMs;
    claim.fingerprint = work.request.fingerprint;
    claim.claimedAtMs = at.nowMs;
    if (lapsed ? !at.store.takeOverClaim(*lapsed, claim) : !at.store.addClaim(claim))
        return ResolveAnew{};
    at.tell(lapsed ? "claim_taken_over" : "claimed", work);
    work.claim = claim;
    work.step = Charging;
    // Joined, the claim is born and finished in one transaction: nobody can see it in between, and a crash leaves
    // either the whole charge or nothing, each of which the two transactions could have left too.
    return NextStep{.mayJoin = true};
}

StepOutcome AtomicStrategy::charge(ChargeWork &work, Step &at)
{
    if (work.arrival.fault == LedgerFault::CrashBeforeCommit)
        return answers::crashed();
    // Any charge in the ledger counts, also one that another strategy wrote meanwhile.
    if (work.waited && at.store.chargeUnder(work.name))
        return letGo(work, at);

    const Verdict verdict = judge(work, at);
    at.store.savepoint();
    // The first write of all: unless the claim is still ours, nothing that follows may happen.
    if (!at.store.finishClaim(work.claim, verdict)) {
        at.store.rollbackToSavepoint();
        return ResolveAnew{};
    }
    try {
        if (verdict.declineCode.isEmpty())
            at.store.addOutboxEvent(moveMoney(work, verdict, Guard::Claim, at));
    } catch (const StoreConflict &) {
        // The last guard knows a charge under this key that the look-ups did not find.
        at.store.rollbackToSavepoint();
        return letGo(work, at);
    }
    if (work.arrival.fault == LedgerFault::FailBeforeCommit) {
        at.store.rollbackToSavepoint();
        work.chargeId.clear();
        at.tell("rolled_back", work);
        if (at.store.deleteClaim(work.claim))
            at.tell("claim_deleted", work);
        return answers::rolledBack(work.name.key);
    }
    at.store.releaseSavepoint();
    at.tell(verdict.declineCode.isEmpty() ? "committed" : "declined", work);
    return answers::first(verdict);
}

/// The claim is ours and alive, but the ledger has a charge already: a new look must not find the key in progress.
StepOutcome AtomicStrategy::letGo(const ChargeWork &work, Step &at)
{
    (void)at.store.deleteClaim(work.claim);
    return ResolveAnew{.keepWrites = true};
}

Answer AtomicStrategy::inquire(const InquiryArrival &arrival, const ScopedKey &name, Step &at)
{
    const std::optional<KeyRecord> record = at.store.key(name);
    if (record && record->state == KeyState::Finished)
        return answers::stored(name.key, record->verdict);
    if (record && lives(record->claim, at))
        return answers::stillRunning(name.key, retryAfterMs(record->claim, at));
    // What nobody works on any more is deleted: an inquiry never moves money.
    if (record && at.store.deleteClaim(record->claim)) {
        at.events.append({"claim_deleted", arrival.arrivalId,
                          QJsonObject{{QStringLiteral("idempotency_key"), QString::fromUtf8(name.key)}}});
    }
    if (const std::optional<Movement> charged = at.store.chargeUnder(name))
        return answers::stored(name.key, answers::verdictOf(*charged));
    return answers::neverSeen(name.key);
}

void AtomicStrategy::renew(ChargeWork &work, Step &at)
{
    // Where it fails the claim is gone, and the guard of the charging step will say so.
    const qint64 leaseUntilMs = at.nowMs + at.settings.leaseMs;
    if (at.store.renewClaim(work.claim, leaseUntilMs))
        work.claim.leaseUntilMs = leaseUntilMs;
}

std::optional<Answer> AtomicStrategy::readBack(ChargeWork &work, Step &at)
{
    const std::optional<KeyRecord> record = at.store.key(work.name);
    if (record && record->state == KeyState::Finished) {
        // The commit was durable although it reported failure: if the charge is this arrival's own, so is the answer.
        if (!work.chargeId.isEmpty() && record->verdict.chargeId == work.chargeId && work.step == Charging &&
            record->claim.owner == at.settings.self) {
            at.tell(record->verdict.declineCode.isEmpty() ? "committed" : "declined", work);
            return answers::first(record->verdict);
        }
        return answerFrom(record->verdict, record->claim.fingerprint, work, at);
    }
    if (record && record->claim.owner == at.settings.self && record->claim.fingerprint == work.request.fingerprint &&
        work.step == Charging && at.store.deleteClaim(work.claim)) {
        work.chargeId.clear();
        at.tell("claim_deleted", work);
    }
    return std::nullopt;
}

} // namespace mockbank
