#include "tests/support/test.h"
#include "tests/ui/till.h"

using namespace ikkai;
using namespace ikkai::test;

namespace {

const QString order = QStringLiteral("A-1001");

/// A second start on the journal of the first till.
struct Restarted {
    Engine engine;
    std::unique_ptr<MainWindow> window;
    std::unique_ptr<TerminalDriver> driver;

    explicit Restarted(Till &first, Language language = Language::English)
        : engine(first.journal)
    {
        first.window->hide();
        engine.time.jumpWall(3'600'000);
        WindowParts parts;
        parts.service = &engine.service;
        parts.clock = &engine.time;
        MainWindowOptions options;
        options.language = language;
        window = std::make_unique<MainWindow>(options, parts);
        window->resize(1280, 720);
        window->show();
        driver = std::make_unique<TerminalDriver>(*window);
        engine.open();
        driver->settle();
    }
    void pass(qint64 ms)
    {
        for (qint64 at = 0; at < ms; at += 100) {
            engine.time.advance(100);
            window->tick();
            driver->settle();
        }
    }
};

} // namespace

/// What a cashier is told without having asked: open from before, finished meanwhile, and a disk that takes nothing.
class CashierNews : public Test {
    Q_OBJECT

private Q_SLOTS:
    void case_05_what_is_open_from_before_is_said_at_the_start_with_a_way_to_it()
    {
        Till first;
        first.unknown(QStringLiteral("A-1"), 100);
        first.driver->leaveOpen();
        first.unknown(QStringLiteral("A-2"), 200);
        Restarted again(first);
        QVERIFY2(again.driver->text(names::notice).contains(QStringLiteral("2 payments are open from before")),
                 qPrintable(again.driver->text(names::notice)));
        QVERIFY(again.engine.gateway.charges.empty()); // nothing is charged again without a person
        QCOMPARE(again.driver->text(names::showOpenButton), QStringLiteral("Show 2 open payments"));
        again.driver->press(names::showOpenButton);
        again.driver->settle();
        QVERIFY(again.driver->shows(names::openList));
        again.driver->press(names::openSelected);
        again.driver->settle();
        QCOMPARE(again.driver->text(names::bannerOrder), QStringLiteral("A-1"));
        QCOMPARE(again.driver->outcome(), QStringLiteral("unknown"));
        again.pass(400);
        again.driver->leaveOpen();
        QVERIFY(!again.driver->shows(names::notice)); // it has been looked at
    }
    void what_finished_while_away_is_news_until_somebody_has_seen_it()
    {
        Till first;
        first.driver->charge(order, 1'200);
        const ChargeTransmission sent = first.engine.gateway.charges.back();
        Restarted again(first);
        again.pass(2'000);
        QCOMPARE(again.engine.gateway.inquiries.size(), 1u);
        again.engine.gateway.sink().inquiryEnded(sent.attempt.key, PlayedGateway::answerTo(sent, 200, "approved"));
        again.driver->settle();
        QVERIFY(again.driver->allText().contains(QStringLiteral("Finished while you were away")));
        QVERIFY(again.driver->text(names::newsNote).contains(QStringLiteral("A-1001, ¥1,200: Paid, charged once")));
        again.driver->press(names::showNewsButton);
        again.driver->settle();
        QCOMPARE(again.driver->outcome(), QStringLiteral("approved"));
        QVERIFY(!again.driver->shows(names::newsNote));
        again.pass(500);
        again.driver->newSale();
        QVERIFY(!again.driver->shows(names::newsNote));
        QVERIFY(!again.driver->shows(names::showNewsButton));
    }
    void a_late_answer_to_another_checkout_does_not_touch_the_one_on_the_screen()
    {
        Till till;
        till.driver->charge(order, 1'200);
        till.silence();
        const ChargeTransmission first = till.engine.gateway.charges.back();
        till.driver->leaveOpen();
        till.driver->charge(QStringLiteral("A-1002"), 500);
        till.engine.gateway.sink().lateAnswer(first.attempt, PlayedGateway::answerTo(first, 402, "declined"));
        till.driver->settle();
        QCOMPARE(till.driver->outcome(), QStringLiteral("sending"));
        QCOMPARE(till.driver->text(names::bannerOrder), QStringLiteral("A-1002"));
        QCOMPARE(till.driver->text(names::bannerAmount), QStringLiteral("¥500"));
        till.paid();
        QCOMPARE(till.driver->outcome(), QStringLiteral("approved"));
        QVERIFY(till.driver->text(names::newsNote).contains(QStringLiteral("A-1001, ¥1,200: Declined")));
        till.pass(500);
        till.driver->newSale();
        till.driver->press(names::showNewsButton);
        till.driver->settle();
        QCOMPARE(till.driver->outcome(), QStringLiteral("declined"));
        QCOMPARE(till.driver->text(names::bannerOrder), order);
    }
    void a_contradiction_is_news_again_though_the_outcome_was_seen()
    {
        Till till;
        till.driver->charge(order, 1'200);
        till.silence();
        const ChargeTransmission first = till.engine.gateway.charges.back();
        till.untilNextTry();
        till.answer(402, "declined");
        till.pass(500);
        till.driver->newSale();
        QVERIFY(!till.driver->shows(names::newsNote));
        till.engine.gateway.sink().lateAnswer(first.attempt, PlayedGateway::answerTo(first, 201, "approved"));
        till.driver->settle();
        QVERIFY(till.driver->text(names::newsNote).contains(QStringLiteral("Look at this one")));
        till.driver->press(names::showNewsButton);
        till.driver->settle();
        QCOMPARE(till.driver->headline(), QStringLiteral("Look at this one"));
    }
    void a_disk_that_takes_nothing_says_so_in_its_own_words_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("headline");
        QTest::addColumn<QString>("reason");
        using Kind = JournalError::Kind;
        QTest::newRow("full") << int(Kind::DiskFull) << QStringLiteral("The disk is full")
                              << QStringLiteral("The disk is full");
        QTest::newRow("read-only") << int(Kind::ReadOnly) << QStringLiteral("The journal cannot be written")
                                   << QStringLiteral("read-only");
        QTest::newRow("broken") << int(Kind::InputOutput) << QStringLiteral("The disk does not work")
                                << QStringLiteral("does not work");
        QTest::newRow("locked") << int(Kind::Locked) << QStringLiteral("Open in another window")
                                << QStringLiteral("in use");
        QTest::newRow("damaged") << int(Kind::Corrupt) << QStringLiteral("The journal is damaged")
                                 << QStringLiteral("damaged");
        QTest::newRow("newer") << int(Kind::NewerVersion) << QStringLiteral("The journal is too new")
                               << QStringLiteral("too new");
        QTest::newRow("gone") << int(Kind::CannotOpen) << QStringLiteral("The journal does not open")
                              << QStringLiteral("does not open");
    }
    void a_disk_that_takes_nothing_says_so_in_its_own_words()
    {
        QFETCH(int, kind);
        QFETCH(QString, headline);
        QFETCH(QString, reason);
        Till till;
        till.journal.refuse = JournalError{static_cast<JournalError::Kind>(kind), QStringLiteral("/shop/j.db"), {}};
        till.driver->charge(order, 1'200);
        QVERIFY(till.engine.gateway.charges.empty());
        QCOMPARE(till.driver->headline(), headline);
        QCOMPARE(till.driver->role(), QStringLiteral("bad"));
        QVERIFY(till.driver->text(names::chargeReason).contains(reason));
        QVERIFY(till.driver->text(names::chargeReason).contains(QStringLiteral("cannot record, so cannot charge")));
        QVERIFY(till.driver->text(names::notice).contains(QStringLiteral("/shop/j.db")));
        QVERIFY(!till.driver->text(names::sentence).isEmpty()); // what to do
        QCOMPARE(till.driver->text(names::amountField), QStringLiteral("¥1,200"));
    }
    void a_void_that_cannot_be_written_down_is_not_sent_and_the_payment_stays_as_it_was()
    {
        Till till;
        till.unknown();
        till.pass(400);
        till.journal.refuse = JournalError{JournalError::Kind::DiskFull, QStringLiteral("j.db"), {}};
        till.driver->voidSafely();
        QVERIFY(till.engine.gateway.voids.empty());
        QCOMPARE(till.driver->outcome(), QStringLiteral("unknown"));
        QVERIFY2(till.driver->text(names::notice).contains(QStringLiteral("could not be written down")),
                 qPrintable(till.driver->text(names::notice)));
        till.journal.refuse.reset();
        till.pass(400);
        till.driver->voidSafely();
        QCOMPARE(till.engine.gateway.voids.size(), 1u);
        QCOMPARE(till.driver->outcome(), QStringLiteral("voiding"));
        QVERIFY(!till.driver->shows(names::notice));
    }
};

IKKAI_TEST_MAIN(CashierNews)
#include "tst_cashier_news.moc"
