#include "core/journal/journal_lock.h"
#include "tests/support/test.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QLockFile>
#include <QtCore/QTemporaryDir>

using namespace ikkai;

class TestJournalLock : public ikkai::test::Test {
    Q_OBJECT

private Q_SLOTS:
    void case_32_a_second_terminal_on_the_same_journal_is_refused_and_told_who_has_it()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("journal.db"));
        const auto first = JournalLock::take(file);
        QVERIFY(first.ok());
        const auto second = JournalLock::take(file);
        QVERIFY(!second.ok());
        QCOMPARE(second.error().kind, JournalError::Kind::Locked);
        QCOMPARE(second.error().file, file);
        QVERIFY2(second.error().detail.contains(QString::number(QCoreApplication::applicationPid())),
                 qPrintable(second.error().detail));
        QVERIFY(describe(second.error()).contains(file));
    }

    void the_lock_ends_with_its_holder()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("journal.db"));
        {
            const auto first = JournalLock::take(file);
            QVERIFY(first.ok());
        }
        QVERIFY(JournalLock::take(file).ok());
    }

    void a_dead_terminals_lock_is_no_lock()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("journal.db"));
        QFile left(file + QLatin1String(".lock"));
        QVERIFY(left.open(QIODevice::WriteOnly));
        // A process number beyond the system's largest: nobody has it.
        left.write("99999999\npayment-terminal\n" + QSysInfo::machineHostName().toUtf8() + "\n");
        left.close();
        QVERIFY(JournalLock::take(file).ok());
    }

    void a_lock_whose_maker_died_before_it_wrote_its_name_is_no_lock()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("journal.db"));
        QFile left(file + QLatin1String(".lock"));
        QVERIFY(left.open(QIODevice::WriteOnly)); // a power cut in that very moment
        left.close();
        const auto lock = JournalLock::take(file);
        QVERIFY(lock.ok());
        QVERIFY(!JournalLock::take(file).ok());
    }

    void an_earlier_versions_lock_is_kept()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("journal.db"));
        QLockFile earlier(file + QLatin1String(".lock"));
        QVERIFY(earlier.tryLock(0));
        const auto lock = JournalLock::take(file);
        QVERIFY(!lock.ok());
        QCOMPARE(lock.error().kind, JournalError::Kind::Locked);
        QVERIFY(QFile::exists(file + QLatin1String(".lock")));
        earlier.unlock();
        const auto mine = JournalLock::take(file);
        QVERIFY(mine.ok());
        QVERIFY(!earlier.tryLock(0));
    }

    void two_ways_to_one_journal_meet_at_one_lock()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("journal.db"));
        QFile journal(file);
        QVERIFY(journal.open(QIODevice::WriteOnly));
        journal.close();
        const QString link = folder.filePath(QStringLiteral("link.db"));
        QVERIFY(QFile::link(file, link));
        const auto first = JournalLock::take(file);
        QVERIFY(first.ok());
        QVERIFY(!JournalLock::take(link).ok());
        QVERIFY(
            !JournalLock::take(folder.filePath(QStringLiteral("../%1/journal.db").arg(QDir(folder.path()).dirName())))
                 .ok());
    }

    void a_missing_folder_is_named()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("nowhere/journal.db"));
        const auto lock = JournalLock::take(file);
        QVERIFY(!lock.ok());
        QCOMPARE(lock.error().kind, JournalError::Kind::CannotOpen);
        QVERIFY(lock.error().detail.contains(QLatin1String("nowhere")));
    }
};

IKKAI_TEST_MAIN(TestJournalLock)
#include "tst_journal_lock.moc"
