#include "tests/support/bank_under_test.h"
#include "tests/support/redis_server.h"
#include "tests/support/test.h"
#include "tests/unit/bank/bank_desk.h"

#include <QtCore/QElapsedTimer>

using namespace ikkai::test;
using namespace mockbank;
using namespace std::chrono_literals;

#define NEEDS_REDIS()                                                                                                  \
    if (RedisServer::program().isEmpty())                                                                              \
    QSKIP("NOT TESTED: redis-server is not installed (apt-get install redis-server)")

namespace {

QString word(const char *text)
{
    return QString::fromLatin1(text);
}

std::optional<QString> switchTo(Desk &desk, const QString &name)
{
    std::promise<std::optional<QString>> told;
    desk.bank->setStrategy(name, [&](std::optional<QString> was) { told.set_value(std::move(was)); });
    return told.get_future().get();
}

BankOptions redisOptions(const RedisServer &server)
{
    BankOptions options = Desk::plain();
    options.strategy = word("redis_lock");
    options.redis = server.address();
    return options;
}

} // namespace

/// A bank changes its strategy while it runs, and trusts a real Redis.
class TestStrategySwitch : public Test {
    Q_OBJECT

private Q_SLOTS:
    void a_running_charge_ends_under_its_strategy_and_the_next_one_begins_under_the_new()
    {
        BankOptions options = Desk::plain();
        const auto clock = std::make_shared<HandClock>();
        options.clock = clock;
        options.processing = 1s;
        options.strategy = word("check_then_act");
        Desk desk(options);
        QList<QByteArray> told;
        std::mutex mutex;
        desk.bank->setObserver([&](const BankEvent &event) {
            const std::scoped_lock lock(mutex);
            told.append(event.kind == "strategy"
                            ? event.kind + ' ' + event.data.value(word("was")).toString().toUtf8() + " to " +
                                  event.data.value(word("name")).toString().toUtf8()
                            : event.kind);
        });
        auto first = desk.chargeLater(arrival("key", chargeBody(100)));
        QCOMPARE(switchTo(desk, word("atomic")), std::optional(word("check_then_act")));
        QCOMPARE(desk.bank->options().strategy, word("atomic"));
        auto second = desk.chargeLater(arrival("key", chargeBody(100)));
        (void)desk.counters();
        clock->advance(1s);
        QVERIFY(first.get().moneyMoved);
        // It saw no claim of the first; but before it charges it asks the ledger, and finds the charge.
        const Answer answer = second.get();
        QCOMPARE(answer.status, 201);
        QCOMPARE(desk.movements().size(), 1);
        const std::scoped_lock lock(mutex);
        QCOMPARE(told.value(0), "strategy check_then_act to atomic");
    }

    void a_name_that_is_none_changes_nothing()
    {
        Desk desk(Desk::plain());
        QVERIFY(!switchTo(desk, word("best")));
        QCOMPARE(desk.bank->options().strategy, word("atomic"));
        QVERIFY(desk.charge("key", 100).moneyMoved);
        QVERIFY(desk.charge("key", 100).replayed);
    }

    void the_strategy_in_force_and_the_locks_in_this_process_outlive_a_crash()
    {
        Desk desk(Desk::plain());
        QCOMPARE(switchTo(desk, word("redis_lock")), std::optional(word("atomic")));
        const Answer first = desk.charge("key", 100);
        ChargeArrival half = arrival("half", chargeBody(100));
        half.fault = LedgerFault::CrashHalfWay;
        QVERIFY(desk.charge(half).crashed);
        desk.crashAndComeBack();
        QCOMPARE(desk.bank->options().strategy, word("redis_lock"));
        QCOMPARE(desk.charge("key", 100).body, first.body);
        QCOMPARE(desk.charge("half", 100).status, 409);
    }

    void the_control_api_switches_and_tells()
    {
        BankUnderTest bank;
        RawAnswer answer = bank.control("PUT", "strategy", R"({"name":"naive"})");
        QCOMPARE(answer.status, 200);
        QCOMPARE(answer.json().value(word("name")).toString(), word("naive"));
        QCOMPARE(answer.json().value(word("was")).toString(), word("atomic"));
        QCOMPARE(bank.state().value(word("strategy")).toString(), word("naive"));
        QCOMPARE(bank.exchange(bank.request("GET", "/healthz")).json().value(word("strategy")).toString(),
                 word("naive"));
        QCOMPARE(bank.charge("key-1", 1).status, 201);
        QCOMPARE(bank.charge("key-1", 2).status, 201);
        QCOMPARE(bank.movements().size(), 2);
        answer = bank.inquire("key-1");
        QCOMPARE(answer.status, 501);
        QCOMPARE(answer.json().value(word("type")).toString(), word("urn:ikkai:problem:not-implemented"));
        bank.control("POST", "restart", R"({"down_ms":1})");
        QTRY_COMPARE(bank.state().value(word("strategy")).toString(), word("naive"));
        answer = bank.control("PUT", "strategy", R"({"name":"atomic"})");
        QCOMPARE(answer.json().value(word("was")).toString(), word("naive"));
        QCOMPARE(bank.charge("key-1", 3).header("Idempotent-Replayed"), "true");
        QCOMPARE(bank.movements().size(), 2);
    }

    void a_real_redis_keeps_the_keys_of_two_banks()
    {
        NEEDS_REDIS();
        const RedisServer server;
        Desk desk(redisOptions(server));
        Desk other(redisOptions(server));
        const Answer first = desk.charge("key", 1200);
        QCOMPARE(first.status, 201);
        QVERIFY(first.moneyMoved);
        const Answer again = desk.charge("key", 1200);
        QVERIFY(again.replayed);
        QCOMPARE(again.body, first.body);
        // No fingerprint, no scope, not even a ledger: the key alone.
        QCOMPARE(other.charge("key", 99).body, first.body);
        QCOMPARE(other.movements().size(), 0);
        desk.crashAndComeBack();
        QCOMPARE(desk.charge("key", 1200).body, first.body);
        QCOMPARE(desk.movements().size(), 1);
    }

    void ten_at_once_are_one_charge_with_a_real_redis()
    {
        NEEDS_REDIS();
        const RedisServer server;
        Desk desk(redisOptions(server));
        std::vector<std::future<Answer>> answers;
        for (int i = 0; i < 10; ++i)
            answers.push_back(desk.chargeLater(arrival("same-key", chargeBody(100))));
        int charged = 0;
        for (std::future<Answer> &answer : answers) {
            const Answer got = answer.get();
            charged += got.moneyMoved ? 1 : 0;
            QVERIFY(got.moneyMoved || got.status == 409 || got.replayed);
        }
        QCOMPARE(charged, 1);
        QCOMPARE(desk.balance(), 99'900);
    }

    void a_crash_half_way_charges_again_after_the_lock_of_a_real_redis()
    {
        NEEDS_REDIS();
        const RedisServer server;
        BankOptions options = redisOptions(server);
        options.redisLock = 300ms;
        Desk desk(options);
        ChargeArrival half = arrival("key", chargeBody(100));
        half.fault = LedgerFault::CrashHalfWay;
        QVERIFY(desk.charge(half).crashed);
        desk.crashAndComeBack();
        QCOMPARE(desk.charge("key", 100).status, 409);
        QTRY_COMPARE(desk.charge("key", 100).status, 201);
        QCOMPARE(desk.movements().size(), 2);
    }

    void a_lock_of_a_real_redis_that_ends_before_the_work_charges_twice()
    {
        NEEDS_REDIS();
        const RedisServer server;
        BankOptions options = redisOptions(server);
        options.redisLock = 50ms;
        options.processing = 800ms;
        Desk desk(options);
        auto first = desk.chargeLater(arrival("key", chargeBody(100)));
        auto second = std::future<Answer>();
        // The first attempt's time is up; the next one finds the lock gone while the work goes on.
        QVERIFY(QTest::qWaitFor([&] {
            second = desk.chargeLater(arrival("key", chargeBody(100)));
            return second.wait_for(20ms) == std::future_status::timeout;
        }));
        QVERIFY(first.get().moneyMoved);
        QVERIFY(second.get().moneyMoved);
        QCOMPARE(desk.movements().size(), 2);
    }

    void while_redis_is_away_charges_are_500_and_everything_else_goes_on()
    {
        NEEDS_REDIS();
        RedisServer server;
        BankOptions options = redisOptions(server);
        Desk desk(options);
        QCOMPARE(desk.charge("before", 100).status, 201);
        server.pause(); // the worst of all: it takes connections and says nothing
        std::vector<std::future<Answer>> answers;
        for (int i = 0; i < 50; ++i)
            answers.push_back(desk.chargeLater(arrival("key-" + QByteArray::number(i), chargeBody(100))));
        // The ledger does not wait for it: whatever needs no lock is answered meanwhile.
        QElapsedTimer timer;
        timer.start();
        qint64 longestMs = 0;
        for (int i = 0; i < 20; ++i) {
            const qint64 askedMs = timer.elapsed();
            QCOMPARE(desk.balance(), 99'900);
            QCOMPARE(desk.inquire("before").status, 200);
            longestMs = std::max(longestMs, timer.elapsed() - askedMs);
        }
        qInfo("longest wait of the desk while Redis hangs: %lld ms", static_cast<long long>(longestMs));
        QVERIFY2(longestMs < 200, qPrintable(QString::number(longestMs)));
        for (std::future<Answer> &answer : answers) {
            const Answer got = answer.get();
            QCOMPARE(got.status, 500);
            QCOMPARE(problem(got), word("internal-error"));
        }
        QVERIFY(timer.elapsed() < 5000);
        server.resume();
        QTRY_COMPARE(desk.charge("key-0", 100).status, 201);
        QCOMPARE(desk.movements().size(), 2);

        server.stop();
        QCOMPARE(desk.charge("key-1", 100).status, 500);
        server.start();
        QCOMPARE(desk.charge("key-1", 100).status, 201);
    }

    void a_bank_closes_in_order_while_it_waits_for_redis()
    {
        NEEDS_REDIS();
        const RedisServer server;
        Desk desk(redisOptions(server));
        QCOMPARE(desk.charge("key", 100).status, 201);
        server.pause();
        auto answer = desk.chargeLater(arrival("key-2", chargeBody(100)));
        QElapsedTimer timer;
        timer.start();
        desk.bank->close();
        QVERIFY(timer.elapsed() < 4000);
        QCOMPARE(answer.get().status, 500);
        server.resume();
    }

    void a_wrong_address_is_refused_without_its_password()
    {
        BankOptions options = Desk::plain();
        options.redis = word("redis://:secret@:1");
        QString error;
        QVERIFY(!Bank::open(options, &error));
        QVERIFY2(error.startsWith(word("redis: ")), qPrintable(error));
        QVERIFY(!error.contains(word("secret")));
        options = Desk::plain();
        options.strategy = word("best");
        QVERIFY(!Bank::open(options, &error));
        QVERIFY2(error.contains(word("naive, check_then_act, redis_lock, atomic")), qPrintable(error));
    }
};

IKKAI_TEST_MAIN(TestStrategySwitch)
#include "tst_strategy_switch.moc"
