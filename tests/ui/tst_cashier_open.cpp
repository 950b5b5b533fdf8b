#include "tests/support/test.h"
#include "tests/ui/till.h"

#include <QtWidgets/QApplication>

using namespace ikkai;
using namespace ikkai::test;

namespace {

const QString order = QStringLiteral("A-1001");

/// No text of an unknown may read like an outcome that nobody knows.
QString forbiddenWord(const QString &said)
{
    for (const char16_t *word :
         {u"fail", u"Fail", u"error", u"Error", u"not charged", u"Nothing was charged", u"Nothing has been charged",
          u"replay", u"失敗", u"エラー", u"請求はしていません", u"引き落としはありません", u"請求なし"}) {
        if (said.contains(QString::fromUtf16(word)))
            return QString::fromUtf16(word);
    }
    return {};
}

MainWindowOptions in(Language language)
{
    MainWindowOptions options;
    options.language = language;
    return options;
}

} // namespace

/// What is open: unknown, and cancelled safely. The test plays the bank.
class CashierOpen : public Test {
    Q_OBJECT

private Q_SLOTS:
    void an_unknown_counts_down_to_asking_by_itself_and_says_what_the_bank_said()
    {
        Till till;
        till.unknown();
        QCOMPARE(till.driver->text(names::checkState), QStringLiteral("Asks the bank by itself in"));
        const QString first = till.driver->text(names::checkSeconds);
        QVERIFY2(first.endsWith(QStringLiteral(" s")), qPrintable(first));
        till.pass(1'100);
        QVERIFY(till.driver->text(names::checkSeconds) != first);
        const auto charges = till.engine.gateway.charges.size();
        till.untilAsked();
        QCOMPARE(till.engine.gateway.inquiries.size(), 1u);
        QVERIFY(till.driver->text(names::checkState).contains(QStringLiteral("Asking")));
        QVERIFY(till.driver->enabled(names::tryAgainButton)); // the buttons work meanwhile
        till.inquiryFindsNothing();
        QVERIFY2(till.driver->text(names::explanation).contains(QStringLiteral("it has no record of it yet")),
                 qPrintable(till.driver->text(names::explanation)));
        QCOMPARE(till.driver->outcome(), QStringLiteral("unknown")); // "never seen" is not "not charged"
        till.untilAsked();
        till.inquiryAnswered("approved");
        QCOMPARE(till.driver->headline(), QStringLiteral("Paid, charged once"));
        QCOMPARE(till.engine.gateway.charges.size(), charges);
    }
    void case_25_two_clicks_on_void_safely_are_one_void_and_no_charge()
    {
        Till till;
        till.unknown();
        till.pass(400);
        const auto charges = till.engine.gateway.charges.size();
        till.driver->press(names::voidButton);
        till.driver->press(names::voidButton);
        till.driver->press(names::tryAgainButton); // too late: the void was meant
        till.driver->settle();
        QCOMPARE(till.engine.gateway.voids.size(), 1u);
        QCOMPARE(till.engine.gateway.charges.size(), charges);
        QCOMPARE(till.driver->outcome(), QStringLiteral("voiding"));
        QCOMPARE(till.driver->headline(), QStringLiteral("Cancelling safely"));
        QCOMPARE(till.driver->role(), QStringLiteral("wrk"));
        for (const auto &name : {names::tryAgainButton, names::voidButton}) {
            QVERIFY(till.driver->shows(name));
            QVERIFY(!till.driver->enabled(name));
        }
        QVERIFY(till.driver->find(names::tryAgainButton)
                    ->accessibleDescription()
                    .contains(QStringLiteral("This charge is not sent again")));
        till.pass(600'000);
        QCOMPARE(till.engine.gateway.charges.size(), charges);
    }
    void case_34_a_click_on_void_from_before_the_window_stood_still_cancels_nothing()
    {
        Till till;
        till.unknown();
        till.pass(400);
        till.engine.time.advance(2'000); // no beat of the window in between
        QTest::mouseClick(till.driver->find(names::voidButton), Qt::LeftButton);
        till.driver->settle();
        QVERIFY(till.engine.gateway.voids.empty());
        QCOMPARE(till.driver->outcome(), QStringLiteral("unknown"));
    }
    void a_click_that_was_meant_for_the_screen_before_cancels_nothing()
    {
        Till till;
        till.unknown();
        till.driver->press(names::voidButton); // the screen has only just appeared
        till.driver->settle();
        QVERIFY(till.engine.gateway.voids.empty());
    }
    void the_next_customer_is_served_while_a_void_is_under_way()
    {
        Till till;
        till.unknown();
        till.pass(400);
        till.driver->voidSafely();
        till.driver->charge(QStringLiteral("A-1002"), 500);
        QCOMPARE(till.driver->text(names::bannerOrder), QStringLiteral("A-1002"));
        till.paid();
        QCOMPARE(till.driver->outcome(), QStringLiteral("approved"));
        // It settles by itself, and is told where it does not disturb.
        till.voidAnswered("reversed");
        QCOMPARE(till.driver->text(names::bannerOrder), QStringLiteral("A-1002"));
        QVERIFY(till.driver->text(names::newsNote).contains(QStringLiteral("A-1001, ¥1,200: Voided")));
    }
    void the_banks_word_to_the_void_settles_data()
    {
        QTest::addColumn<QByteArray>("result");
        QTest::addColumn<QString>("outcome");
        QTest::addColumn<QString>("headline");
        QTest::addColumn<QString>("says");
        QTest::newRow("money back") << QByteArray("reversed") << QStringLiteral("voided") << QStringLiteral("Voided")
                                    << QStringLiteral("The money goes back");
        QTest::newRow("never came") << QByteArray("prevented") << QStringLiteral("voided") << QStringLiteral("Voided")
                                    << QStringLiteral("now it cannot any more");
        QTest::newRow("declined") << QByteArray("not_charged") << QStringLiteral("declined")
                                  << QStringLiteral("Declined") << QStringLiteral("nothing to cancel");
    }
    void the_banks_word_to_the_void_settles()
    {
        QFETCH(QByteArray, result);
        QFETCH(QString, outcome);
        QFETCH(QString, headline);
        QFETCH(QString, says);
        Till till;
        till.unknown();
        till.pass(400);
        till.driver->voidSafely();
        till.voidAnswered(result);
        QCOMPARE(till.driver->outcome(), outcome);
        QCOMPARE(till.driver->headline(), headline);
        QVERIFY2(till.driver->text(names::lead).contains(says), qPrintable(till.driver->text(names::lead)));
        QVERIFY(till.driver->enabled(names::newSaleButton));
    }
    void a_void_without_an_answer_says_when_the_same_void_follows()
    {
        Till till;
        till.unknown();
        till.pass(400);
        till.driver->voidSafely();
        till.pass(3'000);
        till.voidSilence();
        QCOMPARE(till.driver->outcome(), QStringLiteral("void_pending"));
        QCOMPARE(till.driver->headline(), QStringLiteral("Cancelling safely"));
        QCOMPARE(till.driver->text(names::progressText), QStringLiteral("Cancelling, try 1 is not answered yet"));
        QVERIFY(till.driver->text(names::explanation).contains(QStringLiteral("no answer")));
        const QString before = till.driver->text(names::countdown);
        till.pass(500);
        QVERIFY(till.driver->text(names::countdown) != before);
        till.pass(6'000);
        QCOMPARE(till.engine.gateway.voids.size(), 2u);
        QCOMPARE(till.engine.gateway.voids[0].voidKey, till.engine.gateway.voids[1].voidKey);
        QCOMPARE(till.engine.gateway.voids[0].body, till.engine.gateway.voids[1].body);
        QCOMPARE(till.driver->text(names::progressText), QStringLiteral("Cancelling, try 2 is under way"));
        till.driver->leaveOpen();
        QCOMPARE(till.driver->outcome(), QString());
        till.driver->open();
        QCOMPARE(till.driver->outcome(), QStringLiteral("voiding"));
    }
    void case_21_paid_after_a_void_that_prevented_it_is_shown_and_not_swallowed()
    {
        Till till;
        till.unknown();
        const ChargeTransmission first = till.engine.gateway.charges.front();
        till.pass(400);
        till.driver->voidSafely();
        till.voidAnswered("prevented");
        QCOMPARE(till.driver->outcome(), QStringLiteral("voided"));
        till.engine.gateway.sink().lateAnswer(first.attempt, PlayedGateway::answerTo(first, 201, "approved"));
        till.driver->settle();
        QCOMPARE(till.driver->headline(), QStringLiteral("Look at this one"));
        QCOMPARE(till.driver->role(), QStringLiteral("bad"));
        QVERIFY(till.driver->text(names::mismatchOurs).contains(QStringLiteral("Voided")));
        QVERIFY(till.driver->text(names::mismatchTheirs).contains(QStringLiteral("Paid")));
        QVERIFY(till.driver->enabled(names::reconcileButton));
        QVERIFY(till.driver->enabled(names::detailsButton));
        QVERIFY(till.driver->enabled(names::newSaleButton));
    }
    void paid_is_heard_while_cancelling_and_said_but_does_not_settle()
    {
        Till till;
        till.unknown();
        const ChargeTransmission first = till.engine.gateway.charges.front();
        till.pass(400);
        till.driver->voidSafely();
        till.engine.gateway.sink().lateAnswer(first.attempt, PlayedGateway::answerTo(first, 201, "approved"));
        till.driver->settle();
        QCOMPARE(till.driver->outcome(), QStringLiteral("voiding"));
        QVERIFY(till.driver->text(names::explanation).contains(QStringLiteral("The cancelling returns the money")));
        till.voidAnswered("reversed");
        QCOMPARE(till.driver->headline(), QStringLiteral("Voided"));
    }
    void a_void_that_meets_other_details_is_a_mismatch_and_calls_support()
    {
        Till till;
        till.unknown();
        till.pass(400);
        till.driver->voidSafely();
        till.voidProblem(422, "idempotency-key-mismatch");
        QCOMPARE(till.driver->outcome(), QStringLiteral("key_mismatch"));
        QVERIFY(till.driver->text(names::sentence).contains(QStringLiteral("did not cancel it")));
        QVERIFY(till.driver->enabled(names::supervisorButton));
    }
    void a_bank_that_does_not_cancel_shuts_void_safely_with_that_reason()
    {
        Till till;
        till.unknown();
        till.pass(400);
        till.driver->voidSafely();
        till.voidProblem(501, "not-implemented");
        QVERIFY(till.driver->text(names::explanation).contains(QStringLiteral("does not cancel charges (501)")));
        till.driver->leaveOpen();
        till.unknown(QStringLiteral("A-1002"), 700);
        till.pass(400);
        QVERIFY(till.driver->shows(names::voidButton));
        QVERIFY(!till.driver->enabled(names::voidButton));
        QVERIFY(till.driver->find(names::voidButton)
                    ->accessibleDescription()
                    .contains(QStringLiteral("This bank does not cancel charges")));
        QVERIFY(till.driver->enabled(names::tryAgainButton));
        QVERIFY(till.driver->enabled(names::leaveOpenButton));
    }
    void a_charge_that_is_too_old_shuts_try_again_with_its_reason()
    {
        Till till;
        till.unknown();
        till.engine.time.jumpWall(23LL * 3'600'000);
        till.driver->leaveOpen();
        till.driver->open();
        QVERIFY(till.driver->shows(names::tryAgainButton));
        QVERIFY(!till.driver->enabled(names::tryAgainButton));
        QVERIFY(till.driver->find(names::tryAgainButton)->accessibleDescription().contains(QStringLiteral("too old")));
        QVERIFY(till.driver->enabled(names::voidButton));
    }
    void case_09_409_to_the_end_of_the_budget_then_approved_by_inquiry_never_reads_as_a_failure()
    {
        for (const Language language : {Language::English, Language::Japanese}) {
            Till till(in(language));
            till.watching = true;
            till.driver->charge(order, 1'200);
            for (int n = 0; n < 200 && till.driver->outcome() != QStringLiteral("unknown"); ++n) {
                till.problem(409, "idempotency-key-in-progress", {{"retry-after", "1"}});
                if (till.driver->outcome() != QStringLiteral("unknown"))
                    till.untilNextTry();
            }
            QCOMPARE(till.driver->outcome(), QStringLiteral("unknown"));
            till.untilAsked();
            till.inquiryFindsNothing();
            till.untilAsked();
            till.watching = false; // from here on the bank's word is known
            till.inquiryAnswered("approved");
            QCOMPARE(till.driver->outcome(), QStringLiteral("approved"));
            QVERIFY(!till.driver->allText().contains(QStringLiteral("fail"), Qt::CaseInsensitive));
            QVERIFY(!till.driver->allText().contains(QStringLiteral("失敗")));
            QVERIFY(till.seen.size() > 50);
            for (const QString &said : std::as_const(till.seen)) {
                const QString word = forbiddenWord(said);
                QVERIFY2(word.isEmpty(), qPrintable(word));
            }
        }
    }
    void case_45_no_word_claims_knowledge_from_the_first_silence_to_the_void()
    {
        for (const Language language : {Language::English, Language::Japanese}) {
            Till till(in(language));
            till.watching = true;
            till.unknown();
            till.untilAsked();
            till.inquiryFindsNothing();
            till.pass(500);
            till.driver->voidSafely();
            till.voidSilence();
            till.pass(20'000);
            QVERIFY(till.seen.size() > 20);
            for (const QString &said : std::as_const(till.seen)) {
                const QString word = forbiddenWord(said);
                QVERIFY2(word.isEmpty(), qPrintable(word));
            }
        }
    }
    void case_20_try_again_after_a_lost_poll_continues_the_first_payment()
    {
        Till till;
        till.unknown();
        till.untilAsked();
        till.engine.gateway.sink().inquiryEnded(till.engine.gateway.inquiries.back().key,
                                                Transmission{Transmission::End::DeadlinePassed, {}, 1, 3'000, {}});
        till.driver->settle();
        till.pass(500);
        till.driver->tryAgain();
        till.answer(201, "approved", {{"idempotent-replayed", "true"}});
        QCOMPARE(till.driver->headline(), QStringLiteral("Paid, charged once"));
        for (const ChargeTransmission &sent : till.engine.gateway.charges)
            QCOMPARE(sent.attempt.key, till.engine.gateway.charges.front().attempt.key);
        QCOMPARE(till.journal.all().size(), 1u);
    }
    void a_late_answer_to_an_earlier_try_settles_the_one_that_is_being_sent()
    {
        Till till;
        till.driver->charge(order, 1'200);
        const ChargeTransmission first = till.engine.gateway.charges.back();
        till.silence();
        till.untilNextTry();
        QCOMPARE(till.driver->outcome(), QStringLiteral("sending"));
        till.engine.gateway.sink().lateAnswer(first.attempt, PlayedGateway::answerTo(first, 201, "approved"));
        till.driver->settle();
        QCOMPARE(till.driver->outcome(), QStringLiteral("approved"));
        QVERIFY(till.driver->attempts().join(QLatin1Char('\n')).contains(QStringLiteral("came late")));
    }
    void what_people_pressed_and_what_the_bank_said_stands_in_the_details()
    {
        Till till;
        till.unknown();
        till.pass(400);
        till.driver->checkNow();
        till.inquiryFindsNothing();
        till.untilAsked();
        till.inquiryFindsNothing();
        till.pass(400);
        till.driver->tryAgain();
        till.silence();
        till.driver->leaveOpen();
        till.driver->open();
        till.pass(400);
        till.driver->voidSafely();
        till.voidSilence();
        const QString said = till.driver->details();
        for (const char *line :
             {"Pressed: Check now", "Asked the bank, it has no record of it yet", "Asked the bank by itself",
              "Pressed: Try again (same charge)", "Pressed: Leave open", "Pressed: Void safely",
              "Cancelling, try 1, no answer", "Try 1: No answer, after 3.0 s"})
            QVERIFY2(said.contains(QLatin1StringView(line)), qPrintable(QLatin1String(line) + said));
        QVERIFY(said.indexOf(QStringLiteral("Check now")) < said.indexOf(QStringLiteral("Pressed: Try again")));
        QVERIFY(said.indexOf(QStringLiteral("Pressed: Try again")) < said.indexOf(QStringLiteral("Pressed: Void")));
    }
    void the_open_list_shows_what_goes_on_with_each()
    {
        Till till;
        till.unknown(QStringLiteral("A-1"), 100);
        till.driver->leaveOpen();
        till.unknown(QStringLiteral("A-2"), 200);
        till.pass(400);
        till.driver->voidSafely();
        till.voidSilence();
        till.driver->press(names::navOpen);
        till.driver->settle();
        const QString all = till.driver->allText();
        QVERIFY2(all.contains(QStringLiteral("A-1 ¥100 Outcome not known yet asks the bank in")) ||
                     all.contains(QStringLiteral("A-1 ¥100 Outcome not known yet the bank is being asked")),
                 qPrintable(all));
        QVERIFY2(all.contains(QStringLiteral("A-2 ¥200 Cancelling safely told to the bank again in")), qPrintable(all));
    }
    void enter_presses_neither_of_the_two_answers_nor_the_void()
    {
        Till till;
        till.unknown();
        till.pass(1'000);
        till.window->activateWindow();
        auto *button = till.driver->find(names::voidButton);
        button->setFocus(Qt::TabFocusReason);
        QTest::keyClick(button, Qt::Key_Return);
        till.driver->settle();
        QVERIFY(till.engine.gateway.voids.empty());
        QTest::keyClick(button, Qt::Key_Space); // by keyboard, but on purpose
        till.driver->settle();
        QCOMPARE(till.engine.gateway.voids.size(), 1u);
    }
};

IKKAI_TEST_MAIN(CashierOpen)
#include "tst_cashier_open.moc"
