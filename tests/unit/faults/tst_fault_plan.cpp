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

bool isArmed(const std::variant<QByteArray, FaultError> &armed)
{
    return std::holds_alternative<QByteArray>(armed);
}

QByteArray idOf(const std::variant<QByteArray, FaultError> &armed)
{
    return std::get<QByteArray>(armed);
}

ClientAttempt attempt(const QByteArray &key, int number, const QByteArray &merchant = "default")
{
    ClientAttempt attempt;
    attempt.merchant = merchant;
    attempt.key = key;
    attempt.number = number;
    return attempt;
}

} // namespace

class FaultPlanTest : public ikkai::test::Test {
    Q_OBJECT

private:
    static QString light(FaultPlan &plan, const QByteArray &id)
    {
        return plan.find(id, 0)->value(QStringLiteral("light")).toString();
    }

private Q_SLOTS:
    void withoutARuleNothingIsStruck()
    {
        FaultPlan plan;
        QVERIFY(!plan.decide(attempt("k", 1), {}, 0));
    }

    void next2StrikesTwoAttemptsAndNoThird()
    {
        FaultPlan plan;
        QVERIFY(isArmed(plan.arm(fault("unread:hold:next=2"), 0)));
        QVERIFY(plan.decide(attempt("a", 1), {}, 0));
        QVERIFY(plan.decide(attempt("b", 1), {}, 0));
        QVERIFY(!plan.decide(attempt("c", 1), {}, 0));
    }

    void aTransportReSendOfAnAttemptGetsTheSameFaultAndIsNotCounted()
    {
        FaultPlan plan;
        QVERIFY(isArmed(plan.arm(fault("unread:hold:next=1"), 0)));
        QVERIFY(plan.decide(attempt("a", 1), {}, 0));
        QVERIFY(plan.decide(attempt("a", 1), {}, 0));
        QVERIFY(!plan.decide(attempt("a", 2), {}, 0));
        QVERIFY(!plan.decide(attempt("a", 1, "other merchant"), {}, 0));
        QVERIFY(plan.decide(attempt("a", 1), {}, 0));
    }

    void anAttemptThatWasSparedStaysSparedWhenSentAgain()
    {
        FaultPlan plan;
        QVERIFY(!plan.decide(attempt("a", 1), {}, 0));
        QVERIFY(isArmed(plan.arm(fault("unread:hold"), 0)));
        QVERIFY(!plan.decide(attempt("a", 1), {}, 0));
        QVERIFY(plan.decide(attempt("a", 2), {}, 0));
    }

    void arrivalsWithoutANumberAreAttemptsOfTheirOwn()
    {
        FaultPlan plan;
        QVERIFY(isArmed(plan.arm(fault("unread:hold:next=1"), 0)));
        QVERIFY(plan.decide(attempt("a", 0), {}, 0));
        QVERIFY(!plan.decide(attempt("a", 0), {}, 0));
    }

    void attemptAndNextHoldTogether()
    {
        FaultPlan plan;
        QVERIFY(isArmed(plan.arm(fault("unread:hold:attempt=2:next=1"), 0)));
        QVERIFY(!plan.decide(attempt("a", 1), {}, 0));
        QVERIFY(plan.decide(attempt("a", 2), {}, 0));
        QVERIFY(!plan.decide(attempt("b", 2), {}, 0));
        QVERIFY(!plan.decide(attempt("b", 0), {}, 0));
    }

    void theFirstRuleThatMatchesWinsAndASpentOneMakesRoom()
    {
        FaultPlan plan;
        const QByteArray first = idOf(plan.arm(fault("unread:hold:next=1"), 0));
        const QByteArray second = idOf(plan.arm(fault("unread:fin:next=1"), 0));
        QCOMPARE(plan.decide(attempt("a", 1), {}, 0)->ruleId, first);
        QCOMPARE(plan.decide(attempt("a", 2), {}, 0)->ruleId, second);
        QVERIFY(!plan.decide(attempt("a", 3), {}, 0));
    }

    void aFaultInTheRequestWinsOverArmedRulesAndUsesNoneUp()
    {
        FaultPlan plan;
        const QByteArray id = idOf(plan.arm(fault("unread:hold:next=1"), 0));
        const auto decision = plan.decide(attempt("a", 1), fault("after_commit:rst"), 0);
        QVERIFY(decision);
        QCOMPARE(decision->ruleId, QByteArray("header"));
        QCOMPARE(light(plan, id), QStringLiteral("armed"));
        QVERIFY(!plan.decide(attempt("a", 1), fault("after_commit:rst:attempt=2"), 0));
    }

    void theLightsGoFromArmedToHealed()
    {
        FaultPlan plan;
        const QByteArray id = idOf(plan.arm(fault("unread:hold:next=2"), 0));
        QCOMPARE(light(plan, id), QStringLiteral("armed"));
        plan.decide(attempt("a", 1), {}, 0);
        QCOMPARE(light(plan, id), QStringLiteral("matched"));
        plan.fired(id, attempt("a", 1));
        QCOMPARE(light(plan, id), QStringLiteral("fired"));
        QVERIFY(plan.delivered(attempt("another key", 1)).isEmpty());
        QCOMPARE(light(plan, id), QStringLiteral("fired"));
        QCOMPARE(plan.delivered(attempt("a", 2)), QList<QByteArray>{id});
        QCOMPARE(light(plan, id), QStringLiteral("healed"));
        QVERIFY(plan.delivered(attempt("a", 2)).isEmpty());

        // Struck once more, it is not healed any more.
        plan.decide(attempt("b", 1), {}, 0);
        plan.fired(id, attempt("b", 1));
        QCOMPARE(light(plan, id), QStringLiteral("fired"));
    }

    void aDisarmedRuleStrikesNoMoreAndIsListedAsNotFiredForAWhile()
    {
        FaultPlan plan;
        const QByteArray id = idOf(plan.arm(fault("unread:hold"), 0));
        QVERIFY(plan.disarm(id, 5));
        QVERIFY(!plan.decide(attempt("a", 1), {}, 6));
        QCOMPARE(light(plan, id), QStringLiteral("not_fired"));
        QCOMPARE(plan.find(id, 6)->value(QStringLiteral("ended")).toString(), QStringLiteral("disarmed"));
        QVERIFY(!plan.find(id, 6)->value(QStringLiteral("live")).toBool(true));
        QCOMPARE(plan.list(5 + FaultPlan::endedShownMs - 1).size(), 1);
        QCOMPARE(plan.list(5 + FaultPlan::endedShownMs).size(), 0);
        QVERIFY(!plan.disarm(id, 5 + FaultPlan::endedShownMs));
    }

    void aRuleThatHasEndedIsForgottenWhenDisarmedAgain()
    {
        FaultPlan plan;
        const QByteArray id = idOf(plan.arm(fault("unread:hold"), 0));
        QVERIFY(isArmed(plan.arm(fault("unread:hold"), 0)));
        QCOMPARE(plan.disarmAll(0), 2);
        QCOMPARE(plan.disarmAll(0), 0);
        QVERIFY(plan.disarm(id, 0));
        QVERIFY(!plan.find(id, 0));
        QCOMPARE(plan.list(0).size(), 1);
    }

    void aRuleThatFiredStaysFiredWhenItIsDisarmed()
    {
        FaultPlan plan;
        const QByteArray id = idOf(plan.arm(fault("unread:hold"), 0));
        plan.decide(attempt("a", 1), {}, 0);
        plan.fired(id, attempt("a", 1));
        QVERIFY(plan.disarm(id, 0));
        QCOMPARE(light(plan, id), QStringLiteral("fired"));
        plan.delivered(attempt("a", 2));
        QCOMPARE(light(plan, id), QStringLiteral("healed"));
    }

    void case_57_aResetLeavesNothingBehind()
    {
        FaultPlan plan;
        QVERIFY(isArmed(plan.arm(fault("unread:hold:next=1"), 0)));
        QVERIFY(!plan.loadScenario({fault("unread:fin")}, 1, 0));
        plan.setMagicAmounts(true);
        plan.setProfile(findProfile(QStringLiteral("Offline")), 1);
        QVERIFY(plan.decide(attempt("a", 1), {}, 0));
        plan.reset();
        QVERIFY(!plan.decide(attempt("a", 1), {}, 0));
        QVERIFY(plan.list(0).isEmpty());
        QVERIFY(!plan.magicAmounts() && !plan.profile());
        QVERIFY(plan.arrived(attempt("a", 2), 0).isEmpty());
    }

    void case_57_aRuleForOneTerminalLeavesTheOthersAlone()
    {
        FaultPlan plan;
        QVERIFY(isArmed(plan.arm(fault("unread:hold:terminal=till-1"), 0)));
        ClientAttempt mine = attempt("a", 1);
        mine.terminal = QStringLiteral("till-1");
        ClientAttempt other = attempt("b", 1);
        other.terminal = QStringLiteral("till-2");
        QVERIFY(plan.decide(mine, {}, 0));
        QVERIFY(!plan.decide(other, {}, 0));
        QVERIFY(!plan.decide(attempt("c", 1), {}, 0));
    }

    void seenIsWhatTheTerminalShowed()
    {
        FaultPlan plan;
        const QByteArray id = idOf(plan.arm(fault("unread:hold"), 0));
        for (const char *key : {"gone", "again", "answered"}) {
            plan.decide(attempt(key, 1), {}, 0);
            plan.fired(id, attempt(key, 1));
        }
        const auto lights = [](const QList<LightChange> &changes) {
            QStringList names;
            for (const LightChange &change : changes)
                names.append(QString::fromLatin1(change.ruleId) + QLatin1Char(' ') + change.light);
            return names;
        };
        const QStringList once{QStringLiteral("f1 seen")};
        QVERIFY(plan.seen(attempt("gone", 2)).isEmpty()); // another attempt says nothing of this one
        QCOMPARE(lights(plan.seen(attempt("gone", 1))), once);
        QVERIFY(plan.seen(attempt("gone", 1)).isEmpty());
        QVERIFY(plan.arrived(attempt("again", 1), 0).isEmpty()); // a transport's re-send shows nothing
        QCOMPARE(lights(plan.arrived(attempt("again", 2), 0)), once);
        QCOMPARE(light(plan, id), QStringLiteral("fired"));
        plan.seen(attempt("answered", 1));
        QCOMPARE(light(plan, id), QStringLiteral("seen"));
        QCOMPARE(plan.find(id, 0)->value(QStringLiteral("seen")).toInt(), 3);
        for (const char *key : {"gone", "again", "answered"})
            plan.delivered(attempt(key, 2));
        QCOMPARE(light(plan, id), QStringLiteral("healed"));
        QCOMPARE(plan.find(id, 0)->value(QStringLiteral("seen")).toInt(), 3);
    }

    void case_56_anAttemptSentAgainFiresOnceHoweverOftenItIsPlayed()
    {
        FaultPlan plan;
        const QByteArray id = idOf(plan.arm(fault("unread:rst:next=1"), 0));
        for (int transmission = 0; transmission < 4; ++transmission) {
            QVERIFY(plan.decide(attempt("a", 1), {}, 0));
            plan.fired(id, attempt("a", 1));
        }
        QCOMPARE(plan.find(id, 0)->value(QStringLiteral("matched")).toInt(), 1);
        QCOMPARE(plan.find(id, 0)->value(QStringLiteral("fired")).toInt(), 1);
    }

    void rulesAreBounded()
    {
        FaultPlan plan;
        for (std::size_t i = 0; i < FaultPlan::maxRules; ++i)
            QVERIFY(isArmed(plan.arm(fault(i == 3 ? "unread:fin:next=1:attempt=9" : "unread:hold:attempt=1"), 0)));
        QVERIFY(!isArmed(plan.arm(fault("unread:hold"), 0)));
        QVERIFY(plan.decide(attempt("a", 9), {}, 0)); // the fourth has done its work
        QVERIFY(isArmed(plan.arm(fault("unread:hold"), 0)));
        QCOMPARE(plan.list(0).size(), static_cast<qsizetype>(FaultPlan::maxRules));
    }

    void case_47_countersAreExactUnder64ConcurrentCallers()
    {
        constexpr int callers = 64;
        constexpr int attemptsEach = 200;
        constexpr int wanted = 1000;
        FaultPlan plan;
        const QByteArray id = idOf(plan.arm(fault("unread:hold:next=1000"), 0));
        std::atomic<int> struck = 0;
        std::atomic<bool> go = false;
        std::vector<std::thread> threads;
        for (int caller = 0; caller < callers; ++caller) {
            threads.emplace_back([&, caller] {
                while (!go)
                    std::this_thread::yield();
                for (int i = 1; i <= attemptsEach; ++i) {
                    const ClientAttempt mine = attempt("k" + QByteArray::number(caller), i);
                    if (plan.decide(mine, {}, 0)) {
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
        QCOMPARE(plan.find(id, 0)->value(QStringLiteral("matched")).toInt(), wanted);
        QCOMPARE(plan.find(id, 0)->value(QStringLiteral("fired")).toInt(), wanted);
        QCOMPARE(plan.find(id, 0)->value(QStringLiteral("left")).toInt(), 0);
    }

    void case_47_64CallersOfOneAttemptAreOneAttempt()
    {
        FaultPlan plan;
        QVERIFY(isArmed(plan.arm(fault("unread:hold:next=1"), 0)));
        std::atomic<int> struck = 0;
        std::vector<std::thread> threads;
        for (int caller = 0; caller < 64; ++caller) {
            threads.emplace_back([&] {
                if (plan.decide(attempt("same", 1), {}, 0))
                    ++struck;
            });
        }
        for (std::thread &thread : threads)
            thread.join();
        QCOMPARE(struck.load(), 64);
        QVERIFY(!plan.decide(attempt("same", 2), {}, 0));
    }
};

IKKAI_TEST_MAIN(FaultPlanTest)
#include "tst_fault_plan.moc"
