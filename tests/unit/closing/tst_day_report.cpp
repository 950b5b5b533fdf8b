#include "core/closing/day_report_codec.h"
#include "core/closing/day_rows.h"
#include "tests/support/test.h"
#include "tests/unit/closing/day_samples.h"

#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>

#include <algorithm>

using namespace ikkai;
using namespace ikkai::test;

class TestDayReport : public test::Test {
    Q_OBJECT

private:
    const QDate m_day{2026, 5, 14};

    [[nodiscard]] DayReport reportOf(const DayRows &rows, const QDate &today = QDate(2026, 5, 14)) const
    {
        return dayReportOf(rows, m_day, today, tokyo(), QStringLiteral("till-1"));
    }
    static QStringList ordersOf(const QList<DayLine> &lines)
    {
        QStringList orders;
        for (const DayLine &line : lines)
            orders << line.order.text();
        return orders;
    }
    static DayReport sample()
    {
        DayRows rows;
        rows.settled = {dayRow(1, "approved", 1'200), dayRow(2, "written_off", 900)};
        rows.settled[1].supervisorReason = QString::fromUtf8("=銀行が入れ替わった");
        rows.unsettled = {dayRow(3, "unknown", 700)};
        rows.carriedBefore = {dayKey(2).text()};
        DayReport report =
            dayReportOf(rows, QDate(2026, 5, 14), QDate(2026, 5, 14), tokyo(300), QStringLiteral("till-1"));
        report.number = 7;
        report.closedWallMs = inTokyo("2026-05-14T21:04");
        return report;
    }

private Q_SLOTS:
    void moneyIsCountedByOutcomeAndCurrency()
    {
        DayRows rows;
        rows.settled = {dayRow(1, "approved", 1'200), dayRow(2, "approved", 99'999'999), dayRow(3, "declined", 500),
                        dayRow(4, "approved", 1'250, "2026-05-14T12:00", "USD"), dayRow(5, "voided", 300)};
        const QList<DayTotal> expected{
            {QStringLiteral("approved"), Currency::jpy(), 2, 100'001'199},
            {QStringLiteral("approved"), Currency::parse(u"USD").value(), 1, 1'250},
            {QStringLiteral("declined"), Currency::jpy(), 1, 500},
            {QStringLiteral("voided"), Currency::jpy(), 1, 300},
        };
        QCOMPARE(reportOf(rows).totals, expected);
        std::reverse(rows.settled.begin(), rows.settled.end());
        QCOMPARE(reportOf(rows).totals, expected);
    }
    void aDayWithoutASaleIsAReportToo()
    {
        const DayReport report = reportOf({});
        QVERIFY(report.totals.isEmpty());
        QCOMPARE(report.businessDay, m_day);
        QCOMPARE(report.zone, QStringLiteral("Asia/Tokyo"));
        QCOMPARE(report.terminalId, QStringLiteral("till-1"));
    }

    void case_43_whatIsOpenIsListedAndNeverCountedAsPaid()
    {
        DayRows rows;
        rows.settled = {dayRow(1, "approved")};
        rows.unsettled = {dayRow(2, "unknown"), dayRow(3, "void_pending")};
        const DayReport report = reportOf(rows);
        QCOMPARE(ordersOf(report.carried), (QStringList{QStringLiteral("A-2"), QStringLiteral("A-3")}));
        QCOMPARE(report.carried.first().state, QStringLiteral("unknown"));
        QCOMPARE(report.totals.size(), 1);
        QCOMPARE(report.totals.first().sumMinor, 1'200);
    }
    void theDayOnWhichItStartedCarriesWhatWasSettledLater()
    {
        DayRows rows; // closed on the 15th for the 14th: it settled this morning
        rows.unsettled = {dayRow(1, "approved", 1'200, "2026-05-14T23:50"),
                          dayRow(2, "approved", 1'200, "2026-05-15T08:00"),
                          dayRow(3, "unknown", 1'200, "2026-05-15T08:00")};
        const DayReport report = reportOf(rows, QDate(2026, 5, 15));
        QCOMPARE(ordersOf(report.carried), QStringList{QStringLiteral("A-1")}); // the others began on a later day
    }
    void whatWasCarriedIsCarriedUntilAReportCountsIt()
    {
        DayRows rows; // a clock that was ahead: it began on a day that is not there yet
        rows.unsettled = {dayRow(1, "unknown", 1'200, "2027-01-01T00:00")};
        QCOMPARE(ordersOf(reportOf(rows).carried), QStringList{QStringLiteral("A-1")}); // today hides nothing
        QVERIFY(reportOf(rows, QDate(2026, 5, 15)).carried.isEmpty());
        rows.carriedBefore = {dayKey(1).text()};
        QCOMPARE(ordersOf(reportOf(rows, QDate(2026, 5, 15)).carried), QStringList{QStringLiteral("A-1")});
    }
    void theNextDayNamesWhatWasCarriedIntoItAndSettled()
    {
        DayRows rows;
        rows.settled = {dayRow(1, "approved"), dayRow(2, "declined")};
        rows.carriedBefore = {dayKey(2).text()};
        QCOMPARE(ordersOf(reportOf(rows).carriedIn), QStringList{QStringLiteral("A-2")});
    }

    void whatIsOutOfTheOrdinaryIsRemarked()
    {
        DayRows rows;
        rows.settled = {dayRow(1, "voided"), dayRow(2, "written_off"), dayRow(3, "approved"), dayRow(4, "approved")};
        rows.settled[0].supervisorReason = QStringLiteral("customer could not wait");
        rows.settled[1].supervisorReason = QStringLiteral("bank replaced");
        rows.settled[2].contradiction = QStringLiteral("declined");
        rows.contradicted = {dayRow(5, "declined", 1'200, "2026-05-13T12:00")};
        rows.contradicted[0].contradiction = QStringLiteral("approved");
        const DayReport report = reportOf(rows);
        QCOMPARE(ordersOf(report.remarks).join(QLatin1Char(' ')), QStringLiteral("A-5 A-1 A-2 A-3"));
        QCOMPARE(report.remarks.at(0).note, QStringLiteral("approved"));
        QCOMPARE(report.remarks.at(1).note, QStringLiteral("customer could not wait"));
    }
    void anOverrideThatIsStillOpenIsCarriedWithItsReason()
    {
        DayRows rows;
        rows.unsettled = {dayRow(1, "void_pending")};
        rows.unsettled[0].supervisorReason = QStringLiteral("customer could not wait");
        QCOMPARE(reportOf(rows).carried.first().note, QStringLiteral("customer could not wait"));
    }

    void aReportIsReadBackAsItWasWritten()
    {
        const auto read = readDayReport(dayReportJson(sample()));
        QVERIFY2(read.ok(), read ? "" : qPrintable(read.error()));
        QCOMPARE(read.value(), sample());
    }
    void theExportSaysWhenOnTheStoresOwnClock()
    {
        const QJsonObject object = QJsonDocument::fromJson(dayReportJson(sample())).object();
        QCOMPARE(object.value(QStringLiteral("closed_at")).toString(), QStringLiteral("2026-05-14T21:04:00.000+09:00"));
        QCOMPARE(object.value(QStringLiteral("totals")).toArray().at(0).toObject().value(QStringLiteral("sum_minor")),
                 QJsonValue(1'200));
    }
    void aReportThatIsDamagedNamesItsMember_data()
    {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<QString>("member");
        QTest::newRow("no number") << QByteArray("\"number\"") << QByteArray("\"numbre\"") << QStringLiteral("number");
        QTest::newRow("fraction") << QByteArray("\"sum_minor\": 1200") << QByteArray("\"sum_minor\": 1200.5")
                                  << QStringLiteral("totals[0].sum_minor");
        QTest::newRow("day") << QByteArray("\"2026-05-14\"") << QByteArray("\"2026-05-99\"")
                             << QStringLiteral("business_day");
        QTest::newRow("amount") << QByteArray("\"amount_minor\": 700") << QByteArray("\"amount_minor\": 0")
                                << QStringLiteral("carried[0].amount_minor");
        QTest::newRow("currency") << QByteArray("\"currency\": \"JPY\",\n            \"outcome\": \"app")
                                  << QByteArray("\"currency\": \"XXQ\",\n            \"outcome\": \"app")
                                  << QStringLiteral("totals[0].currency");
    }
    void aReportThatIsDamagedNamesItsMember()
    {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        QFETCH(QString, member);
        QByteArray json = dayReportJson(sample());
        json.replace(from, to);
        const auto read = readDayReport(json);
        QVERIFY(!read.ok());
        QVERIFY2(read.error().contains(member), qPrintable(read.error()));
    }

    void theTableNamesTheDayItsTotalsAndWhatItLists()
    {
        const QByteArray csv = dayReportCsv(sample());
        const QList<QByteArray> lines = csv.trimmed().split('\n');
        QCOMPARE(lines.size(), 1 + 1 + 2 + 1 + 1 + 1);
        QVERIFY(csv.startsWith("\xEF\xBB\xBF\"report\",\"business_day\""));
        QVERIFY(csv.contains("7,\"2026-05-14\",\"2026-05-14T21:04:00.000+09:00\",\"till-1\",\"day\",,,2,"));
        QVERIFY(csv.contains("\"total\",\"approved\",\"JPY\",1,1200,"));
        for (const QByteArray &line : lines)
            QCOMPARE(line.count(','), 12);
    }
    void aSupervisorsReasonIsNoFormula() { QVERIFY(dayReportCsv(sample()).contains("\"'=\xE9\x8A\x80")); }
};

IKKAI_TEST_MAIN(TestDayReport)
#include "tst_day_report.moc"
