#include "core/checkout/recovery.h"
#include "core/journal/journal_lock.h"
#include "core/journal/migrations.h"
#include "journal_bench.h"
#include "tests/support/test.h"

#include <QtCore/QFile>
#include <QtCore/QProcess>
#include <QtCore/QTemporaryDir>

#include <cstdio>
#include <optional>

#include <signal.h>

using namespace ikkai;
using namespace ikkai::test;
using Kind = JournalError::Kind;

namespace {

/// The other half of `what_was_reported_as_recorded_survives_a_kill`.
int appendUntilKilled(const QString &file)
{
    const auto journal = SqliteJournal::open(file);
    if (!journal)
        return 1;
    for (int n = 1; n < 4'000; ++n) {
        const Story story = answerLostStory(n);
        for (size_t i = 0; i < story.events.size(); ++i) {
            if (!journal.value()->append(static_cast<int>(i) + 1, story.events[i], story.after[i]))
                return 2;
            std::printf("%d %zu\n", n, i + 1);
            std::fflush(stdout);
        }
    }
    return 3;
}

} // namespace

class TestSqliteJournal : public ikkai::test::Test {
    Q_OBJECT

private Q_SLOTS:
    void case_04_a_checkout_is_found_again_after_a_restart_with_its_key_and_body()
    {
        const Story story = answerLostStory();
        {
            const auto journal = opened(m_file);
            QVERIFY(journal);
            QVERIFY(journal->append(1, story.events[0], story.after[0]).ok());
            QVERIFY(journal->append(2, story.events[1], story.after[1]).ok());
        }
        const auto journal = opened(m_file);
        QVERIFY(journal);
        const auto open = journal->openKeys();
        QVERIFY(open.ok());
        QCOMPARE(open->size(), 1U);
        const auto events = journal->events(open->front());
        QVERIFY(events.ok());
        QVERIFY(fold(events.value()).value() == story.after[1]);
        QCOMPARE(fold(events.value())->body, started().body);
    }

    void every_kind_of_event_is_kept()
    {
        const auto journal = opened(m_file);
        const Checkout after = begin(started(), stamp()).after;
        int seq = 0;
        for (const Event &event : allEvents())
            QVERIFY(journal->append(++seq, event, after).ok());
        const auto events = journal->events(keyNumber(1));
        QVERIFY(events.ok());
        QVERIFY(events.value() == allEvents());
    }

    void the_projection_says_what_the_events_lead_to()
    {
        const auto journal = opened(m_file);
        QVERIFY(!appendAll(*journal, answerLostStory()));
        Sql sql(m_file);
        const auto column = [&](const char *name) {
            return sql.run(QStringLiteral("SELECT %1 FROM checkout").arg(QLatin1String(name)));
        };
        QCOMPARE(column("key").toString(), keyNumber(1).text());
        QCOMPARE(column("order_id").toString(), QStringLiteral("A-1001"));
        QCOMPARE(column("amount").toLongLong(), 1'200);
        QCOMPARE(column("currency").toString(), QStringLiteral("JPY"));
        QCOMPARE(column("source").toString(), QStringLiteral("card_ok"));
        QCOMPARE(column("state").toString(), QStringLiteral("approved"));
        QCOMPARE(column("settled_by").toString(), QStringLiteral("replay"));
        QCOMPARE(column("open").toInt(), 0);
        QCOMPARE(column("attempts").toInt(), 2);
        QCOMPARE(column("wire_sends").toInt(), 2);
        QCOMPARE(column("created_ms").toLongLong(), stamp().wallMs);
        QCOMPARE(column("updated_ms").toLongLong(), stamp(3'450).wallMs);
        QCOMPARE(column("settled_ms").toLongLong(), stamp(3'450).wallMs);
        QCOMPARE(column("settled_n").toInt(), 1);
        QCOMPARE(column("business_day").toString(), QStringLiteral("2024-07-03"));
        QCOMPARE(column("ledger_id").toString(), QStringLiteral("led_1"));
        QVERIFY(column("void_key").isNull());
        QCOMPARE(column("terminal_id").toString(), QStringLiteral("till-1"));
    }

    void keys_are_found_by_what_is_open_by_order_and_by_age()
    {
        const auto journal = opened(m_file);
        QVERIFY(!journal->newestKey().value());
        QVERIFY(journal->openKeys()->empty());
        QVERIFY(!appendAll(*journal, answerLostStory(3, u"A-3")));
        const Story again = answerLostStory(5, u"A-3");
        QVERIFY(journal->append(1, again.events[0], again.after[0]).ok());
        const Story other = answerLostStory(4, u"B-4");
        QVERIFY(journal->append(1, other.events[0], other.after[0]).ok());

        QVERIFY(journal->openKeys().value() == (std::vector{keyNumber(4), keyNumber(5)}));
        QVERIFY(journal->keysOfOrder(OrderId::parse(u"A-3").value()).value() ==
                (std::vector{keyNumber(3), keyNumber(5)}));
        QVERIFY(journal->keysOfOrder(OrderId::parse(u"C").value())->empty());
        QVERIFY(*journal->newestKey().value() == keyNumber(5));
        QVERIFY(journal->events(keyNumber(9))->empty());
    }

    void a_number_that_is_taken_is_never_overwritten()
    {
        const auto journal = opened(m_file);
        const Story story = answerLostStory();
        QVERIFY(!appendAll(*journal, story));
        const Event other{stamp(9'999), event::LeftOpen{}};
        for (const int seq : {1, 3, 4}) {
            const auto done = journal->append(seq, other, story.after[3]);
            QVERIFY(!done.ok());
            QCOMPARE(done.error().kind, Kind::Corrupt);
            QVERIFY(done.error().detail.contains(keyNumber(1).text()));
        }
        QVERIFY(journal->events(keyNumber(1)).value() == story.events);
        QVERIFY(journal->compareProjection()->empty());
    }

    void a_gap_in_the_numbers_is_refused()
    {
        const auto journal = opened(m_file);
        const Story story = answerLostStory();
        QVERIFY(!journal->append(2, story.events[1], story.after[1]).ok());
        QVERIFY(journal->append(1, story.events[0], story.after[0]).ok());
        QVERIFY(!journal->append(3, story.events[2], story.after[2]).ok());
        QVERIFY(!journal->append(0, story.events[2], story.after[2]).ok());
        QCOMPARE(journal->events(keyNumber(1))->size(), 1U);
    }

    /// A commit can succeed and still report an error; who tries again must not be stuck for ever.
    void the_same_event_once_more_counts_as_recorded()
    {
        const auto journal = opened(m_file);
        const Story story = answerLostStory();
        QVERIFY(!appendAll(*journal, story));
        QVERIFY(journal->append(4, story.events[3], story.after[3]).ok());
        QCOMPARE(journal->events(keyNumber(1))->size(), 4U);
    }

    void a_commit_is_in_the_log_on_disk_with_full_synchronisation()
    {
        const auto journal = opened(m_file);
        QVERIFY(!appendAll(*journal, answerLostStory()));
        Sql sql(m_file);
        QCOMPARE(sql.run(QStringLiteral("PRAGMA journal_mode")).toString(), QStringLiteral("wal"));
        QCOMPARE(sql.run(QStringLiteral("SELECT count(*) FROM event")).toInt(), 4);
        QVERIFY(sql.run(QStringLiteral("SELECT sql FROM sqlite_schema WHERE name = 'event'"))
                    .toString()
                    .contains(QLatin1String("STRICT")));
    }

    void the_past_cannot_be_edited()
    {
        const auto journal = opened(m_file);
        QVERIFY(!appendAll(*journal, answerLostStory()));
        Sql sql(m_file);
        QVERIFY(
            sql.run(QStringLiteral("UPDATE event SET data = '{}'")).toString().contains(QLatin1String("append-only")));
        QVERIFY(sql.run(QStringLiteral("DELETE FROM event")).toString().contains(QLatin1String("append-only")));
        QCOMPARE(sql.run(QStringLiteral("SELECT count(*) FROM event")).toInt(), 4);
    }

    void the_projection_can_be_rebuilt_from_the_events()
    {
        const auto journal = opened(m_file);
        for (int n = 1; n <= 20; ++n)
            QVERIFY(!appendAll(*journal, answerLostStory(n)));
        QVERIFY(journal->compareProjection()->empty());
        {
            Sql sql(m_file);
            sql.run(QStringLiteral("PRAGMA foreign_keys = OFF"));
            sql.run(
                QStringLiteral("UPDATE checkout SET state = 'declined', business_day = '2024-07-03' WHERE key = '%1'")
                    .arg(keyNumber(2).text()));
            sql.run(QStringLiteral("UPDATE checkout SET settled_by = NULL WHERE key = '%1'").arg(keyNumber(3).text()));
            sql.run(QStringLiteral("DELETE FROM checkout WHERE key = '%1'").arg(keyNumber(4).text()));
            sql.run(
                QStringLiteral("INSERT INTO checkout (key, order_id, amount, currency, source, state, open, attempts, "
                               "wire_sends, created_ms, updated_ms, terminal_id) SELECT 'stray', order_id, amount, "
                               "currency, source, state, open, attempts, wire_sends, created_ms, updated_ms, "
                               "terminal_id FROM checkout LIMIT 1"));
        }
        const auto differences = journal->compareProjection();
        QVERIFY(differences.ok());
        QCOMPARE(differences->size(), 4U);
        QVERIFY(differences.value()[0] ==
                (ProjectionDifference{keyNumber(2).text(), QStringLiteral("state"), QStringLiteral("declined"),
                                      QStringLiteral("approved")}));
        QCOMPARE(journal->rebuildProjection().value(), 20);
        QVERIFY(journal->compareProjection()->empty());
        Sql sql(m_file);
        QCOMPARE(sql.run(QStringLiteral("SELECT count(*) FROM checkout")).toInt(), 20);
        QCOMPARE(sql.run(QStringLiteral("SELECT business_day FROM checkout WHERE key = '%1'").arg(keyNumber(2).text()))
                     .toString(),
                 QStringLiteral("2024-07-03"));
    }

    void a_damaged_event_is_named_by_key_and_number()
    {
        const auto journal = opened(m_file);
        QVERIFY(!appendAll(*journal, answerLostStory()));
        {
            Sql sql(m_file);
            sql.run(QStringLiteral("DROP TRIGGER event_stays"));
            sql.run(QStringLiteral("UPDATE event SET type = 'Unheard' WHERE seq = 3"));
        }
        for (const auto &error : {journal->events(keyNumber(1)).error(), journal->compareProjection().error(),
                                  journal->rebuildProjection().error()}) {
            QCOMPARE(error.kind, Kind::Corrupt);
            QCOMPARE(error.file, m_file);
            QVERIFY2(error.detail.contains(keyNumber(1).text()) && error.detail.contains(QLatin1String("event 3")) &&
                         error.detail.contains(QLatin1String("Unheard")),
                     qPrintable(error.detail));
        }
    }

    void a_lost_event_is_noticed()
    {
        const auto journal = opened(m_file);
        QVERIFY(!appendAll(*journal, answerLostStory()));
        {
            Sql sql(m_file);
            sql.run(QStringLiteral("DROP TRIGGER event_is_kept"));
            sql.run(QStringLiteral("DELETE FROM event WHERE seq = 2"));
        }
        const auto events = journal->events(keyNumber(1));
        QVERIFY(!events.ok());
        QCOMPARE(events.error().kind, Kind::Corrupt);
    }

    void a_full_disk_refuses_the_event_and_loses_nothing()
    {
        const auto journal = opened(m_file);
        const Story story = answerLostStory();
        QVERIFY(journal->append(1, story.events[0], story.after[0]).ok());
        limitPages(*journal);
        std::optional<JournalError> error;
        int recorded = 0;
        for (int n = 2; n < 2'000 && !error; ++n) {
            const Story more = answerLostStory(n);
            const auto done = journal->append(1, more.events[0], more.after[0]);
            if (!done)
                error = done.error();
            else
                ++recorded;
        }
        QVERIFY(error.has_value());
        QCOMPARE(error->kind, Kind::DiskFull);
        QCOMPARE(error->file, m_file);
        // What was there is still there, and the refused one is not half there.
        QVERIFY(journal->events(keyNumber(1)).value() == (std::vector{story.events[0]}));
        QCOMPARE(journal->openKeys()->size(), static_cast<size_t>(recorded) + 1);
        QVERIFY(journal->compareProjection()->empty());
    }

    void an_event_that_is_not_taken_leaves_the_projection_as_it_was()
    {
        const auto journal = opened(m_file);
        const Story story = answerLostStory();
        QVERIFY(journal->append(1, story.events[0], story.after[0]).ok());
        Sql sql(m_file);
        sql.run(QStringLiteral("CREATE TRIGGER trouble BEFORE INSERT ON event BEGIN SELECT RAISE(ABORT, 'no'); END"));
        QVERIFY(!journal->append(2, story.events[1], story.after[1]).ok());
        QCOMPARE(sql.run(QStringLiteral("SELECT state FROM checkout")).toString(), QStringLiteral("sending"));
        QVERIFY(journal->compareProjection()->empty());
        sql.run(QStringLiteral("DROP TRIGGER trouble"));
        QVERIFY(journal->append(2, story.events[1], story.after[1]).ok());
    }

    void a_journal_that_cannot_be_opened_says_why_data()
    {
        QTest::addColumn<QString>("what");
        QTest::addColumn<int>("kind");
        QTest::newRow("missing folder") << QStringLiteral("nowhere/journal.db") << int(Kind::CannotOpen);
        QTest::newRow("a folder") << QStringLiteral(".") << int(Kind::CannotOpen);
        QTest::newRow("not a database") << QStringLiteral("text") << int(Kind::Corrupt);
        QTest::newRow("somebody else's database") << QStringLiteral("other") << int(Kind::CannotOpen);
        QTest::newRow("newer version") << QStringLiteral("newer") << int(Kind::NewerVersion);
        QTest::newRow("read-only file") << QStringLiteral("readonly") << int(Kind::ReadOnly);
        QTest::newRow("read-only folder") << QStringLiteral("shut/journal.db") << int(Kind::ReadOnly);
        QTest::newRow("no name") << QString() << int(Kind::CannotOpen);
    }
    void a_journal_that_cannot_be_opened_says_why()
    {
        QFETCH(QString, what);
        QFETCH(int, kind);
        const QString file = what.isEmpty() ? QString() : m_folder->filePath(what);
        if (what == QLatin1String("text"))
            writeFile(file, QByteArray(5'000, 'x'));
        if (what == QLatin1String("other"))
            Sql(file).run(QStringLiteral("CREATE TABLE recipes (name TEXT)"));
        if (what == QLatin1String("newer")) {
            QVERIFY(opened(file));
            Sql(file).run(QStringLiteral("PRAGMA user_version = 99"));
        }
        if (what == QLatin1String("readonly")) {
            QVERIFY(opened(file));
            QVERIFY(QFile::setPermissions(file, QFile::ReadOwner | QFile::ReadGroup));
        }
        if (what.startsWith(QLatin1String("shut"))) {
            QVERIFY(QDir(m_folder->path()).mkdir(QStringLiteral("shut")));
            QVERIFY(
                QFile::setPermissions(m_folder->filePath(QStringLiteral("shut")), QFile::ReadOwner | QFile::ExeOwner));
        }
        const auto journal = SqliteJournal::open(file);
        QVERIFY(!journal.ok());
        QVERIFY2(int(journal.error().kind) == kind, qPrintable(describe(journal.error())));
        QCOMPARE(journal.error().file, file);
        QVERIFY(describe(journal.error()).contains(file));
        QVERIFY(!journal.error().detail.isEmpty());
        if (what == QLatin1String("other"))
            QCOMPARE(Sql(file).run(QStringLiteral("SELECT count(*) FROM sqlite_schema")).toInt(), 1);
    }

    void a_journal_that_another_program_is_writing_is_said_to_be_in_use()
    {
        const auto journal = opened(m_file);
        Sql sql(m_file);
        sql.run(QStringLiteral("BEGIN IMMEDIATE"));
        const Story story = answerLostStory();
        const auto done = journal->append(1, story.events[0], story.after[0]);
        QVERIFY(!done.ok());
        QCOMPARE(done.error().kind, Kind::Locked);
        sql.run(QStringLiteral("ROLLBACK"));
        QVERIFY(journal->append(1, story.events[0], story.after[0]).ok());
    }

    void who_only_looks_changes_nothing()
    {
        const Story story = answerLostStory();
        QVERIFY(!SqliteJournal::open(m_file, SqliteJournal::Access::ReadOnly).ok());
        QVERIFY(!QFile::exists(m_file));
        const auto writer = opened(m_file);
        QVERIFY(!appendAll(*writer, story));
        auto reader = SqliteJournal::open(m_file, SqliteJournal::Access::ReadOnly);
        QVERIFY2(reader.ok(), reader.ok() ? "" : qPrintable(describe(reader.error())));
        QVERIFY(reader.value()->events(keyNumber(1)).value() == story.events);
        QVERIFY(reader.value()->compareProjection()->empty());
        QCOMPARE(reader.value()->append(5, story.events[3], story.after[3]).error().kind, Kind::ReadOnly);
        QCOMPARE(reader.value()->rebuildProjection().error().kind, Kind::ReadOnly);
    }

    void a_journal_in_memory_is_a_journal()
    {
        const auto journal = opened(QStringLiteral(":memory:"));
        QVERIFY(journal);
        QVERIFY(!appendAll(*journal, answerLostStory()));
        QCOMPARE(journal->events(keyNumber(1))->size(), 4U);
        QVERIFY(!QFile::exists(QStringLiteral(":memory:")));
    }

    void an_older_journal_is_migrated_and_a_copy_is_kept()
    {
        {
            const auto journal = opened(m_file);
            QVERIFY(!appendAll(*journal, answerLostStory()));
        }
        std::vector<Migration> tomorrow = journalMigrations();
        tomorrow.push_back({nextVersion(), {"ALTER TABLE checkout ADD COLUMN note TEXT"}});
        {
            Sql sql(m_file);
            const auto migrated = migrate(sql.database(), m_file, tomorrow);
            QVERIFY2(migrated.ok(), migrated.ok() ? "" : qPrintable(describe(migrated.error())));
            QCOMPARE(sql.run(QStringLiteral("PRAGMA user_version")).toInt(), nextVersion());
            QCOMPARE(sql.run(QStringLiteral("SELECT count(*) FROM checkout WHERE note IS NULL")).toInt(), 1);
            QVERIFY(migrate(sql.database(), m_file, tomorrow).ok());
        }
        QCOMPARE(SqliteJournal::open(m_file).error().kind, Kind::NewerVersion);
        const auto copy = opened(copyOfToday());
        QVERIFY(copy);
        QVERIFY(copy->events(keyNumber(1)).value() == answerLostStory().events);
        QVERIFY(!QFile::exists(copyOfToday() + QLatin1String("-2")));
    }

    void a_migration_that_fails_leaves_the_journal_as_it_was()
    {
        {
            const auto journal = opened(m_file);
            QVERIFY(!appendAll(*journal, answerLostStory()));
        }
        std::vector<Migration> tomorrow = journalMigrations();
        tomorrow.push_back(
            {nextVersion(), {"ALTER TABLE checkout ADD COLUMN note TEXT", "ALTER TABLE nothing ADD COLUMN x TEXT"}});
        {
            Sql sql(m_file);
            QVERIFY(!migrate(sql.database(), m_file, tomorrow).ok());
            QVERIFY(!migrate(sql.database(), m_file, tomorrow).ok());
        }
        const auto journal = opened(m_file);
        QVERIFY(journal);
        QVERIFY(journal->events(keyNumber(1)).value() == answerLostStory().events);
        // Each try kept a copy of its own, and overwrote none.
        QVERIFY(QFile::exists(copyOfToday()));
        QVERIFY(QFile::exists(copyOfToday() + QLatin1String("-2")));
    }

    void what_was_reported_as_recorded_survives_a_kill()
    {
        QProcess child;
        child.start(QCoreApplication::applicationFilePath(), {QStringLiteral("--append-until-killed"), m_file});
        QVERIFY(child.waitForStarted());
        QByteArray reported;
        while (reported.count('\n') < 200 && child.waitForReadyRead(10'000))
            reported += child.readAll();
        QVERIFY(::kill(static_cast<pid_t>(child.processId()), SIGKILL) == 0);
        QVERIFY(child.waitForFinished());
        reported += child.readAll();
        QVERIFY2(reported.count('\n') >= 200, reported.constData());

        const auto journal = opened(m_file);
        QVERIFY(journal);
        QVERIFY(journal->compareProjection()->empty());
        for (const QByteArray &line : reported.split('\n')) {
            const QList<QByteArray> words = line.split(' ');
            if (words.size() != 2)
                continue;
            const auto events = journal->events(keyNumber(words[0].toInt()));
            QVERIFY(events.ok());
            QVERIFY(events->size() >= words[1].toUInt());
        }
    }

protected:
    void beforeEach() override
    {
        m_folder.emplace();
        m_file = m_folder->filePath(QStringLiteral("journal.db"));
    }
    void afterEach() override
    {
        QFile::setPermissions(m_folder->filePath(QStringLiteral("shut")),
                              QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        m_folder.reset();
    }

private:
    static void writeFile(const QString &file, const QByteArray &bytes)
    {
        QFile out(file);
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(bytes);
    }

    /// SQLite's own way to a full disk. The limit belongs to a connection, so it is set on the journal's own.
    static void limitPages(SqliteJournal &)
    {
        for (const QString &name : QSqlDatabase::connectionNames()) {
            if (!name.startsWith(QLatin1String("ikkai-journal-")))
                continue;
            QSqlQuery query(QSqlDatabase::database(name, false));
            QVERIFY(query.exec(QStringLiteral("PRAGMA max_page_count = 12")));
        }
    }

    static int nextVersion() { return journalMigrations().back().toVersion + 1; }
    [[nodiscard]] QString copyOfToday() const
    {
        return QStringLiteral("%1.v%2").arg(m_file).arg(journalMigrations().back().toVersion);
    }

    std::optional<QTemporaryDir> m_folder;
    QString m_file;
};

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    if (argc == 3 && QByteArray(argv[1]) == "--append-until-killed")
        return appendUntilKilled(QString::fromLocal8Bit(argv[2]));
    TestSqliteJournal test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_sqlite_journal.moc"
