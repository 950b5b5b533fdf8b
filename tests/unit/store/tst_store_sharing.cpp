#include "tests/unit/store/store_bench.h"

#include <thread>

using namespace ikkai::test;
using namespace mockbank;

/// What every store promises of transactions and of those who share it.
class TestStoreSharing : public Test {
    Q_OBJECT

private Q_SLOTS:
    void the_ledgers_name_is_made_once_data() { StoreBench::kinds(); }
    void the_ledgers_name_is_made_once()
    {
        STORE_OF_KIND(bench);
        {
            const auto store = bench.open();
            store->begin();
            QCOMPARE(store->ledgerId("ldg_1"), "ldg_1");
            QVERIFY(store->commit());
        }
        const auto store = bench.open();
        store->begin();
        QCOMPARE(store->ledgerId("ldg_2"), "ldg_1");
        QVERIFY(!store->commit()); // nothing was written
    }

    void what_was_not_committed_is_gone_data() { StoreBench::kinds(); }
    void what_was_not_committed_is_gone()
    {
        STORE_OF_KIND(bench);
        {
            const auto store = bench.open();
            store->begin();
            store->putAccount({QStringLiteral("card_ok"), 1000, false});
            store->commit();
            store->begin();
            QVERIFY(store->debit(QStringLiteral("card_ok"), 400));
            store->savepoint();
            QVERIFY(store->debit(QStringLiteral("card_ok"), 100));
            store->rollbackToSavepoint();
            QCOMPARE(store->lockAccount(QStringLiteral("card_ok"))->balanceMinor, 600);
            store->rollback();
            store->begin();
            QCOMPARE(store->lockAccount(QStringLiteral("card_ok"))->balanceMinor, 1000);
            QVERIFY(store->debit(QStringLiteral("card_ok"), 400));
        }
        const auto store = bench.open();
        store->begin();
        QCOMPARE(store->lockAccount(QStringLiteral("card_ok"))->balanceMinor, 1000);
    }

    void an_instance_is_held_by_one_at_a_time_data() { StoreBench::kinds(); }
    void an_instance_is_held_by_one_at_a_time()
    {
        STORE_OF_KIND(bench);
        auto first = bench.open();
        const auto second = bench.open();
        QVERIFY(first->holdInstance("bank-1"));
        QVERIFY(!second->holdInstance("bank-1"));
        QVERIFY(second->holdInstance("bank-2"));
        first.reset();
        const auto third = bench.open();
        QVERIFY(third->holdInstance("bank-1"));
        QVERIFY(!third->holdInstance("bank-2"));
    }

    void one_publishes_at_a_time_data() { StoreBench::kinds(); }
    void one_publishes_at_a_time()
    {
        STORE_OF_KIND(bench);
        auto first = bench.open();
        const auto second = bench.open();
        QVERIFY(second->holdInstance("publisher")); // a name is not a right
        QVERIFY(first->holdPublisher());
        QVERIFY(first->holdPublisher());
        QVERIFY(!second->holdPublisher());
        first.reset();
        QTRY_VERIFY(second->holdPublisher());
    }

    void the_banks_clock_is_kept_for_all_banks_data() { StoreBench::kinds(); }
    void the_banks_clock_is_kept_for_all_banks()
    {
        STORE_OF_KIND(bench);
        const auto first = bench.open();
        const auto second = bench.open();
        first->begin();
        QCOMPARE(first->clockSetting(), ClockSetting());
        first->setClock({3'600'000, 1'750'000'000'123});
        QVERIFY(first->commit());
        second->begin();
        QCOMPARE(second->clockSetting(), (ClockSetting{3'600'000, 1'750'000'000'123}));
        second->setClock({-5, std::nullopt});
        second->commit();
        first->begin();
        QCOMPARE(first->clockSetting(), (ClockSetting{-5, std::nullopt}));
    }

    void a_ledger_that_is_reset_has_nothing_left_and_another_name_data() { StoreBench::kinds(); }
    void a_ledger_that_is_reset_has_nothing_left_and_another_name()
    {
        STORE_OF_KIND(bench);
        const auto store = bench.open();
        const auto fill = [&] {
            store->begin();
            const QByteArray id = store->ledgerId("ldg_1");
            store->putAccount({QStringLiteral("card_ok"), 100'000, false});
            store->addClaim(claimOf("key-1"));
            store->addTombstone(claimOf("key-2").name, markOf(VoidResult::Prevented));
            store->addVoidKey({claimOf("void-1").name, QByteArray(32, 'v'), claimOf("key-2").name, 5000});
            store->setClock({77, 88});
            OutboxEvent event;
            event.movementId = store->addMovement(chargeOf("key-1"));
            event.topic = "charge.approved";
            event.orderId = QStringLiteral("A-1");
            store->addOutboxEvent(event);
            store->commit();
            return id;
        };
        QCOMPARE(fill(), "ldg_1");
        store->begin();
        const qint64 firstId = store->movements(0, 10).constFirst().id;
        store->resetLedger("ldg_2");
        QVERIFY(store->commit());
        store->begin();
        QCOMPARE(store->ledgerId("ldg_3"), "ldg_2");
        QVERIFY(store->accounts().isEmpty());
        QVERIFY(store->keys(10).isEmpty());
        QVERIFY(store->movements(0, 10).isEmpty());
        QVERIFY(store->outbox(0, 10, OutboxRows::All).isEmpty());
        QVERIFY(!store->voidKey(claimOf("void-1").name));
        QCOMPARE(store->clockSetting(), ClockSetting());
        store->commit();
        QCOMPARE(fill(), "ldg_2"); // and takes everything anew
        store->begin();
        QCOMPARE(store->movements(0, 10).constFirst().id, firstId);
    }

    void another_connection_sees_what_was_committed_data() { StoreBench::kinds(); }
    void another_connection_sees_what_was_committed()
    {
        STORE_OF_KIND(bench);
        const auto first = bench.open();
        const auto second = bench.open();
        first->begin();
        first->putAccount({QStringLiteral("card_ok"), 1000, false});
        first->commit();
        second->begin();
        QCOMPARE(second->accounts().size(), 1);
        second->rollback();
    }

    void a_claim_that_two_want_at_the_same_moment_has_one_owner_data() { StoreBench::kinds(); }
    void a_claim_that_two_want_at_the_same_moment_has_one_owner()
    {
        STORE_OF_KIND(bench);
        (void)bench.open(); // the tables
        constexpr int rounds = 50;
        std::atomic<int> owners = 0;
        std::atomic<int> waiting = 0;
        const auto race = [&](const QByteArray &instance) {
            const auto store = bench.open();
            for (int round = 0; round < rounds; ++round) {
                ++waiting;
                while (waiting < 2 * (round + 1))
                    std::this_thread::yield();
                Claim claim = claimOf("key-" + QByteArray::number(round));
                claim.owner.instance = instance;
                store->begin();
                if (store->addClaim(claim))
                    ++owners;
                store->commit();
            }
        };
        std::thread other([&] { race("bank-2"); });
        race("bank-1");
        other.join();
        QCOMPARE(owners, rounds);
    }
};

IKKAI_TEST_MAIN(TestStoreSharing)
#include "tst_store_sharing.moc"
