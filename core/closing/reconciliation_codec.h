#pragma once

#include "core/closing/reconciliation.h"

#include <QtCore/QByteArray>
#include <QtCore/QString>

namespace ikkai {

/// charged_twice, paid_after_void, ...: for files and scripts.
[[nodiscard]] QString wordOf(DifferenceKind kind);
/// by_inquiry, not_offered, no_answer.
[[nodiscard]] QString wordOf(Confirmation confirmation);

/// All of it as one JSON object: money in integers of minor units, moments as Unix ms and in the store's time.
/// `zone`: IANA name.
[[nodiscard]] QByteArray reconciliationJson(const Reconciliation &reconciliation, const QString &zone);
/// A table for spreadsheets, one row for each difference.
[[nodiscard]] QByteArray reconciliationCsv(const Reconciliation &reconciliation, const QString &zone);

} // namespace ikkai
