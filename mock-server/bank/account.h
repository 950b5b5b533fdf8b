#pragma once

#include <QtCore/QString>

namespace mockbank {

/// Where money comes from. The balance is in minor units of whatever currency is charged: the mock bank keeps no rates.
struct Account {
    QString source;
    qint64 balanceMinor = 0;
    bool declining = false; ///< refuses every charge, whatever the balance
};

/// Largest balance an account may have: the largest integer every JSON reader reads exactly (RFC 8259, section 6).
inline constexpr qint64 maxBalanceMinor = 9'007'199'254'740'991;

/// Largest amount of one charge.
inline constexpr qint64 maxAmountMinor = 99'999'999;

} // namespace mockbank
