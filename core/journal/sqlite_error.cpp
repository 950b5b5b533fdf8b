#include "core/journal/sqlite_error.h"

#include <QtSql/QSqlError>

namespace ikkai {

namespace sqlite_error {

// Primary result codes, https://www.sqlite.org/rescode.html: the lowest byte of an extended code. Written out, because
// the driver hands on the number only, and sqlite3.h is not needed for anything else.
enum Code { Perm = 3, Busy = 5, Locked = 6, ReadOnly = 8, Corrupt = 11, Full = 13, CantOpen = 14, NotADatabase = 26 };

JournalError::Kind kindOf(int primaryCode)
{
    switch (primaryCode) {
    case Perm:
    case ReadOnly:
        return JournalError::Kind::ReadOnly;
    case Busy:
    case Locked:
        return JournalError::Kind::Locked;
    case Corrupt:
    case NotADatabase:
        return JournalError::Kind::Corrupt;
    case Full:
        return JournalError::Kind::DiskFull;
    case CantOpen:
        return JournalError::Kind::CannotOpen;
    default:
        return JournalError::Kind::InputOutput;
    }
}

} // namespace sqlite_error

JournalError journalErrorOf(const QSqlError &error, const QString &file)
{
    const int code = error.nativeErrorCode().toInt();
    return {sqlite_error::kindOf(code & 0xff), file,
            QStringLiteral("SQLite %1: %2").arg(code).arg(error.databaseText().trimmed())};
}

} // namespace ikkai
