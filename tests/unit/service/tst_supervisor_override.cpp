#include "core/checkout/recovery.h"
#include "tests/support/test.h"
#include "tests/support/virtual_bench.h"

#include <QtCore/QThread>
#include <QtTest/QSignalSpy>

#include <deque>

using namespace ikkai;
using ikkai::test::Engine;
using ikkai::test::MemoryJournal;
using End = Transmission::End;
using What = SupervisorAnswer::What;

namespace {

const QString rightPin = QStringLiteral("4711");
const QString why = QStringLiteral("the customer waits");
const JournalError diskIsFull{JournalError::Kind::DiskFull, QStringLiteral("terminal.sqlite"), {}};

/// Work that is done when a test says so.
struct Bench {
    std::deque<std::function<void()>> work;

    ServiceSettings settings()
    {
        ServiceSettings settings;
        settings.elsewhere = [this](std::function<bool()> compare, std::function<void(bool)> done) {
            work.push_back([compare = std::move(compare), done = std::move(done)] { done(compare()); });
        };
        return settings;
    }
    void doOne()
    {
        const auto next = std::move(work.front());
        work.pop_front();
        next();
    }
};

IdempotencyKey openOne(Engine &engine, const char *order = "A-1")
{
    engine.service.start(Engine::sale(order));
    const IdempotencyKey key = engine.gateway.charges.back().attempt.key;
    engine.gateway.stayAway(End::DeadlinePassed, 1);
    engine.service.leaveOpen(key);
    return key;
}

Checkout recorded(const MemoryJournal &journal, const IdempotencyKey &key)
{
    return fold(journal.all().at(key)).value();
}

} // namespace

class SupervisorOverrideTest : public ikkai::test::Test {
    Q_OBJECT

    const PinRecord m_pin = makePin(rightPin, 0, 100'000).value();

private Q_SLOTS:
    void twoOverridesAtOnceStartOneCheckout() // case_25
    {
        MemoryJournal journal;
        journal.pin = m_pin;
        Bench bench;
        Engine engine(journal, bench.settings());
        engine.open();
        const IdempotencyKey open = openOne(engine);
        engine.service.overrideOpen({open, rightPin, why, Engine::sale()});
        engine.service.overrideOpen({open, rightPin, why, Engine::sale()});
        QCOMPARE(bench.work.size(), 1u); // one PIN at a time
        bench.doOne();
        bench.doOne();
        QCOMPARE(engine.supervised[0].what, What::Done);
        QCOMPARE(engine.supervised[1].what, What::NotPossible);
        QCOMPARE(engine.gateway.voids.size(), 1u);
        QCOMPARE(engine.gateway.charges.size(), 2u);
        QCOMPARE(journal.all().size(), 2u);
    }

    void aPinIsCountedAsWrongBeforeItIsCompared()
    {
        MemoryJournal journal;
        journal.pin = m_pin;
        Bench bench;
        {
            Engine engine(journal, bench.settings());
            engine.open();
            engine.service.overrideOpen({openOne(engine), QStringLiteral("0000"), why, Engine::sale()});
            QCOMPARE(journal.pin->wrongTries, 1);
            QVERIFY(engine.supervised.empty());
        } // the plug is pulled: the try is gone all the same
        bench.doOne();
        QCOMPARE(journal.pin->wrongTries, 1);
    }

    void whatTheBankSettlesWhileThePinIsComparedIsNotOverridden()
    {
        MemoryJournal journal;
        journal.pin = m_pin;
        Bench bench;
        Engine engine(journal, bench.settings());
        engine.open();
        const IdempotencyKey open = openOne(engine);
        engine.service.overrideOpen({open, rightPin, why, Engine::sale()});
        engine.gateway.sink().lateAnswer(
            {open, 1}, ikkai::test::PlayedGateway::answerTo(engine.gateway.charges.back(), 201, "approved"));
        bench.doOne();
        QCOMPARE(engine.supervised.back().what, What::NotPossible);
        QVERIFY(engine.supervised.back().detail.contains(QStringLiteral("approved")));
        QCOMPARE(engine.gateway.charges.size(), 1u);
        QCOMPARE(engine.gateway.voids.size(), 0u);
    }

    void whatIsBeingVoidedIsNotVoidedTwice()
    {
        MemoryJournal journal;
        journal.pin = m_pin;
        Engine engine(journal);
        engine.open();
        const IdempotencyKey open = openOne(engine);
        engine.service.voidSafely(open);
        engine.service.overrideOpen({open, rightPin, why, Engine::sale()});
        QCOMPARE(engine.supervised.back().what, What::Done);
        QCOMPARE(engine.gateway.voids.size(), 1u);
        const IdempotencyKey next = engine.gateway.charges.back().attempt.key;
        QCOMPARE(*recorded(journal, next).replaces, open);
        // The void was the cashier's: the supervisor's words stand with the sale that they started.
        QCOMPARE(recorded(journal, open).voidIntent->overrideReason, QString());
        QCOMPARE(recorded(journal, next).overrideReason, why);
        engine.gateway.answerVoid("reversed");
        engine.gateway.answer(402, "declined");
        QCOMPARE(outcomeWord(recorded(journal, open).state), QStringLiteral("voided"));
        QCOMPARE(outcomeWord(recorded(journal, next).state), QStringLiteral("declined"));
    }

    void aRunThatIsUnderWayIsEndedFirst()
    {
        MemoryJournal journal;
        journal.pin = m_pin;
        Engine engine(journal);
        engine.open();
        engine.service.start(Engine::sale());
        const IdempotencyKey open = engine.last().key;
        engine.service.overrideOpen({open, rightPin, why, Engine::sale()});
        QCOMPARE(engine.supervised.back().what, What::Done);
        QCOMPARE(engine.gateway.voids.size(), 1u);
        QCOMPARE(engine.gateway.charges.size(), 2u);
        QCOMPARE(engine.gateway.charges[1].attempt.number, 1); // a charge of the next one, not of the old
    }

    void theVoidIsOnDiskBeforeTheNextOneIsStarted()
    {
        MemoryJournal journal;
        journal.pin = m_pin;
        Engine engine(journal);
        engine.open();
        const IdempotencyKey open = openOne(engine);
        QStringList written;
        journal.appended = [&](const Event &event) { written.append(eventName(event.body)); };
        engine.service.overrideOpen({open, rightPin, why, Engine::sale()});
        QCOMPARE(written, (QStringList{QStringLiteral("VoidStarted"), QStringLiteral("CheckoutStarted")}));
    }

    void whatCannotBeRecordedIsNotOverridden()
    {
        MemoryJournal journal;
        journal.pin = m_pin;
        Engine engine(journal);
        engine.open();
        const IdempotencyKey open = openOne(engine);
        journal.appended = [&](const Event &event) {
            if (std::holds_alternative<event::VoidStarted>(event.body))
                journal.refuse = diskIsFull;
        };
        engine.service.overrideOpen({open, rightPin, why, Engine::sale()});
        QCOMPARE(engine.supervised.back().what, What::CannotRecord);
        QVERIFY(engine.supervised.back().detail.contains(QStringLiteral("terminal.sqlite")));
        QCOMPARE(engine.gateway.voids.size(), 1u);   // that was recorded, so it goes on
        QCOMPARE(engine.gateway.charges.size(), 1u); // and this was not
    }

    void atAnotherLedgerNothingIsOverriddenBeforeItIsWrittenOff()
    {
        MemoryJournal journal;
        journal.pin = m_pin;
        IdempotencyKey open = [&] {
            Engine engine(journal);
            engine.open();
            return openOne(engine);
        }();
        Engine engine(journal);
        engine.service.recover();
        engine.gateway.tellBank(QStringLiteral("ledger-2"));
        engine.service.overrideOpen({open, rightPin, why, Engine::sale()});
        QCOMPARE(engine.supervised.back().what, What::NotPossible);
        QVERIFY(!recorded(journal, open).voidIntent);
        engine.service.writeOff({open, rightPin, why});
        QCOMPARE(engine.supervised.back().what, What::Done);
        QCOMPARE(engine.links.back(), BankLink::Online); // nothing is open elsewhere any more
        engine.service.start(Engine::sale());
        QCOMPARE(engine.gateway.charges.size(), 1u);
        QCOMPARE(engine.gateway.voids.size(), 0u);
    }

    void aMismatchIsWrittenOffWithoutAVoidAndTheNextOneStarts()
    {
        MemoryJournal journal;
        journal.pin = m_pin;
        Engine engine(journal);
        engine.open();
        engine.service.start(Engine::sale());
        const IdempotencyKey open = engine.last().key;
        const QByteArray problem = "{\"type\":\"urn:ikkai:problem:idempotency-key-mismatch\",\"title\":\"t\","
                                   "\"status\":422,\"detail\":\"d\",\"retryable\":false,\"idempotency_key\":\"" +
                                   open.bytes() + "\"}";
        engine.gateway.sink().attemptEnded(
            {open, 1},
            {End::Answered,
             HttpAnswer{422, {{"content-type", "application/problem+json"}, {"ledger-id", "ledger-1"}}, problem},
             1,
             5,
             {}});
        QCOMPARE(engine.outcome(), QStringLiteral("key_mismatch"));
        engine.service.overrideOpen({open, rightPin, why, Engine::sale()});
        QCOMPARE(engine.supervised.back().what, What::Done);
        QCOMPARE(outcomeWord(recorded(journal, open).state), QStringLiteral("written_off"));
        QCOMPARE(engine.gateway.voids.size(), 0u);
        QCOMPARE(engine.gateway.charges.size(), 2u);
    }

    void aRealPinIsComparedOnAnotherThreadWhileMoneyGoesOn()
    {
        MemoryJournal journal;
        journal.pin = m_pin;
        Engine engine(journal, ServiceSettings());
        engine.open();
        const IdempotencyKey open = openOne(engine, "A-1");
        QSignalSpy answered(&engine.service, &CheckoutService::supervisorAnswered);
        engine.service.overrideOpen({open, rightPin, why, Engine::sale("A-1")});
        QCOMPARE(answered.size(), 0); // the call came back before the PIN was looked at
        engine.service.start(Engine::sale("A-2"));
        engine.gateway.answer(201, "approved");
        QTRY_COMPARE(answered.size(), 1);
        QCOMPARE(engine.supervised.back().what, What::Done);
        QCOMPARE(QThread::currentThread(), engine.service.thread());
    }

    void aTillThatClosesWhileAPinIsComparedEndsCleanly()
    {
        MemoryJournal journal;
        journal.pin = m_pin;
        {
            Engine engine(journal, ServiceSettings());
            engine.open();
            engine.service.writeOff({openOne(engine), rightPin, why});
        }
        QCoreApplication::processEvents();
        QCOMPARE(journal.pin->wrongTries, 1);
    }
};

IKKAI_TEST_MAIN(SupervisorOverrideTest)
#include "tst_supervisor_override.moc"
