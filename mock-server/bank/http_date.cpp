#include "mock-server/bank/http_date.h"

#include <QtCore/QDateTime>
#include <QtCore/QLocale>

namespace mockbank {

QByteArray imfFixdate(qint64 atMs)
{
    // The C locale: names of days and months are English whatever the machine speaks.
    const QDateTime at = QDateTime::fromMSecsSinceEpoch(atMs, Qt::UTC);
    return QLocale::c().toString(at, QStringLiteral("ddd, dd MMM yyyy HH:mm:ss")).toLatin1() + " GMT";
}

QByteArray isoTime(qint64 atMs)
{
    return QDateTime::fromMSecsSinceEpoch(atMs, Qt::UTC).toString(Qt::ISODateWithMs).toLatin1();
}

} // namespace mockbank
