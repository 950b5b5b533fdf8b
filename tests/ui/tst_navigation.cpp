#include "tests/support/test.h"
#include "tests/ui/layout_trouble.h"
#include "tests/ui/till.h"

#include "ui/header_bar.h"
#include "ui/i18n/store_time.h"

#include <QtWidgets/QStackedWidget>

using namespace ikkai;
using namespace ikkai::test;

/// The header: which pages there are, how one gets to them, and that its words always fit.
class Navigation : public Test {
    Q_OBJECT

private:
    static int page(const Till &till) { return till.window->findChild<QStackedWidget *>()->currentIndex(); }

private Q_SLOTS:
    void every_page_is_one_press_away()
    {
        Till till;
        int wanted = 0;
        for (const auto name : {names::navCharge, names::navOpen, names::navHistory, names::navCloseDay}) {
            till.driver->press(name);
            till.driver->settle();
            QCOMPARE(page(till), wanted++);
            for (const auto other : {names::navCharge, names::navOpen, names::navHistory, names::navCloseDay})
                QCOMPARE(qobject_cast<QAbstractButton *>(till.driver->find(other))->isChecked(), other == name);
        }
    }
    void every_page_has_its_keys()
    {
        Till till;
        till.window->activateWindow();
        QTRY_VERIFY(till.window->isActiveWindow());
        till.driver->typeAmount(100);
        for (const int wanted : {3, 2, 1, 0}) {
            QTest::keyClick(till.window.get(), static_cast<Qt::Key>(Qt::Key_1 + wanted), Qt::AltModifier);
            QCOMPARE(page(till), wanted);
        }
        // The digit of Alt+1 is not a digit of the amount.
        QCOMPARE(till.driver->text(names::amountField), QStringLiteral("¥100"));
    }
    void a_page_whose_other_side_is_not_there_says_so()
    {
        Till till;
        WindowParts alone;
        alone.service = &till.engine.service;
        alone.clock = &till.engine.time;
        MainWindow window(Till::english(), alone);
        window.show();
        TerminalDriver driver(window);
        for (const auto name : {names::navHistory, names::navCloseDay}) {
            driver.press(name);
            driver.settle();
            QVERIFY(driver.allText().contains(QStringLiteral("This page is not available in this window.")));
        }
        till.window->hide();
    }
    void the_header_fits_whatever_the_bank_does_and_however_many_are_open_data()
    {
        QTest::addColumn<bool>("japanese");
        QTest::addColumn<int>("width");
        for (const bool japanese : {false, true}) {
            for (const int width : {1024, 1199, 1200, 1280})
                QTest::addRow("%s %d", japanese ? "ja" : "en", width) << japanese << width;
        }
    }
    void the_header_fits_whatever_the_bank_does_and_however_many_are_open()
    {
        QFETCH(bool, japanese);
        QFETCH(int, width);
        MainWindowOptions options;
        options.language = japanese ? Language::Japanese : Language::English;
        options.role = WindowRole::Trainer;
        options.terminalId = QStringLiteral("till-12");
        Till till(options, {width, 720});
        till.driver->find(names::trainerDock)->hide();
        till.window->resize(width, 720);
        till.driver->settle();
        QCOMPARE(till.window->width(), width);
        auto *header = qobject_cast<HeaderBar *>(till.driver->find(names::header));
        header->setOpenCount(1'234);
        for (const BankLink link : {BankLink::NotTriedYet, BankLink::Online, BankLink::NotAnswering,
                                    BankLink::Unreachable, BankLink::ApiKeyRefused}) {
            header->setLink(link);
            till.driver->settle();
            QCOMPARE(till.window->width(), width); // nothing asked for more room
            const QString found = trouble(*till.window);
            QVERIFY2(found.isEmpty(), qPrintable(found));
            QVERIFY(header->sizeHint().width() <= width);
        }
        till.picture(QStringLiteral("header-") + QString::fromLatin1(QTest::currentDataTag()));
    }
    void times_are_the_stores_not_the_machines()
    {
        MainWindowOptions options = Till::english();
        options.calendar.zone = QTimeZone("America/New_York");
        Till till(options);
        // 2025-10-09 08:53:20 UTC or whatever the bench's clock says: the header follows the store's zone.
        const qint64 nowMs = till.engine.time.now().wallMs;
        const QString there =
            QDateTime::fromMSecsSinceEpoch(nowMs, QTimeZone("America/New_York")).toString(QStringLiteral("HH:mm"));
        QCOMPARE(till.driver->text(names::clock), there);
        store::useCalendar({});
    }
    void days_are_written_as_the_language_writes_them()
    {
        LanguageSwitch languages;
        languages.use(Language::English);
        QCOMPARE(store::day(QDate(2026, 5, 14)), QStringLiteral("14 May"));
        languages.use(Language::Japanese);
        QCOMPARE(store::day(QDate(2026, 5, 14)), QStringLiteral("5月14日"));
        languages.use(Language::English);
    }
};

IKKAI_TEST_MAIN(Navigation)
#include "tst_navigation.moc"
