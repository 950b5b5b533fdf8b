#include "core/domain/money.h"

#include "core/domain/digits.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>

namespace ikkai {

namespace money_detail {

struct Entry {
    char code[4];
    int exponent;
};

/// ISO 4217, list one: every current code that has a minor unit, sorted. Left out are the codes without one, that
/// nobody can be charged in: precious metals (XAU ...), bond units (XBA ...), XDR, XSU, XUA, XTS and XXX.
constexpr Entry table[] = {
    {"AED", 2}, {"AFN", 2}, {"ALL", 2}, {"AMD", 2}, {"AOA", 2}, {"ARS", 2}, {"AUD", 2}, {"AWG", 2}, {"AZN", 2},
    {"BAM", 2}, {"BBD", 2}, {"BDT", 2}, {"BHD", 3}, {"BIF", 0}, {"BMD", 2}, {"BND", 2}, {"BOB", 2}, {"BOV", 2},
    {"BRL", 2}, {"BSD", 2}, {"BTN", 2}, {"BWP", 2}, {"BYN", 2}, {"BZD", 2}, {"CAD", 2}, {"CDF", 2}, {"CHE", 2},
    {"CHF", 2}, {"CHW", 2}, {"CLF", 4}, {"CLP", 0}, {"CNY", 2}, {"COP", 2}, {"COU", 2}, {"CRC", 2}, {"CUP", 2},
    {"CVE", 2}, {"CZK", 2}, {"DJF", 0}, {"DKK", 2}, {"DOP", 2}, {"DZD", 2}, {"EGP", 2}, {"ERN", 2}, {"ETB", 2},
    {"EUR", 2}, {"FJD", 2}, {"FKP", 2}, {"GBP", 2}, {"GEL", 2}, {"GHS", 2}, {"GIP", 2}, {"GMD", 2}, {"GNF", 0},
    {"GTQ", 2}, {"GYD", 2}, {"HKD", 2}, {"HNL", 2}, {"HTG", 2}, {"HUF", 2}, {"IDR", 2}, {"ILS", 2}, {"INR", 2},
    {"IQD", 3}, {"IRR", 2}, {"ISK", 0}, {"JMD", 2}, {"JOD", 3}, {"JPY", 0}, {"KES", 2}, {"KGS", 2}, {"KHR", 2},
    {"KMF", 0}, {"KPW", 2}, {"KRW", 0}, {"KWD", 3}, {"KYD", 2}, {"KZT", 2}, {"LAK", 2}, {"LBP", 2}, {"LKR", 2},
    {"LRD", 2}, {"LSL", 2}, {"LYD", 3}, {"MAD", 2}, {"MDL", 2}, {"MGA", 2}, {"MKD", 2}, {"MMK", 2}, {"MNT", 2},
    {"MOP", 2}, {"MRU", 2}, {"MUR", 2}, {"MVR", 2}, {"MWK", 2}, {"MXN", 2}, {"MXV", 2}, {"MYR", 2}, {"MZN", 2},
    {"NAD", 2}, {"NGN", 2}, {"NIO", 2}, {"NOK", 2}, {"NPR", 2}, {"NZD", 2}, {"OMR", 3}, {"PAB", 2}, {"PEN", 2},
    {"PGK", 2}, {"PHP", 2}, {"PKR", 2}, {"PLN", 2}, {"PYG", 0}, {"QAR", 2}, {"RON", 2}, {"RSD", 2}, {"RUB", 2},
    {"RWF", 0}, {"SAR", 2}, {"SBD", 2}, {"SCR", 2}, {"SDG", 2}, {"SEK", 2}, {"SGD", 2}, {"SHP", 2}, {"SLE", 2},
    {"SOS", 2}, {"SRD", 2}, {"SSP", 2}, {"STN", 2}, {"SVC", 2}, {"SYP", 2}, {"SZL", 2}, {"THB", 2}, {"TJS", 2},
    {"TMT", 2}, {"TND", 3}, {"TOP", 2}, {"TRY", 2}, {"TTD", 2}, {"TWD", 2}, {"TZS", 2}, {"UAH", 2}, {"UGX", 0},
    {"USD", 2}, {"USN", 2}, {"UYI", 0}, {"UYU", 2}, {"UYW", 4}, {"UZS", 2}, {"VED", 2}, {"VES", 2}, {"VND", 0},
    {"VUV", 0}, {"WST", 2}, {"XAD", 2}, {"XAF", 0}, {"XCD", 2}, {"XCG", 2}, {"XOF", 0}, {"XPF", 0}, {"YER", 2},
    {"ZAR", 2}, {"ZMW", 2}, {"ZWG", 2},
};

bool comesBefore(const Entry &entry, const QByteArray &code)
{
    return std::strncmp(entry.code, code.constData(), 3) < 0;
}

const Entry *find(const QByteArray &code)
{
    const Entry *entry = std::lower_bound(std::begin(table), std::end(table), code, comesBefore);
    return entry != std::end(table) && code == entry->code ? entry : nullptr;
}

QString grouped(QString digits)
{
    for (qsizetype at = digits.size() - 3; at > 0; at -= 3)
        digits.insert(at, QLatin1Char(','));
    return digits;
}

/// The sign of a currency that has one everybody here reads without doubt; else its code and a space.
QString prefix(const Currency &currency)
{
    const QString code = currency.code();
    if (code == QLatin1String("JPY"))
        return QStringLiteral("\u00a5");
    if (code == QLatin1String("USD"))
        return QStringLiteral("$");
    return code + QLatin1Char(' ');
}

} // namespace money_detail

Result<Currency, FieldError> Currency::parse(QStringView code)
{
    const auto error = [&](FieldError::Problem problem) {
        return FieldError{QStringLiteral("currency"), problem, code.toString()};
    };
    if (code.isEmpty())
        return error(FieldError::Problem::Empty);
    // Characters beyond ASCII first: some of them have an ASCII upper-case form, and none is a currency letter.
    const bool letters = code.size() == 3 && std::all_of(code.begin(), code.end(), [](QChar c) {
                             return (c >= u'A' && c <= u'Z') || (c >= u'a' && c <= u'z');
                         });
    const money_detail::Entry *entry = letters ? money_detail::find(code.toLatin1().toUpper()) : nullptr;
    if (!entry)
        return error(FieldError::Problem::UnknownValue);
    return Currency(entry->code, entry->exponent);
}

Currency Currency::jpy()
{
    static const money_detail::Entry *const entry = money_detail::find(QByteArrayLiteral("JPY"));
    return Currency(entry->code, entry->exponent);
}

Result<Money, FieldError> Money::ofMinor(qint64 amountMinor, Currency currency)
{
    const auto error = [&](FieldError::Problem problem) {
        return FieldError{QStringLiteral("amount"), problem, QString::number(amountMinor)};
    };
    if (amountMinor < minMinor)
        return error(FieldError::Problem::TooSmall);
    if (amountMinor > maxMinor)
        return error(FieldError::Problem::TooLarge);
    return Money(amountMinor, currency);
}

Result<qint64, FieldError> parseMinorUnits(QStringView digits)
{
    const auto error = [&](FieldError::Problem problem) {
        return FieldError{QStringLiteral("amount"), problem, digits.toString()};
    };
    if (digits.isEmpty())
        return error(FieldError::Problem::Empty);
    qint64 amountMinor = 0;
    for (const QChar c : digits) {
        const int digit = digitValue(c);
        if (digit < 0)
            return error(FieldError::Problem::NotDigits);
        // Stays above the limit once it is there, so a thousand digits cannot overflow; the rest is still read, since
        // a letter at the end is the better thing to complain about.
        if (amountMinor <= Money::maxMinor)
            amountMinor = amountMinor * 10 + digit;
    }
    if (amountMinor > Money::maxMinor)
        return error(FieldError::Problem::TooLarge);
    if (amountMinor < Money::minMinor)
        return error(FieldError::Problem::TooSmall);
    return amountMinor;
}

QString formatMinorUnits(qint64 amountMinor, const Currency &currency)
{
    const bool negative = amountMinor < 0;
    // Unsigned, because the smallest integer has no positive counterpart.
    const quint64 magnitude = negative ? ~static_cast<quint64>(amountMinor) + 1 : static_cast<quint64>(amountMinor);
    const int exponent = currency.exponent();
    const QString digits = QString::number(magnitude).rightJustified(exponent + 1, QLatin1Char('0'));
    QString text = money_detail::prefix(currency) + money_detail::grouped(digits.chopped(exponent));
    if (exponent > 0)
        text += QLatin1Char('.') + digits.right(exponent);
    return negative ? QLatin1Char('-') + text : text;
}

QString format(const Money &money)
{
    return formatMinorUnits(money.amountMinor(), money.currency());
}

} // namespace ikkai
