#pragma once

#include "app/options.h"
#include "core/journal/journal_lock.h"

namespace ikkai::app {

/// Makes the journal's folder where it is missing, and takes the lock that every writing command needs. Exit code 3.
Result<JournalLock, Stop> lockJournal(const QString &journal);

} // namespace ikkai::app
