#include "core/checkout/moves.h"

#include "core/checkout/settling.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ikkai::moves {

namespace {

using Why = state::Unknown::Why;

qint64 ceilingEndMs(const Checkout &checkout)
{
    return later(checkout.run.startedMonotonicMs, checkout.policy.ceilingMs);
}

/// Until when a try may follow one that went unanswered.
qint64 budgetEndMs(const Checkout &checkout)
{
    return std::min(later(checkout.run.startedMonotonicMs, checkout.policy.budgetMs), ceilingEndMs(checkout));
}

/// Until when a try may follow a 409; none came: never.
std::optional<qint64> conflictEndMs(const Checkout &checkout)
{
    if (!checkout.run.firstConflictMonotonicMs)
        return {};
    return std::min(later(*checkout.run.firstConflictMonotonicMs, checkout.policy.conflictBudgetMs),
                    ceilingEndMs(checkout));
}

/// Until when any attempt of this run may be under way.
qint64 runEndMs(const Checkout &checkout)
{
    return std::max(budgetEndMs(checkout), conflictEndMs(checkout).value_or(0));
}

AttemptRecord *attemptRecord(Checkout &checkout, int attempt)
{
    const auto found = std::find_if(checkout.attempts.begin(), checkout.attempts.end(),
                                    [&](const AttemptRecord &record) { return record.number == attempt; });
    return found == checkout.attempts.end() ? nullptr : &*found;
}

int newestAttempt(const Checkout &checkout)
{
    return checkout.attempts.empty() ? 0 : checkout.attempts.back().number;
}

/// What is left of the deadline of an attempt under way.
qint64 attemptDeadlineLeftMs(const Draft &draft, const AttemptRecord &record)
{
    const qint64 endMs =
        std::min(later(record.startedAt.monotonicMs, draft.after.policy.attemptDeadlineMs), runEndMs(draft.after));
    return std::max<qint64>(endMs - draft.now.monotonicMs, 0);
}

void transmit(Draft &draft, const AttemptRecord &record)
{
    draft.commands.emplace_back(command::SendCharge{{draft.after.key, record.number},
                                                    draft.after.body,
                                                    draft.after.ledgerId,
                                                    attemptDeadlineLeftMs(draft, record)});
}

/// The run has lasted longer than any run may, on a clock that counts suspension too: nobody stands there any more.
bool isOverOnAWatch(const Draft &draft)
{
    const Checkout &checkout = draft.after;
    return draft.now.bootMs - checkout.run.startedBootMs >= checkout.policy.ceilingMs;
}

/// Writes the result into its attempt; false, and impossible, where there is none or it has a result already.
bool record(Draft &draft, const event::AttemptEnded &ended)
{
    AttemptRecord *attempt = attemptRecord(draft.after, ended.attempt);
    if (!attempt || attempt->verdict) {
        impossible(draft);
        return false;
    }
    attempt->verdict = ended.verdict;
    attempt->wireSends = ended.wireSends;
    attempt->elapsedMs = ended.elapsedMs;
    noteBankDate(draft.after, ended.bankDateMs);
    return true;
}

void enterUnknown(Draft &draft, Why why, std::optional<qint64> retryAfterMs = {})
{
    draft.after.state = state::Unknown{why, draft.now.wallMs, retryAfterMs};
}

/// NotSent and Refused both promise that nothing was charged: one attempt that nobody answered forbids it.
void refuse(Draft &draft, int attempt, const verdict::Refused &refused)
{
    const bool certain =
        std::all_of(draft.after.attempts.begin(), draft.after.attempts.end(), [&](const AttemptRecord &record) {
            return record.number == attempt ||
                   (record.verdict && std::holds_alternative<verdict::NotSent>(*record.verdict));
        });
    if (certain)
        draft.after.state = state::Refused{refused};
    else
        enterUnknown(draft, Why::RefusedAfterUnanswered);
}

/// Waits for the next try if the wait ends before `endMs`.
void wait(Draft &draft, const event::AttemptEnded &ended, state::Waiting::Why why, qint64 endMs,
          std::optional<qint64> retryAfterMs)
{
    const qint64 nowMs = draft.now.monotonicMs;
    const int triesSoFar = ended.attempt - draft.after.run.firstAttempt + 1;
    const qint64 delayMs = backoffMs(draft.after.policy, triesSoFar, ended.jitterDraw);
    const qint64 untilMs = later(nowMs, std::max(delayMs, retryAfterMs.value_or(0)));
    if (untilMs < endMs) {
        draft.after.state = state::Waiting{ended.attempt + 1, untilMs, why};
        draft.commands.emplace_back(command::StartWait{draft.after.key, ended.attempt + 1, untilMs});
    } else if (retryAfterMs && later(nowMs, *retryAfterMs) >= endMs) {
        endRun(draft, Why::RetryAfterTooLong, retryAfterMs);
    } else {
        endRun(draft, Why::BudgetRanOut);
    }
}

/// What the result of the attempt under way leads to: the right-hand column of the classify table.
struct OnVerdict {
    Draft &draft;
    const event::AttemptEnded &ended;

    void operator()(const verdict::NotSent &notSent) const
    {
        using NotSentWhy = verdict::NotSent::Why;
        if (notSent.why == NotSentWhy::ApiKeyRefused || notSent.why == NotSentWhy::OtherLedger)
            return endRun(draft, Why::TriesRanOut); // the next try would be refused just the same
        Run &run = draft.after.run;
        if (std::exchange(run.forgivesNotSent, false))
            wait(draft, ended, state::Waiting::Why::NotSent, budgetEndMs(draft.after), {});
        else
            waitCounted(state::Waiting::Why::NotSent, {});
    }
    void operator()(const verdict::NoAnswer &) const { waitCounted(state::Waiting::Why::NoAnswer, {}); }
    void operator()(const verdict::ServerTrouble &trouble) const
    {
        waitCounted(state::Waiting::Why::ServerTrouble, trouble.retryAfterMs);
    }
    void operator()(const verdict::StillProcessing &processing) const
    {
        Run &run = draft.after.run;
        if (!run.firstConflictMonotonicMs)
            run.firstConflictMonotonicMs = draft.now.monotonicMs;
        wait(draft, ended, state::Waiting::Why::StillProcessing, *conflictEndMs(draft.after), processing.retryAfterMs);
    }
    void operator()(const verdict::Approved &) const { settle(); }
    void operator()(const verdict::Declined &) const { settle(); }
    void operator()(const verdict::Voided &) const { settle(); }
    void operator()(const verdict::Refused &refused) const { refuse(draft, ended.attempt, refused); }
    void operator()(const verdict::KeyMismatch &mismatch) const
    {
        draft.after.state = state::KeyMismatch{{}, mismatch.detail};
    }
    void operator()(const verdict::StoredFailure &) const { enterUnknown(draft, Why::StoredFailure); }
    void operator()(const verdict::OtherLedger &) const { enterUnknown(draft, Why::OtherLedger); }
    void operator()(const verdict::Unclear &unclear) const
    {
        switch (unclear.why) {
        case verdict::Unclear::Why::RefusedAfterUnanswered:
            return enterUnknown(draft, Why::RefusedAfterUnanswered);
        case verdict::Unclear::Why::NotTheBanksAnswer:
            return enterUnknown(draft, Why::NotTheBanksAnswer);
        case verdict::Unclear::Why::AnswerExpired:
            return enterUnknown(draft, Why::AnswerExpired);
        }
    }

    void waitCounted(state::Waiting::Why why, std::optional<qint64> retryAfterMs) const
    {
        Run &run = draft.after.run;
        if (++run.countedTries >= draft.after.policy.maxAttempts)
            endRun(draft, Why::TriesRanOut);
        else
            wait(draft, ended, why, budgetEndMs(draft.after), retryAfterMs);
    }
    void settle() const { draft.after.state = *settledState(ended.verdict, ended.attempt); }
};

} // namespace

void enterSending(Draft &draft, int attempt)
{
    Checkout &checkout = draft.after;
    checkout.state = state::Sending{attempt};
    checkout.attempts.push_back({attempt, draft.now, {}, 0, 0});
    const AttemptRecord &record = checkout.attempts.back();
    if (checkout.ledgerId.isEmpty())
        draft.commands.emplace_back(command::LearnBank{{checkout.key, attempt}, attemptDeadlineLeftMs(draft, record)});
    else
        transmit(draft, record);
}

void impossible(Draft &draft)
{
    draft.impossible = true;
}

void sendLearned(Draft &draft, const event::BankLearned &learned)
{
    Checkout &checkout = draft.after;
    const AttemptRecord *attempt = attemptRecord(checkout, learned.attempt);
    if (learned.attempt != newestAttempt(checkout) || !attempt) // asked by an attempt that has ended since
        return;
    if (!checkout.ledgerId.isEmpty()) // it was transmitted when it began; twice would be a second transmission
        return impossible(draft);
    checkout.ledgerId = learned.ledgerId;
    if (learned.keyTtlMs > 0)
        checkout.keyTtlMs = learned.keyTtlMs;
    if (checkout.ledgerId.isEmpty() || attemptDeadlineLeftMs(draft, *attempt) == 0) {
        const verdict::NotSent notSent{verdict::NotSent::Why::BankNotLearned};
        const qint64 elapsedMs = draft.now.monotonicMs - attempt->startedAt.monotonicMs;
        return endAttempt(draft, state::Sending{learned.attempt}, {learned.attempt, notSent, 0, elapsedMs, 0, {}});
    }
    transmit(draft, *attempt);
}

void rememberBank(Draft &draft, const event::BankLearned &learned)
{
    Checkout &checkout = draft.after;
    if (!checkout.ledgerId.isEmpty() || learned.ledgerId.isEmpty())
        return;
    checkout.ledgerId = learned.ledgerId;
    if (learned.keyTtlMs > 0)
        checkout.keyTtlMs = learned.keyTtlMs;
    // Nothing is transmitted to a bank that is not known, so whatever waited for that has stayed here.
    AttemptRecord *attempt = attemptRecord(checkout, learned.attempt);
    if (!attempt || attempt->verdict)
        return;
    attempt->verdict = verdict::NotSent{verdict::NotSent::Why::BankNotLearned};
    attempt->elapsedMs = draft.now.monotonicMs - attempt->startedAt.monotonicMs;
    if (std::holds_alternative<state::Unknown>(checkout.state))
        settleUnsent(draft);
}

void endAttempt(Draft &draft, const state::Sending &sending, const event::AttemptEnded &ended)
{
    if (ended.attempt != sending.attempt)
        return endEarlierAttempt(draft, ended);
    if (record(draft, ended))
        std::visit(OnVerdict{draft, ended}, ended.verdict);
}

void endEarlierAttempt(Draft &draft, const event::AttemptEnded &ended)
{
    if (record(draft, ended))
        settleOrRemember(draft, settledState(ended.verdict, ended.attempt));
}

void endAttemptOfUnknown(Draft &draft, const event::AttemptEnded &ended)
{
    if (!record(draft, ended))
        return;
    Checkout &checkout = draft.after;
    if (const std::optional<State> settled = settledState(ended.verdict, ended.attempt)) {
        checkout.state = *settled;
    } else if (everyAttemptNotSent(checkout)) {
        settleUnsent(draft);
    } else if (const auto *mismatch = std::get_if<verdict::KeyMismatch>(&ended.verdict)) {
        checkout.state = state::KeyMismatch{{}, mismatch->detail};
    } else if (const auto *refused = std::get_if<verdict::Refused>(&ended.verdict)) {
        const State unknown = checkout.state;
        refuse(draft, ended.attempt, *refused);
        if (!isFinal(checkout.state)) // it stays unknown for the reason and since the time that it was
            checkout.state = unknown;
    }
}

void endAttemptOfSettled(Draft &draft, const event::AttemptEnded &ended)
{
    const AttemptRecord *attempt = attemptRecord(draft.after, ended.attempt);
    const auto staysHere = [](const ChargeVerdict &verdict) {
        return std::holds_alternative<verdict::NotSent>(verdict);
    };
    if (attempt && attempt->verdict && staysHere(*attempt->verdict) && staysHere(ended.verdict))
        return; // the void of a charge that was never sent had said so already
    if (record(draft, ended))
        contradictByAttempt(draft, settledState(ended.verdict, ended.attempt));
}

void endAttemptMeanwhile(Draft &draft, const event::AttemptEnded &ended)
{
    endEarlierAttempt(draft, ended);
}

void takeLateAnswer(Draft &draft, const event::LateAnswer &late)
{
    if (!attemptRecord(draft.after, late.attempt))
        return impossible(draft);
    noteBankDate(draft.after, late.bankDateMs);
    settleOrRemember(draft, settledState(late.verdict, late.attempt));
}

void contradictByLateAnswer(Draft &draft, const event::LateAnswer &late)
{
    if (!attemptRecord(draft.after, late.attempt))
        return impossible(draft);
    noteBankDate(draft.after, late.bankDateMs);
    contradictByAttempt(draft, settledState(late.verdict, late.attempt));
}

void sendNext(Draft &draft, const state::Waiting &waiting, const event::WaitElapsed &elapsed)
{
    if (elapsed.nextAttempt != waiting.nextAttempt) // the timer of a wait that has ended otherwise
        return;
    if (keyTooOld(draft.after, draft.now))
        endRun(draft, Why::KeyTooOld);
    else if (draft.now.monotonicMs >= runEndMs(draft.after) || isOverOnAWatch(draft)) // slept, or too busy to wake up
        endRun(draft, Why::BudgetRanOut);
    else
        enterSending(draft, waiting.nextAttempt);
}

void tryAgain(Draft &draft, const state::Unknown &unknown, const event::TriedAgain &again)
{
    Checkout &checkout = draft.after;
    if (keyTooOld(checkout, draft.now)) {
        checkout.state = state::Unknown{Why::KeyTooOld, unknown.sinceWallMs, {}};
        return;
    }
    const int attempt = newestAttempt(checkout) + 1;
    checkout.policy = again.policy;
    checkout.run = {draft.now.monotonicMs, attempt, 0, {}, draft.now.bootMs, false};
    enterSending(draft, attempt);
}

void endRun(Draft &draft, Why why, std::optional<qint64> retryAfterMs)
{
    const Checkout &checkout = draft.after;
    if (!checkout.attempts.empty() && everyAttemptNotSent(checkout))
        draft.after.state = state::NotSent{std::get<verdict::NotSent>(*checkout.attempts.back().verdict).why};
    else
        enterUnknown(draft, why, retryAfterMs);
}

void startInquiry(Draft &draft)
{
    if (draft.after.inquiryUnderWay)
        return;
    draft.after.inquiryUnderWay = true;
    draft.commands.emplace_back(
        command::SendInquiry{draft.after.key, draft.after.ledgerId, draft.after.policy.attemptDeadlineMs});
}

void takeLateInquiry(Draft &draft, const event::InquiryEnded &ended)
{
    draft.after.inquiryUnderWay = false;
    noteBankDate(draft.after, ended.bankDateMs);
    settleOrRemember(draft, settledState(ended.verdict, 0));
}

void takeInquiry(Draft &draft, const event::InquiryEnded &ended)
{
    takeLateInquiry(draft, ended);
    const auto *theirs = std::get_if<inquiry::OtherDetails>(&ended.verdict);
    if (!theirs)
        return;
    if (auto *mismatch = std::get_if<state::KeyMismatch>(&draft.after.state))
        mismatch->theirs = *theirs;
    else
        draft.after.state = state::KeyMismatch{*theirs, {}};
}

void contradictByInquiry(Draft &draft, const event::InquiryEnded &ended)
{
    draft.after.inquiryUnderWay = false;
    noteBankDate(draft.after, ended.bankDateMs);
    contradict(draft, settledState(ended.verdict, 0));
}

void noteRestart(Draft &draft, const event::Restarted &restarted)
{
    Checkout &checkout = draft.after;
    checkout.inquiryUnderWay = false;
    if (checkout.ledgerId.isEmpty())
        noteNeverSent(checkout);
    if (restarted.bootId.isEmpty() || restarted.bootId != checkout.startedBootId)
        checkout.bootIsTheSame = false;
}

void settleUnsent(Draft &draft)
{
    Checkout &checkout = draft.after;
    if (!checkout.attempts.empty() && everyAttemptNotSent(checkout))
        checkout.state = state::NotSent{std::get<verdict::NotSent>(*checkout.attempts.back().verdict).why};
}

void resumeSending(Draft &draft)
{
    draft.after.run.forgivesNotSent = true;
}

void resumeWaiting(Draft &draft, const state::Waiting &waiting, const event::Resumed &resumed)
{
    Checkout &checkout = draft.after;
    if (keyTooOld(checkout, draft.now))
        return endRun(draft, Why::KeyTooOld);
    if (isOverOnAWatch(draft))
        return endRun(draft, Why::BudgetRanOut);
    checkout.run.forgivesNotSent = true;
    const int triesSoFar = waiting.nextAttempt - checkout.run.firstAttempt;
    const qint64 untilMs = later(draft.now.monotonicMs, backoffMs(checkout.policy, triesSoFar, resumed.jitterDraw));
    checkout.state = state::Waiting{waiting.nextAttempt, untilMs, waiting.why};
    draft.commands.emplace_back(command::StartWait{checkout.key, waiting.nextAttempt, untilMs});
}

} // namespace ikkai::moves
