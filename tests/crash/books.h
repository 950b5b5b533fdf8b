#pragma once

#include "core/checkout/checkout.h"
#include "tests/crash/bank_process.h"

#include <QtCore/QMap>
#include <QtCore/QSet>

#include <optional>

namespace ikkai::crash {

/// What the terminal has in its journal, set against the money that moved.
struct Balance {
    int chargedTwice = 0; ///< one key with two charges, or an order with more money taken than sales believed in
    int lost = 0;         ///< believed paid and not paid, or believed not paid and paid, or another amount
    int unrecorded = 0;   ///< charged, and no checkout in the journal
    int tookBack = 0;     ///< the terminal had told another final word than it has now
    int contradicted = 0; ///< the bank contradicted a final word
    int open = 0;
    int charges = 0;
    int reversals = 0;
    QMap<QString, int> byOutcome;
    QStringList complaints;

    [[nodiscard]] bool isClean() const
    {
        return chargedTwice == 0 && lost == 0 && unrecorded == 0 && tookBack == 0 && contradicted == 0;
    }
};

/// Final words by key, as they were told.
using Told = QMap<QString, QSet<QString>>;

/// Every checkout of these orders, folded from the journal's events; none where it cannot be read.
[[nodiscard]] std::optional<std::vector<Checkout>> checkoutsOf(const QString &journal, const QStringList &orders);

[[nodiscard]] Balance balance(const std::vector<Checkout> &checkouts, const std::vector<Movement> &ledger,
                              const Told &told);

} // namespace ikkai::crash
