#include "mock-server/store/sqlite_store.h"

#include "mock-server/store/instance_lock.h"
#include "mock-server/store/memory_store.h"
#include "mock-server/store/sqlite_schema.h"

#include <QtCore/QDir>
#include <QtCore/QFileInfo>
#include <QtCore/QVariant>
#include <QtSql/QSqlError>

#include <atomic>

namespace mockbank {

namespace {

QString sqlText(const QByteArray &ascii)
{
    return QString::fromUtf8(ascii);
}

QVariant sqlTextOrNull(const QString &value)
{
    return value.isEmpty() ? QVariant() : QVariant(value);
}

// The plus makes an expression of a column: its value is the same, but Qt does not look up, convert and compare the
// names of its table and type for every row that a replay reads.
constexpr const char *selectKeyRecord =
    "SELECT +state, +scope, +key, +instance, +run, +epoch, +lease_until, +fingerprint, +claimed_at, +status, +body,"
    " +charge_id, +order_id, +amount, +currency, +source, +decline_code, +balance, +answered_at, +expires_at"
    " FROM key_record";

} // namespace

/// The rows of a query, whose statement is reset at the end: a forgotten one would hold up checkpoints.
class SqliteStore::Rows {
public:
    Rows(const SqliteStore &store, QSqlQuery &query)
        : m_store(store)
        , m_query(query)
    {
    }
    ~Rows() { m_query.finish(); }
    Rows(const Rows &) = delete;
    Rows &operator=(const Rows &) = delete;

    bool next()
    {
        if (m_query.next())
            return true;
        if (m_query.lastError().isValid())
            m_store.fail(m_query.lastError());
        return false;
    }
    qint64 integer(int column) const { return m_query.value(column).toLongLong(); }
    QString string(int column) const { return m_query.value(column).toString(); }
    QByteArray bytes(int column) const { return m_query.value(column).toByteArray(); }

private:
    const SqliteStore &m_store;
    QSqlQuery &m_query;
};

SqliteStore::SqliteStore(const StoreAddress &address)
    : m_address(address)
{
    static std::atomic<quint64> opened{0};
    m_connection = QStringLiteral("mock-bank-%1").arg(++opened);
    m_where =
        address.memory ? QStringLiteral("bank store in memory") : QStringLiteral("bank store %1").arg(address.file);
    try {
        open(address);
    } catch (...) {
        m_prepared.clear();
        m_database = QSqlDatabase();
        QSqlDatabase::removeDatabase(m_connection);
        throw;
    }
}

SqliteStore::~SqliteStore()
{
    m_prepared.clear();
    m_database.close();
    m_database = QSqlDatabase();
    QSqlDatabase::removeDatabase(m_connection);
}

void SqliteStore::open(const StoreAddress &address)
{
    const QFileInfo file(address.file);
    if (!address.memory && file.isDir())
        throw StoreError(QStringLiteral("%1: is a folder").arg(m_where));
    if (!address.memory && !file.dir().exists())
        throw StoreError(QStringLiteral("%1: its folder does not exist").arg(m_where));
    m_database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_connection);
    m_database.setConnectOptions(address.memory ? QStringLiteral("QSQLITE_BUSY_TIMEOUT=5000;QSQLITE_OPEN_URI")
                                                : QStringLiteral("QSQLITE_BUSY_TIMEOUT=5000"));
    m_database.setDatabaseName(address.memory ? address.memory->uri() : address.file);
    if (!m_database.open())
        fail(m_database.lastError());
    prepareSchema(m_database, m_where);
    tune(!address.memory);
}

void SqliteStore::tune(bool onFile)
{
    const QString wanted = onFile ? QStringLiteral("wal") : QStringLiteral("memory");
    QSqlQuery pragma(m_database);
    if (!pragma.exec(QStringLiteral("PRAGMA journal_mode=%1").arg(wanted)) || !pragma.next())
        fail(pragma.lastError());
    if (pragma.value(0).toString() != wanted)
        throw StoreError(QStringLiteral("%1: its file system cannot do write-ahead logging").arg(m_where));
    pragma.finish();
    for (const char *setting : {"PRAGMA synchronous=FULL", "PRAGMA foreign_keys=ON", "PRAGMA temp_store=MEMORY",
                                "PRAGMA cache_size=-16000"}) {
        if (!pragma.exec(QString::fromLatin1(setting)))
            fail(pragma.lastError());
    }
}

void SqliteStore::fail(const QSqlError &error) const
{
    const QString reason = error.databaseText().isEmpty() ? error.driverText() : error.databaseText();
    const QString line = QStringLiteral("%1: %2").arg(m_where, reason.simplified());
    // SQLITE_CONSTRAINT_UNIQUE and SQLITE_CONSTRAINT_PRIMARYKEY
    const QString code = error.nativeErrorCode();
    if (code == QLatin1String("2067") || code == QLatin1String("1555"))
        throw StoreConflict(line);
    throw StoreError(line);
}

QSqlQuery &SqliteStore::run(const char *sql, std::initializer_list<QVariant> values)
{
    if (std::this_thread::get_id() != m_thread)
        qFatal("the bank's store is used on a thread that did not open it");
    auto found = m_prepared.find(sql);
    if (found == m_prepared.end()) {
        QSqlQuery query(m_database);
        query.setForwardOnly(true);
        if (!query.prepare(QString::fromLatin1(sql)))
            fail(query.lastError());
        found = m_prepared.emplace(sql, std::move(query)).first;
    }
    QSqlQuery &query = found->second;
    int place = 0;
    for (const QVariant &value : values)
        query.bindValue(place++, value);
    if (!query.exec()) {
        const QSqlError error = query.lastError();
        query.finish();
        fail(error);
    }
    return query;
}

int SqliteStore::change(const char *sql, std::initializer_list<QVariant> values)
{
    QSqlQuery &query = run(sql, values);
    const int rows = query.numRowsAffected();
    query.finish();
    m_written = m_written || rows > 0;
    return rows;
}

void SqliteStore::begin()
{
    m_written = false;
    run("BEGIN IMMEDIATE").finish();
}

bool SqliteStore::commit()
{
    run("COMMIT").finish();
    return m_written;
}

void SqliteStore::rollback()
{
    run("ROLLBACK").finish();
}

void SqliteStore::savepoint()
{
    run("SAVEPOINT step").finish();
}

void SqliteStore::releaseSavepoint()
{
    run("RELEASE step").finish();
}

void SqliteStore::rollbackToSavepoint()
{
    run("ROLLBACK TO step").finish();
    run("RELEASE step").finish();
}

bool SqliteStore::holdInstance(const QByteArray &instance)
{
    m_instance = InstanceLock::tryHold(m_address, instance);
    return m_instance != nullptr;
}

QByteArray SqliteStore::ledgerId(const QByteArray &suggested)
{
    change("INSERT INTO meta (name, value) VALUES ('ledger_id', ?) ON CONFLICT DO NOTHING", {sqlText(suggested)});
    Rows rows(*this, run("SELECT value FROM meta WHERE name = 'ledger_id'"));
    return rows.next() ? rows.string(0).toUtf8() : QByteArray();
}

QList<Account> SqliteStore::accounts()
{
    Rows rows(*this, run("SELECT source, balance, declining FROM account ORDER BY source"));
    QList<Account> accounts;
    while (rows.next())
        accounts.append({rows.string(0), rows.integer(1), rows.integer(2) != 0});
    return accounts;
}

std::optional<Account> SqliteStore::lockAccount(const QString &source)
{
    // The transaction already holds the one right to write, so reading is enough.
    Rows rows(*this, run("SELECT source, balance, declining FROM account WHERE source = ?", {source}));
    if (!rows.next())
        return std::nullopt;
    return Account{rows.string(0), rows.integer(1), rows.integer(2) != 0};
}

void SqliteStore::putAccount(const Account &account)
{
    change("INSERT INTO account (source, balance, declining) VALUES (?, ?, ?)"
           " ON CONFLICT (source) DO UPDATE SET balance = excluded.balance, declining = excluded.declining",
           {account.source, account.balanceMinor, account.declining ? 1 : 0});
}

void SqliteStore::addAccount(const Account &account)
{
    change("INSERT INTO account (source, balance, declining) VALUES (?, ?, ?) ON CONFLICT (source) DO NOTHING",
           {account.source, account.balanceMinor, account.declining ? 1 : 0});
}

bool SqliteStore::debit(const QString &source, qint64 amountMinor)
{
    return change("UPDATE account SET balance = balance - ? WHERE source = ? AND balance >= ?",
                  {amountMinor, source, amountMinor}) == 1;
}

KeyRecord SqliteStore::keyRecordOf(const Rows &row)
{
    KeyRecord record;
    record.state = row.string(0) == QLatin1String("claimed") ? KeyState::Claimed : KeyState::Finished;
    Claim &claim = record.claim;
    claim.name = {row.bytes(1), row.bytes(2)};
    claim.owner = {row.bytes(3), row.bytes(4)};
    claim.epoch = row.integer(5);
    claim.leaseUntilMs = row.integer(6);
    claim.fingerprint = row.bytes(7);
    claim.claimedAtMs = row.integer(8);
    if (record.state == KeyState::Claimed)
        return record;
    Verdict &verdict = record.verdict;
    verdict.status = int(row.integer(9));
    verdict.body = row.bytes(10);
    verdict.chargeId = row.bytes(11);
    verdict.details.orderId = row.string(12);
    verdict.details.amountMinor = row.integer(13);
    verdict.details.currency = row.bytes(14);
    verdict.details.source = row.string(15);
    verdict.declineCode = row.bytes(16);
    verdict.balanceMinor = row.integer(17);
    verdict.answeredAtMs = row.integer(18);
    verdict.expiresAtMs = row.integer(19);
    return record;
}

std::optional<KeyRecord> SqliteStore::key(const ScopedKey &name)
{
    // QSqlQuery describes every column anew for every execution, also where there is no row. So the question whether
    // there is one, which a new charge always asks in vain, names a single column.
    qint64 seq = 0;
    {
        Rows rows(*this, run("SELECT seq FROM key_record WHERE scope = ? AND key = ?",
                             {sqlText(name.scope), sqlText(name.key)}));
        if (!rows.next())
            return std::nullopt;
        seq = rows.integer(0);
    }
    static const QByteArray sql = QByteArray(selectKeyRecord) + " WHERE seq = ?";
    Rows rows(*this, run(sql.constData(), {seq}));
    if (!rows.next())
        return std::nullopt;
    return keyRecordOf(rows);
}

QList<KeyRecord> SqliteStore::keys(int limit)
{
    static const QByteArray sql = QByteArray(selectKeyRecord) + " ORDER BY seq DESC LIMIT ?";
    Rows rows(*this, run(sql.constData(), {limit}));
    QList<KeyRecord> records;
    while (rows.next())
        records.append(keyRecordOf(rows));
    return records;
}

bool SqliteStore::addClaim(const Claim &claim)
{
    return change(
               "INSERT INTO key_record (scope, key, state, instance, run, epoch, lease_until, fingerprint, claimed_at)"
               " VALUES (?, ?, 'claimed', ?, ?, ?, ?, ?, ?) ON CONFLICT (scope, key) DO NOTHING",
               {sqlText(claim.name.scope), sqlText(claim.name.key), sqlText(claim.owner.instance),
                sqlText(claim.owner.run), claim.epoch, claim.leaseUntilMs, claim.fingerprint, claim.claimedAtMs}) == 1;
}

bool SqliteStore::takeOverClaim(const Claim &old, const Claim &next)
{
    return change("UPDATE key_record SET instance = ?, run = ?, epoch = ?, lease_until = ?, fingerprint = ?, "
                  "claimed_at = ?"
                  " WHERE scope = ? AND key = ? AND state = 'claimed' AND instance = ? AND run = ? AND epoch = ?",
                  {sqlText(next.owner.instance), sqlText(next.owner.run), next.epoch, next.leaseUntilMs,
                   next.fingerprint, next.claimedAtMs, sqlText(old.name.scope), sqlText(old.name.key),
                   sqlText(old.owner.instance), sqlText(old.owner.run), old.epoch}) == 1;
}

bool SqliteStore::renewClaim(const Claim &claim, qint64 leaseUntilMs)
{
    return change("UPDATE key_record SET lease_until = ? WHERE scope = ? AND key = ? AND state = 'claimed'"
                  " AND instance = ? AND run = ? AND epoch = ? AND fingerprint = ?",
                  {leaseUntilMs, sqlText(claim.name.scope), sqlText(claim.name.key), sqlText(claim.owner.instance),
                   sqlText(claim.owner.run), claim.epoch, claim.fingerprint}) == 1;
}

bool SqliteStore::deleteClaim(const Claim &claim)
{
    return change("DELETE FROM key_record WHERE scope = ? AND key = ? AND state = 'claimed'"
                  " AND instance = ? AND run = ? AND epoch = ? AND fingerprint = ?",
                  {sqlText(claim.name.scope), sqlText(claim.name.key), sqlText(claim.owner.instance),
                   sqlText(claim.owner.run), claim.epoch, claim.fingerprint}) == 1;
}

bool SqliteStore::finishClaim(const Claim &claim, const Verdict &verdict)
{
    return change("UPDATE key_record SET state = 'finished', status = ?, body = ?, charge_id = ?, order_id = ?, amount "
                  "= ?,"
                  " currency = ?, source = ?, decline_code = ?, balance = ?, answered_at = ?, expires_at = ?"
                  " WHERE scope = ? AND key = ? AND state = 'claimed'"
                  " AND instance = ? AND run = ? AND epoch = ? AND fingerprint = ?",
                  {verdict.status, verdict.body, sqlText(verdict.chargeId), verdict.details.orderId,
                   verdict.details.amountMinor, sqlText(verdict.details.currency), verdict.details.source,
                   sqlTextOrNull(sqlText(verdict.declineCode)), verdict.balanceMinor, verdict.answeredAtMs,
                   verdict.expiresAtMs, sqlText(claim.name.scope), sqlText(claim.name.key),
                   sqlText(claim.owner.instance), sqlText(claim.owner.run), claim.epoch, claim.fingerprint}) == 1;
}

int SqliteStore::endLeases(const ClaimOwner &living)
{
    return change("UPDATE key_record SET lease_until = 0 WHERE state = 'claimed' AND instance = ? AND run <> ?",
                  {sqlText(living.instance), sqlText(living.run)});
}

Movement SqliteStore::movementOf(const Rows &row)
{
    Movement movement;
    movement.id = row.integer(0);
    movement.kind = row.string(1) == QLatin1String("charge") ? MovementKind::Charge : MovementKind::Reversal;
    movement.chargeId = row.bytes(2);
    movement.name = {row.bytes(3), row.bytes(4)};
    movement.guarded = row.integer(5) != 0;
    movement.fingerprint = row.bytes(6);
    movement.details = {row.string(7), row.integer(8), row.bytes(9), row.string(10), row.string(11)};
    movement.balanceMinor = row.integer(12);
    movement.atMs = row.integer(13);
    return movement;
}

std::optional<Movement> SqliteStore::chargeUnder(const ScopedKey &name)
{
    qint64 id = 0;
    {
        // Two look-ups, because each kind of charge has its own index: a guarded charge pays for one only. A single
        // column for the same reason as in `key`.
        const QString scope = sqlText(name.scope);
        const QString key = sqlText(name.key);
        Rows rows(*this, run("SELECT id FROM movement WHERE kind = 'charge' AND guarded = 1 AND scope = ? AND key = ?"
                             " UNION ALL"
                             " SELECT id FROM movement WHERE kind = 'charge' AND guarded = 0 AND scope = ? AND key = ?"
                             " ORDER BY id LIMIT 1",
                             {scope, key, scope, key}));
        if (!rows.next())
            return std::nullopt;
        id = rows.integer(0);
    }
    Rows rows(*this, run("SELECT id, kind, charge_id, scope, key, guarded, fingerprint, order_id, amount, currency,"
                         " source, terminal_id, balance, at FROM movement WHERE id = ?",
                         {id}));
    if (!rows.next())
        return std::nullopt;
    return movementOf(rows);
}

qint64 SqliteStore::addMovement(const Movement &movement)
{
    const ChargeDetails &details = movement.details;
    QSqlQuery &query = run(
        "INSERT INTO movement (kind, charge_id, scope, key, guarded, fingerprint, order_id, amount, currency, source,"
        " terminal_id, balance, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        {movement.kind == MovementKind::Charge ? QStringLiteral("charge") : QStringLiteral("reversal"),
         sqlText(movement.chargeId), sqlText(movement.name.scope), sqlText(movement.name.key), movement.guarded ? 1 : 0,
         movement.fingerprint, details.orderId, details.amountMinor, sqlText(details.currency), details.source,
         sqlTextOrNull(details.terminalId), movement.balanceMinor, movement.atMs});
    const qint64 id = query.lastInsertId().toLongLong();
    query.finish();
    m_written = true;
    return id;
}

QList<Movement> SqliteStore::movements(qint64 after, int limit)
{
    Rows rows(*this,
              run("SELECT id, kind, charge_id, scope, key, guarded, fingerprint, order_id, amount, currency, source,"
                  " terminal_id, balance, at FROM movement WHERE id > ? ORDER BY id LIMIT ?",
                  {after, limit}));
    QList<Movement> page;
    while (rows.next())
        page.append(movementOf(rows));
    return page;
}

void SqliteStore::addOutboxEvent(const OutboxEvent &event)
{
    change("INSERT INTO outbox (movement_id, topic, payload, created_at) VALUES (?, ?, ?, ?)",
           {event.movementId, sqlText(event.topic), event.payload, event.createdAtMs});
}

QList<OutboxEvent> SqliteStore::outbox(int limit)
{
    Rows rows(*this,
              run("SELECT id, movement_id, topic, payload, created_at FROM outbox ORDER BY id DESC LIMIT ?", {limit}));
    QList<OutboxEvent> events;
    while (rows.next())
        events.append({rows.integer(0), rows.integer(1), rows.bytes(2), rows.bytes(3), rows.integer(4)});
    return events;
}

} // namespace mockbank
