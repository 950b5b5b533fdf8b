#include "core/checkout/guard.h"
#include "core/checkout/inquiry_queue.h"
#include "core/checkout/resume_watch.h"
#include "tests/support/test.h"
#include "tests/support/virtual_bench.h"

#include <set>
#include <string>
#include <tuple>
#include <vector>

using namespace ikkai;
using First = InquiryQueue::First;
using AskedBy = InquiryQueue::AskedBy;
using ikkai::test::Engine;
using ikkai::test::MemoryJournal;

namespace {

const inquiry::Nothing neverSeen{inquiry::Nothing::Why::NeverSeen};
constexpr quint32 longest = 0;           ///< the draw that takes nothing off a delay and adds nothing to a pause
constexpr quint32 shortest = 0xFFFFFFFF; ///< and the one that does the most

IdempotencyKey key(int number)
{
    const QString text = QStringLiteral("017f22e2-79b0-7cc3-98c4-%1").arg(number, 12, 16, QLatin1Char('0'));
    return IdempotencyKey::parse(text).value();
}

Stamp at(qint64 ms)
{
    return {1'760'000'000'000 + ms, ms, ms};
}

/// A checkout of one sale, in any state.
Checkout inState(const State &state)
{
    MemoryJournal journal;
    Engine engine(journal);
    engine.open();
    engine.service.start(Engine::sale());
    Checkout checkout = engine.last();
    checkout.state = state;
    return checkout;
}

} // namespace

class InquiryQueueTest : public ikkai::test::Test {
    Q_OBJECT

private Q_SLOTS:
    void thePaceGrowsFromFiveSecondsToAMinute()
    {
        InquiryQueue queue;
        queue.plan(key(1), First::Patiently, 0, longest);
        qint64 now = 0;
        for (const qint64 pauseMs : {5'000, 10'000, 20'000, 40'000, 60'000, 60'000}) {
            QCOMPARE(*queue.wakeMs(), now + pauseMs);
            QVERIFY(!queue.begin(now + pauseMs - 1));
            now += pauseMs;
            QVERIFY(queue.begin(now) == key(1));
            QVERIFY(queue.planOf(key(1)).underWay);
            QVERIFY(!queue.wakeMs());
            QCOMPARE(queue.end(key(1), at(now), neverSeen, longest), AskedBy::Itself);
        }
        QCOMPARE(queue.planOf(key(1)).asked, 6);
        QCOMPARE(queue.planOf(key(1)).lastAnswer->why, neverSeen.why);
    }

    void oneIsUnderWayAtATimeAndAPauseFollowsEach()
    {
        InquiryQueue queue;
        for (int i = 1; i <= 3; ++i)
            queue.plan(key(i), First::AtOnce, 0, longest);
        QVERIFY(queue.begin(0) == key(1));
        QVERIFY(!queue.begin(60'000));
        (void)queue.end(key(1), at(1'000), neverSeen, longest);
        QVERIFY(!queue.begin(1'299));
        QVERIFY(queue.begin(1'300) == key(2));
        (void)queue.end(key(2), at(2'000), neverSeen, shortest);
        QVERIFY(!queue.begin(2'699));
        QVERIFY(queue.begin(2'700) == key(3));
    }

    void aReconnectBringsThemForwardButAsksNobodyTwiceWithinFiveSeconds()
    {
        InquiryQueue queue;
        queue.plan(key(1), First::Patiently, 0, longest);
        for (const qint64 now : {5'000, 15'000, 35'000}) {
            QVERIFY(queue.begin(now));
            (void)queue.end(key(1), at(now), neverSeen, longest);
        }
        QCOMPARE(*queue.wakeMs(), 75'000);
        queue.bringForward(37'000); // asked 2 s ago
        QCOMPARE(*queue.wakeMs(), 40'000);
        queue.bringForward(50'000); // later than planned: what is due stays due
        QCOMPARE(*queue.wakeMs(), 40'000);
    }

    void aPersonWhoAsksSharesTheInquiryThatIsOnTheWire()
    {
        InquiryQueue queue;
        queue.plan(key(1), First::AtOnce, 0, longest);
        QVERIFY(queue.begin(0));
        QVERIFY(!queue.personAsks(key(1)));
        QCOMPARE(queue.end(key(1), at(10), neverSeen, longest), AskedBy::Person);
        QVERIFY(queue.personAsks(key(2))); // nobody planned this one
        QVERIFY(!queue.begin(60'000));     // and while it is under way no other begins
        QCOMPARE(queue.end(key(2), at(60'000), {}, longest), AskedBy::Person);
        QVERIFY(!queue.planOf(key(2)).nextMonotonicMs);
    }

    void whatIsPausedKeepsItsPaceAndWhatIsStoppedBeginsAnew()
    {
        InquiryQueue queue;
        queue.plan(key(1), First::AtOnce, 0, longest);
        QVERIFY(queue.begin(0));
        (void)queue.end(key(1), at(0), neverSeen, longest);
        queue.pause(key(1));
        QVERIFY(!queue.wakeMs());
        QVERIFY(!queue.planOf(key(1)).nextMonotonicMs);
        queue.plan(key(1), First::AtOnce, 100, longest); // a bank that comes and goes is not fallen upon
        QCOMPARE(*queue.wakeMs(), 5'000);
        queue.stop(key(1));
        queue.plan(key(1), First::Patiently, 30'000, longest);
        QCOMPARE(*queue.wakeMs(), 35'000);
        QCOMPARE(queue.planOf(key(1)).asked, 1);
    }

    void whatIsSettledWhileItIsAskedAboutFreesTheWireWhenThatEnds()
    {
        InquiryQueue queue;
        queue.plan(key(1), First::AtOnce, 0, longest);
        queue.plan(key(2), First::AtOnce, 0, longest);
        QVERIFY(queue.begin(0));
        queue.forget(key(1));
        QVERIFY(!queue.begin(60'000));
        QCOMPARE(queue.end(key(1), at(60'000), {}, longest), AskedBy::Itself);
        QVERIFY(queue.begin(61'000) == key(2));
        queue.forget(key(1));
        QCOMPARE(queue.planOf(key(1)), (InquiryPlan{.key = key(1), .underWay = false}));
    }

    void afterASleepThePaceBeginsAnew()
    {
        InquiryQueue queue;
        queue.plan(key(1), First::Patiently, 0, longest);
        QVERIFY(queue.begin(5'000));
        (void)queue.end(key(1), at(5'000), neverSeen, longest);
        QCOMPARE(*queue.wakeMs(), 15'000);
        queue.planAnew(14'999, longest);
        QCOMPARE(*queue.wakeMs(), 19'999);
    }

    void aSleepIsToldFromAWallClockThatIsSet()
    {
        ResumeWatch watch({0, 1'000, 1'000});
        QVERIFY(!watch.sleptMs({999'999'999, 2'000, 2'000}));
        QVERIFY(!watch.sleptMs({0, 3'000, 3'999}));
        QCOMPARE(*watch.sleptMs({0, 4'000, 64'000}), 60'000);
        QVERIFY(!watch.sleptMs({0, 5'000, 65'000})); // once
    }

    void aPressMeansSomethingOnlyWhereItsButtonIs_data()
    {
        const IdempotencyKey voidKey = key(9);
        const std::vector<std::pair<const char *, EventBody>> presses = {
            {"try again", event::TriedAgain{{}}},
            {"check now", event::InquiryStarted{}},
            {"leave open", event::LeftOpen{}},
            {"void", event::VoidStarted{voidKey, "{}", {}}},
            {"another started", event::AnotherStarted{}},
            {"mismatch written off", event::WrittenOff{state::WrittenOff::Why::Mismatch, QStringLiteral("w")}},
            {"ledger written off", event::WrittenOff{state::WrittenOff::Why::LedgerGone, QStringLiteral("w")}},
            {"resumed", event::Resumed{}},
        };
        const std::vector<std::tuple<const char *, State, std::set<std::string>>> states = {
            {"sending", state::Sending{1}, {"leave open", "another started", "resumed"}},
            {"waiting", state::Waiting{2, 0, {}}, {"leave open", "another started", "resumed"}},
            {"unknown", state::Unknown{}, {"try again", "check now", "void", "ledger written off"}},
            {"mismatch", state::KeyMismatch{}, {"check now", "mismatch written off"}},
            {"voiding", state::Voiding{1}, {"ledger written off"}},
            {"void pending", state::VoidPending{2, 0}, {"ledger written off", "resumed"}},
            {"approved", state::Approved{}, {"check now"}},
            {"declined", state::Declined{}, {"check now"}},
            {"refused", state::Refused{}, {"check now"}},
            {"not sent", state::NotSent{}, {"check now"}},
            {"voided", state::Voided{}, {"check now"}},
            {"written off", state::WrittenOff{}, {"check now"}},
        };
        QTest::addColumn<Checkout>("checkout");
        QTest::addColumn<int>("press");
        QTest::addColumn<bool>("means");
        m_presses.clear();
        for (const auto &[name, body] : presses)
            m_presses.push_back(body);
        for (const auto &[stateName, state, meant] : states) {
            for (size_t press = 0; press < presses.size(); ++press)
                QTest::addRow("%s, %s", stateName, presses[press].first)
                    << inState(state) << int(press) << (meant.count(presses[press].first) > 0);
        }
    }
    void aPressMeansSomethingOnlyWhereItsButtonIs()
    {
        QFETCH(const Checkout, checkout);
        QFETCH(const int, press);
        QFETCH(const bool, means);
        QCOMPARE(isTimely(checkout, {at(1), m_presses[size_t(press)]}), means);
    }

    void aTimerOfAWaitThatIsOverMeansNothing()
    {
        const Checkout waiting = inState(state::Waiting{3, 5'000, {}});
        QVERIFY(isTimely(waiting, {at(5'000), event::WaitElapsed{3}}));
        QVERIFY(!isTimely(waiting, {at(5'000), event::WaitElapsed{2}}));
        QVERIFY(!isTimely(waiting, {at(4'999), event::WaitElapsed{3}})); // planned anew since
        const Checkout pending = inState(state::VoidPending{3, 5'000});
        QVERIFY(isTimely(pending, {at(1), event::VoidWaitElapsed{3}})); // the bank may be there earlier
        QVERIFY(!isTimely(pending, {at(5'000), event::VoidWaitElapsed{2}}));
        QVERIFY(!isTimely(inState(state::Voiding{3}), {at(5'000), event::VoidWaitElapsed{3}}));
    }

private:
    std::vector<EventBody> m_presses;
};

IKKAI_TEST_MAIN(InquiryQueueTest)
#include "tst_inquiry_queue.moc"
