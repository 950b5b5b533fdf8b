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
    void a_decline_that_somebody_asks_for_is_stored_like_any_other()
    {
        Desk desk(Desk::plain());
        ChargeArrival asked = arrival("key-1", chargeBody(1200));
        asked.declineAs = "expired_card";
        const Answer declined = desk.charge(asked);
        QCOMPARE(declined.status, 402);
        QCOMPARE(json(declined).value(QStringLiteral("decline_code")).toString(), QStringLiteral("expired_card"));
        QVERIFY(!declined.moneyMoved);
        const Answer again = desk.charge("key-1", 1200);
        QVERIFY(again.replayed);
        QCOMPARE(again.body, declined.body);
        QCOMPARE(desk.balance(), 100'000);
    }

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
        QCOMPARE(desk.movements().size(), 2);
    }

    void case_16_threads_that_send_one_key_at_the_same_moment_charge_once_data()
    {
        QTest::addColumn<int>("threads");
        QTest::addColumn<int>("processingMs");
        QTest::newRow("10") << 10 << 0;
        QTest::newRow("64") << 64 << 0;
        QTest::newRow("10, with processing") << 10 << 20;
        QTest::newRow("64, with processing") << 64 << 20;
    }
    void case_16_threads_that_send_one_key_at_the_same_moment_charge_once()
    {
        QFETCH(int, threads);
        QFETCH(int, processingMs);
        BankOptions options = Desk::plain();
        options.processing = std::chrono::milliseconds(processingMs);
        Desk desk(options);
        std::barrier start(threads);
        std::mutex mutex;
        QList<Answer> answers;
        std::vector<std::thread> senders;
        for (int i = 0; i < threads; ++i) {
            senders.emplace_back([&] {
                start.arrive_and_wait();
                Answer answer = desk.charge("key-1", 1200);
                const std::scoped_lock lock(mutex);
                answers.append(std::move(answer));
            });
        }
        for (std::thread &sender : senders)
            sender.join();

        int fresh = 0;
        int moved = 0;
        for (const Answer &answer : answers) {
            QVERIFY2(answer.status == 201 || answer.status == 409, answer.body.constData());
            fresh += answer.status == 201 && !answer.replayed ? 1 : 0;
            moved += answer.moneyMoved ? 1 : 0;
        }
        QCOMPARE(fresh, 1);
        QCOMPARE(moved, 1);
        QCOMPARE(desk.movements().size(), 1);
        QCOMPARE(desk.outbox().size(), 1);
        QCOMPARE(desk.balance(), 98'800);
    }

    void threads_with_keys_of_their_own_each_charge_once()
    {
        Desk desk(Desk::plain());
        std::vector<std::thread> senders;
        std::atomic<int> approved{0};
        for (int i = 0; i < 16; ++i) {
            senders.emplace_back([&, i] {
                for (int n = 0; n < 20; ++n)
                    approved += desk.charge("key-" + QByteArray::number(i * 100 + n), 10).moneyMoved ? 1 : 0;
            });
        }
        for (std::thread &sender : senders)
            sender.join();
        QCOMPARE(approved.load(), 320);
        QCOMPARE(desk.balance(), 100'000 - 3200);
        QVERIFY(desk.counters().value(QStringLiteral("commits")).toInteger() <= 320);
    }

    void funds_that_are_short_decline_and_the_decline_is_kept_after_a_top_up()
    {
        Desk desk(Desk::plain());
        const Answer declined = desk.charge("key-1", 100'001);
        QCOMPARE(declined.status, 402);
        QCOMPARE(declined.contentType, "application/json");
        QVERIFY(!declined.moneyMoved);
        QCOMPARE(header(declined, "Idempotent-Replayed"), "false");
        const QJsonObject body = json(declined);
        QCOMPARE(body.value(QStringLiteral("status")).toString(), QStringLiteral("declined"));
        QCOMPARE(body.value(QStringLiteral("decline_code")).toString(), QStringLiteral("insufficient_funds"));
        QCOMPARE(body.value(QStringLiteral("balance")).toInteger(), 100'000);
        QCOMPARE(body.value(QStringLiteral("amount")).toInteger(), 100'001);
        QCOMPARE(body.size(), 9);
        QCOMPARE(desk.balance(), 100'000);

        desk.setBalance(1'000'000);
        const Answer again = desk.charge("key-1", 100'001);
        QCOMPARE(again.status, 402);
        QVERIFY(again.replayed);
        QCOMPARE(again.body, declined.body);
        QCOMPARE(desk.balance(), 1'000'000);
        QCOMPARE(desk.movements().size(), 0);
        QCOMPARE(desk.outbox().size(), 0);
        QCOMPARE(desk.charge("key-2", 100'001).status, 201);
    }

    void the_last_yen_can_be_spent()
    {
        Desk desk(Desk::plain());
        QCOMPARE(desk.charge("key-1", 100'000).status, 201);
        QCOMPARE(desk.balance(), 0);
        QCOMPARE(desk.charge("key-2", 1).status, 402);
    }

    void a_source_that_cannot_pay_is_declined_and_the_decline_is_kept_data()
    {
        QTest::addColumn<QString>("source");
        QTest::addColumn<QString>("code");
        QTest::newRow("unknown") << QStringLiteral("card_unknown") << QStringLiteral("no_such_account");
        QTest::newRow("declining") << QStringLiteral("card_no") << QStringLiteral("declined");
    }
    void a_source_that_cannot_pay_is_declined_and_the_decline_is_kept()
    {
        QFETCH(QString, source);
        QFETCH(QString, code);
        BankOptions options = Desk::plain();
        options.accounts.append({QStringLiteral("card_no"), 5000, true});
        Desk desk(options);
        const ChargeArrival sent = arrival("key-1", chargeBody(1200, QStringLiteral("A-1"), source));
        const Answer declined = desk.charge(sent);
        QCOMPARE(declined.status, 402);
        QCOMPARE(json(declined).value(QStringLiteral("decline_code")).toString(), code);
        const Answer again = desk.charge(sent);
        QCOMPARE(again.status, 402);
        QVERIFY(again.replayed);
        QCOMPARE(again.body, declined.body);
        QCOMPARE(desk.movements().size(), 0);
    }

    void another_payment_under_a_used_key_is_refused_and_moves_nothing_data()
    {
        QTest::addColumn<int>("status");
        QTest::newRow("422") << 422;
        QTest::newRow("409") << 409;
        QTest::newRow("400") << 400;
    }
    void another_payment_under_a_used_key_is_refused_and_moves_nothing()
    {
        QFETCH(int, status);
        BankOptions options = Desk::plain();
        options.mismatchStatus = status;
        Desk desk(options);
        const Answer first = desk.charge("key-1", 1200);
        const QJsonArray before = desk.movements();
        const Answer other = desk.charge("key-1", 1201);
        QCOMPARE(other.status, status);
        QCOMPARE(other.contentType, "application/problem+json");
        QCOMPARE(problem(other), QStringLiteral("idempotency-key-mismatch"));
        QCOMPARE(json(other).value(QStringLiteral("status")).toInt(), status);
        QCOMPARE(json(other).value(QStringLiteral("retryable")).toBool(true), false);
        QCOMPARE(json(other).value(QStringLiteral("idempotency_key")).toString(), QStringLiteral("key-1"));
        QVERIFY(!other.replayed && !other.moneyMoved);
        QVERIFY(!other.body.contains(json(first).value(QStringLiteral("id")).toString().toUtf8()));
        QCOMPARE(desk.movements(), before);
        QCOMPARE(desk.balance(), 98'800);
        QCOMPARE(desk.charge("key-1", 1200).body, first.body);
    }

    void case_17_one_key_of_two_merchants_is_two_charges()
    {
        Desk desk(Desk::plain());
        ChargeArrival mine = arrival("key-1", chargeBody(1200));
        ChargeArrival theirs = arrival("key-1", chargeBody(500));
        theirs.merchant = "other";
        QCOMPARE(desk.charge(mine).status, 201);
        const Answer other = desk.charge(theirs);
        QCOMPARE(other.status, 201);
        QVERIFY(other.moneyMoved);
        QCOMPARE(desk.balance(), 98'300);
    }

    void equal_sales_under_two_keys_are_two_sales()
    {
        Desk desk(Desk::plain());
        QVERIFY(desk.charge(arrival("key-1", chargeBody(1200, QStringLiteral("A-1")))).moneyMoved);
        QVERIFY(desk.charge(arrival("key-2", chargeBody(1200, QStringLiteral("A-1")))).moneyMoved);
    }

    void a_key_is_any_visible_ascii_and_comes_back_as_it_was()
    {
        Desk desk(Desk::plain());
        const QByteArray odd = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
        const Answer answer = desk.charge(odd, 1200);
        QCOMPARE(json(answer).value(QStringLiteral("idempotency_key")).toString().toLatin1(), odd);
        QCOMPARE(desk.charge(odd, 1200).body, answer.body);
        QCOMPARE(desk.inquire(odd).body, answer.body);
        QCOMPARE(desk.charge(odd.toLower() + "a", 1200).moneyMoved, true);
        QCOMPARE(desk.charge(odd.toLower() + "A", 1200).moneyMoved, true);
    }

    void a_bad_body_is_refused_with_the_member_to_blame_and_leaves_the_key_free()
    {
        Desk desk(Desk::plain());
        const Answer refused = desk.charge(
            arrival("key-1", "{\"order_id\":\"A\",\"amount\":1200.0,\"currency\":\"JPY\",\"source\":\"card_ok\"}"));
        QCOMPARE(refused.status, 400);
        QCOMPARE(refused.contentType, "application/problem+json");
        QCOMPARE(problem(refused), QStringLiteral("invalid-request"));
        QCOMPARE(json(refused).value(QStringLiteral("field")).toString(), QStringLiteral("amount"));
        QCOMPARE(desk.keys().size(), 0);
        QCOMPARE(desk.charge("key-1", 1200).status, 201);
    }

    void a_request_for_another_ledger_executes_nothing()
    {
        Desk desk(Desk::plain());
        ChargeArrival sent = arrival("key-1", chargeBody(1200));
        sent.expectLedger = "ldg_another";
        const Answer refused = desk.charge(sent);
        QCOMPARE(refused.status, 421);
        QCOMPARE(problem(refused), QStringLiteral("other-ledger"));
        QCOMPARE(desk.keys().size(), 0);
        QCOMPARE(desk.balance(), 100'000);
        sent.expectLedger = desk.bank->ledgerId().toUtf8();
        QCOMPARE(desk.charge(sent).status, 201);
        // A stored answer is not told to who means another ledger either.
        sent.expectLedger = "ldg_another";
        QCOMPARE(desk.charge(sent).status, 421);
    }

    void an_inquiry_tells_the_stored_answer_or_404()
    {
        Desk desk(Desk::plain());
        const Answer unknown = desk.inquire("key-1");
        QCOMPARE(unknown.status, 404);
        QCOMPARE(problem(unknown), QStringLiteral("charge-not-found"));
        const Answer approved = desk.charge("key-1", 1200);
        const Answer asked = desk.inquire("key-1");
        QCOMPARE(asked.status, 200);
        QCOMPARE(asked.body, approved.body);
        const Answer declined = desk.charge("key-2", 1'000'000);
        QCOMPARE(desk.inquire("key-2").status, 200);
        QCOMPARE(desk.inquire("key-2").body, declined.body);
        QCOMPARE(desk.movements().size(), 1);
    }

    void an_answer_past_its_time_to_live_says_what_the_ledger_knows_and_moves_nothing()
    {
        auto clock = std::make_shared<HandClock>();
        BankOptions options = Desk::plain();
        options.clock = clock;
        options.keyTtl = std::chrono::hours(24);
        Desk desk(options);
        const Answer approved = desk.charge("key-1", 1200);
        const Answer declined = desk.charge("key-2", 1'000'000);
        clock->advance(std::chrono::hours(24) - std::chrono::milliseconds(1));
        QCOMPARE(desk.charge("key-1", 1200).status, 201);
        clock->advance(std::chrono::milliseconds(1));

        const Answer late = desk.charge("key-1", 1200);
        QCOMPARE(late.status, 410);
        QCOMPARE(problem(late), QStringLiteral("idempotency-key-expired"));
        QCOMPARE(json(late).value(QStringLiteral("ledger")).toString(), QStringLiteral("charged"));
        QCOMPARE(json(late).value(QStringLiteral("idempotency_key")).toString(), QStringLiteral("key-1"));
        const Answer lateDecline = desk.charge("key-2", 1'000'000);
        QCOMPARE(lateDecline.status, 410);
        QCOMPARE(json(lateDecline).value(QStringLiteral("ledger")).toString(), QStringLiteral("declined"));
        // "charged" must never be said of another amount.
        QCOMPARE(desk.charge("key-1", 1201).status, 422);
        QCOMPARE(desk.inquire("key-1").status, 200);
        QCOMPARE(desk.inquire("key-1").body, approved.body);
        QCOMPARE(desk.inquire("key-2").body, declined.body);
        QCOMPARE(desk.balance(), 98'800);
    }

    void movements_are_told_in_pages_in_commit_order()
    {
        Desk desk(Desk::plain());
        for (int i = 1; i <= 5; ++i)
            desk.charge("key-" + QByteArray::number(i), 100 + i);
        const QJsonObject first = desk.movementsPage(0, 3);
        const QJsonArray rows = first.value(QStringLiteral("movements")).toArray();
        QCOMPARE(rows.size(), 3);
        const QJsonObject row = rows.at(0).toObject();
        QCOMPARE(row.keys(),
                 (QStringList{QStringLiteral("amount"), QStringLiteral("at"), QStringLiteral("currency"),
                              QStringLiteral("id"), QStringLiteral("idempotency_key"), QStringLiteral("kind"),
                              QStringLiteral("order_id"), QStringLiteral("source")}));
        QCOMPARE(row.value(QStringLiteral("kind")).toString(), QStringLiteral("charge"));
        QCOMPARE(row.value(QStringLiteral("amount")).toInteger(), 101);
        const QJsonObject second = desk.movementsPage(first.value(QStringLiteral("next")).toInteger(), 3);
        const QJsonArray rest = second.value(QStringLiteral("movements")).toArray();
        QCOMPARE(rest.size(), 2);
        QCOMPARE(rest.at(1).toObject().value(QStringLiteral("amount")).toInteger(), 105);
        QVERIFY(second.value(QStringLiteral("next")).isNull());
        QVERIFY(desk.movementsPage(0, 5).value(QStringLiteral("next")).isNull());
    }

    void events_tell_what_happened_after_it_was_committed()
    {
        BankOptions options = Desk::plain();
        Desk desk(options);
        QList<BankEvent> told;
        desk.bank->setObserver([&](const BankEvent &event) { told.append(event); });
        const ChargeArrival sent = arrival("key-1", chargeBody(1200));
        const Answer answer = desk.charge(sent);
        (void)desk.charge(arrival("key-1", chargeBody(1)));
        (void)desk.charge(arrival("key-3", "{}"));
        (void)desk.counters(); // on the ledger thread, so everything before it was told
        QList<QByteArray> kinds;
        for (const BankEvent &event : told)
            kinds.append(event.kind);
        QCOMPARE(kinds, (QList<QByteArray>{"claimed", "committed", "mismatch", "refused"}));
        const QJsonObject data = told.at(1).data;
        QCOMPARE(told.at(1).arrivalId, sent.arrivalId);
        QCOMPARE(data.value(QStringLiteral("idempotency_key")).toString(), QStringLiteral("key-1"));
        QCOMPARE(data.value(QStringLiteral("amount")).toInteger(), 1200);
        QCOMPARE(data.value(QStringLiteral("charge_id")), json(answer).value(QStringLiteral("id")));
    }

    void an_account_can_be_set_but_not_to_nonsense()
    {
        Desk desk(Desk::plain());
        std::promise<Account> refused;
        desk.bank->putAccount({QStringLiteral("card_ok"), -1, false},
                              [&](Account account) { refused.set_value(account); });
        QVERIFY(refused.get_future().get().source.isEmpty());
        QCOMPARE(desk.balance(), 100'000);
        desk.setBalance(7);
        QCOMPARE(desk.balance(), 7);
    }
};

IKKAI_TEST_MAIN(TestBankCharge)
#include "tst_bank_charge.moc"
