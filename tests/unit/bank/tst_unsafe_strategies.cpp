#include "tests/support/test.h"
#include "tests/unit/bank/hand_ledger.h"

using namespace ikkai::test;
using namespace mockbank;
using namespace std::chrono_literals;

namespace {

using Slot = std::shared_ptr<std::optional<Answer>>;

QString word(const char *text)
{
    return QString::fromLatin1(text);
}

/// A bank of one strategy whose process may die and come back: store, lock and clock outlive it.
struct Machine {
    explicit Machine(const QString &withStrategy, std::chrono::milliseconds withProcessing = 0ms,
                     std::chrono::milliseconds withLock = 600s)
        : strategy(withStrategy)
        , processing(withProcessing)
        , lockTime(withLock)
    {
        comeBack();
    }
    void comeBack()
    {
        ledger.reset();
        ledger =
            std::make_unique<HandLedger>(vault, processing, "bank-1", strategy,
                                         [this](StrategySettings &settings) { settings.lockMs = lockTime.count(); });
    }
    /// Time passes, and everything that falls due in it is done in its order.
    void wait(std::chrono::milliseconds time)
    {
        const qint64 end = vault.clock->elapsedMs() + time.count();
        ledger->runDue();
        while (ledger->writer->running() > 0 && ledger->writer->nextDueMs() <= end) {
            vault.clock->advance(std::chrono::milliseconds(ledger->writer->nextDueMs() - vault.clock->elapsedMs()));
            ledger->runDue();
        }
        vault.clock->advance(std::chrono::milliseconds(end - vault.clock->elapsedMs()));
        ledger->runDue();
    }
    /// One attempt, waited for as long as it takes. A crash is followed by the return of the bank.
    Answer charge(const QByteArray &key = "key-1", LedgerFault fault = LedgerFault::None, qint64 amount = 1200)
    {
        const Slot slot = ledger->post(key, amount, fault);
        wait(processing);
        const Answer answer = slot->value_or(Answer());
        if (answer.crashed)
            comeBack();
        return answer;
    }
    qsizetype charges() const { return ledger->movements(); }

    SharedVault vault;
    QString strategy;
    std::chrono::milliseconds processing;
    std::chrono::milliseconds lockTime;
    std::unique_ptr<HandLedger> ledger;
};

enum Accident {
    AnswerLost,
    FailsBeforeCommit,
    CrashesBeforeCommit,
    CrashesHalfWay,
    TwoAtTheSameMoment,
    SlowerThanTheDeadline,
    SlowerThanTheLock,
    RedisIsDown,
    RedisLosesTheWrite,
};

/// The first attempt of a checkout meets an accident. Tells what reaches the terminal.
Answer meet(Accident accident, Machine &bank)
{
    switch (accident) {
    case AnswerLost:
        bank.charge();
        break;
    case FailsBeforeCommit:
        bank.charge("key-1", LedgerFault::FailBeforeCommit);
        break;
    case CrashesBeforeCommit:
        bank.charge("key-1", LedgerFault::CrashBeforeCommit);
        break;
    case CrashesHalfWay:
        bank.charge("key-1", LedgerFault::CrashHalfWay);
        break;
    case TwoAtTheSameMoment: {
        const Slot answer = bank.ledger->post("key-1", 1200);
        bank.ledger->post("key-1", 1200);
        bank.wait(0ms);
        return answer->value_or(Answer());
    }
    case SlowerThanTheDeadline:
    case SlowerThanTheLock:
        bank.ledger->post("key-1", 1200);
        bank.wait(3s);
        break;
    case RedisIsDown:
        bank.charge("key-1", LedgerFault::RedisDown);
        break;
    case RedisLosesTheWrite:
        bank.charge("key-1", LedgerFault::RedisLostWrite);
        break;
    }
    return {};
}

/// Where the terminal stops: it knows what became of the money, or the bank keeps a failure for it.
bool isFinal(const Answer &answer)
{
    return answer.status == 201 || answer.status == 402 || (answer.status == 500 && answer.replayed);
}

} // namespace

/// Where the unsafe strategies charge twice, and where they do not.
class TestUnsafeStrategies : public Test {
    Q_OBJECT

private Q_SLOTS:
    void how_often_one_key_is_charged_data()
    {
        QTest::addColumn<QString>("strategy");
        QTest::addColumn<int>("accident");
        QTest::addColumn<int>("atOnce");    // charges after retries at once, within the time of a lock
        QTest::addColumn<int>("afterLock"); // and after one more retry behind that time, where there was no answer yet
        struct Row {
            Accident accident;
            const char *name;
            int naive[2];
            int checkThenAct[2];
            int redisLock[2];
            int atomic[2];
        };
        const Row rows[] = {
            {AnswerLost, "answer lost", {2, 2}, {1, 1}, {1, 1}, {1, 1}},
            {FailsBeforeCommit, "failure before the commit", {1, 1}, {1, 1}, {0, 0}, {1, 1}},
            {CrashesBeforeCommit, "crash before the commit", {1, 1}, {1, 1}, {0, 1}, {1, 1}},
            {CrashesHalfWay, "crash half way", {2, 2}, {2, 2}, {1, 2}, {1, 1}},
            {TwoAtTheSameMoment, "two at the same moment", {2, 2}, {2, 2}, {1, 1}, {1, 1}},
            {SlowerThanTheDeadline, "slower than the deadline", {2, 2}, {2, 2}, {1, 1}, {1, 1}},
            {SlowerThanTheLock, "slower than the lock", {2, 2}, {2, 2}, {2, 2}, {1, 1}},
            {RedisIsDown, "Redis down", {2, 2}, {1, 1}, {1, 1}, {1, 1}},
            {RedisLosesTheWrite, "Redis loses the write", {2, 2}, {1, 1}, {1, 2}, {1, 1}},
        };
        for (const Row &row : rows) {
            const auto add = [&](const char *strategy, const int(&charges)[2]) {
                QTest::addRow("%s: %s", strategy, row.name)
                    << word(strategy) << int(row.accident) << charges[0] << charges[1];
            };
            add("naive", row.naive);
            add("check_then_act", row.checkThenAct);
            add("redis_lock", row.redisLock);
            add("atomic", row.atomic);
        }
    }
    void how_often_one_key_is_charged()
    {
        QFETCH(QString, strategy);
        QFETCH(int, accident);
        QFETCH(int, atOnce);
        QFETCH(int, afterLock);
        const bool slow = accident == SlowerThanTheDeadline || accident == SlowerThanTheLock;
        Machine bank(strategy, slow ? 4s : 0s, accident == SlowerThanTheLock ? 2s : 600s);
        Answer answer = meet(Accident(accident), bank);

        for (int attempt = 2; attempt <= 5 && !isFinal(answer); ++attempt) {
            answer = bank.charge();
            bank.wait(1s);
        }
        QCOMPARE(bank.charges(), atOnce);
        bank.wait(bank.lockTime);
        for (int attempt = 6; attempt <= 7 && !isFinal(answer); ++attempt)
            answer = bank.charge();
        QCOMPARE(bank.charges(), afterLock);
        QCOMPARE(bank.ledger->balance(), 100'000 - afterLock * 1200);
        QVERIFY(isFinal(answer));
    }

    void naive_knows_no_inquiry()
    {
        Machine bank(word("naive"));
        QCOMPARE(bank.charge().status, 201);
        const Answer answer = bank.ledger->inquire("key-1");
        QCOMPARE(answer.status, 501);
        QCOMPARE(problem(answer), word("not-implemented"));
        QVERIFY(!bank.ledger->record("key-1"));
    }

    void check_then_act_checks_charges_and_writes_down_in_three_transactions()
    {
        Machine bank(word("check_then_act"));
        HandLedger &ledger = *bank.ledger;
        const Slot slot = ledger.post("key-1", 1200);
        ledger.run();
        QVERIFY(ledger.told.isEmpty());
        ledger.run();
        QCOMPARE(ledger.told, QList<QByteArray>{"committed"});
        QVERIFY(ledger.published.isEmpty());
        QVERIFY(!*slot);
        ledger.run();
        QVERIFY(*slot);
        QCOMPARE(ledger.published.size(), 1);
        QCOMPARE(ledger.record("key-1")->state, KeyState::Finished);
    }

    void check_then_act_answers_a_retry_with_the_first_answer_whatever_it_asks_for()
    {
        Machine bank(word("check_then_act"));
        const Answer first = bank.charge();
        QVERIFY(!first.replayed);
        const Answer again = bank.charge();
        QVERIFY(again.replayed);
        QCOMPARE(header(again, "Idempotent-Replayed"), "true");
        QCOMPARE(again.body, first.body);
        const Answer other = bank.charge("key-1", LedgerFault::None, 99);
        QCOMPARE(other.status, 201);
        QCOMPARE(other.body, first.body);
        QCOMPARE(bank.charges(), 1);
        QCOMPARE(bank.ledger->inquire("key-1").body, first.body);
        QCOMPARE(bank.ledger->inquire("key-2").status, 404);
    }

    void check_then_act_forgets_an_answer_with_its_time_and_charges_again()
    {
        Machine bank(word("check_then_act"));
        bank.charge();
        bank.wait(std::chrono::hours(24) - 1ms);
        QVERIFY(bank.charge().replayed);
        bank.wait(1ms);
        QVERIFY(!bank.charge().replayed);
        QCOMPARE(bank.charges(), 2);
    }

    void redis_lock_has_no_fingerprint_and_no_scope()
    {
        Machine bank(word("redis_lock"));
        const Answer first = bank.charge();
        QCOMPARE(first.status, 201);
        QCOMPARE(bank.charge("key-1", LedgerFault::None, 99).body, first.body);
        QVERIFY(bank.charge().replayed);

        // The key alone: another merchant gets what the first one was told.
        ChargeTask task;
        task.work.arrival = arrival("key-1", chargeBody(500));
        task.work.arrival.merchant = "other";
        task.work.request = std::get<ChargeRequest>(readChargeRequest(task.work.arrival.body));
        task.work.name = chargeKey("other", "key-1");
        std::optional<Answer> answer;
        task.done = [&](Answer given) { answer = std::move(given); };
        bank.ledger->waiting.emplace_back(std::move(task));
        bank.wait(0ms);
        QVERIFY(answer);
        QCOMPARE(answer->body, first.body);
        QCOMPARE(bank.charges(), 1);
    }

    void redis_lock_keeps_every_answer_declines_and_failures_too()
    {
        Machine bank(word("redis_lock"));
        const Answer declined = bank.charge("key-poor", LedgerFault::None, 200'000);
        QCOMPARE(declined.status, 402);
        bank.ledger->withStore([](Store &store) { store.putAccount({word("card_ok"), 500'000, false}); });
        const Answer again = bank.charge("key-poor", LedgerFault::None, 200'000);
        QCOMPARE(again.status, 402);
        QCOMPARE(again.body, declined.body);

        const Answer failed = bank.charge("key-2", LedgerFault::FailBeforeCommit);
        QCOMPARE(failed.status, 500);
        const Answer kept = bank.charge("key-2");
        QCOMPARE(kept.status, 500);
        QCOMPARE(kept.body, failed.body);
        QCOMPARE(kept.contentType, failed.contentType);
        QCOMPARE(header(kept, "Idempotent-Replayed"), "true");
        bank.wait(std::chrono::hours(24));
        QCOMPARE(bank.charge("key-2").status, 201);
    }

    void redis_lock_answers_409_while_it_works_and_the_answer_is_out_before_it_is_remembered()
    {
        Machine bank(word("redis_lock"), 2s);
        const Slot first = bank.ledger->post("key-1", 1200);
        bank.wait(1s);
        const Slot second = bank.ledger->post("key-1", 1200);
        bank.wait(0ms);
        QVERIFY(*second);
        QCOMPARE((*second)->status, 409);
        QCOMPARE(problem(**second), word("idempotency-key-in-progress"));
        QCOMPARE(bank.ledger->inquire("key-1").status, 202);
        bank.wait(1s);
        QVERIFY(*first);
        QCOMPARE((*first)->status, 201);
        QCOMPARE(bank.ledger->writer->running(), 0u);
        QCOMPARE(bank.ledger->told, (QList<QByteArray>{"locked", "in_progress", "committed"}));
    }

    void redis_lock_says_500_while_its_redis_is_down_and_only_notes_a_lost_write()
    {
        Machine bank(word("redis_lock"));
        const Answer down = bank.charge("key-1", LedgerFault::RedisDown);
        QCOMPARE(down.status, 500);
        QCOMPARE(problem(down), word("internal-error"));
        QVERIFY(!down.replayed);
        QCOMPARE(bank.charges(), 0);
        QCOMPARE(bank.ledger->told, QList<QByteArray>{"lock_unreachable"});
        bank.ledger->told.clear();
        QCOMPARE(bank.charge("key-1", LedgerFault::RedisLostWrite).status, 201);
        QCOMPARE(bank.ledger->told, (QList<QByteArray>{"locked", "committed", "completed_lost"}));
        QCOMPARE(bank.charge().status, 409);
        QCOMPARE(bank.ledger->inquire("key-1").status, 200);
    }

    void a_redis_outlives_the_bank()
    {
        Machine bank(word("redis_lock"));
        const Answer first = bank.charge();
        bank.comeBack();
        QCOMPARE(bank.charge().body, first.body);
        bank.charge("key-2", LedgerFault::CrashBeforeCommit);
        QCOMPARE(bank.charge("key-2").status, 409);
    }

    void direct_events_are_phantoms_or_lost_and_atomic_has_neither_data()
    {
        QTest::addColumn<QString>("strategy");
        QTest::addColumn<int>("fault");
        QTest::addColumn<int>("published");
        QTest::addColumn<int>("moved");
        const auto row = [](const char *strategy, const char *name, LedgerFault fault, int published, int moved) {
            QTest::addRow("%s: %s", strategy, name) << word(strategy) << int(fault) << published << moved;
        };
        for (const char *strategy : {"naive", "check_then_act", "redis_lock"})
            row(strategy, "unharmed", LedgerFault::None, 1, 1);
        row("naive", "rolled back: phantom", LedgerFault::FailBeforeCommit, 1, 0);
        row("naive", "crash before the commit: phantom", LedgerFault::CrashBeforeCommit, 1, 0);
        row("naive", "crash half way", LedgerFault::CrashHalfWay, 1, 1);
        for (const char *strategy : {"check_then_act", "redis_lock"}) {
            row(strategy, "rolled back", LedgerFault::FailBeforeCommit, 0, 0);
            row(strategy, "crash before the commit", LedgerFault::CrashBeforeCommit, 0, 0);
            row(strategy, "crash half way: lost", LedgerFault::CrashHalfWay, 0, 1);
        }
        row("atomic", "never direct", LedgerFault::None, 0, 1);
    }
    void direct_events_are_phantoms_or_lost_and_atomic_has_neither()
    {
        QFETCH(QString, strategy);
        QFETCH(int, fault);
        QFETCH(int, published);
        QFETCH(int, moved);
        Machine bank(strategy);
        const Slot slot = bank.ledger->post("key-1", 1200, LedgerFault(fault));
        bank.wait(0ms);
        QVERIFY(*slot);
        QCOMPARE(bank.ledger->published.size(), published);
        QCOMPARE(bank.charges(), moved);
        for (const OutboxEvent &event : bank.ledger->published) {
            QCOMPARE(event.topic, "charge.approved");
            QCOMPARE(event.orderId, word("A-1001"));
            QVERIFY(event.payload.contains("key-1"));
        }
        qsizetype outbox = -1;
        bank.ledger->withStore([&](Store &store) { outbox = store.outbox(0, 10, OutboxRows::All).size(); });
        QCOMPARE(outbox, strategy == word("atomic") ? 1 : 0);
    }

    void a_decline_is_not_published()
    {
        for (const QString &strategy : strategyNames()) {
            Machine bank(strategy);
            QCOMPARE(bank.charge("key-1", LedgerFault::None, 200'000).status, 402);
            QVERIFY(bank.ledger->published.isEmpty());
        }
    }

    void a_crash_half_way_has_moved_the_money()
    {
        for (const char *strategy : {"naive", "check_then_act", "redis_lock"}) {
            Machine bank(word(strategy));
            const Slot slot = bank.ledger->post("key-1", 1200, LedgerFault::CrashHalfWay);
            bank.wait(0ms);
            QVERIFY((*slot)->crashed);
            QVERIFY((*slot)->moneyMoved);
            QVERIFY(!bank.ledger->record("key-1"));
            QCOMPARE(bank.ledger->balance(), 98'800);
        }
    }

    void atomic_takes_what_the_others_wrote_as_committed()
    {
        for (const char *strategy : {"naive", "check_then_act", "redis_lock"}) {
            Machine bank(word(strategy));
            const Answer first = bank.charge();
            bank.ledger->writer->setStrategy(makeStrategy(word("atomic")));
            const Answer again = bank.charge();
            QCOMPARE(again.status, 201);
            QVERIFY(again.replayed);
            QCOMPARE(again.body, first.body);
            QCOMPARE(bank.charges(), 1);
        }
    }

    void running_work_ends_under_the_strategy_it_began_with_data()
    {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        for (const QString &from : strategyNames()) {
            for (const QString &to : strategyNames())
                QTest::addRow("%s to %s", qPrintable(from), qPrintable(to)) << from << to;
        }
    }
    void running_work_ends_under_the_strategy_it_began_with()
    {
        QFETCH(QString, from);
        QFETCH(QString, to);
        Machine bank(from, 20s); // longer than the lease, so that it must be renewed by its own strategy
        const Slot first = bank.ledger->post("key-1", 1200);
        bank.wait(15s);
        QVERIFY(!*first);
        const std::shared_ptr<Strategy> next = makeStrategy(to, bank.ledger->lock);
        bank.ledger->writer->setStrategy(next);
        const Slot other = bank.ledger->post("key-2", 500);
        bank.wait(20s);
        QVERIFY(*first && *other);
        QCOMPARE((*first)->status, 201);
        QCOMPARE((*other)->status, 201);
        QCOMPARE(bank.charges(), 2);
        // Each is remembered where its own strategy looks.
        bank.ledger->writer->setStrategy(makeStrategy(from, bank.ledger->lock));
        QCOMPARE(bank.charge("key-1").replayed, from != word("naive"));
        bank.ledger->writer->setStrategy(next);
        QCOMPARE(bank.charge("key-2", LedgerFault::None, 500).replayed, to != word("naive"));
    }

    void a_commit_that_fails_is_answered_from_the_ledger_data()
    {
        QTest::addColumn<QString>("strategy");
        QTest::addColumn<int>("batch"); // which batch of the charge fails
        QTest::addColumn<bool>("durable");
        for (const char *strategy : {"naive", "check_then_act", "redis_lock"}) {
            for (int batch = 1; batch <= 6; ++batch) {
                for (const bool durable : {false, true})
                    QTest::addRow("%s: batch %d, %s", strategy, batch, durable ? "durable" : "lost")
                        << word(strategy) << batch << durable;
            }
        }
    }
    void a_commit_that_fails_is_answered_from_the_ledger()
    {
        QFETCH(QString, strategy);
        QFETCH(int, batch);
        QFETCH(bool, durable);
        Machine bank(strategy);
        int seen = 0;
        const auto fail = [&] {
            if (++seen == batch)
                throw StoreError(word("disk full"));
        };
        (durable ? bank.vault.troubles->afterCommit : bank.vault.troubles->beforeCommit) = fail;
        const Slot slot = bank.ledger->post("key-1", 1200);
        bank.wait(0ms);
        bank.vault.troubles->beforeCommit = nullptr;
        bank.vault.troubles->afterCommit = nullptr;
        QVERIFY(*slot);
        const bool moved = bank.charges() == 1;
        QCOMPARE((*slot)->status, moved ? 201 : 503);
        QCOMPARE((*slot)->moneyMoved, moved);
        QCOMPARE(bank.ledger->writer->counters().charges, moved ? 1u : 0u);
        // Only `naive` charges the retry of a charge that was answered; a failure that is kept is given again.
        const Answer again = bank.charge();
        if (moved)
            QCOMPARE(bank.charges(), strategy == word("naive") ? 2 : 1);
        else if (strategy != word("redis_lock"))
            QCOMPARE(again.status, 201);
        else
            QVERIFY(again.status == 201 || (again.status == 503 && again.replayed));
    }
};

IKKAI_TEST_MAIN(TestUnsafeStrategies)
#include "tst_unsafe_strategies.moc"
