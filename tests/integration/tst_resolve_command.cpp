#include "tests/integration/till_and_bank.h"
#include "tests/support/test.h"

#include <QtCore/QProcess>

using namespace ikkai::test;

namespace {

QString s(const char *text)
{
    return QString::fromLatin1(text);
}

QStringList w(std::initializer_list<const char *> all)
{
    return TillAndBank::words(all);
}

QString keyOf(const Told &told)
{
    return told.outcome().value(s("key")).toString();
}

QString endOf(const Told &told)
{
    return keyOf(told).right(6);
}

QJsonObject lineOf(const Told &told, const char *event)
{
    for (const QJsonObject &line : told.lines) {
        if (line.value(s("event")).toString() == s(event))
            return line;
    }
    return {};
}

QList<QJsonObject> linesOf(const Told &told, const char *event)
{
    QList<QJsonObject> lines;
    for (const QJsonObject &line : told.lines) {
        if (line.value(s("event")).toString() == s(event))
            lines.append(line);
    }
    return lines;
}

} // namespace

/// What is open is settled by scripts as it is in the window: `recover` and `resolve` as processes against a bank.
class ResolveCommandTest : public ikkai::test::Test {
    Q_OBJECT

private Q_SLOTS:
    void whereNothingIsOpenRecoverSaysSo()
    {
        TillAndBank till;
        const Told told = till.run(w({"recover"}));
        QCOMPARE(told.exitCode, 0);
        QCOMPARE(told.number("open"), 0);
        QCOMPARE(told.number("settled"), 0);
    }

    void recoverSettlesWhatTheBankKnowsAndListsTheRestAndChargesNothing() // case_04, case_23
    {
        TillAndBank till;
        QCOMPARE(till.charge("A-1", "unread:hold:next=1").exitCode, 12);
        QCOMPARE(till.charge("A-2", "after_commit:hold:next=1").exitCode, 12);
        const qint64 arrivals = till.bank().arrivals();
        const Told told = till.run(w({"recover"}));
        QCOMPARE(told.exitCode, 12);
        QCOMPARE(told.number("open"), 1);
        QCOMPARE(told.number("settled"), 1);
        QStringList outcomes;
        for (const QJsonObject &line : linesOf(told, "outcome"))
            outcomes.append(line.value(s("order_id")).toString() + QLatin1Char(' ') +
                            line.value(s("outcome")).toString());
        QCOMPARE(outcomes, (QStringList{s("A-1 unknown"), s("A-2 approved")}));
        QCOMPARE(linesOf(told, "outcome").constLast().value(s("settled_by")).toString(), s("inquiry"));
        QCOMPARE(till.bank().arrivals(), arrivals);
        QCOMPARE(till.bank().movements().size(), 1);
    }

    void whereTheBankCannotBeReachedRecoverListsAndComesToAnEnd()
    {
        TillAndBank till;
        QCOMPARE(till.charge("A-1", "unread:hold:next=1").exitCode, 12);
        const Told told = till.runPlain(
            w({"recover", "--json", "--server", "http://127.0.0.1:9", "--journal", "JOURNAL", "--wait", "300ms"}));
        QCOMPARE(told.exitCode, 12);
        QCOMPARE(told.number("open"), 1);
        const Told people =
            till.runPlain(w({"recover", "--server", "http://127.0.0.1:9", "--journal", "JOURNAL", "--wait", "300ms"}));
        QVERIFY2(people.text.contains(s("Outcome not known yet")) && people.text.contains(s("0 settled, 1 open.")),
                 qPrintable(people.text));
    }

    void checkAsksAndChangesNothingWhereTheBankDoesNotKnow()
    {
        TillAndBank till;
        const Told open = till.charge("A-1", "unread:hold:next=1");
        const Told told = till.run(w({"resolve", "--check", "--key"}) + QStringList{endOf(open)});
        QCOMPARE(told.exitCode, 12);
        QCOMPARE(told.word(), s("unknown"));
        QCOMPARE(lineOf(told, "inquiry_ended").value(s("why")).toString(), s("never_seen"));
        QCOMPARE(till.bank().movements().size(), 0);
    }

    void checkSettlesWhatTheBankHasCharged()
    {
        TillAndBank till;
        const Told open = till.charge("A-1", "after_commit:hold:next=1");
        const Told told = till.run(w({"resolve", "--check", "--key"}) + QStringList{keyOf(open)});
        QCOMPARE(told.exitCode, 0);
        QCOMPARE(told.word(), s("approved"));
    }

    void tryAgainSendsTheSameChargeAndChargesOnce_data() // case_05, case_20
    {
        QTest::addColumn<QString>("fault");
        QTest::newRow("it never came") << s("unread:hold:next=1");
        QTest::newRow("it was charged") << s("after_commit:hold:next=1");
    }
    void tryAgainSendsTheSameChargeAndChargesOnce()
    {
        QFETCH(QString, fault);
        TillAndBank till;
        const Told open = till.charge("A-1", qPrintable(fault));
        const Told told = till.run(w({"resolve", "--try-again", "--key"}) + QStringList{endOf(open)});
        QCOMPARE(told.exitCode, 0);
        QCOMPARE(keyOf(told), keyOf(open));
        QCOMPARE(till.bank().movements().size(), 1);
    }

    void case_22_tryAgainOnWhatIsPaidIsPaidAndSendsNothing()
    {
        TillAndBank till;
        const Told paid = till.charge("A-1", nullptr);
        QCOMPARE(paid.exitCode, 0);
        const Told told = till.run(w({"resolve", "--try-again", "--key"}) + QStringList{keyOf(paid)});
        QCOMPARE(told.exitCode, 0);
        QCOMPARE(told.word(), s("approved"));
        QVERIFY2(told.complaint.contains(s("settled already")), qPrintable(told.complaint));
        QCOMPARE(till.bank().arrivals(), 1);
    }

    void voidGivesTheMoneyBackOrKeepsItFromMoving_data() // case_21
    {
        QTest::addColumn<QString>("fault");
        QTest::addColumn<QString>("result");
        QTest::addColumn<int>("movements");
        QTest::newRow("it never came") << s("unread:hold:next=1") << s("prevented") << 0;
        QTest::newRow("it was charged") << s("after_commit:hold:next=1") << s("reversed") << 2;
    }
    void voidGivesTheMoneyBackOrKeepsItFromMoving()
    {
        QFETCH(QString, fault);
        QFETCH(QString, result);
        QFETCH(int, movements);
        TillAndBank till;
        const Told open = till.charge("A-1", qPrintable(fault));
        const Told told = till.run(w({"resolve", "--void", "--key"}) + QStringList{endOf(open)});
        QCOMPARE(told.exitCode, 13);
        QCOMPARE(told.word(), s("voided"));
        QCOMPARE(told.outcome().value(s("result")).toString(), result);
        QCOMPARE(told.outcome().value(s("settled_by")).toString(), s("void"));
        QCOMPARE(told.number("void_wire_sends"), 1);
        QVERIFY(told.outcome().value(s("void_key")).toString() != keyOf(open));
        QCOMPARE(till.bank().movements().size(), movements);
        QCOMPARE(till.bank().balance(), 100'000);
        // The order is free again, under a new key; the old one can be charged no more.
        const Told anew = till.charge("A-1", nullptr);
        QCOMPARE(anew.exitCode, 0);
        QVERIFY(keyOf(anew) != keyOf(open));
        const QByteArray body =
            R"({"order_id":"A-1","amount":1200,"currency":"JPY","source":"card_ok","terminal_id":"till-1"})";
        QCOMPARE(till.bank().charge(keyOf(open).toLatin1(), 9, body).status, 410);
    }

    void aDeclineThatWasNotHeardIsFoundByTheVoid()
    {
        TillAndBank till;
        const Told open = till.charge("A-1", "after_commit:hold:next=1", w({"--source", "card_decline"}));
        const Told told = till.run(w({"resolve", "--void", "--key"}) + QStringList{endOf(open)});
        QCOMPARE(told.exitCode, 10);
        QCOMPARE(told.word(), s("declined"));
        QCOMPARE(till.bank().movements().size(), 0);
    }

    void aVoidThatIsNotAnsweredGoesOnAtTheNextStartUnderItsOwnKey()
    {
        TillAndBank till;
        const Told open = till.charge("A-1", "after_commit:hold:next=1");
        till.bank().arm("after_commit:hold:route=void:next=1");
        const Told waiting = till.run(w({"resolve", "--void", "--wait", "200ms", "--key"}) + QStringList{endOf(open)});
        QCOMPARE(waiting.exitCode, 12);
        QVERIFY2(waiting.word().startsWith(s("void")), qPrintable(waiting.word()));
        // From here on nobody charges it: trying again is refused, and says why.
        const qint64 arrivals = till.bank().arrivals();
        till.bank().arm("unread:hold:route=void:next=9");
        const Told refused = till.run(w({"resolve", "--try-again", "--key"}) + QStringList{endOf(open)});
        QCOMPARE(refused.exitCode, 12);
        QVERIFY2(refused.complaint.contains(s("no charge is sent")), qPrintable(refused.complaint));
        QCOMPARE(till.bank().arrivals(), arrivals);
        till.bank().disarmAll();
        const Told told = till.run(w({"recover"}));
        QCOMPARE(told.exitCode, 0);
        const QJsonObject outcome = lineOf(told, "outcome");
        QCOMPARE(outcome.value(s("outcome")).toString(), s("voided"));
        QCOMPARE(outcome.value(s("void_key")), waiting.outcome().value(s("void_key")));
        QCOMPARE(till.bank().movements().size(), 2);
        QCOMPARE(till.bank().balance(), 100'000);
    }

    void theEndOfAKeyMustFitOneOpenCheckout()
    {
        TillAndBank till;
        const Told open = till.charge("A-1", "unread:hold:next=1");
        const Told none = till.run(w({"resolve", "--void", "--key", "zzzz"}));
        QCOMPARE(none.exitCode, 2);
        QVERIFY2(none.complaint.contains(s("--key")) && none.complaint.contains(s("zzzz")), qPrintable(none.complaint));
        // Capital letters are as good: a key is read out and typed.
        const Told other = till.charge("A-2", "unread:hold:next=1");
        QCOMPARE(till.run(w({"resolve", "--check", "--key"}) + QStringList{endOf(other)}).exitCode, 12);
        QCOMPARE(till.run(w({"resolve", "--void", "--key"}) + QStringList{endOf(open).toUpper()}).exitCode, 13);
    }

    void badInputGetsOneClearLineAndNothingIsSent_data()
    {
        QTest::addColumn<QStringList>("command");
        QTest::addColumn<QString>("names");
        QTest::newRow("no way") << w({"resolve", "--key", "abcd"}) << s("--check");
        QTest::newRow("two ways") << w({"resolve", "--key", "abcd", "--check", "--void"}) << s("--check");
        QTest::newRow("no key") << w({"resolve", "--check"}) << s("--key");
        QTest::newRow("short key") << w({"resolve", "--check", "--key", "abc"}) << s("--key");
        QTest::newRow("no reason") << w({"resolve", "--write-off", "--key", "abcd", "--pin-file", "-"})
                                   << s("--reason");
        QTest::newRow("no PIN") << w({"resolve", "--write-off", "--key", "abcd", "--reason", "lost"})
                                << s("--pin-file");
        QTest::newRow("reason for nothing")
            << w({"resolve", "--check", "--key", "abcd", "--reason", "x"}) << s("--reason");
        QTest::newRow("bad wait") << w({"recover", "--wait", "3"}) << s("--wait");
        QTest::newRow("unknown zone") << w({"recover", "--store-zone", "Mars/Base"}) << s("--store-zone");
        QTest::newRow("zone from elsewhere") << w({"recover", "--store-zone", ""}) << s("--store-zone");
        QTest::newRow("day starts at 24") << w({"recover", "--day-starts", "24:00"}) << s("--day-starts");
        QTest::newRow("day starts at 5") << w({"recover", "--day-starts", "5:00"}) << s("--day-starts");
    }
    void badInputGetsOneClearLineAndNothingIsSent()
    {
        QFETCH(QStringList, command);
        QFETCH(QString, names);
        TillAndBank till;
        const Told told = till.run(command);
        QCOMPARE(told.exitCode, 2);
        QVERIFY2(told.complaint.contains(names), qPrintable(told.complaint));
        QCOMPARE(told.complaint.trimmed().count(QLatin1Char('\n')), 0);
        QCOMPARE(till.bank().arrivals(), 0);
        QVERIFY(!QFile::exists(till.journal()));
    }

    void everyCommandExplainsItself_data()
    {
        QTest::addColumn<QString>("command");
        for (const char *command : {"charge", "recover", "resolve", "export", "verify-journal", "reconcile",
                                    "close-day", "supervisor-pin", "run-scenario", "scorecard"})
            QTest::newRow(command) << s(command);
    }
    void everyCommandExplainsItself()
    {
        QFETCH(QString, command);
        TillAndBank till;
        const Told told = till.runPlain({command, s("--help")});
        QCOMPARE(told.exitCode, 0);
        QVERIFY2(told.text.contains(command) && told.text.contains(s("Exit codes")), qPrintable(told.text));
        QVERIFY(till.runPlain({s("--help")}).text.contains(command));
    }
};

IKKAI_TEST_MAIN(ResolveCommandTest)
#include "tst_resolve_command.moc"
