#include "mock-server/store/sqlite_schema.h"

#include "mock-server/store/store.h"

#include <QtCore/QVariant>
#include <QtSql/QSqlError>
#include <QtSql/QSqlQuery>

#include <array>

namespace mockbank {

namespace {

// "IKKB": tells a bank's store from any other SQLite file (the terminal's journal, say).
constexpr int bankApplicationId = 0x494B4B42;

// One list of statements for each version; a store of version n has had the first n lists. Never change a list that
// has been released: add one.
constexpr std::array versionOne = {
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",

    "CREATE TABLE account ("
    " source TEXT PRIMARY KEY CHECK (source <> ''),"
    " balance INTEGER NOT NULL CHECK (balance BETWEEN 0 AND 9007199254740991),"
    " declining INTEGER NOT NULL CHECK (declining IN (0, 1))"
    ") STRICT, WITHOUT ROWID",

    "CREATE TABLE key_record ("
    " seq INTEGER PRIMARY KEY,"
    " scope TEXT NOT NULL, key TEXT NOT NULL,"
    " state TEXT NOT NULL CHECK (state IN ('claimed', 'finished')),"
    " instance TEXT NOT NULL, run TEXT NOT NULL,"
    " epoch INTEGER NOT NULL CHECK (epoch >= 1),"
    " lease_until INTEGER NOT NULL,"
    " fingerprint BLOB NOT NULL CHECK (length(fingerprint) = 32),"
    " claimed_at INTEGER NOT NULL,"
    " status INTEGER CHECK (status IN (201, 402)),"
    " body BLOB,"
    " charge_id TEXT, order_id TEXT,"
    " amount INTEGER CHECK (amount BETWEEN 1 AND 99999999),"
    " currency TEXT CHECK (length(currency) = 3),"
    " source TEXT, decline_code TEXT, balance INTEGER, answered_at INTEGER, expires_at INTEGER,"
    " UNIQUE (scope, key),"
    " CHECK (state = 'claimed' OR (status IS NOT NULL AND charge_id IS NOT NULL AND amount IS NOT NULL"
    "        AND answered_at IS NOT NULL AND expires_at IS NOT NULL))"
    ") STRICT",

    // Ids rise in commit order because there is one writer at a time and no row is ever deleted.
    "CREATE TABLE movement ("
    " id INTEGER PRIMARY KEY,"
    " kind TEXT NOT NULL CHECK (kind IN ('charge', 'reversal')),"
    " charge_id TEXT NOT NULL, scope TEXT NOT NULL, key TEXT NOT NULL,"
    " guarded INTEGER NOT NULL CHECK (guarded IN (0, 1)),"
    " fingerprint BLOB NOT NULL,"
    " order_id TEXT NOT NULL CHECK (order_id <> ''),"
    " amount INTEGER NOT NULL CHECK (amount BETWEEN 1 AND 99999999),"
    " currency TEXT NOT NULL CHECK (length(currency) = 3),"
    " source TEXT NOT NULL REFERENCES account (source),"
    " terminal_id TEXT,"
    " balance INTEGER NOT NULL, at INTEGER NOT NULL"
    ") STRICT",

    // The last guard against a second charge. Unsafe strategies write unguarded rows, found by the second index.
    "CREATE UNIQUE INDEX guarded_charge ON movement (scope, key) WHERE kind = 'charge' AND guarded = 1",
    "CREATE INDEX unguarded_charge ON movement (scope, key) WHERE kind = 'charge' AND guarded = 0",
    "CREATE UNIQUE INDEX one_reversal ON movement (charge_id) WHERE kind = 'reversal'",

    "CREATE TABLE outbox ("
    " id INTEGER PRIMARY KEY,"
    " movement_id INTEGER NOT NULL REFERENCES movement (id),"
    " topic TEXT NOT NULL, payload BLOB NOT NULL, created_at INTEGER NOT NULL, published_at INTEGER"
    ") STRICT",
};
constexpr int newestVersion = 1;

QVariant askSqlite(QSqlQuery &query, const QString &sql, const QString &where)
{
    if (!query.exec(sql)) {
        const QSqlError error = query.lastError();
        // 26 is SQLITE_NOTADB.
        if (error.nativeErrorCode() == QLatin1String("26"))
            throw StoreError(QStringLiteral("%1: not a database").arg(where));
        throw StoreError(QStringLiteral("%1: %2").arg(where, error.databaseText()));
    }
    const QVariant answer = query.next() ? query.value(0) : QVariant();
    query.finish();
    return answer;
}

} // namespace

void prepareSchema(const QSqlDatabase &database, const QString &where)
{
    QSqlQuery query(database);
    askSqlite(query, QStringLiteral("BEGIN IMMEDIATE"), where);
    const int version = askSqlite(query, QStringLiteral("PRAGMA user_version"), where).toInt();
    const int application = askSqlite(query, QStringLiteral("PRAGMA application_id"), where).toInt();
    const bool empty = askSqlite(query, QStringLiteral("SELECT count(*) FROM sqlite_schema"), where).toInt() == 0;
    if (!(empty && version == 0) && application != bankApplicationId)
        throw StoreError(QStringLiteral("%1: a database of another program").arg(where));
    if (version > newestVersion) {
        throw StoreError(QStringLiteral("%1: made by a newer program (version %2, this one knows %3)")
                             .arg(where)
                             .arg(version)
                             .arg(newestVersion));
    }
    if (version < 1) {
        askSqlite(query, QStringLiteral("PRAGMA application_id = %1").arg(bankApplicationId), where);
        for (const char *statement : versionOne)
            askSqlite(query, QString::fromLatin1(statement), where);
        askSqlite(query, QStringLiteral("PRAGMA user_version = 1"), where);
    }
    askSqlite(query, QStringLiteral("COMMIT"), where);
}

} // namespace mockbank
