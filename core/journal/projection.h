#pragma once

#include "core/checkout/checkout.h"

#include <QtCore/QString>
#include <QtCore/QVariant>

#include <array>
#include <utility>

namespace ikkai {

/// The row of table `checkout` for one checkout, without `settled_n` and `business_day`: those say when this journal
/// learned the outcome, and are copied from table `settlement`. Null where there is nothing to say. Pure.
inline constexpr std::array projectionColumns{
    "key",      "order_id", "amount",        "currency",          "source",     "state",       "settled_by",
    "open",     "attempts", "wire_sends",    "created_ms",        "updated_ms", "terminal_id", "settled_ms",
    "void_key", "replaces", "contradiction", "supervisor_reason", "ledger_id"};
using ProjectionRow = std::array<QVariant, projectionColumns.size()>;

[[nodiscard]] ProjectionRow projectionOf(const Checkout &checkout);

/// `key, order_id, ...`: all of projectionColumns.
[[nodiscard]] const QString &projectionColumnList();
/// Stores a row with one `?` for each of projectionColumns; what else the row holds stays.
[[nodiscard]] const QString &projectionUpsert();

} // namespace ikkai
