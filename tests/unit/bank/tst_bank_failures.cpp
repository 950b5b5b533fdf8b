#include "mock-server/store/memory_store.h"
#include "tests/support/test.h"
#include "tests/unit/bank/hand_ledger.h"

#include <QtCore/QTemporaryDir>

#include <thread>

using namespace ikkai::test;
using namespace mockbank;
using namespace std::chrono_literals;

/// Tells when the bank that uses it began to vanish.
class FarewellClock final : public Clock {
public:
    qint64 nowMs() const override { return m_system->nowMs(); }
    qint64 elapsedMs() const override { return m_system->elapsedMs(); }
    void onMoved(const void *, std::function<void()> moved) override
    {
        if (!moved)
            farewell.set_value();
    }
    std::promise<void> farewell;

private:
    std::shared_ptr<Clock> m_system = systemClock();
};

/// What is left of money and keys when the store fails or the bank goes away.
class TestBankFailures : public Test {
    Q_OBJECT

private Q_SLOTS:
    void a_commit_that_fails_gives_503_and_the_next_try_charges_once()
    {
        const SharedVault vault;
        HandLedger bank(vault, 0ms);
        vault.troubles->beforeCommit = [&] {
            vault.troubles->beforeCommit = nullptr;
            throw StoreError(QStringLiteral("disk full"));
        };
        const auto first = bank.post("key-1", 1200);
        const auto other = bank.post("key-2", 300);
        bank.run();
        QCOMPARE((*first)->status, 503);
        QCOMPARE((*other)->status, 503);
        QCOMPARE(problem(**first), QStringLiteral("unavailable"));
        QVERIFY(!header(**first, "Retry-After").isEmpty());
        QVERIFY(!(*first)->moneyMoved);
        QCOMPARE(bank.told, QList<QByteArray>{"commit_failed"});
        QCOMPARE(bank.balance(), 100'000);
        QVERIFY(!bank.record("key-1"));
        const Answer again = bank.charge("key-1", 1200).value();
        QCOMPARE(again.status, 201);
        QVERIFY(again.moneyMoved && !again.replayed);
        QCOMPARE(bank.balance(), 98'800);
    }

    void a_commit_that_was_durable_but_reported_failure_is_read_back()
    {
        const SharedVault vault;
        HandLedger bank(vault, 0ms);
        QCOMPARE(bank.charge("key-old", 100)->status, 201);
        vault.troubles->afterCommit = [&] {
            vault.troubles->afterCommit = nullptr;
            throw StoreError(QStringLiteral("no answer from the disk"));
        };
        const auto first = bank.post("key-1", 1200);
        const auto twin = bank.post("key-1", 1200);
        const auto other = bank.post("key-1", 1300);
        const auto old = bank.post("key-old", 100);
        bank.run();
        QCOMPARE((*first)->status, 201);
        QVERIFY((*first)->moneyMoved && !(*first)->replayed);
        QCOMPARE((*twin)->status, 201);
        QVERIFY(!(*twin)->moneyMoved && (*twin)->replayed);
        QCOMPARE((*twin)->body, (*first)->body);
        QCOMPARE((*other)->status, 422);
        QVERIFY((*old)->replayed);
        QCOMPARE(bank.balance(), 98'700);
        QCOMPARE(bank.writer->counters().charges, 2u);
    }

    void a_failed_commit_of_the_charging_step_lets_the_claim_go()
    {
        const SharedVault vault;
        HandLedger bank(vault, 2s);
        const auto first = bank.post("key-1", 1200);
        bank.run();
        vault.clock->advance(2s);
        vault.troubles->beforeCommit = [&] {
            vault.troubles->beforeCommit = nullptr;
            throw StoreError(QStringLiteral("disk full"));
        };
        bank.run();
        QCOMPARE((*first)->status, 503);
        QVERIFY(!bank.record("key-1"));
        QCOMPARE(bank.balance(), 100'000);
    }

    void a_statement_that_fails_undoes_the_whole_batch()
    {
        const SharedVault vault;
        HandLedger bank(vault, 0ms);
        vault.troubles->beforeMovement = [&] {
            vault.troubles->beforeMovement = nullptr;
            throw StoreError(QStringLiteral("I/O error"));
        };
        const auto first = bank.post("key-1", 1200);
        bank.run();
        QCOMPARE((*first)->status, 503);
        QCOMPARE(bank.balance(), 100'000);
        QVERIFY(!bank.record("key-1"));
        QCOMPARE(bank.charge("key-1", 1200)->status, 201);
    }

    void while_the_store_stays_away_everything_is_503_and_it_comes_back_by_itself()
    {
        const SharedVault vault;
        HandLedger bank(vault, 0ms);
        vault.troubles->beforeCommit = [] { throw StoreError(QStringLiteral("the disk is gone")); };
        for (int i = 0; i < 3; ++i)
            QCOMPARE(bank.charge("key-1", 1200)->status, 503);
        QCOMPARE(bank.inquire("key-1").status, 503);
        vault.troubles->beforeCommit = nullptr;
        QCOMPARE(bank.inquire("key-1").status, 404);
        QCOMPARE(bank.charge("key-1", 1200)->status, 201);
        QCOMPARE(bank.balance(), 98'800);
    }

    void case_31_a_charge_that_only_the_last_guard_knows_is_replayed()
    {
        const SharedVault vault;
        HandLedger bank(vault, 0ms);
        const Answer first = bank.charge("key-1", 1200).value();
        // The record is lost and the look-up is blind once, so that the unique index is what says no.
        const auto claim = bank.record("key-1")->claim;
        bool blind = true;
        vault.troubles->hidesCharges = [&] { return std::exchange(blind, false); };
        bank.withStore([&](Store &store) {
            Claim lost = claim;
            lost.name = chargeKey("default", "key-2");
            QVERIFY(store.addClaim(lost));
            Movement guarded = store.movements(0, 1).constFirst();
            guarded.name = lost.name;
            store.addMovement(guarded);
            QVERIFY(store.deleteClaim(lost));
        });
        const Answer again = bank.charge("key-2", 1200).value();
        QCOMPARE(again.status, 201);
        QVERIFY(again.replayed && !again.moneyMoved);
        QCOMPARE(bank.balance(), 98'800);
        QCOMPARE(bank.movements(), 2);
        QCOMPARE(bank.writer->counters().commitFailures, 0u);
    }

    void a_crash_and_return_on_a_file_loses_nothing_and_repeats_nothing()
    {
        const QTemporaryDir folder;
        BankOptions options = Desk::plain();
        options.store = QStringLiteral("sqlite:") + folder.filePath(QStringLiteral("bank.sqlite"));
        Desk desk(options);
        const QString ledger = desk.bank->ledgerId();
        const QString run = desk.bank->runId();
        const Answer approved = desk.charge("key-1", 1200);
        const Answer declined = desk.charge("key-2", 1'000'000);
        desk.crashAndComeBack();
        QCOMPARE(desk.bank->ledgerId(), ledger);
        QVERIFY(desk.bank->runId() != run);
        QCOMPARE(desk.balance(), 98'800);
        QCOMPARE(desk.charge("key-1", 1200).body, approved.body);
        QCOMPARE(desk.charge("key-2", 1'000'000).body, declined.body);
        QCOMPARE(desk.movements().size(), 1);
        QCOMPARE(desk.outbox().size(), 1);
    }

    void a_store_in_memory_outlives_its_bank_and_a_new_one_is_empty()
    {
        Desk desk(Desk::plain());
        const QString ledger = desk.bank->ledgerId();
        const Answer approved = desk.charge("key-1", 1200);
        desk.crashAndComeBack();
        desk.crashAndComeBack();
        QCOMPARE(desk.bank->ledgerId(), ledger);
        QCOMPARE(desk.charge("key-1", 1200).body, approved.body);
        QCOMPARE(desk.balance(), 98'800);

        Desk stranger(Desk::plain());
        QVERIFY(stranger.bank->ledgerId() != ledger);
        QCOMPARE(stranger.balance(), 100'000);
    }

    void a_bank_that_vanishes_loses_its_open_transaction_and_answers_nothing()
    {
        const SharedVault vault;
        auto clock = std::make_shared<FarewellClock>();
        std::future<void> farewell = clock->farewell.get_future();
        std::promise<void> charging;
        BankOptions options = Desk::plain();
        options.clock = clock;
        options.openStore = [vault] { return vault.open(); };
        vault.troubles->beforeMovement = [&] {
            charging.set_value();
            farewell.wait(); // the transaction is open until the bank is told to vanish
        };
        std::atomic<bool> answered = false;
        {
            QString error;
            const auto bank = Bank::open(options, &error);
            QVERIFY2(bank, qPrintable(error));
            bank->charge(arrival("key-1", chargeBody(1200)), [&](const Answer &) { answered = true; });
            charging.get_future().wait();
        }
        QVERIFY(!answered);
        vault.troubles->beforeMovement = nullptr;
        HandLedger restarted(vault, 0ms);
        QVERIFY(!restarted.record("key-1"));
        QCOMPARE(restarted.movements(), 0);
        QCOMPARE(restarted.balance(), 100'000);
        QVERIFY(restarted.charge("key-1", 1200)->moneyMoved);
    }

    void a_bank_that_vanishes_right_after_its_commit_answers_nothing_and_replays_afterwards()
    {
        const SharedVault vault;
        auto clock = std::make_shared<FarewellClock>();
        std::future<void> farewell = clock->farewell.get_future();
        std::promise<void> committed;
        BankOptions options = Desk::plain();
        options.clock = clock;
        options.openStore = [vault] { return vault.open(); };
        std::atomic<bool> answered = false;
        {
            QString error;
            const auto bank = Bank::open(options, &error);
            QVERIFY2(bank, qPrintable(error));
            vault.troubles->afterCommit = [&] {
                committed.set_value();
                farewell.wait();
            };
            bank->charge(arrival("key-1", chargeBody(1200)), [&](const Answer &) { answered = true; });
            committed.get_future().wait();
        }
        QVERIFY(!answered);
        vault.troubles->afterCommit = nullptr;
        HandLedger restarted(vault, 0ms);
        QVERIFY(restarted.charge("key-1", 1200)->replayed);
        QCOMPARE(restarted.balance(), 98'800);
    }

    void a_bank_that_vanishes_while_a_charge_is_processed_drops_its_answer_and_charges_once_afterwards()
    {
        auto clock = std::make_shared<HandClock>();
        BankOptions options = Desk::plain();
        options.clock = clock;
        options.processing = 2s;
        Desk desk(options);
        std::atomic<bool> answered = false;
        desk.bank->charge(arrival("key-1", chargeBody(1200)), [&](const Answer &) { answered = true; });
        QCOMPARE(desk.inquire("key-1").status, 202);
        desk.crashAndComeBack();
        std::future<Answer> again = desk.chargeLater(arrival("key-1", chargeBody(1200)));
        QCOMPARE(desk.counters().value(QStringLiteral("running")).toInt(), 1);
        clock->advance(2s);
        QCOMPARE(again.get().status, 201);
        QVERIFY(!answered);
        QCOMPARE(desk.movements().size(), 1);
    }

    void a_bank_that_is_closed_finishes_what_is_running()
    {
        auto clock = std::make_shared<HandClock>();
        BankOptions options = Desk::plain();
        options.clock = clock;
        options.processing = std::chrono::hours(1);
        Desk desk(options);
        std::future<Answer> running = desk.chargeLater(arrival("key-1", chargeBody(1200)));
        desk.bank->close();
        QCOMPARE(running.get().status, 201);
        bool answered = false;
        desk.bank->charge(arrival("key-2", chargeBody(1)), [&](const Answer &) { answered = true; });
        desk.bank->close();
        QVERIFY(!answered);
        desk.crashAndComeBack();
        QCOMPARE(desk.balance(), 98'800);
    }

    void processing_takes_its_time_on_the_banks_clock()
    {
        auto clock = std::make_shared<HandClock>();
        BankOptions options = Desk::plain();
        options.clock = clock;
        options.processing = 500ms;
        Desk desk(options);
        std::future<Answer> running = desk.chargeLater(arrival("key-1", chargeBody(1200)));
        QCOMPARE(desk.inquire("key-1").status, 202);
        clock->advance(499ms);
        QCOMPARE(desk.charge("key-1", 1200).status, 409);
        clock->advance(1ms);
        QCOMPARE(running.get().status, 201);
    }

    void options_that_make_no_bank_are_refused_in_one_line_data()
    {
        QTest::addColumn<QString>("store");
        QTest::addColumn<QString>("strategy");
        QTest::addColumn<QString>("instance");
        QTest::addColumn<qint64>("balance");
        QTest::addColumn<QString>("says");
        const QString memory = QStringLiteral("sqlite::memory:");
        const QString atomic = QStringLiteral("atomic");
        const QString name = QStringLiteral("bank-1");
        QTest::newRow("store of another kind")
            << QStringLiteral("mysql:x") << atomic << name << qint64(1) << QStringLiteral("mysql:x");
        QTest::newRow("store without a file")
            << QStringLiteral("sqlite:") << atomic << name << qint64(1) << QStringLiteral("sqlite:FILE");
        QTest::newRow("strategy unknown")
            << memory << QStringLiteral("hopeful") << name << qint64(1) << QStringLiteral("hopeful");
        QTest::newRow("instance that is a path")
            << memory << atomic << QStringLiteral("../x") << qint64(1) << QStringLiteral("../x");
        QTest::newRow("negative balance") << memory << atomic << name << qint64(-1) << QStringLiteral("card_ok");
    }
    void options_that_make_no_bank_are_refused_in_one_line()
    {
        QFETCH(QString, store);
        QFETCH(QString, strategy);
        QFETCH(QString, instance);
        QFETCH(qint64, balance);
        QFETCH(QString, says);
        BankOptions options;
        options.store = store;
        options.strategy = strategy;
        options.instance = instance;
        options.accounts = {{QStringLiteral("card_ok"), balance, false}};
        QString error;
        QVERIFY(!Bank::open(options, &error));
        QVERIFY2(error.contains(says), qPrintable(error));
        QVERIFY(!error.contains(QLatin1Char('\n')));
    }

    void two_banks_of_one_name_do_not_share_a_file()
    {
        const QTemporaryDir folder;
        BankOptions options = Desk::plain();
        options.store = QStringLiteral("sqlite:") + folder.filePath(QStringLiteral("bank.sqlite"));
        Desk desk(options);
        QString error;
        QVERIFY(!Bank::open(options, &error));
        QVERIFY2(error.contains(QStringLiteral("bank-1")), qPrintable(error));
        options.instance = QStringLiteral("bank-2");
        const auto second = Bank::open(options, &error);
        QVERIFY2(second, qPrintable(error));
        QCOMPARE(second->ledgerId(), desk.bank->ledgerId());
    }

    void two_banks_on_one_file_charge_a_key_once()
    {
        const QTemporaryDir folder;
        BankOptions options = Desk::plain();
        options.store = QStringLiteral("sqlite:") + folder.filePath(QStringLiteral("bank.sqlite"));
        Desk first(options);
        options.instance = QStringLiteral("bank-2");
        Desk second(options);
        std::atomic<int> moved = 0;
        const auto send = [&](Desk &desk) {
            for (int i = 0; i < 50; ++i)
                moved += desk.charge("key-" + QByteArray::number(i), 10).moneyMoved ? 1 : 0;
        };
        std::thread other([&] { send(second); });
        send(first);
        other.join();
        QCOMPARE(moved.load(), 50);
        QCOMPARE(first.balance(), 99'500);
        QCOMPARE(second.movements().size(), 50);
    }
};

IKKAI_TEST_MAIN(TestBankFailures)
#include "tst_bank_failures.moc"
