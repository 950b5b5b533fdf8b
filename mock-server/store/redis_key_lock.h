#pragma once

#include "mock-server/bank/key_lock.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace mockbank {

/// `redis://[[USER]:PASSWORD@]HOST[:PORT][/DB]`, taken apart.
struct RedisAddress {
    QString host;
    int port = 6379;
    int database = 0;
    QString user;
    QString password;

    [[nodiscard]] QString shown() const; ///< for people: without user and password
};

/// Nothing where it is no such address; `error` is one line then, and never shows a password.
[[nodiscard]] std::optional<RedisAddress> readRedisAddress(const QString &text, QString *error);

/// A KeyLock in a real Redis, which goes by its own clock. hiredis blocks, so a thread of its own speaks to the server:
/// it takes what is waiting in one go, connects when it has to and after every failure anew. A command that got no
/// reply within its time is settled with trouble that names the address; whether the server has carried it out is then
/// not known. What has not been sent when this object is destroyed never will be, as in a crash.
class RedisKeyLock final : public KeyLock {
public:
    /// `settled` is called on the lock's thread, after replies were settled.
    RedisKeyLock(RedisAddress address, std::function<void()> settled);
    ~RedisKeyLock() override;
    RedisKeyLock(const RedisKeyLock &) = delete;
    RedisKeyLock &operator=(const RedisKeyLock &) = delete;

    Reply get(const QByteArray &key, qint64 nowMs) override;
    Reply setIfAbsent(const QByteArray &key, const QByteArray &value, qint64 lifeMs, qint64 nowMs) override;
    Reply set(const QByteArray &key, const QByteArray &value, qint64 lifeMs, qint64 nowMs) override;
    Reply remove(const QByteArray &key) override;

private:
    class Line;
    struct Command;

    Reply send(Command command);
    void serve();

    RedisAddress m_address;
    std::function<void()> m_settled;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<Command> m_waiting;
    bool m_ends = false;
    std::thread m_thread; ///< begun with the first command
};

} // namespace mockbank
