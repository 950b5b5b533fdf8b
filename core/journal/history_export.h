#pragma once

#include "core/journal/history.h"

#include <QtCore/QByteArray>
#include <QtCore/QTimeZone>

namespace ikkai {

/// The parts of an exported history: head, one piece for each row, foot. Times stand in `zone` with their distance to
/// UTC, amounts in minor units and written out. CSV as CsvRow writes it; JSON is one array with a row a line. Pure.
[[nodiscard]] QByteArray exportHead(ExportFormat format);
[[nodiscard]] QByteArray exportRow(ExportFormat format, const HistoryRow &row, bool isFirst, const QTimeZone &zone);
[[nodiscard]] QByteArray exportFoot(ExportFormat format);

} // namespace ikkai
