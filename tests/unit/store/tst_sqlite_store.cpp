#include "mock-server/store/memory_store.h"
#include "mock-server/store/store_address.h"
#include "tests/support/test.h"

#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>
#include <QtSql/QSqlDatabase>
#include <QtSql/QSqlError>
#include <QtSql/QSqlQuery>

using namespace ikkai::test;
using namespace mockbank;

/// What the store promises: nothing half written, no second guarded charge, no strange file.
class TestSqliteStore : public Test {
    Q_OBJECT

    static std::unique_ptr<Store> open(const QString &file) { return openStore({file, {}}); }
    static std::unique_ptr<Store> openMemory() { return openStore({{}, std::make_shared<MemoryStore>()}); }

    /// Whatever another program does to the file; gives the first value of the last statement.
    static QVariant meddle(const QString &file, const QStringList &statements)
    {
        QVariant answer;
        {
            QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("meddler"));
            database.setDatabaseName(file);
            if (!database.open())
                qFatal("%s", qPrintable(database.lastError().text()));
            QSqlQuery query(database);
            for (const QString &statement : statements) {
                if (!query.exec(statement))
                    answer = query.lastError().text();
                else if (query.next())
                    answer = query.value(0);
            }
        }
        QSqlDatabase::removeDatabase(QStringLiteral("meddler"));
        return answer;
    }

    static Claim claimOf(const QByteArray &key)
    {
        return {{"default POST /v1/charges", key}, {"bank-1", "run_1"}, 1, 5000, QByteArray(32, 'f'), 1000};
    }
    static Movement chargeOf(const QByteArray &key)
    {
        Movement movement;
        movement.chargeId = "ch_" + key;
        movement.name = claimOf(key).name;
        movement.fingerprint = QByteArray(32, 'f');
        movement.details = {QStringLiteral("A-1"), 1200, "JPY", QStringLiteral("card_ok"), {}};
        movement.balanceMinor = 98'800;
        movement.atMs = 1000;
        return movement;
    }
    static QString failure(const std::function<void()> &act)
    {
        try {
            act();
        } catch (const StoreError &error) {
            return QString::fromUtf8(error.what());
        }
        return {};
    }

private Q_SLOTS:
    void a_file_that_is_no_bank_store_is_refused_in_one_line_that_names_it_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("says");
        QTest::newRow("text") << QStringLiteral("text") << QStringLiteral("not a database");
        QTest::newRow("newer") << QStringLiteral("newer") << QStringLiteral("newer program");
        QTest::newRow("another program's") << QStringLiteral("other") << QStringLiteral("another program");
        QTest::newRow("folder") << QStringLiteral("folder") << QStringLiteral("folder");
        QTest::newRow("no such folder") << QStringLiteral("nowhere") << QStringLiteral("does not exist");
    }
    void a_file_that_is_no_bank_store_is_refused_in_one_line_that_names_it()
    {
        QFETCH(QString, kind);
        QFETCH(QString, says);
        const QTemporaryDir folder;
        QString path = folder.filePath(QStringLiteral("bank.sqlite"));
        QByteArray before;
        if (kind == QLatin1String("text")) {
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly));
            before = QByteArray("these are not the rows you are looking for\n").repeated(100);
            file.write(before);
        } else if (kind == QLatin1String("newer")) {
            (void)open(path);
            meddle(path, {QStringLiteral("PRAGMA user_version = 99")});
        } else if (kind == QLatin1String("other")) {
            meddle(path, {QStringLiteral("CREATE TABLE checkout (key TEXT)")});
        } else if (kind == QLatin1String("folder")) {
            path = folder.path();
        } else {
            path = folder.filePath(QStringLiteral("nowhere/bank.sqlite"));
        }
        const QString error = failure([&] { (void)open(path); });
        QVERIFY2(error.contains(says), qPrintable(error));
        QVERIFY2(error.contains(path), qPrintable(error));
        QVERIFY(!error.contains(QLatin1Char('\n')));
        if (!before.isEmpty()) {
            QFile file(path);
            QVERIFY(file.open(QIODevice::ReadOnly));
            QCOMPARE(file.readAll(), before);
        }
    }

    void a_file_is_written_ahead_and_marked_as_the_banks()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("bank.sqlite"));
        (void)open(path);
        QCOMPARE(meddle(path, {QStringLiteral("PRAGMA journal_mode")}).toString(), QStringLiteral("wal"));
        QCOMPARE(meddle(path, {QStringLiteral("PRAGMA user_version")}).toInt(), 2);
        QCOMPARE(meddle(path, {QStringLiteral("PRAGMA application_id")}).toInt(), 0x494B4B42);
        const QString loose = QStringLiteral("SELECT count(*) FROM pragma_table_list"
                                             " WHERE schema = 'main' AND name NOT LIKE 'sqlite_%' AND strict = 0");
        QCOMPARE(meddle(path, {loose}).toInt(), 0);
    }

    void the_ledgers_name_is_made_once()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("bank.sqlite"));
        {
            const auto store = open(path);
            store->begin();
            QCOMPARE(store->ledgerId("ldg_1"), "ldg_1");
            QVERIFY(store->commit());
        }
        const auto store = open(path);
        store->begin();
        QCOMPARE(store->ledgerId("ldg_2"), "ldg_1");
        QVERIFY(!store->commit()); // nothing was written
    }

    void a_second_guarded_charge_under_a_key_is_impossible_and_an_unguarded_one_is_not()
    {
        const auto store = openMemory();
        store->begin();
        store->putAccount({QStringLiteral("card_ok"), 100'000, false});
        store->addMovement(chargeOf("key-1"));
        store->savepoint();
        Movement second = chargeOf("key-1");
        second.chargeId = "ch_second";
        QVERIFY_THROWS_EXCEPTION(StoreConflict, store->addMovement(second));
        store->rollbackToSavepoint();
        second.guarded = false;
        store->addMovement(second);
        second.guarded = true;
        second.name.scope = "other POST /v1/charges";
        store->addMovement(second);
        store->commit();
        store->begin();
        QCOMPARE(store->movements(0, 10).size(), 3);
        QCOMPARE(store->chargeUnder(claimOf("key-1").name)->chargeId, "ch_key-1");
    }

    void a_row_that_breaks_a_rule_is_refused()
    {
        const auto store = openMemory();
        store->begin();
        store->putAccount({QStringLiteral("card_ok"), 100'000, false});
        const auto refused = [&](const std::function<void(Movement &)> &spoil) {
            Movement movement = chargeOf("key-1");
            spoil(movement);
            store->savepoint();
            const bool failed = !failure([&] { store->addMovement(movement); }).isEmpty();
            store->rollbackToSavepoint();
            return failed;
        };
        QVERIFY(refused([](Movement &movement) { movement.details.amountMinor = 0; }));
        QVERIFY(refused([](Movement &movement) { movement.details.amountMinor = 100'000'000; }));
        QVERIFY(refused([](Movement &movement) { movement.details.source = QStringLiteral("nobody"); }));
        QVERIFY(refused([](Movement &movement) { movement.details.currency = "YEN!"; }));
        QVERIFY(!refused([](Movement &) {}));
        store->savepoint();
        QVERIFY(!failure([&] { store->putAccount({QStringLiteral("card_ok"), -1, false}); }).isEmpty());
        store->rollbackToSavepoint();
        QCOMPARE(store->lockAccount(QStringLiteral("card_ok"))->balanceMinor, 100'000);
    }

    void a_debit_takes_what_is_there_and_no_more()
    {
        const auto store = openMemory();
        store->begin();
        store->putAccount({QStringLiteral("card_ok"), 1000, false});
        QVERIFY(!store->debit(QStringLiteral("card_ok"), 1001));
        QVERIFY(store->debit(QStringLiteral("card_ok"), 1000));
        QVERIFY(!store->debit(QStringLiteral("card_ok"), 1));
        QVERIFY(!store->debit(QStringLiteral("nobody"), 1));
        QCOMPARE(store->lockAccount(QStringLiteral("card_ok"))->balanceMinor, 0);
        store->addAccount({QStringLiteral("card_ok"), 5, false});
        QCOMPARE(store->lockAccount(QStringLiteral("card_ok"))->balanceMinor, 0);
    }

    void only_the_holder_of_a_claim_can_finish_renew_or_delete_it()
    {
        const auto store = openMemory();
        store->begin();
        const Claim claim = claimOf("key-1");
        QVERIFY(store->addClaim(claim));
        QVERIFY(!store->addClaim(claim));
        Verdict verdict;
        verdict.status = 201;
        verdict.body = "{}";
        verdict.chargeId = "ch_1";
        verdict.details = chargeOf("key-1").details;
        QList<Claim> strangers(4, claim);
        strangers[0].owner.instance = "bank-2";
        strangers[1].owner.run = "run_2";
        strangers[2].epoch = 2;
        strangers[3].fingerprint = QByteArray(32, 'g');
        for (const Claim &stranger : std::as_const(strangers)) {
            QVERIFY(!store->finishClaim(stranger, verdict));
            QVERIFY(!store->renewClaim(stranger, 9000));
            QVERIFY(!store->deleteClaim(stranger));
        }
        QVERIFY(store->renewClaim(claim, 9000));
        QCOMPARE(store->key(claim.name)->claim.leaseUntilMs, 9000);
        QVERIFY(store->finishClaim(claim, verdict));
        QVERIFY(!store->finishClaim(claim, verdict));
        QVERIFY(!store->deleteClaim(claim));
        QCOMPARE(store->key(claim.name)->state, KeyState::Finished);
        QCOMPARE(store->key(claim.name)->verdict.details.orderId, QStringLiteral("A-1"));
    }

    void a_claim_is_taken_over_once_and_only_by_who_saw_it()
    {
        const auto store = openMemory();
        store->begin();
        const Claim old = claimOf("key-1");
        QVERIFY(store->addClaim(old));
        Claim next = old;
        next.owner = {"bank-2", "run_9"};
        next.epoch = 2;
        QVERIFY(store->takeOverClaim(old, next));
        QVERIFY(!store->takeOverClaim(old, next));
        QCOMPARE(store->key(old.name)->claim.owner, next.owner);
        QVERIFY(!store->deleteClaim(old));
    }

    void a_restart_ends_the_leases_of_its_earlier_runs_only()
    {
        const auto store = openMemory();
        store->begin();
        Claim earlier = claimOf("key-1");
        Claim mine = claimOf("key-2");
        mine.owner.run = "run_2";
        Claim theirs = claimOf("key-3");
        theirs.owner.instance = "bank-2";
        for (const Claim &claim : {earlier, mine, theirs})
            QVERIFY(store->addClaim(claim));
        QCOMPARE(store->endLeases(mine.owner), 1);
        QCOMPARE(store->key(earlier.name)->claim.leaseUntilMs, 0);
        QCOMPARE(store->key(mine.name)->claim.leaseUntilMs, 5000);
        QCOMPARE(store->key(theirs.name)->claim.leaseUntilMs, 5000);
    }

    void what_was_not_committed_is_gone_data()
    {
        QTest::addColumn<bool>("onFile");
        QTest::newRow("file") << true;
        QTest::newRow("memory") << false;
    }
    void what_was_not_committed_is_gone()
    {
        QFETCH(bool, onFile);
        const QTemporaryDir folder;
        StoreAddress address;
        if (onFile)
            address.file = folder.filePath(QStringLiteral("bank.sqlite"));
        else
            address.memory = std::make_shared<MemoryStore>();
        {
            const auto store = openStore(address);
            store->begin();
            store->putAccount({QStringLiteral("card_ok"), 1000, false});
            store->commit();
            store->begin();
            QVERIFY(store->debit(QStringLiteral("card_ok"), 400));
            store->savepoint();
            QVERIFY(store->debit(QStringLiteral("card_ok"), 100));
            store->rollbackToSavepoint();
            QCOMPARE(store->lockAccount(QStringLiteral("card_ok"))->balanceMinor, 600);
        }
        const auto store = openStore(address);
        store->begin();
        QCOMPARE(store->lockAccount(QStringLiteral("card_ok"))->balanceMinor, 1000);
    }

    void an_instance_is_held_by_one_at_a_time_data() { what_was_not_committed_is_gone_data(); }
    void an_instance_is_held_by_one_at_a_time()
    {
        QFETCH(bool, onFile);
        const QTemporaryDir folder;
        StoreAddress address;
        if (onFile)
            address.file = folder.filePath(QStringLiteral("bank.sqlite"));
        else
            address.memory = std::make_shared<MemoryStore>();
        auto first = openStore(address);
        const auto second = openStore(address);
        QVERIFY(first->holdInstance("bank-1"));
        QVERIFY(!second->holdInstance("bank-1"));
        QVERIFY(second->holdInstance("bank-2"));
        first.reset();
        const auto third = openStore(address);
        QVERIFY(third->holdInstance("bank-1"));
        QVERIFY(!third->holdInstance("bank-2"));
    }

    void another_connection_sees_what_was_committed_and_waits_for_its_turn()
    {
        const auto memory = std::make_shared<MemoryStore>();
        const auto first = openStore({{}, memory});
        const auto second = openStore({{}, memory});
        first->begin();
        first->putAccount({QStringLiteral("card_ok"), 1000, false});
        first->commit();
        second->begin();
        QCOMPARE(second->accounts().size(), 1);
        second->rollback();
    }
};

IKKAI_TEST_MAIN(TestSqliteStore)
#include "tst_sqlite_store.moc"
