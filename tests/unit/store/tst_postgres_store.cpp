#include "mock-server/store/postgres_address.h"
#include "tests/unit/store/store_bench.h"

#include <QtCore/QUrl>

#include <algorithm>
#include <atomic>
#include <thread>

using namespace ikkai::test;
using namespace mockbank;

/// What only a store does that several banks write to at once, and the way to its server.
class TestPostgresStore : public Test {
    Q_OBJECT

    static std::unique_ptr<Store> open(const QString &text)
    {
        QString error;
        const std::optional<StoreAddress> address = readStoreAddress(text, {}, &error);
        if (!address)
            throw StoreError(error);
        return openStore(*address);
    }
    static void giveMoney(Store &store)
    {
        store.begin();
        store.putAccount({QStringLiteral("card_ok"), 1'000'000, false});
        store.putAccount({QStringLiteral("card_other"), 1'000'000, false});
        store.commit();
    }
    static void charge(Store &store, const QByteArray &key)
    {
        OutboxEvent event;
        event.movementId = store.addMovement(chargeOf(key));
        event.topic = "charge.approved";
        event.payload = "{}";
        event.orderId = QStringLiteral("A-1");
        store.addOutboxEvent(event);
    }

private Q_SLOTS:
    void initTestCase()
    {
        if (!PostgresServer::instance())
            QSKIP(qPrintable(PostgresServer::absence()));
    }

    void an_address_is_taken_apart()
    {
        QString error;
        const auto address = readPostgresAddress(
            QStringLiteral("postgresql://ba%40nk:s%3Acret@db.example:6432/shop?schema=ledger_2&sslmode=require"),
            &error);
        QVERIFY2(address, qPrintable(error));
        QCOMPARE(address->user, QStringLiteral("ba@nk"));
        QCOMPARE(address->password, QStringLiteral("s:cret"));
        QCOMPARE(address->host, QStringLiteral("db.example"));
        QCOMPARE(address->port, 6432);
        QCOMPARE(address->database, QStringLiteral("shop"));
        QCOMPARE(address->schema, QStringLiteral("ledger_2"));
        QCOMPARE(address->options.value(QStringLiteral("sslmode")), QStringLiteral("require"));
        QCOMPARE(address->shown(), QStringLiteral("postgres://ba%40nk@db.example:6432/shop?schema=ledger_2"));
        const auto socket = readPostgresAddress(QStringLiteral("postgres:///shop?host=/var/run/postgresql"), &error);
        QVERIFY2(socket, qPrintable(error));
        QCOMPARE(socket->host, QStringLiteral("/var/run/postgresql"));
        QCOMPARE(socket->shown(), QStringLiteral("postgres:///shop?host=/var/run/postgresql"));
        QCOMPARE(shownStoreAddress(QStringLiteral("sqlite:bank.sqlite")), QStringLiteral("sqlite:bank.sqlite"));
        QCOMPARE(shownStoreAddress(QStringLiteral("postgres://u:secret@h/d")), QStringLiteral("postgres://u@h/d"));
        QVERIFY(!shownStoreAddress(QStringLiteral("postgres://u:sec ret@h")).contains(QStringLiteral("sec")));
    }

    void an_address_that_cannot_be_read_is_refused_without_telling_the_password_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("says");
        const auto row = [](const char *name, const char *text, const char *says) {
            QTest::newRow(name) << QString::fromLatin1(text) << QString::fromLatin1(says);
        };
        row("no database", "postgres://bank:hunter2@host", "database");
        row("no slashes", "postgres:bank:hunter2@host/shop", "postgres://USER");
        row("port", "postgres://bank:hunter2@host:port/shop", "postgres://USER");
        row("blank", "postgres://bank:hunter2@ho st/shop", "postgres://USER");
        row("two databases", "postgres://bank:hunter2@host/shop/till", "database");
        row("option", "postgres://bank:hunter2@host/shop?colour=red", "\"colour\"");
        row("time limit", "postgres://bank:hunter2@host/shop?connect_timeout=0", "\"connect_timeout\"");
        row("schema", "postgres://bank:hunter2@host/shop?schema=a\"b", "postgres://USER");
        row("schema name", "postgres://bank:hunter2@host/shop?schema=Ledger", "schema \"Ledger\"");
        row("twice", "postgres://bank:hunter2@host/shop?schema=a&schema=b", "twice");
        row("two hosts", "postgres://bank:hunter2@host/shop?host=/tmp", "host twice");
        row("empty", "postgres://bank:hunter2@host/shop?schema=", "no value");
    }
    void an_address_that_cannot_be_read_is_refused_without_telling_the_password()
    {
        QFETCH(QString, text);
        QFETCH(QString, says);
        QString error;
        QVERIFY(!readStoreAddress(text, {}, &error));
        QVERIFY2(error.contains(says), qPrintable(error));
        QVERIFY2(!error.contains(QStringLiteral("hunter2")), qPrintable(error));
        QVERIFY(!error.contains(QLatin1Char('\n')));
    }

    void a_server_that_does_not_let_the_bank_in_is_named_and_the_password_is_not()
    {
        PostgresServer &server = *PostgresServer::instance();
        const QString text = server.newDatabase();
        server.run(text, {QStringLiteral("CREATE ROLE guarded_role LOGIN PASSWORD 'hunter2'"),
                          QStringLiteral("GRANT CREATE ON DATABASE %1 TO guarded_role").arg(QUrl(text).path().mid(1))});
        QUrl url(text);
        url.setUserName(QStringLiteral("guarded_role"));
        url.setPassword(QStringLiteral("hunter3"));
        const QString wrong = failureOf([&] { (void)open(url.toString()); });
        QVERIFY2(wrong.contains(QStringLiteral("password authentication failed")), qPrintable(wrong));
        QVERIFY2(wrong.contains(QStringLiteral("postgres://guarded_role@127.0.0.1:%1/").arg(server.port())),
                 qPrintable(wrong));
        QVERIFY2(!wrong.contains(QStringLiteral("hunter3")), qPrintable(wrong));
        QVERIFY(!wrong.contains(QLatin1Char('\n')));
        url.setPassword(QStringLiteral("hunter2"));
        QCOMPARE(failureOf([&] { (void)open(url.toString()); }), QString());

        const QString closed = failureOf([] { (void)open(QStringLiteral("postgres://bank@127.0.0.1:1/shop")); });
        QVERIFY2(closed.contains(QStringLiteral("postgres://bank@127.0.0.1:1/shop")), qPrintable(closed));
        QVERIFY2(closed.contains(QStringLiteral("refused")), qPrintable(closed));
        url = QUrl(text);
        url.setPath(QStringLiteral("/nowhere"));
        const QString nowhere = failureOf([&] { (void)open(url.toString()); });
        QVERIFY2(nowhere.contains(QStringLiteral("\"nowhere\" does not exist")), qPrintable(nowhere));
    }

    void a_schema_that_is_no_bank_store_is_refused_and_left_alone()
    {
        PostgresServer &server = *PostgresServer::instance();
        const QString other = server.newDatabase();
        server.run(other,
                   {QStringLiteral("CREATE SCHEMA mock_bank"), QStringLiteral("CREATE TABLE mock_bank.cart (n int)")});
        const QString stranger = failureOf([&] { (void)open(other); });
        QVERIFY2(stranger.contains(QStringLiteral("another program")), qPrintable(stranger));
        QCOMPARE(server.run(other, {QStringLiteral("SELECT count(*) FROM pg_tables WHERE schemaname = 'mock_bank'")}),
                 QStringLiteral("1"));

        const QString newer = server.newDatabase();
        (void)open(newer);
        server.run(newer, {QStringLiteral("UPDATE mock_bank.meta SET value = '99' WHERE name = 'mock_bank_version'")});
        const QString future = failureOf([&] { (void)open(newer); });
        QVERIFY2(future.contains(QStringLiteral("newer program")), qPrintable(future));

        server.run(newer, {QStringLiteral("CREATE DATABASE bytes TEMPLATE template0 ENCODING 'SQL_ASCII'")});
        QUrl bytes(newer);
        bytes.setPath(QStringLiteral("/bytes"));
        const QString encoding = failureOf([&] { (void)open(bytes.toString()); });
        QVERIFY2(encoding.contains(QStringLiteral("UTF8")), qPrintable(encoding));
    }

    void ledgers_of_one_database_are_kept_apart_by_their_schemas()
    {
        const QString text = PostgresServer::instance()->newDatabase();
        const auto first = open(text);
        const auto second = open(text + QStringLiteral("?schema=second"));
        giveMoney(*first);
        second->begin();
        QVERIFY(second->accounts().isEmpty());
        QVERIFY(first->holdInstance("bank-1"));
        QVERIFY(second->holdInstance("bank-1"));
        QVERIFY(first->holdPublisher());
        QVERIFY(second->holdPublisher());
    }

    void banks_that_start_at_the_same_moment_make_one_ledger()
    {
        const QString text = PostgresServer::instance()->newDatabase();
        constexpr int banks = 6;
        std::array<QByteArray, banks> ids;
        std::atomic<int> waiting = 0;
        std::vector<std::thread> threads;
        for (int n = 0; n < banks; ++n) {
            threads.emplace_back([&, n] {
                ++waiting;
                while (waiting < banks)
                    std::this_thread::yield();
                try {
                    const auto store = open(text);
                    store->begin();
                    ids[size_t(n)] = store->ledgerId("ldg_" + QByteArray::number(n));
                    store->addAccount({QStringLiteral("card_ok"), 100, false});
                    store->commit();
                } catch (const StoreError &error) {
                    ids[size_t(n)] = error.what();
                }
            });
        }
        for (std::thread &thread : threads)
            thread.join();
        for (const QByteArray &id : ids) {
            QCOMPARE(id, ids[0]);
            QVERIFY2(id.startsWith("ldg_"), id.constData());
        }
    }

    void a_movement_that_commits_late_is_behind_what_was_read_before()
    {
        const QString text = PostgresServer::instance()->newDatabase();
        const auto slow = open(text);
        const auto quick = open(text);
        const auto reader = open(text);
        giveMoney(*slow);
        slow->begin();
        charge(*slow, "slow");
        quick->begin();
        charge(*quick, "quick");
        QVERIFY(quick->commit());
        reader->begin();
        const QList<Movement> first = reader->movements(0, 10);
        const QList<OutboxEvent> firstEvents = reader->outbox(0, 10, OutboxRows::All);
        QCOMPARE(first.size(), 1);
        QCOMPARE(first[0].chargeId, "ch_quick");
        reader->commit();
        QVERIFY(slow->commit());
        reader->begin();
        const QList<Movement> next = reader->movements(first[0].id, 10);
        QCOMPARE(next.size(), 1);
        QCOMPARE(next[0].chargeId, "ch_slow");
        // Events of one order too go out in the order in which their movements were committed.
        QVERIFY(reader->outbox(0, 10, OutboxRows::All).constLast().id > firstEvents.constFirst().id);
        QCOMPARE(reader->outbox(0, 10, OutboxRows::All).constLast().movementId, next[0].id);
        QCOMPARE(firstEvents.constFirst().movementId, first[0].id);
    }

    void a_reader_who_pages_while_four_banks_write_misses_no_movement()
    {
        const QString text = PostgresServer::instance()->newDatabase();
        constexpr int banks = 4;
        constexpr int batches = 60;
        const auto reader = open(text);
        giveMoney(*reader);
        std::atomic<int> writing = banks;
        std::vector<std::thread> threads;
        for (int bank = 0; bank < banks; ++bank) {
            threads.emplace_back([&, bank] {
                const auto store = open(text);
                for (int batch = 0; batch < batches; ++batch) {
                    store->begin();
                    for (int n = 0; n <= batch % 3; ++n)
                        charge(*store, QByteArray::number(bank) + '-' + QByteArray::number(batch) + '-' +
                                           QByteArray::number(n));
                    store->commit();
                }
                --writing;
            });
        }
        QByteArrayList read;
        qint64 after = 0;
        const auto readOn = [&] {
            reader->begin();
            const QList<Movement> page = reader->movements(after, 7);
            reader->commit();
            for (const Movement &movement : page) {
                read.append(movement.chargeId);
                after = movement.id;
            }
            return !page.isEmpty();
        };
        while (writing > 0)
            readOn();
        for (std::thread &thread : threads)
            thread.join();
        while (readOn()) {
        }
        QCOMPARE(read.size(), banks * batches * 2);
        std::sort(read.begin(), read.end());
        QVERIFY(std::adjacent_find(read.cbegin(), read.cend()) == read.cend());
    }

    void who_had_to_wait_for_a_claim_looks_again()
    {
        const QString text = PostgresServer::instance()->newDatabase();
        const auto owner = open(text);
        const Claim claim = claimOf("key-1");
        owner->begin();
        owner->addClaim(claim);
        owner->commit();
        owner->begin();
        QVERIFY(owner->finishClaim(claim, verdictOf("key-1")));
        std::atomic<bool> asked = false;
        std::atomic<bool> taken = true;
        std::thread other([&] {
            const auto store = open(text);
            Claim next = claim;
            next.owner.instance = "bank-2";
            next.epoch = 2;
            store->begin();
            asked = store->key(claim.name)->state == KeyState::Claimed; // as committed by then
            taken = store->takeOverClaim(claim, next);
            store->commit();
        });
        QTRY_VERIFY(asked);
        owner->commit();
        other.join();
        QVERIFY(!taken);
        owner->begin();
        QCOMPARE(owner->key(claim.name)->state, KeyState::Finished);
    }

    void a_deadlock_undoes_one_of_the_two_which_may_try_again()
    {
        const QString text = PostgresServer::instance()->newDatabase();
        giveMoney(*open(text));
        std::atomic<int> holding = 0;
        std::atomic<int> busy = 0;
        std::atomic<int> done = 0;
        const auto move = [&](const QString &first, const QString &second) {
            const auto store = open(text);
            store->begin();
            store->debit(first, 100);
            ++holding;
            while (holding < 2)
                std::this_thread::yield();
            try {
                store->debit(second, 100);
                store->commit();
                ++done;
            } catch (const StoreBusy &) {
                ++busy;
                // Everything since `begin` is undone, and the store is good for another try.
                store->begin();
                store->debit(first, 100);
                store->debit(second, 100);
                store->commit();
                ++done;
            }
        };
        std::thread other([&] { move(QStringLiteral("card_other"), QStringLiteral("card_ok")); });
        move(QStringLiteral("card_ok"), QStringLiteral("card_other"));
        other.join();
        QCOMPARE(busy, 1);
        QCOMPARE(done, 2);
        const auto store = open(text);
        store->begin();
        QCOMPARE(store->lockAccount(QStringLiteral("card_ok"))->balanceMinor, 999'800);
        QCOMPARE(store->lockAccount(QStringLiteral("card_other"))->balanceMinor, 999'800);
    }

    void a_bank_that_was_stopped_in_mid_transaction_holds_up_the_others_for_seconds_only()
    {
        const QString text = PostgresServer::instance()->newDatabase();
        const auto stopped = open(text);
        giveMoney(*stopped);
        stopped->begin();
        QVERIFY(stopped->debit(QStringLiteral("card_ok"), 100));
        const auto store = open(text);
        int busy = 0;
        bool through = false;
        while (!through && busy < 10) {
            store->begin();
            try {
                store->debit(QStringLiteral("card_ok"), 1);
                through = store->commit();
            } catch (const StoreBusy &) {
                ++busy;
                store->begin(); // what is not locked can be had meanwhile
                QVERIFY(store->debit(QStringLiteral("card_other"), 1));
                store->commit();
            }
        }
        QVERIFY(through);
        QVERIFY2(busy >= 1 && busy <= 3, qPrintable(QString::number(busy)));
        // Woken up, the stopped one finds that it has done nothing.
        QVERIFY(!failureOf([&] { stopped->commit(); }).isEmpty());
        store->begin();
        QCOMPARE(store->lockAccount(QStringLiteral("card_ok"))->balanceMinor, 999'999);
    }

    void a_transaction_in_which_something_failed_is_never_said_to_be_committed()
    {
        const QString text = PostgresServer::instance()->newDatabase();
        const auto store = open(text);
        giveMoney(*store);
        store->begin();
        QVERIFY(store->debit(QStringLiteral("card_ok"), 100));
        QVERIFY(!failureOf([&] { store->putAccount({QStringLiteral("card_ok"), -1, false}); }).isEmpty());
        // The server would answer this COMMIT with success, and roll back.
        QVERIFY(failureOf([&] { store->commit(); }).contains(QStringLiteral("failed")));
    }

    void an_event_needs_a_movement_of_its_own_transaction()
    {
        const auto store = open(PostgresServer::instance()->newDatabase());
        giveMoney(*store);
        store->begin();
        OutboxEvent event;
        event.movementId = 1;
        QVERIFY(failureOf([&] { store->addOutboxEvent(event); }).contains(QStringLiteral("no movement")));
    }

    void a_restarted_server_costs_the_open_transaction_and_nothing_else()
    {
        const QString text = PostgresServer::instance()->newDatabase();
        const auto store = open(text);
        QVERIFY(store->holdInstance("bank-1"));
        giveMoney(*store);
        store->begin();
        charge(*store, "kept");
        QVERIFY(store->commit());
        store->begin();
        charge(*store, "lost");
        PostgresServer::instance()->restart();
        const QString lost = failureOf([&] { store->commit(); });
        QVERIFY2(lost.startsWith(QStringLiteral("bank store postgres://")), qPrintable(lost));
        QVERIFY(!failureOf([&] { store->begin(); }).isEmpty());
        const auto again = open(text);
        QVERIFY(again->holdInstance("bank-1"));
        again->begin();
        const QList<Movement> movements = again->movements(0, 10);
        QCOMPARE(movements.size(), 1);
        QCOMPARE(movements[0].chargeId, "ch_kept");
        QCOMPARE(again->outbox(0, 10, OutboxRows::All).size(), 1);
    }

    void the_databases_clock_goes_by_the_database()
    {
        PostgresServer &server = *PostgresServer::instance();
        const QString text = server.newDatabase();
        const auto store = open(text);
        const QString ask =
            QStringLiteral("SELECT CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS bigint)");
        store->begin(); // it goes on within a transaction too
        const qint64 before = server.run(text, {ask}).toLongLong();
        const qint64 now = store->ownClockMs().value();
        const qint64 after = server.run(text, {ask}).toLongLong();
        QVERIFY(before <= now && now <= after);
        QVERIFY(store->ownClockMs().value() >= after);
    }
};

IKKAI_TEST_MAIN(TestPostgresStore)
#include "tst_postgres_store.moc"
