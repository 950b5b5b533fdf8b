#include "core/journal/migrations.h"

#include "core/journal/settlement.h"
#include "core/journal/sqlite_error.h"

#include <QtCore/QFile>
#include <QtCore/QFileInfo>
#include <QtSql/QSqlDatabase>
#include <QtSql/QSqlError>
#include <QtSql/QSqlQuery>

#include <optional>

namespace ikkai {

namespace journal_migration {

class Steps {
public:
    Steps(QSqlDatabase &database, QString file)
        : m_query(database)
        , m_file(std::move(file))
    {
    }

    [[nodiscard]] const QString &file() const { return m_file; }

    std::optional<JournalError> run(const QString &statement)
    {
        if (m_query.exec(statement))
            return std::nullopt;
        return journalErrorOf(m_query.lastError(), m_file);
    }

    Result<int, JournalError> number(const char *statement)
    {
        if (const auto error = run(QLatin1String(statement)))
            return *error;
        const int value = m_query.next() ? m_query.value(0).toInt() : 0;
        m_query.finish();
        return value;
    }

private:
    QSqlQuery m_query;
    QString m_file;
};

/// A consistent copy, what is still in the write-ahead log included.
std::optional<JournalError> keepCopy(Steps &steps, const QString &file, int version)
{
    QString copy = QStringLiteral("%1.v%2").arg(file).arg(version);
    for (int n = 2; QFileInfo::exists(copy); ++n)
        copy = QStringLiteral("%1.v%2-%3").arg(file).arg(version).arg(n);
    QString quoted = copy;
    quoted.replace(QLatin1Char('\''), QLatin1String("''"));
    auto error = steps.run(QStringLiteral("VACUUM INTO '%1'").arg(quoted));
    if (error)
        QFile::remove(copy); // half a copy would only be mistaken for one
    return error;
}

std::optional<JournalError> runAll(QSqlDatabase &database, Steps &steps, int from,
                                   const std::vector<Migration> &migrations, const BusinessCalendar &calendar)
{
    for (const Migration &migration : migrations) {
        if (migration.toVersion <= from)
            continue;
        for (const char *statement : migration.statements) {
            if (auto error = steps.run(QLatin1String(statement)))
                return error;
        }
        if (migration.finish) {
            if (auto error = migration.finish(database, steps.file(), calendar))
                return error;
        }
        if (auto error = steps.run(QStringLiteral("PRAGMA user_version = %1").arg(migration.toVersion)))
            return error;
    }
    return steps.run(QStringLiteral("PRAGMA application_id = %1").arg(journalApplicationId));
}

} // namespace journal_migration

const std::vector<Migration> &journalMigrations()
{
    static const std::vector<Migration> all{
        {1,
         {
             // One row per checkout: what its events lead to. Can be rebuilt from them at any time.
             R"(CREATE TABLE checkout (
                    key TEXT NOT NULL PRIMARY KEY,
                    order_id TEXT NOT NULL,
                    amount INTEGER NOT NULL,
                    currency TEXT NOT NULL,
                    source TEXT NOT NULL,
                    state TEXT NOT NULL,
                    settled_by TEXT,
                    open INTEGER NOT NULL CHECK (open IN (0, 1)),
                    attempts INTEGER NOT NULL,
                    wire_sends INTEGER NOT NULL,
                    created_ms INTEGER NOT NULL,
                    updated_ms INTEGER NOT NULL,
                    business_day TEXT,
                    terminal_id TEXT NOT NULL
                ) STRICT, WITHOUT ROWID)",
             "CREATE INDEX checkout_open ON checkout (key) WHERE open = 1",
             "CREATE INDEX checkout_order ON checkout (order_id, key)",
             R"(CREATE TABLE event (
                    key TEXT NOT NULL REFERENCES checkout (key),
                    seq INTEGER NOT NULL CHECK (seq >= 1),
                    at_ms INTEGER NOT NULL,
                    type TEXT NOT NULL,
                    data TEXT NOT NULL,
                    PRIMARY KEY (key, seq)
                ) STRICT, WITHOUT ROWID)",
             // The past is not edited, by no program that opens this file.
             R"(CREATE TRIGGER event_stays BEFORE UPDATE ON event
                BEGIN SELECT RAISE(ABORT, 'events are append-only'); END)",
             R"(CREATE TRIGGER event_is_kept BEFORE DELETE ON event
                BEGIN SELECT RAISE(ABORT, 'events are append-only'); END)",
         }},
        {2,
         {
             "ALTER TABLE checkout ADD COLUMN settled_ms INTEGER",
             "ALTER TABLE checkout ADD COLUMN void_key TEXT",
             "ALTER TABLE checkout ADD COLUMN replaces TEXT",
             "ALTER TABLE checkout ADD COLUMN contradiction TEXT",
             "ALTER TABLE checkout ADD COLUMN supervisor_reason TEXT",
             "ALTER TABLE checkout ADD COLUMN ledger_id TEXT",
             // The order in which this journal learned the outcomes, and the business day of each. A report covers a
             // range of it, so that a clock that is set back can neither lose a checkout nor count it twice.
             R"(CREATE TABLE settlement (
                    n INTEGER NOT NULL PRIMARY KEY,
                    key TEXT NOT NULL UNIQUE REFERENCES checkout (key),
                    business_day TEXT NOT NULL
                ) STRICT)",
             R"(CREATE TRIGGER settlement_stays BEFORE UPDATE ON settlement
                BEGIN SELECT RAISE(ABORT, 'settlements are append-only'); END)",
             R"(CREATE TRIGGER settlement_is_kept BEFORE DELETE ON settlement
                BEGIN SELECT RAISE(ABORT, 'settlements are append-only'); END)",
             // What `settlement` says, beside the rest, for those who read.
             "ALTER TABLE checkout ADD COLUMN settled_n INTEGER",
             "CREATE UNIQUE INDEX checkout_settled ON checkout (settled_n) WHERE settled_n IS NOT NULL",
             "CREATE INDEX checkout_void ON checkout (void_key) WHERE void_key IS NOT NULL",
             "CREATE INDEX checkout_replaces ON checkout (replaces) WHERE replaces IS NOT NULL",
             "CREATE INDEX checkout_state ON checkout (state, key)",
             "CREATE INDEX checkout_created ON checkout (created_ms, key)",
             "CREATE INDEX checkout_amount ON checkout (amount, key)",
             // Newest first and narrow: a search for a part of an order reads this instead of the whole table.
             "CREATE INDEX checkout_search ON checkout (key, order_id)",
             "UPDATE checkout SET settled_ms = updated_ms WHERE open = 0",
             // What was known of the ledger stands in the events; the first that names it counts.
             R"(UPDATE checkout SET ledger_id = (SELECT nullif(json_extract(data, '$.ledger_id'), '') FROM event
                    WHERE event.key = checkout.key AND type IN ('CheckoutStarted', 'BankLearned')
                    AND json_extract(data, '$.ledger_id') <> '' ORDER BY seq LIMIT 1))",
             // Closed days. `upto_n` is the newest settled_n that the report counts.
             R"(CREATE TABLE day_report (
                    number INTEGER NOT NULL PRIMARY KEY,
                    business_day TEXT NOT NULL,
                    closed_ms INTEGER NOT NULL,
                    upto_n INTEGER NOT NULL,
                    report TEXT NOT NULL
                ) STRICT)",
             R"(CREATE TRIGGER report_stays BEFORE UPDATE ON day_report
                BEGIN SELECT RAISE(ABORT, 'a closed day is not changed'); END)",
             R"(CREATE TRIGGER report_is_kept BEFORE DELETE ON day_report
                BEGIN SELECT RAISE(ABORT, 'a closed day is not changed'); END)",
             R"(CREATE TABLE supervisor (
                    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
                    salt TEXT NOT NULL,
                    iterations INTEGER NOT NULL,
                    hash TEXT NOT NULL,
                    wrong INTEGER NOT NULL,
                    set_ms INTEGER NOT NULL
                ) STRICT)",
         },
         settleOldRows},
    };
    return all;
}

Result<Done, JournalError> migrate(QSqlDatabase &database, const QString &file,
                                   const std::vector<Migration> &migrations, const BusinessCalendar &calendar)
{
    journal_migration::Steps steps(database, file);
    const auto version = steps.number("PRAGMA user_version");
    if (!version)
        return version.error();
    const auto applicationId = steps.number("PRAGMA application_id");
    if (!applicationId)
        return applicationId.error();
    const auto tables = steps.number("SELECT count(*) FROM sqlite_schema");
    if (!tables)
        return tables.error();

    const bool isNew = version.value() == 0 && applicationId.value() == 0 && tables.value() == 0;
    if (!isNew && applicationId.value() != journalApplicationId) {
        return JournalError{JournalError::Kind::CannotOpen, file,
                            QStringLiteral("it is a database, but not a payment journal")};
    }
    const int newest = migrations.back().toVersion;
    if (version.value() > newest) {
        return JournalError{
            JournalError::Kind::NewerVersion, file,
            QStringLiteral("its version is %1, this program knows %2").arg(version.value()).arg(newest)};
    }
    if (version.value() == newest)
        return Done{};
    if (!isNew) {
        if (const auto error = journal_migration::keepCopy(steps, file, version.value()))
            return *error;
    }

    if (const auto error = steps.run(QStringLiteral("BEGIN IMMEDIATE")))
        return *error;
    // Read again under the lock: another process may have done it meanwhile.
    const auto now = steps.number("PRAGMA user_version");
    std::optional<JournalError> error = now ? std::nullopt : std::optional(now.error());
    if (!error && now.value() < newest)
        error = journal_migration::runAll(database, steps, now.value(), migrations, calendar);
    if (!error)
        error = steps.run(QStringLiteral("COMMIT"));
    if (error) {
        (void)steps.run(QStringLiteral("ROLLBACK"));
        return *error;
    }
    return Done{};
}

} // namespace ikkai
