#include "tests/support/test.h"
#include "tests/ui/till.h"

#include "ui/theme/theme.h"
#include "ui/widgets/outcome_banner.h"

#include <QtGui/QAccessible>
#include <QtGui/QKeyEvent>
#include <QtTest/QSignalSpy>
#include <QtWidgets/QApplication>
#include <QtWidgets/QLineEdit>

using namespace ikkai;
using namespace ikkai::test;

namespace {

const QString order = QStringLiteral("A-1001");

} // namespace

/// The whole window on the real service; the test plays the bank, the clock and the cashier's fingers.
class CashierWindow : public Test {
    Q_OBJECT

private Q_SLOTS:
    void a_charge_is_contacting_then_paid()
    {
        Till till;
        till.driver->charge(order, 1'200);
        QCOMPARE(till.driver->outcome(), QStringLiteral("sending"));
        QCOMPARE(till.driver->role(), QStringLiteral("wrk"));
        QCOMPARE(till.driver->headline(), QStringLiteral("Contacting the bank"));
        QCOMPARE(till.driver->text(names::bannerAmount), QStringLiteral("¥1,200"));
        QCOMPARE(till.driver->text(names::bannerOrder), order);
        till.paid();
        QCOMPARE(till.driver->outcome(), QStringLiteral("approved"));
        QCOMPARE(till.driver->role(), QStringLiteral("ok"));
        QCOMPARE(till.driver->headline(), QStringLiteral("Paid"));
        QCOMPARE(till.driver->text(names::lead), QStringLiteral("Charged once."));
        QCOMPARE(till.driver->attempts().size(), 1);
        QVERIFY(till.driver->text(names::bannerReference).startsWith(QStringLiteral("Ref …")));
        till.pass(500);
        till.driver->press(names::newSaleButton);
        till.driver->settle();
        QCOMPARE(till.driver->outcome(), QString());
    }
    void the_amount_in_the_banner_is_the_operations_own()
    {
        Till till;
        till.driver->charge(order, 1'200);
        till.driver->typeAmount(850);
        QCOMPARE(till.driver->text(names::bannerAmount), QStringLiteral("¥1,200"));
        QCOMPARE(till.driver->text(names::amountField), QStringLiteral("¥850"));
        QCOMPARE(till.driver->text(names::orderField), QStringLiteral("A-1002"));
    }
    void silence_becomes_checking_with_a_countdown_that_moves()
    {
        Till till;
        till.driver->charge(order, 1'200);
        till.silence();
        QCOMPARE(till.driver->outcome(), QStringLiteral("waiting"));
        QCOMPARE(till.driver->headline(), QStringLiteral("Checking with the bank"));
        QVERIFY(till.driver->text(names::sentence).contains(QStringLiteral("Nobody is charged twice")));
        QCOMPARE(till.driver->text(names::progressText), QStringLiteral("Try 1 of 5 got no answer"));
        const QString before = till.driver->text(names::countdown);
        till.pass(100);
        QVERIFY(till.driver->text(names::countdown) != before);
        QCOMPARE(till.driver->find(names::attemptTrack)->property("value").toString(), QStringLiteral("Try 1 of 5"));
        auto *track = QAccessible::queryAccessibleInterface(till.driver->find(names::attemptTrack));
        QCOMPARE(track->text(QAccessible::Value), QStringLiteral("Try 1 of 5"));
        QVERIFY(till.driver->attempts().first().contains(QStringLiteral("No answer after 3.0 s")));
    }
    void a_long_wait_shows_elapsed_limit_and_a_way_out()
    {
        Till till;
        till.driver->charge(order, 1'200);
        QVERIFY(!till.driver->shows(names::leaveOpenButton));
        for (int n = 0; n < 3; ++n) {
            till.silence();
            till.untilNextTry();
        }
        QVERIFY(till.driver->enabled(names::leaveOpenButton));
        QVERIFY(till.driver->text(names::leaveOpenHint).contains(QStringLiteral("of at most 30 s")));
    }
    void a_lost_answer_ends_as_paid_charged_once()
    {
        Till till;
        till.driver->charge(order, 1'200);
        till.silence();
        till.untilNextTry();
        till.answer(201, "approved",
                    {{"idempotent-replayed", "true"}, {"original-date", "Thu, 09 Oct 2025 08:53:21 GMT"}});
        QCOMPARE(till.driver->headline(), QStringLiteral("Paid, charged once"));
        QCOMPARE(till.driver->text(names::sentence),
                 QStringLiteral("The bank repeated its answer of 17:53:21. Nothing was charged again."));
        QCOMPARE(till.driver->attempts().size(), 2);
        QCOMPARE(till.engine.gateway.charges.front().attempt.key, till.engine.gateway.charges.back().attempt.key);
    }
    void case_22_already_paid_is_a_success_and_new_sale_not_a_dead_end()
    {
        Till till;
        till.driver->charge(order, 1'200);
        till.paid();
        const auto sent = till.engine.gateway.charges.size();
        till.driver->charge(order, 1'200);
        QCOMPARE(till.driver->outcome(), QStringLiteral("approved"));
        QCOMPARE(till.driver->role(), QStringLiteral("ok"));
        QVERIFY(till.driver->text(names::notice).contains(QStringLiteral("already paid")));
        QVERIFY(till.driver->enabled(names::newSaleButton));
        QCOMPARE(till.engine.gateway.charges.size(), sent);
        // A second sale is legal, but somebody has to mean it.
        till.pass(400);
        till.driver->press(names::secondSaleButton);
        till.driver->settle();
        QCOMPARE(till.engine.gateway.charges.size(), sent + 1);
    }
    void case_09_a_409_is_the_bank_still_working_not_a_failure()
    {
        Till till;
        till.driver->charge(order, 1'200);
        till.problem(409, "idempotency-key-in-progress", {{"retry-after", "1"}});
        QCOMPARE(till.driver->headline(), QStringLiteral("Bank is still working"));
        QCOMPARE(till.driver->role(), QStringLiteral("wrk"));
        QVERIFY(till.driver->enabled(names::leaveOpenButton));
        till.untilNextTry();
        QCOMPARE(till.driver->headline(), QStringLiteral("Bank is still working"));
        till.answer(201, "approved", {{"idempotent-replayed", "true"}});
        QCOMPARE(till.driver->outcome(), QStringLiteral("approved"));
    }
    void declined_says_why_and_that_another_card_is_a_new_charge()
    {
        Till till;
        till.driver->charge(order, 48'600, QStringLiteral("card_low"));
        till.pass(100);
        till.answer(402, "declined");
        QCOMPARE(till.driver->headline(), QStringLiteral("Declined"));
        QCOMPARE(till.driver->role(), QStringLiteral("bad"));
        QVERIFY(till.driver->text(names::lead).contains(QStringLiteral("not enough money")));
        QVERIFY(till.driver->text(names::lead).contains(QStringLiteral("not charged")));
        const auto sent = till.engine.gateway.charges.size();
        till.pass(500);
        till.driver->press(names::newChargeButton);
        till.driver->settle();
        QCOMPARE(till.engine.gateway.charges.size(), sent); // prepared, not charged
        QCOMPARE(till.driver->text(names::orderField), order);
        QCOMPARE(till.driver->text(names::amountField), QStringLiteral("¥48,600"));
        till.driver->press(names::chargeButton);
        till.driver->settle();
        QCOMPARE(till.engine.gateway.charges.size(), sent + 1);
        QVERIFY(till.engine.gateway.charges.back().attempt.key != till.engine.gateway.charges.front().attempt.key);
    }
    void an_unreachable_bank_is_not_sent_and_can_be_tried_as_a_new_charge()
    {
        Till till;
        till.driver->charge(order, 1'200);
        for (int n = 1; n <= 5; ++n) {
            till.pass(100);
            till.engine.gateway.stayAway(Transmission::End::ConnectionRefused, 0);
            till.driver->settle();
            if (n < 5) {
                QCOMPARE(till.driver->headline(), QStringLiteral("Contacting the bank"));
                till.untilNextTry();
            }
        }
        QCOMPARE(till.driver->outcome(), QStringLiteral("not_sent"));
        QCOMPARE(till.driver->headline(), QStringLiteral("Not sent, nothing was charged"));
        QCOMPARE(till.driver->text(names::bankLink), QStringLiteral("Bank cannot be reached"));
        QVERIFY(!till.driver->shows(names::tryAgainButton));
        till.pass(400);
        till.driver->press(names::tryAsNewButton);
        till.driver->settle();
        QCOMPARE(till.driver->outcome(), QStringLiteral("sending"));
        QVERIFY(till.engine.gateway.charges.back().attempt.key != till.engine.gateway.charges.front().attempt.key);
    }
    void case_23_unknown_is_never_worded_as_a_failure()
    {
        for (const Language language : {Language::English, Language::Japanese}) {
            MainWindowOptions options;
            options.language = language;
            Till till(options);
            till.unknown();
            QCOMPARE(till.driver->outcome(), QStringLiteral("unknown"));
            QCOMPARE(till.driver->role(), QStringLiteral("unk"));
            const QString said = till.driver->allText();
            for (const char16_t *word : {u"fail", u"Fail", u"error", u"Error", u"not charged", u"Nothing was charged",
                                         u"失敗", u"エラー", u"請求はしていません", u"引き落としはありません"})
                QVERIFY2(!said.contains(QString::fromUtf16(word)), qPrintable(QString::fromUtf16(word)));
            QCOMPARE(till.driver->headline(), language == Language::English
                                                  ? QStringLiteral("Outcome not known yet")
                                                  : QStringLiteral("処理未了 — 結果を確認しています"));
            // Nothing is charged again without a person.
            const auto sent = till.engine.gateway.charges.size();
            till.pass(120'000);
            QCOMPARE(till.engine.gateway.charges.size(), sent);
        }
    }
    void unknown_offers_a_question_with_two_large_answers()
    {
        Till till;
        till.unknown();
        QVERIFY(till.driver->text(names::sentence).contains(QStringLiteral("may have been charged")));
        QVERIFY(till.driver->text(names::tellCustomer).contains(QStringLiteral("not be charged twice")));
        QVERIFY(till.driver->enabled(names::tryAgainButton));
        QVERIFY(till.driver->enabled(names::voidButton));
        QVERIFY(!till.driver->find(names::voidButton)->accessibleDescription().isEmpty());
        QVERIFY(QApplication::focusWidget() != till.driver->find(names::voidButton));
        QVERIFY(!till.driver->enabled(names::chargeButton));
        QVERIFY(till.driver->text(names::chargeReason).contains(order));
        QVERIFY(QApplication::focusWidget() != till.driver->find(names::tryAgainButton));
    }
    void try_again_sends_the_same_charge()
    {
        Till till;
        till.unknown();
        till.pass(400);
        till.driver->press(names::tryAgainButton);
        till.driver->press(names::tryAgainButton); // twice: once
        till.driver->settle();
        QCOMPARE(till.engine.gateway.charges.size(), 6u);
        QCOMPARE(till.engine.gateway.charges.back().attempt.key, till.engine.gateway.charges.front().attempt.key);
        QCOMPARE(till.engine.gateway.charges.back().body, till.engine.gateway.charges.front().body);
        QCOMPARE(till.driver->text(names::progressText), QStringLiteral("Try 1 of 5 is under way"));
    }
    void check_now_asks_without_charging()
    {
        Till till;
        till.unknown();
        const auto sent = till.engine.gateway.charges.size();
        till.driver->press(names::checkNowButton);
        till.driver->settle();
        QCOMPARE(till.engine.gateway.inquiries.size(), 1u);
        QVERIFY(till.driver->text(names::checkState).contains(QStringLiteral("Asking")));
        QVERIFY(till.driver->enabled(names::tryAgainButton)); // the buttons work meanwhile
        QCOMPARE(till.engine.gateway.charges.size(), sent);
        const auto key = till.engine.gateway.inquiries.back().key;
        till.engine.gateway.sink().inquiryEnded(
            key, PlayedGateway::answerTo(till.engine.gateway.charges.back(), 200, "approved"));
        till.driver->settle();
        QCOMPARE(till.driver->headline(), QStringLiteral("Paid, charged once"));
    }
    void leave_open_frees_the_till_and_keeps_it_on_the_list()
    {
        Till till;
        till.unknown();
        till.driver->press(names::leaveOpenButton);
        till.driver->settle();
        QCOMPARE(till.driver->outcome(), QString());
        till.driver->charge(QStringLiteral("A-1002"), 500);
        QCOMPARE(till.driver->text(names::bannerOrder), QStringLiteral("A-1002"));
        till.paid();
        till.driver->press(names::navOpen);
        till.driver->settle();
        QVERIFY(till.driver->allText().contains(QStringLiteral("A-1001 ¥1,200 Outcome not known yet")));
        till.driver->press(names::openSelected);
        till.driver->settle();
        QCOMPARE(till.driver->outcome(), QStringLiteral("unknown"));
        QVERIFY(till.driver->enabled(names::tryAgainButton));
    }
    void the_open_list_is_oldest_first_and_survives_a_restart()
    {
        Till first;
        first.unknown(QStringLiteral("A-1"), 100);
        first.driver->press(names::leaveOpenButton);
        first.unknown(QStringLiteral("A-2"), 200);
        first.driver->press(names::leaveOpenButton);
        first.driver->settle();
        Engine again(first.journal);
        WindowParts parts;
        parts.service = &again.service;
        parts.clock = &again.time;
        MainWindow window(Till::english(), parts);
        window.show();
        TerminalDriver driver(window);
        again.service.recover();
        driver.settle();
        driver.press(names::navOpen);
        driver.settle();
        const QString all = driver.allText();
        QVERIFY(all.indexOf(QStringLiteral("A-1 ¥100")) >= 0);
        QVERIFY(all.indexOf(QStringLiteral("A-2 ¥200")) > all.indexOf(QStringLiteral("A-1 ¥100")));
        QCOMPARE(driver.find(names::navOpen)->accessibleDescription(), QStringLiteral("2"));
        first.window->hide();
    }
    void case_33_an_open_order_opens_the_first_one_and_says_both_amounts()
    {
        Till till;
        till.unknown();
        till.driver->press(names::leaveOpenButton);
        till.driver->settle();
        const auto sent = till.engine.gateway.charges.size();
        till.driver->charge(order, 1'500);
        QCOMPARE(till.driver->outcome(), QStringLiteral("unknown"));
        QCOMPARE(till.driver->text(names::bannerAmount), QStringLiteral("¥1,200"));
        QVERIFY(till.driver->text(names::notice).contains(QStringLiteral("still open for ¥1,200; you typed ¥1,500")));
        QCOMPARE(till.engine.gateway.charges.size(), sent);
    }
    void case_25_two_clicks_in_one_turn_are_one_charge()
    {
        Till till;
        till.driver->typeOrder(order);
        till.driver->typeAmount(1'200);
        till.driver->press(names::chargeButton);
        till.driver->press(names::chargeButton);
        till.driver->press(names::chargeButton);
        till.driver->press(names::chargeButton);
        till.driver->settle();
        QCOMPARE(till.engine.gateway.charges.size(), 1u);
        QCOMPARE(till.journal.all().size(), 1u);
        QVERIFY(!till.driver->shows(names::notice)); // the service was not even asked a second time
    }
    void two_ctrl_enters_in_one_turn_are_one_charge()
    {
        Till till;
        till.driver->typeOrder(order);
        till.driver->typeAmount(1'200);
        till.window->activateWindow();
        auto *field = till.driver->find(names::amountField);
        field->setFocus();
        QTest::keyClick(field, Qt::Key_Return, Qt::ControlModifier);
        QTest::keyClick(field, Qt::Key_Return, Qt::ControlModifier);
        till.driver->settle();
        QCOMPARE(till.engine.gateway.charges.size(), 1u);
    }
    void charge_is_shut_with_its_reason_while_another_run_is_under_way()
    {
        Till till;
        till.driver->charge(order, 1'200);
        till.driver->typeAmount(850);
        QVERIFY(!till.driver->enabled(names::chargeButton));
        QVERIFY(till.driver->text(names::chargeReason).contains(QStringLiteral("Wait for A-1001")));
        till.driver->press(names::chargeButton);
        till.driver->settle();
        QCOMPARE(till.engine.gateway.charges.size(), 1u);
        till.silence();
        till.driver->press(names::leaveOpenButton);
        till.driver->settle();
        QVERIFY(till.driver->enabled(names::chargeButton));
    }
    void a_scanners_enter_moves_no_money()
    {
        Till till;
        till.window->activateWindow();
        auto *orderField = till.driver->find(names::orderField);
        orderField->setFocus();
        QTest::keyClicks(orderField, QStringLiteral("A-7"));
        QTest::keyClick(orderField, Qt::Key_Return);
        QCOMPARE(QApplication::focusWidget(), till.driver->find(names::amountField));
        QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("450"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        till.driver->settle();
        QVERIFY(till.engine.gateway.charges.empty());
        // On Charge it counts, but not on a screen that has only just appeared.
        auto *charge = till.driver->find(names::chargeButton);
        charge->setFocus(Qt::TabFocusReason);
        till.pass(400);
        QTest::keyClick(charge, Qt::Key_Return);
        till.driver->settle();
        QCOMPARE(till.engine.gateway.charges.size(), 1u);
        till.paid();
        till.driver->typeAmount(300);
        charge->setFocus(Qt::TabFocusReason);
        QTest::keyClick(charge, Qt::Key_Return);
        till.driver->settle();
        QCOMPARE(till.engine.gateway.charges.size(), 1u);
        till.pass(400);
        QTest::keyClick(charge, Qt::Key_Return);
        till.driver->settle();
        QCOMPARE(till.engine.gateway.charges.size(), 2u);
    }
    void what_is_shut_or_gone_hands_its_focus_to_the_amount()
    {
        Till till;
        till.window->activateWindow();
        QTRY_VERIFY(till.window->isActiveWindow());
        till.driver->charge(order, 1'200);
        QCOMPARE(QApplication::focusWidget(), till.driver->find(names::amountField));
        till.silence();
        till.driver->find(names::leaveOpenButton)->setFocus(Qt::TabFocusReason);
        till.untilNextTry();
        till.answer(201, "approved");
        QCOMPARE(QApplication::focusWidget(), till.driver->find(names::amountField));
        till.driver->find(names::newSaleButton)->setFocus(Qt::TabFocusReason);
        till.pass(500);
        till.driver->press(names::newSaleButton);
        till.driver->settle();
        QCOMPARE(QApplication::focusWidget(), till.driver->find(names::amountField));
    }
    void enter_answers_no_question_of_an_unknown()
    {
        Till till;
        till.unknown();
        till.pass(1'000);
        till.window->activateWindow();
        for (const auto &name : {names::tryAgainButton, names::voidButton}) {
            auto *button = till.driver->find(name);
            button->setFocus(Qt::TabFocusReason);
            QTest::keyClick(button, Qt::Key_Return);
            QTest::keyClick(button, Qt::Key_Enter);
        }
        till.driver->settle();
        QCOMPARE(till.engine.gateway.charges.size(), 5u);
    }
    void case_34_clicks_that_piled_up_while_the_window_stood_still_charge_nothing()
    {
        Till till;
        till.driver->typeOrder(order);
        till.driver->typeAmount(1'200);
        till.engine.time.advance(5'000); // no beat of the window in between
        QTest::mouseClick(till.driver->find(names::chargeButton), Qt::LeftButton);
        QTest::mouseClick(till.driver->find(names::chargeButton), Qt::LeftButton);
        QVERIFY(till.driver->text(names::chargeReason).contains(QStringLiteral("stood still")));
        till.driver->settle();
        QVERIFY(till.engine.gateway.charges.empty());
        till.driver->press(names::chargeButton);
        till.driver->settle();
        QCOMPARE(till.engine.gateway.charges.size(), 1u);
    }
    void digits_reach_the_amount_from_anywhere_on_the_page()
    {
        Till till;
        till.window->activateWindow();
        auto *segment = till.driver->find(names::payBy + QStringLiteral(".card_ok"));
        segment->setFocus();
        QTest::keyClicks(segment, QStringLiteral("120"));
        QTest::keyClick(segment, Qt::Key_Backspace);
        QCOMPARE(till.driver->text(names::amountField), QStringLiteral("¥12"));
    }
    void mismatch_shows_both_sides()
    {
        Till till;
        till.driver->charge(order, 1'200);
        till.problem(422, "idempotency-key-mismatch");
        QCOMPARE(till.driver->headline(), QStringLiteral("Bank has other details"));
        QVERIFY(till.driver->text(names::mismatchOurs).contains(QStringLiteral("¥1,200")));
        QVERIFY(till.driver->enabled(names::copyDetailsButton));
        till.driver->press(names::checkNowButton);
        till.driver->settle();
        const ChargeTransmission &sent = till.engine.gateway.charges.back();
        ChargeTransmission other = sent;
        other.body.replace("1200", "1050");
        till.engine.gateway.sink().inquiryEnded(sent.attempt.key, PlayedGateway::answerTo(other, 200, "approved"));
        till.driver->settle();
        QVERIFY(till.driver->text(names::mismatchTheirs).contains(QStringLiteral("¥1,050")));
        QCOMPARE(till.driver->outcome(), QStringLiteral("key_mismatch"));
    }
    void a_click_meant_for_the_screen_before_does_not_wipe_an_outcome_that_just_came()
    {
        Till till;
        till.unknown();
        till.driver->press(names::checkNowButton);
        till.driver->settle();
        const auto &asked = till.engine.gateway.inquiries.back();
        till.engine.gateway.sink().inquiryEnded(
            asked.key, PlayedGateway::answerTo(till.engine.gateway.charges.back(), 200, "approved"));
        till.driver->settle();
        QCOMPARE(till.driver->outcome(), QStringLiteral("approved"));
        till.driver->press(names::newSaleButton);
        till.driver->settle();
        QCOMPARE(till.driver->outcome(), QStringLiteral("approved"));
        till.pass(500);
        till.driver->press(names::newSaleButton);
        till.driver->settle();
        QCOMPARE(till.driver->outcome(), QString());
    }
    void digits_after_a_proposed_amount_begin_a_new_one()
    {
        Till till;
        till.driver->charge(order, 50, QStringLiteral("card_decline"));
        till.pass(100);
        till.answer(402, "declined");
        till.pass(500);
        till.driver->press(names::newChargeButton);
        till.driver->settle();
        QCOMPARE(till.driver->text(names::amountField), QStringLiteral("¥50"));
        QTest::keyClicks(till.driver->find(names::amountField), QStringLiteral("60"));
        QCOMPARE(till.driver->text(names::amountField), QStringLiteral("¥60"));
    }
    void digits_after_a_rejected_charge_begin_a_new_amount()
    {
        Till till;
        till.driver->charge(order, 100);
        till.paid();
        till.pass(500);
        till.driver->charge(order, 100); // paid already: asked back, nothing sent
        QCOMPARE(till.engine.gateway.charges.size(), 1U);
        till.driver->typeOrder(QStringLiteral("K-3"));
        QTest::keyClicks(till.driver->find(names::amountField), QStringLiteral("45"));
        QCOMPARE(till.driver->text(names::amountField), QStringLiteral("¥45"));
    }
    void what_was_refused_at_the_keyboard_shuts_charge_until_it_is_put_right()
    {
        Till till;
        till.driver->typeOrder(order);
        QWidget *amount = till.driver->find(names::amountField);
        QTest::keyClicks(amount, QStringLiteral("49012341"));
        QTest::keyClicks(amount, QStringLiteral("7")); // one digit too many
        till.driver->settle();
        QVERIFY(!till.driver->find(names::chargeButton)->isEnabled());
        QTest::keyClick(till.window.get(), Qt::Key_Return, Qt::ControlModifier);
        till.driver->settle();
        QCOMPARE(till.engine.gateway.charges.size(), 0U);
        till.driver->typeAmount(1'200);
        till.driver->settle();
        QVERIFY(till.driver->find(names::chargeButton)->isEnabled());
    }
    void a_scanned_code_is_no_amount()
    {
        Till till;
        till.driver->typeOrder(order);
        QWidget *amount = till.driver->find(names::amountField);
        quint64 at = 1'000;
        const auto key = [&](int code, const QString &text) {
            QKeyEvent press(QEvent::KeyPress, code, Qt::NoModifier, text);
            press.setTimestamp(at += 5);
            QApplication::sendEvent(amount, &press);
        };
        for (const QChar digit : QStringLiteral("4901234"))
            key(digit.unicode(), QString(digit));
        key(Qt::Key_Return, QStringLiteral("\r"));
        till.driver->settle();
        QCOMPARE(till.driver->text(names::amountField), QStringLiteral("¥0"));
        QVERIFY(!till.driver->find(names::chargeButton)->isEnabled());
    }
    void settle_this_one_first_is_over_once_it_is_settled()
    {
        Till till;
        till.unknown(order, 500);
        till.driver->press(names::leaveOpenButton);
        till.driver->settle();
        till.driver->charge(order, 900);
        const auto charges = till.engine.gateway.charges.size();
        QVERIFY(till.driver->text(names::notice).contains(QStringLiteral("Settle")));
        const ChargeTransmission sent = till.engine.gateway.charges.back();
        till.engine.gateway.sink().lateAnswer(sent.attempt, PlayedGateway::answerTo(sent, 201, "approved"));
        till.driver->settle();
        QCOMPARE(till.engine.gateway.charges.size(), charges);
        QCOMPARE(till.driver->outcome(), QStringLiteral("approved"));
        QVERIFY(!till.driver->text(names::notice).contains(QStringLiteral("Settle")));
    }
    void refused_says_what_to_put_right()
    {
        Till till;
        till.driver->charge(order, 700);
        till.problem(400, "bad-field", {}, ",\"field\":\"amount\"");
        QCOMPARE(till.driver->outcome(), QStringLiteral("refused"));
        QCOMPARE(till.driver->headline(), QStringLiteral("Not accepted"));
        QVERIFY(till.driver->text(names::lead).contains(QStringLiteral("this amount")));
        till.pass(500);
        till.driver->press(names::closeButton);
        till.driver->settle();
        QCOMPARE(till.driver->outcome(), QString());
    }
    void voided_says_where_the_money_is()
    {
        Till till;
        till.driver->charge(order, 64'000);
        till.problem(410, "idempotency-key-voided", {}, ",\"result\":\"reversed\"");
        QCOMPARE(till.driver->headline(), QStringLiteral("Voided"));
        QVERIFY(till.driver->text(names::lead).contains(QStringLiteral("The money goes back")));
    }
    void a_word_that_contradicts_is_shown_not_swallowed()
    {
        Till till;
        till.driver->charge(order, 1'200);
        till.pass(200);
        till.contradiction();
        QCOMPARE(till.driver->headline(), QStringLiteral("Look at this one"));
        QCOMPARE(till.driver->text(names::lead),
                 QStringLiteral("The bank now says: Paid. Shown here before: Declined."));
    }
    void an_answer_the_journal_does_not_take_is_shown_as_not_recorded_yet()
    {
        Till till;
        till.driver->charge(order, 1'200);
        till.journal.refuse = JournalError{JournalError::Kind::DiskFull, QStringLiteral("j.db"), {}};
        till.paid();
        QCOMPARE(till.driver->outcome(), QStringLiteral("approved"));
        QVERIFY(till.driver->text(names::notice).contains(QStringLiteral("Not recorded yet")));
        till.journal.refuse.reset();
        till.pass(1'500);
        QVERIFY(!till.driver->shows(names::notice));
    }
    void without_a_journal_nothing_is_sent_and_the_window_says_so()
    {
        Till till;
        till.journal.refuse = JournalError{JournalError::Kind::ReadOnly, QStringLiteral("j.db"), {}};
        till.driver->charge(order, 1'200);
        QVERIFY(till.engine.gateway.charges.empty());
        QVERIFY(till.driver->text(names::notice).contains(QStringLiteral("Cannot record, so cannot charge")));
        QCOMPARE(till.driver->text(names::amountField), QStringLiteral("¥1,200"));
        till.journal.refuse.reset();
        till.driver->press(names::chargeButton);
        till.driver->settle();
        QCOMPARE(till.engine.gateway.charges.size(), 1u);
    }
    void a_payment_settled_meanwhile_is_told()
    {
        Till till;
        till.driver->charge(order, 1'200);
        till.silence();
        const ChargeTransmission first = till.engine.gateway.charges.back();
        till.driver->press(names::leaveOpenButton);
        till.driver->settle();
        till.engine.gateway.sink().lateAnswer(first.attempt, PlayedGateway::answerTo(first, 201, "approved"));
        till.driver->settle();
        QCOMPARE(till.driver->outcome(), QStringLiteral("approved"));
        QCOMPARE(till.driver->text(names::bannerOrder), order);
    }
    void what_changes_in_the_banner_is_announced()
    {
        Till till;
        auto *banner = qobject_cast<OutcomeBanner *>(till.driver->find(names::banner));
        const QSignalSpy announced(banner, &OutcomeBanner::announced);
        till.driver->charge(order, 1'200);
        till.pass(1'000);
        QCOMPARE(announced.size(), 1); // once, not ten times a second
        QCOMPARE(announced.last().first().toString(), QStringLiteral("Contacting the bank ¥1,200 A-1001"));
        till.paid();
        QCOMPARE(announced.size(), 2);
        QVERIFY(till.driver->find(names::banner)->accessibleName().contains(QStringLiteral("Paid")));
    }
    void the_language_changes_at_once()
    {
        Till till;
        till.driver->charge(order, 1'200);
        till.silence();
        QCOMPARE(till.driver->headline(), QStringLiteral("Checking with the bank"));
        till.driver->press(names::languageSwitch);
        till.driver->settle();
        QCOMPARE(till.driver->headline(), QStringLiteral("銀行に確認中"));
        QCOMPARE(till.driver->text(names::chargeButton), QStringLiteral("請求する"));
        QCOMPARE(till.driver->text(names::progressText), QStringLiteral("5 回中 1 回目：返事がありません"));
        till.driver->press(names::languageSwitch);
        till.driver->settle();
        QCOMPARE(till.driver->headline(), QStringLiteral("Checking with the bank"));
    }
    void what_does_this_mean_explains_in_place()
    {
        Till till;
        till.driver->charge(order, 1'200);
        till.silence();
        till.driver->press(names::explainButton);
        till.driver->settle();
        QVERIFY(till.driver->shows(names::detailsText));
        QVERIFY(!till.driver->shows(names::attemptTrack));
        till.driver->press(names::explainButton);
        till.driver->settle();
        QVERIFY(till.driver->shows(names::attemptTrack));
    }
    void details_hold_the_key_that_the_sentences_leave_out()
    {
        Till till;
        till.driver->charge(order, 1'200);
        till.paid();
        const QString key = till.engine.gateway.charges.back().attempt.key.text();
        QVERIFY(!till.driver->allText().contains(key));
        till.driver->press(names::detailsButton);
        till.driver->settle();
        const QVariant text = till.driver->find(names::detailsText)->property("plainText");
        QVERIFY(text.toString().contains(key));
    }
};

IKKAI_TEST_MAIN(CashierWindow)
#include "tst_cashier_window.moc"
