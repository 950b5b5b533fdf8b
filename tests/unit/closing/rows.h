#pragma once

#include "core/closing/reconcile.h"

#include <QtCore/QString>

namespace ikkai::test {

constexpr qint64 rowsBeganMs = 1'767'225'600'000; ///< 2026-01-01 09:00 in Tokyo
constexpr qint64 rowsComparedMs = rowsBeganMs + 86'400'000;

/// Lets a test write its words plainly.
struct Word {
    Word(const char *text) // NOLINT(google-explicit-constructor)
        : value(QString::fromUtf8(text))
    {
    }
    Word(QString text) // NOLINT(google-explicit-constructor)
        : value(std::move(text))
    {
    }
    QString value;
};

inline OurRow ours(const Word &key, const Word &state, const Word &order, qint64 amountMinor = 1'200)
{
    return {key.value, order.value, amountMinor, QStringLiteral("JPY"), state.value, rowsBeganMs};
}

inline BankChargeRow charged(const Word &key, const Word &order, qint64 amountMinor = 1'200, const Word &chargeId = "",
                             const Word &terminal = "till-1")
{
    return {chargeId.value.isEmpty() ? QStringLiteral("ch_") + key.value : chargeId.value,
            QStringLiteral("approved"),
            key.value,
            order.value,
            amountMinor,
            QStringLiteral("JPY"),
            terminal.value,
            rowsBeganMs + 200,
            false};
}

inline BankChargeRow reversed(BankChargeRow row)
{
    row.reversed = true;
    return row;
}

/// What became of a key that was not charged, as an inquiry tells it.
inline BankChargeRow notCharged(const Word &key, const Word &order, const Word &status)
{
    BankChargeRow row = charged(key, order);
    row.chargeId.clear();
    row.status = status.value;
    return row;
}

inline ReconcileSettings settings()
{
    ReconcileSettings settings;
    settings.terminalId = QStringLiteral("till-1");
    settings.fromWallMs = rowsBeganMs - 1'000;
    settings.nowWallMs = rowsComparedMs;
    return settings;
}

} // namespace ikkai::test
