#include "tests/support/property.h"
#include "tests/support/test.h"
#include "tests/unit/bank/bank_desk.h"
#include "tests/unit/store/store_bench.h"

#include <barrier>
#include <thread>

using namespace ikkai::test;
using namespace mockbank;
using namespace std::chrono_literals;

/// The articles' own tests, at the bank as it is: with its thread, its transactions and both stores.
class TestSeedStrategies : public Test {
    Q_OBJECT

    static QString word(const char *text) { return QString::fromLatin1(text); }

    /// A bank whose one account has this much.
    static BankOptions bankWith(const QString &kind, const QString &strategy, qint64 balanceMinor)
    {
        BankOptions options;
        if (kind == word("postgres"))
            options.store = PostgresServer::instance()->newDatabase();
        options.strategy = strategy;
        options.accounts = {{word("card_ok"), balanceMinor, false}};
        return options;
    }
    static void kinds()
    {
        QTest::addColumn<QString>("kind");
        QTest::newRow("SQLite") << word("sqlite");
        QTest::newRow("PostgreSQL") << word("postgres");
    }
    static QString absence(const QString &kind)
    {
        if (kind != word("postgres") || PostgresServer::instance())
            return {};
        return PostgresServer::absence();
    }

    /// Ten threads that let go at the same moment, all with the same key.
    static std::vector<Answer> tenAtOnce(Desk &desk, const QByteArray &key, qint64 amount)
    {
        std::vector<Answer> answers(10);
        std::barrier start(10);
        std::vector<std::thread> threads;
        for (Answer &answer : answers) {
            threads.emplace_back([&] {
                start.arrive_and_wait();
                answer = desk.charge(key, amount);
                while (answer.status == 409)
                    answer = desk.charge(key, amount);
            });
        }
        for (std::thread &thread : threads)
            thread.join();
        return answers;
    }
    static qsizetype moneyMoved(const std::vector<Answer> &answers)
    {
        return std::ranges::count_if(answers, &Answer::moneyMoved);
    }

private Q_SLOTS:
    void naive_charges_a_retry_twice_data() { kinds(); }
    void naive_charges_a_retry_twice()
    {
        QFETCH(QString, kind);
        if (const QString why = absence(kind); !why.isEmpty())
            QSKIP(qPrintable(why));
        Desk desk(bankWith(kind, word("naive"), 1000));
        QCOMPARE(json(desk.charge("key", 100)).value(word("balance")).toInt(), 900);
        QCOMPARE(json(desk.charge("key", 100)).value(word("balance")).toInt(), 800);
        QCOMPARE(desk.balance(), 800);
        QCOMPARE(desk.movements().size(), 2);
    }

    void with_a_key_a_retry_is_the_first_answer_again_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("strategy");
        for (const char *kind : {"sqlite", "postgres"}) {
            for (const char *strategy : {"check_then_act", "redis_lock", "atomic"})
                QTest::addRow("%s at %s", strategy, kind) << word(kind) << word(strategy);
        }
    }
    void with_a_key_a_retry_is_the_first_answer_again()
    {
        QFETCH(QString, kind);
        QFETCH(QString, strategy);
        if (const QString why = absence(kind); !why.isEmpty())
            QSKIP(qPrintable(why));
        Desk desk(bankWith(kind, strategy, 1000));
        const Answer first = desk.charge("key-retry", 100);
        QCOMPARE(first.status, 201);
        QVERIFY(first.moneyMoved);
        const Answer again = desk.charge("key-retry", 100);
        QVERIFY(again.replayed && !again.moneyMoved);
        QCOMPARE(again.body, first.body);
        QCOMPARE(desk.balance(), 900);
        QCOMPARE(desk.movements().size(), 1);

        // Different keys are different payments, however much alike they are.
        QVERIFY(desk.charge("key-2", 200).moneyMoved);
        QVERIFY(desk.charge("key-3", 200).moneyMoved);
        QCOMPARE(desk.balance(), 500);
        QCOMPARE(desk.movements().size(), 3);

        // A failure is an answer too: money that comes later does not change it.
        QCOMPARE(desk.charge("key-poor", 10'000).status, 402);
        desk.setBalance(50'000);
        const Answer still = desk.charge("key-poor", 10'000);
        QCOMPARE(still.status, 402);
        QVERIFY(still.replayed);
        QCOMPARE(desk.balance(), 50'000);
    }

    void check_then_act_lets_two_in_data() { kinds(); }
    void check_then_act_lets_two_in()
    {
        QFETCH(QString, kind);
        if (const QString why = absence(kind); !why.isEmpty())
            QSKIP(qPrintable(why));
        BankOptions options = bankWith(kind, word("check_then_act"), 1000);
        const auto clock = std::make_shared<HandClock>();
        options.clock = clock;
        options.processing = 300ms;
        Desk desk(options);
        auto first = desk.chargeLater(arrival("key", chargeBody(100)));
        auto second = desk.chargeLater(arrival("key", chargeBody(100)));
        (void)desk.counters(); // both have been looked at, and neither has charged: the clock stands
        clock->advance(300ms);
        QVERIFY(first.get().moneyMoved);
        QVERIFY(second.get().moneyMoved);
        QCOMPARE(desk.balance(), 800);
        QCOMPARE(desk.movements().size(), 2);
        QVERIFY(desk.charge("key", 100).replayed);
    }

    void ten_at_once_with_one_key_are_one_charge_and_nine_replays_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<int>("processingMs");
        for (const char *kind : {"sqlite", "postgres"}) {
            QTest::addRow("%s", kind) << word(kind) << 0;
            QTest::addRow("%s, with processing", kind) << word(kind) << 20;
        }
    }
    void ten_at_once_with_one_key_are_one_charge_and_nine_replays()
    {
        QFETCH(QString, kind);
        QFETCH(int, processingMs);
        if (const QString why = absence(kind); !why.isEmpty())
            QSKIP(qPrintable(why));
        BankOptions options = bankWith(kind, word("atomic"), 1000);
        options.processing = std::chrono::milliseconds(processingMs);
        Desk desk(options);
        const std::vector<Answer> answers = tenAtOnce(desk, "same-key", 100);
        QCOMPARE(moneyMoved(answers), 1);
        QCOMPARE(std::ranges::count_if(answers, &Answer::replayed), 9);
        for (const Answer &answer : answers) {
            QCOMPARE(answer.status, 201);
            QCOMPARE(answer.body, answers.front().body);
        }
        QCOMPARE(desk.balance(), 900);
        QCOMPARE(desk.movements().size(), 1);
    }

    void ten_at_once_are_ten_charges_for_naive_and_several_in_the_gap_data() { kinds(); }
    void ten_at_once_are_ten_charges_for_naive_and_several_in_the_gap()
    {
        QFETCH(QString, kind);
        if (const QString why = absence(kind); !why.isEmpty())
            QSKIP(qPrintable(why));
        {
            Desk desk(bankWith(kind, word("naive"), 1000));
            QCOMPARE(moneyMoved(tenAtOnce(desk, "same-key", 100)), 10);
            QCOMPARE(desk.balance(), 0);
        }
        BankOptions options = bankWith(kind, word("check_then_act"), 1000);
        options.processing = 500ms; // all ten come within it
        Desk desk(options);
        QCOMPARE(moneyMoved(tenAtOnce(desk, "same-key", 100)), 10);
        QCOMPARE(desk.balance(), 0);
    }

    void retries_never_change_the_balance_data() { kinds(); }
    void retries_never_change_the_balance()
    {
        QFETCH(QString, kind);
        if (const QString why = absence(kind); !why.isEmpty())
            QSKIP(qPrintable(why));
        Desk desk(bankWith(kind, word("atomic"), 0));
        int round = 0;
        QVERIFY(holds("retries never change the balance", [&] {
            const auto initial = *rc::gen::inRange<qint64>(1000, 10'000);
            const auto amount = *rc::gen::inRange<qint64>(1, 12'000); // more than there is, too
            const auto retries = *rc::gen::inRange(1, 50);
            const QByteArray key = "retry-" + QByteArray::number(++round);
            const qsizetype movementsBefore = desk.movements().size();
            desk.setBalance(initial);
            const Answer first = desk.charge(key, amount);
            const qint64 balance = desk.balance();
            RC_ASSERT(balance == (amount <= initial ? initial - amount : initial));
            std::vector<std::future<Answer>> again;
            for (int i = 0; i < retries; ++i)
                again.push_back(desk.chargeLater(arrival(key, chargeBody(amount))));
            for (std::future<Answer> &retry : again) {
                const Answer answer = retry.get();
                RC_ASSERT(answer.replayed && answer.status == first.status && answer.body == first.body);
            }
            RC_ASSERT(desk.balance() == balance);
            RC_ASSERT(movementsBefore == 500 || desk.movements().size() - movementsBefore <= 1);
        }));
    }

    void different_keys_are_independent_data() { kinds(); }
    void different_keys_are_independent()
    {
        QFETCH(QString, kind);
        if (const QString why = absence(kind); !why.isEmpty())
            QSKIP(qPrintable(why));
        Desk desk(bankWith(kind, word("atomic"), 0));
        int round = 0;
        QVERIFY(holds("different keys are independent", [&] {
            const auto payments = *rc::gen::inRange(1, 20);
            const auto amount = *rc::gen::inRange<qint64>(1, 100);
            const QByteArray prefix = "round-" + QByteArray::number(++round) + '-';
            desk.setBalance(payments * amount + 1000);
            std::vector<std::future<Answer>> answers;
            for (int i = 0; i < payments; ++i)
                answers.push_back(desk.chargeLater(arrival(prefix + QByteArray::number(i), chargeBody(amount))));
            for (std::future<Answer> &answer : answers)
                RC_ASSERT(answer.get().moneyMoved);
            RC_ASSERT(desk.balance() == 1000);
        }));
    }
};

IKKAI_TEST_MAIN(TestSeedStrategies)
#include "tst_seed_strategies.moc"
