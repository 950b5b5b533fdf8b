#pragma once

#include <QtCore/QDateTime>
#include <QtCore/QTimeZone>

namespace ikkai {

/// A moment as the store's clock shows it, with its distance from UTC: 2026-05-14T21:04:10.123+09:00. Empty for 0.
/// `zone`: IANA name; UTC where it is not known.
[[nodiscard]] inline QString storeTime(qint64 wallMs, const QString &zone)
{
    if (wallMs == 0)
        return {};
    const QTimeZone known(zone.toUtf8());
    const QDateTime utc = QDateTime::fromMSecsSinceEpoch(wallMs, Qt::UTC);
    const QDateTime local = known.isValid() ? utc.toTimeZone(known) : utc;
    return local.toOffsetFromUtc(local.offsetFromUtc()).toString(Qt::ISODateWithMs);
}

} // namespace ikkai
