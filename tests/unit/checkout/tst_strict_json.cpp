#include "core/checkout/strict_json.h"
#include "tests/support/test.h"

#include <utility>
#include <vector>

using namespace ikkai;

namespace {

#ifndef Q_MOC_RUN // moc 6.4 loses its way in raw strings
const QByteArray wholeText =
    R"( {"text":"a\"\\\/\b\f\n\r\t\u00e5\ud83d\ude00é","amount":1200,"minus":-7,"yes":true,"no":false,)"
    R"("nothing":null,"list":[1,"x",{"y":[]}],"inner":{"result":"reversed"},"zero":0} )";

std::vector<std::pair<const char *, QByteArray>> brokenTexts()
{
    return {
        {"nothing", ""},
        {"blank", "  "},
        {"a list", "[]"},
        {"a string", "\"x\""},
        {"cut", R"({"a":1)"},
        {"cut in a string", R"({"a":"x)"},
        {"cut in an escape", "{\"a\":\"\\"},
        {"cut in a hex escape", "{\"a\":\"\\u00"},
        {"something after it", R"({"a":1} x)"},
        {"two objects", R"({"a":1}{"b":2})"},
        {"two equal members", R"({"amount":1,"amount":2})"},
        {"two equal members, one escaped", R"({"amount":1,"\u0061mount":2})"},
        {"two equal members inside", R"({"a":{"b":1,"b":1}})"},
        {"two equal members in a list", R"({"a":[{"b":1,"b":1}]})"},
        {"comma at the end", R"({"a":1,})"},
        {"comma at the end of a list", R"({"a":[1,]})"},
        {"no colon", R"({"a" 1})"},
        {"no quotes", "{a:1}"},
        {"single quotes", "{'a':1}"},
        {"leading zero", R"({"a":01})"},
        {"plus", R"({"a":+1})"},
        {"point first", R"({"a":.5})"},
        {"point last", R"({"a":5.})"},
        {"empty exponent", R"({"a":5e})"},
        {"minus alone", R"({"a":-})"},
        {"NaN", R"({"a":NaN})"},
        {"True", R"({"a":True})"},
        {"comment", R"({"a":1/*x*/})"},
        {"line break in a string", "{\"a\":\"x\ny\"}"},
        {"null byte in a string", QByteArray("{\"a\":\"x\0y\"}", 11)},
        {"null byte after it", QByteArray("{\"a\":1}\0", 8)},
        {"unknown escape", R"({"a":"\x41"})"},
        {"hex escape with a sign", R"({"a":"\u+041"})"},
        {"half a surrogate pair", R"({"a":"\ud83d"})"},
        {"bad UTF-8", "{\"a\":\"\xff\"}"},
        {"cut UTF-8", "{\"a\":\"\xe5\xa5\"}"},
        {"byte order mark", "\xef\xbb\xbf{\"a\":1}"},
        {"nested too deep", R"({"a":)" + QByteArray(100'000, '[') + QByteArray(100'000, ']') + '}'},
        {"objects nested too deep", QByteArray(R"({"a":)").repeated(50'000) + '1' + QByteArray(50'000, '}')},
    };
}
#endif

} // namespace

class StrictJsonTest : public test::Test {
    Q_OBJECT

private Q_SLOTS:
    void readsWhatAnAnswerIsMadeOf()
    {
        const auto object = json::parseObject(wholeText);
        QVERIFY(object);
        const auto value = [&](QStringView name) { return object->find(name)->value; };
        QCOMPARE(std::get<QString>(value(u"text")), QStringLiteral("a\"\\/\b\f\n\r\tå😀é"));
        QCOMPARE(std::get<qint64>(value(u"amount")), 1200);
        QCOMPARE(std::get<qint64>(value(u"minus")), -7);
        QCOMPARE(std::get<qint64>(value(u"zero")), 0);
        QCOMPARE(std::get<bool>(value(u"yes")), true);
        QCOMPARE(std::get<bool>(value(u"no")), false);
        QVERIFY(std::holds_alternative<json::Null>(value(u"nothing")));
        QVERIFY(std::holds_alternative<json::Array>(value(u"list")));
        QCOMPARE(std::get<QString>(std::get<json::Object>(value(u"inner")).find(u"result")->value),
                 QStringLiteral("reversed"));
        QVERIFY(!object->find(u"absent"));
    }

    void case_36_aFractionIsNoInteger_data()
    {
        QTest::addColumn<QByteArray>("number");
        for (const char *number :
             {"1200.0", "1.2e3", "12e2", "1200E0", "1200e-0", "440.90000000000003", "9223372036854775808", "-0.5"})
            QTest::newRow(number) << QByteArray(number);
    }
    void case_36_aFractionIsNoInteger()
    {
        QFETCH(QByteArray, number);
        const auto object = json::parseObject("{\"amount\":" + number + '}');
        QVERIFY(object);
        QVERIFY(std::holds_alternative<json::Fraction>(object->find(u"amount")->value));
    }

    void whatIsNotExactlyOneObjectIsNothing_data()
    {
        QTest::addColumn<QByteArray>("text");
        for (const auto &[name, text] : brokenTexts())
            QTest::newRow(name) << text;
    }
    void whatIsNotExactlyOneObjectIsNothing()
    {
        QFETCH(QByteArray, text);
        QVERIFY(!json::parseObject(text));
        const auto any = [](json::Object &&) { return true; };
        QVERIFY(!json::parseObject(text, u"list", any));
        QVERIFY(!json::parseObject("{\"list\":[{}," + text + "]}", u"list", any));
    }

    void aLongListIsHandedOutElementByElement()
    {
        std::vector<qint64> taken;
        const auto take = [&](json::Object &&element) {
            taken.push_back(std::get<qint64>(element.find(u"n")->value));
            return true;
        };
        const QByteArray text = R"({ "next" : 3 , "rows" : [ {"n":1,"rows":[{"n":9}]} , {"n":2} ] , "more" : [7] })";
        const auto object = json::parseObject(text, u"rows", take);
        QVERIFY(object);
        QCOMPARE(taken, (std::vector<qint64>{1, 2}));
        QCOMPARE(std::get<qint64>(object->find(u"next")->value), 3);
        QVERIFY(std::holds_alternative<json::Array>(object->find(u"rows")->value));
        QVERIFY(json::parseObject(R"({"rows":[]})", u"rows", take));
        QVERIFY(json::parseObject(R"({"rows":7})", u"rows", take));
        QVERIFY(json::parseObject(R"({"n":[1]})", u"rows", take));
        QCOMPARE(taken.size(), 2U);
    }

    void aListOfAnythingElseOrThatIsNotWantedEndsTheReading()
    {
        int taken = 0;
        const auto two = [&](json::Object &&) { return ++taken < 2; };
        QVERIFY(!json::parseObject(R"({"rows":[{},{},{}]})", u"rows", two));
        QCOMPARE(taken, 2);
        const auto any = [](json::Object &&) { return true; };
        for (const char *text : {R"({"rows":[{},7]})", R"({"rows":[[{}]]})", R"({"rows":[{},]})", R"({"rows":[{}})",
                                 R"({"rows":[{}],"rows":[{}]})", R"({"rows":["a"]})", R"({"rows":[null]})"})
            QVERIFY2(!json::parseObject(text, u"rows", any), text);
    }
};

IKKAI_TEST_MAIN(StrictJsonTest)
#include "tst_strict_json.moc"
