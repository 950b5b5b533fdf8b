#include "core/closing/day_book.h"
#include "core/closing/day_report_codec.h"
#include "tests/support/test.h"
#include "tests/unit/closing/till_journal.h"

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

using namespace ikkai;
using namespace ikkai::test;

class TestDayBook : public test::Test {
    Q_OBJECT

private:
    static int counted(const DayReport &report)
    {
        int count = 0;
        for (const DayTotal &total : report.totals)
            count += total.count;
        return count;
    }
    static QString day(const DayReport &report) { return report.businessDay.toString(Qt::ISODate); }
    static QStringList orders(const QList<DayLine> &lines)
    {
        QStringList all;
        for (const DayLine &line : lines)
            all << line.order.text();
        return all;
    }

private Q_SLOTS:
    void aDayIsClosedUnderTheFirstNumber()
    {
        TillJournal till;
        till.sale(1, inTokyo("2026-05-14T10:00"));
        till.sale(2, inTokyo("2026-05-14T11:00"));
        const DayReport report = till.close(inTokyo("2026-05-14T21:04"));
        QCOMPARE(report.number, 1);
        QCOMPARE(day(report), QStringLiteral("2026-05-14"));
        QCOMPARE(report.closedWallMs, inTokyo("2026-05-14T21:04"));
        QCOMPARE(report.totals, (QList<DayTotal>{{QStringLiteral("approved"), Currency::jpy(), 2, 2'400}}));
        QCOMPARE(report.terminalId, QStringLiteral("till-1"));
    }
    void thePreviewWritesNothingAndSaysWhatClosingWill()
    {
        TillJournal till;
        till.sale(1, inTokyo("2026-05-14T10:00"));
        DayReport preview = till.preview(inTokyo("2026-05-14T21:00"));
        QCOMPARE(preview.number, 0);
        QCOMPARE(preview.closedWallMs, 0);
        QCOMPARE(till.preview(inTokyo("2026-05-14T21:00")), preview);
        const DayReport closed = till.close(inTokyo("2026-05-14T21:04"));
        preview.number = closed.number;
        preview.closedWallMs = closed.closedWallMs;
        QCOMPARE(closed, preview);
    }
    void aSaleAfterClosingGoesToAFurtherReportOfThatDay()
    {
        TillJournal till;
        till.sale(1, inTokyo("2026-05-14T10:00"));
        till.close(inTokyo("2026-05-14T21:04"));
        till.sale(2, inTokyo("2026-05-14T21:05"));
        const DayReport second = till.close(inTokyo("2026-05-14T21:10"));
        QCOMPARE(second.number, 2);
        QCOMPARE(day(second), QStringLiteral("2026-05-14"));
        QCOMPARE(counted(second), 1);
    }
    void theOldestDayIsClosedFirst()
    {
        TillJournal till;
        till.sale(1, inTokyo("2026-05-12T10:00"));
        till.sale(2, inTokyo("2026-05-13T10:00"));
        till.sale(3, inTokyo("2026-05-13T11:00"));
        const qint64 now = inTokyo("2026-05-14T09:00");
        const DayReport first = till.close(now);
        const DayReport second = till.close(now);
        const DayReport third = till.close(now);
        QCOMPARE(day(first) + day(second) + day(third), QStringLiteral("2026-05-122026-05-132026-05-14"));
        QCOMPARE(counted(first), 1);
        QCOMPARE(counted(second), 2);
        QCOMPARE(counted(third), 0); // a day without a sale may be closed too
        QCOMPARE(third.number, 3);
    }

    void case_39_aSaleAfterMidnightInUtcIsOnTheStoresOwnDay()
    {
        TillJournal till;
        till.sale(1, inTokyo("2026-05-14T08:59")); // the 13th in UTC
        till.sale(2, inTokyo("2026-05-14T09:01"));
        QCOMPARE(counted(till.close(inTokyo("2026-05-14T21:00"))), 2);
    }
    void case_39_aBarsDayEndsAtFiveInTheMorning()
    {
        TillJournal till(tokyo(5 * 60));
        till.sale(1, inTokyo("2026-05-14T23:00"));
        till.sale(2, inTokyo("2026-05-15T04:59"));
        till.sale(3, inTokyo("2026-05-15T05:00"));
        const DayReport first = till.close(inTokyo("2026-05-15T05:30"));
        QCOMPARE(day(first), QStringLiteral("2026-05-14"));
        QCOMPARE(counted(first), 2);
        QCOMPARE(first.dayStartsAtMinute, 300);
        QCOMPARE(counted(till.close(inTokyo("2026-05-15T05:30"))), 1);
    }
    void aCheckoutCountsOnTheDayOnWhichItsOutcomeWasLearned()
    {
        TillJournal till;
        till.leftOpen(1, inTokyo("2026-05-13T23:50"));
        till.happen(1, inTokyo("2026-05-14T00:10"), event::InquiryStarted{});
        till.happen(1, inTokyo("2026-05-14T00:10"),
                    event::InquiryEnded{verdict::Approved{SettledBy::Inquiry, details()}, {}});
        const DayReport report = till.close(inTokyo("2026-05-14T21:00"));
        QCOMPARE(day(report), QStringLiteral("2026-05-14"));
        QCOMPARE(counted(report), 1);
    }

    void aClockThatIsSetBackNeitherLosesNorDoublesACheckout()
    {
        TillJournal till;
        till.sale(1, inTokyo("2026-05-14T10:00"));
        till.sale(2, inTokyo("2026-05-15T00:00")); // the clock was ahead ...
        till.close(inTokyo("2026-05-15T00:01"));   // the 14th
        till.sale(3, inTokyo("2026-05-14T23:30")); // ... and is set back
        till.sale(4, inTokyo("2026-05-15T10:00"));
        QStringList told;
        for (int i = 0; i < 3; ++i) {
            const DayReport report = till.close(inTokyo("2026-05-15T21:00"));
            told << QStringLiteral("%1: %2 on %3").arg(report.number).arg(counted(report)).arg(day(report));
        }
        QCOMPARE(told.join(QLatin1Char('\n')),
                 QStringLiteral("2: 1 on 2026-05-15\n3: 1 on 2026-05-14\n4: 1 on 2026-05-15"));
    }

    void case_41_nothingThatIsOpenHindersClosing()
    {
        TillJournal till;
        till.leftOpen(1, inTokyo("2026-05-14T10:00"));
        till.leftOpen(2, inTokyo("2026-05-14T10:05"));
        till.voidStarted(2, inTokyo("2026-05-14T10:06"));
        const DayReport first = till.close(inTokyo("2026-05-14T21:00"));
        QCOMPARE(first.number, 1);
        QCOMPARE(orders(first.carried), (QStringList{QStringLiteral("A-1"), QStringLiteral("A-2")}));
        QCOMPARE(counted(first), 0);
    }
    void case_43_whatIsCarriedIsSeenTheNextDayUntilItIsSettled()
    {
        TillJournal till;
        till.leftOpen(1, inTokyo("2026-05-13T10:00"));
        QCOMPARE(orders(till.close(inTokyo("2026-05-13T21:00")).carried), QStringList{QStringLiteral("A-1")});
        QCOMPARE(orders(till.close(inTokyo("2026-05-14T21:00")).carried), QStringList{QStringLiteral("A-1")});
        till.happen(1, inTokyo("2026-05-15T09:00"), event::InquiryStarted{});
        till.happen(1, inTokyo("2026-05-15T09:00"),
                    event::InquiryEnded{verdict::Declined{SettledBy::Inquiry, details()}, {}});
        const DayReport third = till.close(inTokyo("2026-05-15T21:00"));
        QVERIFY(third.carried.isEmpty());
        QCOMPARE(orders(third.carriedIn), QStringList{QStringLiteral("A-1")});
        QCOMPARE(third.carriedIn.first().state, QStringLiteral("declined"));
    }
    void aNightThatIsClosedInTheMorningCarriesWhatMorningSettled()
    {
        TillJournal till;
        till.sale(1, inTokyo("2026-05-13T10:00"));
        till.leftOpen(2, inTokyo("2026-05-13T23:59"));
        till.happen(2, inTokyo("2026-05-14T08:00"), event::InquiryStarted{});
        till.happen(2, inTokyo("2026-05-14T08:00"),
                    event::InquiryEnded{verdict::Approved{SettledBy::Inquiry, details()}, {}});
        const DayReport night = till.close(inTokyo("2026-05-14T09:00"));
        QCOMPARE(day(night), QStringLiteral("2026-05-13"));
        QCOMPARE(orders(night.carried), QStringList{QStringLiteral("A-2")});
        QCOMPARE(orders(till.close(inTokyo("2026-05-14T21:00")).carriedIn), QStringList{QStringLiteral("A-2")});
    }

    void overridesWriteOffsAndContradictionsAreRemarkedOnce()
    {
        TillJournal till;
        till.leftOpen(1, inTokyo("2026-05-14T10:00"));
        till.voidStarted(1, inTokyo("2026-05-14T10:01"), QStringLiteral("customer could not wait"));
        till.voidAnswered(1, inTokyo("2026-05-14T10:02"), VoidResult::Reversed);
        till.leftOpen(2, inTokyo("2026-05-14T10:03"));
        till.happen(2, inTokyo("2026-05-14T10:04"),
                    event::WrittenOff{state::WrittenOff::Why::LedgerGone, QStringLiteral("bank replaced")});
        till.start(3, inTokyo("2026-05-14T10:05"));
        till.answer(3, inTokyo("2026-05-14T10:05"), verdict::Declined{SettledBy::Answer, details()});
        const DayReport first = till.close(inTokyo("2026-05-14T21:00"));
        QCOMPARE(orders(first.remarks), (QStringList{QStringLiteral("A-1"), QStringLiteral("A-2")}));
        QCOMPARE(first.remarks.at(0).note, QStringLiteral("customer could not wait"));
        QCOMPARE(first.remarks.at(1).state, QStringLiteral("written_off"));

        // The bank says something else of a sale that is in a report already: the next report says so, and only that.
        till.happen(3, inTokyo("2026-05-14T21:30"),
                    event::LateAnswer{1, verdict::Approved{SettledBy::Answer, details()}, {}});
        QVERIFY(till.checkout(3).contradiction.has_value());
        const DayReport second = till.close(inTokyo("2026-05-14T22:00"));
        QCOMPARE(orders(second.remarks), QStringList{QStringLiteral("A-3")});
        QCOMPARE(second.remarks.first().note, QStringLiteral("approved"));
        QCOMPARE(counted(second), 0);
        QVERIFY(till.close(inTokyo("2026-05-14T23:00")).remarks.isEmpty());
    }

    void aClosedDayIsNeverChangedAgain()
    {
        TillJournal till;
        till.sale(1, inTokyo("2026-05-14T10:00"));
        till.close(inTokyo("2026-05-14T21:00"));
        Sql hand(till.file());
        const QString refusal = QStringLiteral("a closed day is not changed");
        for (const char *attempt : {"UPDATE day_report SET number = 7", "UPDATE day_report SET report = '{}'",
                                    "DELETE FROM day_report", "UPDATE day_report SET upto_n = 0"})
            QVERIFY2(hand.run(QString::fromLatin1(attempt)).toString().contains(refusal), attempt);
        QVERIFY(hand.run(QStringLiteral("INSERT INTO day_report VALUES (1, '2026-05-15', 1, 1, '{}')"))
                    .toString()
                    .contains(QStringLiteral("UNIQUE")));
        QCOMPARE(hand.run(QStringLiteral("SELECT count(*) FROM day_report WHERE number = 1")).toInt(), 1);
    }
    void manyWhoCloseAtOnceMakeNoNumberTwice()
    {
        TillJournal till;
        for (int n = 1; n <= 8; ++n)
            till.sale(n, inTokyo("2026-05-01T10:00") + n * 86'400'000LL);
        std::atomic<int> closed = 0;
        std::vector<std::thread> tills;
        for (int i = 0; i < 4; ++i) {
            tills.emplace_back([&till, &closed] {
                for (int k = 0; k < 5; ++k)
                    closed += till.close(inTokyo("2026-05-14T21:00")).number > 0 ? 1 : 0;
            });
        }
        for (std::thread &each : tills)
            each.join();
        QCOMPARE(closed.load(), 20);
        Sql hand(till.file());
        QCOMPARE(hand.all(QStringLiteral("SELECT count(*), min(number), max(number) FROM day_report")),
                 QStringLiteral("20|1|20"));
        QCOMPARE(hand.run(QStringLiteral("SELECT sum((SELECT sum(json_extract(value, '$.count')) FROM "
                                         "json_each(report, '$.totals'))) FROM day_report"))
                     .toInt(),
                 8);
    }
    void aDiskThatIsFullClosesNothing()
    {
        TillJournal till;
        till.sale(1, inTokyo("2026-05-14T10:00"));
        SqliteConnection database(till.file(), JournalAccess::Write);
        QVERIFY(!database.open({till.calendar()}));
        // Every page that is there is in use, and there will be no further one.
        const qint64 pages = database.number(QStringLiteral("PRAGMA page_count")).value();
        QVERIFY(!database.run(QStringLiteral("PRAGMA max_page_count = %1").arg(pages)));
        DayBook book(database, till.calendar(), QString(20'000, QLatin1Char('t')));
        const auto refused = book.close(inTokyo("2026-05-14T21:00"));
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().kind, JournalError::Kind::DiskFull);
        QVERIFY(book.heads().value().isEmpty());
        QVERIFY(!database.run("PRAGMA max_page_count = 1000000"));
        QCOMPARE(book.close(inTokyo("2026-05-14T21:01"))->number, 1);
    }
    void whoIsKilledInTheMiddleOfClosingHasClosedOrNot()
    {
        TillJournal till;
        for (int n = 1; n <= 40; ++n)
            till.sale(n, inTokyo("2026-05-01T10:00") + n * 86'400'000LL);
        till.shutDown(); // SQLite allows no open connection over a fork
        int told = 0;
        for (int round = 1; round <= 12; ++round) {
            int ends[2];
            QCOMPARE(pipe(ends), 0);
            const pid_t closer = fork();
            QVERIFY(closer >= 0);
            if (closer == 0) { // closes day after day, and says so each time
                for (;;) {
                    const char done = till.close(inTokyo("2026-07-01T21:00")).number > 0 ? '+' : '-';
                    if (write(ends[1], &done, 1) != 1)
                        _exit(1);
                }
            }
            close(ends[1]);
            char word = '-';
            for (int i = 0; i < 1 + round % 3; ++i) {
                QCOMPARE(read(ends[0], &word, 1), ssize_t(1));
                QCOMPARE(word, '+');
                ++told;
            }
            kill(closer, SIGKILL); // the next closing is under way
            waitpid(closer, nullptr, 0);
            while (read(ends[0], &word, 1) == 1)
                ++told;
            close(ends[0]);
        }
        SqliteConnection database(till.file(), JournalAccess::ReadOnly);
        QVERIFY(!database.open());
        DayBook book(database, till.calendar(), QStringLiteral("till-1"));
        const QList<DayReportHead> heads = book.heads().value();
        QVERIFY(heads.size() >= told);                                  // what was told is there
        QCOMPARE(heads.first().number, static_cast<int>(heads.size())); // without gaps
        int sales = 0;
        for (const DayReportHead &head : heads) {
            const auto report = book.report(head.number);
            QVERIFY(report.ok() && report.value());
            QCOMPARE(report.value()->number, head.number); // and whole
            sales += head.settled;
        }
        while (sales < 40) {
            const int counted = TestDayBook::counted(till.close(inTokyo("2026-07-01T21:00")));
            QVERIFY(counted > 0);
            sales += counted;
        }
        QCOMPARE(sales, 40); // each in one report
    }
    void aReaderCannotClose()
    {
        TillJournal till;
        SqliteConnection database(till.file(), JournalAccess::ReadOnly);
        QVERIFY(!database.open());
        QCOMPARE(DayBook(database, till.calendar(), {}).close(inTokyo("2026-05-14T21:00")).error().kind,
                 JournalError::Kind::ReadOnly);
    }

    void closedDaysAreListedNewestFirstAndReadBack()
    {
        TillJournal till;
        till.sale(1, inTokyo("2026-05-13T10:00"));
        till.leftOpen(2, inTokyo("2026-05-13T11:00"));
        const DayReport first = till.close(inTokyo("2026-05-13T21:00"));
        till.sale(3, inTokyo("2026-05-14T10:00"));
        till.sale(4, inTokyo("2026-05-14T10:00"));
        const DayReport second = till.close(inTokyo("2026-05-14T21:00"));
        SqliteConnection database(till.file(), JournalAccess::ReadOnly);
        QVERIFY(!database.open());
        DayBook book(database, till.calendar(), QStringLiteral("till-1"));
        const QList<DayReportHead> expected{
            {2, QDate(2026, 5, 14), inTokyo("2026-05-14T21:00"), 2, 1},
            {1, QDate(2026, 5, 13), inTokyo("2026-05-13T21:00"), 1, 1},
        };
        QCOMPARE(book.heads().value(), expected);
        QCOMPARE(book.report(1).value(), first);
        QCOMPARE(book.report(2).value(), second);
        QVERIFY(!book.report(3)->has_value());
    }
    void aClosedDayThatIsDamagedIsNamed()
    {
        TillJournal till;
        Sql hand(till.file());
        hand.run(QStringLiteral("INSERT INTO day_report VALUES (1, '2026-05-15', 1, 0, '{\"number\":1}')"));
        SqliteConnection database(till.file(), JournalAccess::ReadOnly);
        QVERIFY(!database.open());
        const auto read = DayBook(database, till.calendar(), {}).report(1);
        QCOMPARE(read.error().kind, JournalError::Kind::Corrupt);
        QVERIFY2(read.error().detail.contains(QStringLiteral("closed day 1")), qPrintable(read.error().detail));
    }
};

IKKAI_TEST_MAIN(TestDayBook)
#include "tst_day_book.moc"
