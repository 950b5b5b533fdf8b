#pragma once

#include "core/domain/money.h"

#include <QtCore/QString>
#include <QtCore/QStringView>

#include <optional>

namespace ikkai {

/// The digits of an amount as a till takes them: each digit moves the ones before it up, the number of decimals is
/// fixed by the currency, and nothing but digits exists. Integers only.
class AmountEntry {
public:
    explicit AmountEntry(Currency currency);

    /// Takes digits one after another, ASCII or full-width; false (and nothing taken) if any character is something
    /// else, or if the amount would pass Money::maxMinor.
    bool type(QStringView digits);
    void backspace();
    void clear();
    /// Takes a pasted amount as a whole: digits, or grouped by commas in threes, or with exactly the currency's
    /// decimals; the currency's sign or code may stand beside it. False (and nothing taken) for anything that could
    /// be read in two ways: `58,99`, `+10`, `1.5` yen, `-3`.
    bool paste(const QString &text);

    void setMinor(qint64 amountMinor); ///< 0 to Money::maxMinor
    [[nodiscard]] qint64 minor() const { return m_minor; }
    [[nodiscard]] Currency currency() const { return m_currency; }
    [[nodiscard]] QString shown() const; ///< "¥1,200"

private:
    Currency m_currency;
    qint64 m_minor = 0;
};

/// Minor units of a pasted text, by the rules of AmountEntry::paste.
[[nodiscard]] std::optional<qint64> readPastedAmount(const QString &text, const Currency &currency);

} // namespace ikkai
