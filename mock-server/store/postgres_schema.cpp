#include "mock-server/store/postgres_schema.h"

#include "mock-server/store/store.h"

#include <QtCore/QCryptographicHash>
#include <QtCore/QVariant>
#include <QtCore/QtEndian>
#include <QtSql/QSqlError>
#include <QtSql/QSqlQuery>

#include <array>
#include <span>

namespace mockbank {

namespace {

// One list of statements for each version, as for SQLite: never change a list that has been released, add one.
// Names are in the collation "C": they sort by their bytes, as in SQLite, whatever the database's locale.
constexpr std::array postgresVersionOne = {
    "CREATE TABLE account ("
    " source text COLLATE \"C\" PRIMARY KEY CHECK (source <> ''),"
    " balance bigint NOT NULL CHECK (balance BETWEEN 0 AND 9007199254740991),"
    " declining smallint NOT NULL CHECK (declining IN (0, 1)))",

    "CREATE TABLE key_record ("
    " seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
    " scope text COLLATE \"C\" NOT NULL, key text COLLATE \"C\" NOT NULL,"
    " state text NOT NULL CHECK (state IN ('claimed', 'finished', 'voided')),"
    " instance text NOT NULL, run text NOT NULL,"
    " epoch bigint NOT NULL CHECK (epoch >= 1),"
    " lease_until bigint NOT NULL,"
    " fingerprint bytea NOT NULL CHECK (length(fingerprint) = 32 OR (state = 'voided' AND length(fingerprint) = 0)),"
    " claimed_at bigint NOT NULL,"
    " status integer CHECK (status BETWEEN 200 AND 599),"
    " body bytea,"
    " charge_id text, order_id text,"
    " amount bigint CHECK (amount BETWEEN 1 AND 99999999),"
    " currency text CHECK (length(currency) = 3),"
    " source text, decline_code text, balance bigint, answered_at bigint, expires_at bigint,"
    " void_result text CHECK (void_result IN ('reversed', 'prevented', 'not_charged')),"
    " void_at bigint,"
    " UNIQUE (scope, key),"
    " CHECK (state <> 'finished' OR (status IS NOT NULL AND charge_id IS NOT NULL AND amount IS NOT NULL"
    "        AND answered_at IS NOT NULL AND expires_at IS NOT NULL)),"
    " CHECK ((state = 'voided') = (void_result IS NOT NULL AND void_at IS NOT NULL)),"
    " CHECK (state <> 'voided' OR (order_id IS NOT NULL AND amount IS NOT NULL AND currency IS NOT NULL"
    "        AND body IS NULL)))",
    "CREATE INDEX open_claim ON key_record (lease_until) WHERE state = 'claimed'",
    "CREATE INDEX stored_answer ON key_record (expires_at) WHERE state = 'finished' AND body IS NOT NULL",

    "CREATE TABLE void_key ("
    " scope text COLLATE \"C\" NOT NULL, key text COLLATE \"C\" NOT NULL,"
    " fingerprint bytea NOT NULL CHECK (length(fingerprint) = 32),"
    " original_scope text NOT NULL, original_key text NOT NULL,"
    " expires_at bigint NOT NULL,"
    " PRIMARY KEY (scope, key))",
    "CREATE INDEX void_key_expiry ON void_key (expires_at)",

    // The movements of one transaction are a batch. Their ids are `base` + `place`, and the base is given at the very
    // end of the transaction, under a lock that is held until it has committed. So ids rise in commit order although
    // several banks write at once: a reader who has seen an id has seen all that are lower. (A sequence would not do:
    // who draws first may commit last.) And nobody who waits for that lock holds something that its holder needs.
    "CREATE SEQUENCE batch_number",
    "CREATE TABLE commit_order (batch bigint PRIMARY KEY, base bigint NOT NULL UNIQUE CHECK (base >= 0),"
    " size integer NOT NULL CHECK (size >= 1))",
    "CREATE TABLE movement ("
    " batch bigint NOT NULL, place integer NOT NULL CHECK (place >= 1),"
    " kind text NOT NULL CHECK (kind IN ('charge', 'reversal')),"
    " charge_id text COLLATE \"C\" NOT NULL, scope text COLLATE \"C\" NOT NULL, key text COLLATE \"C\" NOT NULL,"
    " guarded smallint NOT NULL CHECK (guarded IN (0, 1)),"
    " fingerprint bytea NOT NULL,"
    " order_id text NOT NULL CHECK (order_id <> ''),"
    " amount bigint NOT NULL CHECK (amount BETWEEN 1 AND 99999999),"
    " currency text NOT NULL CHECK (length(currency) = 3),"
    " source text COLLATE \"C\" NOT NULL REFERENCES account (source),"
    " terminal_id text,"
    " balance bigint NOT NULL, at bigint NOT NULL,"
    " PRIMARY KEY (batch, place))",
    "CREATE UNIQUE INDEX guarded_charge ON movement (scope, key) WHERE kind = 'charge' AND guarded = 1",
    "CREATE INDEX unguarded_charge ON movement (scope, key) WHERE kind = 'charge' AND guarded = 0",
    "CREATE UNIQUE INDEX one_reversal ON movement (charge_id) WHERE kind = 'reversal'",
    "CREATE INDEX charge_by_id ON movement (charge_id) WHERE kind = 'charge'",

    // Written at the end of the transaction too, so its ids rise in commit order and leave no gap.
    "CREATE TABLE outbox ("
    " id bigint PRIMARY KEY,"
    " movement_id bigint NOT NULL,"
    " topic text NOT NULL, payload bytea NOT NULL, created_at bigint NOT NULL,"
    " order_id text COLLATE \"C\" NOT NULL,"
    " attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),"
    " next_attempt_at bigint NOT NULL,"
    " last_error text, delivered_at bigint)",
    "CREATE INDEX pending_event ON outbox (id) WHERE delivered_at IS NULL",
    "CREATE INDEX pending_of_order ON outbox (order_id, id) WHERE delivered_at IS NULL",
};

constexpr std::array<std::span<const char *const>, 1> postgresVersions = {postgresVersionOne};
constexpr int newestPostgresVersion = int(postgresVersions.size());

class SchemaMaker {
public:
    SchemaMaker(const QSqlDatabase &database, QString schema, QString where)
        : m_query(database)
        , m_schema(std::move(schema))
        , m_where(std::move(where))
    {
    }

    void prepare()
    {
        if (ask(QStringLiteral("SHOW server_encoding")).toString() != QLatin1String("UTF8"))
            throw StoreError(QStringLiteral("%1: its encoding is not UTF8").arg(m_where));
        ask(QStringLiteral("SET search_path TO \"%1\"").arg(m_schema));
        ask(QStringLiteral("BEGIN"));
        try {
            ask(QStringLiteral("SELECT pg_advisory_xact_lock(%1)").arg(advisoryKey(m_schema, "schema")));
            bringUpToDate();
        } catch (const StoreError &) {
            m_query.exec(QStringLiteral("ROLLBACK"));
            throw;
        }
        ask(QStringLiteral("COMMIT"));
    }

private:
    void bringUpToDate()
    {
        const int version = findVersion();
        if (version > newestPostgresVersion) {
            throw StoreError(QStringLiteral("%1: made by a newer program (version %2, this one knows %3)")
                                 .arg(m_where)
                                 .arg(version)
                                 .arg(newestPostgresVersion));
        }
        if (version < 1)
            ask(QStringLiteral("CREATE TABLE meta (name text PRIMARY KEY, value text NOT NULL)"));
        for (size_t next = size_t(version); next < postgresVersions.size(); ++next) {
            for (const char *statement : postgresVersions[next])
                ask(QString::fromLatin1(statement));
        }
        if (version < newestPostgresVersion) {
            ask(QStringLiteral("INSERT INTO meta (name, value) VALUES ('mock_bank_version', '%1')"
                               " ON CONFLICT (name) DO UPDATE SET value = excluded.value")
                    .arg(newestPostgresVersion));
        }
    }

    int findVersion()
    {
        const QString schemas = QStringLiteral("SELECT count(*) FROM pg_namespace WHERE nspname = '%1'").arg(m_schema);
        if (ask(schemas).toInt() == 0) {
            ask(QStringLiteral("CREATE SCHEMA \"%1\"").arg(m_schema));
            return 0;
        }
        const QString tables =
            QStringLiteral("SELECT count(*) FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace"
                           " WHERE n.nspname = '%1' AND relkind IN ('r', 'v', 'p')")
                .arg(m_schema);
        if (ask(tables).toInt() == 0)
            return 0;
        const QString meta = tables + QStringLiteral(" AND relname = 'meta'");
        const int version =
            ask(meta).toInt() == 0
                ? 0
                : ask(QStringLiteral("SELECT value FROM meta WHERE name = 'mock_bank_version'")).toInt();
        if (version < 1)
            throw StoreError(QStringLiteral("%1: schema \"%2\" belongs to another program").arg(m_where, m_schema));
        return version;
    }

    QVariant ask(const QString &sql)
    {
        if (!m_query.exec(sql)) {
            const QString reason = m_query.lastError().databaseText().simplified();
            throw StoreError(QStringLiteral("%1: %2").arg(m_where, reason));
        }
        const QVariant answer = m_query.next() ? m_query.value(0) : QVariant();
        m_query.finish();
        return answer;
    }

    QSqlQuery m_query;
    QString m_schema;
    QString m_where;
};

} // namespace

void preparePostgresSchema(const QSqlDatabase &database, const QString &schema, const QString &where)
{
    SchemaMaker(database, schema, where).prepare();
}

qint64 advisoryKey(const QString &schema, const QByteArray &right)
{
    const QByteArray digest =
        QCryptographicHash::hash("mock_bank/" + schema.toUtf8() + '/' + right, QCryptographicHash::Sha256);
    return qFromBigEndian<qint64>(digest.constData());
}

} // namespace mockbank
