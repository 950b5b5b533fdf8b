#include "tests/support/test.h"
#include "tests/ui/fake_history.h"

#include "ui/i18n/language.h"
#include "ui/i18n/store_time.h"
#include "ui/object_names.h"
#include "ui/receipts/receipt_document.h"
#include "ui/receipts/receipt_page.h"
#include "ui/theme/theme.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QRegularExpression>
#include <QtCore/QTemporaryDir>
#include <QtGui/QTextDocument>
#include <QtTest/QSignalSpy>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QFileDialog>
#include <QtWidgets/QPushButton>

using namespace ikkai;
using namespace ikkai::test;

namespace {

qint64 at(const char *time)
{
    return atTokyo(QStringLiteral("2026-05-14 ") + QString::fromLatin1(time) + QStringLiteral(".000"));
}

Story sale(const char *time = "12:00:01", const QString &lastFour = QStringLiteral("c3f0"))
{
    return {at(time), QStringLiteral("A-1001"), 1'200, lastFour};
}

class StillClock final : public Clock {
public:
    explicit StillClock(qint64 wallMs)
        : m_now{wallMs, 1'000, 1'000}
    {
    }
    [[nodiscard]] Stamp now() const override { return m_now; }
    [[nodiscard]] QString bootId() const override { return {}; }

private:
    Stamp m_now;
};

/// A printer that the test plays.
class PlayedPrinter final : public PrintEngine {
    Q_OBJECT

public:
    std::vector<PrintOrder> orders;
    QStringList printers{QStringLiteral("Counter"), QStringLiteral("Office")};

    void print(const PrintOrder &order) override { orders.push_back(order); }
    void findPrinters() override { Q_EMIT printersFound(printers, printers.value(0)); }

    void takes() { Q_EMIT printed(orders.back().id); }
    void jams() { Q_EMIT notPrinted(orders.back().id, QStringLiteral("The printer Counter has stopped.")); }
};

/// The page with a printer that the test plays; the program was started at 11:00.
struct Counter {
    PlayedPrinter printer;
    StillClock clock{at("11:00:00")};
    std::unique_ptr<ReceiptPage> page;

    explicit Counter(QStringList printers = {QStringLiteral("Counter"), QStringLiteral("Office")})
    {
        printer.printers = std::move(printers);
        page = std::make_unique<ReceiptPage>(clock, &printer);
        page->resize(1280, 656);
        page->QWidget::show();
    }
    void show(const Story &story, PrintOrigin origin = PrintOrigin::Outcome) const
    {
        page->show(story.checkout(), origin);
        settle();
    }
    static void settle()
    {
        for (int i = 0; i < 8; ++i)
            QCoreApplication::processEvents();
    }
    void press(const QString &name) const
    {
        QTest::mouseClick(page->findChild<QPushButton *>(name), Qt::LeftButton);
        settle();
    }
    void print() const { press(names::receiptPrint); }
    void takes()
    {
        printer.takes();
        settle();
    }
    void jams()
    {
        printer.jams();
        settle();
    }
    [[nodiscard]] QString text(const QString &name) const
    {
        return page->findChild<QWidget *>(name)->property("text").toString();
    }
    [[nodiscard]] bool isReprint() const { return page->receipt() && page->receipt()->isReprint(); }
};

QString textOf(const Story &story, Paper paper = Paper::Original)
{
    return receiptOf(story.checkout(), paper).value().text();
}

Receipt::Kind kindOf(const Story &story)
{
    return receiptOf(story.checkout(), Paper::Original).value().kind;
}

const char *const claims[]{"fail", "not charged",          "nothing was charged", "declined",
                           "失敗", "請求はされていません", "承認されません",      "エラー"};

} // namespace

class Receipts : public Test {
    Q_OBJECT

private:
    std::unique_ptr<LanguageSwitch> m_language;

    void afterEach() override
    {
        if (m_language)
            m_language->use(Language::English);
        m_language.reset();
    }
    void speak(Language language)
    {
        if (!m_language)
            m_language = std::make_unique<LanguageSwitch>();
        m_language->use(language);
    }

private Q_SLOTS:
    void initTestCase()
    {
        theme::apply(theme::Mode::Light);
        store::useCalendar({tokyo(), 0});
    }
    void a_paid_receipt_says_what_was_paid_once()
    {
        QCOMPARE(textOf(sale().approved()),
                 QStringLiteral("Receipt\nPaid\n¥1,200\nCharged once.\nOrder: A-1001\nPay by: Card (OK)\n"
                                "Started: 2026-05-14 12:00:01\nSettled: 2026-05-14 12:00:01\nTerminal: till-1\n"
                                "Ref: c3f0\nBank’s number: ch_41\n019e246d-4368-7155-9b1e-2f60d4a1c3f0"));
        speak(Language::Japanese);
        QVERIFY(textOf(sale().approved())
                    .startsWith(QString::fromUtf8("レシート\n支払い完了\n¥1,200\n請求は 1 回です。\n注文: A-1001")));
    }
    void amounts_follow_their_currency()
    {
        Checkout checkout = sale().approved().checkout();
        checkout.money = Money::ofMinor(1'250, Currency::parse(u"KWD").value()).value();
        QCOMPARE(receiptOf(checkout, Paper::Original)->amount, QStringLiteral("KWD 1.250"));
        checkout.money = Money::ofMinor(1'250, Currency::parse(u"USD").value()).value();
        QCOMPARE(receiptOf(checkout, Paper::Original)->amount, QStringLiteral("$12.50"));
    }
    void times_are_the_stores_own()
    {
        store::useCalendar({QTimeZone("Europe/Berlin"), 0});
        QVERIFY(textOf(sale().approved()).contains(QStringLiteral("Started: 2026-05-14 05:00:01")));
        store::useCalendar({tokyo(), 0});
    }
    void a_declined_slip_says_that_nothing_was_charged()
    {
        QVERIFY(textOf(sale().declined())
                    .contains(QStringLiteral("Declined\n¥1,200\nThere is not enough money on this account.\n"
                                             "Nothing was charged.")));
        QCOMPARE(kindOf(sale().declined()), Receipt::Kind::Declined);
        speak(Language::Japanese);
        QVERIFY(textOf(sale().declined()).contains(QString::fromUtf8("請求はされていません。")));
    }
    void what_was_never_sent_says_that_nothing_was_charged()
    {
        QCOMPARE(kindOf(sale().unreachable()), Receipt::Kind::NothingCharged);
        QVERIFY(
            textOf(sale().unreachable()).contains(QStringLiteral("Not sent\n¥1,200\nThe bank could not be reached.")));
    }
    void an_unknown_slip_claims_nothing_and_says_what_to_do()
    {
        for (const Language language : {Language::English, Language::Japanese}) {
            speak(language);
            for (const Story &story : {sale().leftUnknown(), sale().leftUnknown().voidStarted()}) {
                const QString text = textOf(story);
                QCOMPARE(kindOf(story), Receipt::Kind::NotKnown);
                for (const char *claim : claims)
                    QVERIFY2(!text.contains(QString::fromUtf8(claim), Qt::CaseInsensitive), qPrintable(text));
                QVERIFY2(text.contains(QStringLiteral("c3f0")), qPrintable(text));
            }
            const QString unknown = textOf(sale().leftUnknown());
            const char *doNotPay = language == Language::English ? "Do not pay again before you have asked us."
                                                                 : "もう一度支払わないでください";
            QVERIFY2(unknown.contains(QString::fromUtf8(doNotPay)), qPrintable(unknown));
        }
        QVERIFY(textOf(sale().leftUnknown()).contains(QString::fromUtf8("処理未了")));
    }
    void a_void_slip_says_whether_money_goes_back()
    {
        const auto voided = [](VoidResult result) { return sale().leftUnknown().voidStarted().voided(result); };
        const QString reversed = textOf(voided(VoidResult::Reversed));
        QVERIFY(reversed.contains(QStringLiteral("The money goes back to your account.")));
        QVERIFY(!reversed.contains(QStringLiteral("Nothing was charged")));
        const QString prevented = textOf(voided(VoidResult::Prevented));
        QVERIFY(prevented.contains(QStringLiteral("Nothing was charged.")));
        QVERIFY(!prevented.contains(QStringLiteral("goes back")));
        QCOMPARE(kindOf(voided(VoidResult::NotCharged)), Receipt::Kind::Declined); // the bank had declined it
    }
    void a_written_off_slip_claims_nothing()
    {
        const Story story = sale().leftUnknown().after(
            500, event::WrittenOff{state::WrittenOff::Why::LedgerGone, QStringLiteral("gone")});
        QCOMPARE(kindOf(story), Receipt::Kind::WrittenOff);
        for (const char *claim : claims)
            QVERIFY(!textOf(story).contains(QString::fromUtf8(claim), Qt::CaseInsensitive));
        QVERIFY(textOf(story).contains(QStringLiteral("Outcome never known")));
    }
    void what_the_bank_contradicts_is_not_put_on_paper_as_settled()
    {
        Story story = sale();
        story.silence().after(400, event::WaitElapsed{2}).declined();
        story.after(
            100, event::LateAnswer{1, verdict::Approved{SettledBy::Answer, {QStringLiteral("ch_1"), {}, {}, {}}}, {}});
        QCOMPARE(kindOf(story), Receipt::Kind::Disputed);
        for (const char *claim : claims)
            QVERIFY(!textOf(story).contains(QString::fromUtf8(claim), Qt::CaseInsensitive));
    }
    void while_a_charge_runs_there_is_nothing_to_print()
    {
        QVERIFY(!receiptOf(sale().checkout(), Paper::Original));
        QVERIFY(!receiptOf(sale().silence().checkout(), Paper::Original));
    }
    void a_reprint_is_marked_for_readers_of_both_languages()
    {
        QVERIFY(textOf(sale().approved(), Paper::Reprint).startsWith(QString::fromUtf8("再発行 / REPRINT\n")));
        QVERIFY(!textOf(sale().approved()).contains(QStringLiteral("REPRINT")));
    }
    void the_paper_carries_every_word()
    {
        for (const Language language : {Language::English, Language::Japanese}) {
            speak(language);
            for (const Story &story : {sale().approved(), sale().declined(), sale().leftUnknown()}) {
                const Receipt receipt = receiptOf(story.checkout(), Paper::Reprint).value();
                const QString onPaper = documentOf(receipt)->toPlainText();
                QVERIFY(onPaper.contains(receipt.reprintMark));
                QVERIFY(onPaper.contains(receipt.amount));
                QVERIFY(onPaper.contains(receipt.headline));
                QVERIFY(onPaper.contains(receipt.foot));
                for (const QString &words : receipt.words)
                    QVERIFY2(onPaper.contains(words), qPrintable(onPaper));
                for (const Receipt::Line &line : receipt.lines)
                    QVERIFY2(onPaper.contains(line.value), qPrintable(onPaper));
            }
        }
    }
    void an_order_cannot_write_on_the_paper_what_it_likes()
    {
        Story story(at("12:00:01"), QStringLiteral("<h1>Paid</h1>&amp;"), 1'200, QStringLiteral("c3f0"));
        story.leftUnknown();
        QVERIFY(documentOf(receiptOf(story.checkout(), Paper::Original).value())
                    ->toPlainText()
                    .contains(QStringLiteral("<h1>Paid</h1>&amp;")));
    }
    void the_pdf_is_one_page_of_a_roll()
    {
        const QByteArray pdf = pdfOf(receiptOf(sale().approved().checkout(), Paper::Original).value());
        QVERIFY(pdf.startsWith("%PDF-"));
        QVERIFY(pdf.contains("/Count 1"));
        const auto box = QRegularExpression(QStringLiteral("/MediaBox \\[0 0 ([0-9.]+) ([0-9.]+)\\]"))
                             .match(QString::fromLatin1(pdf));
        QVERIFY(box.hasMatch());
        QCOMPARE(qRound(box.captured(1).toDouble() / 72 * 25.4), 80);
        QVERIFY(box.captured(2).toDouble() > box.captured(1).toDouble());
    }
    void a_pdf_file_is_written_whole_off_the_windows_thread()
    {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("receipt.pdf"));
        StillClock clock(at("11:00:00"));
        ReceiptPage page(clock); // its own engine on its own thread
        page.show(sale().approved().checkout(), PrintOrigin::Outcome);
        page.printTo(file);
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(file), 20'000);
        QFile written(file);
        QVERIFY(written.open(QIODevice::ReadOnly));
        const QByteArray bytes = written.readAll();
        QVERIFY(bytes.startsWith("%PDF-"));
        QVERIFY(bytes.trimmed().endsWith("%%EOF"));
        QTRY_VERIFY(page.receipt()->isReprint()); // the next one would be the second
    }
    void a_file_that_cannot_be_written_is_said_with_its_name()
    {
        SystemPrintEngine engine;
        QSignalSpy failures(&engine, &PrintEngine::notPrinted);
        const QString file = QStringLiteral("/nowhere/at/all/receipt.pdf");
        engine.print(
            {7, receiptOf(sale().approved().checkout(), Paper::Original).value(), PrintOrder::Target::PdfFile, file});
        QCOMPARE(failures.size(), 1);
        QCOMPARE(failures.first().first().toInt(), 7);
        QVERIFY(failures.first().at(1).toString().startsWith(file));
    }
    void a_printer_that_is_not_there_is_said_with_its_name()
    {
        SystemPrintEngine engine;
        QSignalSpy failures(&engine, &PrintEngine::notPrinted);
        engine.print({8, receiptOf(sale().approved().checkout(), Paper::Original).value(), PrintOrder::Target::Printer,
                      QStringLiteral("no-such-printer")});
        QCOMPARE(failures.size(), 1);
        QVERIFY(failures.first().at(1).toString().contains(QStringLiteral("no-such-printer")));
    }
    void case_42_the_second_paper_is_marked_the_first_is_not()
    {
        Counter counter;
        const Story paid = sale().approved();
        counter.show(paid);
        QVERIFY(!counter.isReprint());
        counter.print();
        QCOMPARE(counter.printer.orders.size(), 1U);
        QVERIFY(!counter.printer.orders.back().receipt.isReprint());
        QVERIFY(!counter.isReprint()); // not handed over yet
        counter.takes();
        QVERIFY(counter.isReprint());
        QVERIFY(counter.text(names::receiptPaper).contains(QStringLiteral("REPRINT")));
        counter.print();
        QVERIFY(counter.printer.orders.back().receipt.isReprint());
        counter.takes();
        counter.show(paid); // asked for anew from the outcome
        QVERIFY(counter.isReprint());
    }
    void case_42_a_printer_that_jams_changes_nothing_and_can_be_used_again()
    {
        Counter counter;
        const Story paid = sale().approved();
        counter.show(paid);
        counter.print();
        counter.jams();
        QCOMPARE(
            counter.text(names::receiptState),
            QStringLiteral("Not printed. The printer Counter has stopped. The payment stands as it is. Print again "
                           "at any time."));
        QVERIFY(!counter.isReprint()); // no paper was handed over: the next one is the original
        QCOMPARE(counter.text(names::receiptPrint), QStringLiteral("Print again"));
        counter.print();
        QVERIFY(!counter.printer.orders.back().receipt.isReprint());
        counter.takes();
        QVERIFY(counter.text(names::receiptState).startsWith(QStringLiteral("Sent to Counter.")));
    }
    void case_42_paper_that_jams_after_it_was_taken_is_printed_again_with_a_mark()
    {
        Counter counter;
        counter.show(sale().approved());
        counter.print();
        counter.takes();
        QVERIFY(counter.text(names::receiptState).contains(QStringLiteral("If no paper comes out")));
        QCOMPARE(counter.text(names::receiptPrint), QStringLiteral("Print again"));
        counter.print();
        QVERIFY(counter.printer.orders.back().receipt.isReprint());
    }
    void case_42_two_clicks_print_one_paper()
    {
        Counter counter;
        counter.show(sale().approved());
        auto *button = counter.page->findChild<QPushButton *>(names::receiptPrint);
        QTest::mouseClick(button, Qt::LeftButton);
        QTest::mouseClick(button, Qt::LeftButton);
        counter.settle();
        QCOMPARE(counter.printer.orders.size(), 1U);
    }
    void what_is_printed_from_history_is_a_reprint()
    {
        Counter counter;
        counter.show(sale().approved(), PrintOrigin::History);
        QVERIFY(counter.isReprint());
    }
    void after_a_restart_what_came_about_before_is_a_reprint()
    {
        Counter counter; // started at 11:00
        counter.show(sale("10:30:00").approved());
        QVERIFY(counter.isReprint());
        counter.show(sale("10:30:00").leftUnknown());
        QVERIFY(counter.isReprint());
        Story settledSince = sale("10:30:00");
        settledSince.leftUnknown().after(3'600'000, event::InquiryStarted{});
        settledSince.after(50, event::InquiryEnded{verdict::Approved{SettledBy::Inquiry, {}}, {}});
        counter.show(settledSince); // nobody can have printed this outcome before
        QVERIFY(!counter.isReprint());
    }
    void the_receipt_after_an_unknown_slip_is_an_original()
    {
        Counter counter;
        Story story = sale();
        story.leftUnknown();
        counter.show(story);
        counter.print();
        counter.takes();
        QVERIFY(counter.isReprint());
        story.after(50, event::InquiryStarted{});
        story.after(50, event::InquiryEnded{verdict::Approved{SettledBy::Inquiry, {}}, {}});
        counter.page->noteChanged(story.checkout(), true); // while the slip is on show
        QCOMPARE(counter.page->receipt()->kind, Receipt::Kind::Paid);
        QVERIFY(!counter.isReprint());
        QCOMPARE(counter.text(names::receiptState), QString());
    }
    void an_answer_of_the_printer_counts_for_the_paper_that_was_sent()
    {
        Counter counter;
        const Story first = sale("12:00:01", QStringLiteral("0001")).approved();
        const Story second = sale("12:01:01", QStringLiteral("0002")).approved();
        counter.show(first);
        counter.print();
        counter.show(second); // the next customer is already there
        counter.takes();
        QVERIFY(!counter.isReprint());
        QCOMPARE(counter.text(names::receiptState), QString());
        counter.show(first);
        QVERIFY(counter.isReprint());
    }
    void without_a_printer_a_pdf_file_remains()
    {
        Counter counter{QStringList{}};
        counter.show(sale().approved());
        QVERIFY(!counter.page->findChild<QPushButton *>(names::receiptPrint)->isEnabled());
        QVERIFY(counter.page->findChild<QWidget *>(names::receiptNoPrinter)->isVisible());
        counter.press(names::receiptFile);
        auto *dialog = counter.page->findChild<QFileDialog *>(names::receiptFileDialog);
        QVERIFY(dialog);
        Q_EMIT dialog->fileSelected(QStringLiteral("/tmp/receipt.pdf"));
        dialog->close();
        counter.settle();
        QCOMPARE(counter.printer.orders.size(), 1U);
        QCOMPARE(counter.printer.orders.back().target, PrintOrder::Target::PdfFile);
        counter.takes();
        QCOMPARE(counter.text(names::receiptState), QStringLiteral("Written: receipt.pdf"));
    }
    void escape_and_back_leave_the_page()
    {
        Counter counter;
        counter.show(sale().approved());
        QSignalSpy closed(counter.page.get(), &ReceiptPage::closed);
        QTest::keyClick(counter.page.get(), Qt::Key_Escape);
        counter.press(names::receiptBack);
        QCOMPARE(closed.size(), 2);
    }
    void the_page_changes_its_language_at_once()
    {
        Counter counter;
        counter.show(sale().approved());
        speak(Language::Japanese);
        counter.settle();
        QVERIFY(counter.text(names::receiptPaper).contains(QString::fromUtf8("支払い完了")));
        QCOMPARE(counter.text(names::receiptPrint), QString::fromUtf8("印刷"));
    }
    void pictures_for_people_to_look_at()
    {
        const QString folder = qEnvironmentVariable("IKKAI_PICTURES");
        if (folder.isEmpty())
            return;
        QDir().mkpath(folder);
        for (const Language language : {Language::English, Language::Japanese}) {
            speak(language);
            const QString tail = language == Language::English ? QStringLiteral("-en.png") : QStringLiteral("-ja.png");
            Counter counter;
            counter.show(sale().approved());
            counter.page->grab().save(folder + QStringLiteral("/receipt-paid") + tail);
            counter.print();
            counter.jams();
            counter.page->grab().save(folder + QStringLiteral("/receipt-jam") + tail);
            counter.print();
            counter.takes();
            counter.page->grab().save(folder + QStringLiteral("/receipt-reprint") + tail);
            counter.show(sale().leftUnknown());
            counter.page->grab().save(folder + QStringLiteral("/receipt-unknown") + tail);
            counter.page->arrange(true);
            counter.page->resize(1024, 584);
            counter.settle();
            counter.page->grab().save(folder + QStringLiteral("/receipt-unknown-1024x700") + tail);
        }
    }
};

IKKAI_TEST_MAIN(Receipts)
#include "tst_receipts.moc"
