#include "tests/support/test.h"
#include "tests/ui/till.h"

using namespace ikkai;
using namespace ikkai::test;

/// Writes a picture of each outcome, for people to look at beside the mock-ups.
class Pictures : public Test {
    Q_OBJECT

private Q_SLOTS:
    void every_outcome_data()
    {
        QTest::addColumn<bool>("japanese");
        QTest::addColumn<bool>("dark");
        QTest::addColumn<bool>("trainer");
        QTest::addColumn<QSize>("size");
        QTest::newRow("en") << false << false << false << QSize(1280, 720);
        QTest::newRow("ja") << true << false << false << QSize(1280, 720);
        QTest::newRow("en-dark") << false << true << false << QSize(1280, 720);
        QTest::newRow("en-1024x700") << false << false << true << QSize(1024, 700);
        QTest::newRow("ja-1024x700") << true << false << true << QSize(1024, 700);
        QTest::newRow("en-band") << false << false << true << QSize(1280, 720);
    }
    void every_outcome()
    {
        QFETCH(bool, japanese);
        QFETCH(bool, dark);
        QFETCH(bool, trainer);
        QFETCH(QSize, size);
        MainWindowOptions options;
        options.language = japanese ? Language::Japanese : Language::English;
        options.theme = dark ? theme::Mode::Dark : theme::Mode::Light;
        options.role = trainer ? WindowRole::Trainer : WindowRole::Cashier;
        const QString tail = QLatin1Char('-') + QString::fromLatin1(QTest::currentDataTag());
        const auto till = [&] {
            auto made = std::make_unique<Till>(options, size);
            if (trainer) {
                made->driver->find(names::trainerDock)->hide();
                made->window->resize(size);
                made->driver->settle();
            }
            return made;
        };
        const QString order = QStringLiteral("A-1001");

        auto one = till();
        one->picture(QStringLiteral("ready") + tail);
        one->driver->charge(order, 1'200);
        one->pass(700);
        one->picture(QStringLiteral("sending") + tail);
        one->pass(2'300);
        one->engine.gateway.stayAway(Transmission::End::DeadlinePassed, 1);
        one->untilNextTry();
        one->silence();
        one->untilNextTry();
        one->silence();
        one->driver->typeAmount(850);
        one->pass(200);
        one->picture(QStringLiteral("checking") + tail);
        one->untilNextTry();
        one->answer(201, "approved",
                    {{"idempotent-replayed", "true"}, {"original-date", "Thu, 09 Oct 2025 08:53:21 GMT"}});
        one->picture(QStringLiteral("paid-once") + tail);

        auto two = till();
        two->driver->charge(order, 1'200);
        two->paid();
        two->picture(QStringLiteral("paid") + tail);
        two->driver->charge(QStringLiteral("A-1017"), 48'600, QStringLiteral("card_low"));
        two->pass(400);
        two->answer(402, "declined");
        two->picture(QStringLiteral("declined") + tail);
        two->unknown(QStringLiteral("A-1021"));
        two->picture(QStringLiteral("unknown") + tail);
        two->driver->press(names::leaveOpenButton);
        two->driver->settle();
        two->picture(QStringLiteral("left-open") + tail);
        two->driver->charge(QStringLiteral("A-1021"), 1'500);
        two->picture(QStringLiteral("order-open-already") + tail);

        auto three = till();
        three->driver->charge(order, 1'200);
        three->problem(409, "idempotency-key-in-progress", {{"retry-after", "2"}});
        three->picture(QStringLiteral("still-working") + tail);
        three->untilNextTry();
        three->problem(422, "idempotency-key-mismatch");
        three->picture(QStringLiteral("mismatch") + tail);
        three->driver->press(names::leaveOpenButton);
        three->driver->charge(QStringLiteral("A-1031"), 700);
        three->problem(400, "bad-field", {}, ",\"field\":\"amount\"");
        three->picture(QStringLiteral("refused") + tail);
        three->driver->charge(QStringLiteral("A-1032"), 64'000);
        three->problem(410, "idempotency-key-voided", {}, ",\"result\":\"reversed\"");
        three->picture(QStringLiteral("voided") + tail);
        three->driver->charge(QStringLiteral("A-1033"), 5'720);
        for (int n = 1; n <= 5; ++n) {
            three->pass(100);
            three->engine.gateway.stayAway(Transmission::End::ConnectionRefused, 0);
            three->driver->settle();
            if (n == 2)
                three->picture(QStringLiteral("unreachable") + tail);
            if (n < 5)
                three->untilNextTry();
        }
        three->picture(QStringLiteral("not-sent") + tail);
        three->unknown(QStringLiteral("A-1034"), 980);
        three->driver->press(names::leaveOpenButton);
        three->driver->settle();
        three->driver->press(names::navOpen);
        three->driver->settle();
        three->picture(QStringLiteral("open-list") + tail);

        auto four = till();
        four->driver->charge(order, 1'200);
        four->pass(200);
        four->contradiction();
        four->picture(QStringLiteral("contradiction") + tail);
        four->driver->press(names::detailsButton);
        four->driver->settle();
        four->picture(QStringLiteral("details") + tail);
    }
    void every_open_screen_data() { every_outcome_data(); }
    void every_open_screen()
    {
        QFETCH(bool, japanese);
        QFETCH(bool, dark);
        QFETCH(bool, trainer);
        QFETCH(QSize, size);
        MainWindowOptions options;
        options.language = japanese ? Language::Japanese : Language::English;
        options.theme = dark ? theme::Mode::Dark : theme::Mode::Light;
        options.role = trainer ? WindowRole::Trainer : WindowRole::Cashier;
        const QString tail = QLatin1Char('-') + QString::fromLatin1(QTest::currentDataTag());
        Till till(options, size);
        if (trainer)
            till.driver->find(names::trainerDock)->hide();
        till.window->resize(size);
        till.driver->settle();
        const auto keep = [&](const char *name) { till.picture(QString::fromLatin1(name) + tail); };

        till.unknown();
        till.untilAsked();
        till.inquiryFindsNothing();
        till.pass(800);
        keep("unknown-asked");
        till.driver->press(names::detailsButton);
        till.driver->settle();
        keep("unknown-happened");
        till.driver->press(names::detailsButton);
        till.driver->settle();
        till.driver->leaveOpen();
        till.driver->charge(QStringLiteral("A-1001"), 1'500);
        till.pass(400);
        till.driver->press(names::supervisorButton);
        till.driver->settle();
        keep("supervisor-anew");
        till.driver->supervisor(QStringLiteral("1234"),
                                japanese ? QStringLiteral("現金で支払い") : QStringLiteral("pays in cash"));
        QTRY_VERIFY((till.driver->settle(), till.driver->shows(names::supervisorAnswer)));
        keep("supervisor-no-pin");
        till.driver->press(names::supervisorCancel);
        till.pass(400);
        till.driver->voidSafely();
        keep("cancelling");
        till.pass(3'000);
        till.voidSilence();
        till.pass(600);
        keep("void-pending");
        const ChargeTransmission first = till.engine.gateway.charges.front();
        till.pass(6'000);
        till.voidAnswered("prevented");
        keep("void-prevented");
        till.engine.gateway.sink().lateAnswer(first.attempt, PlayedGateway::answerTo(first, 201, "approved"));
        till.driver->settle();
        keep("paid-after-void");

        till.driver->charge(QStringLiteral("A-1002"), 700);
        till.silence();
        const ChargeTransmission second = till.engine.gateway.charges.back();
        till.driver->leaveOpen();
        till.driver->charge(QStringLiteral("A-1003"), 900);
        till.engine.gateway.sink().lateAnswer(second.attempt, PlayedGateway::answerTo(second, 201, "approved"));
        till.paid();
        keep("paid-with-news");
        till.pass(500);
        till.driver->newSale();
        keep("news");
        till.driver->charge(QStringLiteral("A-1004"), 64'000);
        till.problem(422, "idempotency-key-mismatch");
        till.pass(400);
        keep("mismatch-supervisor");
        till.driver->press(names::supervisorButton);
        till.driver->settle();
        keep("supervisor-close");
        till.journal.pin = makePin(QStringLiteral("4711"), till.engine.time.now().wallMs).value();
        till.driver->supervisor(QStringLiteral("4711"),
                                japanese ? QStringLiteral("銀行の内容が別の店のものだった。電話で確認済み。")
                                         : QStringLiteral("the bank says it is another shop’s"));
        QTRY_COMPARE((till.driver->settle(), till.driver->outcome()), QStringLiteral("written_off"));
        keep("written-off");
        till.unknown(QStringLiteral("A-1005"), 980);
        till.driver->leaveOpen();
        till.unknown(QStringLiteral("A-1006"), 48'600);
        till.pass(400);
        till.driver->voidSafely();
        till.voidProblem(501, "not-implemented");
        keep("void-not-offered");
        till.driver->press(names::navOpen);
        till.driver->settle();
        keep("open-list-live");
        till.driver->open();
        keep("void-shut");
        till.driver->leaveOpen();
        till.journal.refuse = JournalError{JournalError::Kind::DiskFull, QStringLiteral("/home/shop/ikkai/journal.db"),
                                           QStringLiteral("SQLite 13: database or disk is full")};
        till.driver->charge(QStringLiteral("A-1007"), 300);
        keep("disk-full");
        till.journal.refuse.reset();
        Engine again(till.journal);
        till.window->hide();
        WindowParts parts = till.parts();
        parts.service = &again.service;
        parts.clock = &again.time;
        till.window = std::make_unique<MainWindow>(options, parts);
        till.window->resize(size);
        till.window->show();
        till.driver = std::make_unique<TerminalDriver>(*till.window);
        if (trainer)
            till.driver->find(names::trainerDock)->hide();
        till.window->resize(size);
        again.open();
        till.driver->settle();
        keep("open-from-before");
    }
    void the_trainers_dock_data()
    {
        QTest::addColumn<bool>("japanese");
        QTest::newRow("en") << false;
        QTest::newRow("ja") << true;
    }
    void the_trainers_dock()
    {
        QFETCH(bool, japanese);
        MainWindowOptions options;
        options.language = japanese ? Language::Japanese : Language::English;
        options.role = WindowRole::Trainer;
        Till till(options, {1656, 800});
        Q_EMIT till.trainer.faultsChanged(
            {{QStringLiteral("f1"), QStringLiteral("unread:hold:next=1"), true, false, false, false, false},
             {QStringLiteral("f2"), QStringLiteral("after_commit:hold:next=1"), false, true, true, true, true}});
        const QStringList kinds{QStringLiteral("arrival"), QStringLiteral("claim"), QStringLiteral("commit"),
                                QStringLiteral("answer")};
        for (int n = 0; n < 12; ++n)
            Q_EMIT till.trainer.happened(
                {till.engine.time.now().wallMs + n * 40, kinds[n % 4], QStringLiteral("try 1, A-1001, ¥1,200")});
        till.driver->charge(QStringLiteral("A-1001"), 1'200);
        till.silence();
        till.pass(200);
        till.picture(QStringLiteral("trainer-") + QString::fromLatin1(QTest::currentDataTag()));
    }
};

IKKAI_TEST_MAIN(Pictures)
#include "tst_pictures.moc"
