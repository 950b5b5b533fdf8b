#include "mock-server/store/sql_store.h"

#include <QtCore/QVariant>

namespace mockbank {

#define SQL_OUTBOX_COLUMNS                                                                                             \
    "id, movement_id, topic, payload, created_at, order_id, attempts, next_attempt_at, last_error, delivered_at"

OutboxEvent SqlStore::eventOf(const Rows &row)
{
    OutboxEvent event;
    event.id = row.integer(0);
    event.movementId = row.integer(1);
    event.topic = row.bytes(2);
    event.payload = row.bytes(3);
    event.createdAtMs = row.integer(4);
    event.orderId = row.string(5);
    event.attempts = int(row.integer(6));
    event.nextAttemptAtMs = row.integer(7);
    event.lastError = row.string(8);
    if (!row.null(9))
        event.deliveredAtMs = row.integer(9);
    return event;
}

QList<OutboxEvent> SqlStore::events(QSqlQuery &query)
{
    Rows rows(*this, query);
    QList<OutboxEvent> events;
    while (rows.next())
        events.append(eventOf(rows));
    return events;
}

void SqlStore::addOutboxEvent(const OutboxEvent &event)
{
    change("INSERT INTO outbox (movement_id, topic, payload, created_at, order_id, next_attempt_at)"
           " VALUES (?, ?, ?, ?, ?, ?)",
           {event.movementId, sqlText(event.topic), sqlBytes(event.payload), event.createdAtMs,
            textOrEmpty(event.orderId), event.nextAttemptAtMs});
}

QList<OutboxEvent> SqlStore::outbox(qint64 after, int limit, OutboxRows rows)
{
    if (rows == OutboxRows::Pending) {
        return events(run("SELECT " SQL_OUTBOX_COLUMNS " FROM outbox WHERE delivered_at IS NULL AND id > ?"
                          " ORDER BY id LIMIT ?",
                          {after, limit}));
    }
    return events(run("SELECT " SQL_OUTBOX_COLUMNS " FROM outbox WHERE id > ? ORDER BY id LIMIT ?", {after, limit}));
}

Store::OutboxCount SqlStore::countOutbox()
{
    OutboxCount count;
    {
        Rows rows(*this, run("SELECT count(*) FROM outbox WHERE delivered_at IS NULL"));
        if (rows.next())
            count.pending = rows.integer(0);
    }
    {
        // Ids leave no gap, and none is forgotten but with its ledger: the last one is their number, without counting.
        Rows rows(*this, run("SELECT COALESCE(max(id), 0) FROM outbox"));
        if (rows.next())
            count.delivered = rows.integer(0) - count.pending;
    }
    Rows rows(*this, run("SELECT created_at FROM outbox WHERE delivered_at IS NULL ORDER BY id LIMIT 1"));
    if (rows.next())
        count.oldestPendingAtMs = rows.integer(0);
    return count;
}

QList<OutboxEvent> SqlStore::dueOutbox(qint64 nowMs, int limit)
{
    return events(run("SELECT " SQL_OUTBOX_COLUMNS " FROM outbox AS event"
                      " WHERE delivered_at IS NULL AND next_attempt_at <= ?"
                      " AND NOT EXISTS (SELECT 1 FROM outbox AS earlier WHERE earlier.delivered_at IS NULL"
                      "                 AND earlier.order_id = event.order_id AND earlier.id < event.id)"
                      " ORDER BY id LIMIT ?",
                      {nowMs, limit}));
}

void SqlStore::outboxDueAgain()
{
    change("UPDATE outbox SET next_attempt_at = 0 WHERE delivered_at IS NULL AND next_attempt_at > 0");
}

void SqlStore::outboxDelivered(qint64 id, qint64 atMs)
{
    change("UPDATE outbox SET delivered_at = ?, attempts = attempts + 1, last_error = NULL"
           " WHERE id = ? AND delivered_at IS NULL",
           {atMs, id});
}

void SqlStore::outboxFailed(qint64 id, qint64 nextAttemptAtMs, const QString &error)
{
    change("UPDATE outbox SET attempts = attempts + 1, next_attempt_at = ?, last_error = ?"
           " WHERE id = ? AND delivered_at IS NULL",
           {nextAttemptAtMs, error, id});
}

} // namespace mockbank
