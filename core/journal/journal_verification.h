#pragma once

#include "core/domain/result.h"
#include "core/journal/journal.h"
#include "core/journal/journal_settings.h"

#include <QtCore/QString>
#include <QtCore/QStringList>

#include <vector>

namespace ikkai {

/// A column of the projection that is not what the events lead to.
struct ProjectionDifference {
    QString key;
    QString column;   ///< `(row)` where one side has no row at all
    QString stored;   ///< as it stands in the table
    QString expected; ///< as the events say
    friend bool operator==(const ProjectionDifference &, const ProjectionDifference &) = default;
};

/// What a look through a whole journal found. The lists keep the first thousand each.
struct JournalVerification {
    qint64 checkouts = 0; ///< that have events
    qint64 events = 0;
    qint64 differenceCount = 0;
    std::vector<ProjectionDifference> differences;
    qint64 unreadableCount = 0;
    QStringList unreadable; ///< events that cannot be read, by key and number, one sentence each
    QStringList damage;     ///< of the file, as SQLite says (PRAGMA integrity_check)
    friend bool operator==(const JournalVerification &, const JournalVerification &) = default;
};

/// Nothing was found.
[[nodiscard]] bool isSound(const JournalVerification &verification);

/// Checks the file and compares every checkout's row with what its events lead to. Reads only, needs no lock: a
/// terminal may be at work meanwhile. Errors: the journal cannot be opened for reading at all. Takes about a minute for
/// a million checkouts; memory does not grow with them.
Result<JournalVerification, JournalError> verifyJournal(const QString &file);

/// Replaces the projection by what the events lead to, under the journal's lock. The number of checkouts. Errors:
/// Locked (a terminal is at work), Corrupt (an event cannot be read: nothing was changed), what SQLite reports.
Result<qint64, JournalError> rebuildJournal(const QString &file, const JournalSettings &settings = {});

} // namespace ikkai
