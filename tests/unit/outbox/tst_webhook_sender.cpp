#include "mock-server/outbox/webhook_sender.h"
#include "tests/support/scripted_server.h"
#include "tests/support/test.h"
#include "tests/support/webhook_receiver.h"

#include <QtCore/QElapsedTimer>
#include <QtTest/QSignalSpy>

#include <memory>

using namespace mockbank;
using namespace ikkai::test;
using Play = WebhookReceiver::Play;
using Outcome = DeliveryPlan::Outcome;

Q_DECLARE_METATYPE(Play)
Q_DECLARE_METATYPE(Outcome)

class WebhookSenderTest : public ikkai::test::Test {
    Q_OBJECT

private:
    static constexpr int patienceMs = 10'000;

    static WebhookOptions to(const QUrl &url, int timeoutMs = 5000)
    {
        WebhookOptions options;
        options.url = url;
        options.timeout = std::chrono::milliseconds(timeoutMs);
        return options;
    }
    static WebhookMessage message(const QByteArray &id = "ldg_1-1")
    {
        return {id, "charge.approved", "ldg_1", 2, R"({"event_id":"ldg_1-1","data":{"order_id":"A"}})"};
    }
    /// One POST, waited for; `told` counts how often its end was told.
    static WebhookOutcome post(WebhookSender &sender, int *told = nullptr)
    {
        auto outcome = std::make_shared<std::pair<WebhookOutcome, int>>();
        sender.post(message(), [outcome](const WebhookOutcome &o) {
            outcome->first = o;
            ++outcome->second;
        });
        [&] { QTRY_VERIFY_WITH_TIMEOUT(outcome->second > 0, patienceMs); }();
        if (told)
            *told = outcome->second;
        return outcome->first;
    }

private Q_SLOTS:
    void theRequestSaysWhatItIsAbout()
    {
        WebhookReceiver shop;
        QUrl url = shop.url();
        url.setUserName(QStringLiteral("till"));
        url.setPassword(QStringLiteral("p@ss"));
        WebhookSender sender(to(url));
        const WebhookOutcome outcome = post(sender);
        QCOMPARE(outcome.kind, Outcome::Delivered);
        QCOMPARE(outcome.status, 200);
        QCOMPARE(shop.arrivals().size(), 1);
        const auto arrival = shop.arrivals().constFirst();
        QCOMPARE(arrival.header("(request line)"), "POST /events?from=bank HTTP/1.1");
        QCOMPARE(arrival.header("Event-Id"), "ldg_1-1");
        QCOMPARE(arrival.header("Event-Topic"), "charge.approved");
        QCOMPARE(arrival.header("Ledger-Id"), "ldg_1");
        QCOMPARE(arrival.header("Attempt-Number"), "2");
        QCOMPARE(arrival.header("Content-Type"), "application/json");
        QCOMPARE(arrival.header("Authorization"), "Basic " + QByteArray("till:p@ss").toBase64());
        QCOMPARE(arrival.body, message().body);
    }

    void onlyA2xxIsAnAcknowledgment_data()
    {
        QTest::addColumn<Play>("play");
        QTest::addColumn<Outcome>("kind");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("says");
        const auto row = [](const char *name, Play play, Outcome kind, int status, const char *says) {
            QTest::newRow(name) << play << kind << status << QString::fromLatin1(says);
        };
        row("200", Play::Accept, Outcome::Delivered, 200, "");
        row("204", Play::Answer204, Outcome::Delivered, 204, "");
        row("200 with a body without end", Play::AcceptWithoutEnd, Outcome::Delivered, 200, "");
        row("500", Play::Answer500, Outcome::Failed, 500, "500 Internal Server Error");
        row("302", Play::Redirect, Outcome::Failed, 302, "redirects are not followed");
        row("cut", Play::Cut, Outcome::Failed, 0, "before an answer");
        row("reset", Play::AcceptThenReset, Outcome::Failed, 0, "before an answer");
        row("half a head", Play::HalfAnswer, Outcome::Failed, 0, "before an answer");
        row("silence", Play::StaySilent, Outcome::Failed, 0, "no answer within 300 ms");
    }
    /// And whatever happens, one post is one transmission.
    void onlyA2xxIsAnAcknowledgment()
    {
        QFETCH(Play, play);
        QFETCH(Outcome, kind);
        QFETCH(int, status);
        QFETCH(QString, says);
        WebhookReceiver shop;
        shop.play(play);
        WebhookSender sender(to(shop.url(), play == Play::StaySilent ? 300 : 5000));
        int told = 0;
        const WebhookOutcome outcome = post(sender, &told);
        QCOMPARE(outcome.kind, kind);
        QCOMPARE(outcome.status, status);
        QVERIFY2(outcome.detail.contains(says), qPrintable(outcome.detail));
        // A second POST on the same sender: the first has left nothing behind, and nothing of it came again.
        shop.play(Play::Accept);
        QCOMPARE(post(sender).kind, Outcome::Delivered);
        QCOMPARE(told, 1);
        QCOMPARE(shop.arrivals().size(), 2);
    }

    void whereNobodyListensThereIsNoConnection_data()
    {
        QTest::addColumn<QString>("url");
        QTest::newRow("refused") << QStringLiteral("http://127.0.0.1:%1/").arg(ScriptedServer::closedPort());
        QTest::newRow("no such host") << QStringLiteral("http://no-such-host.invalid/");
    }
    void whereNobodyListensThereIsNoConnection()
    {
        QFETCH(QString, url);
        WebhookSender sender(to(QUrl(url)));
        const WebhookOutcome outcome = post(sender);
        QCOMPARE(outcome.kind, Outcome::Unreachable);
        QVERIFY(!outcome.detail.isEmpty());
        QVERIFY(!outcome.detail.contains(QLatin1Char('\n')));
    }

    void anotherProtocolThanTlsIsNoConnection()
    {
        WebhookReceiver plain;
        QUrl url = plain.url();
        url.setScheme(QStringLiteral("https"));
        WebhookSender sender(to(url, 1000));
        const WebhookOutcome outcome = post(sender);
        QVERIFY(outcome.kind != Outcome::Delivered);
        QVERIFY(!outcome.detail.isEmpty());
    }

    void theTimeIsForTheWholeTry()
    {
        // One byte after the other would keep a time-out of inactivity alive for ever.
        ScriptedServer slow({Script{act::ReadRequest{},
                                    act::WriteSlowly{QByteArray(2000, 'x').prepend("HTTP/1.1 200 OK\r\nX: "), 20}}});
        WebhookSender sender(to(slow.url(), 400));
        QElapsedTimer clock;
        clock.start();
        QCOMPARE(post(sender).detail, QStringLiteral("no answer within 400 ms"));
        QVERIFY(clock.elapsed() >= 390);
        QVERIFY(clock.elapsed() < 3000);
    }

    void aSenderThatGoesCutsAndTellsNothing()
    {
        WebhookReceiver shop;
        shop.play(Play::StaySilent);
        bool told = false;
        {
            WebhookSender sender(to(shop.url()));
            sender.post(message(), [&](const WebhookOutcome &) { told = true; });
            QTRY_COMPARE_WITH_TIMEOUT(shop.arrivals().size(), 1, patienceMs);
        }
        QTRY_COMPARE_WITH_TIMEOUT(shop.openNow(), 0, patienceMs);
        QVERIFY(!told);
    }
};

IKKAI_TEST_MAIN(WebhookSenderTest)
#include "tst_webhook_sender.moc"
