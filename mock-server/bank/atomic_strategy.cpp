#include "mock-server/bank/atomic_strategy.h"

#include "mock-server/bank/answers.h"
#include "mock-server/bank/charging.h"
#include "mock-server/bank/key_look_up.h"
#include "mock-server/bank/retention.h"
#include "mock-server/bank/voiding.h"

#include <algorithm>

namespace mockbank {

namespace {

/// A lesson: what is known of a key is not told, but judged anew.
bool runsAgain(const Verdict &verdict, const QByteArray &fingerprint, const ChargeWork &work, const Step &at)
{
    if (fingerprint != work.request.fingerprint)
        return false;
    if (verdict.expiresAtMs <= at.nowMs)
        return at.settings.rerunExpired;
    return at.settings.recheckDeclines && verdict.status == 402;
}

/// A lesson: the failure is kept like an answer.
Verdict failureVerdict(const Verdict &judged, const QByteArray &key)
{
    Verdict verdict = judged;
    const Answer answer = answers::keptFailure(key);
    verdict.status = answer.status;
    verdict.body = answer.body;
    verdict.declineCode = "internal_error";
    return verdict;
}

} // namespace

StepOutcome AtomicStrategy::step(ChargeWork &work, Step &at)
{
    switch (work.step) {
    case Claiming:
        return claim(work, at);
    case Charging:
        return charge(work, at);
    default:
        return chargeAgain(work, at);
    }
}

StepOutcome AtomicStrategy::claim(ChargeWork &work, Step &at)
{
    work.chargeId.clear();
    strikeKey(work, at);
    const std::optional<KeyRecord> record = at.store.key(work.name);
    if (record && record->state == KeyState::Finished)
        return answerOrRunAgain(record->verdict, record->claim.fingerprint, work, at);
    if (record && record->state == KeyState::Voided)
        return key_look_up::toChargeOfVoided(record->mark, work, at);
    if (record && key_look_up::lives(record->claim, at)) {
        if (record->claim.fingerprint != work.request.fingerprint) {
            at.tell("mismatch", work);
            return answers::mismatch(work.name.key, at.settings.mismatchStatus);
        }
        at.tell("in_progress", work);
        return answers::inProgress(work.name.key, key_look_up::retryAfterMs(record->claim, at));
    }
    // No record, or a lapsed claim: only the ledger can say whether money moved.
    if (const std::optional<Movement> charged = at.store.chargeUnder(work.name)) {
        if (key_look_up::changedSince(record, work.name, at))
            return ResolveAnew{};
        Verdict verdict = key_look_up::ledgerVerdict(*charged, at);
        if (record) {
            // Left behind, not swept: as old as the charge is.
            verdict.expiresAtMs = charged->atMs + at.settings.keyTtlMs;
            if (at.store.deleteClaim(record->claim))
                at.tell("claim_deleted", work);
        }
        return answerOrRunAgain(verdict, charged->fingerprint, work, at);
    }
    return claimAnew(record ? &record->claim : nullptr, work, at);
}

StepOutcome AtomicStrategy::answerOrRunAgain(const Verdict &verdict, const QByteArray &fingerprint, ChargeWork &work,
                                             Step &at)
{
    if (!runsAgain(verdict, fingerprint, work, at))
        return key_look_up::toCharge(verdict, fingerprint, work, at);
    if (at.runningForMs.contains(work.name)) {
        at.tell("in_progress", work);
        return answers::inProgress(work.name.key, at.runningForMs.value(work.name));
    }
    at.tell("run_again", work);
    work.step = ChargingAgain;
    return NextStep{.mayJoin = true};
}

/// Without a claim: a finished key cannot be claimed. The account's lock puts all who are at it in a row, and each
/// looks anew at what the one before it has left.
StepOutcome AtomicStrategy::chargeAgain(ChargeWork &work, Step &at)
{
    if (work.arrival.fault == LedgerFault::CrashBeforeCommit)
        return answers::crashed();
    (void)at.store.lockAccount(work.request.details.source);
    const std::optional<KeyRecord> record = at.store.key(work.name);
    const std::optional<Movement> charged = at.store.chargeUnder(work.name);
    const bool runs =
        record ? record->state == KeyState::Finished && runsAgain(record->verdict, record->claim.fingerprint, work, at)
               : charged && runsAgain(key_look_up::ledgerVerdict(*charged, at), charged->fingerprint, work, at);
    if (!runs)
        return ResolveAnew{};

    const Verdict verdict = judge(work, at);
    const bool approved = verdict.declineCode.isEmpty();
    at.store.savepoint();
    // The guard lets only the first charge of a key through, and this may be its second.
    if (approved)
        at.store.addOutboxEvent(moveMoney(work, verdict, charged ? Guard::None : Guard::Claim, at));
    if (work.arrival.fault == LedgerFault::FailBeforeCommit) {
        at.store.rollbackToSavepoint();
        work.chargeId.clear();
        at.tell("rolled_back", work);
        return answers::rolledBack(work.name.key);
    }
    at.store.releaseSavepoint();
    (void)at.store.putAnswer(work.name, work.request.fingerprint, verdict);
    at.tell(approved ? "committed" : "declined", work);
    return answers::first(verdict);
}

/// What a fault does to the key before the arrival is looked at.
void AtomicStrategy::strikeKey(ChargeWork &work, Step &at)
{
    if (work.waited)
        return;
    if (work.arrival.fault == LedgerFault::ExpireKey) {
        if (at.store.expireAnswer(work.name, at.nowMs))
            (void)retention::sweepAnswers(at);
    } else if (work.arrival.fault == LedgerFault::Busy && !at.store.key(work.name) &&
               !at.store.chargeUnder(work.name)) {
        Claim ghost;
        ghost.name = work.name;
        ghost.owner = {at.settings.self.instance, "ghost"};
        ghost.leaseUntilMs = at.nowMs + std::max<qint64>(work.arrival.faultMs, 1);
        ghost.fingerprint = work.request.fingerprint;
        ghost.claimedAtMs = at.nowMs;
        if (at.store.addClaim(ghost))
            at.ghosts.append({ghost, std::max<qint64>(work.arrival.faultMs, 1)});
    }
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
        if (at.settings.cache5xx && at.store.finishClaim(work.claim, failureVerdict(verdict, work.name.key)))
            return answers::keptFailure(work.name.key);
        if (at.store.deleteClaim(work.claim))
            at.tell("claim_deleted", work);
        return answers::rolledBack(work.name.key);
    }
    at.store.releaseSavepoint();
    at.tell(verdict.declineCode.isEmpty() ? "committed" : "declined", work);
    return answers::first(verdict);
}

/// The claim is ours and alive, but the ledger has a charge already: its answer takes the claim's place, so that a new
/// look finds it, and not the key in progress.
StepOutcome AtomicStrategy::letGo(const ChargeWork &work, Step &at)
{
    const std::optional<Movement> charged = at.store.chargeUnder(work.name);
    if (charged && charged->fingerprint == work.claim.fingerprint) {
        Verdict verdict = answers::verdictOf(*charged);
        verdict.expiresAtMs = charged->atMs + at.settings.keyTtlMs;
        verdict.body = answers::chargeBody(work.name.key, verdict);
        (void)at.store.finishClaim(work.claim, verdict);
    } else {
        (void)at.store.deleteClaim(work.claim);
    }
    return ResolveAnew{.keepWrites = true};
}

StepOutcome AtomicStrategy::voidCharge(VoidWork &work, Step &at)
{
    return voiding::voidCharge(work, at);
}

Answer AtomicStrategy::inquire(const InquiryArrival &arrival, const ScopedKey &name, Step &at)
{
    return key_look_up::toInquiry(arrival, name, at);
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
        const bool ownClaim = work.step == Charging && record->claim.owner == at.settings.self;
        if (!work.chargeId.isEmpty() && record->verdict.chargeId == work.chargeId &&
            (ownClaim || work.step == ChargingAgain)) {
            at.tell(record->verdict.declineCode.isEmpty() ? "committed" : "declined", work);
            return answers::first(record->verdict);
        }
        return key_look_up::toCharge(record->verdict, record->claim.fingerprint, work, at);
    }
    if (record && record->state == KeyState::Voided)
        return key_look_up::toChargeOfVoided(record->mark, work, at);
    if (record) {
        if (record->claim.owner == at.settings.self && record->claim.fingerprint == work.request.fingerprint &&
            work.step == Charging && at.store.deleteClaim(work.claim)) {
            work.chargeId.clear();
            at.tell("claim_deleted", work);
        }
        return std::nullopt;
    }
    if (const std::optional<Movement> charged = at.store.chargeUnder(work.name))
        return key_look_up::toCharge(key_look_up::ledgerVerdict(*charged, at), charged->fingerprint, work, at);
    return std::nullopt;
}

std::optional<Answer> AtomicStrategy::readBackVoid(VoidWork &work, Step &at)
{
    return voiding::readBack(work, at);
}

} // namespace mockbank
