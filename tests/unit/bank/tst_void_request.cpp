#include "mock-server/bank/void_request.h"
#include "tests/support/test.h"

using namespace ikkai::test;
using namespace mockbank;

/// Which bodies are a void, and which two bodies are the same void.
class TestVoidRequest : public Test {
    Q_OBJECT

    /// JSON reads better here with single quotes.
    static QByteArray quoted(QByteArray text) { return text.replace('\'', '"'); }

private Q_SLOTS:
    void a_body_that_is_not_exactly_a_void_is_refused_by_the_member_to_blame_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QString>("field");
        const auto row = [](const char *name, const char *body, const char *field) {
            QTest::newRow(name) << quoted(body) << QString::fromLatin1(field);
        };
        row("nothing", "", "body");
        row("a list", "[]", "body");
        row("key missing", "{'order_id':'A-1','amount':1,'currency':'JPY'}", "original_key");
        row("order missing", "{'original_key':'k','amount':1,'currency':'JPY'}", "order_id");
        row("amount missing", "{'original_key':'k','order_id':'A-1','currency':'JPY'}", "amount");
        row("currency missing", "{'original_key':'k','order_id':'A-1','amount':1}", "currency");
        row("key empty", "{'original_key':'','order_id':'A-1','amount':1,'currency':'JPY'}", "original_key");
        row("key a number", "{'original_key':7,'order_id':'A-1','amount':1,'currency':'JPY'}", "original_key");
        row("key with a space", "{'original_key':'k 1','order_id':'A-1','amount':1,'currency':'JPY'}", "original_key");
        row("key not ASCII", "{'original_key':'\\u00e9','order_id':'A-1','amount':1,'currency':'JPY'}", "original_key");
        row("amount 0", "{'original_key':'k','order_id':'A-1','amount':0,'currency':'JPY'}", "amount");
        row("amount 1.0", "{'original_key':'k','order_id':'A-1','amount':1.0,'currency':'JPY'}", "amount");
        row("amount 1e2", "{'original_key':'k','order_id':'A-1','amount':1e2,'currency':'JPY'}", "amount");
        row("amount twice", "{'original_key':'k','order_id':'A-1','amount':1,'amount':1,'currency':'JPY'}", "amount");
        row("amount too large", "{'original_key':'k','order_id':'A-1','amount':100000000,'currency':'JPY'}", "amount");
        row("currency unknown", "{'original_key':'k','order_id':'A-1','amount':1,'currency':'XXQ'}", "currency");
        row("order empty", "{'original_key':'k','order_id':'','amount':1,'currency':'JPY'}", "order_id");
        row("a source", "{'original_key':'k','order_id':'A-1','amount':1,'currency':'JPY','source':'c'}", "source");
        row("a reason", "{'original_key':'k','order_id':'A-1','amount':1,'currency':'JPY','reason':'x'}", "reason");
    }
    void a_body_that_is_not_exactly_a_void_is_refused_by_the_member_to_blame()
    {
        QFETCH(QByteArray, body);
        QFETCH(QString, field);
        const auto read = readVoidRequest(body);
        const auto *flaw = std::get_if<BadField>(&read);
        QVERIFY(flaw);
        QCOMPARE(flaw->field, field);
        QVERIFY(!flaw->detail.isEmpty());
    }

    void a_key_of_256_characters_is_refused()
    {
        for (const int length : {255, 256}) {
            const auto read = readVoidRequest(quoted("{'original_key':'" + QByteArray(length, 'k') +
                                                     "','order_id':'A','amount':1,'currency':'JPY'}"));
            QCOMPARE(std::holds_alternative<VoidRequest>(read), length == 255);
        }
    }

    void member_order_and_white_space_make_no_other_void_and_each_value_does()
    {
        const auto of = [](const char *body) {
            const auto read = readVoidRequest(quoted(body));
            const auto *request = std::get_if<VoidRequest>(&read);
            return request ? request->fingerprint : QByteArray();
        };
        const QByteArray first = of("{'original_key':'k','order_id':'A-1','amount':1200,'currency':'JPY'}");
        QCOMPARE(first.size(), 32);
        QCOMPARE(of(" {'currency' : 'JPY', 'amount':1200,'order_id':'\\u0041-1','original_key':'k'}\n"), first);
        QVERIFY(of("{'original_key':'K','order_id':'A-1','amount':1200,'currency':'JPY'}") != first);
        QVERIFY(of("{'original_key':'k','order_id':'A-2','amount':1200,'currency':'JPY'}") != first);
        QVERIFY(of("{'original_key':'k','order_id':'A-1','amount':1201,'currency':'JPY'}") != first);
        QVERIFY(of("{'original_key':'k','order_id':'A-1','amount':1200,'currency':'USD'}") != first);
    }
};

IKKAI_TEST_MAIN(TestVoidRequest)
#include "tst_void_request.moc"
