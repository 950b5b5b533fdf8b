#include "tests/support/raw_http.h"
#include "tests/support/test.h"

#include <QtCore/QFile>
#include <QtCore/QProcess>
#include <QtCore/QTemporaryDir>
#include <QtCore/QUrl>

#include <sys/resource.h>

#include <algorithm>
#include <memory>
#include <vector>

using namespace ikkai::test;

/// Thousands of connections that say nothing, and the few that do. IKKAI_IDLE_CONNECTIONS sets another number.
class BankCrowdTest : public ikkai::test::Test {
    Q_OBJECT

private:
    static constexpr int patienceMs = 20'000;
    static constexpr int fewest = 2'000;
    static QString s(const char *text) { return QString::fromLatin1(text); }

    struct Program {
        QProcess process;
        quint16 port = 0;
        QByteArray token;
        QTemporaryDir folder;

        bool start(QStringList arguments)
        {
            arguments << s("--token-file") << folder.filePath(s("token"));
            process.start(QStringLiteral(MOCK_PAYMENT_SERVER), arguments);
            while (!process.canReadLine()) {
                if (!process.waitForReadyRead(patienceMs))
                    return false;
            }
            const QJsonObject line = QJsonDocument::fromJson(process.readLine()).object();
            port = static_cast<quint16>(QUrl(line.value(s("url")).toString()).port(0));
            QFile file(folder.filePath(s("token")));
            token = file.open(QIODevice::ReadOnly) ? file.readAll().trimmed() : QByteArray();
            return port > 0;
        }
        qint64 residentKiB() const
        {
            QFile status(s("/proc/%1/status").arg(process.processId()));
            if (!status.open(QIODevice::ReadOnly))
                return -1;
            for (const QByteArray &line : status.readAll().split('\n')) {
                if (line.startsWith("VmRSS:"))
                    return line.mid(6).simplified().split(' ').first().toLongLong();
            }
            return -1;
        }
        qint64 counter(const char *name) const
        {
            RawConnection client(port);
            client.send("GET /control/state HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + token +
                        "\r\n\r\n");
            return client.read(patienceMs)
                .json()
                .value(s("counters"))
                .toObject()
                .value(QString::fromLatin1(name))
                .toInteger(-1);
        }
        ~Program()
        {
            if (process.state() == QProcess::NotRunning)
                return;
            process.terminate();
            process.waitForFinished(patienceMs);
        }
    };

    static constexpr const char *health = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
    static QByteArray charge(int n)
    {
        const QByteArray body = R"({"order_id":"A-1","amount":1,"currency":"JPY","source":"card_ok"})";
        return "POST /v1/charges HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nIdempotency-Key: k" +
               QByteArray::number(n) + "\r\nContent-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body;
    }
    /// The middle of 200 round trips on one connection.
    static qint64 roundTripUs(RawConnection &client)
    {
        std::vector<qint64> times;
        for (int i = 0; i < 200; ++i) {
            QElapsedTimer clock;
            clock.start();
            client.send(health);
            if (client.read(patienceMs).status != 200)
                return -1;
            times.push_back(clock.nsecsElapsed() / 1000);
        }
        std::ranges::nth_element(times, times.begin() + 100);
        return times[100];
    }

private Q_SLOTS:
    void silentConnectionsCostLittleAndDelayNobody()
    {
        rlimit limit{};
        QCOMPARE(::getrlimit(RLIMIT_NOFILE, &limit), 0);
        const auto allowed = static_cast<qint64>(std::min<rlim_t>(limit.rlim_max, 1'000'000)) - 300;
        const int wanted = qEnvironmentVariableIntValue("IKKAI_IDLE_CONNECTIONS");
        const auto count = static_cast<int>(std::min<qint64>(wanted > 0 ? wanted : fewest, allowed));
        if (count < fewest)
            QSKIP("NOT TESTED: 2,000 idle connections. This system allows fewer open files (ulimit -Hn).");
        limit.rlim_cur = std::max<rlim_t>(limit.rlim_cur, static_cast<rlim_t>(count) + 200);
        QCOMPARE(::setrlimit(RLIMIT_NOFILE, &limit), 0);

        Program bank;
        QVERIFY(bank.start({s("--max-connections"), QString::number(count + 50), s("--account"), s("card_ok=100000")}));
        RawConnection regular(bank.port);
        const qint64 alone = roundTripUs(regular);
        const qint64 before = bank.residentKiB();

        std::vector<std::unique_ptr<RawConnection>> crowd;
        for (int i = 0; i < count; ++i) {
            crowd.push_back(std::make_unique<RawConnection>(bank.port));
            // Every other one has been served once: that leaves more behind than having said nothing.
            if (i % 2 == 0)
                continue;
            crowd.back()->send(health);
            QCOMPARE(crowd.back()->read(patienceMs).status, 200);
        }
        QCOMPARE(bank.counter("connections_beyond_limit"), 0);
        const qint64 awake = roundTripUs(regular);
        const qint64 mostly = bank.residentKiB();
        QTRY_VERIFY_WITH_TIMEOUT(bank.counter("connections_resting") >= count, 60'000);
        const qint64 resting = roundTripUs(regular);
        const qint64 after = bank.residentKiB();
        qInfo(
            "%d connections: resident %lld KiB before, %lld KiB awake, %lld KiB at rest (%.2f KiB each, %.2f at rest); "
            "round trip %lld us alone, %lld us among the awake, %lld us among the resting",
            count, before, mostly, after, static_cast<double>(mostly - before) / count,
            static_cast<double>(after - before) / count, alone, awake, resting);
        QVERIFY(alone > 0 && awake > 0 && resting > 0);
        constexpr qint64 eachKiB = 16;
        QVERIFY((mostly - before) / count < eachKiB);

        // Each of them is served as if it had just come.
        for (const int i : {0, 1, count / 2, count - 1}) {
            crowd[static_cast<size_t>(i)]->send(charge(i));
            QCOMPARE(crowd[static_cast<size_t>(i)]->read(patienceMs).status, 201);
        }
        crowd.clear();
        QTRY_VERIFY_WITH_TIMEOUT(bank.counter("connections_open") <= 2, 60'000);
    }

    void moreThanTheSystemAllowsIsSaidAtStart()
    {
        QProcess process;
        process.start(s("sh"), {s("-c"), s("ulimit -n 400; exec \"$0\" --max-connections 5000"),
                                QStringLiteral(MOCK_PAYMENT_SERVER)});
        QVERIFY(process.waitForFinished(patienceMs));
        QCOMPARE(process.exitCode(), 1);
        const QByteArray said = process.readAllStandardError();
        QVERIFY2(said.contains("--max-connections 5000") && said.contains("400"), said.constData());
        QCOMPARE(said.count('\n'), 1);
    }

    void theSoftLimitIsRaisedWhereTheSystemLets()
    {
        Program bank;
        // The shell lowers the soft limit alone.
        bank.process.start(s("sh"), {s("-c"), s("ulimit -S -n 100; exec \"$0\" --max-connections 300"),
                                     QStringLiteral(MOCK_PAYMENT_SERVER)});
        QVERIFY(bank.process.waitForReadyRead(patienceMs));
        const QJsonObject line = QJsonDocument::fromJson(bank.process.readLine()).object();
        bank.port = static_cast<quint16>(QUrl(line.value(s("url")).toString()).port(0));
        std::vector<std::unique_ptr<RawConnection>> crowd;
        for (int i = 0; i < 250; ++i)
            crowd.push_back(std::make_unique<RawConnection>(bank.port));
        crowd.back()->send(health);
        QCOMPARE(crowd.back()->read(patienceMs).status, 200);
    }
};

IKKAI_TEST_MAIN(BankCrowdTest)
#include "tst_bank_crowd.moc"
