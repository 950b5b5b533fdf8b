#include "tests/support/test.h"
#include "tests/unit/bank/hand_ledger.h"

using namespace ikkai::test;
using namespace mockbank;
using namespace std::chrono_literals;

/// How a charge is taken back, or kept from ever happening. Every batch is run by hand.
class TestBankVoids : public Test {
    Q_OBJECT

private Q_SLOTS:
    void a_void_of_an_approved_charge_gives_the_money_back_once()
    {
        const SharedVault vault;
        HandLedger bank(vault, 0ms);
        const QString charge = json(*bank.charge("key-1", 1200)).value(QStringLiteral("id")).toString();
        QCOMPARE(bank.balance(), 98'800);
        const Answer voided = bank.voidCharge("void-1", "key-1", 1200);
        QCOMPARE(voided.status, 200);
        QCOMPARE(voided.contentType, "application/json");
        QCOMPARE(header(voided, "Idempotent-Replayed"), "false");
        QVERIFY(voided.moneyMoved && !voided.replayed);
        const QJsonObject body = json(voided);
        QCOMPARE(body.keys(),
                 (QStringList{QStringLiteral("amount"), QStringLiteral("at"), QStringLiteral("currency"),
                              QStringLiteral("order_id"), QStringLiteral("original_key"), QStringLiteral("result")}));
        QCOMPARE(body.value(QStringLiteral("original_key")).toString(), QStringLiteral("key-1"));
        QCOMPARE(body.value(QStringLiteral("order_id")).toString(), QStringLiteral("A-1001"));
        QCOMPARE(body.value(QStringLiteral("amount")).toInt(), 1200);
        QCOMPARE(body.value(QStringLiteral("currency")).toString(), QStringLiteral("JPY"));
        QCOMPARE(body.value(QStringLiteral("at")).toString(), QStringLiteral("2026-07-14T03:33:20.000Z"));
        QCOMPARE(result(voided), QStringLiteral("reversed"));

        QCOMPARE(bank.balance(), 100'000);
        bank.withStore([&](Store &store) {
            const QList<Movement> movements = store.movements(0, 10);
            QCOMPARE(movements.size(), 2);
            QCOMPARE(movements[1].kind, MovementKind::Reversal);
            QVERIFY(movements[1].id > movements[0].id);
            QCOMPARE(QString::fromLatin1(movements[1].chargeId), charge);
            QCOMPARE(movements[1].details.amountMinor, 1200);
            QCOMPARE(movements[1].balanceMinor, 100'000);
            const QList<OutboxEvent> outbox = store.outbox(0, 10, OutboxRows::All);
            QCOMPARE(outbox.size(), 2);
            QCOMPARE(outbox[1].topic, "charge.reversed");
            QCOMPARE(outbox[1].movementId, movements[1].id);
            QCOMPARE(outbox[1].orderId, QStringLiteral("A-1001"));
            QCOMPARE(outbox[1].nextAttemptAtMs, 0); // at once, whatever the bank's clock says
            const QJsonObject payload = QJsonDocument::fromJson(outbox[1].payload).object();
            QCOMPARE(payload.value(QStringLiteral("id")).toString(), charge);
            QCOMPARE(payload.value(QStringLiteral("status")).toString(), QStringLiteral("reversed"));
            QCOMPARE(payload.value(QStringLiteral("amount")).toInt(), 1200);
        });
        QCOMPARE(bank.told, (QList<QByteArray>{"claimed", "committed", "voided"}));
        QCOMPARE(bank.facts.last().value(QStringLiteral("result")).toString(), QStringLiteral("reversed"));
        QCOMPARE(bank.facts.last().value(QStringLiteral("original_key")).toString(), QStringLiteral("key-1"));
        QCOMPARE(bank.facts.last().value(QStringLiteral("idempotency_key")).toString(), QStringLiteral("void-1"));
        QCOMPARE(bank.writer->counters().voidsReversed, 1u);
        QCOMPARE(bank.writer->counters().commits, 2u); // charge, void: each one transaction
    }

    void a_charge_that_was_reversed_is_never_again_replayed_as_approved()
    {
        const SharedVault vault;
        HandLedger bank(vault, 0ms);
        QCOMPARE(bank.charge("key-1", 1200)->status, 201);
        (void)bank.voidCharge("void-1", "key-1", 1200);
        for (const auto wait : {0h, 1h, 30h, 24h * 365}) {
            vault.clock->advance(wait);
            bank.run(); // and its sweep
            const Answer again = bank.charge("key-1", 1200).value();
            QCOMPARE(again.status, 410);
            QCOMPARE(problem(again), QStringLiteral("idempotency-key-voided"));
            QCOMPARE(result(again), QStringLiteral("reversed"));
            QCOMPARE(json(again).value(QStringLiteral("idempotency_key")).toString(), QStringLiteral("key-1"));
            QCOMPARE(json(again).value(QStringLiteral("retryable")).toBool(true), false);
            QVERIFY(!again.moneyMoved);
        }
        QCOMPARE(bank.balance(), 100'000);
        QCOMPARE(bank.movements(), 2);
        QCOMPARE(bank.writer->counters().keyVoided, 4u);
    }

    void a_void_of_a_key_never_seen_keeps_a_late_charge_from_happening()
    {
        const SharedVault vault;
        HandLedger bank(vault, 0ms);
        const Answer voided = bank.voidCharge("void-1", "key-1", 1200);
        QCOMPARE(voided.status, 200);
        QCOMPARE(result(voided), QStringLiteral("prevented"));
        QVERIFY(!voided.moneyMoved);
        vault.clock->advance(48h);
        bank.run();
        const Answer late = bank.charge("key-1", 1200).value();
        QCOMPARE(late.status, 410);
        QCOMPARE(problem(late), QStringLiteral("idempotency-key-voided"));
        QCOMPARE(result(late), QStringLiteral("prevented"));
        QCOMPARE(bank.balance(), 100'000);
        QCOMPARE(bank.movements(), 0);
        bank.withStore([](Store &store) { QCOMPARE(store.outbox(0, 10, OutboxRows::All).size(), 0); });
    }

    void a_void_of_a_decline_moves_nothing_and_says_so()
    {
        const SharedVault vault;
        HandLedger bank(vault, 0ms);
        QCOMPARE(bank.charge("key-1", 150'000)->status, 402);
        const Answer voided = bank.voidCharge("void-1", "key-1", 150'000);
        QCOMPARE(result(voided), QStringLiteral("not_charged"));
        QVERIFY(!voided.moneyMoved);
        QCOMPARE(bank.movements(), 0);
        const Answer again = bank.charge("key-1", 150'000).value();
        QCOMPARE(again.status, 410);
        QCOMPARE(result(again), QStringLiteral("not_charged"));
    }

    void a_void_while_the_charge_runs_is_409_and_is_not_remembered()
    {
        const SharedVault vault;
        HandLedger bank(vault, 2s);
        const auto charge = bank.post("key-1", 1200);
        bank.run();
        const Answer early = bank.voidCharge("void-1", "key-1", 1200);
        QCOMPARE(early.status, 409);
        QCOMPARE(problem(early), QStringLiteral("original-in-progress"));
        QCOMPARE(header(early, "Retry-After"), "2");
        QCOMPARE(json(early).value(QStringLiteral("retryable")).toBool(), true);
        QCOMPARE(json(early).value(QStringLiteral("original_key")).toString(), QStringLiteral("key-1"));
        // Also at another bank.
        HandLedger other(vault, 2s, "bank-2");
        QCOMPARE(other.voidCharge("void-2", "key-1", 1200).status, 409);
        vault.clock->advance(2s);
        bank.run();
        QCOMPARE((*charge)->status, 201);
        // The same void key, even for another body: nothing of it was stored.
        QCOMPARE(result(bank.voidCharge("void-1", "key-1", 1200)), QStringLiteral("reversed"));
        QCOMPARE(bank.balance(), 100'000);
    }

    void charge_and_void_in_one_batch_count_in_the_order_they_came_data()
    {
        QTest::addColumn<bool>("voidFirst");
        QTest::newRow("charge, void") << false;
        QTest::newRow("void, charge") << true;
    }
    void charge_and_void_in_one_batch_count_in_the_order_they_came()
    {
        QFETCH(bool, voidFirst);
        const SharedVault vault;
        HandLedger bank(vault, 0ms);
        std::shared_ptr<std::optional<Answer>> charge;
        if (!voidFirst)
            charge = bank.post("key-1", 1200);
        const auto voiding = bank.postVoid("void-1", "key-1", 1200);
        if (voidFirst)
            charge = bank.post("key-1", 1200);
        const auto again = bank.postVoid("void-2", "key-1", 1200);
        bank.run();
        QCOMPARE((*charge)->status, voidFirst ? 410 : 201);
        QCOMPARE(result(**voiding), voidFirst ? QStringLiteral("prevented") : QStringLiteral("reversed"));
        QCOMPARE((*again)->body, (*voiding)->body);
        QCOMPARE(bank.balance(), 100'000);
        QCOMPARE(bank.writer->counters().commits, 1u);
    }

    void any_later_void_tells_the_first_ones_words_and_moves_nothing_data()
    {
        QTest::addColumn<int>("before");
        QTest::newRow("approved") << 201;
        QTest::newRow("declined") << 402;
        QTest::newRow("never seen") << 0;
    }
    void any_later_void_tells_the_first_ones_words_and_moves_nothing()
    {
        QFETCH(int, before);
        const qint64 amount = before == 402 ? 150'000 : 1200;
        const SharedVault vault;
        HandLedger bank(vault, 0ms);
        if (before)
            QCOMPARE(bank.charge("key-1", amount)->status, before);
        const Answer first = bank.voidCharge("void-1", "key-1", amount);
        const qsizetype movements = bank.movements();
        for (const char *key : {"void-1", "void-2", "void-3"}) {
            vault.clock->advance(1h);
            const Answer again = bank.voidCharge(key, "key-1", amount);
            QCOMPARE(again.status, 200);
            QCOMPARE(again.body, first.body);
            QVERIFY(again.replayed && !again.moneyMoved);
            QCOMPARE(header(again, "Idempotent-Replayed"), "true");
        }
        // After every answer was swept: from the ledger and the marks.
        vault.clock->advance(48h);
        bank.run();
        bank.withStore([](Store &store) { QVERIFY(!store.voidKey(voidKey("default", "void-1"))); });
        for (const char *key : {"void-1", "void-4"})
            QCOMPARE(bank.voidCharge(key, "key-1", amount).body, first.body);
        QCOMPARE(bank.movements(), movements);
        QCOMPARE(bank.balance(), 100'000);
        QCOMPARE(bank.writer->counters().voidReplays, 5u);
    }

    void the_same_void_key_with_another_body_is_a_mismatch_and_moves_nothing()
    {
        const SharedVault vault;
        HandLedger bank(vault, 0ms);
        QCOMPARE(bank.charge("key-1", 1200)->status, 201);
        QCOMPARE(bank.charge("key-2", 300)->status, 201);
        QCOMPARE(bank.voidCharge("void-1", "key-1", 1200).status, 200);
        const Answer other = bank.voidCharge("void-1", "key-2", 300);
        QCOMPARE(other.status, 422);
        QCOMPARE(problem(other), QStringLiteral("idempotency-key-mismatch"));
        QCOMPARE(json(other).value(QStringLiteral("idempotency_key")).toString(), QStringLiteral("void-1"));
        QCOMPARE(bank.balance(), 99'700);
        QVERIFY(bank.charge("key-2", 300)->replayed);
        // Also a void that changed nothing owns its key.
        QCOMPARE(bank.voidCharge("void-2", "key-1", 1200).status, 200);
        QCOMPARE(bank.voidCharge("void-2", "key-2", 300).status, 422);
    }

    void a_void_key_and_a_charge_key_of_the_same_name_are_two_keys()
    {
        const SharedVault vault;
        HandLedger bank(vault, 0ms);
        QCOMPARE(bank.charge("key-1", 1200)->status, 201);
        QCOMPARE(result(bank.voidCharge("key-1", "key-1", 1200)), QStringLiteral("reversed"));
    }

    void a_void_that_names_other_details_moves_nothing_and_uses_nothing_up_data()
    {
        QTest::addColumn<QString>("found");
        QTest::addColumn<QString>("order");
        QTest::addColumn<qint64>("amount");
        QTest::addColumn<QString>("currency");
        for (const char *found : {"approved", "declined", "swept", "swept decline", "voided", "tombstone"}) {
            const auto row = [&](const char *what, const char *order, qint64 amount, const char *currency) {
                QTest::addRow("%s, other %s", found, what) << QString::fromLatin1(found) << QString::fromLatin1(order)
                                                           << amount << QString::fromLatin1(currency);
            };
            const qint64 right =
                QByteArray(found).endsWith("decline") || QByteArray(found) == "declined" ? 150'000 : 1200;
            row("order", "A-1002", right, "JPY");
            row("amount", "A-1001", right + 1, "JPY");
            row("currency", "A-1001", right, "USD");
        }
    }
    void a_void_that_names_other_details_moves_nothing_and_uses_nothing_up()
    {
        QFETCH(QString, found);
        QFETCH(QString, order);
        QFETCH(qint64, amount);
        QFETCH(QString, currency);
        const bool declined = found.contains(QLatin1String("decline"));
        const qint64 right = declined ? 150'000 : 1200;
        const SharedVault vault;
        HandLedger bank(vault, 0ms);
        if (found != QLatin1String("tombstone"))
            QCOMPARE(bank.charge("key-1", right)->status, declined ? 402 : 201);
        if (found.startsWith(QLatin1String("swept"))) {
            vault.clock->advance(48h);
            bank.run();
        }
        if (found == QLatin1String("voided") || found == QLatin1String("tombstone"))
            QCOMPARE(bank.voidCharge("void-0", "key-1", right).status, 200);
        const qsizetype movements = bank.movements();
        const Answer refused = bank.voidCharge(voidArrival("void-1", voidBody("key-1", amount, order, currency)));
        QCOMPARE(refused.status, 422);
        QCOMPARE(problem(refused), QStringLiteral("idempotency-key-mismatch"));
        QCOMPARE(json(refused).value(QStringLiteral("original_key")).toString(), QStringLiteral("key-1"));
        QVERIFY(!refused.moneyMoved);
        QCOMPARE(bank.movements(), movements);
        // The void key may still be used, with the right details.
        QCOMPARE(bank.voidCharge("void-1", "key-1", right).status, 200);
    }

    void a_void_after_the_sweep_gives_the_money_back_from_what_the_ledger_knows()
    {
        const SharedVault vault;
        HandLedger bank(vault, 0ms);
        QCOMPARE(bank.charge("key-1", 1200)->status, 201);
        QCOMPARE(bank.charge("key-2", 150'000)->status, 402);
        vault.clock->advance(48h);
        bank.run();
        QVERIFY(!bank.record("key-1"));
        QCOMPARE(result(bank.voidCharge("void-1", "key-1", 1200)), QStringLiteral("reversed"));
        QCOMPARE(result(bank.voidCharge("void-2", "key-2", 150'000)), QStringLiteral("not_charged"));
        QCOMPARE(bank.balance(), 100'000);
        QCOMPARE(problem(*bank.charge("key-1", 1200)), QStringLiteral("idempotency-key-voided"));
        QCOMPARE(problem(*bank.charge("key-2", 150'000)), QStringLiteral("idempotency-key-voided"));
    }

    void a_void_of_a_lapsed_claim_is_a_tombstone_and_its_stalled_owner_charges_nothing()
    {
        const SharedVault vault;
        HandLedger stalled(vault, 2s);
        HandLedger other(vault, 0ms, "bank-2");
        const auto slow = stalled.post("key-1", 1200);
        stalled.run();
        vault.clock->advance(11s);
        QCOMPARE(result(other.voidCharge("void-1", "key-1", 1200)), QStringLiteral("prevented"));
        stalled.run(); // and wakes
        QVERIFY(*slow);
        QCOMPARE((*slow)->status, 410);
        QCOMPARE(problem(**slow), QStringLiteral("idempotency-key-voided"));
        QVERIFY(!(*slow)->moneyMoved);
        QCOMPARE(stalled.movements(), 0);
        QCOMPARE(stalled.balance(), 100'000);
        QCOMPARE(result(*stalled.charge("key-1", 1200)), QStringLiteral("prevented"));
    }

    void a_void_of_what_a_crash_left_behind_prevents_it_after_the_lease()
    {
        const SharedVault vault;
        HandLedger bank(vault, 0ms);
        QVERIFY(bank.charge("key-1", 1200, LedgerFault::CrashBeforeCommit)->crashed);
        QCOMPARE(bank.voidCharge("void-1", "key-1", 1200).status, 409);
        vault.clock->advance(10s);
        QCOMPARE(result(bank.voidCharge("void-1", "key-1", 1200)), QStringLiteral("prevented"));
        QCOMPARE(bank.charge("key-1", 1200)->status, 410);
        QCOMPARE(bank.movements(), 0);
    }

    void a_voided_key_asked_for_is_told_as_voided_data()
    {
        QTest::addColumn<QString>("expected");
        QTest::addColumn<qint64>("amount");
        QTest::newRow("approved") << QStringLiteral("reversed") << qint64(1200);
        QTest::newRow("declined") << QStringLiteral("not_charged") << qint64(150'000);
        QTest::newRow("never seen") << QStringLiteral("prevented") << qint64(1200);
    }
    void a_voided_key_asked_for_is_told_as_voided()
    {
        QFETCH(QString, expected);
        QFETCH(qint64, amount);
        const SharedVault vault;
        HandLedger bank(vault, 0ms);
        if (expected != QLatin1String("prevented"))
            (void)bank.charge("key-1", amount);
        (void)bank.voidCharge("void-1", "key-1", amount);
        for (const auto wait : {0h, 48h}) {
            vault.clock->advance(wait);
            bank.run();
            const Answer asked = bank.inquire("key-1");
            QCOMPARE(asked.status, 200);
            const QJsonObject body = json(asked);
            QCOMPARE(body.value(QStringLiteral("status")).toString(), QStringLiteral("voided"));
            QCOMPARE(body.value(QStringLiteral("idempotency_key")).toString(), QStringLiteral("key-1"));
            QCOMPARE(body.value(QStringLiteral("order_id")).toString(), QStringLiteral("A-1001"));
            QCOMPARE(body.value(QStringLiteral("amount")).toInteger(), amount);
            QCOMPARE(body.value(QStringLiteral("currency")).toString(), QStringLiteral("JPY"));
            const QJsonObject voided = body.value(QStringLiteral("voided")).toObject();
            QCOMPARE(voided.value(QStringLiteral("result")).toString(), expected);
            QCOMPARE(voided.value(QStringLiteral("at")).toString(), QStringLiteral("2026-07-14T03:33:20.000Z"));
        }
    }

    /// A tombstone has no fingerprint: what the void named stands for it.
    void a_charge_with_other_details_under_a_voided_key_is_a_mismatch_data()
    {
        QTest::addColumn<bool>("chargedBefore");
        QTest::newRow("reversed") << true;
        QTest::newRow("tombstone") << false;
    }
    void a_charge_with_other_details_under_a_voided_key_is_a_mismatch()
    {
        QFETCH(bool, chargedBefore);
        const SharedVault vault;
        HandLedger bank(vault, 0ms);
        if (chargedBefore)
            (void)bank.charge("key-1", 1200);
        (void)bank.voidCharge("void-1", "key-1", 1200);
        const qsizetype movements = bank.movements();
        QCOMPARE(bank.charge("key-1", 1201)->status, 422);
        // What the void could not know makes no difference.
        ChargeTask task;
        task.work.arrival = arrival("key-1", chargeBody(1200, QStringLiteral("A-1001"), QStringLiteral("card_other")));
        task.work.request = std::get<ChargeRequest>(readChargeRequest(task.work.arrival.body));
        task.work.name = chargeKey("default", "key-1");
        int status = 0;
        task.done = [&](const Answer &answer) { status = answer.status; };
        bank.waiting.emplace_back(std::move(task));
        bank.run();
        QCOMPARE(status, 410);
        QCOMPARE(bank.movements(), movements);
        QCOMPARE(bank.balance(), 100'000);
    }

    void case_17_a_void_by_another_merchant_does_not_reach_the_charge()
    {
        const SharedVault vault;
        HandLedger bank(vault, 0ms);
        QCOMPARE(bank.charge("key-1", 1200)->status, 201);
        VoidArrival stranger = voidArrival("void-1", voidBody("key-1", 1200));
        stranger.merchant = "other";
        QCOMPARE(result(bank.voidCharge(stranger)), QStringLiteral("prevented"));
        QCOMPARE(bank.balance(), 98'800);
        QVERIFY(bank.charge("key-1", 1200)->replayed);
        QCOMPARE(result(bank.voidCharge("void-1", "key-1", 1200)), QStringLiteral("reversed"));
    }

    void a_fault_before_the_commit_leaves_nothing_of_the_void_data()
    {
        QTest::addColumn<bool>("crash");
        QTest::newRow("failure") << false;
        QTest::newRow("crash") << true;
    }
    void a_fault_before_the_commit_leaves_nothing_of_the_void()
    {
        QFETCH(bool, crash);
        const SharedVault vault;
        HandLedger bank(vault, 0ms);
        (void)bank.charge("key-1", 1200);
        for (const char *original : {"key-1", "key-unseen"}) {
            VoidArrival struck = voidArrival("void-1", voidBody(original, 1200));
            struck.fault = crash ? LedgerFault::CrashBeforeCommit : LedgerFault::FailBeforeCommit;
            const Answer answer = bank.voidCharge(struck);
            QCOMPARE(answer.crashed, crash);
            if (!crash)
                QCOMPARE(answer.status, 500);
            QVERIFY(!answer.moneyMoved);
        }
        QCOMPARE(bank.balance(), 98'800);
        QVERIFY(bank.charge("key-1", 1200)->replayed);
        QCOMPARE(bank.inquire("key-unseen").status, 404);
        // The void key was not used up either.
        QCOMPARE(result(bank.voidCharge("void-1", "key-1", 1200)), QStringLiteral("reversed"));
        // What is there already needs no commit, so no fault can keep it away.
        VoidArrival again = voidArrival("void-1", voidBody("key-1", 1200));
        again.fault = LedgerFault::FailBeforeCommit;
        QCOMPARE(bank.voidCharge(again).status, 200);
    }

    void a_reversal_that_its_account_has_no_room_for_is_refused_whole()
    {
        const SharedVault vault;
        HandLedger bank(vault, 0ms);
        (void)bank.charge("key-1", 1200);
        bank.withStore([](Store &store) { store.putAccount({QStringLiteral("card_ok"), maxBalanceMinor, false}); });
        QCOMPARE(bank.voidCharge("void-1", "key-1", 1200).status, 500);
        QVERIFY(bank.charge("key-1", 1200)->replayed);
        bank.withStore([](Store &store) { store.putAccount({QStringLiteral("card_ok"), 0, false}); });
        QCOMPARE(result(bank.voidCharge("void-1", "key-1", 1200)), QStringLiteral("reversed"));
        QCOMPARE(bank.balance(), 1200);
    }

    void a_declining_account_takes_its_money_back()
    {
        const SharedVault vault;
        HandLedger bank(vault, 0ms);
        (void)bank.charge("key-1", 1200);
        bank.withStore([](Store &store) { store.putAccount({QStringLiteral("card_ok"), 98'800, true}); });
        QCOMPARE(result(bank.voidCharge("void-1", "key-1", 1200)), QStringLiteral("reversed"));
        QCOMPARE(bank.balance(), 100'000);
    }

    void a_commit_that_fails_under_a_void_gives_503_and_the_next_try_reverses_once()
    {
        const SharedVault vault;
        HandLedger bank(vault, 0ms);
        (void)bank.charge("key-1", 1200);
        vault.troubles->beforeCommit = [&] {
            vault.troubles->beforeCommit = nullptr;
            throw StoreError(QStringLiteral("disk full"));
        };
        const auto reversing = bank.postVoid("void-1", "key-1", 1200);
        const auto preventing = bank.postVoid("void-2", "key-2", 1200);
        const auto charging = bank.post("key-3", 300);
        bank.run();
        QCOMPARE((*reversing)->status, 503);
        QCOMPARE((*preventing)->status, 503);
        QCOMPARE((*charging)->status, 503);
        QVERIFY(!(*reversing)->moneyMoved);
        QCOMPARE(bank.told.last(), "commit_failed");
        QCOMPARE(bank.balance(), 98'800);
        QVERIFY(bank.charge("key-1", 1200)->replayed);
        QCOMPARE(bank.inquire("key-2").status, 404);
        const Answer again = bank.voidCharge("void-1", "key-1", 1200);
        QCOMPARE(result(again), QStringLiteral("reversed"));
        QVERIFY(again.moneyMoved);
        QCOMPARE(bank.balance(), 100'000);
    }

    void a_commit_that_was_durable_but_reported_failure_is_read_back_void_by_void()
    {
        const SharedVault vault;
        HandLedger bank(vault, 0ms);
        (void)bank.charge("key-1", 1200);
        (void)bank.charge("key-old", 100);
        const Answer old = bank.voidCharge("void-old", "key-old", 100);
        vault.troubles->afterCommit = [&] {
            vault.troubles->afterCommit = nullptr;
            throw StoreError(QStringLiteral("no answer from the disk"));
        };
        const auto first = bank.postVoid("void-1", "key-1", 1200);
        const auto twin = bank.postVoid("void-1", "key-1", 1200);
        const auto second = bank.postVoid("void-2", "key-1", 1200);
        const auto replay = bank.postVoid("void-old", "key-old", 100);
        const auto mismatch = bank.postVoid("void-old", "key-1", 1200);
        const auto prevented = bank.postVoid("void-3", "key-3", 700);
        const auto late = bank.post("key-3", 700);
        const auto charged = bank.post("key-4", 300);
        const auto chargedAndVoided = bank.post("key-5", 500);
        const auto itsVoid = bank.postVoid("void-5", "key-5", 500);
        bank.run();
        QCOMPARE(result(**first), QStringLiteral("reversed"));
        QVERIFY((*first)->moneyMoved && !(*first)->replayed);
        QVERIFY((*twin)->replayed);
        QCOMPARE((*twin)->body, (*first)->body);
        QVERIFY(!(*twin)->moneyMoved);
        QCOMPARE((*second)->body, (*first)->body);
        QVERIFY(!(*second)->moneyMoved);
        QCOMPARE((*replay)->body, old.body);
        QCOMPARE((*mismatch)->status, 422);
        QCOMPARE(result(**prevented), QStringLiteral("prevented"));
        QCOMPARE((*late)->status, 410);
        QCOMPARE((*charged)->status, 201);
        QVERIFY((*charged)->moneyMoved);
        // Approved for a moment in the same transaction, and then not any more: that is what stands.
        QCOMPARE((*chargedAndVoided)->status, 410);
        QCOMPARE(result(**itsVoid), QStringLiteral("reversed"));
        QCOMPARE(bank.balance(), 99'700);
        QCOMPARE(bank.writer->counters().voidsReversed, 3u);
    }

    void a_store_that_fails_in_the_middle_of_a_void_undoes_the_whole_batch()
    {
        const SharedVault vault;
        HandLedger bank(vault, 0ms);
        (void)bank.charge("key-1", 1200);
        vault.troubles->beforeMovement = [&] {
            vault.troubles->beforeMovement = nullptr;
            throw StoreError(QStringLiteral("I/O error"));
        };
        const auto charging = bank.post("key-1", 1200); // a replay, which needs nothing written
        const auto voiding = bank.postVoid("void-1", "key-1", 1200);
        bank.run();
        QVERIFY((*charging)->replayed);
        QCOMPARE((*voiding)->status, 503);
        QCOMPARE(bank.balance(), 98'800);
        QCOMPARE(bank.record("key-1")->state, KeyState::Finished);
        QCOMPARE(result(bank.voidCharge("void-1", "key-1", 1200)), QStringLiteral("reversed"));
    }

    void two_banks_void_one_charge_and_it_goes_back_once()
    {
        const SharedVault vault;
        HandLedger first(vault, 0ms);
        HandLedger second(vault, 0ms, "bank-2");
        (void)first.charge("key-1", 1200);
        const Answer here = second.voidCharge("void-1", "key-1", 1200);
        QVERIFY(here.moneyMoved);
        vault.clock->advance(5s);
        const Answer there = first.voidCharge("void-1", "key-1", 1200);
        QCOMPARE(there.body, here.body);
        QVERIFY(!there.moneyMoved);
        QCOMPARE(first.voidCharge("void-1", "key-2", 1).status, 422);
        QCOMPARE(first.charge("key-1", 1200)->status, 410);
        QCOMPARE(second.balance(), 100'000);
    }

    void a_voided_key_outlives_a_crash()
    {
        Desk desk(Desk::plain());
        QCOMPARE(desk.charge("key-1", 1200).status, 201);
        const Answer voided = desk.voidCharge(voidArrival("void-1", voidBody("key-1", 1200)));
        QCOMPARE(result(voided), QStringLiteral("reversed"));
        desk.crashAndComeBack();
        QCOMPARE(desk.charge("key-1", 1200).status, 410);
        QCOMPARE(desk.voidCharge(voidArrival("void-1", voidBody("key-1", 1200))).body, voided.body);
        QCOMPARE(desk.balance(), 100'000);
        const QJsonObject row = desk.keys().first().toObject();
        QCOMPARE(row.value(QStringLiteral("state")).toString(), QStringLiteral("voided"));
        QCOMPARE(row.value(QStringLiteral("result")).toString(), QStringLiteral("reversed"));
    }

    void a_void_for_another_ledger_or_with_a_bad_body_executes_nothing()
    {
        Desk desk(Desk::plain());
        QCOMPARE(desk.charge("key-1", 1200).status, 201);
        VoidArrival sent = voidArrival("void-1", voidBody("key-1", 1200));
        sent.expectLedger = "ldg_other";
        const Answer other = desk.voidCharge(sent);
        QCOMPARE(other.status, 421);
        QCOMPARE(problem(other), QStringLiteral("other-ledger"));
        const Answer bad = desk.voidCharge(voidArrival("void-1", R"({"original_key":"key-1"})"));
        QCOMPARE(bad.status, 400);
        QCOMPARE(json(bad).value(QStringLiteral("field")).toString(), QStringLiteral("order_id"));
        QCOMPARE(desk.balance(), 98'800);
        sent.expectLedger = desk.bank->ledgerId().toLatin1();
        QCOMPARE(desk.voidCharge(sent).status, 200);
    }
};

IKKAI_TEST_MAIN(TestBankVoids)
#include "tst_bank_voids.moc"
