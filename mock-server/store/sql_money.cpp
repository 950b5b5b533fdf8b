#include "mock-server/store/sql_columns.h"
#include "mock-server/store/sql_store.h"

#include <QtCore/QVariant>

#include <limits>

namespace mockbank {

Movement SqlStore::movementOf(const Rows &row, int first)
{
    Movement movement;
    movement.id = row.integer(first);
    movement.kind = row.string(first + 1) == QLatin1String("charge") ? MovementKind::Charge : MovementKind::Reversal;
    movement.chargeId = row.bytes(first + 2);
    movement.name = {row.bytes(first + 3), row.bytes(first + 4)};
    movement.guarded = row.integer(first + 5) != 0;
    movement.fingerprint = row.bytes(first + 6);
    movement.details = {row.string(first + 7), row.integer(first + 8), row.bytes(first + 9), row.string(first + 10),
                        row.string(first + 11)};
    movement.balanceMinor = row.integer(first + 12);
    movement.atMs = row.integer(first + 13);
    return movement;
}

std::optional<Movement> SqlStore::oneMovement(QSqlQuery &query)
{
    Rows rows(*this, query);
    if (!rows.next())
        return std::nullopt;
    return movementOf(rows);
}

QList<Movement> SqlStore::allMovements(QSqlQuery &query)
{
    Rows rows(*this, query);
    QList<Movement> movements;
    while (rows.next())
        movements.append(movementOf(rows));
    return movements;
}

std::optional<Movement> SqlStore::chargeUnder(const ScopedKey &name)
{
    // Two look-ups, because each kind of charge has its own index: a guarded charge pays for one only.
    const QString scope = sqlText(name.scope);
    const QString key = sqlText(name.key);
    return oneMovement(
        run("SELECT " SQL_MOVEMENT_COLUMNS " FROM movement WHERE kind = 'charge' AND guarded = 1 AND scope = ?"
            " AND key = ?"
            " UNION ALL "
            "SELECT " SQL_MOVEMENT_COLUMNS " FROM movement WHERE kind = 'charge' AND guarded = 0 AND scope = ?"
            " AND key = ?"
            " ORDER BY id LIMIT 1",
            {scope, key, scope, key}));
}

qint64 SqlStore::addMovement(const Movement &movement)
{
    const ChargeDetails &details = movement.details;
    return insert(
        "INSERT INTO movement (kind, charge_id, scope, key, guarded, fingerprint, order_id, amount, currency, source,"
        " terminal_id, balance, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",
        {movement.kind == MovementKind::Charge ? QStringLiteral("charge") : QStringLiteral("reversal"),
         sqlText(movement.chargeId), sqlText(movement.name.scope), sqlText(movement.name.key), movement.guarded ? 1 : 0,
         sqlBytes(movement.fingerprint), details.orderId, details.amountMinor, sqlText(details.currency),
         details.source, sqlTextOrNull(details.terminalId), movement.balanceMinor, movement.atMs});
}

QList<Movement> SqlStore::movements(qint64 after, int limit)
{
    return allMovements(
        run("SELECT " SQL_MOVEMENT_COLUMNS " FROM movement WHERE id > ? ORDER BY id LIMIT ?", {after, limit}));
}

std::optional<Movement> SqlStore::chargeById(const QByteArray &chargeId)
{
    return oneMovement(run("SELECT " SQL_MOVEMENT_COLUMNS " FROM movement WHERE kind = 'charge' AND charge_id = ?"
                           " ORDER BY id LIMIT 1",
                           {sqlText(chargeId)}));
}

std::optional<Movement> SqlStore::reversalOf(const QByteArray &chargeId)
{
    return oneMovement(run("SELECT " SQL_MOVEMENT_COLUMNS " FROM movement WHERE kind = 'reversal' AND charge_id = ?",
                           {sqlText(chargeId)}));
}

QList<ChargeRow> SqlStore::charges(const ChargeFilter &filter)
{
    constexpr qint64 always = std::numeric_limits<qint64>::max();
    const QString terminal = textOrEmpty(filter.terminalId);
    QList<ChargeRow> page;
    for (const Movement &charge :
         allMovements(run("SELECT " SQL_MOVEMENT_COLUMNS " FROM movement WHERE kind = 'charge' AND scope = ?"
                          " AND id > ? AND at >= ? AND at < ? AND (? = '' OR terminal_id = ?)"
                          " ORDER BY id LIMIT ?",
                          {sqlText(filter.scope), filter.after, filter.fromMs.value_or(-always),
                           filter.beforeMs.value_or(always), terminal, terminal, filter.limit})))
        page.append({charge, {}});
    for (ChargeRow &row : page)
        row.reversal = reversalOf(row.charge.chargeId);
    return page;
}

} // namespace mockbank
