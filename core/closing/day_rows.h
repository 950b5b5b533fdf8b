#pragma once

#include "core/closing/day_report.h"
#include "core/domain/business_day.h"

#include <QtCore/QSet>

#include <vector>

namespace ikkai {

/// What closing a day has to know of one checkout.
struct DayRow {
    IdempotencyKey key;
    OrderId order;
    Money money;
    QString state; ///< outcome word
    bool isOpen = false;
    qint64 startedWallMs = 0;
    QString contradiction;    ///< outcome word that the bank said against it; else empty
    QString supervisorReason; ///< of an override or a write-off; else empty
};

/// What one report is made of.
struct DayRows {
    std::vector<DayRow> settled;      ///< whose outcome was learned in the report's range
    std::vector<DayRow> unsettled;    ///< that were open at its end: open now, or settled in a later range
    std::vector<DayRow> contradicted; ///< of earlier reports, contradicted since
    QSet<QString> carriedBefore;      ///< keys that the last report carried
};

/// The report of `businessDay`, not numbered and not closed. Pure; the order of the rows does not matter. A checkout is
/// carried from the business day on which it started until a report counts it; `today` carries whatever is open, so
/// that a clock that was once ahead hides nothing.
[[nodiscard]] DayReport dayReportOf(const DayRows &rows, const QDate &businessDay, const QDate &today,
                                    const BusinessCalendar &calendar, const QString &terminalId);

} // namespace ikkai
