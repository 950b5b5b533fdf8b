#include "tests/support/raw_http.h"
#include "tests/support/test.h"

#include <QtCore/QFile>
#include <QtCore/QProcess>
#include <QtCore/QTemporaryDir>
#include <QtCore/QUrl>

#include <csignal>
#include <sys/stat.h>

using namespace ikkai::test;

/// mock-payment-server as its users meet it: a process.
class BankProgramTest : public ikkai::test::Test {
    Q_OBJECT

private:
    static constexpr int patienceMs = 20'000;

    struct Program {
        QProcess process;
        QJsonObject line; ///< what it printed when it listened
        quint16 port = 0;

        bool start(const QStringList &arguments)
        {
            process.start(QStringLiteral(MOCK_PAYMENT_SERVER), arguments);
            while (!process.canReadLine()) {
                if (!process.waitForReadyRead(patienceMs))
                    return false;
            }
            line = QJsonDocument::fromJson(process.readLine()).object();
            port = static_cast<quint16>(QUrl(line.value(QStringLiteral("url")).toString()).port(0));
            return port > 0;
        }
        RawAnswer charge(const QByteArray &key, int timeoutMs = patienceMs) const
        {
            const QByteArray body = R"({"order_id":"A-1","amount":1200,"currency":"JPY","source":"card_ok"})";
            RawConnection connection(port);
            connection.send(
                "POST /v1/charges HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nIdempotency-Key: " +
                key + "\r\nContent-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body);
            return connection.read(timeoutMs);
        }
        ~Program()
        {
            if (process.state() != QProcess::NotRunning) {
                process.kill();
                process.waitForFinished(patienceMs);
            }
        }
    };

    /// Runs to the end; returns the exit code and what was said on stderr.
    static std::pair<int, QString> run(const QStringList &arguments)
    {
        QProcess process;
        process.start(QStringLiteral(MOCK_PAYMENT_SERVER), arguments);
        if (!process.waitForFinished(patienceMs)) {
            process.kill();
            process.waitForFinished(patienceMs);
            return {-1, QStringLiteral("did not end")};
        }
        return {process.exitCode(), QString::fromUtf8(process.readAllStandardError())};
    }

    static QString s(const char *text) { return QString::fromLatin1(text); }

    QTemporaryDir m_folder;

private Q_SLOTS:
    void itPrintsOneLineWhenItListensAndEndsOnASignal_data()
    {
        QTest::addColumn<int>("signal");
        QTest::newRow("SIGTERM") << SIGTERM;
        QTest::newRow("SIGINT") << SIGINT;
    }
    void itPrintsOneLineWhenItListensAndEndsOnASignal()
    {
        QFETCH(int, signal);
        const QString token = m_folder.filePath(s("token"));
        QFile old(token);
        QVERIFY(old.open(QIODevice::WriteOnly));
        old.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ReadOther);
        old.close();

        Program program;
        QVERIFY(program.start({s("--token-file"), token}));
        QCOMPARE(program.line.value(s("pid")).toInteger(), program.process.processId());
        QCOMPARE(program.line.value(s("token_file")).toString(), token);
        QVERIFY(!program.line.value(s("ledger_id")).toString().isEmpty());
        struct stat info {};
        QCOMPARE(::stat(QFile::encodeName(token).constData(), &info), 0);
        QCOMPARE(static_cast<int>(info.st_mode & 0777), 0600);
        QCOMPARE(program.charge("k").status, 201);

        ::kill(static_cast<pid_t>(program.process.processId()), signal);
        QVERIFY(program.process.waitForFinished(patienceMs));
        QCOMPARE(program.process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(program.process.exitCode(), 0);
        QCOMPARE(program.process.readAllStandardError(), QByteArray());
        QCOMPARE(program.process.readAllStandardOutput(), QByteArray());
    }

    void afterKill9NothingIsLostAndNothingIsTwice()
    {
        const QString store = s("sqlite:") + m_folder.filePath(s("killed.db"));
        QString ledger;
        for (int round = 0; round < 5; ++round) {
            Program program;
            QVERIFY(program.start({s("--store"), store}));
            const QString ledgerNow = program.line.value(s("ledger_id")).toString();
            QVERIFY(ledger.isEmpty() || ledger == ledgerNow);
            ledger = ledgerNow;
            for (int i = 0; i <= round; ++i) {
                const RawAnswer answer = program.charge("k" + QByteArray::number(i));
                QCOMPARE(answer.status, 201);
                QCOMPARE(answer.replayed(), i < round);
                QCOMPARE(answer.json().value(s("balance")).toInteger(), 100'000 - 1200 * (i + 1));
            }
            program.process.kill();
            QVERIFY(program.process.waitForFinished(patienceMs));
        }
    }

    void whatCannotBeDoneIsSaidInOneLine_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QString>("named");

        QTest::newRow("option") << QStringList{s("--prot"), s("1")} << 2 << s("--prot");
        QTest::newRow("value") << QStringList{s("--lease"), s("ten")} << 2 << s("--lease");
        QTest::newRow("strategy") << QStringList{s("--strategy"), s("best")} << 2 << s("--strategy");
        QTest::newRow("store") << QStringList{s("--store"), s("sqlite:/nowhere/at/all.db")} << 1
                               << s("/nowhere/at/all.db");
        QTest::newRow("store scheme") << QStringList{s("--store"), s("mysql:x")} << 1 << s("mysql");
        QTest::newRow("address") << QStringList{s("--bind"), s("not-an-address")} << 1 << s("not-an-address");
        QTest::newRow("beyond loopback") << QStringList{s("--bind"), s("0.0.0.0")} << 2 << s("--api-key-file");
        QTest::newRow("key file") << QStringList{s("--api-key-file"), s("/nowhere/keys")} << 2 << s("/nowhere/keys");
        QTest::newRow("token file") << QStringList{s("--token-file"), s("/nowhere/token")} << 1 << s("/nowhere/token");
    }
    void whatCannotBeDoneIsSaidInOneLine()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, exitCode);
        QFETCH(QString, named);
        const auto [code, said] = run(arguments);
        QCOMPARE(code, exitCode);
        QVERIFY2(said.contains(named), qPrintable(said));
        QCOMPARE(said.count(QLatin1Char('\n')), 1);
        QVERIFY(said.startsWith(s("mock-payment-server: ")));
    }

    void aPortInUseIsNamed()
    {
        Program first;
        QVERIFY(first.start({}));
        const auto [code, said] = run({s("--port"), QString::number(first.port)});
        QCOMPARE(code, 1);
        QVERIFY2(said.contains(QString::number(first.port)), qPrintable(said));
        QCOMPARE(said.count(QLatin1Char('\n')), 1);
    }

    void theSameInstanceTwiceAtOneStoreIsRefused()
    {
        const QString store = s("sqlite:") + m_folder.filePath(s("twice.db"));
        Program first;
        QVERIFY(first.start({s("--store"), store}));
        const auto [code, said] = run({s("--store"), store});
        QCOMPARE(code, 1);
        QVERIFY2(said.contains(s("bank-1")), qPrintable(said));
    }

    void beyondLoopbackItWorksWithKeys()
    {
        QFile keys(m_folder.filePath(s("keys")));
        QVERIFY(keys.open(QIODevice::WriteOnly));
        keys.write("shop:secret\n");
        keys.close();
        keys.setPermissions(QFile::ReadOwner | QFile::ReadGroup);
        const QStringList open{s("--bind"), s("0.0.0.0"), s("--api-key-file"), keys.fileName()};
        const auto [code, said] = run(open);
        QCOMPARE(code, 2);
        QVERIFY2(said.contains(s("chmod 600")), qPrintable(said));

        keys.setPermissions(QFile::ReadOwner);
        Program program;
        QVERIFY(program.start(
            {s("--bind"), s("0.0.0.0"), s("--api-key-file"), keys.fileName(), s("--allow-host"), s("localhost")}));
        QCOMPARE(program.charge("k").status, 401);
    }

    void helpAndVersionAreAnswered()
    {
        for (const QString &option : {s("--help"), s("--version")}) {
            QProcess process;
            process.start(QStringLiteral(MOCK_PAYMENT_SERVER), {option});
            QVERIFY(process.waitForFinished(patienceMs));
            QCOMPARE(process.exitCode(), 0);
            QVERIFY(process.readAllStandardOutput().startsWith("mock-payment-server"));
        }
    }

    void aLinkToAStoreIsTheSameStore()
    {
        const QString store = m_folder.filePath(s("meant.db"));
        const QString link = m_folder.filePath(s("link.db"));
        Program first;
        QVERIFY(first.start({s("--store"), s("sqlite:") + store}));
        QVERIFY(QFile::link(store, link));
        const auto [code, complaint] = run({s("--store"), s("sqlite:") + link});
        QCOMPARE(code, 1);
        QVERIFY2(complaint.contains(s("--instance")), qPrintable(complaint));
    }

    void theQuotedFormOfAKeyNamesItInAPathToo()
    {
        Program bank;
        QVERIFY(bank.start({}));
        QCOMPARE(bank.charge("key-1").status, 201);
        RawConnection connection(bank.port);
        connection.send("GET /v1/charges/%22key-1%22 HTTP/1.1\r\nHost: localhost\r\n\r\n");
        QCOMPARE(connection.read(patienceMs).status, 200);
    }
};

IKKAI_TEST_MAIN(BankProgramTest)
#include "tst_bank_program.moc"
