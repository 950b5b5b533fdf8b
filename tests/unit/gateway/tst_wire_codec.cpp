#include "core/gateway/http_gateway.h"
#include "core/gateway/wire_codec.h"
#include "tests/support/test.h"

#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>

using namespace ikkai;

namespace {

IdempotencyKey aKey()
{
    return IdempotencyKey::parse(u"0190a8b5-2f4e-7abc-8f3a-1c2d3e4f5a6b").value();
}

QByteArray bodyFor(QStringView order, QStringView terminal = u"till-1")
{
    return chargeBody(OrderId::parse(order).value(), Money::ofMinor(1200, Currency::jpy()).value(),
                      SourceId::parse(u"card_ok").value(), terminal.toString());
}

QByteArray valueOf(const HeaderList &headers, const QByteArray &name)
{
    QByteArray found;
    int times = 0;
    for (const auto &[key, value] : headers) {
        if (key == name) {
            found = value;
            ++times;
        }
    }
    return times == 1 ? found : times == 0 ? QByteArray("(none)") : QByteArray("(twice)");
}

HttpAnswer answerWith(QHash<QByteArray, QByteArray> headers, const QByteArray &body, int status = 201)
{
    return HttpAnswer{status, std::move(headers), body};
}

} // namespace

Q_DECLARE_METATYPE(ikkai::HttpAnswer)

class TestWireCodec : public ikkai::test::Test {
    Q_OBJECT

private Q_SLOTS:
    void the_body_is_exactly_these_bytes()
    {
        QCOMPARE(bodyFor(u"A-1001"), QByteArray(R"({"order_id":"A-1001","amount":1200,"currency":"JPY",)"
                                                R"("source":"card_ok","terminal_id":"till-1"})"));
    }

    void an_order_in_any_script_comes_back_as_it_was()
    {
        const QString order = QString::fromUtf8("注文 \"7\" \\ é 🍣");
        const QByteArray body = bodyFor(order);
        QCOMPARE(QJsonDocument::fromJson(body).object().value(QLatin1String("order_id")).toString(), order);
        QVERIFY(!body.contains('\n'));
    }

    void the_terminals_name_cannot_break_out_of_its_member()
    {
        const QByteArray body = bodyFor(u"A", u"till\",\"amount\":1,\"x\":\"");
        const QJsonObject object = QJsonDocument::fromJson(body).object();
        QCOMPARE(object.size(), 5);
        QCOMPARE(object.value(QLatin1String("amount")).toInteger(), 1200);
    }

    void the_key_stands_bare_or_as_a_structured_field_string()
    {
        QCOMPARE(keyHeaderValue(aKey(), KeyFormat::Bare), QByteArray("0190a8b5-2f4e-7abc-8f3a-1c2d3e4f5a6b"));
        QCOMPARE(keyHeaderValue(aKey(), KeyFormat::Quoted), QByteArray("\"0190a8b5-2f4e-7abc-8f3a-1c2d3e4f5a6b\""));
    }

    void a_charge_carries_key_attempt_ledger_and_api_key()
    {
        const ChargeTransmission charge{AttemptId{aKey(), 7}, "{}", QStringLiteral("led_9"), 3'000};
        const HeaderList headers = chargeHeaders(charge, "sk_test", KeyFormat::Bare);
        QCOMPARE(valueOf(headers, "Content-Type"), QByteArray("application/json"));
        QCOMPARE(valueOf(headers, "Idempotency-Key"), aKey().bytes());
        QCOMPARE(valueOf(headers, "Attempt-Number"), QByteArray("7"));
        QCOMPARE(valueOf(headers, "Expect-Ledger"), QByteArray("led_9"));
        QCOMPARE(valueOf(headers, "Authorization"), QByteArray("Bearer sk_test"));
    }

    void a_void_is_exactly_these_bytes()
    {
        const QByteArray body =
            voidBody(aKey(), OrderId::parse(u"A-1001").value(), Money::ofMinor(1200, Currency::jpy()).value());
        QCOMPARE(body, QByteArray(R"({"original_key":"0190a8b5-2f4e-7abc-8f3a-1c2d3e4f5a6b","order_id":"A-1001",)"
                                  R"("amount":1200,"currency":"JPY"})"));
        const QString order = QString::fromUtf8("注文 \"7\" \\ é 🍣");
        const QByteArray odd =
            voidBody(aKey(), OrderId::parse(order).value(), Money::ofMinor(1, Currency::parse(u"KWD").value()).value());
        QCOMPARE(QJsonDocument::fromJson(odd).object().value(QLatin1String("order_id")).toString(), order);
    }

    void a_void_carries_its_own_key_its_try_ledger_and_api_key()
    {
        const IdempotencyKey voidKey = IdempotencyKey::parse(u"0190a8b5-2f4e-7def-8f3a-1c2d3e4f5a6b").value();
        const VoidTransmission sent{aKey(), voidKey, 3, "{}", QStringLiteral("led_1"), 1'000};
        const HeaderList headers = voidHeaders(sent, "sk_1", KeyFormat::Bare);
        QCOMPARE(valueOf(headers, "Idempotency-Key"), voidKey.bytes());
        QCOMPARE(valueOf(headers, "Attempt-Number"), QByteArray("3"));
        QCOMPARE(valueOf(headers, "Expect-Ledger"), QByteArray("led_1"));
        QCOMPARE(valueOf(headers, "Authorization"), QByteArray("Bearer sk_1"));
        QCOMPARE(valueOf(headers, "Content-Type"), QByteArray("application/json"));
        QCOMPARE(valueOf(voidHeaders(sent, {}, KeyFormat::Quoted), "Idempotency-Key"), '"' + voidKey.bytes() + '"');
        QCOMPARE(valueOf(voidHeaders(sent, {}, KeyFormat::Bare), "Authorization"), QByteArray("(none)"));
        QCOMPARE(voidUrl(parseBankUrl(u"http://bank/till").value()).toEncoded(),
                 QByteArray("http://bank/till/v1/voids"));
    }

    void a_foreign_key_stays_one_segment_of_the_path()
    {
        const QUrl bank = parseBankUrl(u"http://bank").value();
        const auto url = [&](const char *key) { return foreignInquiryUrl(bank, QString::fromLatin1(key)).toEncoded(); };
        QCOMPARE(url("plain-1"), QByteArray("http://bank/v1/charges/plain-1"));
        QCOMPARE(url("a/b?c#d%2F\"e\""), QByteArray("http://bank/v1/charges/a%2Fb%3Fc%23d%252F%22e%22"));
        QCOMPARE(chargeListUrl(bank, "after=0&limit=5").toEncoded(),
                 QByteArray("http://bank/v1/charges?after=0&limit=5"));
        QCOMPARE(chargeListUrl(bank, {}).toEncoded(), QByteArray("http://bank/v1/charges"));
    }

    void what_is_not_known_is_not_sent()
    {
        const HeaderList charge =
            chargeHeaders({AttemptId{aKey(), 1}, "{}", QString(), 3'000}, QByteArray(), KeyFormat::Bare);
        QCOMPARE(valueOf(charge, "Expect-Ledger"), QByteArray("(none)"));
        QCOMPARE(valueOf(charge, "Authorization"), QByteArray("(none)"));
        const HeaderList inquiry = inquiryHeaders({aKey(), QString(), 3'000}, QByteArray());
        QCOMPARE(valueOf(inquiry, "Expect-Ledger"), QByteArray("(none)"));
        QCOMPARE(valueOf(inquiry, "Idempotency-Key"), QByteArray("(none)"));
    }

    void a_bank_url_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("charges"); // empty: refused
        QTest::newRow("plain") << "http://127.0.0.1:8080"
                               << "http://127.0.0.1:8080/v1/charges";
        QTest::newRow("closing slash") << "http://bank.example/"
                                       << "http://bank.example/v1/charges";
        QTest::newRow("under a path") << " https://bank.example/api/pay// "
                                      << "https://bank.example/api/pay/v1/charges";
        QTest::newRow("ipv6") << "http://[::1]:80"
                              << "http://[::1]:80/v1/charges";
        for (const char *bad : {"", "127.0.0.1:8080", "ftp://bank", "http://", "http:///x", "http://bank/?a=1",
                                "http://bank/#x", "http://user:secret@bank/", "http://ba nk/", "http://bank:99999/"})
            QTest::newRow(bad) << QString::fromLatin1(bad) << QString();
    }
    void a_bank_url()
    {
        QFETCH(QString, text);
        QFETCH(QString, charges);
        const Result<QUrl, FieldError> url = parseBankUrl(text);
        QCOMPARE(url.ok(), !charges.isEmpty());
        if (url) {
            QCOMPARE(chargeUrl(url.value()).toString(), charges);
        } else {
            QCOMPARE(url.error().field, QStringLiteral("server"));
            QVERIFY(!url.error().given.contains(QLatin1String("secret")));
        }
    }

    void an_inquiry_names_the_key_in_its_path()
    {
        const QUrl url = inquiryUrl(parseBankUrl(u"http://bank/api").value(), aKey());
        QCOMPARE(url.toString(), QStringLiteral("http://bank/api/v1/charges/0190a8b5-2f4e-7abc-8f3a-1c2d3e4f5a6b"));
        QCOMPARE(learnUrl(parseBankUrl(u"http://bank/api/").value()).toString(),
                 QStringLiteral("http://bank/api/healthz"));
    }

    void an_api_key_is_one_word_and_never_repeated_in_an_error()
    {
        QCOMPARE(parseApiKey("  sk_live_42 \n").value(), QByteArray("sk_live_42"));
        const QList<QByteArray> bad{"", " \n", "a b", "a\r\nX: y", QByteArray(513, 'x'), "caf\xc3\xa9"};
        for (const QByteArray &text : bad) {
            const Result<QByteArray, FieldError> key = parseApiKey(text);
            QVERIFY(!key.ok());
            QVERIFY(key.error().given.isEmpty());
        }
    }

    void the_api_key_is_not_in_what_logs_show()
    {
        HttpGatewaySettings settings;
        settings.baseUrl = QUrl(QStringLiteral("http://bank.example"));
        settings.apiKey = "sk_live_42";
        QCOMPARE(describe(settings),
                 QStringLiteral("bank at http://bank.example, with an API key, bare idempotency keys"));
    }

    void an_answer_is_whole_or_it_is_cut_data()
    {
        QTest::addColumn<HttpAnswer>("answer");
        QTest::addColumn<bool>("whole");
        QTest::newRow("as long as announced") << answerWith({{"content-length", "2"}}, "{}") << true;
        QTest::newRow("empty") << answerWith({{"content-length", "0"}}, "") << true;
        QTest::newRow("too short") << answerWith({{"content-length", "3"}}, "{}") << false;
        QTest::newRow("too long") << answerWith({{"content-length", "1"}}, "{}") << false;
        QTest::newRow("signed length") << answerWith({{"content-length", "+2"}}, "{}") << false;
        QTest::newRow("two lengths") << answerWith({{"content-length", "2, 2"}}, "{}") << false;
        QTest::newRow("length out of range") << answerWith({{"content-length", "18446744073709551618"}}, "{}") << false;
        QTest::newRow("empty length") << answerWith({{"content-length", ""}}, "") << false;
        QTest::newRow("two framings") << answerWith({{"content-length", "2"}, {"transfer-encoding", "chunked"}}, "{}")
                                      << false;
        QTest::newRow("chunked, closes itself") << answerWith({{"transfer-encoding", "chunked"}}, "{\"a\":1}") << true;
        QTest::newRow("chunked, cut") << answerWith({{"transfer-encoding", "chunked"}}, "{\"a\":1") << false;
        QTest::newRow("until close, closes itself") << answerWith({}, "{\"a\":1}") << true;
        QTest::newRow("until close, a number could go on") << answerWith({}, "12") << false;
        QTest::newRow("until close, html") << answerWith({}, "<html></html>") << false;
        QTest::newRow("no body by status") << answerWith({}, "", 204) << true;
    }
    void an_answer_is_whole_or_it_is_cut()
    {
        QFETCH(HttpAnswer, answer);
        QFETCH(bool, whole);
        QCOMPARE(!whyCut(answer).has_value(), whole);
    }

    void a_bank_tells_who_it_is()
    {
        const Result<BankIdentity, QString> bank = bankIdentity(answerWith(
            {}, R"({"status":"ok","ledger_id":"led_1","idempotency_key_ttl_s":86400,"authorized":false})", 200));
        QVERIFY(bank.ok());
        QCOMPARE(bank.value(), (BankIdentity{QStringLiteral("led_1"), 86'400'000, false}));
        QVERIFY(
            bankIdentity(answerWith({}, R"({"ledger_id":"led_1","idempotency_key_ttl_s":1})", 200)).value().authorized);
    }

    void a_bank_that_does_not_say_who_it_is_is_not_learned_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<int>("status");
        QTest::newRow("no ledger") << QByteArray(R"({"idempotency_key_ttl_s":86400})") << 200;
        QTest::newRow("empty ledger") << QByteArray(R"({"ledger_id":"","idempotency_key_ttl_s":86400})") << 200;
        QTest::newRow("ledger with a line break")
            << QByteArray(R"({"ledger_id":"a\r\nX: y","idempotency_key_ttl_s":86400})") << 200;
        QTest::newRow("no ttl") << QByteArray(R"({"ledger_id":"led_1"})") << 200;
        QTest::newRow("ttl 0") << QByteArray(R"({"ledger_id":"led_1","idempotency_key_ttl_s":0})") << 200;
        QTest::newRow("ttl 1.5") << QByteArray(R"({"ledger_id":"led_1","idempotency_key_ttl_s":1.5})") << 200;
        QTest::newRow("ttl too large") << QByteArray(
                                              R"({"ledger_id":"led_1","idempotency_key_ttl_s":9223372036854775807})")
                                       << 200;
        QTest::newRow("authorized as text")
            << QByteArray(R"({"ledger_id":"led_1","idempotency_key_ttl_s":9,"authorized":"no"})") << 200;
        QTest::newRow("html") << QByteArray("<html>") << 200;
        QTest::newRow("not found") << QByteArray(R"({"ledger_id":"led_1","idempotency_key_ttl_s":86400})") << 404;
    }
    void a_bank_that_does_not_say_who_it_is_is_not_learned()
    {
        QFETCH(QByteArray, body);
        QFETCH(int, status);
        const Result<BankIdentity, QString> bank = bankIdentity(answerWith({}, body, status));
        QVERIFY(!bank.ok());
        QVERIFY(!bank.error().isEmpty());
    }
};

IKKAI_TEST_MAIN(TestWireCodec)
#include "tst_wire_codec.moc"
