#include "tests/support/test.h"

#include "ui/cashier/journal_fault_screen.h"
#include "ui/cashier/journal_words.h"
#include "ui/object_names.h"
#include "ui/widgets/button.h"
#include "ui/widgets/flow_text.h"
#include "ui/widgets/label.h"

#include <QtCore/QDir>
#include <QtCore/QSet>
#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtGui/QPixmap>
#include <QtTest/QSignalSpy>

#include <array>

using namespace ikkai;

namespace {

using Kind = JournalError::Kind;

constexpr std::array everyKind{Kind::CannotOpen,   Kind::ReadOnly, Kind::DiskFull,   Kind::Corrupt,
                               Kind::NewerVersion, Kind::Locked,   Kind::InputOutput};

JournalError fault(Kind kind)
{
    return {kind, QStringLiteral("/home/shop/.local/share/ikkai/journal.db"),
            QStringLiteral("SQLite 13: database or disk is full")};
}

template <class Widget>
Widget *child(const QWidget &screen, QLatin1StringView name)
{
    return screen.findChild<Widget *>(QString(name));
}

QString allWords(const QWidget &screen)
{
    QStringList all;
    for (const FlowText *text : screen.findChildren<FlowText *>())
        all << text->text();
    for (const QLabel *label : screen.findChildren<QLabel *>())
        all << label->text();
    return all.join(QLatin1Char('\n'));
}

/// Writes a picture for people to look at.
void picture(QWidget &screen, const QString &name)
{
    const QString folder = qEnvironmentVariable("IKKAI_PICTURES");
    if (folder.isEmpty())
        return;
    QDir().mkpath(folder);
    screen.grab().save(folder + QLatin1Char('/') + name + QStringLiteral(".png"));
}

} // namespace

/// A journal that cannot be used: people are told what that means, and nothing can be charged.
class JournalFaultScreenTest : public ikkai::test::Test {
    Q_OBJECT

private Q_SLOTS:
    void each_fault_says_what_it_means_and_what_to_do_in_both_languages()
    {
        for (const Language language : {Language::English, Language::Japanese}) {
            QSet<QString> headlines;
            for (const Kind kind : everyKind) {
                JournalFaultScreen screen(fault(kind), language, theme::Mode::Light);
                screen.show();
                for (const auto &name : {names::journalFaultMeans, names::journalFaultWorks, names::journalFaultToDo})
                    QVERIFY(!child<FlowText>(screen, name)->text().isEmpty());
                QVERIFY(child<FlowText>(screen, names::journalFaultRecord)
                            ->text()
                            .contains(QStringLiteral("ikkai/journal.db")));
                headlines.insert(child<FlowText>(screen, names::headline)->text());
                for (const char16_t *word : {u"fail", u"Fail", u"not charged", u"失敗"})
                    QVERIFY(!allWords(screen).contains(QString::fromUtf16(word)));
                const bool isJapanese = allWords(screen).contains(QStringLiteral("どうすればよいか"));
                QCOMPARE(isJapanese, language == Language::Japanese);
            }
            QCOMPARE(headlines.size(), static_cast<qsizetype>(everyKind.size())); // each fault has words of its own
        }
    }
    void the_reason_below_charge_names_the_fault()
    {
        QSet<QString> reasons;
        for (const Kind kind : everyKind) {
            reasons.insert(journalShutReason(fault(kind)));
            QVERIFY(journalShutReason(fault(kind)).contains(QStringLiteral("cannot record, so cannot charge")));
        }
        QCOMPARE(reasons.size(), static_cast<qsizetype>(everyKind.size()));
        QVERIFY(needsRestart(fault(Kind::Corrupt)));
        QVERIFY(!needsRestart(fault(Kind::DiskFull)));
    }
    void the_language_changes_at_once_and_details_can_be_copied()
    {
        JournalFaultScreen screen(fault(Kind::DiskFull), Language::Japanese, theme::Mode::Light);
        screen.show();
        QTest::mouseClick(child<Button>(screen, names::journalFaultLanguage), Qt::LeftButton);
        QCOMPARE(child<FlowText>(screen, names::headline)->text(), QStringLiteral("The disk is full"));
        QTest::mouseClick(child<Button>(screen, names::journalFaultCopy), Qt::LeftButton);
        QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("SQLite 13")));
        const QSignalSpy closed(&screen, &JournalFaultScreen::closed);
        QTest::mouseClick(child<Button>(screen, names::journalFaultClose), Qt::LeftButton);
        QCOMPARE(closed.size(), 1);
        QVERIFY(!screen.isVisible());
    }
    void every_fault_fits_both_sizes()
    {
        for (const Language language : {Language::English, Language::Japanese}) {
            for (const QSize size : {QSize(1280, 720), QSize(1024, 700)}) {
                for (const Kind kind : everyKind) {
                    JournalFaultScreen screen(fault(kind), language, theme::Mode::Light);
                    screen.resize(size);
                    screen.show();
                    const QWidget *last = child<QWidget>(screen, names::journalFaultRecord);
                    const QWidget *close = child<QWidget>(screen, names::journalFaultClose);
                    QVERIFY2(last->geometry().bottom() < close->geometry().top(),
                             qPrintable(child<FlowText>(screen, names::headline)->text()));
                    for (const FlowText *text : screen.findChildren<FlowText *>())
                        QVERIFY2(text->widestLine(text->width()) <= text->width(), qPrintable(text->text()));
                    for (const Button *button : screen.findChildren<Button *>())
                        QVERIFY(button->height() >= theme::metrics::minimumTarget);
                    picture(screen,
                            QStringLiteral("journal-%1-%2-%3")
                                .arg(static_cast<int>(kind))
                                .arg(language == Language::English ? QStringLiteral("en") : QStringLiteral("ja"))
                                .arg(size.width()));
                }
            }
        }
    }
};

IKKAI_TEST_MAIN(JournalFaultScreenTest)
#include "tst_journal_fault_screen.moc"
