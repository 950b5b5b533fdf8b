#pragma once

#include "core/closing/day_rows.h"

#include <QtCore/QDateTime>

namespace ikkai::test {

inline IdempotencyKey dayKey(int n)
{
    return IdempotencyKey::parse(QStringLiteral("0190a8b5-2f4e-7%1-8f3a-1c2d3e4f5a6b").arg(n, 3, 16, QLatin1Char('0')))
        .value();
}

inline BusinessCalendar tokyo(int startsAtMinute = 0)
{
    return {QTimeZone("Asia/Tokyo"), startsAtMinute};
}

/// `2026-05-14T21:04` on a wall clock in Tokyo, Unix ms.
inline qint64 inTokyo(const char *local)
{
    return QDateTime::fromString(QString::fromLatin1(local) + QStringLiteral("+09:00"), Qt::ISODate)
        .toMSecsSinceEpoch();
}

inline DayRow dayRow(int n, const char *state, qint64 amountMinor = 1'200, const char *started = "2026-05-14T12:00",
                     const char *currency = "JPY")
{
    const QString word = QString::fromLatin1(state);
    const bool isOpen = word == QLatin1String("unknown") || word == QLatin1String("void_pending");
    const Currency money = Currency::parse(QString::fromLatin1(currency)).value();
    return {dayKey(n),
            OrderId::parse(QStringLiteral("A-%1").arg(n)).value(),
            Money::ofMinor(amountMinor, money).value(),
            word,
            isOpen,
            inTokyo(started),
            {},
            {}};
}

} // namespace ikkai::test
