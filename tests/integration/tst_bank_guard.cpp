#include "mock-server/secret_files.h"
#include "tests/support/bank_under_test.h"
#include "tests/support/test.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QProcess>
#include <QtCore/QTemporaryDir>
#include <QtCore/QUrl>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace ikkai::test;

/// Who is let in, and what nobody is told.
class BankGuardTest : public ikkai::test::Test {
    Q_OBJECT

private:
    static constexpr int patienceMs = 20'000;
    static QString s(const char *text) { return QString::fromLatin1(text); }

    static QByteArrayList controlPaths()
    {
        return {"state",    "strategy",      "accounts", "accounts/card_ok",
                "faults",   "faults/f1",     "profile",  "magic-amounts",
                "clock",    "reset",         "held",     "held/1",
                "ledger",   "keys",          "outbox",   "events",
                "journal",  "journal/1",     "wait-for", "restart",
                "scenario", "nothing/at/all"};
    }
    static QByteArrayList openPaths()
    {
        return {"/healthz", "/metrics", "/openapi.json", "/v1/charges", "/v1/charges/k", "/v1/voids", "/nowhere", "/"};
    }
    static bool hasCors(const RawAnswer &answer)
    {
        return std::any_of(answer.headers.begin(), answer.headers.end(),
                           [](const auto &header) { return header.first.toLower().startsWith("access-control-"); });
    }

    QTemporaryDir m_folder;

    QString write(const char *name, const QByteArray &text, QFile::Permissions permissions)
    {
        QFile file(m_folder.filePath(s(name)));
        if (!file.open(QIODevice::WriteOnly))
            qFatal("cannot write %s", name);
        file.write(text);
        file.close();
        file.setPermissions(permissions);
        return file.fileName();
    }

private Q_SLOTS:
    void noPathIsOpenToAnotherSite()
    {
        BankUnderTest bank;
        QByteArrayList paths = openPaths();
        for (const QByteArray &path : controlPaths())
            paths.append("/control/" + path);
        const QByteArray token = "Authorization: Bearer " + bank.controlToken() + "\r\n";
        for (const QByteArray &path : paths) {
            for (const QByteArray method : {"GET", "POST", "PUT", "DELETE"}) {
                const RawAnswer foreign =
                    bank.exchange(bank.request(method, path, token + "Origin: https://evil.example\r\n"));
                QVERIFY2(foreign.status == 403 && !hasCors(foreign), (method + ' ' + path).constData());
                const RawAnswer hidden =
                    bank.exchange(bank.request(method, path, token + "Sec-Fetch-Site: cross-site\r\n"));
                QVERIFY2(hidden.status == 403 && !hasCors(hidden), (method + ' ' + path).constData());
            }
            // What a browser asks before it lets a page of another site do anything.
            const RawAnswer preflight =
                bank.exchange(bank.request("OPTIONS", path,
                                           "Origin: https://evil.example\r\nAccess-Control-Request-Method: POST\r\n"
                                           "Access-Control-Request-Headers: authorization,idempotency-key\r\n"));
            QVERIFY2(preflight.status == 403 && !hasCors(preflight), path.constData());
            const RawAnswer options = bank.exchange(bank.request("OPTIONS", path));
            QVERIFY2(options.status >= 400 && !hasCors(options), path.constData());
            const RawAnswer renamed = bank.exchange("GET " + path + " HTTP/1.1\r\nHost: evil.example\r\n\r\n");
            QVERIFY2(renamed.status == 403, path.constData());
        }
        QCOMPARE(bank.movements().size(), 0);
        QCOMPARE(bank.fault(s("f1")).value(s("status")).toInt(), 404);
    }

    void everyControlCallNeedsTheToken()
    {
        BankUnderTest bank;
        for (const QByteArray &path : controlPaths()) {
            for (const QByteArray method : {"GET", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"}) {
                for (const QByteArray &credentials :
                     QByteArrayList{QByteArray(), QByteArray("Authorization: Bearer guess\r\n"),
                                    "Authorization: Basic " + bank.controlToken() + "\r\n",
                                    "Authorization: Bearer " + bank.controlToken().chopped(1) + "\r\n",
                                    "Authorization: Bearer " + bank.controlToken() + "\r\nAuthorization: Bearer x\r\n",
                                    "Control-Token: " + bank.controlToken() + "\r\n"}) {
                    const RawAnswer answer =
                        bank.exchange(bank.request(method, "/control/" + path, credentials, R"({"down_ms":60000})"));
                    QVERIFY2(answer.status == 401,
                             (method + ' ' + path + ' ' + QByteArray::number(answer.status)).constData());
                }
            }
        }
        QCOMPARE(bank.counter(s("restarts")), 0);
    }

    void aKeyIsRotatedWithoutANewScope()
    {
        const auto serve = [](const QList<std::pair<QByteArray, QByteArray>> &keys, const QString &store) {
            mockbank::MockServerOptions options;
            options.apiKeys = keys;
            options.bank.store = store;
            return std::make_unique<BankUnderTest>(options);
        };
        const auto chargeAs = [](const BankUnderTest &bank, const QByteArray &apiKey, int attempt) {
            return bank.exchange(bank.chargeRequest("k", attempt, BankUnderTest::chargeBody(),
                                                    "Authorization: Bearer " + apiKey + "\r\n"));
        };
        const QString store = s("sqlite:") + m_folder.filePath(s("rotated.db"));
        {
            const auto bank = serve({{"shop", "old"}}, store);
            QCOMPARE(chargeAs(*bank, "old", 1).status, 201);
        }
        {
            const auto bank = serve({{"shop", "old"}, {"shop", "new"}}, store);
            QVERIFY(chargeAs(*bank, "new", 2).replayed());
        }
        const auto bank = serve({{"shop", "new"}}, store);
        QVERIFY(chargeAs(*bank, "new", 3).replayed());
        QCOMPARE(chargeAs(*bank, "old", 4).status, 401);
        QCOMPARE(bank->chargesOf("k"), 1);
    }

    void oddButLegalHttpIsReadAsTheStandardSays()
    {
        BankUnderTest bank;
        const QByteArray host = "Host: localhost\r\n";
        const QByteArray body = BankUnderTest::chargeBody();
        const QByteArray headers = "Content-Type: application/json\r\nIdempotency-Key: k\r\nContent-Length: " +
                                   QByteArray::number(body.size()) + "\r\n";

        // HEAD: the head alone (RFC 9110 section 9.3.2), and the connection is good for the next request.
        RawConnection client(bank.port());
        client.send("HEAD /healthz HTTP/1.1\r\n" + host + "\r\n");
        const RawAnswer head = client.read(5000, true);
        QCOMPARE(head.status, 200);
        QVERIFY(head.header("Content-Length").toInt() > 0);
        // An upgrade that is not wanted is ignored (section 7.8).
        client.send("GET /healthz HTTP/1.1\r\n" + host +
                    "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n");
        QCOMPARE(client.read().status, 200);
        // The absolute form is served (RFC 9112 section 3.2.2), its authority counts as the name.
        client.send("GET http://localhost/healthz HTTP/1.1\r\n" + host + "\r\n");
        QCOMPARE(client.read().status, 200);
        client.send("GET http://evil.example/healthz HTTP/1.1\r\n" + host + "\r\n");
        QCOMPARE(client.read().status, 403);

        // HTTP/1.0 waits for no permission to send its body (RFC 9110 section 10.1.1), and its connection closes.
        RawConnection old(bank.port());
        old.send("POST /v1/charges HTTP/1.0\r\n" + host + headers + "Expect: 100-continue\r\n\r\n" + body);
        QCOMPARE(old.read().status, 201);
        QCOMPARE(old.waitForEnd(), Ending::Closed);
        // Without a Host it cannot say whom it means.
        QCOMPARE(bank.exchange("GET /healthz HTTP/1.0\r\n\r\n").status, 403);

        // A path has one spelling here; nothing is decoded into a route.
        for (const QByteArray path : {"/v1/%63harges", "/v1//charges", "/v1/charges/../charges", "/v1/./charges",
                                      "/V1/charges", "/control%2Fstate", "/%2e%2e/healthz"}) {
            const RawAnswer answer = bank.exchange("POST " + path + " HTTP/1.1\r\n" + host + headers + "\r\n" + body);
            QVERIFY2(answer.status == 404 || answer.status == 405, path.constData());
        }
        QCOMPARE(bank.movements().size(), 1);
    }

    void beyondLoopbackNobodyIsServedWithoutKeys_data()
    {
        QTest::addColumn<QString>("address");
        QTest::addColumn<bool>("isAddress");
        for (const char *address : {"0.0.0.0", "::", "::ffff:0.0.0.0", "192.0.2.1", "2001:db8::1", "255.255.255.255"})
            QTest::newRow(address) << s(address) << true;
        for (const char *name : {"bank.example", "0", "*", "any", "127.0.0.1:80", "http://127.0.0.1"})
            QTest::newRow(name) << s(name) << false;
    }
    void beyondLoopbackNobodyIsServedWithoutKeys()
    {
        QFETCH(QString, address);
        QFETCH(bool, isAddress);
        QProcess process;
        process.start(QStringLiteral(MOCK_PAYMENT_SERVER), {s("--bind"), address});
        QVERIFY(process.waitForFinished(patienceMs));
        QVERIFY(process.exitCode() == 1 || process.exitCode() == 2);
        const QByteArray said = process.readAllStandardError();
        QVERIFY2(said.contains(address.toLatin1()), said.constData());
        if (isAddress)
            QVERIFY2(said.contains("--api-key-file"), said.constData());
        // The library refuses too, not only its program.
        mockbank::MockServerOptions options;
        options.bind = address;
        mockbank::MockServer server;
        QVERIFY(std::holds_alternative<mockbank::StartError>(server.start(options)));
    }

    void theTokenFileReplacesAndIsNeverWrittenInto()
    {
        const QString name = write("token", "old", QFile::ReadOwner | QFile::WriteOwner | QFile::ReadOther);
        QFile early(name);
        QVERIFY(early.open(QIODevice::ReadOnly)); // somebody who was there before
        QString error;
        QVERIFY(mockbank::writeSecret(name, "secret", &error));
        QCOMPARE(early.readAll(), QByteArray("old"));
        QFile file(name);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("secret\n"));
        struct stat info {};
        QCOMPARE(::stat(QFile::encodeName(name).constData(), &info), 0);
        QCOMPARE(static_cast<int>(info.st_mode & 0777), 0600);
        QVERIFY(!mockbank::readableByOthers(name));
        QCOMPARE(QDir(m_folder.path()).entryList({s("token*")}), QStringList{s("token")}); // nothing is left over
    }

    void theTokenFileIsNoLinkAndNoFolder()
    {
        const QString victim = write("victim", "precious", QFile::ReadOwner | QFile::WriteOwner);
        const QString link = m_folder.filePath(s("link"));
        QVERIFY(QFile::link(victim, link));
        QString error;
        QVERIFY(!mockbank::writeSecret(link, "secret", &error));
        QVERIFY2(error.contains(link), qPrintable(error));
        QFile file(victim);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("precious"));
        QVERIFY(!mockbank::writeSecret(m_folder.path(), "secret", &error));
        QVERIFY(!mockbank::writeSecret(s("/nowhere/token"), "secret", &error));
        QVERIFY(error.contains(s("/nowhere/token")));
    }

    void aPipeTakesTheTokenToo()
    {
        const QByteArray pipe = QFile::encodeName(m_folder.filePath(s("pipe")));
        QCOMPARE(::mkfifo(pipe.constData(), 0600), 0);
        const int reader = ::open(pipe.constData(), O_RDONLY | O_NONBLOCK);
        QString error;
        QVERIFY(mockbank::writeSecret(QFile::decodeName(pipe), "secret", &error));
        char text[16]{};
        QCOMPARE(::read(reader, text, sizeof text), ssize_t(7));
        ::close(reader);
        QCOMPARE(QByteArray(text), QByteArray("secret\n"));
    }

    void keysThatOthersCanReadAreWarnedOf()
    {
        const auto open = QFile::ReadOwner | QFile::WriteOwner | QFile::ReadGroup | QFile::ReadOther;
        const QString keys = write("open-keys", "shop:key\n", open);
        QCOMPARE(mockbank::readableByOthers(keys), s("mode 0644"));
        QProcess process;
        process.start(QStringLiteral(MOCK_PAYMENT_SERVER), {s("--api-key-file"), keys});
        QVERIFY(process.waitForReadyRead(patienceMs));
        process.terminate();
        QVERIFY(process.waitForFinished(patienceMs));
        const QByteArray said = process.readAllStandardError();
        QVERIFY2(said.contains("open-keys") && said.contains("chmod 600") && !said.contains("shop"), said.constData());
    }

    void noSecretComesOutAnywhere()
    {
        const QByteArray apiKey = "api-KEY-0d5cbd1f";
        const QByteArray otherKey = "api-KEY-other-77";
        const QByteArray wrongKey = "wrong-KEY-31337";
        const QByteArray wrongToken = "wrong-TOKEN-4242";
        const QString keys = write("keys", "shop:" + apiKey + "\nother:" + otherKey + '\n', QFile::ReadOwner);
        const QString token = m_folder.filePath(s("secret-token"));
        const QString store = m_folder.filePath(s("secret.db"));
        QProcess process;
        process.start(QStringLiteral(MOCK_PAYMENT_SERVER),
                      {s("--api-key-file"), keys, s("--token-file"), token, s("--store"), s("sqlite:") + store});
        QVERIFY(process.waitForReadyRead(patienceMs));
        QByteArray everything = process.readAllStandardOutput();
        const QUrl url(QJsonDocument::fromJson(everything).object().value(s("url")).toString());
        const auto port = static_cast<quint16>(url.port());
        QFile tokenFile(token);
        QVERIFY(tokenFile.open(QIODevice::ReadOnly));
        const QByteArray controlToken = tokenFile.readAll().trimmed();
        QCOMPARE(controlToken.size(), 64);

        const auto exchange = [&](const QByteArray &request) {
            RawConnection client(port);
            client.send(request);
            const RawAnswer answer = client.read(patienceMs);
            everything += answer.bytes;
            return answer.status;
        };
        const QByteArray body = BankUnderTest::chargeBody();
        const auto charge = [&](const QByteArray &headers, const QByteArray &key = "k") {
            return exchange("POST /v1/charges HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                            "Idempotency-Key: " +
                            key + "\r\n" + headers + "Content-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" +
                            body);
        };
        const auto control = [&](const QByteArray &method, const QByteArray &path, const QByteArray &bearer,
                                 const QByteArray &json = {}) {
            return exchange(method + " /control/" + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " +
                            bearer + "\r\nContent-Length: " + QByteArray::number(json.size()) + "\r\n\r\n" + json);
        };
        QCOMPARE(charge("Authorization: Bearer " + apiKey + "\r\n"), 201);
        QCOMPARE(charge("Authorization: Bearer " + apiKey + "\r\nAttempt-Number: 2\r\n"), 201);
        QCOMPARE(charge("Authorization: Bearer " + wrongKey + "\r\n"), 401);
        QCOMPARE(charge("Authorization: Basic " + wrongKey + "\r\n"), 401);
        QCOMPARE(charge("X-Api-Key: " + wrongKey + "\r\n"), 401);
        QCOMPARE(charge("Authorization: Bearer " + otherKey +
                            "\r\nFault: after_commit:rst\r\nControl-Token: " + wrongToken + "\r\n",
                        "k2"),
                 401);
        charge("Authorization: Bearer " + otherKey + "\r\nFault: nonsense\r\nControl-Token: " + controlToken + "\r\n",
               "k3");
        charge("Authorization: Bearer " + otherKey + "\r\nFault: after_commit:fin\r\nControl-Token: " + controlToken +
                   "\r\n",
               "k4");
        charge("Authorization: Bearer " + apiKey + "\r\n  folded: " + wrongKey + "\r\n", "k5"); // no HTTP at all
        charge("Authorization : Bearer " + apiKey + "\r\n", "k6");
        QCOMPARE(control("GET", "state", wrongToken), 401);
        QCOMPARE(control("GET", "state", apiKey), 401); // a customer is not the trainer
        control("PUT", "accounts/card_ok", controlToken, R"({"balance":"x"})");
        control("POST", "faults", controlToken, R"({"spec":"nonsense"})");
        exchange("GET /v1/charges/k HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + apiKey + "\r\n\r\n");
        exchange("GET /v1/charges HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + apiKey + "\r\n\r\n");
        exchange("GET /healthz HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + apiKey + "\r\n\r\n");
        for (const char *path : {"/metrics", "/openapi.json", "/healthz"})
            exchange(QByteArray("GET ") + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
        for (const char *path : {"state", "accounts", "faults", "held", "ledger", "keys", "outbox", "journal",
                                 "journal?format=har", "clock"})
            QVERIFY2(control("GET", path, controlToken) < 500, path);
        QVERIFY(everything.contains("idempotency_key"));
        QVERIFY2(everything.contains("[redacted]"), "the journal was not among it");
        RawConnection stream(port);
        stream.send("GET /control/events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: 0\r\nAuthorization: Bearer " +
                    controlToken + "\r\n\r\n");
        everything += stream.readUntil("\"k4\"", 5000);
        QVERIFY(everything.contains("event: arrival"));
        process.terminate();
        QVERIFY(process.waitForFinished(patienceMs));
        everything += process.readAllStandardError() + process.readAllStandardOutput();
        for (const QString &name : QDir(m_folder.path()).entryList({s("secret.db*")})) {
            QFile file(m_folder.filePath(name));
            QVERIFY(file.open(QIODevice::ReadOnly));
            everything += file.readAll();
        }
        for (const QByteArray &secret : {apiKey, otherKey, wrongKey, wrongToken, controlToken})
            QVERIFY2(!everything.contains(secret), (secret + " came out").constData());
    }

    void aPasswordInTheStoresAddressIsNotRepeated_data()
    {
        QTest::addColumn<QString>("store");
        QTest::newRow("nobody there") << s("postgres://till:pg-PASSWORD-9@127.0.0.1:1/bank");
        QTest::newRow("no port") << s("postgres://till:pg-PASSWORD-9@127.0.0.1:x/bank");
        QTest::newRow("another scheme") << s("mysql://till:pg-PASSWORD-9@127.0.0.1/bank");
    }
    void aPasswordInTheStoresAddressIsNotRepeated()
    {
        QFETCH(QString, store);
        QProcess process;
        process.start(QStringLiteral(MOCK_PAYMENT_SERVER), {s("--store"), store});
        QVERIFY(process.waitForFinished(patienceMs));
        QVERIFY(process.exitCode() != 0);
        const QByteArray said = process.readAllStandardError() + process.readAllStandardOutput();
        QVERIFY(!said.isEmpty());
        QVERIFY2(!said.contains("pg-PASSWORD-9"), said.constData());
    }
};

IKKAI_TEST_MAIN(BankGuardTest)
#include "tst_bank_guard.moc"
