#pragma once

#include "core/closing/day_report.h"

#include "ui/receipts/receipt.h"

namespace ikkai {

/// The report of a day as it goes on paper, in the language in force. What is not closed yet says so in its title, so
/// that nobody files it.
[[nodiscard]] Receipt dayPaperOf(const DayReport &report);
/// What its PDF file is called first: "day-2026-05-14-12.pdf".
[[nodiscard]] QString dayPaperFile(const DayReport &report);
/// The same without its ending.
[[nodiscard]] QString dayFileStem(const DayReport &report);

} // namespace ikkai
