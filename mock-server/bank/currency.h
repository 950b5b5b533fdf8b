#pragma once

#include <QtCore/QByteArrayView>

#include <optional>

namespace mockbank {

/// Digits after the decimal point of a currency's major unit (JPY 0, USD 2, KWD 3), or nothing where `code` is not an
/// active ISO 4217 code of a currency one can pay with. Codes are upper case.
[[nodiscard]] std::optional<int> minorUnitDigits(QByteArrayView code);

} // namespace mockbank
