#include "tests/support/test.h"
#include "tests/ui/fake_history.h"

#include "core/journal/history_reader.h"
#include "core/journal/sqlite_journal.h"

#include "ui/history/event_list.h"
#include "ui/history/history_list_page.h"
#include "ui/i18n/language.h"
#include "ui/i18n/store_time.h"
#include "ui/object_names.h"
#include "ui/theme/theme.h"

#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QTableView>

using namespace ikkai;
using namespace ikkai::test;

namespace {

/// The page on a journal in a file, read on a thread of its own, as in the till.
struct Room {
    QTemporaryDir folder;
    QString file = folder.filePath(QStringLiteral("journal.sqlite"));
    std::unique_ptr<SqliteJournal> journal;
    SystemClock clock;
    QThread thread;
    HistoryReader *reader = nullptr;
    std::unique_ptr<HistoryListPage> page;

    Room()
    {
        theme::apply(theme::Mode::Light);
        store::useCalendar({tokyo(), 0});
        auto opened = SqliteJournal::open(file);
        if (opened)
            journal = std::move(opened).value();
    }
    ~Room()
    {
        page.reset();
        thread.quit();
        thread.wait();
    }
    void open()
    {
        reader = new HistoryReader(file, {tokyo(), 0});
        reader->moveToThread(&thread);
        QObject::connect(&thread, &QThread::finished, reader, &QObject::deleteLater);
        thread.start();
        page = std::make_unique<HistoryListPage>(reader, clock);
        page->resize(1280, 656);
        page->show();
    }
    /// Writes what happened since `from`, event by event, as the service does.
    bool write(const Story &story, std::size_t from = 0)
    {
        Checkout now = begin(std::get<event::CheckoutStarted>(story.detail().events.front().body),
                             story.detail().events.front().at)
                           .after;
        for (std::size_t n = 0; n < std::size_t(story.detail().events.size()); ++n) {
            const Event &event = story.detail().events.at(qsizetype(n));
            if (n > 0)
                now = transition(now, event).after;
            if (n >= from && !journal->append(int(n) + 1, event, now))
                return false;
        }
        return true;
    }
    [[nodiscard]] QTableView *table() const { return page->findChild<QTableView *>(names::historyTable); }
    [[nodiscard]] int rows() const { return table()->model()->rowCount(); }
    [[nodiscard]] QString cell(int row, int column) const
    {
        return table()->model()->index(row, column).data().toString();
    }
    [[nodiscard]] QString text(const QString &name) const
    {
        return page->findChild<QWidget *>(name)->property("text").toString();
    }
    [[nodiscard]] QStringList record() const { return page->findChild<EventList *>(names::historyEvents)->lines(); }
};

Story sale(int minute)
{
    return {atTokyo(QStringLiteral("2026-05-14 09:00:00.000")) + minute * 60'000, QStringLiteral("A-%1").arg(minute),
            1'000 + minute, QStringLiteral("%1").arg(0x1000 + minute, 4, 16, QLatin1Char('0'))};
}

} // namespace

/// History on a real journal: the same rows, records and search as on the played one.
class HistoryAndJournal : public Test {
    Q_OBJECT

private Q_SLOTS:
    void pages_records_and_search_come_from_the_file()
    {
        Room room;
        QVERIFY(room.journal != nullptr);
        for (int minute = 0; minute < 150; ++minute)
            QVERIFY(room.write(minute % 50 == 7 ? sale(minute).onceByReplay() : sale(minute).approved()));
        room.open();
        QTRY_COMPARE(room.rows(), 100);
        QCOMPARE(room.cell(0, 1), QStringLiteral("A-149"));
        QTRY_COMPARE(room.text(names::historyShown), QStringLiteral("100 of 150 shown"));
        QTest::mouseClick(room.page->findChild<QWidget *>(names::historyMore), Qt::LeftButton);
        QTRY_COMPARE(room.text(names::historyShown), QStringLiteral("150 of 150 shown"));
        QCOMPARE(room.cell(149, 1), QStringLiteral("A-0"));

        auto *search = room.page->findChild<QLineEdit *>(names::historySearch);
        search->setText(QStringLiteral("1007"));
        QTest::keyClick(search, Qt::Key_Return);
        QTRY_COMPARE(room.rows(), 1);
        QCOMPARE(room.cell(0, 3), QStringLiteral("Paid, charged once"));
        room.table()->setCurrentIndex(room.table()->model()->index(0, 0));
        QTRY_COMPARE(room.record().size(), 5);
        QCOMPARE(room.record().last(), QStringLiteral("09:07:03.413 Paid, charged once settled by replay"));
    }
    void what_the_service_writes_is_seen_at_once()
    {
        Room room;
        Story open = sale(1);
        open.leftUnknown();
        QVERIFY(room.write(open));
        room.open();
        QTRY_COMPARE(room.rows(), 1);
        QTRY_COMPARE(room.record().size(), 3);
        Story fresh = sale(2);
        QVERIFY(room.write(fresh));
        room.page->noteChanged(fresh.checkout(), true);
        QTRY_COMPARE(room.rows(), 2);
        QCOMPARE(room.cell(0, 1), QStringLiteral("A-2"));
        const auto told = std::size_t(open.detail().events.size());
        open.after(50, event::InquiryStarted{});
        open.after(50, event::InquiryEnded{verdict::Approved{SettledBy::Inquiry, {}}, {}});
        QVERIFY(room.write(open, told));
        room.page->noteChanged(open.checkout(), true);
        QTRY_COMPARE(room.cell(1, 3), QStringLiteral("Paid, charged once"));
        QTRY_COMPARE(room.record().size(), 6); // of the one that is selected still
    }
    void rows_are_exported_to_a_file()
    {
        Room room;
        QVERIFY(room.write(sale(1).approved()));
        QVERIFY(room.write(sale(2).declined()));
        room.open();
        QTRY_COMPARE(room.rows(), 2);
        const QString file = room.folder.filePath(QStringLiteral("rows.csv"));
        room.page->exportTo(file);
        QTRY_COMPARE(room.text(names::historyMessage), QStringLiteral("Written to rows.csv: 2"));
        QFile written(file);
        QVERIFY(written.open(QIODevice::ReadOnly));
        QVERIFY(written.readAll().contains("A-2"));
        room.page->exportTo(room.file); // the journal itself
        QTRY_VERIFY(room.text(names::historyMessage).startsWith(QStringLiteral("Not written: ")));
        QCOMPARE(room.rows(), 2);
    }
    void a_journal_that_is_not_there_is_said_in_plain_words()
    {
        Room room;
        room.journal.reset();
        room.file = room.folder.filePath(QStringLiteral("missing.sqlite"));
        room.open();
        QTRY_VERIFY(
            room.text(names::historyEmpty).startsWith(QStringLiteral("The record of payments cannot be read.")));
        QVERIFY(room.text(names::historyEmpty).contains(QStringLiteral("missing.sqlite")));
    }
};

IKKAI_TEST_MAIN(HistoryAndJournal)
#include "tst_history_and_journal.moc"
