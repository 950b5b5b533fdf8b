#include "mock-server/store/sqlite_schema.h"

#include "mock-server/store/store.h"

#include <QtCore/QVariant>
#include <QtSql/QSqlError>
#include <QtSql/QSqlQuery>

#include <array>
#include <span>

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

// What version 1 could not say: voids and their keys, answers of any status (a lesson stores 5xx), deliveries. SQLite
// cannot change a CHECK, so key_record is made anew; `seq` stays, and with it the order in which keys came.
constexpr std::array versionTwo = {
    "CREATE TABLE key_record_2 ("
    " seq INTEGER PRIMARY KEY,"
    " scope TEXT NOT NULL, key TEXT NOT NULL,"
    " state TEXT NOT NULL CHECK (state IN ('claimed', 'finished', 'voided')),"
    " instance TEXT NOT NULL, run TEXT NOT NULL,"
    " epoch INTEGER NOT NULL CHECK (epoch >= 1),"
    " lease_until INTEGER NOT NULL,"
    " fingerprint BLOB NOT NULL CHECK (length(fingerprint) = 32 OR (state = 'voided' AND length(fingerprint) = 0)),"
    " claimed_at INTEGER NOT NULL,"
    " status INTEGER CHECK (status BETWEEN 200 AND 599),"
    " body BLOB,"
    " charge_id TEXT, order_id TEXT,"
    " amount INTEGER CHECK (amount BETWEEN 1 AND 99999999),"
    " currency TEXT CHECK (length(currency) = 3),"
    " source TEXT, decline_code TEXT, balance INTEGER, answered_at INTEGER, expires_at INTEGER,"
    " void_result TEXT CHECK (void_result IN ('reversed', 'prevented', 'not_charged')),"
    " void_at INTEGER,"
    " UNIQUE (scope, key),"
    " CHECK (state <> 'finished' OR (status IS NOT NULL AND charge_id IS NOT NULL AND amount IS NOT NULL"
    "        AND answered_at IS NOT NULL AND expires_at IS NOT NULL)),"
    " CHECK ((state = 'voided') = (void_result IS NOT NULL AND void_at IS NOT NULL)),"
    " CHECK (state <> 'voided' OR (order_id IS NOT NULL AND amount IS NOT NULL AND currency IS NOT NULL"
    "        AND body IS NULL))"
    ") STRICT",
    "INSERT INTO key_record_2 (seq, scope, key, state, instance, run, epoch, lease_until, fingerprint, claimed_at,"
    " status, body, charge_id, order_id, amount, currency, source, decline_code, balance, answered_at, expires_at)"
    " SELECT seq, scope, key, state, instance, run, epoch, lease_until, fingerprint, claimed_at,"
    " status, body, charge_id, order_id, amount, currency, source, decline_code, balance, answered_at, expires_at"
    " FROM key_record",
    "DROP TABLE key_record",
    "ALTER TABLE key_record_2 RENAME TO key_record",
    // Few claims live at a time, and the sweep has only what it has not swept yet.
    "CREATE INDEX open_claim ON key_record (lease_until) WHERE state = 'claimed'",
    "CREATE INDEX stored_answer ON key_record (expires_at) WHERE state = 'finished' AND body IS NOT NULL",

    "CREATE TABLE void_key ("
    " scope TEXT NOT NULL, key TEXT NOT NULL,"
    " fingerprint BLOB NOT NULL CHECK (length(fingerprint) = 32),"
    " original_scope TEXT NOT NULL, original_key TEXT NOT NULL,"
    " expires_at INTEGER NOT NULL,"
    " PRIMARY KEY (scope, key)"
    ") STRICT, WITHOUT ROWID",
    "CREATE INDEX void_key_expiry ON void_key (expires_at)",

    "CREATE INDEX charge_by_id ON movement (charge_id) WHERE kind = 'charge'",

    "CREATE TABLE outbox_2 ("
    " id INTEGER PRIMARY KEY,"
    " movement_id INTEGER NOT NULL REFERENCES movement (id),"
    " topic TEXT NOT NULL, payload BLOB NOT NULL, created_at INTEGER NOT NULL,"
    " order_id TEXT NOT NULL,"
    " attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),"
    " next_attempt_at INTEGER NOT NULL,"
    " last_error TEXT, delivered_at INTEGER"
    ") STRICT",
    "INSERT INTO outbox_2 (id, movement_id, topic, payload, created_at, order_id, next_attempt_at, delivered_at)"
    " SELECT event.id, movement_id, topic, payload, created_at, order_id, created_at, published_at"
    " FROM outbox AS event JOIN movement ON movement.id = movement_id",
    "DROP TABLE outbox",
    "ALTER TABLE outbox_2 RENAME TO outbox",
    "CREATE INDEX pending_event ON outbox (id) WHERE delivered_at IS NULL",
    "CREATE INDEX pending_of_order ON outbox (order_id, id) WHERE delivered_at IS NULL",
};

constexpr std::array<std::span<const char *const>, 2> versions = {versionOne, versionTwo};
constexpr int newestVersion = int(versions.size());

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
    if (version < 1)
        askSqlite(query, QStringLiteral("PRAGMA application_id = %1").arg(bankApplicationId), where);
    for (size_t next = size_t(version); next < versions.size(); ++next) {
        for (const char *statement : versions[next])
            askSqlite(query, QString::fromLatin1(statement), where);
    }
    if (version < newestVersion)
        askSqlite(query, QStringLiteral("PRAGMA user_version = %1").arg(newestVersion), where);
    askSqlite(query, QStringLiteral("COMMIT"), where);
}

} // namespace mockbank
