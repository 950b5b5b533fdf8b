#include "tests/support/test.h"
#include "tests/ui/till.h"

#include "ui/closing/close_day_page.h"
#include "ui/closing/closing_client.h"
#include "ui/closing/closing_words.h"
#include "ui/closing/difference_table.h"
#include "ui/i18n/store_time.h"

#include <QtGui/QClipboard>
#include <QtTest/QAbstractItemModelTester>
#include <QtTest/QSignalSpy>
#include <QtWidgets/QApplication>
#include <QtWidgets/QProgressBar>

using namespace ikkai;
using namespace ikkai::test;

/// This till beside the bank, as a person sees it: the desk behind it answers what the test set.
class ReconcilePageTest : public Test {
    Q_OBJECT

private:
    /// A key has no empty value, so QVariant::value cannot make one.
    static IdempotencyKey keyIn(const QVariant &told) { return *static_cast<const IdempotencyKey *>(told.constData()); }
    static MainWindowOptions inTokyo()
    {
        MainWindowOptions options = Till::english();
        options.calendar = {QTimeZone("Asia/Tokyo"), 0};
        return options;
    }
    static void goThere(Till &till)
    {
        till.driver->press(names::navCloseDay);
        till.driver->press(names::tabReconcile);
        till.driver->settle();
    }
    static void compare(Till &till, const Reconciliation &made = FakeClosing::mockUp())
    {
        goThere(till);
        till.driver->press(names::reconcileBegin);
        till.driver->settle();
        Q_EMIT till.closing.reconciled(made);
        till.driver->settle();
    }
    static CloseDayPage *page(const Till &till)
    {
        return qobject_cast<CloseDayPage *>(till.driver->find(names::closeDayPage));
    }
    static DifferenceTable *table(const Till &till)
    {
        return qobject_cast<DifferenceTable *>(till.driver->find(names::differences));
    }
    static QString cell(const Till &till, int row, int column)
    {
        return table(till)->model()->index(row, column).data().toString();
    }
    static QStringList line(const Till &till, int row)
    {
        QStringList all;
        for (int column = 0; column < DifferenceModel::ColumnCount; ++column)
            all << cell(till, row, column);
        return all;
    }
    static void pressRow(const Till &till, int row)
    {
        const QModelIndex index = table(till)->model()->index(row, DifferenceModel::DoColumn);
        QTest::mouseClick(table(till)->viewport(), Qt::LeftButton, {}, table(till)->visualRect(index).center());
        till.driver->settle();
    }
    /// One difference: the checkout that is open here was approved there.
    static Reconciliation openOne(const IdempotencyKey &key, qint64 amountMinor)
    {
        Reconciliation made;
        made.checkedWallMs = FakeClosing::at(21, 4);
        Difference one =
            FakeClosing::difference(DifferenceKind::OpenHere, 1, QStringLiteral("A-1001"), QStringLiteral("unknown"),
                                    amountMinor, {amountMinor}, amountMinor, QStringLiteral("approved"));
        one.key = key.text();
        one.ours->key = key.text();
        made.differences = {one};
        return made;
    }

private Q_SLOTS:
    void cleanup() { store::useCalendar({}); }

    void four_tiles_sum_up_what_agrees_and_who_can_do_something_about_the_rest()
    {
        Till till(inTokyo());
        compare(till);
        QCOMPARE(till.driver->text(names::tileAgree), QStringLiteral("1,284 agree, ¥1,936,420 on both sides"));
        QCOMPARE(till.driver->text(names::tilePerson), QStringLiteral("3 need a person, ¥4,570 in question"));
        QCOMPARE(till.driver->text(names::tileSettle),
                 QStringLiteral("2 can be settled now, by the bank's own answer"));
        QCOMPARE(till.driver->text(names::tileElsewhere), QStringLiteral("1 not from here, tell the bank"));
        QCOMPARE(till.driver->text(names::closeDayStatus), QStringLiteral("checked 21:04:10, took 0.8 s"));
        QCOMPARE(
            till.driver->text(names::reconcileConfirmed),
            QStringLiteral("Each difference was confirmed by asking the bank. 1 row is younger than 5 s and waits."));
    }
    void each_difference_has_its_word_both_sides_and_one_thing_to_do()
    {
        Till till(inTokyo());
        compare(till);
        QCOMPARE(table(till)->model()->rowCount(), 6);
        QCOMPARE(line(till, 0),
                 (QStringList{QStringLiteral("Charged twice: one payment, two charges"), QStringLiteral("A-0973"),
                              QStringLiteral("Paid ¥3,400"), QStringLiteral("2 charges, ¥6,800"),
                              QStringLiteral("+¥3,400"), QStringLiteral("Details")}));
        QCOMPARE(line(till, 1),
                 (QStringList{QStringLiteral("Paid after void: void was shown as done"), QStringLiteral("A-0988"),
                              QStringLiteral("Voided"), QStringLiteral("Approved ¥720"), QStringLiteral("+¥720"),
                              QStringLiteral("Details")}));
        QCOMPARE(line(till, 2),
                 (QStringList{QStringLiteral("Different amount: same payment on both sides"), QStringLiteral("A-0991"),
                              QStringLiteral("Paid ¥1,500"), QStringLiteral("Approved ¥1,050"), QStringLiteral("−¥450"),
                              QStringLiteral("Details")}));
        QCOMPARE(line(till, 3),
                 (QStringList{QStringLiteral("Open here, paid there: answer was lost"), QStringLiteral("A-1009"),
                              QStringLiteral("Not known yet"), QStringLiteral("Approved ¥3,150"),
                              QStringLiteral("+¥3,150"), QStringLiteral("Settle as Paid")}));
        QCOMPARE(line(till, 4),
                 (QStringList{QStringLiteral("Open here, declined there: answer was lost"), QStringLiteral("A-1021"),
                              QStringLiteral("Not known yet"), QStringLiteral("Declined"), QStringLiteral("¥0"),
                              QStringLiteral("Settle as Declined")}));
        QCOMPARE(line(till, 5),
                 (QStringList{QStringLiteral("Unknown origin: no till of this shop"), QStringLiteral("none"),
                              QStringLiteral("nothing"), QStringLiteral("Approved ¥900"), QStringLiteral("+¥900"),
                              QStringLiteral("Details")}));
    }
    void every_kind_has_words_in_both_languages_and_its_own_group()
    {
        LanguageSwitch languages;
        for (const Language language : {Language::English, Language::Japanese}) {
            languages.use(language);
            QStringList seen;
            for (int kind = 0; kind <= static_cast<int>(DifferenceKind::UnknownOrigin); ++kind) {
                const Difference one =
                    FakeClosing::difference(static_cast<DifferenceKind>(kind), 1, QStringLiteral("A-1"),
                                            QStringLiteral("approved"), 100, {100}, 0, QStringLiteral("approved"));
                const DifferenceWords words = differenceWords(one, nullptr);
                QVERIFY(!words.word.isEmpty() && !words.sentence.isEmpty() && !words.actionLabel.isEmpty());
                QVERIFY(!seen.contains(words.word));
                seen << words.word;
            }
        }
        languages.use(Language::English);
        QCOMPARE(groupOf(DifferenceKind::ChargedTwice), DifferenceGroup::NeedsPerson);
        QCOMPARE(groupOf(DifferenceKind::NotAtBank), DifferenceGroup::NeedsPerson);
        QCOMPARE(groupOf(DifferenceKind::OpenHere), DifferenceGroup::CanBeSettled);
        QCOMPARE(groupOf(DifferenceKind::VoidUnderWay), DifferenceGroup::SettlesItself);
        QCOMPARE(groupOf(DifferenceKind::UnknownOrigin), DifferenceGroup::NotFromHere);
    }
    void details_leads_to_the_record_of_history()
    {
        Till till(inTokyo());
        compare(till);
        QSignalSpy wanted(page(till), &CloseDayPage::recordWanted);
        pressRow(till, 1);
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(keyIn(wanted[0][0]), FakeClosing::key(2));
        // A click elsewhere in the row selects it, no more.
        const QModelIndex order = table(till)->model()->index(2, DifferenceModel::Order);
        QTest::mouseClick(table(till)->viewport(), Qt::LeftButton, {}, table(till)->visualRect(order).center());
        till.driver->settle();
        QCOMPARE(wanted.size(), 1);
        QTest::keyClick(table(till), Qt::Key_Return);
        QCOMPARE(wanted.size(), 2);
        QCOMPARE(keyIn(wanted[1][0]), FakeClosing::key(3));
    }
    void what_only_the_bank_has_can_be_copied_for_it()
    {
        Till till(inTokyo());
        compare(till);
        pressRow(till, 5);
        QVERIFY(till.driver->shows(names::bankCharges));
        till.driver->press(names::bankChargesCopy);
        QVERIFY(QApplication::clipboard()->text().contains(QStringLiteral("charge ch_40")));
        QVERIFY(QApplication::clipboard()->text().contains(QStringLiteral("kiosk-9")));
        till.driver->press(names::bankChargesBack);
        till.driver->settle();
        QVERIFY(till.driver->shows(names::differences));
    }
    void one_press_settles_an_open_payment_by_the_banks_own_answer_and_the_row_says_what_came_of_it()
    {
        Till till(inTokyo());
        till.unknown();
        till.driver->press(names::leaveOpenButton);
        till.driver->settle();
        const IdempotencyKey key = till.journal.openKeys().value().front();
        compare(till, openOne(key, 1'200));
        const auto charges = till.engine.gateway.charges.size();
        const auto asked = till.engine.gateway.inquiries.size();
        pressRow(till, 0);
        QCOMPARE(cell(till, 0, DifferenceModel::DoColumn), QStringLiteral("asking the bank…"));
        QCOMPARE(till.engine.gateway.inquiries.size(), asked + 1);
        pressRow(till, 0); // once is enough
        QCOMPARE(till.engine.gateway.inquiries.size(), asked + 1);
        till.engine.gateway.sink().inquiryEnded(
            key, PlayedGateway::answerTo(till.engine.gateway.charges.back(), 200, "approved"));
        till.driver->settle();
        QVERIFY2(cell(till, 0, 0).startsWith(QStringLiteral("Settled: Paid: by the bank's own answer at ")),
                 qPrintable(cell(till, 0, 0)));
        QCOMPARE(cell(till, 0, DifferenceModel::Here), QStringLiteral("Paid ¥1,200"));
        QCOMPARE(cell(till, 0, DifferenceModel::BankMinusHere), QStringLiteral("¥0"));
        QCOMPARE(cell(till, 0, DifferenceModel::DoColumn), QStringLiteral("Details"));
        QCOMPARE(till.driver->text(names::tileSettle), QStringLiteral("0 can be settled now, 1 settled just now"));
        QVERIFY(!till.driver->shows(names::settleAllButton));
        QCOMPARE(till.engine.gateway.charges.size(), charges); // nothing was sent again
    }
    void a_bank_that_does_not_answer_leaves_the_row_open_and_it_can_be_asked_again()
    {
        Till till(inTokyo());
        till.unknown();
        till.driver->press(names::leaveOpenButton);
        till.driver->settle();
        compare(till, openOne(till.journal.openKeys().value().front(), 1'200));
        pressRow(till, 0);
        for (int second = 0; second < 12; ++second)
            till.pass(1'000);
        QVERIFY2(cell(till, 0, 0).contains(QStringLiteral("the bank gave no answer at")), qPrintable(cell(till, 0, 0)));
        QCOMPARE(cell(till, 0, DifferenceModel::DoColumn), QStringLiteral("Ask once more"));
        QCOMPARE(cell(till, 0, DifferenceModel::Here), QStringLiteral("Not known yet"));
        QCOMPARE(till.driver->text(names::settleAllButton), QStringLiteral("Settle the open one"));
    }
    void all_open_ones_are_settled_with_one_press()
    {
        Till till(inTokyo());
        compare(till);
        QCOMPARE(till.driver->text(names::settleAllButton), QStringLiteral("Settle both open ones"));
        QSignalSpy asked(page(till)->client(), &ClosingClient::checkWanted);
        till.driver->press(names::settleAllButton);
        till.driver->settle();
        QCOMPARE(asked.size(), 2);
        QCOMPARE(keyIn(asked[0][0]), FakeClosing::key(9));
        QCOMPARE(keyIn(asked[1][0]), FakeClosing::key(21));
    }
    void progress_says_the_phase_and_how_far_and_can_be_cancelled()
    {
        Till till(inTokyo());
        goThere(till);
        till.driver->press(names::reconcileBegin);
        till.driver->settle();
        QVERIFY(till.driver->shows(names::reconcileCancel));
        Q_EMIT till.closing.progressed({ReconcileProgress::Phase::ReadingTheBank, 41'200, 100'000});
        till.driver->settle();
        QCOMPARE(till.driver->text(names::reconcilePhase),
                 QStringLiteral("Reading the bank's list: 41,200 of 100,000"));
        auto *bar = qobject_cast<QProgressBar *>(till.driver->find(names::reconcileProgress));
        QCOMPARE(bar->value(), 412);
        Q_EMIT till.closing.progressed({ReconcileProgress::Phase::Confirming, 2, 6});
        till.driver->settle();
        QCOMPARE(till.driver->text(names::reconcilePhase),
                 QStringLiteral("Asking the bank about each difference: 2 of 6"));
        till.driver->press(names::reconcileCancel);
        till.driver->settle();
        QCOMPARE(till.closing.calls.last(), QStringLiteral("cancel"));
        QCOMPARE(till.driver->text(names::reconcileTrouble), QStringLiteral("Nothing was changed."));
        QVERIFY(till.driver->shows(names::reconcileBegin));
    }
    void a_bank_that_cannot_be_read_is_told_and_can_be_tried_again()
    {
        Till till(inTokyo());
        goThere(till);
        till.driver->press(names::reconcileBegin);
        till.driver->settle();
        Q_EMIT till.closing.failed(QStringLiteral("The bank at http://127.0.0.1:1 cannot be reached."),
                                   ClosingStep::Reconcile);
        till.driver->settle();
        QCOMPARE(till.driver->text(names::reconcileTrouble),
                 QStringLiteral("The bank at http://127.0.0.1:1 cannot be reached."));
        till.driver->press(names::reconcileBegin);
        till.driver->settle();
        QCOMPARE(till.closing.calls.count(QStringLiteral("reconcile")), 2);
    }
    void the_comparison_begins_with_the_oldest_payment_that_is_open()
    {
        Till till(inTokyo());
        till.closing.fillDay();
        till.closing.day.carried[0].startedWallMs = FakeClosing::at(0, 0) - 3'600'000;
        compare(till);
        QCOMPARE(till.closing.range.fromWallMs, FakeClosing::at(0, 0) - 3'600'000);
        QCOMPARE(till.closing.range.toWallMs, 0);
        till.closing.day.carried.clear();
        page(till)->client()->readPreview();
        till.driver->settle();
        till.driver->press(names::checkAgainButton);
        till.driver->settle();
        QCOMPARE(till.closing.range.fromWallMs, FakeClosing::at(0, 0));
    }
    void what_could_not_be_confirmed_is_not_called_confirmed()
    {
        Till till(inTokyo());
        Reconciliation made = FakeClosing::mockUp();
        made.heldBack = 0;
        made.differences[0].confirmation = Confirmation::NoAnswer;
        compare(till, made);
        QCOMPARE(till.driver->text(names::reconcileConfirmed),
                 QStringLiteral("1 of 6 could not be confirmed: the bank did not answer."));
        for (Difference &one : made.differences)
            one.confirmation = Confirmation::NotOffered;
        till.driver->press(names::checkAgainButton);
        till.driver->settle();
        Q_EMIT till.closing.reconciled(made);
        till.driver->settle();
        QCOMPARE(till.driver->text(names::reconcileConfirmed),
                 QStringLiteral("Not confirmed one by one: this bank answers no such questions."));
    }
    void two_sides_that_agree_are_said_to_agree()
    {
        Till till(inTokyo());
        Reconciliation made;
        made.agreeCount = 2;
        made.agreeSums = {{Currency::jpy(), 1'200}, {Currency::parse(u"USD").value(), 1'050}};
        compare(till, made);
        QCOMPARE(till.driver->text(names::tileAgree), QStringLiteral("2 agree, ¥1,200 · $10.50 on both sides"));
        QVERIFY(till.driver->text(names::reconcileClean).startsWith(QStringLiteral("Everything agrees.")));
    }
    void closing_from_here_asks_first_and_carries_over_what_is_open()
    {
        Till till(inTokyo());
        till.closing.fillDay();
        compare(till);
        QCOMPARE(till.driver->text(names::reconcileClose), QStringLiteral("Carry over and close"));
        till.driver->press(names::reconcileClose);
        till.driver->settle();
        QVERIFY(till.driver->shows(names::closeConfirm));
        QVERIFY(!till.closing.calls.contains(QStringLiteral("close")));
    }
    void the_comparison_is_written_as_csv_or_json()
    {
        Till till(inTokyo());
        compare(till);
        page(till)->exportTo(QStringLiteral("/tmp/r.json"));
        till.driver->settle();
        QCOMPARE(till.closing.calls.last(), QStringLiteral("export reconciliation json /tmp/r.json"));
        QCOMPARE(till.driver->text(names::closeDayStatus), QStringLiteral("Written to r.json"));
    }
    void a_report_that_cannot_be_read_does_not_end_a_comparison()
    {
        Till till(inTokyo());
        goThere(till);
        till.driver->press(names::reconcileBegin);
        page(till)->client()->readPreview();
        Q_EMIT till.closing.failed(QStringLiteral("journal.db: input/output error"), ClosingStep::Preview);
        till.driver->settle();
        QVERIFY(till.driver->shows(names::reconcileCancel));
        Q_EMIT till.closing.reconciled(FakeClosing::mockUp());
        till.driver->settle();
        QVERIFY(till.driver->shows(names::differences));
    }
    void the_model_of_differences_keeps_its_promises()
    {
        Till till(inTokyo());
        goThere(till);
        const QAbstractItemModelTester tester(table(till)->model(),
                                              QAbstractItemModelTester::FailureReportingMode::QtTest);
        compare(till);
        till.driver->press(names::checkAgainButton);
        till.driver->settle();
        Q_EMIT till.closing.reconciled({});
        till.driver->settle();
        QCOMPARE(table(till)->model()->rowCount(), 0);
    }
};

IKKAI_TEST_MAIN(ReconcilePageTest)
#include "tst_reconcile_page.moc"
