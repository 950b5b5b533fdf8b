#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QString>

#include <memory>

namespace mockbank {

class MemoryStore;
struct StoreAddress;

/// Holds an instance's name at a store until destroyed; the system lets go when the process dies, however it dies.
class InstanceLock {
public:
    virtual ~InstanceLock() = default;

    /// Null where another holder lives. Throws StoreError where the lock cannot be made.
    static std::unique_ptr<InstanceLock> tryHold(const StoreAddress &address, const QByteArray &instance);
};

} // namespace mockbank
