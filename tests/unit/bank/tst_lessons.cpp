#include "tests/support/test.h"
#include "tests/unit/bank/hand_ledger.h"

using namespace ikkai::test;
using namespace mockbank;
using namespace std::chrono_literals;

/// What `atomic` does where a lesson switches one of its habits off.
class TestLessons : public Test {
    Q_OBJECT

    static std::unique_ptr<HandLedger> bankWith(const SharedVault &vault,
                                                const std::function<void(StrategySettings &)> &lesson,
                                                std::chrono::milliseconds processing = 0ms)
    {
        return std::make_unique<HandLedger>(vault, processing, "bank-1", QStringLiteral("atomic"), lesson);
    }
    static void recheck(StrategySettings &settings) { settings.recheckDeclines = true; }
    static void rerun(StrategySettings &settings) { settings.rerunExpired = true; }
    static void keep5xx(StrategySettings &settings) { settings.cache5xx = true; }
    static void topUp(HandLedger &bank, qint64 balance)
    {
        bank.withStore([&](Store &store) { store.putAccount({QStringLiteral("card_ok"), balance, false}); });
    }
    static Answer chargeAndWait(const SharedVault &vault, HandLedger &bank, qint64 amount,
                                std::chrono::milliseconds wait)
    {
        const auto slot = bank.post("key-1", amount);
        bank.runDue();
        vault.clock->advance(wait);
        bank.runDue();
        return slot->value_or(Answer());
    }

private Q_SLOTS:
    void a_mismatch_is_said_with_the_status_of_the_lesson_data()
    {
        QTest::addColumn<int>("status");
        for (const int status : {400, 409, 422})
            QTest::addRow("%d", status) << status;
    }
    void a_mismatch_is_said_with_the_status_of_the_lesson()
    {
        QFETCH(int, status);
        const SharedVault vault;
        const auto bank = bankWith(vault, [&](StrategySettings &settings) { settings.mismatchStatus = status; });
        QCOMPARE(bank->charge("key-1", 1200)->status, 201);
        const Answer other = bank->charge("key-1", 1300).value();
        QCOMPARE(other.status, status);
        QCOMPARE(problem(other), QStringLiteral("idempotency-key-mismatch"));
        QCOMPARE(json(other).value(QStringLiteral("status")).toInt(), status);
        QCOMPARE(bank->movements(), 1);
    }

    void without_a_lesson_a_decline_stays_a_decline_after_a_top_up()
    {
        const SharedVault vault;
        const auto bank = bankWith(vault, {});
        QCOMPARE(bank->charge("key-1", 200'000)->status, 402);
        topUp(*bank, 300'000);
        QVERIFY(bank->charge("key-1", 200'000)->replayed);
        QCOMPARE(bank->movements(), 0);
    }

    void a_decline_is_judged_anew_once_the_money_is_there_and_charged_once_data()
    {
        QTest::addColumn<int>("processingMs");
        QTest::newRow("at once") << 0;
        QTest::newRow("with processing") << 500;
    }
    void a_decline_is_judged_anew_once_the_money_is_there_and_charged_once()
    {
        QFETCH(int, processingMs);
        const std::chrono::milliseconds processing(processingMs);
        const SharedVault vault;
        const auto bank = bankWith(vault, recheck, processing);
        QCOMPARE(chargeAndWait(vault, *bank, 200'000, processing).status, 402);
        const Answer still = chargeAndWait(vault, *bank, 200'000, processing);
        QCOMPARE(still.status, 402);
        QVERIFY(!still.replayed);
        topUp(*bank, 300'000);
        const Answer approved = chargeAndWait(vault, *bank, 200'000, processing);
        QCOMPARE(approved.status, 201);
        QVERIFY(approved.moneyMoved);
        const Answer again = chargeAndWait(vault, *bank, 200'000, processing);
        QCOMPARE(again.status, 201);
        QVERIFY(again.replayed);
        QCOMPARE(again.body, approved.body);
        QCOMPARE(bank->movements(), 1);
        QCOMPARE(bank->balance(), 100'000);
        // The guard knows it: no strategy with claims charges that key again.
        bank->withStore([](Store &store) { QVERIFY(store.chargeUnder(chargeKey("default", "key-1"))->guarded); });
    }

    void two_that_judge_anew_at_the_same_moment_charge_once_data()
    {
        QTest::addColumn<int>("processingMs");
        QTest::newRow("at once") << 0;
        QTest::newRow("with processing") << 500;
    }
    void two_that_judge_anew_at_the_same_moment_charge_once()
    {
        QFETCH(int, processingMs);
        const std::chrono::milliseconds processing(processingMs);
        const SharedVault vault;
        const auto bank = bankWith(vault, recheck, processing);
        const auto other = std::make_unique<HandLedger>(vault, processing, "bank-2", QStringLiteral("atomic"), recheck);
        chargeAndWait(vault, *bank, 200'000, processing);
        topUp(*bank, 1'000'000);
        const auto first = bank->post("key-1", 200'000);
        const auto second = bank->post("key-1", 200'000);
        const auto third = other->post("key-1", 200'000);
        bank->runDue();
        other->runDue();
        vault.clock->advance(processing);
        bank->runDue();
        other->runDue();
        QVERIFY((*first)->moneyMoved);
        QCOMPARE((*second)->status, processingMs == 0 ? 201 : 409);
        QCOMPARE((*third)->status, 201);
        QVERIFY((*third)->replayed);
        QCOMPARE(bank->movements(), 1);
    }

    void another_amount_under_a_declined_key_is_a_mismatch_with_the_lesson_too()
    {
        const SharedVault vault;
        const auto bank = bankWith(vault, recheck);
        bank->charge("key-1", 200'000);
        QCOMPARE(bank->charge("key-1", 100)->status, 422);
        QCOMPARE(bank->movements(), 0);
    }

    void an_expired_key_is_charged_again_outside_the_guard_data()
    {
        QTest::addColumn<bool>("swept");
        QTest::newRow("not swept yet") << false;
        QTest::newRow("swept") << true;
    }
    void an_expired_key_is_charged_again_outside_the_guard()
    {
        QFETCH(bool, swept);
        const SharedVault vault;
        const auto bank = bankWith(vault, rerun);
        const Answer first = bank->charge("key-1", 1200).value();
        QVERIFY(bank->charge("key-1", 1200)->replayed);
        // Only one arrival comes: the sweep, where it is wanted, has a batch before it.
        vault.clock->advance(24h);
        if (swept) {
            bank->run();
            QVERIFY(!bank->record("key-1"));
        }
        QCOMPARE(bank->charge("key-1", 1300)->status, 422);
        const Answer second = bank->charge("key-1", 1200).value();
        QCOMPARE(second.status, 201);
        QVERIFY(second.moneyMoved && !second.replayed);
        QVERIFY(second.body != first.body);
        QCOMPARE(bank->movements(), 2);
        QCOMPARE(bank->balance(), 100'000 - 2 * 1200);
        bank->withStore([](Store &store) {
            const QList<Movement> movements = store.movements(0, 10);
            QVERIFY(movements[0].guarded);
            QVERIFY(!movements[1].guarded);
        });
        // The new answer has its own time to live.
        QCOMPARE(bank->charge("key-1", 1200)->body, second.body);
        QCOMPARE(bank->movements(), 2);
    }

    void without_the_lesson_an_expired_key_is_refused()
    {
        const SharedVault vault;
        const auto bank = bankWith(vault, recheck);
        bank->charge("key-1", 1200);
        vault.clock->advance(24h);
        QCOMPARE(bank->charge("key-1", 1200)->status, 410);
        QCOMPARE(bank->movements(), 1);
    }

    void a_voided_key_is_not_charged_again_by_any_lesson()
    {
        const SharedVault vault;
        const auto bank = bankWith(vault, [](StrategySettings &settings) {
            recheck(settings);
            rerun(settings);
        });
        bank->charge("key-1", 1200);
        bank->withStore([&](Store &store) {
            QVERIFY(store.voidFinished(chargeKey("default", "key-1"), {VoidResult::Reversed, vault.clock->nowMs(),
                                                                       QStringLiteral("A-1001"), 1200, "JPY"}));
        });
        vault.clock->advance(48h);
        QCOMPARE(bank->charge("key-1", 1200)->status, 410);
        QCOMPARE(bank->movements(), 1);
    }

    void a_failure_is_kept_and_given_again_for_a_day_data()
    {
        QTest::addColumn<int>("processingMs");
        QTest::newRow("at once") << 0;
        QTest::newRow("with processing") << 500;
    }
    void a_failure_is_kept_and_given_again_for_a_day()
    {
        QFETCH(int, processingMs);
        const std::chrono::milliseconds processing(processingMs);
        const SharedVault vault;
        const auto bank = bankWith(vault, keep5xx, processing);
        const auto slot = bank->post("key-1", 1200, LedgerFault::FailBeforeCommit);
        bank->runDue();
        vault.clock->advance(processing);
        bank->runDue();
        QVERIFY(*slot);
        const Answer failed = **slot;
        QCOMPARE(failed.status, 500);
        QCOMPARE(failed.contentType, "application/problem+json");
        QVERIFY(!failed.replayed && !failed.moneyMoved);
        for (int tries = 0; tries < 3; ++tries) {
            const Answer again = chargeAndWait(vault, *bank, 1200, processing);
            QCOMPARE(again.status, 500);
            QCOMPARE(again.body, failed.body);
            QCOMPARE(again.contentType, failed.contentType);
            QCOMPARE(header(again, "Idempotent-Replayed"), "true");
        }
        QCOMPARE(bank->charge("key-1", 1300)->status, 422);
        QCOMPARE(bank->inquire("key-1").status, 404);
        QCOMPARE(bank->movements(), 0);
        QCOMPARE(bank->balance(), 100'000);
        QCOMPARE(chargeAndWait(vault, *bank, 1200, 24h).status, 500);
        // Then it is forgotten, and the key, which never charged, may.
        QCOMPARE(chargeAndWait(vault, *bank, 1200, processing).status, 201);
        QCOMPARE(bank->movements(), 1);
    }

    void a_commit_that_reports_failure_is_known_again_by_a_lesson()
    {
        const SharedVault vault;
        const auto bank = bankWith(vault, recheck);
        bank->charge("key-1", 200'000);
        topUp(*bank, 300'000);
        vault.troubles->afterCommit = [&] {
            vault.troubles->afterCommit = nullptr;
            throw StoreError(QStringLiteral("disk full"));
        };
        const Answer approved = bank->charge("key-1", 200'000).value();
        QCOMPARE(approved.status, 201);
        QVERIFY(approved.moneyMoved && !approved.replayed);
        QCOMPARE(bank->movements(), 1);
    }
};

IKKAI_TEST_MAIN(TestLessons)
#include "tst_lessons.moc"
