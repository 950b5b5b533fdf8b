#include "core/checkout/recovery.h"
#include "core/journal/event_codec.h"
#include "core/journal/migrations.h"
#include "journal_bench.h"
#include "tests/support/test.h"

#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>

#include <optional>

using namespace ikkai;
using namespace ikkai::test;

namespace {

JournalSettings tokyo(int startsAtMinute = 0)
{
    return {BusinessCalendar{QTimeZone("Asia/Tokyo"), startsAtMinute}};
}

qint64 wall(const char *iso)
{
    return QDateTime::fromString(QString::fromLatin1(iso), Qt::ISODate).toMSecsSinceEpoch();
}

/// A sale that is approved by its first answer.
Story paidStory(int n, const QString &order, qint64 startedWallMs, qint64 settledWallMs)
{
    Story story;
    event::CheckoutStarted start = started(n, order);
    Stamp at = stamp();
    at.wallMs = startedWallMs;
    story.events.push_back({at, start});
    story.after.push_back(begin(start, at).after);
    at.wallMs = settledWallMs;
    const Event paid{at, event::AttemptEnded{1, verdict::Approved{SettledBy::Answer, details()}, 1, 50, 9U, {}}};
    story.events.push_back(paid);
    story.after.push_back(transition(story.after.back(), paid).after);
    return story;
}

} // namespace

class TestSettlement : public ikkai::test::Test {
    Q_OBJECT

private Q_SLOTS:
    void outcomes_are_numbered_in_the_order_in_which_they_were_learned()
    {
        const auto journal = opened(m_file, tokyo());
        const Story first =
            paidStory(1, QStringLiteral("A"), wall("2026-07-01T01:00:00Z"), wall("2026-07-01T01:00:09Z"));
        const Story second =
            paidStory(2, QStringLiteral("B"), wall("2026-07-01T01:00:05Z"), wall("2026-07-01T01:00:07Z"));
        QVERIFY(journal->append(1, first.events[0], first.after[0]).ok());
        QVERIFY(!appendAll(*journal, second)); // started later, settled earlier
        Sql sql(m_file);
        QCOMPARE(settlements(sql), QStringLiteral("1|B|2026-07-01"));
        QVERIFY(journal->append(2, first.events[1], first.after[1]).ok());
        QCOMPARE(settlements(sql), QStringLiteral("1|B|2026-07-01\n2|A|2026-07-01"));
        QVERIFY(journal->compareProjection()->empty());
    }

    void a_clock_that_is_set_back_changes_no_order()
    {
        const auto journal = opened(m_file, tokyo());
        QVERIFY(!appendAll(
            *journal, paidStory(1, QStringLiteral("A"), wall("2026-07-02T01:00:00Z"), wall("2026-07-02T01:00:01Z"))));
        QVERIFY(!appendAll(
            *journal, paidStory(2, QStringLiteral("B"), wall("2026-07-01T01:00:00Z"), wall("2026-07-01T01:00:01Z"))));
        Sql sql(m_file);
        QCOMPARE(settlements(sql), QStringLiteral("1|A|2026-07-02\n2|B|2026-07-01"));
    }

    void case_39_a_sale_after_midnight_counts_on_the_business_day_of_the_store()
    {
        const auto journal = opened(m_file, tokyo(300));
        QVERIFY(!appendAll(
            *journal, paidStory(1, QStringLiteral("A"), wall("2026-06-30T19:59:50Z"), wall("2026-06-30T19:59:59Z"))));
        // Started before five, settled after: the day of the settlement counts.
        QVERIFY(!appendAll(
            *journal, paidStory(2, QStringLiteral("B"), wall("2026-06-30T19:59:50Z"), wall("2026-06-30T20:00:00Z"))));
        Sql sql(m_file);
        QCOMPARE(settlements(sql), QStringLiteral("1|A|2026-06-30\n2|B|2026-07-01"));
    }

    void a_number_never_changes_whatever_comes_later()
    {
        const auto journal = opened(m_file, tokyo());
        const Story story =
            paidStory(1, QStringLiteral("A"), wall("2026-07-01T01:00:00Z"), wall("2026-07-01T01:00:01Z"));
        QVERIFY(!appendAll(*journal, story));
        QVERIFY(!appendAll(
            *journal, paidStory(2, QStringLiteral("B"), wall("2026-07-01T02:00:00Z"), wall("2026-07-01T02:00:01Z"))));
        Stamp tomorrow = stamp();
        tomorrow.wallMs = wall("2026-07-02T01:00:00Z");
        const Event late{tomorrow, event::LateAnswer{1, verdict::Declined{SettledBy::Answer, details()}, {}}};
        const Checkout after = transition(story.after.back(), late).after;
        QVERIFY(journal->append(3, late, after).ok());
        QVERIFY(journal->append(3, late, after).ok()); // and once more, as after a commit of unknown end
        Sql sql(m_file);
        QCOMPARE(settlements(sql), QStringLiteral("1|A|2026-07-01\n2|B|2026-07-01"));
        QCOMPARE(sql.run(QStringLiteral("SELECT contradiction FROM checkout WHERE order_id = 'A'")).toString(),
                 QStringLiteral("declined"));
        QVERIFY(
            sql.run(QStringLiteral("UPDATE settlement SET n = 9")).toString().contains(QLatin1String("append-only")));
        QVERIFY(sql.run(QStringLiteral("DELETE FROM settlement")).toString().contains(QLatin1String("append-only")));
        QVERIFY(journal->compareProjection()->empty());
    }

    void an_outcome_that_could_not_be_recorded_has_no_number()
    {
        const auto journal = opened(m_file, tokyo());
        const Story story =
            paidStory(1, QStringLiteral("A"), wall("2026-07-01T01:00:00Z"), wall("2026-07-01T01:00:01Z"));
        QVERIFY(journal->append(1, story.events[0], story.after[0]).ok());
        Sql sql(m_file);
        sql.run(QStringLiteral("CREATE TRIGGER trouble BEFORE INSERT ON event BEGIN SELECT RAISE(ABORT, 'no'); END"));
        QVERIFY(!journal->append(2, story.events[1], story.after[1]).ok());
        QCOMPARE(sql.run(QStringLiteral("SELECT count(*) FROM settlement")).toInt(), 0);
        sql.run(QStringLiteral("DROP TRIGGER trouble"));
        QVERIFY(journal->append(2, story.events[1], story.after[1]).ok());
        QCOMPARE(settlements(sql), QStringLiteral("1|A|2026-07-01"));
    }

    void rebuilding_keeps_numbers_and_days_also_of_rows_that_were_lost()
    {
        {
            const auto journal = opened(m_file, tokyo());
            for (int n = 1; n <= 5; ++n)
                QVERIFY(!appendAll(*journal, paidStory(n, QStringLiteral("A-%1").arg(6 - n),
                                                       wall("2026-07-01T01:00:00Z"), wall("2026-07-01T01:00:01Z"))));
        }
        // The store moved, or its day begins at another hour now: what was counted stays counted where it was.
        const auto journal = opened(m_file, {BusinessCalendar{QTimeZone("America/New_York"), 300}});
        Sql sql(m_file);
        const QString before = settlements(sql);
        sql.run(QStringLiteral("PRAGMA foreign_keys = OFF"));
        sql.run(QStringLiteral("DELETE FROM checkout WHERE settled_n IN (2, 3)"));
        sql.run(
            QStringLiteral("UPDATE checkout SET settled_n = NULL, business_day = '2020-01-01' WHERE settled_n = 4"));
        const auto differences = journal->compareProjection();
        QCOMPARE(differences->size(), 4U);
        QVERIFY(differences.value()[2] == (ProjectionDifference{keyNumber(4).text(), QStringLiteral("settled_n"),
                                                                QString(), QStringLiteral("4")}));
        QCOMPARE(journal->rebuildProjection().value(), 5);
        QCOMPARE(settlements(sql), before);
        QVERIFY(journal->compareProjection()->empty());
    }

    /// Made by the program of version 1: an answer, a decline, a replay, two that were left without an answer.
    void a_journal_of_version_1_is_taken_over_with_all_it_knows()
    {
        QVERIFY(QFile::copy(QStringLiteral(IKKAI_JOURNAL_DATA "/journal-version-1.sqlite"), m_file));
        QVERIFY(QFile::setPermissions(m_file, QFile::ReadOwner | QFile::WriteOwner));
        const QString eventsBefore = Sql(m_file).all(everyEvent());
        {
            // Version 1 also recorded a late answer to what it had settled; its row then said when that came.
            Sql sql(m_file);
            const QString key = sql.run(QStringLiteral("SELECT key FROM checkout WHERE order_id = 'A-1'")).toString();
            const StoredEvent late =
                encodeEvent({Stamp{1'796'093'999'000, 1, 1},
                             event::LateAnswer{1, verdict::Approved{SettledBy::Answer, details()}, {}}});
            sql.run(QStringLiteral("INSERT INTO event VALUES ('%1', 4, %2, '%3', '%4')")
                        .arg(key)
                        .arg(late.atWallMs)
                        .arg(late.type, QString::fromUtf8(late.data)));
            sql.run(QStringLiteral("UPDATE checkout SET updated_ms = 1796093999000 WHERE order_id = 'A-1'"));
        }
        const auto journal = opened(m_file, tokyo());
        QVERIFY(journal);
        Sql sql(m_file);
        QCOMPARE(sql.run(QStringLiteral("PRAGMA user_version")).toInt(), journalMigrations().back().toVersion);
        QCOMPARE(settlements(sql), QStringLiteral("1|A-1|2026-12-01\n2|A-2|2026-12-01\n3|A-3|2026-12-01\n"
                                                  "4|A-5|2026-12-01"));
        QCOMPARE(sql.all(QStringLiteral("SELECT order_id, state, settled_ms FROM checkout ORDER BY key")),
                 QStringLiteral("A-1|approved|1796093256271\nA-2|declined|1796093256380\nA-3|approved|1796093260027\n"
                                "A-4|unknown|\nA-5|approved|1796093270919\nA-6|unknown|"));
        QCOMPARE(sql.all(QStringLiteral("SELECT DISTINCT ledger_id FROM checkout")),
                 QStringLiteral("ldg_51d645800011b0968a0ab6ee"));
        const auto differences = journal->compareProjection();
        QVERIFY(differences.ok());
        QVERIFY2(differences->empty(), qPrintable(differences->empty() ? QString() : differences->front().column));
        QCOMPARE(journal->openKeys()->size(), 2U);

        // The copy that was kept is the old journal, whole.
        Sql copy(m_file + QLatin1String(".v1"));
        QCOMPARE(copy.run(QStringLiteral("PRAGMA user_version")).toInt(), 1);
        QVERIFY(copy.all(everyEvent()).startsWith(eventsBefore.section(QLatin1Char('\n'), 0, 2)));
        QCOMPARE(copy.run(QStringLiteral("SELECT count(*) FROM event")).toInt(),
                 sql.run(QStringLiteral("SELECT count(*) FROM event")).toInt());
        // And the next outcome gets the next number.
        const Story next =
            paidStory(1, QStringLiteral("A-7"), wall("2026-12-02T01:00:00Z"), wall("2026-12-02T01:00:01Z"));
        QVERIFY(!appendAll(*journal, next));
        QVERIFY(settlements(sql).endsWith(QLatin1String("\n5|A-7|2026-12-02")));
    }

    /// An old checkout that cannot be read must not keep the till from opening.
    void a_damaged_event_of_version_1_does_not_stop_the_migration()
    {
        QVERIFY(QFile::copy(QStringLiteral(IKKAI_JOURNAL_DATA "/journal-version-1.sqlite"), m_file));
        QVERIFY(QFile::setPermissions(m_file, QFile::ReadOwner | QFile::WriteOwner));
        {
            Sql sql(m_file);
            sql.run(QStringLiteral("DROP TRIGGER event_stays"));
            sql.run(QStringLiteral("UPDATE event SET type = 'Unheard' WHERE seq = 3 AND key = "
                                   "(SELECT key FROM checkout WHERE order_id = 'A-2')"));
        }
        const auto journal = opened(m_file, tokyo());
        QVERIFY(journal);
        Sql sql(m_file);
        QVERIFY(settlements(sql).contains(QLatin1String("2|A-2|2026-12-01")));
        const auto compared = journal->compareProjection();
        QVERIFY(!compared.ok());
        QVERIFY(compared.error().detail.contains(QLatin1String("event 3")));
    }

protected:
    void beforeEach() override
    {
        m_folder.emplace();
        m_file = m_folder->filePath(QStringLiteral("journal.db"));
    }
    void afterEach() override { m_folder.reset(); }

private:
    static QString everyEvent()
    {
        return QStringLiteral("SELECT key, seq, at_ms, type, data FROM event ORDER BY key, seq");
    }

    std::optional<QTemporaryDir> m_folder;
    QString m_file;
};

IKKAI_TEST_MAIN(TestSettlement)
#include "tst_settlement.moc"
