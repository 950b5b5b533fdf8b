#pragma once

#include "mock-server/bank/key_lock.h"

#include <QtCore/QHash>

#include <mutex>

namespace mockbank {

/// A KeyLock in the memory of this process that goes by the bank's clock, so that a lesson can let a lock end by moving
/// that clock. Like a Redis it outlives the crash of a bank: it is kept in BankOptions. Thread safe; replies are
/// settled at once.
class MemoryKeyLock final : public KeyLock {
public:
    Reply get(const QByteArray &key, qint64 nowMs) override;
    Reply setIfAbsent(const QByteArray &key, const QByteArray &value, qint64 lifeMs, qint64 nowMs) override;
    Reply set(const QByteArray &key, const QByteArray &value, qint64 lifeMs, qint64 nowMs) override;
    Reply remove(const QByteArray &key) override;

    void clear(); ///< for a reset of the ledger

private:
    struct Entry {
        QByteArray value;
        qint64 endsAtMs = 0;
    };
    const Entry *living(const QByteArray &key, qint64 nowMs);
    void put(const QByteArray &key, const QByteArray &value, qint64 lifeMs, qint64 nowMs);

    std::mutex m_mutex;
    QHash<QByteArray, Entry> m_entries;
    qsizetype m_sweepAt = 1024; ///< so many entries are looked through for ended ones
};

} // namespace mockbank
