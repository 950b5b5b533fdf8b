#include "tests/support/bank_under_test.h"
#include "tests/support/test.h"

using namespace ikkai::test;

class BankControlTest : public ikkai::test::Test {
    Q_OBJECT

private:
    static QByteArray streamRequest(const BankUnderTest &bank, const QByteArray &lastId = {})
    {
        QByteArray headers = "Authorization: Bearer " + bank.controlToken() + "\r\nAccept: text/event-stream\r\n";
        if (!lastId.isEmpty())
            headers += "Last-Event-ID: " + lastId + "\r\n";
        return bank.request("GET", "/control/events", headers);
    }

    /// The data of the events in a stream's text, in order.
    static QList<QJsonObject> eventsIn(const QByteArray &text)
    {
        QList<QJsonObject> events;
        for (const QByteArray &line : text.split('\n')) {
            if (line.startsWith("data: "))
                events.append(QJsonDocument::fromJson(line.mid(6)).object());
        }
        return events;
    }

    static QStringList kindsOf(const QList<QJsonObject> &events)
    {
        QStringList kinds;
        for (const QJsonObject &event : events)
            kinds.append(event.value(QStringLiteral("kind")).toString());
        return kinds;
    }

private Q_SLOTS:
    void everyCallNeedsTheToken_data()
    {
        QTest::addColumn<QByteArray>("method");
        QTest::addColumn<QByteArray>("path");
        for (const char *call : {"GET state", "PUT strategy", "GET accounts", "PUT accounts/card_ok", "GET faults",
                                 "POST faults", "DELETE faults", "GET held", "POST held/1", "GET ledger", "GET keys",
                                 "GET outbox", "GET events", "POST restart", "GET nothing"}) {
            const QList<QByteArray> words = QByteArray(call).split(' ');
            QTest::newRow(call) << words[0] << words[1];
        }
    }
    void everyCallNeedsTheToken()
    {
        QFETCH(QByteArray, method);
        QFETCH(QByteArray, path);
        BankUnderTest bank;
        const QByteArrayList wrong{"", "Authorization: Bearer wrong\r\n", "Authorization: Bearer\r\n",
                                   "Authorization: Basic " + bank.controlToken() + "\r\n"};
        for (const QByteArray &authorization : wrong) {
            const RawAnswer answer = bank.exchange(bank.request(method, "/control/" + path, authorization));
            QCOMPARE(answer.status, 401);
            QCOMPARE(answer.problem(), "control-token-required");
        }
        // A token in the hands of a web page is of no use to it.
        const RawAnswer page = bank.exchange(
            bank.request(method, "/control/" + path,
                         "Authorization: Bearer " + bank.controlToken() + "\r\nOrigin: http://a.example\r\n"));
        QCOMPARE(page.status, 403);
    }

    void case_54_whatIsNotUnderstoodIsNamed_data()
    {
        QTest::addColumn<QByteArray>("method");
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("field");

        const auto row = [](const char *method, const char *path, const char *body, int status, const char *field) {
            QTest::addRow("%s %s %s", method, path, body)
                << QByteArray(method) << QByteArray(path) << QByteArray(body) << status << QString::fromLatin1(field);
        };
        row("POST", "faults", R"-({"spec":"latest:delay(ms=1)"})-", 422, "placement");
        row("POST", "faults", R"({"spec":"unread:hold","selector":{}})", 422, "spec");
        row("POST", "faults", R"({"spec":7})", 422, "spec");
        row("POST", "faults", R"({"spek":"unread:hold"})", 422, "spek");
        row("POST", "faults", R"({"placement":"mid_answer","manifestation":{"kind":"status"}})", 422,
            "manifestation.kind");
        row("POST", "faults",
            R"({"placement":"unread","manifestation":{"kind":"hold"},"selector":{"probability":1.5}})", 422,
            "selector.probability");
        row("POST", "faults", "", 422, "placement");
        row("POST", "faults", "[]", 400, "body");
        row("POST", "faults", "{", 400, "body");
        row("PUT", "strategy", R"({"name":"Naive"})", 422, "name");
        row("PUT", "strategy", R"({"name":7})", 422, "name");
        row("PUT", "strategy", "{}", 422, "name");
        row("PUT", "strategy", R"({"name":"best"})", 422, "name");
        row("PUT", "strategy", R"({"strategy":"atomic"})", 422, "strategy");
        row("PUT", "accounts/card_ok", R"({"balance":-1})", 422, "balance");
        row("PUT", "accounts/card_ok", R"({"balance":1.5})", 422, "balance");
        row("PUT", "accounts/card_ok", R"({"balance":"1"})", 422, "balance");
        row("PUT", "accounts/card_ok", R"({"balance":9007199254740992})", 422, "balance");
        row("PUT", "accounts/card_ok", R"({"declining":true})", 422, "balance");
        row("PUT", "accounts/card_ok", R"({"balance":1,"declining":1})", 422, "declining");
        row("PUT", "accounts/card_ok", R"({"balance":1,"balnce":2})", 422, "balnce");
        row("PUT", "accounts/a%20b", R"({"balance":1})", 422, "source");
        row("PUT", "accounts/card_ok", R"({"balance":1,"balance":2})", 422, "balance");
        row("PUT", "accounts/card_ok", R"({"balance":1, "bal\u0061nce" :2})", 422, "balance");
        row("POST", "faults",
            R"({"placement":"unread","manifestation":{"kind":"hold"},"selector":{"next":1,"next":2}})", 422,
            "selector.next");
        row("GET", "ledger?limit=0", "", 422, "limit");
        row("GET", "ledger?limit=501", "", 422, "limit");
        row("GET", "ledger?after=-1", "", 422, "after");
        row("GET", "ledger?after=x", "", 422, "after");
        row("GET", "ledger?before=1", "", 422, "before");
        row("GET", "ledger?limit=1&limit=2", "", 422, "limit");
        row("GET", "outbox?limit=501", "", 422, "limit");
        row("GET", "outbox?after=x", "", 422, "after");
        row("GET", "outbox?pending=2", "", 422, "pending");
        row("GET", "outbox?newest=1", "", 422, "newest");
        row("POST", "restart", "{}", 422, "down_ms");
        row("POST", "restart", R"({"down_ms":-1})", 422, "down_ms");
        row("POST", "restart", R"({"down_ms":600001})", 422, "down_ms");
        row("POST", "held/1", R"({"action":"thrice"})", 422, "action");
        row("POST", "held/1", R"({"action":"release"})", 404, "");
        row("POST", "held/x", R"({"action":"release"})", 404, "");
        row("GET", "faults/f99", "", 404, "");
        row("DELETE", "faults/f99", "", 404, "");
        row("GET", "accounts/", "", 404, "");
        row("GET", "nothing", "", 404, "");
        row("POST", "state", "", 405, "");
        row("POST", "accounts/card_ok", "", 405, "");
    }
    void case_54_whatIsNotUnderstoodIsNamed()
    {
        QFETCH(QByteArray, method);
        QFETCH(QByteArray, path);
        QFETCH(QByteArray, body);
        QFETCH(int, status);
        QFETCH(QString, field);
        BankUnderTest bank;
        const RawAnswer answer = bank.control(method, path, body);
        QCOMPARE(answer.status, status);
        QCOMPARE(answer.json().value(QStringLiteral("field")).toString(), field);
        if (status == 405)
            QVERIFY(!answer.header("Allow").isEmpty());
        QCOMPARE(bank.state().value(QStringLiteral("faults")).toArray().size(), 0);
        QCOMPARE(bank.balance(), 100'000);
    }

    void aRuleIsArmedListedAndDisarmed()
    {
        BankUnderTest bank;
        const RawAnswer armed = bank.control(
            "POST", "faults",
            R"({"placement":"before_commit","manifestation":{"kind":"status","code":503,"retry_after":2},"selector":{"next":2}})");
        QCOMPARE(armed.status, 201);
        const QByteArray id = armed.json().value(QStringLiteral("id")).toString().toLatin1();
        QCOMPARE(armed.header("Location"), "/control/faults/" + id);
        QCOMPARE(armed.json().value(QStringLiteral("spec")).toString(),
                 QStringLiteral("before_commit:status(code=503,retry_after=2):next=2"));
        QCOMPARE(armed.json().value(QStringLiteral("light")).toString(), QStringLiteral("armed"));

        const QString other = bank.arm("unread:hold:attempt=9");
        QCOMPARE(bank.control("GET", "faults").json().value(QStringLiteral("faults")).toArray().size(), 2);
        QCOMPARE(bank.charge("k").header("Retry-After"), "2");
        QCOMPARE(bank.fault(QString::fromLatin1(id)).value(QStringLiteral("left")).toInt(), 1);

        QCOMPARE(bank.control("DELETE", "faults/" + id).status, 200);
        QCOMPARE(bank.charge("k", 2).status, 201);
        QCOMPARE(bank.control("DELETE", "faults").json().value(QStringLiteral("disarmed")).toInt(), 1);
        // It never fired, and is shown as that for a while.
        QCOMPARE(bank.fault(other).value(QStringLiteral("light")).toString(), QStringLiteral("not_fired"));
        QCOMPARE(bank.control("DELETE", "faults/" + other.toLatin1()).status, 200);
        QCOMPARE(bank.control("GET", "faults/" + other.toLatin1()).status, 404);
    }

    void anAccountIsSetAndDeclines()
    {
        BankUnderTest bank;
        QCOMPARE(bank.charge("a", 1, BankUnderTest::chargeBody(1200, "card_low")).status, 402);
        QCOMPARE(bank.control("PUT", "accounts/card_low", R"({"balance":5000})").status, 200);
        // Topped up, the same key still says what it said.
        const RawAnswer again = bank.charge("a", 2, BankUnderTest::chargeBody(1200, "card_low"));
        QCOMPARE(again.status, 402);
        QVERIFY(again.replayed());
        QCOMPARE(bank.charge("b", 1, BankUnderTest::chargeBody(1200, "card_low")).status, 201);
        QCOMPARE(bank.balance(QStringLiteral("card_low")), 3800);

        QCOMPARE(bank.control("PUT", "accounts/new", R"({"balance":10,"declining":true})").status, 200);
        QCOMPARE(bank.charge("c", 1, BankUnderTest::chargeBody(1, "new")).status, 402);
    }

    void theLedgerComesInPages()
    {
        BankUnderTest bank;
        for (int i = 0; i < 5; ++i)
            bank.charge("k" + QByteArray::number(i), 1, BankUnderTest::chargeBody(1));
        QList<qint64> ids;
        QByteArray path = "ledger?limit=2";
        while (true) {
            const QJsonObject page = bank.control("GET", path).json();
            for (const QJsonValue &movement : page.value(QStringLiteral("movements")).toArray())
                ids.append(movement.toObject().value(QStringLiteral("id")).toInteger());
            const QJsonValue next = page.value(QStringLiteral("next"));
            if (next.isNull())
                break;
            path = "ledger?limit=2&after=" + QByteArray::number(next.toInteger());
        }
        QCOMPARE(ids.size(), 5);
        QVERIFY(std::is_sorted(ids.begin(), ids.end()));
        QCOMPARE(bank.control("GET", "keys").json().value(QStringLiteral("keys")).toArray().size(), 5);
        QCOMPARE(bank.control("GET", "outbox").json().value(QStringLiteral("events")).toArray().size(), 5);
    }

    void theEventsTellTheStoryOfAFault()
    {
        BankUnderTest bank;
        RawConnection stream(bank.port());
        stream.send(streamRequest(bank));
        QVERIFY(stream.readUntil("retry:").contains("text/event-stream"));

        const QString rule = bank.arm("after_commit:fin:next=1");
        bank.charge("k", 1);
        bank.charge("k", 2);
        const QList<QJsonObject> events = eventsIn(stream.readUntil("healed"));
        const QStringList kinds = kindsOf(events);
        const QStringList expected{QStringLiteral("fault"),    QStringLiteral("arrival"),   QStringLiteral("fault"),
                                   QStringLiteral("claimed"),  QStringLiteral("committed"), QStringLiteral("fault"),
                                   QStringLiteral("cut"),      QStringLiteral("arrival"),   QStringLiteral("fault"),
                                   QStringLiteral("replayed"), QStringLiteral("answer"),    QStringLiteral("delivered"),
                                   QStringLiteral("fault")};
        QCOMPARE(kinds, expected);
        QStringList lights;
        for (const QJsonObject &event : events) {
            QVERIFY(event.value(QStringLiteral("at_ms")).toInteger() > 0);
            if (event.value(QStringLiteral("kind")).toString() == QStringLiteral("fault")) {
                lights.append(event.value(QStringLiteral("light")).toString());
                QCOMPARE(event.value(QStringLiteral("rule_id")).toString(), rule);
            } else {
                QCOMPARE(event.value(QStringLiteral("idempotency_key")).toString(), QStringLiteral("k"));
                QVERIFY(event.value(QStringLiteral("attempt")).toInt() > 0);
                QVERIFY(event.value(QStringLiteral("arrival_id")).toInt() > 0);
            }
        }
        QCOMPARE(lights, (QStringList{QStringLiteral("armed"), QStringLiteral("matched"), QStringLiteral("fired"),
                                      QStringLiteral("seen"), QStringLiteral("healed")}));
        const QJsonObject arrival = events[1];
        QCOMPARE(arrival.value(QStringLiteral("order_id")).toString(), QStringLiteral("A-1"));
        QCOMPARE(arrival.value(QStringLiteral("amount")).toInt(), 1200);
        QCOMPARE(arrival.value(QStringLiteral("currency")).toString(), QStringLiteral("JPY"));
        const QJsonObject fired = events[5];
        QCOMPARE(fired.value(QStringLiteral("spec")).toString(), QStringLiteral("after_commit:fin:next=1"));
        QVERIFY(fired.value(QStringLiteral("reached")).toBool());
        QVERIFY(fired.value(QStringLiteral("charged")).toBool());
        QVERIFY(!fired.value(QStringLiteral("knowable")).toBool(true));
    }

    void aStreamResumesAfterTheLastEventSeenAlsoOverACrash()
    {
        BankUnderTest bank;
        RawConnection first(bank.port());
        first.send(streamRequest(bank, "0"));
        bank.charge("a");
        const QByteArray seen = first.readUntil("delivered");
        const QList<QJsonObject> before = eventsIn(seen);
        const QByteArray lastId = before.last().value(QStringLiteral("run")).toString().toLatin1() + '.' +
                                  QByteArray::number(before.last().value(QStringLiteral("n")).toInteger());
        QVERIFY(seen.contains("id: " + lastId + '\n'));

        bank.server().crash(20);
        QCOMPARE(first.waitForEnd(), Ending::Reset);
        QVERIFY(bank.waitUntilBack());
        bank.charge("b");
        RawConnection second(bank.port());
        second.send(streamRequest(bank, lastId));
        const QList<QJsonObject> after = eventsIn(second.readUntil("delivered"));
        qint64 n = before.last().value(QStringLiteral("n")).toInteger();
        for (const QJsonObject &event : after)
            QCOMPARE(event.value(QStringLiteral("n")).toInteger(), ++n);
        const QStringList kinds = kindsOf(after);
        QVERIFY(kinds.contains(QStringLiteral("crashed")));
        QVERIFY(kinds.contains(QStringLiteral("started")));
        QVERIFY(!kinds.contains(QStringLiteral("gap")));
    }

    void aStreamThatCannotResumeSaysSo()
    {
        BankUnderTest bank;
        bank.charge("a");
        RawConnection stream(bank.port());
        stream.send(streamRequest(bank, "run_of_another_process.7"));
        const QList<QJsonObject> events = eventsIn(stream.readUntil("delivered"));
        QCOMPARE(events.first().value(QStringLiteral("kind")).toString(), QStringLiteral("gap"));
        QCOMPARE(events[1].value(QStringLiteral("n")).toInteger(), 1);
    }

    void case_56_countersNeitherLoseNorDouble()
    {
        BankUnderTest bank;
        for (int i = 0; i < 7; ++i)
            bank.charge("k" + QByteArray::number(i % 3), 0, BankUnderTest::chargeBody(1));
        bank.inquire("k0");
        bank.exchange(bank.request("GET", "/healthz"));
        bank.exchange(bank.request("GET", "/nothing"));
        const QJsonObject counters = bank.state().value(QStringLiteral("counters")).toObject();
        QCOMPARE(counters.value(QStringLiteral("arrivals")).toInt(), 7);
        QCOMPARE(counters.value(QStringLiteral("inquiries")).toInt(), 1);
        QCOMPARE(counters.value(QStringLiteral("health_requests")).toInt(), 1);
        QCOMPARE(counters.value(QStringLiteral("other_requests")).toInt(), 1);
        QCOMPARE(counters.value(QStringLiteral("control_requests")).toInt(), 1);
        QCOMPARE(counters.value(QStringLiteral("connections")).toInt(), 11);
        const QJsonObject bankCounters = counters.value(QStringLiteral("bank")).toObject();
        QCOMPARE(bankCounters.value(QStringLiteral("charges")).toInt(), 3);
        QCOMPARE(bankCounters.value(QStringLiteral("replays")).toInt(), 4);
    }

    void healthzSaysWhatATerminalMustKnow()
    {
        BankUnderTest bank;
        const QJsonObject health = bank.exchange(bank.request("GET", "/healthz")).json();
        QCOMPARE(health.value(QStringLiteral("ledger_id")).toString(), bank.ledgerId());
        QCOMPARE(health.value(QStringLiteral("idempotency_key_ttl_s")).toInt(), 86400);
        QCOMPARE(health.value(QStringLiteral("authorized")).toBool(), true);
        QCOMPARE(health.value(QStringLiteral("strategy")).toString(), QStringLiteral("atomic"));
        QVERIFY(!health.value(QStringLiteral("run_id")).toString().isEmpty());
    }

    void aServerStopsInOrderAndStartsAgain()
    {
        mockbank::MockServerOptions options;
        options.bank.processing = std::chrono::milliseconds(100);
        options.bank.accounts = {{QStringLiteral("card_ok"), 5000, false}};
        mockbank::MockServer server;
        const auto started = server.start(options);
        QVERIFY(std::holds_alternative<mockbank::RunningServer>(started));
        const quint16 port = std::get<mockbank::RunningServer>(started).port;
        server.stop();
        server.stop();
        QVERIFY(!RawConnection(port).isConnected());
        options.port = port;
        QVERIFY(std::holds_alternative<mockbank::RunningServer>(server.start(options)));
        QVERIFY(RawConnection(port).isConnected());

        mockbank::MockServer second;
        options.bank.instance = QStringLiteral("bank-2");
        const auto refused = second.start(options);
        QVERIFY(std::holds_alternative<mockbank::StartError>(refused));
        QVERIFY(std::get<mockbank::StartError>(refused).detail.contains(QString::number(port)));
        // Stopped while it is down, it stays down.
        server.crash(60'000);
        server.stop();
        QVERIFY(!RawConnection(port).isConnected());
    }

    void aRunningChargeIsAnsweredBeforeTheServerStops()
    {
        mockbank::MockServerOptions options;
        options.bank.processing = std::chrono::seconds(30);
        BankUnderTest bank(options);
        RawConnection client(bank.port());
        client.send(bank.chargeRequest("k"));
        QTRY_COMPARE(bank.arrivals(), 1);
        bank.server().stop();
        QCOMPARE(client.read().status, 201);
        QCOMPARE(client.waitForEnd(), Ending::Closed);
    }
};

IKKAI_TEST_MAIN(BankControlTest)
#include "tst_bank_control.moc"
