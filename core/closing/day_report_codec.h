#pragma once

#include "core/closing/day_report.h"
#include "core/domain/result.h"

#include <QtCore/QByteArray>

namespace ikkai {

/// The report as the journal keeps it and as it is exported: one JSON object, money in integers of minor units, every
/// moment both as Unix ms and in the store's own time. Part of the journal's format: members are added, never renamed.
[[nodiscard]] QByteArray dayReportJson(const DayReport &report);
/// Reads it back. The error names what is wrong with it.
[[nodiscard]] Result<DayReport, QString> readDayReport(const QByteArray &json);

/// A table for spreadsheets, one row for the day, one for each total and one for each checkout it names.
[[nodiscard]] QByteArray dayReportCsv(const DayReport &report);

} // namespace ikkai
