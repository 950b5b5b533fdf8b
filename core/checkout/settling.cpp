#include "core/checkout/settling.h"

#include <algorithm>
#include <limits>

namespace ikkai::moves {

qint64 later(qint64 fromMs, qint64 byMs)
{
    constexpr qint64 endOfTime = std::numeric_limits<qint64>::max();
    return fromMs > endOfTime - byMs ? endOfTime : fromMs + byMs;
}

void noteBankDate(Checkout &checkout, const std::optional<qint64> &dateMs)
{
    if (!dateMs)
        return;
    checkout.oldestBankDateMs = std::min(checkout.oldestBankDateMs.value_or(*dateMs), *dateMs);
    checkout.newestBankDateMs = std::max(checkout.newestBankDateMs.value_or(*dateMs), *dateMs);
}

void noteNeverSent(Checkout &checkout)
{
    for (AttemptRecord &attempt : checkout.attempts) {
        if (!attempt.verdict)
            attempt.verdict = verdict::NotSent{verdict::NotSent::Why::BankNotLearned};
    }
}

void contradict(Draft &draft, const QString &word)
{
    std::optional<Contradiction> &contradiction = draft.after.contradiction;
    if (word == outcomeWord(draft.after.state) || (contradiction && contradiction->said == word))
        return;
    contradiction = Contradiction{word, draft.now.wallMs};
}

void contradict(Draft &draft, const std::optional<State> &said)
{
    if (said)
        contradict(draft, outcomeWord(*said));
}

void contradictByAttempt(Draft &draft, const std::optional<State> &said)
{
    const auto *voided = std::get_if<state::Voided>(&draft.after.state);
    const bool isKnown =
        voided && voided->result == VoidResult::Reversed && said && std::holds_alternative<state::Approved>(*said);
    if (!isKnown)
        contradict(draft, said);
}

void settleOrRemember(Draft &draft, const std::optional<State> &said)
{
    if (!said)
        return;
    if (draft.after.voidIntent)
        draft.after.voidIntent->heardMeanwhile = outcomeWord(*said);
    else
        draft.after.state = *said;
}

} // namespace ikkai::moves
