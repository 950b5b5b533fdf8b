#include "core/checkout/moves.h"
#include "core/checkout/settling.h"

#include <algorithm>

namespace ikkai::moves {

void startVoid(Draft &draft, const event::VoidStarted &started)
{
    Checkout &checkout = draft.after;
    if (checkout.ledgerId.isEmpty()) {
        noteNeverSent(checkout);
        settleUnsent(draft);
        if (isFinal(checkout.state))
            return;
    }
    checkout.voidIntent = VoidIntent{started.voidKey, started.body, draft.now, started.overrideReason, 0, {}, {}};
    sendVoid(draft, 1);
}

void sendVoid(Draft &draft, int voidTry)
{
    Checkout &checkout = draft.after;
    checkout.state = state::Voiding{voidTry};
    draft.commands.emplace_back(command::SendVoid{checkout.key, checkout.voidIntent->key, voidTry,
                                                  checkout.voidIntent->body, checkout.ledgerId,
                                                  checkout.policy.attemptDeadlineMs});
}

namespace {

/// Waits for the next try of the void: it may be tried for ever, so it is patient.
void waitForVoid(Draft &draft, int nextTry, qint64 delayMs)
{
    const qint64 untilMs = later(draft.now.monotonicMs, delayMs);
    draft.after.state = state::VoidPending{nextTry, untilMs};
    draft.commands.emplace_back(command::StartVoidWait{draft.after.key, nextTry, untilMs});
}

/// What the bank said meanwhile must fit what the void did: approved and "it never came" cannot both be.
void contradictVoid(Draft &draft, VoidResult result)
{
    const QString heard = draft.after.voidIntent->heardMeanwhile;
    const bool fits = heard.isEmpty() || heard == outcomeWord(draft.after.state) ||
                      (result == VoidResult::Reversed && heard == outcomeWord(state::Approved{}));
    if (!fits)
        contradict(draft, heard);
}

State settledByVoid(VoidResult result)
{
    if (result == VoidResult::NotCharged)
        return state::Declined{SettledBy::Void, {}};
    return state::Voided{SettledBy::Void, result};
}

} // namespace

void endVoid(Draft &draft, const state::Voiding &voiding, const event::VoidEnded &ended)
{
    if (ended.voidTry != voiding.voidTry)
        return impossible(draft);
    Checkout &checkout = draft.after;
    checkout.voidIntent->wireSends += ended.wireSends;
    noteBankDate(checkout, ended.bankDateMs);
    if (const auto *settled = std::get_if<voiding::Settled>(&ended.verdict)) {
        checkout.state = settledByVoid(settled->result);
        checkout.voidIntent->lastTry.reset();
        contradictVoid(draft, settled->result);
    } else if (const auto *mismatch = std::get_if<voiding::Mismatch>(&ended.verdict)) {
        checkout.state = state::KeyMismatch{{}, mismatch->detail};
    } else {
        const auto &nothing = std::get<voiding::Nothing>(ended.verdict);
        checkout.voidIntent->lastTry = nothing;
        constexpr qint64 mostMs = 60'000;
        const qint64 askedMs = std::min(nothing.retryAfterMs.value_or(0), mostMs);
        waitForVoid(draft, voiding.voidTry + 1, std::max(patientDelayMs(voiding.voidTry, ended.jitterDraw), askedMs));
    }
}

void contradictByVoid(Draft &draft, const event::VoidEnded &ended)
{
    noteBankDate(draft.after, ended.bankDateMs);
    if (const auto *settled = std::get_if<voiding::Settled>(&ended.verdict))
        contradict(draft, outcomeWord(settledByVoid(settled->result)));
}

void voidAgain(Draft &draft, const state::VoidPending &pending, const event::VoidWaitElapsed &elapsed)
{
    if (elapsed.nextTry == pending.nextTry)
        sendVoid(draft, pending.nextTry);
}

void resumeVoid(Draft &draft, const state::VoidPending &pending, const event::Resumed &resumed)
{
    waitForVoid(draft, pending.nextTry, patientDelayMs(1, resumed.jitterDraw));
}

void writeOff(Draft &draft, const event::WrittenOff &off)
{
    draft.after.state = state::WrittenOff{off.why, off.reason};
}

void writeOffLedgerGone(Draft &draft, const event::WrittenOff &off)
{
    if (off.why == state::WrittenOff::Why::LedgerGone)
        writeOff(draft, off);
    else
        impossible(draft);
}

} // namespace ikkai::moves
