#pragma once

#include "core/domain/business_day.h"
#include "core/domain/result.h"
#include "core/journal/journal.h"

#include <optional>
#include <vector>

class QSqlDatabase;

namespace ikkai {

/// Statements that lead from the version before to `toVersion` (PRAGMA user_version), then what SQL cannot say.
struct Migration {
    int toVersion = 1;
    std::vector<const char *> statements;
    std::optional<JournalError> (*finish)(QSqlDatabase &, const QString &file, const BusinessCalendar &) = nullptr;
};

/// All of them, oldest first. A step that has been shipped is never changed; a new one is added.
[[nodiscard]] const std::vector<Migration> &journalMigrations();

/// Marks a SQLite file as a journal of this program (PRAGMA application_id).
constexpr int journalApplicationId = 0x696b6b61; // "ikka"

/// Brings the journal in `database` (file `file`) to the newest version, all steps in one transaction. Before an older
/// journal is touched, a copy is kept as `FILE.v<old version>` (with a further number where that is taken). Errors:
/// NewerVersion, CannotOpen (a database, but not a journal), whatever SQLite reports; then the journal is as it was.
Result<Done, JournalError> migrate(QSqlDatabase &database, const QString &file,
                                   const std::vector<Migration> &migrations, const BusinessCalendar &calendar = {});

} // namespace ikkai
