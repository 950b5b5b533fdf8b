#include "tests/support/bank_under_test.h"
#include "tests/support/test.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QJsonDocument>
#include <QtCore/QTemporaryDir>

#include <memory>
#include <vector>

using namespace ikkai::test;

/// The calls of the control API that decide what strikes: rules, profile, magic amounts, scenario, clock, reset.
class BankFaultCallsTest : public ikkai::test::Test {
    Q_OBJECT

private:
    static QJsonArray listOf(const RawAnswer &answer, const char *name)
    {
        return answer.json().value(QLatin1StringView(name)).toArray();
    }

    /// Everything that a refused call must leave as it was.
    static QJsonObject standing(const BankUnderTest &bank)
    {
        QJsonObject state = bank.state();
        for (const char *moving : {"counters", "clock", "journal"})
            state.remove(QLatin1StringView(moving));
        const QJsonObject clock = bank.control("GET", "clock").json();
        state.insert(QStringLiteral("offset"), clock.value(QStringLiteral("offset_ms")));
        state.insert(QStringLiteral("frozen"), clock.value(QStringLiteral("frozen")));
        state.insert(QStringLiteral("accounts"), bank.control("GET", "accounts").json());
        state.insert(QStringLiteral("scenario"), bank.control("GET", "scenario").json());
        state.insert(QStringLiteral("profile"), bank.control("GET", "profile").json());
        state.insert(QStringLiteral("movements"), bank.movements());
        return state;
    }

private Q_SLOTS:
    void case_54_aBadCallNamesItsMemberAndChangesNothing()
    {
        BankUnderTest bank;
        bank.arm("unread:fin:attempt=99");
        bank.charge("before");
        const QJsonObject before = standing(bank);

        struct Bad {
            const char *method;
            const char *path;
            const char *body;
            int status;
            const char *field;
        };
        const std::initializer_list<Bad> calls{
            {"POST", "faults", "null", 400, "body"},
            {"POST", "faults", "\"unread:hold\"", 400, "body"},
            {"POST", "faults", "{\"spec\":\"unread:hold\"", 400, "body"},
            {"POST", "faults", "{}", 422, "placement"},
            {"POST", "faults", R"({"spec":""})", 422, "spec"},
            {"POST", "faults", R"({"spec":null})", 422, "spec"},
            {"POST", "faults", R"({"spec":["unread:hold"]})", 422, "spec"},
            {"POST", "faults", R"({"spec":"unread:hold","spec":"unread:fin"})", 422, "spec"},
            {"POST", "faults", R"({"spec":"half_way:fin"})", 422, "placement"},
            {"POST", "faults", R"({"spec":"after_commit:redis_lost_write"})", 422, "manifestation.kind"},
            {"POST", "faults", R"({"placement":"unread","manifestation":{"kind":"hold"},
                "selector":{"until":"2001-01-01T00:00:00Z"}})",
             422, "selector.until"},
            {"POST", "faults", R"({"placement":["unread"],"manifestation":{"kind":"hold"}})", 422, "placement"},
            {"POST", "faults", R"({"placement":"unread","manifestation":[]})", 422, "manifestation"},
            {"POST", "faults", R"({"placement":"unread","manifestation":{"kind":7}})", 422, "manifestation.kind"},
            {"POST", "faults", R"({"placement":"unread","manifestation":{"kind":"hold","kind":"fin"}})", 422,
             "manifestation.kind"},
            {"POST", "faults", R"({"placement":"unread","manifestation":{"kind":"hold"},"selector":7})", 422,
             "selector"},
            {"POST", "faults", R"({"placement":"unread","manifestation":{"kind":"hold"},"selector":{"nxt":1}})", 422,
             "selector.nxt"},
            {"POST", "faults", R"({"placement":"unread","manifestation":{"kind":"hold"},"selector":{"next":1e99}})",
             422, "selector.next"},
            {"POST", "faults", R"({"placement":"unread","manifestation":{"kind":"hold"},"selector":{"next":true}})",
             422, "selector.next"},
            {"PUT", "profile", "", 422, "name"},
            {"PUT", "profile", "[]", 400, "body"},
            {"PUT", "profile", R"({"name":7})", 422, "name"},
            {"PUT", "profile", R"({"name":""})", 422, "name"},
            {"PUT", "profile", R"({"name":"LAN"})", 422, "name"},
            {"PUT", "profile", R"({"name":"offline","loss":1})", 422, "loss"},
            {"PUT", "profile", R"({"name":"offline","name":"good"})", 422, "name"},
            {"PUT", "profile", R"({"name":"offline","seed":-1})", 422, "seed"},
            {"PUT", "profile", R"({"name":"offline","seed":1.5})", 422, "seed"},
            {"PUT", "profile", R"({"name":"offline","seed":"1"})", 422, "seed"},
            {"PUT", "profile", R"({"name":"offline","seed":9007199254740992})", 422, "seed"},
            {"PUT", "magic-amounts", "", 422, "on"},
            {"PUT", "magic-amounts", R"({"on":1})", 422, "on"},
            {"PUT", "magic-amounts", R"({"on":"true"})", 422, "on"},
            {"PUT", "magic-amounts", R"({"on":true,"off":false})", 422, "off"},
            {"POST", "clock", "", 422, "action"},
            {"POST", "clock", R"({"action":"stop"})", 422, "action"},
            {"POST", "clock", R"({"action":7})", 422, "action"},
            {"POST", "clock", R"({"advance_ms":0})", 422, "advance_ms"},
            {"POST", "clock", R"({"advance_ms":-5})", 422, "advance_ms"},
            {"POST", "clock", R"({"advance_ms":1.5})", 422, "advance_ms"},
            {"POST", "clock", R"({"advance_ms":"5"})", 422, "advance_ms"},
            {"POST", "clock", R"({"advance_ms":1e18})", 422, "advance_ms"},
            {"POST", "clock", R"({"action":"advance"})", 422, "advance_ms"},
            {"POST", "clock", R"({"action":"freeze","advance_ms":5})", 422, "advance_ms"},
            {"POST", "clock", R"({"advance":5})", 422, "advance"},
            {"POST", "reset", R"({"ledger":"yes"})", 422, "ledger"},
            {"POST", "reset", R"({"ledger":null})", 422, "ledger"},
            {"POST", "reset", R"({"money":true})", 422, "money"},
            {"POST", "reset", "[true]", 400, "body"},
            {"POST", "scenario", "", 422, "name"},
            {"POST", "scenario", "{]", 400, "body"},
            {"POST", "scenario", R"({"name":"","steps":[]})", 422, "name"},
            {"POST", "scenario", R"({"name":7,"steps":[]})", 422, "name"},
            {"POST", "scenario", R"({"name":"n"})", 422, "steps"},
            {"POST", "scenario", R"({"name":"n","steps":{}})", 422, "steps"},
            {"POST", "scenario", R"({"name":"n","steps":["unread:hold"]})", 422, "steps[0]"},
            {"POST", "scenario", R"({"name":"n","steps":[{}]})", 422, "steps[0].placement"},
            {"POST", "scenario", R"({"name":"n","steps":[],"seed":1.5})", 422, "seed"},
            {"POST", "scenario", R"({"name":"n","steps":[],"seed":9007199254740992})", 422, "seed"},
            {"POST", "scenario", R"({"name":"n","steps":[],"seed":1,"seed":2})", 422, "seed"},
            {"POST", "scenario", R"({"name":"n","steps":[],"words":{}})", 422, "words"},
            {"POST", "scenario", R"({"name":"n","steps":[],"expect":7})", 422, "expect"},
            {"POST", "scenario", R"({"name":"n","steps":[],"bank":7})", 422, "bank"},
            {"POST", "scenario", R"({"name":"n","steps":[],"bank":{"store":"x"}})", 422, "bank.store"},
            {"POST", "scenario", R"({"name":"n","steps":[],"bank":{"strategy":"best"}})", 422, "bank.strategy"},
            {"POST", "scenario", R"({"name":"n","steps":[],"bank":{"strategy":7}})", 422, "bank.strategy"},
            {"POST", "scenario", R"({"name":"n","steps":[],"bank":{"accounts":[]}})", 422, "bank.accounts"},
            {"POST", "scenario", R"({"name":"n","steps":[],"bank":{"accounts":{"card_ok":1,"card_low":-1}}})", 422,
             "bank.accounts.card_low"},
            {"POST", "scenario", R"({"name":"n","steps":[],"bank":{"accounts":{"card_ok":"1"}}})", 422,
             "bank.accounts.card_ok"},
            {"POST", "scenario", R"({"name":"n","steps":[],"bank":{"accounts":{"a b":1}}})", 422, "bank.accounts.a b"},
            {"POST", "scenario",
             R"({"name":"n","steps":[],"bank":{"accounts":{"card_ok":{"balance":1,"declining":1}}}})", 422,
             "bank.accounts.card_ok.declining"},
            {"POST", "scenario", R"({"name":"n","steps":[],"bank":{"accounts":{"card_ok":{"declining":true}}}})", 422,
             "bank.accounts.card_ok.balance"},
            {"POST", "scenario", R"({"name":"n","steps":[],"bank":{"accounts":{"card_ok":1,"card_ok":2}}})", 422,
             "bank.accounts.card_ok"},
            // The third of three steps is wrong, and the two before it are not played either.
            {"POST", "scenario", R"({"name":"n","bank":{"strategy":"naive","accounts":{"card_ok":1}},"steps":[
                {"placement":"unread","manifestation":{"kind":"hold"}},
                {"placement":"unread","manifestation":{"kind":"fin"},"selector":{"attempt":2}},
                {"placement":"unread","manifestation":{"kind":"status","code":200}}]})",
             422, "steps[2].manifestation.code"},
            {"POST", "scenario",
             R"({"name":"n","steps":[{"placement":"unread","manifestation":{"kind":"hold"},
                "selector":{"next":1,"next":2}}]})",
             422, "steps[0].selector.next"},
            {"POST", "scenario",
             R"({"name":"n","steps":[{"placement":"unread","manifestation":{"kind":"hold"},"selector":{"seed":1}}]})",
             422, "steps[0].selector.seed"},
            {"POST", "scenario",
             R"({"name":"n","bank":{"strategy":"atomic"},"steps":[{"placement":"half_way",
                "manifestation":{"kind":"fin"}}]})",
             422, "steps[0].placement"},
        };
        for (const Bad &call : calls) {
            const RawAnswer answer = bank.control(call.method, call.path, call.body);
            QVERIFY2(answer.status == call.status,
                     (QByteArray(call.path) + ' ' + call.body + '\n' + answer.body).constData());
            QCOMPARE(answer.json().value(QStringLiteral("field")).toString(), QString::fromLatin1(call.field));
            QVERIFY(answer.header("Content-Type").startsWith("application/problem+json"));
        }
        QCOMPARE(standing(bank), before);
    }

    void newCallsNeedTheTokenToo()
    {
        BankUnderTest bank;
        for (const char *call :
             {"GET profile", "PUT profile", "DELETE profile", "GET magic-amounts", "PUT magic-amounts", "GET clock",
              "POST clock", "POST reset", "GET scenario", "POST scenario", "DELETE scenario"}) {
            const QList<QByteArray> words = QByteArray(call).split(' ');
            QCOMPARE(bank.exchange(bank.request(words[0], "/control/" + words[1])).status, 401);
        }
    }

    void everyPairOfTheTableIsOfferedAndCanBeArmed()
    {
        BankUnderTest bank;
        const QJsonArray offered = bank.state().value(QStringLiteral("faults_offered")).toArray();
        QVERIFY(offered.size() > 70);
        for (const QJsonValue &value : offered) {
            const QJsonObject pair = value.toObject();
            const QString kind = pair.value(QStringLiteral("manifestation")).toString();
            const QJsonArray parameters = pair.value(QStringLiteral("parameters")).toArray();
            QJsonObject manifestation{{QStringLiteral("kind"), kind}};
            for (const char *needed : {"ms", "bytes", "bytes_per_s", "s"}) {
                if (parameters.contains(QString::fromLatin1(needed)))
                    manifestation.insert(QString::fromLatin1(needed), 100);
            }
            // A closed port would end the test, and a rule that is left would strike the calls after it.
            if (kind == QStringLiteral("refuse"))
                continue;
            const QJsonObject rule{{QStringLiteral("placement"), pair.value(QStringLiteral("placement"))},
                                   {QStringLiteral("manifestation"), manifestation}};
            const bool offeredHere =
                pair.value(QStringLiteral("strategies")).toArray().contains(QStringLiteral("atomic"));
            const bool connection = pair.value(QStringLiteral("placement")) == QStringLiteral("connect");
            if (connection)
                continue;
            const RawAnswer answer = bank.control("POST", "faults", QJsonDocument(rule).toJson());
            QVERIFY2(answer.status == (offeredHere ? 201 : 422), answer.body.constData());
            QCOMPARE(answer.json().contains(QStringLiteral("id")), offeredHere);
        }
    }

    void case_49_aRuleReachesAConnectionThatWasOpenBeforeIt()
    {
        BankUnderTest bank;
        RawConnection kept(bank.port());
        kept.send(bank.chargeRequest("a"));
        QCOMPARE(kept.read().status, 201);
        const QString id = bank.arm("unread:status(code=503):next=1");
        kept.send(bank.chargeRequest("b"));
        QCOMPARE(kept.read().status, 503);
        kept.send(bank.chargeRequest("b", 2));
        QCOMPARE(kept.read().status, 201);
        QTRY_COMPARE(bank.fault(id).value(QStringLiteral("light")).toString(), QStringLiteral("healed"));
    }

    void case_46_underP0NothingIsStruckAndUnderP1Everything()
    {
        BankUnderTest bank;
        bank.arm("unread:status(code=503):probability=0:seed=1");
        bank.arm("unread:status(code=500):probability=1:seed=1:source=card_low");
        for (int i = 0; i < 20; ++i) {
            QCOMPARE(bank.charge("a" + QByteArray::number(i), 1, BankUnderTest::chargeBody(1)).status, 201);
            QCOMPARE(bank.charge("b" + QByteArray::number(i), 1, BankUnderTest::chargeBody(1, "card_low")).status, 500);
        }
    }

    void aRuleExpiresByItselfAndSaysSo()
    {
        BankUnderTest bank;
        RawConnection stream(bank.port());
        stream.send(bank.request("GET", "/control/events", "Authorization: Bearer " + bank.controlToken() + "\r\n"));
        stream.readUntil("retry:");
        const QString id = bank.arm("unread:hold:for_s=0.05");
        const QByteArray told = stream.readUntil("\"not_fired\"");
        QVERIFY2(told.contains("\"rule_id\":\"" + id.toLatin1() + '"'), told.constData());
        QCOMPARE(bank.fault(id).value(QStringLiteral("light")).toString(), QStringLiteral("not_fired"));
        QCOMPARE(bank.charge("a").status, 201);
    }

    void whatTheOptionsAskForStrikesFromTheFirstRequestOn()
    {
        mockbank::MockServerOptions options;
        options.faults = {std::get<mockbank::Fault>(mockbank::parseFault("unread:status(code=503):next=1"))};
        options.magicAmounts = true;
        options.profile = QStringLiteral("good");
        BankUnderTest bank(options);
        QCOMPARE(bank.charge("a").status, 503);
        QCOMPARE(bank.charge("a", 2, BankUnderTest::chargeBody(1051)).status, 402);
        QCOMPARE(bank.state().value(QStringLiteral("profile")).toObject().value(QStringLiteral("name")).toString(),
                 QStringLiteral("good"));
        // A crash is the bank's affair, not the trainer's: rules outlive it.
        bank.server().crash(10);
        QVERIFY(bank.waitUntilBack());
        QCOMPARE(bank.fault(QStringLiteral("f1")).value(QStringLiteral("ended")).toString(), QStringLiteral("spent"));
    }

    void aBankWhoseOptionsCannotStrikeDoesNotStart()
    {
        mockbank::MockServerOptions options;
        options.faults = {std::get<mockbank::Fault>(mockbank::parseFault("half_way:fin"))};
        mockbank::MockServer server;
        const auto started = server.start(options);
        QVERIFY(std::holds_alternative<mockbank::StartError>(started));
        QVERIFY(std::get<mockbank::StartError>(started).detail.contains(QStringLiteral("half_way:fin")));
    }

    void case_51_theControlPlaneNeverWaitsForAFault()
    {
        BankUnderTest bank;
        bank.arm("in_transit:hold");
        std::vector<std::unique_ptr<RawConnection>> waiting;
        for (int i = 0; i < 50; ++i) {
            waiting.push_back(std::make_unique<RawConnection>(bank.port()));
            waiting.back()->send(bank.chargeRequest("k" + QByteArray::number(i)));
        }
        QTRY_COMPARE(bank.held().size(), 50);
        QElapsedTimer clock;
        clock.start();
        QCOMPARE(bank.control("DELETE", "faults").status, 200);
        QCOMPARE(bank.control("POST", "faults", R"({"spec":"unread:fin:attempt=9"})").status, 201);
        QCOMPARE(bank.control("PUT", "profile", R"({"name":"good"})").status, 200);
        QCOMPARE(bank.control("GET", "scenario").status, 200);
        // Generous for a busy machine; a plane that waited for what is held would never answer.
        QVERIFY2(clock.elapsed() < 2000, qPrintable(QString::number(clock.elapsed())));
        QCOMPARE(bank.held().size(), 50);
    }

    void aDeclineIsTheBanksOwnAndIsRemembered()
    {
        BankUnderTest bank;
        bank.arm("before_commit:decline(decline_code=expired_card):next=1");
        const RawAnswer first = bank.charge("a");
        QCOMPARE(first.status, 402);
        QCOMPARE(first.json().value(QStringLiteral("decline_code")).toString(), QStringLiteral("expired_card"));
        const RawAnswer again = bank.charge("a", 2);
        QCOMPARE(again.status, 402);
        QVERIFY(again.replayed());
        QCOMPARE(bank.balance(), 100'000);
        QCOMPARE(bank.chargesOf("a"), 0);
        QCOMPARE(bank.charge("b").status, 201);
    }

    void aListIsStruckByItsTerminal()
    {
        BankUnderTest bank;
        bank.arm("unread:status(code=503):route=list:terminal=till-1");
        QCOMPARE(bank.exchange(bank.request("GET", "/v1/charges?terminal_id=till-1")).status, 503);
        QCOMPARE(bank.exchange(bank.request("GET", "/v1/charges?terminal_id=till-2")).status, 200);
        QCOMPARE(bank.exchange(bank.request("GET", "/v1/charges")).status, 200);
    }

    void magicAmountsAreOffUntilALessonAsks()
    {
        BankUnderTest bank;
        QCOMPARE(bank.charge("a", 1, BankUnderTest::chargeBody(1051)).status, 201);
        const RawAnswer on = bank.control("PUT", "magic-amounts", R"({"on":true})");
        QCOMPARE(on.status, 200);
        QCOMPARE(listOf(on, "legend").size(), 7);
        QCOMPARE(bank.charge("b", 1, BankUnderTest::chargeBody(1051)).json().value(QStringLiteral("decline_code")),
                 QStringLiteral("insufficient_funds"));
        QCOMPARE(bank.charge("c", 1, BankUnderTest::chargeBody(1091)).status, 503);
        const RawAnswer busy = bank.charge("d", 1, BankUnderTest::chargeBody(1009));
        QCOMPARE(busy.status, 409);
        QCOMPARE(busy.problem(), "idempotency-key-in-progress");
        QCOMPARE(bank.charge("e", 1, BankUnderTest::chargeBody(1069), 100).ending, Ending::Silent);
        const RawAnswer replay = bank.charge("e", 2, BankUnderTest::chargeBody(1069));
        QCOMPARE(replay.status, 201);
        QVERIFY(replay.replayed());
        QCOMPARE(bank.control("PUT", "magic-amounts", R"({"on":false})").status, 200);
        QCOMPARE(bank.charge("f", 1, BankUnderTest::chargeBody(1091)).status, 201);
    }

    void aProfileIsSetShownAndTakenAway()
    {
        BankUnderTest bank;
        const RawAnswer shown = bank.control("GET", "profile");
        QVERIFY(shown.json().value(QStringLiteral("name")).isNull());
        QCOMPARE(listOf(shown, "offered").size(), 5);
        const RawAnswer set = bank.control("PUT", "profile", R"({"name":"Offline","seed":7})");
        QCOMPARE(set.status, 200);
        QCOMPARE(set.json().value(QStringLiteral("name")).toString(), QStringLiteral("offline"));
        QCOMPARE(set.json().value(QStringLiteral("seed")).toInt(), 7);
        QCOMPARE(bank.state().value(QStringLiteral("profile")).toObject().value(QStringLiteral("name")).toString(),
                 QStringLiteral("offline"));
        QCOMPARE(bank.charge("a", 1, BankUnderTest::chargeBody(), 100).ending, Ending::Silent);
        QCOMPARE(bank.exchange(bank.request("GET", "/v1/charges/a"), 100).ending, Ending::Silent);
        QCOMPARE(bank.control("DELETE", "profile").status, 200);
        QCOMPARE(bank.charge("a", 2).status, 201);
        QVERIFY(!bank.charge("a", 3).header("Idempotent-Replayed").isEmpty());
    }

    void theClockIsFrozenAdvancedAndSetRight()
    {
        BankUnderTest bank;
        QCOMPARE(bank.charge("a").status, 201);
        QVERIFY(
            bank.control("POST", "clock", R"({"action":"freeze"})").json().value(QStringLiteral("frozen")).toBool());
        const qint64 frozenAt = bank.control("GET", "clock").json().value(QStringLiteral("now_ms")).toInteger();
        QCOMPARE(bank.control("GET", "clock").json().value(QStringLiteral("now_ms")).toInteger(), frozenAt);
        const RawAnswer advanced = bank.control("POST", "clock", R"({"advance_ms":90000000})");
        QCOMPARE(advanced.json().value(QStringLiteral("now_ms")).toInteger(), frozenAt + 90'000'000);
        // A day and an hour later the stored answer has ended; the ledger has not forgotten the key.
        const RawAnswer later = bank.charge("a", 2);
        QCOMPARE(later.status, 410);
        QCOMPARE(later.json().value(QStringLiteral("ledger")).toString(), QStringLiteral("charged"));
        QCOMPARE(bank.control("POST", "clock", R"({"action":"resume"})").status, 200);
        const RawAnswer right = bank.control("POST", "clock", R"({"action":"reset"})");
        QCOMPARE(right.json().value(QStringLiteral("offset_ms")).toInteger(), 0);
        QVERIFY(!right.json().value(QStringLiteral("frozen")).toBool(true));
    }

    void case_57_aResetIsComplete()
    {
        BankUnderTest bank;
        bank.arm("after_commit:hold:next=1");
        bank.control("PUT", "profile", R"({"name":"slow_3g"})");
        bank.control("PUT", "magic-amounts", R"({"on":true})");
        QCOMPARE(bank.control("POST", "scenario",
                              R"({"name":"n","steps":[{"placement":"unread","manifestation":{"kind":"fin"}}]})")
                     .status,
                 201);
        bank.control("POST", "clock", R"({"advance_ms":1000})");
        RawConnection waiting(bank.port());
        waiting.send(bank.chargeRequest("a"));
        QTRY_COMPARE(bank.held().size(), 1);

        const RawAnswer reset = bank.control("POST", "reset", "{}");
        QCOMPARE(reset.status, 200);
        QCOMPARE(reset.json().value(QStringLiteral("held_cut")).toInt(), 1);
        QVERIFY(waiting.waitForEnd() == Ending::Closed);
        const QJsonObject state = bank.state();
        QCOMPARE(state.value(QStringLiteral("faults")).toArray().size(), 0);
        QVERIFY(state.value(QStringLiteral("profile")).toObject().value(QStringLiteral("name")).isNull());
        QVERIFY(!state.value(QStringLiteral("magic_amounts")).toBool(true));
        QVERIFY(bank.control("GET", "scenario").json().value(QStringLiteral("scenario")).isNull());
        QCOMPARE(state.value(QStringLiteral("clock")).toObject().value(QStringLiteral("offset_ms")).toInteger(), 0);
        // The money stays, and with it the ledger.
        QCOMPARE(state.value(QStringLiteral("ledger_id")).toString(), bank.ledgerId());
        QCOMPARE(bank.chargesOf("a"), 1);
        // The attempt is nobody's memory any more: the same one again is decided anew.
        QCOMPARE(bank.charge("a", 1).status, 201);

        const RawAnswer all = bank.control("POST", "reset", R"({"ledger":true})");
        QVERIFY(all.json().value(QStringLiteral("ledger_id")).toString() != bank.ledgerId());
        QCOMPARE(bank.movements().size(), 0);
        QCOMPARE(bank.balance(), 100'000);
        QVERIFY(!bank.charge("a", 2).replayed());
    }

    void case_57_aResetForgetsAlsoWhatAFaultOnlyDelays()
    {
        BankUnderTest bank;
        bank.arm("unread:delay(ms=600):next=1");
        RawConnection waiting(bank.port());
        waiting.send(bank.chargeRequest("a"));
        QTRY_COMPARE(bank.state()
                         .value(QStringLiteral("faults"))
                         .toArray()
                         .first()
                         .toObject()
                         .value(QStringLiteral("fired"))
                         .toInt(),
                     1);
        QCOMPARE(bank.control("POST", "reset", "{}").status, 200);
        QVERIFY(waiting.waitForEnd() == Ending::Closed);
        // A later one that waits as long has been charged: the first would have been before it.
        bank.arm("unread:delay(ms=700):next=1");
        QCOMPARE(bank.charge("b").status, 201);
        QCOMPARE(bank.chargesOf("a"), 0);
        QCOMPARE(bank.movements().size(), 1);
    }

    void case_54_aParameterThatNobodyReadsIsRefused_data()
    {
        QTest::addColumn<QByteArray>("method");
        QTest::addColumn<QByteArray>("path");
        const auto row = [](const char *method, const char *path) {
            QTest::newRow(path) << QByteArray(method) << QByteArray(path);
        };
        row("DELETE", "faults?key=k1");
        row("GET", "faults?limit=x");
        row("GET", "keys?x=1");
        row("GET", "state?x=1");
        row("GET", "accounts?x=1");
        row("POST", "reset?ledger=true");
    }

    void case_54_aParameterThatNobodyReadsIsRefused()
    {
        QFETCH(QByteArray, method);
        QFETCH(QByteArray, path);
        BankUnderTest bank;
        bank.arm("after_commit:rst:key=k2");
        const RawAnswer answer = bank.control(method, path, method == "POST" ? "{}" : "");
        QCOMPARE(answer.status, 422);
        const QByteArray name = path.mid(path.indexOf('?') + 1);
        QCOMPARE(answer.json().value(QStringLiteral("field")).toString().toLatin1(), name.first(name.indexOf('=')));
        QCOMPARE(bank.state()
                     .value(QStringLiteral("faults"))
                     .toArray()
                     .first()
                     .toObject()
                     .value(QStringLiteral("ended"))
                     .isNull(),
                 true);
        const RawAnswer inquiry = bank.exchange(bank.request("GET", "/v1/charges/q?foo=1"));
        QCOMPARE(inquiry.status, 400);
        QCOMPARE(inquiry.json().value(QStringLiteral("field")).toString(), QStringLiteral("foo"));
    }

    void theHealthOfABankNamesTheLedgerThatAnotherBankHasReset()
    {
        QTemporaryDir folder;
        mockbank::MockServerOptions options;
        options.bank.store = QStringLiteral("sqlite:") + folder.filePath(QStringLiteral("shared.sqlite"));
        options.bank.instance = QStringLiteral("a");
        BankUnderTest first(options);
        options.bank.instance = QStringLiteral("b");
        const BankUnderTest second(options);
        const QString fresh =
            first.control("POST", "reset", R"({"ledger":true})").json().value(QStringLiteral("ledger_id")).toString();
        QVERIFY(fresh != second.ledgerId());
        const RawAnswer health = second.exchange(second.request("GET", "/healthz"));
        QCOMPARE(health.json().value(QStringLiteral("ledger_id")).toString(), fresh);
    }

    void aScenarioRunsWholeAndStops()
    {
        BankUnderTest bank;
        const RawAnswer run = bank.control("POST", "scenario", R"({"name":"Answer lost, then trouble","seed":42,
            "bank":{"strategy":"atomic","accounts":{"card_ok":5000,"card_vip":{"balance":7,"declining":true}}},
            "steps":[{"selector":{"route":"charge","attempt":1},"placement":"after_commit","manifestation":{"kind":"fin"}},
                     {"selector":{"route":"charge","attempt":2},"placement":"unread",
                      "manifestation":{"kind":"status","code":503,"retry_after":"2"}}],
            "expect":{"charges_per_order":1,"outcome":"approved"}})");
        QVERIFY2(run.status == 201, run.body.constData());
        QCOMPARE(listOf(run, "faults").size(), 2);
        QCOMPARE(bank.balance(), 5000);
        QCOMPARE(bank.balance(QStringLiteral("card_vip")), 7);
        QCOMPARE(bank.charge("k", 1).ending, Ending::Closed);
        const RawAnswer trouble = bank.charge("k", 2);
        QCOMPARE(trouble.status, 503);
        QCOMPARE(trouble.header("Retry-After"), "2");
        const RawAnswer replay = bank.charge("k", 3);
        QCOMPARE(replay.status, 201);
        QVERIFY(replay.replayed());
        QCOMPARE(bank.chargesOf("k"), 1);

        const RawAnswer shown = bank.control("GET", "scenario");
        QCOMPARE(shown.json().value(QStringLiteral("scenario")).toObject().value(QStringLiteral("name")).toString(),
                 QStringLiteral("Answer lost, then trouble"));
        QCOMPARE(bank.control("DELETE", "scenario").json().value(QStringLiteral("stopped")).toInt(), 2);
        QCOMPARE(bank.charge("l", 1).status, 201);
        QVERIFY(bank.control("GET", "scenario").json().value(QStringLiteral("scenario")).isNull());
    }

    void aScenarioSwitchesTheStrategyItNeeds()
    {
        BankUnderTest bank;
        const RawAnswer run = bank.control("POST", "scenario", R"({"name":"n","bank":{"strategy":"naive"},
            "steps":[{"placement":"half_way","manifestation":{"kind":"fin"},"selector":{"attempt":1}}]})");
        QVERIFY2(run.status == 201, run.body.constData());
        QCOMPARE(bank.state().value(QStringLiteral("strategy")).toString(), QStringLiteral("naive"));
        QCOMPARE(bank.charge("k", 1).ending, Ending::Closed);
        QCOMPARE(bank.charge("k", 2).status, 201);
        QCOMPARE(bank.balance(), 100'000 - 2 * 1200);

        // What the next strategy has no place for ends, and is named.
        const RawAnswer back = bank.control("PUT", "strategy", R"({"name":"atomic"})");
        QCOMPARE(listOf(back, "ended_rules"), QJsonArray{QStringLiteral("s1")});
        QCOMPARE(bank.fault(QStringLiteral("s1")).value(QStringLiteral("ended")).toString(),
                 QStringLiteral("strategy_changed"));
    }
};

IKKAI_TEST_MAIN(BankFaultCallsTest)
#include "tst_bank_fault_calls.moc"
