#include "mock-server/http/access.h"
#include "tests/support/test.h"

using namespace mockbank;

class AccessTest : public ikkai::test::Test {
    Q_OBJECT

private:
    static Request request(const QByteArray &host, const QByteArray &origin = {})
    {
        Request request;
        request.host = host;
        request.headers.emplaceBack("Host", host);
        if (!origin.isEmpty())
            request.headers.emplaceBack("Origin", origin);
        return request;
    }

private Q_SLOTS:
    void aForeignNameOrSiteIsRefused_data()
    {
        QTest::addColumn<QString>("address");
        QTest::addColumn<QByteArray>("host");
        QTest::addColumn<QByteArray>("origin");
        QTest::addColumn<bool>("passes");

        const auto row = [](const char *address, const char *host, const char *origin, bool passes) {
            QTest::addRow("%s %s %s", address, host, origin)
                << QString::fromLatin1(address) << QByteArray(host) << QByteArray(origin) << passes;
        };
        row("127.0.0.1", "127.0.0.1:8080", "", true);
        row("127.0.0.1", "127.0.0.1", "", true);
        row("127.0.0.1", "localhost:8080", "", true);
        row("127.0.0.1", "LocalHost", "", true);
        row("127.0.0.1", "[::1]:8080", "", true);
        row("127.0.0.1", "127.0.0.2", "", false);
        row("127.0.0.2", "127.0.0.2", "", true);
        row("127.0.0.1", "evil.example", "", false);
        row("127.0.0.1", "localhost.evil.example", "", false);
        row("127.0.0.1", "127.0.0.1.evil.example:8080", "", false);
        row("127.0.0.1", "localhost:8080@evil.example", "", false);
        row("127.0.0.1", "", "", false);
        row("127.0.0.1", "[::1", "", false);
        row("::1", "[::1]:8080", "", true);
        row("::1", "localhost", "", true);
        row("192.168.1.5", "192.168.1.5:8080", "", true);
        row("::ffff:192.168.1.5", "192.168.1.5:8080", "", true);
        row("192.168.1.5", "localhost:8080", "", false);
        row("192.168.1.5", "bank.test", "", true);
        row("192.168.1.5", "BANK.test:443", "", true);
        row("127.0.0.1", "127.0.0.1:8080", "http://127.0.0.1:8080", true);
        row("127.0.0.1", "127.0.0.1:8080", "http://localhost:8080", true);
        row("127.0.0.1", "127.0.0.1:8080", "http://localhost:3000", false);
        row("127.0.0.1", "127.0.0.1:8080", "http://localhost", false);
        row("127.0.0.1", "127.0.0.1:8080", "https://evil.example", false);
        row("127.0.0.1", "127.0.0.1:8080", "null", false);
        row("127.0.0.1", "127.0.0.1:8080", "file://localhost:8080", false);
        row("127.0.0.1", "127.0.0.1:8080", "https://bank.test", true);
    }
    void aForeignNameOrSiteIsRefused()
    {
        QFETCH(QString, address);
        QFETCH(QByteArray, host);
        QFETCH(QByteArray, origin);
        QFETCH(bool, passes);
        Access access("token", {}, {QStringLiteral("Bank.test")});
        access.setPort(8080);
        const auto refusal = access.refuseForeign(request(host, origin), QHostAddress(address));
        QCOMPARE(!refusal, passes);
        if (refusal)
            QCOMPARE(refusal->status, 403);
    }

    void aPageThatHidesItsOriginIsToldApartByTheBrowser_data()
    {
        QTest::addColumn<QByteArray>("method");
        QTest::addColumn<QByteArray>("site");
        QTest::addColumn<QByteArray>("mode");
        QTest::addColumn<QByteArray>("origin");
        QTest::addColumn<bool>("passes");
        const auto row = [](const char *name, const char *method, const char *site, const char *mode,
                            const char *origin, bool passes) {
            QTest::newRow(name) << QByteArray(method) << QByteArray(site) << QByteArray(mode) << QByteArray(origin)
                                << passes;
        };
        row("image of another site", "GET", "cross-site", "no-cors", "", false);
        row("script of another port", "GET", "same-site", "no-cors", "", false);
        row("form of another site", "POST", "cross-site", "navigate", "", false);
        row("link from another site", "GET", "cross-site", "navigate", "", true);
        row("typed by its user", "GET", "none", "navigate", "", true);
        row("the bank's own page", "POST", "same-origin", "cors", "", true);
        row("a site allowed by name", "POST", "same-site", "cors", "https://bank.test", true);
        row("unheard of", "GET", "whatever", "cors", "", false);
    }
    void aPageThatHidesItsOriginIsToldApartByTheBrowser()
    {
        QFETCH(QByteArray, method);
        QFETCH(QByteArray, site);
        QFETCH(QByteArray, mode);
        QFETCH(QByteArray, origin);
        QFETCH(bool, passes);
        Access access("token", {}, {QStringLiteral("bank.test")});
        access.setPort(8080);
        Request asked = request("localhost:8080", origin);
        asked.method = method;
        asked.headers.emplaceBack("Sec-Fetch-Site", site);
        asked.headers.emplaceBack("Sec-Fetch-Mode", mode);
        QCOMPARE(!access.refuseForeign(asked, QHostAddress(QHostAddress::LocalHost)), passes);
    }

    void aTargetThatIsAUrlCountsAsAName()
    {
        Request sly = request("localhost");
        sly.host = "evil.example";
        QVERIFY(Access("token", {}, {}).refuseForeign(sly, QHostAddress(QHostAddress::LocalHost)));
    }

    void onlyTheTokenIsTheToken()
    {
        const Access access("secret", {}, {});
        QVERIFY(access.isControlToken("secret"));
        QVERIFY(!access.isControlToken("secret "));
        QVERIFY(!access.isControlToken("secre"));
        QVERIFY(!access.isControlToken(""));
        QVERIFY(!Access("", {}, {}).isControlToken(""));
    }

    void aKeySpeaksForItsMerchant()
    {
        QString error;
        const auto keys = readApiKeys("# ours\nshop:old\r\nshop:new\n\nplain\n", &error);
        QVERIFY(keys);
        const Access access("token", *keys, {});
        const auto merchant = [&](const QByteArray &authorization) {
            Request r = request("localhost");
            r.headers.emplaceBack("Authorization", authorization);
            return access.merchantOf(r);
        };
        QCOMPARE(merchant("Bearer old"), QByteArray("shop"));
        QCOMPARE(merchant("bearer new"), QByteArray("shop"));
        QCOMPARE(merchant("Bearer plain"), QByteArray("default"));
        QVERIFY(!merchant("Bearer wrong"));
        QVERIFY(!merchant("Basic old"));
        QVERIFY(!merchant(""));
        QCOMPARE(Access("token", {}, {}).merchantOf(request("localhost")), QByteArray("default"));
    }

    void aKeyFileThatIsNoneIsRefusedWithItsLine()
    {
        QString error;
        QVERIFY(!readApiKeys("good\nshop:\n", &error));
        QVERIFY(error.contains(QStringLiteral("line 2")));
        QVERIFY(!readApiKeys(":key\n", &error));
        QVERIFY(!readApiKeys("two words\n", &error));
        QVERIFY(!readApiKeys("# nothing\n", &error));
    }
};

IKKAI_TEST_MAIN(AccessTest)
#include "tst_access.moc"
