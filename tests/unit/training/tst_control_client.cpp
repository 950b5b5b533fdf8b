#include "core/training/control_client.h"
#include "tests/support/scripted_server.h"
#include "tests/support/test.h"

#include <QtTest/QSignalSpy>

using namespace ikkai;
using namespace ikkai::test;

namespace {

const QByteArray streamHead =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\nretry: 5\n\n";
const QByteArray armedFault =
    R"({"id":"f1","spec":"after_commit:hold:next=1","light":"armed","matched":0,"fired":0,"healed":0,"left":1,)"
    R"("placement":"after_commit"})";

QByteArray logEvent(const QByteArray &run, int n, const QByteArray &kind = "arrival")
{
    const QByteArray number = QByteArray::number(n);
    return "id: " + run + '.' + number + "\nevent: " + kind + "\ndata: {\"run\":\"" + run + "\",\"n\":" + number +
           ",\"kind\":\"" + kind + "\",\"at_ms\":1720000000000}\n\n";
}

ControlClientSettings settingsFor(const QUrl &url)
{
    ControlClientSettings settings;
    settings.baseUrl = url;
    settings.token = "tok_1";
    settings.callDeadlineMs = 3'000;
    settings.reconnectBaseMs = 5;
    settings.reconnectCapMs = 40;
    return settings;
}

/// What a followed stream brought, in order: run.n, or `gap`.
class Listener {
public:
    explicit Listener(ControlClient &client)
    {
        QObject::connect(&client, &ControlClient::happened, &client, [this](const BankLogEntry &entry) {
            lines << QStringLiteral("%1.%2").arg(entry.run).arg(entry.n);
        });
        QObject::connect(&client, &ControlClient::gapNoticed, &client, [this] { lines << QStringLiteral("gap"); });
        QObject::connect(&client, &ControlClient::streamTroubled, &client,
                         [this](const ControlError &error) { errors.append(error); });
    }
    QStringList lines;
    QList<ControlError> errors;
};

QStringList list(const char *words)
{
    return QString::fromLatin1(words).split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

} // namespace

class TestControlClient : public Test {
    Q_OBJECT

private Q_SLOTS:
    void a_fault_is_armed_by_its_spec()
    {
        ScriptedServer server({{act::ReadRequest{}, act::Write{httpAnswer("201 Created", armedFault)}}});
        ControlClient client(settingsFor(server.url()));
        QSignalSpy armed(&client, &ControlClient::faultArmed);
        const auto call = client.armFault(QStringLiteral("after_commit:hold:next=1"));
        QTRY_COMPARE(armed.size(), 1);
        QCOMPARE(armed[0][0].toULongLong(), call);
        const auto fault = armed[0][1].value<FaultStatus>();
        QCOMPARE(fault.id, QStringLiteral("f1"));
        QCOMPARE(fault.spec, QStringLiteral("after_commit:hold:next=1"));
        QCOMPARE(fault.light, FaultLight::Armed);
        QCOMPARE(fault.left, std::optional(1));
        QCOMPARE(fault.data.value(QLatin1String("placement")).toString(), QStringLiteral("after_commit"));
        const QByteArray request = server.received().front();
        QVERIFY(request.startsWith("POST /control/faults HTTP/1.1\r\n"));
        QVERIFY(request.contains("\r\nAuthorization: Bearer tok_1\r\n"));
        QVERIFY(request.contains("\r\nContent-Type: application/json\r\n"));
        QVERIFY(request.endsWith("\r\n\r\n{\"spec\":\"after_commit:hold:next=1\"}"));
    }

    void every_light_of_a_fault_is_read_data()
    {
        QTest::addColumn<QByteArray>("light");
        QTest::addColumn<FaultLight>("read");
        QTest::newRow("armed") << QByteArray("armed") << FaultLight::Armed;
        QTest::newRow("matched") << QByteArray("matched") << FaultLight::Matched;
        QTest::newRow("fired") << QByteArray("fired") << FaultLight::Fired;
        QTest::newRow("seen by the terminal") << QByteArray("seen") << FaultLight::Seen;
        QTest::newRow("healed") << QByteArray("healed") << FaultLight::Healed;
        QTest::newRow("ended without") << QByteArray("not_fired") << FaultLight::NotFired;
    }
    void every_light_of_a_fault_is_read()
    {
        QFETCH(QByteArray, light);
        QFETCH(FaultLight, read);
        QByteArray fault = armedFault;
        fault.replace("\"light\":\"armed\"", "\"live\":false,\"light\":\"" + light + '"');
        ScriptedServer server({{act::ReadRequest{}, act::Write{httpAnswer("201 Created", fault)}}});
        ControlClient client(settingsFor(server.url()));
        QSignalSpy armed(&client, &ControlClient::faultArmed);
        client.armFault(QStringLiteral("unread:hold"));
        QTRY_COMPARE(armed.size(), 1);
        const auto status = armed[0][1].value<FaultStatus>();
        QCOMPARE(status.light, read);
        QVERIFY(!status.live);
    }

    void case_54_a_refused_fault_names_the_member()
    {
        ScriptedServer server(
            {{act::ReadRequest{},
              act::Write{httpAnswer("422 Unprocessable",
                                    R"({"type":"urn:ikkai:problem:not-accepted","detail":"selector.next must be an )"
                                    R"(integer","field":"selector.next"})")}}});
        ControlClient client(settingsFor(server.url()));
        QSignalSpy failed(&client, &ControlClient::failed);
        const auto call = client.armFault(QStringLiteral("after_commit:hold:next=x"));
        QTRY_COMPARE(failed.size(), 1);
        QCOMPARE(failed[0][0].toULongLong(), call);
        const auto error = failed[0][1].value<ControlError>();
        QCOMPARE(error.kind, ControlError::Kind::NotAccepted);
        QCOMPARE(error.status, 422);
        QCOMPARE(error.member, QStringLiteral("selector.next"));
        QCOMPARE(describe(error),
                 QStringLiteral("The bank does not accept selector.next: selector.next must be an integer."));
    }

    void every_failed_call_says_why_data()
    {
        QTest::addColumn<QByteArray>("answer");
        QTest::addColumn<int>("kind");
        using Kind = ControlError::Kind;
        QTest::newRow("token") << httpAnswer("401 Unauthorized", "{}", "WWW-Authenticate: Bearer\r\n")
                               << int(Kind::TokenRefused);
        QTest::newRow("host") << httpAnswer("403 Forbidden", "{}") << int(Kind::Forbidden);
        QTest::newRow("not there") << httpAnswer("404 Not Found", "{}") << int(Kind::NotThere);
        QTest::newRow("bad json") << httpAnswer("400 Bad Request", "{}") << int(Kind::NotAccepted);
        QTest::newRow("busy") << httpAnswer("503 Busy", "<html>") << int(Kind::Trouble);
        QTest::newRow("redirect") << httpAnswer("302 Found", "", "Location: /\r\n") << int(Kind::Trouble);
        QTest::newRow("another API") << httpAnswer("200 OK", "{\"ok\":true}") << int(Kind::NotUnderstood);
        QTest::newRow("html") << httpAnswer("200 OK", "<html></html>") << int(Kind::NotUnderstood);
        QTest::newRow("cut") << httpAnswer("200 OK", "{\"faults\":[]}").chopped(3) << int(Kind::NoAnswer);
        QTest::newRow("nothing") << QByteArray() << int(Kind::NoAnswer);
    }
    void every_failed_call_says_why()
    {
        QFETCH(QByteArray, answer);
        QFETCH(int, kind);
        ScriptedServer server({{act::ReadRequest{}, act::Write{answer}, act::Fin{}}});
        ControlClient client(settingsFor(server.url()));
        QSignalSpy failed(&client, &ControlClient::failed);
        client.listFaults();
        QTRY_COMPARE(failed.size(), 1);
        const auto error = failed[0][1].value<ControlError>();
        QCOMPARE(int(error.kind), kind);
        QVERIFY(describe(error).endsWith(QLatin1Char('.')));
        QVERIFY(!describe(error).contains(QLatin1String("tok_1")));
        QCOMPARE(server.arrivals(), 1);
    }

    void nobody_there_is_told_apart()
    {
        ControlClient client(
            settingsFor(QUrl(QStringLiteral("http://127.0.0.1:%1").arg(ScriptedServer::closedPort()))));
        QSignalSpy failed(&client, &ControlClient::failed);
        client.readState();
        QTRY_COMPARE(failed.size(), 1);
        QCOMPARE(failed[0][1].value<ControlError>().kind, ControlError::Kind::Unreachable);
    }

    void the_ledger_is_read_in_pages()
    {
        ScriptedServer server(
            {{act::ReadRequest{},
              act::Write{httpAnswer(
                  "200 OK",
                  R"({"movements":[{"id":7,"kind":"charge","idempotency_key":"k","order_id":"A","amount":1200,)"
                  R"("currency":"JPY","source":"card_ok","at":"2024-07-03T00:00:00.000Z"},)"
                  R"({"id":8,"kind":"reversal","idempotency_key":null,"order_id":"A","amount":1200,)"
                  R"("currency":"JPY","source":"card_ok","at":"2024-07-03T00:00:01.000Z"}],"next":8})")}},
             {act::ReadRequest{}, act::Write{httpAnswer("200 OK", R"({"movements":[],"next":null})")}}});
        ControlClient client(settingsFor(server.url()));
        QSignalSpy read(&client, &ControlClient::ledgerRead);
        client.readLedger(6, 2);
        QTRY_COMPARE(read.size(), 1);
        const auto page = read[0][1].value<LedgerPage>();
        QCOMPARE(page.movements.size(), 2);
        QCOMPARE(page.movements[0],
                 (LedgerMovement{7, LedgerMovement::Kind::Charge, QStringLiteral("k"), QStringLiteral("A"), 1'200,
                                 QStringLiteral("JPY"), QStringLiteral("card_ok"),
                                 QStringLiteral("2024-07-03T00:00:00.000Z")}));
        QCOMPARE(page.movements[1].kind, LedgerMovement::Kind::Reversal);
        QVERIFY(page.movements[1].key.isEmpty());
        QCOMPARE(page.next, std::optional<qint64>(8));
        QVERIFY(server.received().front().startsWith("GET /control/ledger?after=6&limit=2 HTTP/1.1\r\n"));
        client.readLedger(8);
        QTRY_COMPARE(read.size(), 2);
        QCOMPARE(read[1][1].value<LedgerPage>(), LedgerPage());
    }

    void state_accounts_and_the_other_calls_are_understood()
    {
        ScriptedServer server({
            {act::ReadRequest{},
             act::Write{
                 httpAnswer("200 OK", R"({"strategy":"atomic","store":"sqlite::memory:","ledger_id":"l","run_id":)"
                                      R"("r","faults":[)" +
                                          armedFault + R"(],"counters":{"arrivals":3}})")}},
            {act::ReadRequest{},
             act::Write{httpAnswer("200 OK", R"({"accounts":[{"source":"card_ok","balance":5,"declining":true}]})")}},
            {act::ReadRequest{}, act::Write{httpAnswer("200 OK", R"({"source":"a b","balance":7,"declining":false})")}},
            {act::ReadRequest{}, act::Write{httpAnswer("200 OK", armedFault)}},
            {act::ReadRequest{}, act::Write{httpAnswer("200 OK", R"({"disarmed":2})")}},
            {act::ReadRequest{}, act::Write{httpAnswer("200 OK", R"({"id":4,"action":"release"})")}},
            {act::ReadRequest{}, act::Write{httpAnswer("202 Accepted", R"({"down_ms":300})")}},
        });
        ControlClient client(settingsFor(server.url()));
        QSignalSpy failed(&client, &ControlClient::failed);
        QSignalSpy state(&client, &ControlClient::stateRead);
        client.readState();
        QTRY_COMPARE(state.size(), 1);
        QCOMPARE(state[0][1].value<BankState>().arrivals, 3);
        QCOMPARE(state[0][1].value<BankState>().faults.size(), 1);
        QSignalSpy accounts(&client, &ControlClient::accountsListed);
        client.listAccounts();
        QTRY_COMPARE(accounts.size(), 1);
        QCOMPARE(accounts[0][1].value<QList<BankAccount>>(),
                 (QList<BankAccount>{{QStringLiteral("card_ok"), 5, true}}));
        QSignalSpy put(&client, &ControlClient::accountPut);
        client.putAccount({QStringLiteral("a b"), 7, false});
        QTRY_COMPARE(put.size(), 1);
        QSignalSpy disarmed(&client, &ControlClient::faultDisarmed);
        client.disarmFault(QStringLiteral("f1"));
        QTRY_COMPARE(disarmed.size(), 1);
        QSignalSpy all(&client, &ControlClient::allFaultsDisarmed);
        client.disarmAllFaults();
        QTRY_COMPARE(all.size(), 1);
        QCOMPARE(all[0][1].toInt(), 2);
        QSignalSpy held(&client, &ControlClient::heldActedOn);
        client.actOnHeld(4, QStringLiteral("release"));
        QTRY_COMPARE(held.size(), 1);
        QSignalSpy restarting(&client, &ControlClient::restarting);
        client.restartBank(300);
        QTRY_COMPARE(restarting.size(), 1);
        QCOMPARE(failed.size(), 0);
        const auto requests = server.received();
        QVERIFY(requests[2].startsWith("PUT /control/accounts/a%20b HTTP/1.1\r\n"));
        QVERIFY(requests[2].endsWith(R"({"balance":7,"declining":false})"));
        QVERIFY(requests[3].startsWith("DELETE /control/faults/f1 HTTP/1.1\r\n"));
        QVERIFY(requests[4].startsWith("DELETE /control/faults HTTP/1.1\r\n"));
        QVERIFY(requests[5].startsWith("POST /control/held/4 HTTP/1.1\r\n"));
        QVERIFY(requests[6].startsWith("POST /control/restart HTTP/1.1\r\n"));
    }

    void events_come_as_they_happen()
    {
        ScriptedServer server(
            {{act::ReadRequest{}, act::Write{streamHead}, act::AwaitGate{}, act::WriteSlowly{logEvent("r", 1)}}});
        ControlClient client(settingsFor(server.url()));
        Listener heard(client);
        client.follow(EventFollower::From::Now);
        QCOMPARE(client.link(), ControlLink::Connecting);
        QTRY_COMPARE(client.link(), ControlLink::Following);
        QVERIFY(heard.lines.isEmpty());
        server.openGate();
        QTRY_COMPARE(heard.lines, list("r.1"));
        QVERIFY(!server.received().front().contains("Last-Event-ID"));
        QVERIFY(server.received().front().contains("\r\nAuthorization: Bearer tok_1\r\n"));
        client.stopFollowing();
        QCOMPARE(client.link(), ControlLink::Off);
        QTRY_COMPARE(server.closedByPeer(), 1);
    }

    void a_broken_stream_goes_on_where_it_was_and_shows_nothing_twice()
    {
        ScriptedServer server({
            {act::ReadRequest{}, act::Write{streamHead + logEvent("r", 1) + logEvent("r", 2)}, act::Fin{}},
            {act::ReadRequest{}, act::Write{streamHead + logEvent("r", 2) + logEvent("r", 3) + "id: r.4\nda"},
             act::Fin{}},
            // A restarted bank counts on under a new run.
            {act::ReadRequest{}, act::Write{streamHead + logEvent("r", 4) + logEvent("s", 5)}},
        });
        ControlClient client(settingsFor(server.url()));
        Listener heard(client);
        client.follow(EventFollower::From::Beginning);
        QTRY_COMPARE(heard.lines, list("r.1 r.2 r.3 r.4 s.5"));
        const auto requests = server.received();
        QCOMPARE(requests.size(), 3U);
        QVERIFY(requests[0].contains("\r\nLast-Event-ID: 0\r\n"));
        QVERIFY(requests[1].contains("\r\nLast-Event-ID: r.2\r\n"));
        QVERIFY(requests[2].contains("\r\nLast-Event-ID: r.3\r\n"));
        QCOMPARE(client.link(), ControlLink::Following);
    }

    void a_hole_in_the_list_is_shown()
    {
        ScriptedServer server({
            {act::ReadRequest{}, act::Write{streamHead + logEvent("r", 1)}, act::Fin{}},
            {act::ReadRequest{},
             act::Write{streamHead + "event: gap\ndata: {\"kind\":\"gap\",\"last_event_id\":\"r.1\"}\n\n" +
                        logEvent("t", 1) + "id: t.2\nevent: x\ndata: not json\n\n" + logEvent("t", 3)}},
        });
        ControlClient client(settingsFor(server.url()));
        Listener heard(client);
        client.follow(EventFollower::From::Now);
        QTRY_COMPARE(heard.lines, list("r.1 gap t.1 gap t.3"));
    }

    void what_was_missed_before_the_first_event_is_a_hole_too()
    {
        ScriptedServer server({
            {act::ReadRequest{}, act::Write{streamHead}, act::Fin{}},
            {act::ReadRequest{}, act::Write{streamHead + logEvent("r", 9)}},
        });
        ControlClient client(settingsFor(server.url()));
        Listener heard(client);
        client.follow(EventFollower::From::Now);
        QTRY_COMPARE(heard.lines, list("gap r.9"));
    }

    void a_bank_that_is_down_is_tried_again()
    {
        ScriptedServer server({
            {act::ReadRequest{}, act::Write{httpAnswer("503 Down", "{}")}, act::Fin{}},
            {act::ReadRequest{}, act::Write{httpAnswer("200 OK", "{}")}, act::Fin{}},
            {act::ReadRequest{}, act::Fin{}},
            {act::ReadRequest{}, act::Write{streamHead + logEvent("r", 1)}},
        });
        ControlClient client(settingsFor(server.url()));
        Listener heard(client);
        client.follow(EventFollower::From::Beginning);
        QTRY_COMPARE(heard.lines, list("r.1"));
        QCOMPARE(heard.errors.size(), 3);
        QCOMPARE(heard.errors[0].kind, ControlError::Kind::Trouble);
        QCOMPARE(heard.errors[1].kind, ControlError::Kind::NotUnderstood);
        QCOMPARE(client.link(), ControlLink::Following);
    }

    void the_waiting_time_grows_up_to_its_cap()
    {
        QCOMPARE(reconnectDelayMs(500, 15'000, 0), 500);
        QCOMPARE(reconnectDelayMs(500, 15'000, 1), 1'000);
        QCOMPARE(reconnectDelayMs(500, 15'000, 4), 8'000);
        QCOMPARE(reconnectDelayMs(500, 15'000, 5), 15'000);
        QCOMPARE(reconnectDelayMs(500, 15'000, 2'000'000'000), 15'000);
        QCOMPARE(reconnectDelayMs(0, 15'000, 0), 1);
        QCOMPARE(reconnectDelayMs(60'000, 15'000, 0), 15'000);
    }

    void a_refused_token_is_not_tried_again()
    {
        ScriptedServer server({{act::ReadRequest{}, act::Write{httpAnswer("401 Unauthorized", "{}")}}});
        ControlClient client(settingsFor(server.url()));
        Listener heard(client);
        client.follow(EventFollower::From::Now);
        QTRY_COMPARE(heard.errors.size(), 1);
        QCOMPARE(heard.errors[0].kind, ControlError::Kind::TokenRefused);
        QCOMPARE(client.link(), ControlLink::Off);
        QCOMPARE(server.arrivals(), 1);
    }

    void a_stream_that_falls_silent_is_made_anew()
    {
        ScriptedServer server({
            {act::ReadRequest{}, act::Write{streamHead + logEvent("r", 1)}},
            {act::ReadRequest{}, act::Write{streamHead + logEvent("r", 2)}},
        });
        ControlClientSettings settings = settingsFor(server.url());
        settings.silenceLimitMs = 100;
        ControlClient client(settings);
        Listener heard(client);
        client.follow(EventFollower::From::Beginning);
        QTRY_COMPARE(heard.lines, list("r.1 r.2"));
        QVERIFY(server.received()[1].contains("\r\nLast-Event-ID: r.1\r\n"));
    }

    void a_listener_may_stop_the_stream_from_inside_an_event()
    {
        ScriptedServer server({{act::ReadRequest{}, act::Write{streamHead + logEvent("r", 1) + logEvent("r", 2)}}});
        ControlClient client(settingsFor(server.url()));
        Listener heard(client);
        connect(&client, &ControlClient::happened, &client, [&] { client.stopFollowing(); });
        client.follow(EventFollower::From::Beginning);
        QTRY_COMPARE(heard.lines, list("r.1"));
        QTRY_COMPARE(server.closedByPeer(), 1);
        QCOMPARE(heard.lines, list("r.1"));
    }
};

IKKAI_TEST_MAIN(TestControlClient)
#include "tst_control_client.moc"
