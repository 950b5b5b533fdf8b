#include "core/checkout/retry_after.h"
#include "core/checkout/retry_policy.h"
#include "tests/support/property.h"
#include "tests/support/test.h"

#include <limits>

using namespace ikkai;

namespace {

constexpr qint64 none = -1;
constexpr qint64 forever = std::numeric_limits<qint64>::max();
constexpr qint64 rfcDateMs = 784'111'777'000; // 6 November 1994, 08:49:37

} // namespace

class RetryTest : public test::Test {
    Q_OBJECT

private Q_SLOTS:
    void delayByTries_data()
    {
        QTest::addColumn<int>("tries");
        QTest::addColumn<qint64>("leastMs");
        QTest::addColumn<qint64>("mostMs");
        QTest::newRow("1") << 1 << qint64{250} << qint64{500};
        QTest::newRow("2") << 2 << qint64{500} << qint64{1'000};
        QTest::newRow("3") << 3 << qint64{1'000} << qint64{2'000};
        QTest::newRow("4") << 4 << qint64{2'000} << qint64{4'000};
        QTest::newRow("5") << 5 << qint64{4'000} << qint64{8'000};
        QTest::newRow("6, capped") << 6 << qint64{4'000} << qint64{8'000};
        QTest::newRow("70, saturated") << 70 << qint64{4'000} << qint64{8'000};
        QTest::newRow("the largest") << std::numeric_limits<int>::max() << qint64{4'000} << qint64{8'000};
        QTest::newRow("0 counts as 1") << 0 << qint64{250} << qint64{500};
        QTest::newRow("negative counts as 1") << -7 << qint64{250} << qint64{500};
    }
    void delayByTries()
    {
        QFETCH(int, tries);
        const RetryPolicy policy;
        QTEST(backoffMs(policy, tries, 0), "leastMs");
        QTEST(backoffMs(policy, tries, 0xffff'ffff), "mostMs");
    }

    void jitterIsSpreadOverTheUpperHalf()
    {
        const RetryPolicy policy;
        QCOMPARE(backoffMs(policy, 2, 0x8000'0000), 750);
        QCOMPARE(backoffMs(policy, 2, 0x4000'0000), 625);
    }

    void oddPolicies()
    {
        RetryPolicy policy;
        policy.backoffBaseMs = 0;
        QCOMPARE(backoffMs(policy, 5, 0xffff'ffff), 0);
        policy.backoffBaseMs = 10'000; // above the cap
        QCOMPARE(backoffMs(policy, 1, 0xffff'ffff), 8'000);
        policy.backoffCapMs = 0;
        QCOMPARE(backoffMs(policy, 3, 0xffff'ffff), 0);
        policy.backoffCapMs = -1;
        policy.backoffBaseMs = -1;
        QCOMPARE(backoffMs(policy, 3, 0xffff'ffff), 0);
        policy.backoffBaseMs = 1;
        policy.backoffCapMs = forever;
        QCOMPARE(backoffMs(policy, 200, 0xffff'ffff) > forever / 4 * 3, true);
    }

    void everyDelayIsWithinTheCap()
    {
        QVERIFY(test::holds("every delay is in [0, cap] and at least half of its full length", [] {
            RetryPolicy policy;
            policy.backoffBaseMs = *rc::gen::oneOf(rc::gen::inRange<qint64>(-10, 20'000), rc::gen::arbitrary<qint64>());
            policy.backoffCapMs = *rc::gen::oneOf(rc::gen::inRange<qint64>(-10, 20'000), rc::gen::arbitrary<qint64>());
            const int tries = *rc::gen::oneOf(rc::gen::inRange(-2, 70), rc::gen::arbitrary<int>());
            const quint32 draw =
                *rc::gen::oneOf(rc::gen::element<quint32>(0, 0xffff'ffff), rc::gen::arbitrary<quint32>());
            const qint64 delayMs = backoffMs(policy, tries, draw);
            RC_ASSERT(delayMs >= 0);
            RC_ASSERT(delayMs <= std::max<qint64>(policy.backoffCapMs, 0));
            RC_ASSERT(delayMs >= backoffMs(policy, tries, 0));
            RC_ASSERT(delayMs <= backoffMs(policy, tries, 0xffff'ffff));
        }));
    }

    void case_26_retryAfter_data()
    {
        QTest::addColumn<QByteArray>("retryAfter");
        QTest::addColumn<QByteArray>("date");
        QTest::addColumn<qint64>("ms");
        const auto row = [](const char *name, const char *retryAfter, const char *date, qint64 ms) {
            QTest::newRow(name) << QByteArray(retryAfter) << QByteArray(date) << ms;
        };
        constexpr const char *now = "Sun, 06 Nov 1994 08:49:37 GMT";
        row("seconds", "120", "", 120'000);
        row("a day is not 0 and not shortened", "86400", now, 86'400'000);
        row("zero", "0", now, 0);
        row("spaces around", " 7 ", now, 7'000);
        row("IMF-fixdate", "Sun, 06 Nov 1994 08:49:49 GMT", now, 12'000);
        row("RFC 850", "Sunday, 06-Nov-94 08:49:49 GMT", now, 12'000);
        row("asctime", "Sun Nov  6 08:49:49 1994", now, 12'000);
        row("tomorrow", "Mon, 07 Nov 1994 08:49:37 GMT", now, 86'400'000);
        row("measured against an RFC 850 Date", "Sun, 06 Nov 1994 08:49:49 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
            12'000);
        row("now", now, now, 0);
        row("past means 0", "Sun, 06 Nov 1994 08:49:00 GMT", now, 0);
        row("long past", "Sun, 06 Nov 1904 08:49:00 GMT", now, 0);
        row("RFC 850, next century", "Thursday, 06-Nov-03 08:49:37 GMT", "Sat, 06 Nov 1999 08:49:37 GMT", none + 1);
        row("a date without Date", "Sun, 06 Nov 1994 08:49:49 GMT", "", none);
        row("a date with a malformed Date", "Sun, 06 Nov 1994 08:49:49 GMT", "today", none);
        row("none", "", now, none);
        row("negative", "-5", now, none);
        row("plus", "+5", now, none);
        row("fraction", "1.5", now, none);
        row("exponent", "1e3", now, none);
        row("unit", "5s", now, none);
        row("two", "5, 10", now, none);
        row("word", "soon", now, none);
        row("other zone", "Sun, 06 Nov 1994 08:49:49 JST", now, none);
        row("31 November", "Thu, 31 Nov 1994 08:49:49 GMT", now, none);
        row("hour 24", "Sun, 06 Nov 1994 24:00:00 GMT", now, none);
        row("one-digit day", "Sun, 6 Nov 1994 08:49:49 GMT", now, none);
        row("lower case month", "Sun, 06 nov 1994 08:49:49 GMT", now, none);
        row("no weekday", "06 Nov 1994 08:49:49 GMT", now, none);
        row("ISO 8601", "1994-11-06T08:49:49Z", now, none);
        row("too many seconds saturate", "99999999999999999999999999", now, forever);
        row("almost too many", "9223372036854775", now, 9'223'372'036'854'775'000);
        row("just too many", "9223372036854776", now, forever);
    }
    void case_26_retryAfter()
    {
        QFETCH(QByteArray, retryAfter);
        QFETCH(QByteArray, date);
        QFETCH(qint64, ms);
        if (qstrcmp(QTest::currentDataTag(), "RFC 850, next century") == 0)
            ms = (4 * 365 + 1) * qint64{86'400'000}; // 03 seen in 1999 is 2003
        QCOMPARE(retryAfterMs(retryAfter, date).value_or(none), ms);
    }

    void httpDates_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<qint64>("ms");
        QTest::newRow("IMF-fixdate") << QByteArray("Sun, 06 Nov 1994 08:49:37 GMT") << rfcDateMs;
        QTest::newRow("RFC 850") << QByteArray("Sunday, 06-Nov-94 08:49:37 GMT") << rfcDateMs;
        QTest::newRow("asctime") << QByteArray("Sun Nov  6 08:49:37 1994") << rfcDateMs;
        QTest::newRow("asctime, two-digit day") << QByteArray("Wed Nov 16 08:49:37 1994") << rfcDateMs + 864'000'000;
        QTest::newRow("epoch") << QByteArray("Thu, 01 Jan 1970 00:00:00 GMT") << qint64{0};
        QTest::newRow("29 February") << QByteArray("Thu, 29 Feb 2024 00:00:00 GMT") << qint64{1'709'164'800'000};
        QTest::newRow("leap second") << QByteArray("Sat, 31 Dec 2016 23:59:60 GMT") << qint64{1'483'228'800'000};
        QTest::newRow("no leap year") << QByteArray("Wed, 29 Feb 2023 00:00:00 GMT") << none;
        QTest::newRow("empty") << QByteArray() << none;
        QTest::newRow("spaces only") << QByteArray("                        ") << none;
        QTest::newRow("double space") << QByteArray("Sun,  06 Nov 1994 08:49:37 GMT") << none;
        QTest::newRow("RFC 850 with a short weekday") << QByteArray("Sun, 06-Nov-94 08:49:37 GMT") << none;
        QTest::newRow("sign") << QByteArray("Sun, +6 Nov 1994 08:49:37 GMT") << none;
    }
    void httpDates()
    {
        QFETCH(QByteArray, text);
        QTEST(httpDateMs(text).value_or(none), "ms");
    }
};

IKKAI_TEST_MAIN(RetryTest)
#include "tst_retry.moc"
