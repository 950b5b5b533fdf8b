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
    }
};

IKKAI_TEST_MAIN(Pictures)
#include "tst_pictures.moc"
