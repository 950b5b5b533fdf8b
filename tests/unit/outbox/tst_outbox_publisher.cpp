#include "mock-server/outbox/publishing.h"
#include "mock-server/store/store_address.h"
#include "tests/support/postgres_server.h"
#include "tests/support/test.h"
#include "tests/support/webhook_receiver.h"
#include "tests/unit/bank/bank_desk.h"
#include "tests/unit/bank/failing_store.h"

#include <QtCore/QRandomGenerator>
#include <QtCore/QTemporaryDir>

#include <atomic>

using namespace mockbank;
using namespace ikkai::test;
using Play = WebhookReceiver::Play;

Q_DECLARE_METATYPE(Play)

/// A bank and what tells the world of its money, on this thread and its event loop, with the shop that is told.
class OutboxPublisherTest : public ikkai::test::Test {
    Q_OBJECT

private:
    static constexpr int patienceMs = 20'000;

    static WebhookOptions to(const WebhookReceiver &shop)
    {
        WebhookOptions options;
        options.url = shop.url();
        options.timeout = std::chrono::seconds(5);
        options.backoff = {20, 100};
        return options;
    }

    struct Town {
        explicit Town(const WebhookOptions &webhook, BankOptions bank = Desk::plain())
            : options(webhook)
            , publishing(webhook, [this](const char *kind, const QJsonObject &data) {
                told.append({kind, data});
            })
        {
            bank.accounts = {{QStringLiteral("card_ok"), 10'000'000, false}};
            open(bank);
        }
        ~Town() { close(); }
        void open(const BankOptions &bankOptions)
        {
            desk = std::make_unique<Desk>(bankOptions);
            mailbox = std::make_shared<Mailbox>(&context);
            desk->bank->setObserver([this, box = mailbox](const BankEvent &event) {
                box->post([this, kind = event.kind] { publishing.bankDid(kind); });
            });
            publishing.open(*desk->bank, mailbox);
        }
        void close()
        {
            mailbox->close();
            publishing.close();
            desk.reset();
        }
        /// Everything of the bank vanishes and comes back with the same store.
        void crashAndComeBack()
        {
            const BankOptions same = desk->bank->options();
            close();
            open(same);
        }
        int charge(const QByteArray &key, const QString &order)
        {
            return desk->charge(arrival(key, chargeBody(100, order))).status;
        }
        QString voidCharge(const QByteArray &key, const QByteArray &original, const QString &order)
        {
            return result(desk->voidCharge(voidArrival(key, voidBody(original, 100, order))));
        }
        qint64 count(const char *what) const { return report().value(QLatin1String(what)).toInteger(-1); }
        QJsonObject report() const { return publishing.report(); }
        QJsonArray outbox() const { return desk->outbox(); }
        qint64 pending() const
        {
            qint64 pending = 0;
            for (const QJsonValue &event : outbox())
                pending += event.toObject().contains(QStringLiteral("delivered_at")) ? 0 : 1;
            return pending;
        }
        int toldOf(const QByteArray &kind) const
        {
            return static_cast<int>(std::ranges::count_if(told, [&](const auto &line) { return line.first == kind; }));
        }

        WebhookOptions options;
        QObject context;
        QList<std::pair<QByteArray, QJsonObject>> told;
        std::unique_ptr<Desk> desk;
        std::shared_ptr<Mailbox> mailbox;
        Publishing publishing;
    };

    static QString order(int number) { return QStringLiteral("A-%1").arg(number); }
    static QByteArray key(int number) { return "key-" + QByteArray::number(number); }

    /// Every movement of the ledger was taken by the shop once, and nothing else; of each order in its order.
    static void compareWithLedger(const Town &town, const WebhookReceiver &shop)
    {
        QHash<QString, QStringList> ledger;
        for (const QJsonValue &value : town.desk->movements()) {
            const QJsonObject movement = value.toObject();
            ledger[movement.value(QStringLiteral("order_id")).toString()].append(
                movement.value(QStringLiteral("kind")).toString() + QLatin1Char(' ') +
                movement.value(QStringLiteral("idempotency_key")).toString());
        }
        QHash<QString, QStringList> taken;
        for (const auto &event : shop.taken()) {
            const bool charge = event.header("Event-Topic") == "charge.approved";
            taken[event.order()].append((charge ? QStringLiteral("charge ") : QStringLiteral("reversal ")) +
                                        event.key());
        }
        QCOMPARE(taken, ledger);
    }

private Q_SLOTS:
    void aChargeIsToldAndMarked()
    {
        WebhookReceiver shop;
        Town town(to(shop));
        QCOMPARE(town.charge("key-1", order(1)), 201);
        QTRY_COMPARE_WITH_TIMEOUT(town.toldOf("outbox_delivered"), 1, patienceMs);
        QCOMPARE(shop.arrivals().size(), 1);
        const auto event = shop.taken().constFirst();
        const QString ledger = town.desk->bank->ledgerId();
        QCOMPARE(event.header("Ledger-Id"), ledger.toLatin1());
        QCOMPARE(event.eventId(), ledger.toLatin1() + "-1");
        QCOMPARE(event.json().value(QStringLiteral("event_id")).toString().toLatin1(), event.eventId());
        QCOMPARE(event.json().value(QStringLiteral("topic")).toString(), QStringLiteral("charge.approved"));
        QCOMPARE(event.data().value(QStringLiteral("amount")).toInt(), 100);
        QCOMPARE(event.key(), QStringLiteral("key-1"));
        const QJsonObject row = town.outbox().at(0).toObject();
        QVERIFY(row.contains(QStringLiteral("delivered_at")));
        QCOMPARE(row.value(QStringLiteral("event_id")).toString().toLatin1(), event.eventId());
        QCOMPARE(row.value(QStringLiteral("attempts")).toInt(), 1);
        QCOMPARE(town.count("tries"), 1);
        QCOMPARE(town.report().value(QStringLiteral("publisher")).toString(), QStringLiteral("publishing"));
        QVERIFY(!town.report().value(QStringLiteral("webhook")).toString().contains(QStringLiteral("from")));
    }

    void aDeclineAndAReplayAreToldToNobody()
    {
        WebhookReceiver shop;
        Town town(to(shop));
        QCOMPARE(town.desk->charge("too-much", 99'999'999).status, 402);
        QCOMPARE(town.charge("key-1", order(1)), 201);
        QCOMPARE(town.charge("key-1", order(1)), 201);
        QTRY_COMPARE_WITH_TIMEOUT(town.toldOf("outbox_delivered"), 1, patienceMs);
        QCOMPARE(town.outbox().size(), 1);
        QCOMPARE(shop.arrivals().size(), 1);
    }

    void whateverBecomesOfTheAcknowledgmentTheEffectIsOnce_data()
    {
        QTest::addColumn<Play>("play");
        QTest::addColumn<bool>("quick");
        QTest::newRow("taken, then 500") << Play::AcceptThenAnswer500 << false;
        QTest::newRow("taken, then cut") << Play::AcceptThenCut << false;
        QTest::newRow("taken, then reset") << Play::AcceptThenReset << false;
        QTest::newRow("taken, then silence") << Play::AcceptThenStaySilent << true;
        QTest::newRow("taken, then half an answer") << Play::HalfAnswer << false;
        QTest::newRow("500") << Play::Answer500 << false;
        QTest::newRow("cut") << Play::Cut << false;
        QTest::newRow("silence") << Play::StaySilent << true;
        QTest::newRow("redirect") << Play::Redirect << false;
    }
    void whateverBecomesOfTheAcknowledgmentTheEffectIsOnce()
    {
        QFETCH(Play, play);
        QFETCH(bool, quick);
        WebhookReceiver shop;
        // Every event meets the trouble twice.
        auto seen = std::make_shared<QHash<QByteArray, int>>();
        shop.play([seen, play](const WebhookReceiver::Arrival &arrival) {
            return ++(*seen)[arrival.eventId()] <= 2 ? play : Play::Accept;
        });
        WebhookOptions options = to(shop);
        if (quick)
            options.timeout = std::chrono::milliseconds(100);
        Town town(options);
        for (int i = 0; i < 5; ++i)
            QCOMPARE(town.charge(key(i), order(i % 3)), 201);
        QCOMPARE(town.voidCharge("void-0", key(0), order(0)), QStringLiteral("reversed"));
        QTRY_COMPARE_WITH_TIMEOUT(town.toldOf("outbox_delivered"), 6, patienceMs);
        compareWithLedger(town, shop);
        QCOMPARE(town.pending(), 0);

        // The same event, the same bytes, and honest counting.
        QHash<QByteArray, QList<WebhookReceiver::Arrival>> byEvent;
        for (const auto &arrival : shop.arrivals())
            byEvent[arrival.eventId()].append(arrival);
        QCOMPARE(byEvent.size(), 6);
        for (const auto &arrivals : byEvent) {
            QCOMPARE(arrivals.size(), 3);
            for (int i = 0; i < 3; ++i) {
                QCOMPARE(arrivals[i].body, arrivals[0].body);
                QCOMPARE(arrivals[i].header("Attempt-Number"), QByteArray::number(i + 1));
            }
        }
        QCOMPARE(town.count("tries"), 18);
        QCOMPARE(town.count("failed_tries"), 12);
        QCOMPARE(town.toldOf("outbox_failed"), 12);
        for (const QJsonValue &row : town.outbox())
            QCOMPARE(row.toObject().value(QStringLiteral("attempts")).toInt(), 3);
    }

    void drawnTroublesAndCrashesLoseAndDoubleNothing()
    {
        for (quint32 seed = 1; seed <= 8; ++seed) {
            WebhookReceiver shop;
            auto random = std::make_shared<QRandomGenerator>(seed);
            auto calm = std::make_shared<std::atomic<bool>>(false);
            shop.play([random, calm](const WebhookReceiver::Arrival &) {
                static const QList<Play> plays{Play::Accept,          Play::Accept,
                                               Play::AcceptThenCut,   Play::AcceptThenAnswer500,
                                               Play::AcceptThenReset, Play::AcceptThenStaySilent,
                                               Play::Answer500,       Play::Cut,
                                               Play::HalfAnswer,      Play::Answer204};
                return *calm ? Play::Accept : plays[random->bounded(int(plays.size()))];
            });
            WebhookOptions options = to(shop);
            options.timeout = std::chrono::milliseconds(60);
            options.backoff = {5, 30};
            Town town(options);
            QRandomGenerator mine(seed + 1000);
            int charged = 0;
            for (int move = 0; move < 60; ++move) {
                switch (mine.bounded(8)) {
                case 0:
                    town.crashAndComeBack();
                    break;
                case 1:
                    if (charged > 0) {
                        const int which = mine.bounded(charged);
                        (void)town.voidCharge("void-" + key(which), key(which), order(which % 5));
                    }
                    break;
                case 2:
                    QTest::qWait(mine.bounded(15));
                    break;
                default:
                    QCOMPARE(town.charge(key(charged), order(charged % 5)), 201);
                    ++charged;
                    break;
                }
            }
            *calm = true;
            QTRY_COMPARE_WITH_TIMEOUT(town.pending(), 0, patienceMs);
            compareWithLedger(town, shop);
        }
    }

    void theReceiverIsAwayAndComesBack()
    {
        WebhookReceiver shop;
        Town town(to(shop));
        shop.down();
        for (int i = 0; i < 20; ++i)
            QCOMPARE(town.charge(key(i), order(i)), 201);
        QTRY_VERIFY_WITH_TIMEOUT(town.toldOf("outbox_failed") >= 4, patienceMs);
        QCOMPARE(town.pending(), 20);
        // One at a time asks whether it is back, instead of twenty.
        QVERIFY(town.report().value(QStringLiteral("in_flight")).toInt() <= 1);
        bool refused = false;
        for (const QJsonValue &row : town.outbox())
            refused = refused || row.toObject().value(QStringLiteral("last_error")).toString() ==
                                     QStringLiteral("connection refused");
        QVERIFY(refused);
        shop.up();
        QTRY_COMPARE_WITH_TIMEOUT(town.toldOf("outbox_delivered"), 20, patienceMs);
        compareWithLedger(town, shop);
        QCOMPARE(town.count("paused_ms"), 0);
    }

    void oneOrderInTroubleHoldsUpNoOther()
    {
        WebhookReceiver shop;
        auto cured = std::make_shared<std::atomic<bool>>(false);
        shop.play([cured](const WebhookReceiver::Arrival &arrival) {
            return arrival.order() == QStringLiteral("poisoned") && !*cured ? Play::Answer500 : Play::Accept;
        });
        Town town(to(shop));
        QCOMPARE(town.charge("bad", QStringLiteral("poisoned")), 201);
        QCOMPARE(town.voidCharge("void-bad", "bad", QStringLiteral("poisoned")), QStringLiteral("reversed"));
        for (int i = 0; i < 30; ++i)
            QCOMPARE(town.charge(key(i), order(i)), 201);
        QTRY_COMPARE_WITH_TIMEOUT(town.toldOf("outbox_delivered"), 30, patienceMs);
        const int failuresSoFar = town.toldOf("outbox_failed");
        QTRY_VERIFY_WITH_TIMEOUT(town.toldOf("outbox_failed") >= failuresSoFar + 3, patienceMs); // it never gives up
        QCOMPARE(town.pending(), 2);
        for (const auto &arrival : shop.arrivals())
            QVERIFY2(arrival.header("Event-Topic") != "charge.reversed", "the reversal came before its charge");
        *cured = true;
        QTRY_COMPARE_WITH_TIMEOUT(town.toldOf("outbox_delivered"), 32, patienceMs);
        compareWithLedger(town, shop);
    }

    void neverTwoOfOneOrderAndNeverTooManyAtOnce()
    {
        WebhookReceiver shop;
        auto hold = std::make_shared<std::atomic<bool>>(true);
        shop.play(
            [hold](const WebhookReceiver::Arrival &) { return *hold ? Play::AcceptThenStaySilent : Play::Accept; });
        Town town(to(shop));
        for (int i = 0; i < 12; ++i)
            QCOMPARE(town.charge(key(i), order(i % 2)), 201);
        // Two orders: two at once, though there are four slots.
        QTRY_COMPARE_WITH_TIMEOUT(shop.openNow(), 2, patienceMs);
        QCOMPARE(town.count("in_flight"), 2);
        QCOMPARE(shop.arrivals().size(), 2);
        for (int i = 12; i < 24; ++i)
            QCOMPARE(town.charge(key(i), order(i)), 201);
        QTRY_COMPARE_WITH_TIMEOUT(shop.openNow(), 4, patienceMs);
        QCOMPARE(town.count("in_flight"), 4);
        *hold = false;
        shop.answerTheSilent();
        QTRY_COMPARE_WITH_TIMEOUT(town.toldOf("outbox_delivered"), 24, patienceMs);
        QVERIFY(shop.mostAtOnce() <= 4);
        compareWithLedger(town, shop);
    }

    void aCrashBetweenDeliveryAndMarkIsDeliveredAgainUnderTheSameId()
    {
        WebhookReceiver shop;
        shop.play(Play::AcceptThenStaySilent);
        Town town(to(shop));
        QCOMPARE(town.charge("key-1", order(1)), 201);
        QTRY_COMPARE_WITH_TIMEOUT(shop.arrivals().size(), 1, patienceMs);
        shop.play(Play::Accept);
        town.crashAndComeBack();
        QTRY_COMPARE_WITH_TIMEOUT(town.pending(), 0, patienceMs);
        QCOMPARE(shop.arrivals().size(), 2);
        QCOMPARE(shop.arrivals()[1].eventId(), shop.arrivals()[0].eventId());
        QCOMPARE(shop.arrivals()[1].body, shop.arrivals()[0].body);
        compareWithLedger(town, shop);
    }

    void aCrashBetweenCommitAndDeliveryLosesNothing()
    {
        WebhookReceiver shop;
        Town town(to(shop));
        for (int i = 0; i < 10; ++i) {
            // The event loop has not run since the commit: nothing can have been sent.
            QCOMPARE(town.charge(key(i), order(i)), 201);
            town.crashAndComeBack();
        }
        QTRY_COMPARE_WITH_TIMEOUT(town.pending(), 0, patienceMs);
        compareWithLedger(town, shop);
    }

    void whatIsDeliveredIsNotSentAgainBecauseTheStoreIsAway()
    {
        WebhookReceiver shop;
        auto fails = std::make_shared<std::atomic<bool>>(false);
        shop.play([fails](const WebhookReceiver::Arrival &) {
            *fails = true; // from now on no mark can be stored
            return Play::Accept;
        });
        auto troubles = std::make_shared<StoreTroubles>();
        troubles->beforeCommit = [fails] {
            if (*fails)
                throw StoreError(QStringLiteral("disk full"));
        };
        QTemporaryDir folder;
        BankOptions options = Desk::plain();
        options.openStore = [troubles, path = folder.filePath(QStringLiteral("bank.db"))]() -> std::unique_ptr<Store> {
            QString error;
            const auto address = readStoreAddress(QStringLiteral("sqlite:") + path, {}, &error);
            return std::make_unique<FailingStore>(openStore(*address), troubles);
        };
        Town town(to(shop), options);
        QCOMPARE(town.charge("key-1", order(1)), 201);
        QTRY_COMPARE_WITH_TIMEOUT(shop.arrivals().size(), 1, patienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(town.report().value(QStringLiteral("publisher")).toString() ==
                                     QStringLiteral("waiting for the store"),
                                 patienceMs);
        QCOMPARE(town.toldOf("outbox_delivered"), 0);
        *fails = false;
        QTRY_COMPARE_WITH_TIMEOUT(town.toldOf("outbox_delivered"), 1, patienceMs);
        QCOMPARE(shop.arrivals().size(), 1);
        QCOMPARE(town.pending(), 0);
        QTRY_COMPARE(town.report().value(QStringLiteral("publisher")).toString(), QStringLiteral("publishing"));
    }

    void waitsAreElapsedTimeAndNotTheBanks()
    {
        WebhookReceiver shop;
        shop.play(Play::Answer500);
        auto clock = std::make_shared<HandClock>();
        BankOptions options = Desk::plain();
        options.clock = clock;
        WebhookOptions webhook = to(shop);
        webhook.backoff = {60'000, 60'000};
        Town town(webhook, options);
        // Frozen, and a year ahead: a new event goes out at once all the same.
        QVERIFY(town.desk->setClock({ClockChange::What::Freeze, 0}));
        QVERIFY(town.desk->setClock({ClockChange::What::Advance, 365LL * 86'400'000}));
        QCOMPARE(town.charge("key-1", order(1)), 201);
        QTRY_COMPARE_WITH_TIMEOUT(town.toldOf("outbox_failed"), 1, patienceMs);
        const qint64 waitMs = town.told.constLast().second.value(QStringLiteral("retry_after_ms")).toInteger();
        QVERIFY(waitMs > 29'000 && waitMs <= 60'000);
        // Neither a new bank's time nor a new date hurries the next try.
        QVERIFY(town.desk->setClock({ClockChange::What::Advance, 86'400'000}));
        clock->setForward(std::chrono::hours(48));
        clock->advance(std::chrono::milliseconds(waitMs - 2000));
        QTest::qWait(1200); // longer than the publisher ever sleeps
        QCOMPARE(shop.arrivals().size(), 1);
        shop.play(Play::Accept);
        clock->advance(std::chrono::milliseconds(2001));
        QTRY_COMPARE_WITH_TIMEOUT(town.toldOf("outbox_delivered"), 1, patienceMs);
    }

    void aNewRunDoesNotWaitForWhatTheOldOneWaitedFor()
    {
        WebhookReceiver shop;
        shop.play(Play::Answer500);
        WebhookOptions webhook = to(shop);
        webhook.backoff = {3'600'000, 3'600'000};
        Town town(webhook);
        QCOMPARE(town.charge("key-1", order(1)), 201);
        QTRY_COMPARE_WITH_TIMEOUT(town.toldOf("outbox_failed"), 1, patienceMs);
        shop.play(Play::Accept);
        town.crashAndComeBack();
        QTRY_COMPARE_WITH_TIMEOUT(town.toldOf("outbox_delivered"), 1, patienceMs);
        QCOMPARE(shop.arrivals().constLast().header("Attempt-Number"), "2");
    }

    void aNewLedgerBeginsAnewAndTheOldOnesMarksDoNotTouchIt()
    {
        WebhookReceiver shop;
        shop.play(Play::AcceptThenStaySilent);
        Town town(to(shop));
        QCOMPARE(town.charge("key-1", order(1)), 201);
        QTRY_COMPARE_WITH_TIMEOUT(shop.openNow(), 1, patienceMs);
        const auto ledger = town.desk->reset(true);
        QVERIFY(ledger);
        // The same number in the new ledger, and the same order id, while the old event is still on its way.
        QCOMPARE(town.charge("key-2", order(1)), 201);
        QCOMPARE(town.outbox().size(), 1);
        shop.play(Play::Accept);
        shop.answerTheSilent();
        QTRY_COMPARE_WITH_TIMEOUT(shop.takenCount(), 2, patienceMs);
        QTRY_COMPARE_WITH_TIMEOUT(town.pending(), 0, patienceMs);
        const auto arrivals = shop.arrivals();
        QCOMPARE(arrivals.size(), 2);
        QCOMPARE(arrivals[1].key(), QStringLiteral("key-2"));
        QCOMPARE(arrivals[1].header("Ledger-Id"), ledger->toLatin1());
        QVERIFY(arrivals[1].eventId() != arrivals[0].eventId());
    }

    void onlyOneOfTwoBanksAtAStorePublishesUntilItDies_data()
    {
        QTest::addColumn<bool>("onPostgres");
        QTest::newRow("SQLite") << false;
        QTest::newRow("PostgreSQL") << true;
    }
    void onlyOneOfTwoBanksAtAStorePublishesUntilItDies()
    {
        QFETCH(bool, onPostgres);
        WebhookReceiver shop;
        QTemporaryDir folder;
        BankOptions first = Desk::plain();
        first.store = QStringLiteral("sqlite:") + folder.filePath(QStringLiteral("shared.db"));
        if (onPostgres) {
            if (!PostgresServer::instance())
                QSKIP(qPrintable(PostgresServer::absence()));
            first.store = PostgresServer::instance()->newDatabase();
        }
        BankOptions second = first;
        second.instance = QStringLiteral("bank-2");
        auto one = std::make_unique<Town>(to(shop), first);
        QTRY_COMPARE_WITH_TIMEOUT(one->report().value(QStringLiteral("publisher")).toString(),
                                  QStringLiteral("publishing"), patienceMs);
        Town two(to(shop), second);
        QTRY_COMPARE_WITH_TIMEOUT(two.report().value(QStringLiteral("publisher")).toString(),
                                  QStringLiteral("waiting: another bank publishes"), patienceMs);
        // Money that moves at either is told by the holder.
        QCOMPARE(two.charge("key-2", order(2)), 201);
        QCOMPARE(one->charge("key-1", order(1)), 201);
        QTRY_COMPARE_WITH_TIMEOUT(one->toldOf("outbox_delivered"), 2, patienceMs);
        QCOMPARE(two.count("tries"), 0);
        one.reset();
        QCOMPARE(two.charge("key-3", order(3)), 201);
        QTRY_COMPARE_WITH_TIMEOUT(two.toldOf("outbox_delivered"), 1, patienceMs);
        compareWithLedger(two, shop);
        QCOMPARE(shop.arrivals().size(), 3);
    }

    void withoutAWebhookEventsStayWhereTheyAre()
    {
        Town town(WebhookOptions{});
        QCOMPARE(town.charge("key-1", order(1)), 201);
        QCOMPARE(town.pending(), 1);
        QVERIFY(town.report().value(QStringLiteral("webhook")).isNull());
        QCOMPARE(town.report().value(QStringLiteral("publisher")).toString(), QStringLiteral("off"));
    }

    void whatIsPublishedDirectlyIsTriedOnceAndLeavesNoRow()
    {
        WebhookReceiver shop;
        Town town(to(shop));
        OutboxEvent event;
        event.topic = "charge.approved";
        event.payload = R"({"order_id":"A-1"})";
        event.createdAtMs = 1'784'000'000'000;
        town.publishing.publishDirectly(event);
        QTRY_COMPARE_WITH_TIMEOUT(town.toldOf("direct_published"), 1, patienceMs);
        shop.play(Play::Answer500);
        town.publishing.publishDirectly(event);
        QTRY_COMPARE_WITH_TIMEOUT(town.toldOf("direct_failed"), 1, patienceMs);
        QCOMPARE(town.count("direct_published"), 1);
        QCOMPARE(town.count("direct_failed"), 1);
        QCOMPARE(town.count("tries"), 0);
        QCOMPARE(town.outbox().size(), 0);
        QCOMPARE(shop.arrivals().size(), 2);
        QVERIFY(shop.arrivals()[0].eventId() != shop.arrivals()[1].eventId());
        QCOMPARE(shop.arrivals()[0].order(), QStringLiteral("A-1"));
        QCOMPARE(shop.arrivals()[0].json().value(QStringLiteral("event_id")).toString().toLatin1(),
                 shop.arrivals()[0].eventId());
    }
};

IKKAI_TEST_MAIN(OutboxPublisherTest)
#include "tst_outbox_publisher.moc"
