#include "mock-server/bank/charge_request.h"
#include "mock-server/bank/currency.h"
#include "tests/support/test.h"

using namespace ikkai::test;
using namespace mockbank;

/// Which bodies are money, and which two bodies are the same money.
class TestChargeRequest : public Test {
    Q_OBJECT

    /// JSON reads better here with single quotes.
    static QByteArray quoted(QByteArray text) { return text.replace('\'', '"'); }

    static QByteArray fingerprint(const QByteArray &body)
    {
        const auto read = readChargeRequest(body);
        const auto *request = std::get_if<ChargeRequest>(&read);
        return request ? request->fingerprint : QByteArray();
    }

private Q_SLOTS:
    void a_body_that_is_not_exactly_a_charge_is_refused_by_the_member_to_blame_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QString>("field");
        const auto row = [](const char *name, const QByteArray &body, const char *field) {
            QTest::newRow(name) << body << QString::fromLatin1(field);
        };
        const auto withAmount = [](const QByteArray &amount) {
            return quoted("{'order_id':'A-1','amount':") + amount + quoted(",'currency':'JPY','source':'card_ok'}");
        };
        row("amount zero", withAmount("0"), "amount");
        row("amount minus zero", withAmount("-0"), "amount");
        row("amount negative", withAmount("-5"), "amount");
        row("amount with a fraction", withAmount("1.5"), "amount");
        row("amount with an empty fraction", withAmount("1200.0"), "amount");
        row("amount with an exponent", withAmount("1.2e3"), "amount");
        row("amount with a whole exponent", withAmount("12E2"), "amount");
        row("amount too large", withAmount("100000000"), "amount");
        row("amount 10^12", withAmount("1000000000000"), "amount");
        row("amount beyond 64 bits", withAmount("99999999999999999999"), "amount");
        row("amount wraps to 1200 in 64 bits", withAmount("18446744073709552816"), "amount");
        row("amount as a string", withAmount(quoted("'1200'")), "amount");
        row("amount null", withAmount("null"), "amount");
        row("amount true", withAmount("true"), "amount");
        row("amount in a list", withAmount("[1200]"), "amount");
        row("amount in an object", withAmount(quoted("{'amount':1200}")), "amount");
        row("amount twice", withAmount(quoted("1200,'amount':1200")), "amount");
        row("amount twice, other value", withAmount(quoted("1200,'amount':1")), "amount");
        row("amount twice, once escaped", withAmount(quoted("1200,'\\u0061mount':1")), "amount");
        row("amount missing", quoted("{'order_id':'A-1','currency':'JPY','source':'card_ok'}"), "amount");
        row("order empty", quoted("{'order_id':'','amount':1,'currency':'JPY','source':'card_ok'}"), "order_id");
        row("order a number", quoted("{'order_id':1,'amount':1,'currency':'JPY','source':'card_ok'}"), "order_id");
        row("order with a line feed", quoted("{'order_id':'A\\n1','amount':1,'currency':'JPY','source':'c'}"),
            "order_id");
        row("order with NUL", quoted("{'order_id':'A\\u0000','amount':1,'currency':'JPY','source':'c'}"), "order_id");
        row("order with half a pair", quoted("{'order_id':'\\ud83d','amount':1,'currency':'JPY','source':'c'}"),
            "order_id");
        row("order too long",
            quoted("{'order_id':'") + QByteArray(256, 'A') + quoted("','amount':1,'currency':'JPY','source':'c'}"),
            "order_id");
        row("order missing", quoted("{'amount':1,'currency':'JPY','source':'card_ok'}"), "order_id");
        row("currency unknown", quoted("{'order_id':'A','amount':1,'currency':'XYZ','source':'card_ok'}"), "currency");
        row("currency lower case", quoted("{'order_id':'A','amount':1,'currency':'jpy','source':'card_ok'}"),
            "currency");
        row("currency empty", quoted("{'order_id':'A','amount':1,'currency':'','source':'card_ok'}"), "currency");
        row("currency cut", quoted("{'order_id':'A','amount':1,'currency':'JP','source':'card_ok'}"), "currency");
        row("currency full width", quoted("{'order_id':'A','amount':1,'currency':'ＪＰＹ','source':'card_ok'}"),
            "currency");
        row("currency missing", quoted("{'order_id':'A','amount':1,'source':'card_ok'}"), "currency");
        row("source empty", quoted("{'order_id':'A','amount':1,'currency':'JPY','source':''}"), "source");
        row("source missing", quoted("{'order_id':'A','amount':1,'currency':'JPY'}"), "source");
        row("terminal a number", quoted("{'order_id':'A','amount':1,'currency':'JPY','source':'c','terminal_id':7}"),
            "terminal_id");
        row("description a list",
            quoted("{'order_id':'A','amount':1,'currency':'JPY','source':'c','description':['x']}"), "description");
        row("unknown member", quoted("{'order_id':'A','amount':1,'currency':'JPY','source':'c','tip':5}"), "tip");
        row("member in other case", quoted("{'order_id':'A','Amount':1,'currency':'JPY','source':'c'}"), "Amount");
        row("empty body", "", "body");
        row("not JSON", "amount=1200", "body");
        row("cut", quoted("{'order_id':'A','amount':12"), "body");
        row("trailing comma", quoted("{'order_id':'A','amount':1,'currency':'JPY','source':'c',}"), "body");
        row("something behind", withAmount("1200") + "{}", "body");
        row("a list", "[]", "body");
        row("a number", "1200", "body");
        row("null", "null", "body");
        row("an empty object", "{}", "order_id");
        row("a leading zero", withAmount("01200"), "body");
        row("a plus sign", withAmount("+1200"), "body");
        row("NaN", withAmount("NaN"), "body");
        row("bytes that are not UTF-8", "{\"order_id\":\"\xff\",\"amount\":1,\"currency\":\"JPY\",\"source\":\"c\"}",
            "body");
        row("a raw line feed in a string", "{\"order_id\":\"A\n1\",\"amount\":1,\"currency\":\"JPY\",\"source\":\"c\"}",
            "order_id");
        row("an unknown escape", quoted("{'order_id':'\\q','amount':1,'currency':'JPY','source':'c'}"), "order_id");
        row("ten thousand brackets", QByteArray(10'000, '['), "body");
    }
    void a_body_that_is_not_exactly_a_charge_is_refused_by_the_member_to_blame()
    {
        QFETCH(QByteArray, body);
        QFETCH(QString, field);
        const auto read = readChargeRequest(body);
        const auto *flaw = std::get_if<BadField>(&read);
        QVERIFY(flaw);
        QCOMPARE(flaw->field, field);
        QVERIFY(!flaw->detail.isEmpty());
        QVERIFY(!flaw->detail.contains(QLatin1Char('\n')));
    }

    void every_member_is_read()
    {
        const auto read = readChargeRequest(
            "\xEF\xBB\xBF" + quoted(" {'order_id':'A-1001 \\u65e5\\'','amount':99999999,'currency':'KWD',") +
            quoted("'source':'card_ok','terminal_id':'till-1','description':'two\\ncoffees'} "));
        const auto *request = std::get_if<ChargeRequest>(&read);
        QVERIFY(request);
        QCOMPARE(request->details.orderId, QStringLiteral("A-1001 日\""));
        QCOMPARE(request->details.amountMinor, 99'999'999);
        QCOMPARE(request->details.currency, "KWD");
        QCOMPARE(request->details.source, QStringLiteral("card_ok"));
        QCOMPARE(request->details.terminalId, QStringLiteral("till-1"));
        QCOMPARE(request->fingerprint.size(), 32);
    }

    void case_18_member_order_and_white_space_do_not_change_the_fingerprint()
    {
        const QByteArray plain = quoted("{'order_id':'A-1','amount':1200,'currency':'JPY','source':'card_ok'}");
        const QByteArray expected = fingerprint(plain);
        QCOMPARE(expected.size(), 32);
        QCOMPARE(fingerprint(quoted("{'source':'card_ok','currency':'JPY','amount':1200,'order_id':'A-1'}")), expected);
        QCOMPARE(fingerprint("{\r\n\t\"currency\" : \"JPY\",\n \"order_id\": \"A-1\" , \"source\":\"card_ok\","
                             "\"amount\":   1200 }\n"),
                 expected);
        QCOMPARE(
            fingerprint(quoted("{'order_id':'\\u0041-1','am\\u006funt':1200,'currency':'JPY','source':'card_ok'}")),
            expected);
    }

    void another_value_is_another_fingerprint_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::newRow("amount") << QByteArray(
            quoted("{'order_id':'A-1','amount':1201,'currency':'JPY','source':'card_ok'}"));
        QTest::newRow("order") << QByteArray(
            quoted("{'order_id':'A-2','amount':1200,'currency':'JPY','source':'card_ok'}"));
        QTest::newRow("currency") << QByteArray(
            quoted("{'order_id':'A-1','amount':1200,'currency':'USD','source':'card_ok'}"));
        QTest::newRow("source") << QByteArray(
            quoted("{'order_id':'A-1','amount':1200,'currency':'JPY','source':'card_no'}"));
        QTest::newRow("a member more") << QByteArray(
            quoted("{'order_id':'A-1','amount':1200,'currency':'JPY','source':'card_ok','description':''}"));
    }
    void another_value_is_another_fingerprint()
    {
        QFETCH(QByteArray, body);
        QCOMPARE(fingerprint(body).size(), 32);
        QVERIFY(fingerprint(body) !=
                fingerprint(quoted("{'order_id':'A-1','amount':1200,'currency':'JPY','source':'card_ok'}")));
    }

    void the_fingerprint_is_the_sha_256_of_the_sorted_members()
    {
        // printf '{"amount":1200,"currency":"JPY","order_id":"A-1","source":"card_ok"}' | sha256sum
        QCOMPARE(fingerprint(quoted("{'order_id':'A-1','amount':1200,'currency':'JPY','source':'card_ok'}")).toHex(),
                 "9fcaf40968292bd3a946fd9580bb7a6ce16e24e74f1d2a2d295800b11eac623e");
    }

    void currencies_know_their_minor_units()
    {
        QCOMPARE(minorUnitDigits("JPY"), 0);
        QCOMPARE(minorUnitDigits("USD"), 2);
        QCOMPARE(minorUnitDigits("KWD"), 3);
        QVERIFY(!minorUnitDigits("PYU"));
        QVERIFY(!minorUnitDigits("XXX"));
        QVERIFY(!minorUnitDigits("Y K"));
    }
};

IKKAI_TEST_MAIN(TestChargeRequest)
#include "tst_charge_request.moc"
