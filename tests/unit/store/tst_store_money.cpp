#include "tests/unit/store/store_bench.h"

using namespace ikkai::test;
using namespace mockbank;

/// What every store promises of money: accounts, the ledger, and the outbox that tells of it.
class TestStoreMoney : public Test {
    Q_OBJECT

    static void giveMoney(Store &store) { store.putAccount({QStringLiteral("card_ok"), 100'000, false}); }

    /// One transaction for each charge, with its event.
    static void commitCharge(Store &store, Movement movement, const QString &orderId = QStringLiteral("A-1"))
    {
        movement.details.orderId = orderId;
        OutboxEvent event;
        store.begin();
        event.movementId = store.addMovement(movement);
        event.topic = "charge.approved";
        event.payload = "{\"charge\":\"" + movement.chargeId + "\"}";
        event.createdAtMs = event.nextAttemptAtMs = movement.atMs;
        event.orderId = orderId;
        store.addOutboxEvent(event);
        QVERIFY(store.commit());
    }
    static QByteArrayList idsOf(const QList<Movement> &movements)
    {
        QByteArrayList ids;
        for (const Movement &movement : movements)
            ids.append(movement.chargeId);
        return ids;
    }
    static QByteArrayList payloadsOf(const QList<OutboxEvent> &events)
    {
        QByteArrayList payloads;
        for (const OutboxEvent &event : events)
            payloads.append(event.payload);
        return payloads;
    }

private Q_SLOTS:
    void a_debit_takes_what_is_there_and_no_more_data() { StoreBench::kinds(); }
    void a_debit_takes_what_is_there_and_no_more()
    {
        STORE_OF_KIND(bench);
        const auto store = bench.open();
        store->begin();
        store->putAccount({QStringLiteral("card_ok"), 1000, false});
        QVERIFY(!store->debit(QStringLiteral("card_ok"), 1001));
        QVERIFY(store->debit(QStringLiteral("card_ok"), 1000));
        QVERIFY(!store->debit(QStringLiteral("card_ok"), 1));
        QVERIFY(!store->debit(QStringLiteral("nobody"), 1));
        QCOMPARE(store->lockAccount(QStringLiteral("card_ok"))->balanceMinor, 0);
        store->addAccount({QStringLiteral("card_ok"), 5, false});
        QCOMPARE(store->lockAccount(QStringLiteral("card_ok"))->balanceMinor, 0);
        QVERIFY(!store->lockAccount(QStringLiteral("nobody")));
        QCOMPARE(store->accounts().size(), 1);
    }

    void a_credit_gives_back_and_tells_the_balance_data() { StoreBench::kinds(); }
    void a_credit_gives_back_and_tells_the_balance()
    {
        STORE_OF_KIND(bench);
        const auto store = bench.open();
        store->begin();
        store->putAccount({QStringLiteral("card_ok"), 1000, true});
        store->commit();
        store->begin();
        QCOMPARE(store->credit(QStringLiteral("card_ok"), 250), 1250);
        QCOMPARE(store->credit(QStringLiteral("nobody"), 250), std::nullopt);
        QVERIFY(store->commit());
        store->begin();
        QCOMPARE(store->lockAccount(QStringLiteral("card_ok"))->balanceMinor, 1250);
        QVERIFY(store->lockAccount(QStringLiteral("card_ok"))->declining);
    }

    void case_31_a_second_guarded_charge_under_a_key_is_impossible_and_an_unguarded_one_is_not_data()
    {
        StoreBench::kinds();
    }
    void case_31_a_second_guarded_charge_under_a_key_is_impossible_and_an_unguarded_one_is_not()
    {
        STORE_OF_KIND(bench);
        const auto store = bench.open();
        store->begin();
        giveMoney(*store);
        store->addMovement(chargeOf("key-1"));
        QCOMPARE(store->chargeUnder(claimOf("key-1").name)->chargeId, "ch_key-1"); // known before the commit
        store->savepoint();
        Movement second = chargeOf("key-1");
        second.chargeId = "ch_second";
        QVERIFY_THROWS_EXCEPTION(StoreConflict, store->addMovement(second));
        store->rollbackToSavepoint();
        second.guarded = false;
        store->addMovement(second);
        second.guarded = true;
        second.name.scope = "other POST /v1/charges";
        second.chargeId = "ch_other";
        store->addMovement(second);
        QVERIFY(store->commit());
        store->begin();
        QCOMPARE(idsOf(store->movements(0, 10)), QByteArrayList({"ch_key-1", "ch_second", "ch_other"}));
        QCOMPARE(store->chargeUnder(claimOf("key-1").name)->chargeId, "ch_key-1");
        QVERIFY(!store->chargeUnder(claimOf("key-2").name));
    }

    void the_first_charge_under_a_key_is_found_whichever_strategy_wrote_it_data() { StoreBench::kinds(); }
    void the_first_charge_under_a_key_is_found_whichever_strategy_wrote_it()
    {
        STORE_OF_KIND(bench);
        const auto store = bench.open();
        store->begin();
        giveMoney(*store);
        store->commit();
        Movement unsafe = chargeOf("key-1");
        unsafe.guarded = false;
        unsafe.chargeId = "ch_unsafe";
        commitCharge(*store, unsafe);
        commitCharge(*store, chargeOf("key-1"));
        store->begin();
        QCOMPARE(store->chargeUnder(claimOf("key-1").name)->chargeId, "ch_unsafe");
        QCOMPARE(store->chargeUnder(claimOf("key-1").name)->id, store->movements(0, 1).constFirst().id);
    }

    void a_movement_that_breaks_a_rule_is_refused_data() { StoreBench::kinds(); }
    void a_movement_that_breaks_a_rule_is_refused()
    {
        STORE_OF_KIND(bench);
        const auto store = bench.open();
        store->begin();
        giveMoney(*store);
        const auto refused = [&](const std::function<void(Movement &)> &spoil) {
            Movement movement = chargeOf("key-1");
            spoil(movement);
            store->savepoint();
            const bool failed = !failureOf([&] { store->addMovement(movement); }).isEmpty();
            store->rollbackToSavepoint();
            return failed;
        };
        QVERIFY(refused([](Movement &movement) { movement.details.amountMinor = 0; }));
        QVERIFY(refused([](Movement &movement) { movement.details.amountMinor = 100'000'000; }));
        QVERIFY(refused([](Movement &movement) { movement.details.source = QStringLiteral("nobody"); }));
        QVERIFY(refused([](Movement &movement) { movement.details.currency = "YEN!"; }));
        QVERIFY(!refused([](Movement &) {}));
        store->savepoint();
        QVERIFY(!failureOf([&] { store->putAccount({QStringLiteral("card_ok"), -1, false}); }).isEmpty());
        store->rollbackToSavepoint();
        QCOMPARE(store->lockAccount(QStringLiteral("card_ok"))->balanceMinor, 100'000);
        store->commit();
        store->begin();
        QCOMPARE(store->movements(0, 10).size(), 0);
    }

    void a_charge_is_reversed_once_data() { StoreBench::kinds(); }
    void a_charge_is_reversed_once()
    {
        STORE_OF_KIND(bench);
        const auto store = bench.open();
        store->begin();
        giveMoney(*store);
        store->commit();
        commitCharge(*store, chargeOf("key-1"));
        store->begin();
        QVERIFY(!store->reversalOf("ch_key-1"));
        QVERIFY(!store->chargeById("ch_other"));
        QCOMPARE(store->chargeById("ch_key-1")->details.amountMinor, 1200);
        store->addMovement(reversalOf(chargeOf("key-1")));
        QCOMPARE(store->reversalOf("ch_key-1")->balanceMinor, 100'000);
        store->savepoint();
        QVERIFY_THROWS_EXCEPTION(StoreConflict, store->addMovement(reversalOf(chargeOf("key-1"))));
        store->rollbackToSavepoint();
        QVERIFY(store->commit());
        store->begin();
        QCOMPARE(store->chargeById("ch_key-1")->kind, MovementKind::Charge);
        QCOMPARE(store->chargeUnder(claimOf("key-1").name)->kind, MovementKind::Charge);
        QCOMPARE(store->reversalOf("ch_key-1")->kind, MovementKind::Reversal);
        QVERIFY(store->reversalOf("ch_key-1")->id > store->chargeById("ch_key-1")->id);
    }

    void pages_of_the_ledger_follow_each_other_without_a_gap_data() { StoreBench::kinds(); }
    void pages_of_the_ledger_follow_each_other_without_a_gap()
    {
        STORE_OF_KIND(bench);
        const auto store = bench.open();
        store->begin();
        giveMoney(*store);
        store->commit();
        QByteArrayList written;
        int number = 0;
        for (const int batch : {3, 1, 5, 2}) {
            store->begin();
            for (int n = 0; n < batch; ++n) {
                const QByteArray key = QByteArray::number(++number);
                store->savepoint();
                store->addMovement(chargeOf("undone " + key));
                store->rollbackToSavepoint();
                store->addMovement(chargeOf(key));
                written.append("ch_" + key);
            }
            store->commit();
        }
        store->begin();
        for (int size = 1; size <= 12; ++size) {
            QByteArrayList read;
            qint64 after = 0;
            while (true) {
                const QList<Movement> page = store->movements(after, size);
                QVERIFY(page.size() <= size);
                if (page.isEmpty())
                    break;
                for (const Movement &movement : page) {
                    QVERIFY(movement.id > after);
                    after = movement.id;
                }
                read += idsOf(page);
            }
            QCOMPARE(read, written);
        }
    }

    void reconciliation_lists_charges_by_scope_terminal_and_time_with_their_reversals_data() { StoreBench::kinds(); }
    void reconciliation_lists_charges_by_scope_terminal_and_time_with_their_reversals()
    {
        STORE_OF_KIND(bench);
        const auto store = bench.open();
        store->begin();
        giveMoney(*store);
        store->commit();
        for (int n = 1; n <= 6; ++n) {
            Movement movement = chargeOf(QByteArray::number(n));
            movement.atMs = n * 1000;
            movement.details.terminalId = n % 2 == 0 ? QStringLiteral("till-2") : QString();
            if (n == 6)
                movement.name.scope = "other POST /v1/charges";
            commitCharge(*store, movement);
        }
        commitCharge(*store, reversalOf(chargeOf("2")));
        store->begin();
        const auto list = [&](const std::function<void(ChargeFilter &)> &narrow) {
            ChargeFilter filter;
            filter.scope = claimOf("1").name.scope;
            narrow(filter);
            QByteArrayList ids;
            for (const ChargeRow &row : store->charges(filter)) {
                if (row.reversal && row.reversal->chargeId != row.charge.chargeId)
                    qFatal("a reversal of another charge");
                ids.append(row.charge.chargeId + (row.reversal ? "!" : ""));
            }
            return ids;
        };
        QCOMPARE(list([](ChargeFilter &) {}), QByteArrayList({"ch_1", "ch_2!", "ch_3", "ch_4", "ch_5"}));
        QCOMPARE(list([](ChargeFilter &filter) { filter.terminalId = QStringLiteral("till-2"); }),
                 QByteArrayList({"ch_2!", "ch_4"}));
        QCOMPARE(list([](ChargeFilter &filter) { filter.fromMs = 3000; }), QByteArrayList({"ch_3", "ch_4", "ch_5"}));
        QCOMPARE(list([](ChargeFilter &filter) { filter.beforeMs = 3000; }), QByteArrayList({"ch_1", "ch_2!"}));
        QCOMPARE(list([](ChargeFilter &filter) { filter.limit = 2; }), QByteArrayList({"ch_1", "ch_2!"}));
        const qint64 second = store->chargeById("ch_2")->id;
        QCOMPARE(list([&](ChargeFilter &filter) { filter.after = second; }), QByteArrayList({"ch_3", "ch_4", "ch_5"}));
        QCOMPARE(list([](ChargeFilter &filter) { filter.scope = "nobody's"; }), QByteArrayList());
    }

    void an_event_is_written_with_its_movement_and_undone_with_it_data() { StoreBench::kinds(); }
    void an_event_is_written_with_its_movement_and_undone_with_it()
    {
        STORE_OF_KIND(bench);
        const auto store = bench.open();
        store->begin();
        giveMoney(*store);
        store->savepoint();
        OutboxEvent event;
        event.movementId = store->addMovement(chargeOf("undone"));
        event.topic = "charge.approved";
        event.payload = "{}";
        event.orderId = QStringLiteral("A-1");
        store->addOutboxEvent(event);
        store->rollbackToSavepoint();
        event.movementId = store->addMovement(chargeOf("kept"));
        event.payload = "{\"name\":\"日本語 '\\\"\"}";
        event.createdAtMs = 1234;
        event.nextAttemptAtMs = 1235;
        store->addOutboxEvent(event);
        QVERIFY(store->commit());
        store->begin();
        const QList<OutboxEvent> events = store->outbox(0, 10, OutboxRows::All);
        QCOMPARE(events.size(), 1);
        QCOMPARE(events[0].movementId, store->chargeById("ch_kept")->id);
        QCOMPARE(events[0].topic, "charge.approved");
        QCOMPARE(events[0].payload, event.payload);
        QCOMPARE(events[0].createdAtMs, 1234);
        QCOMPARE(events[0].nextAttemptAtMs, 1235);
        QCOMPARE(events[0].orderId, QStringLiteral("A-1"));
        QCOMPARE(events[0].attempts, 0);
        QVERIFY(!events[0].deliveredAtMs);
    }

    void events_of_one_order_are_due_one_after_the_other_data() { StoreBench::kinds(); }
    void events_of_one_order_are_due_one_after_the_other()
    {
        STORE_OF_KIND(bench);
        const auto store = bench.open();
        store->begin();
        giveMoney(*store);
        store->commit();
        commitCharge(*store, chargeOf("1"), QStringLiteral("A-1"));
        commitCharge(*store, chargeOf("2"), QStringLiteral("A-1"));
        commitCharge(*store, chargeOf("3"), QStringLiteral("A-2"));
        const auto payload = [](const QByteArray &key) { return "{\"charge\":\"ch_" + key + "\"}"; };
        store->begin();
        QCOMPARE(payloadsOf(store->dueOutbox(999, 10)), QByteArrayList());
        const QList<OutboxEvent> due = store->dueOutbox(1000, 10);
        QCOMPARE(payloadsOf(due), QByteArrayList({payload("1"), payload("3")}));
        QCOMPARE(payloadsOf(store->dueOutbox(1000, 1)), QByteArrayList({payload("1")}));

        store->outboxFailed(due[0].id, 5000, QStringLiteral("the receiver answered 500"));
        QCOMPARE(payloadsOf(store->dueOutbox(4999, 10)), QByteArrayList({payload("3")})); // the second one waits too
        QCOMPARE(store->dueOutbox(5000, 10).constFirst().attempts, 1);
        QCOMPARE(store->dueOutbox(5000, 10).constFirst().lastError, QStringLiteral("the receiver answered 500"));
        QCOMPARE(store->countOutbox().pending, 3);
        QCOMPARE(store->countOutbox().oldestPendingAtMs, 1000);

        store->outboxDelivered(due[0].id, 6000);
        store->outboxFailed(due[0].id, 9000, QStringLiteral("too late")); // delivered stays delivered
        QVERIFY(store->commit());
        store->begin();
        QCOMPARE(payloadsOf(store->dueOutbox(5000, 10)), QByteArrayList({payload("2"), payload("3")}));
        QCOMPARE(store->countOutbox().pending, 2);
        QCOMPARE(store->countOutbox().delivered, 1);
        const OutboxEvent delivered = store->outbox(0, 3, OutboxRows::All).constFirst();
        QCOMPARE(delivered.deliveredAtMs, 6000);
        QCOMPARE(delivered.attempts, 2);
        QCOMPARE(delivered.lastError, QString());
        // What is listed begins behind `after`, and the delivered can be left out.
        QCOMPARE(payloadsOf(store->outbox(0, 2, OutboxRows::All)), QByteArrayList({payload("1"), payload("2")}));
        QCOMPARE(payloadsOf(store->outbox(due[0].id, 9, OutboxRows::All)),
                 QByteArrayList({payload("2"), payload("3")}));
        QCOMPARE(payloadsOf(store->outbox(0, 1, OutboxRows::Pending)), QByteArrayList({payload("2")}));
    }

    void a_new_publisher_need_not_wait_by_the_clock_of_another_data() { StoreBench::kinds(); }
    void a_new_publisher_need_not_wait_by_the_clock_of_another()
    {
        STORE_OF_KIND(bench);
        const auto store = bench.open();
        store->begin();
        giveMoney(*store);
        store->commit();
        commitCharge(*store, chargeOf("1"), QStringLiteral("A-1"));
        commitCharge(*store, chargeOf("2"), QStringLiteral("A-2"));
        store->begin();
        const QList<OutboxEvent> due = store->dueOutbox(1000, 10);
        QCOMPARE(due.size(), 2);
        store->outboxFailed(due[0].id, 9'000'000, QStringLiteral("refused"));
        store->outboxDelivered(due[1].id, 1000);
        QVERIFY(store->dueOutbox(5000, 10).isEmpty());
        store->outboxDueAgain();
        QVERIFY(store->commit());
        store->begin();
        const QList<OutboxEvent> again = store->dueOutbox(1, 10);
        QCOMPARE(again.size(), 1);
        QCOMPARE(again[0].id, due[0].id);
        QCOMPARE(again[0].attempts, 1);
        QCOMPARE(again[0].lastError, QStringLiteral("refused"));
        store->commit();
    }

    void an_outbox_without_pending_events_has_no_oldest_data() { StoreBench::kinds(); }
    void an_outbox_without_pending_events_has_no_oldest()
    {
        STORE_OF_KIND(bench);
        const auto store = bench.open();
        store->begin();
        QCOMPARE(store->countOutbox().pending, 0);
        QCOMPARE(store->countOutbox().delivered, 0);
        QVERIFY(!store->countOutbox().oldestPendingAtMs);
        QVERIFY(!store->commit());
    }
};

IKKAI_TEST_MAIN(TestStoreMoney)
#include "tst_store_money.moc"
