#include "mock-server/store/memory_key_lock.h"

#include <algorithm>

namespace mockbank {

namespace {

KeyLock::Reply settledReply(LockAnswer answer)
{
    auto reply = std::make_shared<LockReply>();
    reply->settle(std::move(answer));
    return reply;
}

} // namespace

KeyLock::Reply MemoryKeyLock::get(const QByteArray &key, qint64 nowMs)
{
    const std::scoped_lock lock(m_mutex);
    const Entry *entry = living(key, nowMs);
    return settledReply({.trouble = {}, .found = entry != nullptr, .value = entry ? entry->value : QByteArray()});
}

KeyLock::Reply MemoryKeyLock::setIfAbsent(const QByteArray &key, const QByteArray &value, qint64 lifeMs, qint64 nowMs)
{
    const std::scoped_lock lock(m_mutex);
    if (living(key, nowMs))
        return settledReply({});
    put(key, value, lifeMs, nowMs);
    return settledReply({.trouble = {}, .done = true, .value = {}});
}

KeyLock::Reply MemoryKeyLock::set(const QByteArray &key, const QByteArray &value, qint64 lifeMs, qint64 nowMs)
{
    const std::scoped_lock lock(m_mutex);
    put(key, value, lifeMs, nowMs);
    return settledReply({.trouble = {}, .done = true, .value = {}});
}

KeyLock::Reply MemoryKeyLock::remove(const QByteArray &key)
{
    const std::scoped_lock lock(m_mutex);
    m_entries.remove(key);
    return settledReply({});
}

void MemoryKeyLock::clear()
{
    const std::scoped_lock lock(m_mutex);
    m_entries.clear();
}

const MemoryKeyLock::Entry *MemoryKeyLock::living(const QByteArray &key, qint64 nowMs)
{
    const auto found = m_entries.constFind(key);
    return found != m_entries.cend() && found->endsAtMs > nowMs ? &*found : nullptr;
}

void MemoryKeyLock::put(const QByteArray &key, const QByteArray &value, qint64 lifeMs, qint64 nowMs)
{
    // Whenever it has doubled, so that what has ended takes no more room than what has not.
    if (m_entries.size() >= m_sweepAt) {
        m_entries.removeIf([nowMs](const auto &entry) { return entry.value().endsAtMs <= nowMs; });
        m_sweepAt = std::max<qsizetype>(1024, m_entries.size() * 2);
    }
    m_entries.insert(key, {value, nowMs + lifeMs});
}

} // namespace mockbank
