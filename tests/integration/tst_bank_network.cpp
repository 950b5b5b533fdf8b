#include "tests/support/bank_under_test.h"
#include "tests/support/test.h"

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

using namespace ikkai::test;

class BankNetworkTest : public ikkai::test::Test {
    Q_OBJECT

private Q_SLOTS:
    void everyAnswerHasTheHeadersOfTheContract_data()
    {
        QTest::addColumn<QByteArray>("request");
        QTest::addColumn<int>("status");

        const QByteArray host = " HTTP/1.1\r\nHost: localhost\r\n";
        const QByteArray key = "Idempotency-Key: k\r\n";
        const QByteArray json = "Content-Type: application/json\r\n";
        const QByteArray body = BankUnderTest::chargeBody();
        const QByteArray length = "Content-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body;
        const auto row = [](const char *name, const QByteArray &request, int status) {
            QTest::newRow(name) << request << status;
        };
        row("charge", "POST /v1/charges" + host + key + json + length, 201);
        row("charge with charset",
            "POST /v1/charges" + host + key + "Content-Type: Application/JSON; charset=utf-8\r\n" + length, 201);
        const QByteArray tooMuch = BankUnderTest::chargeBody(1200, "card_low");
        row("decline",
            "POST /v1/charges" + host + key + json + "Content-Length: " + QByteArray::number(tooMuch.size()) +
                "\r\n\r\n" + tooMuch,
            402);
        row("no key", "POST /v1/charges" + host + json + length, 400);
        row("two keys", "POST /v1/charges" + host + key + key + json + length, 400);
        row("bad attempt", "POST /v1/charges" + host + key + "Attempt-Number: x\r\n" + json + length, 400);
        row("bad JSON", "POST /v1/charges" + host + key + json + "Content-Length: 1\r\n\r\n{", 400);
        row("form", "POST /v1/charges" + host + key + "Content-Type: application/x-www-form-urlencoded\r\n" + length,
            415);
        row("no media type", "POST /v1/charges" + host + key + length, 415);
        row("never seen", "GET /v1/charges/nobody" + host + "\r\n", 404);
        row("malformed key in the path", "GET /v1/charges/a%20b" + host + "\r\n", 400);
        row("list", "GET /v1/charges" + host + "\r\n", 200);
        row("list of a day",
            "GET /v1/charges?after=0&limit=500&terminal_id=till%201&from=2026-04-01T00:00:00%2B09:00"
            "&to=2026-04-02T00:00:00%2B09:00" +
                host + "\r\n",
            200);
        row("list with too much", "GET /v1/charges?limit=501" + host + "\r\n", 400);
        const QByteArray voiding = R"({"original_key":"k","order_id":"A-1","amount":1200,"currency":"JPY"})";
        const QByteArray voidLength = "Content-Length: " + QByteArray::number(voiding.size()) + "\r\n\r\n" + voiding;
        row("void", "POST /v1/voids" + host + key + json + voidLength, 200);
        row("void without key", "POST /v1/voids" + host + json + voidLength, 400);
        row("void as a form", "POST /v1/voids" + host + key + voidLength, 415);
        row("void of a charge's body", "POST /v1/voids" + host + key + json + length, 400);
        row("void of another ledger",
            "POST /v1/voids" + host + "Expect-Ledger: ldg_other\r\n" + key + json + voidLength, 421);
        row("wrong method of voids", "GET /v1/voids" + host + "\r\n", 405);
        row("wrong method of charges", "PUT /v1/charges" + host + "Content-Length: 0\r\n\r\n", 405);
        row("wrong method", "DELETE /v1/charges/k" + host + "\r\n", 405);
        row("wrong path", "GET /v2/charges" + host + "\r\n", 404);
        row("healthz", "GET /healthz" + host + "\r\n", 200);
        row("healthz posted", "POST /healthz" + host + "Content-Length: 0\r\n\r\n", 405);
        row("control without token", "GET /control/state" + host + "\r\n", 401);
        row("garbage", "\x01\x02\r\n\r\n", 400);
        row("header too long", "GET /" + QByteArray(17000, 'x') + host + "\r\n", 431);
        row("body too long", "POST /v1/charges" + host + key + json + "Content-Length: 65537\r\n\r\n", 413);
        row("two lengths", "POST /v1/charges" + host + key + json + "Content-Length: 1\r\nContent-Length: 1\r\n\r\n{",
            400);
        row("foreign host", "GET /healthz HTTP/1.1\r\nHost: evil.example\r\n\r\n", 403);
        row("foreign host on control", "GET /control/state HTTP/1.1\r\nHost: evil.example\r\n\r\n", 403);
        row("foreign origin", "POST /v1/charges" + host + "Origin: http://evil.example\r\n" + key + json + length, 403);
        row("other ledger", "POST /v1/charges" + host + "Expect-Ledger: ldg_other\r\n" + key + json + length, 421);
    }
    void everyAnswerHasTheHeadersOfTheContract()
    {
        QFETCH(QByteArray, request);
        QFETCH(int, status);
        BankUnderTest bank;
        const RawAnswer answer = bank.exchange(request);
        QCOMPARE(answer.ending, Ending::Complete);
        QCOMPARE(answer.status, status);
        QCOMPARE(answer.header("Content-Length").toLongLong(), answer.body.size());
        QVERIFY(answer.header("Date").endsWith(" GMT"));
        QVERIFY(answer.header("Request-Id").startsWith("req_"));
        QCOMPARE(answer.header("Ledger-Id"), bank.ledgerId().toLatin1());
        QCOMPARE(answer.header("Idempotency-Key-TTL"), "86400");
        QVERIFY(!answer.header("Server-Run-Id").isEmpty());
        if (status >= 400 && status != 402) {
            QCOMPARE(answer.header("Content-Type"), "application/problem+json");
            const QJsonObject problem = answer.json();
            QVERIFY(!answer.problem().isEmpty());
            QCOMPARE(problem.value(QStringLiteral("status")).toInt(), status);
            QVERIFY(!problem.value(QStringLiteral("title")).toString().isEmpty());
            QVERIFY(problem.value(QStringLiteral("detail")).isString());
            QVERIFY(problem.value(QStringLiteral("retryable")).isBool());
        }
        if (status == 400 && request.startsWith("POST") && !request.contains("Content-Length: 1\r\nContent-Length"))
            QVERIFY(!answer.json().value(QStringLiteral("field")).toString().isEmpty());
        if (status == 405)
            QVERIFY(!answer.header("Allow").isEmpty());
        if (status != 201)
            QCOMPARE(bank.movements().size(), 0);
    }

    void aKeyIsTheSameBareAndQuotedOnTheWire()
    {
        BankUnderTest bank;
        QCOMPARE(bank.charge("k-1").status, 201);
        const RawAnswer quoted = bank.charge("\"k-1\"", 2);
        QCOMPARE(quoted.status, 201);
        QVERIFY(quoted.replayed());
        QCOMPARE(bank.inquire("k-1").status, 200);
        QCOMPARE(bank.charge("a/b?c#%").status, 201);
        QCOMPARE(bank.inquire("a/b?c#%").status, 200);
    }

    void aConnectionServesManyRequests()
    {
        BankUnderTest bank;
        RawConnection client(bank.port());
        for (int i = 0; i < 50; ++i) {
            client.send(bank.chargeRequest("k" + QByteArray::number(i), 1, BankUnderTest::chargeBody(1)));
            const RawAnswer answer = client.read();
            QCOMPARE(answer.status, 201);
            QCOMPARE(answer.header("Connection"), "keep-alive");
        }
        client.send(bank.request("GET", "/healthz", "Connection: close\r\n"));
        const RawAnswer last = client.read();
        QCOMPARE(last.header("Connection"), "close");
        QCOMPARE(client.waitForEnd(), Ending::Closed);
    }

    void pipelinedRequestsAreAnsweredInOrder()
    {
        BankUnderTest bank;
        QByteArray bytes;
        constexpr int count = 300;
        for (int i = 0; i < count; ++i)
            bytes += bank.chargeRequest("k" + QByteArray::number(i), 1, BankUnderTest::chargeBody(1));
        RawConnection client(bank.port());
        std::thread sender([&] { client.send(bytes); });
        for (int i = 0; i < count; ++i) {
            const RawAnswer answer = client.read();
            if (answer.json().value(QStringLiteral("idempotency_key")).toString() != QStringLiteral("k%1").arg(i)) {
                sender.join();
                QFAIL(qPrintable(QStringLiteral("answer %1: %2").arg(i).arg(QString::fromUtf8(answer.bytes))));
            }
        }
        sender.join();
        QCOMPARE(bank.movements().size(), count);
        QCOMPARE(bank.arrivals(), count);
    }

    void case_30_aRequestMayComeByteByByte()
    {
        BankUnderTest bank;
        RawConnection client(bank.port());
        for (const char byte : bank.chargeRequest("k"))
            QVERIFY(client.send(QByteArray(1, byte)));
        QCOMPARE(client.read().status, 201);
        QCOMPARE(bank.arrivals(), 1);
    }

    void expect100ContinueIsMetBeforeTheBody()
    {
        BankUnderTest bank;
        const QByteArray body = BankUnderTest::chargeBody();
        QByteArray request = bank.chargeRequest("k", 1, body, "Expect: 100-continue\r\n");
        RawConnection client(bank.port());
        client.send(request.chopped(body.size()));
        QCOMPARE(client.read().status, 100);
        client.send(body);
        QCOMPARE(client.read().status, 201);
        // Sent with its body at once, the request needs no permission.
        client.send(bank.chargeRequest("k", 2, body, "Expect: 100-continue\r\n"));
        QCOMPARE(client.read().status, 201);
    }

    void aBodyThatNeverCompletesChargesNothing()
    {
        BankUnderTest bank;
        const QByteArray request = bank.chargeRequest("k");
        for (const qsizetype cut : {qsizetype(1), request.size() / 2, request.size() - 1}) {
            RawConnection client(bank.port());
            client.send(request.first(cut));
            if (cut % 2)
                client.reset();
        }
        QTRY_COMPARE(bank.counter(QStringLiteral("connections_open")), 1); // the one that asks
        QCOMPARE(bank.movements().size(), 0);
        QCOMPARE(bank.charge("k", 2).replayed(), false);
    }

    void anAnswerToARefusedRequestArrivesAlthoughItsBodyIsNotRead()
    {
        BankUnderTest bank;
        for (int i = 0; i < 20; ++i) {
            RawConnection client(bank.port());
            QByteArray request = bank.chargeRequest("k", 1, QByteArray(200'000, 'x'));
            client.send(request);
            const RawAnswer answer = client.read();
            QCOMPARE(answer.ending, Ending::Complete);
            QCOMPARE(answer.status, 413);
        }
    }

    void anApiKeyNamesItsMerchant()
    {
        mockbank::MockServerOptions options;
        options.apiKeys = {{"shop", "old"}, {"shop", "new"}, {"other", "third"}};
        BankUnderTest bank(options);
        const auto chargeAs = [&](const QByteArray &apiKey, int attempt) {
            return bank.exchange(bank.chargeRequest("k", attempt, BankUnderTest::chargeBody(),
                                                    "Authorization: Bearer " + apiKey + "\r\n"));
        };
        const RawAnswer refused = bank.charge("k");
        QCOMPARE(refused.status, 401);
        QCOMPARE(refused.header("WWW-Authenticate"), "Bearer");
        QCOMPARE(chargeAs("wrong", 1).status, 401);
        QCOMPARE(bank.inquire("k").status, 401);
        QCOMPARE(chargeAs("old", 1).replayed(), false);
        QCOMPARE(chargeAs("new", 2).replayed(), true);
        QCOMPARE(chargeAs("third", 1).replayed(), false);
        QCOMPARE(bank.movements().size(), 2);

        const auto authorized = [&](const QByteArray &headers) {
            return bank.exchange(bank.request("GET", "/healthz", headers))
                .json()
                .value(QStringLiteral("authorized"))
                .toBool();
        };
        QVERIFY(authorized("Authorization: Bearer new\r\n"));
        QVERIFY(!authorized("Authorization: Bearer wrong\r\n"));
        QVERIFY(!authorized({}));
    }

    void of64ParallelChargesWithOneKeyOneMovesMoney()
    {
        mockbank::MockServerOptions options;
        options.bank.processing = std::chrono::milliseconds(20);
        BankUnderTest bank(options);
        std::atomic<int> first = 0;
        std::atomic<int> replays = 0;
        std::atomic<int> inProgress = 0;
        std::atomic<int> others = 0;
        std::vector<std::thread> clients;
        for (int i = 0; i < 64; ++i) {
            clients.emplace_back([&, i] {
                // Some come when it is done, and find an answer to replay.
                while (i % 4 == 3 && first == 0 && others == 0)
                    std::this_thread::yield();
                const RawAnswer keyed = bank.charge("one-key", 0);
                if (keyed.status == 201)
                    ++(keyed.replayed() ? replays : first);
                else if (keyed.status == 409 && !keyed.header("Retry-After").isEmpty())
                    ++inProgress;
                else
                    ++others;
            });
        }
        for (std::thread &client : clients)
            client.join();
        QCOMPARE(first.load(), 1);
        QCOMPARE(others.load(), 0);
        QCOMPARE(replays + inProgress, 63);
        QCOMPARE(bank.movements().size(), 1);
        QCOMPARE(bank.balance(), 98'800);
    }

    void connectionsBeyondTheLimitAre503ButNotTheControlPlane()
    {
        mockbank::MockServerOptions options;
        options.maxConnections = 4;
        BankUnderTest bank(options);
        std::vector<std::unique_ptr<RawConnection>> idle;
        for (int i = 0; i < 4; ++i)
            idle.push_back(std::make_unique<RawConnection>(bank.port()));
        const RawAnswer refused = bank.charge("k");
        QCOMPARE(refused.status, 503);
        QVERIFY(!refused.header("Retry-After").isEmpty());
        QCOMPARE(refused.problem(), "too-many-connections");
        QCOMPARE(bank.movements().size(), 0);
        QCOMPARE(bank.control("GET", "state").status, 200);

        // Far beyond, a connection is refused without being read.
        for (int i = 0; i < 40; ++i)
            idle.push_back(std::make_unique<RawConnection>(bank.port()));
        QCOMPARE(idle.back()->read().status, 503);
        idle.clear();
        QTRY_COMPARE(bank.charge("k", 2).status, 201);
    }
};

IKKAI_TEST_MAIN(BankNetworkTest)
#include "tst_bank_network.moc"
