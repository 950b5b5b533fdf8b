#include "core/journal/sqlite_journal.h"

#include "core/checkout/recovery.h"
#include "core/journal/event_codec.h"
#include "core/journal/migrations.h"
#include "core/journal/projection.h"
#include "core/journal/sqlite_error.h"

#include <QtCore/QDir>
#include <QtCore/QFileInfo>
#include <QtCore/QStringList>
#include <QtCore/QThread>
#include <QtSql/QSqlDatabase>
#include <QtSql/QSqlError>
#include <QtSql/QSqlQuery>

#include <atomic>
#include <map>

namespace ikkai {

namespace sqlite_journal {

const QString inMemory = QStringLiteral(":memory:");

/// Owner root may write where no one may; a file or folder without any write permission is still meant not to be
/// written.
bool nobodyMayWrite(const QFileInfo &info)
{
    return (info.permissions() & (QFile::WriteOwner | QFile::WriteGroup | QFile::WriteOther)) == QFile::Permissions();
}

std::optional<JournalError> whyNot(const QString &file, SqliteJournal::Access access)
{
    const auto error = [&](JournalError::Kind kind, const QString &detail) { return JournalError{kind, file, detail}; };
    if (file.isEmpty())
        return error(JournalError::Kind::CannotOpen, QStringLiteral("no file was named"));
    const QFileInfo info(file);
    const QFileInfo folder(info.absolutePath());
    if (!folder.isDir())
        return error(JournalError::Kind::CannotOpen, QStringLiteral("there is no folder %1").arg(folder.filePath()));
    if (info.isDir())
        return error(JournalError::Kind::CannotOpen, QStringLiteral("it is a folder"));
    if (access == SqliteJournal::Access::ReadOnly) {
        if (!info.exists())
            return error(JournalError::Kind::CannotOpen, QStringLiteral("there is no such file"));
        return std::nullopt;
    }
    if (info.exists() && (nobodyMayWrite(info) || !info.isWritable()))
        return error(JournalError::Kind::ReadOnly, QStringLiteral("its permissions"));
    if (nobodyMayWrite(folder) || !folder.isWritable())
        return error(JournalError::Kind::ReadOnly, QStringLiteral("the permissions of its folder"));
    return std::nullopt;
}

QString upsertStatement()
{
    QStringList names;
    QStringList marks;
    QStringList updates;
    for (const char *column : projectionColumns) {
        const QString name = QLatin1String(column);
        names << name;
        marks << QStringLiteral("?");
        if (name != QLatin1String("key"))
            updates << QStringLiteral("%1 = excluded.%1").arg(name);
    }
    return QStringLiteral("INSERT INTO checkout (%1) VALUES (%2) ON CONFLICT (key) DO UPDATE SET %3")
        .arg(names.join(QLatin1String(", ")), marks.join(QLatin1String(", ")), updates.join(QLatin1String(", ")));
}

QString selectProjectionStatement()
{
    QStringList names;
    for (const char *column : projectionColumns)
        names << QLatin1String(column);
    return QStringLiteral("SELECT %1 FROM checkout ORDER BY key").arg(names.join(QLatin1String(", ")));
}

} // namespace sqlite_journal

/// The connection, its thread and its prepared statements.
class SqliteJournal::Database {
public:
    Database(QString file, Access access)
        : m_file(std::move(file))
        , m_access(access)
        , m_thread(QThread::currentThread())
        , m_name(freshName())
        , m_database(QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_name))
    {
        m_database.setDatabaseName(m_file);
        QString options = QStringLiteral("QSQLITE_BUSY_TIMEOUT=2000");
        if (access == Access::ReadOnly)
            options += QLatin1String(";QSQLITE_OPEN_READONLY");
        m_database.setConnectOptions(options);
    }
    ~Database()
    {
        m_prepared.clear();
        m_database.close();
        m_database = QSqlDatabase();
        QSqlDatabase::removeDatabase(m_name);
    }
    Database(const Database &) = delete;
    Database &operator=(const Database &) = delete;

    [[nodiscard]] const QString &file() const { return m_file; }
    [[nodiscard]] Access access() const { return m_access; }

    std::optional<JournalError> open()
    {
        if (!m_database.isValid())
            return JournalError{JournalError::Kind::CannotOpen, m_file,
                                QStringLiteral("Qt's SQLite driver is missing")};
        if (!m_database.open())
            return journalErrorOf(m_database.lastError(), m_file);
        // Foreign keys are off in SQLite unless asked for, and FULL is what makes a commit last through a power cut.
        if (auto error = run("PRAGMA foreign_keys = ON"))
            return error;
        if (auto error = run("PRAGMA synchronous = FULL"))
            return error;
        if (m_access == Access::ReadOnly)
            return checkVersion();
        const auto migrated = migrate(m_database, m_file, journalMigrations());
        if (!migrated)
            return migrated.error();
        if (auto error = useWriteAheadLog())
            return error;
        // A journal that cannot be written must say so now, not when the first customer pays.
        if (auto error = run("BEGIN IMMEDIATE"))
            return error;
        return run("ROLLBACK");
    }

    /// The statement, prepared once, with these values; ready for next(). Errors: as SQLite reports.
    Result<QSqlQuery *, JournalError> ask(const QString &statement, const QVariantList &values = {})
    {
        assertThread();
        auto found = m_prepared.find(statement);
        if (found == m_prepared.end()) {
            QSqlQuery query(m_database);
            query.setForwardOnly(true);
            if (!query.prepare(statement))
                return journalErrorOf(query.lastError(), m_file);
            found = m_prepared.emplace(statement, std::move(query)).first;
        }
        QSqlQuery &query = found->second;
        query.finish();
        for (int i = 0; i < values.size(); ++i)
            query.bindValue(i, values.at(i));
        if (!query.exec()) {
            const JournalError error = journalErrorOf(query.lastError(), m_file);
            query.finish();
            return error;
        }
        return &query;
    }

    std::optional<JournalError> run(const QString &statement, const QVariantList &values = {})
    {
        const auto asked = ask(statement, values);
        if (!asked)
            return asked.error();
        (*asked)->finish();
        return std::nullopt;
    }
    std::optional<JournalError> run(const char *statement) { return run(QString::fromLatin1(statement)); }

    /// `work` in one transaction: committed where it reports no error, else rolled back.
    template <class Work>
    std::optional<JournalError> transact(Work work)
    {
        if (m_access == Access::ReadOnly)
            return JournalError{JournalError::Kind::ReadOnly, m_file, QStringLiteral("it was opened for reading")};
        if (auto error = run("BEGIN IMMEDIATE"))
            return error;
        std::optional<JournalError> error = work();
        if (!error)
            error = run("COMMIT");
        if (error)
            (void)run("ROLLBACK"); // SQLite may have done it already
        return error;
    }

private:
    static QString freshName()
    {
        static std::atomic<int> count = 0;
        return QStringLiteral("ikkai-journal-%1").arg(++count);
    }

    void assertThread() const
    {
        // A QSqlDatabase on another thread is not checked by Qt and damages what it touches.
        if (QThread::currentThread() != m_thread)
            qFatal("the journal was used on a thread it does not live on");
    }

    std::optional<JournalError> useWriteAheadLog()
    {
        const auto asked = ask(QStringLiteral("PRAGMA journal_mode = WAL"));
        if (!asked)
            return asked.error();
        const QString mode = (*asked)->next() ? (*asked)->value(0).toString() : QString();
        (*asked)->finish();
        if (mode == QLatin1String("wal") || m_file == sqlite_journal::inMemory)
            return std::nullopt;
        return JournalError{JournalError::Kind::CannotOpen, m_file,
                            QStringLiteral("the disk takes no write-ahead log, its mode stays %1").arg(mode)};
    }

    /// For readers, who cannot migrate: any version that is not ours is somebody else's to read.
    std::optional<JournalError> checkVersion()
    {
        const auto id = number("PRAGMA application_id");
        if (!id)
            return id.error();
        const auto version = number("PRAGMA user_version");
        if (!version)
            return version.error();
        const int newest = journalMigrations().back().toVersion;
        if (id.value() != journalApplicationId)
            return JournalError{JournalError::Kind::CannotOpen, m_file, QStringLiteral("it is not a payment journal")};
        if (version.value() > newest) {
            return JournalError{
                JournalError::Kind::NewerVersion, m_file,
                QStringLiteral("its version is %1, this program knows %2").arg(version.value()).arg(newest)};
        }
        if (version.value() < newest) {
            return JournalError{JournalError::Kind::CannotOpen, m_file,
                                QStringLiteral("its version %1 is old: start the terminal once").arg(version.value())};
        }
        return std::nullopt;
    }

    Result<int, JournalError> number(const char *statement)
    {
        const auto asked = ask(QString::fromLatin1(statement));
        if (!asked)
            return asked.error();
        const int value = (*asked)->next() ? (*asked)->value(0).toInt() : 0;
        (*asked)->finish();
        return value;
    }

    QString m_file;
    Access m_access;
    QThread *m_thread;
    QString m_name;
    QSqlDatabase m_database;
    std::map<QString, QSqlQuery> m_prepared;
};

namespace sqlite_journal {

JournalError damaged(const QString &file, const QString &key, qint64 seq, const QString &what)
{
    return {JournalError::Kind::Corrupt, file, QStringLiteral("checkout %1, event %2: %3").arg(key).arg(seq).arg(what)};
}

/// All keys that a statement's first column names, in its order.
template <class Database>
Result<std::vector<IdempotencyKey>, JournalError> keysOf(Database &database, const QString &statement,
                                                         const QVariantList &values = {})
{
    const auto asked = database.ask(statement, values);
    if (!asked)
        return asked.error();
    std::vector<IdempotencyKey> keys;
    QSqlQuery &query = **asked;
    while (query.next()) {
        const auto key = IdempotencyKey::parse(query.value(0).toString());
        if (!key) {
            query.finish();
            return JournalError{JournalError::Kind::Corrupt, database.file(),
                                QStringLiteral("%1 is no idempotency key").arg(key.error().given)};
        }
        keys.push_back(key.value());
    }
    const QSqlError error = query.lastError();
    query.finish();
    if (error.isValid())
        return journalErrorOf(error, database.file());
    return keys;
}

template <class Database>
std::optional<JournalError> storeProjection(Database &database, const ProjectionRow &row)
{
    static const QString statement = upsertStatement();
    return database.run(statement, QVariantList(row.begin(), row.end()));
}

} // namespace sqlite_journal

SqliteJournal::SqliteJournal(std::unique_ptr<Database> database)
    : m_database(std::move(database))
{
}

SqliteJournal::~SqliteJournal() = default;

Result<std::unique_ptr<SqliteJournal>, JournalError> SqliteJournal::open(const QString &file, Access access)
{
    if (file != sqlite_journal::inMemory) {
        if (const auto error = sqlite_journal::whyNot(file, access))
            return *error;
    }
    auto database = std::make_unique<Database>(file, access);
    if (const auto error = database->open())
        return *error;
    return std::unique_ptr<SqliteJournal>(new SqliteJournal(std::move(database)));
}

Result<Done, JournalError> SqliteJournal::append(int seq, const Event &event, const Checkout &after)
{
    const StoredEvent stored = encodeEvent(event);
    const QString key = after.key.text();
    bool isThereAlready = false;
    const auto error = m_database->transact([&]() -> std::optional<JournalError> {
        const auto asked = m_database->ask(
            QStringLiteral("SELECT seq, at_ms, type, data FROM event WHERE key = ? ORDER BY seq DESC LIMIT 1"), {key});
        if (!asked)
            return asked.error();
        QSqlQuery &query = **asked;
        const qint64 last = query.next() ? query.value(0).toLongLong() : 0;
        if (last > 0) {
            const StoredEvent newest{query.value(1).toLongLong(), query.value(2).toString(),
                                     query.value(3).toString().toUtf8()};
            isThereAlready = last == seq && newest == stored;
        }
        query.finish();
        if (isThereAlready)
            return std::nullopt;
        if (last != seq - 1) {
            return sqlite_journal::damaged(m_database->file(), key, seq,
                                           QStringLiteral("the last one there is %1").arg(last));
        }
        if (auto failed = sqlite_journal::storeProjection(*m_database, projectionOf(after)))
            return failed;
        return m_database->run(QStringLiteral("INSERT INTO event (key, seq, at_ms, type, data) VALUES (?, ?, ?, ?, ?)"),
                               {key, seq, stored.atWallMs, stored.type, QString::fromUtf8(stored.data)});
    });
    if (error)
        return *error;
    return Done{};
}

Result<std::vector<Event>, JournalError> SqliteJournal::events(const IdempotencyKey &key)
{
    const auto asked = m_database->ask(
        QStringLiteral("SELECT seq, at_ms, type, data FROM event WHERE key = ? ORDER BY seq"), {key.text()});
    if (!asked)
        return asked.error();
    std::vector<Event> events;
    std::optional<JournalError> error;
    QSqlQuery &query = **asked;
    while (!error && query.next()) {
        const qint64 seq = query.value(0).toLongLong();
        const auto event =
            decodeEvent({query.value(1).toLongLong(), query.value(2).toString(), query.value(3).toString().toUtf8()});
        if (seq != static_cast<qint64>(events.size()) + 1)
            error = sqlite_journal::damaged(m_database->file(), key.text(), seq,
                                            QStringLiteral("the one before it is not there"));
        else if (!event)
            error = sqlite_journal::damaged(m_database->file(), key.text(), seq, event.error());
        else
            events.push_back(event.value());
    }
    if (!error && query.lastError().isValid())
        error = journalErrorOf(query.lastError(), m_database->file());
    query.finish();
    if (error)
        return *error;
    return events;
}

Result<std::vector<IdempotencyKey>, JournalError> SqliteJournal::openKeys()
{
    // A UUIDv7 begins with its time, so the order of the keys is the order of the checkouts.
    return sqlite_journal::keysOf(*m_database, QStringLiteral("SELECT key FROM checkout WHERE open = 1 ORDER BY key"));
}

Result<std::vector<IdempotencyKey>, JournalError> SqliteJournal::keysOfOrder(const OrderId &order)
{
    return sqlite_journal::keysOf(
        *m_database, QStringLiteral("SELECT key FROM checkout WHERE order_id = ? ORDER BY key"), {order.text()});
}

Result<std::optional<IdempotencyKey>, JournalError> SqliteJournal::newestKey()
{
    const auto keys =
        // A void has a key of its own, made by the same generator.
        sqlite_journal::keysOf(*m_database, QStringLiteral("SELECT max(key, coalesce(void_key, key)) FROM ("
                                                           "SELECT (SELECT max(key) FROM checkout) AS key, "
                                                           "(SELECT max(void_key) FROM checkout) AS void_key) "
                                                           "WHERE key IS NOT NULL"));
    if (!keys)
        return keys.error();
    if (keys->empty())
        return std::optional<IdempotencyKey>();
    return std::optional(keys->front());
}

Result<std::optional<PinRecord>, JournalError> SqliteJournal::supervisorPin()
{
    const auto asked =
        m_database->ask(QStringLiteral("SELECT salt, iterations, hash, wrong, set_ms FROM supervisor WHERE id = 1"));
    if (!asked)
        return asked.error();
    QSqlQuery &query = **asked;
    std::optional<PinRecord> record;
    if (query.next()) {
        record = PinRecord{QByteArray::fromBase64(query.value(0).toByteArray()), query.value(1).toInt(),
                           QByteArray::fromBase64(query.value(2).toByteArray()), query.value(3).toInt(),
                           query.value(4).toLongLong()};
    }
    query.finish();
    return record;
}

Result<Done, JournalError> SqliteJournal::storeSupervisorPin(const PinRecord &record)
{
    const auto error = m_database->transact([&] {
        return m_database->run(
            QStringLiteral(
                "INSERT INTO supervisor (id, salt, iterations, hash, wrong, set_ms) VALUES (1, ?, ?, ?, ?, ?) "
                "ON CONFLICT (id) DO UPDATE SET salt = excluded.salt, iterations = excluded.iterations, "
                "hash = excluded.hash, wrong = excluded.wrong, set_ms = excluded.set_ms"),
            {QString::fromLatin1(record.salt.toBase64()), record.iterations,
             QString::fromLatin1(record.hash.toBase64()), record.wrongTries, record.setWallMs});
    });
    if (error)
        return *error;
    return Done{};
}

namespace sqlite_journal {

/// Every checkout as its events say, by key.
Result<std::map<QString, ProjectionRow>, JournalError>
foldAll(SqliteJournal &journal, const std::vector<IdempotencyKey> &keys, const QString &file)
{
    std::map<QString, ProjectionRow> rows;
    for (const IdempotencyKey &key : keys) {
        const auto events = journal.events(key);
        if (!events)
            return events.error();
        const auto checkout = fold(events.value());
        if (!checkout) {
            return JournalError{JournalError::Kind::Corrupt, file,
                                QStringLiteral("checkout %1: %2").arg(key.text(), checkout.error())};
        }
        rows.emplace(key.text(), projectionOf(checkout.value()));
    }
    return rows;
}

/// None for null: of a null integer Qt says "0", which is a number like any other.
std::optional<QString> wordOf(const QVariant &value)
{
    return value.isNull() ? std::nullopt : std::optional(value.toString());
}

const QString allKeysStatement = QStringLiteral("SELECT DISTINCT key FROM event ORDER BY key");

} // namespace sqlite_journal

Result<std::vector<ProjectionDifference>, JournalError> SqliteJournal::compareProjection()
{
    const auto keys = sqlite_journal::keysOf(*m_database, sqlite_journal::allKeysStatement);
    if (!keys)
        return keys.error();
    const auto folded = sqlite_journal::foldAll(*this, keys.value(), m_database->file());
    if (!folded)
        return folded.error();
    const auto asked = m_database->ask(sqlite_journal::selectProjectionStatement());
    if (!asked)
        return asked.error();

    std::vector<ProjectionDifference> differences;
    std::map<QString, ProjectionRow> missing = folded.value();
    QSqlQuery &query = **asked;
    while (query.next()) {
        const QString key = query.value(0).toString();
        const auto found = missing.find(key);
        if (found == missing.end()) {
            differences.push_back({key, QStringLiteral("(row)"), QStringLiteral("there"), QString()});
            continue;
        }
        for (size_t i = 0; i < projectionColumns.size(); ++i) {
            const QVariant stored = query.value(static_cast<int>(i));
            const QVariant &expected = found->second[i];
            if (sqlite_journal::wordOf(stored) != sqlite_journal::wordOf(expected)) {
                differences.push_back({key, QLatin1String(projectionColumns[i]),
                                       sqlite_journal::wordOf(stored).value_or(QString()),
                                       sqlite_journal::wordOf(expected).value_or(QString())});
            }
        }
        missing.erase(found);
    }
    const QSqlError error = query.lastError();
    query.finish();
    if (error.isValid())
        return journalErrorOf(error, m_database->file());
    for (const auto &[key, row] : missing)
        differences.push_back({key, QStringLiteral("(row)"), QString(), QStringLiteral("there")});
    return differences;
}

Result<int, JournalError> SqliteJournal::rebuildProjection()
{
    int count = 0;
    const auto error = m_database->transact([&]() -> std::optional<JournalError> {
        const auto keys = sqlite_journal::keysOf(*m_database, sqlite_journal::allKeysStatement);
        if (!keys)
            return keys.error();
        const auto folded = sqlite_journal::foldAll(*this, keys.value(), m_database->file());
        if (!folded)
            return folded.error();
        // Rows without events go; the others are overwritten, which keeps their business day.
        if (auto failed = m_database->run("DELETE FROM checkout WHERE key NOT IN (SELECT key FROM event)"))
            return failed;
        for (const auto &[key, row] : folded.value()) {
            if (auto failed = sqlite_journal::storeProjection(*m_database, row))
                return failed;
        }
        count = static_cast<int>(folded->size());
        return std::nullopt;
    });
    if (error)
        return *error;
    return count;
}

} // namespace ikkai
