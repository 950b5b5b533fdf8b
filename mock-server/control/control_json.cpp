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

/// An object or a list that is open while JSON text is read.
struct OpenValue {
    bool isList = false;
    int index = 0;         ///< of a list
    QString name;          ///< of the member that is read
    QSet<QString> members; ///< of an object
};

QString pathOf(const QList<OpenValue> &open)
{
    QString path;
    for (const OpenValue &value : open) {
        if (value.isList)
            path += QStringLiteral("[%1]").arg(value.index);
        else
            path += (path.isEmpty() ? QString() : QStringLiteral(".")) + value.name.left(60);
    }
    return path;
}

/// The first member that one object of this valid JSON text has twice, by its path. QJsonDocument keeps the last of two
/// without a word, and nothing here is to be ignored in silence.
std::optional<QString> memberGivenTwice(const QByteArray &json)
{
    QList<OpenValue> open;
    for (qsizetype i = 0; i < json.size(); ++i) {
        if (json[i] == '{' || json[i] == '[')
            open.append(OpenValue{json[i] == '[', 0, {}, {}});
        else if (json[i] == '}' || json[i] == ']')
            open.removeLast();
        else if (json[i] == ',' && open.last().isList)
            ++open.last().index;
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
        OpenValue &object = open.last();
        object.name = QJsonDocument::fromJson("[\"" + written + "\"]").array().first().toString();
        if (object.members.contains(object.name))
            return pathOf(open);
        object.members.insert(object.name);
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
        return unprocessable(*twice, QStringLiteral("is given twice"));
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
