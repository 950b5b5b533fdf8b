#include "mock-server/control/journal_calls.h"

#include "mock-server/control/control_json.h"
#include "mock-server/control/har.h"

#include <QtCore/QJsonArray>

#include <limits>

namespace mockbank::journal_calls {

namespace {

constexpr qint64 defaultRecords = 100;
constexpr qint64 maxRecords = 500;

struct Question {
    JournalFilter filter;
    quint64 after = 0;
    int limit = static_cast<int>(defaultRecords);
    bool har = false;
};

std::optional<qint64> plainNumber(const QByteArray &text)
{
    bool isNumber = false;
    const qint64 value = text.toLongLong(&isNumber);
    return isNumber && value >= 0 && text[0] != '+' && text[0] != '-' ? std::optional(value) : std::nullopt;
}

std::variant<Question, Response> readQuestion(const QByteArray &query)
{
    const auto read = readTextQuery(query, QByteArrayList{"after", "limit", "format"} + journalFilterNames());
    if (const auto *refusal = std::get_if<Response>(&read))
        return *refusal;
    Question question;
    const auto &values = std::get<QHash<QByteArray, QByteArray>>(read);
    for (auto it = values.begin(); it != values.end(); ++it) {
        const QString name = QString::fromLatin1(it.key());
        if (it.key() == "after") {
            const auto after = plainNumber(it.value());
            if (!after)
                return unprocessable(name, QStringLiteral("must be an integer from 0"));
            question.after = static_cast<quint64>(*after);
        } else if (it.key() == "limit") {
            const auto limit = plainNumber(it.value());
            if (!limit || *limit < 1 || *limit > maxRecords)
                return unprocessable(name, QStringLiteral("must be from 1 to %1").arg(maxRecords));
            question.limit = static_cast<int>(*limit);
        } else if (it.key() == "format") {
            if (it.value() != "json" && it.value() != "har")
                return unprocessable(name, QStringLiteral("must be json or har"));
            question.har = it.value() == "har";
        } else if (const auto refusal = setCondition(&question.filter, it.key(), it.value(), name)) {
            return *refusal;
        }
    }
    return question;
}

} // namespace

QJsonObject boundsJson(const RequestJournal::Bounds &bounds)
{
    return {{QStringLiteral("oldest"), static_cast<qint64>(bounds.oldest)},
            {QStringLiteral("newest"), static_cast<qint64>(bounds.newest)},
            {QStringLiteral("in_memory"), bounds.inMemory},
            {QStringLiteral("on_disk"), bounds.onDisk},
            {QStringLiteral("memory_bytes"), bounds.memoryBytes},
            {QStringLiteral("disk_bytes"), bounds.diskBytes},
            {QStringLiteral("dropped"), static_cast<qint64>(bounds.dropped)}};
}

void list(RequestJournal &journal, const std::shared_ptr<Exchange> &exchange)
{
    const auto read = readQuestion(exchange->request.query);
    if (const auto *refusal = std::get_if<Response>(&read)) {
        exchange->answer(*refusal);
        return;
    }
    const auto &question = std::get<Question>(read);
    const RequestJournal::Page page = journal.page(question.filter, question.after, question.limit);
    if (question.har) {
        exchange->answer(jsonResponse(200, toHar(page.records, page.next)));
        return;
    }
    QJsonArray records;
    for (const JournalRecord &record : page.records)
        records.append(toJson(record, journal.sameAttempt(record)));
    exchange->answer(jsonResponse(200, {{QStringLiteral("records"), records},
                                        {QStringLiteral("next"), page.next ? QJsonValue(static_cast<qint64>(*page.next))
                                                                           : QJsonValue(QJsonValue::Null)},
                                        {QStringLiteral("kept"), boundsJson(journal.bounds())}}));
}

bool one(RequestJournal &journal, const std::shared_ptr<Exchange> &exchange, const QByteArray &n)
{
    const auto number = plainNumber(n);
    const auto record = number ? journal.find(static_cast<quint64>(*number)) : std::nullopt;
    if (record)
        exchange->answer(jsonResponse(200, toJson(*record, journal.sameAttempt(*record))));
    return record.has_value();
}

} // namespace mockbank::journal_calls
