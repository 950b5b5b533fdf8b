#include "mock-server/bank/check_then_act_strategy.h"

#include "mock-server/bank/answers.h"
#include "mock-server/bank/charging.h"
#include "mock-server/bank/key_look_up.h"
#include "mock-server/bank/retention.h"
#include "mock-server/bank/voiding.h"

namespace mockbank {

StepOutcome CheckThenActStrategy::step(ChargeWork &work, Step &at)
{
    switch (work.step) {
    case Checking:
        return check(work, at);
    case Acting:
        return act(work, at);
    default:
        return remember(work, at);
    }
}

StepOutcome CheckThenActStrategy::check(ChargeWork &work, Step &at)
{
    if (work.arrival.fault == LedgerFault::ExpireKey && at.store.expireAnswer(work.name, at.nowMs))
        (void)retention::sweepAnswers(at);
    const std::optional<KeyRecord> record = at.store.key(work.name);
    if (record && record->state == KeyState::Voided)
        return key_look_up::toChargeOfVoided(record->mark, work, at);
    // What is past its time is forgotten, as if it had been cleaned away already.
    if (record && record->state == KeyState::Finished && record->verdict.expiresAtMs > at.nowMs) {
        work.chargeId = record->verdict.chargeId;
        at.tell("replayed", work);
        return answers::replay(work.name.key, record->verdict);
    }
    work.step = Acting;
    return NextStep{};
}

StepOutcome CheckThenActStrategy::act(ChargeWork &work, Step &at)
{
    if (work.arrival.fault == LedgerFault::CrashBeforeCommit)
        return answers::crashed();
    at.store.savepoint();
    work.verdict = judge(work, at);
    const bool approved = work.verdict.declineCode.isEmpty();
    if (approved)
        work.event = moveMoney(work, work.verdict, Guard::None, at);
    if (work.arrival.fault == LedgerFault::FailBeforeCommit) {
        at.store.rollbackToSavepoint();
        work.chargeId.clear();
        at.tell("rolled_back", work);
        return answers::rolledBack(work.name.key);
    }
    at.store.releaseSavepoint();
    at.tell(approved ? "committed" : "declined", work);
    work.step = Remembering;
    return NextStep{.pause = Pause::Commit};
}

StepOutcome CheckThenActStrategy::remember(ChargeWork &work, Step &at)
{
    if (work.arrival.fault == LedgerFault::CrashHalfWay)
        return answers::crashed(work.verdict);
    work.step = Answered;
    if (work.event)
        at.publish(*work.event);
    (void)at.store.putAnswer(work.name, work.request.fingerprint, work.verdict);
    return answers::first(work.verdict);
}

Answer CheckThenActStrategy::inquire(const InquiryArrival &arrival, const ScopedKey &name, Step &at)
{
    return inquireUnguarded(arrival, name, at);
}

StepOutcome CheckThenActStrategy::voidCharge(VoidWork &work, Step &at)
{
    return voidUnguarded(work, at);
}

std::optional<Answer> CheckThenActStrategy::readBackVoid(VoidWork &work, Step &at)
{
    return voiding::readBack(work, at);
}

std::optional<Answer> CheckThenActStrategy::readBack(ChargeWork &work, Step &at)
{
    // Once the charge was committed only the record can be missing.
    std::optional<Answer> answer =
        work.step == Answered ? std::optional(answers::first(work.verdict)) : committedAfterAll(work, at);
    if (answer)
        (void)at.store.putAnswer(work.name, work.request.fingerprint, work.verdict);
    return answer;
}

} // namespace mockbank
