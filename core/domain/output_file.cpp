#include "core/domain/output_file.h"

#include <QtCore/QFileInfo>

namespace ikkai {

std::optional<QString> whyNotReplaced(const QString &file)
{
    const QFileInfo info(file);
    if (!info.exists() || info.isFile())
        return {};
    return info.isDir() ? QStringLiteral("it is a folder") : QStringLiteral("it is not a regular file");
}

} // namespace ikkai
