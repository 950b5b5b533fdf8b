#include "mock-server/outbox/delivery_plan.h"
#include "mock-server/outbox/webhook.h"
#include "tests/support/test.h"

#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QRandomGenerator>

#include <algorithm>
#include <vector>

using namespace mockbank;
using Outcome = DeliveryPlan::Outcome;

class DeliveryPlanTest : public ikkai::test::Test {
    Q_OBJECT

private:
    static OutboxEvent event(qint64 id, const char *order, int attempts = 0)
    {
        OutboxEvent made;
        made.id = id;
        made.orderId = QString::fromLatin1(order);
        made.attempts = attempts;
        return made;
    }
    static qint64 idOf(const std::optional<OutboxEvent> &event) { return event ? event->id : 0; }
    static constexpr BackoffSettings backoff{500, 30'000};

private Q_SLOTS:
    void theOldestGoesFirstAndNoMoreThanTheSlots()
    {
        DeliveryPlan plan(2, backoff);
        plan.offer({event(1, "A"), event(2, "B"), event(3, "C")});
        QCOMPARE(idOf(plan.next(0)), 1);
        QCOMPARE(idOf(plan.next(0)), 2);
        QCOMPARE(idOf(plan.next(0)), 0);
        QCOMPARE(plan.inFlight(), 2);
        QCOMPARE(plan.outcome(event(2, "B"), Outcome::Delivered, 0, 0), 0);
        QCOMPARE(idOf(plan.next(0)), 3);
    }

    void theReversalWaitsUntilItsChargeIsKnownToBeDelivered()
    {
        DeliveryPlan plan(4, backoff);
        plan.offer({event(1, "A")});
        QCOMPARE(idOf(plan.next(0)), 1);
        // The store was asked before the outcome was written, or sees the order's next event for any other reason.
        plan.offer({event(1, "A"), event(2, "A")});
        QCOMPARE(idOf(plan.next(0)), 0);
        QCOMPARE(plan.outcome(event(1, "A"), Outcome::Delivered, 0, 0), 0);
        plan.offer({event(1, "A"), event(2, "A")});
        QCOMPARE(idOf(plan.next(0)), 0);
        plan.recorded(event(1, "A"));
        plan.offer({event(2, "A")});
        QCOMPARE(idOf(plan.next(0)), 2);
    }

    void ordersInTroubleLeaveRoomForTheOthers()
    {
        DeliveryPlan plan(4, backoff);
        plan.offer({event(1, "A", 3), event(2, "B", 1), event(3, "C", 1), event(4, "D", 1), event(5, "E"),
                    event(6, "F"), event(7, "G")});
        QCOMPARE(idOf(plan.next(0)), 1);
        QCOMPARE(idOf(plan.next(0)), 2);
        QVERIFY(plan.hasFresh());
        QCOMPARE(idOf(plan.next(0)), 5);
        QCOMPARE(idOf(plan.next(0)), 6);
        QCOMPARE(idOf(plan.next(0)), 0);
        (void)plan.outcome(event(5, "E"), Outcome::Failed, 0, 0);
        QCOMPARE(idOf(plan.next(0)), 7);
        QVERIFY(!plan.hasFresh());
        QVERIFY(plan.hasWaiting());
        (void)plan.outcome(event(6, "F"), Outcome::Delivered, 0, 0);
        QCOMPARE(idOf(plan.next(0)), 0);
        (void)plan.outcome(event(1, "A", 3), Outcome::Failed, 0, 0);
        QCOMPARE(idOf(plan.next(0)), 3);
    }

    void aReceiverThatIsAwayIsAskedByOneAtATime()
    {
        DeliveryPlan plan(4, backoff);
        plan.offer({event(1, "A"), event(2, "B"), event(3, "C"), event(4, "D")});
        QCOMPARE(idOf(plan.next(0)), 1);
        QCOMPARE(idOf(plan.next(0)), 2);
        const qint64 again = plan.outcome(event(1, "A"), Outcome::Unreachable, 1000, 0);
        QCOMPARE(again, 1250);
        QCOMPARE(plan.pausedUntilMs(), 1250);
        (void)plan.outcome(event(2, "B"), Outcome::Unreachable, 1000, 0);
        QCOMPARE(plan.pausedUntilMs(), 1500); // the second in a row
        QCOMPARE(idOf(plan.next(1499)), 0);
        QCOMPARE(idOf(plan.next(1500)), 3);
        QCOMPARE(idOf(plan.next(1500)), 0);
        (void)plan.outcome(event(3, "C"), Outcome::Failed, 1600, 0); // it answers again, be it with a 500
        QCOMPARE(plan.pausedUntilMs(), 0);
        QCOMPARE(idOf(plan.next(1600)), 4);
    }

    void failuresWaitLongerAndLongerUpToTheCap_data()
    {
        QTest::addColumn<int>("failures");
        QTest::addColumn<qint64>("whole");
        QTest::newRow("1") << 1 << qint64(500);
        QTest::newRow("2") << 2 << qint64(1000);
        QTest::newRow("3") << 3 << qint64(2000);
        QTest::newRow("6") << 6 << qint64(16'000);
        QTest::newRow("7") << 7 << qint64(30'000);
        QTest::newRow("40") << 40 << qint64(30'000);
        QTest::newRow("beyond every shift") << 2'000'000'000 << qint64(30'000);
        QTest::newRow("none") << 0 << qint64(500);
    }
    void failuresWaitLongerAndLongerUpToTheCap()
    {
        QFETCH(int, failures);
        QFETCH(qint64, whole);
        QRandomGenerator random(7);
        qint64 least = whole;
        qint64 most = 0;
        for (int i = 0; i < 2000; ++i) {
            const qint64 wait = backoffMs(failures, backoff, random.generate64());
            QVERIFY(wait >= whole / 2 && wait <= whole);
            least = std::min(least, wait);
            most = std::max(most, wait);
        }
        QVERIFY(least < whole * 55 / 100);
        QVERIFY(most > whole * 95 / 100);
        QCOMPARE(backoffMs(failures, {10, 1}, 99) <= 1, true);
    }

    /// A store, a receiver and a publisher's moves, all drawn: whatever happens, the order of an order is kept, every
    /// event is delivered in the end, and what was marked delivered is never sent again.
    void everyEventArrivesInTheOrderOfItsOrder()
    {
        for (quint32 seed = 1; seed <= 60; ++seed) {
            QRandomGenerator random(seed);
            DeliveryPlan plan(1 + int(random.bounded(4)), {10, 200});
            struct Row {
                OutboxEvent event;
                bool delivered = false;
                bool arrived = false;
            };
            std::vector<Row> store;
            const int orders = 1 + int(random.bounded(5));
            struct Done {
                OutboxEvent event;
                bool delivered;
                qint64 nextMs;
            };
            std::vector<OutboxEvent> flying;
            std::vector<Done> unwritten;
            qint64 now = 0;
            const auto due = [&] {
                QList<OutboxEvent> list;
                for (const Row &row : store) {
                    const bool first = std::ranges::none_of(store, [&](const Row &other) {
                        return !other.delivered && other.event.orderId == row.event.orderId &&
                               other.event.id < row.event.id;
                    });
                    if (!row.delivered && first && row.event.nextAttemptAtMs <= now && list.size() < 3)
                        list.append(row.event);
                }
                return list;
            };
            int calm = 0;
            for (int move = 0; move < 5000; ++move) {
                now += 7;
                const bool trouble = move < 200;
                if (trouble && random.bounded(4) == 0) {
                    const auto order = QByteArray::number(random.bounded(orders));
                    store.push_back({event(qint64(store.size()) + 1, order.constData()), false, false});
                }
                if (random.bounded(3) == 0)
                    plan.offer(due());
                if (const auto next = plan.next(now)) {
                    Row &row = store[size_t(next->id - 1)];
                    QVERIFY2(!row.delivered, "sent again after it was marked");
                    for (const OutboxEvent &other : flying)
                        QVERIFY2(other.orderId != next->orderId, "two of one order under way");
                    flying.push_back(*next);
                }
                if (!flying.empty() && random.bounded(2) == 0) {
                    const size_t which = random.bounded(quint32(flying.size()));
                    const OutboxEvent sent = flying[which];
                    flying.erase(flying.begin() + std::ptrdiff_t(which));
                    const int luck = trouble ? int(random.bounded(4)) : 0;
                    Row &row = store[size_t(sent.id - 1)];
                    if (luck < 2) { // arrived; 1: the acknowledgment is lost
                        for (const Row &other : store) {
                            QVERIFY2(other.event.id >= sent.id || other.event.orderId != sent.orderId || other.arrived,
                                     "an event overtook another of its order");
                        }
                        row.arrived = true;
                    }
                    const Outcome outcome = luck == 0   ? Outcome::Delivered
                                            : luck == 3 ? Outcome::Unreachable
                                                        : Outcome::Failed;
                    const qint64 again = plan.outcome(sent, outcome, now, random.generate64());
                    unwritten.push_back({sent, outcome == Outcome::Delivered, again});
                }
                if (!unwritten.empty() && random.bounded(2) == 0) {
                    const Done done = unwritten.front();
                    unwritten.erase(unwritten.begin());
                    Row &row = store[size_t(done.event.id - 1)];
                    ++row.event.attempts;
                    row.delivered = done.delivered;
                    row.event.nextAttemptAtMs = done.nextMs;
                    plan.recorded(done.event);
                }
                const bool all = std::ranges::all_of(store, [](const Row &row) { return row.delivered; });
                calm = all && !trouble ? calm + 1 : 0;
                if (calm > 3)
                    break;
            }
            QVERIFY2(calm > 0, qPrintable(QStringLiteral("seed %1 never came to rest").arg(seed)));
        }
    }

    void theBodySaysWhatIsStoredAsItIsStored()
    {
        OutboxEvent row = event(17, "A-1", 2);
        row.topic = "charge.approved";
        row.createdAtMs = 1'784'000'000'123;
        row.payload = R"({"z":1,  "a":"\u00e9"})";
        const WebhookMessage message = webhookMessage(row, "ldg_1");
        QCOMPARE(message.eventId, "ldg_1-17");
        QCOMPARE(message.attempt, 3);
        QCOMPARE(message.body, R"({"event_id":"ldg_1-17","topic":"charge.approved",)"
                               R"("created_at":"2026-07-14T03:33:20.123Z","data":{"z":1,  "a":"\u00e9"}})");
        QVERIFY(QJsonDocument::fromJson(message.body).isObject());
        row.payload.clear();
        QVERIFY(QJsonDocument::fromJson(webhookMessage(row, "ldg_1").body).isObject());
    }

    void aWebhookIsAnHttpUrl_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("taken");
        const auto row = [](const char *text, bool taken) {
            QTest::newRow(text) << QString::fromLatin1(text) << taken;
        };
        row("http://127.0.0.1:9000/events", true);
        row("https://shop.example/hooks?token=1", true);
        row("http://user:secret@localhost", true);
        row("http://[::1]:9000/", true);
        row("ftp://shop.example/", false);
        row("shop.example/hooks", false);
        row("http:///events", false);
        row("http://host:0/", false);
        row("http://host:99999/", false);
        row("http://host/#part", false);
        row("http://ho st/", false);
        row("", false);
    }
    void aWebhookIsAnHttpUrl()
    {
        QFETCH(QString, text);
        QFETCH(bool, taken);
        QString error;
        const auto url = readWebhookUrl(text, &error);
        QCOMPARE(url.has_value(), taken);
        QCOMPARE(error.isEmpty(), taken);
        if (url) {
            QVERIFY(!shownUrl(*url).contains(QStringLiteral("secret")));
            QVERIFY(!shownUrl(*url).contains(QStringLiteral("token")));
        }
    }
};

IKKAI_TEST_MAIN(DeliveryPlanTest)
#include "tst_delivery_plan.moc"
