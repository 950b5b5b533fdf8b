#include "app/setting_values.h"

#include <QtCore/QHash>
#include <QtCore/QTime>

namespace ikkai::app {

namespace {

QString environmentName(const char *name)
{
    return QStringLiteral("IKKAI_") + latin1(name).toUpper().replace(QLatin1Char('-'), QLatin1Char('_'));
}

std::optional<qint64> durationMs(const QString &text)
{
    static const QHash<QString, qint64> units{{QStringLiteral("ms"), 1},
                                              {QStringLiteral("s"), 1'000},
                                              {QStringLiteral("m"), 60'000},
                                              {QStringLiteral("h"), 3'600'000}};
    qsizetype digits = 0;
    while (digits < text.size() && text.at(digits) >= QLatin1Char('0') && text.at(digits) <= QLatin1Char('9'))
        ++digits;
    const auto unit = units.constFind(text.mid(digits));
    if (digits == 0 || digits > 9 || unit == units.constEnd())
        return {};
    return text.left(digits).toLongLong() * unit.value();
}

} // namespace

QString Values::text(const char *name, const QString &fallback) const
{
    const QString option = latin1(name);
    if (isOnLine(option))
        return m_line.value(option);
    if (m_environment.contains(environmentName(name)))
        return m_environment.value(environmentName(name));
    // QSettings splits a value at its commas; the words of this file are single values.
    if (m_file && m_file->contains(option))
        return m_file->value(option).toStringList().join(QLatin1Char(','));
    return fallback;
}

QString Values::origin(const char *name) const
{
    const QString option = latin1(name);
    if (isOnLine(option))
        return QStringLiteral("--") + option;
    if (m_environment.contains(environmentName(name)))
        return environmentName(name);
    if (m_file && m_file->contains(option))
        return m_file->fileName() + QStringLiteral(": ") + option;
    return QStringLiteral("--") + option;
}

Stop Values::wrong(const char *name, const QString &expected) const
{
    return {2, QStringLiteral("%1: \"%2\" is not %3").arg(origin(name), text(name), expected)};
}

std::optional<Stop> readDuration(const Values &values, const char *name, qint64 minimumMs, qint64 *target)
{
    if (values.text(name).isNull())
        return {};
    const auto ms = durationMs(values.text(name));
    if (!ms || *ms < minimumMs)
        return values.wrong(name, QStringLiteral("a time such as 500ms, 3s or 1m of at least %1 ms").arg(minimumMs));
    *target = *ms;
    return {};
}

std::optional<Stop> readCount(const Values &values, const char *name, int most, int *target)
{
    if (values.text(name).isNull())
        return {};
    bool isNumber = false;
    *target = values.text(name).toInt(&isNumber);
    if (!isNumber || *target < 1 || *target > most)
        return values.wrong(name, QStringLiteral("a number from 1 to %1").arg(most));
    return {};
}

std::optional<Stop> readDay(const Values &values, const char *name, std::optional<QDate> *target)
{
    if (values.text(name).isNull())
        return {};
    const QDate day = QDate::fromString(values.text(name), QStringLiteral("yyyy-MM-dd"));
    if (!day.isValid())
        return values.wrong(name, QStringLiteral("a day such as 2026-11-30"));
    *target = day;
    return {};
}

std::optional<Stop> readCalendar(const Values &values, BusinessCalendar *calendar)
{
    if (const QString zone = values.text("store-zone"); !zone.isNull()) {
        if (!QTimeZone::isTimeZoneIdAvailable(zone.toUtf8()))
            return values.wrong("store-zone", QStringLiteral("a time zone of this machine, such as Asia/Tokyo"));
        calendar->zone = QTimeZone(zone.toUtf8());
    }
    if (const QString starts = values.text("day-starts"); !starts.isNull()) {
        const QTime time = QTime::fromString(starts, QStringLiteral("HH:mm"));
        if (!time.isValid() || starts.size() != 5) // HH takes one digit, too
            return values.wrong("day-starts", QStringLiteral("a time of day such as 05:00"));
        calendar->startsAtMinute = time.hour() * 60 + time.minute();
    }
    return {};
}

} // namespace ikkai::app
