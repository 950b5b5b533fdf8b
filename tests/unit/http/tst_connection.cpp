#include "mock-server/http/event_stream.h"
#include "mock-server/http/listener.h"
#include "tests/support/raw_http.h"
#include "tests/support/test.h"
#include "tests/unit/http/desk.h"

#include <sys/resource.h>

#include <future>
#include <memory>
#include <vector>

using namespace mockbank;
using ikkai::test::Ending;
using ikkai::test::RawAnswer;
using ikkai::test::RawConnection;

namespace {

/// Looks at the client's end whenever it is told that bytes are about to leave.
class Onlooker : public ArrivalWitness {
public:
    explicit Onlooker(RawConnection *client)
        : m_client(client)
    {
    }
    void writing(Exchange &, const QByteArray &bytes) override
    {
        told += bytes;
        seenByClient.append(m_client->readUntil("H", 0).size());
    }
    void ended(const Exchange &, ExchangeEnd how) override { ends.append(how); }
    void delivered(quint64 arrivalId, const QByteArray &) override { arrived.append(arrivalId); }

    QByteArray told;
    QList<qsizetype> seenByClient;
    QList<ExchangeEnd> ends;
    QList<quint64> arrived;

private:
    RawConnection *m_client;
};

} // namespace

/// Connections on the test's own event loop; the blocking client works on another thread.
class ConnectionTest : public ikkai::test::Test {
    Q_OBJECT

private:
    template <typename Work>
    static auto onAnotherThread(Work work)
    {
        auto result = std::async(std::launch::async, work);
        while (result.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
            QTest::qWait(1);
        return result.get();
    }

    static constexpr const char *slowRequest = "GET /slow HTTP/1.1\r\nHost: h\r\n\r\n";
    static constexpr const char *nowRequest = "GET /now HTTP/1.1\r\nHost: h\r\n\r\n";

    std::unique_ptr<Desk> m_desk;
    std::unique_ptr<Listener> m_listener;

    void beforeEach() override
    {
        m_desk = std::make_unique<Desk>();
        listenWith(shortLimits());
    }
    void listenWith(const ConnectionLimits &limits)
    {
        m_listener = std::make_unique<Listener>(10, limits, m_desk.get(), nullptr);
        QString error;
        QVERIFY(m_listener->open(QHostAddress(QHostAddress::LocalHost), 0, &error));
    }
    void afterEach() override
    {
        m_listener.reset();
        m_desk.reset();
    }
    quint16 port() const { return m_listener->serverPort(); }

private Q_SLOTS:
    void theWitnessIsToldBeforeTheFirstByteLeaves()
    {
        RawConnection client(port());
        Onlooker onlooker(&client);
        m_desk->witness = &onlooker;
        QVERIFY(client.send(nowRequest));
        QTRY_COMPARE(onlooker.arrived, QList<quint64>{1});
        QCOMPARE(onlooker.seenByClient, QList<qsizetype>{0});
        QCOMPARE(onlooker.ends, QList<ExchangeEnd>{ExchangeEnd::Answered});
        QCOMPARE(onlooker.told, client.read().bytes);
        m_listener.reset();
    }

    void theWitnessIsToldHowAnExchangeEnded()
    {
        const auto endOf = [this](const std::function<void(RawConnection &)> &finish) {
            RawConnection client(port());
            Onlooker onlooker(&client);
            m_desk->witness = &onlooker;
            client.send(slowRequest);
            [&] { QTRY_COMPARE(m_desk->waiting.size(), 1); }();
            finish(client);
            [&] { QTRY_COMPARE(onlooker.ends.size(), 1); }();
            m_desk->waiting.clear();
            m_desk->witness = nullptr;
            return onlooker.ends.value(0);
        };
        QCOMPARE(endOf([this](RawConnection &) { m_desk->waiting[0]->cut(Cut::Fin); }), ExchangeEnd::Fin);
        QCOMPARE(endOf([this](RawConnection &) { m_desk->waiting[0]->cut(Cut::Rst); }), ExchangeEnd::Rst);
        QCOMPARE(endOf([](RawConnection &client) { client.close(); }), ExchangeEnd::ClientGone);
        QCOMPARE(endOf([](RawConnection &client) { client.reset(); }), ExchangeEnd::ClientGone);
    }

    void aSlowSenderIsTold408()
    {
        const auto [answer, ending] = onAnotherThread([port = port()] {
            RawConnection client(port);
            client.send("POST /now HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nab");
            const RawAnswer got = client.read();
            return std::pair(got, client.waitForEnd());
        });
        QCOMPARE(answer.status, 408);
        QCOMPARE(answer.problem(), "request-timeout");
        QCOMPARE(ending, Ending::Closed);
        QCOMPARE(m_desk->lost, 1);
    }

    void aSenderOfADropAtATimeIsNoFaster()
    {
        const RawAnswer answer = onAnotherThread([port = port()] {
            RawConnection client(port);
            QElapsedTimer clock;
            clock.start();
            client.send("GET /now HTTP/1.1\r\nHost: h\r\nX: ");
            RawAnswer got;
            got.ending = Ending::Silent;
            while (got.ending == Ending::Silent && clock.elapsed() < 5000) {
                client.send("y");
                got = client.read(20);
            }
            return got;
        });
        QCOMPARE(answer.status, 408);
    }

    void anIdleConnectionIsClosedWithoutAWord()
    {
        const auto [bytes, ending] = onAnotherThread([port = port()] {
            RawConnection client(port);
            client.send(nowRequest);
            client.read();
            const RawAnswer rest = client.read();
            return std::pair(rest.bytes, rest.ending);
        });
        QVERIFY(bytes.isEmpty());
        QCOMPARE(ending, Ending::Closed);
    }

    void anAnswerThatTakesLongIsWaitedFor()
    {
        auto answer = std::async(std::launch::async, [port = port()] {
            RawConnection client(port);
            client.send(slowRequest);
            return client.read();
        });
        QTRY_COMPARE(m_desk->waiting.size(), 1);
        QTest::qWait(700); // longer than every limit
        QVERIFY(m_desk->waiting[0]->isOpen());
        m_desk->waiting[0]->answer({200, {}, {}, {}});
        QTRY_VERIFY(answer.wait_for(std::chrono::seconds(0)) == std::future_status::ready);
        QCOMPARE(answer.get().status, 200);
    }

    void aClientThatLeavesIsNoticedOnceAndAnsweringItIsHarmless()
    {
        int gone = 0;
        onAnotherThread([&, port = port()] {
            RawConnection client(port);
            client.send(slowRequest);
            return client.read(100).ending;
        });
        QTRY_COMPARE(m_desk->waiting.size(), 1);
        m_desk->waiting[0]->setClientGone([&gone] { ++gone; });
        QTRY_COMPARE(m_listener->openCount(), 0);
        QVERIFY(!m_desk->waiting[0]->isOpen());
        m_desk->waiting[0]->answer({200, {}, {}, "too late"});
        m_desk->waiting[0]->writePart("x");
        m_desk->waiting[0]->finish();
        m_desk->waiting[0]->cut(Cut::Rst);
        QVERIFY(gone <= 1);
    }

    void ourOwnCutIsNotTheClientsLeaving()
    {
        bool gone = false;
        auto ending = std::async(std::launch::async, [port = port()] {
            RawConnection client(port);
            client.send(slowRequest);
            return client.waitForEnd();
        });
        QTRY_COMPARE(m_desk->waiting.size(), 1);
        m_desk->waiting[0]->setClientGone([&gone] { gone = true; });
        m_desk->waiting[0]->cut(Cut::Fin);
        QTRY_VERIFY(ending.wait_for(std::chrono::seconds(0)) == std::future_status::ready);
        QCOMPARE(ending.get(), Ending::Closed);
        QTRY_COMPARE(m_listener->openCount(), 0);
        QVERIFY(!gone);
    }

    void anAnsweredRequestLeavesNothingBehind()
    {
        auto answer = std::async(std::launch::async, [port = port()] {
            RawConnection client(port);
            client.send(slowRequest);
            return client.read();
        });
        QTRY_COMPARE(m_desk->waiting.size(), 1);
        const std::weak_ptr<Exchange> exchange = m_desk->waiting[0];
        // What is to be done when the client goes holds the request, as it does in the bank.
        m_desk->waiting[0]->setClientGone([held = m_desk->waiting[0]] {});
        m_desk->waiting.takeFirst()->answer({200, {}, {}, {}});
        QVERIFY(exchange.expired());
        QTRY_VERIFY(answer.wait_for(std::chrono::seconds(0)) == std::future_status::ready);
    }

    void deliveredIsSaidWhenTheClientHasIt()
    {
        onAnotherThread([port = port()] {
            RawConnection client(port);
            client.send(nowRequest);
            client.send(nowRequest);
            client.read();
            return client.read().status;
        });
        QTRY_COMPARE(m_desk->delivered, 2);
    }

    void anAnswerNobodyReadsIsNotDeliveredAndIsGivenUp()
    {
        RawConnection client(port());
        client.send(slowRequest);
        QTRY_COMPARE(m_desk->waiting.size(), 1);
        bool delivered = false;
        m_desk->waiting[0]->answer({200, {}, {}, QByteArray(64 * 1024 * 1024, 'x')}, [&] { delivered = true; });
        QTRY_COMPARE(m_listener->openCount(), 0);
        QVERIFY(!delivered);
    }

    void whoReadsNoAnswersIsNotReadOnEither()
    {
        constexpr int count = 1000; // 64 MB of answers
        QByteArray requests;
        for (int i = 0; i < count; ++i)
            requests += "GET /big HTTP/1.1\r\nHost: h\r\n\r\n";
        RawConnection client(port());
        client.send(requests);
        QTRY_VERIFY(m_desk->heads > 4);
        // What the systems on both sides hold is some megabytes, and what waits here 256 KiB.
        QTRY_COMPARE(m_listener->openCount(), 0); // a reader that stalls
        QVERIFY2(m_desk->heads < 400, qPrintable(QString::number(m_desk->heads)));
    }

    void aSlowReaderOfManyAnswersGetsThemAll()
    {
        constexpr int count = 300;
        QByteArray requests;
        for (int i = 0; i < count; ++i)
            requests += "GET /big HTTP/1.1\r\nHost: h\r\n\r\n";
        const int read = onAnotherThread([&, port = port()] {
            RawConnection client(port);
            client.send(requests);
            int complete = 0;
            while (complete < count && client.read().body.size() == 64 * 1024)
                ++complete;
            return complete;
        });
        QCOMPARE(read, count);
        QCOMPARE(m_desk->heads, count);
    }

    void aClientThatDoesNotCloseAfterOurFinIsClosed()
    {
        RawConnection client(port());
        client.send("GET /now HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
        QTRY_COMPARE(m_desk->heads, 1);
        QTRY_COMPARE(m_listener->openCount(), 0);
    }

    void case_53_aStreamThatIsNotReadCostsOneBufferAndIsToldOfItsGap()
    {
        ConnectionLimits patient = shortLimits();
        patient.stalledReader = std::chrono::minutes(1);
        m_listener = std::make_unique<Listener>(10, patient, m_desk.get(), nullptr);
        QString error;
        QVERIFY(m_listener->open(QHostAddress(QHostAddress::LocalHost), 0, &error));
        EventLog log(500);
        EventStreams streams(log);
        RawConnection slow(port());
        slow.send(slowRequest);
        QTRY_COMPARE(m_desk->waiting.size(), 1);
        streams.open(m_desk->waiting[0], {});
        // Far more than the log keeps and the buffers of the system take.
        const QJsonObject big{{QStringLiteral("text"), QString(2000, QLatin1Char('x'))}};
        qint64 most = 0;
        for (int i = 0; i < 5000; ++i) {
            log.append("big", big);
            if (i % 50 == 0)
                streams.flush();
            most = std::max(most, m_desk->waiting[0]->bytesWaiting());
        }
        QVERIFY2(most > 1024 * 1024 && most < 2 * 1024 * 1024, qPrintable(QString::number(most)));
        QCOMPARE(streams.count(), 1);

        // Nobody else waits for it.
        const auto idOf = [&log](quint64 back) { return log.event(log.lastN() - back).id(); };
        RawConnection quick(port());
        quick.send(slowRequest);
        QTRY_COMPARE(m_desk->waiting.size(), 2);
        streams.open(m_desk->waiting[1], idOf(10));
        const auto readAll = [last = "id: " + idOf(0)](RawConnection *client) {
            return client->readUntil(last, 20'000);
        };
        const QByteArray resumed = onAnotherThread([&] { return readAll(&quick); });
        QCOMPARE(resumed.count("event: big"), 10);
        QVERIFY(!resumed.contains("event: gap"));

        const QByteArray late = onAnotherThread([&] { return readAll(&slow); });
        QVERIFY(late.contains("event: gap"));
        QVERIFY(late.contains("id: " + idOf(0)));
        // After the gap comes the first that is still kept, and then all of them.
        QCOMPARE(late.mid(late.indexOf("event: gap")).count("event: big"), 500);
    }

    void aSilentConnectionRestsAsADescriptorAndServesOn()
    {
        ConnectionLimits limits = shortLimits();
        limits.restAfter = std::chrono::milliseconds(50);
        limits.idle = std::chrono::milliseconds(60'000);
        listenWith(limits);
        RawConnection client(port());
        for (int round = 1; round <= 3; ++round) {
            QTRY_COMPARE(m_listener->restingCount(), 1);
            QCOMPARE(m_listener->openCount(), 1);
            client.send(nowRequest);
            QTRY_COMPARE(m_desk->delivered, round);
            QCOMPARE(client.read().status, 200);
            QCOMPARE(m_desk->lastConnection, 1U);
        }
        QTRY_COMPARE(m_listener->restingCount(), 1);
        client.close();
        QTRY_COMPARE(m_listener->openCount(), 0);
        QCOMPARE(m_listener->accepted(), 1U);
    }

    void aRestingConnectionEndsAsAnyOtherDoes_data()
    {
        QTest::addColumn<int>("ending");
        QTest::newRow("idle for too long") << static_cast<int>(Ending::Closed);
        QTest::newRow("crash") << static_cast<int>(Ending::Reset);
        QTest::newRow("the port refuses") << static_cast<int>(Ending::Closed);
        QTest::newRow("the bank ends") << static_cast<int>(Ending::Closed);
    }
    void aRestingConnectionEndsAsAnyOtherDoes()
    {
        QFETCH(int, ending);
        const QByteArray row = QTest::currentDataTag();
        ConnectionLimits limits = shortLimits();
        limits.restAfter = std::chrono::milliseconds(20);
        limits.idle = std::chrono::milliseconds(row == "idle for too long" ? 300 : 60'000);
        listenWith(limits);
        RawConnection client(port());
        QTRY_COMPARE(m_listener->restingCount(), 1);
        if (row == "crash")
            m_listener->crash();
        else if (row == "the port refuses")
            m_listener->refuse();
        else if (row == "the bank ends")
            m_listener->closeAll();
        QTRY_COMPARE(m_listener->openCount(), 0);
        QCOMPARE(client.waitForEnd(), static_cast<Ending>(ending));
    }

    void aConnectionThatAFaultMayStillCutDoesNotRest()
    {
        ConnectionLimits limits = shortLimits();
        limits.restAfter = std::chrono::milliseconds(20);
        limits.idle = std::chrono::milliseconds(60'000);
        listenWith(limits);
        RawConnection client(port());
        client.send(slowRequest);
        QTRY_COMPARE(m_desk->waiting.size(), 1);
        m_desk->waiting[0]->answer({200, {}, {}, {}});
        QCOMPARE(client.read().status, 200);
        RawConnection other(port());
        QTRY_COMPARE(m_listener->restingCount(), 1); // the other: the first would have been laid to rest before it
        QVERIFY(m_desk->waiting[0]->cutWhenIdle(Cut::Rst));
        QCOMPARE(client.waitForEnd(), Ending::Reset);
    }

    void withoutDescriptorsAcceptingOnlyPauses()
    {
        rlimit before{};
        QCOMPARE(::getrlimit(RLIMIT_NOFILE, &before), 0);
        std::vector<int> taken;
        rlimit low = before;
        low.rlim_cur = 200;
        QCOMPARE(::setrlimit(RLIMIT_NOFILE, &low), 0);
        RawConnection client(port());
        for (int fd = ::dup(0); fd >= 0; fd = ::dup(0))
            taken.push_back(fd);
        client.send(nowRequest);
        QTest::qWait(150); // accepting fails meanwhile, more than once
        QCOMPARE(m_desk->heads, 0);
        for (const int fd : taken)
            ::close(fd);
        ::setrlimit(RLIMIT_NOFILE, &before);
        QTRY_COMPARE(m_desk->delivered, 1);
        QCOMPARE(client.read().status, 200);
    }

    void afterACrashThePortIsRefusedAndComesBack()
    {
        const quint16 before = port();
        RawConnection client(before);
        QTRY_COMPARE(m_listener->openCount(), 1);
        m_listener->crash();
        QCOMPARE(client.waitForEnd(), Ending::Reset);
        QVERIFY(!RawConnection(before).isConnected());

        QString error;
        QVERIFY2(m_listener->open(QHostAddress(QHostAddress::LocalHost), before, &error), qPrintable(error));
        QVERIFY(RawConnection(before).isConnected());
    }
};

IKKAI_TEST_MAIN(ConnectionTest)
#include "tst_connection.moc"
