#include "tests/integration/till_and_bank.h"
#include "tests/support/test.h"

#include <QtSql/QSqlDatabase>
#include <QtSql/QSqlError>
#include <QtSql/QSqlQuery>

using namespace ikkai::test;

namespace {

QString s(const char *text)
{
    return QString::fromLatin1(text);
}

QStringList w(std::initializer_list<const char *> all)
{
    return TillAndBank::words(all);
}

/// What a disk or a stranger may do to a journal.
bool spoil(const QString &journal, const QStringList &statements)
{
    bool done = false;
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(s("QSQLITE"), s("spoil"));
        database.setDatabaseName(journal);
        done = database.open() && std::all_of(statements.begin(), statements.end(), [&](const QString &statement) {
                   return QSqlQuery(database).exec(statement);
               });
        database.close();
    }
    QSqlDatabase::removeDatabase(s("spoil"));
    return done;
}

} // namespace

/// The commands that look after a journal: verify-journal, supervisor-pin, and what a journal that cannot be used says.
class JournalCommandsTest : public ikkai::test::Test {
    Q_OBJECT

private Q_SLOTS:
    void aJournalAsTheEventsSayIsSound()
    {
        TillAndBank till;
        QCOMPARE(till.charge("A-1", nullptr).exitCode, 0);
        QCOMPARE(till.charge("A-2", "unread:hold:next=1").exitCode, 12);
        const Told told = till.runPlain(w({"verify-journal", "--json", "--journal", "JOURNAL"}));
        QCOMPARE(told.exitCode, 0);
        QVERIFY(told.outcome().value(s("sound")).toBool());
        QCOMPARE(told.number("checkouts"), 2);
        QCOMPARE(told.number("difference_count"), 0);
    }

    void aRowThatTheEventsDoNotLeadToIsNamedAndMadeAnew()
    {
        TillAndBank till;
        const Told unknown = till.charge("A-2", "unread:hold:next=1");
        QVERIFY(spoil(till.journal(), {s("UPDATE checkout SET state = 'approved', attempts = 7")}));
        const Told found = till.runPlain(w({"verify-journal", "--journal", "JOURNAL"}));
        QCOMPARE(found.exitCode, 20);
        QVERIFY2(found.text.contains(unknown.outcome().value(s("key")).toString()) && found.text.contains(s("unknown")),
                 qPrintable(found.text));
        const Told rebuilt = till.runPlain(w({"verify-journal", "--rebuild", "--json", "--journal", "JOURNAL"}));
        QCOMPARE(rebuilt.exitCode, 0);
        QCOMPARE(rebuilt.lines.size(), 3); // what was found, what was made anew, and that it is sound
        QVERIFY(rebuilt.outcome().value(s("sound")).toBool());
        QCOMPARE(till.runPlain(w({"verify-journal", "--journal", "JOURNAL"})).exitCode, 0);
        QCOMPARE(till.run(w({"recover"})).exitCode, 12); // it is open again
    }

    void verifyingAJournalThatIsNotThereMakesNone()
    {
        TillAndBank till;
        const Told told = till.runPlain(w({"verify-journal", "--journal", "JOURNAL"}));
        QCOMPARE(told.exitCode, 3);
        QVERIFY2(told.complaint.contains(till.journal()), qPrintable(told.complaint));
        QVERIFY(!QFile::exists(till.journal()));
    }

    void aPinIsSetFromStandardInputAndNeverStandsInTheJournal()
    {
        TillAndBank till;
        const Told told = till.runPlain(w({"supervisor-pin", "--journal", "JOURNAL"}), "83021\n");
        QVERIFY2(told.exitCode == 0, qPrintable(told.complaint));
        QFile journal(till.journal());
        QVERIFY(journal.open(QIODevice::ReadOnly));
        QVERIFY(!journal.readAll().contains("83021"));
    }

    void whatIsNoPinIsRefusedWithoutRepeatingIt_data()
    {
        QTest::addColumn<QByteArray>("typed");
        QTest::newRow("too short") << QByteArray("129\n");
        QTest::newRow("letters") << QByteArray("12a45\n");
        QTest::newRow("nothing") << QByteArray();
    }
    void whatIsNoPinIsRefusedWithoutRepeatingIt()
    {
        QFETCH(QByteArray, typed);
        TillAndBank till;
        const Told told = till.runPlain(w({"supervisor-pin", "--journal", "JOURNAL"}), typed);
        QCOMPARE(told.exitCode, 2);
        QVERIFY(typed.isEmpty() || !told.complaint.contains(QString::fromLatin1(typed.trimmed())));
        QCOMPARE(told.complaint.trimmed().count(QLatin1Char('\n')), 0);
    }

    void aRunningTillIsToBeClosedBeforeThePinIsSet()
    {
        TillAndBank till;
        QProcess running;
        running.start(s(PAYMENT_TERMINAL),
                      w({"charge", "--order", "A-1", "--amount", "1200", "--json", "--attempt-deadline", "20s",
                         "--fault", "unread:hold:next=1", "--server"}) +
                          QStringList{till.bank().url(), s("--journal"), till.journal(), s("--control-token-file"),
                                      till.file("token")});
        QVERIFY(running.waitForReadyRead(60'000));
        for (const QStringList &command : {w({"supervisor-pin", "--journal", "JOURNAL"}),
                                           w({"recover", "--journal", "JOURNAL", "--server", "URL"})}) {
            const Told told = till.runPlain(command, "1234\n");
            QCOMPARE(told.exitCode, 3);
            QVERIFY2(told.complaint.contains(till.journal()), qPrintable(told.complaint));
            QCOMPARE(told.complaint.contains(s("Close the till first")), command.constFirst() == s("supervisor-pin"));
        }
        // Who only looks may look.
        QCOMPARE(till.runPlain(w({"verify-journal", "--journal", "JOURNAL"})).exitCode, 0);
        running.kill();
        QVERIFY(running.waitForFinished(60'000));
    }

    void aJournalThatCannotBeUsedIsNamedAndNothingIsSent_data()
    {
        QTest::addColumn<QStringList>("fault");
        QTest::addColumn<QString>("says");
        QTest::newRow("newer") << QStringList{s("PRAGMA user_version = 999")} << s("newer version");
        QTest::newRow("damaged") << QStringList{s("DROP TRIGGER event_stays"), s("UPDATE event SET data = 'x'")}
                                 << s("damaged");
    }
    void aJournalThatCannotBeUsedIsNamedAndNothingIsSent()
    {
        QFETCH(QStringList, fault);
        QFETCH(QString, says);
        TillAndBank till;
        QCOMPARE(till.charge("A-1", "unread:hold:next=1").exitCode, 12);
        QVERIFY(spoil(till.journal(), fault));
        const qint64 arrivals = till.bank().arrivals();
        for (const QStringList &command : {w({"recover"}), w({"resolve", "--key", "abcd", "--void"})}) {
            const Told told = till.run(command);
            QCOMPARE(told.exitCode, 3);
            QVERIFY2(told.complaint.contains(says), qPrintable(told.complaint));
        }
        const Told charge = till.charge("A-2", nullptr);
        QCOMPARE(charge.exitCode, 3);
        QVERIFY2(charge.complaint.contains(says), qPrintable(charge.complaint));
        QCOMPARE(till.bank().arrivals(), arrivals);
    }
};

IKKAI_TEST_MAIN(JournalCommandsTest)
#include "tst_journal_commands.moc"
