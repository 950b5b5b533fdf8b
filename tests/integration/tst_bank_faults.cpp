#include "tests/support/bank_under_test.h"
#include "tests/support/test.h"

#include <memory>
#include <vector>

using namespace ikkai::test;

namespace {

constexpr int shortWaitMs = 300;

} // namespace

/// Every legal pair of placement and manifestation on real sockets: what the client sees, what the money did, and that
/// the next attempt with the same key ends in exactly one charge.
class BankFaultsTest : public ikkai::test::Test {
    Q_OBJECT

private Q_SLOTS:
    void everyLegalPair_data()
    {
        QTest::addColumn<QByteArray>("spec");
        QTest::addColumn<Ending>("ending");
        QTest::addColumn<int>("status");        // of what the client got, 0 for no complete answer
        QTest::addColumn<bool>("moneyMoved");   // by the first attempt
        QTest::addColumn<bool>("bytesArrived"); // some of an answer, though not all

        const auto row = [](const char *spec, Ending ending, int status, bool moneyMoved, bool bytesArrived = false) {
            QTest::newRow(spec) << QByteArray(spec) << ending << status << moneyMoved << bytesArrived;
        };
        row("unread:hold", Ending::Silent, 0, false);
        row("unread:fin", Ending::Closed, 0, false);
        row("unread:rst", Ending::Reset, 0, false);
        row("unread:delay(ms=20)", Ending::Complete, 201, true);
        row("unread:status(code=503)", Ending::Complete, 503, false);
        row("unread:status(code=404,body=html)", Ending::Complete, 404, false);
        row("unread:restart(ms=20)", Ending::Reset, 0, false);

        row("before_commit:hold", Ending::Silent, 0, false);
        row("before_commit:fin", Ending::Closed, 0, false);
        row("before_commit:rst", Ending::Reset, 0, false);
        row("before_commit:delay(ms=20)", Ending::Complete, 201, true);
        row("before_commit:status(code=500)", Ending::Complete, 500, false);
        row("before_commit:restart(ms=20)", Ending::Reset, 0, false);

        row("after_commit:hold", Ending::Silent, 0, true);
        row("after_commit:fin", Ending::Closed, 0, true);
        row("after_commit:rst", Ending::Reset, 0, true);
        row("after_commit:delay(ms=20)", Ending::Complete, 201, true);
        row("after_commit:status(code=502,body=html)", Ending::Complete, 502, true);
        row("after_commit:restart(ms=20)", Ending::Reset, 0, true);

        row("mid_answer:hold", Ending::Silent, 0, true, true);
        row("mid_answer:fin", Ending::Closed, 0, true, true);
        row("mid_answer:fin(at=0)", Ending::Closed, 0, true, false);
        row("mid_answer:fin(at=1)", Ending::Closed, 0, true, true);
        row("mid_answer:fin(at=0.5)", Ending::Closed, 0, true, true);
        row("mid_answer:fin(at=status_line)", Ending::Closed, 0, true, true);
        row("mid_answer:fin(at=headers)", Ending::Closed, 0, true, true);
        row("mid_answer:fin(at=1000000)", Ending::Closed, 0, true, true);
        row("mid_answer:rst", Ending::Reset, 0, true, true);
        row("mid_answer:delay(ms=20)", Ending::Complete, 201, true);
        row("mid_answer:restart(ms=20)", Ending::Reset, 0, true, true);
    }
    void everyLegalPair()
    {
        QFETCH(QByteArray, spec);
        QFETCH(Ending, ending);
        QFETCH(int, status);
        QFETCH(bool, moneyMoved);
        QFETCH(bool, bytesArrived);
        BankUnderTest bank;
        const QString rule = bank.arm(spec + ":next=1");

        {
            RawConnection client(bank.port());
            QVERIFY(client.send(bank.chargeRequest("k", 1)));
            const RawAnswer answer = client.read(ending == Ending::Silent ? shortWaitMs : 5000);
            QCOMPARE(answer.ending, ending);
            if (ending == Ending::Complete)
                QCOMPARE(answer.status, status);
            else
                QCOMPARE(!answer.bytes.isEmpty(), bytesArrived);
            if (spec.contains("html"))
                QVERIFY(answer.header("Content-Type").startsWith("text/html"));
        }
        QVERIFY(bank.waitUntilBack());
        QCOMPARE(bank.chargesOf("k"), moneyMoved ? 1 : 0);
        QCOMPARE(bank.balance(), moneyMoved ? 98'800 : 100'000);
        QTRY_COMPARE(bank.fault(rule).value(QStringLiteral("fired")).toInt(), 1);

        const RawAnswer second = bank.charge("k", 2);
        QCOMPARE(second.status, 201);
        QCOMPARE(second.replayed(), moneyMoved);
        QCOMPARE(bank.chargesOf("k"), 1);
        QCOMPARE(bank.balance(), 98'800);
        QCOMPARE(bank.arrivals(), 2);
        QTRY_COMPARE(bank.fault(rule).value(QStringLiteral("light")).toString(), QStringLiteral("healed"));
        QCOMPARE(bank.held().size(), 0);
    }

    void aFaultOfOneAttemptIsTheSameForItsReSend()
    {
        BankUnderTest bank;
        bank.arm("unread:fin:next=1");
        QCOMPARE(bank.charge("k", 1).ending, Ending::Closed);
        QCOMPARE(bank.charge("k", 1).ending, Ending::Closed);
        QCOMPARE(bank.charge("k", 2).status, 201);
        QCOMPARE(bank.arrivals(), 3);
    }

    void aRuleStrikesChargesOnly()
    {
        BankUnderTest bank;
        QCOMPARE(bank.charge("k", 1).status, 201);
        bank.arm("unread:fin");
        QCOMPARE(bank.inquire("k").status, 200);
        QCOMPARE(bank.exchange(bank.request("GET", "/healthz")).status, 200);
        QCOMPARE(bank.charge("k", 2).ending, Ending::Closed);
    }

    void aFaultInTheRequestNeedsTheControlToken()
    {
        BankUnderTest bank;
        const QByteArray body = BankUnderTest::chargeBody();
        const QByteArray token = "Control-Token: " + bank.controlToken() + "\r\n";
        const RawAnswer refused = bank.exchange(bank.chargeRequest("k", 1, body, "Fault: after_commit:fin\r\n"));
        QCOMPARE(refused.status, 401);
        QCOMPARE(refused.problem(), "control-token-required");
        const RawAnswer wrong =
            bank.exchange(bank.chargeRequest("k", 1, body, "Fault: after_commit:fin\r\nControl-Token: x\r\n"));
        QCOMPARE(wrong.status, 401);
        const RawAnswer unknown = bank.exchange(bank.chargeRequest("k", 1, body, "Fault: late:hold\r\n" + token));
        QCOMPARE(unknown.status, 422);
        QCOMPARE(unknown.json().value(QStringLiteral("field")).toString(), QStringLiteral("manifestation.kind"));
        QCOMPARE(bank.movements().size(), 0);

        bank.arm("unread:rst");
        const RawAnswer struck = bank.exchange(bank.chargeRequest("k", 1, body, "Fault: after_commit:fin\r\n" + token));
        QCOMPARE(struck.ending, Ending::Closed);
        QCOMPARE(bank.chargesOf("k"), 1);
    }

    void aFaultInAnyCallOfTheDataPlaneStrikesIt()
    {
        BankUnderTest bank;
        const auto header = [&](const QByteArray &spec) {
            return "Fault: " + spec + "\r\nControl-Token: " + bank.controlToken() + "\r\n";
        };
        QCOMPARE(bank.charge("k").status, 201);
        QCOMPARE(bank.exchange(bank.request("GET", "/v1/charges/k", header("unread:fin"))).ending, Ending::Closed);
        QCOMPARE(bank.exchange(bank.request("GET", "/v1/charges", header("after_commit:rst"))).ending, Ending::Reset);
        const RawAnswer other = bank.exchange(bank.request("GET", "/v1/charges/k", header("unread:fin:route=void")));
        QCOMPARE(other.status, 422);
        QCOMPARE(other.json().value(QStringLiteral("field")).toString(), QStringLiteral("selector.route"));
        const RawAnswer health = bank.exchange(bank.request("GET", "/healthz", header("unread:fin")));
        QCOMPARE(health.status, 422);
        QCOMPARE(health.json().value(QStringLiteral("field")).toString(), QStringLiteral("Fault"));
    }

    void aDelayedRequestIsChargedAlthoughItsClientHasGone_data()
    {
        QTest::addColumn<QByteArray>("spec");
        QTest::newRow("unread") << QByteArray("unread:delay(ms=50):next=1");
        QTest::newRow("before_commit") << QByteArray("before_commit:delay(ms=50):next=1");
    }
    void aDelayedRequestIsChargedAlthoughItsClientHasGone()
    {
        QFETCH(QByteArray, spec);
        BankUnderTest bank;
        const QString rule = bank.arm(spec);
        {
            RawConnection client(bank.port());
            client.send(bank.chargeRequest("k"));
            QTRY_COMPARE(bank.fault(rule).value(QStringLiteral("fired")).toInt(), 1);
        }
        QTRY_COMPARE(bank.chargesOf("k"), 1);
        QVERIFY(bank.charge("k", 2).replayed());
    }

    void aMadeUpAnswerLooksLikeOne()
    {
        BankUnderTest bank;
        bank.arm("unread:status(code=429,retry_after=\"Wed, 21 Oct 2015 07:28:00 GMT\"):next=1");
        const RawAnswer answer = bank.charge("k");
        QCOMPARE(answer.status, 429);
        QCOMPARE(answer.header("Retry-After"), "Wed, 21 Oct 2015 07:28:00 GMT");
        QCOMPARE(answer.header("Content-Type"), "application/problem+json");
        QCOMPARE(answer.problem(), "too-many-requests");
        QVERIFY(answer.header("Idempotent-Replayed").isEmpty());
    }

    void case_49_armingCoversConnectionsThatAreOpenAlready()
    {
        BankUnderTest bank;
        RawConnection client(bank.port());
        client.send(bank.chargeRequest("a", 1));
        QCOMPARE(client.read().status, 201);
        bank.arm("unread:status(code=503):next=1");
        client.send(bank.chargeRequest("b", 1));
        QCOMPARE(client.read().status, 503);
        client.send(bank.chargeRequest("b", 2));
        QCOMPARE(client.read().status, 201);
    }

    void case_50_aResetIsAResetOnTheWire()
    {
        BankUnderTest bank;
        QCOMPARE(bank.state().value(QStringLiteral("rst")).toString(), QStringLiteral("reset"));
        QCOMPARE(bank.state().value(QStringLiteral("fin")).toString(), QStringLiteral("orderly close"));
        bank.arm("unread:rst:next=1");
        RawConnection client(bank.port());
        client.send(bank.chargeRequest("k"));
        QCOMPARE(client.waitForEnd(), Ending::Reset);

        bank.arm("unread:fin:next=1");
        RawConnection other(bank.port());
        other.send(bank.chargeRequest("k", 2));
        QCOMPARE(other.waitForEnd(), Ending::Closed);
    }

    void case_51_theControlPlaneAnswersWhileAnswersAreHeld()
    {
        BankUnderTest bank;
        bank.arm("after_commit:hold");
        std::vector<std::unique_ptr<RawConnection>> clients;
        for (int i = 0; i < 20; ++i) {
            clients.push_back(std::make_unique<RawConnection>(bank.port()));
            clients.back()->send(bank.chargeRequest("k" + QByteArray::number(i)));
        }
        QTRY_COMPARE(bank.held().size(), 20);
        QElapsedTimer clock;
        clock.start();
        QCOMPARE(bank.control("GET", "state").status, 200);
        QCOMPARE(bank.movements().size(), 20);
        QCOMPARE(bank.control("DELETE", "faults").status, 200);
        QVERIFY2(clock.elapsed() < 1500, qPrintable(QString::number(clock.elapsed())));
    }

    void aHeldAnswerCanBeReleasedDroppedOrCut()
    {
        BankUnderTest bank;
        bank.arm("after_commit:hold:next=3");
        RawConnection released(bank.port());
        released.send(bank.chargeRequest("released"));
        QTRY_COMPARE(bank.held().size(), 1);
        RawConnection dropped(bank.port());
        dropped.send(bank.chargeRequest("dropped"));
        QTRY_COMPARE(bank.held().size(), 2);
        RawConnection cut(bank.port());
        cut.send(bank.chargeRequest("cut"));
        QTRY_COMPARE(bank.held().size(), 3);

        const auto idOf = [&](const QString &key) {
            for (const QJsonValue &held : bank.held()) {
                if (held.toObject().value(QStringLiteral("idempotency_key")).toString() == key)
                    return QByteArray::number(held.toObject().value(QStringLiteral("id")).toInteger());
            }
            return QByteArray();
        };
        const QByteArray releasedId = idOf(QStringLiteral("released"));
        QCOMPARE(bank.control("POST", "held/" + releasedId, R"({"action":"release"})").status, 200);
        const RawAnswer late = released.read();
        QCOMPARE(late.status, 201);
        QVERIFY(!late.replayed());
        QCOMPARE(bank.control("POST", "held/" + releasedId, R"({"action":"release"})").status, 404);

        QCOMPARE(bank.control("POST", "held/" + idOf(QStringLiteral("dropped")), R"({"action":"drop"})").status, 200);
        QCOMPARE(dropped.read(shortWaitMs).ending, Ending::Silent);

        const QByteArray cutId = idOf(QStringLiteral("cut"));
        const RawAnswer twice = bank.control("POST", "held/" + cutId, R"({"action":"twice"})");
        QCOMPARE(twice.status, 422); // an answer goes once
        QCOMPARE(bank.control("POST", "held/" + cutId, R"({"action":"cut"})").status, 200);
        QCOMPARE(cut.read().ending, Ending::Closed);
        QCOMPARE(bank.held().size(), 0);
        QCOMPARE(bank.movements().size(), 3);
    }

    void aRequestHeldUnreadIsChargedWhenItIsReleased()
    {
        BankUnderTest bank;
        bank.arm("unread:hold:next=1");
        RawConnection client(bank.port());
        client.send(bank.chargeRequest("k"));
        QTRY_COMPARE(bank.held().size(), 1);
        QCOMPARE(bank.movements().size(), 0);
        const QByteArray id = QByteArray::number(bank.held()[0].toObject().value(QStringLiteral("id")).toInteger());
        QCOMPARE(bank.control("POST", "held/" + id, R"({"action":"release"})").status, 200);
        QCOMPARE(client.read().status, 201);
        QCOMPARE(bank.chargesOf("k"), 1);
    }

    void aHeldAnswerIsForgottenWhenItsClientGoes()
    {
        BankUnderTest bank;
        bank.arm("after_commit:hold:next=2");
        {
            RawConnection orderly(bank.port());
            orderly.send(bank.chargeRequest("a"));
            RawConnection brutal(bank.port());
            brutal.send(bank.chargeRequest("b"));
            QTRY_COMPARE(bank.held().size(), 2);
            brutal.reset();
        }
        QTRY_COMPARE(bank.held().size(), 0);
        QCOMPARE(bank.movements().size(), 2);
    }

    void case_52_delaysRunSideBySide()
    {
        BankUnderTest bank;
        bank.arm("after_commit:delay(ms=300)");
        QElapsedTimer clock;
        clock.start();
        std::vector<std::unique_ptr<RawConnection>> clients;
        for (int i = 0; i < 50; ++i) {
            clients.push_back(std::make_unique<RawConnection>(bank.port()));
            clients.back()->send(bank.chargeRequest("k" + QByteArray::number(i)));
        }
        for (const auto &client : clients)
            QCOMPARE(client->read().status, 201);
        QVERIFY(clock.elapsed() >= 300);
        QVERIFY2(clock.elapsed() < 3000, qPrintable(QString::number(clock.elapsed())));
    }

    void case_55_aClientThatLeavesEarlyIsChargedAndNoErrorIsLogged()
    {
        mockbank::MockServerOptions options;
        options.bank.processing = std::chrono::milliseconds(100);
        BankUnderTest bank(options);
        {
            RawConnection client(bank.port());
            client.send(bank.chargeRequest("k"));
        }
        QTRY_COMPARE(bank.chargesOf("k"), 1);
        const RawAnswer second = bank.charge("k", 2);
        QCOMPARE(second.status, 201);
        QVERIFY(second.replayed());
    }

    void case_58_afterACrashTheBankIsBackOnTheSamePortWithItsLedger()
    {
        BankUnderTest bank;
        QCOMPARE(bank.charge("before").status, 201);
        const QString run = bank.state().value(QStringLiteral("run_id")).toString();
        const QString ledger = bank.state().value(QStringLiteral("ledger_id")).toString();

        RawConnection idle(bank.port());
        const RawAnswer accepted = bank.control("POST", "restart", R"({"down_ms":200})");
        QCOMPARE(accepted.status, 202);
        QCOMPARE(idle.waitForEnd(), Ending::Reset);
        QVERIFY(!RawConnection(bank.port()).isConnected());

        QVERIFY(bank.waitUntilBack());
        const QJsonObject state = bank.state();
        QVERIFY(state.value(QStringLiteral("run_id")).toString() != run);
        QCOMPARE(state.value(QStringLiteral("ledger_id")).toString(), ledger);
        QCOMPARE(bank.movements().size(), 1);
        const RawAnswer replay = bank.charge("before", 2);
        QCOMPARE(replay.status, 201);
        QVERIFY(replay.replayed());
        QCOMPARE(bank.arrivals(), 2);
    }

    void aBankCrashedAgainAndAgainLosesAndDoublesNothing()
    {
        BankUnderTest bank;
        for (int i = 0; i < 10; ++i) {
            const QByteArray key = "k" + QByteArray::number(i);
            bank.arm(i % 2 ? "before_commit:restart(ms=5):next=1" : "after_commit:restart(ms=5):next=1");
            QCOMPARE(bank.charge(key, 1).ending, Ending::Reset);
            QVERIFY(bank.waitUntilBack());
            const RawAnswer second = bank.charge(key, 2);
            QCOMPARE(second.status, 201);
            QCOMPARE(second.replayed(), i % 2 == 0);
            QCOMPARE(bank.chargesOf(key), 1);
        }
        QCOMPARE(bank.balance(), 100'000 - 10 * 1200);
    }
};

IKKAI_TEST_MAIN(BankFaultsTest)
#include "tst_bank_faults.moc"
