#include "mock-server/control/openapi.h"

#include <QtCore/QFile>

namespace mockbank {

QByteArray openApiDocument()
{
    static const QByteArray document = [] {
        QFile file(QStringLiteral(":/mockbank/openapi.json"));
        if (!file.open(QIODevice::ReadOnly))
            qFatal("openapi.json is not in the program");
        return file.readAll();
    }();
    return document;
}

} // namespace mockbank
