#include "core/journal/journal_lock.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QFile>
#include <QtCore/QFileInfo>
#include <QtCore/QList>
#include <QtCore/QSysInfo>

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

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

/// What the holder wrote into it: process, program and host, a line each.
QString holderOf(const QString &path)
{
    QFile file(path);
    const QList<QByteArray> lines = file.open(QIODevice::ReadOnly) ? file.read(4096).split('\n') : QList<QByteArray>();
    if (lines.size() < 3 || lines.at(0).isEmpty())
        return QStringLiteral("by another process");
    return QStringLiteral("by process %1 (%2) on %3")
        .arg(QString::fromUtf8(lines.at(0)), QString::fromUtf8(lines.at(1)), QString::fromUtf8(lines.at(2)));
}

JournalError errorOf(int number, const QString &journalFile)
{
    const bool isForbidden = number == EACCES || number == EPERM || number == EROFS;
    return {isForbidden ? JournalError::Kind::ReadOnly : JournalError::Kind::CannotOpen, journalFile,
            QStringLiteral("no lock file can be made beside it")};
}

/// The path still leads to what is open: a holder that ends takes the file away.
bool isStillThere(const QByteArray &path, int descriptor)
{
    struct stat open = {};
    struct stat named = {};
    return ::fstat(descriptor, &open) == 0 && ::stat(path.constData(), &named) == 0 && open.st_ino == named.st_ino &&
           open.st_dev == named.st_dev;
}

/// For people who find the journal in use; a disk that is too full for it hinders nobody.
void writeHolder(int descriptor)
{
    const QByteArray holder = QByteArray::number(QCoreApplication::applicationPid()) + '\n' +
                              QFileInfo(QStringLiteral("/proc/self/exe")).symLinkTarget().section(u'/', -1).toUtf8() +
                              '\n' + QSysInfo::machineHostName().toUtf8() + '\n';
    if (::ftruncate(descriptor, 0) == 0) [[maybe_unused]]
        const ssize_t written = ::write(descriptor, holder.constData(), size_t(holder.size()));
}

} // namespace journal_lock

JournalLock::~JournalLock()
{
    if (m_descriptor < 0)
        return;
    ::unlink(QFile::encodeName(m_path).constData()); // while it is held: whoever waits for it looks again
    ::close(m_descriptor);
}

Result<JournalLock, JournalError> JournalLock::take(const QString &journalFile)
{
    const QFileInfo folder(QFileInfo(journalFile).absolutePath());
    if (!folder.isDir()) {
        return JournalError{JournalError::Kind::CannotOpen, journalFile,
                            QStringLiteral("there is no folder %1").arg(folder.filePath())};
    }
    const QString path = journal_lock::lockFileOf(journalFile);
    const QByteArray name = QFile::encodeName(path);
    constexpr int mostLooks = 100; // each one means that another holder has ended between two calls
    for (int looks = 0; looks < mostLooks; ++looks) {
        const int descriptor = ::open(name.constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
        if (descriptor < 0)
            return journal_lock::errorOf(errno, journalFile);
        JournalLock lock(path, descriptor);
        if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
            const int number = errno;
            ::close(std::exchange(lock.m_descriptor, -1)); // it is not ours to take away
            if (number == EWOULDBLOCK)
                return JournalError{JournalError::Kind::Locked, journalFile, journal_lock::holderOf(path)};
            return journal_lock::errorOf(number, journalFile);
        }
        if (journal_lock::isStillThere(name, descriptor)) {
            journal_lock::writeHolder(descriptor);
            return lock;
        }
        ::close(std::exchange(lock.m_descriptor, -1));
    }
    return JournalError{JournalError::Kind::Locked, journalFile, journal_lock::holderOf(path)};
}

} // namespace ikkai
