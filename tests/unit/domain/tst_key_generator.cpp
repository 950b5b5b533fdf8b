#include "core/domain/key_generator.h"
#include "tests/support/property.h"
#include "tests/support/test.h"

using namespace ikkai;

namespace {

constexpr qint64 t0Ms = 0x017F22E279B0;

qint64 msOf(const IdempotencyKey &key)
{
    return (key.text().left(8) + key.text().mid(9, 4)).toLongLong(nullptr, 16);
}

int counterOf(const IdempotencyKey &key)
{
    return key.text().mid(15, 3).toInt(nullptr, 16);
}

} // namespace

class KeyGeneratorTest : public test::Test {
    Q_OBJECT

private Q_SLOTS:
    void rfc9562AppendixA6()
    {
        QCOMPARE(uuidV7Text(0x017F22E279B0, 0xCC3, 0x18C4DC0C0C07398F).toUpper(),
                 QStringLiteral("017F22E2-79B0-7CC3-98C4-DC0C0C07398F"));
    }

    void excessBitsDoNotLeakIntoVersionAndVariant()
    {
        QCOMPARE(uuidV7Text(~quint64{0}, 0xffff, ~quint64{0}), QStringLiteral("ffffffff-ffff-7fff-bfff-ffffffffffff"));
        QCOMPARE(uuidV7Text(0, 0, 0), QStringLiteral("00000000-0000-7000-8000-000000000000"));
    }

    void theCounterStartsWithItsTopBitZero()
    {
        KeyGenerator keys(std::nullopt);
        const IdempotencyKey key = keys.next(t0Ms, 0, ~quint64{0});
        QCOMPARE(msOf(key), t0Ms);
        QCOMPARE(counterOf(key), 0x7ff);
    }

    void withinOneMillisecondTheCounterCounts()
    {
        KeyGenerator keys(std::nullopt);
        QCOMPARE(counterOf(keys.next(t0Ms, 0, 5)), 5);
        QCOMPARE(counterOf(keys.next(t0Ms, 0, 700)), 6);
        QCOMPARE(counterOf(keys.next(t0Ms + 1, 0, 700)), 700);
    }

    void moreThan4096KeysBorrowFromTheNextMillisecond()
    {
        KeyGenerator keys(std::nullopt);
        IdempotencyKey before = keys.next(t0Ms, 0, 0);
        for (int i = 0; i < 10'000; ++i) {
            const IdempotencyKey key = keys.next(t0Ms, 0, 0);
            QVERIFY(before < key);
            before = key;
        }
        QCOMPARE(msOf(before), t0Ms + 2);
    }

    void aClockThatIsSetBackStaysOnTheNewestMillisecond()
    {
        KeyGenerator keys(std::nullopt);
        const IdempotencyKey before = keys.next(t0Ms, 0, 0);
        const IdempotencyKey after = keys.next(t0Ms - 86'400'000, 0, 0);
        QVERIFY(before < after);
        QCOMPARE(msOf(after), t0Ms);
    }

    void case_04_aRestartGoesOnAfterTheLastKeyIssued()
    {
        KeyGenerator before(std::nullopt);
        const IdempotencyKey last = before.next(t0Ms, ~quint64{0}, 0);
        KeyGenerator after(last);
        const IdempotencyKey next = after.next(t0Ms - 1'000, 0, 0);
        QVERIFY(last < next);
        QCOMPARE(counterOf(next), counterOf(last) + 1);
        QVERIFY(next < KeyGenerator(next).next(t0Ms + 1, 0, 0));
    }

    void aClockBeforeTheEpochOrBeyondTheFieldStillMakesKeys()
    {
        KeyGenerator keys(std::nullopt);
        QVERIFY(IdempotencyKey::parse(keys.next(-5, 1, 1).text()));
        QVERIFY(IdempotencyKey::parse(keys.next(std::numeric_limits<qint64>::max(), 1, 1).text()));
    }

    void keysStrictlyIncreaseUnderAnyClock()
    {
        QVERIFY(test::holds("keys strictly increase under any clock and over restarts", [] {
            const auto clocks = *rc::gen::container<std::vector<std::pair<qint64, bool>>>(rc::gen::pair(
                rc::gen::oneOf(rc::gen::inRange<qint64>(t0Ms - 3, t0Ms + 3), rc::gen::inRange<qint64>(0, 1LL << 47)),
                rc::gen::arbitrary<bool>()));
            KeyGenerator keys(std::nullopt);
            std::optional<IdempotencyKey> before;
            for (const auto &[wallMs, restarted] : clocks) {
                if (restarted)
                    keys = KeyGenerator(before);
                const IdempotencyKey key =
                    keys.next(wallMs, *rc::gen::arbitrary<quint64>(), *rc::gen::arbitrary<quint64>());
                RC_ASSERT(IdempotencyKey::parse(key.text()).ok());
                RC_ASSERT(!before || *before < key);
                before = key;
            }
        }));
    }
};

IKKAI_TEST_MAIN(KeyGeneratorTest)
#include "tst_key_generator.moc"
