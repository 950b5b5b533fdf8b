#include "mock-server/bank/naive_strategy.h"

#include "mock-server/bank/answers.h"
#include "mock-server/bank/charging.h"

namespace mockbank {

StepOutcome NaiveStrategy::step(ChargeWork &work, Step &at)
{
    switch (work.step) {
    case Arriving:
        work.step = Charging;
        // Nothing is known or written before the charge, so nobody can tell the two apart.
        return NextStep{.mayJoin = true};
    case Charging:
        return charge(work, at);
    default:
        return answers::crashed(work.verdict);
    }
}

StepOutcome NaiveStrategy::charge(ChargeWork &work, Step &at)
{
    at.store.savepoint();
    work.verdict = judge(work, at);
    const bool approved = work.verdict.declineCode.isEmpty();
    // In the middle of the transaction: whoever hears of it cannot know whether the commit will follow.
    if (approved)
        at.publish(moveMoney(work, work.verdict, Guard::None, at));
    const LedgerFault fault = work.arrival.fault;
    if (fault == LedgerFault::FailBeforeCommit || fault == LedgerFault::CrashBeforeCommit) {
        at.store.rollbackToSavepoint();
        work.chargeId.clear();
        if (fault == LedgerFault::CrashBeforeCommit)
            return answers::crashed();
        at.tell("rolled_back", work);
        return answers::rolledBack(work.name.key);
    }
    at.store.releaseSavepoint();
    at.tell(approved ? "committed" : "declined", work);
    if (fault == LedgerFault::CrashHalfWay) {
        work.step = Dying;
        return NextStep{.pause = Pause::Commit};
    }
    return answers::first(work.verdict);
}

Answer NaiveStrategy::inquire(const InquiryArrival &, const ScopedKey &name, Step &)
{
    return answers::notImplemented(
        name.key, QStringLiteral("this strategy remembers no keys, so it cannot tell what was charged under one"));
}

std::optional<Answer> NaiveStrategy::readBack(ChargeWork &work, Step &at)
{
    return committedAfterAll(work, at);
}

} // namespace mockbank
