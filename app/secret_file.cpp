#include "app/secret_file.h"

#include <QtCore/QFile>

#include <cstdio>

namespace ikkai::app {

Result<QByteArray, Stop> readSecret(const QString &option, const QString &file)
{
    const bool isStandardInput = file == QStringLiteral("-");
    QFile secret(file);
    const bool isOpen = isStandardInput ? secret.open(stdin, QIODevice::ReadOnly) : secret.open(QIODevice::ReadOnly);
    if (!isOpen)
        return Stop{2, QStringLiteral("%1: cannot read %2: %3").arg(option, file, secret.errorString())};
    constexpr qint64 longestLine = 4096;
    const QByteArray line = secret.readLine(longestLine).trimmed();
    if (line.isEmpty())
        return Stop{2, QStringLiteral("%1: the first line of %2 is empty")
                           .arg(option, isStandardInput ? QStringLiteral("standard input") : file)};
    return line;
}

} // namespace ikkai::app
