#include "mock-server/http/listener.h"
#include "mock-server/http/tls.h"
#include "tests/support/raw_http.h"
#include "tests/support/test.h"
#include "tests/support/tls_lab.h"
#include "tests/unit/http/desk.h"

#include <QtCore/QDir>

#include <future>
#include <memory>

using namespace mockbank;
using ikkai::test::CertificateLab;
using ikkai::test::Ending;
using ikkai::test::RawAnswer;
using ikkai::test::RawConnection;
using ikkai::test::TlsConnection;

/// Connections over TLS on the test's own event loop, with limits of milliseconds.
class TlsConnectionTest : public ikkai::test::Test {
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

    static constexpr const char *nowRequest = "GET /now HTTP/1.1\r\nHost: h\r\n\r\n";
    static constexpr const char *lastRequest = "GET /now HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";

    std::unique_ptr<CertificateLab> m_lab;
    QList<QSslCertificate> m_authorities;
    CertificateLab::Pair m_pair;
    std::unique_ptr<Desk> m_desk;
    std::unique_ptr<Listener> m_listener;

    void beforeEach() override
    {
        if (!m_lab) {
            m_lab = std::make_unique<CertificateLab>();
            m_pair = m_lab->issue(QStringLiteral("bank"));
            m_authorities = m_lab->authorities();
        }
        m_desk = std::make_unique<Desk>();
        m_listener = std::make_unique<Listener>(10, shortLimits(), m_desk.get(), nullptr);
        m_listener->setTls(std::get<QSslConfiguration>(serverTls(m_pair.certificate(), m_pair.key())));
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
    void initTestCase()
    {
        if (!CertificateLab::isPossible())
            QSKIP("NOT TESTED: TLS. There is no openssl program to make certificates with.");
    }

    void aHandshakeThatNeverFinishesIsEndedAndDelaysNobody_data()
    {
        QTest::addColumn<QByteArray>("beginning");
        QTest::addColumn<int>("failures");
        QTest::newRow("not a byte") << QByteArray() << 0;
        QTest::newRow("one byte") << QByteArray("\x16") << 1;
        QTest::newRow("half a hello") << QByteArray("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 and so on") << 1;
    }
    void aHandshakeThatNeverFinishesIsEndedAndDelaysNobody()
    {
        QFETCH(QByteArray, beginning);
        QFETCH(int, failures);
        RawConnection silent(port());
        silent.send(beginning);
        QTRY_COMPARE(m_listener->openCount(), 1);
        const RawAnswer served = onAnotherThread([this, port = port()] {
            TlsConnection client(port, m_authorities);
            client.send(nowRequest);
            return client.read();
        });
        QCOMPARE(served.status, 200);
        QTRY_COMPARE(m_listener->openCount(), 0);
        QVERIFY(silent.waitForEnd() != Ending::Silent);
        QCOMPARE(m_desk->failedHandshakes.size(), failures);
        QCOMPARE(m_desk->heads, 1);
    }

    void aHandshakeOfADropAtATimeIsNoFaster()
    {
        const Ending ending = onAnotherThread([port = port()] {
            RawConnection client(port);
            client.send("\x16\x03\x01\x40\x01");
            Ending last = Ending::Silent;
            for (int i = 0; i < 200 && last == Ending::Silent; ++i) {
                client.send("x");
                last = client.waitForEnd(20);
            }
            return last;
        });
        QVERIFY(ending != Ending::Silent);
        QTRY_COMPARE(m_desk->failedHandshakes.size(), 1);
    }

    void aSlowSenderIsTold408()
    {
        const RawAnswer answer = onAnotherThread([this, port = port()] {
            TlsConnection client(port, m_authorities);
            client.send("POST /now HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nab");
            return client.read();
        });
        QCOMPARE(answer.status, 408);
        QCOMPARE(m_desk->lost, 1);
    }

    void anIdleConnectionIsClosedWithoutAWord()
    {
        const RawAnswer rest = onAnotherThread([this, port = port()] {
            TlsConnection client(port, m_authorities);
            client.send(nowRequest);
            client.read();
            return client.read();
        });
        QVERIFY(rest.bytes.isEmpty());
        QCOMPARE(rest.ending, Ending::Closed);
        QTRY_COMPARE(m_listener->openCount(), 0);
    }

    void aLongAnswerArrivesWholeBeforeTheConnectionCloses()
    {
        auto answer = std::async(std::launch::async, [this, port = port()] {
            TlsConnection client(port, m_authorities);
            client.send("GET /long HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
            return client.read();
        });
        QTRY_COMPARE(m_desk->waiting.size(), 1);
        bool delivered = false;
        m_desk->waiting[0]->answer({200, {}, {}, QByteArray(5'000'000, 'x')}, [&] { delivered = true; });
        QTRY_VERIFY(answer.wait_for(std::chrono::seconds(0)) == std::future_status::ready);
        QCOMPARE(answer.get().body.size(), 5'000'000);
        QTRY_VERIFY(delivered);
        QTRY_COMPARE(m_listener->openCount(), 0);
    }

    void anAnswerNobodyReadsIsNotDeliveredAndIsGivenUp()
    {
        auto client = std::async(std::launch::async, [this, port = port()] {
            auto connection = std::make_unique<TlsConnection>(port, m_authorities);
            connection->send("GET /long HTTP/1.1\r\nHost: h\r\n\r\n");
            // Its descriptor stays open; the object goes where it was made.
            const int kept = ::dup(static_cast<int>(connection->socket().socketDescriptor()));
            connection->socket().disconnect();
            return std::pair(kept, connection.release());
        });
        QTRY_COMPARE(m_desk->waiting.size(), 1);
        bool delivered = false;
        m_desk->waiting[0]->answer({200, {}, {}, QByteArray(64 * 1024 * 1024, 'x')}, [&] { delivered = true; });
        QTRY_COMPARE(m_listener->openCount(), 0);
        QVERIFY(!delivered);
        const auto [kept, connection] = client.get();
        ::close(kept);
        connection->socket().abort();
        delete connection;
    }

    void aClientThatDoesNotCloseAfterOurGoodbyeIsClosed()
    {
        auto client = std::async(std::launch::async, [this, port = port()] {
            TlsConnection connection(port, m_authorities);
            connection.send(lastRequest);
            const RawAnswer answer = connection.read();
            const int kept = ::dup(static_cast<int>(connection.socket().socketDescriptor()));
            return std::pair(answer.status, kept);
        });
        QTRY_VERIFY(client.wait_for(std::chrono::seconds(0)) == std::future_status::ready);
        const auto [status, kept] = client.get();
        QCOMPARE(status, 200);
        QTRY_COMPARE(m_listener->openCount(), 0);
        ::close(kept);
    }

    void manyConnectionsLeaveNothingBehind()
    {
        const auto descriptors = [] { return QDir(QStringLiteral("/proc/self/fd")).entryList(QDir::Files).size(); };
        const auto before = descriptors();
        onAnotherThread([this, port = port()] {
            for (int i = 0; i < 20; ++i) {
                TlsConnection client(port, m_authorities);
                client.send(i % 2 ? lastRequest : nowRequest);
                client.read();
            }
            return 0;
        });
        QTRY_COMPARE(m_listener->openCount(), 0);
        QTRY_COMPARE(descriptors(), before);
        QCOMPARE(m_desk->heads, 20);
    }
};

IKKAI_TEST_MAIN(TlsConnectionTest)
#include "tst_tls_connection.moc"
