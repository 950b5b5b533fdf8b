#include "core/checkout/recovery.h"
#include "core/checkout/transition.h"
#include "tests/support/test.h"
#include "tests/unit/checkout/fixture.h"

#include <limits>

using namespace ikkai;
using namespace ikkai::test;
using Why = state::Unknown::Why;

class TransitionTest : public test::Test {
    Q_OBJECT

private Q_SLOTS:
    // --- the first try

    void aCheckoutBeginsWithOneRecordedAttemptAndOneTransmission()
    {
        const Play play;
        QVERIFY(*play.is<state::Sending>() == state::Sending{1});
        QCOMPARE(play.checkout().attempts.size(), size_t{1});
        QVERIFY(play.checkout().attempts[0] == (AttemptRecord{1, t0, {}, 0, 0}));
        QCOMPARE(play.checkout().nextSeq, 2);
        QCOMPARE(play.checkout().updatedWallMs, t0.wallMs);
        const auto *send = play.commands<command::SendCharge>();
        QVERIFY(send);
        QVERIFY(*send == (command::SendCharge{{key(), 1}, bodyText, QString::fromLatin1(ledgerText), 3'000}));
    }

    void aBankThatIsNotKnownIsAskedFirst()
    {
        Play play(started({}));
        const auto *learn = play.commands<command::LearnBank>();
        QVERIFY(learn);
        QVERIFY(*learn == (command::LearnBank{{key(), 1}, 3'000}));

        play.at(400, event::BankLearned{1, QStringLiteral("ldg_9"), hourMs});
        QCOMPARE(play.checkout().ledgerId, QStringLiteral("ldg_9"));
        QCOMPARE(play.checkout().keyTtlMs, hourMs);
        QCOMPARE(play.checkout().attempts.size(), size_t{1});
        const auto *send = play.commands<command::SendCharge>();
        QVERIFY(send);
        QCOMPARE(send->deadlineMs, 2'600); // what the asking left of the attempt's deadline
        QCOMPARE(send->expectLedger, QStringLiteral("ldg_9"));
    }

    void aBankLearnedTwiceMakesNoSecondTransmission()
    {
        Play play(started({}));
        play.at(100, event::BankLearned{1, QStringLiteral("ldg_9"), hourMs});
        play.at(200, event::BankLearned{1, QStringLiteral("ldg_9"), hourMs});
        QVERIFY(play.step().commands.empty());
        QVERIFY(play.step().impossible);
    }

    void aBankLearnedTooLateOrWithoutNameEndsTheAttemptNotSent()
    {
        for (const auto &[ms, ledgerId] : {std::pair<qint64, QString>{3'000, QStringLiteral("ldg_9")}, {100, {}}}) {
            Play play(started({}));
            play.at(ms, event::BankLearned{1, ledgerId, hourMs});
            const ChargeVerdict notLearned = verdict::NotSent{verdict::NotSent::Why::BankNotLearned};
            QVERIFY(*play.checkout().attempts[0].verdict == notLearned);
            QCOMPARE(play.word(), QStringLiteral("waiting"));
            QVERIFY(play.commands<command::StartWait>());
        }
    }

    void aBankLearnedAfterTheRunIsOverSendsNothing()
    {
        Play play(started({}));
        play.at(100, event::LeftOpen{});
        QVERIFY(play.isUnknown(Why::LeftOpen)); // its only attempt has no result yet
        play.at(200, event::BankLearned{1, QStringLiteral("ldg_9"), hourMs});
        QVERIFY(play.step().commands.empty());
        QCOMPARE(play.word(), QStringLiteral("not_sent"));
    }

    // --- retries

    void case_03_and_06_everyTrySendsTheSameKeyAndTheSameBytes()
    {
        Play play;
        for (int attempt = 1; attempt < 5; ++attempt) {
            play.at(attempt * 1'000, ended(attempt, noAnswer(), 0));
            play.at(attempt * 1'000 + 500, event::WaitElapsed{attempt + 1});
            const auto *send = play.commands<command::SendCharge>();
            QVERIFY(send);
            QVERIFY(send->attempt == (AttemptId{key(), attempt + 1}));
            QCOMPARE(send->body, bodyText);
        }
    }

    void aLostAnswerIsWaitedForAndTriedAgain()
    {
        Play play;
        play.at(3'000, ended(1, noAnswer()));
        const auto *waiting = play.is<state::Waiting>();
        QVERIFY(waiting);
        QVERIFY(*waiting == (state::Waiting{2, 4'000 + 500, state::Waiting::Why::NoAnswer}));
        QVERIFY(*play.commands<command::StartWait>() == (command::StartWait{key(), 2, 4'500}));

        play.at(3'500, event::WaitElapsed{2});
        QVERIFY(*play.is<state::Sending>() == state::Sending{2});
        QVERIFY(*play.checkout().attempts[0].verdict == noAnswer());
        QVERIFY(!play.checkout().attempts[1].verdict);

        play.at(3'600, ended(2, approved(SettledBy::Replay)));
        QVERIFY(*play.is<state::Approved>() == (state::Approved{SettledBy::Replay, details(), 2}));
        QCOMPARE(totalWireSends(play.checkout()), 2);
        QVERIFY(play.step().commands.empty());
    }

    void case_24_triesRunOutAfterFive()
    {
        Play play;
        for (int attempt = 1; attempt <= 5; ++attempt) {
            QVERIFY(play.is<state::Sending>());
            play.at(attempt * 1'000, ended(attempt, noAnswer(), 0));
            if (attempt < 5)
                play.at(attempt * 1'000 + 100, event::WaitElapsed{attempt + 1});
        }
        QVERIFY(play.isUnknown(Why::TriesRanOut));
        QCOMPARE(play.is<state::Unknown>()->sinceWallMs, t0.wallMs + 5'000);
        QVERIFY(play.step().commands.empty());
    }

    void case_24_theBudgetOfThirtySecondsEndsTheRun()
    {
        Play play;
        play.at(29'499, ended(1, noAnswer()));
        QVERIFY(play.is<state::Waiting>()); // 500 ms later there is one left
        Play late;
        late.at(29'500, ended(1, noAnswer()));
        QVERIFY(late.isUnknown(Why::BudgetRanOut));
    }

    void theLastAttemptGetsWhatIsLeftOfTheBudget()
    {
        Play play;
        play.at(28'000, ended(1, noAnswer(), 0));
        play.at(28'250, event::WaitElapsed{2});
        QCOMPARE(play.commands<command::SendCharge>()->deadlineMs, 1'750);
    }

    void aWaitThatEndsAfterTheBudgetSendsNothing()
    {
        Play play;
        play.at(3'000, ended(1, noAnswer()));
        play.at(30'000, event::WaitElapsed{2}); // the machine slept
        QVERIFY(play.isUnknown(Why::BudgetRanOut));
        QVERIFY(play.step().commands.empty());
        QCOMPARE(play.checkout().attempts.size(), size_t{1});
    }

    void aTimerOfAnEarlierWaitIsHarmless()
    {
        Play play;
        play.at(3'000, ended(1, noAnswer()));
        const State waiting = play.state();
        play.at(3'400, event::WaitElapsed{1});
        QVERIFY(play.state() == waiting);
        play.at(3'500, event::WaitElapsed{2});
        play.at(3'501, event::WaitElapsed{2});
        QVERIFY(*play.is<state::Sending>() == state::Sending{2});
        QVERIFY(play.step().commands.empty());
        QVERIFY(!play.step().impossible);
    }

    void case_26_aRetryAfterIsHonouredWithinTheBudget()
    {
        Play play;
        play.at(100, ended(1, trouble(12'000)));
        QCOMPARE(play.is<state::Waiting>()->untilMonotonicMs, t0.monotonicMs + 12'100);
        QVERIFY(play.is<state::Waiting>()->why == state::Waiting::Why::ServerTrouble);
    }

    void case_26_aShortRetryAfterDoesNotShortenTheBackoff()
    {
        Play play;
        play.at(100, ended(1, trouble(0)));
        QCOMPARE(play.is<state::Waiting>()->untilMonotonicMs, t0.monotonicMs + 600);
    }

    void case_26_aRetryAfterOfADayIsShownAndNotWaitedFor()
    {
        for (const qint64 retryAfterMs : {qint64{86'400'000}, qint64{29'900}, std::numeric_limits<qint64>::max()}) {
            Play play;
            play.at(100, ended(1, trouble(retryAfterMs)));
            QVERIFY(play.isUnknown(Why::RetryAfterTooLong));
            QCOMPARE(play.is<state::Unknown>()->retryAfterMs, std::optional(retryAfterMs));
            QVERIFY(play.step().commands.empty());
        }
    }

    void aRetryAfterThatWouldFitWhereTheBackoffDoesNotIsNotBlamed()
    {
        Play play;
        play.at(29'600, ended(1, trouble(10)));
        QVERIFY(play.isUnknown(Why::BudgetRanOut));
    }

    // --- 409

    void case_09_and_11_stillProcessingIsWaitedForAndNotCounted()
    {
        Play play;
        qint64 ms = 0;
        for (int attempt = 1; attempt <= 8; ++attempt) {
            play.at(ms += 100, ended(attempt, processing(), 0));
            QVERIFY(play.is<state::Waiting>());
            QVERIFY(play.is<state::Waiting>()->why == state::Waiting::Why::StillProcessing);
            ms = play.is<state::Waiting>()->untilMonotonicMs - t0.monotonicMs;
            play.at(ms, event::WaitElapsed{attempt + 1});
        }
        QCOMPARE(play.checkout().run.countedTries, 0);
        play.at(ms + 10, ended(9, approved()));
        QCOMPARE(play.word(), QStringLiteral("approved"));
    }

    void the409sHaveThirtySecondsOfTheirOwnFromTheFirst()
    {
        Play play;
        play.at(20'000, ended(1, processing(), 0));
        QCOMPARE(play.checkout().run.firstConflictMonotonicMs, std::optional<qint64>(t0.monotonicMs + 20'000));
        play.at(21'000, event::WaitElapsed{2});
        play.at(40'000, ended(2, processing(), 0)); // beyond the 30 s of the run, within those of the 409s
        QVERIFY(play.is<state::Waiting>());
        play.at(41'000, event::WaitElapsed{3});
        QCOMPARE(play.commands<command::SendCharge>()->deadlineMs, 3'000);
        play.at(49'500, ended(3, processing(), 0));
        QVERIFY(play.isUnknown(Why::BudgetRanOut)); // 1 s more would end after 50 s
    }

    void anUnansweredTryAfterThe409sFallsBackToTheBudgetOfTheRun()
    {
        Play play;
        play.at(20'000, ended(1, processing(), 0));
        play.at(30'500, event::WaitElapsed{2});
        play.at(33'500, ended(2, noAnswer(), 0));
        QVERIFY(play.isUnknown(Why::BudgetRanOut));
    }

    void nothingGoesOnBeyondTheCeiling()
    {
        event::CheckoutStarted patient = started();
        patient.policy.budgetMs = 500'000;
        patient.policy.conflictBudgetMs = 500'000;
        for (const ChargeVerdict &verdict : {noAnswer(), processing()}) {
            Play play(patient);
            play.at(59'499, ended(1, verdict));
            QVERIFY(play.is<state::Waiting>());
            play.at(59'999, event::WaitElapsed{2});
            QCOMPARE(play.commands<command::SendCharge>()->deadlineMs, 1);
            play.at(60'000, ended(2, verdict, 0));
            QVERIFY(play.isUnknown(Why::BudgetRanOut));
        }
    }

    void case_26_aConflictsRetryAfterIsHonouredWithinItsBudget()
    {
        Play play;
        play.at(100, ended(1, processing(5'000)));
        QCOMPARE(play.is<state::Waiting>()->untilMonotonicMs, t0.monotonicMs + 5'100);
        Play tooLong;
        tooLong.at(100, ended(1, processing(30'000)));
        QVERIFY(tooLong.isUnknown(Why::RetryAfterTooLong));
    }

    // --- what settles and what does not

    void case_08_aDeclineEndsTheCheckout()
    {
        Play play;
        play.at(100, ended(1, declined()));
        QVERIFY(*play.is<state::Declined>() == (state::Declined{SettledBy::Answer, details()}));
        play.at(200, event::TriedAgain{});
        QVERIFY(play.step().impossible);
        QVERIFY(play.step().commands.empty());
    }

    void aVoidThatFoundADeclineIsADecline()
    {
        Play play;
        play.at(100, ended(1, voided(VoidResult::NotCharged)));
        QCOMPARE(play.word(), QStringLiteral("declined"));
        for (const VoidResult result : {VoidResult::Reversed, VoidResult::Prevented}) {
            Play other;
            other.at(100, ended(1, voided(result)));
            QVERIFY(*other.is<state::Voided>() == (state::Voided{SettledBy::Answer, result}));
        }
    }

    void case_10_aRefusalAfterAnUnansweredTryIsNeverNotCharged()
    {
        Play first;
        first.at(100, ended(1, refused()));
        QCOMPARE(first.word(), QStringLiteral("refused"));

        Play afterNotSent;
        afterNotSent.at(100, ended(1, notSent()));
        afterNotSent.at(600, event::WaitElapsed{2});
        afterNotSent.at(700, ended(2, refused()));
        QCOMPARE(afterNotSent.word(), QStringLiteral("refused"));

        // Whatever the verdict claims, the record of the attempts decides.
        Play afterSilence;
        afterSilence.at(3'000, ended(1, noAnswer()));
        afterSilence.at(3'500, event::WaitElapsed{2});
        afterSilence.at(3'600, ended(2, refused()));
        QVERIFY(afterSilence.isUnknown(Why::RefusedAfterUnanswered));
    }

    void whatDecidesNothingStopsTheRunInUnknown_data()
    {
        QTest::addColumn<int>("which");
        QTest::addColumn<int>("why");
        QTest::newRow("stored failure") << 0 << static_cast<int>(Why::StoredFailure);
        QTest::newRow("other ledger") << 1 << static_cast<int>(Why::OtherLedger);
        QTest::newRow("refused after unanswered") << 2 << static_cast<int>(Why::RefusedAfterUnanswered);
        QTest::newRow("not the bank's answer") << 3 << static_cast<int>(Why::NotTheBanksAnswer);
        QTest::newRow("expired") << 4 << static_cast<int>(Why::AnswerExpired);
    }
    void whatDecidesNothingStopsTheRunInUnknown()
    {
        QFETCH(int, which);
        QFETCH(int, why);
        using verdict::Unclear;
        const std::vector<ChargeVerdict> verdicts{
            verdict::StoredFailure{500}, verdict::OtherLedger{QStringLiteral("ldg_2")},
            Unclear{Unclear::Why::RefusedAfterUnanswered, 401}, Unclear{Unclear::Why::NotTheBanksAnswer, 404},
            Unclear{Unclear::Why::AnswerExpired, 410}};
        Play play;
        play.at(100, ended(1, verdicts[static_cast<size_t>(which)]));
        QVERIFY(play.isUnknown(static_cast<Why>(why)));
        QVERIFY(play.step().commands.empty());
    }

    void aMismatchStopsAndStaysOpen()
    {
        Play play;
        play.at(100, ended(1, verdict::KeyMismatch{QStringLiteral("other amount")}));
        QVERIFY(*play.is<state::KeyMismatch>() == (state::KeyMismatch{{}, QStringLiteral("other amount")}));
        QVERIFY(isOpen(play.state()));
        play.at(200, event::TriedAgain{});
        QVERIFY(play.step().impossible);

        play.at(300, event::InquiryStarted{});
        const inquiry::OtherDetails theirs{QStringLiteral("A-9"), 1'500, QStringLiteral("JPY")};
        play.at(400, event::InquiryEnded{theirs, {}});
        QVERIFY(*play.is<state::KeyMismatch>() == (state::KeyMismatch{theirs, QStringLiteral("other amount")}));
        play.at(500, event::InquiryStarted{});
        play.at(600, event::InquiryEnded{verdict::Approved{SettledBy::Inquiry, details()}, {}});
        QVERIFY(*play.is<state::Approved>() == (state::Approved{SettledBy::Inquiry, details(), 0}));
    }

    // --- not sent

    void aBankThatIsNotThereIsNotSentAfterAllTries()
    {
        Play play;
        for (int attempt = 1; attempt <= 5; ++attempt) {
            play.at(attempt * 1'000, ended(attempt, notSent(), 0));
            if (attempt < 5)
                play.at(attempt * 1'000 + 100, event::WaitElapsed{attempt + 1});
        }
        QVERIFY(*play.is<state::NotSent>() == state::NotSent{verdict::NotSent::Why::ConnectionRefused});
        QCOMPARE(totalWireSends(play.checkout()), 0);
    }

    void case_45_oneUnansweredTryForbidsTheWordsNotCharged()
    {
        for (int silent = 1; silent <= 5; ++silent) {
            Play play;
            for (int attempt = 1; attempt <= 5; ++attempt) {
                play.at(attempt * 1'000, ended(attempt, attempt == silent ? noAnswer() : notSent(), 0));
                if (attempt < 5)
                    play.at(attempt * 1'000 + 100, event::WaitElapsed{attempt + 1});
            }
            QVERIFY(play.isUnknown(Why::TriesRanOut));
        }
    }

    void aRefusedApiKeyEndsTheRunAtOnce()
    {
        const ChargeVerdict refusedKey = verdict::NotSent{verdict::NotSent::Why::ApiKeyRefused};
        Play play(started({}));
        play.at(100, ended(1, refusedKey));
        QVERIFY(*play.is<state::NotSent>() == state::NotSent{verdict::NotSent::Why::ApiKeyRefused});
        Play afterSilence;
        afterSilence.at(3'000, ended(1, noAnswer()));
        afterSilence.at(3'500, event::WaitElapsed{2});
        afterSilence.at(3'600, ended(2, refusedKey));
        QVERIFY(afterSilence.isUnknown(Why::TriesRanOut));
    }

    // --- the run ends for another reason

    void leaveOpenAnotherSaleAndARestartEndTheRunByOneRule_data()
    {
        QTest::addColumn<int>("which");
        QTest::addColumn<int>("why");
        QTest::newRow("leave open") << 0 << static_cast<int>(Why::LeftOpen);
        QTest::newRow("another sale") << 1 << static_cast<int>(Why::AnotherStarted);
        QTest::newRow("restart") << 2 << static_cast<int>(Why::Restarted);
    }
    void leaveOpenAnotherSaleAndARestartEndTheRunByOneRule()
    {
        QFETCH(int, which);
        QFETCH(int, why);
        const std::vector<EventBody> bodies{event::LeftOpen{}, event::AnotherStarted{},
                                            event::Restarted{QStringLiteral("boot-1")}};
        const EventBody end = bodies[static_cast<size_t>(which)];

        Play sending;
        sending.at(100, end);
        QVERIFY(sending.isUnknown(static_cast<Why>(why)));

        Play waiting;
        waiting.at(3'000, ended(1, noAnswer()));
        waiting.at(3'100, end);
        QVERIFY(waiting.isUnknown(static_cast<Why>(why)));
        waiting.at(3'500, event::WaitElapsed{2});
        QVERIFY(waiting.step().commands.empty());

        Play neverSent;
        neverSent.at(100, ended(1, notSent()));
        neverSent.at(200, end);
        QCOMPARE(neverSent.word(), QStringLiteral("not_sent"));

        Play sendingAfterNotSent;
        sendingAfterNotSent.at(100, ended(1, notSent()));
        sendingAfterNotSent.at(600, event::WaitElapsed{2});
        sendingAfterNotSent.at(700, end);
        QVERIFY(sendingAfterNotSent.isUnknown(static_cast<Why>(why)));
    }

    void theResultOfAnAttemptThatWasUnderWayIsTaken()
    {
        const auto leftOpen = [] {
            Play play;
            play.at(100, event::LeftOpen{});
            return play;
        };
        Play play = leftOpen().at(200, ended(1, approved()));
        QCOMPARE(play.word(), QStringLiteral("approved"));
        play = leftOpen().at(200, ended(1, declined()));
        QCOMPARE(play.word(), QStringLiteral("declined"));
        play = leftOpen().at(200, ended(1, notSent()));
        QCOMPARE(play.word(), QStringLiteral("not_sent"));
        play = leftOpen().at(200, ended(1, refused()));
        QCOMPARE(play.word(), QStringLiteral("refused"));
        play = leftOpen().at(200, ended(1, verdict::KeyMismatch{}));
        QCOMPARE(play.word(), QStringLiteral("key_mismatch"));
        for (const ChargeVerdict &verdict : {noAnswer(), trouble(), processing()}) {
            play = leftOpen().at(200, ended(1, verdict));
            QVERIFY(play.isUnknown(Why::LeftOpen));
            QVERIFY(*play.checkout().attempts[0].verdict == verdict);
            QVERIFY(play.step().commands.empty());
        }
        Play twice;
        twice.at(3'000, ended(1, noAnswer()));
        twice.at(3'500, event::WaitElapsed{2});
        twice.at(3'600, event::LeftOpen{});
        twice.at(3'700, ended(2, refused()));
        QVERIFY(twice.isUnknown(Why::LeftOpen));
    }

    void anAttemptEndsOnce()
    {
        Play play;
        play.at(3'000, ended(1, noAnswer()));
        const State before = play.state();
        play.at(3'100, ended(1, approved()));
        QVERIFY(play.step().impossible);
        QVERIFY(play.state() == before);
        play.at(3'200, ended(7, approved()));
        QVERIFY(play.step().impossible);
        play.at(3'300, event::LateAnswer{7, approved(), {}});
        QVERIFY(play.step().impossible);
        QVERIFY(play.state() == before);
        QCOMPARE(play.checkout().nextSeq, 6);
    }

    // --- late answers

    void case_21_aLateAnswerSettlesAnyOpenState()
    {
        const auto silent = [] {
            Play play;
            play.at(3'000, ended(1, noAnswer()));
            return play;
        };
        std::vector<Play> open;
        open.push_back(silent());
        open.push_back(silent().at(3'500, event::WaitElapsed{2}));
        open.push_back(silent().at(3'100, event::LeftOpen{}));
        open.push_back(silent().at(3'500, event::WaitElapsed{2}).at(3'600, ended(2, verdict::KeyMismatch{})));
        for (Play &play : open) {
            const State before = play.state();
            for (const ChargeVerdict &nothing : {noAnswer(), trouble(), processing(), refused(), notSent()}) {
                play.at(4'000, event::LateAnswer{1, nothing, {}});
                QVERIFY(play.state() == before);
                QVERIFY(play.step().commands.empty());
            }
            play.at(5'000, event::LateAnswer{1, approved(), {}});
            QVERIFY(*play.is<state::Approved>() == (state::Approved{SettledBy::Answer, details(), 1}));
        }
    }

    void theTryUnderWayIsStillRecordedAfterALateAnswer()
    {
        Play play;
        play.at(3'000, ended(1, noAnswer()));
        play.at(3'500, event::WaitElapsed{2});
        play.at(3'600, event::LateAnswer{1, approved(), {}});
        play.at(3'700, ended(2, approved(SettledBy::Replay)));
        QVERIFY(*play.is<state::Approved>() == (state::Approved{SettledBy::Answer, details(), 1}));
        QVERIFY(*play.checkout().attempts[1].verdict == approved(SettledBy::Replay));
        QCOMPARE(totalWireSends(play.checkout()), 2);
        QVERIFY(!play.checkout().contradiction);
    }

    void aWordAgainstASettledStateIsKeptBesideIt()
    {
        Play play;
        play.at(3'000, ended(1, noAnswer()));
        play.at(3'500, event::WaitElapsed{2});
        play.at(3'600, ended(2, voided(VoidResult::Prevented)));
        const State settled = play.state();
        play.at(3'700, event::LateAnswer{1, approved(), {}});
        QVERIFY(play.state() == settled);
        QVERIFY(play.checkout().contradiction == (Contradiction{QStringLiteral("approved"), t0.wallMs + 3'700}));
        play.at(3'800, event::LateAnswer{1, approved(), {}});
        QCOMPARE(play.checkout().contradiction->atWallMs, t0.wallMs + 3'700);
        play.at(3'900, event::LateAnswer{1, voided(VoidResult::Reversed), {}});
        QCOMPARE(play.checkout().contradiction->said, QStringLiteral("approved"));
        QVERIFY(play.state() == settled);
    }

    // --- inquiry

    void anInquirySettlesUnknown()
    {
        Play play;
        play.at(100, event::LeftOpen{});
        play.at(200, event::InquiryStarted{});
        QVERIFY(play.checkout().inquiryUnderWay);
        QVERIFY(*play.commands<command::SendInquiry>() ==
                (command::SendInquiry{key(), QString::fromLatin1(ledgerText), 3'000}));
        play.at(250, event::InquiryStarted{});
        QVERIFY(play.step().commands.empty()); // one at a time
        QVERIFY(!play.step().impossible);
        play.at(300, event::InquiryEnded{inquiry::Nothing{inquiry::Nothing::Why::NeverSeen}, {}});
        QVERIFY(!play.checkout().inquiryUnderWay);
        QVERIFY(play.isUnknown(Why::LeftOpen)); // never seen does not prove that it will never arrive
        play.at(400, event::InquiryStarted{});
        play.at(500, event::InquiryEnded{verdict::Approved{SettledBy::Inquiry, details()}, {}});
        QVERIFY(*play.is<state::Approved>() == (state::Approved{SettledBy::Inquiry, details(), 0}));
    }

    void anInquiryThatShowsOtherDetailsIsAMismatch()
    {
        Play play;
        play.at(100, event::LeftOpen{});
        play.at(200, event::InquiryStarted{});
        const inquiry::OtherDetails theirs{QStringLiteral("A-1001"), 1'500, QStringLiteral("JPY")};
        play.at(300, event::InquiryEnded{theirs, {}});
        QVERIFY(*play.is<state::KeyMismatch>() == (state::KeyMismatch{theirs, {}}));
    }

    void anInquirysAnswerAfterTryAgainCountsAsLate()
    {
        const auto tryingAgain = [] {
            Play play;
            play.at(100, event::LeftOpen{});
            play.at(200, event::InquiryStarted{});
            play.at(300, event::TriedAgain{});
            return play;
        };
        Play play = tryingAgain();
        QVERIFY(play.is<state::Sending>());
        play.at(400, event::InquiryEnded{inquiry::OtherDetails{}, {}});
        QVERIFY(play.is<state::Sending>());
        QVERIFY(!play.checkout().inquiryUnderWay);
        play = tryingAgain().at(400, event::InquiryEnded{verdict::Declined{SettledBy::Inquiry, {}}, {}});
        QCOMPARE(play.word(), QStringLiteral("declined"));
    }

    // --- try again

    void case_20_tryAgainContinuesTheSameCharge()
    {
        Play play;
        play.at(3'000, ended(1, noAnswer()));
        play.at(3'100, event::LeftOpen{});
        RetryPolicy shorter;
        shorter.attemptDeadlineMs = 1'000;
        play.at(600'000, event::TriedAgain{shorter});
        QVERIFY(*play.is<state::Sending>() == state::Sending{2});
        const auto *send = play.commands<command::SendCharge>();
        QVERIFY(send);
        QVERIFY(*send == (command::SendCharge{{key(), 2}, bodyText, QString::fromLatin1(ledgerText), 1'000}));
        QVERIFY(play.checkout().run == (Run{t0.monotonicMs + 600'000, 2, 0, {}, t0.bootMs + 600'000, false}));
        play.at(600'500, ended(2, noAnswer())); // the first try of the new run: the first delay again
        QCOMPARE(play.is<state::Waiting>()->untilMonotonicMs, t0.monotonicMs + 601'000);
    }

    void attemptNumbersGrowForTheCheckoutsWholeLife()
    {
        Play play;
        play.at(100, event::LeftOpen{});
        play.at(200, event::TriedAgain{});
        play.at(300, event::Restarted{QStringLiteral("boot-2")});
        play.at(400, event::TriedAgain{});
        QVERIFY(*play.is<state::Sending>() == state::Sending{3});
        play.at(500, ended(3, refused()));
        QVERIFY(play.isUnknown(Why::RefusedAfterUnanswered)); // attempts 1 and 2 never got a result
    }

    void anEarlierAttemptMayEndWhileTheNextIsSent()
    {
        Play play;
        play.at(100, event::LeftOpen{});
        play.at(200, event::TriedAgain{});
        play.at(300, ended(1, noAnswer()));
        QVERIFY(*play.is<state::Sending>() == state::Sending{2});
        QVERIFY(play.step().commands.empty());
        QVERIFY(*play.checkout().attempts[0].verdict == noAnswer());

        Play paid;
        paid.at(100, event::LeftOpen{});
        paid.at(200, event::TriedAgain{});
        paid.at(300, ended(1, approved()));
        QVERIFY(*paid.is<state::Approved>() == (state::Approved{SettledBy::Answer, details(), 1}));
    }

    // --- the key's age

    void case_19_nothingIsSentUnderAKeyThatIsTooOld_data()
    {
        QTest::addColumn<qint64>("ttlMs");
        QTest::addColumn<qint64>("limitMs");
        QTest::newRow("23 h") << 48 * hourMs << 23 * hourMs;
        QTest::newRow("95 % of 24 h") << 24 * hourMs << 24 * hourMs / 100 * 95;
        QTest::newRow("95 % of 1 h") << hourMs << hourMs / 100 * 95;
        QTest::newRow("95 % of 10 s") << qint64{10'000} << qint64{9'500};
        QTest::newRow("the longest") << std::numeric_limits<qint64>::max() << 23 * hourMs;
    }
    void case_19_nothingIsSentUnderAKeyThatIsTooOld()
    {
        QFETCH(qint64, ttlMs);
        QFETCH(qint64, limitMs);
        event::CheckoutStarted start = started();
        start.keyTtlMs = ttlMs;
        Play young(start);
        young.at(100, event::LeftOpen{});
        Play old = young;
        young.at(limitMs - 1, event::TriedAgain{});
        QVERIFY(young.is<state::Sending>());
        old.at(limitMs, event::TriedAgain{});
        QVERIFY(*old.is<state::Unknown>() == (state::Unknown{Why::KeyTooOld, t0.wallMs + 100, {}}));
        QVERIFY(old.step().commands.empty());
        QCOMPARE(old.checkout().attempts.size(), size_t{1});
    }

    void aWaitThatOutlivesTheKeySendsNothing()
    {
        event::CheckoutStarted start = started();
        start.keyTtlMs = 10'000;
        Play play(start);
        play.at(9'400, ended(1, noAnswer()));
        play.at(9'900, event::WaitElapsed{2});
        QVERIFY(play.isUnknown(Why::KeyTooOld));
        Play neverSent(start);
        neverSent.at(9'400, ended(1, notSent()));
        neverSent.at(9'900, event::WaitElapsed{2});
        QCOMPARE(neverSent.word(), QStringLiteral("not_sent"));
    }

    void theAgeIsTheLargestThatAnyClockTells()
    {
        Checkout checkout = Play().checkout();
        QCOMPARE(keyAgeMs(checkout, after(5'000)), 5'000);
        Stamp suspended = after(5'000);
        suspended.bootMs += 7'000;
        QCOMPARE(keyAgeMs(checkout, suspended), 12'000); // the wall clock was set back meanwhile
        checkout.bootIsTheSame = false;
        QCOMPARE(keyAgeMs(checkout, suspended), 5'000);
        checkout.oldestBankDateMs = 1'000;
        checkout.newestBankDateMs = 9'000;
        QCOMPARE(keyAgeMs(checkout, suspended), 8'000);
        Stamp setBack = after(5'000);
        setBack.wallMs = t0.wallMs - 1;
        QCOMPARE(keyAgeMs(checkout, setBack), std::numeric_limits<qint64>::max());
        QVERIFY(keyTooOld(checkout, setBack));
    }

    void theBanksOwnDatesAgeTheKey()
    {
        Play play;
        event::AttemptEnded first = ended(1, noAnswer());
        first.bankDateMs = t0.wallMs;
        play.at(3'000, first);
        play.at(3'100, event::LateAnswer{1, trouble(), t0.wallMs + 1'000});
        play.at(3'200, event::LeftOpen{});
        play.at(3'300, event::InquiryStarted{});
        play.at(3'400, event::InquiryEnded{inquiry::Nothing{}, t0.wallMs + 23 * hourMs});
        QCOMPARE(play.checkout().oldestBankDateMs, std::optional(t0.wallMs));
        QCOMPARE(play.checkout().newestBankDateMs, std::optional(t0.wallMs + 23 * hourMs));
        play.at(3'500, event::TriedAgain{});
        QVERIFY(play.isUnknown(Why::KeyTooOld));
    }

    // --- restart

    void case_04_aRestartFindsTheCheckoutAndSendsNothing()
    {
        Play play;
        play.at(3'000, ended(1, noAnswer()));
        play.at(3'500, event::WaitElapsed{2});
        const auto found = fold(play.events());
        QVERIFY(found);
        QVERIFY(*found == play.checkout());
        Step restarted = transition(*found, {after(9'000), event::Restarted{QStringLiteral("boot-1")}});
        QVERIFY(restarted.commands.empty());
        QVERIFY(
            (std::get<state::Unknown>(restarted.after.state) == state::Unknown{Why::Restarted, t0.wallMs + 9'000, {}}));
        QVERIFY(restarted.after.bootIsTheSame);
        restarted = transition(restarted.after, {after(9'500), event::Restarted{QStringLiteral("boot-2")}});
        QVERIFY(!restarted.after.bootIsTheSame);
        restarted = transition(restarted.after, {after(9'600), event::Restarted{QStringLiteral("boot-1")}});
        QVERIFY(!restarted.after.bootIsTheSame); // once another boot, always another boot
        QCOMPARE(std::get<state::Unknown>(restarted.after.state).sinceWallMs, t0.wallMs + 9'000);
    }

    void aBootThatIsNotNamedIsNotTheSame()
    {
        Play play;
        play.at(100, event::Restarted{});
        QVERIFY(!play.checkout().bootIsTheSame);
    }

    void aRestartForgetsTheInquiryUnderWay()
    {
        Play play;
        play.at(100, event::LeftOpen{});
        play.at(200, event::InquiryStarted{});
        play.at(300, event::Restarted{QStringLiteral("boot-1")});
        QVERIFY(!play.checkout().inquiryUnderWay);
        play.at(400, event::InquiryStarted{});
        QVERIFY(play.commands<command::SendInquiry>());
    }

    void foldNamesWhatIsWrong()
    {
        QVERIFY(!fold({}));
        QVERIFY(fold({{t0, event::LeftOpen{}}}).error().contains(QStringLiteral("LeftOpen")));
        const auto twice = fold({{t0, started()}, {after(1), event::LeftOpen{}}, {after(2), started()}});
        QVERIFY(twice.error().contains(QStringLiteral("Event 3")));
    }
};

IKKAI_TEST_MAIN(TransitionTest)
#include "tst_transition.moc"
