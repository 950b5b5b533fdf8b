#include "core/checkout/checkout_service.h"
#include "core/checkout/recovery.h"
#include "core/journal/journal_lock.h"
#include "core/journal/migrations.h"
#include "journal_bench.h"
#include "tests/support/faulty_disk.h"
#include "tests/support/test.h"
#include "tests/support/virtual_bench.h"

#include <QtCore/QFile>
#include <QtCore/QFileInfo>
#include <QtCore/QTemporaryDir>

#include <optional>

using namespace ikkai;
using namespace ikkai::test;
using Kind = JournalError::Kind;

namespace {

/// A terminal on a real journal; its bank is played.
struct Till {
    VirtualTime time;
    CountingRandom random;
    PlayedGateway gateway;
    CheckoutService service;
    std::vector<Checkout> shown;
    bool isRecorded = true;
    std::vector<StartRejection> rejected;
    std::vector<JournalError> errors;

    explicit Till(Journal &journal)
        : service(journal, gateway, time, random, time, {})
    {
        QObject::connect(&service, &CheckoutService::checkoutChanged, &service,
                         [this](const Checkout &checkout, bool recorded) {
                             shown.push_back(checkout);
                             isRecorded = recorded;
                         });
        QObject::connect(&service, &CheckoutService::startRejected, &service,
                         [this](const StartRejection &rejection) { rejected.push_back(rejection); });
        QObject::connect(&service, &CheckoutService::journalFailed, &service,
                         [this](const JournalError &error) { errors.push_back(error); });
        service.recover();
        gateway.tellBank();
    }
    [[nodiscard]] QString outcome() const { return outcomeWord(shown.back().state); }
};

struct Fault {
    DiskCall call;
    DiskFault fault;
    Kind kind;
};

} // namespace

Q_DECLARE_METATYPE(Fault)

class TestJournalFaults : public ikkai::test::Test {
    Q_OBJECT

private Q_SLOTS:
    void what_cannot_be_recorded_is_not_charged_data() { addFaults(); }
    void what_cannot_be_recorded_is_not_charged()
    {
        QFETCH(Fault, fault);
        FaultyDisk disk;
        const auto journal = opened(m_file);
        Till till(*journal);
        disk.failFrom(1, fault.call, fault.fault);
        till.service.start(Engine::sale("A-1"));
        QVERIFY(disk.failures() > 0);
        QCOMPARE(till.gateway.charges.size(), 0U);
        QCOMPARE(till.rejected.size(), 1U);
        QCOMPARE(till.rejected[0].why, StartRejection::Why::CannotRecord);
        QVERIFY2(till.rejected[0].detail.contains(m_file), qPrintable(till.rejected[0].detail));
        QCOMPARE(till.errors.size(), 1U);
        QVERIFY2(till.errors[0].kind == fault.kind, qPrintable(describe(till.errors[0])));
        QCOMPARE(till.errors[0].file, m_file);

        // The disk is well again: so is the till, and what was refused left no trace.
        disk.heal();
        till.service.start(Engine::sale("A-2"));
        QCOMPARE(till.gateway.charges.size(), 1U);
        till.gateway.answer(201, "approved");
        QCOMPARE(till.outcome(), QStringLiteral("approved"));
        QVERIFY(journal->keysOfOrder(OrderId::parse(u"A-1").value())->empty());
        QVERIFY(isSound(*verifyJournal(m_file)));
    }

    void an_answer_that_comes_while_the_disk_is_ill_is_kept_and_recorded_later_data() { addFaults(); }
    void an_answer_that_comes_while_the_disk_is_ill_is_kept_and_recorded_later()
    {
        QFETCH(Fault, fault);
        FaultyDisk disk;
        IdempotencyKey key = keyNumber(1);
        {
            const auto journal = opened(m_file);
            Till till(*journal);
            till.service.start(Engine::sale("A-1"));
            QCOMPARE(till.gateway.charges.size(), 1U);
            key = till.gateway.charges[0].attempt.key;
            disk.failFrom(1, fault.call, fault.fault);
            till.gateway.answer(201, "approved");
            QCOMPARE(till.outcome(), QStringLiteral("approved"));
            QVERIFY(!till.isRecorded);
            till.time.advance(30'000);
            QVERIFY(!till.isRecorded);
            // Meanwhile another customer cannot be charged, and is not.
            till.service.start(Engine::sale("A-2"));
            QCOMPARE(till.gateway.charges.size(), 1U);
            QCOMPARE(till.rejected.back().why, StartRejection::Why::CannotRecord);
            disk.heal();
            till.time.advance(1'500);
            QVERIFY(till.isRecorded);
        }
        const auto again = opened(m_file);
        QCOMPARE(outcomeWord(fold(again->events(key).value())->state), QStringLiteral("approved"));
        QVERIFY(isSound(*verifyJournal(m_file)));
        Sql sql(m_file);
        QCOMPARE(settlements(sql).count(QLatin1Char('|')), 2); // one row: counted once, though tried often
    }

    /// A try that is not in the journal must not leave the till, however often its time comes.
    void a_second_try_that_cannot_be_recorded_is_not_transmitted()
    {
        FaultyDisk disk;
        const auto journal = opened(m_file);
        Till till(*journal);
        till.service.start(Engine::sale("A-1"));
        till.gateway.stayAway(Transmission::End::ConnectionLost, 1);
        disk.failFrom(1, DiskCall::Write, DiskFault::Full);
        till.time.advance(10'000);
        QCOMPARE(till.gateway.charges.size(), 1U);
        disk.heal();
        till.time.advance(2'000);
        QCOMPARE(till.gateway.charges.size(), 2U);
        QVERIFY(till.gateway.charges[0].attempt.key == till.gateway.charges[1].attempt.key);
    }

    /// The disk fails at any one write or sync of an append, once; then the power goes. Whatever is found afterwards is
    /// whole, and the same append once more succeeds.
    void a_disk_that_fails_at_any_moment_of_an_append_leaves_a_whole_journal_data()
    {
        QTest::addColumn<int>("fault");
        QTest::newRow("full") << int(DiskFault::Full);
        QTest::newRow("input/output error") << int(DiskFault::InputOutput);
    }
    void a_disk_that_fails_at_any_moment_of_an_append_leaves_a_whole_journal()
    {
        QFETCH(int, fault);
        const Story story = answerLostStory();
        int moments = 0;
        for (int nth = 1;; ++nth) {
            FaultyDisk disk;
            const QString file = m_folder->filePath(QStringLiteral("moment-%1.db").arg(nth));
            auto journal = opened(file);
            for (size_t i = 0; i < 3; ++i)
                QVERIFY(journal->append(int(i) + 1, story.events[i], story.after[i]).ok());
            disk.failOnce(nth, DiskFault(fault));
            const auto done = journal->append(4, story.events[3], story.after[3]);
            if (disk.failures() == 0)
                break; // an append has no more moments
            ++moments;
            disk.heal();
            QVERIFY(!done.ok());
            QCOMPARE(done.error().file, file);
            QVERIFY2(done.error().kind == (DiskFault(fault) == DiskFault::Full ? Kind::DiskFull : Kind::InputOutput),
                     qPrintable(describe(done.error())));
            // The power goes: what stands on the disk now is all there is.
            const QString after = m_folder->filePath(QStringLiteral("after-%1.db").arg(nth));
            QVERIFY(QFile::copy(file, after));
            QVERIFY(QFile::copy(file + QLatin1String("-wal"), after + QLatin1String("-wal")));
            const auto found = opened(after);
            QVERIFY(found);
            const auto events = found->events(keyNumber(1));
            QVERIFY(events.ok());
            QVERIFY(events->size() == 3 || events->size() == 4);
            QVERIFY(found->compareProjection()->empty());
            QVERIFY(found->append(4, story.events[3], story.after[3]).ok());
            QVERIFY(isSound(*verifyJournal(after)));
            // And without a power cut the program itself goes on.
            QVERIFY(journal->append(4, story.events[3], story.after[3]).ok());
            QVERIFY(isSound(*verifyJournal(file)));
        }
        QVERIFY2(moments >= 3, qPrintable(QString::number(moments)));
    }

    void a_journal_on_an_ill_disk_is_not_opened_data() { addFaults(); }
    void a_journal_on_an_ill_disk_is_not_opened()
    {
        QFETCH(Fault, fault);
        FaultyDisk disk;
        disk.failFrom(1, fault.call, fault.fault);
        const auto journal = SqliteJournal::open(m_file);
        QVERIFY(!journal.ok());
        QVERIFY2(journal.error().kind == fault.kind, qPrintable(describe(journal.error())));
        QCOMPARE(journal.error().file, m_file);
        disk.heal();
        QVERIFY(opened(m_file));
        QVERIFY(isSound(*verifyJournal(m_file)));
    }

    void a_journal_that_cannot_be_read_is_not_opened()
    {
        FaultyDisk disk;
        QVERIFY(!appendAll(*opened(m_file), answerLostStory()));
        disk.failFrom(1, DiskCall::Read, DiskFault::InputOutput);
        for (const auto access : {JournalAccess::Write, JournalAccess::ReadOnly}) {
            const auto journal = SqliteJournal::open(m_file, access);
            QVERIFY(!journal.ok());
            QVERIFY2(journal.error().kind == Kind::InputOutput, qPrintable(describe(journal.error())));
        }
        disk.heal();
        QCOMPARE(opened(m_file)->events(keyNumber(1))->size(), 4U);
    }

    void a_disk_that_is_full_during_the_copy_leaves_the_old_journal_untouched_data()
    {
        QTest::addColumn<int>("call");
        QTest::newRow("while the copy is written") << int(DiskCall::Write);
        QTest::newRow("when the copy is to last") << int(DiskCall::Sync);
    }
    void a_disk_that_is_full_during_the_copy_leaves_the_old_journal_untouched()
    {
        QFETCH(int, call);
        FaultyDisk disk;
        QVERIFY(QFile::copy(QStringLiteral(IKKAI_JOURNAL_DATA "/journal-version-1.sqlite"), m_file));
        QVERIFY(QFile::setPermissions(m_file, QFile::ReadOwner | QFile::WriteOwner));
        const QByteArray before = bytesOf(m_file);
        disk.failFrom(1, DiskCall(call), DiskFault::Full);
        const auto refused = SqliteJournal::open(m_file);
        QVERIFY(!refused.ok());
        QVERIFY2(refused.error().kind == Kind::DiskFull, qPrintable(describe(refused.error())));
        QVERIFY(disk.failures() > 0);
        QVERIFY(bytesOf(m_file) == before);
        QVERIFY2(!QFile::exists(m_file + QLatin1String(".v1")), "half a copy was left");
        disk.heal();
        QVERIFY(opened(m_file));
        QVERIFY(bytesOf(m_file + QLatin1String(".v1")).startsWith("SQLite format 3"));
        QVERIFY(isSound(*verifyJournal(m_file)));
    }

    /// At every single write and sync of the copy and of the migration itself.
    void a_migration_that_the_disk_ends_anywhere_can_be_done_again()
    {
        int moments = 0;
        for (int nth = 1;; nth += 3) {
            FaultyDisk disk;
            const QString file = m_folder->filePath(QStringLiteral("moment-%1.db").arg(nth));
            QVERIFY(QFile::copy(QStringLiteral(IKKAI_JOURNAL_DATA "/journal-version-1.sqlite"), file));
            QVERIFY(QFile::setPermissions(file, QFile::ReadOwner | QFile::WriteOwner));
            disk.failOnce(nth, DiskFault::Full);
            const auto tried = SqliteJournal::open(file);
            if (disk.failures() == 0)
                break;
            ++moments;
            disk.heal();
            if (!tried.ok())
                QCOMPARE(tried.error().kind, Kind::DiskFull);
            const auto journal = opened(file);
            QVERIFY(journal);
            QCOMPARE(journal->openKeys()->size(), 2U);
            QVERIFY(isSound(*verifyJournal(file)));
        }
        QVERIFY2(moments >= 5, qPrintable(QString::number(moments)));
    }

    void a_damaged_file_is_said_to_be_damaged_and_nothing_is_charged_data()
    {
        QTest::addColumn<QString>("damage");
        QTest::newRow("cut in the middle of a page") << QStringLiteral("cut");
        QTest::newRow("cut to its first page") << QStringLiteral("first page");
        QTest::newRow("cut to some bytes") << QStringLiteral("bytes");
        QTest::newRow("empty beside a log that is not") << QStringLiteral("empty");
        QTest::newRow("pages overwritten") << QStringLiteral("pages");
        QTest::newRow("the header overwritten") << QStringLiteral("header");
    }
    void a_damaged_file_is_said_to_be_damaged_and_nothing_is_charged()
    {
        QFETCH(QString, damage);
        {
            const auto journal = opened(m_file);
            for (int n = 1; n <= 100; ++n)
                QVERIFY(!appendAll(*journal, answerLostStory(n)));
        }
        {
            QFile file(m_file);
            QVERIFY(file.open(QIODevice::ReadWrite));
            const qint64 size = file.size();
            QVERIFY(size > 20 * 4'096);
            if (damage == QLatin1String("cut"))
                QVERIFY(file.resize(size / 2 + 100));
            if (damage == QLatin1String("first page"))
                QVERIFY(file.resize(4'096));
            if (damage == QLatin1String("bytes"))
                QVERIFY(file.resize(50));
            if (damage == QLatin1String("empty")) {
                QVERIFY(file.resize(0));
                QFile log(m_file + QLatin1String("-wal"));
                QVERIFY(log.open(QIODevice::WriteOnly));
                log.write(QByteArray(5'000, 'x'));
            }
            if (damage == QLatin1String("pages")) {
                for (qint64 at = 4'096; at < size; at += 4'096) {
                    file.seek(at);
                    file.write(QByteArray(200, '\x5a'));
                }
            }
            if (damage == QLatin1String("header"))
                file.write(QByteArray(100, 'x'));
        }
        const auto journal = SqliteJournal::open(m_file);
        if (!journal.ok()) {
            QVERIFY2(journal.error().kind == Kind::Corrupt, qPrintable(describe(journal.error())));
            QCOMPARE(journal.error().file, m_file);
        } else {
            // What is found out later ends in the same refusal.
            Till till(*journal.value());
            till.service.start(Engine::sale("A-1001"));
            till.service.start(Engine::sale("B-1"));
            QCOMPARE(till.gateway.charges.size(), 0U);
            QVERIFY(!till.errors.empty());
            QVERIFY2(till.errors[0].kind == Kind::Corrupt, qPrintable(describe(till.errors[0])));
            QCOMPARE(till.errors[0].file, m_file);
        }
        if (damage == QLatin1String("empty"))
            QVERIFY(QFileInfo(m_file + QLatin1String("-wal")).size() == 5'000); // nothing was thrown away
        const auto verified = verifyJournal(m_file);
        QVERIFY(verified.ok() ? !isSound(*verified) : verified.error().kind == Kind::Corrupt);
    }

    /// What was only in the log is gone with it. What is left is an older moment, and whole.
    void a_log_that_is_missing_leaves_the_journal_of_its_last_checkpoint()
    {
        const QString copy = m_folder->filePath(QStringLiteral("copy.db"));
        const auto journal = opened(m_file);
        QVERIFY(!appendAll(*journal, answerLostStory(1)));
        {
            Sql sql(m_file);
            sql.run(QStringLiteral("PRAGMA wal_checkpoint(TRUNCATE)"));
        }
        QVERIFY(!appendAll(*journal, answerLostStory(2)));
        QVERIFY(QFile::copy(m_file, copy));
        const auto found = opened(copy);
        QVERIFY(found);
        QCOMPARE(found->events(keyNumber(1))->size(), 4U);
        QVERIFY(found->events(keyNumber(2))->empty());
        QVERIFY(isSound(*verifyJournal(copy)));
    }

    void a_log_whose_end_is_torn_loses_only_what_was_not_committed()
    {
        const QString copy = m_folder->filePath(QStringLiteral("copy.db"));
        const auto journal = opened(m_file);
        for (int n = 1; n <= 10; ++n)
            QVERIFY(!appendAll(*journal, answerLostStory(n)));
        QVERIFY(QFile::copy(m_file, copy));
        QVERIFY(QFile::copy(m_file + QLatin1String("-wal"), copy + QLatin1String("-wal")));
        QFile log(copy + QLatin1String("-wal"));
        QVERIFY(log.open(QIODevice::ReadWrite));
        QVERIFY(log.resize(log.size() - 1'000));
        const auto found = opened(copy);
        QVERIFY(found);
        QCOMPARE(found->events(keyNumber(9))->size(), 4U);
        QCOMPARE(found->events(keyNumber(10))->size(), 3U);
        QVERIFY(isSound(*verifyJournal(copy)));
    }

    void a_journal_that_becomes_read_only_under_the_till_charges_nothing()
    {
        FaultyDisk disk;
        const auto journal = opened(m_file);
        Till till(*journal);
        disk.failFrom(1, DiskCall::Write, DiskFault::ReadOnly);
        till.service.start(Engine::sale());
        QCOMPARE(till.gateway.charges.size(), 0U);
        QCOMPARE(till.errors.back().kind, Kind::ReadOnly);
        QVERIFY(describe(till.errors.back()).contains(QLatin1String("read-only")));
    }

    void a_journal_that_another_program_writes_charges_nothing()
    {
        const auto journal = opened(m_file);
        Till till(*journal);
        Sql sql(m_file);
        sql.run(QStringLiteral("BEGIN IMMEDIATE"));
        till.service.start(Engine::sale());
        QCOMPARE(till.gateway.charges.size(), 0U);
        QCOMPARE(till.errors.back().kind, Kind::Locked);
        sql.run(QStringLiteral("ROLLBACK"));
        till.service.start(Engine::sale());
        QCOMPARE(till.gateway.charges.size(), 1U);
    }

protected:
    void beforeEach() override
    {
        m_folder.emplace();
        m_file = m_folder->filePath(QStringLiteral("journal.db"));
    }
    void afterEach() override { m_folder.reset(); }

private:
    static void addFaults()
    {
        QTest::addColumn<Fault>("fault");
        QTest::newRow("disk full") << Fault{DiskCall::Write, DiskFault::Full, Kind::DiskFull};
        QTest::newRow("disk read-only") << Fault{DiskCall::Write, DiskFault::ReadOnly, Kind::ReadOnly};
        QTest::newRow("write error") << Fault{DiskCall::Write, DiskFault::InputOutput, Kind::InputOutput};
        QTest::newRow("the commit cannot be made to last")
            << Fault{DiskCall::Sync, DiskFault::InputOutput, Kind::InputOutput};
        QTest::newRow("disk full when the commit is to last") << Fault{DiskCall::Sync, DiskFault::Full, Kind::DiskFull};
    }
    static QByteArray bytesOf(const QString &file)
    {
        QFile read(file);
        return read.open(QIODevice::ReadOnly) ? read.readAll() : QByteArray();
    }

    std::optional<QTemporaryDir> m_folder;
    QString m_file;
};

IKKAI_TEST_MAIN(TestJournalFaults)
#include "tst_journal_faults.moc"
