#include "mock-server/store/postgres_store.h"

#include "mock-server/store/postgres_schema.h"
#include "mock-server/store/sql_columns.h"

#include <QtCore/QHash>
#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QStringList>
#include <QtCore/QVariant>
#include <QtSql/QSqlDriver>
#include <QtSql/QSqlError>

#include <algorithm>
#include <array>
#include <limits>

namespace mockbank {

namespace {

// So that the ledger thread can never hang: on the way to the server,
constexpr const char *connectOptions =
    "connect_timeout=5;tcp_user_timeout=10000;keepalives_idle=5;keepalives_interval=2;keepalives_count=3";
// at a lock of another bank (StoreBusy), in a statement; and so that nobody else hangs on this bank when it was stopped
// in mid-transaction, or died without the server noticing.
constexpr std::array timeLimits = {
    "SET lock_timeout = '5s'",
    "SET statement_timeout = '20s'",
    "SET idle_in_transaction_session_timeout = '10s'",
    "SET client_connection_check_interval = '1s'",
    // The instance's name is free again seconds after its machine was cut off, not hours.
    "SET tcp_keepalives_idle = 5",
    "SET tcp_keepalives_interval = 2",
    "SET tcp_keepalives_count = 3",
    // Whatever the server's setting: a commit that returned survives the power going off.
    "SET synchronous_commit = 'on'",
    "SET client_min_messages = 'warning'",
    "SET TIME ZONE 'UTC'",
};

// The movement's id is known once it is committed (postgres_schema.cpp says why); 0 before.
#define SQL_ORDERED_MOVEMENT                                                                                           \
    "SELECT COALESCE(base + place, 0), kind, charge_id, scope, key, guarded, fingerprint, order_id, amount, currency," \
    " source, terminal_id, balance, at FROM movement LEFT JOIN commit_order USING (batch)"
// Of the pages: from the batch that holds the id `after` on, in the order of the index on `base`.
#define SQL_MOVEMENTS_AFTER                                                                                            \
    "SELECT base + place, kind, charge_id, scope, key, guarded, fingerprint, order_id, amount, currency, source,"      \
    " terminal_id, balance, at FROM commit_order JOIN movement USING (batch)"                                          \
    " WHERE base >= COALESCE((SELECT max(base) FROM commit_order WHERE base <= ?), 0) AND base + place > ?"

QString jsonText(const QJsonArray &array)
{
    return QString::fromUtf8(QJsonDocument(array).toJson(QJsonDocument::Compact));
}

} // namespace

PostgresStore::PostgresStore(const PostgresAddress &address)
    : SqlStore(QStringLiteral("bank store %1").arg(address.shown()), Fetch::Whole)
    , m_orderKey(advisoryKey(address.schema, "commit order"))
    , m_schema(address.schema)
{
    open(address);
}

PostgresStore::~PostgresStore()
{
    // Connection and driver before the statements, which would each tell the server that they end: it forgets them all
    // with the connection, and may not be there any more.
    m_database.close();
    m_database = QSqlDatabase();
    QSqlDatabase::removeDatabase(m_connection);
}

void PostgresStore::open(const PostgresAddress &address)
{
    if (!QSqlDatabase::isDriverAvailable(QStringLiteral("QPSQL")))
        throw StoreError(
            QStringLiteral("%1: Qt's driver for PostgreSQL is not installed (package libqt6sql6-psql)").arg(m_where));
    m_database = QSqlDatabase::addDatabase(QStringLiteral("QPSQL"), m_connection);
    QStringList options{QString::fromLatin1(connectOptions)};
    if (!address.options.contains(QStringLiteral("application_name")))
        options.append(QStringLiteral("application_name=mock-payment-server"));
    for (auto option = address.options.cbegin(); option != address.options.cend(); ++option) {
        QString value = option.value();
        value.replace(QLatin1Char('\\'), QLatin1String("\\\\")).replace(QLatin1Char('\''), QLatin1String("\\'"));
        options.append(QStringLiteral("%1='%2'").arg(option.key(), value));
    }
    m_database.setConnectOptions(options.join(QLatin1Char(';')));
    m_database.setHostName(address.host);
    if (address.port > 0)
        m_database.setPort(address.port);
    m_database.setDatabaseName(address.database);
    m_database.setUserName(address.user);
    m_database.setPassword(address.password);
    if (!m_database.open())
        fail(m_database.lastError());
    for (const char *limit : timeLimits)
        command(limit);
    preparePostgresSchema(m_database, m_schema, m_where);
}

/// Statements that PostgreSQL does not prepare.
void PostgresStore::command(const char *sql)
{
    checkThread();
    if (!m_database.isOpen()) // the driver has noticed that the server is gone
        throw StoreError(QStringLiteral("%1: the connection was lost").arg(m_where));
    QSqlQuery query(m_database);
    if (!query.exec(QString::fromLatin1(sql)))
        fail(query.lastError());
}

void PostgresStore::fail(const QSqlError &error)
{
    const QString reason = error.databaseText().isEmpty() ? error.driverText() : error.databaseText();
    const QString line = QStringLiteral("%1: %2").arg(m_where, reason.simplified());
    const QString code = error.nativeErrorCode();
    m_failed = m_open;
    if (code == QLatin1String("23505"))
        throw StoreConflict(line);
    // serialization_failure, deadlock_detected, lock_not_available
    if (code == QLatin1String("40001") || code == QLatin1String("40P01") || code == QLatin1String("55P03")) {
        if (m_open) {
            QSqlQuery(m_database).exec(QStringLiteral("ROLLBACK"));
            forgetTransaction();
        }
        throw StoreBusy(line);
    }
    throw StoreError(line);
}

void PostgresStore::forgetTransaction()
{
    m_open = false;
    m_failed = false;
    m_batch = 0;
    m_places = 0;
    m_events.clear();
    m_savepoints.clear();
}

void PostgresStore::begin()
{
    forgetTransaction();
    m_written = false;
    command("BEGIN ISOLATION LEVEL READ COMMITTED");
    m_open = true;
}

bool PostgresStore::commit()
{
    // COMMIT of a transaction in which a statement failed rolls back, and reports success.
    if (m_failed)
        throw StoreError(QStringLiteral("%1: a statement of the transaction failed").arg(m_where));
    orderCommit();
    command("COMMIT");
    forgetTransaction();
    return m_written;
}

void PostgresStore::rollback()
{
    const bool open = m_open;
    forgetTransaction();
    if (open) // not undone already, as after StoreBusy
        command("ROLLBACK");
}

void PostgresStore::savepoint()
{
    SqlStore::savepoint();
    m_savepoints.push_back({m_places, m_events.size()});
}

void PostgresStore::releaseSavepoint()
{
    SqlStore::releaseSavepoint();
    m_savepoints.pop_back();
}

void PostgresStore::rollbackToSavepoint()
{
    SqlStore::rollbackToSavepoint();
    m_failed = false;
    m_places = m_savepoints.back().places;
    m_events.resize(m_savepoints.back().events);
    m_savepoints.pop_back();
}

void PostgresStore::orderCommit()
{
    if (m_places == 0)
        return;
    // The last lock of all, held until the commit is visible.
    run("SELECT pg_advisory_xact_lock(?)", {m_orderKey}).finish();
    const qint64 base =
        insert("INSERT INTO commit_order (batch, base, size) VALUES (?,"
               " COALESCE((SELECT base + size FROM commit_order ORDER BY base DESC LIMIT 1), 0), ?) RETURNING base",
               {m_batch, m_places});
    writeEvents(base);
}

void PostgresStore::writeEvents(qint64 base)
{
    if (m_events.empty())
        return;
    QJsonArray rows;
    for (const OutboxEvent &event : m_events) {
        rows.append(QJsonObject{
            {QStringLiteral("place"), rows.size() + 1},
            {QStringLiteral("movement_id"), base + event.movementId},
            {QStringLiteral("topic"), QString::fromUtf8(event.topic)},
            {QStringLiteral("payload"), QString::fromLatin1(event.payload.toBase64())},
            {QStringLiteral("created_at"), event.createdAtMs},
            {QStringLiteral("order_id"), event.orderId},
            {QStringLiteral("next_attempt_at"), event.nextAttemptAtMs},
        });
    }
    // One statement for all, because others wait for the commit order meanwhile.
    change("INSERT INTO outbox (id, movement_id, topic, payload, created_at, order_id, next_attempt_at)"
           " SELECT (SELECT COALESCE(max(id), 0) FROM outbox) + place, movement_id, topic, decode(payload, 'base64'), "
           "created_at, order_id, next_attempt_at"
           " FROM json_to_recordset(CAST(? AS json)) AS event (place integer, movement_id bigint, topic text, payload "
           "text,"
           " created_at bigint, order_id text, next_attempt_at bigint)",
           {jsonText(rows)});
}

bool PostgresStore::holdInstance(const QByteArray &instance)
{
    command("SET lock_timeout = '1s'");
    bool held = true;
    try {
        run("SELECT pg_advisory_lock(?)", {advisoryKey(m_schema, "instance " + instance)}).finish();
    } catch (const StoreBusy &) {
        held = false;
    }
    command(timeLimits.front());
    return held;
}

bool PostgresStore::holdPublisher()
{
    if (!m_publisher) {
        Rows rows(*this, run("SELECT CASE WHEN pg_try_advisory_lock(?) THEN 1 ELSE 0 END",
                             {advisoryKey(m_schema, "publisher")}));
        m_publisher = rows.next() && rows.integer(0) == 1;
    }
    return m_publisher;
}

std::optional<qint64> PostgresStore::ownClockMs()
{
    Rows rows(*this, run("SELECT CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS bigint)"));
    return rows.next() ? std::optional(rows.integer(0)) : std::nullopt;
}

void PostgresStore::resetLedger(const QByteArray &newLedgerId)
{
    // Waits for the transactions of other banks, and keeps them out: nothing of the old ledger may come in later.
    command("TRUNCATE account, commit_order, key_record, movement, outbox, void_key RESTART IDENTITY");
    m_places = 0;
    m_events.clear();
    std::fill(m_savepoints.begin(), m_savepoints.end(), Mark{});
    SqlStore::resetLedger(newLedgerId);
}

std::optional<Account> PostgresStore::lockAccount(const QString &source)
{
    Rows rows(*this, run("SELECT source, balance, declining FROM account WHERE source = ? FOR UPDATE", {source}));
    if (!rows.next())
        return std::nullopt;
    return Account{rows.string(0), rows.integer(1), rows.integer(2) != 0};
}

std::optional<Movement> PostgresStore::chargeUnder(const ScopedKey &name)
{
    const QString scope = sqlText(name.scope);
    const QString key = sqlText(name.key);
    return oneMovement(run("SELECT COALESCE(base + place, 0), kind, charge_id, scope, key, guarded, fingerprint,"
                           " order_id, amount, currency, source, terminal_id, balance, at FROM"
                           " (SELECT * FROM movement WHERE kind = 'charge' AND guarded = 1 AND scope = ? AND key = ?"
                           "  UNION ALL"
                           "  SELECT * FROM movement WHERE kind = 'charge' AND guarded = 0 AND scope = ? AND key = ?)"
                           " AS charge LEFT JOIN commit_order USING (batch) ORDER BY base NULLS LAST, place LIMIT 1",
                           {scope, key, scope, key}));
}

qint64 PostgresStore::addMovement(const Movement &movement)
{
    if (m_batch == 0) {
        Rows rows(*this, run("SELECT nextval('batch_number')"));
        m_batch = rows.next() ? rows.integer(0) : 0;
    }
    const ChargeDetails &details = movement.details;
    const int place = ++m_places;
    change(
        "INSERT INTO movement (batch, place, kind, charge_id, scope, key, guarded, fingerprint, order_id, amount,"
        " currency, source, terminal_id, balance, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        {m_batch, place, movement.kind == MovementKind::Charge ? QStringLiteral("charge") : QStringLiteral("reversal"),
         sqlText(movement.chargeId), sqlText(movement.name.scope), sqlText(movement.name.key), movement.guarded ? 1 : 0,
         sqlBytes(movement.fingerprint), details.orderId, details.amountMinor, sqlText(details.currency),
         details.source, sqlTextOrNull(details.terminalId), movement.balanceMinor, movement.atMs});
    return place;
}

QList<Movement> PostgresStore::movements(qint64 after, int limit)
{
    return allMovements(run(SQL_MOVEMENTS_AFTER " ORDER BY base, place LIMIT ?", {after, after, limit}));
}

std::optional<Movement> PostgresStore::chargeById(const QByteArray &chargeId)
{
    return oneMovement(run(SQL_ORDERED_MOVEMENT " WHERE kind = 'charge' AND charge_id = ?"
                                                " ORDER BY base NULLS LAST, place LIMIT 1",
                           {sqlText(chargeId)}));
}

std::optional<Movement> PostgresStore::reversalOf(const QByteArray &chargeId)
{
    return oneMovement(run(SQL_ORDERED_MOVEMENT " WHERE kind = 'reversal' AND charge_id = ?", {sqlText(chargeId)}));
}

QList<ChargeRow> PostgresStore::charges(const ChargeFilter &filter)
{
    constexpr qint64 always = std::numeric_limits<qint64>::max();
    const QString terminal = textOrEmpty(filter.terminalId);
    QList<ChargeRow> page;
    QJsonArray ids;
    const QList<Movement> charges =
        allMovements(run(SQL_MOVEMENTS_AFTER " AND kind = 'charge' AND scope = ? AND at >= ? AND at < ?"
                                             " AND (? = '' OR terminal_id = ?) ORDER BY base, place LIMIT ?",
                         {filter.after, filter.after, sqlText(filter.scope), filter.fromMs.value_or(-always),
                          filter.beforeMs.value_or(always), terminal, terminal, filter.limit}));
    for (const Movement &charge : charges) {
        page.append({charge, {}});
        ids.append(QString::fromUtf8(charge.chargeId));
    }
    if (ids.isEmpty())
        return page;
    QHash<QByteArray, Movement> reversals;
    for (const Movement &reversal :
         allMovements(run(SQL_ORDERED_MOVEMENT " WHERE kind = 'reversal' AND charge_id IN"
                                               " (SELECT json_array_elements_text(CAST(? AS json)))",
                          {jsonText(ids)})))
        reversals.insert(reversal.chargeId, reversal);
    for (ChargeRow &row : page) {
        if (const auto reversal = reversals.constFind(row.charge.chargeId); reversal != reversals.cend())
            row.reversal = *reversal;
    }
    return page;
}

void PostgresStore::addOutboxEvent(const OutboxEvent &event)
{
    if (m_batch == 0 || event.movementId < 1 || event.movementId > m_places)
        throw StoreError(QStringLiteral("%1: an event tells of no movement of its transaction").arg(m_where));
    m_events.push_back(event);
    m_written = true;
}

} // namespace mockbank
