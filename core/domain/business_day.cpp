#include "core/domain/business_day.h"

#include <QtCore/QDateTime>

namespace ikkai {

qint64 businessDayStartMs(const BusinessCalendar &calendar, const QDate &day)
{
    const QTime start = QTime(0, 0).addSecs(calendar.startsAtMinute * 60);
    const QDateTime begin(day, start, calendar.zone);
    return begin.isValid() ? begin.toMSecsSinceEpoch() : day.startOfDay(calendar.zone).toMSecsSinceEpoch();
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
