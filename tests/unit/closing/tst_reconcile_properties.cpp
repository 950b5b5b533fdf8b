#include "core/closing/reconcile.h"
#include "tests/support/property.h"
#include "tests/support/test.h"
#include "tests/unit/closing/rows.h"

#include <algorithm>
#include <random>

using namespace ikkai;
using namespace ikkai::test;
using K = DifferenceKind;

namespace {

struct World {
    std::vector<OurRow> here;
    std::vector<BankChargeRow> there;
};

/// What can have become of a sale so that both sides say the same.
enum Ending {
    Paid,
    Declined,
    Refused,
    NotSent,
    GivenBack,
    Prevented,
    Open,
    OpenAgain,
    SoldTwice,
    AtAnotherTill,
    Endings
};

void addSale(World &world, int n, int ending, qint64 amountMinor)
{
    const QString key = QStringLiteral("k%1").arg(n);
    const QString order = QStringLiteral("A-%1").arg(n);
    const auto here = [&](const char *state) { world.here.push_back(ours(key, state, order, amountMinor)); };
    const auto there = [&] { world.there.push_back(charged(key, order, amountMinor)); };
    switch (ending) {
    case Paid:
        here("approved");
        return there();
    case Declined:
        return here("declined");
    case Refused:
        return here("refused");
    case NotSent:
        return here("not_sent");
    case GivenBack:
        here("voided");
        world.there.push_back(reversed(charged(key, order, amountMinor)));
        return;
    case Prevented:
        return here("voided");
    case Open:
        return here("unknown");
    case OpenAgain: // declined, then open with another card
        here("declined");
        world.here.push_back(ours(key + QStringLiteral("b"), "unknown", order, amountMinor));
        return;
    case SoldTwice:
        here("approved");
        there();
        world.here.push_back(ours(key + QStringLiteral("b"), "approved", order, amountMinor));
        world.there.push_back(charged(key + QStringLiteral("b"), order, amountMinor));
        return;
    case AtAnotherTill:
        world.there.push_back(charged(key, QStringLiteral("B-%1").arg(n), amountMinor, "", "till-2"));
        return;
    }
}

World consistentWorld()
{
    World world;
    const auto endings = *rc::gen::container<std::vector<int>>(rc::gen::inRange<int>(0, Endings));
    for (size_t n = 0; n < endings.size(); ++n)
        addSale(world, static_cast<int>(n), endings[n], *rc::gen::inRange<qint64>(1, 99'999'999));
    return world;
}

void shuffle(World &world)
{
    std::minstd_rand random(*rc::gen::arbitrary<unsigned>());
    std::shuffle(world.here.begin(), world.here.end(), random);
    std::shuffle(world.there.begin(), world.there.end(), random);
}

Reconciliation compare(const World &world)
{
    return reconcile(world.here, world.there, settings());
}

/// One thing that is wrong, in an order of its own.
struct Wrong {
    K kind;
    std::vector<OurRow> here;
    std::vector<BankChargeRow> there;
    qint64 bankMinusHereMinor;
};

std::vector<Wrong> everythingThatCanBeWrong()
{
    const auto here = [](const char *state) { return ours("bad", state, "X"); };
    const BankChargeRow there = charged("bad", "X");
    return {
        {K::ChargedTwice, {here("approved")}, {there, charged("bad", "X", 1'200, "ch_again")}, 1'200},
        {K::ChargedTwice, {here("unknown")}, {there, charged("bad", "X", 1'200, "ch_again")}, 2'400},
        {K::ChargedTwice, {here("approved")}, {there, charged("per-call", "X")}, 1'200},
        {K::ChargedTwice, {here("declined"), ours("bad2", "approved", "X")}, {there, charged("bad2", "X")}, 1'200},
        {K::PaidAfterVoid, {here("voided")}, {there}, 1'200},
        {K::PaidAfterRefused, {here("refused")}, {there}, 1'200},
        {K::PaidAfterRefused, {here("not_sent")}, {there}, 1'200},
        {K::PaidAfterRefused, {here("declined")}, {there}, 1'200},
        {K::DifferentAmount, {here("approved")}, {charged("bad", "X", 1'300)}, 100},
        {K::TwoTerminals, {here("approved")}, {there, charged("other", "X", 1'200, "ch_o", "till-2")}, 1'200},
        {K::NotAtBank, {here("approved")}, {}, -1'200},
        {K::NotAtBank, {here("approved")}, {reversed(there)}, -1'200},
        {K::OpenHere, {here("unknown")}, {there}, 1'200},
        {K::OpenHere, {here("waiting")}, {reversed(there)}, 0},
        {K::VoidUnderWay, {here("void_pending")}, {there}, 1'200},
        {K::VoidUnderWay, {here("voiding")}, {reversed(there)}, 0},
        {K::UnknownOrigin, {}, {there}, 1'200},
        {K::UnknownOrigin, {}, {charged("bad", "X", 1'200, "", "")}, 1'200},
    };
}

bool isSame(const Difference &a, const Difference &b)
{
    return a.kind == b.kind && a.key == b.key && a.orderId == b.orderId && a.ours == b.ours && a.theirs == b.theirs &&
           a.bankMinusHereMinor == b.bankMinusHereMinor && a.wouldSettleAs == b.wouldSettleAs;
}

} // namespace

class TestReconcileProperties : public test::Test {
    Q_OBJECT

private Q_SLOTS:
    void aWorldThatAgreesHasNoDifference()
    {
        QVERIFY(holds("nothing differs where nothing is wrong", [] {
            World world = consistentWorld();
            shuffle(world);
            const Reconciliation result = compare(world);
            RC_ASSERT(result.differences.isEmpty());
            RC_ASSERT(result.heldBack == 0);
        }));
    }
    void eachThingThatIsWrongIsFoundAndNamedAmongAnythingElse()
    {
        QVERIFY(holds("one wrong thing is one difference of its kind", [] {
            const auto all = everythingThatCanBeWrong();
            const Wrong &wrong = all.at(*rc::gen::inRange<size_t>(0, all.size()));
            World world = consistentWorld();
            const qint64 agreed = compare(world).agreeCount;
            world.here.insert(world.here.end(), wrong.here.begin(), wrong.here.end());
            world.there.insert(world.there.end(), wrong.there.begin(), wrong.there.end());
            shuffle(world);
            const Reconciliation result = compare(world);
            RC_ASSERT(result.differences.size() == 1);
            RC_ASSERT(result.differences.first().kind == wrong.kind);
            RC_ASSERT(result.differences.first().orderId == QStringLiteral("X"));
            RC_ASSERT(result.differences.first().bankMinusHereMinor == wrong.bankMinusHereMinor);
            RC_ASSERT(result.agreeCount == agreed);
        }));
    }
    void everyKindCanBeWrong()
    {
        QSet<int> kinds;
        for (const Wrong &wrong : everythingThatCanBeWrong())
            kinds.insert(static_cast<int>(wrong.kind));
        QCOMPARE(kinds.size(), static_cast<int>(K::UnknownOrigin) + 1);
    }
    void theOrderOfTheRowsDoesNotMatter()
    {
        QVERIFY(holds("a shuffled world compares the same", [] {
            World world = consistentWorld();
            // Anything may be wrong with it, also several things of one order.
            for (const Wrong &wrong : everythingThatCanBeWrong()) {
                if (!*rc::gen::arbitrary<bool>())
                    continue;
                for (const OurRow &row : wrong.here) {
                    if (std::none_of(world.here.begin(), world.here.end(),
                                     [&row](const OurRow &one) { return one.key == row.key; }))
                        world.here.push_back(row);
                }
                world.there.insert(world.there.end(), wrong.there.begin(), wrong.there.end());
            }
            const Reconciliation before = compare(world);
            shuffle(world);
            const Reconciliation after = compare(world);
            RC_ASSERT(before.agreeCount == after.agreeCount);
            RC_ASSERT(before.agreeSums == after.agreeSums);
            RC_ASSERT(std::equal(before.differences.begin(), before.differences.end(), after.differences.begin(),
                                 after.differences.end(), isSame));
        }));
    }
};

IKKAI_TEST_MAIN(TestReconcileProperties)
#include "tst_reconcile_properties.moc"
