#include "mock-server/faults/fault_draw.h"
#include "mock-server/faults/fault_plan.h"
#include "mock-server/faults/magic_amounts.h"
#include "tests/support/test.h"

#include <QtCore/QSet>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <thread>
#include <vector>

using namespace mockbank;

namespace {

Fault faultOf(const QByteArray &spec)
{
    return std::get<Fault>(parseFault(QByteArrayView(spec)));
}

QByteArray armed(FaultPlan &plan, const QByteArray &spec, qint64 nowMs = 0)
{
    const auto result = plan.arm(faultOf(spec), nowMs);
    return std::get<QByteArray>(result);
}

ClientAttempt chargeOf(const QByteArray &key, int number, qint64 amountMinor = 1200)
{
    ClientAttempt attempt;
    attempt.merchant = "default";
    attempt.key = key;
    attempt.number = number;
    attempt.terminal = QStringLiteral("till-1");
    attempt.order = QStringLiteral("A-1");
    attempt.source = QStringLiteral("card_ok");
    attempt.amountMinor = amountMinor;
    attempt.currency = QStringLiteral("JPY");
    return attempt;
}

ClientAttempt requestOf(RouteMatch route, const QByteArray &key)
{
    ClientAttempt attempt;
    attempt.merchant = "default";
    attempt.key = key;
    attempt.route = route;
    return attempt;
}

QByteArray keyNumber(int n)
{
    return "k" + QByteArray::number(n);
}

/// Which of the first `count` keys are struck, asked in this order.
QSet<int> struckOf(FaultPlan &plan, const std::vector<int> &order)
{
    QSet<int> struck;
    for (const int n : order) {
        if (plan.decide(chargeOf(keyNumber(n), 1), {}, 0))
            struck.insert(n);
    }
    return struck;
}

std::vector<int> upTo(int count)
{
    std::vector<int> numbers;
    for (int i = 0; i < count; ++i)
        numbers.push_back(i);
    return numbers;
}

} // namespace

class FaultSelectorsTest : public ikkai::test::Test {
    Q_OBJECT

private Q_SLOTS:
    void skipEveryAndNextCountWhatTheMatchersLetThrough()
    {
        FaultPlan plan;
        const QByteArray id = armed(plan, "unread:hold:source=card_ok:skip=2:every=3:next=2");
        QList<int> struck;
        for (int i = 1; i <= 20; ++i) {
            ClientAttempt other = chargeOf("other" + keyNumber(i), 1);
            other.source = QStringLiteral("card_low");
            QVERIFY(!plan.decide(other, {}, 0));
            if (plan.decide(chargeOf(keyNumber(i), 1), {}, 0))
                struck.append(i);
        }
        QCOMPARE(struck, (QList<int>{5, 8}));
        const QJsonObject rule = *plan.find(id, 0);
        QCOMPARE(rule.value(QStringLiteral("taken")).toInt(), 2);
        QCOMPARE(rule.value(QStringLiteral("left")).toInt(), 0);
        QCOMPARE(rule.value(QStringLiteral("ended")).toString(), QStringLiteral("spent"));
    }

    void everyMatcherHasToBeMet_data()
    {
        QTest::addColumn<QByteArray>("selector");
        QTest::addColumn<bool>("strikes");
        const auto row = [](const char *selector, bool strikes) {
            QTest::newRow(selector) << QByteArray(selector) << strikes;
        };
        row("key=k", true);
        row("key=K", false);
        row("terminal=till-1", true);
        row("terminal=till-2", false);
        row("order=A-1", true);
        row("order=A-10", false);
        row("source=card_ok", true);
        row("source=card", false);
        row("amount=1200", true);
        row("amount=120", false);
        row("attempt=2", true);
        row("attempt=1", false);
        row("route=charge", true);
        row("route=any", true);
        row("route=void", false);
        row("route=inquiry", false);
        row("route=list", false);
        row("key=k:terminal=till-1:order=A-1:source=card_ok:amount=1200:attempt=2", true);
        row("key=k:terminal=till-1:order=A-1:source=card_ok:amount=1201:attempt=2", false);
    }
    void everyMatcherHasToBeMet()
    {
        QFETCH(QByteArray, selector);
        QFETCH(bool, strikes);
        FaultPlan plan;
        armed(plan, "unread:hold:" + selector);
        QCOMPARE(plan.decide(chargeOf("k", 2), {}, 0).has_value(), strikes);
    }

    void aRuleWithoutARouteLeavesEverythingButChargesAlone()
    {
        FaultPlan plan;
        armed(plan, "unread:hold");
        for (const RouteMatch route : {RouteMatch::Inquiry, RouteMatch::Void, RouteMatch::List})
            QVERIFY(!plan.decide(requestOf(route, "k"), {}, 0));
        QVERIFY(plan.decide(chargeOf("k", 1), {}, 0));
    }

    void aRuleForInquiriesStrikesEachOfThem()
    {
        FaultPlan plan;
        armed(plan, "after_commit:fin:route=inquiry:next=2");
        QVERIFY(!plan.decide(chargeOf("k", 1), {}, 0));
        QVERIFY(plan.decide(requestOf(RouteMatch::Inquiry, "k"), {}, 0));
        QVERIFY(plan.decide(requestOf(RouteMatch::Inquiry, "k"), {}, 0));
        QVERIFY(!plan.decide(requestOf(RouteMatch::Inquiry, "k"), {}, 0));
    }

    void anInquiryIsNoAttemptWhateverNumberItCarries()
    {
        FaultPlan plan;
        armed(plan, "after_commit:fin:route=inquiry:next=1");
        ClientAttempt inquiry = requestOf(RouteMatch::Inquiry, "k");
        inquiry.number = 3;
        QVERIFY(plan.decide(inquiry, {}, 0));
        QVERIFY(!plan.decide(inquiry, {}, 0));
    }

    void theBodyTellsWhatMatchersAskFor()
    {
        ClientAttempt attempt;
        readBody(R"({"order_id":"A-7","amount":1051,"currency":"JPY","source":"card_ok","terminal_id":"till-3"})",
                 &attempt);
        QCOMPARE(attempt.order, QStringLiteral("A-7"));
        QCOMPARE(attempt.terminal, QStringLiteral("till-3"));
        QCOMPARE(attempt.source, QStringLiteral("card_ok"));
        QCOMPARE(attempt.currency, QStringLiteral("JPY"));
        QCOMPARE(attempt.amountMinor, std::optional<qint64>(1051));
        ClientAttempt nothing;
        readBody(R"({"order_id":7,"amount":"1051")", &nothing);
        QVERIFY(nothing.order.isEmpty() && !nothing.amountMinor);
    }

    void case_46_probability0NeverStrikesAndProbability1Always()
    {
        FaultPlan plan;
        const QByteArray never = armed(plan, "unread:hold:probability=0:seed=7");
        const QByteArray always = armed(plan, "unread:fin:probability=1:seed=7");
        for (int i = 0; i < 20'000; ++i)
            QCOMPARE(plan.decide(chargeOf(keyNumber(i), 1), {}, 0)->ruleId, always);
        QCOMPARE(plan.find(never, 0)->value(QStringLiteral("matched")).toInt(), 0);
        QCOMPARE(plan.find(never, 0)->value(QStringLiteral("taken")).toInt(), 20'000);
        QCOMPARE(plan.find(never, 0)->value(QStringLiteral("light")).toString(), QStringLiteral("armed"));
    }

    void case_46_theEdgesOfADrawAreExact()
    {
        QCOMPARE(toMillionths(0), 0);
        QCOMPARE(toMillionths(~quint64(0)), 999'999);
    }

    void case_46_probabilityAHalfIsNeitherAllNorNone()
    {
        for (const char *seed : {"1", "2", "3", "4", "5"}) {
            FaultPlan plan;
            armed(plan, QByteArray("unread:hold:probability=0.5:seed=") + seed);
            const auto struck = struckOf(plan, upTo(2000)).size();
            QVERIFY2(struck > 900 && struck < 1100, qPrintable(QString::number(struck)));
        }
    }

    void case_48_theSameSeedStrikesTheSameAttemptsInWhateverOrderTheyCome()
    {
        const QByteArray rule = "unread:hold:probability=0.1:seed=42";
        FaultPlan first;
        armed(first, rule);
        const QSet<int> expected = struckOf(first, upTo(1000));
        QVERIFY(expected.size() > 60 && expected.size() < 140);

        // Backwards, after other rules have come and gone, and from 64 threads at once.
        FaultPlan second;
        const QByteArray other = armed(second, "unread:fin");
        second.disarm(other, 0);
        armed(second, rule);
        std::vector<int> backwards = upTo(1000);
        std::ranges::reverse(backwards);
        QCOMPARE(struckOf(second, backwards), expected);

        FaultPlan third;
        armed(third, rule);
        std::array<std::atomic<bool>, 1000> struck{};
        std::barrier start(64);
        std::vector<std::jthread> callers;
        for (int caller = 0; caller < 64; ++caller) {
            callers.emplace_back([&, caller] {
                start.arrive_and_wait();
                for (int n = caller; n < 1000; n += 64)
                    struck[static_cast<std::size_t>(n)] = third.decide(chargeOf(keyNumber(n), 1), {}, 0).has_value();
            });
        }
        callers.clear();
        QSet<int> fromThreads;
        for (int n = 0; n < 1000; ++n) {
            if (struck[static_cast<std::size_t>(n)])
                fromThreads.insert(n);
        }
        QCOMPARE(fromThreads, expected);

        FaultPlan otherSeed;
        armed(otherSeed, "unread:hold:probability=0.1:seed=43");
        QVERIFY(struckOf(otherSeed, upTo(1000)) != expected);
    }

    void case_48_twoRulesOfOneSeedDrawApart()
    {
        FaultPlan plan;
        const QByteArray one = armed(plan, "unread:hold:probability=0.5:seed=7");
        const QByteArray two = armed(plan, "unread:fin:probability=0.5:seed=7");
        const QByteArray three = armed(plan, "unread:fin:probability=0.5:seed=7");
        struckOf(plan, upTo(2000));
        const auto matched = [&](const QByteArray &id) {
            return plan.find(id, 0)->value(QStringLiteral("matched")).toInt();
        };
        QVERIFY(matched(one) > 900 && matched(two) > 400 && matched(three) > 180);
    }

    void case_48_aDrawIsMadeOnceForAnAttemptAndKept()
    {
        FaultPlan plan;
        const QByteArray id = armed(plan, "unread:hold:probability=0.5:seed=7");
        int struck = 0;
        for (int n = 0; n < 50; ++n) {
            const auto first = plan.decide(chargeOf(keyNumber(n), 1), {}, 0);
            for (int again = 0; again < 5; ++again) {
                const auto same = plan.decide(chargeOf(keyNumber(n), 1), {}, 0);
                QCOMPARE(same.has_value(), first.has_value());
                if (first)
                    QCOMPARE(same->drawMillionths, first->drawMillionths);
            }
            if (first) {
                ++struck;
                QVERIFY(*first->drawMillionths < 500'000);
            }
        }
        QCOMPARE(plan.find(id, 0)->value(QStringLiteral("taken")).toInt(), 50);
        QCOMPARE(plan.find(id, 0)->value(QStringLiteral("matched")).toInt(), struck);
    }

    void case_48_aRuleWithoutASeedGetsOneAndShowsIt()
    {
        FaultPlan plan;
        const QByteArray id = armed(plan, "unread:hold:probability=0.1");
        const QByteArray spec = plan.find(id, 0)->value(QStringLiteral("spec")).toString().toLatin1();
        QVERIFY2(spec.startsWith("unread:hold:probability=0.1:seed="), spec.constData());
        const QSet<int> struck = struckOf(plan, upTo(1000));
        FaultPlan again;
        armed(again, spec);
        QCOMPARE(struckOf(again, upTo(1000)), struck);
    }

    void aRuleWhoseDrawsAllMissedIsNotFired()
    {
        FaultPlan plan;
        const QByteArray id = armed(plan, "unread:hold:next=2:probability=0:seed=1");
        for (int n = 0; n < 3; ++n)
            QVERIFY(!plan.decide(chargeOf(keyNumber(n), 1), {}, 0));
        QCOMPARE(plan.find(id, 0)->value(QStringLiteral("light")).toString(), QStringLiteral("not_fired"));
    }

    void delaysFollowTheirLaw()
    {
        const auto drawn = [](const char *law) {
            FaultPlan plan;
            armed(plan, QByteArray("late:delay(") + law + ')');
            QList<int> delays;
            for (int n = 0; n < 4000; ++n)
                delays.append(plan.decide(chargeOf(keyNumber(n), 1), {}, 0)->delayMs);
            std::ranges::sort(delays);
            return delays;
        };
        const QList<int> fixed = drawn("ms=70");
        QVERIFY(fixed.first() == 70 && fixed.last() == 70);
        const QList<int> uniform = drawn("min_ms=10,max_ms=13");
        QVERIFY(uniform.first() == 10 && uniform.last() == 13);
        QVERIFY(std::abs(uniform.count(11) - 1000) < 150);
        const QList<int> lognormal = drawn("median_ms=300,sigma=0.5,seed=9");
        QVERIFY(std::abs(lognormal[2000] - 300) < 20);
        // One sigma to either side holds 68 of 100.
        QVERIFY(std::abs(lognormal[640] - 182) < 15 && std::abs(lognormal[3360] - 495) < 35);
        const QList<int> exponential = drawn("mean_ms=1000");
        QVERIFY(std::abs(exponential[2000] - 693) < 60);
        QVERIFY(lognormal != drawn("median_ms=300,sigma=0.5,seed=10"));
        QCOMPARE(lognormal, drawn("median_ms=300,sigma=0.5,seed=9"));
    }

    void case_47_selectorsAreExactUnder64ConcurrentCallers()
    {
        // 64 x 200 attempts; the first 100 spared, then each third, 1,000 of them.
        FaultPlan plan;
        const QByteArray id = armed(plan, "unread:hold:skip=100:every=3:next=1000");
        std::atomic<int> struck = 0;
        std::barrier start(64);
        std::vector<std::jthread> callers;
        for (int caller = 0; caller < 64; ++caller) {
            callers.emplace_back([&, caller] {
                start.arrive_and_wait();
                for (int i = 1; i <= 200; ++i) {
                    const ClientAttempt mine = chargeOf(keyNumber(caller), i);
                    const auto decision = plan.decide(mine, {}, 0);
                    if (decision) {
                        ++struck;
                        plan.fired(decision->ruleId, mine);
                    }
                }
            });
        }
        callers.clear();
        QCOMPARE(struck.load(), 1000);
        const QJsonObject rule = *plan.find(id, 0);
        QCOMPARE(rule.value(QStringLiteral("taken")).toInt(), 1000);
        QCOMPARE(rule.value(QStringLiteral("fired")).toInt(), 1000);
        QCOMPARE(rule.value(QStringLiteral("met")).toInt(), 100 + 3 * 1000);
    }

    void aRuleEndsByItselfAfterItsTime()
    {
        FaultPlan plan;
        const QByteArray id = armed(plan, "unread:hold:for_s=1.5", 1000);
        QCOMPARE(*plan.takeEnded(1000).nextMs, 2500);
        QVERIFY(plan.decide(chargeOf("a", 1), {}, 2499));
        QVERIFY(!plan.decide(chargeOf("b", 1), {}, 2500));
        const auto ended = plan.takeEnded(2500);
        QCOMPARE(ended.rules.size(), 1);
        QCOMPARE(ended.rules.first().ruleId, id);
        QCOMPARE(ended.rules.first().light, QStringLiteral("not_fired"));
        QVERIFY(!ended.nextMs);
        QVERIFY(plan.takeEnded(2500).rules.isEmpty());
        QCOMPARE(plan.find(id, 2500)->value(QStringLiteral("light")).toString(), QStringLiteral("not_fired"));
        QCOMPARE(plan.find(id, 2500)->value(QStringLiteral("ended")).toString(), QStringLiteral("expired"));
    }

    void untilIsATimeOfDayAndMustNotBeOver()
    {
        FaultPlan plan;
        constexpr qint64 noon = 1'896'091'200'000;
        const Fault rule = faultOf("unread:hold:until=\"2030-01-31T12:00:00Z\"");
        QCOMPARE(*rule.selector.untilMs, noon);
        const auto late = plan.arm(rule, noon);
        QCOMPARE(std::get<FaultError>(late).member, QStringLiteral("selector.until"));
        QVERIFY(std::holds_alternative<QByteArray>(plan.arm(rule, noon - 1000)));
        QVERIFY(plan.decide(chargeOf("a", 1), {}, noon - 1));
        QVERIFY(!plan.decide(chargeOf("b", 1), {}, noon));
    }

    void theStrongestWins()
    {
        FaultPlan plan;
        plan.setProfile(findProfile(QStringLiteral("offline")), 1);
        const auto struckBy = [&](const QByteArray &key, const std::optional<Fault> &header = {}) {
            const auto decision = plan.decide(chargeOf(key, 1, 1069), header, 0);
            return decision ? sourceName(decision->source) + QLatin1Char(' ') + QString::fromLatin1(decision->ruleId)
                            : QString();
        };
        QCOMPARE(struckBy("a"), QStringLiteral("profile profile"));
        plan.setMagicAmounts(true);
        QCOMPARE(struckBy("b"), QStringLiteral("magic magic-069"));
        QVERIFY(!plan.loadScenario({faultOf("unread:fin:key=never"), faultOf("unread:fin")}, 1, 0));
        QCOMPARE(struckBy("c"), QStringLiteral("scenario s2"));
        const QByteArray id = armed(plan, "unread:rst");
        QCOMPARE(struckBy("d"), QStringLiteral("armed ") + QString::fromLatin1(id));
        QCOMPARE(struckBy("e", faultOf("unread:delay(ms=5)")), QStringLiteral("header header"));
        // What was decided stays decided, whoever comes later.
        QCOMPARE(struckBy("a"), QStringLiteral("profile profile"));
        QCOMPARE(struckBy("c"), QStringLiteral("scenario s2"));
    }

    void aDrawThatMissesLeavesTheAttemptToTheNextRule()
    {
        FaultPlan plan;
        armed(plan, "unread:hold:probability=0:seed=1");
        const QByteArray second = armed(plan, "unread:fin:next=1");
        QCOMPARE(plan.decide(chargeOf("a", 1), {}, 0)->ruleId, second);
    }

    void aFaultInTheHeadSpeaksOfThisRequest()
    {
        FaultPlan plan;
        const Fault fin = faultOf("after_commit:fin");
        QVERIFY(!plan.whyNotInHeader(fin, RouteMatch::Inquiry));
        QVERIFY(plan.decide(requestOf(RouteMatch::Inquiry, "k"), fin, 0));
        QVERIFY(!plan.decide(chargeOf("k", 1), {}, 0));

        const auto member = [&](const char *spec, RouteMatch route = RouteMatch::Charge) {
            const auto why = plan.whyNotInHeader(faultOf(spec), route);
            return why ? why->member : QString();
        };
        QCOMPARE(member("connect:hold"), QStringLiteral("placement"));
        QCOMPARE(member("unread:hold:skip=1"), QStringLiteral("selector.skip"));
        QCOMPARE(member("unread:hold:every=2"), QStringLiteral("selector.every"));
        QCOMPARE(member("unread:hold:for_s=2"), QStringLiteral("selector.for_s"));
        QCOMPARE(member("unread:hold:until=\"2030-01-31T12:00:00Z\""), QStringLiteral("selector.until"));
        QCOMPARE(member("unread:hold:route=void"), QStringLiteral("selector.route"));
        QCOMPARE(member("before_commit:hold", RouteMatch::List), QStringLiteral("selector.route"));
        QCOMPARE(member("half_way:fin"), QStringLiteral("placement"));
        QCOMPARE(member("unread:hold:next=1"), QString());
        QCOMPARE(member("unread:hold:probability=0.5:seed=3:attempt=2"), QString());
    }

    void connectionsAreAskedApartAndCounted()
    {
        FaultPlan plan;
        const QByteArray id = armed(plan, "connect:hold:next=2:for_s=10", 0);
        QVERIFY(!plan.decide(chargeOf("a", 1), {}, 0));
        for (int connection = 0; connection < 2; ++connection) {
            const auto decision = plan.decideConnection(5);
            QCOMPARE(decision->ruleId, id);
            plan.fired(decision->ruleId);
        }
        QVERIFY(!plan.decideConnection(5));
        QCOMPARE(plan.find(id, 5)->value(QStringLiteral("light")).toString(), QStringLiteral("fired"));
        QCOMPARE(plan.arrived(chargeOf("b", 1), 5).first().light, QStringLiteral("healed"));
        QCOMPARE(plan.find(id, 5)->value(QStringLiteral("light")).toString(), QStringLiteral("healed"));
        armed(plan, "connect:hold:for_s=1", 100);
        QVERIFY(plan.decideConnection(1099));
        QVERIFY(!plan.decideConnection(1100));
    }

    void aClosedPortOpensByItself()
    {
        FaultPlan plan;
        QVERIFY(!plan.refusal(0));
        const QByteArray id = armed(plan, "connect:refuse(ms=300)", 1000);
        const auto refusal = plan.refusal(1000);
        QCOMPARE(refusal->decision.ruleId, id);
        QCOMPARE(refusal->untilMs, 1300);
        plan.fired(id);
        QVERIFY(!plan.refusal(1300));
        armed(plan, "connect:refuse:for_s=2", 2000);
        QCOMPARE(plan.refusal(2000)->untilMs, 4000);
        const auto tooLong = plan.arm(faultOf("connect:refuse:until=\"2030-01-31T12:00:00Z\""), 0);
        QCOMPARE(std::get<FaultError>(tooLong).member, QStringLiteral("selector.until"));
    }

    void whatTheStrategyCannotPlayIsRefusedAndEndsWithASwitch()
    {
        FaultPlan plan;
        const auto refused = plan.arm(faultOf("half_way:fin"), 0);
        QCOMPARE(std::get<FaultError>(refused).member, QStringLiteral("placement"));
        QVERIFY(std::get<FaultError>(refused).detail.contains(QStringLiteral("no half way")));
        QCOMPARE(std::get<FaultError>(plan.arm(faultOf("after_commit:redis_lost_write"), 0)).member,
                 QStringLiteral("manifestation.kind"));

        QVERIFY(plan.setStrategy(QStringLiteral("redis_lock"), 0).isEmpty());
        const QByteArray halfWay = armed(plan, "half_way:fin");
        const QByteArray any = armed(plan, "unread:fin:attempt=9");
        QCOMPARE(plan.setStrategy(QStringLiteral("atomic"), 0), QList<QByteArray>{halfWay});
        QVERIFY(!plan.decide(chargeOf("a", 1), {}, 0));
        QCOMPARE(plan.find(halfWay, 0)->value(QStringLiteral("ended")).toString(), QStringLiteral("strategy_changed"));
        QCOMPARE(plan.find(halfWay, 0)->value(QStringLiteral("light")).toString(), QStringLiteral("not_fired"));
        QVERIFY(plan.find(any, 0)->value(QStringLiteral("live")).toBool());
    }

    void aScenarioIsLoadedWholeOrNotAtAll()
    {
        FaultPlan plan;
        QVERIFY(!plan.loadScenario({faultOf("unread:fin")}, 1, 0));
        const auto error = plan.loadScenario({faultOf("unread:rst"), faultOf("half_way:rst")}, 1, 0);
        QCOMPARE(error->member, QStringLiteral("steps[1].placement"));
        QCOMPARE(plan.decide(chargeOf("a", 1), {}, 0)->fault.manifestation.kind, ManifestationKind::Fin);
        QCOMPARE(plan.list(0).first().toObject().value(QStringLiteral("source")).toString(),
                 QStringLiteral("scenario"));
        QCOMPARE(plan.clearScenario(0), 1);
        QVERIFY(!plan.decide(chargeOf("b", 1), {}, 0));
    }

    void theSeedOfAScenarioMakesItsDraws()
    {
        const QList<Fault> steps{faultOf("unread:hold:probability=0.3"), faultOf("after_commit:hold:probability=0.3")};
        const auto list = [&](quint64 seed) {
            FaultPlan plan;
            plan.loadScenario(steps, seed, 0);
            QByteArrayList struck;
            for (int n = 0; n < 200; ++n) {
                const auto decision = plan.decide(chargeOf(keyNumber(n), 1), {}, 0);
                struck.append(decision ? decision->ruleId : QByteArray());
            }
            return struck;
        };
        QCOMPARE(list(42), list(42));
        QVERIFY(list(42) != list(43));
    }

    void magicAmountsStrikeOnlyWhenAskedForAndOnlyYen()
    {
        FaultPlan plan;
        QVERIFY(!plan.decide(chargeOf("a", 1, 1068), {}, 0));
        plan.setMagicAmounts(true);
        const auto spec = [&](const QByteArray &key, int number, qint64 amount) {
            const auto decision = plan.decide(chargeOf(key, number, amount), {}, 0);
            return decision ? printFault(decision->fault) : QByteArray();
        };
        QCOMPARE(spec("051", 1, 1051), "before_commit:decline");
        QCOMPARE(spec("051", 2, 1051), "before_commit:decline");
        QCOMPARE(spec("054", 1, 54), "before_commit:decline(decline_code=expired_card)");
        QCOMPARE(spec("068", 1, 99'068), "unread:hold");
        QCOMPARE(spec("068", 2, 99'068), "");
        QCOMPARE(spec("069", 1, 1069), "after_commit:hold");
        QCOMPARE(spec("069", 2, 1069), "");
        QCOMPARE(spec("070", 1, 1070), "before_commit:restart(ms=1500)");
        QCOMPARE(spec("009", 1, 1009), "before_commit:busy(ms=1000)");
        QCOMPARE(spec("009", 2, 1009), "");
        QCOMPARE(spec("091", 3, 1091), "unread:status(code=503,retry_after=2)");
        QCOMPARE(spec("plain", 1, 1200), "");
        // Without a number the first arrival of the key is its first attempt.
        QCOMPARE(spec("bare", 0, 1068), "unread:hold");
        QCOMPARE(spec("bare", 0, 1068), "");
        ClientAttempt dollars = chargeOf("usd", 1, 1068);
        dollars.currency = QStringLiteral("USD");
        QVERIFY(!plan.decide(dollars, {}, 0));
        // naive claims no key: nobody can hold one.
        plan.setStrategy(QStringLiteral("naive"), 0);
        QCOMPARE(spec("naive", 1, 1009), "");
        QCOMPARE(magicLegend().size(), 7);
        QCOMPARE(plan.magicRules().size(), 7);
    }

    void aProfileLosesAndDelaysWhatItSays()
    {
        FaultPlan plan;
        const NetworkProfile *bad = findProfile(QStringLiteral("Very bad network"));
        plan.setProfile(bad, 42);
        int requestsLost = 0;
        int answersLost = 0;
        for (int n = 0; n < 4000; ++n) {
            const auto decision = plan.decide(chargeOf(keyNumber(n), 1), {}, 0);
            QVERIFY(decision && decision->source == FaultSource::Profile);
            requestsLost += decision->fault.placement == Placement::InTransit;
            answersLost += decision->fault.placement == Placement::AfterCommit;
            if (decision->fault.placement == Placement::Late) {
                QCOMPARE(decision->delayMs, 500);
                QCOMPARE(decision->fault.manifestation.bytesPerSecond, 125'000);
            }
        }
        QVERIFY2(std::abs(requestsLost + answersLost - 400) < 60, qPrintable(QString::number(requestsLost)));
        QVERIFY(std::abs(requestsLost - answersLost) < 70);

        for (const RouteMatch route : {RouteMatch::Void, RouteMatch::Inquiry, RouteMatch::List})
            QVERIFY(plan.decide(requestOf(route, "k"), {}, 0));
        plan.setProfile(findProfile(QStringLiteral("offline")), 1);
        for (int n = 0; n < 100; ++n) {
            const auto lost = plan.decide(chargeOf("off" + keyNumber(n), 1), {}, 0);
            QCOMPARE(printFault(lost->fault), "in_transit:drop");
        }
        plan.setProfile(findProfile(QStringLiteral("good")), 1);
        QVERIFY(!plan.decide(chargeOf("good", 1), {}, 0));
    }

    void profilesAreFoundByNameAndByTitle()
    {
        for (const NetworkProfile &profile : networkProfiles()) {
            QCOMPARE(findProfile(QString::fromLatin1(profile.name)), &profile);
            QCOMPARE(findProfile(QString::fromLatin1(profile.title).toUpper()), &profile);
        }
        QVERIFY(!findProfile(QStringLiteral("LAN")));
        QVERIFY(!findProfile(QString()));
    }
};

IKKAI_TEST_MAIN(FaultSelectorsTest)
#include "tst_fault_selectors.moc"
