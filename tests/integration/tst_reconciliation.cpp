#include "core/closing/charge_list_client.h"
#include "core/closing/closing_service.h"
#include "core/domain/random.h"
#include "tests/support/bank_under_test.h"
#include "tests/support/test.h"
#include "tests/unit/closing/till_journal.h"

#include <QtTest/QSignalSpy>

using namespace ikkai;
using namespace ikkai::test;
using K = DifferenceKind;

namespace {

constexpr qint64 minuteMs = 60'000;

/// A till with its journal, a real bank on a real socket, and the desk that compares them. The till sells a minute ago
/// by both clocks, so that nothing is too young to be compared.
struct Shop {
    BankUnderTest bank;
    TillJournal till;
    StandingClock clock;
    SystemRandom random;
    std::unique_ptr<ClosingService> service;
    std::unique_ptr<QSignalSpy> reconciled;
    std::unique_ptr<QSignalSpy> failed;
    std::unique_ptr<QSignalSpy> cancelled;
    qint64 soldMs = 0;

    explicit Shop(int pageRows = 500)
    {
        till.setLedger(bank.ledgerId());
        soldMs = QDateTime::currentMSecsSinceEpoch();
        clock.at = {soldMs + minuteMs, 0, 0};
        ChargeListClientSettings settings;
        settings.baseUrl = QUrl(bank.url());
        settings.deadlineMs = 3'000;
        settings.pageRows = pageRows;
        settings.retry.maxAttempts = 1;
        service =
            std::make_unique<ClosingService>(ClosingSettings{till.file(), till.calendar(), QStringLiteral("till-1")},
                                             clock, std::make_unique<ChargeListClient>(settings, random));
        reconciled = std::make_unique<QSignalSpy>(service.get(), &ClosingDesk::reconciled);
        failed = std::make_unique<QSignalSpy>(service.get(), &ClosingDesk::failed);
        cancelled = std::make_unique<QSignalSpy>(service.get(), &ClosingDesk::cancelled);
    }

    /// Checkout n is started here and its charge reaches the bank `times` times.
    void send(int n, const QString &order = {}, int times = 1)
    {
        till.start(n, soldMs, order);
        const Checkout &checkout = till.checkout(n);
        for (int attempt = 1; attempt <= times; ++attempt)
            QCOMPARE(bank.charge(checkout.key.bytes(), attempt, checkout.body).status / 100, 2);
    }
    void paid(int n, const QString &order = {})
    {
        send(n, order);
        till.answer(n, soldMs, verdict::Approved{SettledBy::Answer, details()});
    }
    void answerLost(int n)
    {
        send(n);
        till.leaveOpen(n, soldMs);
    }
    void voidAtBank(int n)
    {
        const Checkout &checkout = till.checkout(n);
        const QByteArray body = "{\"original_key\":\"" + checkout.key.bytes() + "\",\"order_id\":\"" +
                                checkout.order.text().toUtf8() + "\",\"amount\":1200,\"currency\":\"JPY\"}";
        const QByteArray headers =
            "Content-Type: application/json\r\nIdempotency-Key: v-" + QByteArray::number(n) + "\r\n";
        QCOMPARE(bank.exchange(bank.request("POST", "/v1/voids", headers, body)).status, 200);
    }
    /// A minute passes at the bank too.
    void aMinuteLater() const { QCOMPARE(bank.control("POST", "clock", "{\"advance_ms\":60000}").status, 200); }

    void start() const { service->reconcile({soldMs - minuteMs, 0}); }
    Reconciliation compare() const
    {
        reconciled->clear();
        start();
        (void)QTest::qWaitFor([this] { return reconciled->size() + failed->size() > 0; }, 10'000);
        return reconciled->isEmpty() ? Reconciliation() : reconciled->first().first().value<Reconciliation>();
    }
    [[nodiscard]] QString whyFailed() const
    {
        return failed->isEmpty() ? QString() : failed->first().first().toString();
    }
};

} // namespace

class TestReconciliation : public test::Test {
    Q_OBJECT

private Q_SLOTS:
    void ordinaryTrafficAgrees()
    {
        Shop shop(7); // three pages
        for (int n = 1; n <= 15; ++n)
            shop.paid(n);
        shop.paid(16, QStringLiteral("A-1")); // a second sale of that order that was meant
        shop.till.start(17, shop.soldMs);
        shop.till.answer(17, shop.soldMs, verdict::NotSent{verdict::NotSent::Why::ConnectionRefused});
        shop.till.happen(17, shop.soldMs, event::Restarted{QStringLiteral("boot-1")});
        shop.answerLost(18);
        shop.voidAtBank(18);
        shop.till.voidStarted(18, shop.soldMs);
        shop.till.voidAnswered(18, shop.soldMs, VoidResult::Reversed);
        QCOMPARE(shop.bank
                     .charge("till-2-a", 1,
                             "{\"order_id\":\"B-1\",\"amount\":500,\"currency\":\"JPY\","
                             "\"source\":\"card_ok\",\"terminal_id\":\"till-2\"}")
                     .status,
                 201);
        shop.aMinuteLater();
        const Reconciliation result = shop.compare();
        QVERIFY2(shop.failed->isEmpty(), qPrintable(shop.whyFailed()));
        QVERIFY(result.differences.isEmpty());
        QCOMPARE(result.agreeCount, 18);
        QCOMPARE(result.agreeSums, (QList<std::pair<Currency, qint64>>{{Currency::jpy(), 16 * 1'200}}));
        QCOMPARE(result.heldBack, 0);
        QCOMPARE(result.bankRows, 18);
    }
    void whatTheNaiveBankChargedTwiceIsFound()
    {
        Shop shop;
        QCOMPARE(shop.bank.control("PUT", "strategy", "{\"name\":\"naive\"}").status, 200);
        shop.send(1, {}, 2); // the answer was lost, the same key came again
        shop.till.answer(1, shop.soldMs, verdict::Approved{SettledBy::Answer, details()});
        shop.paid(2);
        shop.aMinuteLater();
        const Reconciliation result = shop.compare();
        QCOMPARE(result.differences.size(), 1);
        const Difference &found = result.differences.first();
        QCOMPARE(found.kind, K::ChargedTwice);
        QCOMPARE(found.key, keyNumber(1).text());
        QCOMPARE(found.theirs.size(), size_t(2));
        QCOMPARE(found.bankMinusHereMinor, 1'200);
        QCOMPARE(found.confirmation, Confirmation::NotOffered); // this bank answers no inquiry
        QCOMPARE(result.agreeCount, 1);
    }
    void aKeyMadePerCallIsTheSecondChargeOfItsOrder()
    {
        Shop shop;
        shop.paid(1);
        QCOMPARE(shop.bank.charge("made-per-call", 1, shop.till.checkout(1).body).status, 201);
        shop.aMinuteLater();
        const Reconciliation result = shop.compare();
        QCOMPARE(result.differences.size(), 1);
        QCOMPARE(result.differences.first().kind, K::ChargedTwice);
        QCOMPARE(result.differences.first().key, QStringLiteral("made-per-call"));
        QCOMPARE(result.differences.first().confirmation, Confirmation::ByInquiry);
    }
    void case_43_openHereAndPaidThereIsOpenUntilItIsAskedFor()
    {
        Shop shop;
        shop.answerLost(1);
        shop.aMinuteLater();
        const Reconciliation result = shop.compare();
        QCOMPARE(result.differences.size(), 1);
        QCOMPARE(result.differences.first().kind, K::OpenHere);
        QCOMPARE(result.differences.first().ours->state, QStringLiteral("unknown"));
        QCOMPARE(result.differences.first().wouldSettleAs, QStringLiteral("approved"));
        QCOMPARE(result.differences.first().confirmation, Confirmation::ByInquiry);
        QCOMPARE(result.agreeCount, 0);
    }
    void openHereAndDeclinedThere()
    {
        Shop shop;
        shop.till.start(1, shop.soldMs);
        QByteArray body = shop.till.checkout(1).body;
        body.replace("card_ok", "card_decline");
        QCOMPARE(shop.bank.charge(keyNumber(1).bytes(), 1, body).status, 402);
        shop.till.leaveOpen(1, shop.soldMs);
        shop.aMinuteLater();
        const Reconciliation result = shop.compare();
        QCOMPARE(result.differences.size(), 1);
        QCOMPARE(result.differences.first().kind, K::OpenHere);
        QCOMPARE(result.differences.first().wouldSettleAs, QStringLiteral("declined"));
    }
    void paidAfterVoid()
    {
        Shop shop; // a bank that looks at no key: the charge was taken, and whatever the void's answer said, is there
        QCOMPARE(shop.bank.control("PUT", "strategy", "{\"name\":\"naive\"}").status, 200);
        shop.answerLost(1);
        shop.till.voidStarted(1, shop.soldMs);
        shop.till.voidAnswered(1, shop.soldMs, VoidResult::Prevented);
        QCOMPARE(shop.bank.control("PUT", "strategy", "{\"name\":\"atomic\"}").status, 200);
        shop.aMinuteLater();
        const Reconciliation result = shop.compare();
        QCOMPARE(result.differences.size(), 1);
        QCOMPARE(result.differences.first().kind, K::PaidAfterVoid);
        QCOMPARE(result.differences.first().bankMinusHereMinor, 1'200);
        QCOMPARE(result.differences.first().confirmation, Confirmation::ByInquiry);
    }
    void afterVoidStartedTheRowOnlySaysThatItIsUnderWay()
    {
        Shop shop;
        shop.answerLost(1);
        shop.till.voidStarted(1, shop.soldMs);
        shop.aMinuteLater();
        const Reconciliation result = shop.compare();
        QCOMPARE(result.differences.size(), 1);
        QCOMPARE(result.differences.first().kind, K::VoidUnderWay);
    }
    void paidAfterRefusedNotAtBankTwoTillsAndUnknownOrigin()
    {
        Shop shop;
        shop.send(1);
        shop.till.answer(1, shop.soldMs, verdict::Declined{SettledBy::Answer, details()});
        shop.till.sale(2, shop.soldMs); // never reached this bank
        shop.paid(3);
        QByteArray atTheOther = shop.till.checkout(3).body;
        atTheOther.replace("till-1", "till-2");
        QCOMPARE(shop.bank.charge("till-2-a", 1, atTheOther).status, 201);
        QCOMPARE(shop.bank.charge("nobody", 1, BankUnderTest::chargeBody(900, "card_ok", "none")).status, 201);
        shop.aMinuteLater();
        const Reconciliation result = shop.compare();
        QStringList kinds;
        for (const Difference &difference : result.differences)
            kinds << QString::number(static_cast<int>(difference.kind));
        const auto number = [](K kind) { return QString::number(static_cast<int>(kind)); };
        QCOMPARE(kinds, (QStringList{number(K::PaidAfterRefused), number(K::TwoTerminals), number(K::NotAtBank),
                                     number(K::UnknownOrigin)}));
        for (const Difference &difference : result.differences)
            QCOMPARE(difference.confirmation, Confirmation::ByInquiry);
    }
    void aChargeThatIsASecondOldWaits()
    {
        Shop shop;
        shop.clock.at.wallMs = shop.soldMs;
        shop.paid(1);
        const Reconciliation result = shop.compare();
        QCOMPARE(result.heldBack, 1);
        QCOMPARE(result.agreeCount, 0);
        QVERIFY(result.differences.isEmpty());
    }

    void case_41_differencesAreShownAndTheDayIsClosed()
    {
        Shop shop;
        shop.answerLost(1);
        shop.aMinuteLater();
        QCOMPARE(shop.compare().differences.size(), 1);
        QSignalSpy closed(shop.service.get(), &ClosingDesk::dayClosed);
        shop.service->closeDay();
        QCOMPARE(closed.size(), 1);
        QCOMPARE(closed.first().first().value<DayReport>().carried.size(), 1);
    }

    void itIsEndedInTheMiddleOfTheDownload()
    {
        Shop shop(2);
        for (int n = 1; n <= 6; ++n)
            shop.paid(n);
        shop.aMinuteLater();
        shop.bank.arm("after_commit:hold:route=list:skip=1:next=1"); // the second page does not come
        QSignalSpy progressed(shop.service.get(), &ClosingDesk::progressed);
        shop.start();
        QTRY_VERIFY(!progressed.isEmpty() && progressed.last().first().value<ReconcileProgress>().done == 2);
        shop.service->cancelReconcile();
        QTRY_COMPARE(shop.cancelled->size(), 1);
        QVERIFY(shop.reconciled->isEmpty());
        QVERIFY(shop.failed->isEmpty());
        shop.bank.disarmAll();
        QCOMPARE(shop.compare().agreeCount, 6);
    }
    void aBankThatIsAwayIsSaidToBeAway()
    {
        Shop shop;
        shop.paid(1);
        shop.bank.server().stop();
        shop.compare();
        QCOMPARE(shop.failed->size(), 1);
        QVERIFY2(shop.whyFailed().contains(QStringLiteral("the bank cannot be reached")), qPrintable(shop.whyFailed()));
        QVERIFY(shop.reconciled->isEmpty());
    }
    void aBankThatKeepsAnotherLedgerIsRefused()
    {
        Shop shop;
        shop.till.setLedger(QStringLiteral("ldg_of_before"));
        shop.till.sale(1, shop.soldMs);
        shop.compare();
        QCOMPARE(shop.failed->size(), 1);
        QVERIFY2(shop.whyFailed().contains(QStringLiteral("ledger")), qPrintable(shop.whyFailed()));
        QVERIFY(shop.reconciled->isEmpty()); // nothing is called missing at a bank that cannot know it
    }
};

IKKAI_TEST_MAIN(TestReconciliation)
#include "tst_reconciliation.moc"
