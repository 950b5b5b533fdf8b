#pragma once

#include "core/domain/field_error.h"
#include "core/domain/result.h"

#include <QtCore/QString>
#include <QtCore/QStringView>

namespace ikkai {

/// An ISO 4217 currency of the exponent table: JPY 0, USD 2, KWD 3 ...
class Currency {
public:
    /// Three letters, any case. Errors: Empty, UnknownValue (field `currency`).
    static Result<Currency, FieldError> parse(QStringView code);
    static Currency jpy();

    [[nodiscard]] QString code() const { return QString::fromLatin1(m_code, 3); }
    [[nodiscard]] int exponent() const { return m_exponent; }

    friend bool operator==(const Currency &a, const Currency &b) { return a.code() == b.code(); }

private:
    Currency(const char *code, int exponent)
        : m_code(code)
        , m_exponent(exponent)
    {
    }
    const char *m_code; ///< three letters of the static table
    int m_exponent;
};

/// A positive amount in integer minor units (yen, cents): 1 to 99,999,999. No floating point anywhere near it.
class Money {
public:
    static constexpr qint64 minMinor = 1;
    static constexpr qint64 maxMinor = 99'999'999;

    /// Errors: TooSmall, TooLarge (field `amount`).
    static Result<Money, FieldError> ofMinor(qint64 amountMinor, Currency currency);

    [[nodiscard]] qint64 amountMinor() const { return m_amountMinor; }
    [[nodiscard]] Currency currency() const { return m_currency; }

    friend bool operator==(const Money &, const Money &) = default;

private:
    Money(qint64 amountMinor, Currency currency)
        : m_amountMinor(amountMinor)
        , m_currency(currency)
    {
    }
    qint64 m_amountMinor;
    Currency m_currency;
};

/// Minor units from typed digits, ASCII or full-width, nothing else: no sign, point, comma, space or exponent.
/// Errors: Empty, NotDigits, TooLarge (more than Money::maxMinor), TooSmall (0); field `amount`.
Result<qint64, FieldError> parseMinorUnits(QStringView digits);

/// "¥1,200", "$12.00", "KWD 1.250": by the exponent table, independent of the system locale. 0 and negative
/// amounts (balances) are allowed here.
[[nodiscard]] QString formatMinorUnits(qint64 amountMinor, const Currency &currency);
[[nodiscard]] QString format(const Money &money);

} // namespace ikkai
