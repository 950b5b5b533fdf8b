#include "core/journal/settlement.h"

#include "core/checkout/recovery.h"
#include "core/journal/event_codec.h"
#include "core/journal/projection.h"
#include "core/journal/sqlite_connection.h"

#include <QtSql/QSqlError>

#include <vector>

namespace ikkai {

namespace settlement {

const QString insertion = QStringLiteral(
    "INSERT INTO settlement (key, business_day) VALUES (?, ?) ON CONFLICT (key) DO NOTHING"); // n: the next number

QString dayOf(const BusinessCalendar &calendar, qint64 wallMs)
{
    return businessDayOf(calendar, wallMs).toString(Qt::ISODate);
}

/// Events of a journal that is being migrated. None where they cannot be read.
std::optional<Checkout> folded(QSqlQuery &read, const QString &key)
{
    read.bindValue(0, key);
    if (!read.exec())
        return std::nullopt;
    std::vector<Event> events;
    while (read.next()) {
        const auto event =
            decodeEvent({read.value(0).toLongLong(), read.value(1).toString(), read.value(2).toString().toUtf8()});
        if (!event)
            return std::nullopt;
        events.push_back(event.value());
    }
    const auto checkout = fold(events);
    return checkout ? std::optional(checkout.value()) : std::nullopt;
}

/// For most checkouts of version 1 the last change of the row was the settlement. What was open, or heard more than
/// answers to its own attempts, is folded anew.
const QString rowsToFold =
    QStringLiteral("SELECT key FROM checkout WHERE open = 1 OR EXISTS (SELECT 1 FROM event WHERE event.key = "
                   "checkout.key AND type NOT IN ('CheckoutStarted', 'BankLearned', 'AttemptEnded', 'WaitElapsed')) "
                   "OR (SELECT type FROM event WHERE event.key = checkout.key ORDER BY seq DESC LIMIT 1) <> "
                   "'AttemptEnded'");

std::optional<QSqlError> projectAnew(QSqlDatabase &database)
{
    QSqlQuery rows(database);
    if (!rows.exec(rowsToFold))
        return rows.lastError();
    QStringList keys;
    while (rows.next())
        keys << rows.value(0).toString();
    QSqlQuery read(database);
    QSqlQuery store(database);
    if (!read.prepare(QStringLiteral("SELECT at_ms, type, data FROM event WHERE key = ? ORDER BY seq")))
        return read.lastError();
    if (!store.prepare(projectionUpsert()))
        return store.lastError();
    for (const QString &key : keys) {
        const std::optional<Checkout> checkout = folded(read, key);
        if (!checkout)
            continue;
        const ProjectionRow row = projectionOf(*checkout);
        for (size_t i = 0; i < row.size(); ++i)
            store.bindValue(static_cast<int>(i), row[i]);
        if (!store.exec())
            return store.lastError();
    }
    return std::nullopt;
}

std::optional<QSqlError> numberAll(QSqlDatabase &database, const BusinessCalendar &calendar)
{
    QSqlQuery rows(database);
    rows.setForwardOnly(true);
    QSqlQuery insert(database);
    if (!insert.prepare(insertion))
        return insert.lastError();
    if (!rows.exec(QStringLiteral("SELECT key, settled_ms FROM checkout WHERE open = 0 ORDER BY settled_ms, key")))
        return rows.lastError();
    while (rows.next()) {
        insert.bindValue(0, rows.value(0));
        insert.bindValue(1, dayOf(calendar, rows.value(1).toLongLong()));
        if (!insert.exec())
            return insert.lastError();
    }
    rows.finish();
    insert.finish();
    QSqlQuery copy(database);
    if (!copy.exec(QStringLiteral("UPDATE checkout SET settled_n = s.n, business_day = s.business_day "
                                  "FROM settlement AS s WHERE s.key = checkout.key")))
        return copy.lastError();
    return std::nullopt;
}

} // namespace settlement

std::optional<JournalError> recordSettlement(SqliteConnection &database, const Checkout &after,
                                             const BusinessCalendar &calendar)
{
    if (!isFinal(after.state))
        return std::nullopt;
    const QString key = after.key.text();
    const qint64 settledWallMs = after.settledWallMs.value_or(after.updatedWallMs);
    if (auto error = database.run(settlement::insertion, {key, settlement::dayOf(calendar, settledWallMs)}))
        return error;
    return database.run(QStringLiteral("UPDATE checkout SET settled_n = s.n, business_day = s.business_day "
                                       "FROM settlement AS s WHERE s.key = checkout.key AND checkout.key = ?"),
                        {key});
}

std::optional<JournalError> settleOldRows(QSqlDatabase &database, const QString &file, const BusinessCalendar &calendar)
{
    if (const auto error = settlement::projectAnew(database))
        return journalErrorOf(*error, file);
    if (const auto error = settlement::numberAll(database, calendar))
        return journalErrorOf(*error, file);
    return std::nullopt;
}

} // namespace ikkai
