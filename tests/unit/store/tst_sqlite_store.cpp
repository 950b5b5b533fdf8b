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

    void a_file_of_version_1_is_brought_up_to_date_and_forgets_nothing()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("bank.sqlite"));
        QVERIFY(QFile::copy(QStringLiteral(IKKAI_STORE_DATA "/bank-version-1.sqlite"), path));
        QVERIFY(QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner));
        const auto store = open(path);
        QCOMPARE(meddle(path, {QStringLiteral("PRAGMA user_version")}).toInt(), 2);
        store->begin();
        QCOMPARE(store->ledgerId("ldg_new"), "ldg_old");
        QCOMPARE(store->accounts().constFirst().balanceMinor, 98'800);
        // The newest first, as before.
        const QList<KeyRecord> keys = store->keys(10);
        QCOMPARE(keys.size(), 3);
        QCOMPARE(keys[0].claim.name.key, "key-3");
        QCOMPARE(keys[0].state, KeyState::Claimed);
        QCOMPARE(keys[1].claim.name.key, "key-2");
        QCOMPARE(keys[1].verdict.declineCode, "insufficient_funds");
        QCOMPARE(keys[2].claim.name.key, "key-1");
        QCOMPARE(keys[2].verdict.body, "{\"id\":\"ch_1\"}");
        const QList<Movement> movements = store->movements(0, 10);
        QCOMPARE(movements.size(), 1);
        QCOMPARE(movements[0].chargeId, "ch_1");
        QCOMPARE(store->chargeById("ch_1")->id, movements[0].id);
        const QList<OutboxEvent> events = store->dueOutbox(9000, 10);
        QCOMPARE(events.size(), 1);
        QCOMPARE(events[0].orderId, QStringLiteral("A-1"));
        QCOMPARE(events[0].movementId, movements[0].id);
        QCOMPARE(events[0].payload, "{\"id\":\"ch_1\"}");
        // And now it can do what version 1 could not.
        QVERIFY(store->voidFinished(keys[2].claim.name, {VoidResult::Reversed, 9, QStringLiteral("A-1"), 1200, "JPY"}));
        QVERIFY(store->commit());
        const QString loose = QStringLiteral("SELECT count(*) FROM pragma_foreign_key_check");
        QCOMPARE(meddle(path, {loose}).toInt(), 0);
    }

    void a_migration_that_fails_leaves_the_file_as_it_was()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("bank.sqlite"));
        QVERIFY(QFile::copy(QStringLiteral(IKKAI_STORE_DATA "/bank-version-1.sqlite"), path));
        QVERIFY(QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner));
        meddle(path, {QStringLiteral("CREATE TABLE void_key (x)")});
        QVERIFY(!failure([&] { (void)open(path); }).isEmpty());
        QCOMPARE(meddle(path, {QStringLiteral("PRAGMA user_version")}).toInt(), 1);
        QCOMPARE(meddle(path, {QStringLiteral("SELECT count(*) FROM key_record")}).toInt(), 3);
        meddle(path, {QStringLiteral("DROP TABLE void_key")});
        QVERIFY(failure([&] { (void)open(path); }).isEmpty());
    }
};

IKKAI_TEST_MAIN(TestSqliteStore)
#include "tst_sqlite_store.moc"
