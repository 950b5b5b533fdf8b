#include "core/checkout/transition.h"

#include "core/checkout/moves.h"

namespace ikkai {

namespace transition_detail {

using Why = state::Unknown::Why;

/// The whole table, one line per pair, in the order of the variants; docs/checkout-states.md is the same in words. An
/// empty cell means that the event is harmless there and changes nothing. There is no default on purpose: a state or
/// an event without its line does not compile.
struct Table {
    moves::Draft &draft;

    // Sending
    void operator()(const state::Sending &, const event::CheckoutStarted &) const { moves::impossible(draft); }
    void operator()(const state::Sending &, const event::BankLearned &learned) const
    {
        moves::sendLearned(draft, learned);
    }
    void operator()(const state::Sending &sending, const event::AttemptEnded &ended) const
    {
        moves::endAttempt(draft, sending, ended);
    }
    void operator()(const state::Sending &, const event::LateAnswer &late) const { moves::takeLateAnswer(draft, late); }
    void operator()(const state::Sending &, const event::WaitElapsed &) const {}
    void operator()(const state::Sending &, const event::InquiryStarted &) const { moves::impossible(draft); }
    void operator()(const state::Sending &, const event::InquiryEnded &ended) const
    {
        moves::takeLateInquiry(draft, ended);
    }
    void operator()(const state::Sending &, const event::TriedAgain &) const { moves::impossible(draft); }
    void operator()(const state::Sending &, const event::LeftOpen &) const { moves::endRun(draft, Why::LeftOpen); }
    void operator()(const state::Sending &, const event::AnotherStarted &) const
    {
        moves::endRun(draft, Why::AnotherStarted);
    }
    void operator()(const state::Sending &, const event::Restarted &restarted) const
    {
        moves::noteRestart(draft, restarted);
        moves::endRun(draft, Why::Restarted);
    }
    void operator()(const state::Sending &, const event::VoidStarted &) const { moves::impossible(draft); }
    void operator()(const state::Sending &, const event::VoidEnded &) const { moves::impossible(draft); }
    void operator()(const state::Sending &, const event::VoidWaitElapsed &) const {}
    void operator()(const state::Sending &, const event::Resumed &) const { moves::resumeSending(draft); }
    void operator()(const state::Sending &, const event::WrittenOff &) const { moves::impossible(draft); }

    // Waiting
    void operator()(const state::Waiting &, const event::CheckoutStarted &) const { moves::impossible(draft); }
    void operator()(const state::Waiting &, const event::BankLearned &learned) const
    {
        moves::rememberBank(draft, learned);
    }
    void operator()(const state::Waiting &, const event::AttemptEnded &ended) const
    {
        moves::endEarlierAttempt(draft, ended);
    }
    void operator()(const state::Waiting &, const event::LateAnswer &late) const { moves::takeLateAnswer(draft, late); }
    void operator()(const state::Waiting &waiting, const event::WaitElapsed &elapsed) const
    {
        moves::sendNext(draft, waiting, elapsed);
    }
    void operator()(const state::Waiting &, const event::InquiryStarted &) const { moves::impossible(draft); }
    void operator()(const state::Waiting &, const event::InquiryEnded &ended) const
    {
        moves::takeLateInquiry(draft, ended);
    }
    void operator()(const state::Waiting &, const event::TriedAgain &) const { moves::impossible(draft); }
    void operator()(const state::Waiting &, const event::LeftOpen &) const { moves::endRun(draft, Why::LeftOpen); }
    void operator()(const state::Waiting &, const event::AnotherStarted &) const
    {
        moves::endRun(draft, Why::AnotherStarted);
    }
    void operator()(const state::Waiting &, const event::Restarted &restarted) const
    {
        moves::noteRestart(draft, restarted);
        moves::endRun(draft, Why::Restarted);
    }
    void operator()(const state::Waiting &, const event::VoidStarted &) const { moves::impossible(draft); }
    void operator()(const state::Waiting &, const event::VoidEnded &) const { moves::impossible(draft); }
    void operator()(const state::Waiting &, const event::VoidWaitElapsed &) const {}
    void operator()(const state::Waiting &waiting, const event::Resumed &resumed) const
    {
        moves::resumeWaiting(draft, waiting, resumed);
    }
    void operator()(const state::Waiting &, const event::WrittenOff &) const { moves::impossible(draft); }

    // Approved
    void operator()(const state::Approved &, const event::CheckoutStarted &) const { moves::impossible(draft); }
    void operator()(const state::Approved &, const event::BankLearned &) const {}
    void operator()(const state::Approved &, const event::AttemptEnded &ended) const
    {
        moves::endAttemptOfSettled(draft, ended);
    }
    void operator()(const state::Approved &, const event::LateAnswer &late) const
    {
        moves::contradictByLateAnswer(draft, late);
    }
    void operator()(const state::Approved &, const event::WaitElapsed &) const {}
    void operator()(const state::Approved &, const event::InquiryStarted &) const { moves::startInquiry(draft); }
    void operator()(const state::Approved &, const event::InquiryEnded &ended) const
    {
        moves::contradictByInquiry(draft, ended);
    }
    void operator()(const state::Approved &, const event::TriedAgain &) const { moves::impossible(draft); }
    void operator()(const state::Approved &, const event::LeftOpen &) const { moves::impossible(draft); }
    void operator()(const state::Approved &, const event::AnotherStarted &) const { moves::impossible(draft); }
    void operator()(const state::Approved &, const event::Restarted &) const { moves::impossible(draft); }
    void operator()(const state::Approved &, const event::VoidStarted &) const { moves::impossible(draft); }
    void operator()(const state::Approved &, const event::VoidEnded &) const { moves::impossible(draft); }
    void operator()(const state::Approved &, const event::VoidWaitElapsed &) const {}
    void operator()(const state::Approved &, const event::Resumed &) const {}
    void operator()(const state::Approved &, const event::WrittenOff &) const { moves::impossible(draft); }

    // Declined
    void operator()(const state::Declined &, const event::CheckoutStarted &) const { moves::impossible(draft); }
    void operator()(const state::Declined &, const event::BankLearned &) const {}
    void operator()(const state::Declined &, const event::AttemptEnded &ended) const
    {
        moves::endAttemptOfSettled(draft, ended);
    }
    void operator()(const state::Declined &, const event::LateAnswer &late) const
    {
        moves::contradictByLateAnswer(draft, late);
    }
    void operator()(const state::Declined &, const event::WaitElapsed &) const {}
    void operator()(const state::Declined &, const event::InquiryStarted &) const { moves::startInquiry(draft); }
    void operator()(const state::Declined &, const event::InquiryEnded &ended) const
    {
        moves::contradictByInquiry(draft, ended);
    }
    void operator()(const state::Declined &, const event::TriedAgain &) const { moves::impossible(draft); }
    void operator()(const state::Declined &, const event::LeftOpen &) const { moves::impossible(draft); }
    void operator()(const state::Declined &, const event::AnotherStarted &) const { moves::impossible(draft); }
    void operator()(const state::Declined &, const event::Restarted &) const { moves::impossible(draft); }
    void operator()(const state::Declined &, const event::VoidStarted &) const { moves::impossible(draft); }
    void operator()(const state::Declined &, const event::VoidEnded &) const { moves::impossible(draft); }
    void operator()(const state::Declined &, const event::VoidWaitElapsed &) const {}
    void operator()(const state::Declined &, const event::Resumed &) const {}
    void operator()(const state::Declined &, const event::WrittenOff &) const { moves::impossible(draft); }

    // Refused
    void operator()(const state::Refused &, const event::CheckoutStarted &) const { moves::impossible(draft); }
    void operator()(const state::Refused &, const event::BankLearned &) const {}
    void operator()(const state::Refused &, const event::AttemptEnded &ended) const
    {
        moves::endAttemptOfSettled(draft, ended);
    }
    void operator()(const state::Refused &, const event::LateAnswer &late) const
    {
        moves::contradictByLateAnswer(draft, late);
    }
    void operator()(const state::Refused &, const event::WaitElapsed &) const {}
    void operator()(const state::Refused &, const event::InquiryStarted &) const { moves::startInquiry(draft); }
    void operator()(const state::Refused &, const event::InquiryEnded &ended) const
    {
        moves::contradictByInquiry(draft, ended);
    }
    void operator()(const state::Refused &, const event::TriedAgain &) const { moves::impossible(draft); }
    void operator()(const state::Refused &, const event::LeftOpen &) const { moves::impossible(draft); }
    void operator()(const state::Refused &, const event::AnotherStarted &) const { moves::impossible(draft); }
    void operator()(const state::Refused &, const event::Restarted &) const { moves::impossible(draft); }
    void operator()(const state::Refused &, const event::VoidStarted &) const { moves::impossible(draft); }
    void operator()(const state::Refused &, const event::VoidEnded &) const { moves::impossible(draft); }
    void operator()(const state::Refused &, const event::VoidWaitElapsed &) const {}
    void operator()(const state::Refused &, const event::Resumed &) const {}
    void operator()(const state::Refused &, const event::WrittenOff &) const { moves::impossible(draft); }

    // NotSent
    void operator()(const state::NotSent &, const event::CheckoutStarted &) const { moves::impossible(draft); }
    void operator()(const state::NotSent &, const event::BankLearned &) const {}
    void operator()(const state::NotSent &, const event::AttemptEnded &ended) const
    {
        moves::endAttemptOfSettled(draft, ended);
    }
    void operator()(const state::NotSent &, const event::LateAnswer &late) const
    {
        moves::contradictByLateAnswer(draft, late);
    }
    void operator()(const state::NotSent &, const event::WaitElapsed &) const {}
    void operator()(const state::NotSent &, const event::InquiryStarted &) const { moves::startInquiry(draft); }
    void operator()(const state::NotSent &, const event::InquiryEnded &ended) const
    {
        moves::contradictByInquiry(draft, ended);
    }
    void operator()(const state::NotSent &, const event::TriedAgain &) const { moves::impossible(draft); }
    void operator()(const state::NotSent &, const event::LeftOpen &) const { moves::impossible(draft); }
    void operator()(const state::NotSent &, const event::AnotherStarted &) const { moves::impossible(draft); }
    void operator()(const state::NotSent &, const event::Restarted &) const { moves::impossible(draft); }
    void operator()(const state::NotSent &, const event::VoidStarted &) const { moves::impossible(draft); }
    void operator()(const state::NotSent &, const event::VoidEnded &) const { moves::impossible(draft); }
    void operator()(const state::NotSent &, const event::VoidWaitElapsed &) const {}
    void operator()(const state::NotSent &, const event::Resumed &) const {}
    void operator()(const state::NotSent &, const event::WrittenOff &) const { moves::impossible(draft); }

    // Voided
    void operator()(const state::Voided &, const event::CheckoutStarted &) const { moves::impossible(draft); }
    void operator()(const state::Voided &, const event::BankLearned &) const {}
    void operator()(const state::Voided &, const event::AttemptEnded &ended) const
    {
        moves::endAttemptOfSettled(draft, ended);
    }
    void operator()(const state::Voided &, const event::LateAnswer &late) const
    {
        moves::contradictByLateAnswer(draft, late);
    }
    void operator()(const state::Voided &, const event::WaitElapsed &) const {}
    void operator()(const state::Voided &, const event::InquiryStarted &) const { moves::startInquiry(draft); }
    void operator()(const state::Voided &, const event::InquiryEnded &ended) const
    {
        moves::contradictByInquiry(draft, ended);
    }
    void operator()(const state::Voided &, const event::TriedAgain &) const { moves::impossible(draft); }
    void operator()(const state::Voided &, const event::LeftOpen &) const { moves::impossible(draft); }
    void operator()(const state::Voided &, const event::AnotherStarted &) const { moves::impossible(draft); }
    void operator()(const state::Voided &, const event::Restarted &) const { moves::impossible(draft); }
    void operator()(const state::Voided &, const event::VoidStarted &) const { moves::impossible(draft); }
    void operator()(const state::Voided &, const event::VoidEnded &) const { moves::impossible(draft); }
    void operator()(const state::Voided &, const event::VoidWaitElapsed &) const {}
    void operator()(const state::Voided &, const event::Resumed &) const {}
    void operator()(const state::Voided &, const event::WrittenOff &) const { moves::impossible(draft); }

    // Unknown
    void operator()(const state::Unknown &, const event::CheckoutStarted &) const { moves::impossible(draft); }
    void operator()(const state::Unknown &, const event::BankLearned &learned) const
    {
        moves::rememberBank(draft, learned);
    }
    void operator()(const state::Unknown &, const event::AttemptEnded &ended) const
    {
        moves::endAttemptOfUnknown(draft, ended);
    }
    void operator()(const state::Unknown &, const event::LateAnswer &late) const { moves::takeLateAnswer(draft, late); }
    void operator()(const state::Unknown &, const event::WaitElapsed &) const {}
    void operator()(const state::Unknown &, const event::InquiryStarted &) const { moves::startInquiry(draft); }
    void operator()(const state::Unknown &, const event::InquiryEnded &ended) const
    {
        moves::takeInquiry(draft, ended);
    }
    void operator()(const state::Unknown &unknown, const event::TriedAgain &again) const
    {
        moves::tryAgain(draft, unknown, again);
    }
    void operator()(const state::Unknown &, const event::LeftOpen &) const {}
    void operator()(const state::Unknown &, const event::AnotherStarted &) const {}
    void operator()(const state::Unknown &, const event::Restarted &restarted) const
    {
        moves::noteRestart(draft, restarted);
        moves::settleUnsent(draft);
    }
    void operator()(const state::Unknown &, const event::VoidStarted &started) const
    {
        moves::startVoid(draft, started);
    }
    void operator()(const state::Unknown &, const event::VoidEnded &) const { moves::impossible(draft); }
    void operator()(const state::Unknown &, const event::VoidWaitElapsed &) const {}
    void operator()(const state::Unknown &, const event::Resumed &) const {}
    void operator()(const state::Unknown &, const event::WrittenOff &off) const
    {
        moves::writeOffLedgerGone(draft, off);
    }

    // KeyMismatch
    void operator()(const state::KeyMismatch &, const event::CheckoutStarted &) const { moves::impossible(draft); }
    void operator()(const state::KeyMismatch &, const event::BankLearned &) const {}
    void operator()(const state::KeyMismatch &, const event::AttemptEnded &ended) const
    {
        moves::endEarlierAttempt(draft, ended);
    }
    void operator()(const state::KeyMismatch &, const event::LateAnswer &late) const
    {
        moves::takeLateAnswer(draft, late);
    }
    void operator()(const state::KeyMismatch &, const event::WaitElapsed &) const {}
    void operator()(const state::KeyMismatch &, const event::InquiryStarted &) const { moves::startInquiry(draft); }
    void operator()(const state::KeyMismatch &, const event::InquiryEnded &ended) const
    {
        moves::takeInquiry(draft, ended);
    }
    void operator()(const state::KeyMismatch &, const event::TriedAgain &) const { moves::impossible(draft); }
    void operator()(const state::KeyMismatch &, const event::LeftOpen &) const {}
    void operator()(const state::KeyMismatch &, const event::AnotherStarted &) const {}
    void operator()(const state::KeyMismatch &, const event::Restarted &restarted) const
    {
        moves::noteRestart(draft, restarted);
    }
    void operator()(const state::KeyMismatch &, const event::VoidStarted &) const { moves::impossible(draft); }
    void operator()(const state::KeyMismatch &, const event::VoidEnded &) const { moves::impossible(draft); }
    void operator()(const state::KeyMismatch &, const event::VoidWaitElapsed &) const {}
    void operator()(const state::KeyMismatch &, const event::Resumed &) const {}
    void operator()(const state::KeyMismatch &, const event::WrittenOff &off) const { moves::writeOff(draft, off); }

    // Voiding
    void operator()(const state::Voiding &, const event::CheckoutStarted &) const { moves::impossible(draft); }
    void operator()(const state::Voiding &, const event::BankLearned &) const {}
    void operator()(const state::Voiding &, const event::AttemptEnded &ended) const
    {
        moves::endAttemptMeanwhile(draft, ended);
    }
    void operator()(const state::Voiding &, const event::LateAnswer &late) const { moves::takeLateAnswer(draft, late); }
    void operator()(const state::Voiding &, const event::WaitElapsed &) const {}
    void operator()(const state::Voiding &, const event::InquiryStarted &) const { moves::impossible(draft); }
    void operator()(const state::Voiding &, const event::InquiryEnded &ended) const
    {
        moves::takeLateInquiry(draft, ended);
    }
    void operator()(const state::Voiding &, const event::TriedAgain &) const { moves::impossible(draft); }
    void operator()(const state::Voiding &, const event::LeftOpen &) const {}
    void operator()(const state::Voiding &, const event::AnotherStarted &) const {}
    void operator()(const state::Voiding &voiding, const event::Restarted &restarted) const
    {
        moves::noteRestart(draft, restarted);
        moves::sendVoid(draft, voiding.voidTry + 1);
    }
    void operator()(const state::Voiding &, const event::VoidStarted &) const { moves::impossible(draft); }
    void operator()(const state::Voiding &voiding, const event::VoidEnded &ended) const
    {
        moves::endVoid(draft, voiding, ended);
    }
    void operator()(const state::Voiding &, const event::VoidWaitElapsed &) const {}
    void operator()(const state::Voiding &, const event::Resumed &) const {}
    void operator()(const state::Voiding &, const event::WrittenOff &off) const
    {
        moves::writeOffLedgerGone(draft, off);
    }

    // VoidPending
    void operator()(const state::VoidPending &, const event::CheckoutStarted &) const { moves::impossible(draft); }
    void operator()(const state::VoidPending &, const event::BankLearned &) const {}
    void operator()(const state::VoidPending &, const event::AttemptEnded &ended) const
    {
        moves::endAttemptMeanwhile(draft, ended);
    }
    void operator()(const state::VoidPending &, const event::LateAnswer &late) const
    {
        moves::takeLateAnswer(draft, late);
    }
    void operator()(const state::VoidPending &, const event::WaitElapsed &) const {}
    void operator()(const state::VoidPending &, const event::InquiryStarted &) const { moves::impossible(draft); }
    void operator()(const state::VoidPending &, const event::InquiryEnded &ended) const
    {
        moves::takeLateInquiry(draft, ended);
    }
    void operator()(const state::VoidPending &, const event::TriedAgain &) const { moves::impossible(draft); }
    void operator()(const state::VoidPending &, const event::LeftOpen &) const {}
    void operator()(const state::VoidPending &, const event::AnotherStarted &) const {}
    void operator()(const state::VoidPending &pending, const event::Restarted &restarted) const
    {
        moves::noteRestart(draft, restarted);
        moves::sendVoid(draft, pending.nextTry);
    }
    void operator()(const state::VoidPending &, const event::VoidStarted &) const { moves::impossible(draft); }
    void operator()(const state::VoidPending &, const event::VoidEnded &) const { moves::impossible(draft); }
    void operator()(const state::VoidPending &pending, const event::VoidWaitElapsed &elapsed) const
    {
        moves::voidAgain(draft, pending, elapsed);
    }
    void operator()(const state::VoidPending &pending, const event::Resumed &resumed) const
    {
        moves::resumeVoid(draft, pending, resumed);
    }
    void operator()(const state::VoidPending &, const event::WrittenOff &off) const
    {
        moves::writeOffLedgerGone(draft, off);
    }

    // WrittenOff
    void operator()(const state::WrittenOff &, const event::CheckoutStarted &) const { moves::impossible(draft); }
    void operator()(const state::WrittenOff &, const event::BankLearned &) const {}
    void operator()(const state::WrittenOff &, const event::AttemptEnded &ended) const
    {
        moves::endAttemptOfSettled(draft, ended);
    }
    void operator()(const state::WrittenOff &, const event::LateAnswer &late) const
    {
        moves::contradictByLateAnswer(draft, late);
    }
    void operator()(const state::WrittenOff &, const event::WaitElapsed &) const {}
    void operator()(const state::WrittenOff &, const event::InquiryStarted &) const { moves::startInquiry(draft); }
    void operator()(const state::WrittenOff &, const event::InquiryEnded &ended) const
    {
        moves::contradictByInquiry(draft, ended);
    }
    void operator()(const state::WrittenOff &, const event::TriedAgain &) const { moves::impossible(draft); }
    void operator()(const state::WrittenOff &, const event::LeftOpen &) const { moves::impossible(draft); }
    void operator()(const state::WrittenOff &, const event::AnotherStarted &) const { moves::impossible(draft); }
    void operator()(const state::WrittenOff &, const event::Restarted &) const { moves::impossible(draft); }
    void operator()(const state::WrittenOff &, const event::VoidStarted &) const { moves::impossible(draft); }
    void operator()(const state::WrittenOff &, const event::VoidEnded &ended) const
    {
        moves::contradictByVoid(draft, ended);
    }
    void operator()(const state::WrittenOff &, const event::VoidWaitElapsed &) const {}
    void operator()(const state::WrittenOff &, const event::Resumed &) const {}
    void operator()(const state::WrittenOff &, const event::WrittenOff &) const { moves::impossible(draft); }
};

/// What every event leaves behind, whatever its cell did.
Step finish(moves::Draft draft, const Checkout *before, const Stamp &at)
{
    if (draft.impossible) {
        draft.after = *before;
        draft.commands.clear();
    }
    ++draft.after.nextSeq;
    draft.after.updatedWallMs = at.wallMs;
    if (isFinal(draft.after.state) && !draft.after.settledWallMs)
        draft.after.settledWallMs = at.wallMs;
    return {std::move(draft.after), std::move(draft.commands), draft.impossible};
}

} // namespace transition_detail

Step begin(const event::CheckoutStarted &started, const Stamp &at)
{
    moves::Draft draft{Checkout{.key = started.key,
                                .order = started.order,
                                .money = started.money,
                                .source = started.source,
                                .terminalId = started.terminalId,
                                .body = started.body,
                                .bankAt = started.bankAt,
                                .policy = started.policy,
                                .startedAt = at,
                                .startedBootId = started.bootId,
                                .replaces = started.replaces,
                                .overrideReason = started.overrideReason,
                                .ledgerId = started.ledgerId,
                                .keyTtlMs = started.keyTtlMs,
                                .attempts = {},
                                .run = {at.monotonicMs, 1, 0, {}, at.bootMs, false},
                                .oldestBankDateMs = {},
                                .newestBankDateMs = {},
                                .contradiction = {},
                                .voidIntent = {},
                                .settledWallMs = {},
                                .state = state::Sending{1}},
                       at,
                       {}};
    moves::enterSending(draft, 1);
    return transition_detail::finish(std::move(draft), nullptr, at);
}

Step transition(const Checkout &before, const Event &event)
{
    moves::Draft draft{before, event.at, {}};
    std::visit(transition_detail::Table{draft}, before.state, event.body);
    return transition_detail::finish(std::move(draft), &before, event.at);
}

} // namespace ikkai
