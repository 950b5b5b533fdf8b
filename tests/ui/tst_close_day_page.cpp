#include "tests/support/test.h"
#include "tests/ui/layout_trouble.h"
#include "tests/ui/till.h"

#include "ui/closing/close_day_page.h"
#include "ui/i18n/store_time.h"
#include "ui/receipts/receipt_page.h"

#include <QtCore/QFileInfo>
#include <QtCore/QTemporaryDir>
#include <QtTest/QSignalSpy>
#include <QtWidgets/QAbstractItemView>
#include <QtWidgets/QApplication>
#include <QtWidgets/QFileDialog>

using namespace ikkai;
using namespace ikkai::test;

/// Closing of days as a person at the till sees it: the desk behind it answers what the test set.
class CloseDayPageTest : public Test {
    Q_OBJECT

private:
    /// A key has no empty value, so QVariant::value cannot make one.
    static IdempotencyKey keyIn(const QVariant &told) { return *static_cast<const IdempotencyKey *>(told.constData()); }
    static MainWindowOptions inTokyo(Language language = Language::English)
    {
        MainWindowOptions options = Till::english();
        options.language = language;
        options.calendar = {QTimeZone("Asia/Tokyo"), 0};
        return options;
    }
    static std::unique_ptr<Till> tillWith(const std::function<void(FakeClosing &)> &fill = &FakeClosing::fillDay,
                                          const MainWindowOptions &options = inTokyo())
    {
        auto till = std::make_unique<Till>(options);
        fill(till->closing);
        till->driver->press(names::navCloseDay);
        till->driver->settle();
        return till;
    }
    static QAbstractItemView *view(const Till &till, const QString &name)
    {
        return qobject_cast<QAbstractItemView *>(till.driver->find(name));
    }
    static QStringList rows(const Till &till, const QString &name)
    {
        QStringList all;
        const QAbstractItemView *list = view(till, name);
        for (int row = 0; row < list->model()->rowCount(); ++row)
            all << list->model()->index(row, 0).data().toString();
        return all;
    }
    static CloseDayPage *page(const Till &till)
    {
        return qobject_cast<CloseDayPage *>(till.driver->find(names::closeDayPage));
    }
    static void clickRow(const Till &till, const QString &name, const QString &having)
    {
        QAbstractItemView *list = view(till, name);
        for (int row = 0; row < list->model()->rowCount(); ++row) {
            const QModelIndex index = list->model()->index(row, 0);
            if (!index.data().toString().contains(having))
                continue;
            QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(index).center());
            till.driver->settle();
            return;
        }
        QFAIL(qPrintable(having + QStringLiteral(" is not in the list")));
    }

private Q_SLOTS:
    void cleanup() { store::useCalendar({}); }

    void the_report_says_what_closing_would_say_now()
    {
        const auto till = tillWith();
        QCOMPARE(till->driver->text(names::closeDayTitle), QStringLiteral("Close day, 14 May"));
        const QStringList totals = rows(*till, QStringLiteral("dayReport.totals"));
        QVERIFY(totals.contains(QStringLiteral("Paid 1,284 ¥1,936,420")));
        QVERIFY(totals.contains(QStringLiteral("Declined 17 ¥48,600")));
        QCOMPARE(till->driver->text(QLatin1StringView("dayReport.facts")),
                 QStringLiteral("till-1, day from 00:00, Asia/Tokyo"));
        QCOMPARE(till->closing.calls.first(), QStringLiteral("preview"));
    }
    void case_41_open_payments_never_stop_the_closing_and_are_listed_with_their_state()
    {
        const auto till = tillWith();
        const QStringList lines = rows(*till, QStringLiteral("dayReport.lines"));
        QVERIFY(lines.contains(QStringLiteral("12:09:00 A-1009 ¥3,150 Not known yet Show")));
        QVERIFY(lines.contains(QStringLiteral("12:21:00 A-1021 ¥980 Being cancelled Show")));
        QCOMPARE(till->driver->text(names::closeDayButton), QStringLiteral("Carry over and close"));
        QVERIFY(till->driver->enabled(names::closeDayButton));
        till->driver->press(names::closeDayButton);
        till->driver->settle();
        QVERIFY(!till->closing.calls.contains(QStringLiteral("close")));
        QVERIFY(till->driver->text(names::closeQuestion).contains(QStringLiteral("2 open, carried over")));
        till->driver->press(names::closeConfirm);
        till->driver->settle();
        QCOMPARE(till->closing.calls.count(QStringLiteral("close")), 1);
        QCOMPARE(till->driver->text(names::closeDone), QStringLiteral("14 May is closed: no. 1, at 21:06"));
        // What is open is there on the next day.
        QCOMPARE(till->driver->text(names::closeDayTitle), QStringLiteral("Close day, 15 May"));
        QVERIFY(
            rows(*till, QStringLiteral("dayReport.lines")).join(QLatin1Char('\n')).contains(QStringLiteral("A-1009")));
    }
    void a_day_with_nothing_open_is_closed_by_its_own_words()
    {
        const auto till = tillWith([](FakeClosing &closing) {
            closing.fillDay();
            closing.day.carried.clear();
        });
        QCOMPARE(till->driver->text(names::closeDayButton), QStringLiteral("Close the day"));
        till->driver->press(names::closeDayButton);
        till->driver->settle();
        QCOMPARE(till->driver->text(names::closeQuestion),
                 QStringLiteral("Close 14 May? A closed day cannot be changed."));
        till->driver->press(names::closeNotYet);
        till->driver->settle();
        QVERIFY(till->driver->shows(names::closeDayButton));
        QVERIFY(!till->closing.calls.contains(QStringLiteral("close")));
    }
    void a_scanners_enter_closes_no_day()
    {
        const auto till = tillWith();
        till->driver->press(names::closeDayButton);
        till->driver->settle();
        till->driver->find(names::closeConfirm)->setFocus();
        QTest::keyClick(till->driver->find(names::closeConfirm), Qt::Key_Return);
        till->driver->settle();
        QVERIFY(!till->closing.calls.contains(QStringLiteral("close")));
        QTest::keyClick(till->driver->find(names::closeConfirm), Qt::Key_Space);
        till->driver->settle();
        QVERIFY(till->closing.calls.contains(QStringLiteral("close")));
    }
    void the_question_is_put_anew_to_who_comes_back()
    {
        const auto till = tillWith();
        till->driver->press(names::closeDayButton);
        till->driver->settle();
        QVERIFY(till->driver->shows(names::closeConfirm));
        till->driver->press(names::navCharge);
        till->driver->press(names::navCloseDay);
        till->driver->settle();
        QVERIFY(!till->driver->shows(names::closeConfirm));
    }
    void a_closing_that_cannot_be_recorded_says_so_and_keeps_the_day()
    {
        const auto till = tillWith();
        till->closing.refuses = QStringLiteral("/var/till/journal.db: no space left on the disk");
        till->driver->press(names::closeDayButton);
        till->driver->settle();
        till->driver->press(names::closeConfirm);
        till->driver->settle();
        QVERIFY(till->driver->allText().contains(QStringLiteral("The day was not closed")));
        QVERIFY(till->driver->text(names::closeTrouble).contains(QStringLiteral("no space left on the disk")));
        QVERIFY(till->driver->enabled(names::closeDayButton));
        till->closing.refuses.clear();
        till->driver->press(names::closeDayButton);
        till->driver->settle();
        till->driver->press(names::closeConfirm);
        till->driver->settle();
        QVERIFY(!till->driver->shows(names::closeTrouble));
        QVERIFY(till->driver->shows(names::closeDone));
    }
    void remarks_say_what_is_odd_and_lead_to_the_record()
    {
        const auto till = tillWith();
        const QString lines = rows(*till, QStringLiteral("dayReport.lines")).join(QLatin1Char('\n'));
        QVERIFY(lines.contains(QStringLiteral("A-0988 ¥720 Voided the bank says now: Paid")));
        QVERIFY(lines.contains(QStringLiteral("A-0990 ¥2,400 Never known supervisor: ledger was replaced")));
        QSignalSpy wanted(page(*till), &CloseDayPage::recordWanted);
        clickRow(*till, QStringLiteral("dayReport.lines"), QStringLiteral("A-0988"));
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(keyIn(wanted[0][0]), FakeClosing::key(30));
    }
    void an_open_payment_of_the_report_comes_to_the_cashiers_screen()
    {
        Till till(inTokyo());
        till.unknown(QStringLiteral("A-7"), 700);
        till.driver->press(names::leaveOpenButton);
        till.driver->settle();
        DayLine open = FakeClosing::line(1, QStringLiteral("A-7"), 700, QStringLiteral("unknown"));
        open.key = till.journal.openKeys().value().front();
        till.closing.day.carried = {open};
        till.driver->press(names::navCloseDay);
        till.driver->settle();
        clickRow(till, QStringLiteral("dayReport.lines"), QStringLiteral("A-7"));
        QVERIFY(till.driver->shows(names::cashierPage));
        QCOMPARE(till.driver->outcome(), QStringLiteral("unknown"));
        QCOMPARE(till.driver->text(names::bannerAmount), QStringLiteral("¥700"));
    }
    void the_report_keeps_up_with_what_is_sold_meanwhile_but_not_more_than_once_a_second()
    {
        Till till(inTokyo());
        till.driver->press(names::navCloseDay);
        till.driver->settle();
        const auto asked = till.closing.calls.count(QStringLiteral("preview"));
        till.driver->charge(QStringLiteral("A-1"), 100);
        till.paid();
        QVERIFY(till.closing.calls.count(QStringLiteral("preview")) <= asked + 1);
        till.pass(2'000);
        QVERIFY(till.closing.calls.count(QStringLiteral("preview")) > asked);
        const auto now = till.closing.calls.count(QStringLiteral("preview"));
        till.pass(5'000);
        QCOMPARE(till.closing.calls.count(QStringLiteral("preview")), now); // nothing changed
    }
    void closed_days_are_listed_newest_first_and_open_their_report()
    {
        const auto till = tillWith([](FakeClosing &closing) {
            closing.fillDay();
            closing.closeDay();
            closing.day.carried.clear();
            closing.closeDay();
            closing.calls.clear();
        });
        till->driver->press(names::tabClosedDays);
        till->driver->settle();
        auto *table = view(*till, names::closedDays);
        QCOMPARE(table->model()->rowCount(), 2);
        const auto cell = [table](int row, int column) { return table->model()->index(row, column).data().toString(); };
        QCOMPARE(cell(0, 0), QStringLiteral("2"));
        QCOMPARE(cell(0, 1), QStringLiteral("15 May"));
        QCOMPARE(cell(1, 0), QStringLiteral("1"));
        QCOMPARE(cell(1, 3), QStringLiteral("1,306"));
        QCOMPARE(cell(1, 4), QStringLiteral("2"));
        table->setCurrentIndex(table->model()->index(1, 0));
        till->driver->press(names::closedDaysOpen);
        till->driver->settle();
        QVERIFY(till->closing.calls.contains(QStringLiteral("read 1")));
        QCOMPARE(till->driver->text(names::closedDaysTitle), QStringLiteral("No. 1: 14 May, closed 14 May 21:06"));
        QVERIFY(rows(*till, QStringLiteral("closedReport.totals")).contains(QStringLiteral("Paid 1,284 ¥1,936,420")));
        QVERIFY(rows(*till, QStringLiteral("closedReport.lines"))
                    .join(QLatin1Char('\n'))
                    .contains(QStringLiteral("A-1009")));
        till->driver->press(names::closedDaysBack);
        till->driver->settle();
        QVERIFY(till->driver->shows(names::closedDays));
    }
    void the_report_of_the_day_just_closed_is_one_press_away()
    {
        const auto till = tillWith();
        till->driver->press(names::closeDayButton);
        till->driver->settle();
        till->driver->press(names::closeConfirm);
        till->driver->settle();
        till->driver->press(names::closeShowReport);
        till->driver->settle();
        QVERIFY(till->driver->text(names::closedDaysTitle).startsWith(QStringLiteral("No. 1: 14 May")));
    }
    void reports_are_written_as_csv_or_json_by_the_name_of_the_file()
    {
        const auto till = tillWith();
        page(*till)->exportTo(QStringLiteral("/tmp/day.csv"));
        till->driver->settle();
        QCOMPARE(till->closing.calls.last(), QStringLiteral("export 0 csv /tmp/day.csv"));
        QCOMPARE(till->driver->text(names::closeDayStatus), QStringLiteral("Written to day.csv"));
        till->closing.refuses = QStringLiteral("/tmp/day.JSON cannot be written: read-only");
        page(*till)->exportTo(QStringLiteral("/tmp/day.JSON"));
        till->driver->settle();
        QCOMPARE(till->closing.calls.last(), QStringLiteral("export 0 json /tmp/day.JSON"));
        QVERIFY(till->driver->text(names::closeDayStatus).startsWith(QStringLiteral("Not written: ")));
    }
    void the_file_is_chosen_without_stopping_the_till()
    {
        const auto till = tillWith();
        till->driver->press(names::closeExportButton);
        till->driver->settle();
        auto *dialog = till->window->findChild<QFileDialog *>(QString(names::closeExportDialog));
        QVERIFY(dialog && dialog->isVisible());
        QVERIFY(dialog->selectedFiles().value(0).endsWith(QStringLiteral("day-2026-05-14-open.csv")));
        dialog->close();
        till->driver->settle();
    }
    void a_report_goes_on_paper_as_it_stands_and_the_way_back_leads_here()
    {
        const auto till = tillWith();
        till->driver->press(names::closePrintButton);
        till->driver->settle();
        QString paper = till->driver->text(names::receiptPaper);
        QVERIFY2(paper.contains(QStringLiteral("Not closed yet")), qPrintable(paper));
        till->driver->press(names::receiptBack);
        till->driver->settle();
        till->driver->press(names::closeDayButton);
        till->driver->settle();
        till->driver->press(names::closeConfirm);
        till->driver->settle();
        till->driver->press(names::closeShowReport);
        till->driver->settle();
        till->driver->press(names::closePrintButton);
        till->driver->settle();
        paper = till->driver->text(names::receiptPaper);
        for (const char *words : {"Day report no. 1", "14 May", "¥1,936,420", "Declined, 17", "¥48,600", "A-1009",
                                  "the bank says now: Paid", "Closed at 14 May 21:06"})
            QVERIFY2(paper.contains(QString::fromUtf8(words)), words);
        till->picture(QStringLiteral("close-paper"));
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("day.pdf"));
        qobject_cast<ReceiptPage *>(till->driver->find(names::receiptPage))->printTo(file);
        QTRY_VERIFY(till->driver->text(names::receiptState).startsWith(QStringLiteral("Written: day.pdf")));
        QVERIFY(QFileInfo(file).size() > 1'000);
        till->driver->press(names::receiptBack);
        till->driver->settle();
        QVERIFY(till->driver->shows(names::closedDaysTitle));
    }
    void everything_is_said_in_japanese_too()
    {
        const auto till = tillWith(&FakeClosing::fillDay, inTokyo(Language::Japanese));
        QCOMPARE(till->driver->text(names::closeDayTitle), QStringLiteral("レジ締め（5月14日）"));
        QVERIFY(
            rows(*till, QStringLiteral("dayReport.totals")).contains(QStringLiteral("支払い完了 1,284 ¥1,936,420")));
        till->window->setLanguage(Language::English);
        till->driver->settle();
        QCOMPARE(till->driver->text(names::closeDayTitle), QStringLiteral("Close day, 14 May"));
        QVERIFY(rows(*till, QStringLiteral("dayReport.totals")).contains(QStringLiteral("Paid 1,284 ¥1,936,420")));
    }
    void every_tab_fits_both_layouts_data()
    {
        QTest::addColumn<bool>("japanese");
        QTest::addColumn<bool>("band");
        QTest::addColumn<QSize>("size");
        for (const bool japanese : {false, true}) {
            for (const bool band : {false, true}) {
                for (const QSize size : {QSize(1280, 720), QSize(1024, 700)})
                    QTest::addRow("%s %s %dx%d", japanese ? "ja" : "en", band ? "band" : "plain", size.width(),
                                  size.height())
                        << japanese << band << size;
            }
        }
    }
    void every_tab_fits_both_layouts()
    {
        QFETCH(bool, japanese);
        QFETCH(bool, band);
        QFETCH(QSize, size);
        MainWindowOptions options = inTokyo(japanese ? Language::Japanese : Language::English);
        options.role = band ? WindowRole::Trainer : WindowRole::Cashier;
        Till till(options, size);
        if (band)
            till.driver->find(names::trainerDock)->hide();
        till.window->resize(size);
        till.closing.fillDay();
        QStringList troubles;
        const QString tail = QLatin1Char('-') + QString::fromLatin1(QTest::currentDataTag());
        const auto look = [&](const char *what) {
            till.driver->settle();
            QCOMPARE(till.window->size(), size);
            const QString found = trouble(*till.window, Scrolling::InLists);
            if (!found.isEmpty())
                troubles << QString::fromLatin1(what) + QStringLiteral(": ") + found;
            till.picture(QStringLiteral("close-") + QString::fromLatin1(what) + tail);
        };
        till.driver->press(names::navCloseDay);
        look("report");
        till.driver->press(names::closeDayButton);
        look("question");
        till.driver->press(names::closeConfirm);
        look("done");
        till.driver->press(names::closeShowReport);
        look("closed report");
        till.driver->press(names::closedDaysBack);
        look("closed days");
        till.closing.refuses = QStringLiteral("/var/lib/till/journal.db cannot be read: input/output error");
        till.driver->press(names::closedDaysOpen);
        look("not read");
        till.closing.refuses.clear();
        till.driver->press(names::tabReconcile);
        look("reconcile start");
        till.driver->press(names::reconcileBegin);
        look("reconcile running");
        Q_EMIT till.closing.progressed({ReconcileProgress::Phase::ReadingTheBank, 41'200, 100'000});
        look("reconcile reading");
        Q_EMIT till.closing.reconciled(FakeClosing::mockUp());
        look("reconcile");
        till.driver->press(names::settleAllButton);
        look("reconcile asking");
        Reconciliation clean;
        clean.agreeCount = 1'284;
        clean.checkedWallMs = FakeClosing::at(21, 5);
        till.driver->press(names::checkAgainButton);
        till.driver->settle();
        Q_EMIT till.closing.reconciled(clean);
        look("reconcile clean");
        for (const QString &found : std::as_const(troubles))
            qInfo("%s", qPrintable(found));
        QVERIFY(troubles.isEmpty());
    }
};

IKKAI_TEST_MAIN(CloseDayPageTest)
#include "tst_close_day_page.moc"
