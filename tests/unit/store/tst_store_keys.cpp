#include "tests/unit/store/store_bench.h"

using namespace ikkai::test;
using namespace mockbank;

/// What every store promises of keys: claims, answers, voids, and what the sweep leaves.
class TestStoreKeys : public Test {
    Q_OBJECT

private Q_SLOTS:
    void only_the_holder_of_a_claim_can_finish_renew_void_or_delete_it_data() { StoreBench::kinds(); }
    void only_the_holder_of_a_claim_can_finish_renew_void_or_delete_it()
    {
        STORE_OF_KIND(bench);
        const auto store = bench.open();
        store->begin();
        const Claim claim = claimOf("key-1");
        QVERIFY(store->addClaim(claim));
        QVERIFY(!store->addClaim(claim));
        QList<Claim> strangers(4, claim);
        strangers[0].owner.instance = "bank-2";
        strangers[1].owner.run = "run_2";
        strangers[2].epoch = 2;
        strangers[3].fingerprint = QByteArray(32, 'g');
        for (const Claim &stranger : std::as_const(strangers)) {
            QVERIFY(!store->finishClaim(stranger, verdictOf("key-1")));
            QVERIFY(!store->renewClaim(stranger, 9000));
            QVERIFY(!store->deleteClaim(stranger));
            QVERIFY(!store->voidClaim(stranger, markOf(VoidResult::Prevented)));
        }
        QVERIFY(store->renewClaim(claim, 9000));
        QCOMPARE(store->key(claim.name)->claim.leaseUntilMs, 9000);
        QVERIFY(store->finishClaim(claim, verdictOf("key-1")));
        QVERIFY(!store->finishClaim(claim, verdictOf("key-1")));
        QVERIFY(!store->deleteClaim(claim));
        QVERIFY(!store->voidClaim(claim, markOf(VoidResult::Prevented)));
        store->commit();
        store->begin();
        QCOMPARE(store->key(claim.name)->state, KeyState::Finished);
        QCOMPARE(store->keys(10).size(), 1);
    }

    void an_answer_is_kept_byte_for_byte_data() { StoreBench::kinds(); }
    void an_answer_is_kept_byte_for_byte()
    {
        STORE_OF_KIND(bench);
        Claim claim = claimOf("k'\\\"?:x$1;--%");
        claim.name.scope = "it's \\ POST";
        Verdict verdict = verdictOf("1", 402);
        verdict.body = QByteArrayLiteral("{\"name\":\"\\u00e9 \\\\ ' ? :a $1\"}\0\x01\xff");
        verdict.details.orderId = QStringLiteral("A-1 'x' \\ ? :b $2 %1 日本語 😀");
        verdict.details.source = QStringLiteral("カード \"q\"");
        {
            const auto store = bench.open();
            store->begin();
            QVERIFY(store->addClaim(claim));
            QVERIFY(store->finishClaim(claim, verdict));
            QVERIFY(store->commit());
        }
        const auto store = bench.open();
        store->begin();
        const std::optional<KeyRecord> record = store->key(claim.name);
        QCOMPARE(record->claim.name, claim.name);
        QCOMPARE(record->claim.owner, claim.owner);
        QCOMPARE(record->claim.fingerprint, claim.fingerprint);
        QCOMPARE(record->claim.claimedAtMs, claim.claimedAtMs);
        QCOMPARE(record->verdict.status, 402);
        QCOMPARE(record->verdict.body, verdict.body);
        QCOMPARE(record->verdict.details.orderId, verdict.details.orderId);
        QCOMPARE(record->verdict.details.source, verdict.details.source);
        QCOMPARE(record->verdict.details.amountMinor, 1200);
        QCOMPARE(record->verdict.details.currency, "JPY");
        QCOMPARE(record->verdict.declineCode, "insufficient_funds");
        QCOMPARE(record->verdict.balanceMinor, 98'800);
        QCOMPARE(record->verdict.expiresAtMs, 10'000);
    }

    void a_claim_is_taken_over_once_and_only_by_who_saw_it_data() { StoreBench::kinds(); }
    void a_claim_is_taken_over_once_and_only_by_who_saw_it()
    {
        STORE_OF_KIND(bench);
        const auto store = bench.open();
        store->begin();
        const Claim old = claimOf("key-1");
        QVERIFY(store->addClaim(old));
        Claim next = old;
        next.owner = {"bank-2", "run_9"};
        next.epoch = 2;
        Claim renewed = old;
        renewed.leaseUntilMs += 1;
        QVERIFY(!store->takeOverClaim(renewed, next)); // its owner lives after all
        QVERIFY(store->takeOverClaim(old, next));
        QVERIFY(!store->takeOverClaim(old, next));
        QCOMPARE(store->key(old.name)->claim.owner, next.owner);
        QVERIFY(!store->deleteClaim(old));
    }

    void a_restart_ends_the_leases_of_its_earlier_runs_only_data() { StoreBench::kinds(); }
    void a_restart_ends_the_leases_of_its_earlier_runs_only()
    {
        STORE_OF_KIND(bench);
        const auto store = bench.open();
        store->begin();
        Claim earlier = claimOf("key-1");
        Claim mine = claimOf("key-2");
        mine.owner.run = "run_2";
        Claim theirs = claimOf("key-3");
        theirs.owner.instance = "bank-2";
        for (const Claim &claim : {earlier, mine, theirs})
            QVERIFY(store->addClaim(claim));
        QCOMPARE(store->endLeases(mine.owner), 1);
        QCOMPARE(store->key(earlier.name)->claim.leaseUntilMs, 0);
        QCOMPARE(store->key(mine.name)->claim.leaseUntilMs, 5000);
        QCOMPARE(store->key(theirs.name)->claim.leaseUntilMs, 5000);
    }

    void lapsed_claims_are_found_the_longest_lapsed_first_data() { StoreBench::kinds(); }
    void lapsed_claims_are_found_the_longest_lapsed_first()
    {
        STORE_OF_KIND(bench);
        const auto store = bench.open();
        store->begin();
        for (const auto &[key, until] : {std::pair("key-1", 5000), {"key-2", 3000}, {"key-3", 5001}, {"key-4", 4000}}) {
            Claim claim = claimOf(key);
            claim.leaseUntilMs = until;
            QVERIFY(store->addClaim(claim));
        }
        QVERIFY(store->finishClaim(claimOf("key-4"), verdictOf("key-4")));
        const auto names = [&](qint64 now, int limit) {
            QByteArrayList keys;
            for (const KeyRecord &record : store->lapsedClaims(now, limit))
                keys.append(record.claim.name.key);
            return keys;
        };
        QCOMPARE(names(5000, 10), QByteArrayList({"key-2", "key-1"}));
        QCOMPARE(names(9000, 2), QByteArrayList({"key-2", "key-1"}));
        QCOMPARE(names(2999, 10), QByteArrayList());
    }

    void an_answer_without_a_claim_replaces_what_was_there_but_never_a_void_data() { StoreBench::kinds(); }
    void an_answer_without_a_claim_replaces_what_was_there_but_never_a_void()
    {
        STORE_OF_KIND(bench);
        const auto store = bench.open();
        store->begin();
        const ScopedKey name = claimOf("key-1").name;
        const QByteArray print(32, 'p');
        QVERIFY(store->putAnswer(name, print, verdictOf("first")));
        QCOMPARE(store->key(name)->claim.fingerprint, print);
        QCOMPARE(store->key(name)->verdict.chargeId, "ch_first");
        Verdict broken = verdictOf("second", 500); // the lesson that stores failures
        QVERIFY(store->putAnswer(name, QByteArray(32, 'q'), broken));
        QCOMPARE(store->key(name)->verdict.status, 500);
        QCOMPARE(store->key(name)->claim.fingerprint, QByteArray(32, 'q'));
        QVERIFY(store->addClaim(claimOf("key-2")));
        QVERIFY(store->putAnswer(claimOf("key-2").name, print, verdictOf("key-2")));
        QCOMPARE(store->key(claimOf("key-2").name)->state, KeyState::Finished);

        QVERIFY(store->voidFinished(name, markOf(VoidResult::Reversed)));
        QVERIFY(!store->putAnswer(name, print, verdictOf("third")));
        QCOMPARE(store->key(name)->state, KeyState::Voided);
        QCOMPARE(store->keys(10).size(), 2);
    }

    void a_tombstone_takes_the_place_of_a_key_never_seen_and_of_no_other_data() { StoreBench::kinds(); }
    void a_tombstone_takes_the_place_of_a_key_never_seen_and_of_no_other()
    {
        STORE_OF_KIND(bench);
        const VoidMark mark = markOf(VoidResult::Prevented);
        const ScopedKey name = claimOf("key-1").name;
        {
            const auto store = bench.open();
            store->begin();
            QVERIFY(store->addTombstone(name, mark));
            QVERIFY(!store->addTombstone(name, markOf(VoidResult::NotCharged)));
            QVERIFY(!store->addClaim(claimOf("key-1"))); // the late arrival
            QVERIFY(store->addClaim(claimOf("key-2")));
            QVERIFY(!store->addTombstone(claimOf("key-2").name, mark));
            store->commit();
        }
        const auto store = bench.open();
        store->begin();
        QCOMPARE(store->key(name)->state, KeyState::Voided);
        QCOMPARE(store->key(name)->mark, mark);
        QVERIFY(store->key(name)->claim.fingerprint.isEmpty());
    }

    void a_lapsed_claim_becomes_a_tombstone_and_its_owner_can_no_longer_charge_data() { StoreBench::kinds(); }
    void a_lapsed_claim_becomes_a_tombstone_and_its_owner_can_no_longer_charge()
    {
        STORE_OF_KIND(bench);
        const auto store = bench.open();
        store->begin();
        const Claim claim = claimOf("key-1");
        QVERIFY(store->addClaim(claim));
        QVERIFY(store->voidClaim(claim, markOf(VoidResult::Prevented)));
        QVERIFY(!store->finishClaim(claim, verdictOf("key-1")));
        QVERIFY(!store->renewClaim(claim, 99'000));
        QVERIFY(!store->takeOverClaim(claim, claim));
        QCOMPARE(store->lapsedClaims(99'000, 10).size(), 0);
        QCOMPARE(store->key(claim.name)->mark, markOf(VoidResult::Prevented));
    }

    void a_voided_answer_is_gone_and_its_mark_stays_data() { StoreBench::kinds(); }
    void a_voided_answer_is_gone_and_its_mark_stays()
    {
        STORE_OF_KIND(bench);
        const auto store = bench.open();
        store->begin();
        const Claim claim = claimOf("key-1");
        QVERIFY(store->addClaim(claim));
        QVERIFY(!store->voidFinished(claim.name, markOf(VoidResult::Reversed))); // still running
        QVERIFY(store->finishClaim(claim, verdictOf("key-1")));
        QVERIFY(store->voidFinished(claim.name, markOf(VoidResult::Reversed)));
        QVERIFY(!store->voidFinished(claim.name, markOf(VoidResult::NotCharged)));
        QCOMPARE(store->key(claim.name)->mark, markOf(VoidResult::Reversed));
        QVERIFY(store->key(claim.name)->verdict.body.isEmpty());
        QVERIFY(!store->expireAnswer(claim.name, 0));
        QVERIFY(store->sweepAnswers(99'000'000, 10).isEmpty());
        QCOMPARE(store->key(claim.name)->mark, markOf(VoidResult::Reversed));
    }

    void case_19_the_sweep_forgets_answers_and_keeps_markers_data() { StoreBench::kinds(); }
    void case_19_the_sweep_forgets_answers_and_keeps_markers()
    {
        STORE_OF_KIND(bench);
        const auto store = bench.open();
        store->begin();
        const auto answer = [&](const QByteArray &key, int status, qint64 expiresAtMs) {
            Verdict verdict = verdictOf(key, status);
            verdict.expiresAtMs = expiresAtMs;
            return store->putAnswer(claimOf(key).name, QByteArray(32, 'f'), verdict);
        };
        QVERIFY(answer("approved", 201, 1000));
        QVERIFY(answer("declined", 402, 1000));
        QVERIFY(answer("stored failure", 500, 1000));
        QVERIFY(answer("young", 201, 1001));
        QVERIFY(store->addTombstone(claimOf("tombstone").name, markOf(VoidResult::Prevented)));
        QVERIFY(store->addClaim(claimOf("running")));
        QVERIFY(store->addVoidKey({claimOf("void-1").name, QByteArray(32, 'v'), claimOf("key-1").name, 1000}));
        QVERIFY(store->addVoidKey({claimOf("void-2").name, QByteArray(32, 'v'), claimOf("key-1").name, 1001}));

        QVERIFY(store->sweepAnswers(999, 10).isEmpty());
        QCOMPARE(store->sweepAnswers(1000, 10), QList<ScopedKey>({claimOf("approved").name, claimOf("declined").name,
                                                                  claimOf("stored failure").name}));
        QVERIFY(!store->key(claimOf("approved").name));
        QVERIFY(!store->key(claimOf("stored failure").name));
        QCOMPARE(store->key(claimOf("declined").name)->state, KeyState::Finished);
        QVERIFY(store->key(claimOf("declined").name)->verdict.body.isEmpty());
        QCOMPARE(store->key(claimOf("declined").name)->verdict.declineCode, "insufficient_funds");
        QCOMPARE(store->key(claimOf("young").name)->verdict.body, verdictOf("young").body);
        QCOMPARE(store->key(claimOf("tombstone").name)->state, KeyState::Voided);
        QCOMPARE(store->key(claimOf("running").name)->state, KeyState::Claimed);
        QVERIFY(!store->voidKey(claimOf("void-1").name));
        QVERIFY(store->voidKey(claimOf("void-2").name));
        QVERIFY(store->sweepAnswers(1000, 10).isEmpty()); // a marker is not swept again
    }

    void a_sweep_takes_no_more_than_it_is_told_data() { StoreBench::kinds(); }
    void a_sweep_takes_no_more_than_it_is_told()
    {
        STORE_OF_KIND(bench);
        const auto store = bench.open();
        store->begin();
        for (int n = 0; n < 5; ++n) {
            const QByteArray key = "key-" + QByteArray::number(n);
            QVERIFY(store->putAnswer(claimOf(key).name, QByteArray(32, 'f'), verdictOf(key)));
        }
        QCOMPARE(store->sweepAnswers(10'000, 3).size(), 3);
        QCOMPARE(store->sweepAnswers(10'000, 3).size(), 2);
        QCOMPARE(store->sweepAnswers(10'000, 3).size(), 0);
    }

    void one_answer_can_be_let_expire_now_data() { StoreBench::kinds(); }
    void one_answer_can_be_let_expire_now()
    {
        STORE_OF_KIND(bench);
        const auto store = bench.open();
        store->begin();
        QVERIFY(!store->expireAnswer(claimOf("key-1").name, 2000));
        QVERIFY(store->addClaim(claimOf("key-1")));
        QVERIFY(!store->expireAnswer(claimOf("key-1").name, 2000));
        QVERIFY(store->finishClaim(claimOf("key-1"), verdictOf("key-1")));
        QVERIFY(store->expireAnswer(claimOf("key-1").name, 2000));
        QCOMPARE(store->key(claimOf("key-1").name)->verdict.expiresAtMs, 2000);
        QCOMPARE(store->sweepAnswers(2000, 10).size(), 1);
    }

    void a_void_key_is_remembered_once_data() { StoreBench::kinds(); }
    void a_void_key_is_remembered_once()
    {
        STORE_OF_KIND(bench);
        const auto store = bench.open();
        store->begin();
        const VoidKey first{claimOf("void-1").name, QByteArray(32, 'v'), claimOf("key-1").name, 5000};
        VoidKey second = first;
        second.fingerprint = QByteArray(32, 'w');
        QVERIFY(!store->voidKey(first.name));
        QVERIFY(store->addVoidKey(first));
        QVERIFY(!store->addVoidKey(second));
        const std::optional<VoidKey> found = store->voidKey(first.name);
        QCOMPARE(found->fingerprint, first.fingerprint);
        QCOMPARE(found->original, first.original);
        QCOMPARE(found->expiresAtMs, 5000);
    }

    void a_key_record_that_breaks_a_rule_is_refused_data() { StoreBench::kinds(); }
    void a_key_record_that_breaks_a_rule_is_refused()
    {
        STORE_OF_KIND(bench);
        const auto store = bench.open();
        store->begin();
        const auto refused = [&](const std::function<void()> &act) {
            store->savepoint();
            const bool failed = !failureOf(act).isEmpty();
            store->rollbackToSavepoint();
            return failed;
        };
        Claim noEpoch = claimOf("key-1");
        noEpoch.epoch = 0;
        QVERIFY(refused([&] { store->addClaim(noEpoch); }));
        Claim shortPrint = claimOf("key-1");
        shortPrint.fingerprint = "short";
        QVERIFY(refused([&] { store->addClaim(shortPrint); }));
        VoidMark nothing = markOf(VoidResult::Prevented);
        nothing.amountMinor = 0;
        QVERIFY(refused([&] { store->addTombstone(claimOf("key-1").name, nothing); }));
        Verdict strange = verdictOf("key-1", 99);
        QVERIFY(refused([&] { store->putAnswer(claimOf("key-1").name, QByteArray(32, 'f'), strange); }));
        QVERIFY(!refused([&] { store->addClaim(claimOf("key-1")); }));
    }
};

IKKAI_TEST_MAIN(TestStoreKeys)
#include "tst_store_keys.moc"
