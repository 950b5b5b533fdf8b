#include "core/checkout/recovery.h"
#include "tests/support/test.h"
#include "tests/support/virtual_bench.h"

using namespace ikkai;
using ikkai::test::Engine;
using ikkai::test::MemoryJournal;
using ikkai::test::PlayedGateway;
using End = Transmission::End;

namespace {

const JournalError diskFull{JournalError::Kind::DiskFull, QStringLiteral("terminal.sqlite"), {}};
const Transmission unreachable{End::ConnectionRefused, {}, 0, 1, {}};

/// One sale that nobody answered, left open.
IdempotencyKey openSale(Engine &engine, const char *order = "A-1")
{
    engine.service.start(Engine::sale(order));
    const IdempotencyKey key = engine.gateway.charges.back().attempt.key;
    engine.gateway.stayAway(End::DeadlinePassed, 1);
    engine.service.leaveOpen(key);
    return key;
}

QString wordOf(const MemoryJournal &journal, const IdempotencyKey &key)
{
    return outcomeWord(fold(journal.all().at(key)).value().state);
}

size_t eventsOf(const MemoryJournal &journal, const IdempotencyKey &key)
{
    return journal.all().at(key).size();
}

/// Everything that can be pressed, twice.
void pressEverything(Engine &engine, const IdempotencyKey &key)
{
    for (int i = 0; i < 2; ++i) {
        engine.service.tryAgain(key);
        engine.service.leaveOpen(key);
        engine.service.voidSafely(key);
    }
}

} // namespace

/// Whatever is clicked, comes, or begins anew: each checkout has one sender.
class OneSenderTest : public ikkai::test::Test {
    Q_OBJECT

private Q_SLOTS:
    void case_05_case_20_whoeverTriesAgainContinuesTheSameCharge()
    {
        MemoryJournal journal;
        Engine engine(journal);
        engine.open();
        const IdempotencyKey key = openSale(engine);
        engine.service.start(Engine::sale()); // the same order once more: not another charge
        QCOMPARE(engine.rejected.back().existing->key, key);
        engine.service.tryAgain(key);
        engine.service.tryAgain(key);
        QCOMPARE(engine.gateway.charges.size(), 2u);
        QCOMPARE(engine.gateway.charges[1].attempt, (AttemptId{key, 2}));
        QCOMPARE(engine.gateway.charges[1].body, engine.gateway.charges[0].body);
        engine.gateway.answer(201, "approved", {{"idempotent-replayed", "true"}});
        QCOMPARE(journal.all().size(), 1u);
    }

    void case_24_aBankThatNeverAnswersEndsWithinAMinuteAsWhatNobodyKnows()
    {
        MemoryJournal journal;
        Engine engine(journal);
        engine.open();
        engine.service.start(Engine::sale());
        qint64 passedMs = 0;
        while (isAutomatic(engine.last().state) && passedMs < 120'000) {
            if (std::holds_alternative<state::Sending>(engine.last().state)) {
                engine.time.advance(3'000);
                passedMs += 3'000;
                engine.gateway.stayAway(End::DeadlinePassed, 1);
            } else {
                engine.time.advance(100);
                passedMs += 100;
            }
        }
        QVERIFY(passedMs <= 60'000);
        QCOMPARE(engine.outcome(), QStringLiteral("unknown"));
    }

    void case_29_aTimeOutIsNotTakenForThePersonWhoLeftItOpen()
    {
        MemoryJournal journal;
        Engine engine(journal);
        engine.open();
        engine.service.start(Engine::sale());
        engine.service.leaveOpen(engine.last().key);
        engine.gateway.stayAway(End::DeadlinePassed, 1);
        QCOMPARE(std::get<state::Unknown>(engine.last().state).why, state::Unknown::Why::LeftOpen);
        QCOMPARE(std::get<verdict::NoAnswer>(*engine.last().attempts[0].verdict).why,
                 verdict::NoAnswer::Why::DeadlinePassed);
    }

    void pressesOnASettledCheckoutAreNotWrittenDownAndLeaveTheNextCustomerAlone()
    {
        MemoryJournal journal;
        Engine engine(journal);
        engine.open();
        engine.service.start(Engine::sale("A-1"));
        const IdempotencyKey paid = engine.last().key;
        engine.gateway.answer(201, "approved");
        engine.service.start(Engine::sale("A-2"));
        const IdempotencyKey next = engine.last().key;
        const size_t written = eventsOf(journal, paid);
        pressEverything(engine, paid);
        QCOMPARE(eventsOf(journal, paid), written);
        QCOMPARE(wordOf(journal, next), QStringLiteral("sending")); // its run was not ended by a press on another
        QCOMPARE(engine.gateway.charges.size(), 2u);
    }

    void case_21_case_25_onceAVoidWasStartedNothingSendsTheChargeAgain()
    {
        MemoryJournal journal;
        IdempotencyKey key = [&] {
            Engine engine(journal);
            engine.open();
            const IdempotencyKey open = openSale(engine);
            engine.service.voidSafely(open);
            const size_t written = eventsOf(journal, open);
            pressEverything(engine, open);
            engine.service.checkNow(open);
            [&] { QCOMPARE(eventsOf(journal, open), written); }();
            engine.gateway.voidUnanswered();
            pressEverything(engine, open);
            engine.service.start(Engine::sale("A-2")); // the next customer
            engine.gateway.answer(201, "approved");    // and the bank is there again
            engine.time.advance(600'000);
            [&] {
                QCOMPARE(engine.gateway.charges.size(), 2u);
                QCOMPARE(engine.gateway.inquiries.size(), 0u);
            }();
            return open;
        }();
        Engine engine(journal);
        engine.open();
        pressEverything(engine, key);
        engine.time.sleep(3'600'000);
        engine.time.advance(600'000);
        QCOMPARE(engine.gateway.charges.size(), 0u);
        QCOMPARE(engine.gateway.voids.size(), 1u); // one try is on the wire, however often anybody pressed
    }

    void case_21_theAnswerToTheVoidIsLostAndTheSameVoidTells_data()
    {
        QTest::addColumn<QByteArray>("result");
        QTest::addColumn<QString>("word");
        QTest::newRow("reversed") << QByteArray("reversed") << QStringLiteral("voided");
        QTest::newRow("prevented") << QByteArray("prevented") << QStringLiteral("voided");
        QTest::newRow("not charged") << QByteArray("not_charged") << QStringLiteral("declined");
    }
    void case_21_theAnswerToTheVoidIsLostAndTheSameVoidTells()
    {
        QFETCH(const QByteArray, result);
        QFETCH(const QString, word);
        MemoryJournal journal;
        Engine engine(journal);
        engine.open();
        const IdempotencyKey key = openSale(engine);
        engine.service.voidSafely(key);
        engine.gateway.voidUnanswered();
        QCOMPARE(wordOf(journal, key), QStringLiteral("void_pending"));
        engine.time.advance(5'000);
        QCOMPARE(engine.gateway.voids.size(), 2u);
        QCOMPARE(engine.gateway.voids[1].voidKey, engine.gateway.voids[0].voidKey);
        QCOMPARE(engine.gateway.voids[1].body, engine.gateway.voids[0].body);
        engine.gateway.answerVoid(result);
        QCOMPARE(wordOf(journal, key), word);
    }

    void aVoidOfWhatNeverLeftEndsWithoutAByte()
    {
        MemoryJournal journal;
        Engine engine(journal);
        engine.service.recover(); // and the bank says nothing
        engine.service.start(Engine::sale());
        const IdempotencyKey key = engine.last().key;
        engine.service.leaveOpen(key);
        QCOMPARE(engine.outcome(), QStringLiteral("unknown"));
        engine.service.voidSafely(key);
        QCOMPARE(engine.outcome(), QStringLiteral("not_sent"));
        engine.gateway.tellBank();
        engine.time.advance(60'000);
        QCOMPARE(engine.gateway.voids.size(), 0u);
        QCOMPARE(engine.gateway.charges.size(), 0u);
        QCOMPARE(engine.gateway.inquiries.size(), 0u);
    }

    void aVoidWaitsUntilItIsKnownWhichBankAnswers()
    {
        MemoryJournal journal;
        IdempotencyKey key = [&] {
            Engine engine(journal);
            engine.open();
            const IdempotencyKey open = openSale(engine);
            engine.service.voidSafely(open);
            return open;
        }();
        Engine engine(journal);
        engine.service.recover();
        QCOMPARE(engine.gateway.voids.size(), 0u);
        engine.gateway.tellBank(QStringLiteral("ledger-2"));
        const size_t written = eventsOf(journal, key);
        engine.time.advance(24 * 3'600'000);
        QCOMPARE(engine.gateway.voids.size(), 0u);
        QCOMPARE(eventsOf(journal, key), written); // a ledger that is away for days does not fill the journal
        QCOMPARE(engine.links.back(), BankLink::OtherLedger);
        engine.gateway.tellBank(QStringLiteral("ledger-1"));
        engine.time.advance(1'000);
        QCOMPARE(engine.gateway.voids.size(), 1u);
        QCOMPARE(engine.links.back(), BankLink::Online);
        engine.gateway.answerVoid("reversed");
        QCOMPARE(wordOf(journal, key), QStringLiteral("voided"));
    }

    void aVoidThatNoBankIsThereForIsPendingAndGoesAsSoonAsOneIs()
    {
        MemoryJournal journal;
        {
            Engine engine(journal);
            engine.open();
            engine.service.voidSafely(openSale(engine));
        }
        Engine engine(journal);
        engine.service.recover();
        engine.gateway.sink().bankLearned(unreachable);
        QCOMPARE(engine.outcome(), QStringLiteral("void_pending"));
        const int learns = engine.gateway.learns;
        engine.time.advance(5'000);
        QCOMPARE(engine.gateway.learns, learns + 1); // asks by itself whether it is there again
        engine.gateway.tellBank();
        engine.time.advance(1'000);
        QCOMPARE(engine.gateway.voids.size(), 1u);
    }

    void onePressAndThePlanShareOneInquiry()
    {
        MemoryJournal journal;
        Engine engine(journal);
        engine.open();
        const IdempotencyKey key = openSale(engine);
        engine.time.advance(5'000);
        QCOMPARE(engine.gateway.inquiries.size(), 1u);
        engine.service.checkNow(key);
        QCOMPARE(engine.gateway.inquiries.size(), 1u);
        engine.gateway.knowsNothing();
        QVERIFY(std::holds_alternative<event::InquiryEnded>(journal.all().at(key).back().body));
        QVERIFY(!engine.last().inquiryUnderWay);
        QVERIFY(engine.plans.back().nextMonotonicMs);
    }

    void whileTriesRunByThemselvesNobodyIsAskedAndAfterwardsThePaceBeginsAnew()
    {
        MemoryJournal journal;
        Engine engine(journal);
        engine.open();
        const IdempotencyKey key = openSale(engine);
        engine.time.advance(5'000);
        engine.gateway.knowsNothing();
        engine.service.tryAgain(key);
        engine.time.advance(120'000); // the gateway says nothing at all
        QCOMPARE(engine.gateway.inquiries.size(), 1u);
        engine.gateway.stayAway(End::ConnectionLost, 1);
        engine.service.leaveOpen(key);
        engine.time.advance(3'999);
        QCOMPARE(engine.gateway.inquiries.size(), 1u);
        engine.time.advance(1'001);
        QCOMPARE(engine.gateway.inquiries.size(), 2u);
    }

    void anInquiryThatFindsItPaidWhileItIsVoidedIsRememberedAndSettlesNothing()
    {
        MemoryJournal journal;
        Engine engine(journal);
        engine.open();
        const IdempotencyKey key = openSale(engine);
        engine.time.advance(5'000); // an inquiry is under way
        engine.service.voidSafely(key);
        engine.gateway.answerInquiry("approved");
        QCOMPARE(wordOf(journal, key), QStringLiteral("voiding"));
        QCOMPARE(engine.last().voidIntent->heardMeanwhile, QStringLiteral("approved"));
        engine.time.advance(600'000);
        QCOMPARE(engine.gateway.inquiries.size(), 1u);
    }

    void tryAgainIsNotSentToAnotherLedger()
    {
        MemoryJournal journal;
        IdempotencyKey key = [&] {
            Engine engine(journal);
            engine.open();
            return openSale(engine);
        }();
        Engine engine(journal);
        engine.service.recover();
        engine.gateway.tellBank(QStringLiteral("ledger-2"));
        const size_t written = eventsOf(journal, key);
        engine.service.tryAgain(key);
        engine.service.checkNow(key);
        QCOMPARE(engine.rejected.back().why, StartRejection::Why::OtherLedger);
        QCOMPARE(engine.rejected.back().existing->key, key);
        QCOMPARE(engine.plans.back().lastAnswer->why, inquiry::Nothing::Why::OtherLedger);
        QCOMPARE(eventsOf(journal, key), written);
        QCOMPARE(engine.gateway.charges.size(), 0u);
        QCOMPARE(engine.gateway.inquiries.size(), 0u);
    }

    void anApiKeyThatIsRefusedShowsAtTheLinkAndShutsTryAgain()
    {
        MemoryJournal journal;
        Engine engine(journal);
        engine.open();
        const IdempotencyKey key = openSale(engine);
        engine.service.tryAgain(key);
        const int learns = engine.gateway.learns;
        engine.gateway.sink().attemptEnded(engine.gateway.charges.back().attempt,
                                           {End::Answered, HttpAnswer{401, {}, {}}, 1, 5, {}});
        QCOMPARE(engine.links.back(), BankLink::ApiKeyRefused);
        QCOMPARE(engine.gateway.learns, learns + 1);
        engine.gateway.sink().bankLearned(BankIdentity{QStringLiteral("ledger-1"), 86'400'000, false});
        engine.service.tryAgain(key);
        QCOMPARE(engine.rejected.back().why, StartRejection::Why::ApiKeyRefused);
        QCOMPARE(engine.gateway.charges.size(), 2u);
        engine.time.advance(60'000);
        QCOMPARE(engine.gateway.inquiries.size(), 0u); // it would be refused just the same
        engine.gateway.tellBank();
        engine.time.advance(5'000);
        QCOMPARE(engine.gateway.inquiries.size(), 1u);
    }

    void theLinkTurnsGreenByItselfAfterARealAnswer()
    {
        MemoryJournal journal;
        Engine engine(journal);
        engine.open();
        openSale(engine);
        QCOMPARE(engine.links.back(), BankLink::NotAnswering);
        const int learns = engine.gateway.learns;
        engine.time.advance(5'000);
        QCOMPARE(engine.gateway.learns, learns + 1);
        engine.gateway.sink().bankLearned(Transmission{End::Answered, HttpAnswer{503, {}, {}}, 1, 5, {}});
        QCOMPARE(engine.links.back(), BankLink::NotAnswering); // somebody answered, but not as the bank
        engine.time.advance(10'000);
        QCOMPARE(engine.gateway.learns, learns + 2);
        engine.gateway.tellBank();
        QCOMPARE(engine.links.back(), BankLink::Online);
        engine.time.advance(600'000);
        QCOMPARE(engine.gateway.learns, learns + 2); // and asks no more
    }

    void anOldTimerDoesNotShortenAWaitThatASleepHasPlannedAnew()
    {
        MemoryJournal journal;
        Engine engine(journal);
        engine.open();
        engine.service.start(Engine::sale());
        engine.gateway.stayAway(End::ConnectionRefused, 0);
        const qint64 firstMs = std::get<state::Waiting>(engine.last().state).untilMonotonicMs;
        engine.time.advance(200);
        engine.time.sleep(5'000);
        engine.time.advance(firstMs - engine.time.now().monotonicMs); // the first timer: it only tells of the sleep
        const qint64 anewMs = std::get<state::Waiting>(engine.last().state).untilMonotonicMs;
        QVERIFY(anewMs > firstMs);
        engine.time.advance(anewMs - firstMs - 1);
        QCOMPARE(engine.gateway.charges.size(), 1u);
        engine.time.advance(1);
        QCOMPARE(engine.gateway.charges.size(), 2u);
    }

    void aDamagedCheckoutStopsNewOnesAndNotTheCareForTheOthers()
    {
        MemoryJournal journal;
        std::vector<IdempotencyKey> keys = [&] {
            Engine engine(journal);
            engine.open();
            return std::vector{openSale(engine, "A-1"), openSale(engine, "A-2")};
        }();
        journal.unreadable = keys[0];
        Engine engine(journal);
        std::vector<JournalError> told;
        connect(&engine.service, &CheckoutService::journalFailed, this,
                [&](const JournalError &error) { told.push_back(error); });
        engine.open();
        QCOMPARE(told.size(), 1u);
        QVERIFY(told[0].detail.contains(keys[0].text()));
        QCOMPARE(engine.gateway.inquiries.size(), 1u);
        QCOMPARE(engine.gateway.inquiries[0].key, keys[1]);
        engine.service.start(Engine::sale("B-1"));
        QCOMPARE(engine.rejected.back().why, StartRejection::Why::CannotRecord);
        engine.service.voidSafely(keys[1]);
        QCOMPARE(engine.gateway.voids.size(), 1u);
        QVERIFY(engine.gateway.voids[0].voidKey > keys[1]);
    }

    void aRestartThatCannotBeRecordedComesAgain()
    {
        MemoryJournal journal;
        IdempotencyKey key = [&] {
            Engine engine(journal);
            engine.open();
            engine.service.start(Engine::sale());
            return engine.last().key;
        }();
        Engine engine(journal);
        journal.refuse = diskFull; // it can be read all the same
        engine.open();
        QCOMPARE(wordOf(journal, key), QStringLiteral("sending"));
        engine.time.advance(10'000);
        QCOMPARE(engine.gateway.charges.size(), 0u);
        journal.refuse.reset();
        engine.time.advance(1'000);
        QCOMPARE(wordOf(journal, key), QStringLiteral("unknown"));
    }

    void theEndOfTheOtherRunIsRecordedAsSoonAsItCanBe()
    {
        MemoryJournal journal;
        Engine engine(journal);
        engine.open();
        engine.service.start(Engine::sale("A-1"));
        const IdempotencyKey first = engine.last().key;
        engine.gateway.stayAway(End::ConnectionLost, 1);
        journal.appended = [&](const Event &event) {
            if (std::holds_alternative<event::CheckoutStarted>(event.body))
                journal.refuse = diskFull; // right after the second sale was recorded
        };
        engine.service.start(Engine::sale("A-2"));
        QCOMPARE(wordOf(journal, first), QStringLiteral("waiting"));
        engine.time.advance(10'000);
        QCOMPARE(engine.gateway.charges.size(), 2u);
        journal.appended = nullptr;
        journal.refuse.reset();
        engine.time.advance(60'000);
        QCOMPARE(wordOf(journal, first), QStringLiteral("unknown"));
        QCOMPARE(engine.gateway.charges.size(), 2u); // the first customer's charge was not sent again
    }

    void whatAPersonSettledIsNotNewsOfWhileTheyWereAway()
    {
        MemoryJournal journal;
        std::vector<IdempotencyKey> keys = [&] {
            Engine engine(journal);
            engine.open();
            return std::vector{openSale(engine, "A-1"), openSale(engine, "A-2")};
        }();
        Engine engine(journal);
        engine.open();
        engine.service.voidSafely(keys[0]);
        engine.gateway.answerVoid("prevented");
        engine.service.tryAgain(keys[1]);
        engine.gateway.answer(201, "approved");
        QCOMPARE(wordOf(journal, keys[0]), QStringLiteral("voided"));
        QCOMPARE(wordOf(journal, keys[1]), QStringLiteral("approved"));
        QVERIFY(engine.meanwhile.empty());
    }

    void anInquiryAboutWhatWasSettledLongAgoIsWrittenDownHoweverManyCameAfter()
    {
        MemoryJournal journal;
        IdempotencyKey oldest = [&] {
            Engine engine(journal);
            engine.open();
            engine.service.start(Engine::sale());
            engine.gateway.answer(201, "approved");
            return engine.last().key;
        }();
        Engine engine(journal);
        engine.open();
        for (int i = 0; i < 300; ++i) {
            engine.service.start(Engine::sale(qPrintable(QStringLiteral("B-%1").arg(i))));
            engine.gateway.answer(201, "approved");
        }
        engine.service.checkNow(oldest);
        engine.gateway.knowsNothing();
        QVERIFY(std::holds_alternative<event::InquiryEnded>(journal.all().at(oldest).back().body));
    }
};

IKKAI_TEST_MAIN(OneSenderTest)
#include "tst_one_sender.moc"
