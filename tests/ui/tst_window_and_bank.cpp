#include "app/engine.h"
#include "core/training/control_client.h"
#include "tests/support/terminal_driver.h"
#include "tests/support/test.h"
#include "ui/object_names.h"
#include "ui/trainer/control_trainer_link.h"

#include <QtCore/QDir>
#include <QtCore/QTemporaryDir>
#include <QtGui/QPixmap>
#include <QtNetwork/QTcpServer>
#include <QtTest/QSignalSpy>
#include <QtWidgets/QAbstractItemView>

#include <memory>

using namespace ikkai;
using namespace ikkai::test;

namespace {

constexpr int patienceMs = 20'000;

/// The whole product in one process: window, engine thread, embedded bank on its own threads, real sockets.
struct Shop {
    QTemporaryDir folder;
    app::Options options;
    std::unique_ptr<app::Engine> engine;
    std::unique_ptr<ControlClient> control;
    std::unique_ptr<ControlTrainerLink> trainer;
    std::unique_ptr<MainWindow> window;
    std::unique_ptr<TerminalDriver> driver;

    explicit Shop(const QUrl &server = {})
    {
        options.server = server;
        options.journal = folder.filePath(QStringLiteral("journal.db"));
        options.bankStore = folder.filePath(QStringLiteral("bank.db"));
        options.terminalId = QStringLiteral("till-1");
        options.policy.attemptDeadlineMs = 600;
        options.policy.maxAttempts = server.isEmpty() ? 60 : 3;
        options.policy.backoffBaseMs = 50;
        options.policy.backoffCapMs = 200;
    }
    bool open()
    {
        auto opened = app::Engine::open(options);
        if (!opened)
            return false;
        engine = std::move(opened).value();
        ControlClientSettings settings;
        settings.baseUrl = engine->bankUrl();
        settings.token = engine->controlToken();
        control = std::make_unique<ControlClient>(settings);
        trainer = std::make_unique<ControlTrainerLink>(control.get(), &engine->service());
        MainWindowOptions look;
        look.language = Language::English;
        look.role = options.server.isEmpty() ? WindowRole::Trainer : WindowRole::Cashier;
        WindowParts parts;
        parts.service = &engine->service();
        parts.clock = &engine->clock();
        parts.history = &engine->history();
        parts.closing = &engine->closing();
        parts.trainer = trainer.get();
        window = std::make_unique<MainWindow>(look, parts);
        if (options.server.isEmpty()) {
            window->resize(1656, 800);
            trainer->start();
        }
        window->show();
        driver = std::make_unique<TerminalDriver>(*window);
        engine->recover();
        return true;
    }
    bool arm(const QString &spec)
    {
        QSignalSpy armed(control.get(), &ControlClient::faultArmed);
        control->armFault(spec);
        return armed.wait(patienceMs);
    }
    /// Inquiries that reached the bank.
    int inquiries()
    {
        QSignalSpy read(control.get(), &ControlClient::stateRead);
        control->readState();
        if (!read.wait(patienceMs))
            return -1;
        return read.last()
            .at(1)
            .value<BankState>()
            .data.value(QStringLiteral("counters"))[QStringLiteral("inquiries")]
            .toInt(-1);
    }
    /// Movements of money under this order, as the bank's ledger has them.
    int movements(const QString &order)
    {
        QSignalSpy read(control.get(), &ControlClient::ledgerRead);
        control->readLedger();
        if (!read.wait(patienceMs))
            return -1;
        int count = 0;
        for (const LedgerMovement &movement : read.last().at(1).value<LedgerPage>().movements)
            count += movement.orderId == order;
        return count;
    }
    void picture(const QString &name) const
    {
        const QString target = qEnvironmentVariable("IKKAI_PICTURES");
        if (target.isEmpty())
            return;
        QDir().mkpath(target);
        window->grab().save(target + QLatin1Char('/') + name + QStringLiteral(".png"));
    }
};

} // namespace

class WindowAndBank : public Test {
    Q_OBJECT

private Q_SLOTS:
    void a_charge_is_paid_and_stands_once_in_the_ledger()
    {
        Shop shop;
        QVERIFY(shop.open());
        QTRY_COMPARE_WITH_TIMEOUT(shop.driver->text(names::bankLink), QStringLiteral("Bank online"), patienceMs);
        shop.driver->charge(QStringLiteral("A-1"), 1'200);
        QTRY_COMPARE_WITH_TIMEOUT(shop.driver->outcome(), QStringLiteral("approved"), patienceMs);
        QCOMPARE(shop.driver->headline(), QStringLiteral("Paid"));
        QCOMPARE(shop.movements(QStringLiteral("A-1")), 1);
    }
    void a_day_is_compared_with_the_bank_closed_and_read_again()
    {
        Shop shop;
        QVERIFY(shop.open());
        QTRY_COMPARE_WITH_TIMEOUT(shop.driver->text(names::bankLink), QStringLiteral("Bank online"), patienceMs);
        shop.driver->charge(QStringLiteral("A-1"), 1'200);
        QTRY_COMPARE_WITH_TIMEOUT(shop.driver->outcome(), QStringLiteral("approved"), patienceMs);
        shop.driver->press(names::navCloseDay);
        const auto rows = [&shop](const char *name) {
            QStringList all;
            const auto *list = qobject_cast<QAbstractItemView *>(shop.driver->find(QString::fromLatin1(name)));
            for (int row = 0; row < list->model()->rowCount(); ++row)
                all << list->model()->index(row, 0).data().toString();
            return all.join(QLatin1Char('\n'));
        };
        QTRY_VERIFY_WITH_TIMEOUT(rows("dayReport.totals").contains(QStringLiteral("Paid 1 ¥1,200")), patienceMs);

        shop.driver->press(names::tabReconcile);
        shop.driver->press(names::reconcileBegin);
        // The sale agrees, or it is younger than 5 s and waits: never a difference.
        QTRY_VERIFY_WITH_TIMEOUT(shop.driver->shows(names::reconcileClean), patienceMs);
        const bool agrees = shop.driver->text(names::tileAgree).startsWith(QStringLiteral("1 agree, ¥1,200"));
        const bool waits = shop.driver->text(names::reconcileConfirmed).contains(QStringLiteral("younger than 5 s"));
        QVERIFY(agrees || waits);

        shop.driver->press(names::tabReport);
        shop.driver->press(names::closeDayButton);
        shop.driver->press(names::closeConfirm);
        QTRY_VERIFY_WITH_TIMEOUT(shop.driver->text(names::closeDone).contains(QStringLiteral("no. 1")), patienceMs);
        shop.driver->press(names::closeShowReport);
        QTRY_VERIFY_WITH_TIMEOUT(shop.driver->text(names::closedDaysTitle).startsWith(QStringLiteral("No. 1: ")),
                                 patienceMs);
        QVERIFY(rows("closedReport.totals").contains(QStringLiteral("Paid 1 ¥1,200")));
    }
    void case_25_two_clicks_in_one_turn_are_one_post()
    {
        Shop shop;
        QVERIFY(shop.open());
        shop.driver->typeOrder(QStringLiteral("A-1"));
        shop.driver->typeAmount(1'200);
        shop.driver->press(names::chargeButton);
        shop.driver->press(names::chargeButton);
        QTRY_COMPARE_WITH_TIMEOUT(shop.driver->outcome(), QStringLiteral("approved"), patienceMs);
        QSignalSpy read(shop.control.get(), &ControlClient::stateRead);
        shop.control->readState();
        QVERIFY(read.wait(patienceMs));
        QCOMPARE(read.last().at(1).value<BankState>().arrivals, 1);
        QCOMPARE(shop.movements(QStringLiteral("A-1")), 1);
    }
    void the_three_failures_armed_at_the_dock_end_as_one_charge_data()
    {
        QTest::addColumn<QString>("arm");
        QTest::addColumn<QString>("light");
        QTest::addColumn<QString>("headline");
        QTest::newRow("request lost") << QString(names::requestLostArm) << QString(names::requestLostLight)
                                      << QStringLiteral("Paid");
        QTest::newRow("answer lost") << QString(names::answerLostArm) << QString(names::answerLostLight)
                                     << QStringLiteral("Paid, charged once");
        QTest::newRow("crash midway") << QString(names::crashMidwayArm) << QString(names::crashMidwayLight)
                                      << QStringLiteral("Paid");
    }
    void the_three_failures_armed_at_the_dock_end_as_one_charge()
    {
        QFETCH(QString, arm);
        QFETCH(QString, light);
        QFETCH(QString, headline);
        Shop shop;
        QVERIFY(shop.open());
        QTRY_COMPARE_WITH_TIMEOUT(shop.driver->text(names::bankLink), QStringLiteral("Bank online"), patienceMs);
        const QByteArray armName = arm.toLatin1();
        const QByteArray lightName = light.toLatin1();
        const QLatin1StringView lightView(lightName);
        QTRY_COMPARE_WITH_TIMEOUT(shop.driver->text(lightView), QStringLiteral("not armed"), patienceMs);
        shop.driver->press(QLatin1StringView(armName));
        QTRY_COMPARE_WITH_TIMEOUT(shop.driver->text(lightView), QStringLiteral("armed"), patienceMs);
        QCOMPARE(shop.driver->text(names::faultsArmed), QStringLiteral("1 fault armed"));

        shop.driver->charge(QStringLiteral("A-1001"), 1'200);
        QTRY_COMPARE_WITH_TIMEOUT(shop.driver->outcome(), QStringLiteral("approved"), patienceMs);
        QCOMPARE(shop.driver->headline(), headline);
        QVERIFY(shop.driver->attempts().size() >= 2);
        QTRY_COMPARE_WITH_TIMEOUT(shop.driver->text(lightView), QStringLiteral("healed"), patienceMs);
        QCOMPARE(shop.movements(QStringLiteral("A-1001")), 1);
        shop.picture(QStringLiteral("window-and-bank-") +
                     QString::fromLatin1(QTest::currentDataTag()).replace(QLatin1Char(' '), QLatin1Char('-')));
    }
    void every_connection_fault_ends_as_one_charge_on_the_screen_data()
    {
        QTest::addColumn<QString>("fault");
        QTest::addColumn<QString>("headline");
        for (const char *fault : {"unread:hold", "unread:fin", "unread:rst", "before_commit:status(code=500)",
                                  "before_commit:restart(ms=300)"})
            QTest::newRow(fault) << QString::fromLatin1(fault) << QStringLiteral("Paid");
        for (const char *fault : {"after_commit:hold", "after_commit:fin", "after_commit:rst", "mid_answer:fin"})
            QTest::newRow(fault) << QString::fromLatin1(fault) << QStringLiteral("Paid, charged once");
    }
    void every_connection_fault_ends_as_one_charge_on_the_screen()
    {
        QFETCH(QString, fault);
        QFETCH(QString, headline);
        Shop shop;
        QVERIFY(shop.open());
        QTRY_COMPARE_WITH_TIMEOUT(shop.driver->text(names::bankLink), QStringLiteral("Bank online"), patienceMs);
        QVERIFY(shop.arm(fault + QStringLiteral(":next=1")));
        shop.driver->charge(QStringLiteral("A-1001"), 1'200);
        QTRY_COMPARE_WITH_TIMEOUT(shop.driver->outcome(), QStringLiteral("approved"), patienceMs);
        QCOMPARE(shop.driver->headline(), headline);
        QVERIFY(shop.driver->attempts().size() >= 2);
        QCOMPARE(shop.movements(QStringLiteral("A-1001")), 1);
    }
    void a_refusal_after_silence_is_unknown_and_check_now_finds_nothing_to_settle_it()
    {
        Shop shop;
        QVERIFY(shop.open());
        QTRY_COMPARE_WITH_TIMEOUT(shop.driver->text(names::bankLink), QStringLiteral("Bank online"), patienceMs);
        QVERIFY(shop.arm(QStringLiteral("unread:hold:attempt=1")));
        QVERIFY(shop.arm(QStringLiteral("unread:status(code=404,body=html):attempt=2")));
        shop.driver->charge(QStringLiteral("A-1"), 1'200);
        QTRY_COMPARE_WITH_TIMEOUT(shop.driver->outcome(), QStringLiteral("unknown"), patienceMs);
        shop.driver->press(names::checkNowButton);
        QTRY_VERIFY_WITH_TIMEOUT(shop.inquiries() == 1, patienceMs);
        QCOMPARE(shop.driver->outcome(), QStringLiteral("unknown")); // "never seen" is not "not charged"
        QCOMPARE(shop.movements(QStringLiteral("A-1")), 0);
        QTRY_VERIFY_WITH_TIMEOUT(shop.driver->find(names::tryAgainButton)->isEnabled(), patienceMs);
        // A press counts once the screen could be read; until then it is ignored.
        const auto pressedUntilItCounts = [&shop] {
            if (shop.driver->outcome() != QStringLiteral("unknown"))
                return true;
            shop.driver->press(names::tryAgainButton);
            return false;
        };
        QTRY_VERIFY_WITH_TIMEOUT(pressedUntilItCounts(), patienceMs);
        QTRY_COMPARE_WITH_TIMEOUT(shop.driver->outcome(), QStringLiteral("approved"), patienceMs);
        QCOMPARE(shop.movements(QStringLiteral("A-1")), 1);
    }
    void void_safely_leaves_no_money_at_the_bank_whatever_became_of_the_charge_data()
    {
        QTest::addColumn<QString>("fault");
        QTest::addColumn<QString>("says");
        QTest::addColumn<int>("movements");
        QTest::newRow("it never came") << QStringLiteral("unread:hold:attempt=1")
                                       << QStringLiteral("now it cannot any more") << 0;
        QTest::newRow("it was charged") << QStringLiteral("after_commit:hold:attempt=1")
                                        << QStringLiteral("The money goes back") << 2;
    }
    void void_safely_leaves_no_money_at_the_bank_whatever_became_of_the_charge()
    {
        QFETCH(QString, fault);
        QFETCH(QString, says);
        QFETCH(int, movements);
        Shop shop;
        QVERIFY(shop.open());
        QTRY_COMPARE_WITH_TIMEOUT(shop.driver->text(names::bankLink), QStringLiteral("Bank online"), patienceMs);
        QVERIFY(shop.arm(fault));
        QVERIFY(shop.arm(QStringLiteral("unread:status(code=404,body=html):attempt=2")));
        shop.driver->charge(QStringLiteral("A-1"), 1'200);
        QTRY_COMPARE_WITH_TIMEOUT(shop.driver->outcome(), QStringLiteral("unknown"), patienceMs);
        // A press counts once the screen could be read; until then it is ignored.
        const auto pressedUntilItCounts = [&shop] {
            if (shop.driver->outcome() != QStringLiteral("unknown"))
                return true;
            shop.driver->press(names::voidButton);
            return false;
        };
        QTRY_VERIFY_WITH_TIMEOUT(pressedUntilItCounts(), patienceMs);
        QTRY_COMPARE_WITH_TIMEOUT(shop.driver->outcome(), QStringLiteral("voided"), patienceMs);
        QVERIFY2(shop.driver->text(names::lead).contains(says), qPrintable(shop.driver->text(names::lead)));
        QCOMPARE(shop.movements(QStringLiteral("A-1")), movements); // the charge and its reversal, or neither
    }
    void stop_all_faults_leaves_none_armed()
    {
        Shop shop;
        QVERIFY(shop.open());
        QTRY_COMPARE_WITH_TIMEOUT(shop.driver->text(names::requestLostLight), QStringLiteral("not armed"), patienceMs);
        shop.driver->press(names::requestLostArm);
        QTRY_COMPARE_WITH_TIMEOUT(shop.driver->text(names::faultsArmed), QStringLiteral("1 fault armed"), patienceMs);
        shop.driver->press(names::stopFaultsButton);
        QTRY_COMPARE_WITH_TIMEOUT(shop.driver->text(names::faultsArmed), QStringLiteral("no faults armed"), patienceMs);
    }
    void funds_too_short_are_declined_and_nothing_moves()
    {
        Shop shop;
        QVERIFY(shop.open());
        shop.driver->charge(QStringLiteral("A-2"), 48'600, QStringLiteral("card_low"));
        QTRY_COMPARE_WITH_TIMEOUT(shop.driver->outcome(), QStringLiteral("declined"), patienceMs);
        QVERIFY(shop.driver->text(names::lead).contains(QStringLiteral("not enough money")));
        QCOMPARE(shop.movements(QStringLiteral("A-2")), 0);
    }
    void a_bank_that_is_not_there_is_not_sent()
    {
        QTcpServer nobody;
        QVERIFY(nobody.listen(QHostAddress::LocalHost));
        const QUrl url(QStringLiteral("http://127.0.0.1:%1").arg(nobody.serverPort()));
        nobody.close();
        Shop shop(url);
        QVERIFY(shop.open());
        shop.driver->charge(QStringLiteral("A-3"), 500);
        QTRY_COMPARE_WITH_TIMEOUT(shop.driver->outcome(), QStringLiteral("not_sent"), patienceMs);
        QCOMPARE(shop.driver->headline(), QStringLiteral("Not sent, nothing was charged"));
        QCOMPARE(shop.driver->text(names::bankLink), QStringLiteral("Bank cannot be reached"));
    }
};

IKKAI_TEST_MAIN(WindowAndBank)
#include "tst_window_and_bank.moc"
