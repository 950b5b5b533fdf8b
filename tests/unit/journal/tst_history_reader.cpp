#include "core/journal/history_query.h"
#include "core/journal/history_reader.h"
#include "journal_bench.h"
#include "tests/support/big_journal.h"
#include "tests/support/test.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QFile>
#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QTemporaryDir>
#include <QtCore/QThread>
#include <QtTest/QSignalSpy>

#include <memory>

using namespace ikkai;
using namespace ikkai::test;

Q_DECLARE_METATYPE(ikkai::HistoryFilter)

namespace {

constexpr int manyCheckouts = 200'000;

BusinessCalendar tokyo()
{
    return {QTimeZone("Asia/Tokyo"), 300};
}

/// A reader on a thread of its own, and what it said.
class Desk {
public:
    explicit Desk(const QString &journal)
        : m_reader(new HistoryReader(journal, tokyo()))
    {
        m_reader->moveToThread(&m_thread);
        QObject::connect(&m_thread, &QThread::finished, m_reader, &QObject::deleteLater);
        QObject::connect(m_reader, &HistorySource::pageRead, &m_here,
                         [this](const HistoryPage &page) { pages << page; });
        QObject::connect(m_reader, &HistorySource::detailRead, &m_here,
                         [this](const HistoryDetail &detail) { details.push_back(detail); });
        QObject::connect(m_reader, &HistorySource::exported, &m_here,
                         [this](const QString &file, qint64 rows) { exports << qMakePair(file, rows); });
        QObject::connect(m_reader, &HistorySource::failed, &m_here, [this](const QString &what) { failures << what; });
        m_thread.start();
    }
    ~Desk()
    {
        m_thread.quit();
        m_thread.wait();
    }

    void ask(const HistoryRequest &request)
    {
        QMetaObject::invokeMethod(
            m_reader, [reader = m_reader, request] { reader->read(request); }, Qt::QueuedConnection);
    }
    void askDetail(const IdempotencyKey &key)
    {
        QMetaObject::invokeMethod(
            m_reader, [reader = m_reader, key] { reader->readDetail(key); }, Qt::QueuedConnection);
    }
    void askExport(const HistoryExport &wanted)
    {
        QMetaObject::invokeMethod(
            m_reader, [reader = m_reader, wanted] { reader->exportRows(wanted); }, Qt::QueuedConnection);
    }
    /// The page that answers, none where it failed.
    std::optional<HistoryPage> page(const HistoryRequest &request)
    {
        pages.clear();
        failures.clear();
        ask(request);
        (void)QTest::qWaitFor([this] { return !pages.isEmpty() || !failures.isEmpty(); }, 20'000);
        return pages.isEmpty() ? std::nullopt : std::optional(pages.first());
    }
    /// References of all pages after each other.
    QStringList everything(const HistoryFilter &filter, int limit)
    {
        QStringList keys;
        HistoryRequest request{1, filter, {}, limit, false};
        while (const auto read = page(request)) {
            for (const HistoryRow &row : read->rows)
                keys << row.key.text();
            if (read->isLast)
                return keys;
            if (read->rows.isEmpty())
                return {QStringLiteral("an empty page that is not the last")};
            request.after = read->rows.last().key;
        }
        return failures;
    }

    QList<HistoryPage> pages;
    std::vector<HistoryDetail> details;
    QList<QPair<QString, qint64>> exports;
    QStringList failures;

private:
    QObject m_here;
    QThread m_thread;
    HistoryReader *m_reader;
};

void addFilters()
{
    QTest::addColumn<HistoryFilter>("filter");
    QTest::addColumn<QString>("sql"); // the same said plainly
    const auto row = [](const char *name, const HistoryFilter &filter, const char *sql) {
        QTest::newRow(name) << filter << QString::fromLatin1(sql);
    };
    const QString approved = QStringLiteral("approved");
    const QString unknown = QStringLiteral("unknown");
    const QString notSent = QStringLiteral("not_sent");
    row("everything", {}, "1");
    row("one rare state", {{unknown}, {}, {}, {}}, "state = 'unknown'");
    row("rare states", {{unknown, notSent, QStringLiteral("voiding"), unknown}, {}, {}, {}},
        "state IN ('unknown', 'not_sent')");
    row("a state nothing is in", {{QStringLiteral("voiding")}, {}, {}, {}}, "0");
    row("the common state", {{approved}, {}, {}, {}}, "state = 'approved'");
    row("common and rare", {{approved, unknown}, {}, {}, {}}, "state IN ('approved', 'unknown')");
    row("an amount", {{}, {}, 1'234, {}}, "amount = 1234");
    row("an amount nobody paid", {{}, {}, 99, {}}, "amount = 99");
    row("an amount in a state", {{approved}, {}, 1'234, {}}, "amount = 1234 AND state = 'approved'");
    row("an amount in a rare state", {{unknown}, {}, 8'081, {}}, "amount = 8081 AND state = 'unknown'");
    row("part of many orders", {{}, QStringLiteral("7"), {}, {}}, "instr(order_id, '7') OR substr(key, -1) = '7'");
    row("part of a few orders", {{}, QStringLiteral("a-1998"), {}, {}}, "instr(order_id, 'A-1998')");
    row("no part of any", {{}, QStringLiteral("zebra"), {}, {}}, "0");
    row("an oldest order", {{}, QStringLiteral(" A-17 "), {}, {}}, "instr(order_id, 'A-17')");
    row("end of a reference", {{}, QStringLiteral("9F3"), {}, {}}, "substr(key, -3) = '9f3' OR instr(order_id, '9F3')");
    row("a percent sign is a percent sign", {{}, QStringLiteral("%"), {}, {}}, "0");
    row("an underscore is one", {{}, QStringLiteral("A_1"), {}, {}}, "0");
    row("a backslash is one", {{}, QStringLiteral("A\\"), {}, {}}, "0");
    row("a quote is one", {{}, QStringLiteral("' OR 1 --"), {}, {}}, "0");
    row("text in a state", {{QStringLiteral("declined")}, QStringLiteral("7"), {}, {}},
        "state = 'declined' AND (instr(order_id, '7') OR substr(key, -1) = '7')");
    row("text in a rare state", {{unknown}, QStringLiteral("19999"), {}, {}},
        "state = 'unknown' AND instr(order_id, '19999')");
    row("text and amount", {{}, QStringLiteral("77"), 8'081, {}},
        "amount = 8081 AND (instr(order_id, '77') OR substr(key, -2) = '77')");
    // 05:00 in Tokyo is 20:00 the day before in Greenwich.
    row("a day", {{}, {}, {}, QDate(2020, 9, 20)}, "created_ms >= 1600545600000 AND created_ms < 1600632000000");
    row("a day before all", {{}, {}, {}, QDate(2019, 1, 1)}, "0");
    row("all four", {{approved, QStringLiteral("declined")}, QStringLiteral("1"), 2'087, QDate(2020, 9, 20)},
        "created_ms >= 1600545600000 AND created_ms < 1600632000000 AND amount = 2087 AND state IN ('approved', "
        "'declined') AND (instr(order_id, '1') OR substr(key, -1) = '1')");
}

} // namespace

class TestHistoryReader : public ikkai::test::Test {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QElapsedTimer timer;
        timer.start();
        QCOMPARE(BigJournal::write(bigFile(), manyCheckouts), QString());
        std::printf("    %d checkouts written in %lld ms, %lld MiB\n", manyCheckouts, timer.elapsed(),
                    QFileInfo(bigFile()).size() / 1'048'576);
    }

    void pages_give_what_the_filter_asks_for_newest_first_data() { addFilters(); }
    void pages_give_what_the_filter_asks_for_newest_first()
    {
        QFETCH(HistoryFilter, filter);
        QFETCH(QString, sql);
        Sql database(bigFile());
        QStringList expected =
            database.all(QStringLiteral("SELECT key FROM checkout WHERE %1 ORDER BY key DESC").arg(sql))
                .split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        const qsizetype total = expected.size();
        Desk desk(bigFile());
        const auto counted = desk.page({7, filter, {}, 0, true});
        QVERIFY2(counted, qPrintable(desk.failures.join(QLatin1Char('\n'))));
        QCOMPARE(counted->id, 7);
        QCOMPARE(counted->total.value_or(-1), total);
        QVERIFY(counted->rows.isEmpty());
        if (total > 20'000) { // the first ones, and from the middle to the end
            const auto first = desk.page({1, filter, {}, 500, false});
            QVERIFY(first);
            for (qsizetype i = 0; i < 500; ++i)
                QCOMPARE(first->rows[i].key.text(), expected[i]);
            const auto later = desk.page({1, filter, IdempotencyKey::parse(expected[total / 2]).value(), 500, false});
            QCOMPARE(later->rows.size(), 500);
            QCOMPARE(later->rows.first().key.text(), expected[total / 2 + 1]);
            const auto last = desk.page({1, filter, IdempotencyKey::parse(expected[total - 11]).value(), 10, false});
            QCOMPARE(last->rows.size(), 10);
            QVERIFY(last->isLast);
            QCOMPARE(last->rows.last().key.text(), expected.last());
            return;
        }
        QCOMPARE(desk.everything(filter, 500), expected);
        if (total > 0 && total < 2'000)
            QCOMPARE(desk.everything(filter, 37), expected);
    }

    void case_40_every_page_comes_by_way_of_an_index_data() { addFilters(); }
    void case_40_every_page_comes_by_way_of_an_index()
    {
        QFETCH(HistoryFilter, filter);
        const HistoryQuery query(filter, tokyo());
        const HistoryQuery::Range range = HistoryQuery::everything();
        std::vector<HistoryStatement> statements = query.bounds(range, 20'000);
        statements.push_back(query.rows(range, 101));
        if (filter != HistoryFilter{})
            statements.push_back(query.count(range));
        if (const auto day = query.rangeOfDay())
            statements.push_back(*day);
        for (const HistoryStatement &statement : statements) {
            QVERIFY2(!statement.sql.contains(QLatin1String("OFFSET")), qPrintable(statement.sql));
            QString before;
            for (const QString &line : planOf(statement)) {
                const bool readsTable = line.contains(QRegularExpression(QStringLiteral("^(SCAN|SEARCH) [scr]\\b")));
                QVERIFY2(!readsTable || line.startsWith(QLatin1String("SEARCH")), qPrintable(line + statement.sql));
                // Only what a LIMIT has cut to a page is sorted, never what is walked.
                const bool sortsWalk = line.contains(QLatin1String("TEMP B-TREE")) &&
                                       before.contains(QRegularExpression(QStringLiteral("^SEARCH [sc]\\b")));
                QVERIFY2(!sortsWalk, qPrintable(planOf(statement).join(QLatin1Char('\n')) + statement.sql));
                before = line;
            }
        }
    }

    void a_page_says_whether_more_follow()
    {
        Desk desk(bigFile());
        const auto page = desk.page({3, {}, {}, 100, false});
        QCOMPARE(page->rows.size(), 100);
        QVERIFY(!page->isLast);
        QVERIFY(!page->total);
        QCOMPARE(page->rows.first().order.text(), QStringLiteral("A-%1").arg(manyCheckouts - 1));
        const auto end = desk.page({4, {}, IdempotencyKey::parse(BigJournal::keyOf(100)).value(), 100, false});
        QCOMPARE(end->rows.size(), 100);
        QVERIFY(end->isLast);
        const auto nothing = desk.page({5, {}, IdempotencyKey::parse(BigJournal::keyOf(0)).value(), 100, false});
        QVERIFY(nothing->rows.isEmpty());
        QVERIFY(nothing->isLast);
        QCOMPARE(desk.page({6, {}, {}, 100'000, false})->rows.size(), 500); // nobody gets the whole journal at once
        QCOMPARE(desk.page({6, {}, {}, -3, true})->total.value_or(0), manyCheckouts);
    }

    void case_43_each_row_says_honestly_how_it_stands()
    {
        const auto journal = opened(m_file);
        QVERIFY(!appendAll(*journal, answerLostStory(1)));
        const Story open = answerLostStory(2, u"A-2");
        QVERIFY(journal->append(1, open.events[0], open.after[0]).ok());
        Desk desk(m_file);
        const auto page = desk.page({1, {}, {}, 100, true});
        QCOMPARE(page->rows.size(), 2);
        QCOMPARE(page->total.value_or(0), 2);
        QVERIFY(page->isLast);
        const HistoryRow &sending = page->rows[0];
        QCOMPARE(sending.state, QStringLiteral("sending"));
        QCOMPARE(sending.settledBy, QString());
        QVERIFY(!sending.settledWallMs);
        const HistoryRow &paid = page->rows[1];
        QCOMPARE(paid.key, keyNumber(1));
        QCOMPARE(paid.order.text(), QStringLiteral("A-1001"));
        QCOMPARE(paid.money, Money::ofMinor(1'200, Currency::jpy()).value());
        QCOMPARE(paid.state, QStringLiteral("approved"));
        QCOMPARE(paid.settledBy, QStringLiteral("replay"));
        QCOMPARE(paid.attempts, 2);
        QCOMPARE(paid.wireSends, 2);
        QCOMPARE(paid.settledWallMs.value_or(0), stamp(3'450).wallMs);
        QCOMPARE(paid.terminalId, QStringLiteral("till-1"));

        // The row that was open is settled; the next look shows it.
        QVERIFY(journal->append(2, open.events[1], open.after[1]).ok());
        QCOMPARE(desk.page({2, {}, {}, 1, false})->rows[0].state, QStringLiteral("waiting"));
    }

    void the_detail_is_every_event_and_what_they_lead_to()
    {
        const auto journal = opened(m_file);
        const Story story = answerLostStory(1);
        QVERIFY(!appendAll(*journal, story));
        event::CheckoutStarted second = started(9, u"A-1001");
        second.replaces = keyNumber(1);
        QVERIFY(journal->append(1, {stamp(9), second}, begin(second, stamp(9)).after).ok());
        Desk desk(m_file);
        desk.askDetail(keyNumber(1));
        desk.askDetail(keyNumber(9));
        QTRY_COMPARE(desk.details.size(), 2U);
        QVERIFY(desk.details[0].checkout == story.after.back());
        QVERIFY(desk.details[0].events == QList<Event>(story.events.begin(), story.events.end()));
        QVERIFY(desk.details[0].replacedBy == keyNumber(9));
        QVERIFY(desk.details[1].checkout.replaces == keyNumber(1));
        QVERIFY(!desk.details[1].replacedBy);
        desk.askDetail(keyNumber(5));
        QTRY_COMPARE(desk.failures.size(), 1);
        QVERIFY2(desk.failures[0].contains(m_file) && desk.failures[0].contains(keyNumber(5).text()),
                 qPrintable(desk.failures[0]));
    }

    /// Each letter typed is a new filter; what was typed before interests nobody any more.
    void typing_in_the_search_field_piles_up_no_work()
    {
        Desk desk(bigFile());
        QVERIFY(desk.page({1, {}, {}, 1, false}));
        desk.pages.clear();
        for (int n = 0; n < 200; ++n) {
            HistoryRequest request{100 + n, {}, {}, 100, true};
            request.filter.text = QStringLiteral("zebra %1").arg(n); // found nowhere: the whole journal is read
            desk.ask(request);
        }
        QTRY_VERIFY_WITH_TIMEOUT(!desk.pages.isEmpty() && desk.pages.last().id == 299, 20'000);
        QVERIFY2(desk.pages.size() < 20, qPrintable(QString::number(desk.pages.size())));
        QVERIFY(desk.failures.isEmpty());
    }

    void pages_of_one_filter_are_all_answered_in_order()
    {
        Desk desk(bigFile());
        for (int n = 0; n < 20; ++n)
            desk.ask({n, {}, {}, 100, n == 0});
        QTRY_COMPARE(desk.pages.size(), 20);
        for (int n = 0; n < 20; ++n)
            QCOMPARE(desk.pages[n].id, n);
    }

    void a_reader_holds_up_neither_the_writer_nor_the_log()
    {
        const auto journal = opened(m_file);
        QVERIFY(!appendAll(*journal, answerLostStory(1)));
        Desk desk(m_file);
        QVERIFY(desk.page({1, {}, {}, 100, true}));
        desk.askDetail(keyNumber(1));
        QTRY_COMPARE(desk.details.size(), 1U);
        QVERIFY(!appendAll(*journal, answerLostStory(2)));
        // A log that somebody still reads cannot be emptied: busy would be 1.
        Sql sql(m_file);
        QCOMPARE(sql.run(QStringLiteral("PRAGMA wal_checkpoint(TRUNCATE)")).toInt(), 0);
        QCOMPARE(QFileInfo(m_file + QLatin1String("-wal")).size(), 0);
    }

    void a_journal_that_cannot_be_read_is_named_and_tried_again()
    {
        Desk desk(m_file);
        QVERIFY(!desk.page({1, {}, {}, 100, false}));
        QVERIFY2(desk.failures[0].contains(m_file), qPrintable(desk.failures[0]));
        desk.askDetail(keyNumber(1));
        QTRY_COMPARE(desk.failures.size(), 2);
        const auto journal = opened(m_file);
        QVERIFY(!appendAll(*journal, answerLostStory(1)));
        QCOMPARE(desk.page({2, {}, {}, 100, false})->rows.size(), 1);
    }

    void a_row_that_cannot_be_read_is_named()
    {
        const auto journal = opened(m_file);
        QVERIFY(!appendAll(*journal, answerLostStory(1)));
        Sql(m_file).run(QStringLiteral("UPDATE checkout SET currency = 'xyz'"));
        Desk desk(m_file);
        QVERIFY(!desk.page({1, {}, {}, 100, false}));
        QVERIFY2(desk.failures[0].contains(keyNumber(1).text()), qPrintable(desk.failures[0]));
    }

    void an_export_is_the_whole_filter_in_a_form_that_programs_read()
    {
        Desk desk(bigFile());
        HistoryFilter filter;
        filter.states = {QStringLiteral("unknown")};
        const QString file = m_folder->filePath(QStringLiteral("history.json"));
        desk.askExport({filter, ExportFormat::Json, file});
        QTRY_COMPARE_WITH_TIMEOUT(desk.exports.size(), 1, 20'000);
        QCOMPARE(desk.exports[0].first, file);
        QCOMPARE(desk.exports[0].second, manyCheckouts / 1'000);
        QFile written(file);
        QVERIFY(written.open(QIODevice::ReadOnly));
        QJsonParseError error;
        const QJsonArray rows = QJsonDocument::fromJson(written.readAll(), &error).array();
        QCOMPARE(error.error, QJsonParseError::NoError);
        QCOMPARE(rows.size(), manyCheckouts / 1'000);
        const QJsonObject last = rows.last().toObject();
        QCOMPARE(last[QLatin1String("order_id")].toString(), QStringLiteral("A-999"));
        QCOMPARE(last[QLatin1String("reference")].toString(), BigJournal::keyOf(999));
        QCOMPARE(last[QLatin1String("amount_minor")].toInteger(), 100 + 999 * 7'919 % 9'900);
        QCOMPARE(last[QLatin1String("started_at")].toString(), QStringLiteral("2020-09-14T14:05:40.000+09:00"));
        QVERIFY(last[QLatin1String("settled_at")].isNull());
    }

    void an_empty_export_is_valid_too()
    {
        opened(m_file).reset();
        Desk desk(m_file);
        const QString json = m_folder->filePath(QStringLiteral("history.json"));
        const QString csv = m_folder->filePath(QStringLiteral("history.csv"));
        desk.askExport({{}, ExportFormat::Json, json});
        desk.askExport({{}, ExportFormat::Csv, csv});
        QTRY_COMPARE(desk.exports.size(), 2);
        QVERIFY(QJsonDocument::fromJson(bytesOf(json)).isArray());
        QCOMPARE(bytesOf(csv).count('\n'), 1);
        QVERIFY(bytesOf(csv).startsWith("\xEF\xBB\xBF\"reference\",\"order_id\""));
    }

    void a_spreadsheet_finds_no_formula_in_an_export()
    {
        const auto journal = opened(m_file);
        int n = 0;
        for (const auto *order : {u"=1+1", u"+1", u"-1", u"@SUM(A1)", u"a,b", u"say \"yes\"", u"注文 7"})
            QVERIFY(!appendAll(*journal, answerLostStory(++n, QStringView(order))));
        Desk desk(m_file);
        const QString file = m_folder->filePath(QStringLiteral("history.csv"));
        desk.askExport({{}, ExportFormat::Csv, file});
        QTRY_COMPARE(desk.exports.size(), 1);
        const QList<QByteArray> lines = bytesOf(file).split('\n');
        QCOMPARE(lines.size(), 1 + 7 + 1);
        QVERIFY(lines.last().isEmpty());
        const QByteArrayList orders{
            "\"注文 7\"", "\"say \"\"yes\"\"\"", "\"a,b\"", "\"'@SUM(A1)\"", "\"'-1\"", "\"'+1\"", "\"'=1+1\""};
        for (int i = 0; i < 7; ++i) {
            const QByteArray line = lines[i + 1];
            QVERIFY(line.endsWith('\r'));
            QVERIFY2(line.contains("," + orders[i] + ",1200,\"1200\",\"JPY\","), line.constData());
        }
    }

    void an_export_that_cannot_be_written_says_so_and_leaves_nothing_data()
    {
        QTest::addColumn<QString>("file");
        QTest::newRow("no such folder") << QStringLiteral("nowhere/history.csv");
        QTest::newRow("a folder") << QStringLiteral(".");
        QTest::newRow("the journal") << QStringLiteral("journal.db");
        QTest::newRow("the journal's log") << QStringLiteral("./journal.db-wal");
        QTest::newRow("the journal by a link") << QStringLiteral("link.db");
        QTest::newRow("the journal's lock") << QStringLiteral("journal.db.lock");
    }
    void an_export_that_cannot_be_written_says_so_and_leaves_nothing()
    {
        QFETCH(QString, file);
        const auto journal = opened(m_file);
        QVERIFY(!appendAll(*journal, answerLostStory(1)));
        QVERIFY(QFile::link(m_file, m_folder->filePath(QStringLiteral("link.db"))));
        const QStringList before = QDir(m_folder->path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot);
        const QString name = m_folder->filePath(file);
        Desk desk(m_file);
        desk.askExport({{}, ExportFormat::Csv, name});
        QTRY_COMPARE(desk.failures.size(), 1);
        QVERIFY2(desk.failures[0].contains(name), qPrintable(desk.failures[0]));
        QVERIFY(desk.exports.isEmpty());
        QCOMPARE(QDir(m_folder->path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot), before);
        QCOMPARE(journal->events(keyNumber(1))->size(), 4U);
        // And the next one works.
        desk.askExport({{}, ExportFormat::Csv, m_folder->filePath(QStringLiteral("fine.csv"))});
        QTRY_COMPARE(desk.exports.size(), 1);
    }

    void a_page_is_read_while_an_export_is_under_way()
    {
        Desk desk(bigFile());
        desk.askExport({{}, ExportFormat::Csv, m_folder->filePath(QStringLiteral("all.csv"))});
        desk.ask({1, {}, {}, 100, false});
        QTRY_COMPARE(desk.pages.size(), 1);
        QVERIFY(desk.exports.isEmpty());
    }

    void the_program_may_end_in_the_middle_of_an_export()
    {
        const QString file = m_folder->filePath(QStringLiteral("all.csv"));
        {
            Desk desk(bigFile());
            desk.askExport({{}, ExportFormat::Csv, file});
            desk.ask({1, {}, {}, 1, false});
            QTRY_COMPARE(desk.pages.size(), 1);
        }
        QVERIFY(QDir(m_folder->path()).isEmpty());
    }

protected:
    void beforeEach() override
    {
        m_folder.emplace();
        m_file = m_folder->filePath(QStringLiteral("journal.db"));
    }
    void afterEach() override { m_folder.reset(); }

private:
    [[nodiscard]] QString bigFile() const { return m_big.filePath(QStringLiteral("big.db")); }
    static QByteArray bytesOf(const QString &file)
    {
        QFile read(file);
        return read.open(QIODevice::ReadOnly) ? read.readAll() : QByteArray();
    }
    [[nodiscard]] QStringList planOf(const HistoryStatement &statement) const
    {
        Sql sql(bigFile());
        QSqlQuery query(sql.database());
        QStringList lines;
        if (!query.prepare(QStringLiteral("EXPLAIN QUERY PLAN ") + statement.sql))
            return {QStringLiteral("SCAN s: ") + query.lastError().text()};
        for (const QVariant &value : statement.values)
            query.addBindValue(value);
        query.exec();
        while (query.next())
            lines << query.value(3).toString();
        return lines;
    }

    QTemporaryDir m_big;
    std::optional<QTemporaryDir> m_folder;
    QString m_file;
};

IKKAI_TEST_MAIN(TestHistoryReader)
#include "tst_history_reader.moc"
