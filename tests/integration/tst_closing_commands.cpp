#include "tests/integration/till_and_bank.h"
#include "tests/support/test.h"

#include <QtCore/QDateTime>
#include <QtCore/QTimeZone>

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

QByteArray contentOf(const QString &name)
{
    QFile file(name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(not there)");
}

} // namespace

/// export, reconcile and close-day: what a shop takes home, as processes.
class ClosingCommandsTest : public ikkai::test::Test {
    Q_OBJECT

private Q_SLOTS:
    void theHistoryIsExportedAndNoSpreadsheetRunsIt()
    {
        TillAndBank till;
        QCOMPARE(till.charge("=A-1", nullptr).exitCode, 0);
        QCOMPARE(till.charge("B-2", "unread:hold:next=1").exitCode, 12);
        const QString csv = till.file("all.csv");
        const Told told = till.runPlain(
            w({"export", "--journal", "JOURNAL", "--store-zone", "Asia/Tokyo", "--output"}) + QStringList{csv});
        QCOMPARE(told.exitCode, 0);
        QVERIFY2(told.text.contains(s("2 checkouts")), qPrintable(told.text));
        QVERIFY(contentOf(csv).contains("'=A-1"));
        QVERIFY(contentOf(csv).contains("+09:00"));
        const QString json = till.file("open.json");
        const Told open = till.runPlain(
            w({"export", "--journal", "JOURNAL", "--state", "unknown", "--order-text", "b-", "--output"}) +
            QStringList{json});
        QCOMPARE(open.exitCode, 0);
        const QJsonArray rows = QJsonDocument::fromJson(contentOf(json)).array();
        QCOMPARE(rows.size(), 1);
        QCOMPARE(rows.first().toObject().value(s("order_id")).toString(), s("B-2"));
    }

    void anExportThatCannotBeWrittenLeavesNothingBehind()
    {
        TillAndBank till;
        QCOMPARE(till.charge("A-1", nullptr).exitCode, 0);
        const Told told = till.runPlain(w({"export", "--journal", "JOURNAL", "--output", "/proc/nowhere/history.csv"}));
        QCOMPARE(told.exitCode, 1);
        QVERIFY2(told.complaint.contains(s("/proc/nowhere/history.csv")), qPrintable(told.complaint));
    }

    void badInputGetsOneClearLineAndWritesNothing_data()
    {
        QTest::addColumn<QStringList>("command");
        QTest::addColumn<QString>("names");
        QTest::newRow("no output") << w({"export"}) << s("--output");
        QTest::newRow("unknown state") << w({"export", "--output", "x.csv", "--state", "paid"}) << s("--state");
        QTest::newRow("bad day") << w({"export", "--output", "x.csv", "--day", "30.11.2026"}) << s("--day");
        QTest::newRow("bad format") << w({"export", "--output", "x.csv", "--format", "xml"}) << s("--format");
        QTest::newRow("days reversed") << w({"reconcile", "--from", "2026-11-30", "--to", "2026-11-29"}) << s("--to");
        QTest::newRow("format of no file") << w({"reconcile", "--format", "csv"}) << s("--output");
        QTest::newRow("bad from") << w({"reconcile", "--from", "yesterday"}) << s("--from");
        QTest::newRow("bad day start") << w({"close-day", "--day-starts", "noon"}) << s("--day-starts");
    }
    void badInputGetsOneClearLineAndWritesNothing()
    {
        QFETCH(QStringList, command);
        QFETCH(QString, names);
        TillAndBank till;
        const Told told = till.runPlain(command + w({"--journal", "JOURNAL"}));
        QCOMPARE(told.exitCode, 2);
        QVERIFY2(told.complaint.contains(names), qPrintable(told.complaint));
        QCOMPARE(told.complaint.trimmed().count(QLatin1Char('\n')), 0);
        QVERIFY(!QFile::exists(till.journal()));
    }

    void whoOnlyLooksMakesNoJournal_data()
    {
        QTest::addColumn<QStringList>("command");
        QTest::newRow("export") << w({"export", "--output", "x.csv"});
        QTest::newRow("reconcile") << w({"reconcile", "--server", "URL"});
        QTest::newRow("close-day") << w({"close-day"});
    }
    void whoOnlyLooksMakesNoJournal()
    {
        QFETCH(QStringList, command);
        TillAndBank till;
        const Told told = till.runPlain(command + w({"--journal", "JOURNAL"}));
        QCOMPARE(told.exitCode, 3);
        QVERIFY2(told.complaint.contains(till.journal()), qPrintable(told.complaint));
        QVERIFY(!QFile::exists(till.journal()));
    }

    void aTillThatAgreesWithItsBankHasNoDifference()
    {
        TillAndBank till;
        QCOMPARE(till.charge("A-1", nullptr).exitCode, 0);
        const Told told = till.runPlain(w({"reconcile", "--json", "--server", "URL", "--journal", "JOURNAL"}));
        QVERIFY2(told.exitCode == 0, qPrintable(told.complaint));
        QCOMPARE(told.number("bank_rows"), 1);
        QCOMPARE(told.number("our_rows"), 1);
        QCOMPARE(told.outcome().value(s("differences")).toArray().size(), 0);
    }

    void moneyThatMovedWithoutTheTillIsFoundAndWrittenDown()
    {
        TillAndBank till;
        QCOMPARE(till.charge("A-1", nullptr).exitCode, 0);
        // Somebody used this till's name behind its back. Rows younger than 5 s wait, so the bank's clock is set back.
        QCOMPARE(till.bank().control("POST", "clock", R"({"action":"freeze"})").status, 200);
        const QByteArray body =
            R"({"order_id":"A-9","amount":700,"currency":"JPY","source":"card_ok","terminal_id":"till-1"})";
        QCOMPARE(till.bank().charge("behind-its-back", 1, body).status, 201);
        QCOMPARE(till.bank().control("POST", "clock", R"({"advance_ms":60000})").status, 200);
        const QString file = till.file("differences.csv");
        const QStringList command =
            w({"reconcile", "--server", "URL", "--journal", "JOURNAL", "--output"}) + QStringList{file};
        QTRY_COMPARE_WITH_TIMEOUT(till.runPlain(command).exitCode, 20, 30'000);
        const Told told = till.runPlain(command);
        QVERIFY2(told.text.contains(s("unknown_origin")) && told.text.contains(s("A-9")), qPrintable(told.text));
        QVERIFY(contentOf(file).contains("behind-its-back"));
    }

    void theEmbeddedBankIsReadBesideTheTillThatRunsIt()
    {
        TillAndBank till;
        const QStringList charge = w({"charge", "--amount", "1200", "--json", "--journal", "JOURNAL", "--order"});
        QCOMPARE(till.runPlain(charge + w({"A-1"})).exitCode, 0);
        QProcess running;
        running.start(s(PAYMENT_TERMINAL),
                      w({"charge", "--order", "A-2", "--amount", "1200", "--json", "--attempt-deadline", "20s",
                         "--fault", "unread:hold:next=1", "--journal"}) +
                          QStringList{till.journal()});
        QVERIFY(running.waitForReadyRead(60'000));
        const Told told = till.runPlain(w({"reconcile", "--json", "--journal", "JOURNAL"}));
        QVERIFY2(told.exitCode == 0, qPrintable(told.complaint));
        QCOMPARE(told.number("bank_rows"), 1);
        running.kill();
        QVERIFY(running.waitForFinished(60'000));
    }

    void aBankThatCannotBeReadIsNotTakenForAgreement()
    {
        TillAndBank till;
        QCOMPARE(till.charge("A-1", nullptr).exitCode, 0);
        const Told told = till.runPlain(w({"reconcile", "--server", "http://127.0.0.1:9", "--journal", "JOURNAL"}));
        QCOMPARE(told.exitCode, 12);
        QCOMPARE(told.complaint.trimmed().count(QLatin1Char('\n')), 0);
        const Told nowhere = till.runPlain(w({"reconcile", "--journal", "JOURNAL"}));
        QCOMPARE(nowhere.exitCode, 2);
        QVERIFY2(nowhere.complaint.contains(s("--server")), qPrintable(nowhere.complaint));
    }

    void aDayIsClosedOnceAndWhatIsOpenIsCarried() // case_39, case_41
    {
        TillAndBank till;
        QCOMPARE(till.charge("A-1", nullptr).exitCode, 0);
        QCOMPARE(till.charge("A-2", "unread:hold:next=1").exitCode, 12);
        const Told first = till.runPlain(
            w({"close-day", "--json", "--journal", "JOURNAL", "--store-zone", "Asia/Tokyo", "--day-starts", "05:00"}));
        QVERIFY2(first.exitCode == 0, qPrintable(first.complaint));
        QCOMPARE(first.number("number"), 1);
        QCOMPARE(first.number("day_starts_at_minute"), 300);
        QCOMPARE(first.outcome().value(s("zone")).toString(), s("Asia/Tokyo"));
        QCOMPARE(first.outcome().value(s("totals")).toArray().size(), 1);
        QCOMPARE(first.outcome().value(s("carried")).toArray().size(), 1);
        const Told people = till.runPlain(w({"close-day", "--journal", "JOURNAL"}));
        QVERIFY2(people.text.contains(s("Report 2")) && people.text.contains(s("still open: A-2")),
                 qPrintable(people.text));
    }

    void whatWasLearnedBeforeTheDayBeganCountsOnTheDayBefore()
    {
        TillAndBank till;
        // The store's business day begins a minute after this very moment: so it is still yesterday.
        // It stands in Tokyo, or in New York where Tokyo is about to go to bed: it is midnight in one of them at the
        // most.
        const auto nowIn = [](const char *zone) { return QDateTime::currentDateTimeUtc().toTimeZone(QTimeZone(zone)); };
        const bool isLateInTokyo = nowIn("Asia/Tokyo").time().hour() == 23;
        const char *zone = isLateInTokyo ? "America/New_York" : "Asia/Tokyo";
        const QDateTime now = nowIn(zone);
        const QString starts = now.time().addSecs(120).toString(s("HH:mm"));
        const QStringList calendar = w({"--store-zone", zone, "--day-starts"}) + QStringList{starts};
        QCOMPARE(till.charge("A-1", nullptr, calendar).exitCode, 0);
        const Told told = till.runPlain(w({"close-day", "--json", "--journal", "JOURNAL"}) + calendar);
        QCOMPARE(told.exitCode, 0);
        QCOMPARE(told.outcome().value(s("business_day")).toString(), now.date().addDays(-1).toString(Qt::ISODate));
    }
};

IKKAI_TEST_MAIN(ClosingCommandsTest)
#include "tst_closing_commands.moc"
