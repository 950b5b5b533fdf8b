#include "mock-server/control/har.h"
#include "mock-server/control/request_journal.h"
#include "tests/support/test.h"

#include <QtCore/QDir>
#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>

#include <memory>

using namespace mockbank;

namespace {

/// The network side of a journal, without a network.
class Wire {
public:
    explicit Wire(RequestJournal &journal)
        : m_journal(journal)
    {
    }

    std::unique_ptr<Exchange> arrive(const QByteArray &key, int attempt = 1, const QByteArray &body = "{}",
                                     Headers more = {})
    {
        Request request;
        request.method = "POST";
        request.path = "/v1/charges";
        request.headers = {{"Host", "127.0.0.1:1"}, {"Idempotency-Key", key}};
        if (attempt > 0)
            request.headers.emplaceBack("Attempt-Number", QByteArray::number(attempt));
        request.headers += more;
        auto exchange = std::make_unique<Exchange>(nullptr, request, ++m_last);
        exchange->arrivalId = m_last;
        m_journal.headRead(*exchange, "charge");
        exchange->request.body = body;
        m_journal.requestRead(*exchange);
        return exchange;
    }
    void answer(Exchange &exchange, const QByteArray &bytes = "HTTP/1.1 201 Created\r\nA: b\r\n\r\n{}")
    {
        m_journal.writing(exchange, bytes);
        m_journal.ended(exchange, ExchangeEnd::Answered);
        m_journal.delivered(exchange.arrivalId, "charge");
    }

private:
    RequestJournal &m_journal;
    quint64 m_last = 0;
};

JournalFilter onlyKey(const QByteArray &key)
{
    JournalFilter filter;
    filter.key = key;
    return filter;
}

/// Everything that is kept, page by page.
QList<JournalRecord> all(RequestJournal &journal, const JournalFilter &filter = {})
{
    QList<JournalRecord> records;
    for (std::optional<quint64> after = 0; after;) {
        const RequestJournal::Page page = journal.page(filter, *after, 7);
        records += page.records;
        after = page.next;
    }
    return records;
}

} // namespace

class RequestJournalTest : public ikkai::test::Test {
    Q_OBJECT

private Q_SLOTS:
    void a_record_is_there_before_its_answer_leaves()
    {
        RequestJournal journal;
        Wire wire(journal);
        const auto exchange = wire.arrive("k", 1, "{\"order_id\":\"A-1\"}");
        QCOMPARE(exchange->witness, &journal);
        JournalRecord record = *journal.find(1);
        QCOMPARE(record.key, "k");
        QCOMPARE(record.attempt, 1);
        QCOMPARE(record.body, "{\"order_id\":\"A-1\"}");
        QVERIFY(record.complete);
        QCOMPARE(record.end, JournalEnd::Open);
        QCOMPARE(record.status, 0);

        journal.writing(*exchange, "HTTP/1.1 201 Created\r\n\r\n{}");
        record = *journal.find(1);
        QCOMPARE(record.status, 201);
        QCOMPARE(record.bytesWritten, 26);
        QCOMPARE(record.end, JournalEnd::Open);
        journal.ended(*exchange, ExchangeEnd::Answered);
        QVERIFY(!journal.find(1)->delivered); // written is not delivered
        journal.delivered(1, "charge");
        QVERIFY(journal.find(1)->delivered);
    }

    void what_is_secret_is_never_in_it()
    {
        RequestJournal journal;
        Wire wire(journal);
        wire.arrive("k", 1, "{}",
                    {{"authorization", "Bearer s3cret"}, {"Control-Token", "s3cret"}, {"COOKIE", "id=s3cret"}});
        const JournalRecord record = *journal.find(1);
        QCOMPARE(record.headers.size(), 6);
        QVERIFY(!pack(record).contains("s3cret"));
        QVERIFY(!QJsonDocument(toHar({record}, {})).toJson().contains("s3cret"));
        QVERIFY(!QJsonDocument(toJson(record, {})).toJson().contains("s3cret"));
    }

    void the_same_attempt_again_is_counted_and_linked()
    {
        RequestJournal journal;
        Wire wire(journal);
        wire.arrive("k", 1);
        wire.arrive("k", 2);
        wire.arrive("k", 1);
        wire.arrive("k", 1);
        wire.arrive("k", 0); // an attempt of its own
        wire.arrive("k", 1, "{}", {{"Authorization", "Bearer another merchant"}});
        const JournalRecord again = *journal.find(4);
        QCOMPARE(again.firstOfSame, 1u);
        QCOMPARE(again.nthOfSame, 3);
        QCOMPARE(journal.sameAttempt(*journal.find(1)).seen, 3);
        QCOMPARE(journal.sameAttempt(*journal.find(1)).last, 4u);
        for (const quint64 alone : {2u, 5u, 6u}) {
            QCOMPARE(journal.find(alone)->firstOfSame, alone);
            QCOMPARE(journal.sameAttempt(*journal.find(alone)).seen, 1);
        }
        QCOMPARE(journal.counted().resends, 2u);
    }

    void what_was_cut_says_how()
    {
        RequestJournal journal;
        Wire wire(journal);
        const auto rst = wire.arrive("a");
        journal.writing(*rst, "HTTP/1.1 20"); // cut inside its status line
        journal.ended(*rst, ExchangeEnd::Rst);
        const auto gone = wire.arrive("b");
        journal.ended(*gone, ExchangeEnd::ClientGone);
        journal.bankDid({"committed", 2, {}});
        QCOMPARE(journal.find(1)->end, JournalEnd::Rst);
        QCOMPARE(journal.find(1)->status, 0);
        QCOMPARE(journal.find(1)->bytesWritten, 11);
        const QJsonObject json = toJson(*journal.find(1), {});
        QCOMPARE(json.value(QStringLiteral("answer")).toObject().value(QStringLiteral("raw")).toString(),
                 QStringLiteral("HTTP/1.1 20"));
        // Left early, and the money moved all the same: case 55.
        QCOMPARE(journal.find(2)->end, JournalEnd::ClientGone);
        QVERIFY(journal.find(2)->committed);
        QVERIFY(toJson(*journal.find(2), {}).value(QStringLiteral("answer")).isNull());
    }

    void case_53_a_hundred_thousand_requests_stay_within_bounds()
    {
        constexpr int requests = 100'000;
        const JournalLimits limits{200, 256 * 1024, 2 * 1024 * 1024};
        RequestJournal journal(limits);
        Wire wire(journal);
        qint64 mostDisk = 0;
        qint64 mostMemory = 0;
        for (int i = 1; i <= requests; ++i) {
            wire.answer(*wire.arrive("k" + QByteArray::number(i), 1 + i % 3, QByteArray(i % 700, 'x')));
            const RequestJournal::Bounds bounds = journal.bounds();
            mostDisk = std::max(mostDisk, bounds.diskBytes);
            mostMemory = std::max(mostMemory, bounds.memoryBytes);
            QVERIFY(bounds.inMemory <= limits.memoryRecords);
        }
        QVERIFY2(mostDisk > limits.diskBytes / 2 && mostDisk <= limits.diskBytes,
                 qPrintable(QString::number(mostDisk)));
        // What the newest one weighs comes on top until the next arrives.
        QVERIFY(mostMemory <= limits.memoryBytes + 4096);

        // Nothing is lost without being counted, and what is kept is the newest without a hole.
        const RequestJournal::Bounds bounds = journal.bounds();
        QCOMPARE(bounds.newest, static_cast<quint64>(requests));
        QCOMPARE(static_cast<qsizetype>(bounds.dropped) + bounds.inMemory + bounds.onDisk, requests);
        QVERIFY(bounds.onDisk > 1000);
        const QList<JournalRecord> kept = all(journal);
        QCOMPARE(kept.size(), bounds.inMemory + bounds.onDisk);
        quint64 n = bounds.oldest;
        for (const JournalRecord &record : kept) {
            QCOMPARE(record.n, n);
            QCOMPARE(record.key, "k" + QByteArray::number(n));
            QCOMPARE(record.body.size(), static_cast<qsizetype>(n % 700));
            QCOMPARE(record.status, 201);
            QVERIFY(record.delivered);
            ++n;
        }
        QVERIFY(!journal.find(bounds.oldest - 1));
        QCOMPARE(all(journal, onlyKey("k" + QByteArray::number(bounds.oldest + 5))).size(), 1);
    }

    void a_record_on_disk_still_learns_how_it_ended()
    {
        RequestJournal journal({10, 1024 * 1024, 1024 * 1024});
        Wire wire(journal);
        const auto held = wire.arrive("held");
        for (int i = 0; i < 200; ++i)
            wire.answer(*wire.arrive("k"));
        QVERIFY(journal.bounds().onDisk > 100);
        journal.bankDid({"committed", 1, {}});
        journal.writing(*held, "HTTP/1.1 201 Created\r\n\r\n");
        journal.ended(*held, ExchangeEnd::Answered);
        const JournalRecord record = *journal.find(1);
        QVERIFY(record.committed);
        QCOMPARE(record.status, 201);
        QCOMPARE(record.end, JournalEnd::Answered);
        QCOMPARE(all(journal).first().n, 1u);
        QCOMPARE(all(journal).size(), 201);
    }

    void without_a_disk_the_newest_stay_in_memory()
    {
        RequestJournal journal({10, 1024 * 1024, 0});
        Wire wire(journal);
        for (int i = 0; i < 500; ++i)
            wire.answer(*wire.arrive("k"));
        QCOMPARE(journal.bounds().onDisk, 0);
        QCOMPARE(journal.bounds().diskBytes, 0);
        QCOMPARE(static_cast<qsizetype>(journal.bounds().dropped) + journal.bounds().inMemory, 500);
        QVERIFY(journal.find(500));
        QVERIFY(!journal.find(1));
    }

    void large_bodies_are_kept_in_part_and_counted_whole()
    {
        RequestJournal journal;
        Wire wire(journal);
        const auto exchange = wire.arrive("k");
        for (int i = 0; i < 40; ++i)
            journal.writing(*exchange, QByteArray(10'000, 'y'));
        const JournalRecord record = *journal.find(1);
        QCOMPARE(record.bytesWritten, 400'000);
        QCOMPARE(record.sent.size(), JournalRecord::keptBytes);
    }

    void a_cleared_journal_is_empty_and_goes_on_counting()
    {
        RequestJournal journal({4, 1024 * 1024, 1024 * 1024});
        Wire wire(journal);
        std::unique_ptr<Exchange> last;
        for (int i = 0; i < 50; ++i)
            last = wire.arrive("k");
        journal.clear();
        QCOMPARE(all(journal).size(), 0);
        QCOMPARE(journal.bounds().inMemory + journal.bounds().onDisk, 0);
        wire.answer(*last); // of an arrival that nobody remembers
        QCOMPARE(all(journal).size(), 0);
        wire.arrive("k");
        QCOMPARE(all(journal).size(), 1);
        QCOMPARE(all(journal).first().n, 51u);
        QCOMPARE(all(journal).first().nthOfSame, 1);
    }

    void the_file_leaves_no_trace_behind()
    {
        const QDir temp(QDir::tempPath());
        const QStringList before = temp.entryList(QDir::Files | QDir::Hidden);
        {
            RequestJournal journal({1, 1024 * 1024, 1024 * 1024});
            Wire wire(journal);
            for (int i = 0; i < 300; ++i)
                wire.answer(*wire.arrive("k"));
            QVERIFY(journal.bounds().onDisk > 0);
        }
        QStringList after = temp.entryList(QDir::Files | QDir::Hidden);
        after.removeIf([&](const QString &name) {
            return before.contains(name) || !name.contains(QCoreApplication::applicationName());
        });
        QCOMPARE(after, QStringList());
    }
};

IKKAI_TEST_MAIN(RequestJournalTest)
#include "tst_request_journal.moc"
