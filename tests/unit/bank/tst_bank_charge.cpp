#include "tests/support/test.h"
#include "tests/unit/bank/bank_desk.h"

#include <QtCore/QRegularExpression>

#include <barrier>
#include <thread>

using namespace ikkai::test;
using namespace mockbank;

/// What one charge, and the same charge sent again, do to money.
class TestBankCharge : public Test {
    Q_OBJECT

private Q_SLOTS:
    void a_first_charge_is_approved_and_debited()
    {
        Desk desk(Desk::plain());
        const Answer answer = desk.charge("key-1", 1200);
        QCOMPARE(answer.status, 201);
        QCOMPARE(answer.contentType, "application/json");
        QVERIFY(answer.moneyMoved);
        QVERIFY(!answer.replayed);
        QCOMPARE(header(answer, "Idempotent-Replayed"), "false");
        const QJsonObject body = json(answer);
        QVERIFY(body.value(QStringLiteral("id")).toString().startsWith(QStringLiteral("ch_")));
        QCOMPARE(body.value(QStringLiteral("status")).toString(), QStringLiteral("approved"));
        QCOMPARE(body.value(QStringLiteral("idempotency_key")).toString(), QStringLiteral("key-1"));
        QCOMPARE(body.value(QStringLiteral("order_id")).toString(), QStringLiteral("A-1001"));
        QCOMPARE(body.value(QStringLiteral("amount")).toInteger(), 1200);
        QCOMPARE(body.value(QStringLiteral("currency")).toString(), QStringLiteral("JPY"));
        QCOMPARE(body.value(QStringLiteral("balance")).toInteger(), 98'800);
        QVERIFY(
            QDateTime::fromString(body.value(QStringLiteral("created_at")).toString(), Qt::ISODateWithMs).isValid());
        QCOMPARE(body.size(), 8);
        QCOMPARE(desk.balance(), 98'800);
        QCOMPARE(desk.movements().size(), 1);
        QCOMPARE(desk.outbox().size(), 1);
    }

    void case_12_the_same_key_again_replays_the_answer_byte_for_byte()
    {
        auto clock = std::make_shared<HandClock>();
        BankOptions options = Desk::plain();
        options.clock = clock;
        Desk desk(options);
        const Answer first = desk.charge("key-1", 1200);
        clock->advance(std::chrono::seconds(61));
        const Answer again = desk.charge("key-1", 1200);
        QCOMPARE(again.status, 201);
        QCOMPARE(again.body, first.body);
        QCOMPARE(again.contentType, first.contentType);
        QVERIFY(again.replayed);
        QVERIFY(!again.moneyMoved);
        QCOMPARE(header(again, "Idempotent-Replayed"), "true");
        QCOMPARE(header(again, "Original-Date"), "Tue, 14 Jul 2026 03:33:20 GMT");
        QCOMPARE(desk.balance(), 98'800);
        QCOMPARE(desk.movements().size(), 1);
        QCOMPARE(desk.outbox().size(), 1);
    }

    void different_keys_are_different_charges()
    {
        Desk desk(Desk::plain());
        QCOMPARE(desk.charge("key-1", 1200).status, 201);
        const Answer second = desk.charge("key-2", 1200);
        QCOMPARE(second.status, 201);
        QVERIFY(second.moneyMoved);
        QCOMPARE(desk.balance(), 97'600);
    }
};

IKKAI_TEST_MAIN(TestBankCharge)
#include "tst_bank_charge.moc"
