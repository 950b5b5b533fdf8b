#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QString>

#include <atomic>
#include <memory>
#include <utility>

namespace mockbank {

/// What a KeyLock answered to one command.
struct LockAnswer {
    QString trouble;    ///< empty where the lock could be reached, else one line for people
    bool done = false;  ///< setIfAbsent: there was nothing under the key, now there is
    bool found = false; ///< get
    QByteArray value;   ///< get, where found
};

/// An answer that may still be on its way: settled once, on any thread; `answer` may be read when `isReady`.
class LockReply {
public:
    void settle(LockAnswer answer)
    {
        m_answer = std::move(answer);
        m_ready.store(true, std::memory_order_release);
    }
    [[nodiscard]] bool isReady() const { return m_ready.load(std::memory_order_acquire); }
    [[nodiscard]] const LockAnswer &answer() const { return m_answer; }

private:
    LockAnswer m_answer;
    std::atomic<bool> m_ready{false};
};

/// Keys and values that end by themselves, kept beside the bank's store and not in its transactions: what `redis_lock`
/// trusts. Commands never block and are carried out in the order in which they were given; every reply is settled in
/// the end. `nowMs` is the bank's time; an implementation with a clock of its own goes by that.
class KeyLock {
public:
    using Reply = std::shared_ptr<const LockReply>;

    virtual ~KeyLock() = default;

    virtual Reply get(const QByteArray &key, qint64 nowMs) = 0;
    virtual Reply setIfAbsent(const QByteArray &key, const QByteArray &value, qint64 lifeMs, qint64 nowMs) = 0;
    virtual Reply set(const QByteArray &key, const QByteArray &value, qint64 lifeMs, qint64 nowMs) = 0;
    virtual Reply remove(const QByteArray &key) = 0;
};

} // namespace mockbank
