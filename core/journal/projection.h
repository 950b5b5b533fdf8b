#pragma once

#include "core/checkout/checkout.h"

#include <QtCore/QString>
#include <QtCore/QVariant>

#include <array>
#include <utility>

namespace ikkai {

/// The row of table `checkout` for one checkout, without `settled_n` and `business_day`: those say when this journal
/// learned the outcome, and belong to the day's closing. Null where there is nothing to say. Pure.
inline constexpr std::array projectionColumns{
    "key",      "order_id", "amount",        "currency",          "source",     "state",       "settled_by",
    "open",     "attempts", "wire_sends",    "created_ms",        "updated_ms", "terminal_id", "settled_ms",
    "void_key", "replaces", "contradiction", "supervisor_reason", "ledger_id"};
using ProjectionRow = std::array<QVariant, projectionColumns.size()>;

[[nodiscard]] ProjectionRow projectionOf(const Checkout &checkout);

} // namespace ikkai
