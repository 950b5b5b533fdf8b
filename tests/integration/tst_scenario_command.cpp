#include "mock-server/faults/fault_table.h"
#include "tests/support/bank_under_test.h"
#include "tests/support/terminal_process.h"
#include "tests/support/test.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>

using namespace ikkai::test;

/// `payment-terminal run-scenario` as trainers meet it: a process, a file, an exit code.
class ScenarioCommandTest : public ikkai::test::Test {
    Q_OBJECT

    QTemporaryDir m_folder;

    Told play(const QString &file, const QStringList &more = {})
    {
        return runTerminal(QStringLiteral(PAYMENT_TERMINAL), m_folder.path(),
                           QStringList{QStringLiteral("run-scenario"), file} + more);
    }

    QString write(const QByteArray &text)
    {
        const QString name = m_folder.filePath(QStringLiteral("scenario.json"));
        QFile file(name);
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qCritical("cannot write %s", qPrintable(name));
        return name;
    }

    static QStringList kindsOf(const Told &told)
    {
        QStringList kinds;
        for (const QJsonObject &line : told.lines)
            kinds.append(line.value(QLatin1String("kind")).toString());
        return kinds;
    }

private Q_SLOTS:
    void every_example_of_the_manual_ends_as_it_expects_data()
    {
        QTest::addColumn<QString>("file");
        const QDir folder(QStringLiteral(IKKAI_SOURCE "/docs/scenarios"));
        const QStringList names = folder.entryList({QStringLiteral("*.json")});
        for (const QString &name : names)
            QTest::newRow(qPrintable(name)) << folder.filePath(name);
    }

    void every_example_of_the_manual_ends_as_it_expects()
    {
        QFETCH(QString, file);
        const Told told = play(file);
        QVERIFY2(told.exitCode == 0, qPrintable(told.complaint + told.text));
        QVERIFY(told.text.trimmed().endsWith(QStringLiteral(": as expected.")));
    }

    void every_example_of_the_manual_fits_the_published_schema()
    {
        static const char *check = R"(
import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
for name in sys.argv[2:]:
    validator.validate(json.load(open(name)))
for wrong in ({}, {"name": "x", "what": 1}, {"name": "x", "steps": [{"placement": "nowhere", "manifestation": {"kind": "hold"}}]}):
    assert not validator.is_valid(wrong), wrong
print("checked", len(sys.argv) - 2)
)";
        const QDir folder(QStringLiteral(IKKAI_SOURCE "/docs/scenarios"));
        QStringList arguments{QStringLiteral("-c"), QString::fromLatin1(check),
                              QStringLiteral(IKKAI_SOURCE "/docs/scenario.schema.json")};
        const QStringList names = folder.entryList({QStringLiteral("*.json")});
        for (const QString &name : names)
            arguments.append(folder.filePath(name));
        QProcess python;
        python.start(QStringLiteral("python3"), arguments);
        QVERIFY2(python.waitForFinished(60'000), "python3 and python3-jsonschema are needed");
        const QByteArray said = python.readAllStandardOutput() + python.readAllStandardError();
        QVERIFY2(python.exitCode() == 0 && said.startsWith("checked 4"), said.constData());
    }

    void the_schema_knows_every_word_of_the_faults()
    {
        QFile file(QStringLiteral(IKKAI_SOURCE "/docs/scenario.schema.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonObject words =
            QJsonDocument::fromJson(file.readAll()).object().value(QLatin1String("$defs")).toObject();
        const auto known = [&](const char *name) {
            QSet<QString> set;
            const QJsonArray list = words.value(QLatin1String(name)).toObject().value(QLatin1String("enum")).toArray();
            for (const auto &word : list)
                set.insert(word.toString());
            return set;
        };
        QSet<QString> placements;
        QSet<QString> kinds;
        for (const mockbank::FaultTruth &truth : mockbank::faultTable()) {
            placements.insert(QString::fromLatin1(mockbank::placementName(truth.placement)));
            kinds.insert(QString::fromLatin1(mockbank::manifestationName(truth.kind)));
        }
        QCOMPARE(known("placement"), placements);
        QCOMPARE(known("kind"), kinds);
    }

    void the_sequence_tells_both_sides()
    {
        const Told told =
            play(QStringLiteral(IKKAI_SOURCE "/docs/scenarios/answer-lost.json"), {QStringLiteral("--json")});
        QCOMPARE(told.exitCode, 0);
        const QStringList kinds = kindsOf(told);
        for (const char *kind : {"arrival", "committed", "held", "replayed", "answer"})
            QVERIFY2(kinds.contains(QLatin1String(kind)), kind);
        QCOMPARE(told.lines.constLast().value(QLatin1String("as_expected")).toBool(), true);
        QCOMPARE(told.keys().size(), 2); // the one key of the order, and lines without one
    }

    void what_is_not_as_expected_is_named_with_its_line()
    {
        QFile example(QStringLiteral(IKKAI_SOURCE "/docs/scenarios/answer-lost.json"));
        QVERIFY(example.open(QIODevice::ReadOnly));
        const QByteArray text = example.readAll();
        const auto line = text.first(text.indexOf("\"charges_per_order\"")).count('\n') + 1;
        const QString file = write(QByteArray(text).replace("\"charges_per_order\": 1", "\"charges_per_order\": 2"));
        const Told told = play(file);
        QCOMPARE(told.exitCode, 20);
        QVERIFY2(told.complaint.contains(QStringLiteral("scenario.json:%1: expect.charges_per_order expected 2 for "
                                                        "A-1001, found 1")
                                             .arg(line)),
                 qPrintable(told.complaint));
    }

    void what_the_bank_does_not_accept_is_named_with_its_line_data()
    {
        QTest::addColumn<QByteArray>("steps");
        QTest::addColumn<QString>("said");
        QTest::newRow("unknown placement")
            << QByteArray("[\n{\"placement\":\"nowhere\",\"manifestation\":{\"kind\":\"hold\"}}]")
            << QStringLiteral("scenario.json:2: steps[0].placement");
        QTest::newRow("bad code") << QByteArray(
                                         "[\n{\"placement\":\"unread\",\n\"manifestation\":{\"kind\":\"status\",\n"
                                         "\"code\":200}}]")
                                  << QStringLiteral("scenario.json:4: steps[0].manifestation.code");
        QTest::newRow("second step")
            << QByteArray(
                   "[\n{\"placement\":\"unread\",\"manifestation\":{\"kind\":\"hold\"}},\n"
                   "{\"placement\":\"unread\",\"manifestation\":{\"kind\":\"hold\"},\n\"selector\":{\"next\":0}}]")
            << QStringLiteral("scenario.json:4: steps[1].selector.next");
    }

    void what_the_bank_does_not_accept_is_named_with_its_line()
    {
        QFETCH(QByteArray, steps);
        QFETCH(QString, said);
        const Told told = play(write("{\"name\":\"x\",\"steps\":" + steps + "}"));
        QCOMPARE(told.exitCode, 2);
        QVERIFY2(told.complaint.contains(said), qPrintable(told.complaint));
        const QString member = said.section(QLatin1Char(' '), 1);
        QVERIFY2(told.complaint.count(member) == 1, qPrintable(told.complaint));
        QVERIFY(!told.text.contains(QStringLiteral("Charge pressed")));
    }

    void a_file_that_is_not_there_is_named()
    {
        const Told told = play(m_folder.filePath(QStringLiteral("none.json")));
        QCOMPARE(told.exitCode, 2);
        QVERIFY2(told.complaint.contains(QStringLiteral("none.json")), qPrintable(told.complaint));
        QCOMPARE(
            runTerminal(QStringLiteral(PAYMENT_TERMINAL), m_folder.path(), {QStringLiteral("run-scenario")}).exitCode,
            2);
    }

    void a_scenario_can_be_played_at_another_bank()
    {
        BankUnderTest bank;
        QFile token(m_folder.filePath(QStringLiteral("token")));
        QVERIFY(token.open(QIODevice::WriteOnly));
        token.write(bank.controlToken());
        token.close();
        const QStringList there{QStringLiteral("--server"), bank.url(), QStringLiteral("--control-token-file"),
                                token.fileName()};
        const Told told = play(QStringLiteral(IKKAI_SOURCE "/docs/scenarios/answer-lost.json"), there);
        QVERIFY2(told.exitCode == 0, qPrintable(told.complaint + told.text));
        QCOMPARE(bank.movements().size(), 1);

        const Told refused = play(QStringLiteral(IKKAI_SOURCE "/docs/scenarios/slow-bank.json"), there);
        QCOMPARE(refused.exitCode, 2);
        QVERIFY2(refused.complaint.contains(QStringLiteral("bank.processing_ms")), qPrintable(refused.complaint));
    }
};

IKKAI_TEST_MAIN(ScenarioCommandTest)
#include "tst_scenario_command.moc"
