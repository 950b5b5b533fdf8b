#include "core/domain/business_day.h"

#include <QtCore/QDateTime>

namespace ikkai {

namespace business_day {

constexpr qint64 widestOffsetMs = 26LL * 3'600'000; ///< no zone is further from UTC, with a day's reserve

qint64 offsetMs(const QTimeZone &zone, qint64 wallMs)
{
    return 1'000LL * zone.offsetFromUtc(QDateTime::fromMSecsSinceEpoch(wallMs, Qt::UTC));
}

} // namespace business_day

qint64 businessDayStartMs(const BusinessCalendar &calendar, const QDate &day)
{
    using namespace business_day;
    // The first moment at which the clock on the wall shows the start or more. QDateTime's own answer for a time that
    // the clocks skip differs between its versions.
    const qint64 shownMs =
        QDateTime(day, QTime(0, 0), Qt::UTC).toMSecsSinceEpoch() + 60'000LL * calendar.startsAtMinute;
    const qint64 fromMs = shownMs - widestOffsetMs;
    const qint64 toMs = shownMs + widestOffsetMs;
    qint64 offset = offsetMs(calendar.zone, fromMs);
    if (offset == offsetMs(calendar.zone, toMs))
        return shownMs - offset;
    const auto changes = calendar.zone.transitions(QDateTime::fromMSecsSinceEpoch(fromMs, Qt::UTC),
                                                   QDateTime::fromMSecsSinceEpoch(toMs, Qt::UTC));
    qint64 sinceMs = fromMs;
    for (const QTimeZone::OffsetData &change : changes) {
        const qint64 changeMs = change.atUtc.toMSecsSinceEpoch();
        const qint64 startMs = qMax(sinceMs, shownMs - offset);
        if (startMs < changeMs)
            return startMs;
        sinceMs = changeMs;
        offset = 1'000LL * change.offsetFromUtc;
    }
    return qMax(sinceMs, shownMs - offset);
}

QDate businessDayOf(const BusinessCalendar &calendar, qint64 wallMs)
{
    const QDate local = QDateTime::fromMSecsSinceEpoch(wallMs, calendar.zone).date();
    if (wallMs < businessDayStartMs(calendar, local))
        return local.addDays(-1);
    const QDate next = local.addDays(1); // a day that begins before local midnight where the clocks are put back
    return wallMs >= businessDayStartMs(calendar, next) ? next : local;
}

} // namespace ikkai
