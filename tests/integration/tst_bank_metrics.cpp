#include "tests/support/bank_under_test.h"
#include "tests/support/prometheus_text.h"
#include "tests/support/test.h"

#include <QtNetwork/QNetworkInterface>
#include <QtNetwork/QTcpSocket>

#include <future>
#include <vector>

using namespace ikkai::test;

class BankMetricsTest : public ikkai::test::Test {
    Q_OBJECT

private:
    static Exposition scrape(const BankUnderTest &bank)
    {
        const RawAnswer answer = bank.exchange(bank.request("GET", "/metrics"));
        const auto read = Exposition::parse(answer.body);
        if (!read || answer.header("Content-Type") != "text/plain; version=0.0.4; charset=utf-8")
            QTest::qFail(qPrintable(Exposition::lastError()), __FILE__, __LINE__);
        return read.value_or(Exposition());
    }

private Q_SLOTS:
    void whatHappenedIsCounted()
    {
        BankUnderTest bank;
        bank.charge("a", 1);
        bank.charge("a", 2);                                               // replay
        bank.charge("a", 2);                                               // the transport sends again
        bank.charge("a", 3, BankUnderTest::chargeBody(7));                 // mismatch
        bank.charge("b", 1, BankUnderTest::chargeBody(1, "card_decline")); // decline
        bank.inquire("a");
        bank.arm("after_commit:rst:next=1");
        bank.charge("c", 1);
        bank.arm("after_commit:hold:next=1");
        RawConnection held(bank.port());
        held.send(bank.chargeRequest("d"));
        QTRY_COMPARE(bank.held().size(), 1);

        const Exposition told = scrape(bank);
        const Exposition::Labels charge{{"route", "charge"}};
        QCOMPARE(told.value("ikkai_arrivals_total", charge), 7.);
        QCOMPARE(told.value("ikkai_arrivals_total", {{"route", "inquiry"}}), 1.);
        QCOMPARE(told.value("ikkai_resends_total"), 1.);
        QCOMPARE(told.value("ikkai_answers_total", {{"route", "charge"}, {"status", "201"}}), 3.);
        QCOMPARE(told.value("ikkai_answers_total", {{"route", "charge"}, {"status", "402"}}), 1.);
        QCOMPARE(told.value("ikkai_answers_total", {{"route", "charge"}, {"status", "422"}}), 1.);
        QCOMPARE(told.value("ikkai_exchanges_ended_total", {{"route", "charge"}, {"how", "rst"}}), 1.);
        QCOMPARE(told.value("ikkai_answer_seconds_count", charge), 5.);
        QVERIFY(told.value("ikkai_answer_seconds_sum", charge) > 0);
        QCOMPARE(told.value("ikkai_faults_fired_total", {{"placement", "after_commit"}, {"manifestation", "rst"}}), 1.);
        QCOMPARE(told.value("ikkai_faults_fired_total", {{"placement", "after_commit"}, {"manifestation", "hold"}}),
                 1.);
        QCOMPARE(told.value("ikkai_held_messages"), 1.);
        QCOMPARE(told.value("ikkai_bank_outcomes_total", {{"outcome", "approved"}}), 3.);
        QCOMPARE(told.value("ikkai_bank_outcomes_total", {{"outcome", "replayed"}}), 2.);
        QCOMPARE(told.value("ikkai_bank_outcomes_total", {{"outcome", "mismatch"}}), 1.);
        QCOMPARE(told.value("ikkai_bank_outcomes_total", {{"outcome", "declined"}}), 1.);
        QCOMPARE(told.value("ikkai_ledger_up"), 1.);
        QVERIFY(told.value("ikkai_bank_commit_seconds_count") > 0);
        QVERIFY(told.value("ikkai_bank_commit_batch_size_count") > 0);
        QCOMPARE(told.value("ikkai_outbox_pending") + told.value("ikkai_outbox_delivered"), 3.);
        QVERIFY(told.value("ikkai_outbox_lag_seconds") >= 0);
        QVERIFY(told.value("process_resident_memory_bytes") > 1e6);
        QCOMPARE(told.value("ikkai_journal_records", {{"where", "memory"}}), 8.);
        QVERIFY(told.value("ikkai_connections_open") >= 1);
    }

    void aConflictIsCounted()
    {
        mockbank::MockServerOptions options;
        options.bank.processing = std::chrono::milliseconds(300);
        BankUnderTest bank(options);
        RawConnection first(bank.port());
        first.send(bank.chargeRequest("k", 1));
        QTRY_COMPARE(bank.arrivals(), 1);
        QCOMPARE(bank.charge("k", 2).status, 409);
        QCOMPARE(scrape(bank).value("ikkai_bank_conflicts_total"), 1.);
    }

    void case_56_sixtyFourCallersAreCountedExactly()
    {
        BankUnderTest bank;
        constexpr int callers = 64;
        constexpr int each = 20;
        std::vector<std::future<int>> done;
        for (int caller = 0; caller < callers; ++caller) {
            done.push_back(std::async(std::launch::async, [&bank, caller] {
                RawConnection connection(bank.port());
                int approved = 0;
                for (int i = 0; i < each; ++i) {
                    // Every key twice, so half of them are replays; every attempt number once.
                    connection.send(bank.chargeRequest("k" + QByteArray::number(caller * each + i / 2), i + 1,
                                                       BankUnderTest::chargeBody(1)));
                    approved += connection.read().status == 201 ? 1 : 0;
                }
                return approved;
            }));
        }
        int approved = 0;
        for (auto &caller : done)
            approved += caller.get();
        QCOMPARE(approved, callers * each);
        const Exposition told = scrape(bank);
        const Exposition::Labels charge{{"route", "charge"}};
        QCOMPARE(told.value("ikkai_arrivals_total", charge), static_cast<double>(approved));
        QCOMPARE(told.value("ikkai_answers_total", {{"route", "charge"}, {"status", "201"}}),
                 static_cast<double>(approved));
        QCOMPARE(told.value("ikkai_answer_seconds_count", charge), static_cast<double>(approved));
        QCOMPARE(told.value("ikkai_exchanges_ended_total", {{"route", "charge"}, {"how", "answered"}}),
                 static_cast<double>(approved));
        QCOMPARE(told.value("ikkai_resends_total"), 0.);
        QCOMPARE(told.value("ikkai_bank_outcomes_total", {{"outcome", "approved"}}), approved / 2.);
        QCOMPARE(told.value("ikkai_bank_outcomes_total", {{"outcome", "replayed"}}), approved / 2.);
        // The last ones too, whose client closed as soon as it had its answer.
        QTRY_COMPARE(scrape(bank).value("ikkai_answers_delivered_total", charge), static_cast<double>(approved));
        QVERIFY(told.sum("ikkai_bank_commit_batch_size_sum") >= approved / 2.);
    }

    void aResetOfTheBankDoesNotRewindWhatTheNetworkCounted()
    {
        BankUnderTest bank;
        bank.charge("a");
        bank.server().crash(10);
        QVERIFY(bank.waitUntilBack());
        bank.charge("b");
        const Exposition told = scrape(bank);
        QCOMPARE(told.value("ikkai_arrivals_total", {{"route", "charge"}}), 2.);
        QCOMPARE(told.value("ikkai_restarts_total"), 1.);
        QCOMPARE(told.value("ikkai_bank_outcomes_total", {{"outcome", "approved"}}), 1.); // of this run
    }

    void fromBeyondThisMachineMetricsNeedASecret()
    {
        const auto addresses = QNetworkInterface::allAddresses();
        const auto beyond = std::find_if(addresses.begin(), addresses.end(), [](const QHostAddress &address) {
            return address.protocol() == QAbstractSocket::IPv4Protocol && !address.isLoopback();
        });
        if (beyond == addresses.end())
            QSKIP("this machine has no address but loopback");
        mockbank::MockServerOptions options;
        options.bind = beyond->toString();
        options.apiKeys = {{"shop", "s3cret"}};
        mockbank::MockServer server;
        const auto started = server.start(options);
        QVERIFY(std::holds_alternative<mockbank::RunningServer>(started));
        const auto &running = std::get<mockbank::RunningServer>(started);
        const auto ask = [&](const QByteArray &authorization) {
            QTcpSocket socket;
            socket.connectToHost(*beyond, running.port);
            socket.waitForConnected(2000);
            socket.write("GET /metrics HTTP/1.1\r\nHost: " + beyond->toString().toLatin1() + ':' +
                         QByteArray::number(running.port) + "\r\n" + authorization + "\r\n");
            QByteArray head;
            while (!head.contains("\r\n") && socket.waitForReadyRead(2000))
                head += socket.readAll();
            return head.mid(9, 3).toInt();
        };
        QCOMPARE(ask({}), 401);
        QCOMPARE(ask("Authorization: Bearer wrong\r\n"), 401);
        QCOMPARE(ask("Authorization: Bearer s3cret\r\n"), 200);
        QCOMPARE(ask("Authorization: Bearer " + running.controlToken + "\r\n"), 200);
    }

    void metricsNeedNoTokenHereButTheRightHost()
    {
        BankUnderTest bank;
        QCOMPARE(bank.exchange(bank.request("GET", "/metrics")).status, 200);
        QCOMPARE(bank.exchange(bank.request("HEAD", "/metrics"), 200).status, 200);
        const RawAnswer post = bank.exchange(bank.request("POST", "/metrics"));
        QCOMPARE(post.status, 405);
        QCOMPARE(post.header("Allow"), "GET, HEAD");
        QCOMPARE(bank.exchange("GET /metrics HTTP/1.1\r\nHost: rebound.example\r\n\r\n").status, 403);
        QCOMPARE(bank.exchange(bank.request("GET", "/metrics", "Origin: http://a.example\r\n")).status, 403);
    }
};

IKKAI_TEST_MAIN(BankMetricsTest)
#include "tst_bank_metrics.moc"
