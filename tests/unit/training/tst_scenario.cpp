#include "core/training/scenario.h"
#include "tests/support/test.h"

#include <QtCore/QDir>
#include <QtCore/QFile>

using namespace ikkai;

class TestScenario : public ikkai::test::Test {
    Q_OBJECT

private Q_SLOTS:
    void reads_what_is_paid_and_what_must_come_of_it();
    void leaves_the_banks_words_to_the_bank();
    void a_scenario_without_checkouts_pays_one_order();
    void names_line_and_member_of_what_is_wrong_data();
    void names_line_and_member_of_what_is_wrong();
    void a_list_has_to_be_a_list_with_something_in_it();
    void knows_on_which_line_every_member_stands();
    void every_example_of_the_manual_is_a_scenario();
};

namespace {

const QByteArray whole = R"({
  "name": "Answer lost",
  "seed": 7,
  "bank": {
    "strategy": "atomic", "processing_ms": 300,
    "accounts": {"card_ok": 5000}
  },
  "terminal": {"attempt_deadline_ms": 900, "max_attempts": 3},
  "cashier": {"on_unknown": ["check_now", "try_again"]},
  "checkouts": [
    {"order": "A-1", "amount": 1200},
    {"order": "A-2", "amount": 250, "currency": "USD", "source": "card_low"}
  ],
  "steps": [
    {"placement": "unread", "manifestation": {"kind": "hold"}},
    {"placement": "after_commit",
     "manifestation": {"kind": "status",
                       "code": 500}}
  ],
  "expect": {"charges_per_order": 1, "outcome": "approved", "replayed": true, "max_wire_sends": 3}
}
)";

} // namespace

void TestScenario::reads_what_is_paid_and_what_must_come_of_it()
{
    const auto scenario = readScenario(whole);
    QVERIFY(scenario.ok());
    QCOMPARE(scenario->name, QStringLiteral("Answer lost"));
    QCOMPARE(scenario->checkouts.size(), size_t(2));
    QCOMPARE(scenario->checkouts[1].order.text(), QStringLiteral("A-2"));
    QCOMPARE(scenario->checkouts[1].money.amountMinor(), qint64(250));
    QCOMPARE(scenario->checkouts[1].money.currency().code(), QStringLiteral("USD"));
    QCOMPARE(scenario->policy.attemptDeadlineMs, qint64(900));
    QCOMPARE(scenario->policy.maxAttempts, 3);
    QCOMPARE(scenario->policy.backoffBaseMs, RetryPolicy().backoffBaseMs);
    QVERIFY((scenario->onUnknown == std::vector{CashierAct::CheckNow, CashierAct::TryAgain}));
    QCOMPARE(scenario->expect.chargesPerOrder, std::optional(1));
    QCOMPARE(scenario->expect.outcome, std::optional(QStringLiteral("approved")));
    QCOMPARE(scenario->expect.replayed, std::optional(true));
    QCOMPARE(scenario->expect.maxWireSends, std::optional(3));
    QVERIFY(!scenario->expect.maxSeconds);
}

void TestScenario::leaves_the_banks_words_to_the_bank()
{
    const auto scenario = readScenario(whole);
    QVERIFY(scenario.ok());
    QCOMPARE(scenario->forBank.keys(), (QStringList{QStringLiteral("bank"), QStringLiteral("name"),
                                                    QStringLiteral("seed"), QStringLiteral("steps")}));
    const QJsonObject bank = scenario->forBank.value(QLatin1String("bank")).toObject();
    QCOMPARE(bank.keys(), (QStringList{QStringLiteral("accounts"), QStringLiteral("strategy")}));
    QCOMPARE(scenario->bankAtStart.value(QLatin1String("processing_ms")).toInt(), 300);
}

void TestScenario::a_scenario_without_checkouts_pays_one_order()
{
    const auto scenario = readScenario(R"({"name":"x"})");
    QVERIFY(scenario.ok());
    QCOMPARE(scenario->checkouts.size(), size_t(1));
    QCOMPARE(scenario->checkouts[0].order.text(), QStringLiteral("S-1"));
}

void TestScenario::names_line_and_member_of_what_is_wrong_data()
{
    QTest::addColumn<QByteArray>("find");
    QTest::addColumn<QByteArray>("put");
    QTest::addColumn<int>("line");
    QTest::addColumn<QString>("member");

    const auto row = [](const char *name, const char *find, const char *put, int line, const char *member) {
        QTest::newRow(name) << QByteArray(find) << QByteArray(put) << line << QString::fromLatin1(member);
    };
    row("no name", "\"name\": \"Answer lost\",", "", 1, "name");
    row("empty name", "\"Answer lost\"", "\"\"", 2, "name");
    row("fraction", "\"seed\": 7", "\"seed\": 7.5", 3, "seed");
    row("negative", "\"processing_ms\": 300", "\"processing_ms\": -1", 5, "bank.processing_ms");
    row("too big", "\"attempt_deadline_ms\": 900", "\"attempt_deadline_ms\": 1e9", 8, "terminal.attempt_deadline_ms");
    row("unknown in terminal", "\"max_attempts\": 3", "\"tries\": 3", 8, "terminal.tries");
    row("unknown act", "\"try_again\"", "\"pray\"", 9, "cashier.on_unknown[1]");
    row("amount as text", "\"amount\": 1200", "\"amount\": \"1200\"", 11, "checkouts[0].amount");
    row("amount of nothing", "\"amount\": 1200", "\"amount\": 0", 11, "checkouts[0].amount");
    row("currency", "\"USD\"", "\"YENS\"", 12, "checkouts[1].currency");
    row("unknown at the top", "\"expect\"", "\"expects\"", 20, "expects");
    row("outcome", "\"outcome\": \"approved\"", "\"outcome\": \"paid\"", 20, "expect.outcome");
    row("replayed", "\"replayed\": true", "\"replayed\": 1", 20, "expect.replayed");
    row("twice", "\"max_wire_sends\": 3", "\"replayed\": false", 20, "expect.replayed");
    row("not JSON", "\"seed\": 7,", "\"seed\" 7,", 3, "");
}

void TestScenario::names_line_and_member_of_what_is_wrong()
{
    QFETCH(QByteArray, find);
    QFETCH(QByteArray, put);
    QFETCH(int, line);
    QFETCH(QString, member);
    QVERIFY(whole.contains(find));
    const auto scenario = readScenario(QByteArray(whole).replace(whole.indexOf(find), find.size(), put));
    QVERIFY(!scenario.ok());
    QCOMPARE(scenario.error().member, member);
    QCOMPARE(scenario.error().line, line);
    const QString said = describe(scenario.error(), QStringLiteral("lesson.json"));
    QVERIFY2(said.startsWith(QStringLiteral("lesson.json:%1: ").arg(line)), qPrintable(said));
}

void TestScenario::a_list_has_to_be_a_list_with_something_in_it()
{
    const auto memberOf = [](const QByteArray &text) {
        const auto scenario = readScenario(text);
        return scenario.ok() ? QStringLiteral("none") : scenario.error().member;
    };
    QCOMPARE(memberOf(R"({"name":"x","steps":3})"), QStringLiteral("steps"));
    QCOMPARE(memberOf(R"({"name":"x","checkouts":[]})"), QStringLiteral("checkouts"));
    QCOMPARE(memberOf(R"({"name":"x","checkouts":[7]})"), QStringLiteral("checkouts[0]"));
    QCOMPARE(memberOf(R"({"name":"x","bank":[]})"), QStringLiteral("bank"));
}

void TestScenario::knows_on_which_line_every_member_stands()
{
    const auto lines = JsonLines::read(whole);
    QVERIFY(lines.ok());
    QCOMPARE(lines->lineOf(QStringLiteral("steps[1].manifestation.code")), 18);
    QCOMPARE(lines->lineOf(QStringLiteral("steps[1].placement")), 16);
    QCOMPARE(lines->lineOf(QStringLiteral("bank.accounts.card_ok")), 6);
    // What is missing is missed where it should have been.
    QCOMPARE(lines->lineOf(QStringLiteral("steps[0].manifestation.code")), 15);
    QCOMPARE(lines->lineOf(QStringLiteral("nowhere")), 1);
}

void TestScenario::every_example_of_the_manual_is_a_scenario()
{
    const QDir folder(QStringLiteral(IKKAI_SOURCE "/docs/scenarios"));
    const QStringList names = folder.entryList({QStringLiteral("*.json")});
    QVERIFY(names.size() >= 4);
    for (const QString &name : names) {
        QFile file(folder.filePath(name));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto scenario = readScenario(file.readAll());
        QVERIFY2(scenario.ok(), qPrintable(scenario.ok() ? QString() : describe(scenario.error(), name)));
    }
}

IKKAI_TEST_MAIN(TestScenario)
#include "tst_scenario.moc"
