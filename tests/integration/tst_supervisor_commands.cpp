#include "tests/integration/till_and_bank.h"
#include "tests/support/test.h"

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

} // namespace

/// A supervisor's ways out, and a bank that is another one than before.
class SupervisorCommandsTest : public ikkai::test::Test {
    Q_OBJECT

    static Told supervise(TillAndBank &till, const char *way, const QString &key, const QByteArray &pin)
    {
        return till.run(w({"resolve", way, "--reason", "the customer waits", "--pin-file", "-", "--key"}) +
                            QStringList{key},
                        pin + '\n');
    }

private Q_SLOTS:
    void withoutAPinNobodyIsASupervisor()
    {
        TillAndBank till;
        const Told open = till.charge("A-1", "unread:hold:next=1");
        const Told told = supervise(till, "--override", keyOf(open), "1234");
        QCOMPARE(told.exitCode, 2);
        QVERIFY2(told.complaint.contains(s("supervisor-pin")), qPrintable(told.complaint));
        QCOMPARE(till.run(w({"recover"})).number("open"), 1);
    }

    void anOverrideVoidsTheOldOneAndChargesTheOrderAnew()
    {
        TillAndBank till;
        QCOMPARE(till.runPlain(w({"supervisor-pin", "--journal", "JOURNAL"}), "8302\n").exitCode, 0);
        const Told open = till.charge("A-1", "after_commit:hold:next=1");
        // The bank's word that it was charged must not come first: the till asks about what is open when it starts.
        till.bank().arm("unread:hold:route=inquiry:next=1");
        const Told told = supervise(till, "--override", keyOf(open), "8302");
        QVERIFY2(told.exitCode == 0, qPrintable(told.complaint));
        QCOMPARE(told.outcome().value(s("replaces")).toString(), keyOf(open));
        QVERIFY(keyOf(told) != keyOf(open));
        till.bank().disarmAll();
        QCOMPARE(till.run(w({"recover"})).exitCode, 0);
        const Told old = till.run(w({"resolve", "--check", "--key"}) + QStringList{keyOf(open)});
        QCOMPARE(old.exitCode, 13);
        QCOMPARE(old.outcome().value(s("supervisor_reason")).toString(), s("the customer waits"));
        QCOMPARE(till.bank().balance(), 98'800); // two charges, one given back
        QCOMPARE(till.bank().movements().size(), 3);
    }

    void fiveWrongPinsLockAndANewPinUnlocks()
    {
        TillAndBank till;
        QCOMPARE(till.runPlain(w({"supervisor-pin", "--journal", "JOURNAL"}), "8302\n").exitCode, 0);
        const Told open = till.charge("A-1", "unread:hold:next=1");
        for (int wrong = 1; wrong <= 5; ++wrong)
            QCOMPARE(supervise(till, "--override", keyOf(open), "1111").exitCode, 2);
        const Told locked = supervise(till, "--override", keyOf(open), "8302");
        QCOMPARE(locked.exitCode, 2);
        QVERIFY2(locked.complaint.contains(s("too many wrong")), qPrintable(locked.complaint));
        QVERIFY(!locked.complaint.contains(s("8302")));
        QCOMPARE(till.runPlain(w({"supervisor-pin", "--journal", "JOURNAL"}), "4711\n").exitCode, 0);
        QCOMPARE(supervise(till, "--override", keyOf(open), "4711").exitCode, 0);
        QCOMPARE(till.bank().movements().size(), 1);
    }

    void whatIsOpenAtOneLedgerIsNeverSentToAnother_data()
    {
        QTest::addColumn<QString>("source");
        QTest::newRow("command line") << s("line");
        QTest::newRow("environment") << s("environment");
        QTest::newRow("INI file") << s("file");
    }
    void whatIsOpenAtOneLedgerIsNeverSentToAnother()
    {
        QFETCH(QString, source);
        TillAndBank till;
        const Told open = till.charge("A-1", "unread:hold:next=1");
        const BankUnderTest other;
        QProcessEnvironment environment;
        const QString ini = till.file("other.ini");
        QFile file(ini);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("server=" + other.url().toUtf8() + '\n');
        file.close();
        QStringList where;
        if (source == s("line"))
            where = QStringList{s("--server"), other.url()};
        else if (source == s("environment"))
            environment.insert(s("IKKAI_SERVER"), other.url());
        else
            where = QStringList{s("--config"), ini};
        const auto run = [&](const QStringList &command) {
            return runTerminal(s(PAYMENT_TERMINAL), till.file(""),
                               command + where + QStringList{s("--json"), s("--journal"), till.journal()}, environment);
        };
        const Told charge = run(w({"charge", "--order", "A-2", "--amount", "700"}));
        QCOMPARE(charge.exitCode, 3);
        QVERIFY2(charge.complaint.contains(s("another ledger")), qPrintable(charge.complaint));
        for (const QStringList &command :
             {w({"recover", "--wait", "1500ms"}),
              w({"resolve", "--void", "--wait", "1500ms", "--key"}) + QStringList{keyOf(open)}}) {
            const Told told = run(command);
            QCOMPARE(told.exitCode, 12);
            QVERIFY2(told.complaint.contains(s("another ledger")), qPrintable(told.complaint));
        }
        QCOMPARE(other.arrivals(), 0);
        QCOMPARE(other.movements().size(), 0);
        QCOMPARE(till.run(w({"recover"})).exitCode, 0); // the void was started, and its own bank answers it
        QCOMPARE(till.bank().movements().size(), 0);
    }

    void aLedgerThatIsGoneForGoodIsWrittenOffAsNeverKnown()
    {
        TillAndBank till;
        QCOMPARE(till.runPlain(w({"supervisor-pin", "--journal", "JOURNAL"}), "8302\n").exitCode, 0);
        const Told open = till.charge("A-1", "unread:hold:next=1");
        const BankUnderTest other;
        const QStringList there{s("--json"), s("--server"), other.url(), s("--journal"), till.journal()};
        const QStringList off =
            w({"resolve", "--write-off", "--reason", "old bank closed", "--pin-file", "-", "--key"}) +
            QStringList{keyOf(open)};
        const Told wrong = till.runPlain(off + there, "1111\n");
        QCOMPARE(wrong.exitCode, 2);
        const Told told = till.runPlain(off + there, "8302\n");
        QVERIFY2(told.exitCode == 15, qPrintable(told.complaint));
        QCOMPARE(told.word(), s("written_off"));
        QCOMPARE(told.outcome().value(s("supervisor_reason")).toString(), s("old bank closed"));
        QCOMPARE(other.movements().size(), 0);
    }
};

IKKAI_TEST_MAIN(SupervisorCommandsTest)
#include "tst_supervisor_commands.moc"
