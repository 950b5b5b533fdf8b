#include "tests/support/test.h"
#include "tests/ui/fake_history.h"

#include "ui/history/history_client.h"
#include "ui/history/history_model.h"
#include "ui/i18n/store_time.h"

#include <QtTest/QAbstractItemModelTester>
#include <QtTest/QSignalSpy>

using namespace ikkai;
using namespace ikkai::test;

namespace {

/// The model on a journal that the test plays; Qt's own tester looks over its shoulder all the time.
struct Book {
    FakeHistory source;
    HistoryClient client{&source};
    HistoryModel model{&client};
    QAbstractItemModelTester tester{&model, QAbstractItemModelTester::FailureReportingMode::QtTest};

    explicit Book(qint64 plain = 0)
        : source(plain)
    {
        tester.setUseFetchMore(false); // it would read on and on; the test says when
    }
    void open(const HistoryFilter &filter = {})
    {
        model.setFilter(filter);
        settle();
    }
    static void settle()
    {
        for (int i = 0; i < 10; ++i)
            QCoreApplication::processEvents();
    }
    void more()
    {
        model.fetchMore({});
        settle();
    }
    [[nodiscard]] QStringList orders() const
    {
        QStringList all;
        for (int row = 0; row < model.rowCount(); ++row)
            all << model.index(row, HistoryModel::Order).data().toString();
        return all;
    }
    [[nodiscard]] bool isNewestFirst() const
    {
        for (int row = 1; row < model.rowCount(); ++row) {
            if (!(model.at(row).key < model.at(row - 1).key))
                return false;
        }
        return true;
    }
};

constexpr qint64 noonMs = 1'778'727'600'000;

Story sale(int minute, const QString &order, qint64 amountMinor = 1'200)
{
    return {noonMs + minute * 60'000, order, amountMinor,
            QStringLiteral("%1").arg(0xa000 + minute, 4, 16, QLatin1Char('0'))};
}

} // namespace

class HistoryModelTest : public Test {
    Q_OBJECT

private Q_SLOTS:
    void payments_come_page_by_page_newest_first()
    {
        Book book(250);
        QVERIFY(!book.model.canFetchMore({}));
        book.open();
        QCOMPARE(book.model.rowCount(), HistoryModel::pageRows);
        QCOMPARE(book.model.total(), 250);
        QCOMPARE(book.orders().first(), QStringLiteral("P-249"));
        book.more();
        QCOMPARE(book.model.rowCount(), 200);
        QVERIFY(!book.model.isComplete());
        book.more();
        QCOMPARE(book.model.rowCount(), 250);
        QVERIFY(book.model.isComplete());
        QVERIFY(!book.model.canFetchMore({}));
        QVERIFY(book.isNewestFirst());
        QCOMPARE(book.orders().last(), QStringLiteral("P-0"));
    }
    void qts_own_tester_may_fetch_as_it_likes()
    {
        Book book(450);
        book.tester.setUseFetchMore(true);
        book.open();
        QVERIFY(book.model.rowCount() > HistoryModel::pageRows);
        while (book.model.canFetchMore({}))
            book.more();
        QCOMPARE(book.model.rowCount(), 450);
        QVERIFY(book.isNewestFirst());
    }
    void every_page_is_asked_for_by_the_last_row_that_is_there()
    {
        Book book(250);
        book.open();
        const IdempotencyKey last = book.model.at(99).key;
        book.source.requests.clear();
        book.more();
        QCOMPARE(book.source.requests.size(), 1U);
        QCOMPARE(book.source.requests.front().after, last);
        QCOMPARE(book.source.requests.front().limit, HistoryModel::pageRows);
        QVERIFY(!book.source.requests.front().countAll);
    }
    void one_page_is_on_its_way_at_a_time()
    {
        Book book(1'000);
        book.open();
        book.source.holds = true;
        book.source.requests.clear();
        book.model.fetchMore({});
        book.model.fetchMore({});
        QVERIFY(!book.model.canFetchMore({}));
        Book::settle();
        QCOMPARE(book.source.requests.size(), 1U);
        book.source.release();
        Book::settle();
        QCOMPARE(book.model.rowCount(), 200);
    }
    void case_40_a_million_payments_open_with_one_page()
    {
        Book book(1'000'000);
        book.open();
        QCOMPARE(book.model.rowCount(), HistoryModel::pageRows);
        QCOMPARE(book.model.total(), 1'000'000);
        for (const HistoryRequest &request : book.source.requests)
            QVERIFY(request.limit <= HistoryModel::pageRows);
    }
    void case_40_no_row_is_held_back_by_counting()
    {
        Book book(500);
        book.source.holds = true;
        book.open();
        QVERIFY(!book.source.requests.front().countAll);
        QVERIFY(book.source.requests.at(1).countAll);
    }
    void a_page_of_an_older_filter_is_ignored()
    {
        Book book;
        book.source.tell(sale(1, QStringLiteral("A-1")).approved());
        book.source.tell(sale(2, QStringLiteral("A-2")).declined());
        book.source.holds = true;
        book.open();
        HistoryFilter paid;
        paid.states = QStringList{QStringLiteral("approved")};
        book.open(paid);
        QCOMPARE(book.source.held(), 4U);
        book.source.release(); // the two pages of the older filter come first
        Book::settle();
        QCOMPARE(book.orders(), QStringList{QStringLiteral("A-1")});
        QCOMPARE(book.model.total(), 1);
    }
    void more_rows_of_an_older_filter_are_ignored()
    {
        Book book(250);
        book.open();
        book.source.holds = true;
        book.model.fetchMore({});
        HistoryFilter declined;
        declined.states = QStringList{QStringLiteral("declined")};
        book.model.setFilter(declined);
        Book::settle();
        book.source.release();
        Book::settle();
        QCOMPARE(book.model.rowCount(), 25);
        QVERIFY(book.model.isComplete());
    }
    void what_is_there_stays_until_the_new_rows_have_come()
    {
        Book book(50);
        book.open();
        book.source.holds = true;
        HistoryFilter filter;
        filter.text = QStringLiteral("P-49");
        book.open(filter);
        QVERIFY(book.model.isReadingFirst());
        QCOMPARE(book.model.rowCount(), 50);
        QVERIFY(!book.model.canFetchMore({}));
        book.source.release();
        Book::settle();
        QCOMPARE(book.orders(), QStringList{QStringLiteral("P-49")});
    }
    void a_payment_that_settles_changes_in_its_place()
    {
        Book book;
        Story open = sale(2, QStringLiteral("A-2"));
        book.source.tell(sale(1, QStringLiteral("A-1")).approved());
        book.source.tell(open);
        book.source.tell(sale(3, QStringLiteral("A-3")).approved());
        book.open();
        QSignalSpy changed(&book.model, &QAbstractItemModel::dataChanged);
        QSignalSpy resets(&book.model, &QAbstractItemModel::modelReset);
        book.source.tell(open.approved());
        book.model.refresh(open.key());
        Book::settle();
        QCOMPARE(book.model.at(1).state, QStringLiteral("approved"));
        QCOMPARE(changed.size(), 1);
        QCOMPARE(changed.first().first().toModelIndex().row(), 1);
        QCOMPARE(resets.size(), 0);
        QCOMPARE(book.model.total(), 3);
    }
    void a_new_payment_comes_in_at_the_top()
    {
        Book book(300);
        book.open();
        const Story fresh = sale(5, QStringLiteral("A-5"));
        book.source.tell(fresh);
        book.model.refresh(fresh.key());
        Book::settle();
        QCOMPARE(book.orders().first(), QStringLiteral("A-5"));
        QCOMPARE(book.model.rowCount(), HistoryModel::pageRows + 1);
        QCOMPARE(book.model.total(), 301);
        book.more();
        QVERIFY(book.isNewestFirst());
        QCOMPARE(book.model.rowCount(), 2 * HistoryModel::pageRows + 1);
    }
    void two_new_payments_at_once_both_come_in()
    {
        Book book(300);
        book.open();
        book.source.tell(sale(5, QStringLiteral("A-5")));
        book.source.tell(sale(6, QStringLiteral("A-6")));
        book.model.refresh(sale(5, QStringLiteral("A-5")).key());
        book.model.refresh(sale(6, QStringLiteral("A-6")).key());
        Book::settle();
        QCOMPARE(book.orders().mid(0, 3),
                 (QStringList{QStringLiteral("A-6"), QStringLiteral("A-5"), QStringLiteral("P-299")}));
        QCOMPARE(book.model.total(), 302);
    }
    void many_new_payments_between_do_not_hide_the_one_that_is_looked_for()
    {
        Book book(10);
        book.open();
        for (int minute = 1; minute <= 60; ++minute)
            book.source.tell(sale(minute, QStringLiteral("A-%1").arg(minute)));
        book.model.refresh(sale(1, QStringLiteral("A-1")).key());
        Book::settle();
        QCOMPARE(book.model.rowCount(), 70);
        QVERIFY(book.isNewestFirst());
        QCOMPARE(book.model.total(), 70);
    }
    void a_payment_that_no_longer_fits_the_filter_goes()
    {
        Book book;
        Story open = sale(2, QStringLiteral("A-2"));
        open.leftUnknown();
        Story other = sale(3, QStringLiteral("A-3"));
        other.leftUnknown();
        book.source.tell(open);
        book.source.tell(other);
        HistoryFilter unknown;
        unknown.states = QStringList{QStringLiteral("unknown")};
        book.open(unknown);
        QCOMPARE(book.model.rowCount(), 2);
        book.source.tell(open.after(10, event::InquiryStarted{})
                             .after(90, event::InquiryEnded{verdict::Approved{SettledBy::Inquiry, {}}, {}}));
        book.model.refresh(open.key());
        Book::settle();
        QCOMPARE(book.orders(), QStringList{QStringLiteral("A-3")});
        QCOMPARE(book.model.total(), 1);
    }
    void a_change_to_a_payment_that_was_not_read_yet_reads_nothing()
    {
        Book book(300);
        book.open();
        book.source.requests.clear();
        book.model.refresh(FakeHistory::plainRow(3).key);
        Book::settle();
        QVERIFY(book.source.requests.empty());
    }
    void changes_are_looked_at_one_after_the_other()
    {
        Book book(50);
        book.open();
        book.source.holds = true;
        book.source.requests.clear();
        for (int n = 0; n < 20; ++n)
            book.model.refresh(FakeHistory::plainRow(40 + n % 5).key);
        Book::settle();
        QCOMPARE(book.source.requests.size(), 1U);
        book.source.holds = false;
        book.source.release();
        Book::settle();
        QVERIFY(book.source.requests.size() <= 6U);
        QCOMPARE(book.model.rowCount(), 50);
    }
    void a_journal_that_cannot_be_read_is_said_and_read_again_on_demand()
    {
        Book book(250);
        book.source.refuse = QStringLiteral("journal.sqlite: disk I/O error");
        book.open();
        QCOMPARE(book.model.rowCount(), 0);
        QCOMPARE(book.model.trouble(), QStringLiteral("journal.sqlite: disk I/O error"));
        QVERIFY(!book.model.canFetchMore({}));
        book.source.refuse.clear();
        book.model.retry();
        Book::settle();
        QVERIFY(book.model.trouble().isEmpty());
        QCOMPARE(book.model.rowCount(), HistoryModel::pageRows);
    }
    void rows_that_are_there_survive_a_failure_further_down()
    {
        Book book(250);
        book.open();
        book.source.refuse = QStringLiteral("journal.sqlite: disk I/O error");
        book.more();
        QCOMPARE(book.model.rowCount(), HistoryModel::pageRows);
        QVERIFY(!book.model.trouble().isEmpty());
        QVERIFY(!book.model.canFetchMore({})); // a view at its end would ask for ever
        book.source.refuse.clear();
        book.model.retry();
        Book::settle();
        QCOMPARE(book.model.rowCount(), 2 * HistoryModel::pageRows);
    }
    void an_empty_journal_is_complete()
    {
        Book book;
        book.open();
        QCOMPARE(book.model.rowCount(), 0);
        QVERIFY(book.model.isComplete());
        QCOMPARE(book.model.total(), 0);
        QVERIFY(book.model.trouble().isEmpty());
    }
    void case_43_each_row_says_its_own_state()
    {
        Book book;
        book.source.tell(sale(1, QStringLiteral("A-1")).onceByReplay());
        book.source.tell(sale(2, QStringLiteral("A-2")).leftUnknown());
        book.source.tell(sale(3, QStringLiteral("A-3")).unreachable());
        book.source.tell(sale(4, QStringLiteral("A-4")).declined());
        book.source.tell(sale(5, QStringLiteral("A-5")).leftUnknown().voidStarted());
        book.source.tell(sale(6, QStringLiteral("A-6")).leftUnknown().voidStarted().voided());
        book.open();
        const auto words = [&book](int row) { return book.model.wordsAt(row); };
        QCOMPARE(words(5), (RowWords{QStringLiteral("Paid, charged once"), icons::Icon::Once, theme::Role::Ok}));
        QCOMPARE(words(4), (RowWords{QStringLiteral("Outcome not known yet"), icons::Icon::Unknown, theme::Role::Unk}));
        QCOMPARE(words(3),
                 (RowWords{QStringLiteral("Not sent, nothing was charged"), icons::Icon::NotSent, theme::Role::Neu}));
        QCOMPARE(words(2), (RowWords{QStringLiteral("Declined"), icons::Icon::Refused, theme::Role::Bad}));
        QCOMPARE(words(1), (RowWords{QStringLiteral("Cancelling safely"), icons::Icon::Working, theme::Role::Wrk}));
        QCOMPARE(words(0), (RowWords{QStringLiteral("Voided"), icons::Icon::Voided, theme::Role::Neu}));
    }
    void a_payment_that_the_bank_contradicts_is_red_in_the_list()
    {
        Book book;
        Story story = sale(1, QStringLiteral("A-1"));
        story.silence().after(400, event::WaitElapsed{2}).declined();
        story.after(
            100, event::LateAnswer{1, verdict::Approved{SettledBy::Answer, {QStringLiteral("ch_1"), {}, {}, {}}}, {}});
        QVERIFY(story.checkout().contradiction.has_value());
        book.source.tell(story);
        book.open();
        QCOMPARE(book.model.wordsAt(0),
                 (RowWords{QStringLiteral("Look at this one"), icons::Icon::Contradiction, theme::Role::Bad}));
    }
    void times_are_the_stores_own()
    {
        store::useCalendar({tokyo(), 0});
        Book book;
        book.source.tell(sale(4, QStringLiteral("A-1")).approved()); // 2026-05-14 03:04 UTC
        book.open();
        const auto time = [&book] { return book.model.index(0, HistoryModel::Time).data().toString(); };
        book.model.setToday(QDate(2026, 5, 14));
        QCOMPARE(time(), QStringLiteral("12:04:00"));
        book.model.setToday(QDate(2026, 5, 15));
        QCOMPARE(time(), QStringLiteral("05-14 12:04"));
        book.model.setToday(QDate(2027, 1, 2));
        QCOMPARE(time(), QStringLiteral("2026-05-14"));
        store::useCalendar({QTimeZone("America/New_York"), 0});
        book.model.setToday(QDate(2026, 5, 13));
        QCOMPARE(time(), QStringLiteral("23:04:00"));
        store::useCalendar({tokyo(), 0});
    }
};

IKKAI_TEST_MAIN(HistoryModelTest)
#include "tst_history_model.moc"
