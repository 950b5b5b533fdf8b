#include "core/journal/journal_verification.h"

#include "core/journal/journal_fold.h"
#include "core/journal/journal_lock.h"
#include "core/journal/sqlite_connection.h"
#include "core/journal/sqlite_journal.h"

#include <QtSql/QSqlError>

namespace ikkai {

namespace journal_verification {

/// Reads every page of the file, indexes against tables included.
std::optional<JournalError> checkFile(SqliteConnection &database, QStringList &damage)
{
    const auto asked = database.ask(QStringLiteral("PRAGMA integrity_check(1000)"));
    if (!asked)
        return asked.error();
    QSqlQuery &query = **asked;
    while (query.next()) {
        const QString line = query.value(0).toString();
        if (line != QLatin1String("ok"))
            damage << line;
    }
    const QSqlError error = query.lastError();
    query.finish();
    return error.isValid() ? std::optional(journalErrorOf(error, database.file())) : std::nullopt;
}

} // namespace journal_verification

bool isSound(const JournalVerification &verification)
{
    return verification.differenceCount == 0 && verification.unreadableCount == 0 && verification.damage.isEmpty();
}

Result<JournalVerification, JournalError> verifyJournal(const QString &file)
{
    SqliteConnection database(file, JournalAccess::ReadOnly);
    if (const auto error = database.open())
        return *error;
    JournalVerification found;
    // Damage is what was asked for: it ends the part that met it, and is told with the rest.
    if (const auto error = journal_verification::checkFile(database, found.damage)) {
        if (error->kind != JournalError::Kind::Corrupt)
            return *error;
        found.damage << error->detail;
    }
    if (const auto error = compareWithEvents(database, found)) {
        if (error->kind != JournalError::Kind::Corrupt)
            return *error;
        found.damage << error->detail;
    }
    return found;
}

Result<qint64, JournalError> rebuildJournal(const QString &file, const JournalSettings &settings)
{
    const auto lock = JournalLock::take(file);
    if (!lock)
        return lock.error();
    const auto journal = SqliteJournal::open(file, JournalAccess::Write, settings);
    if (!journal)
        return journal.error();
    return (*journal)->rebuildProjection();
}

} // namespace ikkai
