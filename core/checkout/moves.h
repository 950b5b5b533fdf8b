#pragma once

#include "core/checkout/transition.h"

/// The moves that the cells of the table in transition.cpp are made of. Each changes the draft of the next checkout.
namespace ikkai::moves {

struct Draft {
    Checkout after;
    Stamp now;
    std::vector<Command> commands;
    bool impossible = false;
};

/// Records a new attempt and sends it, or first asks for the Ledger-Id where the bank is not known yet.
void enterSending(Draft &draft, int attempt);

/// Nothing of this pair can be, whatever the details: the checkout stays as it was.
void impossible(Draft &draft);

/// The bank is known now: transmits the attempt that waited for that.
void sendLearned(Draft &draft, const event::BankLearned &learned);
/// The bank is known now, but the run that asked is over: only remembers it, and that its attempt was never sent.
void rememberBank(Draft &draft, const event::BankLearned &learned);

/// The result of the attempt that is being sent: settles, waits, or ends the run.
void endAttempt(Draft &draft, const state::Sending &sending, const event::AttemptEnded &ended);
/// The result of an attempt of a run that is over: recorded; it may settle.
void endEarlierAttempt(Draft &draft, const event::AttemptEnded &ended);
/// The same, where the cashier already read Unknown: now all of it is known, so it counts in full.
void endAttemptOfUnknown(Draft &draft, const event::AttemptEnded &ended);
/// The same, where the checkout is settled: recorded; a word against it is a contradiction.
void endAttemptOfSettled(Draft &draft, const event::AttemptEnded &ended);

/// May settle to Approved, Declined or Voided, never anything else.
void takeLateAnswer(Draft &draft, const event::LateAnswer &late);
void contradictByLateAnswer(Draft &draft, const event::LateAnswer &late);

void sendNext(Draft &draft, const state::Waiting &waiting, const event::WaitElapsed &elapsed);
void tryAgain(Draft &draft, const state::Unknown &unknown, const event::TriedAgain &again);

/// Automatic tries are over: NotSent if that is certain, else Unknown.
void endRun(Draft &draft, state::Unknown::Why why, std::optional<qint64> retryAfterMs = {});

void startInquiry(Draft &draft);
/// While tries run by themselves: what settles, settles; nothing else counts.
void takeLateInquiry(Draft &draft, const event::InquiryEnded &ended);
/// On an open checkout: what settles, settles; other details are shown.
void takeInquiry(Draft &draft, const event::InquiryEnded &ended);
void contradictByInquiry(Draft &draft, const event::InquiryEnded &ended);

/// Nothing of the old process runs any more; which boot we are on decides whether the boot clock still counts.
void noteRestart(Draft &draft, const event::Restarted &restarted);

/// Unknown for an attempt that turned out never to have left: nothing was charged.
void settleUnsent(Draft &draft);

/// The machine slept under an attempt: its deadline still runs, and the first NotSent after it costs nothing.
void resumeSending(Draft &draft);
/// The machine slept through a wait: planned anew, unless the run would have been over on a watch.
void resumeWaiting(Draft &draft, const state::Waiting &waiting, const event::Resumed &resumed);

/// The point of no return. Where nothing was ever sent there is nothing to void.
void startVoid(Draft &draft, const event::VoidStarted &started);
void sendVoid(Draft &draft, int voidTry);
/// The bank's word to the void settles; anything else is tried again with the same void key.
void endVoid(Draft &draft, const state::Voiding &voiding, const event::VoidEnded &ended);
/// The answer to a void that was on its way when the checkout was written off.
void contradictByVoid(Draft &draft, const event::VoidEnded &ended);
void voidAgain(Draft &draft, const state::VoidPending &pending, const event::VoidWaitElapsed &elapsed);
void resumeVoid(Draft &draft, const state::VoidPending &pending, const event::Resumed &resumed);
/// The result of an attempt that was still under way when the void was started: recorded, settles nothing.
void endAttemptMeanwhile(Draft &draft, const event::AttemptEnded &ended);

void writeOff(Draft &draft, const event::WrittenOff &off);
/// A mismatch cannot be the reason where the bank never spoke of one.
void writeOffLedgerGone(Draft &draft, const event::WrittenOff &off);

} // namespace ikkai::moves
