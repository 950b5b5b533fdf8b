#include "mock-server/faults/fault.h"

#include "mock-server/faults/fault_table.h"

#include <QtCore/QJsonValue>
#include <QtCore/QList>

#include <algorithm>
#include <array>

namespace mockbank {

namespace fault_grammar {

constexpr int maxDurationMs = 600'000;
constexpr int maxCount = 1'000'000;
constexpr qsizetype maxRetryAfterLength = 100;
constexpr qsizetype maxSpecLength = 500;

template <typename Value>
struct Word {
    const char *name;
    Value value;
};

constexpr std::array placements{
    Word<Placement>{"unread", Placement::Unread},
    Word<Placement>{"before_commit", Placement::BeforeCommit},
    Word<Placement>{"after_commit", Placement::AfterCommit},
    Word<Placement>{"mid_answer", Placement::MidAnswer},
};

constexpr std::array manifestations{
    Word<ManifestationKind>{"hold", ManifestationKind::Hold},
    Word<ManifestationKind>{"fin", ManifestationKind::Fin},
    Word<ManifestationKind>{"rst", ManifestationKind::Rst},
    Word<ManifestationKind>{"delay", ManifestationKind::Delay},
    Word<ManifestationKind>{"status", ManifestationKind::Status},
    Word<ManifestationKind>{"restart", ManifestationKind::Restart},
};

constexpr std::array bodies{
    Word<MadeUpBody>{"problem", MadeUpBody::Problem},
    Word<MadeUpBody>{"html", MadeUpBody::Html},
};

constexpr std::array cutPlaces{
    Word<CutPoint::Kind>{"status_line", CutPoint::Kind::StatusLine},
    Word<CutPoint::Kind>{"headers", CutPoint::Kind::HeaderLines},
    Word<CutPoint::Kind>{"body", CutPoint::Kind::Body},
};

// Words of the one grammar that this bank does not play yet. They are told apart from misspelt ones, so that the
// writer of a rule is not sent looking for a typing error.
constexpr std::array laterPlacements{"connect", "in_transit", "half_way", "late"};
constexpr std::array laterManifestations{
    "refuse",           "drop",         "twice",      "dribble",    "bandwidth", "busy",     "garbage",
    "half_status_line", "half_headers", "short_body", "long_body",  "bad_chunk", "html_200", "bad_json",
    "wrong_shape",      "wrong_echo",   "redirect",   "clock_skew", "expire_key"};
constexpr std::array laterSelectors{"skip",   "every", "key",         "terminal", "order", "source",
                                    "amount", "route", "probability", "seed",     "for_s", "until"};
constexpr std::array laterDelayParameters{"uniform", "lognormal", "exponential", "min_ms",  "max_ms",
                                          "median",  "sigma",     "mean",        "mean_ms", "median_ms"};

/// A value as it was written, before it is known what it must be.
struct Raw {
    QByteArray name;
    QByteArray text;
    bool quotedJson = false; ///< a JSON string, where a number may be demanded
};

/// Both forms, text and JSON, become this; there is one validation behind them.
struct RawFault {
    QByteArray placement;
    QByteArray kind;
    QList<Raw> parameters;
    QList<Raw> selectors;
};

FaultError error(QLatin1StringView member, const QString &detail)
{
    return {member, detail};
}

FaultError error(const QString &member, const QString &detail)
{
    return {member, detail};
}

QString shown(QByteArrayView text)
{
    constexpr qsizetype longest = 40;
    QString result = QString::fromUtf8(text.first(std::min(longest, text.size())));
    for (QChar &c : result) {
        if (!c.isPrint())
            c = QLatin1Char('?');
    }
    return text.size() > longest ? result + QStringLiteral("...") : result;
}

template <typename Table>
QString wordList(const Table &table)
{
    QString list;
    for (const auto &word : table)
        list += (list.isEmpty() ? QString() : QStringLiteral(", ")) + QString::fromLatin1(word.name);
    return list;
}

template <typename Value, std::size_t N>
std::optional<Value> find(const std::array<Word<Value>, N> &table, const QByteArray &name)
{
    for (const auto &word : table) {
        if (name == word.name)
            return word.value;
    }
    return std::nullopt;
}

template <typename Value, std::size_t N>
QByteArray nameOf(const std::array<Word<Value>, N> &table, Value value)
{
    for (const auto &word : table) {
        if (word.value == value)
            return word.name;
    }
    return {};
}

template <std::size_t N>
bool contains(const std::array<const char *, N> &words, const QByteArray &name)
{
    return std::ranges::any_of(words, [&](const char *word) { return name == word; });
}

QString unknownOrLater(const QByteArray &name, bool later, const QString &known)
{
    if (later)
        return QStringLiteral("%1 is not offered yet").arg(shown(name));
    return QStringLiteral("%1 is not known; offered: %2")
        .arg(name.isEmpty() ? QStringLiteral("(nothing)") : shown(name), known);
}

std::optional<FaultError> readInteger(const Raw &raw, const QString &member, int low, int high, int *value)
{
    const bool digits = !raw.text.isEmpty() && raw.text.size() <= 9 &&
                        std::ranges::all_of(raw.text, [](char c) { return c >= '0' && c <= '9'; });
    if (digits && !raw.quotedJson) {
        const int number = raw.text.toInt();
        if (number >= low && number <= high) {
            *value = number;
            return std::nullopt;
        }
    }
    return error(member,
                 QStringLiteral("must be an integer from %1 to %2, not %3").arg(low).arg(high).arg(shown(raw.text)));
}

std::optional<FaultError> readCutPoint(const Raw &raw, const QString &member, CutPoint *at)
{
    if (const auto place = find(cutPlaces, raw.text)) {
        *at = CutPoint{*place, 0, 0};
        return std::nullopt;
    }
    const FaultError wrong =
        error(member, QStringLiteral("must be a byte count, a fraction from 0.0 to below 1, or one of %1, not %2")
                          .arg(wordList(cutPlaces), shown(raw.text)));
    if (raw.quotedJson)
        return wrong;
    const qsizetype dot = raw.text.indexOf('.');
    if (dot < 0) {
        CutPoint bytes{CutPoint::Kind::Bytes, 0, 0};
        if (readInteger(raw, member, 0, maxCount, &bytes.bytes))
            return wrong;
        *at = bytes;
        return std::nullopt;
    }
    QByteArray decimals = raw.text.mid(dot + 1);
    if (raw.text.left(dot) != "0" || decimals.isEmpty() || decimals.size() > 6)
        return wrong;
    CutPoint fraction{CutPoint::Kind::Fraction, 0, 0};
    if (readInteger({raw.name, decimals.leftJustified(6, '0'), false}, member, 0, 999'999, &fraction.millionths))
        return wrong;
    *at = fraction.millionths == 0 ? CutPoint{CutPoint::Kind::Bytes, 0, 0} : fraction;
    return std::nullopt;
}

std::optional<FaultError> readRetryAfter(const Raw &raw, const QString &member, QByteArray *value)
{
    // Anything a header value can be, malformed dates on purpose; but never a line break, which would add headers.
    const bool fits = !raw.text.isEmpty() && raw.text.size() <= maxRetryAfterLength &&
                      std::ranges::all_of(raw.text, [](char c) { return c >= 0x20 && c <= 0x7e; }) &&
                      raw.text.trimmed() == raw.text;
    if (!fits)
        return error(member, QStringLiteral("must be 1 to %1 visible ASCII characters").arg(maxRetryAfterLength));
    *value = raw.text;
    return std::nullopt;
}

std::optional<FaultError> readParameter(const Raw &raw, Placement placement, Manifestation *manifestation)
{
    const ManifestationKind kind = manifestation->kind;
    const QString member = QStringLiteral("manifestation.") + shown(raw.name);
    const bool timed = kind == ManifestationKind::Delay || kind == ManifestationKind::Restart;
    if (raw.name == "ms" && timed)
        return readInteger(raw, member, 0, maxDurationMs, &manifestation->durationMs);
    if (raw.name == "at" && placement == Placement::MidAnswer)
        return readCutPoint(raw, member, &manifestation->at);
    if (raw.name == "at")
        return error(member, QStringLiteral("only mid_answer takes at="));
    if (kind == ManifestationKind::Status) {
        if (raw.name == "code")
            return readInteger(raw, member, 400, 599, &manifestation->code);
        if (raw.name == "retry_after")
            return readRetryAfter(raw, member, &manifestation->retryAfter);
        if (raw.name == "body") {
            const auto body = find(bodies, raw.text);
            if (!body)
                return error(member, unknownOrLater(raw.text, false, wordList(bodies)));
            manifestation->body = *body;
            return std::nullopt;
        }
    }
    const bool later = kind == ManifestationKind::Delay && contains(laterDelayParameters, raw.name);
    return error(
        member,
        later ? QStringLiteral("%1 is not offered yet").arg(shown(raw.name))
              : QStringLiteral("%1 takes no such parameter").arg(QString::fromLatin1(nameOf(manifestations, kind))));
}

std::optional<QByteArray> firstTwice(const QList<Raw> &values)
{
    for (qsizetype i = 0; i < values.size(); ++i) {
        for (qsizetype j = 0; j < i; ++j) {
            if (values[i].name == values[j].name)
                return values[i].name;
        }
    }
    return std::nullopt;
}

/// Verdicts that hang on the bytes of the request alone: a client may take them as "never charged".
bool saysNotExecuted(int code)
{
    return code == 400 || code == 404 || code == 405 || code == 413 || code == 415 || code == 431;
}

FaultResult validate(const RawFault &raw)
{
    Fault fault;
    const auto placement = find(placements, raw.placement);
    if (!placement) {
        return error(QLatin1StringView("placement"),
                     unknownOrLater(raw.placement, contains(laterPlacements, raw.placement), wordList(placements)));
    }
    fault.placement = *placement;

    const auto kind = find(manifestations, raw.kind);
    if (!kind) {
        return error(QLatin1StringView("manifestation.kind"),
                     unknownOrLater(raw.kind, contains(laterManifestations, raw.kind), wordList(manifestations)));
    }
    fault.manifestation.kind = *kind;
    if (!faultTruth(*placement, *kind)) {
        return error(QLatin1StringView("manifestation.kind"),
                     QStringLiteral("%1 cannot happen at %2")
                         .arg(QString::fromLatin1(raw.kind), QString::fromLatin1(raw.placement)));
    }

    if (const auto twice = firstTwice(raw.parameters))
        return error(QStringLiteral("manifestation.") + shown(*twice), QStringLiteral("is given twice"));
    bool timeGiven = false;
    for (const Raw &parameter : raw.parameters) {
        if (auto wrong = readParameter(parameter, fault.placement, &fault.manifestation))
            return *wrong;
        timeGiven = timeGiven || parameter.name == "ms";
    }
    if (fault.placement == Placement::AfterCommit && *kind == ManifestationKind::Status &&
        fault.manifestation.body == MadeUpBody::Problem && saysNotExecuted(fault.manifestation.code)) {
        return error(
            QLatin1StringView("manifestation.code"),
            QStringLiteral("%1 in the bank's own words says that nothing was executed, which after_commit makes "
                           "a lie no client can see through; take body=html")
                .arg(fault.manifestation.code));
    }
    if ((*kind == ManifestationKind::Delay || *kind == ManifestationKind::Restart) && !timeGiven)
        return error(QLatin1StringView("manifestation.ms"), QStringLiteral("is needed, in milliseconds"));

    if (const auto twice = firstTwice(raw.selectors))
        return error(QStringLiteral("selector.") + shown(*twice), QStringLiteral("is given twice"));
    for (const Raw &selector : raw.selectors) {
        const QString member = QStringLiteral("selector.") + shown(selector.name);
        int value = 0;
        if (selector.name != "next" && selector.name != "attempt") {
            return error(member, unknownOrLater(selector.name, contains(laterSelectors, selector.name),
                                                QStringLiteral("next, attempt")));
        }
        if (auto wrong = readInteger(selector, member, 1, maxCount, &value))
            return *wrong;
        (selector.name == "next" ? fault.selector.next : fault.selector.attempt) = value;
    }
    return fault;
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
    if (!text.startsWith('"')) {
        const bool plain = std::ranges::all_of(text, [](char c) {
            return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' ||
                   c == '+' || c == '-';
        });
        return plain && !text.isEmpty() ? std::optional(text) : std::nullopt;
    }
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
    return Raw{text.left(equals).trimmed(), *value, false};
}

FaultError malformed(const QString &detail)
{
    return error(QLatin1StringView("spec"), detail);
}

/// A JSON number as the text form would have it: no exponents, no more decimals than a cut point takes and one, so that
/// too many are seen and refused.
QByteArray numberText(double number)
{
    constexpr double largestPlain = 1e15;
    if (number < 0 || number >= largestPlain)
        return QByteArray::number(number);
    QByteArray text = QByteArray::number(number, 'f', 7);
    while (text.endsWith('0'))
        text.chop(1);
    return text.endsWith('.') ? text.chopped(1) : text;
}

std::optional<FaultError> readJsonValues(const QJsonObject &object, const QString &path, QLatin1StringView except,
                                         QList<Raw> *values)
{
    for (auto it = object.begin(); it != object.end(); ++it) {
        if (it.key() == except)
            continue;
        const QJsonValue value = it.value();
        if (value.isString()) {
            values->append({it.key().toUtf8(), value.toString().toUtf8(), true});
        } else if (value.isDouble()) {
            values->append({it.key().toUtf8(), numberText(value.toDouble()), false});
        } else {
            return error(path + QLatin1Char('.') + shown(it.key().toUtf8()),
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
            return error(shown(it.key().toUtf8()), QStringLiteral("is not a member of a fault"));
    }
    RawFault raw;
    const QJsonValue placement = json.value(QLatin1StringView("placement"));
    if (!placement.isString())
        return error(QLatin1StringView("placement"), QStringLiteral("must be a string"));
    raw.placement = placement.toString().toUtf8();

    const QJsonValue manifestation = json.value(QLatin1StringView("manifestation"));
    if (!manifestation.isObject())
        return error(QLatin1StringView("manifestation"), QStringLiteral("must be an object"));
    const QJsonValue kind = manifestation.toObject().value(QLatin1StringView("kind"));
    if (!kind.isString())
        return error(QLatin1StringView("manifestation.kind"), QStringLiteral("must be a string"));
    raw.kind = kind.toString().toUtf8();
    if (auto wrong = readJsonValues(manifestation.toObject(), QStringLiteral("manifestation"),
                                    QLatin1StringView("kind"), &raw.parameters))
        return *wrong;

    const QJsonValue selector = json.value(QLatin1StringView("selector"));
    if (!selector.isUndefined() && !selector.isObject())
        return error(QLatin1StringView("selector"), QStringLiteral("must be an object"));
    if (auto wrong =
            readJsonValues(selector.toObject(), QStringLiteral("selector"), QLatin1StringView(), &raw.selectors))
        return *wrong;
    return validate(raw);
}

QByteArray placementName(Placement placement)
{
    return nameOf(placements, placement);
}

QByteArray manifestationName(ManifestationKind kind)
{
    return nameOf(manifestations, kind);
}

namespace {

QByteArray printCutPoint(const CutPoint &at)
{
    if (at.kind == CutPoint::Kind::Bytes)
        return QByteArray::number(at.bytes);
    if (at.kind != CutPoint::Kind::Fraction)
        return nameOf(cutPlaces, at.kind);
    QByteArray decimals = QByteArray::number(at.millionths).rightJustified(6, '0');
    while (decimals.size() > 1 && decimals.endsWith('0'))
        decimals.chop(1);
    return "0." + decimals;
}

QByteArray quoteIfNeeded(const QByteArray &value)
{
    if (unquote(value))
        return value.startsWith('"') ? '"' + QByteArray(value).replace('\\', "\\\\").replace('"', "\\\"") + '"' : value;
    return '"' + QByteArray(value).replace('\\', "\\\\").replace('"', "\\\"") + '"';
}

} // namespace

QByteArray printFault(const Fault &fault)
{
    const Manifestation &m = fault.manifestation;
    QByteArrayList parameters;
    if (fault.placement == Placement::MidAnswer && m.at != CutPoint())
        parameters += "at=" + printCutPoint(m.at);
    if (m.kind == ManifestationKind::Delay || m.kind == ManifestationKind::Restart)
        parameters += "ms=" + QByteArray::number(m.durationMs);
    if (m.kind == ManifestationKind::Status) {
        parameters += "code=" + QByteArray::number(m.code);
        if (m.body != MadeUpBody::Problem)
            parameters += "body=" + nameOf(bodies, m.body);
        if (!m.retryAfter.isEmpty())
            parameters += "retry_after=" + quoteIfNeeded(m.retryAfter);
    }
    QByteArray spec = placementName(fault.placement) + ':' + manifestationName(m.kind);
    if (!parameters.isEmpty())
        spec += '(' + parameters.join(',') + ')';
    if (fault.selector.attempt)
        spec += ":attempt=" + QByteArray::number(*fault.selector.attempt);
    if (fault.selector.next)
        spec += ":next=" + QByteArray::number(*fault.selector.next);
    return spec;
}

QJsonObject faultToJson(const Fault &fault)
{
    const Manifestation &m = fault.manifestation;
    QJsonObject manifestation{{QStringLiteral("kind"), QString::fromLatin1(manifestationName(m.kind))}};
    if (fault.placement == Placement::MidAnswer) {
        QJsonValue at(QString::fromLatin1(printCutPoint(m.at)));
        if (m.at.kind == CutPoint::Kind::Bytes)
            at = m.at.bytes;
        else if (m.at.kind == CutPoint::Kind::Fraction)
            at = m.at.millionths / 1e6;
        manifestation.insert(QStringLiteral("at"), at);
    }
    if (m.kind == ManifestationKind::Delay || m.kind == ManifestationKind::Restart)
        manifestation.insert(QStringLiteral("ms"), m.durationMs);
    if (m.kind == ManifestationKind::Status) {
        manifestation.insert(QStringLiteral("code"), m.code);
        manifestation.insert(QStringLiteral("body"), QString::fromLatin1(nameOf(bodies, m.body)));
        if (!m.retryAfter.isEmpty())
            manifestation.insert(QStringLiteral("retry_after"), QString::fromLatin1(m.retryAfter));
    }
    QJsonObject selector;
    if (fault.selector.attempt)
        selector.insert(QStringLiteral("attempt"), *fault.selector.attempt);
    if (fault.selector.next)
        selector.insert(QStringLiteral("next"), *fault.selector.next);
    return {{QStringLiteral("placement"), QString::fromLatin1(placementName(fault.placement))},
            {QStringLiteral("manifestation"), manifestation},
            {QStringLiteral("selector"), selector}};
}

qsizetype cutOffset(const CutPoint &at, QByteArrayView head, qsizetype bodyLength)
{
    const qsizetype total = head.size() + bodyLength;
    const qsizetype statusLine = head.indexOf('\n') + 1;
    qsizetype offset = 0;
    switch (at.kind) {
    case CutPoint::Kind::Bytes:
        offset = at.bytes;
        break;
    case CutPoint::Kind::Fraction:
        offset = total * at.millionths / 1'000'000;
        break;
    case CutPoint::Kind::StatusLine:
        offset = statusLine / 2;
        break;
    case CutPoint::Kind::HeaderLines:
        offset = statusLine + (head.size() - statusLine) / 2;
        break;
    case CutPoint::Kind::Body:
        offset = head.size() + bodyLength / 2;
        break;
    }
    return std::clamp<qsizetype>(offset, 0, std::max<qsizetype>(total - 1, 0));
}

} // namespace mockbank
