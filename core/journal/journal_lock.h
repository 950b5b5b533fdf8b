#pragma once

#include "core/domain/result.h"
#include "core/journal/journal.h"

#include <QtCore/QLockFile>
#include <QtCore/QString>

#include <memory>

namespace ikkai {

/// Makes one terminal per journal: held as long as this lives, given up by the system if the process dies. The lock
/// is the file `JOURNAL.lock` beside the journal that is meant, whatever links lead there.
class JournalLock {
public:
    /// Errors: Locked (says which process on which host holds it), ReadOnly, CannotOpen.
    static Result<JournalLock, JournalError> take(const QString &journalFile);

private:
    explicit JournalLock(std::unique_ptr<QLockFile> lock)
        : m_lock(std::move(lock))
    {
    }
    std::unique_ptr<QLockFile> m_lock;
};

} // namespace ikkai
