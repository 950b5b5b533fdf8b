#include "mock-server/store/memory_key_lock.h"
#include "mock-server/store/redis_key_lock.h"
#include "tests/support/redis_server.h"
#include "tests/support/test.h"

#include <QtCore/QElapsedTimer>
#include <QtNetwork/QTcpServer>

#include <memory>

using namespace ikkai::test;
using namespace mockbank;

namespace {

constexpr qint64 now = 1'784'000'000'000;

LockAnswer answerOf(const KeyLock::Reply &reply)
{
    if (!QTest::qWaitFor([&] { return reply->isReady(); }, 10'000))
        return {.trouble = QStringLiteral("never settled"), .value = {}};
    return reply->answer();
}

std::unique_ptr<RedisKeyLock> redisLock(const QString &address)
{
    QString error;
    const auto read = readRedisAddress(address, &error);
    return read ? std::make_unique<RedisKeyLock>(*read, [] {}) : nullptr;
}

} // namespace

#define NEEDS_REDIS()                                                                                                  \
    if (RedisServer::program().isEmpty())                                                                              \
    QSKIP("NOT TESTED: redis-server is not installed (apt-get install redis-server)")

/// Both KeyLocks keep one promise; a real Redis can also be away, slow, or back again.
class TestKeyLock : public Test {
    Q_OBJECT

    /// The lock of the current row; the server behind it, if any, lives as long.
    std::unique_ptr<RedisServer> m_server;
    std::unique_ptr<KeyLock> m_lock;

    static void addBoth()
    {
        QTest::addColumn<bool>("real");
        QTest::newRow("in process") << false;
        QTest::newRow("Redis") << true;
    }
    void open(bool real)
    {
        m_lock.reset();
        if (!real) {
            m_lock = std::make_unique<MemoryKeyLock>();
            return;
        }
        if (!m_server)
            m_server = std::make_unique<RedisServer>();
        m_lock = redisLock(m_server->address());
        answerOf(m_lock->remove("key"));
    }

private Q_SLOTS:
    void cleanupTestCase()
    {
        m_lock.reset();
        m_server.reset();
    }

    void the_first_of_two_locks_a_key_data() { addBoth(); }
    void the_first_of_two_locks_a_key()
    {
        QFETCH(bool, real);
        if (real)
            NEEDS_REDIS();
        open(real);
        QVERIFY(!answerOf(m_lock->get("key", now)).found);
        // Given one behind the other, without waiting.
        const auto first = m_lock->setIfAbsent("key", "one", 600'000, now);
        const auto second = m_lock->setIfAbsent("key", "two", 600'000, now);
        const auto seen = m_lock->get("key", now);
        QVERIFY(answerOf(first).done);
        QVERIFY(!answerOf(second).done);
        QVERIFY(answerOf(second).trouble.isEmpty());
        QVERIFY(answerOf(seen).found);
        QCOMPARE(answerOf(seen).value, "one");
    }

    void anybody_writes_over_it_and_it_can_be_forgotten_data() { addBoth(); }
    void anybody_writes_over_it_and_it_can_be_forgotten()
    {
        QFETCH(bool, real);
        if (real)
            NEEDS_REDIS();
        open(real);
        const QByteArray odd("\0\r\n\" {}\xff", 8);
        QVERIFY(answerOf(m_lock->set("key", "one", 600'000, now)).done);
        QVERIFY(answerOf(m_lock->set("key", odd, 86'400'000, now)).done);
        QCOMPARE(answerOf(m_lock->get("key", now)).value, odd);
        answerOf(m_lock->remove("key"));
        QVERIFY(!answerOf(m_lock->get("key", now)).found);
    }

    void a_lock_in_this_process_ends_by_the_banks_clock()
    {
        MemoryKeyLock lock;
        QVERIFY(answerOf(lock.setIfAbsent("key", "one", 600'000, now)).done);
        QVERIFY(!answerOf(lock.setIfAbsent("key", "two", 600'000, now + 599'999)).done);
        QVERIFY(answerOf(lock.get("key", now + 599'999)).found);
        QVERIFY(!answerOf(lock.get("key", now + 600'000)).found);
        QVERIFY(answerOf(lock.setIfAbsent("key", "two", 600'000, now + 600'000)).done);
        // Frozen, it never ends.
        for (int i = 0; i < 5000; ++i)
            lock.set("other-" + QByteArray::number(i), "x", 1000, now + 600'000);
        QCOMPARE(answerOf(lock.get("key", now + 600'000)).value, "two");
        // What has ended makes room, what has not stays.
        for (int i = 0; i < 5000; ++i)
            lock.set("later-" + QByteArray::number(i), "x", 1000, now + 602'000);
        QCOMPARE(answerOf(lock.get("key", now + 602'000)).value, "two");
    }

    void a_lock_in_redis_ends_by_the_clock_of_redis()
    {
        NEEDS_REDIS();
        open(true);
        QVERIFY(answerOf(m_lock->setIfAbsent("key", "one", 50, now)).done);
        QTRY_VERIFY(!answerOf(m_lock->get("key", now)).found);
        QVERIFY(answerOf(m_lock->setIfAbsent("key", "two", 600'000, now)).done);
    }

    void an_address_is_read_or_refused_without_showing_its_password_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("shown"); // empty: refused
        const auto row = [](const char *text, const char *shown) {
            QTest::newRow(text) << QString::fromLatin1(text) << QString::fromLatin1(shown);
        };
        row("redis://localhost", "redis://localhost:6379");
        row("redis://127.0.0.1:7000/3", "redis://127.0.0.1:7000/3");
        row("redis://127.0.0.1/", "redis://127.0.0.1:6379");
        row("redis://[::1]:7000", "redis://[::1]:7000");
        row("redis://:secret@h:1", "redis://h:1");
        row("redis://ann:secret@h:1/2", "redis://h:1/2");
        row("rediss://secret@h", "");
        row("redis:secret", "");
        row("redis://:secret@", "");
        row("redis://:secret@h:0", "");
        row("redis://:secret@h:70000", "");
        row("redis://:secret@h/x", "");
        row("redis://:secret@h/-1", "");
        row("redis://:secret@h/1/2", "");
        row("redis://:secret@h?x=1", "");
        row("secret", "");
        row("", "");
    }
    void an_address_is_read_or_refused_without_showing_its_password()
    {
        QFETCH(QString, text);
        QFETCH(QString, shown);
        QString error;
        const auto address = readRedisAddress(text, &error);
        QCOMPARE(address.has_value(), !shown.isEmpty());
        QCOMPARE(address ? address->shown() : QString(), shown);
        QCOMPARE(error.isEmpty(), address.has_value());
        QVERIFY(!error.contains(QStringLiteral("secret")));
    }

    void a_password_is_sent_and_never_shown()
    {
        NEEDS_REDIS();
        const RedisServer server(QStringLiteral("open sesame"));
        const auto with = [&](const char *password) {
            return redisLock(QStringLiteral("redis://:") + QString::fromLatin1(password) +
                             QStringLiteral("@127.0.0.1:") + QString::number(server.port()));
        };
        const auto right = with("open%20sesame");
        QVERIFY(right);
        QVERIFY(answerOf(right->set("key", "one", 1000, now)).done);
        const auto wrong = with("close%20sesame");
        const LockAnswer refused = answerOf(wrong->get("key", now));
        QVERIFY2(refused.trouble.contains(QStringLiteral("refuses the password")), qPrintable(refused.trouble));
        QVERIFY(!refused.trouble.contains(QStringLiteral("sesame")));
        const auto without = redisLock(QStringLiteral("redis://127.0.0.1:%1/1").arg(server.port()));
        QVERIFY(answerOf(without->get("key", now)).trouble.contains(QStringLiteral("password")));
    }

    void databases_are_apart()
    {
        NEEDS_REDIS();
        open(true);
        const auto other = redisLock(m_server->address() + QStringLiteral("/1"));
        answerOf(m_lock->set("key", "zero", 600'000, now));
        QVERIFY(!answerOf(other->get("key", now)).found);
        const LockAnswer none = answerOf(redisLock(m_server->address() + QStringLiteral("/999"))->get("key", now));
        QVERIFY2(none.trouble.contains(QStringLiteral("/999: ")), qPrintable(none.trouble));
    }

    void a_redis_that_is_not_there_is_named_soon()
    {
        quint16 port = 0;
        {
            QTcpServer gone;
            QVERIFY(gone.listen(QHostAddress::LocalHost));
            port = gone.serverPort();
        }
        const auto lock = redisLock(QStringLiteral("redis://127.0.0.1:%1").arg(port));
        QElapsedTimer timer;
        timer.start();
        std::vector<KeyLock::Reply> replies;
        for (int i = 0; i < 100; ++i)
            replies.push_back(lock->get("key", now));
        QVERIFY(timer.elapsed() < 200); // commands never wait
        for (const KeyLock::Reply &reply : replies) {
            const LockAnswer answer = answerOf(reply);
            QVERIFY(!answer.found && !answer.done);
            QVERIFY2(answer.trouble.startsWith(QStringLiteral("redis://127.0.0.1:%1: ").arg(port)),
                     qPrintable(answer.trouble));
        }
    }

    void a_redis_that_hangs_is_given_up_and_found_again()
    {
        NEEDS_REDIS();
        open(true);
        answerOf(m_lock->set("key", "one", 600'000, now));
        m_server->pause();
        QElapsedTimer timer;
        timer.start();
        const LockAnswer slow = answerOf(m_lock->get("key", now));
        const qint64 tookMs = timer.elapsed();
        m_server->resume();
        QVERIFY2(slow.trouble.endsWith(QStringLiteral("no reply in time")), qPrintable(slow.trouble));
        QVERIFY2(tookMs < 3000, qPrintable(QString::number(tookMs)));
        QTRY_COMPARE(answerOf(m_lock->get("key", now)).value, "one");
    }

    void a_redis_that_was_restarted_is_found_again_without_a_failed_command()
    {
        NEEDS_REDIS();
        open(true);
        answerOf(m_lock->set("key", "one", 600'000, now));
        m_server->stop();
        m_server->start();
        const LockAnswer after = answerOf(m_lock->get("key", now));
        QCOMPARE(after.trouble, QString());
        QVERIFY(!after.found); // it kept nothing on disk
        m_server->stop();
        QVERIFY(!answerOf(m_lock->get("key", now)).trouble.isEmpty());
        m_server->start();
        QVERIFY(answerOf(m_lock->set("key", "two", 600'000, now)).done);
    }

    void a_lock_that_is_destroyed_does_not_wait_for_a_redis_that_hangs()
    {
        NEEDS_REDIS();
        open(true);
        answerOf(m_lock->get("key", now));
        m_server->pause();
        for (int i = 0; i < 20; ++i)
            m_lock->get("key", now);
        QElapsedTimer timer;
        timer.start();
        m_lock.reset();
        const qint64 tookMs = timer.elapsed();
        m_server->resume();
        QVERIFY2(tookMs < 3000, qPrintable(QString::number(tookMs)));
    }

    void what_redis_holds_for_somebody_else_is_trouble_and_not_an_answer()
    {
        NEEDS_REDIS();
        open(true);
        QProcess client;
        client.start(QStringLiteral("redis-cli"),
                     {QStringLiteral("-p"), QString::number(m_server->port()), QStringLiteral("LPUSH"),
                      QStringLiteral("key"), QStringLiteral("x")});
        if (!client.waitForFinished(10'000) || client.exitCode() != 0)
            QSKIP("NOT TESTED: redis-cli is not installed (apt-get install redis-tools)");
        const LockAnswer answer = answerOf(m_lock->get("key", now));
        QVERIFY2(answer.trouble.contains(QStringLiteral("WRONGTYPE")), qPrintable(answer.trouble));
    }
};

IKKAI_TEST_MAIN(TestKeyLock)
#include "tst_key_lock.moc"
