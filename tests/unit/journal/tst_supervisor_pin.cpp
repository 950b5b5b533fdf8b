#include "core/journal/supervisor_pin.h"
#include "journal_bench.h"
#include "tests/support/test.h"

#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>

using namespace ikkai;
using namespace ikkai::test;

class TestSupervisorPin : public ikkai::test::Test {
    Q_OBJECT

private Q_SLOTS:
    void the_right_pin_opens_and_no_other_does()
    {
        const auto record = makePin(QStringLiteral("2468"), 1'720'000'000'000);
        QVERIFY(record.ok());
        QVERIFY(isPin(*record, QStringLiteral("2468")));
        for (const auto *wrong : {u"2467", u"24680", u"246", u"", u" 2468"})
            QVERIFY2(!isPin(*record, QString::fromUtf16(wrong)), qPrintable(QString::fromUtf16(wrong)));
    }

    void full_width_digits_are_the_same_pin()
    {
        const auto ascii = makePin(QStringLiteral("2468"), 0);
        QVERIFY(isPin(*ascii, QString::fromUtf16(u"２４６８")));
        const auto wide = makePin(QString::fromUtf16(u"２４６８"), 0);
        QVERIFY(wide.ok());
        QVERIFY(isPin(*wide, QStringLiteral("2468")));
    }

    void what_is_no_pin_is_refused_without_being_repeated_data()
    {
        QTest::addColumn<QString>("pin");
        QTest::newRow("nothing") << QString();
        QTest::newRow("three digits") << QStringLiteral("987");
        QTest::newRow("thirteen digits") << QStringLiteral("9876543210987");
        QTest::newRow("a letter") << QStringLiteral("98a7");
        QTest::newRow("a space") << QStringLiteral("98 76");
        QTest::newRow("a sign") << QStringLiteral("-9876");
        QTest::newRow("digits of another script") << QString::fromUtf16(u"٤٥٦٧");
    }
    void what_is_no_pin_is_refused_without_being_repeated()
    {
        QFETCH(QString, pin);
        const auto record = makePin(pin, 0);
        QVERIFY(!record.ok());
        QVERIFY(pin.isEmpty() || !record.error().contains(pin));
        QVERIFY(record.error().contains(QLatin1String("4 to 12")));
    }

    void two_tills_with_one_pin_keep_different_records()
    {
        const auto one = makePin(QStringLiteral("2468"), 0);
        const auto other = makePin(QStringLiteral("2468"), 0);
        QVERIFY(one->salt != other->salt);
        QVERIFY(one->hash != other->hash);
    }

    /// Records outlive programs: what one version wrote, all later ones must read.
    void the_format_is_constant()
    {
        const auto made = makePin(QStringLiteral("2468"), 1'720'000'000'000);
        QCOMPARE(made->salt.size(), 16);
        QCOMPARE(made->hash.size(), 32);
        QCOMPARE(made->iterations, 210'000);
        QCOMPARE(made->wrongTries, 0);
        QCOMPARE(made->setWallMs, 1'720'000'000'000);
        // python3: hashlib.pbkdf2_hmac('sha512', b'2468', bytes(range(16)), 210000, 32)
        QByteArray salt;
        for (char c = 0; c < 16; ++c)
            salt += c;
        const PinRecord known{salt, 210'000,
                              QByteArray::fromHex("19793bf0594dfcc1e48e8d303b42e37239c474898f1c60a9f5d5a929448fd731"),
                              0, 0};
        QVERIFY(isPin(known, QStringLiteral("2468")));
        QVERIFY(!isPin(known, QStringLiteral("2469")));
    }

    void a_record_that_was_tampered_with_opens_for_nobody()
    {
        const PinRecord record = *makePin(QStringLiteral("2468"), 0);
        PinRecord salt = record;
        salt.salt[3] = static_cast<char>(salt.salt[3] ^ 1);
        PinRecord hash = record;
        hash.hash[31] = static_cast<char>(hash.hash[31] ^ 1);
        PinRecord cheap = record;
        cheap.iterations = 1;
        PinRecord shortHash = record;
        shortHash.hash.chop(1);
        PinRecord noHash = record;
        noHash.hash.clear();
        PinRecord noIterations = record;
        noIterations.iterations = 0;
        PinRecord negative = record;
        negative.iterations = -5;
        PinRecord endless = record;
        endless.iterations = 2'147'483'647; // must not hang the till either
        for (const PinRecord &odd : {salt, hash, cheap, shortHash, noHash, noIterations, negative, endless})
            QVERIFY(!isPin(odd, QStringLiteral("2468")));
        QVERIFY(!isPin(PinRecord{}, QString()));
        QVERIFY(!isPin(PinRecord{}, QStringLiteral("2468")));
    }

    void the_journal_keeps_one_pin_and_never_its_digits()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("journal.db"));
        PinRecord record = *makePin(QStringLiteral("86429753"), 1'720'000'000'000);
        {
            const auto journal = opened(file);
            QVERIFY(!journal->supervisorPin().value());
            QVERIFY(journal->storeSupervisorPin(record).ok());
            QVERIFY(journal->supervisorPin().value() == record);
            record.wrongTries = 4;
            QVERIFY(journal->storeSupervisorPin(record).ok());
        }
        const auto again = opened(file);
        QVERIFY(again->supervisorPin().value() == record); // a restart forgets no wrong try
        const PinRecord other = *makePin(QStringLiteral("1357"), 1'720'000'000'001);
        QVERIFY(again->storeSupervisorPin(other).ok());
        QVERIFY(again->supervisorPin().value() == other);
        Sql sql(file);
        QCOMPARE(sql.run(QStringLiteral("SELECT count(*) FROM supervisor")).toInt(), 1);
        sql.run(QStringLiteral("PRAGMA wal_checkpoint(TRUNCATE)"));
        QFile bytes(file);
        QVERIFY(bytes.open(QIODevice::ReadOnly));
        QVERIFY(!bytes.readAll().contains("86429753"));
    }

    void who_only_looks_sets_no_pin()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("journal.db"));
        QVERIFY(opened(file));
        const auto reader = SqliteJournal::open(file, JournalAccess::ReadOnly);
        QVERIFY(reader.ok());
        const auto done = (*reader)->storeSupervisorPin(*makePin(QStringLiteral("1357"), 0));
        QVERIFY(!done.ok());
        QCOMPARE(done.error().kind, JournalError::Kind::ReadOnly);
    }
};

IKKAI_TEST_MAIN(TestSupervisorPin)
#include "tst_supervisor_pin.moc"
