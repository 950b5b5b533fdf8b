#include "tests/support/test.h"
#include "tests/ui/till.h"

#include "ui/trainer/control_trainer_link.h"
#include "ui/trainer/trainer_dock.h"

#include <QtCore/QJsonObject>
#include <QtTest/QAbstractItemModelTester>
#include <QtWidgets/QAbstractButton>
#include <QtWidgets/QListView>
#include <QtWidgets/QScrollBar>

using namespace ikkai;
using namespace ikkai::test;

class TrainerDockTest : public Test {
    Q_OBJECT

private:
    static MainWindowOptions trainerOptions()
    {
        MainWindowOptions options = Till::english();
        options.role = WindowRole::Trainer;
        return options;
    }

private Q_SLOTS:
    void the_cashier_sees_nothing_of_it()
    {
        Till till;
        QVERIFY(!till.driver->find(names::trainerDock));
        QVERIFY(!till.driver->find(names::trainingBand));
        QVERIFY(!till.driver->shows(names::trainerToggle));
        QTest::keyClick(till.window.get(), Qt::Key_F12);
        till.driver->settle();
        QVERIFY(till.trainer.calls.isEmpty());
    }
    void three_cards_arm_the_three_failures()
    {
        Till till(trainerOptions(), {1656, 800});
        till.driver->press(names::requestLostArm);
        till.driver->press(names::answerLostArm);
        till.driver->press(names::crashMidwayArm);
        QCOMPARE(till.trainer.calls,
                 (QStringList{QStringLiteral("arm unread:hold:next=1"), QStringLiteral("arm after_commit:hold:next=1"),
                              QStringLiteral("arm before_commit:restart(ms=3000):next=1")}));
    }
    void the_lights_follow_the_fault()
    {
        Till till(trainerOptions(), {1656, 800});
        FaultLights fault{
            QStringLiteral("f1"), QStringLiteral("after_commit:hold:next=1"), true, false, false, false, false};
        QCOMPARE(till.driver->text(names::answerLostLight), QStringLiteral("not armed"));
        Q_EMIT till.trainer.faultsChanged({fault});
        QCOMPARE(till.driver->text(names::answerLostLight), QStringLiteral("armed"));
        QCOMPARE(till.driver->text(names::answerLostArm), QStringLiteral("Disarm"));
        QCOMPARE(till.driver->text(names::faultsArmed), QStringLiteral("1 fault armed"));
        QCOMPARE(till.driver->text(names::requestLostLight), QStringLiteral("not armed"));
        till.driver->press(names::answerLostArm);
        QCOMPARE(till.trainer.calls, QStringList{QStringLiteral("disarm f1")});
        fault = {fault.id, fault.spec, false, true, true, false, false};
        Q_EMIT till.trainer.faultsChanged({fault});
        QCOMPARE(till.driver->text(names::answerLostLight), QStringLiteral("fired"));
        QCOMPARE(till.driver->text(names::faultsArmed), QStringLiteral("no faults armed"));
        fault.seen = true;
        Q_EMIT till.trainer.faultsChanged({fault});
        QCOMPARE(till.driver->text(names::answerLostLight), QStringLiteral("seen by the terminal"));
        fault.healed = true;
        Q_EMIT till.trainer.faultsChanged({fault});
        QCOMPARE(till.driver->text(names::answerLostLight), QStringLiteral("healed"));
        QCOMPARE(till.driver->text(names::answerLostArm), QStringLiteral("Re-arm"));
    }
    void one_key_stops_all_faults()
    {
        Till till(trainerOptions(), {1656, 800});
        till.window->activateWindow();
        QTRY_VERIFY(till.window->isActiveWindow());
        till.driver->press(names::stopFaultsButton);
        QTest::keyClick(till.driver->find(names::amountField), Qt::Key_F12);
        QCOMPARE(till.trainer.calls.count(QStringLiteral("disarm all")), 2);
    }
    void events_are_bounded_and_follow_until_somebody_scrolls()
    {
        Till till(trainerOptions(), {1656, 800});
        auto *list = qobject_cast<QListView *>(till.driver->find(names::bankEvents));
        const QAbstractItemModelTester tester(list->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        const auto happen = [&till](int n) {
            Q_EMIT till.trainer.happened(
                {till.engine.time.now().wallMs, QStringLiteral("arrival"), QString::number(n)});
        };
        for (int n = 0; n < 40; ++n)
            happen(n);
        till.driver->settle();
        QCOMPARE(list->verticalScrollBar()->value(), list->verticalScrollBar()->maximum());
        list->verticalScrollBar()->setValue(0);
        happen(40);
        till.driver->settle();
        QCOMPARE(list->verticalScrollBar()->value(), 0);
        for (int n = 41; n < BankEventsModel::most + 50; ++n)
            happen(n);
        QCOMPARE(list->model()->rowCount(), BankEventsModel::most);
        QVERIFY(list->model()
                    ->index(BankEventsModel::most - 1, 0)
                    .data()
                    .toString()
                    .endsWith(QString::number(BankEventsModel::most + 49)));
    }
    void a_call_that_did_not_go_through_is_said()
    {
        Till till(trainerOptions(), {1656, 800});
        QVERIFY(!till.driver->shows(names::trainerMessage));
        Q_EMIT till.trainer.troubled(QStringLiteral("Nobody listens there."));
        QCOMPARE(till.driver->text(names::trainerMessage), QStringLiteral("Nobody listens there."));
        Q_EMIT till.trainer.troubled({});
        QVERIFY(!till.driver->shows(names::trainerMessage));
    }
    void an_event_reads_as_a_line()
    {
        const BankLogEntry entry{QStringLiteral("r"), 7, 0, QStringLiteral("answer"),
                                 QJsonObject{{QStringLiteral("attempt"), 2},
                                             {QStringLiteral("order_id"), QStringLiteral("A-1")},
                                             {QStringLiteral("amount"), 1200},
                                             {QStringLiteral("currency"), QStringLiteral("JPY")},
                                             {QStringLiteral("status"), 201},
                                             {QStringLiteral("replayed"), true}}};
        QCOMPARE(bankEventWords(entry), QStringLiteral("try 2, A-1, ¥1,200, 201, replayed"));
    }
};

IKKAI_TEST_MAIN(TrainerDockTest)
#include "tst_trainer_dock.moc"
