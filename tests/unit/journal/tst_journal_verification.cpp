#include "core/journal/journal_lock.h"
#include "core/journal/journal_verification.h"
#include "journal_bench.h"
#include "tests/support/big_journal.h"
#include "tests/support/test.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>

#include <optional>

using namespace ikkai;
using namespace ikkai::test;
using Kind = JournalError::Kind;

class TestJournalVerification : public ikkai::test::Test {
    Q_OBJECT

private Q_SLOTS:
    void a_journal_whose_rows_are_what_its_events_say_is_sound()
    {
        const auto journal = opened(m_file);
        for (int n = 1; n <= 1'200; ++n) // more than two pages of keys
            QVERIFY(journal->append(1, answerLostStory(n).events[0], answerLostStory(n).after[0]).ok());
        QVERIFY(!appendAll(*journal, answerLostStory(2'000)));
        // A terminal is at work: the journal is open and locked, and it is looked through all the same.
        const auto lock = JournalLock::take(m_file);
        QVERIFY(lock.ok());
        const auto found = verifyJournal(m_file);
        QVERIFY2(found.ok(), found.ok() ? "" : qPrintable(describe(found.error())));
        QVERIFY(isSound(*found));
        QCOMPARE(found->checkouts, 1'201);
        QCOMPARE(found->events, 1'204);
    }

    void an_empty_journal_is_sound()
    {
        opened(m_file).reset();
        QVERIFY(isSound(*verifyJournal(m_file)));
    }

    void every_flaw_is_named_and_none_hides_another()
    {
        {
            const auto journal = opened(m_file);
            for (int n = 1; n <= 9; ++n)
                QVERIFY(!appendAll(*journal, answerLostStory(n)));
        }
        {
            Sql sql(m_file);
            sql.run(QStringLiteral("PRAGMA foreign_keys = OFF"));
            sql.run(QStringLiteral("DROP TRIGGER event_stays"));
            sql.run(QStringLiteral("DROP TRIGGER event_is_kept"));
            sql.run(QStringLiteral("DROP TRIGGER settlement_is_kept"));
            const auto where = [](int n) { return QStringLiteral(" WHERE key = '%1'").arg(keyNumber(n).text()); };
            sql.run(QStringLiteral("UPDATE event SET data = '{\"v\":1'") + where(1) + QLatin1String(" AND seq = 2"));
            sql.run(QStringLiteral("UPDATE event SET type = 'Unheard'") + where(2) + QLatin1String(" AND seq = 3"));
            sql.run(QStringLiteral("DELETE FROM event") + where(3) + QLatin1String(" AND seq = 1"));
            sql.run(QStringLiteral("UPDATE checkout SET amount = 1") + where(4));
            sql.run(QStringLiteral("DELETE FROM checkout") + where(5));
            sql.run(QStringLiteral("DELETE FROM event") + where(6));
            sql.run(QStringLiteral("DELETE FROM settlement") + where(7));
            sql.run(QStringLiteral("UPDATE checkout SET business_day = '2000-01-01'") + where(8));
        }
        const auto verified = verifyJournal(m_file);
        QVERIFY(verified.ok());
        const JournalVerification &found = *verified;
        QVERIFY(!isSound(found));
        QCOMPARE(found.unreadableCount, 3);
        for (int i = 0; i < 3; ++i) {
            QVERIFY2(found.unreadable[i].contains(keyNumber(i + 1).text()), qPrintable(found.unreadable[i]));
        }
        QVERIFY2(found.unreadable[0].contains(QLatin1String("event 2")), qPrintable(found.unreadable[0]));
        QVERIFY2(found.unreadable[1].contains(QLatin1String("Unheard")), qPrintable(found.unreadable[1]));
        QVERIFY2(found.unreadable[2].contains(QLatin1String("event 2: the one before")),
                 qPrintable(found.unreadable[2]));
        QStringList differences;
        for (const ProjectionDifference &difference : found.differences)
            differences << QStringLiteral("%1 %2 %3 %4")
                               .arg(difference.key.mid(15, 3), difference.column, difference.stored,
                                    difference.expected);
        QCOMPARE(differences.join(QLatin1Char('\n')), QStringLiteral("004 amount 1 1200\n"
                                                                     "005 (row)  there\n"
                                                                     "007 settled_n 7 \n"
                                                                     "007 business_day 2024-07-03 \n"
                                                                     "007 (settlement)  there\n"
                                                                     "008 business_day 2000-01-01 2024-07-03\n"
                                                                     "006 (row) there "));
        QCOMPARE(found.differenceCount, 7);
    }

    void a_million_flaws_do_not_fill_the_memory()
    {
        QCOMPARE(BigJournal::write(m_file, 5'000), QString()); // most of them have a row and no events
        const auto found = verifyJournal(m_file);
        QVERIFY(found.ok());
        QVERIFY(found->differenceCount > 4'900);
        QCOMPARE(found->differences.size(), 1'000U);
    }

    void an_index_that_says_something_else_than_its_table_is_damage()
    {
        {
            const auto journal = opened(m_file);
            for (int n = 1; n <= 50; ++n)
                QVERIFY(!appendAll(*journal, answerLostStory(n)));
        }
        {
            Sql sql(m_file);
            sql.run(QStringLiteral("PRAGMA writable_schema = ON"));
            sql.run(QStringLiteral("UPDATE sqlite_schema SET sql = replace(sql, 'amount, key', 'attempts, key') "
                                   "WHERE name = 'checkout_amount'"));
        }
        const auto found = verifyJournal(m_file);
        QVERIFY(found.ok());
        QVERIFY(!found->damage.isEmpty());
        QVERIFY2(found->damage.join(QLatin1Char('\n')).contains(QLatin1String("checkout_amount")),
                 qPrintable(found->damage.first()));
    }

    void what_is_no_journal_of_this_version_cannot_be_verified()
    {
        QCOMPARE(verifyJournal(m_file).error().kind, Kind::CannotOpen);
        QVERIFY(!QFile::exists(m_file));
        QVERIFY(QFile::copy(QStringLiteral(IKKAI_JOURNAL_DATA "/journal-version-1.sqlite"), m_file));
        const auto old = verifyJournal(m_file);
        QCOMPARE(old.error().kind, Kind::CannotOpen);
        QVERIFY2(describe(old.error()).contains(QLatin1String("start the terminal once")),
                 qPrintable(describe(old.error())));
        QCOMPARE(old.error().file, m_file);
    }

    /// A copy on a disk that nobody may write, as evidence often is.
    void a_journal_in_a_folder_that_cannot_be_written_is_verified_and_left_alone()
    {
        QVERIFY(!appendAll(*opened(m_file), answerLostStory()));
        const QString shut = m_folder->filePath(QStringLiteral("shut"));
        QVERIFY(QDir().mkdir(shut));
        const QString copy = shut + QLatin1String("/ö journal?.db");
        QVERIFY(QFile::copy(m_file, copy));
        QVERIFY(QFile::setPermissions(copy, QFile::ReadOwner));
        QVERIFY(QFile::setPermissions(shut, QFile::ReadOwner | QFile::ExeOwner));
        const auto found = verifyJournal(copy);
        const QStringList left = QDir(shut).entryList(QDir::AllEntries | QDir::NoDotAndDotDot);
        QVERIFY(QFile::setPermissions(shut, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        QVERIFY2(found.ok(), found.ok() ? "" : qPrintable(describe(found.error())));
        QVERIFY(isSound(*found));
        QCOMPARE(found->checkouts, 1);
        QCOMPARE(left.size(), 1);
    }

    void rebuilding_needs_the_lock_and_puts_right_what_can_be()
    {
        {
            const auto journal = opened(m_file);
            for (int n = 1; n <= 9; ++n)
                QVERIFY(!appendAll(*journal, answerLostStory(n)));
        }
        Sql(m_file).run(QStringLiteral("UPDATE checkout SET state = 'declined', settled_n = NULL, open = 1"));
        {
            const auto lock = JournalLock::take(m_file);
            QVERIFY(lock.ok());
            const auto refused = rebuildJournal(m_file);
            QCOMPARE(refused.error().kind, Kind::Locked);
            QVERIFY(!isSound(*verifyJournal(m_file)));
        }
        QCOMPARE(rebuildJournal(m_file).value(), 9);
        QVERIFY(isSound(*verifyJournal(m_file)));
    }

    void rebuilding_a_journal_with_an_event_that_cannot_be_read_changes_nothing()
    {
        {
            const auto journal = opened(m_file);
            for (int n = 1; n <= 3; ++n)
                QVERIFY(!appendAll(*journal, answerLostStory(n)));
        }
        Sql sql(m_file);
        sql.run(QStringLiteral("DROP TRIGGER event_stays"));
        sql.run(
            QStringLiteral("UPDATE event SET type = 'Unheard' WHERE seq = 3 AND key = '%1'").arg(keyNumber(3).text()));
        sql.run(QStringLiteral("UPDATE checkout SET state = 'declined'"));
        const auto rebuilt = rebuildJournal(m_file);
        QCOMPARE(rebuilt.error().kind, Kind::Corrupt);
        QVERIFY2(rebuilt.error().detail.contains(keyNumber(3).text()), qPrintable(rebuilt.error().detail));
        QCOMPARE(sql.run(QStringLiteral("SELECT count(*) FROM checkout WHERE state = 'declined'")).toInt(), 3);
    }

protected:
    void beforeEach() override
    {
        m_folder.emplace();
        m_file = m_folder->filePath(QStringLiteral("journal.db"));
    }
    void afterEach() override { m_folder.reset(); }

private:
    std::optional<QTemporaryDir> m_folder;
    QString m_file;
};

IKKAI_TEST_MAIN(TestJournalVerification)
#include "tst_journal_verification.moc"
