#pragma once

#include "core/domain/result.h"
#include "core/journal/journal.h"

#include <QtCore/QString>

#include <utility>

namespace ikkai {

/// Makes one terminal per journal: held as long as this lives, given up by the system if the process dies. The lock
/// is the kernel's (flock) on the file `JOURNAL.lock` beside the journal that is meant, whatever links lead there. A
/// QLockFile would be believed for ever where its maker died between making the file and writing its name into it:
/// after a power cut in that moment no till would open. Its locks and these exclude each other.
class JournalLock {
public:
    ~JournalLock();
    JournalLock(JournalLock &&other) noexcept
        : m_path(std::move(other.m_path))
        , m_descriptor(std::exchange(other.m_descriptor, -1))
    {
    }
    JournalLock &operator=(JournalLock &&) = delete;

    /// Errors: Locked (says which process on which host holds it), ReadOnly, CannotOpen.
    static Result<JournalLock, JournalError> take(const QString &journalFile);

private:
    JournalLock(QString path, int descriptor)
        : m_path(std::move(path))
        , m_descriptor(descriptor)
    {
    }

    QString m_path;
    int m_descriptor; ///< -1: moved from
};

} // namespace ikkai
