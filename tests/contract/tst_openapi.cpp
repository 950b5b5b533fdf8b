#include "tests/support/bank_under_test.h"
#include "tests/support/test.h"

#include <QtCore/QFile>
#include <QtCore/QProcess>
#include <QtCore/QRegularExpression>
#include <QtCore/QTemporaryDir>

using namespace ikkai::test;

/// openapi.json against the server that serves it. What is said on the wire is validated by openapi_check.py, because a
/// full validator of JSON Schema 2020-12 is in Debian for Python.
class OpenApiTest : public ikkai::test::Test {
    Q_OBJECT

private:
    static QByteArray fileOf(const char *path)
    {
        QFile file(QString::fromUtf8(path));
        if (!file.open(QIODevice::ReadOnly))
            qFatal("no %s", path);
        return file.readAll();
    }
    static QJsonObject document() { return QJsonDocument::fromJson(fileOf(IKKAI_OPENAPI)).object(); }

    /// Exchanges with a real bank, as openapi_check.py reads them.
    class Recorder {
    public:
        explicit Recorder(const BankUnderTest &bank)
            : m_bank(bank)
        {
        }
        RawAnswer call(const QByteArray &method, const QByteArray &target, const QByteArray &body = {},
                       const QByteArray &headers = {}, bool headOnly = false)
        {
            RawConnection connection(m_bank.port());
            connection.send(m_bank.request(method, target, headers, body));
            const RawAnswer answer = connection.read(5000, headOnly);
            QJsonObject sentHeaders;
            for (const QByteArray &line : headers.split('\n')) {
                const qsizetype colon = line.indexOf(':');
                if (colon > 0)
                    sentHeaders.insert(text(line.first(colon)), text(line.mid(colon + 1).trimmed()));
            }
            QJsonObject gotHeaders;
            for (const auto &[name, value] : answer.headers)
                gotHeaders.insert(text(name), text(value));
            const QJsonDocument json = QJsonDocument::fromJson(answer.body);
            m_all.append(
                QJsonObject{{QStringLiteral("send"), QJsonObject{{QStringLiteral("method"), text(method)},
                                                                 {QStringLiteral("target"), text(target)},
                                                                 {QStringLiteral("headers"), sentHeaders},
                                                                 {QStringLiteral("body"), text(body)}}},
                            {QStringLiteral("answer"),
                             QJsonObject{{QStringLiteral("status"), answer.status},
                                         {QStringLiteral("headers"), gotHeaders},
                                         {QStringLiteral("body"), json.isObject() ? QJsonValue(json.object())
                                                                                  : QJsonValue(text(answer.body))}}}});
            return answer;
        }
        RawAnswer charge(const QByteArray &key, const QByteArray &body = BankUnderTest::chargeBody(),
                         const QByteArray &more = {})
        {
            return call("POST", "/v1/charges", body,
                        "Content-Type: application/json\r\nIdempotency-Key: " + key + "\r\nAttempt-Number: 1\r\n" +
                            more);
        }
        RawAnswer voidCharge(const QByteArray &key, const QByteArray &original, const QByteArray &amount = "1200")
        {
            return call("POST", "/v1/voids",
                        "{\"original_key\":\"" + original + "\",\"order_id\":\"A-1\",\"amount\":" + amount +
                            ",\"currency\":\"JPY\"}",
                        "Content-Type: application/json\r\nIdempotency-Key: " + key + "\r\n");
        }
        RawAnswer control(const QByteArray &method, const QByteArray &path, const QByteArray &body = {},
                          bool headOnly = false)
        {
            return call(method, "/control/" + path, body,
                        "Authorization: Bearer " + m_bank.controlToken() + "\r\nContent-Type: application/json\r\n",
                        headOnly);
        }
        [[nodiscard]] QByteArray json() const { return QJsonDocument(m_all).toJson(); }

    private:
        static QString text(const QByteArray &bytes) { return QString::fromUtf8(bytes); }
        const BankUnderTest &m_bank;
        QJsonArray m_all;
    };

    static void callTheDataPlane(Recorder &bank, const BankUnderTest &real)
    {
        bank.charge("a");
        bank.charge("a");
        bank.charge("a", BankUnderTest::chargeBody(7));
        bank.charge("b", BankUnderTest::chargeBody(1200, "card_decline"));
        bank.charge("bad", "{}");
        bank.charge("bad", "nonsense");
        bank.charge("");
        bank.charge("c", BankUnderTest::chargeBody(), "Fault: after_commit:hold\r\n");
        bank.charge("c", BankUnderTest::chargeBody(),
                    "Fault: nonsense\r\nControl-Token: " + real.controlToken() + "\r\n");
        bank.charge("d", BankUnderTest::chargeBody(), "Expect-Ledger: ldg_other\r\n");
        bank.charge("e", BankUnderTest::chargeBody(), "Origin: http://a.example\r\n");
        bank.call("POST", "/v1/charges", "{}", "Idempotency-Key: f\r\nContent-Type: text/plain\r\n");
        bank.call("POST", "/v1/charges", QByteArray(70'000, ' '), "Idempotency-Key: f\r\n");
        bank.call("GET", "/v1/charges/a");
        bank.call("GET", "/v1/charges/never");
        bank.call("GET", "/v1/charges/%20");
        bank.voidCharge("v1", "a");
        bank.voidCharge("v1", "a");
        bank.voidCharge("v2", "a", "7");
        bank.voidCharge("v3", "never-seen");
        bank.voidCharge("v4", "b");
        bank.voidCharge("v5", "never-seen", "0");
        bank.call("GET", "/v1/charges/a");
        bank.charge("a");
        bank.charge("g");
        bank.call("GET", "/v1/charges?limit=1&after=0");
        bank.call("GET", "/v1/charges?from=2020-01-01T00:00:00Z&terminal_id=till-1");
        bank.call("GET", "/v1/charges?limit=501");
        bank.call("PUT", "/v1/charges");
        bank.call("GET", "/nothing");
        bank.call("GET", "/healthz");
        bank.call("HEAD", "/healthz", {}, {}, true);
        bank.call("GET", "/metrics");
        bank.call("HEAD", "/metrics", {}, {}, true);
        bank.call("POST", "/metrics");
        bank.call("GET", "/openapi.json");
        bank.call("GET", "/control/state");
    }

    static void callTheControlPlane(Recorder &bank, const BankUnderTest &real)
    {
        bank.control("GET", "state");
        bank.control("PUT", "strategy", R"({"name":"atomic"})");
        bank.control("PUT", "strategy", R"({"name":"hope"})");
        bank.control("GET", "accounts");
        bank.control("PUT", "accounts/card_low", R"({"balance":5000})");
        bank.control("PUT", "accounts/card_low", R"({"balance":-1})");
        bank.control("POST", "faults", R"({"spec":"after_commit:hold:attempt=1:next=1"})");
        bank.control(
            "POST", "faults",
            R"({"placement":"before_commit","manifestation":{"kind":"status","code":503},"selector":{"attempt":9}})");
        bank.control("POST", "faults", R"({"spec":"nonsense"})");
        bank.control("POST", "faults", "nonsense");
        bank.control("GET", "faults");
        bank.control("GET", "faults/f1");
        bank.control("GET", "faults/f99");
        RawConnection held(real.port());
        held.send(real.chargeRequest("held", 1));
        bank.control("POST", "wait-for", R"({"filter":{"ended":"held"},"timeout_ms":5000})");
        bank.control("GET", "held");
        bank.control("POST", "held/1", R"({"action":"release"})");
        bank.control("POST", "held/1", R"({"action":"release"})");
        bank.control("POST", "held/1", R"({"action":"forget"})");
        bank.control("DELETE", "faults/f2");
        bank.control("DELETE", "faults");
        bank.control("GET", "ledger?after=0&limit=2");
        bank.control("GET", "ledger?limit=0");
        bank.control("GET", "keys");
        bank.control("GET", "outbox");
        bank.control("GET", "outbox?after=0&limit=2&pending=1");
        bank.control("GET", "outbox?pending=2");
        bank.control("GET", "events", {}, true);
        bank.control("GET", "journal?route=charge&limit=3");
        bank.control("GET", "journal?format=har&limit=500");
        bank.control("GET", "journal");
        bank.control("GET", "journal?colour=red");
        bank.control("GET", "journal/1");
        bank.control("GET", "journal/999999");
        bank.control("POST", "wait-for", R"({"count":9999,"timeout_ms":1,"filter":{"key":"a","attempt":1}})");
        bank.control("POST", "wait-for", R"({"count":0})");
        bank.control("GET", "clock");
        bank.control("POST", "clock", R"({"action":"freeze"})");
        bank.control("POST", "clock", R"({"advance_ms":1000})");
        bank.control("POST", "clock", R"({"action":"sleep"})");
        bank.control("POST", "clock", R"({"action":"reset"})");
        bank.control("GET", "profile");
        bank.control("PUT", "profile", R"({"name":"nonsense"})");
        bank.control("PUT", "profile", R"({"name":"good","seed":7})");
        bank.control("DELETE", "profile");
        bank.control("GET", "magic-amounts");
        bank.control("PUT", "magic-amounts", R"({"on":true})");
        bank.control("PUT", "magic-amounts", R"({"on":7})");
        bank.control("PUT", "magic-amounts", R"({"on":false})");
        bank.control("POST", "scenario",
                     R"({"name":"n","seed":1,"bank":{"strategy":"atomic","accounts":{"card_ok":5,"b":{"balance":1}}},)"
                     R"("steps":[{"placement":"unread","manifestation":{"kind":"hold"},"selector":{"attempt":99}}]})");
        bank.control("POST", "scenario", R"({"name":"n","steps":[{}]})");
        bank.control("GET", "scenario");
        bank.control("DELETE", "scenario");
        bank.control("POST", "reset");
        bank.control("POST", "reset", R"({"ledger":true})");
        bank.control("POST", "restart", R"({"down_ms":-1})");
        bank.control("POST", "restart", R"({"down_ms":1})");
    }

private Q_SLOTS:
    void theFileOfTheTreeIsServed()
    {
        BankUnderTest bank;
        const RawAnswer answer = bank.exchange(bank.request("GET", "/openapi.json"));
        QCOMPARE(answer.status, 200);
        QCOMPARE(answer.header("Content-Type"), "application/json");
        QCOMPARE(answer.body, fileOf(IKKAI_OPENAPI));
    }

    void everyPathTakesTheMethodsOfTheDocumentAndNoOther()
    {
        BankUnderTest bank;
        const QByteArray token = "Authorization: Bearer " + bank.controlToken() + "\r\n";
        const QJsonObject paths = document().value(QStringLiteral("paths")).toObject();
        QVERIFY(paths.size() > 20);
        static const QSet<QString> methods{QStringLiteral("get"), QStringLiteral("post"), QStringLiteral("put"),
                                           QStringLiteral("delete"), QStringLiteral("head")};
        for (auto path = paths.begin(); path != paths.end(); ++path) {
            QStringList told;
            for (const QString &name : path.value().toObject().keys()) {
                if (methods.contains(name))
                    told.append(name.toUpper());
            }
            QString target = path.key();
            target.replace(QRegularExpression(QStringLiteral("\\{\\w+\\}")), QStringLiteral("1"));
            const RawAnswer answer = bank.exchange(bank.request("PATCH", target.toUtf8(), token));
            QStringList real = QString::fromLatin1(answer.header("Allow")).split(QStringLiteral(", "));
            told.sort();
            real.sort();
            QVERIFY2(answer.status == 405, qPrintable(path.key() + QLatin1Char(' ') + QString::number(answer.status)));
            QVERIFY2(told == real, qPrintable(path.key() + QStringLiteral(" takes ") + real.join(QLatin1Char(' '))));
        }
    }

    void everythingThatIsSaidIsInTheDocument()
    {
        const QByteArray python = IKKAI_PYTHON;
        QVERIFY2(!python.isEmpty(), "no Python with jsonschema: install python3-jsonschema and configure again");
        BankUnderTest bank;
        Recorder recorder(bank);
        callTheDataPlane(recorder, bank);
        callTheControlPlane(recorder, bank);
        const QTemporaryDir folder;
        const QString live = folder.filePath(QStringLiteral("live.json"));
        QFile file(live);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(recorder.json()) > 0);
        file.close();

        QProcess check;
        check.setProcessChannelMode(QProcess::MergedChannels);
        check.start(QString::fromUtf8(python),
                    {QStringLiteral(IKKAI_OPENAPI_CHECK), QStringLiteral(IKKAI_OPENAPI), QStringLiteral(IKKAI_GOLDEN),
                     live, QStringLiteral(IKKAI_BANK_SOURCES)});
        QVERIFY(check.waitForFinished(120'000));
        const QByteArray said = check.readAll();
        QVERIFY2(check.exitStatus() == QProcess::NormalExit && check.exitCode() == 0, said.constData());
        // What it says last is what it has really done.
        qInfo("%s", said.trimmed().constData());
        QVERIFY(said.contains(" golden scenarios") && said.contains(" 0 faults"));
    }
};

IKKAI_TEST_MAIN(OpenApiTest)
#include "tst_openapi.moc"
