#pragma once

#include "core/journal/journal.h"

class QSqlError;

namespace ikkai {

/// What SQLite's (extended) result code means for a journal.
[[nodiscard]] JournalError journalErrorOf(const QSqlError &error, const QString &file);

} // namespace ikkai
