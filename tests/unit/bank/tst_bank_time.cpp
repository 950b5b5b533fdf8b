#include "mock-server/bank/bank_clock.h"
#include "tests/support/test.h"
#include "tests/unit/bank/hand_ledger.h"

using namespace ikkai::test;
using namespace mockbank;
using namespace std::chrono_literals;

namespace {

constexpr ClockChange freeze{ClockChange::What::Freeze, 0};
constexpr ClockChange resume{ClockChange::What::Resume, 0};
constexpr ClockChange putRight{ClockChange::What::Reset, 0};

ClockChange ahead(std::chrono::milliseconds by)
{
    return {ClockChange::What::Advance, by.count()};
}

QString ledgerWord(const Answer &answer)
{
    return json(answer).value(QStringLiteral("ledger")).toString();
}

} // namespace

/// What time does to answers and claims, and whose time it is.
class TestBankTime : public Test {
    Q_OBJECT

private Q_SLOTS:
    void case_19_an_answer_that_was_swept_is_410_with_what_the_ledger_says_data()
    {
        QTest::addColumn<qint64>("amount");
        QTest::addColumn<QString>("ledger");
        QTest::newRow("charged") << qint64(1200) << QStringLiteral("charged");
        QTest::newRow("declined") << qint64(150'000) << QStringLiteral("declined");
    }
    void case_19_an_answer_that_was_swept_is_410_with_what_the_ledger_says()
    {
        QFETCH(qint64, amount);
        QFETCH(QString, ledger);
        const SharedVault vault;
        HandLedger bank(vault, 0ms);
        const Answer first = bank.charge("key-1", amount).value();
        vault.clock->advance(24h - 1ms);
        QCOMPARE(bank.charge("key-1", amount)->body, first.body);
        vault.clock->advance(1ms);
        // Before the sweep and after it: the same words.
        for (const bool swept : {false, true}) {
            QCOMPARE(bank.writer->counters().swept, swept ? 1u : 0u);
            const Answer late = bank.charge("key-1", amount).value();
            QCOMPARE(late.status, 410);
            QCOMPARE(problem(late), QStringLiteral("idempotency-key-expired"));
            QCOMPARE(ledgerWord(late), ledger);
            QVERIFY(!late.moneyMoved);
            QCOMPARE(bank.charge("key-1", amount + 1)->status, 422);
            const Answer asked = bank.inquire("key-1");
            QCOMPARE(asked.status, 200);
            QCOMPARE(asked.body, first.body);
            vault.clock->advance(30s);
            bank.run();
        }
        QCOMPARE(bank.movements(), ledger == QLatin1String("charged") ? 1 : 0);
        QCOMPARE(bank.told.count("swept"), 1);
        QCOMPARE(bank.facts[bank.told.indexOf("swept")].value(QStringLiteral("count")).toInt(), 1);
    }

    void the_sweep_forgets_answers_and_keeps_marks_and_money()
    {
        const SharedVault vault;
        HandLedger bank(vault, 0ms);
        (void)bank.charge("key-approved", 1200);
        (void)bank.charge("key-declined", 150'000);
        (void)bank.charge("key-reversed", 300);
        (void)bank.voidCharge("void-1", "key-reversed", 300);
        (void)bank.voidCharge("void-2", "key-tombstone", 500);
        vault.clock->advance(24h);
        (void)bank.charge("key-new", 100);
        QCOMPARE(bank.writer->counters().swept, 2u);
        QVERIFY(!bank.record("key-approved"));
        QVERIFY(bank.record("key-declined")->verdict.body.isEmpty());
        QCOMPARE(bank.record("key-reversed")->state, KeyState::Voided);
        QCOMPARE(bank.record("key-tombstone")->mark.result, VoidResult::Prevented);
        QCOMPARE(bank.record("key-new")->state, KeyState::Finished);
        QCOMPARE(bank.movements(), 4);
        QCOMPARE(bank.writer->counters().commits, 6u); // the sweep is none of them
    }

    void a_sweep_takes_a_bounded_number_at_a_time_and_goes_on_at_once()
    {
        const SharedVault vault;
        HandLedger bank(vault, 0ms);
        for (int i = 0; i < 1200; ++i)
            (void)bank.post("key-" + QByteArray::number(i), 1);
        bank.run();
        vault.clock->advance(24h);
        bank.run();
        QCOMPARE(bank.writer->counters().swept, 500u);
        int rounds = 0;
        while (bank.writer->nextDueMs() <= vault.clock->elapsedMs()) {
            bank.run();
            ++rounds;
        }
        QCOMPARE(bank.writer->counters().swept, 1200u);
        QVERIFY(rounds <= 3);
    }

    void case_14_the_sweeper_deletes_a_lapsed_claim_and_charges_nothing()
    {
        const SharedVault vault;
        HandLedger bank(vault, 0ms);
        QVERIFY(bank.charge("key-1", 1200, LedgerFault::CrashBeforeCommit)->crashed);
        vault.clock->advance(9s);
        bank.run();
        QVERIFY(bank.record("key-1"));
        vault.clock->advance(6s);
        bank.run();
        QVERIFY(!bank.record("key-1"));
        QCOMPARE(bank.movements(), 0);
        QCOMPARE(bank.told, (QList<QByteArray>{"claimed", "claim_deleted"}));
        QCOMPARE(bank.facts.last().value(QStringLiteral("by")).toString(), QStringLiteral("sweeper"));
        QCOMPARE(bank.inquire("key-1").status, 404);
        QCOMPARE(bank.charge("key-1", 1200)->status, 201);
    }

    void the_sweeper_leaves_alone_what_is_worked_on_here()
    {
        const SharedVault vault;
        // It sweeps more often than it renews a lease.
        HandLedger bank(vault, 3600s, "bank-1", QStringLiteral("atomic"),
                        [](StrategySettings &settings) { settings.keyTtlMs = 2000; });
        const auto slow = bank.post("key-1", 1200);
        bank.run();
        for (int second = 0; second < 10; ++second) {
            vault.clock->setForward(24h);
            vault.clock->advance(1s);
            bank.run();
            QVERIFY(bank.record("key-1"));
        }
        QVERIFY(!bank.told.contains("claim_deleted"));
        vault.clock->advance(3600s);
        bank.run();
        QCOMPARE((*slow)->status, 201);
        QVERIFY((*slow)->moneyMoved);
    }

    void a_frozen_clock_stands_still_and_work_still_ends()
    {
        const SharedVault vault;
        HandLedger bank(vault, 2s);
        const ClockState frozen = bank.setClock(freeze).value();
        QVERIFY(frozen.frozen);
        const auto slow = bank.post("key-1", 1200);
        bank.run();
        QCOMPARE(bank.record("key-1")->claim.leaseUntilMs, frozen.nowMs + 10'000);
        vault.clock->advance(1s);
        QCOMPARE(bank.charge("key-1", 1200)->status, 409);
        vault.clock->advance(1s);
        bank.run();
        QCOMPARE((*slow)->status, 201);
        QCOMPARE(json(**slow).value(QStringLiteral("created_at")).toString(),
                 QStringLiteral("2026-07-14T03:33:20.000Z"));
        vault.clock->advance(48h);
        bank.run();
        QVERIFY(bank.charge("key-1", 1200)->replayed); // its answer does not age
        QCOMPARE(bank.writer->clock().state().nowMs, frozen.nowMs);
    }

    void while_the_clock_stands_still_a_left_claim_stays_and_ahead_it_lapses()
    {
        const SharedVault vault;
        HandLedger bank(vault, 0ms);
        (void)bank.setClock(freeze);
        QVERIFY(bank.charge("key-1", 1200, LedgerFault::CrashBeforeCommit)->crashed);
        vault.clock->advance(60s);
        bank.run();
        QCOMPARE(bank.charge("key-1", 1200)->status, 409);
        (void)bank.setClock(ahead(10s));
        QCOMPARE(bank.told.last(), "claim_deleted"); // by the sweep that follows a move
        QCOMPARE(bank.charge("key-1", 1200)->status, 201);
    }

    void a_clock_set_ahead_ends_answers_at_once()
    {
        const SharedVault vault;
        HandLedger bank(vault, 0ms);
        (void)bank.charge("key-1", 1200);
        const ClockState state = bank.setClock(ahead(25h)).value();
        QCOMPARE(state.offsetMs, qint64(25) * 3'600'000);
        QVERIFY(!state.frozen);
        QCOMPARE(state.nowMs, vault.clock->nowMs() + state.offsetMs);
        QVERIFY(!bank.record("key-1")); // swept in the same call
        QCOMPARE(ledgerWord(*bank.charge("key-1", 1200)), QStringLiteral("charged"));
        QCOMPARE(bank.told.mid(2, 2), (QList<QByteArray>{"clock", "swept"}));
    }

    void a_clock_goes_on_from_where_it_stood_and_is_put_right_again()
    {
        const SharedVault vault;
        HandLedger bank(vault, 0ms);
        const qint64 start = vault.clock->nowMs();
        (void)bank.setClock(freeze);
        vault.clock->advance(1h);
        QCOMPARE(bank.setClock(ahead(10s))->nowMs, start + 10'000);
        vault.clock->advance(1h);
        const ClockState on = bank.setClock(resume).value();
        QCOMPARE(on.nowMs, start + 10'000);
        QCOMPARE(on.offsetMs, 10'000 - 2 * 3'600'000);
        QVERIFY(!on.frozen);
        vault.clock->advance(5s);
        QCOMPARE(bank.setClock(freeze)->nowMs, start + 15'000);
        QCOMPARE(bank.setClock(freeze)->nowMs, start + 15'000); // twice is once
        const ClockState right = bank.setClock(putRight).value();
        QCOMPARE(right.nowMs, vault.clock->nowMs());
        QCOMPARE(right.offsetMs, 0);
        QCOMPARE(bank.setClock(resume)->nowMs, vault.clock->nowMs()); // what runs goes on
    }

    void a_clock_is_not_set_out_of_this_world()
    {
        const SharedVault vault;
        HandLedger bank(vault, 0ms);
        for (const qint64 byMs : {maxClockOffsetMs + 1, -maxClockOffsetMs - 1, std::numeric_limits<qint64>::max()})
            QVERIFY(!bank.setClock({ClockChange::What::Advance, byMs}));
        QVERIFY(bank.setClock({ClockChange::What::Advance, maxClockOffsetMs}));
        QVERIFY(!bank.setClock({ClockChange::What::Advance, 1}));
        QCOMPARE(bank.writer->clock().state().offsetMs, maxClockOffsetMs);
    }

    void all_banks_at_a_store_go_by_one_clock_which_outlives_them()
    {
        const SharedVault vault;
        {
            HandLedger first(vault, 0ms);
            HandLedger second(vault, 0ms, "bank-2");
            (void)first.charge("key-1", 1200);
            (void)second.setClock(ahead(25h));
            QCOMPARE(first.charge("key-1", 1200)->status, 410);
            QCOMPARE(first.writer->clock().state().offsetMs, 25 * 3'600'000);
        }
        HandLedger third(vault, 0ms, "bank-3");
        QCOMPARE(third.writer->clock().state().offsetMs, 25 * 3'600'000);
        QCOMPARE(third.charge("key-1", 1200)->status, 410);
    }

    void a_clock_set_ahead_does_not_take_a_running_charge_from_a_bank_that_lives()
    {
        const SharedVault vault;
        HandLedger bank(vault, 2s);
        HandLedger other(vault, 2s, "bank-2");
        const auto slow = bank.post("key-1", 1200);
        bank.run();
        (void)bank.setClock(ahead(1h));
        QCOMPARE(other.charge("key-1", 1200)->status, 409); // its lease was renewed with the move
        vault.clock->advance(2s);
        bank.run();
        QVERIFY((*slow)->moneyMoved);
    }

    void a_claim_left_in_a_future_that_was_taken_back_does_not_keep_its_key_busy_until_then()
    {
        const SharedVault vault;
        HandLedger bank(vault, 0ms);
        (void)bank.setClock(ahead(25h));
        QVERIFY(bank.charge("key-1", 1200, LedgerFault::CrashBeforeCommit)->crashed);
        (void)bank.setClock(putRight);
        QCOMPARE(bank.charge("key-1", 1200)->status, 201);
        QCOMPARE(bank.movements(), 1);
    }

    void a_store_with_a_clock_of_its_own_is_the_time_of_all_its_banks()
    {
        const SharedVault vault;
        qint64 storeMs = vault.clock->nowMs() + 7'000;
        vault.troubles->ownClock = [&] { return storeMs; };
        HandLedger bank(vault, 0ms);
        (void)bank.charge("key-1", 1200);
        QCOMPARE(bank.record("key-1")->verdict.answeredAtMs, storeMs);
        QCOMPARE(bank.writer->clock().state().nowMs, storeMs);
        QCOMPARE(bank.writer->clock().state().offsetMs, 0);
        vault.clock->setForward(48h); // this machine's clock is wrong: it does not matter
        QVERIFY(bank.charge("key-1", 1200)->replayed);
        storeMs += 24 * 3'600'000;
        QCOMPARE(bank.charge("key-1", 1200)->status, 410);
    }

    void an_advance_whose_commit_was_durable_but_reported_failure_is_made_once_data()
    {
        QTest::addColumn<bool>("durable");
        QTest::newRow("durable") << true;
        QTest::newRow("lost") << false;
    }
    void an_advance_whose_commit_was_durable_but_reported_failure_is_made_once()
    {
        QFETCH(bool, durable);
        const SharedVault vault;
        HandLedger bank(vault, 0ms);
        auto &hook = durable ? vault.troubles->afterCommit : vault.troubles->beforeCommit;
        hook = [&] {
            hook = nullptr;
            throw StoreError(QStringLiteral("no answer from the disk"));
        };
        QCOMPARE(bank.setClock(ahead(1h))->offsetMs, 3'600'000);
        QCOMPARE(bank.writer->clock().state().offsetMs, 3'600'000);
    }

    void an_expired_key_by_order_of_a_fault_meets_its_410_and_stays_expired()
    {
        const SharedVault vault;
        HandLedger bank(vault, 0ms);
        QCOMPARE(bank.charge("key-1", 1200, LedgerFault::ExpireKey)->status, 201); // nothing to forget yet
        const Answer expired = bank.charge("key-1", 1200, LedgerFault::ExpireKey).value();
        QCOMPARE(expired.status, 410);
        QCOMPARE(ledgerWord(expired), QStringLiteral("charged"));
        QVERIFY(!bank.record("key-1"));
        QCOMPARE(bank.charge("key-1", 1200)->status, 410);
        QCOMPARE(bank.inquire("key-1").status, 200);
        QCOMPARE(bank.charge("key-2", 150'000)->status, 402);
        QCOMPARE(ledgerWord(*bank.charge("key-2", 150'000, LedgerFault::ExpireKey)), QStringLiteral("declined"));
        QCOMPARE(bank.movements(), 1);
        QCOMPARE(bank.writer->counters().expired, 3u);
    }

    void a_busy_key_is_held_by_a_real_claim_that_goes_away_by_itself()
    {
        const SharedVault vault;
        HandLedger bank(vault, 0ms);
        HandLedger other(vault, 0ms, "bank-2");
        (void)bank.setClock(freeze); // the end of it does not hang on the bank's clock
        const Answer busy = bank.charge("key-1", 1200, LedgerFault::Busy, 3000).value();
        QCOMPARE(busy.status, 409);
        QCOMPARE(problem(busy), QStringLiteral("idempotency-key-in-progress"));
        QCOMPARE(header(busy, "Retry-After"), "3");
        QCOMPARE(bank.record("key-1")->state, KeyState::Claimed);
        QCOMPARE(other.charge("key-1", 1200)->status, 409);
        QCOMPARE(bank.voidCharge("void-1", "key-1", 1200).status, 409);
        QCOMPARE(bank.inquire("key-1").status, 202);
        vault.clock->advance(2999ms);
        QCOMPARE(bank.charge("key-1", 1200)->status, 409);
        vault.clock->advance(1ms);
        QVERIFY(bank.writer->nextDueMs() <= vault.clock->elapsedMs());
        bank.run();
        QVERIFY(!bank.record("key-1"));
        QCOMPARE(bank.charge("key-1", 1200)->status, 201);
        QCOMPARE(bank.movements(), 1);
        // A key that is finished cannot be held.
        QVERIFY(bank.charge("key-1", 1200, LedgerFault::Busy, 3000)->replayed);
    }

    void a_bank_sweeps_by_itself_and_at_once_when_its_clock_is_moved()
    {
        Desk desk(Desk::plain());
        QCOMPARE(desk.charge("key-1", 1200).status, 201);
        const qint64 before = desk.bank->nowMs();
        QVERIFY(desk.setClock(ahead(25h)));
        QVERIFY(desk.bank->nowMs() >= before + 25 * 3'600'000);
        QCOMPARE(desk.bank->clock().offsetMs, 25 * 3'600'000);
        QTRY_VERIFY(desk.keys().isEmpty());
        QCOMPARE(desk.counters().value(QStringLiteral("swept")).toInt(), 1);
        QCOMPARE(desk.charge("key-1", 1200).status, 410);
    }
};

IKKAI_TEST_MAIN(TestBankTime)
#include "tst_bank_time.moc"
