#include "mock-server/faults/fault_words.h"

#include <QtCore/QJsonValue>

#include <cmath>

// The two ways to write a fault, down to names and values; what they mean is checked in fault_rules.cpp.
namespace mockbank {

namespace fault_grammar {

using namespace fault_words;

constexpr qsizetype maxSpecLength = 2000;

FaultError malformed(const QString &detail)
{
    return {QStringLiteral("spec"), detail};
}

FaultError wrong(const QString &member, const QString &detail)
{
    return {member, detail};
}

/// Splits at `separator` outside of parentheses and quotes. Nothing on an unclosed quote or parenthesis.
std::optional<QList<QByteArray>> split(QByteArrayView text, char separator)
{
    QList<QByteArray> parts{QByteArray()};
    int depth = 0;
    bool quoted = false;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted) {
            parts.last() += c;
            if (c == '\\' && i + 1 < text.size())
                parts.last() += text[++i];
            else if (c == '"')
                quoted = false;
            continue;
        }
        if (c == '"')
            quoted = true;
        depth += (c == '(') - (c == ')');
        if (depth < 0)
            return std::nullopt;
        if (c == separator && depth == 0)
            parts.append(QByteArray());
        else
            parts.last() += c;
    }
    if (quoted || depth != 0)
        return std::nullopt;
    return parts;
}

std::optional<QByteArray> unquote(const QByteArray &text)
{
    if (!text.startsWith('"'))
        return isPlain(text) ? std::optional(text) : std::nullopt;
    QByteArray result;
    for (qsizetype i = 1; i < text.size(); ++i) {
        if (text[i] == '"')
            return i == text.size() - 1 ? std::optional(result) : std::nullopt;
        if (text[i] == '\\' && ++i == text.size())
            return std::nullopt;
        result += text[i];
    }
    return std::nullopt;
}

std::optional<Raw> readAssignment(const QByteArray &text)
{
    const qsizetype equals = text.indexOf('=');
    if (equals <= 0)
        return std::nullopt;
    const auto value = unquote(text.mid(equals + 1).trimmed());
    if (!value)
        return std::nullopt;
    return Raw{text.left(equals).trimmed(), *value, Form::Text};
}

/// A JSON number as the text form would have it: plain digits where it is one, with one decimal more than any value
/// takes, so that too many are seen and refused.
QByteArray numberText(const QJsonValue &value)
{
    const double number = value.toDouble();
    if (const qint64 integer = value.toInteger(); static_cast<double>(integer) == number)
        return QByteArray::number(integer);
    constexpr double largestPlain = 1e15;
    if (std::abs(number) >= largestPlain)
        return QByteArray::number(number);
    QByteArray text = QByteArray::number(number, 'f', 7);
    while (text.endsWith('0'))
        text.chop(1);
    // Smaller than all the decimals: not nothing, but a number that nobody here reads.
    return text.endsWith('.') ? QByteArray::number(number) : text;
}

std::optional<FaultError> readJsonValues(const QJsonObject &object, const QString &path, QLatin1StringView except,
                                         QList<Raw> *values)
{
    for (auto it = object.begin(); it != object.end(); ++it) {
        if (it.key() == except)
            continue;
        const QJsonValue value = it.value();
        if (value.isString()) {
            values->append({it.key().toUtf8(), value.toString().toUtf8(), Form::JsonString});
        } else if (value.isDouble()) {
            values->append({it.key().toUtf8(), numberText(value), Form::JsonNumber});
        } else {
            return wrong(path + QLatin1Char('.') + shown(it.key().toUtf8()),
                         QStringLiteral("must be a number or a string"));
        }
    }
    return std::nullopt;
}

} // namespace fault_grammar

using namespace fault_grammar;

FaultResult parseFault(QByteArrayView spec)
{
    if (spec.isEmpty())
        return malformed(QStringLiteral("is empty; expected placement:manifestation"));
    if (spec.size() > maxSpecLength)
        return malformed(QStringLiteral("is longer than %1 characters").arg(maxSpecLength));
    const auto parts = split(spec, ':');
    if (!parts)
        return malformed(QStringLiteral("has a quote or parenthesis that does not close"));
    if (parts->size() < 2)
        return malformed(QStringLiteral("needs placement:manifestation"));

    RawFault raw;
    raw.placement = parts->at(0);
    const QByteArray &manifestation = parts->at(1);
    const qsizetype open = manifestation.indexOf('(');
    raw.kind = open < 0 ? manifestation : manifestation.first(open);
    if (open >= 0) {
        if (!manifestation.endsWith(')'))
            return malformed(QStringLiteral("has text after the parenthesis of %1").arg(shown(raw.kind)));
        const auto inner = split(QByteArrayView(manifestation).sliced(open + 1, manifestation.size() - open - 2), ',');
        if (!inner)
            return malformed(QStringLiteral("has a quote or parenthesis that does not close"));
        for (const QByteArray &part : *inner) {
            const auto parameter = readAssignment(part);
            if (!parameter)
                return malformed(QStringLiteral("parameter %1 is not name=value").arg(shown(part)));
            raw.parameters.append(*parameter);
        }
    }
    for (const QByteArray &part : parts->mid(2)) {
        const auto selector = readAssignment(part);
        if (!selector)
            return malformed(QStringLiteral("selector %1 is not name=value").arg(shown(part)));
        raw.selectors.append(*selector);
    }
    return validate(raw);
}

FaultResult parseFault(const QJsonObject &json)
{
    for (auto it = json.begin(); it != json.end(); ++it) {
        if (it.key() != QLatin1StringView("placement") && it.key() != QLatin1StringView("manifestation") &&
            it.key() != QLatin1StringView("selector"))
            return wrong(shown(it.key().toUtf8()), QStringLiteral("is not a member of a fault"));
    }
    RawFault raw;
    const QJsonValue placement = json.value(QLatin1StringView("placement"));
    if (!placement.isString())
        return wrong(QStringLiteral("placement"), QStringLiteral("must be a string"));
    raw.placement = placement.toString().toUtf8();

    const QJsonValue manifestation = json.value(QLatin1StringView("manifestation"));
    if (!manifestation.isObject())
        return wrong(QStringLiteral("manifestation"), QStringLiteral("must be an object"));
    const QJsonValue kind = manifestation.toObject().value(QLatin1StringView("kind"));
    if (!kind.isString())
        return wrong(QStringLiteral("manifestation.kind"), QStringLiteral("must be a string"));
    raw.kind = kind.toString().toUtf8();
    if (auto error = readJsonValues(manifestation.toObject(), QStringLiteral("manifestation"),
                                    QLatin1StringView("kind"), &raw.parameters))
        return *error;

    const QJsonValue selector = json.value(QLatin1StringView("selector"));
    if (!selector.isUndefined() && !selector.isObject())
        return wrong(QStringLiteral("selector"), QStringLiteral("must be an object"));
    if (auto error =
            readJsonValues(selector.toObject(), QStringLiteral("selector"), QLatin1StringView(), &raw.selectors))
        return *error;
    return validate(raw);
}

} // namespace mockbank
