#include "core/closing/our_rows.h"

#include "core/journal/sqlite_connection.h"

#include <QtSql/QSqlError>

#include <algorithm>
#include <limits>

namespace ikkai {

OurRows::OurRows(SqliteConnection &database)
    : m_database(database)
{
}

Result<QString, JournalError> OurRows::newestLedger()
{
    const auto asked = m_database.ask(
        QStringLiteral("SELECT ledger_id FROM checkout WHERE ledger_id IS NOT NULL ORDER BY key DESC LIMIT 1"));
    if (!asked)
        return asked.error();
    const QString ledger = (*asked)->next() ? (*asked)->value(0).toString() : QString();
    (*asked)->finish();
    return ledger;
}

std::optional<JournalError> OurRows::read(const QString &condition, QVariantList values, std::vector<OurRow> &rows,
                                          const std::function<void(qint64)> &tell)
{
    values << m_ledgerId << m_ledgerId;
    const auto asked = m_database.ask(
        QStringLiteral("SELECT key, order_id, amount, currency, state, created_ms FROM checkout WHERE %1 "
                       "AND (? = '' OR ledger_id IS NULL OR ledger_id = ?)")
            .arg(condition),
        values);
    if (!asked)
        return asked.error();
    QSqlQuery &query = **asked;
    constexpr size_t rowsBetweenWords = 10'000;
    while (query.next()) {
        rows.push_back({query.value(0).toString(), query.value(1).toString(), query.value(2).toLongLong(),
                        query.value(3).toString(), query.value(4).toString(), query.value(5).toLongLong()});
        if (tell && rows.size() % rowsBetweenWords == 0)
            tell(static_cast<qint64>(rows.size()));
    }
    const QSqlError failed = query.lastError();
    query.finish();
    if (failed.isValid())
        return journalErrorOf(failed, m_database.file());
    return std::nullopt;
}

std::optional<JournalError> OurRows::readStarted(qint64 fromWallMs, qint64 toWallMs, std::vector<OurRow> &rows,
                                                 const std::function<void(qint64)> &tell)
{
    const qint64 endMs = toWallMs == 0 ? std::numeric_limits<qint64>::max() : toWallMs;
    return read(QStringLiteral("created_ms >= ? AND created_ms < ?"), {fromWallMs, endMs}, rows, tell);
}

Result<qint64, JournalError> OurRows::countStarted(qint64 fromWallMs, qint64 toWallMs)
{
    const qint64 endMs = toWallMs == 0 ? std::numeric_limits<qint64>::max() : toWallMs;
    return m_database.number(QStringLiteral("SELECT count(*) FROM checkout WHERE created_ms >= ? AND created_ms < ?"),
                             {fromWallMs, endMs});
}

std::optional<JournalError> OurRows::readKeys(const QSet<QString> &keys, std::vector<OurRow> &rows)
{
    for (const QString &key : keys) {
        if (auto error = read(QStringLiteral("key = ?"), {key}, rows))
            return error;
    }
    return std::nullopt;
}

std::optional<JournalError> OurRows::readOrders(const QSet<QString> &orders, std::vector<OurRow> &rows)
{
    for (const QString &order : orders) {
        if (auto error = read(QStringLiteral("order_id = ?"), {order}, rows))
            return error;
    }
    return std::nullopt;
}

Result<qint64, JournalError> OurRows::defaultFromWallMs(const BusinessCalendar &calendar)
{
    std::optional<qint64> fromMs;
    const auto oldest = m_database.ask(QStringLiteral("SELECT min(created_ms) FROM checkout WHERE open = 1"));
    if (!oldest)
        return oldest.error();
    if ((*oldest)->next() && !(*oldest)->isNull(0))
        fromMs = (*oldest)->value(0).toLongLong();
    (*oldest)->finish();

    const auto closed =
        m_database.ask(QStringLiteral("SELECT business_day FROM day_report ORDER BY number DESC LIMIT 1"));
    if (!closed)
        return closed.error();
    const QDate day = (*closed)->next() ? QDate::fromString((*closed)->value(0).toString(), Qt::ISODate) : QDate();
    (*closed)->finish();
    // Without a closed day all of the journal is yet to be compared.
    if (!day.isValid())
        return 0;
    const qint64 startMs = businessDayStartMs(calendar, day);
    return std::min(fromMs.value_or(startMs), startMs);
}

} // namespace ikkai
