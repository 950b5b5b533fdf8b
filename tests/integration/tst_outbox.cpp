#include "tests/support/bank_under_test.h"
#include "tests/support/test.h"
#include "tests/support/webhook_receiver.h"

#include <QtCore/QProcess>
#include <QtCore/QRandomGenerator>
#include <QtCore/QTemporaryDir>
#include <QtCore/QUrl>

using namespace ikkai::test;
using Play = WebhookReceiver::Play;

/// What the world is told of money that moved: by the whole bank, and by the program, killed.
class OutboxTest : public ikkai::test::Test {
    Q_OBJECT

private:
    static constexpr int patienceMs = 20'000;

    static mockbank::MockServerOptions to(const WebhookReceiver &shop)
    {
        mockbank::MockServerOptions options;
        options.webhook.url = shop.url();
        options.webhook.timeout = std::chrono::seconds(5);
        options.webhook.backoff = {20, 100};
        return options;
    }
    static QString s(const char *text) { return QString::fromLatin1(text); }
    static QByteArray key(int number) { return "key-" + QByteArray::number(number); }
    static QByteArray body(int order)
    {
        return BankUnderTest::chargeBody(100, "card_ok", "A-" + QByteArray::number(order));
    }

    static QJsonObject outbox(const BankUnderTest &bank, const QByteArray &query = {})
    {
        return bank.control("GET", "outbox" + query).json();
    }

    struct Program {
        QProcess process;
        quint16 port = 0;

        bool start(const QStringList &arguments)
        {
            process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
            process.start(QStringLiteral(MOCK_PAYMENT_SERVER), arguments);
            while (!process.canReadLine()) {
                if (!process.waitForReadyRead(patienceMs))
                    return false;
            }
            const QJsonObject line = QJsonDocument::fromJson(process.readLine()).object();
            port = static_cast<quint16>(QUrl(line.value(QStringLiteral("url")).toString()).port(0));
            return port > 0;
        }
        void kill()
        {
            process.kill();
            process.waitForFinished(patienceMs);
        }
        ~Program()
        {
            if (process.state() != QProcess::NotRunning)
                kill();
        }
    };

private Q_SLOTS:
    void theOutboxIsShownPageByPage()
    {
        WebhookReceiver shop;
        shop.play([](const WebhookReceiver::Arrival &arrival) {
            return arrival.order() == QStringLiteral("A-3") ? Play::Answer500 : Play::Accept;
        });
        BankUnderTest bank(to(shop));
        for (int i = 1; i <= 5; ++i)
            QCOMPARE(bank.charge(key(i), 1, body(i)).status, 201);
        QTRY_COMPARE_WITH_TIMEOUT(outbox(bank).value(s("delivered")).toInteger(), 4, patienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(outbox(bank).value(s("failed_tries")).toInteger() >= 2, patienceMs);
        const QJsonObject all = outbox(bank);
        QCOMPARE(all.value(s("pending")).toInteger(), 1);
        QVERIFY(all.value(s("oldest_pending_ms")).toInteger(-1) >= 0);
        QCOMPARE(all.value(s("publisher")).toString(), s("publishing"));
        QCOMPARE(all.value(s("webhook")).toString(), s("http://127.0.0.1:%1/events").arg(shop.port()));
        QCOMPARE(all.value(s("events")).toArray().size(), 5);
        QVERIFY(all.value(s("next")).isNull());

        const QJsonObject first = outbox(bank, "?limit=2");
        QCOMPARE(first.value(s("events")).toArray().size(), 2);
        const QJsonObject second =
            outbox(bank, "?limit=3&after=" + QByteArray::number(first.value(s("next")).toInteger()));
        QCOMPARE(second.value(s("events")).toArray().size(), 3);
        QVERIFY(second.value(s("next")).isNull());

        const QJsonArray pending = outbox(bank, "?pending=1").value(s("events")).toArray();
        QCOMPARE(pending.size(), 1);
        const QJsonObject row = pending.at(0).toObject();
        QCOMPARE(row.value(s("order_id")).toString(), s("A-3"));
        QVERIFY(row.value(s("attempts")).toInt() >= 2);
        QCOMPARE(row.value(s("last_error")).toString(), s("answered 500 Internal Server Error"));
        QVERIFY(!row.value(s("next_attempt_at")).toString().isEmpty());
        QCOMPARE(row.value(s("event_id")).toString(),
                 bank.ledgerId() + QLatin1Char('-') + QString::number(row.value(s("id")).toInteger()));
    }

    void theEventStreamTellsOfDeliveriesAndFailures()
    {
        WebhookReceiver shop;
        auto failed = std::make_shared<std::atomic<bool>>(false);
        shop.play([failed](const WebhookReceiver::Arrival &) {
            return failed->exchange(true) ? Play::Accept : Play::Answer500;
        });
        BankUnderTest bank(to(shop));
        RawConnection stream(bank.port());
        stream.send(bank.request("GET", "/control/events",
                                 "Authorization: Bearer " + bank.controlToken() + "\r\nLast-Event-ID: 0\r\n"));
        QCOMPARE(bank.charge("key-1").status, 201);
        const QByteArray text = stream.readUntil("event: outbox_delivered\n", patienceMs);
        const qsizetype failure = text.indexOf("event: outbox_failed\n");
        QVERIFY(failure > text.indexOf("event: committed\n"));
        QVERIFY(text.indexOf("event: outbox_delivered\n") > failure);
        QVERIFY(text.contains(R"("error":"answered 500 Internal Server Error")"));
    }

    void whatWasCommittedBeforeACrashIsToldAfterIt()
    {
        WebhookReceiver shop;
        shop.down();
        BankUnderTest bank(to(shop));
        QCOMPARE(bank.charge("key-1", 1, body(1)).status, 201);
        bank.server().crash(20);
        QVERIFY(bank.waitUntilBack());
        QCOMPARE(bank.charge("key-2", 1, body(1)).status, 201);
        shop.up();
        QTRY_COMPARE_WITH_TIMEOUT(shop.takenCount(), 2, patienceMs);
        QCOMPARE(shop.taken()[0].key(), s("key-1"));
        QCOMPARE(shop.taken()[1].key(), s("key-2"));
        // The charge whose answer is lost with the crash is told as well: its money moved.
        bank.arm("after_commit:restart(ms=20):next=1");
        (void)bank.charge("key-3", 1, body(2));
        QTRY_COMPARE_WITH_TIMEOUT(shop.takenCount(), 3, patienceMs);
        // And of the one that was rolled back nothing is.
        QVERIFY(bank.waitUntilBack());
        bank.arm("before_commit:status(code=503):next=1");
        QCOMPARE(bank.charge("key-4", 1, body(3)).status, 503);
        QCOMPARE(bank.charge("key-5", 1, body(4)).status, 201);
        QTRY_COMPARE_WITH_TIMEOUT(shop.takenCount(), 4, patienceMs);
        QCOMPARE(shop.taken().constLast().key(), s("key-5"));
    }

    void aBankWithoutAnOutboxLosesEventsAndTellsOfMoneyThatNeverMoved()
    {
        WebhookReceiver shop;
        mockbank::MockServerOptions options = to(shop);
        options.bank.strategy = s("naive");
        BankUnderTest bank(options);
        const auto count = [&](const char *what) { return outbox(bank).value(s(what)).toInteger(-1); };
        // A retry charges again and is told again, under an id that no receiver can know it by.
        QCOMPARE(bank.charge("key-1", 1, body(1)).status, 201);
        QCOMPARE(bank.charge("key-1", 2, body(1)).status, 201);
        QTRY_COMPARE_WITH_TIMEOUT(count("direct_published"), 2, patienceMs);
        QCOMPARE(shop.takenCount(), 2);
        // One try, and no more: lost.
        shop.play(Play::Answer500);
        QCOMPARE(bank.charge("key-2", 1, body(2)).status, 201);
        QTRY_COMPARE_WITH_TIMEOUT(count("direct_failed"), 1, patienceMs);
        // Told before the commit that never came.
        shop.play(Play::Accept);
        bank.arm("before_commit:status(code=503):next=1");
        QCOMPARE(bank.charge("key-3", 1, body(3)).status, 503);
        QTRY_COMPARE_WITH_TIMEOUT(count("direct_published"), 3, patienceMs);
        QCOMPARE(shop.taken().constLast().key(), s("key-3"));
        QCOMPARE(bank.chargesOf("key-3"), 0);
        QCOMPARE(shop.arrivals().size(), 4);
        QCOMPARE(outbox(bank).value(s("events")).toArray().size(), 0);
        QCOMPARE(count("tries"), 0);
    }

    void aReceiverThatHangsStopsNeitherMoneyNorTheEnd()
    {
        WebhookReceiver shop;
        shop.play(Play::StaySilent);
        QElapsedTimer clock;
        {
            BankUnderTest bank(to(shop));
            for (int i = 0; i < 20; ++i)
                QCOMPARE(bank.charge(key(i), 1, body(i)).status, 201);
            QTRY_COMPARE_WITH_TIMEOUT(shop.openNow(), 4, patienceMs);
            QCOMPARE(bank.charge("key-21", 1, body(21)).status, 201);
            clock.start();
        }
        QVERIFY2(clock.elapsed() < 3000, "the end waited for the receiver");
        QTRY_COMPARE_WITH_TIMEOUT(shop.openNow(), 0, patienceMs);
    }

    void afterKill9EveryMovementIsToldAndItsEffectIsOnce()
    {
        constexpr int rounds = 30;
        WebhookReceiver shop;
        auto random = std::make_shared<QRandomGenerator>(20'261'201);
        auto calm = std::make_shared<std::atomic<bool>>(false);
        shop.play([random, calm](const WebhookReceiver::Arrival &) {
            if (*calm)
                return Play::Accept;
            static const QList<Play> plays{Play::Accept,          Play::Accept,    Play::Accept,
                                           Play::AcceptThenCut,   Play::Answer500, Play::AcceptThenStaySilent,
                                           Play::AcceptThenReset, Play::Cut};
            return plays[random->bounded(int(plays.size()))];
        });
        QTemporaryDir folder;
        const QStringList arguments{s("--store"),
                                    s("sqlite:") + folder.filePath(s("bank.db")),
                                    s("--account"),
                                    s("card_ok=100000000"),
                                    s("--webhook"),
                                    shop.url().toString(),
                                    s("--webhook-timeout"),
                                    s("150ms"),
                                    s("--webhook-max-wait"),
                                    s("50ms")};
        QRandomGenerator mine(7);
        int sent = 0;
        QSet<QByteArray> answered;
        for (int round = 0; round < rounds; ++round) {
            Program bank;
            QVERIFY(bank.start(arguments));
            RawConnection till(bank.port);
            // Charges are on their way while the bank is killed: which of them moved money only the ledger knows.
            const int charges = 1 + mine.bounded(6);
            QByteArray bytes;
            for (int i = 0; i < charges; ++i) {
                const QByteArray json = body(sent % 7);
                bytes += "POST /v1/charges HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                         "Idempotency-Key: " +
                         key(sent++) + "\r\nContent-Length: " + QByteArray::number(json.size()) + "\r\n\r\n" + json;
            }
            till.send(bytes);
            QElapsedTimer clock;
            clock.start();
            const int lifeMs = mine.bounded(60);
            for (int i = 0; i < charges && clock.elapsed() < lifeMs; ++i) {
                if (till.read(int(std::max<qint64>(0, lifeMs - clock.elapsed()))).status == 201)
                    answered.insert(key(sent - charges + i));
            }
            while (clock.elapsed() < lifeMs)
                QTest::qWait(1);
            bank.kill();
        }
        *calm = true;
        Program bank;
        QVERIFY(bank.start(arguments + QStringList{s("--token-file"), folder.filePath(s("token"))}));
        QFile token(folder.filePath(s("token")));
        QVERIFY(token.open(QIODevice::ReadOnly));
        const QByteArray authorization = "Authorization: Bearer " + token.readAll().trimmed() + "\r\n";
        const auto control = [&](const QByteArray &path) {
            RawConnection connection(bank.port);
            connection.send("GET /control/" + path + " HTTP/1.1\r\nHost: localhost\r\n" + authorization + "\r\n");
            return connection.read(patienceMs).json();
        };
        QTRY_COMPARE_WITH_TIMEOUT(control("outbox?limit=1").value(s("pending")).toInteger(-1), 0, patienceMs);
        const QJsonArray movements = control("ledger?limit=500").value(s("movements")).toArray();
        QHash<QString, QStringList> ledger;
        for (const QJsonValue &movement : movements)
            ledger[movement.toObject().value(s("order_id")).toString()].append(
                movement.toObject().value(s("idempotency_key")).toString());
        QHash<QString, QStringList> taken;
        for (const auto &event : shop.taken())
            taken[event.order()].append(event.key());
        QCOMPARE(taken, ledger);
        QVERIFY(movements.size() >= answered.size());
        for (const QByteArray &charged : answered)
            QVERIFY(shop.takenByKey().value(QString::fromLatin1(charged) + s(" charge.approved")) == 1);
        qInfo("%d kills: %lld movements, each taken once, of %lld deliveries", rounds, qint64(movements.size()),
              qint64(shop.arrivals().size()));
        QVERIFY(movements.size() > rounds / 2);
        QVERIFY(shop.arrivals().size() > movements.size());
    }
};

IKKAI_TEST_MAIN(OutboxTest)
#include "tst_outbox.moc"
