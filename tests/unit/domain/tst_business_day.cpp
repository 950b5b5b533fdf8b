#include "core/domain/business_day.h"
#include "tests/support/test.h"

#include <QtCore/QDateTime>

using namespace ikkai;

namespace {

qint64 utcMs(const char *iso)
{
    const QDateTime moment = QDateTime::fromString(QString::fromLatin1(iso), Qt::ISODate);
    return moment.isValid() ? moment.toMSecsSinceEpoch() : -1;
}

BusinessCalendar calendarOf(const char *zone, int startsAtMinute = 0)
{
    return {QTimeZone(zone), startsAtMinute};
}

} // namespace

class TestBusinessDay : public ikkai::test::Test {
    Q_OBJECT

private Q_SLOTS:
    void case_39_a_sale_counts_on_the_day_of_its_store_data()
    {
        QTest::addColumn<QByteArray>("zone");
        QTest::addColumn<int>("startsAtMinute");
        QTest::addColumn<QByteArray>("moment");
        QTest::addColumn<QByteArray>("day");
        const auto row = [](const char *name, const char *zone, int startsAtMinute, const char *moment,
                            const char *day) {
            QTest::newRow(name) << QByteArray(zone) << startsAtMinute << QByteArray(moment) << QByteArray(day);
        };
        row("one moment in Tokyo is tomorrow", "Asia/Tokyo", 0, "2026-06-30T15:00:00Z", "2026-07-01");
        row("and still today in Greenwich", "UTC", 0, "2026-06-30T15:00:00Z", "2026-06-30");
        row("a second before Tokyo's midnight", "Asia/Tokyo", 0, "2026-06-30T14:59:59Z", "2026-06-30");
        row("Greenwich's midnight is no border in Tokyo", "Asia/Tokyo", 0, "2026-07-01T00:00:00Z", "2026-07-01");
        row("after midnight in a bar", "Asia/Tokyo", 300, "2026-06-30T19:59:59Z", "2026-06-30");
        row("five in the morning in a bar", "Asia/Tokyo", 300, "2026-06-30T20:00:00Z", "2026-07-01");
        row("a day that begins in the evening", "Asia/Tokyo", 1439, "2026-06-30T14:58:59Z", "2026-06-29");
        row("the minute in which it begins", "Asia/Tokyo", 1439, "2026-06-30T14:59:00Z", "2026-06-30");
        row("half an hour off", "Asia/Kolkata", 0, "2026-06-30T18:30:00Z", "2026-07-01");
        row("leap day", "Asia/Tokyo", 0, "2028-02-28T15:00:00Z", "2028-02-29");
        row("new year", "Asia/Tokyo", 0, "2026-12-31T15:00:00Z", "2027-01-01");
        // Berlin: 29 March 2026, 02:00 becomes 03:00; 25 October 2026, 03:00 becomes 02:00.
        row("before the day that begins in the gap", "Europe/Berlin", 150, "2026-03-29T00:59:59Z", "2026-03-28");
        row("the first moment after the gap", "Europe/Berlin", 150, "2026-03-29T01:00:00Z", "2026-03-29");
        row("a short day's last second", "Europe/Berlin", 0, "2026-03-29T21:59:59Z", "2026-03-29");
        row("five o'clock after the gap", "Europe/Berlin", 300, "2026-03-29T03:00:00Z", "2026-03-29");
        row("a second before five after the gap", "Europe/Berlin", 300, "2026-03-29T02:59:59Z", "2026-03-28");
        row("a long day's last second", "Europe/Berlin", 0, "2026-10-25T22:59:59Z", "2026-10-25");
        row("five o'clock after the repeated hour", "Europe/Berlin", 300, "2026-10-25T04:00:00Z", "2026-10-25");
        // Lord Howe Island moves by half an hour, Santiago at midnight itself: 6 September 2026, 00:00 becomes 01:00.
        row("no midnight on this day", "America/Santiago", 0, "2026-09-06T03:59:59Z", "2026-09-05");
        row("the day without a midnight begins at one", "America/Santiago", 0, "2026-09-06T04:00:00Z", "2026-09-06");
        row("half an hour of summer", "Australia/Lord_Howe", 0, "2026-10-03T13:30:00Z", "2026-10-04");
    }
    void case_39_a_sale_counts_on_the_day_of_its_store()
    {
        QFETCH(QByteArray, zone);
        QFETCH(int, startsAtMinute);
        QFETCH(QByteArray, moment);
        QFETCH(QByteArray, day);
        const BusinessCalendar calendar = calendarOf(zone, startsAtMinute);
        QVERIFY(calendar.zone.isValid());
        QVERIFY(utcMs(moment) > 0);
        QCOMPARE(businessDayOf(calendar, utcMs(moment)).toString(Qt::ISODate), QString::fromLatin1(day));
    }

    /// Every hour of two years, in zones that put their clocks forward and back, at every kind of day's start: a day
    /// begins when it is said to, no moment belongs to two days, and days follow each other without a gap.
    void days_are_without_gaps_and_never_overlap_data()
    {
        QTest::addColumn<QByteArray>("zone");
        for (const char *zone : {"Asia/Tokyo", "UTC", "Europe/Berlin", "America/New_York", "America/Santiago",
                                 "Australia/Lord_Howe", "Pacific/Apia"})
            QTest::newRow(zone) << QByteArray(zone);
    }
    void days_are_without_gaps_and_never_overlap()
    {
        QFETCH(QByteArray, zone);
        for (const int startsAtMinute : {0, 150, 300, 1439}) {
            const BusinessCalendar calendar = calendarOf(zone, startsAtMinute);
            QDate before;
            for (qint64 ms = utcMs("2026-01-01T00:00:00Z"); ms < utcMs("2027-12-31T00:00:00Z"); ms += 3'600'000) {
                const QDate day = businessDayOf(calendar, ms);
                QVERIFY(businessDayStartMs(calendar, day) <= ms);
                QVERIFY(businessDayStartMs(calendar, day.addDays(1)) > ms);
                QVERIFY(!before.isValid() || day == before || day == before.addDays(1));
                before = day;
            }
        }
    }

    void a_day_that_begins_where_the_clocks_skip_begins_after_the_gap()
    {
        const BusinessCalendar calendar = calendarOf("Europe/Berlin", 150);
        QCOMPARE(businessDayStartMs(calendar, QDate(2026, 3, 29)), utcMs("2026-03-29T01:00:00Z"));
        QCOMPARE(businessDayStartMs(calendar, QDate(2026, 3, 30)), utcMs("2026-03-30T00:30:00Z"));
    }

    /// Samoa crossed the date line: its 30 December 2011 was never there.
    void a_day_that_was_left_out_is_nobodys_day()
    {
        const BusinessCalendar calendar = calendarOf("Pacific/Apia");
        QCOMPARE(businessDayOf(calendar, utcMs("2011-12-30T09:59:59Z")), QDate(2011, 12, 29));
        QCOMPARE(businessDayOf(calendar, utcMs("2011-12-30T10:00:00Z")), QDate(2011, 12, 31));
    }

    void a_start_at_an_hour_that_comes_twice_is_its_first_one()
    {
        const BusinessCalendar calendar = calendarOf("Europe/Berlin", 150);
        QCOMPARE(businessDayStartMs(calendar, QDate(2026, 10, 25)), utcMs("2026-10-25T00:30:00Z"));
    }
};

IKKAI_TEST_MAIN(TestBusinessDay)
#include "tst_business_day.moc"
