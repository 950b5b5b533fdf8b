#include "tests/support/test.h"
#include "tests/ui/layout_trouble.h"
#include "tests/ui/till.h"

#include "ui/theme/theme.h"

#include <QtCore/QSet>
#include <QtGui/QAccessible>
#include <QtWidgets/QAbstractButton>
#include <QtWidgets/QApplication>
#include <QtWidgets/QFocusFrame>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QScrollBar>

using namespace ikkai;
using namespace ikkai::test;

class WindowLayout : public Test {
    Q_OBJECT

private:
    std::vector<QString> m_troubles;

    void look(const Till &till, const char *what)
    {
        const QString found = trouble(*till.window);
        if (!found.isEmpty())
            m_troubles.push_back(QString::fromLatin1(what) + QStringLiteral(": ") + found);
    }

private Q_SLOTS:
    void case_38_every_state_fits_both_layouts_data()
    {
        QTest::addColumn<bool>("japanese");
        QTest::addColumn<bool>("band");
        QTest::addColumn<QSize>("size");
        for (const bool japanese : {false, true}) {
            for (const bool band : {false, true}) {
                for (const QSize size : {QSize(1280, 720), QSize(1024, 700)})
                    QTest::addRow("%s %s %dx%d", japanese ? "ja" : "en", band ? "band" : "plain", size.width(),
                                  size.height())
                        << japanese << band << size;
            }
        }
    }
    void case_38_every_state_fits_both_layouts()
    {
        QFETCH(bool, japanese);
        QFETCH(bool, band);
        QFETCH(QSize, size);
        MainWindowOptions options;
        options.language = japanese ? Language::Japanese : Language::English;
        options.role = band ? WindowRole::Trainer : WindowRole::Cashier;
        m_troubles.clear();
        const auto till = [&] {
            auto made = std::make_unique<Till>(options, size);
            if (band)
                made->driver->find(names::trainerDock)->hide();
            made->window->resize(size);
            made->driver->settle();
            return made;
        };
        const QString order = QStringLiteral("A-1001");
        auto one = till();
        QCOMPARE(one->window->size(), size);
        look(*one, "ready");
        one->driver->charge(order, 1'200);
        look(*one, "contacting");
        one->silence();
        look(*one, "checking");
        for (int n = 2; n <= 4; ++n) {
            one->untilNextTry();
            one->silence();
        }
        look(*one, "checking, four tries");
        one->untilNextTry();
        one->answer(201, "approved",
                    {{"idempotent-replayed", "true"}, {"original-date", "Thu, 09 Oct 2025 08:53:21 GMT"}});
        look(*one, "paid once, five tries");
        one->driver->charge(order, 99'999'999);
        look(*one, "already paid");
        one->driver->charge(QStringLiteral("A-2"), 99'999'999);
        one->pass(100);
        one->answer(402, "declined");
        look(*one, "declined");
        one->unknown(QStringLiteral("B-3"), 1'200);
        look(*one, "unknown");
        one->driver->press(names::leaveOpenButton);
        one->driver->settle();
        look(*one, "left open");
        one->driver->charge(QStringLiteral("B-3"), 1'500);
        look(*one, "open order");

        auto two = till();
        two->driver->charge(QStringLiteral("an order with a name as long as an order can have: 64 letters ok"),
                            99'999'999);
        look(*two, "long order");
        two->problem(409, "idempotency-key-in-progress", {{"retry-after", "2"}});
        look(*two, "still working");
        two->untilNextTry();
        two->problem(422, "idempotency-key-mismatch");
        look(*two, "mismatch");
        two->driver->press(names::leaveOpenButton);
        two->driver->charge(QStringLiteral("A-1031"), 700);
        two->problem(400, "bad-field", {}, ",\"field\":\"order_id\"");
        look(*two, "refused");
        two->driver->charge(QStringLiteral("A-1032"), 64'000);
        two->problem(410, "idempotency-key-voided", {}, ",\"result\":\"prevented\"");
        look(*two, "voided");
        two->driver->charge(QStringLiteral("A-1033"), 5'720);
        for (int n = 1; n <= 5; ++n) {
            two->pass(100);
            two->engine.gateway.stayAway(Transmission::End::ConnectionRefused, 0);
            two->driver->settle();
            if (n == 2)
                look(*two, "unreachable");
            if (n < 5)
                two->untilNextTry();
        }
        look(*two, "not sent");
        two->driver->press(names::navOpen);
        two->driver->settle();
        look(*two, "open list");

        auto three = till();
        three->driver->charge(order, 1'200);
        three->pass(200);
        three->contradiction();
        look(*three, "contradiction");

        auto four = till();
        four->unknown();
        four->untilAsked();
        four->inquiryFindsNothing();
        four->pass(600);
        look(*four, "unknown, asked");
        four->driver->press(names::detailsButton);
        four->driver->settle();
        four->driver->press(names::detailsButton);
        four->driver->leaveOpen();
        four->driver->charge(order, 99'999'999);
        four->pass(400);
        look(*four, "already open, with a supervisor");
        four->driver->supervisor(QStringLiteral("1234"), QStringLiteral("a reason"));
        QTRY_VERIFY((four->driver->settle(), four->driver->shows(names::supervisorAnswer)));
        look(*four, "supervisor, no PIN");
        four->driver->press(names::supervisorCancel);
        four->pass(400);
        four->driver->voidSafely();
        look(*four, "voiding");
        four->voidProblem(501, "not-implemented");
        four->pass(300);
        look(*four, "void pending");
        four->driver->leaveOpen();
        four->unknown(QStringLiteral("A-2"), 99'999'999);
        look(*four, "void shut");
        const ChargeTransmission late = four->engine.gateway.charges.back();
        four->pass(400);
        four->driver->leaveOpen();
        four->driver->charge(QStringLiteral("A-3"), 300);
        four->engine.gateway.sink().lateAnswer(late.attempt, PlayedGateway::answerTo(late, 201, "approved"));
        four->paid();
        look(*four, "paid, with news");
        four->pass(500);
        four->driver->newSale();
        look(*four, "news");
        four->driver->press(names::navOpen);
        four->driver->settle();
        look(*four, "open list, live");
        four->driver->press(names::navCharge);
        four->journal.refuse = JournalError{JournalError::Kind::InputOutput, QStringLiteral("/home/shop/journal.db"),
                                            QStringLiteral("SQLite 10: disk I/O error")};
        four->driver->charge(QStringLiteral("A-4"), 300);
        look(*four, "journal fault");
        for (const QString &found : m_troubles)
            qInfo("%s", qPrintable(found));
        QVERIFY(m_troubles.empty());
    }
    void the_trainers_window_fits_with_its_dock()
    {
        for (const Language language : {Language::English, Language::Japanese}) {
            MainWindowOptions options;
            options.language = language;
            options.role = WindowRole::Trainer;
            Till till(options, {1656, 800});
            till.driver->settle();
            QVERIFY(till.driver->shows(names::trainerDock));
            const QString found = trouble(*till.window);
            QVERIFY2(found.isEmpty(), qPrintable(found));
        }
    }
    void the_words_keep_their_size()
    {
        for (int type = 0; type <= static_cast<int>(theme::Type::SmallWire); ++type) {
            const QFont font = theme::font(static_cast<theme::Type>(type));
            QVERIFY(font.pixelSize() >= 14);
        }
        // Capitals of the outcome word at least 38 px high: read at two metres.
        Till till;
        const QFontMetrics headline(theme::font(theme::Type::Headline));
        QVERIFY2(headline.capHeight() >= 38, qPrintable(QString::number(headline.capHeight())));
    }
    void names_are_unique()
    {
        QSet<QString> seen;
        for (const auto &name : names::all) {
            QVERIFY2(!seen.contains(QString(name)), name.data());
            seen.insert(QString(name));
        }
        MainWindowOptions options = Till::english();
        options.role = WindowRole::Trainer;
        Till till(options, {1656, 800});
        for (const auto &name : names::all) {
            const bool isWindow = till.window->objectName() == name;
            const auto found = till.window->findChildren<QWidget *>(QString(name));
            QVERIFY2(found.size() == (isWindow ? 0 : 1), name.data());
        }
    }
    void every_control_has_a_name_for_tests_and_for_ears()
    {
        MainWindowOptions options;
        options.role = WindowRole::Trainer;
        Till till(options, {1656, 800});
        for (QWidget *widget : till.window->findChildren<QWidget *>()) {
            const bool interactive = qobject_cast<QAbstractButton *>(widget) || qobject_cast<QLineEdit *>(widget) ||
                                     (widget->focusPolicy() != Qt::NoFocus && !qobject_cast<QScrollBar *>(widget));
            if (!interactive || widget->objectName().startsWith(QStringLiteral("qt_")))
                continue;
            if (widget->inherits("QTableCornerButton"))
                continue; // Qt's own, between headers of which one is hidden: no one can reach it
            QVERIFY2(!widget->objectName().isEmpty(), widget->metaObject()->className());
            QAccessibleInterface *heard = QAccessible::queryAccessibleInterface(widget);
            QVERIFY(heard);
            QVERIFY2(!heard->text(QAccessible::Name).isEmpty() || widget->isHidden(), qPrintable(nameOf(widget)));
        }
    }
    void tab_walks_the_page_as_it_is_read()
    {
        Till till;
        till.window->activateWindow();
        QTRY_VERIFY(till.window->isActiveWindow());
        till.driver->typeOrder(QStringLiteral("A-1"));
        till.driver->typeAmount(100);
        QStringList walked;
        till.driver->find(names::orderField)->setFocus(Qt::TabFocusReason);
        for (int step = 0; step < 12; ++step) {
            QWidget *now = QApplication::focusWidget();
            QVERIFY(now);
            if (!walked.isEmpty() && now->objectName() == walked.first())
                break;
            walked << now->objectName();
            QTest::keyClick(now, Qt::Key_Tab);
        }
        const QStringList wanted{QString(names::orderField),  names::payBy + QStringLiteral(".card_ok"),
                                 QString(names::amountField), QString(names::chargeButton),
                                 QString(names::navCharge),   QString(names::languageSwitch)};
        for (const QString &name : wanted)
            QVERIFY2(walked.contains(name),
                     qPrintable(name + QStringLiteral(" is not on the way: ") + walked.join(QLatin1Char(' '))));
        QVERIFY(walked.indexOf(wanted[0]) < walked.indexOf(wanted[1]));
        QVERIFY(walked.indexOf(wanted[1]) < walked.indexOf(wanted[2]));
        QVERIFY(walked.indexOf(wanted[2]) < walked.indexOf(wanted[3]));
    }
    void the_ring_stands_round_what_has_the_focus_and_outside_it()
    {
        Till till;
        till.window->activateWindow();
        QTRY_VERIFY(till.window->isActiveWindow());
        auto *amount = till.driver->find(names::amountField);
        amount->setFocus(Qt::TabFocusReason);
        till.driver->settle();
        auto *ring = till.window->findChild<QFocusFrame *>();
        QVERIFY(ring && ring->isVisible());
        QCOMPARE(ring->widget(), amount);
        QCOMPARE(inWindow(ring), inWindow(amount).adjusted(-5, -5, 5, 5));
        // A finger moves the focus without a ring; the next key shows it again.
        QTest::mouseClick(till.driver->find(names::payBy + QStringLiteral(".card_low")), Qt::LeftButton);
        QVERIFY(!till.window->findChild<QFocusFrame *>() || !ring->isVisible());
    }
    void a_person_who_closes_the_window_sees_what_is_open_first()
    {
        Till till;
        till.unknown();
        QCloseEvent byHand;
        QSpontaneKeyEvent::setSpontaneous(&byHand);
        qApp->notify(till.window.get(), &byHand);
        QVERIFY(!byHand.isAccepted());
        till.driver->settle();
        QVERIFY(till.driver->shows(names::openList));
        QVERIFY(till.driver->allText().contains(QStringLiteral("These payments are still open")));
        QCloseEvent again;
        QSpontaneKeyEvent::setSpontaneous(&again);
        qApp->notify(till.window.get(), &again);
        QVERIFY(again.isAccepted());
    }
};

IKKAI_TEST_MAIN(WindowLayout)
#include "tst_window_layout.moc"
