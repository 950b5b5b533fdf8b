#include "core/checkout/recovery.h"
#include "tests/support/test.h"
#include "tests/support/virtual_bench.h"

#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>

#include <set>

using namespace ikkai;
using ikkai::test::Engine;
using ikkai::test::MemoryJournal;
using ikkai::test::PlayedGateway;
using End = Transmission::End;
using What = SupervisorAnswer::What;

namespace {

const QString pin = QStringLiteral("4711");

/// A PIN that is quick to check.
void setPin(MemoryJournal &journal)
{
    static const PinRecord record = makePin(pin, 0, 100'000).value();
    journal.pin = record;
}

/// One sale that nobody answered, left open.
IdempotencyKey leaveOneOpen(Engine &engine, const char *order = "A-1")
{
    engine.service.start(Engine::sale(order));
    const IdempotencyKey key = engine.gateway.charges.back().attempt.key;
    engine.gateway.stayAway(End::DeadlinePassed, 1);
    engine.service.leaveOpen(key);
    return key;
}

/// A problem of the bank's about this key.
QByteArray problem(const QByteArray &type, int status, const IdempotencyKey &key)
{
    return QJsonDocument(
               QJsonObject{{QStringLiteral("type"), QStringLiteral("urn:ikkai:problem:") + QString::fromLatin1(type)},
                           {QStringLiteral("title"), QStringLiteral("t")},
                           {QStringLiteral("status"), status},
                           {QStringLiteral("detail"), QStringLiteral("d")},
                           {QStringLiteral("idempotency_key"), key.text()}})
        .toJson(QJsonDocument::Compact);
}

Checkout inJournal(const MemoryJournal &journal, const IdempotencyKey &key)
{
    return fold(journal.all().at(key)).value();
}

QString wordOf(const MemoryJournal &journal, const IdempotencyKey &key)
{
    return outcomeWord(inJournal(journal, key).state);
}

} // namespace

class UnknownOutcomesTest : public ikkai::test::Test {
    Q_OBJECT

private Q_SLOTS:
    // --- asking by itself

    void whatIsUnknownIsAskedAboutByItselfLessAndLessOften()
    {
        MemoryJournal journal;
        Engine engine(journal);
        engine.open();
        const IdempotencyKey key = leaveOneOpen(engine);
        qint64 atLeastMs = 4'000;
        for (const qint64 atMostMs : {5'000, 10'000, 20'000, 40'000, 60'000, 60'000}) {
            const size_t asked = engine.gateway.inquiries.size();
            engine.time.advance(atLeastMs - 1);
            QCOMPARE(engine.gateway.inquiries.size(), asked);
            engine.time.advance(atMostMs - atLeastMs + 1);
            QCOMPARE(engine.gateway.inquiries.size(), asked + 1);
            QVERIFY(engine.plans.back().underWay);
            engine.gateway.knowsNothing();
            QVERIFY(!engine.plans.back().underWay);
            QCOMPARE(engine.plans.back().lastAnswer->why, inquiry::Nothing::Why::NeverSeen);
            atLeastMs = std::min<qint64>(atMostMs * 2, 60'000) * 4 / 5;
        }
        for (const Event &event : journal.all().at(key)) // a checkout may be open for days: its log does not grow
            QVERIFY(!std::holds_alternative<event::InquiryEnded>(event.body));
        engine.time.advance(60'000);
        engine.gateway.answerInquiry("approved");
        QCOMPARE(wordOf(journal, key), QStringLiteral("approved"));
        QCOMPARE(inJournal(journal, key).contradiction.has_value(), false);
        QVERIFY(!engine.plans.back().nextMonotonicMs);
        const size_t asked = engine.gateway.inquiries.size();
        engine.time.advance(600'000);
        QCOMPARE(engine.gateway.inquiries.size(), asked);
        QCOMPARE(engine.gateway.charges.size(), 1u);
    }

    void oneIsOnTheWireAtATimeAndAfterAReconnectTheyDrainOneByOne()
    {
        MemoryJournal journal;
        Engine engine(journal);
        engine.open();
        constexpr int parked = 7;
        for (int i = 0; i < parked; ++i)
            leaveOneOpen(engine, qPrintable(QStringLiteral("A-%1").arg(i)));
        // Nobody answers: each is asked about, none while another is on the wire.
        for (int i = 0; i < 40; ++i) {
            const size_t before = engine.gateway.inquiries.size();
            engine.time.advance(60'000);
            QCOMPARE(engine.gateway.inquiries.size(), before + 1);
            engine.gateway.inquiryUnanswered();
        }
        // The bank is back: all of them within seconds, spaced.
        engine.time.advance(60'000);
        engine.gateway.knowsNothing();
        std::set<IdempotencyKey> asked;
        qint64 passedMs = 0;
        qint64 lastMs = 0;
        size_t seen = engine.gateway.inquiries.size();
        while (asked.size() < parked - 1 && passedMs < 10'000) {
            engine.time.advance(10);
            passedMs += 10;
            if (engine.gateway.inquiries.size() == seen)
                continue;
            QCOMPARE(engine.gateway.inquiries.size(), seen + 1);
            if (!asked.empty())
                QVERIFY2(passedMs - lastMs >= 290, qPrintable(QString::number(passedMs - lastMs)));
            lastMs = passedMs;
            seen = engine.gateway.inquiries.size();
            asked.insert(engine.gateway.inquiries.back().key);
            engine.gateway.knowsNothing();
        }
        QCOMPARE(asked.size(), size_t(parked - 1));
        QVERIFY(passedMs <= parked * 610);
        QCOMPARE(engine.gateway.charges.size(), size_t(parked)); // what drains is inquiry
    }

    void checkNowIsWrittenDownAndAnswersInFront()
    {
        MemoryJournal journal;
        Engine engine(journal);
        engine.open();
        const IdempotencyKey key = leaveOneOpen(engine);
        engine.service.checkNow(key);
        QVERIFY(engine.last().inquiryUnderWay);
        engine.service.checkNow(key); // a second press asks nothing new
        QCOMPARE(engine.gateway.inquiries.size(), 1u);
        engine.gateway.knowsNothing();
        QVERIFY(!engine.last().inquiryUnderWay);
        QCOMPARE(engine.outcome(), QStringLiteral("unknown")); // 404 does not prove that it never arrives
        const auto &events = journal.all().at(key);
        QVERIFY(std::holds_alternative<event::InquiryEnded>(events.back().body));
    }

    void case_09_conflictsToTheEndOfTheBudgetAreApprovedByInquiry()
    {
        MemoryJournal journal;
        Engine engine(journal);
        engine.open();
        engine.service.start(Engine::sale());
        const IdempotencyKey key = engine.gateway.charges[0].attempt.key;
        const QByteArray busy = problem("idempotency-key-in-progress", 409, key);
        for (int i = 0; i < 200 && isAutomatic(engine.last().state); ++i) {
            if (std::holds_alternative<state::Sending>(engine.last().state))
                engine.gateway.sink().attemptEnded(
                    engine.gateway.charges.back().attempt,
                    {End::Answered,
                     HttpAnswer{409, {{"content-type", "application/problem+json"}, {"ledger-id", "ledger-1"}}, busy},
                     1,
                     5,
                     {}});
            engine.time.advance(500);
        }
        QCOMPARE(engine.outcome(), QStringLiteral("unknown"));
        engine.time.advance(5'000);
        engine.gateway.answerInquiry("approved");
        QCOMPARE(engine.outcome(), QStringLiteral("approved"));
        for (const Checkout &checkout : engine.shown)
            QVERIFY(!std::holds_alternative<state::Declined>(checkout.state) &&
                    !std::holds_alternative<state::Refused>(checkout.state) &&
                    !std::holds_alternative<state::NotSent>(checkout.state));
    }

    void aLateAnswerSettlesItsOwnCheckoutWhateverIsOnTheScreen()
    {
        MemoryJournal journal;
        Engine engine(journal);
        engine.open();
        const IdempotencyKey first = leaveOneOpen(engine, "A-1");
        const ChargeTransmission sent = engine.gateway.charges.back();
        engine.service.start(Engine::sale("A-2"));
        const IdempotencyKey second = engine.gateway.charges.back().attempt.key;
        engine.gateway.sink().lateAnswer(sent.attempt, PlayedGateway::answerTo(sent, 201, "approved"));
        QCOMPARE(wordOf(journal, first), QStringLiteral("approved"));
        QCOMPARE(wordOf(journal, second), QStringLiteral("sending"));
        // An answer that echoes another checkout settles neither.
        engine.gateway.sink().attemptEnded(engine.gateway.charges.back().attempt,
                                           PlayedGateway::answerTo(sent, 201, "approved"));
        QCOMPARE(wordOf(journal, second), QStringLiteral("waiting"));
    }

    // --- start of the program

    void afterAStartTheBankIsAskedFirstAndTellsWhatWasFinishedMeanwhile()
    {
        MemoryJournal journal;
        IdempotencyKey key = [&] {
            Engine engine(journal);
            engine.open();
            engine.service.start(Engine::sale());
            return engine.gateway.charges[0].attempt.key;
        }();
        Engine engine(journal);
        engine.open();
        QCOMPARE(engine.outcome(), QStringLiteral("unknown"));
        engine.time.advance(1);
        QCOMPARE(engine.gateway.inquiries.size(), 1u);
        engine.gateway.charges.push_back({AttemptId{key, 1}, engine.last().body, {}, 0}); // what the first one had sent
        engine.gateway.answerInquiry("approved");
        QCOMPARE(engine.meanwhile.size(), 1u);
        QCOMPARE(outcomeWord(engine.meanwhile[0].state), QStringLiteral("approved"));
        engine.gateway.charges.pop_back();
        engine.time.advance(600'000);
        QCOMPARE(engine.gateway.charges.size(), 0u); // nothing is charged again without a person
    }

    void whatWasNeverSentIsSaidToBeAfterAStart()
    {
        MemoryJournal journal;
        {
            Engine engine(journal);
            engine.service.recover(); // no bank
            engine.service.start(Engine::sale());
        }
        Engine engine(journal);
        engine.open();
        QCOMPARE(engine.outcome(), QStringLiteral("not_sent"));
        QCOMPARE(engine.meanwhile.size(), 1u);
    }

    // --- void safely

    void voidSafelySendsOneVoidHoweverOftenItIsPressed()
    {
        MemoryJournal journal;
        Engine engine(journal);
        engine.open();
        const IdempotencyKey key = leaveOneOpen(engine);
        for (int i = 0; i < 3; ++i)
            engine.service.voidSafely(key);
        QCOMPARE(engine.gateway.voids.size(), 1u);
        QVERIFY(engine.gateway.voids[0].voidKey != key);
        QVERIFY(engine.gateway.voids[0].voidKey > key); // keys only grow
        QCOMPARE(engine.gateway.voids[0].expectLedger, QStringLiteral("ledger-1"));
        engine.service.tryAgain(key);
        engine.service.leaveOpen(key);
        engine.service.checkNow(key);
        engine.time.advance(600'000);
        QCOMPARE(engine.gateway.charges.size(), 1u); // after VoidStarted: never again, by anyone
        QCOMPARE(engine.gateway.inquiries.size(), 0u);
        engine.gateway.answerVoid("reversed");
        QCOMPARE(wordOf(journal, key), QStringLiteral("voided"));
        QCOMPARE(std::get<state::Voided>(inJournal(journal, key).state).by, SettledBy::Void);
    }

    void aVoidThatIsNotOnDiskIsNotSent()
    {
        MemoryJournal journal;
        Engine engine(journal);
        engine.open();
        const IdempotencyKey key = leaveOneOpen(engine);
        journal.refuse = JournalError{JournalError::Kind::DiskFull, QStringLiteral("j"), {}};
        engine.service.voidSafely(key);
        QCOMPARE(engine.gateway.voids.size(), 0u);
        QCOMPARE(engine.outcome(), QStringLiteral("unknown"));
        journal.refuse.reset();
        engine.service.voidSafely(key);
        QCOMPARE(engine.gateway.voids.size(), 1u);
    }

    void theAnswerToAVoidThatCannotBeRecordedYetIsShownAndRecordedLater()
    {
        MemoryJournal journal;
        Engine engine(journal);
        engine.open();
        const IdempotencyKey key = leaveOneOpen(engine);
        engine.service.voidSafely(key);
        journal.refuse = JournalError{JournalError::Kind::DiskFull, QStringLiteral("j"), {}};
        engine.gateway.answerVoid("prevented");
        QCOMPARE(engine.outcome(), QStringLiteral("voided"));
        QCOMPARE(wordOf(journal, key), QStringLiteral("voiding"));
        journal.refuse.reset();
        engine.time.advance(1'000);
        QCOMPARE(wordOf(journal, key), QStringLiteral("voided"));
    }

    void anUnansweredVoidIsSentAgainWithItsKeyOverARestart()
    {
        MemoryJournal journal;
        IdempotencyKey voidKey = [&] {
            Engine engine(journal);
            engine.open();
            const IdempotencyKey key = leaveOneOpen(engine);
            engine.service.voidSafely(key);
            engine.gateway.voidUnanswered();
            engine.time.advance(5'000);
            [&] { QCOMPARE(engine.gateway.voids.size(), 2u); }();
            return engine.gateway.voids[0].voidKey;
        }();
        Engine engine(journal);
        engine.open();
        QCOMPARE(engine.gateway.voids.size(), 1u);
        QCOMPARE(engine.gateway.voids[0].voidKey, voidKey);
        QCOMPARE(engine.gateway.voids[0].voidTry, 3);
        engine.gateway.answerVoid("not_charged");
        QCOMPARE(engine.outcome(), QStringLiteral("declined"));
        QCOMPARE(engine.meanwhile.size(), 1u);
        // The next key is newer than the void's, too.
        engine.service.start(Engine::sale("B-1"));
        QVERIFY(engine.gateway.charges.back().attempt.key > voidKey);
    }

    void aVoidNeedNotWaitOnceTheBankIsBack()
    {
        MemoryJournal journal;
        Engine engine(journal);
        engine.open();
        const IdempotencyKey key = leaveOneOpen(engine);
        engine.service.voidSafely(key);
        for (int i = 0; i < 5; ++i) {
            engine.gateway.voidUnanswered();
            engine.time.advance(60'000);
        }
        engine.gateway.voidUnanswered(); // 60 s to go
        const size_t sent = engine.gateway.voids.size();
        engine.service.start(Engine::sale("A-2"));
        engine.gateway.answer(201, "approved");
        engine.time.advance(1'000);
        QCOMPARE(engine.gateway.voids.size(), sent + 1);
    }

    void aVoidWhileAChargeIsUnderWayBelievesOnlyTheVoid() // case_21
    {
        MemoryJournal journal;
        Engine engine(journal);
        engine.open();
        engine.service.start(Engine::sale());
        const ChargeTransmission sent = engine.gateway.charges.back();
        engine.service.leaveOpen(sent.attempt.key);
        engine.service.voidSafely(sent.attempt.key);
        engine.gateway.answer(201, "approved"); // just before the void gets there
        QCOMPARE(engine.outcome(), QStringLiteral("voiding"));
        engine.gateway.answerVoid("reversed");
        QCOMPARE(engine.outcome(), QStringLiteral("voided"));
        QVERIFY(!engine.last().contradiction);
        engine.service.checkNow(sent.attempt.key);
        engine.gateway.answerInquiry("approved"); // paid after void
        QCOMPARE(engine.outcome(), QStringLiteral("voided"));
        QCOMPARE(engine.last().contradiction->said, QStringLiteral("approved"));
    }

    void theBankMayBeAskedAboutAnythingEverSettled()
    {
        MemoryJournal journal;
        IdempotencyKey key = [&] {
            Engine engine(journal);
            engine.open();
            engine.service.start(Engine::sale());
            engine.gateway.answer(201, "approved");
            return engine.last().key;
        }();
        Engine engine(journal);
        engine.open();
        engine.service.checkNow(key);
        QCOMPARE(engine.gateway.inquiries.size(), 1u);
        engine.service.checkNow(IdempotencyKey::parse(u"017f22e2-79b0-7cc3-98c4-dc0c0c07398f").value()); // never here
        QCOMPARE(engine.gateway.inquiries.size(), 1u);
    }

    // --- another ledger

    void whatIsOpenSpeaksOnlyToItsLedgerAndNothingNewIsStartedMeanwhile()
    {
        MemoryJournal journal;
        {
            Engine engine(journal);
            engine.open();
            const IdempotencyKey first = leaveOneOpen(engine, "A-1");
            engine.service.voidSafely(leaveOneOpen(engine, "A-2"));
            Q_UNUSED(first)
        }
        Engine engine(journal);
        engine.service.recover();
        engine.gateway.tellBank(QStringLiteral("ledger-2"));
        const size_t voids = engine.gateway.voids.size();
        engine.time.advance(600'000);
        QCOMPARE(engine.gateway.inquiries.size(), 0u);
        QCOMPARE(engine.gateway.voids.size(), voids);
        engine.service.start(Engine::sale("B-1"));
        QCOMPARE(engine.rejected.back().why, StartRejection::Why::OtherLedger);
        for (const auto &[key, events] : journal.all())
            engine.service.tryAgain(key);
        QCOMPARE(engine.gateway.charges.size(), 0u);
        // The earlier bank is there again.
        engine.gateway.tellBank(QStringLiteral("ledger-1"));
        engine.time.advance(60'000);
        QVERIFY(!engine.gateway.inquiries.empty());
        engine.service.start(Engine::sale("B-1"));
        QCOMPARE(engine.gateway.charges.size(), 1u);
    }

    void aStartThatOnlyThenLearnsOfTheOtherLedgerSendsNothing()
    {
        MemoryJournal journal;
        {
            Engine engine(journal);
            engine.open();
            leaveOneOpen(engine, "A-1");
        }
        Engine engine(journal);
        engine.service.recover();
        engine.service.start(Engine::sale("B-1"));
        engine.gateway.tellBank(QStringLiteral("ledger-2"));
        QCOMPARE(engine.gateway.charges.size(), 0u);
        QCOMPARE(engine.outcome(), QStringLiteral("not_sent"));
        QCOMPARE(std::get<state::NotSent>(engine.last().state).why, verdict::NotSent::Why::OtherLedger);
    }

    // --- supervisor

    void aSupervisorVoidsTheOpenOneFirstAndStartsTheNextAtOnce()
    {
        MemoryJournal journal;
        setPin(journal);
        Engine engine(journal);
        engine.open();
        const IdempotencyKey open = leaveOneOpen(engine, "A-1");
        engine.service.overrideOpen({open, pin, QStringLiteral("customer waits"), Engine::sale("A-1", 1'300)});
        QCOMPARE(engine.supervised.back().what, What::Done);
        QCOMPARE(engine.gateway.voids.size(), 1u);
        QCOMPARE(engine.gateway.voids[0].key, open);
        QCOMPARE(engine.gateway.charges.size(), 2u);
        const IdempotencyKey next = engine.gateway.charges.back().attempt.key;
        QCOMPARE(*inJournal(journal, next).replaces, open);
        QCOMPARE(inJournal(journal, open).voidIntent->overrideReason, QStringLiteral("customer waits"));
        engine.gateway.answer(201, "approved"); // each settles by itself
        QCOMPARE(wordOf(journal, next), QStringLiteral("approved"));
        QCOMPARE(wordOf(journal, open), QStringLiteral("voiding"));
        engine.gateway.answerVoid("prevented");
        QCOMPARE(wordOf(journal, open), QStringLiteral("voided"));
    }

    void aWrongPinIsCountedBeforeItIsKnownToBeWrongAndFiveLockIt()
    {
        MemoryJournal journal;
        setPin(journal);
        Engine engine(journal);
        engine.open();
        const IdempotencyKey open = leaveOneOpen(engine, "A-1");
        for (int left = 4; left >= 0; --left) {
            engine.service.writeOff({open, QStringLiteral("0000"), QStringLiteral("why")});
            QCOMPARE(engine.supervised.back().what, left > 0 ? What::WrongPin : What::Locked);
            QCOMPARE(engine.supervised.back().triesLeft, left);
            QCOMPARE(journal.pin->wrongTries, 5 - left);
        }
        engine.service.overrideOpen({open, pin, QStringLiteral("why"), Engine::sale("A-1")});
        QCOMPARE(engine.supervised.back().what, What::Locked); // the right one, too
        QCOMPARE(engine.gateway.voids.size(), 0u);
        QCOMPARE(engine.gateway.charges.size(), 1u);
    }

    void aRightPinForgivesTheWrongOnes()
    {
        MemoryJournal journal;
        setPin(journal);
        Engine engine(journal);
        engine.open();
        const IdempotencyKey open = leaveOneOpen(engine, "A-1");
        engine.service.writeOff({open, QStringLiteral("0000"), QStringLiteral("why")});
        engine.service.overrideOpen({open, pin, QStringLiteral("why"), Engine::sale("A-1")});
        QCOMPARE(journal.pin->wrongTries, 0);
    }

    void withoutAPinAReasonOrADiskNothingHappens()
    {
        MemoryJournal journal;
        Engine engine(journal);
        engine.open();
        const IdempotencyKey open = leaveOneOpen(engine, "A-1");
        const OverrideRequest request{open, pin, QStringLiteral("why"), Engine::sale("A-1")};
        engine.service.overrideOpen(request);
        QCOMPARE(engine.supervised.back().what, What::NoPin);
        setPin(journal);
        OverrideRequest silent = request;
        silent.reason = QStringLiteral("  ");
        engine.service.overrideOpen(silent);
        QCOMPARE(engine.supervised.back().what, What::NoReason);
        journal.refuse = JournalError{JournalError::Kind::DiskFull, QStringLiteral("j"), {}};
        engine.service.overrideOpen(request);
        QCOMPARE(engine.supervised.back().what, What::CannotRecord);
        journal.refuse.reset();
        OverrideRequest other = request;
        other.next = Engine::sale("B-9");
        engine.service.overrideOpen(other);
        QCOMPARE(engine.supervised.back().what, What::NotPossible);
        QCOMPARE(engine.gateway.voids.size(), 0u);
        QCOMPARE(engine.gateway.charges.size(), 1u);
    }

    void onlyWhatCannotBeSettledIsWrittenOff()
    {
        MemoryJournal journal;
        setPin(journal);
        {
            Engine engine(journal);
            engine.open();
            const IdempotencyKey open = leaveOneOpen(engine, "A-1");
            engine.service.writeOff({open, pin, QStringLiteral("tired of it")});
            QCOMPARE(engine.supervised.back().what, What::NotPossible); // its bank is there
        }
        Engine engine(journal);
        engine.service.recover();
        const IdempotencyKey open = engine.last().key;
        engine.service.writeOff({open, pin, QStringLiteral("tired of it")});
        QCOMPARE(engine.supervised.back().what, What::NotPossible); // it may come back
        engine.gateway.tellBank(QStringLiteral("ledger-2"));
        engine.service.writeOff({open, pin, QStringLiteral(" the bank was replaced ")});
        QCOMPARE(engine.supervised.back().what, What::Done);
        QCOMPARE(std::get<state::WrittenOff>(inJournal(journal, open).state),
                 (state::WrittenOff{state::WrittenOff::Why::LedgerGone, QStringLiteral("the bank was replaced")}));
        engine.service.start(Engine::sale("B-1")); // nothing is open at the old ledger any more
        engine.gateway.tellBank(QStringLiteral("ledger-2"));
        QCOMPARE(engine.gateway.charges.size(), 1u);
    }

    void aMismatchIsAskedAboutOnceAndWrittenOffWithoutAVoid()
    {
        MemoryJournal journal;
        setPin(journal);
        Engine engine(journal);
        engine.open();
        engine.service.start(Engine::sale());
        const IdempotencyKey key = engine.gateway.charges[0].attempt.key;
        const QByteArray other = problem("idempotency-key-mismatch", 422, key);
        engine.gateway.sink().attemptEnded(
            {key, 1},
            {End::Answered,
             HttpAnswer{422, {{"content-type", "application/problem+json"}, {"ledger-id", "ledger-1"}}, other},
             1,
             5,
             {}});
        QCOMPARE(engine.outcome(), QStringLiteral("key_mismatch"));
        engine.time.advance(5'000);
        QCOMPARE(engine.gateway.inquiries.size(), 1u);
        ChargeTransmission theirs = engine.gateway.charges[0];
        theirs.body.replace("1200", "9900");
        engine.gateway.sink().inquiryEnded(key, PlayedGateway::answerTo(theirs, 200, "approved"));
        QCOMPARE(std::get<state::KeyMismatch>(engine.last().state).theirs->amountMinor, 9'900);
        engine.time.advance(600'000);
        QCOMPARE(engine.gateway.inquiries.size(), 1u);
        engine.service.writeOff({key, pin, QStringLiteral("another till's charge")});
        QCOMPARE(wordOf(journal, key), QStringLiteral("written_off"));
        QCOMPARE(engine.gateway.voids.size(), 0u);
    }

    // --- suspension and clocks

    void afterALongSleepNothingIsChargedByItself()
    {
        MemoryJournal journal;
        Engine engine(journal);
        engine.open();
        engine.service.start(Engine::sale());
        engine.gateway.stayAway(End::DeadlinePassed, 1);
        engine.time.sleep(3'600'000);
        engine.time.advance(60'000);
        QCOMPARE(engine.gateway.charges.size(), 1u);
        QCOMPARE(engine.outcome(), QStringLiteral("unknown"));
        QVERIFY(!engine.gateway.inquiries.empty());
    }

    void afterAShortSleepTheWaitIsPlannedAnewAndTheRunGoesOn()
    {
        MemoryJournal journal;
        Engine engine(journal);
        engine.open();
        engine.service.start(Engine::sale());
        engine.gateway.stayAway(End::ConnectionRefused, 0);
        engine.time.sleep(5'000);
        engine.time.advance(2'000);
        QCOMPARE(engine.gateway.charges.size(), 2u);
        const auto &events = journal.all().begin()->second;
        QVERIFY(std::any_of(events.begin(), events.end(),
                            [](const Event &event) { return std::holds_alternative<event::Resumed>(event.body); }));
        QCOMPARE(events.size(), 4u); // started, ended, resumed, sent again: once
    }

    void aWallClockThatJumpsMovesNoDeadline()
    {
        MemoryJournal journal;
        Engine engine(journal);
        engine.open();
        engine.service.start(Engine::sale());
        engine.gateway.stayAway(End::DeadlinePassed, 1);
        engine.time.jumpWall(7'200'000);
        engine.time.advance(500);
        QCOMPARE(engine.gateway.charges.size(), 2u);
        engine.gateway.stayAway(End::DeadlinePassed, 1);
        engine.time.jumpWall(-10 * 3'600'000); // the start lies in the future: the key's age is anybody's guess
        engine.time.advance(2'000);
        QCOMPARE(engine.gateway.charges.size(), 2u);
        QCOMPARE(engine.outcome(), QStringLiteral("unknown"));
    }
};

IKKAI_TEST_MAIN(UnknownOutcomesTest)
#include "tst_unknown_outcomes.moc"
