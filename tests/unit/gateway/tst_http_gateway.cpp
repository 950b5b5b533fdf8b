#include "tests/support/test.h"
#include "wire_scripts.h"

#include <QtCore/QElapsedTimer>
#include <QtNetwork/QNetworkProxy>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace ikkai;
using namespace ikkai::test;

class TestHttpGateway : public Test {
    Q_OBJECT

private Q_SLOTS:
    void a_charge_is_answered_and_reported_once_never_from_inside_the_call()
    {
        ScriptedServer server({{act::ReadRequest{}, act::Write{approved}}});
        GatewayProbe probe;
        HttpGateway gateway(settingsFor(server.url()));
        gateway.setSink(&probe);
        probe.calling = true;
        gateway.charge(chargeOf(keyNumber(1), 3));
        probe.calling = false;
        QVERIFY(waitFor([&] { return probe.ended.size() == 1; }));
        QCOMPARE(probe.ended.front().first, (AttemptId{keyNumber(1), 3}));
        const Transmission &end = probe.ended.front().second;
        QCOMPARE(end.end, End::Answered);
        QCOMPARE(end.wireSends, 1);
        QCOMPARE(end.answer->status, 201);
        QCOMPARE(end.answer->body, approvedBody);
        QCOMPARE(end.answer->header("content-type"), QByteArray("application/json"));
        QVERIFY(!probe.insideACall);
        QCOMPARE(gateway.openExchanges(), 0);
    }

    void the_request_on_the_wire_is_the_recorded_one()
    {
        ScriptedServer server({{act::ReadRequest{}, act::Write{approved}}});
        GatewayProbe probe;
        HttpGatewaySettings settings = settingsFor(server.url());
        settings.apiKey = "sk_test";
        settings.keyFormat = KeyFormat::Quoted;
        HttpGateway gateway(settings);
        gateway.setSink(&probe);
        const ChargeTransmission charge = chargeOf(keyNumber(1), 3);
        gateway.charge(charge);
        QVERIFY(waitFor([&] { return probe.ended.size() == 1; }));
        const QByteArray request = server.received().front();
        QVERIFY(request.startsWith("POST /v1/charges HTTP/1.1\r\n"));
        QVERIFY(request.endsWith("\r\n\r\n" + charge.body));
        for (const char *line :
             {"Content-Type: application/json", "Idempotency-Key: \"0190a8b5-2f4e-7001-8f3a-1c2d3e4f5a6b\"",
              "Attempt-Number: 3", "Authorization: Bearer sk_test", "Expect-Ledger: led_1", "Content-Length: 94"})
            QVERIFY2(request.contains(QByteArray("\r\n") + line + "\r\n"), line);
    }

    /// The transport sends a POST again by itself when the connection closes early. Here it cannot.
    void case_27_every_connection_fault_is_one_transmission_data() { rowsOf(connectionFaults()); }
    void case_27_every_connection_fault_is_one_transmission()
    {
        QFETCH(Row, row);
        for (int round = 0; round < row.roundsNeeded(); ++round) {
            ScriptedServer server({row.script});
            GatewayProbe probe;
            HttpGateway gateway(settingsFor(server.url()));
            gateway.setSink(&probe);
            gateway.charge(chargeOf(keyNumber(round), 1, row.deadlineMs));
            QVERIFY(waitFor([&] { return probe.ended.size() == 1; }));
            const Transmission &end = probe.ended.front().second;
            QVERIFY2(row.ends.contains(end.end), qPrintable(describeEnd(end)));
            QVERIFY(!end.answer.has_value());
            QCOMPARE(server.arrivals(), row.arrival == Arrival::Once ? 1 : 0);
            if (row.arrival == Arrival::Once)
                QCOMPARE(end.wireSends, 1);
            else
                QVERIFY(end.wireSends <= 1);
        }
    }

    void an_inquiry_is_one_transmission_too_data() { rowsOf(connectionFaults()); }
    void an_inquiry_is_one_transmission_too()
    {
        QFETCH(Row, row);
        for (int round = 0; round < row.roundsNeeded(); ++round) {
            ScriptedServer server({row.script});
            GatewayProbe probe;
            HttpGateway gateway(settingsFor(server.url()));
            gateway.setSink(&probe);
            gateway.inquire({keyNumber(round), QStringLiteral("led_1"), row.deadlineMs});
            QVERIFY(waitFor([&] { return probe.inquiries.size() == 1; }));
            QCOMPARE(probe.inquiries.front().first, keyNumber(round));
            const Transmission &end = probe.inquiries.front().second;
            QVERIFY2(row.ends.contains(end.end), qPrintable(describeEnd(end)));
            QCOMPARE(server.arrivals(), row.arrival == Arrival::Once ? 1 : 0);
            if (row.arrival == Arrival::Once)
                QCOMPARE(end.wireSends, 1);
            else
                QVERIFY(end.wireSends <= 1);
        }
    }

    void a_whole_answer_is_taken_however_it_is_framed_data() { rowsOf(wholeAnswers()); }
    void a_whole_answer_is_taken_however_it_is_framed()
    {
        QFETCH(Row, row);
        for (int round = 0; round < row.roundsNeeded(); ++round) {
            ScriptedServer server({row.script});
            GatewayProbe probe;
            HttpGateway gateway(settingsFor(server.url()));
            gateway.setSink(&probe);
            gateway.charge(chargeOf(keyNumber(1)));
            QVERIFY(waitFor([&] { return probe.ended.size() == 1; }));
            const Transmission &end = probe.ended.front().second;
            QVERIFY2(end.end == End::Answered, qPrintable(describeEnd(end)));
            QCOMPARE(end.answer->status, 201);
            QCOMPARE(end.answer->body, approvedBody);
            QCOMPARE(server.arrivals(), 1);
        }
    }

    /// More bytes than announced: the answer is what was announced, the rest belongs to no answer of ours.
    void a_longer_body_than_announced_is_never_an_approval_of_the_rest()
    {
        ScriptedServer server(
            {{act::ReadRequest{}, act::Write{"HTTP/1.1 201 Created\r\nContent-Length: 10\r\n\r\n" + approvedBody},
              act::Fin{}}});
        GatewayProbe probe;
        HttpGateway gateway(settingsFor(server.url()));
        gateway.setSink(&probe);
        gateway.charge(chargeOf(keyNumber(1)));
        QVERIFY(waitFor([&] { return probe.ended.size() == 1; }));
        const Transmission &end = probe.ended.front().second;
        QVERIFY(!end.answer || end.answer->body == approvedBody.first(10));
        QCOMPARE(server.arrivals(), 1);
    }

    void an_error_status_is_an_answer_data()
    {
        QTest::addColumn<QByteArray>("statusLine");
        QTest::addColumn<QByteArray>("headers");
        for (const char *line : {"200 OK",          "202 Accepted",    "400 Bad Request",   "402 Payment Required",
                                 "403 Forbidden",   "404 Not Found",   "405 Not Allowed",   "408 Request Timeout",
                                 "409 Conflict",    "410 Gone",        "413 Too Large",     "415 Media",
                                 "418 Teapot",      "421 Misdirected", "422 Unprocessable", "425 Too Early",
                                 "429 Too Many",    "431 Fields",      "500 Error",         "501 Not Implemented",
                                 "502 Bad Gateway", "503 Unavailable", "504 Timeout",       "599 Odd"})
            QTest::newRow(line) << QByteArray(line) << QByteArray();
        // What an HTTP library answers by itself with a second request.
        QTest::newRow("401 basic") << QByteArray("401 Unauthorized")
                                   << QByteArray("WWW-Authenticate: Basic realm=\"x\"\r\n");
        QTest::newRow("401 digest") << QByteArray("401 Unauthorized")
                                    << QByteArray("WWW-Authenticate: Digest realm=\"x\", nonce=\"y\"\r\n");
        QTest::newRow("401 negotiate") << QByteArray("401 Unauthorized")
                                       << QByteArray("WWW-Authenticate: Negotiate\r\n");
        QTest::newRow("401 ntlm") << QByteArray("401 Unauthorized") << QByteArray("WWW-Authenticate: NTLM\r\n");
        QTest::newRow("407") << QByteArray("407 Proxy Authentication Required")
                             << QByteArray("Proxy-Authenticate: Basic realm=\"x\"\r\n");
    }
    void an_error_status_is_an_answer()
    {
        QFETCH(QByteArray, statusLine);
        QFETCH(QByteArray, headers);
        ScriptedServer server({{act::ReadRequest{}, act::Write{httpAnswer(statusLine, "{\"a\":1}", headers)}}});
        GatewayProbe probe;
        HttpGateway gateway(settingsFor(server.url()));
        gateway.setSink(&probe);
        gateway.charge(chargeOf(keyNumber(1)));
        QVERIFY(waitFor([&] { return probe.ended.size() == 1; }));
        const Transmission &end = probe.ended.front().second;
        QVERIFY2(end.end == End::Answered, qPrintable(describeEnd(end)));
        QCOMPARE(end.answer->status, statusLine.first(3).toInt());
        QCOMPARE(end.answer->body, QByteArray("{\"a\":1}"));
        QCOMPARE(end.wireSends, 1);
        QCOMPARE(server.arrivals(), 1);
    }

    void case_28_a_redirect_is_an_answer_not_an_order_data()
    {
        QTest::addColumn<QByteArray>("statusLine");
        for (const char *line : {"301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"})
            QTest::newRow(line) << QByteArray(line);
    }
    void case_28_a_redirect_is_an_answer_not_an_order()
    {
        QFETCH(QByteArray, statusLine);
        ScriptedServer elsewhere({{act::ReadRequest{}, act::Write{approved}}});
        ScriptedServer server({{act::ReadRequest{}, act::Write{httpAnswer(statusLine, "{}",
                                                                          "Location: " + elsewhere.url().toEncoded() +
                                                                              "/v1/charges\r\n")}}});
        GatewayProbe probe;
        HttpGateway gateway(settingsFor(server.url()));
        gateway.setSink(&probe);
        gateway.charge(chargeOf(keyNumber(1)));
        QVERIFY(waitFor([&] { return probe.ended.size() == 1; }));
        QCOMPARE(probe.ended.front().second.end, End::Answered);
        QCOMPARE(probe.ended.front().second.answer->status, statusLine.first(3).toInt());
        QCOMPARE(server.arrivals(), 1);
        QCOMPARE(elsewhere.connections(), 0);
    }

    void case_29_a_time_out_is_called_so_and_nothing_else()
    {
        ScriptedServer server({{act::ReadRequest{}}});
        GatewayProbe probe;
        HttpGatewaySettings settings = settingsFor(server.url());
        settings.lateAnswerMs = 0; // aborts at the deadline
        HttpGateway gateway(settings);
        gateway.setSink(&probe);
        gateway.charge(chargeOf(keyNumber(1), 1, shortDeadlineMs));
        QVERIFY(waitFor([&] { return probe.ended.size() == 1; }));
        QCOMPARE(probe.ended.front().second.end, End::DeadlinePassed);
        QVERIFY(probe.ended.front().second.elapsedMs >= shortDeadlineMs);
        QTRY_COMPARE(server.closedByPeer(), 1);
        QCOMPARE(gateway.openExchanges(), 0);
        QCOMPARE(probe.ended.size(), 1U);
        QVERIFY(probe.late.empty());
    }

    void case_30_an_answer_in_two_segments_or_byte_by_byte_is_one_answer_data()
    {
        QTest::addColumn<int>("at");
        for (const int at : {1, 9, 15, 40, 60, static_cast<int>(approved.size()) - 1})
            QTest::addRow("cut at %d", at) << at;
        QTest::newRow("byte by byte") << 0;
    }
    void case_30_an_answer_in_two_segments_or_byte_by_byte_is_one_answer()
    {
        QFETCH(int, at);
        Script script{act::ReadRequest{}};
        if (at == 0) {
            script.push_back(act::WriteSlowly{approved, 0});
        } else {
            script.push_back(act::Write{approved.first(at)});
            script.push_back(act::Pause{20});
            script.push_back(act::Write{approved.sliced(at)});
        }
        ScriptedServer server({script});
        GatewayProbe probe;
        HttpGateway gateway(settingsFor(server.url()));
        gateway.setSink(&probe);
        gateway.charge(chargeOf(keyNumber(1)));
        QVERIFY(waitFor([&] { return probe.ended.size() == 1; }));
        QCOMPARE(probe.ended.front().second.end, End::Answered);
        QCOMPARE(probe.ended.front().second.answer->body, approvedBody);
        QCOMPARE(server.arrivals(), 1);
    }

    void a_dribble_of_bytes_does_not_stretch_the_deadline()
    {
        ScriptedServer server({{act::ReadRequest{}, act::WriteSlowly{approved + QByteArray(5'000, ' '), 10}}});
        GatewayProbe probe;
        HttpGateway gateway(settingsFor(server.url()));
        gateway.setSink(&probe);
        gateway.charge(chargeOf(keyNumber(1), 1, 200));
        QVERIFY(waitFor([&] { return probe.ended.size() == 1; }));
        QCOMPARE(probe.ended.front().second.end, End::DeadlinePassed);
        QVERIFY(probe.ended.front().second.elapsedMs >= 200);
        QVERIFY(probe.ended.front().second.elapsedMs < 1'500);
    }

    void a_late_answer_is_reported_once_for_its_own_attempt()
    {
        ScriptedServer server({{act::ReadRequest{}, act::AwaitGate{}, act::Write{approved}}});
        GatewayProbe probe;
        HttpGateway gateway(settingsFor(server.url()));
        gateway.setSink(&probe);
        gateway.charge(chargeOf(keyNumber(1), 2, shortDeadlineMs));
        QVERIFY(waitFor([&] { return probe.ended.size() == 1; }));
        QCOMPARE(probe.ended.front().second.end, End::DeadlinePassed);
        QCOMPARE(probe.ended.front().second.wireSends, 1);
        QCOMPARE(gateway.openExchanges(), 1);
        server.openGate();
        QTRY_COMPARE(probe.late.size(), 1U);
        QCOMPARE(probe.late.front().first, (AttemptId{keyNumber(1), 2}));
        QCOMPARE(probe.late.front().second.end, End::Answered);
        QCOMPARE(probe.late.front().second.answer->body, approvedBody);
        QCOMPARE(probe.ended.size(), 1U);
        QCOMPARE(gateway.openExchanges(), 0);
        QCOMPARE(server.arrivals(), 1);
    }

    /// The bank's queue of new connections is full: the request has not left. It must not leave after the terminal has
    /// given the attempt up.
    void what_has_not_left_by_the_deadline_never_leaves()
    {
        const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        QVERIFY(::bind(listener, reinterpret_cast<sockaddr *>(&address), size) == 0);
        QVERIFY(::listen(listener, 0) == 0);
        QVERIFY(::getsockname(listener, reinterpret_cast<sockaddr *>(&address), &size) == 0);
        std::vector<int> waiting;
        for (int i = 0; i < 4; ++i) {
            waiting.push_back(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
            (void)::connect(waiting.back(), reinterpret_cast<sockaddr *>(&address), size);
        }
        GatewayProbe probe;
        HttpGateway gateway(settingsFor(QUrl(QStringLiteral("http://127.0.0.1:%1").arg(ntohs(address.sin_port)))));
        gateway.setSink(&probe);
        gateway.charge(chargeOf(keyNumber(1), 1, shortDeadlineMs));
        QVERIFY(waitFor([&] { return probe.ended.size() == 1; }));
        QCOMPARE(probe.ended.front().second.end, End::DeadlinePassed);
        QCOMPARE(probe.ended.front().second.wireSends, 0);
        QCOMPARE(gateway.openExchanges(), 0);
        for (const int socket : waiting)
            ::close(socket);
        ::close(listener);
    }

    void half_an_answer_that_comes_late_is_nothing()
    {
        ScriptedServer server({{act::ReadRequest{}, act::AwaitGate{}, act::Write{cut(approved, 90)}, act::Fin{}}});
        GatewayProbe probe;
        HttpGateway gateway(settingsFor(server.url()));
        gateway.setSink(&probe);
        gateway.charge(chargeOf(keyNumber(1), 2, shortDeadlineMs));
        QVERIFY(waitFor([&] { return probe.ended.size() == 1; }));
        server.openGate();
        QTRY_COMPARE(gateway.openExchanges(), 0);
        QVERIFY(probe.late.empty());
        QCOMPARE(probe.ended.size(), 1U);
    }

    void a_late_answer_is_waited_for_only_so_long()
    {
        ScriptedServer server({{act::ReadRequest{}}});
        GatewayProbe probe;
        HttpGatewaySettings settings = settingsFor(server.url());
        settings.lateAnswerMs = 100;
        HttpGateway gateway(settings);
        gateway.setSink(&probe);
        gateway.charge(chargeOf(keyNumber(1), 1, shortDeadlineMs));
        QVERIFY(waitFor([&] { return probe.ended.size() == 1; }));
        QCOMPARE(gateway.openExchanges(), 1);
        QTRY_COMPARE(gateway.openExchanges(), 0);
        QTRY_COMPARE(server.closedByPeer(), 1);
        QVERIFY(probe.late.empty());
    }

    void two_checkouts_under_way_get_each_its_own_answer()
    {
        const QByteArray declinedBody = R"({"status":"declined"})";
        ScriptedServer server({{act::ReadRequest{}, act::AwaitGate{}, act::Write{approved}},
                               {act::ReadRequest{}, act::Write{httpAnswer("402 Payment Required", declinedBody)}}});
        GatewayProbe probe;
        HttpGateway gateway(settingsFor(server.url()));
        gateway.setSink(&probe);
        gateway.charge(chargeOf(keyNumber(1)));
        QVERIFY(waitFor([&] { return server.arrivals() == 1; }));
        gateway.charge(chargeOf(keyNumber(2)));
        QVERIFY(waitFor([&] { return probe.ended.size() == 1; }));
        QCOMPARE(probe.ended[0].first.key, keyNumber(2));
        QCOMPARE(probe.ended[0].second.answer->body, declinedBody);
        server.openGate();
        QTRY_COMPARE(probe.ended.size(), 2U);
        QCOMPARE(probe.ended[1].first.key, keyNumber(1));
        QCOMPARE(probe.ended[1].second.answer->body, approvedBody);
    }

    void twenty_charges_at_once_all_leave_at_once()
    {
        ScriptedServer server({{act::ReadRequest{}, act::AwaitGate{}, act::Write{approved}}});
        GatewayProbe probe;
        HttpGateway gateway(settingsFor(server.url()));
        gateway.setSink(&probe);
        // Even of one checkout: attempts whose late answers are still waited for must not hold up the next one.
        for (int n = 1; n <= 20; ++n)
            gateway.charge(chargeOf(keyNumber(n % 2), n));
        QTRY_COMPARE(server.arrivals(), 20);
        server.openGate();
        QTRY_COMPARE(probe.ended.size(), 20U);
        for (const auto &[attempt, end] : probe.ended) {
            QCOMPARE(end.end, End::Answered);
            QCOMPARE(end.wireSends, 1);
        }
        QCOMPARE(server.connections(), 20);
    }

    void nobody_listens_so_nothing_was_sent()
    {
        const quint16 port = ScriptedServer::closedPort();
        GatewayProbe probe;
        HttpGateway gateway(settingsFor(QUrl(QStringLiteral("http://127.0.0.1:%1").arg(port))));
        gateway.setSink(&probe);
        gateway.charge(chargeOf(keyNumber(1)));
        gateway.inquire({keyNumber(2), QString(), 3'000});
        QVERIFY(waitFor([&] { return probe.ended.size() == 1; }));
        QVERIFY(waitFor([&] { return probe.inquiries.size() == 1; }));
        QCOMPARE(probe.ended.front().second.end, End::ConnectionRefused);
        QCOMPARE(probe.ended.front().second.wireSends, 0);
        QCOMPARE(probe.inquiries.front().second.end, End::ConnectionRefused);
        QCOMPARE(probe.inquiries.front().second.wireSends, 0);
    }

    /// The bank has read the head: that is an arrival, though most of the body never left.
    void a_request_that_is_reset_amid_its_body_counts_as_sent()
    {
        for (int round = 0; round < rounds; ++round) {
            ScriptedServer server({{act::ReadHead{}, act::Rst{}}});
            GatewayProbe probe;
            HttpGateway gateway(settingsFor(server.url()));
            gateway.setSink(&probe);
            ChargeTransmission charge = chargeOf(keyNumber(round));
            charge.body = QByteArray(20'000'000, ' '); // more than any buffer on the way holds
            gateway.charge(charge);
            QVERIFY(waitFor([&] { return probe.ended.size() == 1; }));
            const Transmission &end = probe.ended.front().second;
            QVERIFY2(end.end == End::ConnectionLost || end.end == End::ResendPrevented, qPrintable(describeEnd(end)));
            QCOMPARE(end.wireSends, 1);
            QCOMPARE(server.arrivals(), 1);
        }
    }

    /// `localhost` may stand for two addresses: both are knocked at, one is spoken to.
    void a_name_with_two_addresses_is_one_transmission()
    {
        for (int round = 0; round < rounds; ++round) {
            ScriptedServer server({{act::ReadRequest{}, act::Write{approved}}});
            GatewayProbe probe;
            HttpGateway gateway(settingsFor(QUrl(QStringLiteral("http://localhost:%1").arg(server.port()))));
            gateway.setSink(&probe);
            gateway.charge(chargeOf(keyNumber(round)));
            QVERIFY(waitFor([&] { return probe.ended.size() == 1; }));
            QVERIFY2(probe.ended.front().second.end == End::Answered,
                     qPrintable(describeEnd(probe.ended.front().second)));
            QCOMPARE(probe.ended.front().second.wireSends, 1);
            QCOMPARE(server.arrivals(), 1);
        }
        GatewayProbe probe;
        HttpGateway gateway(settingsFor(QUrl(QStringLiteral("http://localhost:%1").arg(ScriptedServer::closedPort()))));
        gateway.setSink(&probe);
        gateway.charge(chargeOf(keyNumber(1)));
        QVERIFY(waitFor([&] { return probe.ended.size() == 1; }));
        QCOMPARE(probe.ended.front().second.end, End::ConnectionRefused);
        QCOMPARE(probe.ended.front().second.wireSends, 0);
    }

    void no_such_host_so_nothing_was_sent()
    {
        GatewayProbe probe;
        HttpGateway gateway(settingsFor(QUrl(QStringLiteral("http://bank.invalid"))));
        gateway.setSink(&probe);
        gateway.charge(chargeOf(keyNumber(1), 1, 20'000));
        QTRY_COMPARE_WITH_TIMEOUT(probe.ended.size(), 1U, 30'000);
        QCOMPARE(probe.ended.front().second.end, End::HostNotFound);
        QCOMPARE(probe.ended.front().second.wireSends, 0);
    }

    void a_bank_without_tls_so_nothing_was_sent()
    {
        ScriptedServer server({{act::Write{"HTTP/1.1 400 Bad Request\r\n\r\n"}, act::Fin{}}});
        QUrl url = server.url();
        url.setScheme(QStringLiteral("https"));
        GatewayProbe probe;
        HttpGateway gateway(settingsFor(url));
        gateway.setSink(&probe);
        gateway.charge(chargeOf(keyNumber(1)));
        QVERIFY(waitFor([&] { return probe.ended.size() == 1; }));
        QVERIFY2(probe.ended.front().second.end == End::TlsFailed, qPrintable(describeEnd(probe.ended.front().second)));
        QCOMPARE(probe.ended.front().second.wireSends, 0);
        QCOMPARE(server.arrivals(), 0);
    }

    void a_bank_on_this_machine_is_reached_without_a_proxy()
    {
        ScriptedServer server({{act::ReadRequest{}, act::Write{approved}}});
        ScriptedServer proxy({{act::Fin{}}});
        QNetworkProxy::setApplicationProxy(
            QNetworkProxy(QNetworkProxy::HttpProxy, QStringLiteral("127.0.0.1"), proxy.port()));
        GatewayProbe probe;
        HttpGateway gateway(settingsFor(server.url()));
        gateway.setSink(&probe);
        gateway.charge(chargeOf(keyNumber(1)));
        QVERIFY(waitFor([&] { return probe.ended.size() == 1; }));
        QNetworkProxy::setApplicationProxy(QNetworkProxy(QNetworkProxy::NoProxy));
        QCOMPARE(probe.ended.front().second.end, End::Answered);
        QCOMPARE(proxy.connections(), 0);
    }

    void a_bank_is_learned()
    {
        ScriptedServer server(
            {{act::ReadRequest{},
              act::Write{
                  httpAnswer("200 OK", R"({"ledger_id":"led_1","idempotency_key_ttl_s":86400,"authorized":true})")}}});
        GatewayProbe probe;
        HttpGatewaySettings settings = settingsFor(server.url());
        settings.apiKey = "sk_test";
        HttpGateway gateway(settings);
        gateway.setSink(&probe);
        gateway.learnBank(3'000);
        QTRY_COMPARE(probe.learned.size(), 1U);
        QVERIFY(probe.learned.front().ok());
        QCOMPARE(probe.learned.front().value(), (BankIdentity{QStringLiteral("led_1"), 86'400'000, true}));
        QVERIFY(server.received().front().startsWith("GET /healthz HTTP/1.1\r\n"));
        QVERIFY(server.received().front().contains("\r\nAuthorization: Bearer sk_test\r\n"));
    }

    void a_bank_that_answers_nonsense_or_nothing_is_not_learned()
    {
        ScriptedServer server({{act::ReadRequest{}, act::Write{httpAnswer("200 OK", "{}")}},
                               {act::ReadRequest{}, act::Fin{}},
                               {act::ReadRequest{}}});
        GatewayProbe probe;
        HttpGateway gateway(settingsFor(server.url()));
        gateway.setSink(&probe);
        for (const End end : {End::Answered, End::ResendPrevented, End::DeadlinePassed}) {
            probe.learned.clear();
            gateway.learnBank(end == End::DeadlinePassed ? shortDeadlineMs : 3'000);
            QTRY_COMPARE(probe.learned.size(), 1U);
            QVERIFY(!probe.learned.front().ok());
            QCOMPARE(probe.learned.front().error().end, end);
            QVERIFY(!probe.learned.front().error().detail.isEmpty());
        }
        QCOMPARE(server.arrivals(), 3);
    }

    void a_gateway_that_goes_away_reports_nothing_and_hangs_nowhere()
    {
        ScriptedServer server({{act::ReadRequest{}}});
        GatewayProbe probe;
        QElapsedTimer clock;
        for (int round = 0; round < rounds; ++round) {
            {
                HttpGateway gateway(settingsFor(server.url()));
                gateway.setSink(&probe);
                for (int n = 0; n < 4; ++n)
                    gateway.charge(chargeOf(keyNumber(n)));
                if (round % 2 == 0)
                    QTRY_VERIFY(server.connections() > 0);
                clock.start();
            }
            QVERIFY2(clock.elapsed() < 2'000, qPrintable(QString::number(clock.elapsed())));
        }
        QCoreApplication::processEvents();
        QVERIFY(probe.ended.empty());
    }
};

IKKAI_TEST_MAIN(TestHttpGateway)
#include "tst_http_gateway.moc"
