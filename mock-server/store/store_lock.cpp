#include "mock-server/store/store_lock.h"

#include "mock-server/store/memory_store.h"
#include "mock-server/store/store_address.h"

#include <QtCore/QFile>
#include <QtCore/QFileInfo>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace mockbank {

namespace {

class MemoryLock final : public StoreLock {
public:
    MemoryLock(std::shared_ptr<MemoryStore> memory, QByteArray right)
        : m_memory(std::move(memory))
        , m_right(std::move(right))
    {
    }
    ~MemoryLock() override { m_memory->letGo(m_right); }

private:
    std::shared_ptr<MemoryStore> m_memory;
    QByteArray m_right;
};

/// flock, not QLockFile: after kill -9 a QLockFile is stale only if no process of the same name has the old number, and
/// in a container it has.
class FileLock final : public StoreLock {
public:
    explicit FileLock(int descriptor)
        : m_descriptor(descriptor)
    {
    }
    ~FileLock() override { ::close(m_descriptor); }

private:
    int m_descriptor;
};

/// `right` begins with a character that keeps the kinds apart: '-' for an instance, '.' for the publisher.
std::unique_ptr<StoreLock> tryRight(const StoreAddress &address, const QByteArray &right)
{
    if (address.memory) {
        if (!address.memory->hold(right))
            return nullptr;
        return std::make_unique<MemoryLock>(address.memory, right);
    }
    // Beside the file that is meant, whatever links lead there.
    const QString meant = QFileInfo(address.file).canonicalFilePath();
    const QString file =
        QStringLiteral("%1%2.lock").arg(meant.isEmpty() ? address.file : meant, QString::fromUtf8(right));
    const int descriptor = ::open(QFile::encodeName(file).constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor < 0)
        throw StoreError(
            QStringLiteral("bank store lock %1: %2").arg(file, QString::fromLocal8Bit(std::strerror(errno))));
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        return std::make_unique<FileLock>(descriptor);
    const int reason = errno;
    ::close(descriptor);
    if (reason == EWOULDBLOCK)
        return nullptr;
    throw StoreError(QStringLiteral("bank store lock %1: %2").arg(file, QString::fromLocal8Bit(std::strerror(reason))));
}

} // namespace

std::unique_ptr<StoreLock> StoreLock::tryInstance(const StoreAddress &address, const QByteArray &instance)
{
    return tryRight(address, '-' + instance);
}

std::unique_ptr<StoreLock> StoreLock::tryPublisher(const StoreAddress &address)
{
    return tryRight(address, ".publisher");
}

} // namespace mockbank
