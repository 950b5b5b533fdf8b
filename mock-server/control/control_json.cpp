#include "mock-server/control/control_json.h"

#include <QtCore/QHash>
#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QSet>

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

namespace {

/// The first member that one object of this valid JSON text has twice, as written. QJsonDocument keeps the last of two
/// without a word, and nothing here is to be ignored in silence.
std::optional<QByteArray> memberGivenTwice(const QByteArray &json)
{
    QList<QSet<QByteArray>> open;
    for (qsizetype i = 0; i < json.size(); ++i) {
        if (json[i] == '{' || json[i] == '[')
            open.append(QSet<QByteArray>());
        else if (json[i] == '}' || json[i] == ']')
            open.removeLast();
        if (json[i] != '"')
            continue;
        const qsizetype start = i + 1;
        for (++i; json[i] != '"'; ++i)
            i += json[i] == '\\';
        qsizetype after = i + 1;
        while (after < json.size() && QByteArrayView(" \t\r\n").contains(json[after]))
            ++after;
        if (after == json.size() || json[after] != ':')
            continue;
        // Escapes are another way to write the same name.
        const QByteArray written = json.mid(start, i - start);
        const QByteArray name = QJsonDocument::fromJson("[\"" + written + "\"]").array().first().toString().toUtf8();
        if (open.last().contains(name))
            return name;
        open.last().insert(name);
    }
    return std::nullopt;
}

} // namespace

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
    if (const auto twice = memberGivenTwice(body))
        return unprocessable(QString::fromUtf8(*twice).left(60), QStringLiteral("is given twice"));
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

std::variant<QHash<QByteArray, QByteArray>, Response> readTextQuery(const QByteArray &query,
                                                                    const QByteArrayList &names)
{
    QHash<QByteArray, QByteArray> values;
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
        values.insert(name, equals < 0 ? QByteArray() : QByteArray::fromPercentEncoding(pair.mid(equals + 1)));
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
