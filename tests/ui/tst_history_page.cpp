#include "tests/support/test.h"
#include "tests/support/virtual_bench.h"
#include "tests/ui/fake_history.h"

#include "ui/history/event_list.h"
#include "ui/history/history_fields.h"
#include "ui/history/history_list_page.h"
#include "ui/history/small_banner.h"
#include "ui/i18n/language.h"
#include "ui/i18n/store_time.h"
#include "ui/object_names.h"
#include "ui/theme/theme.h"

#include <QtCore/QDir>
#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtWidgets/QCalendarWidget>
#include <QtWidgets/QFileDialog>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QTableView>

#include <ctime>

using namespace ikkai;
using namespace ikkai::test;

namespace {

class WallClock final : public Clock {
public:
    explicit WallClock(qint64 wallMs)
        : m_now{wallMs, 1'000, 1'000}
    {
    }
    [[nodiscard]] Stamp now() const override { return m_now; }
    [[nodiscard]] QString bootId() const override { return {}; }

private:
    Stamp m_now;
};

qint64 today(const QString &time)
{
    return atTokyo(QStringLiteral("2026-05-14 ") + time);
}

/// The page in a window of its own, on a journal that the test plays.
struct Desk1280 {
    FakeHistory source;
    WallClock clock{today(QStringLiteral("12:15:00.000"))};
    LanguageSwitch language;
    std::unique_ptr<HistoryListPage> page;

    explicit Desk1280(Language lang = Language::English, qint64 plain = 0)
        : source(plain)
    {
        theme::apply(theme::Mode::Light);
        store::useCalendar({tokyo(), 0});
        language.use(lang);
    }
    ~Desk1280() { language.use(Language::English); }

    void open(QSize size = {1280, 656})
    {
        page = std::make_unique<HistoryListPage>(&source, clock);
        page->arrange(theme::isCompact(size.width(), size.height() + 64));
        page->resize(size);
        page->show();
        settle();
    }
    static void settle()
    {
        for (int i = 0; i < 12; ++i)
            QCoreApplication::processEvents();
    }
    template <class T>
    [[nodiscard]] T *find(const QString &name) const
    {
        T *found = page->findChild<T *>(name);
        if (!found)
            qFatal("no %s", qPrintable(name));
        return found;
    }
    [[nodiscard]] QTableView *table() const { return find<QTableView>(names::historyTable); }
    [[nodiscard]] QString text(const QString &name) const { return find<QWidget>(name)->property("text").toString(); }
    [[nodiscard]] bool shown(const QString &name) const { return find<QWidget>(name)->isVisible(); }
    void press(const QString &name) const
    {
        QTest::mouseClick(find<QWidget>(name), Qt::LeftButton);
        settle();
    }
    void chip(const char *id) const { press(names::historyFilter + QLatin1Char('.') + QLatin1StringView(id)); }
    void type(const QString &field, const QString &text) const
    {
        auto *edit = find<QLineEdit>(field);
        edit->setText(text);
        QTest::keyClick(edit, Qt::Key_Return);
        settle();
    }
    void choose(int row) const
    {
        table()->setCurrentIndex(table()->model()->index(row, 0));
        settle();
    }
    [[nodiscard]] QStringList orders() const
    {
        QStringList all;
        for (int row = 0; row < table()->model()->rowCount(); ++row)
            all << table()->model()->index(row, 1).data().toString();
        return all;
    }
    [[nodiscard]] QString selectedOrder() const
    {
        const auto rows = table()->selectionModel()->selectedRows(1);
        return rows.size() == 1 ? rows.first().data().toString() : QString();
    }
    [[nodiscard]] QStringList record() const { return find<EventList>(names::historyEvents)->lines(); }
    void picture(const QString &name) const
    {
        const QString folder = qEnvironmentVariable("IKKAI_PICTURES");
        if (folder.isEmpty())
            return;
        QDir().mkpath(folder);
        page->grab().save(folder + QLatin1Char('/') + name + QStringLiteral(".png"));
    }
};

QString fact(const char *name)
{
    return names::historyFact + QLatin1Char('.') + QLatin1StringView(name);
}

Story contradicted(qint64 ms, const QString &order)
{
    Story story(ms, order, 4'300, QStringLiteral("c0de"));
    story.silence().after(400, event::WaitElapsed{2}).declined();
    story.after(9'000,
                event::LateAnswer{1, verdict::Approved{SettledBy::Answer, {QStringLiteral("ch_9"), {}, {}, {}}}, {}});
    return story;
}

/// The ten payments of the picture, and older ones below.
void tellTheDay(FakeHistory &source)
{
    const auto at = [](const char *time) { return today(QString::fromLatin1(time) + QStringLiteral(".000")); };
    const auto q = [](const char *text) { return QString::fromLatin1(text); };
    source.tell(Story(at("12:14:22"), q("A-1017"), 48'600, q("91ab"), q("card_low")).declined());
    source.tell(Story(at("12:09:50"), q("A-1016"), 2'380, q("7d20")).approved());
    source.tell(Story(at("12:05:31"), q("A-1014"), 640, q("55e8")).leftUnknown().voidStarted().voided());
    source.tell(Story(at("12:03:07"), q("A-1009"), 3'150, q("0b6f")).leftUnknown());
    source.tell(Story(today(q("12:00:01.002")), q("A-1001"), 1'200, q("c3f0")).onceByReplay());
    source.tell(Story(at("11:58:46"), q("A-0999"), 890, q("e412")).approved());
    source.tell(Story(at("11:52:13"), q("A-0998"), 5'720, q("a9c7"), q("card_low")).declined());
    source.tell(Story(at("11:47:30"), q("A-0996"), 1'060, q("3f18")).unreachable());
    source.tell(
        Story(at("11:41:02"), q("A-0995"), 2'940, q("6b84")).leftUnknown().voidStarted().voided(VoidResult::Prevented));
    source.tell(Story(at("11:36:55"), q("A-0993"), 780, q("d05a")).onceByReplay());
    for (int n = 0; n < 32; ++n)
        source.tell(Story(at("11:30:00") - n * 200'000, QStringLiteral("A-%1").arg(992 - n, 4, 10, QLatin1Char('0')),
                          305 + n * 170, QStringLiteral("%1").arg(0x1100 + n, 4, 16, QLatin1Char('0')))
                        .approved());
}

/// CPU time of this thread: what an event handler took, whatever else the machine does.
qint64 threadCpuMs()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * 1'000 + now.tv_nsec / 1'000'000;
}

} // namespace

class HistoryPageTest : public Test {
    Q_OBJECT

private Q_SLOTS:
    void the_newest_payment_is_shown_first_with_its_record()
    {
        Desk1280 desk;
        tellTheDay(desk.source);
        desk.open();
        QCOMPARE(desk.selectedOrder(), QStringLiteral("A-1017"));
        QCOMPARE(desk.text(names::historyBanner), QStringLiteral("Declined ¥48,600 A-1017"));
        QCOMPARE(desk.text(names::historyShown), QStringLiteral("42 of 42 shown"));
        QVERIFY(!desk.shown(names::historyMore));
    }
    void the_record_tells_what_happened_in_plain_words()
    {
        Desk1280 desk;
        tellTheDay(desk.source);
        desk.open();
        desk.choose(4);
        QCOMPARE(desk.record(),
                 (QStringList{
                     QStringLiteral("12:00:01.002 Key recorded, then sent (try 1) CheckoutStarted"),
                     QStringLiteral("12:00:04.002 No answer (3.0 s, sent once) AttemptEnded 1"),
                     QStringLiteral("12:00:04.404 Same charge sent (try 2) WaitElapsed 2"),
                     QStringLiteral("12:00:04.415 Approved, the first answer again (0.1 s, sent once) AttemptEnded 2"),
                     QStringLiteral("12:00:04.415 Paid, charged once settled by replay"),
                 }));
        QCOMPARE(desk.text(fact("settled")), QStringLiteral("by the repeated answer, sent 2 times, 1 charge"));
        QCOMPARE(desk.text(fact("started")), QStringLiteral("2026-05-14 12:00:01, terminal till-1"));
        QCOMPARE(desk.text(fact("charge")), QStringLiteral("ch_42"));
        QCOMPARE(desk.text(names::historyRecordCount), QStringLiteral("append-only, events: 4"));
    }
    void the_record_is_japanese_too()
    {
        Desk1280 desk(Language::Japanese);
        tellTheDay(desk.source);
        desk.open();
        desk.choose(4);
        QCOMPARE(desk.text(names::historyBanner), QString::fromUtf8("支払い済み（重複なし） ¥1,200 A-1001"));
        QCOMPARE(desk.record().first(),
                 QString::fromUtf8("12:00:01.002 開始、キーを記録、送信（1 回目） CheckoutStarted"));
        QCOMPARE(desk.record().at(1), QString::fromUtf8("12:00:04.002 返事なし（3.0 秒、送信 1 回） AttemptEnded 1"));
        QCOMPARE(desk.text(fact("settled")), QString::fromUtf8("返事の再送で確定、送信 2 回、請求 1 件"));
        desk.language.use(Language::English);
        desk.settle();
        QCOMPARE(desk.text(names::historyBanner), QStringLiteral("Paid, charged once ¥1,200 A-1001"));
        desk.language.use(Language::Japanese);
    }
    void an_unknown_outcome_is_never_called_a_failure()
    {
        for (const Language language : {Language::English, Language::Japanese}) {
            Desk1280 desk(language);
            tellTheDay(desk.source);
            desk.open();
            desk.choose(3);
            QString said = desk.text(names::historyBanner) + desk.record().join(QLatin1Char(' '));
            for (const char *name : {"settled", "source", "started"})
                said += desk.text(fact(name));
            for (const char *word : {"fail", "not charged", "no charge", "失敗", "請求なし", "エラー"})
                QVERIFY2(!said.contains(QString::fromUtf8(word), Qt::CaseInsensitive), qPrintable(said));
        }
    }
    void chips_find_payments_by_their_state()
    {
        Desk1280 desk;
        tellTheDay(desk.source);
        desk.open();
        desk.chip("unknown");
        QCOMPARE(desk.orders(), QStringList{QStringLiteral("A-1009")});
        desk.chip("voided");
        QCOMPARE(desk.orders(), (QStringList{QStringLiteral("A-1014"), QStringLiteral("A-0995")}));
        desk.chip("declined");
        QCOMPARE(desk.orders(), (QStringList{QStringLiteral("A-1017"), QStringLiteral("A-0998")}));
        desk.chip("other");
        QCOMPARE(desk.orders(), QStringList{QStringLiteral("A-0996")});
        desk.chip("paid");
        QCOMPARE(desk.text(names::historyShown), QStringLiteral("36 of 36 shown"));
        desk.chip("all");
        QCOMPARE(desk.text(names::historyShown), QStringLiteral("42 of 42 shown"));
    }
    void a_payment_is_found_by_order_reference_amount_and_day()
    {
        Desk1280 desk(Language::English);
        tellTheDay(desk.source);
        desk.source.tell(Story(today(QStringLiteral("00:10:00.000")) - 3'600'000, QStringLiteral("A-0700"), 640,
                               QStringLiteral("beef"))
                             .approved());
        desk.open();
        desk.type(names::historySearch, QStringLiteral("a-1016"));
        QCOMPARE(desk.orders(), QStringList{QStringLiteral("A-1016")});
        desk.type(names::historySearch, QString::fromUtf8("…c3f0"));
        QCOMPARE(desk.orders(), QStringList{QStringLiteral("A-1001")});
        desk.type(names::historySearch, {});
        desk.type(names::historyAmount, QStringLiteral("640"));
        QCOMPARE(desk.orders(), (QStringList{QStringLiteral("A-1014"), QStringLiteral("A-0700")}));
        desk.find<DayChooser>(names::historyDay)->choose(QDate(2026, 5, 13));
        desk.settle();
        QCOMPARE(desk.orders(), QStringList{QStringLiteral("A-0700")});
        QCOMPARE(desk.text(names::historyDay), QStringLiteral("Wed 13 May"));
        desk.find<DayChooser>(names::historyDay)->choose(std::nullopt);
        desk.type(names::historyAmount, QString::fromUtf8("¥2,380"));
        QCOMPARE(desk.orders(), QStringList{QStringLiteral("A-1016")});
    }
    void the_day_is_chosen_from_a_calendar_that_waits_for_nobody()
    {
        for (int n = 0; n < 2; ++n) { // the offscreen platform has no such things
            QTest::ignoreMessage(QtWarningMsg, "This plugin does not support raise()");
            QTest::ignoreMessage(QtWarningMsg, "This plugin does not support grabbing the keyboard");
        }
        Desk1280 desk(Language::Japanese);
        tellTheDay(desk.source);
        desk.open();
        desk.press(names::historyDay);
        QVERIFY(desk.shown(names::historyDayPopup));
        desk.press(names::historyToday);
        QVERIFY(!desk.shown(names::historyDayPopup));
        QCOMPARE(desk.text(names::historyDay), QString::fromUtf8("5月14日（木）"));
        QCOMPARE(desk.text(names::historyShown), QString::fromUtf8("42 件のうち 42 件を表示"));
        desk.press(names::historyDay);
        desk.press(names::historyAnyDay);
        QCOMPARE(desk.text(names::historyDay), QString::fromUtf8("すべての日"));
    }
    void what_is_no_amount_is_said_and_changes_nothing()
    {
        Desk1280 desk;
        tellTheDay(desk.source);
        desk.open();
        for (const QString &wrong : {QStringLiteral("12,00"), QStringLiteral("abc"), QStringLiteral("-5")}) {
            desk.type(names::historyAmount, wrong);
            QCOMPARE(desk.text(names::historyMessage), QStringLiteral("This is not an amount: digits only."));
            QCOMPARE(desk.orders().size(), 42);
        }
        desk.type(names::historyAmount, {});
        QCOMPARE(desk.text(names::historyMessage), QString());
    }
    void nothing_found_is_said_with_a_way_back()
    {
        Desk1280 desk;
        tellTheDay(desk.source);
        desk.open();
        desk.type(names::historySearch, QStringLiteral("Z-9"));
        QCOMPARE(desk.text(names::historyEmpty), QStringLiteral("No payment fits this search."));
        QVERIFY(!desk.table()->isVisible());
        desk.press(names::historyShowAll);
        QCOMPARE(desk.orders().size(), 42);
        QVERIFY(desk.table()->isVisible());
        QVERIFY(!desk.shown(names::historyShowAll));
    }
    void an_empty_journal_is_said()
    {
        Desk1280 desk;
        desk.open();
        QCOMPARE(desk.text(names::historyEmpty), QStringLiteral("There are no payments yet."));
        QVERIFY(!desk.shown(names::historyShowAll));
        QVERIFY(!desk.shown(names::historyRetry));
        QVERIFY(desk.shown(names::historyNothingChosen));
    }
    void a_journal_that_cannot_be_read_is_said_and_read_again()
    {
        Desk1280 desk;
        tellTheDay(desk.source);
        desk.source.refuse = QStringLiteral("journal.sqlite: disk I/O error");
        desk.open();
        QCOMPARE(desk.text(names::historyEmpty),
                 QStringLiteral("The record of payments cannot be read. journal.sqlite: disk I/O error"));
        desk.source.refuse.clear();
        desk.press(names::historyRetry);
        QCOMPARE(desk.orders().size(), 42);
        QVERIFY(!desk.shown(names::historyRetry));
    }
    void case_40_older_pages_come_by_scrolling_and_by_more()
    {
        Desk1280 desk(Language::English, 1'000'000);
        desk.open();
        QCOMPARE(desk.text(names::historyShown), QStringLiteral("100 of 1,000,000 shown"));
        QCOMPARE(desk.text(names::historyMore), QStringLiteral("100 more"));
        desk.press(names::historyMore);
        QCOMPARE(desk.text(names::historyShown), QStringLiteral("200 of 1,000,000 shown"));
        desk.table()->verticalScrollBar()->setValue(desk.table()->verticalScrollBar()->maximum());
        desk.settle();
        QVERIFY(desk.table()->model()->rowCount() >= 300);
    }
    void case_40_scrolling_a_hundred_thousand_rows_never_stalls_the_window()
    {
        Desk1280 desk(Language::English, 1'000'000);
        QThread reader;
        desk.source.moveToThread(&reader);
        reader.start();
        desk.open();
        auto *bar = desk.table()->verticalScrollBar();
        QTRY_VERIFY(bar->maximum() > 0);
        qint64 longestMs = 0;
        int rows = 0;
        while (rows < 100'000) {
            const qint64 before = threadCpuMs();
            bar->setValue(bar->maximum());
            desk.page->repaint();
            QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
            longestMs = std::max(longestMs, threadCpuMs() - before);
            rows = desk.table()->model()->rowCount();
            if (rows < 100'000 && bar->value() == bar->maximum())
                QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        }
        reader.quit();
        reader.wait();
        qInfo("the longest turn of the event loop took %lld ms of CPU at %d rows", longestMs, rows);
        QVERIFY(desk.source.askedOn == &reader); // nothing is read on the window's thread
        QVERIFY2(longestMs < 50, qPrintable(QString::number(longestMs)));
    }
    void selection_and_place_stay_while_payments_come_in()
    {
        Desk1280 desk(Language::English, 400);
        desk.open();
        desk.choose(30);
        desk.table()->scrollTo(desk.table()->model()->index(30, 0), QAbstractItemView::PositionAtCenter);
        const QString order = desk.selectedOrder();
        const auto place = [&] { return desk.table()->visualRect(desk.table()->currentIndex()).top(); };
        const int before = place();
        for (int n = 0; n < 5; ++n) {
            const Story fresh(today(QStringLiteral("12:14:0%1.000").arg(n)), QStringLiteral("N-%1").arg(n), 500,
                              QStringLiteral("aaa%1").arg(n));
            desk.source.tell(fresh);
            desk.page->noteChanged(fresh.checkout(), true);
            desk.settle();
        }
        QCOMPARE(desk.orders().first(), QStringLiteral("N-4"));
        QCOMPARE(desk.selectedOrder(), order);
        QCOMPARE(place(), before);
    }
    void at_the_top_new_payments_are_seen_to_come()
    {
        Desk1280 desk(Language::English, 400);
        desk.open();
        const Story fresh(today(QStringLiteral("12:14:00.000")), QStringLiteral("N-1"), 500, QStringLiteral("aaa1"));
        desk.source.tell(fresh);
        desk.page->noteChanged(fresh.checkout(), true);
        desk.settle();
        QCOMPARE(desk.table()->verticalScrollBar()->value(), 0);
        QCOMPARE(desk.selectedOrder(), QStringLiteral("P-399"));
    }
    void a_payment_that_settles_while_it_is_shown_is_shown_anew()
    {
        Desk1280 desk;
        tellTheDay(desk.source);
        desk.open();
        desk.choose(3);
        QCOMPARE(desk.find<SmallBanner>(names::historyBanner)->role(), QStringLiteral("unk"));
        Story story =
            Story(today(QStringLiteral("12:03:07.000")), QStringLiteral("A-1009"), 3'150, QStringLiteral("0b6f"));
        story.leftUnknown().after(10, event::InquiryStarted{});
        story.after(50, event::InquiryEnded{verdict::Approved{SettledBy::Inquiry, {}}, {}});
        desk.source.tell(story);
        desk.page->noteChanged(story.checkout(), false); // the journal does not have it yet
        desk.settle();
        QCOMPARE(desk.find<SmallBanner>(names::historyBanner)->role(), QStringLiteral("unk"));
        desk.page->noteChanged(story.checkout(), true);
        desk.settle();
        QCOMPARE(desk.find<SmallBanner>(names::historyBanner)->role(), QStringLiteral("ok"));
        QVERIFY(desk.record().contains(QStringLiteral("12:03:11.060 The bank says: paid InquiryEnded")));
        QCOMPARE(desk.selectedOrder(), QStringLiteral("A-1009"));
    }
    void what_no_longer_fits_the_search_stays_on_show()
    {
        Desk1280 desk;
        tellTheDay(desk.source);
        desk.open();
        desk.chip("unknown");
        desk.choose(0);
        Story story =
            Story(today(QStringLiteral("12:03:07.000")), QStringLiteral("A-1009"), 3'150, QStringLiteral("0b6f"));
        story.leftUnknown().voidStarted().voided();
        desk.source.tell(story);
        desk.page->noteChanged(story.checkout(), true);
        desk.settle();
        QVERIFY(desk.orders().isEmpty());
        QCOMPARE(desk.text(names::historyBanner), QStringLiteral("Voided ¥3,150 A-1009"));
    }
    void what_contradicts_comes_first_and_in_red()
    {
        for (const Language language : {Language::English, Language::Japanese}) {
            Desk1280 desk(language);
            tellTheDay(desk.source);
            desk.source.tell(contradicted(today(QStringLiteral("12:14:40.000")), QStringLiteral("A-1018")));
            desk.open();
            QCOMPARE(desk.find<SmallBanner>(names::historyBanner)->role(), QStringLiteral("bad"));
            QVERIFY(desk.shown(names::historyContradiction));
            const auto *note = desk.find<QWidget>(names::historyContradiction);
            QVERIFY(note->y() < desk.find<QWidget>(fact("key"))->mapTo(desk.page.get(), QPoint()).y());
            if (language == Language::English) {
                QVERIFY2(desk.text(names::historyContradiction)
                             .contains(QStringLiteral("The bank now says: Paid. Shown here before: Declined.")),
                         qPrintable(desk.text(names::historyContradiction)));
                QCOMPARE(desk.text(fact("settled")),
                         QStringLiteral("by the bank’s answer, sent 2 times, charges not certain"));
                QCOMPARE(desk.record().last(), QStringLiteral("12:14:52.930 Late answer to try 1: Paid LateAnswer 1"));
            }
            desk.picture(QStringLiteral("history-contradiction-") +
                         (language == Language::English ? QStringLiteral("en") : QStringLiteral("ja")));
        }
    }
    void an_override_is_linked_both_ways_with_its_reason()
    {
        Desk1280 desk;
        tellTheDay(desk.source);
        const QString reason = QStringLiteral("Customer paid <b>cash</b> | manager K.");
        Story old(today(QStringLiteral("12:10:00.000")), QStringLiteral("A-1030"), 900, QStringLiteral("0001"));
        old.leftUnknown().voidStarted(reason);
        Story fresh(today(QStringLiteral("12:11:00.000")), QStringLiteral("A-1030"), 900, QStringLiteral("0002"),
                    QStringLiteral("card_ok"), old.key());
        desk.source.tell(old.replacedBy(fresh.key()));
        desk.source.tell(fresh.approved());
        desk.open();
        desk.choose(1);
        QCOMPARE(desk.text(names::historyReplaces), QString::fromUtf8("Started in place of …0001"));
        QVERIFY(!desk.shown(names::historyReplacedBy));
        desk.press(names::historyReplaces);
        QCOMPARE(desk.text(names::historyReplacedBy), QString::fromUtf8("Replaced by …0002"));
        QVERIFY(desk.text(names::historySupervisor).contains(QStringLiteral("manager K.")));
        QVERIFY(desk.text(names::historySupervisor).contains(QStringLiteral("Overridden by a supervisor")));
        desk.press(names::historyReplacedBy);
        QCOMPARE(desk.text(names::historyBanner), QStringLiteral("Paid ¥900 A-1030"));
    }
    void only_an_open_payment_is_shown_in_the_charge_page()
    {
        Desk1280 desk;
        tellTheDay(desk.source);
        desk.open();
        desk.choose(1);
        QVERIFY(!desk.shown(names::historyShow));
        desk.choose(3);
        QStringList wanted;
        connect(desk.page.get(), &HistoryListPage::showCheckout, this,
                [&wanted](const IdempotencyKey &key) { wanted << key.lastFour(); });
        desk.press(names::historyShow);
        QCOMPARE(wanted, QStringList{QStringLiteral("0b6f")});
    }
    void a_reprint_asks_for_the_paper_of_the_payment_on_show()
    {
        Desk1280 desk;
        tellTheDay(desk.source);
        desk.open();
        desk.choose(4);
        QStringList wanted;
        connect(desk.page.get(), &HistoryListPage::receiptWanted, this,
                [&wanted](const Checkout &checkout) { wanted << checkout.order.text(); });
        desk.press(names::historyReprint);
        QCOMPARE(wanted, QStringList{QStringLiteral("A-1001")});
    }
    void the_key_is_copied_whole()
    {
        Desk1280 desk;
        tellTheDay(desk.source);
        desk.open();
        desk.choose(4);
        desk.press(names::historyCopyKey);
        QCOMPARE(QGuiApplication::clipboard()->text(), desk.text(fact("key")));
        QVERIFY(QGuiApplication::clipboard()->text().endsWith(QStringLiteral("c3f0")));
    }
    void what_the_search_finds_is_exported_to_a_file_that_is_chosen_without_waiting()
    {
        Desk1280 desk;
        tellTheDay(desk.source);
        desk.open();
        desk.chip("voided");
        desk.press(names::historyExport);
        auto *dialog = desk.page->findChild<QFileDialog *>(names::historyExportDialog);
        QVERIFY(dialog);
        QVERIFY(dialog->isVisible());
        Q_EMIT dialog->fileSelected(QStringLiteral("/tmp/voided.json"));
        dialog->close();
        desk.settle();
        QCOMPARE(desk.source.exports.size(), 1U);
        QCOMPARE(desk.source.exports.front().file, QStringLiteral("/tmp/voided.json"));
        QCOMPARE(desk.source.exports.front().format, ExportFormat::Json);
        QCOMPARE(desk.source.exports.front().filter.states, QStringList{QStringLiteral("voided")});
        QCOMPARE(desk.text(names::historyMessage), QStringLiteral("Written to voided.json: 2"));
    }
    void an_export_that_did_not_work_is_said()
    {
        Desk1280 desk;
        tellTheDay(desk.source);
        desk.open();
        desk.source.refuse = QStringLiteral("/tmp/all.csv: no space left");
        desk.page->exportTo(QStringLiteral("/tmp/all.csv"));
        desk.settle();
        QCOMPARE(desk.source.exports.front().format, ExportFormat::Csv);
        QCOMPARE(desk.text(names::historyMessage), QStringLiteral("Not written: /tmp/all.csv: no space left"));
        QCOMPARE(desk.orders().size(), 42);
    }
    void one_payment_is_exported_by_its_key()
    {
        Desk1280 desk;
        tellTheDay(desk.source);
        desk.open();
        desk.choose(4);
        desk.press(names::historyExportOne);
        auto *dialog = desk.page->findChild<QFileDialog *>(names::historyExportDialog);
        QVERIFY(dialog);
        Q_EMIT dialog->fileSelected(QStringLiteral("/tmp/one.csv"));
        dialog->close();
        desk.settle();
        QVERIFY(desk.source.exports.front().filter.text.endsWith(QStringLiteral("c3f0")));
        QCOMPARE(desk.text(names::historyMessage), QStringLiteral("Written to one.csv: 1"));
    }
    void an_arrow_key_that_is_held_down_asks_for_few_records()
    {
        Desk1280 desk(Language::English, 400);
        desk.open();
        desk.source.holds = true;
        desk.source.details.clear();
        desk.table()->setFocus();
        for (int n = 0; n < 30; ++n)
            QTest::keyClick(desk.table(), Qt::Key_Down);
        desk.settle();
        QCOMPARE(desk.source.details.size(), 1U);
        desk.source.holds = false;
        desk.source.release();
        desk.settle();
        QCOMPARE(desk.source.details.size(), 2U);
        QVERIFY(desk.text(names::historyBanner).endsWith(desk.selectedOrder()));
    }
    void the_keyboard_reaches_everything()
    {
        Desk1280 desk;
        tellTheDay(desk.source);
        desk.open();
        desk.page->activateWindow();
        desk.find<QWidget>(names::historySearch)->setFocus();
        QStringList walked;
        for (int n = 0; n < 30; ++n) {
            const QWidget *now = QApplication::focusWidget();
            if (!now || walked.contains(now->objectName()))
                break;
            walked << now->objectName();
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        }
        for (const auto &name :
             {names::historySearch, names::historyAmount, names::historyDay, names::historyExport, names::historyTable,
              names::historyReprint, names::historyCopyKey, names::historyExportOne})
            QVERIFY2(walked.contains(QString(name)), name.data());
    }
    void pictures_for_people_to_look_at_data()
    {
        QTest::addColumn<bool>("japanese");
        QTest::addColumn<bool>("dark");
        QTest::addColumn<QSize>("size");
        QTest::newRow("ja") << true << false << QSize(1280, 656);
        QTest::newRow("en") << false << false << QSize(1280, 656);
        QTest::newRow("en-dark") << false << true << QSize(1280, 656);
        QTest::newRow("ja-1024x700") << true << false << QSize(1024, 584);
        QTest::newRow("en-1024x700") << false << false << QSize(1024, 584);
    }
    void pictures_for_people_to_look_at()
    {
        QFETCH(bool, japanese);
        QFETCH(bool, dark);
        QFETCH(QSize, size);
        Desk1280 desk(japanese ? Language::Japanese : Language::English);
        if (dark)
            theme::apply(theme::Mode::Dark);
        tellTheDay(desk.source);
        desk.open(size);
        desk.choose(4);
        desk.find<DayChooser>(names::historyDay)->choose(QDate(2026, 5, 14));
        desk.settle();
        const QString tail = QLatin1Char('-') + QString::fromLatin1(QTest::currentDataTag());
        desk.picture(QStringLiteral("history") + tail);
        desk.choose(3);
        desk.picture(QStringLiteral("history-unknown") + tail);
        desk.choose(7);
        desk.picture(QStringLiteral("history-not-sent") + tail);
        desk.type(names::historySearch, QStringLiteral("Z-9"));
        desk.picture(QStringLiteral("history-nothing-found") + tail);
        theme::apply(theme::Mode::Light);
    }
};

IKKAI_TEST_MAIN(HistoryPageTest)
#include "tst_history_page.moc"
