#include "mock-server/http/list_query.h"

#include <QtCore/QDateTime>
#include <QtCore/QRegularExpression>

#include <limits>

namespace mockbank {

namespace {

constexpr int maxListLimit = 500;
constexpr qsizetype maxTerminalId = 64;

std::optional<qint64> readCount(const QByteArray &text, qint64 low, qint64 high)
{
    const bool digits = !text.isEmpty() && text.size() <= 19 &&
                        std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
    bool fits = false;
    const qint64 value = text.toLongLong(&fits);
    return digits && fits && value >= low && value <= high ? std::optional(value) : std::nullopt;
}

/// RFC 3339, section 5.6. An offset has to be there: which day a charge falls on depends on it.
std::optional<qint64> readMoment(const QByteArray &text)
{
    static const QRegularExpression shape(
        QStringLiteral("^\\d{4}-\\d\\d-\\d\\d[Tt]\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?([Zz]|[+-]\\d\\d:\\d\\d)$"));
    const QString string = QString::fromLatin1(text);
    if (!shape.match(string).hasMatch())
        return std::nullopt;
    const QDateTime at = QDateTime::fromString(string.toUpper(), Qt::ISODateWithMs);
    return at.isValid() ? std::optional(at.toMSecsSinceEpoch()) : std::nullopt;
}

/// Empty where the value was taken.
QString takeListValue(const QByteArray &name, const QByteArray &value, ListArrival *arrival)
{
    if (name == "after") {
        const auto after = readCount(value, 0, std::numeric_limits<qint64>::max());
        arrival->after = after.value_or(0);
        return after ? QString() : QStringLiteral("must be a cursor from `next`, or 0");
    }
    if (name == "limit") {
        const auto limit = readCount(value, 1, maxListLimit);
        arrival->limit = static_cast<int>(limit.value_or(1));
        return limit ? QString() : QStringLiteral("must be from 1 to %1").arg(maxListLimit);
    }
    if (name == "terminal_id") {
        arrival->terminalId = QString::fromUtf8(value);
        const bool possible = !value.isEmpty() && arrival->terminalId.size() <= maxTerminalId;
        return possible ? QString() : QStringLiteral("must have 1 to %1 characters").arg(maxTerminalId);
    }
    if (name == "from" || name == "to") {
        const auto moment = readMoment(value);
        (name == "from" ? arrival->fromMs : arrival->beforeMs) = moment;
        return moment ? QString() : QStringLiteral("must be a time as in 2026-04-01T00:00:00+09:00 (its + as %2B)");
    }
    return QStringLiteral("is not a parameter of this call");
}

} // namespace

std::variant<ListArrival, Problem> readListQuery(const QByteArray &query)
{
    const auto flaw = [](const QByteArray &name, const QString &detail) {
        return Problem{400,
                       QByteArrayLiteral("invalid-request"),
                       QStringLiteral("A parameter is wrong"),
                       QString::fromUtf8(name) + QLatin1Char(' ') + detail,
                       false,
                       name,
                       {}};
    };
    ListArrival arrival;
    QByteArrayList seen;
    const QByteArrayList pairs = query.isEmpty() ? QByteArrayList() : query.split('&');
    for (const QByteArray &pair : pairs) {
        const qsizetype equals = pair.indexOf('=');
        const QByteArray name = QByteArray::fromPercentEncoding(equals < 0 ? pair : pair.first(equals)).left(60);
        if (seen.contains(name))
            return flaw(name, QStringLiteral("is given twice"));
        seen.append(name);
        const QByteArray value = equals < 0 ? QByteArray() : QByteArray::fromPercentEncoding(pair.mid(equals + 1));
        if (const QString detail = takeListValue(name, value, &arrival); !detail.isEmpty())
            return flaw(name, detail);
    }
    if (arrival.fromMs && arrival.beforeMs && *arrival.fromMs > *arrival.beforeMs)
        return flaw("to", QStringLiteral("must not be before `from`"));
    return arrival;
}

} // namespace mockbank
