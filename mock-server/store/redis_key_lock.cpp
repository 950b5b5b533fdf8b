#include "mock-server/store/redis_key_lock.h"

#include <QtCore/QByteArrayList>
#include <QtCore/QUrl>

#include <hiredis/hiredis.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <iterator>
#include <memory>
#include <pthread.h>
#include <sys/socket.h>
#include <utility>
#include <vector>

namespace mockbank {

namespace redis_line {

// So long at most for a connection, and so long again for its next reply: a charge learns within about a second that
// there is no Redis.
constexpr timeval patience{0, 500'000};
constexpr int defaultPort = 6379;
constexpr int lastDatabase = 1'000'000;

struct FreeContext {
    void operator()(redisContext *context) const { redisFree(context); }
};
struct FreeReply {
    void operator()(redisReply *reply) const { freeReplyObject(reply); }
};
using Context = std::unique_ptr<redisContext, FreeContext>;
using ReplyObject = std::unique_ptr<redisReply, FreeReply>;

bool isDigitsOnly(const QString &text)
{
    return !text.isEmpty() && text.size() <= 7 && std::all_of(text.cbegin(), text.cend(), [](QChar c) {
        return c >= QLatin1Char('0') && c <= QLatin1Char('9');
    });
}

/// EX where it is whole seconds, as everybody writes it.
QByteArrayList lifeWords(qint64 lifeMs)
{
    if (lifeMs % 1000 == 0)
        return {"EX", QByteArray::number(lifeMs / 1000)};
    return {"PX", QByteArray::number(lifeMs)};
}

LockAnswer readReply(const redisReply &reply)
{
    LockAnswer answer;
    switch (reply.type) {
    case REDIS_REPLY_ERROR:
        answer.trouble = QString::fromUtf8(reply.str, static_cast<qsizetype>(reply.len));
        break;
    case REDIS_REPLY_STRING:
        answer.found = true;
        answer.value = QByteArray(reply.str, static_cast<qsizetype>(reply.len));
        break;
    case REDIS_REPLY_STATUS:
    case REDIS_REPLY_INTEGER:
        answer.done = true;
        break;
    default: // nil: nothing found, nothing done
        break;
    }
    return answer;
}

} // namespace redis_line

using namespace redis_line;

QString RedisAddress::shown() const
{
    const bool v6 = host.contains(QLatin1Char(':'));
    QString text =
        QStringLiteral("redis://%1:%2").arg(v6 ? QLatin1Char('[') + host + QLatin1Char(']') : host).arg(port);
    if (database != 0)
        text += QLatin1Char('/') + QString::number(database);
    return text;
}

std::optional<RedisAddress> readRedisAddress(const QString &text, QString *error)
{
    const QUrl url(text, QUrl::StrictMode);
    const QString path = url.path();
    const QString number = path.mid(1);
    const bool hasDatabase = path.size() > 1;
    if (!url.isValid() || url.scheme() != QLatin1String("redis") || url.host().isEmpty() || url.hasQuery() ||
        url.hasFragment() || url.port() == 0 ||
        (hasDatabase && (!isDigitsOnly(number) || number.toInt() > lastDatabase))) {
        // The text itself may hold a password.
        *error = QStringLiteral("expected redis://HOST[:PORT][/DATABASE], with [USER]:PASSWORD@ before the host where "
                                "the server wants one");
        return std::nullopt;
    }
    RedisAddress address;
    address.host = url.host();
    address.port = url.port(defaultPort);
    address.database = number.toInt();
    address.user = url.userName(QUrl::FullyDecoded);
    address.password = url.password(QUrl::FullyDecoded);
    return address;
}

struct RedisKeyLock::Command {
    QByteArrayList words;
    std::shared_ptr<LockReply> reply = std::make_shared<LockReply>();
};

/// One connection, made anew whenever it is needed and not there.
class RedisKeyLock::Line {
public:
    explicit Line(const RedisAddress &address)
        : m_address(address)
    {
    }

    void carryOut(std::vector<Command> &commands)
    {
        QString trouble = open();
        for (const Command &command : commands)
            append(command.words);
        for (Command &command : commands) {
            LockAnswer answer;
            const ReplyObject reply = trouble.isEmpty() ? next(&trouble) : nullptr;
            if (reply)
                answer = readReply(*reply);
            else
                answer.trouble = trouble;
            if (!answer.trouble.isEmpty())
                answer.trouble = m_address.shown() + QStringLiteral(": ") + answer.trouble;
            command.reply->settle(std::move(answer));
        }
    }

private:
    /// What is wrong; empty where there is a connection now.
    QString open()
    {
        if (m_context && !isClosed())
            return {};
        m_context.reset(redisConnectWithTimeout(m_address.host.toUtf8().constData(), m_address.port, patience));
        if (!m_context)
            return QStringLiteral("no memory for a connection");
        if (m_context->err != 0)
            return giveUp();
        if (redisSetTimeout(m_context.get(), patience) != REDIS_OK)
            return giveUp();
        if (!m_address.password.isEmpty()) {
            QByteArrayList words{"AUTH"};
            if (!m_address.user.isEmpty())
                words.append(m_address.user.toUtf8());
            words.append(m_address.password.toUtf8());
            // Its words may repeat what was sent.
            if (const QString trouble = greet(words, QStringLiteral("the server refuses the password"));
                !trouble.isEmpty())
                return trouble;
        }
        if (m_address.database != 0)
            return greet({"SELECT", QByteArray::number(m_address.database)},
                         QStringLiteral("the server has no such database, or wants a password"));
        return {};
    }

    QString greet(const QByteArrayList &words, const QString &refused)
    {
        append(words);
        QString trouble;
        const ReplyObject reply = next(&trouble);
        if (!reply)
            return trouble;
        if (reply->type == REDIS_REPLY_STATUS)
            return {};
        m_context.reset();
        return refused;
    }

    /// A server that was restarted, or had enough of an idle connection, has closed it: found out before anything is
    /// sent that might be carried out without our hearing of it.
    bool isClosed() const
    {
        char byte = 0;
        return ::recv(m_context->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
    }

    void append(const QByteArrayList &words)
    {
        if (!m_context)
            return;
        std::vector<const char *> texts;
        std::vector<size_t> lengths;
        for (const QByteArray &word : words) {
            texts.push_back(word.constData());
            lengths.push_back(static_cast<size_t>(word.size()));
        }
        redisAppendCommandArgv(m_context.get(), static_cast<int>(texts.size()), texts.data(), lengths.data());
    }

    ReplyObject next(QString *trouble)
    {
        void *reply = nullptr;
        if (m_context && redisGetReply(m_context.get(), &reply) == REDIS_OK && reply)
            return ReplyObject(static_cast<redisReply *>(reply));
        *trouble = m_context ? giveUp() : QStringLiteral("the connection was lost");
        return nullptr;
    }

    QString giveUp()
    {
        QString trouble = QString::fromLocal8Bit(m_context->errstr);
        // What a socket says whose time-out has come.
        if (m_context->err == REDIS_ERR_IO && (errno == EAGAIN || errno == EWOULDBLOCK))
            trouble = QStringLiteral("no reply in time");
        m_context.reset();
        return trouble.isEmpty() ? QStringLiteral("the connection was lost") : trouble;
    }

    const RedisAddress &m_address;
    Context m_context;
};

RedisKeyLock::RedisKeyLock(RedisAddress address, std::function<void()> settled)
    : m_address(std::move(address))
    , m_settled(std::move(settled))
{
}

RedisKeyLock::~RedisKeyLock()
{
    {
        const std::scoped_lock lock(m_mutex);
        m_ends = true;
    }
    m_wake.notify_one();
    if (m_thread.joinable())
        m_thread.join();
}

KeyLock::Reply RedisKeyLock::get(const QByteArray &key, qint64)
{
    return send({{"GET", key}});
}

KeyLock::Reply RedisKeyLock::setIfAbsent(const QByteArray &key, const QByteArray &value, qint64 lifeMs, qint64)
{
    return send({QByteArrayList{"SET", key, value, "NX"} + lifeWords(lifeMs)});
}

KeyLock::Reply RedisKeyLock::set(const QByteArray &key, const QByteArray &value, qint64 lifeMs, qint64)
{
    return send({QByteArrayList{"SET", key, value} + lifeWords(lifeMs)});
}

KeyLock::Reply RedisKeyLock::remove(const QByteArray &key)
{
    return send({{"DEL", key}});
}

KeyLock::Reply RedisKeyLock::send(Command command)
{
    const Reply reply = command.reply;
    {
        const std::scoped_lock lock(m_mutex);
        m_waiting.push_back(std::move(command));
        if (!m_thread.joinable())
            m_thread = std::thread([this] { serve(); });
    }
    m_wake.notify_one();
    return reply;
}

void RedisKeyLock::serve()
{
    ::pthread_setname_np(::pthread_self(), "bank redis");
    // hiredis writes without MSG_NOSIGNAL; a server that has gone must not end the bank.
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe, nullptr);

    Line line(m_address);
    std::unique_lock lock(m_mutex);
    while (true) {
        m_wake.wait(lock, [this] { return m_ends || !m_waiting.empty(); });
        if (m_ends)
            return;
        std::vector<Command> commands(std::make_move_iterator(m_waiting.begin()),
                                      std::make_move_iterator(m_waiting.end()));
        m_waiting.clear();
        lock.unlock();
        line.carryOut(commands);
        m_settled();
        lock.lock();
    }
}

} // namespace mockbank
