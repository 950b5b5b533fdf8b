#include "core/journal/journal_lock.h"

#include <QtCore/QDir>
#include <QtCore/QFileInfo>

namespace ikkai {

namespace journal_lock {

/// Two paths to one journal must meet at one lock.
QString lockFileOf(const QString &journalFile)
{
    const QFileInfo info(journalFile);
    if (info.exists())
        return info.canonicalFilePath() + QLatin1String(".lock");
    return QFileInfo(info.absolutePath()).canonicalFilePath() + QLatin1Char('/') + info.fileName() +
           QLatin1String(".lock");
}

QString holderOf(const QLockFile &lock)
{
    qint64 pid = 0;
    QString host;
    QString program;
    if (!lock.getLockInfo(&pid, &host, &program))
        return QStringLiteral("by another process");
    return QStringLiteral("by process %1 (%2) on %3").arg(pid).arg(program, host);
}

} // namespace journal_lock

Result<JournalLock, JournalError> JournalLock::take(const QString &journalFile)
{
    const QFileInfo folder(QFileInfo(journalFile).absolutePath());
    if (!folder.isDir()) {
        return JournalError{JournalError::Kind::CannotOpen, journalFile,
                            QStringLiteral("there is no folder %1").arg(folder.filePath())};
    }
    auto lock = std::make_unique<QLockFile>(journal_lock::lockFileOf(journalFile));
    lock->setStaleLockTime(0); // a till may be idle for days: only a dead process loses its lock
    if (lock->tryLock(0))
        return JournalLock(std::move(lock));
    switch (lock->error()) {
    case QLockFile::LockFailedError:
        return JournalError{JournalError::Kind::Locked, journalFile, journal_lock::holderOf(*lock)};
    case QLockFile::PermissionError:
        return JournalError{JournalError::Kind::ReadOnly, journalFile,
                            QStringLiteral("no lock file can be made beside it")};
    case QLockFile::NoError:
    case QLockFile::UnknownError:
        break;
    }
    return JournalError{JournalError::Kind::CannotOpen, journalFile,
                        QStringLiteral("no lock file can be made beside it")};
}

} // namespace ikkai
