#include "core/closing/reconcile.h"
#include "tests/support/test.h"
#include "tests/unit/closing/rows.h"

#include <QtCore/QElapsedTimer>

using namespace ikkai;
using namespace ikkai::test;
using K = DifferenceKind;

class TestReconcile : public test::Test {
    Q_OBJECT

private:
    static Reconciliation compare(const std::vector<OurRow> &here, const std::vector<BankChargeRow> &there)
    {
        return reconcile(here, there, settings());
    }

    /// Exactly one difference, of this kind.
    static std::optional<Difference> only(K kind, const std::vector<OurRow> &here,
                                          const std::vector<BankChargeRow> &there)
    {
        const Reconciliation result = compare(here, there);
        if (result.differences.size() != 1 || result.differences.first().kind != kind)
            return std::nullopt;
        return result.differences.first();
    }

private Q_SLOTS:
    void ordinaryTrafficAgrees()
    {
        const Reconciliation result =
            compare({ours("k1", "approved", "A-1", 1'200), ours("k2", "approved", "A-2", 800),
                     ours("k3", "declined", "A-3"), ours("k4", "voided", "A-4"), ours("k5", "not_sent", "A-5"),
                     ours("k6", "refused", "A-6"), ours("k7", "written_off", "A-7"), ours("k8", "unknown", "A-8")},
                    {charged("k1", "A-1", 1'200), charged("k2", "A-2", 800), reversed(charged("k4", "A-4"))});
        QVERIFY(result.differences.isEmpty());
        QCOMPARE(result.agreeCount, 7); // the unknown one is open on both sides
        QCOMPARE(result.agreeSums, (QList<std::pair<Currency, qint64>>{{Currency::jpy(), 2'000}}));
        QCOMPARE(result.ourRows, 8);
        QCOMPARE(result.bankRows, 3);
    }

    void oneKeyWithTwoMovementsIsChargedTwice()
    {
        const auto found = only(K::ChargedTwice, {ours("k1", "approved", "A-1", 3'400)},
                                {charged("k1", "A-1", 3'400, "ch_1"), charged("k1", "A-1", 3'400, "ch_2")});
        QVERIFY(found);
        QCOMPARE(found->key, QStringLiteral("k1"));
        QCOMPARE(found->theirs.size(), size_t(2));
        QCOMPARE(found->bankMinusHereMinor, 3'400);
    }
    void oneKeyWithTwoMovementsIsChargedTwiceWhateverIsKnownHere_data()
    {
        QTest::addColumn<QString>("state");
        for (const char *state : {"unknown", "sending", "voiding", "void_pending", "key_mismatch", "voided", "declined",
                                  "refused", "not_sent", "written_off"})
            QTest::newRow(state) << QString::fromLatin1(state);
    }
    void oneKeyWithTwoMovementsIsChargedTwiceWhateverIsKnownHere()
    {
        QFETCH(QString, state);
        const auto found = only(K::ChargedTwice, {ours("k1", state, "A-1")},
                                {charged("k1", "A-1", 1'200, "ch_1"), charged("k1", "A-1", 1'200, "ch_2")});
        QVERIFY(found);
        QCOMPARE(found->bankMinusHereMinor, 2'400);
    }
    void aSecondMovementThatWasGivenBackIsNoDifference()
    {
        QVERIFY(compare({ours("k1", "approved", "A-1")},
                        {charged("k1", "A-1", 1'200, "ch_1"), reversed(charged("k1", "A-1", 1'200, "ch_2"))})
                    .differences.isEmpty());
    }
    void theSameRowReadTwiceIsOneCharge()
    {
        QVERIFY(compare({ours("k1", "approved", "A-1")}, {charged("k1", "A-1"), charged("k1", "A-1")})
                    .differences.isEmpty());
    }
    void anOrderWithMoreChargesThanPaidKeysHereIsChargedTwice()
    {
        const auto found = only(K::ChargedTwice, {ours("k1", "approved", "A-1")},
                                {charged("k1", "A-1"), charged("made-per-call", "A-1")});
        QVERIFY(found);
        QCOMPARE(found->key, QStringLiteral("made-per-call"));
        QCOMPARE(found->ours->key, QStringLiteral("k1"));
        QCOMPARE(found->theirs.size(), size_t(2));
        QCOMPARE(found->bankMinusHereMinor, 1'200);
    }
    void anOrderPaidBeforeTheRangeAndAgainUnderAnUnknownKeyIsChargedTwice()
    {
        OurRow earlier = ours("k1", "approved", "A-1");
        earlier.createdWallMs = settings().fromWallMs - 1;
        const auto found = only(K::ChargedTwice, {earlier}, {charged("made-per-call", "A-1")});
        QVERIFY(found);
        QCOMPARE(found->bankMinusHereMinor, 1'200);
    }
    void aSecondSaleOfAnOrderThatWasMeantIsNoDifference()
    {
        QVERIFY(compare({ours("k1", "approved", "A-1"), ours("k2", "approved", "A-1")},
                        {charged("k1", "A-1"), charged("k2", "A-1")})
                    .differences.isEmpty());
    }
    void whatASupervisorOverrodeIsVoidUnderWayAndNotChargedTwice()
    {
        const auto found = only(K::VoidUnderWay, {ours("k1", "void_pending", "A-1"), ours("k2", "approved", "A-1")},
                                {charged("k1", "A-1"), charged("k2", "A-1")});
        QVERIFY(found);
        QCOMPARE(found->key, QStringLiteral("k1"));
        QCOMPARE(found->wouldSettleAs, QString());
    }

    void voidedHereAndChargedThereIsPaidAfterVoid()
    {
        const auto found = only(K::PaidAfterVoid, {ours("k1", "voided", "A-1", 720)}, {charged("k1", "A-1", 720)});
        QVERIFY(found);
        QCOMPARE(found->bankMinusHereMinor, 720);
    }
    void shownAsNotPaidAndChargedThereIsPaidAfterRefused_data()
    {
        QTest::addColumn<QString>("state");
        for (const char *state : {"refused", "not_sent", "declined", "written_off"})
            QTest::newRow(state) << QString::fromLatin1(state);
    }
    void shownAsNotPaidAndChargedThereIsPaidAfterRefused()
    {
        QFETCH(QString, state);
        const auto found = only(K::PaidAfterRefused, {ours("k1", state, "A-1")}, {charged("k1", "A-1")});
        QVERIFY(found);
        QCOMPARE(found->bankMinusHereMinor, 1'200);
    }
    void whatWasWrittenOffAsNotOursIsTheBanksToExplain()
    {
        const auto found = only(K::UnknownOrigin, {ours("k1", "written_off", "A-1")}, {charged("k1", "B-7", 50)});
        QVERIFY(found);
        QCOMPARE(found->bankMinusHereMinor, 50);
    }

    void anotherAmountUnderTheSameKey()
    {
        const auto found =
            only(K::DifferentAmount, {ours("k1", "approved", "A-1", 1'500)}, {charged("k1", "A-1", 1'050)});
        QVERIFY(found);
        QCOMPARE(found->bankMinusHereMinor, -450);
    }
    void anotherCurrencyUnderTheSameKeyIsNotSubtracted()
    {
        BankChargeRow row = charged("k1", "A-1", 1'200);
        row.currency = QStringLiteral("USD");
        const auto found = only(K::DifferentAmount, {ours("k1", "approved", "A-1", 1'200)}, {row});
        QVERIFY(found);
        QCOMPARE(found->currency.code(), QStringLiteral("USD"));
        QCOMPARE(found->bankMinusHereMinor, 1'200);
    }
    void otherDetailsUnderAnOpenKeyNeedAPerson()
    {
        QVERIFY(only(K::DifferentAmount, {ours("k1", "key_mismatch", "A-1")}, {charged("k1", "A-1", 9'000)}));
        QVERIFY(only(K::DifferentAmount, {ours("k1", "voiding", "A-1")}, {charged("k1", "B-1")}));
    }

    void oneOrderPaidAtTwoTills()
    {
        const auto found = only(K::TwoTerminals, {ours("k1", "approved", "A-1")},
                                {charged("k1", "A-1"), charged("x", "A-1", 1'200, "ch_x", "till-2")});
        QVERIFY(found);
        QCOMPARE(found->key, QStringLiteral("k1"));
        QCOMPARE(found->theirs.size(), size_t(2));
        QCOMPARE(found->bankMinusHereMinor, 1'200);
        QCOMPARE(compare({ours("k1", "approved", "A-1")},
                         {charged("k1", "A-1"), charged("x", "A-1", 1'200, "ch_x", "till-2")})
                     .agreeCount,
                 0);
    }
    void anOrderDeclinedHereAndPaidAtAnotherTillIsNoDifference()
    {
        QVERIFY(compare({ours("k1", "declined", "A-1")}, {charged("x", "A-1", 1'200, "ch_x", "till-2")})
                    .differences.isEmpty());
    }
    void anotherTillsOwnChargesAreNoDifference()
    {
        QVERIFY(
            compare({}, {charged("x", "B-1", 1'200, "ch_x", "till-2"), charged("x", "B-1", 1'200, "ch_y", "till-2")})
                .differences.isEmpty());
    }
    void aTillThatWasRenamedStillKnowsItsOwnKeys()
    {
        QVERIFY(compare({ours("k1", "approved", "A-1")}, {charged("k1", "A-1", 1'200, "ch_1", "old name")})
                    .differences.isEmpty());
    }

    void paidHereAndNotAtTheBank()
    {
        const auto found = only(K::NotAtBank, {ours("k1", "approved", "A-1")}, {});
        QVERIFY(found);
        QCOMPARE(found->bankMinusHereMinor, -1'200);
    }
    void paidHereAndGivenBackThere()
    {
        const auto found = only(K::NotAtBank, {ours("k1", "approved", "A-1")}, {reversed(charged("k1", "A-1"))});
        QVERIFY(found);
        QCOMPARE(found->bankMinusHereMinor, -1'200);
        QCOMPARE(found->theirs.size(), size_t(1));
    }
    void whatWasSoldOutsideTheRangeIsNotMissedAtTheBank()
    {
        OurRow row = ours("k1", "approved", "A-1");
        row.createdWallMs = settings().fromWallMs - 1;
        const Reconciliation result = compare({row}, {});
        QVERIFY(result.differences.isEmpty());
        QCOMPARE(result.agreeCount, 0);
        QCOMPARE(result.ourRows, 0);
        QCOMPARE(compare({row}, {charged("k1", "A-1")}).agreeCount, 1);
    }

    void openHereAndSettledThere_data()
    {
        QTest::addColumn<QString>("state");
        QTest::addColumn<int>("bank");
        QTest::addColumn<QString>("settlesAs");
        for (const char *state : {"unknown", "sending", "waiting"}) {
            QTest::addRow("%s, paid", state) << QString::fromLatin1(state) << 0 << QStringLiteral("approved");
            QTest::addRow("%s, given back", state) << QString::fromLatin1(state) << 1 << QStringLiteral("voided");
            QTest::addRow("%s, declined", state) << QString::fromLatin1(state) << 2 << QStringLiteral("declined");
            QTest::addRow("%s, prevented", state) << QString::fromLatin1(state) << 3 << QStringLiteral("voided");
        }
        QTest::newRow("a mismatch, which no inquiry settles") << QStringLiteral("key_mismatch") << 0 << QString();
    }
    void openHereAndSettledThere()
    {
        QFETCH(QString, state);
        QFETCH(int, bank);
        QFETCH(QString, settlesAs);
        const BankChargeRow rows[] = {charged("k1", "A-1"), reversed(charged("k1", "A-1")),
                                      notCharged("k1", "A-1", "declined"), notCharged("k1", "A-1", "voided")};
        const auto found = only(K::OpenHere, {ours("k1", state, "A-1")}, {rows[bank]});
        QVERIFY(found);
        QCOMPARE(found->wouldSettleAs, settlesAs);
        QCOMPARE(found->bankMinusHereMinor, bank == 0 ? 1'200 : 0);
    }
    void afterVoidStartedTheRowOnlySaysSo()
    {
        for (const char *state : {"voiding", "void_pending"}) {
            const auto found =
                only(K::VoidUnderWay, {ours("k1", QString::fromLatin1(state), "A-1")}, {charged("k1", "A-1")});
            QVERIFY(found);
            QVERIFY(found->wouldSettleAs.isEmpty());
        }
    }

    void aChargeThatNoTillOfThisShopSent()
    {
        const auto found = only(K::UnknownOrigin, {}, {charged("x", "none", 900, "ch_x", "")});
        QVERIFY(found);
        QVERIFY(!found->ours);
        QCOMPARE(found->key, QStringLiteral("x"));
        QCOMPARE(found->bankMinusHereMinor, 900);
    }
    void aChargeOfThisTillThatItsJournalDoesNotKnow() { QVERIFY(only(K::UnknownOrigin, {}, {charged("x", "A-9")})); }
    void anUnknownChargeThatWasGivenBackIsNoDifference()
    {
        QVERIFY(compare({}, {reversed(charged("x", "A-9"))}).differences.isEmpty());
    }

    void whatIsYoungerThanFiveSecondsWaits()
    {
        OurRow fresh = ours("k1", "approved", "A-1");
        fresh.createdWallMs = rowsComparedMs - 4'999;
        BankChargeRow freshThere = charged("x", "A-2");
        freshThere.createdWallMs = rowsComparedMs - 4'999;
        const Reconciliation result = compare({fresh}, {freshThere});
        QVERIFY(result.differences.isEmpty());
        QCOMPARE(result.heldBack, 2);
        fresh.createdWallMs = rowsComparedMs - 5'000;
        QCOMPARE(compare({fresh}, {}).differences.size(), 1);
    }
    void aRowFromTheFarFutureIsComparedAndDoesNotWaitForIt()
    {
        OurRow ahead = ours("k1", "approved", "A-1");
        ahead.createdWallMs = rowsComparedMs + 3'600'000;
        QCOMPARE(compare({ahead}, {}).differences.size(), 1);
        QCOMPARE(compare({ahead}, {}).heldBack, 0);
    }
    void theBanksClockCountsForTheBanksRows()
    {
        ReconcileSettings slow = settings();
        slow.bankNowWallMs = rowsComparedMs - 60'000;
        BankChargeRow fresh = charged("x", "A-2");
        fresh.createdWallMs = slow.bankNowWallMs - 1'000;
        QCOMPARE(reconcile({}, {fresh}, slow).heldBack, 1);
    }

    void theWorstComesFirstAndThenTheOldest()
    {
        OurRow later = ours("k3", "approved", "A-3");
        later.createdWallMs += 1;
        const Reconciliation result =
            compare({later, ours("k2", "approved", "A-2"), ours("k1", "voided", "A-1"), ours("k4", "unknown", "A-4")},
                    {charged("k4", "A-4"), charged("x", "none"), charged("k1", "A-1")});
        QStringList keys;
        for (const Difference &difference : result.differences)
            keys << difference.key;
        QCOMPARE(keys.join(QLatin1Char(' ')), QStringLiteral("k1 k2 k3 k4 x"));
    }

    void manyRowsAreComparedWithoutAStepForEveryPair()
    {
        // 100,000 x 100,000 pairs one by one would take minutes. What it takes is printed by `./dev bench`.
        std::vector<OurRow> here;
        std::vector<BankChargeRow> there;
        for (int i = 0; i < 100'000; ++i) {
            const QString number = QString::number(i);
            here.push_back(ours(QLatin1Char('k') + number, "approved", QStringLiteral("A-") + number));
            if (i % 1'000 != 0)
                there.push_back(charged(QLatin1Char('k') + number, QStringLiteral("A-") + number));
        }
        QElapsedTimer timer;
        timer.start();
        const Reconciliation result = compare(here, there);
        QCOMPARE(result.differences.size(), 100);
        QCOMPARE(result.agreeCount, 99'900);
        QVERIFY2(timer.elapsed() < 20'000, qPrintable(QString::number(timer.elapsed())));
        qInfo("100,000 x 100,000 rows in %lld ms", timer.elapsed());
    }
};

IKKAI_TEST_MAIN(TestReconcile)
#include "tst_reconcile.moc"
