#include "core/journal/sqlite_journal.h"

#include "core/journal/event_codec.h"
#include "core/journal/journal_fold.h"
#include "core/journal/projection.h"
#include "core/journal/settlement.h"
#include "core/journal/sqlite_connection.h"

#include <QtSql/QSqlError>

namespace ikkai {

namespace sqlite_journal {

JournalError damaged(const QString &file, const QString &key, qint64 seq, const QString &what)
{
    return {JournalError::Kind::Corrupt, file, QStringLiteral("checkout %1, event %2: %3").arg(key).arg(seq).arg(what)};
}

/// All keys that a statement's first column names, in its order.
Result<std::vector<IdempotencyKey>, JournalError> keysOf(SqliteConnection &database, const QString &statement,
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

std::optional<JournalError> storeProjection(SqliteConnection &database, const ProjectionRow &row)
{
    return database.run(projectionUpsert(), QVariantList(row.begin(), row.end()));
}

} // namespace sqlite_journal

SqliteJournal::SqliteJournal(std::unique_ptr<SqliteConnection> database, JournalSettings settings)
    : m_database(std::move(database))
    , m_settings(std::move(settings))
{
}

SqliteJournal::~SqliteJournal() = default;

Result<std::unique_ptr<SqliteJournal>, JournalError> SqliteJournal::open(const QString &file, Access access,
                                                                         const JournalSettings &settings)
{
    auto database = std::make_unique<SqliteConnection>(file, access);
    if (const auto error = database->open(settings))
        return *error;
    return std::unique_ptr<SqliteJournal>(new SqliteJournal(std::move(database), settings));
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
        if (auto failed = recordSettlement(*m_database, after, m_settings.calendar))
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
    return readEvents(*m_database, key);
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

Result<std::vector<ProjectionDifference>, JournalError> SqliteJournal::compareProjection()
{
    JournalVerification found;
    if (const auto error = compareWithEvents(*m_database, found))
        return *error;
    if (!found.unreadable.isEmpty())
        return JournalError{JournalError::Kind::Corrupt, m_database->file(), found.unreadable.front()};
    return found.differences;
}

Result<qint64, JournalError> SqliteJournal::rebuildProjection()
{
    qint64 count = 0;
    const auto error = m_database->transact([&]() -> std::optional<JournalError> {
        // Rows without events go; the others are overwritten. What `settlement` says stays whatever happens.
        if (auto failed = m_database->run("DELETE FROM checkout WHERE key NOT IN (SELECT key FROM event)"))
            return failed;
        return foldEachCheckout(*m_database, [&](const FoldedCheckout &folded) -> std::optional<JournalError> {
            if (!folded.checkout)
                return JournalError{JournalError::Kind::Corrupt, m_database->file(), folded.flaw};
            ++count;
            if (auto failed = sqlite_journal::storeProjection(*m_database, projectionOf(*folded.checkout)))
                return failed;
            return recordSettlement(*m_database, *folded.checkout, m_settings.calendar);
        });
    });
    if (error)
        return *error;
    return count;
}

} // namespace ikkai
