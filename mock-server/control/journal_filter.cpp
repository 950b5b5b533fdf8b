#include "mock-server/control/journal_filter.h"

#include "mock-server/control/control_json.h"

#include <algorithm>

namespace mockbank {

namespace journal_filter {

QByteArray ruleOf(const JournalRecord &record)
{
    return record.fault.value(QLatin1StringView("rule_id")).toString().toUtf8();
}

/// Digits alone, within bounds.
std::optional<int> numberIn(const QByteArray &text, int low, int high)
{
    bool isNumber = false;
    const int value = text.toInt(&isNumber);
    const bool plain = isNumber && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
    return plain && value >= low && value <= high ? std::optional(value) : std::nullopt;
}

QString namesOf(const auto &names)
{
    QStringList list;
    for (const auto *name : names)
        list.append(QString::fromLatin1(name));
    return list.join(QStringLiteral(", "));
}

} // namespace journal_filter

using namespace journal_filter;

JournalCard::JournalCard(const JournalRecord &record)
    : n(record.n)
    , key(qHash(record.key))
    , order(qHash(record.order))
    , rule(qHash(ruleOf(record)))
    , route(qHash(record.route))
    , attemptId(record.attemptId)
    , attempt(record.attempt)
    , status(record.status)
    , end(record.end)
{
}

bool JournalFilter::matches(const JournalRecord &record) const
{
    return (!key || *key == record.key) && (!route || *route == record.route) && (!order || *order == record.order) &&
           (!status || *status == record.status) && (!rule || *rule == ruleOf(record)) &&
           (!attempt || *attempt == record.attempt) && (!ended || *ended == record.end);
}

bool JournalFilter::mayMatch(const JournalCard &card) const
{
    return (!key || qHash(*key) == card.key) && (!route || qHash(*route) == card.route) &&
           (!order || qHash(*order) == card.order) && (!status || *status == card.status) &&
           (!rule || qHash(*rule) == card.rule) && (!attempt || *attempt == card.attempt) &&
           (!ended || *ended == card.end);
}

const QByteArrayList &journalFilterNames()
{
    static const QByteArrayList names{"key", "route", "order", "status", "rule", "attempt", "ended"};
    return names;
}

std::optional<Response> setCondition(JournalFilter *filter, const QByteArray &name, const QByteArray &value,
                                     const QString &member)
{
    if (value.isEmpty())
        return unprocessable(member, QStringLiteral("must not be empty"));
    if (name == "key") {
        filter->key = value;
    } else if (name == "order") {
        filter->order = QString::fromUtf8(value);
    } else if (name == "rule") {
        filter->rule = value;
    } else if (name == "route") {
        if (!std::ranges::any_of(JournalRecord::routes, [&](const char *route) { return value == route; }))
            return unprocessable(member, QStringLiteral("must be one of ") + namesOf(JournalRecord::routes));
        filter->route = value;
    } else if (name == "ended") {
        filter->ended = endOf(value);
        if (!filter->ended) {
            return unprocessable(member, QStringLiteral("must be one of open, held, answered, fin, rst, client_gone, "
                                                        "crash, copy, incomplete"));
        }
    } else if (name == "status") {
        filter->status = numberIn(value, 0, 999);
        if (!filter->status || (*filter->status > 0 && *filter->status < 100)) {
            return unprocessable(member,
                                 QStringLiteral("must be a status from 100 to 999, or 0 where none was written"));
        }
    } else {
        filter->attempt = numberIn(value, 0, 9'999'999);
        if (!filter->attempt)
            return unprocessable(member, QStringLiteral("must be an integer from 0 (none sent) to 9999999"));
    }
    return std::nullopt;
}

std::variant<JournalFilter, Response> readFilter(const QJsonValue &json)
{
    JournalFilter filter;
    if (json.isUndefined())
        return filter;
    if (!json.isObject())
        return unprocessable(QStringLiteral("filter"), QStringLiteral("must be an object"));
    const QJsonObject object = json.toObject();
    for (auto it = object.begin(); it != object.end(); ++it) {
        const QByteArray name = it.key().toUtf8();
        const QString member = QStringLiteral("filter.") + it.key().left(60);
        if (!journalFilterNames().contains(name))
            return unprocessable(member, QStringLiteral("is not a condition of the journal"));
        const bool isCount = name == "status" || name == "attempt";
        const auto number = isCount ? exactInteger(it.value(), 0, 9'999'999) : std::nullopt;
        if (isCount && !number)
            return unprocessable(member, QStringLiteral("must be an integer, at least 0"));
        if (!isCount && !it.value().isString())
            return unprocessable(member, QStringLiteral("must be a string"));
        const QByteArray value = isCount ? QByteArray::number(*number) : it.value().toString().toUtf8();
        if (const auto refusal = setCondition(&filter, name, value, member))
            return *refusal;
    }
    return filter;
}

} // namespace mockbank
