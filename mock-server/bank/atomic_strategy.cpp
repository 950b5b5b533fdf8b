#include "mock-server/bank/atomic_strategy.h"

#include "mock-server/bank/answers.h"
#include "mock-server/bank/key_look_up.h"
#include "mock-server/bank/retention.h"
#include "mock-server/bank/voiding.h"

#include <algorithm>

namespace mockbank {

namespace {

enum AtomicStep { Claiming, Charging };

/// Why the bank says no; empty where it does not.
QByteArray declineCode(const std::optional<Account> &account, qint64 amountMinor)
{
    if (!account)
        return "no_such_account";
    if (account->declining)
        return "declined";
    if (account->balanceMinor < amountMinor)
        return "insufficient_funds";
    return {};
}

void moveMoney(const ChargeWork &work, const Verdict &verdict, Step &at)
{
    const ChargeDetails &details = work.request.details;
    // Cannot happen while the account is locked. If it does, nothing of this batch may stand.
    if (!at.store.debit(details.source, details.amountMinor))
        throw StoreError(QStringLiteral("account %1 changed while it was locked").arg(details.source));
    Movement movement;
    movement.chargeId = verdict.chargeId;
    movement.name = work.name;
    movement.fingerprint = work.request.fingerprint;
    movement.details = details;
    movement.balanceMinor = verdict.balanceMinor;
    movement.atMs = at.nowMs;
    OutboxEvent event;
    event.movementId = at.store.addMovement(movement);
    event.topic = "charge.approved";
    event.payload = verdict.body;
    event.createdAtMs = at.nowMs;
    event.orderId = details.orderId;
    at.store.addOutboxEvent(event);
}

} // namespace

StepOutcome AtomicStrategy::step(ChargeWork &work, Step &at)
{
    return work.step == Claiming ? claim(work, at) : charge(work, at);
}

StepOutcome AtomicStrategy::claim(ChargeWork &work, Step &at)
{
    work.chargeId.clear();
    strikeKey(work, at);
    const std::optional<KeyRecord> record = at.store.key(work.name);
    if (record && record->state == KeyState::Finished)
        return key_look_up::toCharge(record->verdict, record->claim.fingerprint, work, at);
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
        return key_look_up::toCharge(verdict, charged->fingerprint, work, at);
    }
    return claimAnew(record ? &record->claim : nullptr, work, at);
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

    const std::optional<Account> account = at.store.lockAccount(work.request.details.source);
    Verdict verdict;
    verdict.chargeId = work.chargeId = at.ids.make("ch_");
    verdict.details = work.request.details;
    verdict.declineCode = declineCode(account, verdict.details.amountMinor);
    verdict.status = verdict.declineCode.isEmpty() ? 201 : 402;
    verdict.balanceMinor = account ? account->balanceMinor : 0;
    if (verdict.declineCode.isEmpty())
        verdict.balanceMinor -= verdict.details.amountMinor;
    verdict.answeredAtMs = at.nowMs;
    verdict.expiresAtMs = at.nowMs + at.settings.keyTtlMs;
    verdict.body = answers::chargeBody(work.name.key, verdict);

    at.store.savepoint();
    // The first write of all: unless the claim is still ours, nothing that follows may happen.
    if (!at.store.finishClaim(work.claim, verdict)) {
        at.store.rollbackToSavepoint();
        return ResolveAnew{};
    }
    try {
        if (verdict.declineCode.isEmpty())
            moveMoney(work, verdict, at);
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
        if (!work.chargeId.isEmpty() && record->verdict.chargeId == work.chargeId && work.step == Charging &&
            record->claim.owner == at.settings.self) {
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
