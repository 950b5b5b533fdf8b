#include "tests/support/bank_under_test.h"
#include "tests/support/test.h"

#include <future>
#include <thread>
#include <vector>

using namespace ikkai::test;

class BankJournalTest : public ikkai::test::Test {
    Q_OBJECT

private:
    static QList<QJsonObject> records(const BankUnderTest &bank, const QByteArray &query = {})
    {
        QList<QJsonObject> all;
        qint64 after = 0;
        while (true) {
            const RawAnswer answer = bank.control("GET", "journal?after=" + QByteArray::number(after) +
                                                             (query.isEmpty() ? "" : "&") + query);
            if (answer.status != 200) {
                QTest::qFail(answer.bytes.constData(), __FILE__, __LINE__);
                return all;
            }
            for (const QJsonValue &record : answer.json().value(QStringLiteral("records")).toArray())
                all.append(record.toObject());
            const QJsonValue next = answer.json().value(QStringLiteral("next"));
            if (next.isNull())
                return all;
            after = next.toInteger();
        }
    }
    static QJsonObject record(const BankUnderTest &bank, int n)
    {
        return bank.control("GET", "journal/" + QByteArray::number(n)).json();
    }
    static QString text(const QJsonObject &object, const char *name)
    {
        return object.value(QLatin1String(name)).toString();
    }
    static QJsonObject inner(const QJsonObject &object, const char *name)
    {
        return object.value(QLatin1String(name)).toObject();
    }
    static QStringList bankDid(const QJsonObject &record)
    {
        QStringList kinds;
        for (const QJsonValue &step : record.value(QStringLiteral("bank")).toArray())
            kinds.append(text(step.toObject(), "kind"));
        return kinds;
    }
    static QString headerOf(const QJsonObject &message, const char *wanted)
    {
        for (const QJsonValue &header : message.value(QStringLiteral("headers")).toArray()) {
            if (text(header.toObject(), "name") == QLatin1String(wanted))
                return text(header.toObject(), "value");
        }
        return {};
    }

private Q_SLOTS:
    void aChargeAndItsAnswerAreWrittenDown()
    {
        mockbank::MockServerOptions options;
        options.apiKeys = {{"shop", "s3cret"}};
        BankUnderTest bank(options);
        const QByteArray secret = "Authorization: Bearer s3cret\r\n";
        const RawAnswer answer = bank.exchange(bank.chargeRequest("k-1", 2, BankUnderTest::chargeBody(), secret));
        QCOMPARE(answer.status, 201);

        QTRY_VERIFY(record(bank, 1).value(QStringLiteral("delivered")).toBool());
        const QJsonObject told = record(bank, 1);
        QCOMPARE(text(told, "route"), QStringLiteral("charge"));
        QCOMPARE(text(told, "idempotency_key"), QStringLiteral("k-1"));
        QCOMPARE(told.value(QStringLiteral("attempt")).toInt(), 2);
        QCOMPARE(text(told, "order_id"), QStringLiteral("A-1"));
        QCOMPARE(text(inner(told, "request"), "body").toUtf8(), BankUnderTest::chargeBody());
        QCOMPARE(headerOf(inner(told, "request"), "Authorization"), QStringLiteral("[redacted]"));
        QCOMPARE(bankDid(told), (QStringList{QStringLiteral("claimed"), QStringLiteral("committed")}));
        QVERIFY(told.value(QStringLiteral("committed")).toBool());
        QCOMPARE(text(told, "ended"), QStringLiteral("answered"));
        const QJsonObject sent = inner(told, "answer");
        QCOMPARE(sent.value(QStringLiteral("status")).toInt(), 201);
        QCOMPARE(text(sent, "body").toUtf8(), answer.body);
        QCOMPARE(headerOf(sent, "Idempotent-Replayed"), QStringLiteral("false"));
        QCOMPARE(told.value(QStringLiteral("bytes_written")).toInteger(), answer.bytes.size());
        QVERIFY(inner(told, "timings_ms").value(QStringLiteral("wait")).toDouble() > 0);
        QVERIFY(!bank.control("GET", "journal").bytes.contains("s3cret"));

        // Control calls are the trainer's: they are not in it. An inquiry is.
        bank.exchange(bank.request("GET", "/v1/charges/k-1", secret));
        const QList<QJsonObject> all = records(bank);
        QCOMPARE(all.size(), 2);
        QCOMPARE(text(all[1], "route"), QStringLiteral("inquiry"));
        QCOMPARE(text(all[1], "idempotency_key"), QStringLiteral("k-1"));
        QCOMPARE(inner(all[1], "answer").value(QStringLiteral("status")).toInt(), 200);
    }

    void whoeverHasTheFirstByteFindsTheRecord()
    {
        BankUnderTest bank;
        bank.arm("mid_answer:hold(at=1):attempt=1");
        RawConnection client(bank.port());
        client.send(bank.chargeRequest("k"));
        QCOMPARE(client.readUntil("H"), "H");
        const QJsonObject told = record(bank, 1);
        QCOMPARE(told.value(QStringLiteral("bytes_written")).toInt(), 1);
        QVERIFY(told.value(QStringLiteral("committed")).toBool());
        QCOMPARE(text(told, "ended"), QStringLiteral("held"));
        QVERIFY(!told.value(QStringLiteral("delivered")).toBool());
        QCOMPARE(text(inner(told, "fault"), "spec"), QStringLiteral("mid_answer:hold(at=1):attempt=1"));
        QCOMPARE(text(inner(told, "fault"), "light"), QStringLiteral("fired"));
        bank.control("POST", "held/1", R"({"action":"release"})");
        QCOMPARE(client.read().status, 201);
        QTRY_COMPARE(text(record(bank, 1), "ended"), QStringLiteral("answered"));
        QCOMPARE(text(inner(record(bank, 1), "held"), "action"), QStringLiteral("release"));
    }

    void whatAFaultDidToTheConnectionIsTold_data()
    {
        QTest::addColumn<QByteArray>("fault");
        QTest::addColumn<QString>("ended");
        QTest::addColumn<bool>("committed");
        QTest::addColumn<int>("status");
        QTest::newRow("request lost") << QByteArray("unread:fin") << QStringLiteral("fin") << false << 0;
        QTest::newRow("answer lost") << QByteArray("after_commit:rst") << QStringLiteral("rst") << true << 0;
        QTest::newRow("answer cut") << QByteArray("mid_answer:fin") << QStringLiteral("fin") << true << 201;
        QTest::newRow("made up") << QByteArray("after_commit:status(code=503)") << QStringLiteral("answered") << true
                                 << 503;
    }
    void whatAFaultDidToTheConnectionIsTold()
    {
        QFETCH(QByteArray, fault);
        QFETCH(QString, ended);
        QFETCH(bool, committed);
        QFETCH(int, status);
        BankUnderTest bank;
        const QString rule = bank.arm(fault + ":next=1");
        bank.charge("k");
        const QJsonObject told = record(bank, 1);
        QCOMPARE(text(told, "ended"), ended);
        QCOMPARE(told.value(QStringLiteral("committed")).toBool(), committed);
        QCOMPARE(inner(told, "answer").value(QStringLiteral("status")).toInt(), status);
        QCOMPARE(inner(told, "answer").value(QStringLiteral("made_up")).toBool(), status == 503);
        QCOMPARE(text(inner(told, "fault"), "rule_id"), rule);
        if (ended != QStringLiteral("answered"))
            QVERIFY(!told.value(QStringLiteral("delivered")).toBool());
        QCOMPARE(records(bank, "rule=" + rule.toLatin1()).size(), 1);
    }

    void case_55_aClientThatLeavesEarlyIsToldAndTheEffectStays()
    {
        mockbank::MockServerOptions options;
        options.bank.processing = std::chrono::milliseconds(150);
        BankUnderTest bank(options);
        {
            RawConnection client(bank.port());
            client.send(bank.chargeRequest("k"));
            QTRY_COMPARE(records(bank).size(), 1);
        }
        QTRY_COMPARE(text(record(bank, 1), "ended"), QStringLiteral("client_gone"));
        QVERIFY(record(bank, 1).value(QStringLiteral("client_gone")).toBool());
        QTRY_VERIFY(record(bank, 1).value(QStringLiteral("committed")).toBool());
        QVERIFY(record(bank, 1).value(QStringLiteral("answer")).isNull());
        QCOMPARE(bank.chargesOf("k"), 1);
    }

    void voidsAndListsAreArrivalsToo()
    {
        BankUnderTest bank;
        bank.charge("k");
        bank.exchange(bank.request("POST", "/v1/voids", "Content-Type: application/json\r\nIdempotency-Key: v\r\n",
                                   R"({"original_key":"k","order_id":"A-1","amount":1200,"currency":"JPY"})"));
        bank.exchange(bank.request("GET", "/v1/charges?limit=7"));
        const QList<QJsonObject> all = records(bank);
        QCOMPARE(all.size(), 3);
        QCOMPARE(text(all[1], "route"), QStringLiteral("void"));
        QCOMPARE(text(all[1], "idempotency_key"), QStringLiteral("v"));
        QCOMPARE(text(all[1], "order_id"), QStringLiteral("A-1"));
        QVERIFY(all[1].value(QStringLiteral("committed")).toBool()); // the money went back
        QCOMPARE(text(all[2], "route"), QStringLiteral("list"));
        QCOMPARE(text(inner(all[2], "request"), "query"), QStringLiteral("limit=7"));
        QCOMPARE(records(bank, "route=void").size(), 1);
    }

    void aRequestThatIsSentTwiceOnItsWayIsTwoArrivals()
    {
        BankUnderTest bank;
        bank.arm("in_transit:twice:next=1");
        QCOMPARE(bank.charge("k").status, 201);
        QTRY_COMPARE(records(bank).size(), 2);
        const QList<QJsonObject> all = records(bank);
        QCOMPARE(all[0].value(QStringLiteral("copy_of")).isNull(), true);
        QCOMPARE(all[1].value(QStringLiteral("copy_of")).toInt(), 1);
        QCOMPARE(text(all[1], "ended"), QStringLiteral("copy"));
        QVERIFY(!all[1].value(QStringLiteral("client_gone")).toBool());
        QTRY_COMPARE(records(bank, "ended=answered").size(), 1);
    }

    void case_57_aResetForgetsTheJournalAndStartsAWaitAnew()
    {
        BankUnderTest bank;
        bank.charge("a");
        auto waiting = std::async(std::launch::async, [&bank] {
            return bank.control("POST", "wait-for", R"({"count":2,"timeout_ms":5000})");
        });
        const auto waiters = [&bank] { return bank.counter(QStringLiteral("wait_for_callers")); };
        QTRY_COMPARE(waiters(), 1);
        QCOMPARE(bank.control("POST", "reset").status, 200);
        QCOMPARE(records(bank).size(), 0);
        bank.charge("b");
        QCOMPARE(records(bank).size(), 1);
        QCOMPARE(waiters(), 1); // what came before the reset does not count
        bank.charge("c");
        QCOMPARE(waiting.get().json().value(QStringLiteral("seen")).toInt(), 2);
        QCOMPARE(records(bank).first().value(QStringLiteral("n")).toInt(), 2);
    }

    void aTransportThatSendsAgainIsSeen()
    {
        BankUnderTest bank;
        bank.charge("k", 1);
        bank.charge("k", 2);
        bank.charge("k", 1);
        const QJsonObject again = inner(record(bank, 3), "same_attempt");
        QCOMPARE(again.value(QStringLiteral("first")).toInt(), 1);
        QCOMPARE(again.value(QStringLiteral("nth")).toInt(), 2);
        QCOMPARE(inner(record(bank, 1), "same_attempt").value(QStringLiteral("last")).toInt(), 3);
        QCOMPARE(inner(record(bank, 1), "same_attempt").value(QStringLiteral("seen")).toInt(), 2);
        QCOMPARE(inner(record(bank, 2), "same_attempt").value(QStringLiteral("seen")).toInt(), 1);
    }

    void filtersFindWhatTheyName_data()
    {
        QTest::addColumn<QByteArray>("query");
        QTest::addColumn<int>("found");
        QTest::newRow("all") << QByteArray() << 6;
        QTest::newRow("key") << QByteArray("key=a%20b") << 0;
        QTest::newRow("key, encoded") << QByteArray("key=%61") << 2;
        QTest::newRow("order") << QByteArray("order=B%2F1") << 1;
        QTest::newRow("status") << QByteArray("status=402") << 1;
        QTest::newRow("no status") << QByteArray("status=0") << 1;
        QTest::newRow("route") << QByteArray("route=inquiry") << 1;
        QTest::newRow("attempt") << QByteArray("attempt=2") << 1;
        QTest::newRow("ended") << QByteArray("ended=rst") << 1;
        QTest::newRow("both") << QByteArray("key=a&attempt=2") << 1;
        QTest::newRow("neither") << QByteArray("key=b&attempt=2") << 0;
        QTest::newRow("small pages") << QByteArray("limit=1&route=charge") << 5;
    }
    void filtersFindWhatTheyName()
    {
        QFETCH(QByteArray, query);
        QFETCH(int, found);
        BankUnderTest bank;
        bank.charge("a", 1);
        bank.charge("a", 2, BankUnderTest::chargeBody());
        bank.charge("b", 1, BankUnderTest::chargeBody(1200, "card_decline"));
        bank.charge("c", 1, BankUnderTest::chargeBody(5, "card_ok", "B/1"));
        bank.inquire("c");
        bank.arm("unread:rst:next=1");
        bank.charge("d", 1);
        QCOMPARE(records(bank, query).size(), found);
    }

    void case_54_aBadQuestionIsRefusedByName_data()
    {
        QTest::addColumn<QByteArray>("method");
        QTest::addColumn<QByteArray>("call");
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("field");
        const auto get = [](const char *query, const char *field) {
            QTest::newRow(query) << QByteArray("GET") << QByteArray(query) << QByteArray() << 422
                                 << QString::fromLatin1(field);
        };
        get("journal?colour=red", "colour");
        get("journal?limit=0", "limit");
        get("journal?limit=501", "limit");
        get("journal?limit=ten", "limit");
        get("journal?after=-1", "after");
        get("journal?after=+1", "after");
        get("journal?after=1&after=2", "after");
        get("journal?format=xml", "format");
        get("journal?route=refund", "route");
        get("journal?status=abc", "status");
        get("journal?status=42", "status");
        get("journal?attempt=-1", "attempt");
        get("journal?ended=yesterday", "ended");
        get("journal?key=", "key");
        const auto wait = [](const char *body, int status, const char *field) {
            QTest::newRow(body) << QByteArray("POST") << QByteArray("wait-for") << QByteArray(body) << status
                                << QString::fromLatin1(field);
        };
        wait(R"({"count":0})", 422, "count");
        wait(R"({"count":1.5})", 422, "count");
        wait(R"({"count":"1"})", 422, "count");
        wait(R"({"count":10001})", 422, "count");
        wait(R"({"timeout_ms":-1})", 422, "timeout_ms");
        wait(R"({"timeout_ms":600001})", 422, "timeout_ms");
        wait(R"({"since":-1})", 422, "since");
        wait(R"({"filter":[]})", 422, "filter");
        wait(R"({"filter":{"colour":"red"}})", 422, "filter.colour");
        wait(R"({"filter":{"status":"201"}})", 422, "filter.status");
        wait(R"({"filter":{"route":"refund"}})", 422, "filter.route");
        wait(R"({"filter":{"key":7}})", 422, "filter.key");
        wait(R"({"forever":true})", 422, "forever");
        wait("nonsense", 400, "body");
        QTest::newRow("no record") << QByteArray("GET") << QByteArray("journal/7") << QByteArray() << 404 << QString();
        QTest::newRow("no number") << QByteArray("GET") << QByteArray("journal/x") << QByteArray() << 404 << QString();
    }
    void case_54_aBadQuestionIsRefusedByName()
    {
        QFETCH(QByteArray, method);
        QFETCH(QByteArray, call);
        QFETCH(QByteArray, body);
        QFETCH(int, status);
        QFETCH(QString, field);
        BankUnderTest bank;
        const RawAnswer answer = bank.control(method, call, body);
        QCOMPARE(answer.status, status);
        QCOMPARE(answer.json().value(QStringLiteral("field")).toString(), field);
    }

    void theJournalOutlivesACrash()
    {
        BankUnderTest bank;
        bank.charge("before");
        bank.arm("before_commit:restart(ms=20):next=1");
        bank.charge("struck");
        QVERIFY(bank.waitUntilBack());
        bank.charge("after");
        const QList<QJsonObject> all = records(bank);
        QCOMPARE(all.size(), 3);
        QCOMPARE(text(all[1], "ended"), QStringLiteral("crash"));
        QCOMPARE(bankDid(all[1]), QStringList{QStringLiteral("claimed")});
        QVERIFY(!all[1].value(QStringLiteral("committed")).toBool());
        QCOMPARE(text(all[0], "run"), text(all[1], "run"));
        QVERIFY(text(all[1], "run") != text(all[2], "run"));
    }

    void case_56_sixtyFourCallersAtOnceAreAllThereOnce()
    {
        BankUnderTest bank;
        constexpr int callers = 64;
        constexpr int each = 10;
        std::vector<std::future<void>> done;
        for (int caller = 0; caller < callers; ++caller) {
            done.push_back(std::async(std::launch::async, [&bank, caller] {
                RawConnection connection(bank.port());
                for (int i = 0; i < each; ++i) {
                    connection.send(bank.chargeRequest("k" + QByteArray::number(caller), i + 1));
                    connection.read();
                }
            }));
        }
        for (auto &caller : done)
            caller.get();
        const QList<QJsonObject> all = records(bank);
        QCOMPARE(all.size(), callers * each);
        QSet<QString> attempts;
        int committed = 0;
        for (const QJsonObject &one : all) {
            attempts.insert(text(one, "idempotency_key") +
                            QString::number(one.value(QStringLiteral("attempt")).toInt() + 1000));
            committed += one.value(QStringLiteral("committed")).toBool() ? 1 : 0;
            QCOMPARE(text(one, "ended"), QStringLiteral("answered"));
            QCOMPARE(text(inner(one, "answer"), "body").isEmpty(), false);
        }
        QCOMPARE(attempts.size(), callers * each);
        QCOMPARE(committed, static_cast<int>(bank.movements().size()));
    }

    void waitingEndsWhenTheLastOfThemCame()
    {
        BankUnderTest bank;
        bank.charge("k0");
        auto waiting = std::async(std::launch::async, [&bank] {
            return bank.control("POST", "wait-for", R"({"count":3,"filter":{"route":"charge"},"timeout_ms":5000})");
        });
        for (int i = 1; waiting.wait_for(std::chrono::milliseconds(5)) != std::future_status::ready && i < 500; ++i) {
            if (i == 1 || records(bank).size() < 3)
                bank.charge("k" + QByteArray::number(i));
        }
        const RawAnswer answer = waiting.get();
        QCOMPARE(answer.status, 200);
        QVERIFY(answer.json().value(QStringLiteral("met")).toBool());
        QCOMPARE(answer.json().value(QStringLiteral("records")).toArray().size(), 3);
        // What has come already needs no waiting; what came before `since` does not count.
        QCOMPARE(bank.control("POST", "wait-for", R"({"count":3,"timeout_ms":0})").status, 200);
        const RawAnswer since = bank.control("POST", "wait-for", R"({"count":1,"timeout_ms":0,"since":3})");
        QCOMPARE(since.status, 409);
    }

    void waitingInVainSaysHowManyCame()
    {
        BankUnderTest bank;
        bank.charge("k");
        const RawAnswer answer =
            bank.control("POST", "wait-for", R"({"count":2,"filter":{"key":"k"},"timeout_ms":30})");
        QCOMPARE(answer.status, 409);
        QCOMPARE(answer.problem(), "wait-for-not-met");
        QCOMPARE(answer.json().value(QStringLiteral("met")).toBool(true), false);
        QCOMPARE(answer.json().value(QStringLiteral("seen")).toInt(), 1);
        QCOMPARE(answer.json().value(QStringLiteral("count")).toInt(), 2);
    }

    void oneCanWaitForWhatHappensToAnArrival()
    {
        BankUnderTest bank;
        bank.arm("after_commit:hold:next=1");
        RawConnection client(bank.port());
        client.send(bank.chargeRequest("k"));
        QCOMPARE(bank.control("POST", "wait-for", R"({"filter":{"ended":"held"}})").status, 200);
        client.close();
        QCOMPARE(bank.control("POST", "wait-for", R"({"filter":{"ended":"client_gone"}})").status, 200);
    }

    void manyWaitAndTheBankGoesOn()
    {
        BankUnderTest bank;
        constexpr int waiters = 200;
        std::vector<std::unique_ptr<RawConnection>> waiting;
        const QByteArray call =
            bank.request("POST", "/control/wait-for", "Authorization: Bearer " + bank.controlToken() + "\r\n",
                         R"({"count":2,"filter":{"key":"k"},"timeout_ms":60000})");
        for (int i = 0; i < waiters; ++i) {
            waiting.push_back(std::make_unique<RawConnection>(bank.port()));
            QVERIFY(waiting.back()->send(call));
        }
        QTRY_COMPARE(
            bank.state().value(QStringLiteral("counters")).toObject().value(QStringLiteral("wait_for_callers")).toInt(),
            waiters);
        // One of them leaves and is not waited for any more.
        waiting.pop_back();
        QTRY_COMPARE(
            bank.state().value(QStringLiteral("counters")).toObject().value(QStringLiteral("wait_for_callers")).toInt(),
            waiters - 1);
        QCOMPARE(bank.charge("k", 1).status, 201);
        QCOMPARE(bank.charge("k", 2).status, 201);
        for (const auto &client : waiting)
            QCOMPARE(client->read().status, 200);
    }

    void theArchiveHasEverythingThatHarDemands()
    {
        BankUnderTest bank;
        bank.charge("k");
        bank.inquire("k");
        bank.arm("after_commit:rst:next=1");
        bank.charge("lost");
        const RawAnswer answer = bank.control("GET", "journal?format=har");
        QCOMPARE(answer.status, 200);
        const QJsonObject log = inner(answer.json(), "log");
        QCOMPARE(text(log, "version"), QStringLiteral("1.2"));
        QVERIFY(!text(inner(log, "creator"), "name").isEmpty() && !text(inner(log, "creator"), "version").isEmpty());
        const QJsonArray entries = log.value(QStringLiteral("entries")).toArray();
        QCOMPARE(entries.size(), 3);
        const auto has = [](const QJsonObject &object, std::initializer_list<const char *> names) {
            return std::all_of(names.begin(), names.end(),
                               [&](const char *name) { return object.contains(QLatin1String(name)); });
        };
        for (const QJsonValue &value : entries) {
            const QJsonObject entry = value.toObject();
            QVERIFY(has(entry, {"startedDateTime", "time", "request", "response", "cache", "timings"}));
            QVERIFY(QDateTime::fromString(text(entry, "startedDateTime"), Qt::ISODateWithMs).isValid());
            QVERIFY(has(inner(entry, "request"), {"method", "url", "httpVersion", "cookies", "headers", "queryString",
                                                  "headersSize", "bodySize"}));
            QVERIFY(has(inner(entry, "response"), {"status", "statusText", "httpVersion", "cookies", "headers",
                                                   "content", "redirectURL", "headersSize", "bodySize"}));
            QVERIFY(has(inner(inner(entry, "response"), "content"), {"size", "mimeType"}));
            double sum = 0;
            for (const char *name : {"send", "wait", "receive"}) {
                const double ms = inner(entry, "timings").value(QLatin1String(name)).toDouble(-1);
                QVERIFY2(ms >= 0, name);
                sum += ms;
            }
            QVERIFY(std::abs(sum - entry.value(QStringLiteral("time")).toDouble()) < 0.001);
        }
        const QJsonObject first = entries[0].toObject();
        QCOMPARE(text(inner(first, "request"), "url"), bank.url() + QStringLiteral("/v1/charges"));
        QCOMPARE(text(inner(inner(first, "request"), "postData"), "text").toUtf8(), BankUnderTest::chargeBody());
        QCOMPARE(inner(first, "response").value(QStringLiteral("status")).toInt(), 201);
        QCOMPARE(inner(entries[2].toObject(), "response").value(QStringLiteral("status")).toInt(-1), 0);
    }
};

IKKAI_TEST_MAIN(BankJournalTest)
#include "tst_bank_journal.moc"
