#include "tests/support/test.h"
#include "tests/unit/bank/hand_ledger.h"

using namespace ikkai::test;
using namespace mockbank;
using namespace std::chrono_literals;

/// What holds a batch together: repeats, order, a ledger that is replaced under it, and the list of what it made.
class TestBankBatches : public Test {
    Q_OBJECT

    static std::function<void()> busy(const SharedVault &vault, std::function<void()> StoreTroubles::*where, int times)
    {
        auto left = std::make_shared<int>(times);
        return [troubles = vault.troubles.get(), where, left] {
            if (--*left == 0)
                troubles->*where = nullptr;
            throw StoreBusy(QStringLiteral("could not serialize access"));
        };
    }

    static QJsonArray rows(const Answer &page) { return json(page).value(QStringLiteral("charges")).toArray(); }

private Q_SLOTS:
    void a_batch_that_another_writer_hindered_is_done_again_whole_data()
    {
        QTest::addColumn<std::function<void()> StoreTroubles::*>("where");
        QTest::addColumn<int>("times");
        QTest::newRow("at the commit") << &StoreTroubles::beforeCommit << 1;
        QTest::newRow("at the commit, five times") << &StoreTroubles::beforeCommit << 5;
        QTest::newRow("in the middle of a charge") << &StoreTroubles::beforeMovement << 1;
        QTest::newRow("in the middle of a void") << &StoreTroubles::beforeMark << 3;
    }
    void a_batch_that_another_writer_hindered_is_done_again_whole()
    {
        using Hook = std::function<void()> StoreTroubles::*;
        QFETCH(Hook, where);
        QFETCH(int, times);
        const SharedVault vault;
        HandLedger bank(vault, 0ms);
        QCOMPARE(bank.charge("key-old", 500)->status, 201);
        QCOMPARE(bank.charge("key-gone", 700)->status, 201);
        const quint64 steps = bank.writer->counters().steps;
        bank.told.clear();
        (*vault.troubles).*where = busy(vault, where, times);
        const auto old = bank.post("key-old", 500);
        const auto first = bank.post("key-1", 1200);
        const auto twin = bank.post("key-1", 1200);
        const auto voiding = bank.postVoid("void-1", "key-gone", 700);
        const auto preventing = bank.postVoid("void-2", "key-2", 300);
        const auto late = bank.post("key-2", 300);
        bank.run();
        QVERIFY((*old)->replayed);
        QCOMPARE((*first)->status, 201);
        QVERIFY((*first)->moneyMoved && !(*first)->replayed);
        QVERIFY((*twin)->replayed);
        QCOMPARE((*twin)->body, (*first)->body);
        QCOMPARE(result(**voiding), QStringLiteral("reversed"));
        QVERIFY((*voiding)->moneyMoved);
        QCOMPARE(result(**preventing), QStringLiteral("prevented"));
        QVERIFY(!(*preventing)->replayed);
        QCOMPARE((*late)->status, 410);
        // Told once, counted once, moved once.
        QCOMPARE(bank.told,
                 (QList<QByteArray>{"replayed", "claimed", "committed", "replayed", "voided", "voided", "key_voided"}));
        QCOMPARE(bank.writer->counters().busyRepeats, quint64(times));
        QCOMPARE(bank.writer->counters().commitFailures, 0u);
        QCOMPARE(bank.writer->counters().steps, steps + 7);
        QCOMPARE(bank.balance(), 98'300);
        QCOMPARE(bank.movements(), 4);
    }

    void a_repeated_step_finds_its_claim_and_its_lease_as_they_were()
    {
        const SharedVault vault;
        HandLedger bank(vault, 60s);
        const auto slow = bank.post("key-1", 1200);
        bank.run();
        vault.clock->advance(5s);
        vault.troubles->beforeCommit = busy(vault, &StoreTroubles::beforeCommit, 2);
        const auto other = bank.post("key-2", 300); // claims, while the lease of the first is renewed
        bank.run();
        QCOMPARE(bank.record("key-1")->claim.leaseUntilMs, vault.clock->nowMs() + 10'000);
        vault.clock->advance(3s);
        bank.run();
        QCOMPARE(bank.record("key-1")->claim.leaseUntilMs, vault.clock->nowMs() + 7'000); // not due again yet
        vault.clock->advance(60s);
        vault.troubles->beforeMovement = busy(vault, &StoreTroubles::beforeMovement, 2);
        bank.run();
        QVERIFY((*slow)->moneyMoved);
        QVERIFY((*other)->moneyMoved);
        QCOMPARE(bank.balance(), 98'500);
        QCOMPARE(bank.movements(), 2);
    }

    void a_store_that_hinders_for_ever_is_503_after_a_bounded_number_of_rounds()
    {
        const SharedVault vault;
        HandLedger bank(vault, 0ms);
        int rounds = 0;
        vault.troubles->beforeCommit = [&] {
            ++rounds;
            throw StoreBusy(QStringLiteral("deadlock detected"));
        };
        QCOMPARE(bank.charge("key-1", 1200)->status, 503);
        QVERIFY(rounds > 3 && rounds < 30);
        vault.troubles->beforeCommit = nullptr;
        QCOMPARE(bank.charge("key-1", 1200)->status, 201);
        QCOMPARE(bank.balance(), 98'800);
    }

    void banks_that_share_a_store_take_accounts_and_keys_in_one_order_data()
    {
        QTest::addColumn<bool>("shared");
        QTest::newRow("a store of several banks") << true;
        QTest::newRow("a store with one writer keeps the order of arrival") << false;
    }
    void banks_that_share_a_store_take_accounts_and_keys_in_one_order()
    {
        QFETCH(bool, shared);
        const SharedVault vault;
        if (shared)
            vault.troubles->ownClock = [&] { return vault.clock->nowMs(); };
        HandLedger bank(vault, 0ms);
        bank.withStore([](Store &store) { store.addAccount({QStringLiteral("a_card"), 1000, false}); });
        bank.facts.clear();
        (void)bank.post("key-9", 100);
        (void)bank.post("key-2", 100);
        const auto twin = bank.post("key-9", 100);
        const auto fromOther = bank.postFrom(QStringLiteral("a_card"), "key-5", 100);
        const auto itsVoid = bank.postVoid("void-1", "key-5", 100);
        bank.run();
        QVERIFY((*twin)->replayed);
        QCOMPARE((*fromOther)->status, 201);
        QCOMPARE(result(**itsVoid), QStringLiteral("reversed")); // with one key things keep the order they came in
        QList<QString> order;
        bank.withStore([&](Store &store) {
            for (const Movement &movement : store.movements(0, 10))
                order.append(QString::fromLatin1(movement.name.key));
        });
        const auto key = [](const char *name) { return QString::fromLatin1(name); };
        QCOMPARE(order, shared ? (QList<QString>{key("key-5"), key("key-5"), key("key-2"), key("key-9")})
                               : (QList<QString>{key("key-9"), key("key-2"), key("key-5"), key("key-5")}));
    }

    void commits_are_measured()
    {
        const SharedVault vault;
        HandLedger bank(vault, 0ms);
        (void)bank.charge("key-1", 100);
        for (int i = 0; i < 5; ++i)
            (void)bank.post("key-many-" + QByteArray::number(i), 100);
        bank.run();
        const LedgerCounters &counters = bank.writer->counters();
        QCOMPARE(counters.batchSizes.count, 2u);
        QCOMPARE(counters.batchSizes.sum, 6);
        QCOMPARE(counters.batchSizes.counts[0], 1u); // one
        QCOMPARE(counters.batchSizes.counts[3], 1u); // up to eight
        QCOMPARE(counters.commitUs.count, 2u);
        CountedBounds<2> bounds{.bounds = {10, 20}};
        for (const qint64 value : {1, 10, 11, 20, 21})
            bounds.add(value);
        QCOMPARE(bounds.counts, (std::array<quint64, 3>{2, 2, 1}));
    }

    void a_reset_makes_a_new_ledger_and_the_run_goes_on()
    {
        Desk desk(Desk::plain());
        const QString old = desk.bank->ledgerId();
        const QString run = desk.bank->runId();
        QCOMPARE(desk.charge("key-1", 1200).status, 201);
        (void)desk.voidCharge(voidArrival("void-1", voidBody("key-2", 100)));
        (void)desk.setClock({ClockChange::What::Freeze, 0});
        const std::optional<QString> made = desk.reset(true);
        QVERIFY(made && *made != old);
        QCOMPARE(desk.bank->ledgerId(), *made);
        QCOMPARE(desk.bank->runId(), run);
        QVERIFY(!desk.bank->clock().frozen);
        QCOMPARE(desk.balance(), 100'000);
        QVERIFY(desk.movements().isEmpty());
        QVERIFY(desk.keys().isEmpty());
        QVERIFY(desk.outbox().isEmpty());
        ChargeArrival late = arrival("key-1", chargeBody(1200));
        late.expectLedger = old.toLatin1();
        const Answer refused = desk.charge(late);
        QCOMPARE(refused.status, 421);
        QCOMPARE(json(refused).value(QStringLiteral("ledger_id")).toString(), *made);
        QCOMPARE(desk.charge("key-2", 100).status, 201);
        desk.crashAndComeBack();
        QCOMPARE(desk.bank->ledgerId(), *made);
        QCOMPARE(desk.balance(), 99'900);
    }

    void a_reset_without_the_ledger_sets_the_clock_right_and_keeps_the_money()
    {
        Desk desk(Desk::plain());
        const QString ledger = desk.bank->ledgerId();
        QCOMPARE(desk.charge("key-1", 1200).status, 201);
        (void)desk.setClock({ClockChange::What::Advance, 3'600'000});
        QCOMPARE(desk.reset(false), std::optional(ledger));
        QCOMPARE(desk.bank->clock().offsetMs, 0);
        QVERIFY(desk.charge("key-1", 1200).replayed);
    }

    void what_runs_when_the_ledger_is_reset_is_answered_and_charged_in_neither_ledger()
    {
        const SharedVault vault;
        HandLedger bank(vault, 60s);
        const auto slow = bank.post("key-1", 1200);
        bank.run();
        QVERIFY(bank.reset(true));
        QVERIFY(bank.writer->nextDueMs() <= vault.clock->elapsedMs());
        bank.run();
        QVERIFY(*slow);
        QCOMPARE((*slow)->status, 503);
        QVERIFY(!(*slow)->moneyMoved);
        QCOMPARE(bank.movements(), 0);
        QCOMPARE(bank.balance(), 100'000);
        QCOMPARE(bank.writer->running(), 0u);
    }

    void an_arrival_behind_a_reset_in_one_batch_is_not_charged_in_a_ledger_it_does_not_know()
    {
        const SharedVault vault;
        HandLedger bank(vault, 0ms);
        const QByteArray old = bank.writer->ledgerId();
        bank.waiting.emplace_back(ResetTask{true, [](bool) {}, {}});
        const auto late = bank.post("key-1", 1200);
        std::get<ChargeTask>(bank.waiting.back()).work.arrival.expectLedger = old;
        VoidArrival lateVoid = voidArrival("void-1", voidBody("key-1", 1200));
        lateVoid.expectLedger = old;
        const auto voiding = bank.postVoid(lateVoid);
        bank.run();
        QCOMPARE((*late)->status, 421);
        QCOMPARE((*voiding)->status, 421);
        QCOMPARE(bank.movements(), 0);
        QVERIFY(!bank.record("key-1"));
    }

    void banks_that_share_a_store_follow_a_reset_by_one_of_them()
    {
        const SharedVault vault;
        HandLedger bank(vault, 2s);
        HandLedger other(vault, 0ms, "bank-2");
        const auto slow = bank.post("key-1", 1200);
        bank.run();
        QVERIFY(other.reset(true));
        const auto late = bank.post("key-2", 100);
        std::get<ChargeTask>(bank.waiting.back()).work.arrival.expectLedger = "ldg_before";
        bank.run();
        QCOMPARE((*late)->status, 421);
        QCOMPARE(bank.writer->ledgerId(), other.writer->ledgerId());
        QVERIFY(bank.told.contains("ledger_reset"));
        bank.run();
        QCOMPARE((*slow)->status, 503);
        QCOMPARE(bank.movements(), 0);
    }

    void a_reset_whose_commit_failed_changes_nothing_until_it_is_done_again()
    {
        const SharedVault vault;
        HandLedger bank(vault, 0ms);
        const QByteArray old = bank.writer->ledgerId();
        QCOMPARE(bank.charge("key-1", 1200)->status, 201);
        int failures = 2; // the batch, and then what reads back
        vault.troubles->beforeCommit = [&] {
            if (failures-- > 0)
                throw StoreError(QStringLiteral("disk full"));
        };
        QVERIFY(!bank.reset(true));
        QCOMPARE(bank.inquire("key-1").status, 200);
        QCOMPARE(bank.writer->ledgerId(), old);
        QVERIFY(bank.charge("key-1", 1200)->replayed);
        QVERIFY(bank.reset(true));
        QVERIFY(bank.writer->ledgerId() != old);
        QCOMPARE(bank.inquire("key-1").status, 404);
    }

    void charges_are_listed_in_pages_with_their_reversals()
    {
        Desk desk(Desk::plain());
        for (int i = 1; i <= 5; ++i)
            QCOMPARE(desk.charge("key-" + QByteArray::number(i), 100 * i).status, 201);
        QCOMPARE(desk.charge("key-declined", 1'000'000).status, 402);
        QCOMPARE(desk.voidCharge(voidArrival("void-1", voidBody("key-2", 200))).status, 200);
        ListArrival asked;
        asked.merchant = "default";
        asked.limit = 2;
        QStringList seen;
        int pages = 0;
        for (;; ++pages) {
            const Answer page = desk.list(asked);
            QCOMPARE(page.status, 200);
            QCOMPARE(page.contentType, "application/json");
            for (const QJsonValue &row : rows(page))
                seen.append(row[QStringLiteral("idempotency_key")].toString());
            const QJsonValue next = json(page).value(QStringLiteral("next"));
            if (next.isNull())
                break;
            asked.after = next.toInteger();
        }
        QCOMPARE(pages, 2);
        QCOMPARE(seen.join(QLatin1Char(' ')), QStringLiteral("key-1 key-2 key-3 key-4 key-5"));

        asked = {};
        asked.merchant = "default";
        const QJsonObject first = rows(desk.list(asked)).at(0).toObject();
        QVERIFY(first.value(QStringLiteral("id")).toString().startsWith(QLatin1String("ch_")));
        QCOMPARE(first.value(QStringLiteral("status")).toString(), QStringLiteral("approved"));
        QCOMPARE(first.value(QStringLiteral("order_id")).toString(), QStringLiteral("A-1001"));
        QCOMPARE(first.value(QStringLiteral("amount")).toInt(), 100);
        QCOMPARE(first.value(QStringLiteral("currency")).toString(), QStringLiteral("JPY"));
        QCOMPARE(first.value(QStringLiteral("source")).toString(), QStringLiteral("card_ok"));
        QVERIFY(first.value(QStringLiteral("terminal_id")).isNull());
        QVERIFY(first.value(QStringLiteral("created_at")).toString().endsWith(QLatin1Char('Z')));
        QVERIFY(first.contains(QLatin1String("reversal")) && first.value(QStringLiteral("reversal")).isNull());
        const QJsonObject reversal = rows(desk.list(asked)).at(1)[QStringLiteral("reversal")].toObject();
        QVERIFY(reversal.value(QStringLiteral("at")).toString().endsWith(QLatin1Char('Z')));

        asked.merchant = "other";
        QVERIFY(rows(desk.list(asked)).isEmpty());
        asked.expectLedger = "ldg_other";
        QCOMPARE(desk.list(asked).status, 421);
    }

    void a_list_has_a_row_for_each_charge_made_also_where_a_key_was_charged_twice()
    {
        const SharedVault vault;
        HandLedger bank(vault, 0ms);
        (void)bank.charge("key-1", 1200);
        bank.withStore([](Store &store) {
            Movement second = store.movements(0, 1).constFirst();
            second.chargeId = "ch_second";
            second.guarded = false;
            second.details.terminalId = QStringLiteral("till-1");
            (void)store.addMovement(second);
        });
        (void)bank.voidCharge("void-1", "key-1", 1200);
        const Answer page = bank.list({});
        QCOMPARE(rows(page).size(), 2);
        QVERIFY(rows(page).at(0)[QStringLiteral("reversal")].isObject());
        QVERIFY(rows(page).at(1)[QStringLiteral("reversal")].isNull());
        ListArrival asked;
        asked.terminalId = QStringLiteral("till-1");
        QCOMPARE(rows(bank.list(asked)).size(), 1);
        asked = {};
        asked.fromMs = vault.clock->nowMs();
        asked.beforeMs = vault.clock->nowMs() + 1;
        QCOMPARE(rows(bank.list(asked)).size(), 2);
        asked.beforeMs = asked.fromMs;
        QCOMPARE(rows(bank.list(asked)).size(), 0);
    }
};

IKKAI_TEST_MAIN(TestBankBatches)
#include "tst_bank_batches.moc"
