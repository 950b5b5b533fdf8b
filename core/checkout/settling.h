#pragma once

#include "core/checkout/moves.h"

/// What the moves share: how the bank's word settles a draft, is remembered, or contradicts it.
namespace ikkai::moves {

/// Saturates: a Retry-After may ask for any time.
[[nodiscard]] qint64 later(qint64 fromMs, qint64 byMs);

void noteBankDate(Checkout &checkout, const std::optional<qint64> &dateMs);

/// Nothing is transmitted before the bank is known: what was not, and cannot be any more, has stayed here.
void noteNeverSent(Checkout &checkout);

/// The final state that a word of the bank settles to; none where it settles nothing. Verdict is ChargeVerdict or
/// InquiryVerdict: the three words that settle are the same in both.
template <class Verdict>
std::optional<State> settledState(const Verdict &said, int attempt)
{
    if (const auto *approved = std::get_if<verdict::Approved>(&said))
        return state::Approved{approved->by, approved->details, attempt};
    if (const auto *declined = std::get_if<verdict::Declined>(&said))
        return state::Declined{declined->by, declined->details};
    if (const auto *voided = std::get_if<verdict::Voided>(&said)) {
        if (voided->result == VoidResult::NotCharged) // the void found a decline: that is what became of the charge
            return state::Declined{voided->by, {}};
        return state::Voided{voided->by, voided->result};
    }
    return {};
}

/// A settled state never changes: a word against it is kept beside it.
void contradict(Draft &draft, const QString &word);
void contradict(Draft &draft, const std::optional<State> &said);
/// An answer to an attempt made before the void is no news to a void that gave the money back.
void contradictByAttempt(Draft &draft, const std::optional<State> &said);

/// From VoidStarted on only the void's own answer settles; what else the bank says is remembered.
void settleOrRemember(Draft &draft, const std::optional<State> &said);

} // namespace ikkai::moves
