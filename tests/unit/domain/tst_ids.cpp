#include "core/domain/clock.h"
#include "core/domain/ids.h"
#include "core/domain/random.h"
#include "tests/support/test.h"

#include <QtCore/QDateTime>

#include <type_traits>

using namespace ikkai;
using Problem = FieldError::Problem;

class IdsTest : public test::Test {
    Q_OBJECT

private Q_SLOTS:
    void case_01_and_02_noKeyComesFromNowhere()
    {
        // A transport that wants a key must have been given one: there is no default and nothing turns into one.
        static_assert(!std::is_default_constructible_v<IdempotencyKey>);
        static_assert(!std::is_constructible_v<IdempotencyKey, QString>);
        static_assert(!std::is_constructible_v<IdempotencyKey, QByteArray>);
        static_assert(!std::is_constructible_v<IdempotencyKey, OrderId>);
        static_assert(!std::is_default_constructible_v<AttemptId>);
        static_assert(!std::is_default_constructible_v<OrderId>);
        static_assert(!std::is_convertible_v<IdempotencyKey, OrderId>);
        static_assert(!std::is_convertible_v<OrderId, IdempotencyKey>);
        static_assert(!std::is_convertible_v<OrderId, SourceId>);
        static_assert(!std::is_convertible_v<IdempotencyKey, QString>);
    }

    void order_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("read");
        QTest::addColumn<int>("problem");
        const auto good = [](const char *name, const QString &typed, const QString &read) {
            QTest::newRow(name) << typed << read << -1;
        };
        const auto bad = [](const char *name, const QString &typed, Problem problem) {
            QTest::newRow(name) << typed << QString() << static_cast<int>(problem);
        };
        good("plain", QStringLiteral("A-1001"), QStringLiteral("A-1001"));
        good("trimmed", QStringLiteral("  A-1 \t"), QStringLiteral("A-1"));
        good("japanese, wide space around", QStringLiteral("\u3000注文-1\u3000"), QStringLiteral("注文-1"));
        good("space inside", QStringLiteral("table 4"), QStringLiteral("table 4"));
        good("64", QString(64, u'x'), QString(64, u'x'));
        good("64 outside the basic plane", QStringLiteral("😀").repeated(64), QStringLiteral("😀").repeated(64));
        bad("empty", QString(), Problem::Empty);
        bad("blank", QStringLiteral("   "), Problem::Empty);
        bad("65", QString(65, u'x'), Problem::TooLong);
        bad("line break", QStringLiteral("A\n1"), Problem::BadCharacter);
        bad("null", QStringLiteral("A") + QChar(u'\0') + QStringLiteral("1"), Problem::BadCharacter);
        bad("C1 control", QStringLiteral("A\u0085B"), Problem::BadCharacter);
        bad("line separator", QStringLiteral("A\u2028B"), Problem::BadCharacter);
        bad("half a surrogate pair", QStringLiteral("A") + QChar(u'\xd83d'), Problem::BadCharacter);
    }
    void order()
    {
        QFETCH(QString, typed);
        QFETCH(QString, read);
        QFETCH(int, problem);
        const auto order = OrderId::parse(typed);
        QCOMPARE(order.ok(), problem < 0);
        if (order) {
            QCOMPARE(order->text(), read);
        } else {
            QCOMPARE(static_cast<int>(order.error().problem), problem);
            QCOMPARE(order.error().field, QStringLiteral("order"));
        }
    }

    void source()
    {
        QCOMPARE(SourceId::parse(u"card_ok")->text(), QStringLiteral("card_ok"));
        QVERIFY(SourceId::parse(u"Az09_-."));
        QVERIFY(SourceId::parse(QString(64, u'x')));
        QVERIFY(SourceId::parse(QString(65, u'x')).error().problem == Problem::TooLong);
        QVERIFY(SourceId::parse(u"").error().problem == Problem::Empty);
        for (const char16_t *wrong : {u"card ok", u" card_ok", u"card/ok", u"カード", u"card\n", u"\""})
            QVERIFY(SourceId::parse(wrong).error().problem == Problem::BadCharacter);
    }

    void keyIsReadBack()
    {
        const auto key = IdempotencyKey::parse(u"017f22e2-79b0-7cc3-98c4-dc0c0c07398f");
        QVERIFY(key);
        QCOMPARE(key->bytes(), QByteArray("017f22e2-79b0-7cc3-98c4-dc0c0c07398f"));
        QCOMPARE(key->lastFour(), QStringLiteral("398f"));
        QVERIFY(IdempotencyKey::parse(u"017F22E2-79B0-7CC3-98C4-DC0C0C07398F").value() == *key);
    }

    void whatIsNoUuidV7IsNoKey_data()
    {
        QTest::addColumn<QString>("text");
        for (const char *text : {"", "abc", "017f22e279b07cc398c4dc0c0c07398f", "017f22e2-79b0-4cc3-98c4-dc0c0c07398f",
                                 "017f22e2-79b0-7cc3-18c4-dc0c0c07398f", "017f22e2-79b0-7cc3-c8c4-dc0c0c07398f",
                                 "017f22e2-79b0-7cc3-98c4-dc0c0c07398", "017f22e2-79b0-7cc3-98c4-dc0c0c07398f0",
                                 "017f22e2-79b0-7cc3-98c4-dc0c0c07398g", "{017f22e2-79b0-7cc3-98c4-dc0c0c07398f}",
                                 "017f22e2_79b0-7cc3-98c4-dc0c0c07398f", " 17f22e2-79b0-7cc3-98c4-dc0c0c07398f"})
            QTest::newRow(text) << QString::fromLatin1(text);
    }
    void whatIsNoUuidV7IsNoKey()
    {
        QFETCH(QString, text);
        const auto key = IdempotencyKey::parse(text);
        QVERIFY(!key);
        QVERIFY(key.error().problem == Problem::BadCharacter);
        QCOMPARE(key.error().field, QStringLiteral("key"));
    }

    void theMachinesClocksRun()
    {
        const SystemClock clock;
        const Stamp first = clock.now();
        const Stamp second = clock.now();
        QVERIFY(qAbs(first.wallMs - QDateTime::currentMSecsSinceEpoch()) < 60'000);
        QVERIFY(second.monotonicMs >= first.monotonicMs);
        QVERIFY(second.bootMs >= first.bootMs);
        QVERIFY(first.bootMs >= first.monotonicMs - 1'000); // it counts suspended time on top
        QCOMPARE(clock.bootId(), SystemClock().bootId());
#ifdef Q_OS_LINUX
        QCOMPARE(clock.bootId().size(), 36);
#endif
    }

    void theSystemsRandomNumbersDiffer()
    {
        SystemRandom random;
        QVERIFY(random.next64() != random.next64());
    }
};

IKKAI_TEST_MAIN(IdsTest)
#include "tst_ids.moc"
