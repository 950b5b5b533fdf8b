#include "tests/support/test.h"
#include "tests/ui/till.h"

#include "ui/cashier/supervisor_panel.h"

#include <QtGui/QClipboard>
#include <QtWidgets/QApplication>
#include <QtWidgets/QLineEdit>

using namespace ikkai;
using namespace ikkai::test;

namespace {

const QString order = QStringLiteral("A-1001");
const QString pin = QStringLiteral("4711");
const QString reason = QStringLiteral("the customer pays in cash");

/// A till where A-1001 is open, and the cashier has typed it again.
void reopened(Till &till, qint64 amountMinor = 1'500)
{
    till.unknown();
    till.driver->leaveOpen();
    till.driver->charge(order, amountMinor);
    till.pass(400);
}

/// Hashing takes some tenths of a second on purpose, elsewhere.
bool answered(const Till &till)
{
    till.driver->settle();
    return till.driver->shows(names::supervisorAnswer);
}

} // namespace

/// What only a supervisor may do, and what the panel says of it.
class CashierSupervisor : public Test {
    Q_OBJECT

private Q_SLOTS:
    void an_open_order_offers_the_supervisor_and_nothing_is_chosen_beforehand()
    {
        Till till;
        reopened(till);
        QVERIFY(till.driver->enabled(names::supervisorButton));
        till.driver->press(names::supervisorButton);
        till.driver->settle();
        QVERIFY(till.driver->shows(names::supervisorPanel));
        QCOMPARE(till.driver->text(names::supervisorTitle), QStringLiteral("Start A-1001 anew?"));
        QVERIFY(till.driver->text(names::supervisorMeans).contains(QStringLiteral("A new charge of ¥1,500")));
        QVERIFY(!till.driver->enabled(names::supervisorConfirm));
        QVERIFY(!till.driver->shows(names::tryAgainButton));
        QVERIFY(!till.driver->enabled(names::chargeButton));
        QVERIFY(till.driver->text(names::chargeReason).contains(order));
        till.driver->press(names::supervisorCancel);
        till.driver->settle();
        QVERIFY(!till.driver->shows(names::supervisorPanel));
        QVERIFY(till.driver->enabled(names::tryAgainButton));
        QVERIFY(till.engine.gateway.voids.empty());
    }
    void without_a_pin_the_panel_names_the_command_that_sets_one()
    {
        Till till;
        reopened(till);
        till.driver->supervisor(pin, reason);
        QTRY_VERIFY(answered(till));
        QVERIFY(till.driver->text(names::supervisorAnswer).contains(QStringLiteral("payment-terminal supervisor-pin")));
        QVERIFY(till.engine.gateway.voids.empty());
        QVERIFY(till.driver->text(names::supervisorPin).isEmpty()); // typed anew each time
    }
    void a_wrong_pin_says_how_many_tries_are_left_and_is_locked_after_five()
    {
        Till till;
        till.journal.pin = makePin(pin, till.engine.time.now().wallMs).value();
        reopened(till);
        const auto charges = till.engine.gateway.charges.size();
        for (int left = 4; left >= 0; --left) {
            till.driver->supervisor(QStringLiteral("0000"), reason);
            const QString said = left > 1    ? QStringLiteral("%1 tries are left").arg(left)
                                 : left == 1 ? QStringLiteral("One try is left")
                                             : QStringLiteral("locked");
            QTRY_VERIFY2((till.driver->settle(), till.driver->text(names::supervisorAnswer).contains(said)),
                         qPrintable(said));
        }
        till.driver->supervisor(pin, reason); // the right one comes too late
        QTRY_VERIFY(answered(till));
        QVERIFY(till.driver->text(names::supervisorAnswer).contains(QStringLiteral("locked")));
        QCOMPARE(till.engine.gateway.charges.size(), charges);
        QVERIFY(till.engine.gateway.voids.empty());
    }
    void case_33_an_override_voids_the_old_one_and_starts_the_new_one_at_once()
    {
        Till till;
        till.journal.pin = makePin(pin, till.engine.time.now().wallMs).value();
        reopened(till);
        const auto charges = till.engine.gateway.charges.size();
        till.driver->supervisor(pin, reason);
        QTRY_VERIFY((till.driver->settle(), till.engine.gateway.charges.size() == charges + 1));
        till.driver->settle();
        QCOMPARE(till.engine.gateway.voids.size(), 1u);
        QVERIFY(!till.driver->shows(names::supervisorPanel));
        QCOMPARE(till.driver->outcome(), QStringLiteral("sending"));
        QCOMPARE(till.driver->text(names::bannerAmount), QStringLiteral("¥1,500"));
        QVERIFY(till.engine.gateway.charges.back().attempt.key != till.engine.gateway.charges.front().attempt.key);
        till.paid();
        QCOMPARE(till.driver->outcome(), QStringLiteral("approved"));
        till.pass(500);
        till.driver->newSale();
        till.voidAnswered("prevented");
        QVERIFY(till.driver->text(names::newsNote).contains(QStringLiteral("A-1001, ¥1,200: Voided")));
        QVERIFY(till.driver->enabled(names::showNewsButton));
        till.driver->press(names::showNewsButton);
        till.driver->settle();
        QCOMPARE(till.driver->outcome(), QStringLiteral("voided"));
        QVERIFY(till.driver->details().contains(reason));
    }
    void two_clicks_are_one_override()
    {
        Till till;
        till.journal.pin = makePin(pin, till.engine.time.now().wallMs).value();
        reopened(till);
        const auto charges = till.engine.gateway.charges.size();
        till.driver->supervisor(pin, reason);
        till.driver->press(names::supervisorConfirm);
        QTRY_VERIFY((till.driver->settle(), till.engine.gateway.charges.size() > charges));
        till.pass(2'000);
        QCOMPARE(till.engine.gateway.charges.size(), charges + 1);
        QCOMPARE(till.engine.gateway.voids.size(), 1u);
    }
    void the_till_works_on_where_the_open_one_settles_before_the_supervisor_is_let_in()
    {
        Till till;
        till.journal.pin = makePin(pin, till.engine.time.now().wallMs).value();
        reopened(till);
        till.driver->press(names::supervisorButton);
        till.driver->settle();
        QTest::keyClicks(till.driver->find(names::supervisorPin), pin);
        QTest::keyClicks(till.driver->find(names::supervisorReason), reason);
        // Settled already, and the window has not heard of it when the button is pressed.
        const ChargeTransmission first = till.engine.gateway.charges.front();
        till.engine.gateway.sink().lateAnswer(first.attempt, PlayedGateway::answerTo(first, 201, "approved"));
        till.driver->press(names::supervisorConfirm);
        till.driver->settle();
        QCOMPARE(till.driver->outcome(), QStringLiteral("approved"));
        QVERIFY(!till.driver->shows(names::supervisorPanel));
        till.pass(500);
        till.driver->newSale();
        till.driver->typeOrder(QStringLiteral("A-1002"));
        till.driver->typeAmount(300);
        QTRY_VERIFY((till.driver->settle(), till.driver->enabled(names::chargeButton)));
        QVERIFY(till.engine.gateway.voids.empty());
    }
    void a_mismatch_is_closed_by_a_supervisor_as_never_known()
    {
        for (const Language language : {Language::English, Language::Japanese}) {
            MainWindowOptions options;
            options.language = language;
            Till till(options);
            till.journal.pin = makePin(pin, till.engine.time.now().wallMs).value();
            till.driver->charge(order, 1'200);
            till.problem(422, "idempotency-key-mismatch");
            till.pass(400);
            till.driver->supervisor(pin, reason);
            QTRY_COMPARE((till.driver->settle(), till.driver->outcome()), QStringLiteral("written_off"));
            QCOMPARE(till.driver->headline(), language == Language::English ? QStringLiteral("Outcome never known")
                                                                            : QStringLiteral("結果不明のまま終了"));
            QVERIFY(till.driver->text(names::sentence).contains(reason));
            QVERIFY(!till.driver->allText().contains(QStringLiteral("not charged")));
            QVERIFY(till.engine.gateway.voids.empty());
            till.pass(500);
            till.driver->newSale();
            QCOMPARE(till.driver->outcome(), QString());
        }
    }
    void another_ledger_shuts_charge_and_leads_to_the_supervisor()
    {
        Till till;
        till.journal.pin = makePin(pin, till.engine.time.now().wallMs).value();
        till.unknown();
        till.driver->leaveOpen();
        till.engine.gateway.tellBank(QStringLiteral("ledger-2"));
        till.driver->settle();
        const auto charges = till.engine.gateway.charges.size();
        till.driver->charge(QStringLiteral("A-1002"), 500);
        QCOMPARE(till.engine.gateway.charges.size(), charges);
        QVERIFY(till.driver->text(names::notice).contains(QStringLiteral("Another bank answers here")));
        QCOMPARE(till.driver->text(names::bannerOrder), order);
        till.engine.gateway.tellBank(QStringLiteral("ledger-2"));
        till.driver->settle();
        till.pass(400);
        till.driver->supervisor(pin, QStringLiteral("the old bank is gone"));
        QTRY_COMPARE((till.driver->settle(), till.driver->outcome()), QStringLiteral("written_off"));
        QVERIFY(till.driver->text(names::explanation).contains(QStringLiteral("is gone")));
        till.driver->charge(QStringLiteral("A-1002"), 500);
        QCOMPARE(till.engine.gateway.charges.size(), charges + 1);
    }
    void enter_moves_no_money_and_digits_stay_in_the_pin()
    {
        Till till;
        till.journal.pin = makePin(pin, till.engine.time.now().wallMs).value();
        reopened(till);
        till.window->activateWindow();
        QTRY_VERIFY(till.window->isActiveWindow());
        till.driver->press(names::supervisorButton);
        till.driver->settle();
        QCOMPARE(QApplication::focusWidget(), till.driver->find(names::supervisorPin));
        QTest::keyClicks(QApplication::focusWidget(), pin);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        QCOMPARE(QApplication::focusWidget(), till.driver->find(names::supervisorReason));
        QTest::keyClicks(QApplication::focusWidget(), reason);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return, Qt::ControlModifier);
        auto *confirm = till.driver->find(names::supervisorConfirm);
        confirm->setFocus(Qt::TabFocusReason);
        QTest::keyClick(confirm, Qt::Key_Return);
        till.driver->settle();
        QVERIFY(till.driver->shows(names::supervisorPanel));
        QVERIFY(till.driver->enabled(names::supervisorConfirm)); // nothing is under way
        QVERIFY(till.engine.gateway.voids.empty());
        QVERIFY(till.driver->allText().indexOf(pin) < 0); // masked
    }
    void case_37_full_width_digits_count_and_other_characters_do_not()
    {
        QCOMPARE(digitsOf(QStringLiteral("４７ 1-1x")), QStringLiteral("4711"));
        Till till;
        reopened(till);
        till.driver->press(names::supervisorButton);
        till.driver->settle();
        auto *field = qobject_cast<QLineEdit *>(till.driver->find(names::supervisorPin));
        QApplication::clipboard()->setText(QStringLiteral("４７１１"));
        field->paste();
        QCOMPARE(field->text(), QStringLiteral("4711"));
    }
};

IKKAI_TEST_MAIN(CashierSupervisor)
#include "tst_cashier_supervisor.moc"
