#include "core/checkout/transition.h"
#include "tests/support/test.h"
#include "tests/unit/checkout/fixture.h"

using namespace ikkai;
using namespace ikkai::test;

namespace {

/// One try that nobody answered, then left open.
Play unanswered()
{
    Play play;
    play.at(3'000, ended(1, noAnswer())).at(3'100, event::LeftOpen{});
    return play;
}

} // namespace

/// Voids, write-offs and sleep: what the table makes of them, as stories.
class VoidTransitionTest : public test::Test {
    Q_OBJECT

private Q_SLOTS:
    // --- void safely

    void voidSafelySendsOneVoidUnderItsOwnKeyAndNeverTheChargeAgain()
    {
        Play play = unanswered();
        play.at(20'000, voidStarted());
        QVERIFY(*play.is<state::Voiding>() == state::Voiding{1});
        const auto *send = play.commands<command::SendVoid>();
        QVERIFY(send);
        QVERIFY(*send ==
                (command::SendVoid{key(), voidKey(), 1, voidBodyText, QString::fromLatin1(ledgerText), 3'000}));
        for (const EventBody &asked :
             std::vector<EventBody>{event::TriedAgain{}, voidStarted(), event::InquiryStarted{}}) {
            QVERIFY(Play(play).at(20'010, asked).step().impossible);
            QVERIFY(Play(play).at(20'010, asked).step().commands.empty());
        }
        play.at(20'040, voidEnded(1, voidSettled(VoidResult::Reversed)));
        QVERIFY(*play.is<state::Voided>() == (state::Voided{SettledBy::Void, VoidResult::Reversed}));
        QVERIFY(!play.checkout().contradiction);
        QCOMPARE(*play.checkout().settledWallMs, t0.wallMs + 20'040);
    }

    void aVoidThatIsNotAnsweredIsSentAgainWithTheSameKeyForAsLongAsItTakes()
    {
        Play play = unanswered();
        play.at(20'000, voidStarted());
        qint64 nowMs = 20'000;
        const std::vector<qint64> delaysMs{5'000, 10'000, 20'000, 40'000, 60'000, 60'000, 60'000};
        int voidTry = 1;
        for (const qint64 delayMs : delaysMs) {
            nowMs += 3'000;
            play.at(nowMs, voidEnded(voidTry, voiding::Nothing{}));
            const auto *pending = play.is<state::VoidPending>();
            QVERIFY(pending);
            QCOMPARE(pending->untilMonotonicMs, t0.monotonicMs + nowMs + delayMs);
            QCOMPARE(pending->nextTry, ++voidTry);
            nowMs += delayMs;
            play.at(nowMs, event::VoidWaitElapsed{voidTry});
            const auto *send = play.commands<command::SendVoid>();
            QVERIFY(send && send->voidKey == voidKey() && send->body == voidBodyText && send->voidTry == voidTry);
        }
        play.at(nowMs + 10, voidEnded(voidTry, voidSettled(VoidResult::Prevented)));
        QVERIFY(*play.is<state::Voided>() == (state::Voided{SettledBy::Void, VoidResult::Prevented}));
        QCOMPARE(play.checkout().voidIntent->wireSends, int(delaysMs.size()) + 1);
    }

    void aVoidGoesOnAfterARestart()
    {
        Play play = unanswered();
        play.at(20'000, voidStarted());
        play.at(25'000, event::Restarted{QStringLiteral("boot-2")}); // in the middle of try 1
        QVERIFY(*play.is<state::Voiding>() == state::Voiding{2});
        QCOMPARE(play.commands<command::SendVoid>()->voidKey, voidKey());
        play.at(28'000, voidEnded(2, voiding::Nothing{}));
        play.at(29'000, event::Restarted{QStringLiteral("boot-3")}); // in the wait for try 3
        QVERIFY(*play.is<state::Voiding>() == state::Voiding{3});
        QCOMPARE(play.commands<command::SendVoid>()->body, voidBodyText);
    }

    void aVoidOfADeclineIsADecline()
    {
        Play play = unanswered();
        play.at(20'000, voidStarted()).at(20'040, voidEnded(1, voidSettled(VoidResult::NotCharged)));
        QVERIFY(*play.is<state::Declined>() == (state::Declined{SettledBy::Void, {}}));
    }

    void case_21_anApprovalThatComesWhileItIsVoidedDoesNotSettleAndIsNotForgotten()
    {
        for (const auto &[result, contradicts] :
             {std::pair{VoidResult::Reversed, false}, {VoidResult::Prevented, true}}) {
            Play play = unanswered();
            play.at(20'000, voidStarted());
            play.at(20'010, event::LateAnswer{1, approved(), {}});
            QVERIFY(play.is<state::Voiding>());
            QCOMPARE(play.checkout().voidIntent->heardMeanwhile, QStringLiteral("approved"));
            play.at(20'040, voidEnded(1, voidSettled(result)));
            QVERIFY(play.is<state::Voided>());
            QCOMPARE(play.checkout().contradiction.has_value(), contradicts);
        }
    }

    void case_21_paidAfterVoidIsShown()
    {
        Play play = unanswered();
        play.at(20'000, voidStarted()).at(20'040, voidEnded(1, voidSettled(VoidResult::Prevented)));
        play.at(60'000, event::InquiryStarted{});
        QVERIFY(play.commands<command::SendInquiry>());
        play.at(60'020, event::InquiryEnded{verdict::Approved{SettledBy::Inquiry, details()}, {}});
        QVERIFY(play.is<state::Voided>());
        QCOMPARE(play.checkout().contradiction->said, QStringLiteral("approved"));
    }

    void aLateYesToMoneyThatWasGivenBackIsNoNews()
    {
        Play play = unanswered();
        play.at(20'000, voidStarted()).at(20'040, voidEnded(1, voidSettled(VoidResult::Reversed)));
        play.at(20'100, event::LateAnswer{1, approved(), {}});
        QVERIFY(!play.checkout().contradiction);
        play.at(60'020, event::InquiryEnded{verdict::Approved{SettledBy::Inquiry, details()}, {}});
        QCOMPARE(play.checkout().contradiction->said, QStringLiteral("approved"));
    }

    void aVoidOfWhatNeverLeftSendsNothing()
    {
        Play play(started(QString()));
        play.at(1'000, event::LeftOpen{});
        QVERIFY(play.is<state::Unknown>());
        play.at(1'500, voidStarted());
        QVERIFY(play.is<state::NotSent>());
        QVERIFY(play.step().commands.empty());
        play.at(3'000, ended(1, notSent())); // the question who the bank is ends
        QVERIFY(!play.step().impossible);
        QVERIFY(play.is<state::NotSent>());
    }

    void aMismatchOfTheVoidWaitsForASupervisor()
    {
        Play play = unanswered();
        play.at(20'000, voidStarted()).at(20'040, voidEnded(1, voiding::Mismatch{QStringLiteral("amount")}));
        QVERIFY(play.is<state::KeyMismatch>());
        play.at(21'000, event::InquiryEnded{verdict::Approved{SettledBy::Inquiry, details()}, {}});
        QVERIFY(play.is<state::KeyMismatch>()); // after VoidStarted an inquiry settles nothing
        play.at(22'000, event::WrittenOff{state::WrittenOff::Why::Mismatch, QStringLiteral("not ours")});
        QVERIFY(*play.is<state::WrittenOff>() ==
                (state::WrittenOff{state::WrittenOff::Why::Mismatch, QStringLiteral("not ours")}));
    }

    void onlyALedgerThatIsGoneWritesOffWhatTheBankMayStillSettle()
    {
        using Reason = state::WrittenOff::Why;
        for (const bool voiding : {false, true}) {
            Play play = unanswered();
            if (voiding)
                play.at(20'000, voidStarted());
            QVERIFY(Play(play).at(21'000, event::WrittenOff{Reason::Mismatch, {}}).step().impossible);
            play.at(21'000, event::WrittenOff{Reason::LedgerGone, QStringLiteral("bank replaced")});
            QVERIFY(play.is<state::WrittenOff>());
        }
    }

    // --- suspension

    void aRunThatWasSleptThroughIsOver()
    {
        Play play;
        play.at(3'000, ended(1, noAnswer()));
        QVERIFY(play.is<state::Waiting>());
        Stamp woken = after(3'100);
        woken.bootMs += 60'000; // the monotonic clock stood still meanwhile
        play.with({woken, event::Resumed{60'000, 0}});
        QVERIFY(play.isUnknown(state::Unknown::Why::BudgetRanOut));
    }

    void aShortSleepPlansTheWaitAnewAndForgivesOneDeadLine()
    {
        Play play;
        for (int attempt = 1; attempt <= 4; ++attempt) {
            play.at(attempt * 1'000, ended(attempt, notSent(), 0));
            if (attempt < 4)
                play.at(attempt * 1'000 + 500, event::WaitElapsed{attempt + 1});
        }
        Stamp woken = after(4'200);
        woken.bootMs += 10'000;
        play.with({woken, event::Resumed{10'000, 0}});
        const auto *wait = play.commands<command::StartWait>();
        QVERIFY(wait && wait->nextAttempt == 5);
        woken.monotonicMs = wait->untilMonotonicMs;
        play.with({woken, event::WaitElapsed{5}});
        play.with({woken, ended(5, notSent(), 0)}); // the fifth of five: but the line was not there yet
        QVERIFY(play.is<state::Waiting>());
        woken.monotonicMs = play.is<state::Waiting>()->untilMonotonicMs;
        play.with({woken, event::WaitElapsed{6}});
        play.with({woken, ended(6, notSent(), 0)});
        QVERIFY(play.is<state::NotSent>());
    }
};

IKKAI_TEST_MAIN(VoidTransitionTest)
#include "tst_void_transition.moc"
