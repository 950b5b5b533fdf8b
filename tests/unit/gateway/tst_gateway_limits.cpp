#include "tests/support/test.h"
#include "wire_scripts.h"

#include <QtCore/QElapsedTimer>

using namespace ikkai;
using namespace ikkai::test;

/// Answers that are too large, and a thread that is too busy to look at them.
class TestGatewayLimits : public Test {
    Q_OBJECT

private Q_SLOTS:
    void a_huge_answer_is_cut_off_data()
    {
        QTest::addColumn<QByteArray>("head");
        QTest::newRow("announced") << QByteArray("HTTP/1.1 201 Created\r\nContent-Length: 50000000\r\n\r\n");
        QTest::newRow("not announced") << QByteArray("HTTP/1.1 201 Created\r\n\r\n");
    }
    void a_huge_answer_is_cut_off()
    {
        QFETCH(QByteArray, head);
        ScriptedServer server({{act::ReadRequest{}, act::Write{head + QByteArray(20'000'000, 'x')}}});
        GatewayProbe probe;
        HttpGateway gateway(settingsFor(server.url()));
        gateway.setSink(&probe);
        gateway.charge(chargeOf(keyNumber(1)));
        QVERIFY(waitFor([&] { return probe.ended.size() == 1; }));
        QVERIFY2(probe.ended.front().second.end == End::AnswerCut, qPrintable(describeEnd(probe.ended.front().second)));
        QTRY_COMPARE(server.closedByPeer(), 1);
        QCOMPARE(gateway.openExchanges(), 0);
        QCOMPARE(server.arrivals(), 1);
    }

    void an_endless_head_is_cut_off_data()
    {
        QTest::addColumn<QByteArray>("head");
        const QByteArray begin = "HTTP/1.1 201 Created\r\n";
        QTest::newRow("one long field") << begin + "Note: " + QByteArray(70'000, 'x') + "\r\n";
        QTest::newRow("many fields") << begin + QByteArray("Note: " + QByteArray(900, 'x') + "\r\n").repeated(90);
        QTest::newRow("a long reason") << "HTTP/1.1 201 " + QByteArray(70'000, 'x') + "\r\n";
    }
    void an_endless_head_is_cut_off()
    {
        QFETCH(QByteArray, head);
        const QByteArray rest =
            "Content-Length: " + QByteArray::number(approvedBody.size()) + "\r\n\r\n" + approvedBody;
        ScriptedServer server({{act::ReadRequest{}, act::Write{head + rest}}});
        GatewayProbe probe;
        HttpGateway gateway(settingsFor(server.url()));
        gateway.setSink(&probe);
        gateway.charge(chargeOf(keyNumber(1)));
        QVERIFY(waitFor([&] { return probe.ended.size() == 1; }));
        const Transmission &end = probe.ended.front().second;
        QVERIFY2(end.end == End::AnswerCut, qPrintable(describeEnd(end)));
        QVERIFY2(end.detail.contains(QLatin1String("head larger than 65536")), qPrintable(end.detail));
        QTRY_COMPARE(server.closedByPeer(), 1);
        QCOMPARE(gateway.openExchanges(), 0);
        QCOMPARE(server.arrivals(), 1);
    }

    void a_head_without_end_is_no_answer_data()
    {
        QTest::addColumn<QByteArray>("head");
        const QByteArray begin = "HTTP/1.1 201 Created\r\n";
        QTest::newRow("not ended by the deadline")
            << begin + ("Note: " + QByteArray(1'000, 'x') + "\r\n").repeated(1'000);
        // The transport takes a hundred fields and then says nothing more.
        QTest::newRow("thousands of fields") << begin + QByteArray("Note: x\r\n").repeated(5'000) +
                                                    "Content-Length: " + QByteArray::number(approvedBody.size()) +
                                                    "\r\n\r\n" + approvedBody;
    }
    void a_head_without_end_is_no_answer()
    {
        QFETCH(QByteArray, head);
        ScriptedServer server({{act::ReadRequest{}, act::Write{head}}});
        GatewayProbe probe;
        HttpGatewaySettings settings = settingsFor(server.url());
        settings.lateAnswerMs = 100;
        HttpGateway gateway(settings);
        gateway.setSink(&probe);
        gateway.charge(chargeOf(keyNumber(1), 1, shortDeadlineMs));
        QVERIFY(waitFor([&] { return probe.ended.size() == 1; }));
        QCOMPARE(probe.ended.front().second.end, End::DeadlinePassed);
        QTRY_COMPARE(gateway.openExchanges(), 0);
        QTRY_COMPARE(server.closedByPeer(), 1);
        QVERIFY(probe.late.empty());
    }

    void a_large_head_within_the_limit_is_taken()
    {
        const QByteArray field = "Note: " + QByteArray(60'000, 'x') + "\r\n";
        ScriptedServer server({{act::ReadRequest{}, act::Write{httpAnswer("201 Created", approvedBody, field)}}});
        GatewayProbe probe;
        HttpGateway gateway(settingsFor(server.url()));
        gateway.setSink(&probe);
        gateway.charge(chargeOf(keyNumber(1)));
        QVERIFY(waitFor([&] { return probe.ended.size() == 1; }));
        QVERIFY2(probe.ended.front().second.end == End::Answered, qPrintable(describeEnd(probe.ended.front().second)));
        QCOMPARE(probe.ended.front().second.answer->header("note").size(), 60'000);
    }

    void an_answer_of_exactly_the_limit_is_taken()
    {
        const QByteArray body = "{\"a\":\"" + QByteArray(256 * 1024 - 8, 'x') + "\"}";
        QCOMPARE(body.size(), 256 * 1024);
        ScriptedServer server({{act::ReadRequest{}, act::Write{httpAnswer("201 Created", body)}}});
        GatewayProbe probe;
        HttpGateway gateway(settingsFor(server.url()));
        gateway.setSink(&probe);
        gateway.charge(chargeOf(keyNumber(1)));
        QVERIFY(waitFor([&] { return probe.ended.size() == 1; }));
        QCOMPARE(probe.ended.front().second.end, End::Answered);
        QCOMPARE(probe.ended.front().second.answer->body, body);
    }

    /// While the engine commits to a slow disk it takes no signals: the deadline must not claim that nothing was sent.
    void a_deadline_on_a_busy_thread_still_knows_what_was_sent()
    {
        for (int round = 0; round < rounds; ++round) {
            ScriptedServer server({{act::ReadRequest{}}});
            GatewayProbe probe;
            HttpGateway gateway(settingsFor(server.url()));
            gateway.setSink(&probe);
            gateway.charge(chargeOf(keyNumber(1), 1, 40));
            (void)waitFor([&] { return server.arrivals() == 1 || probe.ended.size() == 1; });
            beBusyFor(60);
            QVERIFY(waitFor([&] { return probe.ended.size() == 1; }));
            QCOMPARE(probe.ended.front().second.end, End::DeadlinePassed);
            QCOMPARE(probe.ended.front().second.wireSends, server.arrivals());
        }
    }

    void a_thread_that_is_busy_from_the_call_to_the_deadline_sends_nothing_any_more()
    {
        for (int round = 0; round < rounds; ++round) {
            ScriptedServer server({{act::ReadRequest{}, act::Write{approved}}});
            GatewayProbe probe;
            HttpGateway gateway(settingsFor(server.url()));
            gateway.setSink(&probe);
            gateway.charge(chargeOf(keyNumber(1), 1, 20));
            beBusyFor(40);
            QVERIFY(waitFor([&] { return probe.ended.size() == 1; }));
            const Transmission &end = probe.ended.front().second;
            QCOMPARE(end.end, End::DeadlinePassed);
            if (end.wireSends == 0)
                QCOMPARE(gateway.openExchanges(), 0);
            else
                QVERIFY(waitFor([&] { return probe.late.size() == 1; }));
        }
    }

    void an_answer_that_came_while_the_thread_was_busy_counts()
    {
        for (int round = 0; round < rounds; ++round) {
            ScriptedServer server({{act::ReadRequest{}, act::AwaitGate{}, act::Write{approved}}});
            GatewayProbe probe;
            HttpGateway gateway(settingsFor(server.url()));
            gateway.setSink(&probe);
            gateway.charge(chargeOf(keyNumber(1), 1, 300));
            QVERIFY(waitFor([&] { return server.arrivals() == 1; }));
            server.openGate();
            beBusyFor(40);
            gateway.drain();
            QCOMPARE(probe.ended.size(), 1U);
            QCOMPARE(probe.ended.front().second.end, End::Answered);
            QCOMPARE(probe.ended.front().second.wireSends, 1);
            QCOMPARE(gateway.openExchanges(), 0);
        }
    }

    void draining_brings_a_late_answer_at_once_and_only_once()
    {
        ScriptedServer server({{act::ReadRequest{}, act::AwaitGate{}, act::Write{approved}}});
        GatewayProbe probe;
        HttpGateway gateway(settingsFor(server.url()));
        gateway.setSink(&probe);
        gateway.charge(chargeOf(keyNumber(1), 1, shortDeadlineMs));
        QVERIFY(waitFor([&] { return probe.ended.size() == 1; }));
        gateway.drain();
        QVERIFY(probe.late.empty());
        server.openGate();
        beBusyFor(40);
        gateway.drain();
        QCOMPARE(probe.late.size(), 1U);
        gateway.drain();
        QCoreApplication::processEvents();
        QCOMPARE(probe.late.size(), 1U);
    }

private:
    /// Keeps this thread from its event loop, as a slow disk would.
    static void beBusyFor(qint64 ms)
    {
        QElapsedTimer clock;
        clock.start();
        while (clock.elapsed() < ms) {
        }
    }
};

IKKAI_TEST_MAIN(TestGatewayLimits)
#include "tst_gateway_limits.moc"
