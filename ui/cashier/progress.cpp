#include "ui/cashier/progress.h"

#include "ui/cashier/outcome_words.h"

#include <QtCore/QCoreApplication>

#include <algorithm>

namespace ikkai {

namespace {

struct ProgressWords {
    Q_DECLARE_TR_FUNCTIONS(ProgressWords)

public:
    /// "Try 2 of 5"; past the counted ones (the bank is still working) only "Try 7".
    static QString tryOf(const Checkout &checkout, int attempt)
    {
        const int n = attempt - checkout.run.firstAttempt + 1;
        return n <= checkout.policy.maxAttempts ? tr("Try %1 of %2").arg(n).arg(checkout.policy.maxAttempts)
                                                : tr("Try %1").arg(n);
    }
    static QString sentence(const Checkout &checkout, int attempt, state::Waiting::Why why)
    {
        const QString name = tryOf(checkout, attempt);
        switch (why) {
        case state::Waiting::Why::NotSent:
            return tr("%1 could not be sent").arg(name);
        case state::Waiting::Why::NoAnswer:
            return tr("%1 got no answer").arg(name);
        case state::Waiting::Why::ServerTrouble:
            return tr("%1: the bank has trouble").arg(name);
        case state::Waiting::Why::StillProcessing:
            return tr("%1: the bank is still working").arg(name);
        }
        return name;
    }
};

qint64 limitOf(const Checkout &checkout)
{
    const RetryPolicy &policy = checkout.policy;
    if (!checkout.run.firstConflictMonotonicMs)
        return policy.budgetMs;
    const qint64 sinceConflict = *checkout.run.firstConflictMonotonicMs - checkout.run.startedMonotonicMs;
    return std::min(policy.ceilingMs, sinceConflict + policy.conflictBudgetMs);
}

AttemptTrack::Block::Kind kindOf(const AttemptRecord &attempt)
{
    using Kind = AttemptTrack::Block::Kind;
    if (!attempt.verdict)
        return Kind::Running;
    if (std::holds_alternative<verdict::NotSent>(*attempt.verdict))
        return Kind::NotSent;
    if (std::holds_alternative<verdict::StillProcessing>(*attempt.verdict))
        return Kind::Busy;
    return Kind::Silent;
}

} // namespace

Progress progressOf(const Checkout &checkout, const Stamp &now)
{
    Progress progress;
    const qint64 begin = checkout.run.startedMonotonicMs;
    const qint64 deadlineMs = checkout.policy.attemptDeadlineMs;
    progress.elapsedMs = std::max<qint64>(0, now.monotonicMs - begin);
    progress.limitMs = limitOf(checkout);
    progress.run.limitMs = progress.limitMs;
    progress.run.nowMs = progress.elapsedMs;

    for (const AttemptRecord &attempt : checkout.attempts) {
        if (attempt.number < checkout.run.firstAttempt)
            continue;
        const qint64 from = attempt.startedAt.monotonicMs - begin;
        const qint64 length = attempt.verdict ? attempt.elapsedMs : deadlineMs;
        progress.run.blocks.push_back(
            {attempt.number - checkout.run.firstAttempt + 1, from, from + length, kindOf(attempt)});
    }

    if (const auto *waiting = std::get_if<state::Waiting>(&checkout.state)) {
        const qint64 at = waiting->untilMonotonicMs - begin;
        progress.run.blocks.push_back({waiting->nextAttempt - checkout.run.firstAttempt + 1, at, at + deadlineMs,
                                       AttemptTrack::Block::Kind::Next});
        progress.text = ProgressWords::sentence(checkout, waiting->nextAttempt - 1, waiting->why);
        progress.countdown = ProgressWords::tr("next try in");
        progress.seconds = ProgressWords::tr("%1 s").arg(secondsText(waiting->untilMonotonicMs - now.monotonicMs));
        progress.run.value = ProgressWords::tryOf(checkout, waiting->nextAttempt - 1);
    } else if (const auto *sending = std::get_if<state::Sending>(&checkout.state)) {
        qint64 dueMs = now.monotonicMs;
        if (!checkout.attempts.empty())
            dueMs = checkout.attempts.back().startedAt.monotonicMs + deadlineMs;
        progress.text = ProgressWords::tr("%1 is under way").arg(ProgressWords::tryOf(checkout, sending->attempt));
        progress.countdown = ProgressWords::tr("an answer is due in");
        progress.seconds = ProgressWords::tr("%1 s").arg(secondsText(dueMs - now.monotonicMs));
        progress.run.value = ProgressWords::tryOf(checkout, sending->attempt);
    }
    return progress;
}

Progress voidProgressOf(const Checkout &checkout, const Stamp &now)
{
    Progress progress;
    if (const auto *pending = std::get_if<state::VoidPending>(&checkout.state)) {
        progress.text = ProgressWords::tr("Cancelling, try %1 is not answered yet").arg(pending->nextTry - 1);
        progress.countdown = ProgressWords::tr("next try in");
        progress.seconds = ProgressWords::tr("%1 s").arg(secondsText(pending->untilMonotonicMs - now.monotonicMs));
    } else if (const auto *voiding = std::get_if<state::Voiding>(&checkout.state)) {
        progress.text = ProgressWords::tr("Cancelling, try %1 is under way").arg(voiding->voidTry);
    }
    return progress;
}

} // namespace ikkai
