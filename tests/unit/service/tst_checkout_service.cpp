#include "core/checkout/recovery.h"
#include "tests/support/test.h"
#include "tests/support/virtual_bench.h"

using namespace ikkai;
using ikkai::test::Engine;
using ikkai::test::MemoryJournal;
using ikkai::test::PlayedGateway;
using End = Transmission::End;

class CheckoutServiceTest : public ikkai::test::Test {
    Q_OBJECT

private Q_SLOTS:
    void theKeyIsOnDiskBeforeTheFirstByteLeaves()
    {
        MemoryJournal journal;
        Engine engine(journal);
        engine.open();
        size_t eventsAtSending = 0;
        engine.gateway.transmitted = [&] { eventsAtSending = journal.all().begin()->second.size(); };
        engine.service.start(Engine::sale());
        QCOMPARE(engine.gateway.charges.size(), 1u);
        QCOMPARE(eventsAtSending, 1u);
        QCOMPARE(engine.gateway.charges[0].expectLedger, QStringLiteral("ledger-1"));
    }

    void aLostAnswerIsAskedForAgainWithTheSameKeyAndTheSameBytes() // case_01, case_03, case_06, case_20
    {
        MemoryJournal journal;
        Engine engine(journal);
        engine.open();
        engine.service.start(Engine::sale());
        engine.gateway.stayAway(End::DeadlinePassed, 1);
        QCOMPARE(engine.outcome(), QStringLiteral("waiting"));
        engine.time.advance(500);
        QCOMPARE(engine.gateway.charges.size(), 2u);
        QCOMPARE(engine.gateway.charges[1].attempt.key, engine.gateway.charges[0].attempt.key);
        QCOMPARE(engine.gateway.charges[1].body, engine.gateway.charges[0].body);
        engine.gateway.answer(201, "approved", {{"idempotent-replayed", "true"}});
        QCOMPARE(engine.outcome(), QStringLiteral("approved"));
        QCOMPARE(std::get<state::Approved>(engine.last().state).by, SettledBy::Replay);
        QCOMPARE(totalWireSends(engine.last()), 2);
    }

    void nothingIsSentBeforeTheBankIsKnown()
    {
        MemoryJournal journal;
        Engine engine(journal);
        engine.service.recover();
        engine.service.start(Engine::sale());
        QCOMPARE(engine.gateway.charges.size(), 0u);
        engine.gateway.tellBank();
        QCOMPARE(engine.gateway.charges.size(), 1u);
        QCOMPARE(engine.last().ledgerId, QStringLiteral("ledger-1"));
    }

    void anUnreachableBankEndsAsNotSentAndNothingWasCharged()
    {
        MemoryJournal journal;
        Engine engine(journal);
        engine.service.recover();
        engine.service.start(Engine::sale());
        for (int second = 0; second < 40 && !isFinal(engine.last().state); ++second) {
            engine.gateway.sink().bankLearned(Transmission{End::ConnectionRefused, {}, 0, 1, {}});
            engine.time.advance(1'000);
        }
        QCOMPARE(engine.outcome(), QStringLiteral("not_sent"));
        QCOMPARE(engine.gateway.charges.size(), 0u);
        QCOMPARE(totalWireSends(engine.last()), 0);
    }

    void anOrderWithAnOpenCheckoutOpensThatOneInsteadOfChargingAgain() // case_05, case_20
    {
        MemoryJournal journal;
        Engine engine(journal);
        engine.open();
        engine.service.start(Engine::sale("A-1", 1'200));
        engine.service.start(Engine::sale("A-1", 1'500));
        QCOMPARE(engine.gateway.charges.size(), 1u);
        QCOMPARE(engine.rejected.size(), 1u);
        QCOMPARE(engine.rejected[0].why, StartRejection::Why::OrderIsOpen);
        QCOMPARE(engine.rejected[0].existing->money.amountMinor(), 1'200);
    }

    void case_25_twoStartsInOneTurnMakeOneCharge()
    {
        MemoryJournal journal;
        Engine engine(journal);
        engine.open();
        engine.service.start(Engine::sale());
        engine.service.start(Engine::sale());
        QCOMPARE(journal.all().size(), 1u);
        QCOMPARE(engine.gateway.charges.size(), 1u);
    }

    void aSecondSaleUnderAPaidOrderHasToBeMeant()
    {
        MemoryJournal journal;
        Engine engine(journal);
        engine.open();
        engine.service.start(Engine::sale());
        engine.gateway.answer(201, "approved");
        engine.service.start(Engine::sale());
        QCOMPARE(engine.rejected.back().why, StartRejection::Why::AlreadyPaid);
        QCOMPARE(engine.gateway.charges.size(), 1u);
        StartRequest meant = Engine::sale();
        meant.secondSale = SecondSale::Confirmed;
        engine.service.start(meant);
        QCOMPARE(engine.gateway.charges.size(), 2u);
        QVERIFY(engine.gateway.charges[0].attempt.key < engine.gateway.charges[1].attempt.key);
    }

    void case_08_aDeclineEndsTheCheckoutAndTheNextTryIsANewKey()
    {
        MemoryJournal journal;
        Engine engine(journal);
        engine.open();
        engine.service.start(Engine::sale());
        engine.gateway.answer(402, "declined");
        QCOMPARE(engine.outcome(), QStringLiteral("declined"));
        engine.service.start(Engine::sale());
        QCOMPARE(engine.gateway.charges.size(), 2u);
        QVERIFY(engine.gateway.charges[0].attempt.key != engine.gateway.charges[1].attempt.key);
    }

    void startingAnotherEndsTheAutomaticTriesOfTheFirst()
    {
        MemoryJournal journal;
        Engine engine(journal);
        engine.open();
        engine.service.start(Engine::sale("A-1"));
        engine.gateway.stayAway(End::DeadlinePassed, 1);
        engine.service.start(Engine::sale("A-2"));
        engine.gateway.answer(201, "approved");
        engine.time.advance(120'000);
        QCOMPARE(engine.gateway.charges.size(), 2u);
        QCOMPARE(engine.gateway.charges[1].attempt.number, 1);
    }

    void case_23_leftOpenNothingIsChargedAgainWithoutAPerson()
    {
        MemoryJournal journal;
        Engine engine(journal);
        engine.open();
        engine.service.start(Engine::sale());
        const IdempotencyKey key = engine.gateway.charges[0].attempt.key;
        engine.gateway.stayAway(End::DeadlinePassed, 1);
        engine.service.leaveOpen(key);
        QCOMPARE(engine.outcome(), QStringLiteral("unknown"));
        engine.time.advance(600'000);
        QCOMPARE(engine.gateway.charges.size(), 1u);
        engine.service.tryAgain(key);
        engine.service.tryAgain(key);
        QCOMPARE(engine.gateway.charges.size(), 2u);
        QCOMPARE(engine.gateway.charges[1].attempt.number, 2);
        QCOMPARE(engine.gateway.charges[1].attempt.key, key);
    }

    void case_04_aRestartKeepsTheCheckoutAndItsKey()
    {
        MemoryJournal journal;
        QString key;
        {
            Engine engine(journal);
            engine.open();
            engine.service.start(Engine::sale());
            key = engine.gateway.charges[0].attempt.key.text();
        }
        Engine engine(journal);
        engine.open();
        QCOMPARE(engine.outcome(), QStringLiteral("unknown"));
        QCOMPARE(engine.last().key.text(), key);
        QCOMPARE(engine.gateway.charges.size(), 0u);
        engine.service.checkNow(engine.last().key);
        QCOMPARE(engine.gateway.inquiries.size(), 1u);
        QCOMPARE(engine.gateway.inquiries[0].key.text(), key);
        engine.service.start(Engine::sale());
        QCOMPARE(engine.rejected.back().why, StartRejection::Why::OrderIsOpen);
    }

    void theFoldOfTheJournalIsTheStateThatWasShown()
    {
        MemoryJournal journal;
        Engine engine(journal);
        engine.open();
        engine.service.start(Engine::sale());
        engine.gateway.answer(503, "approved", {{"retry-after", "1"}});
        engine.time.advance(1'000);
        engine.gateway.answer(409, "approved");
        QCOMPARE(fold(journal.all().begin()->second).value(), engine.last());
    }

    void anAnswerThatIsAlreadyThereIsTakenBeforeUnknownIsSaid()
    {
        MemoryJournal journal;
        Engine engine(journal);
        engine.open();
        engine.service.start(Engine::sale());
        const auto first = engine.gateway.charges[0];
        engine.gateway.stayAway(End::DeadlinePassed, 1);
        engine.gateway.draining = [&] {
            engine.gateway.draining = nullptr;
            engine.gateway.sink().lateAnswer(first.attempt, PlayedGateway::answerTo(first, 201, "approved"));
        };
        engine.service.leaveOpen(first.attempt.key);
        for (const Checkout &checkout : engine.shown)
            QVERIFY(!std::holds_alternative<state::Unknown>(checkout.state));
        QCOMPARE(engine.outcome(), QStringLiteral("approved"));
    }

    void whatCannotBeRecordedIsNotSent()
    {
        MemoryJournal journal;
        Engine engine(journal);
        engine.open();
        journal.refuse = JournalError{JournalError::Kind::DiskFull, QStringLiteral("terminal.sqlite"), {}};
        engine.service.start(Engine::sale());
        QCOMPARE(engine.gateway.charges.size(), 0u);
        QCOMPARE(engine.rejected.back().why, StartRejection::Why::CannotRecord);
    }

    void anAnswerThatCannotBeRecordedYetIsShownAndRecordedLater()
    {
        MemoryJournal journal;
        Engine engine(journal);
        engine.open();
        bool recorded = true;
        connect(&engine.service, &CheckoutService::checkoutChanged, this,
                [&](const Checkout &, bool isRecorded) { recorded = isRecorded; });
        engine.service.start(Engine::sale());
        journal.refuse = JournalError{JournalError::Kind::DiskFull, QStringLiteral("terminal.sqlite"), {}};
        engine.gateway.answer(201, "approved");
        QCOMPARE(engine.outcome(), QStringLiteral("approved"));
        QVERIFY(!recorded);
        engine.time.advance(5'000);
        QVERIFY(!recorded);
        journal.refuse.reset();
        engine.time.advance(1'000);
        QVERIFY(recorded);
        QCOMPARE(journal.all().begin()->second.size(), 2u);
    }

    void aTryThatCannotBeRecordedIsNotTransmitted()
    {
        MemoryJournal journal;
        Engine engine(journal);
        engine.open();
        engine.service.start(Engine::sale());
        engine.gateway.stayAway(End::ConnectionLost, 1);
        journal.refuse = JournalError{JournalError::Kind::DiskFull, QStringLiteral("terminal.sqlite"), {}};
        engine.time.advance(4'000);
        QCOMPARE(engine.gateway.charges.size(), 1u);
        journal.refuse.reset();
        engine.time.advance(1'000);
        QCOMPARE(engine.gateway.charges.size(), 2u);
    }

    void anotherLedgerMakesTheOutcomeUnknownAndTheBankIsAskedWhoItIs()
    {
        MemoryJournal journal;
        Engine engine(journal);
        engine.open();
        const int learnsBefore = engine.gateway.learns;
        engine.service.start(Engine::sale());
        Transmission other = PlayedGateway::answerTo(engine.gateway.charges[0], 201, "approved");
        other.answer->headers.insert("ledger-id", "ledger-2");
        engine.gateway.sink().attemptEnded(engine.gateway.charges[0].attempt, other);
        QCOMPARE(engine.outcome(), QStringLiteral("unknown"));
        QCOMPARE(engine.gateway.learns, learnsBefore + 1);
    }

    void aRefusedApiKeyShutsChargeInsteadOfProducingUnknowns()
    {
        MemoryJournal journal;
        Engine engine(journal);
        engine.service.recover();
        engine.gateway.sink().bankLearned(BankIdentity{QStringLiteral("ledger-1"), 1'000, false});
        engine.service.start(Engine::sale());
        QCOMPARE(engine.rejected.back().why, StartRejection::Why::ApiKeyRefused);
        QCOMPARE(engine.gateway.charges.size(), 0u);
        QVERIFY(journal.all().empty());
    }

    void case_09_aConflictIsWaitedForAndNeverShownAsFailure()
    {
        MemoryJournal journal;
        Engine engine(journal);
        engine.open();
        engine.service.start(Engine::sale());
        const auto sent = engine.gateway.charges[0];
        const QByteArray problem = "{\"type\":\"urn:ikkai:problem:idempotency-key-in-progress\",\"title\":\"t\","
                                   "\"status\":409,\"detail\":\"d\",\"retryable\":true,\"idempotency_key\":\"" +
                                   sent.attempt.key.bytes() + "\"}";
        const HttpAnswer conflict{
            409,
            {{"content-type", "application/problem+json"}, {"ledger-id", "ledger-1"}, {"retry-after", "1"}},
            problem};
        for (size_t sends = 2; sends <= 5; ++sends) {
            engine.gateway.sink().attemptEnded(engine.gateway.charges.back().attempt,
                                               Transmission{End::Answered, conflict, 1, 5, {}});
            QCOMPARE(std::get<state::Waiting>(engine.last().state).why, state::Waiting::Why::StillProcessing);
            engine.time.advance(8'000); // the longest pause there is
            QCOMPARE(engine.gateway.charges.size(), sends);
        }
        engine.gateway.answer(201, "approved", {{"idempotent-replayed", "true"}});
        QCOMPARE(engine.outcome(), QStringLiteral("approved"));
    }
};

IKKAI_TEST_MAIN(CheckoutServiceTest)
#include "tst_checkout_service.moc"
