#include "mock-server/store/instance_lock.h"

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

class MemoryInstanceLock final : public InstanceLock {
public:
    MemoryInstanceLock(std::shared_ptr<MemoryStore> memory, QByteArray instance)
        : m_memory(std::move(memory))
        , m_instance(std::move(instance))
    {
    }
    ~MemoryInstanceLock() override { m_memory->letGo(m_instance); }

private:
    std::shared_ptr<MemoryStore> m_memory;
    QByteArray m_instance;
};

/// flock, not QLockFile: after kill -9 a QLockFile is stale only if no process of the same name has the old number, and
/// in a container it has.
class FileInstanceLock final : public InstanceLock {
public:
    explicit FileInstanceLock(int descriptor)
        : m_descriptor(descriptor)
    {
    }
    ~FileInstanceLock() override { ::close(m_descriptor); }

private:
    int m_descriptor;
};

} // namespace

std::unique_ptr<InstanceLock> InstanceLock::tryHold(const StoreAddress &address, const QByteArray &instance)
{
    if (address.memory) {
        if (!address.memory->hold(instance))
            return nullptr;
        return std::make_unique<MemoryInstanceLock>(address.memory, instance);
    }
    // Beside the file that is meant, whatever links lead there.
    const QString meant = QFileInfo(address.file).canonicalFilePath();
    const QString file =
        QStringLiteral("%1-%2.lock").arg(meant.isEmpty() ? address.file : meant, QString::fromUtf8(instance));
    const int descriptor = ::open(QFile::encodeName(file).constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor < 0)
        throw StoreError(
            QStringLiteral("bank store lock %1: %2").arg(file, QString::fromLocal8Bit(std::strerror(errno))));
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        return std::make_unique<FileInstanceLock>(descriptor);
    const int reason = errno;
    ::close(descriptor);
    if (reason == EWOULDBLOCK)
        return nullptr;
    throw StoreError(QStringLiteral("bank store lock %1: %2").arg(file, QString::fromLocal8Bit(std::strerror(reason))));
}

} // namespace mockbank
