#include "core/gateway/http_gateway.h"
#include "core/training/control_client.h"
#include "mock-server/tls_files.h"
#include "tests/support/bank_under_test.h"
#include "tests/support/test.h"
#include "tests/support/tls_lab.h"
#include "tests/unit/gateway/gateway_probe.h"

#include <QtCore/QProcess>
#include <QtCore/QTemporaryDir>
#include <QtCore/QUrl>
#include <QtTest/QSignalSpy>

#include <memory>

using namespace ikkai::test;
using ikkai::Transmission;

/// The bank over TLS, and the terminal at it.
class BankTlsTest : public ikkai::test::Test {
    Q_OBJECT

private:
    static constexpr int patienceMs = 20'000;

    std::unique_ptr<CertificateLab> m_lab;
    CertificateLab::Pair m_pair;

    std::unique_ptr<BankUnderTest> bankWith(const CertificateLab::Pair &pair) const
    {
        mockbank::MockServerOptions options;
        options.certificatePem = pair.certificate();
        options.keyPem = pair.key();
        auto bank = std::make_unique<BankUnderTest>(options);
        bank->setTransport([authorities = m_lab->authorities()](quint16 port, const QByteArray &bytes, int timeoutMs) {
            TlsConnection connection(port, authorities);
            connection.send(bytes);
            return connection.read(timeoutMs);
        });
        return bank;
    }
    std::unique_ptr<BankUnderTest> bank() const { return bankWith(m_pair); }

    static ikkai::HttpGatewaySettings settingsFor(const BankUnderTest &bank, const QList<QSslCertificate> &authorities)
    {
        ikkai::HttpGatewaySettings settings;
        settings.baseUrl = ikkai::parseBankUrl(bank.url()).value();
        settings.authorities = authorities;
        return settings;
    }

    /// A program of the tree that listens, or nothing.
    struct Program {
        QProcess process;
        QJsonObject line;

        bool start(const QStringList &arguments)
        {
            process.start(QStringLiteral(MOCK_PAYMENT_SERVER), arguments);
            while (!process.canReadLine()) {
                if (!process.waitForReadyRead(patienceMs))
                    return false;
            }
            line = QJsonDocument::fromJson(process.readLine()).object();
            return true;
        }
        QString url() const { return line.value(QStringLiteral("url")).toString(); }
        ~Program()
        {
            if (process.state() == QProcess::NotRunning)
                return;
            process.terminate();
            process.waitForFinished(patienceMs);
        }
    };
    struct Said {
        int exitCode = -1;
        QString out;
        QString err;
    };
    static Said run(const QString &program, const QStringList &arguments, const QString &path = {})
    {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        if (!path.isNull())
            environment.insert(QStringLiteral("PATH"), path);
        process.setProcessEnvironment(environment);
        process.start(program, arguments);
        if (!process.waitForFinished(patienceMs)) {
            process.kill();
            process.waitForFinished();
        }
        return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
                QString::fromUtf8(process.readAllStandardError())};
    }
    static QString s(const char *text) { return QString::fromLatin1(text); }

    void beforeEach() override
    {
        if (m_lab)
            return;
        m_lab = std::make_unique<CertificateLab>();
        m_pair = m_lab->issue(s("bank"));
    }

private Q_SLOTS:
    void initTestCase()
    {
        if (!CertificateLab::isPossible())
            QSKIP("NOT TESTED: TLS. There is no openssl program to make certificates with.");
    }

    void moneyMovesOverTls_data()
    {
        QTest::addColumn<int>("protocol");
        QTest::addColumn<bool>("rsa");
        QTest::newRow("TLS 1.2, EC") << static_cast<int>(QSsl::TlsV1_2) << false;
        QTest::newRow("TLS 1.3, EC") << static_cast<int>(QSsl::TlsV1_3) << false;
        QTest::newRow("TLS 1.3, RSA") << static_cast<int>(QSsl::TlsV1_3) << true;
    }
    void moneyMovesOverTls()
    {
        QFETCH(int, protocol);
        QFETCH(bool, rsa);
        const auto pair = rsa ? m_lab->issue(s("rsa"), s("DNS:localhost"), 1, CertificateLab::rsa()) : m_pair;
        const auto bank = bankWith(pair);
        QVERIFY(bank->url().startsWith(s("https://127.0.0.1:")));
        TlsConnection client(bank->port(), m_lab->authorities(), static_cast<QSsl::SslProtocol>(protocol));
        QVERIFY2(client.isEncrypted(), qPrintable(client.error()));
        client.send(bank->chargeRequest("k"));
        QCOMPARE(client.read().status, 201);
        client.send(bank->chargeRequest("k", 2));
        QVERIFY(client.read().replayed());
        QCOMPARE(bank->chargesOf("k"), 1);
        QCOMPARE(bank->balance(), 98'800);
    }

    void pipelinedRequestsAreAnsweredInOrder()
    {
        const auto bank = this->bank();
        QByteArray bytes;
        constexpr int count = 100;
        for (int i = 0; i < count; ++i)
            bytes += bank->chargeRequest("k" + QByteArray::number(i), 1, BankUnderTest::chargeBody(1));
        TlsConnection client(bank->port(), m_lab->authorities());
        client.send(bytes);
        for (int i = 0; i < count; ++i)
            QCOMPARE(client.read().json().value(s("idempotency_key")).toString(), s("k%1").arg(i));
        QCOMPARE(bank->movements().size(), count);
    }

    void whoSpeaksPlainHttpIsToldSoAndChargesNothing()
    {
        const auto bank = this->bank();
        RawConnection client(bank->port());
        client.send(bank->chargeRequest("k"));
        const RawAnswer answer = client.read();
        QCOMPARE(answer.status, 400);
        QVERIFY(answer.json().value(s("detail")).toString().contains(s("https://")));
        QCOMPARE(client.waitForEnd(), Ending::Closed);
        QCOMPARE(bank->arrivals(), 0);
        QCOMPARE(bank->movements().size(), 0);
        QCOMPARE(bank->counter(s("tls_handshakes_failed")), 1);
    }

    void olderThanTls12IsRefused()
    {
        const auto bank = this->bank();
        const Said said = run(s("openssl"), {s("s_client"), s("-tls1_1"), s("-cipher"), s("DEFAULT@SECLEVEL=0"),
                                             s("-connect"), s("127.0.0.1:%1").arg(bank->port())});
        QVERIFY(said.exitCode != 0);
        QVERIFY2(said.err.contains(s("protocol version")), qPrintable(said.err));
        QCOMPARE(bank->counter(s("tls_handshakes_failed")), 1);
    }

    void anEndInOrderIsSaidInTlsToo()
    {
        const auto bank = this->bank();
        Wiretap wire(bank->port());
        {
            TlsConnection client(wire.port(), m_lab->authorities(), QSsl::TlsV1_2);
            client.send(bank->request("GET", "/healthz", "Connection: close\r\n"));
            QCOMPARE(client.read().status, 200);
            QCOMPARE(client.read().ending, Ending::Closed);
        }
        QCOMPARE(wire.bankEnding(), Ending::Closed);
        constexpr int alert = 21; // close_notify; in TLS 1.2 its type can be seen from outside
        QCOMPARE(wire.lastRecordType(), alert);
    }

    void aFaultIsWhatItSaysOnTheWire_data()
    {
        QTest::addColumn<QByteArray>("spec");
        QTest::addColumn<int>("ending");
        QTest::addColumn<bool>("charged");
        QTest::addColumn<int>("bytes"); // of the answer, -1 for some

        const auto row = [](const char *spec, Ending ending, bool charged, int bytes) {
            QTest::newRow(spec) << QByteArray(spec) << static_cast<int>(ending) << charged << bytes;
        };
        row("unread:fin", Ending::Closed, false, 0);
        row("unread:rst", Ending::Reset, false, 0);
        row("before_commit:fin", Ending::Closed, false, 0);
        row("before_commit:rst", Ending::Reset, false, 0);
        row("after_commit:fin", Ending::Closed, true, 0);
        row("after_commit:rst", Ending::Reset, true, 0);
        row("mid_answer:fin(at=17)", Ending::Closed, true, 17);
        row("mid_answer:rst(at=17)", Ending::Reset, true, 17);
        row("mid_answer:fin(at=body)", Ending::Closed, true, -1);
        row("mid_answer:rst(at=body)", Ending::Reset, true, -1);
        row("after_commit:restart(ms=0)", Ending::Reset, true, 0);
    }
    void aFaultIsWhatItSaysOnTheWire()
    {
        QFETCH(QByteArray, spec);
        QFETCH(int, ending);
        QFETCH(bool, charged);
        QFETCH(int, bytes);
        const auto bank = this->bank();
        bank->arm(spec + ":next=1");
        Wiretap wire(bank->port());
        TlsConnection client(wire.port(), m_lab->authorities());
        client.send(bank->chargeRequest("k"));
        QCOMPARE(wire.bankEnding(), static_cast<Ending>(ending));
        const RawAnswer answer = client.read();
        QVERIFY(answer.ending != Ending::Complete);
        QVERIFY(bytes < 0 ? answer.bytes.contains("\r\n\r\n{") : answer.bytes.size() == bytes);
        QVERIFY(bank->waitUntilBack());
        QTRY_COMPARE(bank->chargesOf("k"), charged ? 1 : 0);
        const RawAnswer again = bank->charge("k", 2);
        QCOMPARE(again.status, 201);
        QCOMPARE(again.replayed(), charged);
        QCOMPARE(bank->chargesOf("k"), 1);
    }

    void faultsThatShapeAnAnswerShapeItOverTlsToo_data()
    {
        QTest::addColumn<QByteArray>("spec");
        QTest::addColumn<int>("status"); // of what came, 0 where no head did
        const auto row = [](const char *spec, int status) { QTest::newRow(spec) << QByteArray(spec) << status; };
        row("late:delay(ms=60)", 201);
        row("late:dribble(bytes=10,ms=2)", 201);
        row("late:bandwidth(bytes_per_s=4000,ms=30)", 201);
        row("after_commit:html_200", 200);
        row("after_commit:wrong_echo", 201);
        row("after_commit:status(code=503,retry_after=soon)", 503);
        row("after_commit:short_body", 201);
        row("after_commit:half_headers", 0);
        row("after_commit:garbage", 0);
        row("in_transit:drop", 0);
    }
    void faultsThatShapeAnAnswerShapeItOverTlsToo()
    {
        QFETCH(QByteArray, spec);
        QFETCH(int, status);
        const auto bank = this->bank();
        bank->arm(spec + ":next=1");
        TlsConnection client(bank->port(), m_lab->authorities());
        client.send(bank->chargeRequest("k"));
        const RawAnswer answer = client.read(1500);
        if (answer.ending == Ending::Complete)
            QCOMPARE(answer.status, status);
        else
            QCOMPARE(answer.bytes.mid(9, 3).toInt(), answer.bytes.startsWith("HTTP/1.1 ") ? 201 : status);
        const RawAnswer again = bank->charge("k", 2);
        QCOMPARE(again.status, 201);
        QCOMPARE(bank->chargesOf("k"), 1);
    }

    void aClientThatGivesUpIsNoticed()
    {
        const auto bank = this->bank();
        bank->arm("after_commit:hold:next=1");
        {
            TlsConnection client(bank->port(), m_lab->authorities());
            client.send(bank->chargeRequest("k"));
            QTRY_COMPARE(bank->held().size(), 1);
        }
        QTRY_COMPARE(bank->held().size(), 0);
        QVERIFY(bank->charge("k", 2).replayed());
    }

    void theTerminalSendsNothingToABankNobodyVouchesFor_data()
    {
        QTest::addColumn<QString>("flaw");
        for (const char *flaw : {"self-signed", "expired", "another name", "no authority named"})
            QTest::newRow(flaw) << s(flaw);
    }
    void theTerminalSendsNothingToABankNobodyVouchesFor()
    {
        QFETCH(QString, flaw);
        CertificateLab::Pair pair = m_pair;
        if (flaw == s("self-signed"))
            pair = m_lab->selfSigned(s("alone"));
        else if (flaw == s("expired"))
            pair = m_lab->issue(s("expired"), s("DNS:localhost,IP:127.0.0.1"), -1);
        else if (flaw == s("another name"))
            pair = m_lab->issue(s("other"), s("DNS:bank.example"));
        const auto bank = bankWith(pair);

        GatewayProbe probe;
        const bool named = flaw != s("no authority named");
        ikkai::HttpGateway gateway(settingsFor(*bank, named ? m_lab->authorities() : QList<QSslCertificate>()));
        gateway.setSink(&probe);
        gateway.charge(chargeOf(keyNumber(1)));
        gateway.inquire({keyNumber(1), bank->ledgerId(), 3'000});
        gateway.learnBank(3'000);
        QVERIFY(waitFor([&] { return probe.ended.size() + probe.inquiries.size() + probe.learned.size() == 3; }));
        QCOMPARE(probe.ended[0].second.end, Transmission::End::TlsFailed);
        QCOMPARE(probe.ended[0].second.wireSends, 0);
        QVERIFY(!probe.ended[0].second.detail.isEmpty());
        QCOMPARE(probe.inquiries[0].second.end, Transmission::End::TlsFailed);
        QVERIFY(!probe.learned[0]);
        QCOMPARE(probe.learned[0].error().end, Transmission::End::TlsFailed);

        ikkai::ControlClientSettings settings;
        settings.baseUrl = ikkai::parseBankUrl(bank->url()).value();
        settings.token = bank->controlToken();
        settings.authorities = named ? m_lab->authorities() : QList<QSslCertificate>();
        ikkai::ControlClient control(settings);
        QSignalSpy failed(&control, &ikkai::ControlClient::failed);
        control.readState();
        QVERIFY(failed.wait());
    }

    void theTerminalChargesAtABankItsAuthorityVouchesFor()
    {
        const auto bank = this->bank();
        GatewayProbe probe;
        ikkai::HttpGateway gateway(settingsFor(*bank, m_lab->authorities()));
        gateway.setSink(&probe);
        gateway.learnBank(3'000);
        auto charge = chargeOf(keyNumber(1));
        charge.expectLedger = bank->ledgerId();
        gateway.charge(charge);
        QVERIFY(waitFor([&] { return probe.ended.size() + probe.learned.size() == 2; }));
        QVERIFY(probe.learned[0]);
        QCOMPARE(probe.ended[0].second.end, Transmission::End::Answered);
        QCOMPARE(probe.ended[0].second.answer->status, 201);
        QCOMPARE(probe.ended[0].second.wireSends, 1);
        QCOMPARE(bank->arrivals(), 1);
    }

    void oneTransmissionStaysOneUnderFaults_data()
    {
        QTest::addColumn<QByteArray>("spec");
        for (const char *spec : {"unread:fin", "unread:rst", "after_commit:fin", "after_commit:rst",
                                 "mid_answer:fin(at=body)", "mid_answer:rst(at=headers)"})
            QTest::newRow(spec) << QByteArray(spec);
    }
    void oneTransmissionStaysOneUnderFaults()
    {
        QFETCH(QByteArray, spec);
        const auto bank = this->bank();
        bank->arm(spec);
        GatewayProbe probe;
        ikkai::HttpGateway gateway(settingsFor(*bank, m_lab->authorities()));
        gateway.setSink(&probe);
        auto charge = chargeOf(keyNumber(1));
        charge.expectLedger = bank->ledgerId();
        gateway.charge(charge);
        QVERIFY(waitFor([&] { return probe.ended.size() == 1; }));
        const Transmission &end = probe.ended[0].second;
        QVERIFY(end.end == Transmission::End::ConnectionLost || end.end == Transmission::End::ResendPrevented ||
                end.end == Transmission::End::AnswerCut);
        QCOMPARE(end.wireSends, 1);
        QCOMPARE(bank->arrivals(), 1);
    }

    void theTrainersConsoleWorksOverTls()
    {
        const auto bank = this->bank();
        ikkai::ControlClientSettings settings;
        settings.baseUrl = ikkai::parseBankUrl(bank->url()).value();
        settings.token = bank->controlToken();
        settings.authorities = m_lab->authorities();
        ikkai::ControlClient control(settings);
        QSignalSpy armed(&control, &ikkai::ControlClient::faultArmed);
        int happened = 0;
        connect(&control, &ikkai::ControlClient::happened, this, [&] { ++happened; });
        control.follow(ikkai::EventFollower::From::Beginning);
        control.armFault(s("after_commit:hold:next=1"));
        QVERIFY(armed.wait());
        QTRY_VERIFY(happened >= 2); // started, armed
    }

    void whatIsWrongWithTheFilesIsSaidInOneLine_data()
    {
        QTest::addColumn<QString>("cert");
        QTest::addColumn<QString>("key");
        QTest::addColumn<QStringList>("said");
        const auto row = [](const char *name, const QString &cert, const QString &key, const QStringList &said) {
            QTest::newRow(name) << cert << key << said;
        };
        row("no certificate", s("nowhere.pem"), s("bank.key"), {s("--cert"), s("nowhere.pem")});
        row("no key", s("bank.crt"), s("nowhere.pem"), {s("--key"), s("nowhere.pem")});
        row("a folder", s("."), s("bank.key"), {s("--cert"), s("is a folder")});
        row("not PEM", s("bank.csr"), s("bank.key"), {s("--cert"), s("bank.csr"), s("is not a PEM certificate")});
        row("key is none", s("bank.crt"), s("bank.crt"), {s("--key"), s("bank.crt"), s("is not a PEM private key")});
        row("key of another", s("bank.crt"), s("authority.key"),
            {s("--cert"), s("--key"), s("authority.key"), s("do not belong together")});
        row("key of another kind", s("bank.crt"), s("rsa.key"), {s("--key"), s("rsa.key")});
        row("encrypted key", s("bank.crt"), s("bank.key.encrypted"),
            {s("--key"), s("bank.key.encrypted"), s("is encrypted")});
    }
    void whatIsWrongWithTheFilesIsSaidInOneLine()
    {
        QFETCH(QString, cert);
        QFETCH(QString, key);
        QFETCH(QStringList, said);
        m_lab->encrypted(m_pair);
        m_lab->issue(s("rsa"), s("DNS:localhost"), 1, CertificateLab::rsa());
        const Said program =
            run(QStringLiteral(MOCK_PAYMENT_SERVER), {s("--cert"), m_lab->file(cert), s("--key"), m_lab->file(key)});
        QCOMPARE(program.exitCode, 2);
        QCOMPARE(program.err.count(QLatin1Char('\n')), 1);
        QVERIFY(program.out.isEmpty());
        for (const QString &part : said)
            QVERIFY2(program.err.contains(part), qPrintable(program.err));
        QString error;
        QVERIFY(!mockbank::readTlsFiles(m_lab->file(cert), m_lab->file(key), &error));
    }

    void theTerminalAsAProgramRefusesAndCharges()
    {
        Program bank;
        QVERIFY(bank.start({s("--self-signed")}));
        QVERIFY(bank.url().startsWith(s("https://")));
        const QString certificate = bank.line.value(s("certificate_file")).toString();
        QVERIFY(QFile::exists(certificate));
        const QString folder = QFileInfo(certificate).path();
        QCOMPARE(QDir(folder).entryList(QDir::Files), QStringList{s("cert.pem")}); // the key is gone already

        QTemporaryDir shop;
        const QStringList charge{
            s("charge"),  s("--server"), bank.url(),    s("--journal"), shop.filePath(s("t.sqlite")),
            s("--order"), s("A-1"),      s("--amount"), s("1200"),      s("--budget"),
            s("1s")};
        const Said refused = run(QStringLiteral(PAYMENT_TERMINAL), charge);
        QCOMPARE(refused.exitCode, 14); // not sent
        QVERIFY2(refused.out.contains(s("TLS handshake failed")), qPrintable(refused.out + refused.err));

        QStringList trusting = charge + QStringList{s("--ca-file"), certificate};
        trusting[6] = s("A-2");
        const Said charged = run(QStringLiteral(PAYMENT_TERMINAL), trusting);
        QVERIFY2(charged.exitCode == 0, qPrintable(charged.out + charged.err));

        bank.process.terminate();
        QVERIFY(bank.process.waitForFinished(patienceMs));
        QVERIFY(!QFile::exists(folder));
        QCOMPARE(bank.process.readAllStandardError(), QByteArray());
    }

    void aCaFileThatIsNoneIsRefused()
    {
        QTemporaryDir shop;
        const QStringList charge{s("charge"),
                                 s("--server"),
                                 s("https://127.0.0.1:1"),
                                 s("--journal"),
                                 shop.filePath(s("t.sqlite")),
                                 s("--order"),
                                 s("A-1"),
                                 s("--amount"),
                                 s("1200")};
        Said said = run(QStringLiteral(PAYMENT_TERMINAL), charge + QStringList{s("--ca-file"), s("/nowhere/ca.pem")});
        QCOMPARE(said.exitCode, 2);
        QVERIFY(said.err.contains(s("/nowhere/ca.pem")));
        said = run(QStringLiteral(PAYMENT_TERMINAL), charge + QStringList{s("--ca-file"), m_pair.keyFile});
        QCOMPARE(said.exitCode, 2);
        QVERIFY(said.err.contains(s("bank.key")));
        QStringList plain = charge;
        plain[2] = s("http://127.0.0.1:1");
        said = run(QStringLiteral(PAYMENT_TERMINAL), plain + QStringList{s("--ca-file"), m_pair.certFile});
        QCOMPARE(said.exitCode, 2);
        QVERIFY(said.err.contains(s("--ca-file")));
    }

    void withoutOpensslSelfSignedSaysWhatIsMissing()
    {
        QTemporaryDir empty;
        const Said said = run(QStringLiteral(MOCK_PAYMENT_SERVER), {s("--self-signed")}, empty.path());
        QCOMPARE(said.exitCode, 1);
        QVERIFY2(said.err.contains(s("openssl")), qPrintable(said.err));
        QCOMPARE(said.err.count(QLatin1Char('\n')), 1);
    }

    void aKeyThatOthersCanReadIsWarnedOf()
    {
        QFile::setPermissions(m_pair.keyFile, QFile::ReadOwner | QFile::WriteOwner | QFile::ReadOther);
        Program bank;
        QVERIFY(bank.start({s("--cert"), m_pair.certFile, s("--key"), m_pair.keyFile}));
        bank.process.terminate();
        QVERIFY(bank.process.waitForFinished(patienceMs));
        const QByteArray said = bank.process.readAllStandardError();
        QVERIFY2(said.contains("bank.key") && said.contains("chmod 600"), said.constData());
    }
};

IKKAI_TEST_MAIN(BankTlsTest)
#include "tst_bank_tls.moc"
