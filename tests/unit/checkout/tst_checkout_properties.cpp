#include "core/checkout/recovery.h"
#include "core/checkout/transition.h"
#include "tests/support/property.h"
#include "tests/support/test.h"
#include "tests/unit/checkout/fixture.h"

#include <set>

using namespace ikkai;
using namespace ikkai::test;

namespace {

std::optional<qint64> anyRetryAfterMs()
{
    return *rc::gen::element<std::optional<qint64>>(std::nullopt, 0, 700, 12'000, 86'400'000,
                                                    std::numeric_limits<qint64>::max());
}

ChargeVerdict anyVerdict()
{
    using verdict::Unclear;
    switch (*rc::gen::inRange(0, 16)) {
    case 0:
        return approved();
    case 1:
        return declined(SettledBy::Replay);
    case 2:
        return voided(*rc::gen::element(VoidResult::Reversed, VoidResult::Prevented, VoidResult::NotCharged));
    case 3:
        return verdict::KeyMismatch{};
    case 4:
        return verdict::StoredFailure{500};
    case 5:
        return refused();
    case 6:
        return Unclear{*rc::gen::element(Unclear::Why::RefusedAfterUnanswered, Unclear::Why::NotTheBanksAnswer,
                                         Unclear::Why::AnswerExpired),
                       404};
    case 7:
        return verdict::OtherLedger{};
    case 8:
        return processing(anyRetryAfterMs());
    case 9:
        return trouble(anyRetryAfterMs());
    case 10:
    case 11:
    case 12:
        return notSent();
    default:
        return noAnswer();
    }
}

InquiryVerdict anyInquiryVerdict()
{
    switch (*rc::gen::inRange(0, 8)) {
    case 0:
        return verdict::Approved{SettledBy::Inquiry, details()};
    case 1:
        return verdict::Declined{SettledBy::Inquiry, details()};
    case 2:
        return verdict::Voided{SettledBy::Inquiry, *rc::gen::element(VoidResult::Reversed, VoidResult::NotCharged)};
    case 3:
        return inquiry::OtherDetails{};
    default:
        return inquiry::Nothing{};
    }
}

VoidVerdict anyVoidVerdict()
{
    switch (*rc::gen::inRange(0, 6)) {
    case 0:
        return voidSettled(*rc::gen::element(VoidResult::Reversed, VoidResult::Prevented, VoidResult::NotCharged));
    case 1:
        return voiding::Mismatch{};
    default:
        return voiding::Nothing{*rc::gen::element(voiding::Nothing::Why::NoAnswer, voiding::Nothing::Why::NotSent), 0,
                                anyRetryAfterMs()};
    }
}

/// The try of the void that this state waits for, or another one.
int anyVoidTry(const Checkout &checkout)
{
    int fitting = 1;
    if (const auto *voiding = std::get_if<state::Voiding>(&checkout.state))
        fitting = voiding->voidTry;
    if (const auto *pending = std::get_if<state::VoidPending>(&checkout.state))
        fitting = pending->nextTry;
    return *rc::gen::weightedElement<int>({{4, fitting}, {1, fitting + 1}});
}

std::optional<qint64> anyBankDateMs()
{
    if (*rc::gen::arbitrary<bool>())
        return {};
    return t0.wallMs + *rc::gen::inRange<qint64>(-10'000, 24 * hourMs);
}

/// Any event at all, more often one that fits.
EventBody anyBody(const Checkout &checkout)
{
    const int attempts = static_cast<int>(checkout.attempts.size());
    const int attempt = *rc::gen::oneOf(rc::gen::just(attempts), rc::gen::inRange(0, attempts + 2));
    switch (*rc::gen::inRange(0, 28)) {
    case 20:
        return voidStarted(*rc::gen::element(QString(), QStringLiteral("supervisor")));
    case 21:
    case 22:
    case 23:
        return voidEnded(anyVoidTry(checkout), anyVoidVerdict(), *rc::gen::arbitrary<quint32>());
    case 24:
        return event::VoidWaitElapsed{anyVoidTry(checkout)};
    case 25:
        return event::Resumed{1'000, *rc::gen::arbitrary<quint32>()};
    case 26:
        if (*rc::gen::inRange(0, 4) > 0)
            return event::WaitElapsed{attempts + 1};
        return event::WrittenOff{
            *rc::gen::element(state::WrittenOff::Why::Mismatch, state::WrittenOff::Why::LedgerGone),
            QStringLiteral("why")};
    case 0:
    case 1:
        return event::BankLearned{attempt, *rc::gen::element(QStringLiteral("ldg_1"), QString()),
                                  *rc::gen::element<qint64>(0, 10'000, 24 * hourMs)};
    case 2:
    case 3:
        return event::LateAnswer{attempt, anyVerdict(), anyBankDateMs()};
    case 4:
        return event::InquiryStarted{};
    case 5:
        return event::InquiryEnded{anyInquiryVerdict(), anyBankDateMs()};
    case 6:
    case 7:
        return event::TriedAgain{};
    case 8:
        return event::LeftOpen{};
    case 9:
        return event::AnotherStarted{};
    case 10:
        return event::Restarted{*rc::gen::element(QStringLiteral("boot-1"), QStringLiteral("boot-2"), QString())};
    case 11:
        return event::WaitElapsed{attempt};
    case 12:
    case 13:
    case 14:
        return event::WaitElapsed{attempts + 1};
    default: {
        event::AttemptEnded body = ended(attempt, anyVerdict(), *rc::gen::arbitrary<quint32>());
        body.bankDateMs = anyBankDateMs();
        return body;
    }
    }
}

/// A little later, or much later; sometimes the wall clock jumps meanwhile.
Stamp anyLater(const Stamp &now)
{
    Stamp then = after(*rc::gen::weightedOneOf<qint64>({{8, rc::gen::inRange<qint64>(0, 4'000)},
                                                        {1, rc::gen::inRange<qint64>(0, 60'000)},
                                                        {1, rc::gen::inRange<qint64>(0, 24 * hourMs)}}),
                       now);
    if (*rc::gen::inRange(0, 20) == 0)
        then.wallMs += *rc::gen::inRange<qint64>(-2 * hourMs, 2 * hourMs);
    return then;
}

event::CheckoutStarted anyStart()
{
    event::CheckoutStarted start = started(*rc::gen::element(QString(), QString::fromLatin1(ledgerText)));
    start.policy.maxAttempts = *rc::gen::inRange(0, 6);
    start.policy.budgetMs = *rc::gen::element<qint64>(0, 10'000, 30'000, 90'000);
    start.keyTtlMs = *rc::gen::element<qint64>(20'000, 24 * hourMs);
    return start;
}

bool isNotSent(const AttemptRecord &attempt)
{
    return attempt.verdict && std::holds_alternative<verdict::NotSent>(*attempt.verdict);
}

/// What must be true of a checkout at any time.
void assertLegal(const Checkout &checkout, size_t events)
{
    RC_ASSERT(checkout.nextSeq == static_cast<int>(events) + 1);
    int number = 0;
    for (const AttemptRecord &attempt : checkout.attempts)
        RC_ASSERT(attempt.number == ++number);
    if (const auto *sending = std::get_if<state::Sending>(&checkout.state)) {
        RC_ASSERT(sending->attempt == number);
        RC_ASSERT(!checkout.attempts.back().verdict);
    }
    if (const auto *waiting = std::get_if<state::Waiting>(&checkout.state)) {
        RC_ASSERT(waiting->nextAttempt == number + 1);
        RC_ASSERT(checkout.run.countedTries < std::max(checkout.policy.maxAttempts, 1));
        RC_ASSERT(waiting->untilMonotonicMs < checkout.run.startedMonotonicMs + checkout.policy.ceilingMs);
    }
    if (std::holds_alternative<state::NotSent>(checkout.state))
        RC_ASSERT(everyAttemptNotSent(checkout));
    if (std::holds_alternative<state::Refused>(checkout.state)) {
        const auto sent = std::count_if(checkout.attempts.begin(), checkout.attempts.end(),
                                        [](const AttemptRecord &attempt) { return !isNotSent(attempt); });
        RC_ASSERT(sent == 1);
    }
    if (checkout.contradiction)
        RC_ASSERT(isFinal(checkout.state));
    RC_ASSERT(checkout.settledWallMs.has_value() == isFinal(checkout.state));
    if (isVoiding(checkout.state))
        RC_ASSERT(checkout.voidIntent && checkout.voidIntent->key == voidKey() && !everyAttemptNotSent(checkout));
    if (isAutomatic(checkout.state) || std::holds_alternative<state::Unknown>(checkout.state))
        RC_ASSERT(!checkout.voidIntent);
}

/// The word by which this event may settle a checkout; empty where it says nothing of money.
QString settlingWord(const EventBody &body)
{
    const auto word = [](const auto &verdict) -> QString {
        if (std::holds_alternative<verdict::Approved>(verdict))
            return QStringLiteral("approved");
        if (std::holds_alternative<verdict::Declined>(verdict))
            return QStringLiteral("declined");
        if (const auto *voided = std::get_if<verdict::Voided>(&verdict))
            return voided->result == VoidResult::NotCharged ? QStringLiteral("declined") : QStringLiteral("voided");
        return {};
    };
    if (const auto *ended = std::get_if<event::AttemptEnded>(&body))
        return word(ended->verdict);
    if (const auto *late = std::get_if<event::LateAnswer>(&body))
        return word(late->verdict);
    if (const auto *inquired = std::get_if<event::InquiryEnded>(&body))
        return word(inquired->verdict);
    if (const auto *ended = std::get_if<event::VoidEnded>(&body)) {
        if (const auto *settled = std::get_if<voiding::Settled>(&ended->verdict))
            return settled->result == VoidResult::NotCharged ? QStringLiteral("declined") : QStringLiteral("voided");
    }
    return {};
}

/// An answer to an old attempt tells of the money that the void has given back: no contradiction.
bool isKnownToTheVoid(const Checkout &before, const EventBody &body)
{
    const auto *voided = std::get_if<state::Voided>(&before.state);
    return voided && voided->result == VoidResult::Reversed && settlingWord(body) == u"approved" &&
           !std::holds_alternative<event::InquiryEnded>(body);
}

/// Plays any life of a checkout, and calls `seen(before, event, step, events so far)` for every event but the first.
template <class Seen>
void anyLife(Seen seen)
{
    const event::CheckoutStarted start = anyStart();
    std::vector<Event> events{{t0, start}};
    Step step = begin(start, t0);
    const int length = *rc::gen::inRange(0, 30);
    for (int i = 0; i < length; ++i) {
        const Event event{anyLater(events.back().at), anyBody(step.after)};
        events.push_back(event);
        const Checkout before = step.after;
        step = transition(before, event);
        seen(before, event, step, events);
    }
}

} // namespace

class CheckoutPropertiesTest : public test::Test {
    Q_OBJECT

private Q_SLOTS:
    void anyPrefixFoldsToTheStateThatWasLived()
    {
        QVERIFY(holds("any prefix of events folds to a legal state, the one that was lived", [] {
            anyLife([](const Checkout &, const Event &, const Step &step, const std::vector<Event> &events) {
                const Result<Checkout, QString> folded = fold(events);
                RC_ASSERT(folded.ok());
                RC_ASSERT(*folded == step.after);
                assertLegal(*folded, events.size());
            });
        }));
    }

    void noLifeTransmitsAnAttemptTwiceOrChangesTheCharge()
    {
        QVERIFY(holds("each attempt is recorded before it is sent, once, with the same key and bytes", [] {
            std::set<int> transmitted;
            anyLife([&](const Checkout &before, const Event &event, const Step &step, const std::vector<Event> &) {
                RC_ASSERT(step.commands.size() <= 1);
                RC_ASSERT(step.after.key == before.key);
                RC_ASSERT(step.after.body == before.body);
                for (const Command &command : step.commands) {
                    const auto *send = std::get_if<command::SendCharge>(&command);
                    if (!send)
                        continue;
                    RC_ASSERT(transmitted.insert(send->attempt.number).second);
                    RC_ASSERT(send->attempt.key == before.key);
                    RC_ASSERT(send->body == before.body);
                    RC_ASSERT(!send->expectLedger.isEmpty());
                    RC_ASSERT(send->attempt.number == step.after.attempts.back().number);
                    RC_ASSERT(std::holds_alternative<state::Sending>(step.after.state));
                    RC_ASSERT(send->deadlineMs >= 0);
                    RC_ASSERT(send->deadlineMs <= step.after.policy.attemptDeadlineMs);
                    if (!std::holds_alternative<event::BankLearned>(event.body))
                        RC_ASSERT(!keyTooOld(before, event.at));
                }
            });
        }));
    }

    void nothingButABanksWordSettlesAndNothingUnsettles()
    {
        QVERIFY(holds("only the bank's word settles, and a settled state never changes", [] {
            anyLife([](const Checkout &before, const Event &event, const Step &step, const std::vector<Event> &) {
                const QString after = outcomeWord(step.after.state);
                if (isFinal(before.state)) {
                    RC_ASSERT(step.after.state == before.state);
                    RC_ASSERT(step.commands.empty() || std::holds_alternative<event::InquiryStarted>(event.body));
                    const QString said = settlingWord(event.body);
                    if (!step.impossible && !said.isEmpty() && said != after && !isKnownToTheVoid(before, event.body))
                        RC_ASSERT(step.after.contradiction && step.after.contradiction->said == said);
                } else if (after == u"approved" || after == u"declined" || after == u"voided") {
                    RC_ASSERT(settlingWord(event.body) == after);
                } else if (!step.impossible && isOpen(step.after.state)) {
                    const QString said = settlingWord(event.body);
                    RC_ASSERT(said.isEmpty() || (before.voidIntent && step.after.voidIntent->heardMeanwhile == said));
                }
            });
        }));
    }

    void afterVoidStartedOnlyThatVoidIsSentAndOnlyItsAnswerSettles()
    {
        QVERIFY(holds("from VoidStarted on no charge is sent, and only the void's answer or a supervisor settles", [] {
            anyLife([](const Checkout &before, const Event &event, const Step &step, const std::vector<Event> &) {
                for (const Command &command : step.commands) {
                    if (!step.after.voidIntent)
                        RC_ASSERT(!std::holds_alternative<command::SendVoid>(command));
                    else
                        RC_ASSERT(!std::holds_alternative<command::SendCharge>(command) &&
                                  !std::holds_alternative<command::LearnBank>(command) &&
                                  !std::holds_alternative<command::StartWait>(command));
                    if (const auto *send = std::get_if<command::SendVoid>(&command)) {
                        RC_ASSERT(send->voidKey == voidKey() && send->body == voidBodyText);
                        RC_ASSERT(send->expectLedger == step.after.ledgerId);
                    }
                }
                if (before.voidIntent && isOpen(before.state) && isFinal(step.after.state))
                    RC_ASSERT(std::holds_alternative<event::VoidEnded>(event.body) ||
                              std::holds_alternative<event::WrittenOff>(event.body));
                if (before.voidIntent)
                    RC_ASSERT(step.after.voidIntent && step.after.voidIntent->key == before.voidIntent->key);
            });
        }));
    }

    void everyWaitForTheVoidEndsWithinAMinute()
    {
        QVERIFY(holds("VoidPending commands its timer, Voiding its transmission, and no wait is longer than 60 s", [] {
            anyLife([](const Checkout &before, const Event &event, const Step &step, const std::vector<Event> &) {
                const bool changed = step.after.state != before.state;
                if (const auto *pending = std::get_if<state::VoidPending>(&step.after.state); pending && changed) {
                    RC_ASSERT(step.commands.size() == 1);
                    const auto &wait = std::get<command::StartVoidWait>(step.commands.front());
                    RC_ASSERT(wait.nextTry == pending->nextTry && wait.untilMonotonicMs == pending->untilMonotonicMs);
                    const qint64 delayMs = pending->untilMonotonicMs - event.at.monotonicMs;
                    RC_ASSERT(delayMs >= 4'000 && delayMs <= 60'000);
                }
                if (const auto *voiding = std::get_if<state::Voiding>(&step.after.state); voiding && changed) {
                    RC_ASSERT(step.commands.size() == 1);
                    RC_ASSERT(std::get<command::SendVoid>(step.commands.front()).voidTry == voiding->voidTry);
                }
            });
        }));
    }

    void whatIsImpossibleChangesNothing()
    {
        QVERIFY(holds("an impossible pair changes nothing but the record", [] {
            anyLife([](const Checkout &before, const Event &event, const Step &step, const std::vector<Event> &) {
                RC_ASSERT(step.after.nextSeq == before.nextSeq + 1);
                RC_ASSERT(step.after.updatedWallMs == event.at.wallMs);
                if (!step.impossible)
                    return;
                RC_ASSERT(step.commands.empty());
                Checkout unchanged = step.after;
                unchanged.nextSeq = before.nextSeq;
                unchanged.updatedWallMs = before.updatedWallMs;
                RC_ASSERT(unchanged == before);
            });
        }));
    }

    void noAutomaticStateIsWithoutAWayOn()
    {
        QVERIFY(holds("entering Sending commands a transmission, entering Waiting a timer, nothing else does", [] {
            anyLife([](const Checkout &before, const Event &event, const Step &step, const std::vector<Event> &) {
                const auto has = [&](size_t command) {
                    return !step.commands.empty() && step.commands.front().index() == command;
                };
                const bool sends = has(0) || has(1);
                const auto *sending = std::get_if<state::Sending>(&step.after.state);
                const bool entersSending = sending && step.after.state != before.state;
                const bool learned = std::holds_alternative<event::BankLearned>(event.body);
                RC_ASSERT(!entersSending || sends);
                RC_ASSERT(!sends || entersSending || (learned && has(1)));
                const bool entersWaiting =
                    std::holds_alternative<state::Waiting>(step.after.state) && step.after.state != before.state;
                RC_ASSERT(entersWaiting == has(2));
            });
        }));
    }
};

IKKAI_TEST_MAIN(CheckoutPropertiesTest)
#include "tst_checkout_properties.moc"
