#include "core/domain/money.h"
#include "tests/support/test.h"

#include <array>
#include <limits>
#include <type_traits>

using namespace ikkai;
using Problem = FieldError::Problem;

namespace {

QString read(const QString &typed)
{
    const Result<qint64, FieldError> amount = parseMinorUnits(typed);
    if (amount)
        return QString::number(*amount);
    switch (amount.error().problem) {
    case Problem::Empty:
        return QStringLiteral("Empty");
    case Problem::NotDigits:
        return QStringLiteral("NotDigits");
    case Problem::TooSmall:
        return QStringLiteral("TooSmall");
    case Problem::TooLarge:
        return QStringLiteral("TooLarge");
    default:
        return QStringLiteral("?");
    }
}

Currency currency(const char *code)
{
    return Currency::parse(QString::fromLatin1(code)).value();
}

} // namespace

class MoneyTest : public test::Test {
    Q_OBJECT

private Q_SLOTS:
    void typedAmount_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("read");
        const auto row = [](const char *name, const QString &typed, const char *expected) {
            QTest::newRow(name) << typed << QString::fromLatin1(expected);
        };
        row("plain", QStringLiteral("1200"), "1200");
        row("leading zeros", QStringLiteral("0001200"), "1200");
        row("smallest", QStringLiteral("1"), "1");
        row("largest", QStringLiteral("99999999"), "99999999");
        row("one too many", QStringLiteral("100000000"), "TooLarge");
        row("10^12", QStringLiteral("1000000000000"), "TooLarge");
        row("a thousand digits", QString(1000, QLatin1Char('9')), "TooLarge");
        row("2^64 + 1", QStringLiteral("18446744073709551617"), "TooLarge");
        row("nothing", QString(), "Empty");
        row("zero", QStringLiteral("0"), "TooSmall");
        row("zeros", QStringLiteral("000"), "TooSmall");
        row("case_35 decimal comma", QStringLiteral("58,99"), "NotDigits");
        row("case_35 plus", QStringLiteral("+10"), "NotDigits");
        row("case_35 minus", QStringLiteral("-1"), "NotDigits");
        row("case_36 point", QStringLiteral("440.90000000000003"), "NotDigits");
        row("case_36 1.5", QStringLiteral("1.5"), "NotDigits");
        row("1200.0", QStringLiteral("1200.0"), "NotDigits");
        row("exponent", QStringLiteral("1.2e3"), "NotDigits");
        row("1e3", QStringLiteral("1e3"), "NotDigits");
        row("thousands", QStringLiteral("1,200"), "NotDigits");
        row("space inside", QStringLiteral("1 200"), "NotDigits");
        row("space around", QStringLiteral(" 1200 "), "NotDigits");
        row("hex", QStringLiteral("0x10"), "NotDigits");
        row("letter after too many digits", QString(30, QLatin1Char('9')) + QLatin1Char('x'), "NotDigits");
        row("case_37 full-width", QStringLiteral("\uff11\uff12\uff10\uff10"), "1200");
        row("case_37 mixed widths", QStringLiteral("1\uff12\uff100"), "1200");
        row("case_37 full-width comma", QStringLiteral("\uff15\uff18\uff0c\uff19\uff19"), "NotDigits");
        row("kanji digits", QStringLiteral("\u4e00\u4e8c"), "NotDigits");
        row("arabic digits", QStringLiteral("\u0661\u0662"), "NotDigits");
    }
    void typedAmount()
    {
        QFETCH(QString, typed);
        QTEST(read(typed), "read");
    }

    void case_35_to_37_everyTypedDigitArrivesOnce()
    {
        for (qint64 amount = 1; amount <= Money::maxMinor; amount = amount * 7 + 3) {
            QString fullWidth;
            for (const QChar c : QString::number(amount))
                fullWidth += QChar(static_cast<char16_t>(c.unicode() - u'0' + u'\uff10'));
            QCOMPARE(read(QString::number(amount)), QString::number(amount));
            QCOMPARE(read(fullWidth), QString::number(amount));
        }
    }

    void theErrorNamesTheFieldAndWhatWasTyped()
    {
        const FieldError error = parseMinorUnits(u"58,99").error();
        QCOMPARE(error.field, QStringLiteral("amount"));
        QCOMPARE(error.given, QStringLiteral("58,99"));
        QVERIFY(describe(error).contains(QStringLiteral("amount must be digits only")));
        QVERIFY(describe(error).contains(QStringLiteral("58,99")));
        QVERIFY(!describe({QStringLiteral("order"), Problem::BadCharacter, QStringLiteral("a\nb")}).contains(u'\n'));
        QVERIFY(describe({QStringLiteral("order"), Problem::TooLong, QString(100'000, u'x')}).size() < 200);
    }

    void moneyIsPositiveAndBounded()
    {
        QVERIFY(!Money::ofMinor(0, Currency::jpy()));
        QVERIFY(!Money::ofMinor(-1200, Currency::jpy()));
        QVERIFY(!Money::ofMinor(std::numeric_limits<qint64>::min(), Currency::jpy()));
        QVERIFY(!Money::ofMinor(100'000'000, Currency::jpy()));
        QCOMPARE(Money::ofMinor(1, Currency::jpy())->amountMinor(), 1);
        QCOMPARE(Money::ofMinor(99'999'999, Currency::jpy())->amountMinor(), 99'999'999);
        QVERIFY(Money::ofMinor(0, Currency::jpy()).error().problem == Problem::TooSmall);
        QVERIFY(Money::ofMinor(1'000'000'000'000, Currency::jpy()).error().problem == Problem::TooLarge);
    }

    void case_36_noFloatingPointGetsNearMoney()
    {
        static_assert(std::is_same_v<decltype(Money::ofMinor(1, Currency::jpy())->amountMinor()), qint64>);
        static_assert(!std::is_constructible_v<Money, double, Currency>);
    }

    void shownByTheExponentTable_data()
    {
        QTest::addColumn<qint64>("amountMinor");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("shown");
        const auto row = [](qint64 amountMinor, const char *code, const QString &shown) {
            QTest::addRow("%lld %s", amountMinor, code) << amountMinor << QString::fromLatin1(code) << shown;
        };
        row(1'200, "JPY", QStringLiteral("\u00a51,200"));
        row(1, "JPY", QStringLiteral("\u00a51"));
        row(999, "JPY", QStringLiteral("\u00a5999"));
        row(99'999'999, "JPY", QStringLiteral("\u00a599,999,999"));
        row(0, "JPY", QStringLiteral("\u00a50"));
        row(-1'200, "JPY", QStringLiteral("-\u00a51,200"));
        row(1'200, "USD", QStringLiteral("$12.00"));
        row(5, "USD", QStringLiteral("$0.05"));
        row(0, "USD", QStringLiteral("$0.00"));
        row(123'456'789, "USD", QStringLiteral("$1,234,567.89"));
        row(-5, "USD", QStringLiteral("-$0.05"));
        row(1'250, "KWD", QStringLiteral("KWD 1.250"));
        row(1, "KWD", QStringLiteral("KWD 0.001"));
        row(1'200, "EUR", QStringLiteral("EUR 12.00"));
        row(1'200, "KRW", QStringLiteral("KRW 1,200"));
        row(12'345, "CLF", QStringLiteral("CLF 1.2345"));
        row(std::numeric_limits<qint64>::min(), "JPY", QStringLiteral("-\u00a59,223,372,036,854,775,808"));
    }
    void shownByTheExponentTable()
    {
        QFETCH(qint64, amountMinor);
        QFETCH(QString, code);
        QTEST(formatMinorUnits(amountMinor, Currency::parse(code).value()), "shown");
    }

    void theSystemLocaleChangesNothing()
    {
        const QLocale before;
        QLocale::setDefault(QLocale(QLocale::German));
        const QString shown = format(Money::ofMinor(123'456, currency("USD")).value());
        QLocale::setDefault(before);
        QCOMPARE(shown, QStringLiteral("$1,234.56"));
    }

    void currencyCodes()
    {
        QCOMPARE(Currency::parse(u"jpy")->code(), QStringLiteral("JPY"));
        QVERIFY(currency("JPY") == Currency::jpy());
        QVERIFY(!(currency("USD") == Currency::jpy()));
        QVERIFY(Currency::parse(u"").error().problem == Problem::Empty);
        for (const char16_t *wrong : {u"XYZ", u"JP", u"JPYY", u"¥", u"392", u"XXX", u"XAU", u" JPY", u"ＪＰＹ"})
            QVERIFY2(Currency::parse(wrong).error().problem == Problem::UnknownValue,
                     qPrintable(QString::fromUtf16(wrong)));
        // Upper case of U+0131 (dotless i) is I, so a careless reader takes this for INR.
        QVERIFY(!Currency::parse(u"\u0131nr"));
    }

    void exponents()
    {
        for (const char *code : {"BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI",
                                 "VND", "VUV", "XAF", "XOF", "XPF"})
            QCOMPARE(currency(code).exponent(), 0);
        for (const char *code : {"BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"})
            QCOMPARE(currency(code).exponent(), 3);
        for (const char *code : {"CLF", "UYW"})
            QCOMPARE(currency(code).exponent(), 4);
        int known = 0;
        int withTwo = 0;
        for (char a = 'A'; a <= 'Z'; ++a) {
            for (char b = 'A'; b <= 'Z'; ++b) {
                for (char c = 'A'; c <= 'Z'; ++c) {
                    const auto found = Currency::parse(QString::fromLatin1(std::array{a, b, c}.data(), 3));
                    known += found ? 1 : 0;
                    withTwo += found && found->exponent() == 2 ? 1 : 0;
                }
            }
        }
        QCOMPARE(known - withTwo, 17 + 7 + 2);
        QCOMPARE(known, 165); // every line of the table can be found, so it is sorted
    }
};

IKKAI_TEST_MAIN(MoneyTest)
#include "tst_money.moc"
