#include "mock-server/faults/fault_plan.h"
#include "tests/support/test.h"

#include <atomic>
#include <thread>
#include <vector>

using namespace mockbank;

namespace {

Fault fault(const char *spec)
{
    return std::get<Fault>(parseFault(QByteArrayView(spec)));
}

ClientAttempt attempt(const QByteArray &key, int number, const QByteArray &merchant = "default")
{
    return {merchant, key, number};
}

} // namespace

class FaultPlanTest : public ikkai::test::Test {
    Q_OBJECT

private:
    static QString light(const FaultPlan &plan, const QByteArray &id)
    {
        return plan.find(id)->value(QStringLiteral("light")).toString();
    }

private Q_SLOTS:
    void withoutARuleNothingIsStruck()
    {
        FaultPlan plan;
        QVERIFY(!plan.decide(attempt("k", 1), {}));
    }

    void next2StrikesTwoAttemptsAndNoThird()
    {
        FaultPlan plan;
        QVERIFY(plan.arm(fault("unread:hold:next=2"), 0));
        QVERIFY(plan.decide(attempt("a", 1), {}));
        QVERIFY(plan.decide(attempt("b", 1), {}));
        QVERIFY(!plan.decide(attempt("c", 1), {}));
    }

    void aTransportReSendOfAnAttemptGetsTheSameFaultAndIsNotCounted()
    {
        FaultPlan plan;
        QVERIFY(plan.arm(fault("unread:hold:next=1"), 0));
        QVERIFY(plan.decide(attempt("a", 1), {}));
        QVERIFY(plan.decide(attempt("a", 1), {}));
        QVERIFY(!plan.decide(attempt("a", 2), {}));
        QVERIFY(!plan.decide(attempt("a", 1, "other merchant"), {}));
        QVERIFY(plan.decide(attempt("a", 1), {}));
    }

    void anAttemptThatWasSparedStaysSparedWhenSentAgain()
    {
        FaultPlan plan;
        QVERIFY(!plan.decide(attempt("a", 1), {}));
        QVERIFY(plan.arm(fault("unread:hold"), 0));
        QVERIFY(!plan.decide(attempt("a", 1), {}));
        QVERIFY(plan.decide(attempt("a", 2), {}));
    }

    void arrivalsWithoutANumberAreAttemptsOfTheirOwn()
    {
        FaultPlan plan;
        QVERIFY(plan.arm(fault("unread:hold:next=1"), 0));
        QVERIFY(plan.decide(attempt("a", 0), {}));
        QVERIFY(!plan.decide(attempt("a", 0), {}));
    }

    void attemptAndNextHoldTogether()
    {
        FaultPlan plan;
        QVERIFY(plan.arm(fault("unread:hold:attempt=2:next=1"), 0));
        QVERIFY(!plan.decide(attempt("a", 1), {}));
        QVERIFY(plan.decide(attempt("a", 2), {}));
        QVERIFY(!plan.decide(attempt("b", 2), {}));
        QVERIFY(!plan.decide(attempt("b", 0), {}));
    }

    void theFirstRuleThatMatchesWinsAndASpentOneMakesRoom()
    {
        FaultPlan plan;
        const QByteArray first = *plan.arm(fault("unread:hold:next=1"), 0);
        const QByteArray second = *plan.arm(fault("unread:fin:next=1"), 0);
        QCOMPARE(plan.decide(attempt("a", 1), {})->ruleId, first);
        QCOMPARE(plan.decide(attempt("a", 2), {})->ruleId, second);
        QVERIFY(!plan.decide(attempt("a", 3), {}));
    }

    void aFaultInTheRequestWinsOverArmedRulesAndUsesNoneUp()
    {
        FaultPlan plan;
        const QByteArray id = *plan.arm(fault("unread:hold:next=1"), 0);
        const auto decision = plan.decide(attempt("a", 1), fault("after_commit:rst"));
        QVERIFY(decision);
        QCOMPARE(decision->ruleId, QByteArray("header"));
        QCOMPARE(light(plan, id), QStringLiteral("armed"));
        QVERIFY(!plan.decide(attempt("a", 1), fault("after_commit:rst:attempt=2")));
    }

    void theLightsGoFromArmedToHealed()
    {
        FaultPlan plan;
        const QByteArray id = *plan.arm(fault("unread:hold:next=2"), 0);
        QCOMPARE(light(plan, id), QStringLiteral("armed"));
        plan.decide(attempt("a", 1), {});
        QCOMPARE(light(plan, id), QStringLiteral("matched"));
        plan.fired(id, attempt("a", 1));
        QCOMPARE(light(plan, id), QStringLiteral("fired"));
        QVERIFY(plan.delivered("default", "another key").isEmpty());
        QCOMPARE(light(plan, id), QStringLiteral("fired"));
        QCOMPARE(plan.delivered("default", "a"), QList<QByteArray>{id});
        QCOMPARE(light(plan, id), QStringLiteral("healed"));
        QVERIFY(plan.delivered("default", "a").isEmpty());

        // Struck once more, it is not healed any more.
        plan.decide(attempt("b", 1), {});
        plan.fired(id, attempt("b", 1));
        QCOMPARE(light(plan, id), QStringLiteral("fired"));
    }

    void disarmedIsGone()
    {
        FaultPlan plan;
        const QByteArray id = *plan.arm(fault("unread:hold"), 0);
        QVERIFY(plan.disarm(id));
        QVERIFY(!plan.disarm(id));
        QVERIFY(!plan.decide(attempt("a", 1), {}));
        QVERIFY(plan.arm(fault("unread:hold"), 0) && plan.arm(fault("unread:hold"), 0));
        QCOMPARE(plan.disarmAll(), 2);
        QVERIFY(plan.list().isEmpty());
    }

    void rulesAreBounded()
    {
        FaultPlan plan;
        for (std::size_t i = 0; i < FaultPlan::maxRules; ++i)
            QVERIFY(plan.arm(fault(i == 3 ? "unread:fin:next=1:attempt=9" : "unread:hold:attempt=1"), 0));
        QVERIFY(!plan.arm(fault("unread:hold"), 0));
        QVERIFY(plan.decide(attempt("a", 9), {})); // the fourth has done its work
        QVERIFY(plan.arm(fault("unread:hold"), 0));
        QCOMPARE(plan.list().size(), static_cast<qsizetype>(FaultPlan::maxRules));
    }

    void case_47_countersAreExactUnder64ConcurrentCallers()
    {
        constexpr int callers = 64;
        constexpr int attemptsEach = 200;
        constexpr int wanted = 1000;
        FaultPlan plan;
        const QByteArray id = *plan.arm(fault("unread:hold:next=1000"), 0);
        std::atomic<int> struck = 0;
        std::atomic<bool> go = false;
        std::vector<std::thread> threads;
        for (int caller = 0; caller < callers; ++caller) {
            threads.emplace_back([&, caller] {
                while (!go)
                    std::this_thread::yield();
                for (int i = 1; i <= attemptsEach; ++i) {
                    const ClientAttempt mine = attempt("k" + QByteArray::number(caller), i);
                    if (plan.decide(mine, {})) {
                        ++struck;
                        plan.fired(id, mine);
                    }
                }
            });
        }
        go = true;
        for (std::thread &thread : threads)
            thread.join();
        QCOMPARE(struck.load(), wanted);
        QCOMPARE(plan.find(id)->value(QStringLiteral("matched")).toInt(), wanted);
        QCOMPARE(plan.find(id)->value(QStringLiteral("fired")).toInt(), wanted);
        QCOMPARE(plan.find(id)->value(QStringLiteral("left")).toInt(), 0);
    }

    void case_47_64CallersOfOneAttemptAreOneAttempt()
    {
        FaultPlan plan;
        QVERIFY(plan.arm(fault("unread:hold:next=1"), 0));
        std::atomic<int> struck = 0;
        std::vector<std::thread> threads;
        for (int caller = 0; caller < 64; ++caller) {
            threads.emplace_back([&] {
                if (plan.decide(attempt("same", 1), {}))
                    ++struck;
            });
        }
        for (std::thread &thread : threads)
            thread.join();
        QCOMPARE(struck.load(), 64);
        QVERIFY(!plan.decide(attempt("same", 2), {}));
    }
};

IKKAI_TEST_MAIN(FaultPlanTest)
#include "tst_fault_plan.moc"
