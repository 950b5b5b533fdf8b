#include "ui/i18n/store_time.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QDateTime>
#include <QtCore/QLocale>

namespace ikkai::store {

namespace {

BusinessCalendar &calendarInForce()
{
    static BusinessCalendar calendar;
    return calendar;
}

QDateTime there(qint64 wallMs)
{
    return QDateTime::fromMSecsSinceEpoch(wallMs, calendar().zone);
}

/// How dates are written belongs to the language of the window, not to the machine.
QLocale localeInForce()
{
    //: the locale of dates: "en" or the language's own code
    return QLocale(QCoreApplication::translate("StoreTime", "en"));
}

} // namespace

void useCalendar(const BusinessCalendar &calendar)
{
    calendarInForce() = calendar;
}

const BusinessCalendar &calendar()
{
    return calendarInForce();
}

QString clock(qint64 wallMs)
{
    return there(wallMs).toString(QStringLiteral("HH:mm:ss"));
}

QString shortClock(qint64 wallMs)
{
    return there(wallMs).toString(QStringLiteral("HH:mm"));
}

QString dayAndClock(qint64 wallMs)
{
    return day(there(wallMs).date()) + QLatin1Char(' ') + shortClock(wallMs);
}

QString day(const QDate &day, qint64 nowWallMs)
{
    const bool withYear = nowWallMs != 0 && there(nowWallMs).date().year() != day.year();
    return localeInForce().toString(day, withYear ? QCoreApplication::translate("StoreTime", "d MMM yyyy")
                                                  : QCoreApplication::translate("StoreTime", "d MMM"));
}

} // namespace ikkai::store
