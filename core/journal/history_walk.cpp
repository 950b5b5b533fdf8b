#include "core/journal/history_walk.h"

#include "core/journal/sqlite_connection.h"

#include <QtSql/QSqlError>

#include <algorithm>

namespace ikkai {

namespace history_walk {

/// Some milliseconds of work on an ordinary till.
constexpr int rowsPerStep = 20'000;

JournalError damagedRow(const QString &file, const QSqlQuery &row)
{
    return {JournalError::Kind::Corrupt, file,
            QStringLiteral("the row of checkout %1 cannot be read").arg(row.value(0).toString())};
}

std::optional<IdempotencyKey> keyOrNone(const QVariant &value)
{
    const auto key = IdempotencyKey::parse(value.toString());
    return key ? std::optional(key.value()) : std::nullopt;
}

/// Columns: historyColumns().
std::optional<HistoryRow> rowOf(const QSqlQuery &row)
{
    const auto key = IdempotencyKey::parse(row.value(0).toString());
    const auto order = OrderId::parse(row.value(1).toString());
    const auto currency = Currency::parse(row.value(3).toString());
    const auto source = SourceId::parse(row.value(4).toString());
    if (!key || !order || !currency || !source)
        return std::nullopt;
    const auto money = Money::ofMinor(row.value(2).toLongLong(), currency.value());
    if (!money)
        return std::nullopt;
    return HistoryRow{key.value(),
                      order.value(),
                      money.value(),
                      source->text(),
                      row.value(5).toString(),
                      row.value(6).toString(),
                      row.value(7).toInt(),
                      row.value(8).toInt(),
                      row.value(9).toLongLong(),
                      row.value(10).toLongLong(),
                      row.value(11).isNull() ? std::nullopt : std::optional(row.value(11).toLongLong()),
                      row.value(12).toString(),
                      row.value(13).toString(),
                      row.value(14).toString(),
                      keyOrNone(row.value(15))};
}

} // namespace history_walk

HistoryWalk::HistoryWalk(SqliteConnection &database, const HistoryFilter &filter, const BusinessCalendar &calendar,
                         const std::optional<IdempotencyKey> &after)
    : m_database(database)
    , m_query(filter, calendar)
{
    if (after)
        m_rest.below = after->text();
}

std::optional<JournalError> HistoryWalk::read(int limit, QList<HistoryRow> &rows)
{
    if (const auto error = narrowToDay())
        return error;
    const auto bound = boundOf(history_walk::rowsPerStep);
    if (!bound)
        return bound.error();
    if (m_isAtEnd)
        return std::nullopt;
    const HistoryStatement statement = m_query.rows({*bound, m_rest.below}, limit);
    const auto asked = m_database.ask(statement.sql, statement.values);
    if (!asked)
        return asked.error();
    QSqlQuery &query = **asked;
    int found = 0;
    std::optional<JournalError> error;
    QString last;
    while (!error && query.next()) {
        if (const auto row = history_walk::rowOf(query)) {
            rows << *row;
            last = row->key.text();
            ++found;
        } else {
            error = history_walk::damagedRow(m_database.file(), query);
        }
    }
    if (!error && query.lastError().isValid())
        error = journalErrorOf(query.lastError(), m_database.file());
    query.finish();
    if (error)
        return error;
    m_rest.below = found == limit ? last : *bound;
    m_isAtEnd = m_rest.below <= m_rest.from;
    return std::nullopt;
}

std::optional<JournalError> HistoryWalk::count(qint64 &total)
{
    if (const auto error = narrowToDay())
        return error;
    const auto bound = boundOf(history_walk::rowsPerStep);
    if (!bound)
        return bound.error();
    if (m_isAtEnd)
        return std::nullopt;
    const HistoryStatement statement = m_query.count({*bound, m_rest.below});
    const auto number = m_database.number(statement.sql, statement.values);
    if (!number)
        return number.error();
    total += *number;
    m_rest.below = *bound;
    m_isAtEnd = m_rest.below <= m_rest.from;
    return std::nullopt;
}

std::optional<JournalError> HistoryWalk::narrowToDay()
{
    const auto statement = m_isNarrowed ? std::nullopt : m_query.rangeOfDay();
    m_isNarrowed = true;
    if (!statement)
        return std::nullopt;
    const auto asked = m_database.ask(statement->sql, statement->values);
    if (!asked)
        return asked.error();
    QSqlQuery &query = **asked;
    if (query.next() && !query.isNull(0)) {
        m_rest.from = query.value(0).toString();
        // A blank sorts behind the key itself and before every other key.
        m_rest.below = std::min(m_rest.below, QString(query.value(1).toString() + QLatin1Char(' ')));
    } else {
        m_isAtEnd = true;
    }
    const QSqlError error = query.lastError();
    query.finish();
    m_isAtEnd = m_isAtEnd || m_rest.below <= m_rest.from;
    return error.isValid() ? std::optional(journalErrorOf(error, m_database.file())) : std::nullopt;
}

Result<QString, JournalError> HistoryWalk::boundOf(int most)
{
    QString bound = m_rest.from;
    if (!m_query.skipsRows() || m_isAtEnd)
        return bound;
    for (const HistoryStatement &statement : m_query.bounds(m_rest, most)) {
        const auto asked = m_database.ask(statement.sql, statement.values);
        if (!asked)
            return asked.error();
        QSqlQuery &query = **asked;
        if (query.next() && query.value(1).toInt() == most)
            bound = std::max(bound, query.value(0).toString());
        const QSqlError error = query.lastError();
        query.finish();
        if (error.isValid())
            return journalErrorOf(error, m_database.file());
    }
    return bound;
}

} // namespace ikkai
