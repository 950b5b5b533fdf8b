#pragma once

#include <QtCore/QDate>
#include <QtCore/QTimeZone>

namespace ikkai {

/// How a store counts its days: its own time zone, and the hour at which a business day begins (a bar's day ends at 5
/// in the morning). A value, safe on any thread.
struct BusinessCalendar {
    QTimeZone zone = QTimeZone::systemTimeZone();
    int startsAtMinute = 0; ///< minutes after local midnight, 0 to 1439
    friend bool operator==(const BusinessCalendar &, const BusinessCalendar &) = default;
};

/// The business day that a moment (Unix ms) belongs to.
[[nodiscard]] QDate businessDayOf(const BusinessCalendar &calendar, qint64 wallMs);
/// When a business day begins, Unix ms. Where the clocks are put forward over it: the first moment after the gap; where
/// its hour comes twice: the first of them.
[[nodiscard]] qint64 businessDayStartMs(const BusinessCalendar &calendar, const QDate &day);

} // namespace ikkai
