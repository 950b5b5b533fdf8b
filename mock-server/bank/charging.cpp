#include "mock-server/bank/charging.h"

#include "mock-server/bank/answers.h"
#include "mock-server/bank/key_look_up.h"
#include "mock-server/bank/voiding.h"

namespace mockbank {

namespace {

/// Why the bank says no; empty where it does not. `asked` is what somebody wants it to say of an account it has.
QByteArray declineCode(const std::optional<Account> &account, qint64 amountMinor, const QByteArray &asked)
{
    if (!account)
        return "no_such_account";
    if (!asked.isEmpty())
        return asked;
    if (account->declining)
        return "declined";
    if (account->balanceMinor < amountMinor)
        return "insufficient_funds";
    return {};
}

} // namespace

Verdict judge(ChargeWork &work, Step &at)
{
    const std::optional<Account> account = at.store.lockAccount(work.request.details.source);
    Verdict verdict;
    verdict.chargeId = work.chargeId = at.ids.make("ch_");
    verdict.details = work.request.details;
    verdict.declineCode = declineCode(account, verdict.details.amountMinor, work.arrival.declineAs);
    verdict.status = verdict.declineCode.isEmpty() ? 201 : 402;
    verdict.balanceMinor = account ? account->balanceMinor : 0;
    if (verdict.declineCode.isEmpty())
        verdict.balanceMinor -= verdict.details.amountMinor;
    verdict.answeredAtMs = at.nowMs;
    verdict.expiresAtMs = at.nowMs + at.settings.keyTtlMs;
    verdict.body = answers::chargeBody(work.name.key, verdict);
    return verdict;
}

OutboxEvent moveMoney(const ChargeWork &work, const Verdict &verdict, Guard guard, Step &at)
{
    const ChargeDetails &details = work.request.details;
    // Cannot happen while the account is locked. If it does, nothing of this batch may stand.
    if (!at.store.debit(details.source, details.amountMinor))
        throw StoreError(QStringLiteral("account %1 changed while it was locked").arg(details.source));
    Movement movement;
    movement.chargeId = verdict.chargeId;
    movement.name = work.name;
    movement.guarded = guard == Guard::Claim;
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
    return event;
}

std::optional<Answer> committedAfterAll(ChargeWork &work, Step &at)
{
    if (work.chargeId.isEmpty() || !at.store.chargeById(work.chargeId))
        return std::nullopt;
    at.tell("committed", work);
    return answers::first(work.verdict);
}

namespace {

bool isWorkedOn(const ScopedKey &name, const Step &at)
{
    return at.runningForMs.contains(name) && !at.store.key(name) && !at.store.chargeUnder(name);
}

} // namespace

Answer inquireUnguarded(const InquiryArrival &arrival, const ScopedKey &name, Step &at)
{
    if (isWorkedOn(name, at))
        return answers::stillRunning(name.key, at.runningForMs.value(name));
    return key_look_up::toInquiry(arrival, name, at);
}

StepOutcome voidUnguarded(VoidWork &work, Step &at)
{
    if (!isWorkedOn(work.original, at))
        return voiding::voidCharge(work, at);
    at.tell("void_in_progress", work);
    return answers::originalInProgress(work.name.key, work.original.key, at.runningForMs.value(work.original));
}

} // namespace mockbank
