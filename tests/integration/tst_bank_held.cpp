#include "tests/support/bank_under_test.h"
#include "tests/support/test.h"

#include <algorithm>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <sys/resource.h>

using namespace ikkai::test;

namespace {

constexpr int manyHeld = 1000;

using Clients = std::vector<std::unique_ptr<RawConnection>>;

/// Both ends of every connection are this process's.
bool roomForDescriptors(rlim_t wanted)
{
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = std::max(limit.rlim_cur, std::min(limit.rlim_max, wanted));
    return ::setrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur >= wanted;
}

mockbank::MockServerOptions roomyBank()
{
    mockbank::MockServerOptions options;
    options.maxConnections = manyHeld + 100;
    options.bank.accounts = {{QStringLiteral("card_ok"), 100'000'000, false}};
    return options;
}

Clients sendCharges(const BankUnderTest &bank, int count)
{
    Clients clients;
    for (int i = 0; i < count; ++i) {
        clients.push_back(std::make_unique<RawConnection>(bank.port()));
        clients.back()->send(bank.chargeRequest("k" + QByteArray::number(i), 1, BankUnderTest::chargeBody(1)));
    }
    return clients;
}

int threadsOfThisProcess()
{
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("Threads:"))
            return std::stoi(line.substr(8));
    }
    return -1;
}

qint64 percentile(std::vector<qint64> values, int percent)
{
    std::ranges::sort(values);
    return values[values.size() * static_cast<std::size_t>(percent) / 100];
}

} // namespace

/// What is held or delayed costs memory only, disturbs nobody and is told exactly.
class BankHeldTest : public ikkai::test::Test {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(roomForDescriptors(3 * manyHeld)); }

    void case_51_case_52_aThousandHeldAnswersDelayNoControlCall()
    {
        const BankUnderTest bank(roomyBank());
        bank.arm("after_commit:hold");
        const int threadsBefore = threadsOfThisProcess();
        const Clients clients = sendCharges(bank, manyHeld);
        QTRY_COMPARE_WITH_TIMEOUT(bank.held().size(), manyHeld, 20'000);
        QCOMPARE(threadsOfThisProcess(), threadsBefore);

        std::vector<qint64> usOf;
        const auto timed = [&](const QByteArray &method, const QByteArray &path, const QByteArray &json = {}) {
            QElapsedTimer clock;
            clock.start();
            const RawAnswer answer = bank.control(method, path, json);
            usOf.push_back(clock.nsecsElapsed() / 1000);
            return answer.status;
        };
        for (int i = 0; i < 20; ++i) {
            QCOMPARE(timed("GET", "faults"), 200);
            QCOMPARE(timed("GET", "ledger?limit=1"), 200);
            QCOMPARE(timed("PUT", "accounts/card_new", R"({"balance":1})"), 200);
        }
        QCOMPARE(timed("DELETE", "faults"), 200);
        const qint64 disarmUs = usOf.back();
        qInfo("%d answers held: disarm took %lld us, 61 control calls p50 %lld us, slowest %lld us", manyHeld,
              static_cast<long long>(disarmUs), static_cast<long long>(percentile(usOf, 50)),
              static_cast<long long>(percentile(usOf, 99)));
        // 50 ms is the promise; a loaded machine is let off with ten times that.
        QVERIFY(disarmUs < 500'000);
        QVERIFY(percentile(usOf, 50) < 50'000);
        // Whoever comes now is served at once.
        QElapsedTimer clock;
        clock.start();
        QCOMPARE(bank.charge("free", 1, BankUnderTest::chargeBody(1)).status, 201);
        QVERIFY(clock.elapsed() < 500);

        for (const QJsonValue &held : bank.held()) {
            const QByteArray id = QByteArray::number(held.toObject().value(QStringLiteral("id")).toInteger());
            if (bank.control("POST", "held/" + id, R"({"action":"release"})").status != 200)
                QFAIL("a held answer could not be released");
        }
        for (const auto &client : clients)
            QCOMPARE(client->read().status, 201);
        QCOMPARE(bank.held().size(), 0);
        QCOMPARE(bank.balance(), 100'000'000 - manyHeld - 1);
    }

    void case_55_clientsThatLeaveWhatIsHeldAndDelayedLeaveNothingBehind()
    {
        const BankUnderTest bank(roomyBank());
        bank.arm("after_commit:hold:next=200");
        bank.arm("unread:hold:next=200");
        bank.arm("mid_answer:hold:next=100");
        bank.arm("late:dribble(bytes=1,ms=10):next=100");
        bank.arm("after_commit:delay(ms=100):next=100");
        {
            const Clients clients = sendCharges(bank, 700);
            QTRY_COMPARE_WITH_TIMEOUT(bank.held().size(), 500, 20'000);
        }
        QTRY_COMPARE_WITH_TIMEOUT(bank.held().size(), 0, 20'000);
        QTRY_COMPARE_WITH_TIMEOUT(bank.counter(QStringLiteral("connections_open")), 1, 20'000);
        // Everything but what was never looked at was charged, and stays charged.
        QTRY_COMPARE(bank.balance(), 100'000'000 - 500);
        QCOMPARE(bank.arrivals(), 700);
    }

    void delaysAreKeptToTheMillisecond()
    {
        constexpr int tills = 20;
        constexpr int rounds = 10;
        constexpr int count = tills * rounds;
        constexpr int delayMs = 100;
        const BankUnderTest bank(roomyBank());
        bank.arm("late:delay(ms=" + QByteArray::number(delayMs) + ")");
        // What the machine and the bank themselves need, without a delay, is no error of the delay: the answers tell
        // by their events when they were due and when they left.
        RawConnection stream(bank.port());
        stream.send(bank.request("GET", "/control/events", "Authorization: Bearer " + bank.controlToken() + "\r\n"));
        QVERIFY(stream.readUntil("retry:").contains("retry:"));
        const Clients clients = sendCharges(bank, tills);
        for (int round = 1; round <= rounds; ++round) {
            for (int till = 0; till < tills; ++till) {
                RawConnection &client = *clients[static_cast<std::size_t>(till)];
                QCOMPARE(client.read().status, 201);
                const QByteArray key = "k" + QByteArray::number(round * tills + till);
                if (round < rounds)
                    client.send(bank.chargeRequest(key, 1, BankUnderTest::chargeBody(1)));
            }
        }
        QVERIFY(bank.charge("last", 0, BankUnderTest::chargeBody(1)).status == 201);
        const QByteArray events = stream.readUntil("\"idempotency_key\":\"last\",\"kind\":\"delivered\"", 10'000);
        QHash<qint64, qint64> firedAt;
        std::vector<qint64> errors;
        for (const QByteArray &line : events.split('\n')) {
            if (!line.startsWith("data: "))
                continue;
            const QJsonObject event = QJsonDocument::fromJson(line.mid(6)).object();
            const qint64 arrival = event.value(QStringLiteral("arrival_id")).toInteger();
            const QString kind = event.value(QStringLiteral("kind")).toString();
            const qint64 at = event.value(QStringLiteral("at_ms")).toInteger();
            if (kind == QStringLiteral("fault") &&
                event.value(QStringLiteral("light")).toString() == QStringLiteral("fired"))
                firedAt.insert(arrival, at);
            else if (kind == QStringLiteral("answer") && firedAt.contains(arrival))
                errors.push_back(at - firedAt.value(arrival) - delayMs);
        }
        QVERIFY(errors.size() >= count);
        const qint64 p99 = percentile(errors, 99);
        qInfo("%zu delays of %d ms: error p50 %lld ms, p99 %lld ms", errors.size(), delayMs,
              static_cast<long long>(percentile(errors, 50)), static_cast<long long>(p99));
        QVERIFY(*std::ranges::min_element(errors) >= -1); // two clocks in whole ms
        // 5 ms is the promise; a loaded machine is let off.
        QVERIFY2(p99 <= 100, qPrintable(QString::number(p99)));
    }

    void drawnDelaysAreReproducible_data()
    {
        QTest::addColumn<QByteArray>("law");
        QTest::newRow("uniform") << QByteArray("min_ms=1,max_ms=40,seed=3");
        QTest::newRow("lognormal") << QByteArray("median_ms=15,sigma=0.5,seed=3");
        QTest::newRow("exponential") << QByteArray("mean_ms=15,seed=3");
    }
    void drawnDelaysAreReproducible()
    {
        QFETCH(QByteArray, law);
        const auto delays = [&] {
            const BankUnderTest bank;
            bank.arm("late:delay(" + law + ")");
            for (int i = 0; i < 8; ++i)
                bank.charge("k" + QByteArray::number(i), 1, BankUnderTest::chargeBody(1));
            RawConnection stream(bank.port());
            stream.send(bank.request("GET", "/control/events",
                                     "Last-Event-ID: 0\r\nAuthorization: Bearer " + bank.controlToken() + "\r\n"));
            const QByteArray events = stream.readUntil("\"idempotency_key\":\"k7\",\"kind\":\"delivered\"");
            QList<int> drawn;
            for (const QByteArray &line : events.split('\n')) {
                const QJsonObject event = QJsonDocument::fromJson(line.mid(6)).object();
                if (event.value(QStringLiteral("light")).toString() == QStringLiteral("fired"))
                    drawn.append(event.value(QStringLiteral("delay_ms")).toInt());
            }
            return drawn;
        };
        const QList<int> first = delays();
        QCOMPARE(first.size(), 8);
        QVERIFY(std::ranges::any_of(first, [&](int ms) { return ms != first[0]; }));
        QCOMPARE(delays(), first);
    }

    void case_49_keptConnectionsAreStruckAsSoonAsAFaultIsArmed()
    {
        const BankUnderTest bank;
        RawConnection client(bank.port());
        client.send(bank.chargeRequest("a"));
        QCOMPARE(client.read().status, 201);
        bank.arm("after_commit:garbage:next=1");
        client.send(bank.chargeRequest("b"));
        QVERIFY(!client.readToEnd().bytes.startsWith("HTTP"));
    }
};

IKKAI_TEST_MAIN(BankHeldTest)
#include "tst_bank_held.moc"
