#include "mock-server/store/sqlite_store.h"

#include "mock-server/store/memory_store.h"
#include "mock-server/store/sql_columns.h"
#include "mock-server/store/sqlite_schema.h"
#include "mock-server/store/store_lock.h"

#include <QtCore/QDir>
#include <QtCore/QFileInfo>
#include <QtCore/QVariant>
#include <QtSql/QSqlError>

namespace mockbank {

SqliteStore::SqliteStore(const StoreAddress &address)
    : SqlStore(address.memory ? QStringLiteral("bank store in memory")
                              : QStringLiteral("bank store %1").arg(address.file),
               Fetch::RowByRow)
    , m_address(address)
{
    open();
}

SqliteStore::~SqliteStore()
{
    // Before the rights to it go: who takes one must find the transaction of the last holder gone.
    disconnect();
}

void SqliteStore::open()
{
    const QFileInfo file(m_address.file);
    if (!m_address.memory && file.isDir())
        throw StoreError(QStringLiteral("%1: is a folder").arg(m_where));
    if (!m_address.memory && !file.dir().exists())
        throw StoreError(QStringLiteral("%1: its folder does not exist").arg(m_where));
    m_database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_connection);
    m_database.setConnectOptions(m_address.memory ? QStringLiteral("QSQLITE_BUSY_TIMEOUT=5000;QSQLITE_OPEN_URI")
                                                  : QStringLiteral("QSQLITE_BUSY_TIMEOUT=5000"));
    m_database.setDatabaseName(m_address.memory ? m_address.memory->uri() : m_address.file);
    if (!m_database.open())
        fail(m_database.lastError());
    prepareSchema(m_database, m_where);
    tune(!m_address.memory);
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

void SqliteStore::fail(const QSqlError &error)
{
    const QString reason = error.databaseText().isEmpty() ? error.driverText() : error.databaseText();
    const QString line = QStringLiteral("%1: %2").arg(m_where, reason.simplified());
    // SQLITE_CONSTRAINT_UNIQUE and SQLITE_CONSTRAINT_PRIMARYKEY
    const QString code = error.nativeErrorCode();
    if (code == QLatin1String("2067") || code == QLatin1String("1555"))
        throw StoreConflict(line);
    throw StoreError(line);
}

void SqliteStore::command(const char *sql)
{
    run(sql).finish();
}

void SqliteStore::begin()
{
    m_written = false;
    command("BEGIN IMMEDIATE");
}

bool SqliteStore::holdInstance(const QByteArray &instance)
{
    m_instance = StoreLock::tryInstance(m_address, instance);
    return m_instance != nullptr;
}

bool SqliteStore::holdPublisher()
{
    if (!m_publisher)
        m_publisher = StoreLock::tryPublisher(m_address);
    return m_publisher != nullptr;
}

std::optional<Account> SqliteStore::lockAccount(const QString &source)
{
    // The transaction already holds the one right to write, so reading is enough.
    Rows rows(*this, run("SELECT source, balance, declining FROM account WHERE source = ?", {source}));
    if (!rows.next())
        return std::nullopt;
    return Account{rows.string(0), rows.integer(1), rows.integer(2) != 0};
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
    // The plus makes an expression of a column: its value is the same, but Qt does not look up, convert and compare the
    // names of its table and type for every row that a replay reads.
    static const QByteArray sql =
        "SELECT +" + QByteArray(SQL_KEY_COLUMNS).replace(", ", ", +") + " FROM key_record WHERE seq = ?";
    Rows rows(*this, run(sql.constData(), {seq}));
    if (!rows.next())
        return std::nullopt;
    return keyRecordOf(rows);
}

std::optional<Movement> SqliteStore::chargeUnder(const ScopedKey &name)
{
    qint64 id = 0;
    {
        // A single column for the same reason as in `key`; two look-ups for the reason given in SqlStore.
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
    return oneMovement(run("SELECT " SQL_MOVEMENT_COLUMNS " FROM movement WHERE id = ?", {id}));
}

} // namespace mockbank
