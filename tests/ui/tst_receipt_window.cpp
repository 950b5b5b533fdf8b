#include "tests/support/test.h"
#include "tests/ui/till.h"

#include "ui/receipts/receipt_page.h"

using namespace ikkai;
using namespace ikkai::test;

/// From the outcome to its paper and back, in the whole window.
class ReceiptWindow : public Test {
    Q_OBJECT

private:
    static const ReceiptPage *pageOf(const Till &till) { return till.window->findChild<ReceiptPage *>(); }

private Q_SLOTS:
    void a_paid_sale_has_its_receipt_and_the_way_back()
    {
        Till till;
        till.driver->charge(QStringLiteral("A-1001"), 1'200);
        till.paid();
        till.driver->press(names::receiptButton);
        till.driver->settle();
        QVERIFY(till.driver->shows(names::receiptPaper));
        QVERIFY(!till.driver->shows(names::outcomePanel));
        QCOMPARE(pageOf(till)->receipt()->kind, Receipt::Kind::Paid);
        QVERIFY(!pageOf(till)->receipt()->isReprint());
        till.driver->press(names::receiptBack);
        till.driver->settle();
        QVERIFY(till.driver->shows(names::outcomePanel));
        QCOMPARE(till.driver->outcome(), QStringLiteral("approved"));
    }
    void every_outcome_that_has_a_paper_offers_it()
    {
        Till till;
        till.driver->charge(QStringLiteral("A-1001"), 1'200);
        QVERIFY(!till.driver->shows(names::receiptButton)); // it runs still
        till.pass(200);
        till.answer(402, "declined");
        QVERIFY(till.driver->shows(names::receiptButton));
        till.driver->press(names::newSaleButton);
        till.driver->charge(QStringLiteral("A-1002"), 800);
        till.problem(410, "idempotency-key-voided", {}, ",\"result\":\"reversed\"");
        QCOMPARE(till.driver->outcome(), QStringLiteral("voided"));
        QVERIFY(till.driver->shows(names::receiptButton));
    }
    void an_unknown_slip_turns_into_a_receipt_when_the_bank_answers()
    {
        Till till;
        till.unknown();
        QVERIFY(till.driver->shows(names::receiptButton));
        till.pass(400);
        till.driver->press(names::receiptButton);
        till.driver->settle();
        QCOMPARE(pageOf(till)->receipt()->kind, Receipt::Kind::NotKnown);
        QVERIFY(till.driver->allText().contains(QStringLiteral("Do not pay again")));
        const ChargeTransmission last = till.engine.gateway.charges.back();
        till.engine.gateway.sink().lateAnswer(last.attempt, PlayedGateway::answerTo(last, 201, "approved"));
        till.driver->settle();
        QCOMPARE(pageOf(till)->receipt()->kind, Receipt::Kind::Paid);
    }
    void case_34_no_key_on_the_paper_moves_money()
    {
        Till till;
        till.driver->charge(QStringLiteral("A-1001"), 1'200);
        till.paid();
        till.driver->typeOrder(QStringLiteral("A-1002"));
        till.driver->typeAmount(500);
        till.driver->press(names::receiptButton);
        till.driver->settle();
        till.pass(400);
        const std::size_t sent = till.engine.gateway.charges.size();
        QTest::keyClick(till.window.get(), Qt::Key_Return, Qt::ControlModifier);
        QTest::keyClicks(till.window.get(), QStringLiteral("123"));
        till.driver->settle();
        QCOMPARE(till.engine.gateway.charges.size(), sent);
        QCOMPARE(till.driver->find(names::amountField)->property("amountMinor").toLongLong(), 500);
    }
};

IKKAI_TEST_MAIN(ReceiptWindow)
#include "tst_receipt_window.moc"
