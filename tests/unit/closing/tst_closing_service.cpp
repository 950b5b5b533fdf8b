#include "core/closing/closing_service.h"
#include "core/journal/sqlite_journal.h"
#include "tests/support/test.h"
#include "tests/unit/closing/till_journal.h"

#include <QtCore/QFile>
#include <QtCore/QHash>
#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QThread>
#include <QtTest/QSignalSpy>

#include <algorithm>
#include <functional>

using namespace ikkai;
using namespace ikkai::test;
using K = DifferenceKind;

namespace {

constexpr qint64 soldMs = 1'778'720'400'000; ///< 2026-05-14 10:00 in Tokyo
constexpr qint64 nowMs = soldMs + 3'600'000;

/// A bank's list that the test writes, told two rows a page.
class WrittenList final : public ChargeList {
    Q_OBJECT

public:
    std::vector<BankChargeRow> rows;
    QHash<QString, KeyInquiry> answers; ///< NeverSeen where there is none
    QList<ChargeListRequest> readings;
    QStringList asked;
    bool holdsPages = false; ///< tells the first page and waits
    std::optional<ChargeListError> error;
    std::function<void()> whenAsked = [] {};

    void read(const ChargeListRequest &request) override
    {
        readings.append(request);
        const int reading = ++m_reading;
        QMetaObject::invokeMethod(
            this, [this, request, reading] { tell(request, reading); }, Qt::QueuedConnection);
    }
    void inquire(const QString &key, const QString &) override
    {
        asked.append(key);
        const int reading = m_reading;
        const auto answer = [this, key, reading] {
            if (reading != m_reading)
                return;
            whenAsked();
            KeyInquiry told = answers.value(key);
            told.key = key;
            if (!answers.contains(key))
                told.what = KeyInquiry::What::NeverSeen;
            Q_EMIT inquired(told);
        };
        QMetaObject::invokeMethod(this, answer, Qt::QueuedConnection);
    }
    void cancel() override
    {
        ++m_reading;
        QMetaObject::invokeMethod(this, &ChargeList::cancelled, Qt::QueuedConnection);
    }

    void finds(const BankChargeRow &row, const char *status, std::optional<VoidResult> voided = {})
    {
        KeyInquiry told;
        told.what = KeyInquiry::What::Found;
        told.charge = BankCharge{
            QString::fromLatin1(status), row.chargeId, {}, row.key, row.orderId, row.amountMinor, row.currency, voided};
        answers.insert(row.key, told);
    }

private:
    void tell(const ChargeListRequest &request, int reading)
    {
        if (error) {
            Q_EMIT failed(*error);
            return;
        }
        QList<BankChargeRow> page;
        qint64 told = 0;
        for (const BankChargeRow &row : rows) {
            if (row.createdWallMs < request.fromWallMs ||
                (request.toWallMs != 0 && row.createdWallMs >= request.toWallMs))
                continue;
            page.append(row);
            ++told;
            if (page.size() < 2)
                continue;
            Q_EMIT pageRead(page, told);
            page.clear();
            if (reading != m_reading || holdsPages)
                return;
        }
        Q_EMIT pageRead(page, told);
        if (reading == m_reading && !holdsPages)
            Q_EMIT finished({QStringLiteral("led_1"), told, nowMs});
    }

    int m_reading = 0;
};

} // namespace

class TestClosingService : public test::Test {
    Q_OBJECT

private:
    /// A till, its bank's list and the desk between them.
    struct Desk {
        TillJournal till;
        StandingClock clock;
        WrittenList *list = new WrittenList;
        ClosingService service{
            {till.file(), till.calendar(), QStringLiteral("till-1")}, clock, std::unique_ptr<ChargeList>(list)};
        QSignalSpy reconciled{&service, &ClosingDesk::reconciled};
        QSignalSpy failed{&service, &ClosingDesk::failed};
        QSignalSpy cancelled{&service, &ClosingDesk::cancelled};
        QSignalSpy progressed{&service, &ClosingDesk::progressed};
        QSignalSpy exported{&service, &ClosingDesk::exported};

        Desk() { clock.at = {nowMs, 1'000, 1'000}; }

        BankChargeRow charge(int n, qint64 atMs = soldMs + 100)
        {
            const Checkout &checkout = till.checkout(n);
            return {QStringLiteral("ch_%1").arg(n),
                    QStringLiteral("approved"),
                    checkout.key.text(),
                    checkout.order.text(),
                    checkout.money.amountMinor(),
                    QStringLiteral("JPY"),
                    QStringLiteral("till-1"),
                    atMs,
                    false};
        }
        Reconciliation reconcile(qint64 fromMs = soldMs - 1'000)
        {
            reconciled.clear();
            service.reconcile({fromMs, 0});
            (void)QTest::qWaitFor([this] { return reconciled.size() + failed.size() > 0; }, 10'000);
            return reconciled.isEmpty() ? Reconciliation() : reconciled.first().first().value<Reconciliation>();
        }
        [[nodiscard]] QString whyFailed() const
        {
            return failed.isEmpty() ? QString() : failed.first().first().toString();
        }
    };

    static QByteArray contents(const QString &file)
    {
        QFile in(file);
        return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
    }

private Q_SLOTS:
    void whatAgreesIsCounted()
    {
        Desk desk;
        for (int n = 1; n <= 5; ++n) {
            desk.till.sale(n, soldMs);
            desk.list->rows.push_back(desk.charge(n));
        }
        const Reconciliation result = desk.reconcile();
        QVERIFY(result.differences.isEmpty());
        QCOMPARE(result.agreeCount, 5);
        QCOMPARE(result.agreeSums, (QList<std::pair<Currency, qint64>>{{Currency::jpy(), 6'000}}));
        QCOMPARE(result.checkedWallMs, nowMs);
        QCOMPARE(desk.list->asked, QStringList()); // nothing is in question
        QCOMPARE(desk.list->readings.first().expectLedger, QStringLiteral("led_1"));
        QCOMPARE(desk.list->readings.size(), 1);
    }
    void openHereAndPaidThereIsConfirmedByAskingTheBank()
    {
        Desk desk;
        desk.till.leftOpen(1, soldMs);
        desk.list->rows = {desk.charge(1)};
        desk.list->finds(desk.charge(1), "approved");
        const Reconciliation result = desk.reconcile();
        QCOMPARE(result.differences.size(), 1);
        QCOMPARE(result.differences.first().kind, K::OpenHere);
        QCOMPARE(result.differences.first().wouldSettleAs, QStringLiteral("approved"));
        QCOMPARE(result.differences.first().confirmation, Confirmation::ByInquiry);
        QCOMPARE(desk.list->asked, QStringList{keyNumber(1).text()}); // once
    }
    void openHereAndDeclinedThereIsInNoListAndFoundAllTheSame()
    {
        Desk desk;
        desk.till.leftOpen(1, soldMs);
        desk.list->finds(desk.charge(1), "declined");
        const Reconciliation result = desk.reconcile();
        QCOMPARE(result.differences.size(), 1);
        QCOMPARE(result.differences.first().kind, K::OpenHere);
        QCOMPARE(result.differences.first().wouldSettleAs, QStringLiteral("declined"));
        QCOMPARE(result.differences.first().bankMinusHereMinor, 0);
    }
    void openHereAndPreventedThereWouldBeVoided()
    {
        Desk desk;
        desk.till.leftOpen(1, soldMs);
        desk.list->finds(desk.charge(1), "voided", VoidResult::Prevented);
        Reconciliation result = desk.reconcile();
        QCOMPARE(result.differences.size(), 1);
        QCOMPARE(result.differences.first().wouldSettleAs, QStringLiteral("voided"));
        desk.list->finds(desk.charge(1), "voided", VoidResult::NotCharged);
        result = desk.reconcile();
        QCOMPARE(result.differences.size(), 1);
        QCOMPARE(result.differences.first().wouldSettleAs, QStringLiteral("declined"));
    }
    void openOnBothSidesIsNoDifference()
    {
        Desk desk;
        desk.till.leftOpen(1, soldMs);
        QVERIFY(desk.reconcile().differences.isEmpty());
        QCOMPARE(desk.list->asked.size(), 1);
    }

    void aSaleThatTheBankCountsOutsideTheRangeIsAskedForAndAgrees()
    {
        Desk desk;
        desk.till.sale(1, soldMs);
        desk.list->finds(desk.charge(1), "approved");
        const Reconciliation result = desk.reconcile();
        QVERIFY(result.differences.isEmpty());
        QCOMPARE(result.agreeCount, 1);
        QCOMPARE(result.agreeSums.first().second, 1'200);
    }
    void aSaleThatTheBankDoesNotKnowIsMissedThere()
    {
        Desk desk;
        desk.till.sale(1, soldMs);
        const Reconciliation result = desk.reconcile();
        QCOMPARE(result.differences.size(), 1);
        QCOMPARE(result.differences.first().kind, K::NotAtBank);
        QCOMPARE(result.differences.first().confirmation, Confirmation::ByInquiry);
        QCOMPARE(result.agreeCount, 0);
    }
    void whatWasSoldBeforeTheRangeIsRecognisedByItsKey()
    {
        Desk desk;
        desk.till.sale(1, soldMs - 86'400'000);
        desk.till.sale(2, soldMs - 86'400'000);
        desk.list->rows = {desk.charge(1), desk.charge(2)};
        desk.list->rows.back().terminalId = QStringLiteral("till-of-old"); // this till was renamed since
        const Reconciliation result = desk.reconcile();
        QVERIFY(result.differences.isEmpty());
        QCOMPARE(result.agreeCount, 2);
    }
    void aChargeUnderAKeyMadePerCallIsTheSecondOneOfAnOrderFromBeforeTheRange()
    {
        Desk desk;
        desk.till.sale(1, soldMs - 86'400'000);
        BankChargeRow row = desk.charge(1);
        row.key = QStringLiteral("made-per-call");
        desk.list->rows = {row};
        desk.list->finds(row, "approved");
        const Reconciliation result = desk.reconcile();
        QCOMPARE(result.differences.size(), 1);
        QCOMPARE(result.differences.first().kind, K::ChargedTwice);
        QCOMPARE(result.differences.first().key, QStringLiteral("made-per-call"));
    }

    void whatIsSettledWhileTheBankIsAskedIsNoDifferenceAnyMore()
    {
        Desk desk;
        desk.till.leftOpen(1, soldMs);
        desk.list->rows = {desk.charge(1)};
        desk.list->finds(desk.charge(1), "approved");
        desk.list->whenAsked = [&desk] {
            desk.till.happen(1, nowMs, event::InquiryStarted{});
            desk.till.happen(1, nowMs, event::InquiryEnded{verdict::Approved{SettledBy::Inquiry, details()}, {}});
        };
        const Reconciliation result = desk.reconcile();
        QVERIFY(result.differences.isEmpty());
        QCOMPARE(result.agreeCount, 1);
    }
    void whatIsGivenBackMeanwhileIsNoDifferenceAnyMore()
    {
        Desk desk;
        desk.till.leftOpen(1, soldMs);
        desk.till.voidStarted(1, soldMs + 10);
        desk.till.voidAnswered(1, soldMs + 20, VoidResult::Reversed);
        desk.list->rows = {desk.charge(1)};
        connect(&desk.service, &ClosingDesk::progressed, this, [&desk](const ReconcileProgress &progress) {
            if (progress.phase == ReconcileProgress::Phase::ReadingTheJournal)
                desk.list->rows.front().reversed = true; // the list was older than the void's answer
        });
        const Reconciliation result = desk.reconcile();
        QVERIFY(result.differences.isEmpty());
        QCOMPARE(result.agreeCount, 1);
        QCOMPARE(desk.list->readings.size(), 2); // only the moment in question is read again
        QCOMPARE(desk.list->readings.last().fromWallMs, soldMs + 100);
        QCOMPARE(desk.list->readings.last().toWallMs, soldMs + 101);
    }
    void aChargeLeftAfterAVoidStays()
    {
        Desk desk;
        desk.till.leftOpen(1, soldMs);
        desk.till.voidStarted(1, soldMs + 10);
        desk.till.voidAnswered(1, soldMs + 20, VoidResult::Prevented);
        desk.list->rows = {desk.charge(1)};
        desk.list->finds(desk.charge(1), "voided", VoidResult::Prevented); // what it says does not undo the movement
        const Reconciliation result = desk.reconcile();
        QCOMPARE(result.differences.size(), 1);
        QCOMPARE(result.differences.first().kind, K::PaidAfterVoid);
        QCOMPARE(result.differences.first().confirmation, Confirmation::ByInquiry);
    }
    void manyDifferencesAreReadAgainInOneGo()
    {
        Desk desk;
        for (int n = 1; n <= 50; ++n) {
            desk.till.leftOpen(n, soldMs);
            desk.list->rows.push_back(desk.charge(n, soldMs + n));
        }
        QCOMPARE(desk.reconcile().differences.size(), 50);
        QCOMPARE(desk.list->readings.size(), 2);
        QCOMPARE(desk.list->asked.size(), 50);
    }

    void aBankWithoutInquiriesConfirmsNothing()
    {
        Desk desk;
        desk.till.leftOpen(1, soldMs);
        desk.list->rows = {desk.charge(1)};
        desk.list->answers[keyNumber(1).text()].what = KeyInquiry::What::NotOffered;
        const Reconciliation result = desk.reconcile();
        QCOMPARE(result.differences.size(), 1);
        QCOMPARE(result.differences.first().confirmation, Confirmation::NotOffered);
        QCOMPARE(result.differences.first().wouldSettleAs, QString()); // no inquiry will settle it
    }
    void aBankThatFallsSilentConfirmsNothing()
    {
        Desk desk;
        desk.till.leftOpen(1, soldMs);
        desk.list->rows = {desk.charge(1)};
        desk.list->answers[keyNumber(1).text()].what = KeyInquiry::What::NoAnswer;
        const Reconciliation result = desk.reconcile();
        QCOMPARE(result.differences.size(), 1);
        QCOMPARE(result.differences.first().confirmation, Confirmation::NoAnswer);
        QCOMPARE(result.differences.first().wouldSettleAs, QStringLiteral("approved"));
    }

    void whatIsYoungerThanFiveSecondsIsCountedAndNotAskedFor()
    {
        Desk desk;
        desk.till.sale(1, nowMs - 1'000);
        desk.till.leftOpen(2, nowMs - 1'000);
        const Reconciliation result = desk.reconcile();
        QCOMPARE(result.heldBack, 2);
        QVERIFY(result.differences.isEmpty());
        QVERIFY(desk.list->asked.isEmpty());
    }
    void checkoutsOfAnotherLedgerAreNotMissedAtThisOne()
    {
        Desk desk;
        desk.till.setLedger(QStringLiteral("led_old"));
        desk.till.sale(1, soldMs);
        desk.till.setLedger(QStringLiteral("led_1"));
        desk.till.sale(2, soldMs);
        desk.list->rows = {desk.charge(2)};
        const Reconciliation result = desk.reconcile();
        QVERIFY(result.differences.isEmpty());
        QCOMPARE(result.ourRows, 1);
    }

    void aComparisonIsEndedInTheMiddleOfTheList()
    {
        Desk desk;
        for (int n = 1; n <= 5; ++n) {
            desk.till.sale(n, soldMs);
            desk.list->rows.push_back(desk.charge(n));
        }
        desk.list->holdsPages = true;
        desk.service.reconcile({soldMs, 0});
        QTRY_VERIFY(!desk.progressed.isEmpty() && desk.progressed.last().first().value<ReconcileProgress>().done == 2);
        QCOMPARE(desk.progressed.last().first().value<ReconcileProgress>().total, 5); // a bar can show it
        desk.service.cancelReconcile();
        QTRY_COMPARE(desk.cancelled.size(), 1);
        desk.list->holdsPages = false;
        QCOMPARE(desk.reconcile().agreeCount, 5); // and the next one is whole
        QCOMPARE(desk.cancelled.size(), 1);
        QVERIFY(desk.failed.isEmpty());
    }
    void endingNothingSaysNothing()
    {
        Desk desk;
        desk.service.cancelReconcile();
        QVERIFY(desk.reconcile().differences.isEmpty());
        QVERIFY(desk.cancelled.isEmpty());
    }
    void oneComparisonAtATime()
    {
        Desk desk;
        desk.service.reconcile({soldMs, 0});
        desk.service.reconcile({soldMs, 0});
        QCOMPARE(desk.failed.size(), 1);
        QTRY_COMPARE(desk.reconciled.size(), 1);
    }
    void aBankThatIsAwayIsNamed()
    {
        Desk desk;
        desk.list->error = ChargeListError{ChargeListError::Kind::Unreachable, 0, {}, QStringLiteral("No way there.")};
        desk.reconcile();
        QCOMPARE(desk.failed.size(), 1);
        QCOMPARE(desk.whyFailed(), QStringLiteral("No way there."));
        QCOMPARE(desk.failed.first().at(1).value<ClosingStep>(), ClosingStep::Reconcile);
    }
    void anEndBeforeItsBeginningIsRefused()
    {
        Desk desk;
        desk.service.reconcile({soldMs, soldMs});
        QTRY_COMPARE(desk.failed.size(), 1);
        QVERIFY(desk.list->readings.isEmpty());
    }
    void withoutABankThereIsNothingToCompare()
    {
        TillJournal till;
        StandingClock clock;
        ClosingService service({till.file(), till.calendar(), {}}, clock, nullptr);
        QSignalSpy failed(&service, &ClosingDesk::failed);
        service.reconcile({});
        service.cancelReconcile();
        QCOMPARE(failed.size(), 1);
    }

    void theRangeThatIsNotNamedBeginsWhereSomethingMayBeOpen()
    {
        Desk desk;
        desk.till.sale(1, soldMs);
        desk.reconcile(0);
        QCOMPARE(desk.list->readings.last().fromWallMs, 0); // nothing was closed yet: all of it
        desk.till.close(nowMs);
        desk.reconcile(0);
        QCOMPARE(desk.list->readings.last().fromWallMs, inTokyo("2026-05-14T00:00")); // the last closed day
        desk.till.leftOpen(2, soldMs - 3 * 86'400'000LL);
        const Reconciliation result = desk.reconcile(0);
        QCOMPARE(result.fromWallMs, soldMs - 3 * 86'400'000LL); // the oldest open checkout
        QCOMPARE(result.toWallMs, nowMs);
    }

    void theNewestComparisonIsExported()
    {
        Desk desk;
        desk.till.leftOpen(1, soldMs);
        desk.till.start(2, soldMs, QStringLiteral("=1+1"));
        desk.till.leaveOpen(2, soldMs);
        desk.list->rows = {desk.charge(1), desk.charge(2)};
        desk.service.exportReconciliation(ExportFormat::Json, desk.till.path("none.json"));
        QCOMPARE(desk.failed.size(), 1); // there is none yet
        QVERIFY(!QFile::exists(desk.till.path("none.json")));
        desk.failed.clear();

        desk.reconcile();
        desk.service.exportReconciliation(ExportFormat::Json, desk.till.path("r.json"));
        desk.service.exportReconciliation(ExportFormat::Csv, desk.till.path("r.csv"));
        QCOMPARE(desk.exported.size(), 2);
        const QJsonObject json = QJsonDocument::fromJson(contents(desk.till.path("r.json"))).object();
        const QJsonArray differences = json.value(QStringLiteral("differences")).toArray();
        QCOMPARE(differences.size(), 2);
        QCOMPARE(differences.at(0).toObject().value(QStringLiteral("kind")).toString(), QStringLiteral("open_here"));
        QCOMPARE(differences.at(0).toObject().value(QStringLiteral("bank_minus_here_minor")).toInteger(), 1'200);
        const QByteArray csv = contents(desk.till.path("r.csv"));
        QCOMPARE(csv.count('\n'), 3);
        QVERIFY2(csv.contains("\"'=1+1\""), csv.constData());
    }
    void aFileThatCannotBeWrittenIsNamedAndLeftAlone()
    {
        Desk desk;
        const QString file = desk.till.path("no/such/folder.csv");
        desk.service.exportReport(0, ExportFormat::Csv, file);
        QCOMPARE(desk.failed.size(), 1);
        QVERIFY(desk.whyFailed().contains(file));
        QCOMPARE(desk.failed.first().at(1).value<ClosingStep>(), ClosingStep::ExportReport);
    }

    void daysAreClosedListedReadAndExported()
    {
        Desk desk;
        desk.till.sale(1, soldMs);
        QSignalSpy previews(&desk.service, &ClosingDesk::previewRead);
        QSignalSpy closings(&desk.service, &ClosingDesk::dayClosed);
        QSignalSpy lists(&desk.service, &ClosingDesk::reportsRead);
        QSignalSpy reports(&desk.service, &ClosingDesk::reportRead);
        desk.service.preview();
        QCOMPARE(previews.first().first().value<DayReport>().number, 0);
        desk.service.closeDay();
        const auto closed = closings.first().first().value<DayReport>();
        QCOMPARE(closed.number, 1);
        desk.service.listReports();
        QCOMPARE(lists.first().first().value<QList<DayReportHead>>().size(), 1);
        desk.service.readReport(1);
        QCOMPARE(reports.first().first().value<DayReport>(), closed);
        desk.service.exportReport(1, ExportFormat::Csv, desk.till.path("day.csv"));
        desk.service.exportReport(1, ExportFormat::Json, desk.till.path("day.json"));
        QVERIFY(contents(desk.till.path("day.csv")).contains("\"total\",\"approved\",\"JPY\",1,1200"));
        QVERIFY(QJsonDocument::fromJson(contents(desk.till.path("day.json"))).isObject());
        QVERIFY(desk.failed.isEmpty());

        desk.service.readReport(2);
        QVERIFY(desk.whyFailed().contains(QStringLiteral("no closed day 2")));
        desk.service.readReport(0);
        QCOMPARE(desk.failed.size(), 2);
    }
    void aJournalThatIsNotThereIsNamed()
    {
        StandingClock clock;
        ClosingService service({QStringLiteral("/no/such/journal"), tokyo(), {}}, clock, nullptr);
        QSignalSpy failed(&service, &ClosingDesk::failed);
        service.preview();
        service.closeDay();
        service.listReports();
        QCOMPARE(failed.size(), 3);
        QVERIFY(failed.last().first().toString().contains(QStringLiteral("/no/such/journal")));
    }
    void itMovesToTheThreadItLivesOn()
    {
        TillJournal till;
        till.sale(1, soldMs);
        StandingClock clock;
        clock.at = {nowMs, 0, 0};
        auto *list = new WrittenList;
        auto *service = new ClosingService({till.file(), till.calendar(), QStringLiteral("till-1")}, clock,
                                           std::unique_ptr<ChargeList>(list));
        QSignalSpy closings(service, &ClosingDesk::dayClosed);
        QSignalSpy reconciled(service, &ClosingDesk::reconciled);
        QThread thread;
        connect(&thread, &QThread::finished, service, &QObject::deleteLater);
        service->moveToThread(&thread);
        thread.start();
        QMetaObject::invokeMethod(service, [service] {
            service->closeDay();
            service->reconcile({soldMs - 1'000, 0});
        });
        QTRY_COMPARE(closings.size(), 1);
        QTRY_COMPARE(reconciled.size(), 1);
        thread.quit();
        QVERIFY(thread.wait(5'000));
    }
};

IKKAI_TEST_MAIN(TestClosingService)
#include "tst_closing_service.moc"
