#include "tests/support/bank_under_test.h"
#include "tests/support/terminal_process.h"
#include "tests/support/test.h"

#include <QtCore/QFile>
#include <QtCore/QJsonDocument>
#include <QtCore/QProcess>
#include <QtCore/QTemporaryDir>
#include <QtNetwork/QHostAddress>
#include <QtNetwork/QTcpServer>

using namespace ikkai::test;

namespace {

QString s(const char *text)
{
    return QString::fromLatin1(text);
}

} // namespace

/// The terminal as scripts meet it: a process against a bank on real sockets, with every connection fault between them.
class ChargeCommandTest : public ikkai::test::Test {
    Q_OBJECT

    QTemporaryDir m_folder;
    int m_journals = 0;

    static constexpr int patienceMs = 60'000;

    Told run(const QStringList &arguments, const QProcessEnvironment &environment = {})
    {
        return runTerminal(s(PAYMENT_TERMINAL), m_folder.path(), arguments, environment, patienceMs);
    }

    QString freshJournal() { return m_folder.filePath(s("journal-%1.sqlite").arg(++m_journals)); }

    QStringList charge(const BankUnderTest &bank, const QString &journal, const QStringList &more = {})
    {
        QFile token(m_folder.filePath(s("token")));
        if (!token.open(QIODevice::WriteOnly))
            qCritical("no token file");
        token.write(bank.controlToken());
        token.close();
        return QStringList{s("charge"),
                           s("--order"),
                           s("A-1"),
                           s("--amount"),
                           s("1200"),
                           s("--json"),
                           s("--server"),
                           bank.url(),
                           s("--journal"),
                           journal,
                           s("--control-token-file"),
                           token.fileName(),
                           s("--attempt-deadline"),
                           s("600ms"),
                           s("--backoff-base"),
                           s("100ms"),
                           s("--budget"),
                           s("20s")} +
               more;
    }

private Q_SLOTS:
    void everyConnectionFaultEndsAsOneCharge_data() // case_01, case_03, case_06, case_24, case_27
    {
        QTest::addColumn<QString>("fault");
        QTest::addColumn<bool>("moneyHadMoved");
        QTest::newRow("no fault") << QString() << false;
        for (const char *fault : {"unread:hold", "unread:fin", "unread:rst"})
            QTest::newRow(fault) << s(fault) + s(":next=1") << false;
        for (const char *fault : {"after_commit:hold", "after_commit:fin", "after_commit:rst", "mid_answer:fin"})
            QTest::newRow(fault) << s(fault) + s(":next=1") << true;
        QTest::newRow("before_commit:status(code=500)") << s("before_commit:status(code=500):next=1") << false;
        QTest::newRow("before_commit:restart(ms=300)") << s("before_commit:restart(ms=300):next=1") << false;
    }
    void everyConnectionFaultEndsAsOneCharge()
    {
        QFETCH(QString, fault);
        QFETCH(bool, moneyHadMoved);
        const BankUnderTest bank;
        const Told told =
            run(charge(bank, freshJournal(), fault.isEmpty() ? QStringList() : QStringList{s("--fault"), fault}));
        QVERIFY2(told.exitCode == 0, qPrintable(told.complaint));
        QCOMPARE(told.word(), s("approved"));
        QCOMPARE(told.outcome().value(s("replayed")).toBool(), moneyHadMoved);
        QCOMPARE(told.keys().size(), 1);
        QCOMPARE(bank.movements().size(), 1);
        QCOMPARE(bank.balance(), 98'800);
        QCOMPARE(bank.arrivals(), told.number("wire_sends"));
        QCOMPARE(told.number("wire_sends"), told.number("attempts") - told.number("attempts_not_sent"));
        QVERIFY(!told.outcome().value(s("bank_charge_id")).toString().isEmpty());
        QCOMPARE(told.number("wire_sends"), fault.isEmpty() ? 1 : 2);
    }

    void case_10_aRefusalAfterAnUnansweredAttemptIsUnknownNeverNotCharged_data()
    {
        QTest::addColumn<QString>("second");
        QTest::newRow("401") << s("unread:status(code=401):attempt=2");
        QTest::newRow("404 in HTML") << s("unread:status(code=404,body=html):attempt=2");
        QTest::newRow("400") << s("unread:status(code=400):attempt=2");
    }
    void case_10_aRefusalAfterAnUnansweredAttemptIsUnknownNeverNotCharged()
    {
        QFETCH(QString, second);
        const BankUnderTest bank;
        const Told told =
            run(charge(bank, freshJournal(), {s("--fault"), s("unread:hold:attempt=1"), s("--fault"), second}));
        QCOMPARE(told.exitCode, 12);
        QCOMPARE(told.word(), s("unknown"));
        QCOMPARE(bank.movements().size(), 0);
        QCOMPARE(bank.arrivals(), 2);
    }

    void anAbsentBankEndsAsNotSentAndNothingIsJournalledAsPossiblyCharged()
    {
        QString url;
        {
            QTcpServer held;
            QVERIFY(held.listen(QHostAddress::LocalHost));
            url = s("http://127.0.0.1:%1").arg(held.serverPort());
        }
        const QString journal = freshJournal();
        const QStringList arguments{s("charge"),         s("--order"),  s("A-1"), s("--amount"),  s("1200"),
                                    s("--json"),         s("--server"), url,      s("--journal"), journal,
                                    s("--backoff-base"), s("10ms")};
        const Told told = run(arguments);
        QCOMPARE(told.exitCode, 14);
        QCOMPARE(told.word(), s("not_sent"));
        QCOMPARE(told.number("wire_sends"), 0);
        QCOMPARE(told.number("attempts_not_sent"), told.number("attempts"));
        // Not open: the same order may be charged anew, under a new key.
        const BankUnderTest bank;
        const Told again = run(charge(bank, journal));
        QCOMPARE(again.exitCode, 0);
        QVERIFY(!again.keys().contains(told.outcome().value(s("key")).toString()));
    }

    void aDeclineIsKeptAlsoAfterATopUp() // case_08, case_12
    {
        const BankUnderTest bank;
        const Told told = run(charge(bank, freshJournal(), {s("--source"), s("card_low")}));
        QCOMPARE(told.exitCode, 10);
        QCOMPARE(told.outcome().value(s("decline_code")).toString(), s("insufficient_funds"));
        QCOMPARE(bank.control("PUT", "accounts/card_low", R"({"balance":50000})").status, 200);
        const QByteArray key = told.outcome().value(s("key")).toString().toLatin1();
        const QByteArray body = R"({"order_id":"A-1","amount":1200,"currency":"JPY","source":"card_low",)"
                                R"("terminal_id":"till-1"})";
        const RawAnswer again = bank.charge(key, 2, body);
        QCOMPARE(again.status, 402);
        QVERIFY(again.replayed());
        QCOMPARE(bank.charge(key, 3, QByteArray(body).replace("1200", "1300")).status, 422);
        QCOMPARE(bank.movements().size(), 0);
    }

    void anOrderWithAnOpenCheckoutSendsNothing() // case_05
    {
        const BankUnderTest bank;
        const QString journal = freshJournal();
        const QStringList lost{s("--fault"), s("unread:hold:next=1"), s("--max-attempts"), s("1")};
        const Told first = run(charge(bank, journal, lost));
        QCOMPARE(first.exitCode, 12);
        const Told second = run(charge(bank, journal));
        QCOMPARE(second.exitCode, 12);
        QCOMPARE(second.word(), s("unknown"));
        QCOMPARE(second.keys(), first.keys());
        QCOMPARE(bank.arrivals(), 1);
    }

    void case_20_aRepeatedOrderThatWasPaidIsNotChargedAgain()
    {
        const BankUnderTest bank;
        const QString journal = freshJournal();
        const Told first = run(charge(bank, journal));
        QCOMPARE(first.exitCode, 0);
        const Told again = run(charge(bank, journal));
        QCOMPARE(again.exitCode, 0);
        QCOMPARE(again.word(), s("approved"));
        QCOMPARE(again.outcome().value(s("already_paid")).toBool(), true);
        QCOMPARE(again.keys(), first.keys());
        QVERIFY2(again.complaint.contains(s("--second-sale")), qPrintable(again.complaint));
        const Told other = run(charge(bank, journal).replaceInStrings(s("1200"), s("1300")));
        QCOMPARE(other.exitCode, 11); // paid, but not this amount
        QCOMPARE(bank.arrivals(), 1);
        QCOMPARE(bank.movements().size(), 1);
        const Told meant = run(charge(bank, journal, {s("--second-sale")}));
        QCOMPARE(meant.exitCode, 0);
        QCOMPARE(meant.outcome().value(s("second_sale")).toBool(), true);
        QCOMPARE(bank.movements().size(), 2);
    }

    void case_20_anOutcomeThatAnotherChargeLearnedIsToldAndItsOrderNotChargedAgain()
    {
        mockbank::MockServerOptions slow; // so that the question about the open order is answered first
        slow.bank.processing = std::chrono::milliseconds(300);
        const BankUnderTest bank(slow);
        const QString journal = freshJournal();
        const QStringList lost{s("--fault"), s("after_commit:hold:next=1"), s("--max-attempts"), s("1")};
        const Told first = run(charge(bank, journal, lost));
        QCOMPARE(first.exitCode, 12);
        const Told next = run(charge(bank, journal).replaceInStrings(s("A-1"), s("B-1")));
        QCOMPARE(next.exitCode, 0);
        const auto told = std::find_if(next.lines.begin(), next.lines.end(), [](const QJsonObject &line) {
            return line.value(s("event")).toString() == s("settled_meanwhile");
        });
        QVERIFY(told != next.lines.end());
        QCOMPARE(told->value(s("order_id")).toString(), s("A-1"));
        QCOMPARE(told->value(s("outcome")).toString(), s("approved"));
        const Told again = run(charge(bank, journal));
        QCOMPARE(again.exitCode, 0);
        QCOMPARE(again.outcome().value(s("already_paid")).toBool(), true);
        QCOMPARE(bank.movements().size(), 2); // one for each order
    }

    void case_09_case_11_aBankThatWorksLongerThanTheTerminalWaitsEndsAsOneCharge()
    {
        mockbank::MockServerOptions slow;
        slow.bank.processing = std::chrono::milliseconds(1'500);
        const BankUnderTest bank(slow);
        const Told told = run(charge(bank, freshJournal()));
        QCOMPARE(told.exitCode, 0); // by the late answer to the first try, or by a replay: whichever comes first
        const bool waitedForTheBank = std::any_of(told.lines.begin(), told.lines.end(), [](const QJsonObject &line) {
            return line.value(s("result")).toString() == s("still_processing");
        });
        QVERIFY(waitedForTheBank);
        QCOMPARE(bank.movements().size(), 1);
    }

    void case_32_oneTerminalPerJournal()
    {
        const BankUnderTest bank;
        const QString journal = freshJournal();
        QProcess first;
        first.start(s(PAYMENT_TERMINAL), charge(bank, journal, {s("--fault"), s("unread:hold:next=1")}));
        QVERIFY(first.waitForReadyRead(patienceMs));
        const Told second = run(charge(bank, journal));
        QCOMPARE(second.exitCode, 3);
        QVERIFY2(second.complaint.contains(journal), qPrintable(second.complaint));
        QCOMPARE(second.complaint.count(QLatin1Char('\n')), 1);
        QVERIFY(first.waitForFinished(patienceMs));
    }

    void badInputGetsOneClearLineAndNothingIsSent_data() // case_35, case_36
    {
        QTest::addColumn<QStringList>("change");
        QTest::addColumn<QString>("names");
        QTest::addColumn<int>("exitCode");
        QTest::newRow("amount 0") << QStringList{s("--amount"), s("0")} << s("amount") << 2;
        QTest::newRow("amount negative") << QStringList{s("--amount=-5")} << s("amount") << 2;
        QTest::newRow("amount +10") << QStringList{s("--amount=+10")} << s("amount") << 2;
        QTest::newRow("amount 1.5") << QStringList{s("--amount"), s("1.5")} << s("amount") << 2;
        QTest::newRow("amount 58,99") << QStringList{s("--amount"), s("58,99")} << s("amount") << 2;
        QTest::newRow("amount 1200.0") << QStringList{s("--amount"), s("1200.0")} << s("amount") << 2;
        QTest::newRow("amount 1.2e3") << QStringList{s("--amount"), s("1.2e3")} << s("amount") << 2;
        QTest::newRow("amount 10^12") << QStringList{s("--amount"), s("1000000000000")} << s("amount") << 2;
        QTest::newRow("empty order") << QStringList{s("--order"), s("")} << s("order") << 2;
        QTest::newRow("unknown currency") << QStringList{s("--currency"), s("XQZ")} << s("currency") << 2;
        QTest::newRow("empty source") << QStringList{s("--source"), s("")} << s("source") << 2;
        QTest::newRow("bad URL") << QStringList{s("--server"), s("http//nowhere")} << s("--server") << 2;
        QTest::newRow("URL of another scheme")
            << QStringList{s("--server"), s("ftp://127.0.0.1")} << s("--server") << 2;
        QTest::newRow("unreadable config")
            << QStringList{s("--config"), s("/nowhere/t.ini")} << s("/nowhere/t.ini") << 2;
        QTest::newRow("unreadable API key")
            << QStringList{s("--api-key-file"), s("/nowhere/key")} << s("/nowhere/key") << 2;
        QTest::newRow("unreadable token")
            << QStringList{s("--control-token-file"), s("/nowhere/token")} << s("/nowhere/token") << 2;
        QTest::newRow("journal in no folder")
            << QStringList{s("--journal"), s("/proc/nowhere/j.sqlite")} << s("/proc/nowhere") << 3;
        QTest::newRow("journal is a folder") << QStringList{s("--journal"), s("/proc")} << s("/proc") << 3;
        QTest::newRow("config is junk") << QStringList{s("--config"), m_folder.filePath(s("junk.ini"))} << s("line 2")
                                        << 2;
        QTest::newRow("amount given twice") << QStringList{s("--amount"), s("5")} << s("--amount") << 2;
        QTest::newRow("empty journal name")
            << QStringList{s("--journal="), s("--config"), s("/dev/null")} << s("--journal") << 2;
        QTest::newRow("unknown option") << QStringList{s("--ammount"), s("1")} << s("ammount") << 2;
        QTest::newRow("bad duration") << QStringList{s("--attempt-deadline"), s("3")} << s("attempt-deadline") << 2;
        QTest::newRow("bad fault") << QStringList{s("--fault"), s("after_commit:explode")} << s("explode") << 2;
        QTest::newRow("contradicting fault")
            << QStringList{s("--fault"), s("unread:hold:attempt=0")} << s("attempt") << 2;
    }
    void badInputGetsOneClearLineAndNothingIsSent()
    {
        QFETCH(QStringList, change);
        QFETCH(QString, names);
        QFETCH(int, exitCode);
        QFile junk(m_folder.filePath(s("junk.ini")));
        QVERIFY(junk.open(QIODevice::WriteOnly));
        junk.write("max-attempts=4\nthis is no setting\n");
        junk.close();
        const BankUnderTest bank;
        QStringList arguments = charge(bank, freshJournal());
        const bool isGivenTwice = s(QTest::currentDataTag()).endsWith(s("given twice"));
        for (const QString &option : change) { // the row's word instead of the usual one
            const qsizetype usual = arguments.indexOf(option.section(QLatin1Char('='), 0, 0));
            if (option.startsWith(s("--")) && usual >= 0 && !isGivenTwice)
                arguments.remove(usual, 2);
        }
        const Told told = run(arguments + change);
        QCOMPARE(told.exitCode, exitCode);
        QVERIFY2(told.complaint.contains(names), qPrintable(told.complaint));
        QCOMPARE(told.complaint.trimmed().count(QLatin1Char('\n')), 0);
        QCOMPARE(bank.arrivals(), 0);
        QCOMPARE(bank.movements().size(), 0);
    }

    void aJournalThatIsNoJournalIsLeftAsItIs()
    {
        const QString file = freshJournal();
        QFile notAJournal(file);
        QVERIFY(notAJournal.open(QIODevice::WriteOnly));
        notAJournal.write(QByteArray(8'192, 'x'));
        notAJournal.close();
        const BankUnderTest bank;
        const Told told = run(charge(bank, file));
        QCOMPARE(told.exitCode, 3);
        QVERIFY2(told.complaint.contains(file), qPrintable(told.complaint));
        QVERIFY(notAJournal.open(QIODevice::ReadOnly));
        QCOMPARE(notAJournal.readAll(), QByteArray(8'192, 'x'));
        QCOMPARE(bank.arrivals(), 0);
    }

    void aJournalThatCannotBeWrittenIsNotChargedOn()
    {
        const BankUnderTest bank;
        const QString journal = freshJournal();
        QCOMPARE(run(charge(bank, journal)).exitCode, 0);
        QVERIFY(QFile::setPermissions(journal, QFileDevice::ReadOwner));
        const Told told = run(charge(bank, journal).replaceInStrings(s("A-1"), s("A-2")));
        QCOMPARE(told.exitCode, 3);
        QVERIFY2(told.complaint.contains(journal), qPrintable(told.complaint));
        QCOMPARE(bank.arrivals(), 1);
    }

    void aDiskThatFillsUpInMidChargeIsToldAndTheScriptDoesNotHang()
    {
        const BankUnderTest bank;
        const QString journal = freshJournal();
        QStringList arguments = charge(bank, journal, {s("--fault"), s("unread:hold:next=9")});
        arguments.replaceInStrings(s("20s"), s("2s")); // the budget
        QProcess process;
        // No file may grow past 80 KiB, a little more than an empty journal has: it takes the start, and soon nothing
        // more.
        process.start(s("bash"),
                      QStringList{s("-c"), s("trap '' XFSZ; ulimit -f 80; exec \"$0\" \"$@\""), s(PAYMENT_TERMINAL)} +
                          arguments);
        QVERIFY(process.waitForFinished(patienceMs));
        const QString complaint = QString::fromUtf8(process.readAllStandardError());
        QCOMPARE(process.exitCode(), 3);
        QVERIFY2(complaint.contains(journal), qPrintable(complaint));
        QVERIFY(bank.arrivals() >= 1);
        // Nothing is lost: the order is open, and a second charge is not begun.
        const Told again = run(charge(bank, journal));
        QCOMPARE(again.exitCode, 12);
    }

    static int liveFaults(const BankUnderTest &bank)
    {
        const QJsonArray faults = bank.state().value(s("faults")).toArray();
        return int(std::count_if(faults.begin(), faults.end(), [](const QJsonValue &fault) {
            return fault.toObject().value(s("ended")).isNull() || fault.toObject().value(s("ended")).isUndefined();
        }));
    }

    void faultsForAPaymentThatIsNotSentAreTakenBack()
    {
        const BankUnderTest bank;
        const QString journal = freshJournal();
        const QStringList lost{s("--fault"), s("unread:hold:next=1"), s("--max-attempts"), s("1")};
        QCOMPARE(run(charge(bank, journal, lost)).exitCode, 12);
        bank.disarmAll();
        QCOMPARE(run(charge(bank, journal, {s("--fault"), s("unread:rst:next=3")})).exitCode, 12);
        QCOMPARE(liveFaults(bank), 0);
        QCOMPARE(
            run(charge(bank, journal, {s("--fault"), s("unread:rst:next=3"), s("--fault"), s("nonsense")})).exitCode,
            2);
        QCOMPARE(liveFaults(bank), 0);
    }

    void aBankThatHasChargedCannotBeMadeToSayThatItHasNot()
    {
        const BankUnderTest bank;
        const Told told = run(charge(bank, freshJournal(), {s("--fault"), s("after_commit:status(code=400):next=1")}));
        QCOMPARE(told.exitCode, 2);
        QVERIFY2(told.complaint.contains(s("manifestation.code")), qPrintable(told.complaint));
        const Told stranger =
            run(charge(bank, freshJournal(), {s("--fault"), s("after_commit:status(code=400,body=html):next=1")}));
        QCOMPARE(stranger.word(), s("unknown"));
        QCOMPARE(bank.movements().size(), 1);
    }

    void withoutADisplayTheWindowSaysSo()
    {
        QProcess process;
        QProcessEnvironment bare = QProcessEnvironment::systemEnvironment();
        for (const char *name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
            bare.remove(s(name));
        process.setProcessEnvironment(bare);
        process.start(s(PAYMENT_TERMINAL), QStringList{s("--journal"), freshJournal()});
        QVERIFY(process.waitForFinished(patienceMs));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 2);
    }

    void theCommandLineWinsOverTheEnvironmentAndTheEnvironmentOverTheFile()
    {
        const BankUnderTest bank;
        QFile file(m_folder.filePath(s("terminal.ini")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("max-attempts=4\nterminal-id=till-from-file\nattempt-deadline=50ms\n");
        file.close();
        QProcessEnvironment environment;
        environment.insert(s("IKKAI_MAX_ATTEMPTS"), s("3"));
        environment.insert(s("IKKAI_CONFIG"), file.fileName());
        const QStringList silent{s("--fault"), s("unread:hold:next=9"), s("--backoff-cap"), s("10ms")};
        const Told byEnvironment = run(charge(bank, freshJournal(), silent), environment);
        QCOMPARE(byEnvironment.number("attempts"), 3);
        QCOMPARE(byEnvironment.lines.constFirst().value(s("terminal_id")).toString(), s("till-from-file"));
        const Told byLine =
            run(charge(bank, freshJournal(), silent + QStringList{s("--max-attempts"), s("2")}), environment);
        QCOMPARE(byLine.number("attempts"), 2);
    }

    void aSettingTheFileDoesNotKnowIsNamed()
    {
        QFile file(m_folder.filePath(s("wrong.ini")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("servr=http://127.0.0.1:1\n");
        file.close();
        const BankUnderTest bank;
        const Told told = run(charge(bank, freshJournal(), {s("--config"), file.fileName()}));
        QCOMPARE(told.exitCode, 2);
        QVERIFY2(told.complaint.contains(s("servr")), qPrintable(told.complaint));
    }

    void aRefusedApiKeySendsNothing()
    {
        mockbank::MockServerOptions guarded;
        guarded.apiKeys = {{"shop-1", "the-right-key"}};
        const BankUnderTest bank(guarded);
        QFile key(m_folder.filePath(s("api-key")));
        QVERIFY(key.open(QIODevice::WriteOnly));
        key.write("the-wrong-key\n");
        key.close();
        const QStringList withKey{s("--api-key-file"), key.fileName()};
        const Told refused = run(charge(bank, freshJournal(), withKey));
        QCOMPARE(refused.exitCode, 14);
        QCOMPARE(bank.arrivals(), 0);
        QVERIFY(key.open(QIODevice::WriteOnly));
        key.write("the-right-key\n");
        key.close();
        QCOMPARE(run(charge(bank, freshJournal(), withKey)).exitCode, 0);
    }

    void theKeyMayBeSentQuoted()
    {
        const BankUnderTest bank;
        const Told told = run(
            charge(bank, freshJournal(), {s("--key-format"), s("quoted"), s("--fault"), s("after_commit:rst:next=1")}));
        QCOMPARE(told.exitCode, 0);
        QVERIFY(told.outcome().value(s("replayed")).toBool());
        QCOMPARE(bank.chargesOf(told.outcome().value(s("key")).toString().toLatin1()), 1);
    }

    void theEmbeddedBankKeepsItsLedgerBesideTheJournal()
    {
        const QString journal = freshJournal();
        const QStringList arguments{s("charge"),    s("--order"), s("A-1"),
                                    s("--amount"),  s("1200"),    s("--json"),
                                    s("--journal"), journal,      s("--attempt-deadline"),
                                    s("600ms"),     s("--fault"), s("after_commit:hold:next=1")};
        const Told told = run(arguments);
        QVERIFY2(told.exitCode == 0, qPrintable(told.complaint));
        QCOMPARE(told.number("ledger_charges"), 1);
        QVERIFY(QFile::exists(QString(journal).replace(s(".sqlite"), s("-bank.sqlite"))));
        QVERIFY(told.lines.constFirst().value(s("bank_at")).toString() == s("embedded"));
    }
};

IKKAI_TEST_MAIN(ChargeCommandTest)
#include "tst_charge_command.moc"
