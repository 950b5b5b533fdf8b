#include "tests/support/test.h"
#include "tests/unit/bank/hand_ledger.h"

using namespace ikkai::test;
using namespace mockbank;
using namespace std::chrono_literals;

/// Who may work on a key, and what becomes of work that was left behind. Every batch is run by hand.
class TestBankClaims : public Test {
    Q_OBJECT

private Q_SLOTS:
    void while_a_charge_is_processed_its_key_answers_409_and_202()
    {
        const SharedVault vault;
        HandLedger bank(vault, 2s);
        const auto first = bank.post("key-1", 1200);
        bank.run();
        QVERIFY(!*first);
        const auto claimed = bank.record("key-1");
        QVERIFY(claimed);
        QCOMPARE(claimed->state, KeyState::Claimed);
        QCOMPARE(claimed->claim.owner.instance, "bank-1");
        QCOMPARE(claimed->claim.epoch, 1);
        QCOMPARE(claimed->claim.leaseUntilMs, vault.clock->nowMs() + 10'000);

        const Answer second = bank.charge("key-1", 1200).value();
        QCOMPARE(second.status, 409);
        QCOMPARE(problem(second), QStringLiteral("idempotency-key-in-progress"));
        QCOMPARE(second.contentType, "application/problem+json");
        QCOMPARE(json(second).value(QStringLiteral("retryable")).toBool(), true);
        QCOMPARE(json(second).value(QStringLiteral("idempotency_key")).toString(), QStringLiteral("key-1"));
        QCOMPARE(header(second, "Retry-After"), "2");
        const Answer asked = bank.inquire("key-1");
        QCOMPARE(asked.status, 202);
        QCOMPARE(header(asked, "Retry-After"), "2");
        QCOMPARE(bank.movements(), 0);

        vault.clock->advance(2s);
        bank.run();
        QVERIFY(*first);
        QCOMPARE((*first)->status, 201);
        QVERIFY((*first)->moneyMoved);
        QCOMPARE(bank.charge("key-1", 1200)->status, 201);
        QCOMPARE(bank.balance(), 98'800);
        QCOMPARE(bank.told, (QList<QByteArray>{"claimed", "in_progress", "committed", "replayed"}));
    }

    void two_arrivals_of_one_key_in_one_batch_are_one_charge_and_its_replay()
    {
        const SharedVault vault;
        HandLedger bank(vault, 0ms);
        const auto first = bank.post("key-1", 1200);
        const auto second = bank.post("key-1", 1200);
        const auto other = bank.post("key-1", 1300);
        bank.run();
        QCOMPARE((*first)->status, 201);
        QCOMPARE((*second)->status, 201);
        QVERIFY((*first)->moneyMoved && !(*second)->moneyMoved);
        QVERIFY(!(*first)->replayed && (*second)->replayed);
        QCOMPARE((*second)->body, (*first)->body);
        QCOMPARE((*other)->status, 422);
        QCOMPARE(bank.writer->counters().commits, 1u);
        QCOMPARE(bank.balance(), 98'800);
    }

    void two_arrivals_of_one_key_in_one_batch_with_processing_are_one_claim_and_a_409()
    {
        const SharedVault vault;
        HandLedger bank(vault, 2s);
        const auto first = bank.post("key-1", 1200);
        const auto second = bank.post("key-1", 1200);
        bank.run();
        QVERIFY(!*first);
        QCOMPARE((*second)->status, 409);
        QCOMPARE(header(**second, "Retry-After"), "2"); // what processing takes, not the lease
    }

    void a_living_owner_renews_its_lease()
    {
        const SharedVault vault;
        HandLedger bank(vault, 60s);
        HandLedger other(vault, 60s, "bank-2");
        const auto first = bank.post("key-1", 1200);
        bank.run();
        for (int third = 0; third < 12; ++third) {
            vault.clock->advance(3400ms);
            QVERIFY(bank.writer->nextDueMs() <= vault.clock->elapsedMs());
            bank.run();
            QCOMPARE(other.charge("key-1", 1200)->status, 409);
        }
        vault.clock->advance(20s);
        bank.run();
        QCOMPARE((*first)->status, 201);
        QCOMPARE(other.charge("key-1", 1200)->status, 201);
        QCOMPARE(bank.balance(), 98'800);
    }

    void case_14_a_claim_left_by_a_crash_answers_409_only_until_its_lease_ends()
    {
        const SharedVault vault;
        {
            HandLedger crashing(vault, 2s);
            QVERIFY(!crashing.charge("key-1", 1200)); // claimed, and then the power goes
        }
        HandLedger other(vault, 0ms, "bank-2");
        const Answer early = other.charge("key-1", 1200).value();
        QCOMPARE(early.status, 409);
        QCOMPARE(header(early, "Retry-After"), "10");
        vault.clock->advance(10s);
        const Answer late = other.charge("key-1", 1200).value();
        QCOMPARE(late.status, 201);
        QVERIFY(late.moneyMoved);
        QCOMPARE(other.record("key-1")->claim.epoch, 2);
        QCOMPARE(other.balance(), 98'800);
        QCOMPARE(other.told, (QList<QByteArray>{"in_progress", "claim_taken_over", "committed"}));
    }

    void case_15_an_owner_that_stalled_past_its_lease_does_not_charge_again()
    {
        const SharedVault vault;
        HandLedger stalled(vault, 2s);
        HandLedger other(vault, 0ms, "bank-2");
        const auto slow = stalled.post("key-1", 1200);
        stalled.run();
        vault.clock->advance(11s); // the stalled bank renews nothing
        const Answer taken = other.charge("key-1", 1200).value();
        QCOMPARE(taken.status, 201);
        QVERIFY(taken.moneyMoved);
        stalled.run(); // and wakes
        QVERIFY(*slow);
        QCOMPARE((*slow)->status, 201);
        QVERIFY((*slow)->replayed);
        QVERIFY(!(*slow)->moneyMoved);
        QCOMPARE((*slow)->body, taken.body);
        QCOMPARE(other.movements(), 1);
        QCOMPARE(other.balance(), 98'800);
    }

    void a_stalled_owner_whose_claim_an_inquiry_deleted_starts_again_and_charges_once()
    {
        const SharedVault vault;
        HandLedger stalled(vault, 2s);
        HandLedger other(vault, 0ms, "bank-2");
        const auto slow = stalled.post("key-1", 1200);
        stalled.run();
        vault.clock->advance(11s);
        QCOMPARE(other.inquire("key-1").status, 404);
        stalled.run();
        QVERIFY(!*slow); // claimed anew
        vault.clock->advance(2s);
        stalled.run();
        QCOMPARE((*slow)->status, 201);
        QVERIFY((*slow)->moneyMoved);
        QCOMPARE(other.charge("key-1", 1200)->status, 201);
        QCOMPARE(other.movements(), 1);
    }

    void a_stalled_owner_whose_key_went_to_another_payment_moves_nothing()
    {
        const SharedVault vault;
        HandLedger stalled(vault, 2s);
        HandLedger other(vault, 0ms, "bank-2");
        const auto slow = stalled.post("key-1", 1200);
        stalled.run();
        vault.clock->advance(11s);
        QCOMPARE(other.inquire("key-1").status, 404);
        QCOMPARE(other.charge("key-1", 500)->status, 201);
        stalled.run();
        QCOMPARE((*slow)->status, 422);
        QCOMPARE(other.balance(), 99'500);
    }

    void an_inquiry_about_a_lapsed_claim_deletes_it_and_moves_no_money()
    {
        const SharedVault vault;
        HandLedger bank(vault, 0ms);
        QVERIFY(bank.charge("key-1", 1200, LedgerFault::CrashBeforeCommit)->crashed);
        QCOMPARE(bank.inquire("key-1").status, 202);
        vault.clock->advance(10s);
        const Answer asked = bank.inquire("key-1");
        QCOMPARE(asked.status, 404);
        QCOMPARE(problem(asked), QStringLiteral("charge-not-found"));
        QVERIFY(!bank.record("key-1"));
        QCOMPARE(bank.balance(), 100'000);
        QCOMPARE(bank.told, (QList<QByteArray>{"claimed", "claim_deleted"}));
        QCOMPARE(bank.charge("key-1", 1200)->status, 201);
    }

    void a_restarted_bank_ends_its_own_leases_at_once_and_no_one_elses()
    {
        const SharedVault vault;
        {
            HandLedger mine(vault, 2s, "bank-1");
            HandLedger others(vault, 2s, "bank-2");
            QVERIFY(!mine.charge("key-mine", 1200));
            QVERIFY(!others.charge("key-other", 1200));
        }
        HandLedger restarted(vault, 0ms, "bank-1");
        QCOMPARE(restarted.charge("key-mine", 1200)->status, 201);
        QCOMPARE(restarted.charge("key-other", 1200)->status, 409);
        QCOMPARE(restarted.movements(), 1);
    }

    void a_bank_is_refused_a_name_that_lives_at_the_store()
    {
        const SharedVault vault;
        HandLedger bank(vault, 2s, "bank-1");
        try {
            HandLedger twin(vault, 2s, "bank-1");
            QFAIL("two banks of one name");
        } catch (const StoreError &error) {
            QVERIFY(QByteArray(error.what()).contains("bank-1"));
        }
    }

    void a_wall_clock_set_forward_does_not_take_a_claim_from_its_living_owner()
    {
        const SharedVault vault;
        HandLedger bank(vault, 2s);
        const auto first = bank.post("key-1", 1200);
        bank.run();
        vault.clock->setForward(std::chrono::hours(1));
        QCOMPARE(bank.charge("key-1", 1200)->status, 409);
        QCOMPARE(bank.inquire("key-1").status, 202);
        vault.clock->advance(2s);
        bank.run();
        QCOMPARE((*first)->status, 201);
        QVERIFY((*first)->moneyMoved);
        QCOMPARE(bank.movements(), 1);
    }

    void case_13_a_failure_before_the_commit_is_not_kept_data()
    {
        QTest::addColumn<int>("processingMs");
        QTest::newRow("in one transaction") << 0;
        QTest::newRow("in two") << 500;
    }
    void case_13_a_failure_before_the_commit_is_not_kept()
    {
        QFETCH(int, processingMs);
        const SharedVault vault;
        HandLedger bank(vault, std::chrono::milliseconds(processingMs));
        const auto failing = bank.post("key-1", 1200, LedgerFault::FailBeforeCommit);
        bank.run();
        vault.clock->advance(500ms);
        bank.run();
        QVERIFY(*failing);
        QCOMPARE((*failing)->status, 500);
        QCOMPARE(problem(**failing), QStringLiteral("internal-error"));
        QVERIFY(!(*failing)->moneyMoved);
        QVERIFY(!bank.record("key-1"));
        QCOMPARE(bank.balance(), 100'000);
        QCOMPARE(bank.told, (QList<QByteArray>{"claimed", "rolled_back", "claim_deleted"}));
        const auto again = bank.post("key-1", 1200);
        bank.run();
        vault.clock->advance(500ms);
        bank.run();
        QCOMPARE((*again)->status, 201);
        QVERIFY(!(*again)->replayed);
        QCOMPARE(bank.balance(), 98'800);
    }

    void a_crash_before_the_commit_leaves_the_claim_and_no_charge_data()
    {
        QTest::addColumn<int>("processingMs");
        QTest::newRow("at once") << 0;
        QTest::newRow("while processing") << 500;
    }
    void a_crash_before_the_commit_leaves_the_claim_and_no_charge()
    {
        QFETCH(int, processingMs);
        const SharedVault vault;
        {
            HandLedger bank(vault, std::chrono::milliseconds(processingMs));
            const auto crashing = bank.post("key-1", 1200, LedgerFault::CrashBeforeCommit);
            bank.run();
            vault.clock->advance(500ms);
            bank.run();
            QVERIFY(*crashing);
            QVERIFY((*crashing)->crashed);
            QCOMPARE(bank.record("key-1")->state, KeyState::Claimed);
            QCOMPARE(bank.movements(), 0);
            // Nobody works on it any more, but the lease stands.
            QCOMPARE(bank.charge("key-1", 1200)->status, 409);
        }
        HandLedger restarted(vault, 0ms);
        const Answer again = restarted.charge("key-1", 1200).value();
        QCOMPARE(again.status, 201);
        QVERIFY(!again.replayed);
        QCOMPARE(restarted.balance(), 98'800);
    }

    void a_charge_that_another_strategy_wrote_counts_as_committed_data()
    {
        QTest::addColumn<bool>("duringProcessing");
        QTest::newRow("before the claim") << false;
        QTest::newRow("between claim and charge") << true;
    }
    void a_charge_that_another_strategy_wrote_counts_as_committed()
    {
        QFETCH(bool, duringProcessing);
        const SharedVault vault;
        HandLedger bank(vault, 2s);
        const auto writeUnguarded = [&](const char *key) {
            bank.withStore([&](Store &store) {
                Movement movement;
                movement.chargeId = "ch_naive";
                movement.name = chargeKey("default", key);
                movement.guarded = false;
                const auto read = readChargeRequest(chargeBody(1200));
                movement.fingerprint = std::get<ChargeRequest>(read).fingerprint;
                movement.details = std::get<ChargeRequest>(read).details;
                movement.balanceMinor = 98'800;
                movement.atMs = vault.clock->nowMs();
                store.debit(QStringLiteral("card_ok"), 1200);
                store.addMovement(movement);
            });
        };
        std::shared_ptr<std::optional<Answer>> answer;
        if (duringProcessing) {
            answer = bank.post("key-1", 1200);
            bank.run();
            writeUnguarded("key-1");
            vault.clock->advance(2s);
        } else {
            writeUnguarded("key-1");
            answer = bank.post("key-1", 1200);
        }
        bank.run();
        QVERIFY(*answer);
        QCOMPARE((*answer)->status, 201);
        QVERIFY((*answer)->replayed);
        QCOMPARE(json(**answer).value(QStringLiteral("id")).toString(), QStringLiteral("ch_naive"));
        QCOMPARE(bank.charge("key-1", 1300)->status, 422);
        QCOMPARE(bank.inquire("key-1").status, 200);
        QCOMPARE(bank.movements(), 1);
        QCOMPARE(bank.balance(), 98'800);
    }
};

IKKAI_TEST_MAIN(TestBankClaims)
#include "tst_bank_claims.moc"
