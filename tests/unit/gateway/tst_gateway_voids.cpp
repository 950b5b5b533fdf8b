#include "tests/support/test.h"
#include "wire_scripts.h"

using namespace ikkai;
using namespace ikkai::test;

namespace {

const QByteArray voidedBody = R"({"result":"reversed"})";
const QByteArray voided = httpAnswer("200 OK", voidedBody);

VoidTransmission voidOf(const IdempotencyKey &key, int voidTry = 1, qint64 deadlineMs = 3'000)
{
    const QByteArray body =
        voidBody(key, OrderId::parse(u"A-1001").value(), Money::ofMinor(1'200, Currency::jpy()).value());
    return {key, keyNumber(0xfff), voidTry, body, QStringLiteral("led_1"), deadlineMs};
}

} // namespace

/// Money goes back once, however the connection behaves: what the void's own key does not settle nobody may send twice.
class TestGatewayVoids : public Test {
    Q_OBJECT

private Q_SLOTS:
    void a_void_is_answered_and_reported_once_under_the_checkouts_key()
    {
        ScriptedServer server({{act::ReadRequest{}, act::Write{voided}}});
        GatewayProbe probe;
        HttpGateway gateway(settingsFor(server.url()));
        gateway.setSink(&probe);
        probe.calling = true;
        gateway.voidCharge(voidOf(keyNumber(1), 4));
        probe.calling = false;
        QVERIFY(waitFor([&] { return probe.voids.size() == 1; }));
        QCOMPARE(probe.voids.front().key, keyNumber(1));
        QCOMPARE(probe.voids.front().voidTry, 4);
        const Transmission &end = probe.voids.front().transmission;
        QCOMPARE(end.end, End::Answered);
        QCOMPARE(end.wireSends, 1);
        QCOMPARE(end.answer->status, 200);
        QCOMPARE(end.answer->body, voidedBody);
        QVERIFY(!probe.insideACall);
        QVERIFY(probe.ended.empty());
        QCOMPARE(gateway.openExchanges(), 0);
    }

    void the_void_on_the_wire_is_the_recorded_one_data()
    {
        QTest::addColumn<bool>("quoted");
        QTest::newRow("bare") << false;
        QTest::newRow("quoted") << true;
    }
    void the_void_on_the_wire_is_the_recorded_one()
    {
        QFETCH(bool, quoted);
        ScriptedServer server({{act::ReadRequest{}, act::Write{voided}}});
        GatewayProbe probe;
        HttpGatewaySettings settings = settingsFor(server.url());
        settings.apiKey = "sk_test";
        settings.keyFormat = quoted ? KeyFormat::Quoted : KeyFormat::Bare;
        HttpGateway gateway(settings);
        gateway.setSink(&probe);
        const VoidTransmission sent = voidOf(keyNumber(1), 3);
        gateway.voidCharge(sent);
        QVERIFY(waitFor([&] { return probe.voids.size() == 1; }));
        const QByteArray request = server.received().front();
        QVERIFY(request.startsWith("POST /v1/voids HTTP/1.1\r\n"));
        QVERIFY(request.endsWith("\r\n\r\n" + sent.body));
        const QByteArray mark = quoted ? "\"" : "";
        for (const QByteArray &line :
             {QByteArray("Content-Type: application/json"),
              "Idempotency-Key: " + mark + keyNumber(0xfff).bytes() + mark, QByteArray("Attempt-Number: 3"),
              QByteArray("Authorization: Bearer sk_test"), QByteArray("Expect-Ledger: led_1"),
              "Content-Length: " + QByteArray::number(sent.body.size())})
            QVERIFY2(request.contains("\r\n" + line + "\r\n"), line.constData());
    }

    void case_27_every_connection_fault_is_one_transmission_of_the_void_data() { rowsOf(connectionFaults()); }
    void case_27_every_connection_fault_is_one_transmission_of_the_void()
    {
        QFETCH(Row, row);
        for (int round = 0; round < row.roundsNeeded(); ++round) {
            ScriptedServer server({row.script});
            GatewayProbe probe;
            HttpGateway gateway(settingsFor(server.url()));
            gateway.setSink(&probe);
            gateway.voidCharge(voidOf(keyNumber(round), 1, row.deadlineMs));
            QVERIFY(waitFor([&] { return probe.voids.size() == 1; }));
            const Transmission &end = probe.voids.front().transmission;
            QVERIFY2(row.ends.contains(end.end), qPrintable(describeEnd(end)));
            QVERIFY(!end.answer.has_value());
            QCOMPARE(server.arrivals(), row.arrival == Arrival::Once ? 1 : 0);
            if (row.arrival == Arrival::Once)
                QCOMPARE(end.wireSends, 1);
            else
                QVERIFY(end.wireSends <= 1);
        }
    }

    void case_28_a_redirect_of_a_void_is_not_followed()
    {
        for (const char *status : {"301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"}) {
            ScriptedServer server(
                {{act::ReadRequest{}, act::Write{httpAnswer(status, "{}", "Location: /v1/else\r\n")}}});
            GatewayProbe probe;
            HttpGateway gateway(settingsFor(server.url()));
            gateway.setSink(&probe);
            gateway.voidCharge(voidOf(keyNumber(1)));
            QVERIFY(waitFor([&] { return probe.voids.size() == 1; }));
            QCOMPARE(probe.voids.front().transmission.end, End::Answered);
            QCOMPARE(server.connections(), 1);
            QCOMPARE(server.arrivals(), 1);
        }
    }

    /// Its next try has the same key and brings the same answer: nobody waits for a late one.
    void a_void_that_is_not_answered_in_time_is_over()
    {
        ScriptedServer server({{act::ReadRequest{}, act::AwaitGate{}, act::Write{voided}}});
        GatewayProbe probe;
        HttpGateway gateway(settingsFor(server.url()));
        gateway.setSink(&probe);
        gateway.voidCharge(voidOf(keyNumber(1), 1, shortDeadlineMs));
        QVERIFY(waitFor([&] { return probe.voids.size() == 1; }));
        QCOMPARE(probe.voids.front().transmission.end, End::DeadlinePassed);
        QCOMPARE(probe.voids.front().transmission.wireSends, 1);
        QCOMPARE(gateway.openExchanges(), 0);
        server.openGate();
        QTRY_COMPARE(server.closedByPeer(), 1);
        QCOMPARE(probe.voids.size(), 1U);
    }

    void a_charge_that_is_still_under_way_and_its_void_are_two_exchanges()
    {
        ScriptedServer server(
            {{act::ReadRequest{}, act::AwaitGate{}, act::Write{approved}}, {act::ReadRequest{}, act::Write{voided}}});
        GatewayProbe probe;
        HttpGateway gateway(settingsFor(server.url()));
        gateway.setSink(&probe);
        gateway.charge(chargeOf(keyNumber(1), 1, shortDeadlineMs));
        QVERIFY(waitFor([&] { return probe.ended.size() == 1; }));
        gateway.voidCharge(voidOf(keyNumber(1)));
        QVERIFY(waitFor([&] { return probe.voids.size() == 1; }));
        QCOMPARE(probe.voids.front().transmission.answer->body, voidedBody);
        QCOMPARE(gateway.openExchanges(), 1); // the charge may be answered yet
        server.openGate();
        QVERIFY(waitFor([&] { return probe.late.size() == 1; }));
        QCOMPARE(probe.late.front().second.answer->body, approvedBody);
        QCOMPARE(probe.voids.size(), 1U);
    }

    void nobody_listens_so_no_void_was_sent()
    {
        GatewayProbe probe;
        HttpGateway gateway(settingsFor(QUrl(QStringLiteral("http://127.0.0.1:%1").arg(ScriptedServer::closedPort()))));
        gateway.setSink(&probe);
        gateway.voidCharge(voidOf(keyNumber(1)));
        QVERIFY(waitFor([&] { return probe.voids.size() == 1; }));
        QCOMPARE(probe.voids.front().transmission.end, End::ConnectionRefused);
        QCOMPARE(probe.voids.front().transmission.wireSends, 0);
    }

    void draining_brings_the_answer_of_a_void_too()
    {
        ScriptedServer server({{act::ReadRequest{}, act::AwaitGate{}, act::Write{voided}}});
        GatewayProbe probe;
        HttpGateway gateway(settingsFor(server.url()));
        gateway.setSink(&probe);
        gateway.voidCharge(voidOf(keyNumber(1)));
        QVERIFY(waitFor([&] { return server.arrivals() == 1; }));
        server.openGate();
        QTRY_VERIFY((gateway.drain(), probe.voids.size() == 1));
        gateway.drain();
        QCOMPARE(probe.voids.size(), 1U);
    }
};

IKKAI_TEST_MAIN(TestGatewayVoids)
#include "tst_gateway_voids.moc"
