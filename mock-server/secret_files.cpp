#include "mock-server/secret_files.h"

#include <QtCore/QFile>
#include <QtCore/QRandomGenerator>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace mockbank {

namespace secret_files {

bool writeAll(int fd, const QByteArray &bytes)
{
    qsizetype done = 0;
    while (done < bytes.size()) {
        const ssize_t n = ::write(fd, bytes.constData() + done, static_cast<size_t>(bytes.size() - done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        done += n;
    }
    return true;
}

bool replaceFile(const QByteArray &path, const QByteArray &bytes)
{
    const QByteArray fresh = path + '.' + QByteArray::number(QRandomGenerator::system()->generate64(), 16);
    const int fd = ::open(fresh.constData(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (fd < 0)
        return false;
    // The mask of the process can take rights away, not add them; the owner must be able to read.
    const bool written = ::fchmod(fd, S_IRUSR | S_IWUSR) == 0 && writeAll(fd, bytes);
    const int why = errno;
    ::close(fd);
    if (written && ::rename(fresh.constData(), path.constData()) == 0)
        return true;
    const int last = written ? errno : why;
    ::unlink(fresh.constData());
    errno = last;
    return false;
}

bool writeInto(const QByteArray &path, const QByteArray &bytes)
{
    const int fd = ::open(path.constData(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return false;
    const bool written = writeAll(fd, bytes);
    const int why = errno;
    ::close(fd);
    errno = why;
    return written;
}

} // namespace secret_files

bool writeSecret(const QString &fileName, const QByteArray &secret, QString *error)
{
    const QByteArray path = QFile::encodeName(fileName);
    struct stat info {};
    const bool exists = ::lstat(path.constData(), &info) == 0;
    if (exists && S_ISLNK(info.st_mode)) {
        *error = fileName + QStringLiteral(": is a link; name the file itself");
        return false;
    }
    const bool isOther = exists && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
    const bool written =
        isOther ? secret_files::writeInto(path, secret + '\n') : secret_files::replaceFile(path, secret + '\n');
    if (!written)
        *error = fileName + QStringLiteral(": ") + QString::fromLocal8Bit(std::strerror(errno));
    return written;
}

std::optional<QString> readableByOthers(const QString &fileName)
{
    struct stat info {};
    if (::stat(QFile::encodeName(fileName).constData(), &info) != 0 || !S_ISREG(info.st_mode) ||
        (info.st_mode & (S_IRGRP | S_IROTH)) == 0)
        return std::nullopt;
    return QStringLiteral("mode %1").arg(info.st_mode & 07777, 4, 8, QLatin1Char('0'));
}

} // namespace mockbank
