#include "mock-server/control/control_json.h"

#include <QtCore/QHash>
#include <QtCore/QJsonDocument>

namespace mockbank {

Response unprocessable(const QString &member, const QString &detail)
{
    return toResponse({422,
                       QByteArrayLiteral("not-accepted"),
                       QStringLiteral("Not accepted"),
                       member + QLatin1Char(' ') + detail,
                       false,
                       member.toUtf8(),
                       {}});
}

std::variant<QJsonObject, Response> readObject(const QByteArray &body, const QStringList &members)
{
    if (body.trimmed().isEmpty())
        return QJsonObject();
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(body, &error);
    if (!document.isObject()) {
        const QString detail = error.error == QJsonParseError::NoError ? QStringLiteral("the body is no JSON object")
                                                                       : error.errorString();
        return toResponse(
            {400, QByteArrayLiteral("bad-json"), QStringLiteral("The body is not JSON"), detail, false, "body", {}});
    }
    const QJsonObject object = document.object();
    for (auto it = object.begin(); it != object.end(); ++it) {
        if (!members.contains(it.key()))
            return unprocessable(it.key().left(60), QStringLiteral("is not a member of this call"));
    }
    return object;
}

std::variant<QHash<QByteArray, qint64>, Response> readQuery(const QByteArray &query, const QByteArrayList &names)
{
    QHash<QByteArray, qint64> values;
    if (query.isEmpty())
        return values;
    for (const QByteArray &pair : query.split('&')) {
        const qsizetype equals = pair.indexOf('=');
        const QByteArray name = equals < 0 ? pair : pair.first(equals);
        if (!names.contains(name) || values.contains(name)) {
            return unprocessable(QString::fromLatin1(name.left(60)),
                                 values.contains(name) ? QStringLiteral("is given twice")
                                                       : QStringLiteral("is not a parameter of this call"));
        }
        bool isNumber = false;
        const qint64 value = pair.mid(equals + 1).toLongLong(&isNumber);
        if (equals < 0 || !isNumber || value < 0 || pair[equals + 1] == '+')
            return unprocessable(QString::fromLatin1(name), QStringLiteral("must be an integer from 0"));
        values.insert(name, value);
    }
    return values;
}

std::optional<qint64> exactInteger(const QJsonValue &value, qint64 low, qint64 high)
{
    if (!value.isDouble())
        return std::nullopt;
    // A fraction or a number beyond 64 bits has no integer form and gives the default, whatever that is.
    if (value.toInteger(low - 1) == low - 1 || value.toInteger() < low || value.toInteger() > high)
        return std::nullopt;
    return value.toInteger();
}

} // namespace mockbank
