#include "mock-server/http/idempotency_key.h"
#include "mock-server/http/parser.h"
#include "tests/support/test.h"

using namespace mockbank;

class RequestParserTest : public ikkai::test::Test {
    Q_OBJECT

private:
    static QByteArray post(const QByteArray &body, const QByteArray &headers = {})
    {
        return "POST /v1/charges HTTP/1.1\r\nHost: bank\r\n" + headers +
               "Content-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body;
    }

    static int failureOf(QByteArray bytes)
    {
        RequestParser parser;
        return parser.read(&bytes) == RequestParser::Stage::Failed ? parser.failure().status : 0;
    }

private Q_SLOTS:
    void aRequestIsReadAsItWasWritten()
    {
        QByteArray bytes = "POST /v1/charges/a%20b?x=1&y HTTP/1.1\r\nHost: bank:80\r\nX-A:  one \r\nx-a: two\r\n"
                           "Content-Length: 5\r\n\r\nhello";
        RequestParser parser;
        QCOMPARE(parser.read(&bytes), RequestParser::Stage::Done);
        const Request request = parser.take();
        QCOMPARE(request.method, "POST");
        QCOMPARE(request.path, "/v1/charges/a%20b");
        QCOMPARE(request.query, "x=1&y");
        QCOMPARE(request.host, "bank:80");
        QCOMPARE(request.values("x-A"), (QByteArrayList{"one", "two"}));
        QCOMPARE(request.body, "hello");
        QVERIFY(request.keepAlive);
        QVERIFY(bytes.isEmpty());
        QCOMPARE(parser.stage(), RequestParser::Stage::Idle);
    }

    void case_30_aRequestInSegmentsOfOneByteIsTheSameRequest()
    {
        const QByteArray whole = post("{\"amount\":1200}", "Idempotency-Key: k\r\n");
        RequestParser parser;
        QByteArray buffer;
        for (qsizetype i = 0; i < whole.size(); ++i) {
            buffer += whole[i];
            const auto stage = parser.read(&buffer);
            QCOMPARE(stage == RequestParser::Stage::Done, i == whole.size() - 1);
            QVERIFY(stage != RequestParser::Stage::Failed);
        }
        const Request request = parser.take();
        QCOMPARE(request.value("Idempotency-Key"), "k");
        QCOMPARE(request.body, "{\"amount\":1200}");
    }

    void case_30_aRequestCutAnywhereIsNeverDone()
    {
        const QByteArray whole = post("{\"amount\":1200}");
        for (qsizetype cut = 0; cut < whole.size(); ++cut) {
            RequestParser parser;
            QByteArray buffer = whole.first(cut);
            const auto stage = parser.read(&buffer);
            QVERIFY(stage != RequestParser::Stage::Done && stage != RequestParser::Stage::Failed);
        }
    }

    void pipelinedRequestsComeOneByOneAndInOrder()
    {
        QByteArray bytes = post("1") + "\r\n" + post("22") + "GET /healthz HTTP/1.1\r\nHost: bank\r\n\r\nGET";
        RequestParser parser;
        for (const QByteArray body : {"1", "22", ""}) {
            QCOMPARE(parser.read(&bytes), RequestParser::Stage::Done);
            QCOMPARE(parser.take().body, body);
        }
        QCOMPARE(parser.read(&bytes), RequestParser::Stage::Head);
    }

    void aChunkedBodyIsReadAndItsTrailersAreNoHeaders()
    {
        QByteArray bytes = "POST / HTTP/1.1\r\nHost: bank\r\nTransfer-Encoding: chunked\r\n\r\n"
                           "3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nIdempotency-Key: smuggled\r\n\r\n";
        RequestParser parser;
        QCOMPARE(parser.read(&bytes), RequestParser::Stage::Done);
        const Request request = parser.take();
        QCOMPARE(request.body, "abcde");
        QVERIFY(request.values("Idempotency-Key").isEmpty());
    }

    void whatReadersCouldReadDifferentlyIsRefused_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<int>("status");

        const auto row = [](const char *name, const QByteArray &bytes, int status = 400) {
            QTest::newRow(name) << bytes << status;
        };
        const QByteArray start = "POST / HTTP/1.1\r\nHost: bank\r\n";
        row("two lengths", start + "Content-Length: 1\r\nContent-Length: 2\r\n\r\na");
        row("two equal lengths", start + "Content-Length: 1\r\nContent-Length: 1\r\n\r\na");
        row("a list of lengths", start + "Content-Length: 1, 1\r\n\r\na");
        row("length and chunks", start + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
        row("chunks and length", start + "Transfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n0\r\n\r\n");
        row("length with a sign", start + "Content-Length: +1\r\n\r\na");
        row("length that is none", start + "Content-Length: x\r\n\r\n");
        row("bare line feeds", "GET / HTTP/1.1\nHost: bank\n\n");
        row("a bare line feed among headers", "GET / HTTP/1.1\r\nHost: bank\nX: y\r\n\r\n");
        row("no host", "GET / HTTP/1.1\r\n\r\n");
        row("two hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n");
        row("space before the colon", "GET / HTTP/1.1\r\nHost : bank\r\n\r\n");
        row("a control character in a header",
            "GET / HTTP/1.1\r\nHost: bank\r\nA: b" + QByteArray(1, '\0') + "c\r\n\r\n");
        row("garbage", "\x01\x02\x03\x04 garbage\r\n\r\n");
        row("a folded header", "GET / HTTP/1.1\r\nHost: bank\r\nX: a\r\n b\r\n\r\n");
        row("a NUL in a header", QByteArray("GET / HTTP/1.1\r\nHost: bank\r\nX: a\0b\r\n\r\n", 38));
        row("a NUL in the target", QByteArray("GET /a\0b HTTP/1.1\r\nHost: bank\r\n\r\n", 34));
        row("HTTP/2 by prior knowledge", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505);
        row("a URL of another scheme", "GET ftp://bank/ HTTP/1.1\r\nHost: bank\r\n\r\n");
        row("no more than a method", "GET\r\n\r\n");
        row("HTTP/0.9", "GET /\r\n\r\n");
        row("an endless chunk extension", start + "Transfer-Encoding: chunked\r\n\r\n1;" + QByteArray(20'000, 'x'));
        row("a chunk that would overflow", start + "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n", 400);
        row("a chunk larger than a body may be",
            start + "Transfer-Encoding: chunked\r\n\r\nfffff\r\n" + QByteArray(70'000, 'x'), 413);
        row("a TLS greeting", QByteArray::fromHex("160301020001000001fc03030d0a0d0a"));
        row("a target that is no path", "GET charges HTTP/1.1\r\nHost: bank\r\n\r\n");
        row("HTTP/2", "GET / HTTP/2.0\r\nHost: bank\r\n\r\n", 505);
        row("a chunk size that is none", start + "Transfer-Encoding: chunked\r\n\r\nxyz\r\n\r\n");
        row("a coding of its own", start + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501);
        row("a coding without chunks", start + "Transfer-Encoding: identity\r\n\r\n", 501);
        row("chunks in HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
        row("another expectation", start + "Expect: cake\r\nContent-Length: 1\r\n\r\na", 417);
    }
    void whatReadersCouldReadDifferentlyIsRefused()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(int, status);
        QCOMPARE(failureOf(bytes), status);
    }

    void theLimitsAreExact()
    {
        const RequestLimits limits;
        const QByteArray full(limits.bodyBytes, 'x');
        QByteArray bytes = post(full);
        RequestParser parser;
        QCOMPARE(parser.read(&bytes), RequestParser::Stage::Done);
        QCOMPARE(failureOf(post(full + 'x')), 413);

        // The length alone is enough: nobody waits for a body that will be refused.
        QCOMPARE(failureOf("POST / HTTP/1.1\r\nHost: bank\r\nContent-Length: 99999999999\r\n\r\n"), 413);
        QByteArray chunks = "POST / HTTP/1.1\r\nHost: bank\r\nTransfer-Encoding: chunked\r\n\r\n";
        for (int i = 0; i < 9; ++i)
            chunks += "2000\r\n" + QByteArray(0x2000, 'x') + "\r\n";
        QCOMPARE(failureOf(chunks), 413);

        const QByteArray start = "GET / HTTP/1.1\r\nHost: bank\r\nX: ";
        QCOMPARE(failureOf(start + QByteArray(limits.headerBytes, 'y') + "\r\n\r\n"), 431);
        QCOMPARE(failureOf(start + QByteArray(limits.headerBytes + 5000, 'y')), 431);
        QCOMPARE(failureOf("GET /" + QByteArray(limits.headerBytes, 'y')), 431);
        QCOMPARE(failureOf(start + QByteArray(limits.headerBytes - 200, 'y') + "\r\n\r\n"), 0);
        QCOMPARE(failureOf("POST / HTTP/1.1\r\nHost: bank\r\nTransfer-Encoding: chunked\r\n\r\n1;" +
                           QByteArray(limits.headerBytes + 100, 'e')),
                 400);
    }

    void theHeadIsKnownBeforeTheBody()
    {
        RequestParser parser;
        QByteArray bytes =
            "POST /v1/charges HTTP/1.1\r\nHost: bank\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n";
        QCOMPARE(parser.read(&bytes), RequestParser::Stage::Body);
        QCOMPARE(parser.head().path, "/v1/charges");
        QVERIFY(parser.head().expectsContinue);
        bytes = "ab";
        QCOMPARE(parser.read(&bytes), RequestParser::Stage::Done);
    }

    void aTargetThatIsAUrlNamesItsHost()
    {
        RequestParser parser;
        QByteArray bytes = "GET http://other.example/healthz?x HTTP/1.1\r\nHost: bank\r\n\r\n";
        QCOMPARE(parser.read(&bytes), RequestParser::Stage::Done);
        const Request request = parser.take();
        QCOMPARE(request.host, "other.example");
        QCOMPARE(request.path, "/healthz");
    }

    void connectionCloseAndHttp10EndTheConnection()
    {
        QByteArray bytes = "GET / HTTP/1.1\r\nHost: bank\r\nConnection: close\r\n\r\nGET / HTTP/1.0\r\n\r\n";
        RequestParser parser;
        QCOMPARE(parser.read(&bytes), RequestParser::Stage::Done);
        QVERIFY(!parser.take().keepAlive);
        QCOMPARE(parser.read(&bytes), RequestParser::Stage::Done);
        const Request old = parser.take();
        QVERIFY(!old.keepAlive && !old.http11);
    }

    void aKeyIsTheSameBareAndQuoted_data()
    {
        QTest::addColumn<QByteArrayList>("lines");
        QTest::addColumn<QByteArray>("key"); // empty: refused

        QTest::newRow("bare") << QByteArrayList{"k-1"} << QByteArray("k-1");
        QTest::newRow("quoted") << QByteArrayList{"\"k-1\""} << QByteArray("k-1");
        QTest::newRow("quoted with escapes") << QByteArrayList{"\"a\\\"b\\\\c\""} << QByteArray("a\"b\\c");
        QTest::newRow("bare with a quote inside") << QByteArrayList{"a\"b"} << QByteArray("a\"b");
        QTest::newRow("255") << QByteArrayList{QByteArray(255, 'x')} << QByteArray(255, 'x');
        QTest::newRow("quoted 255") << QByteArrayList{'"' + QByteArray(255, 'x') + '"'} << QByteArray(255, 'x');
        QTest::newRow("256") << QByteArrayList{QByteArray(256, 'x')} << QByteArray();
        QTest::newRow("none") << QByteArrayList{} << QByteArray();
        QTest::newRow("empty") << QByteArrayList{""} << QByteArray();
        QTest::newRow("quoted empty") << QByteArrayList{"\"\""} << QByteArray();
        QTest::newRow("two lines") << QByteArrayList{"a", "a"} << QByteArray();
        QTest::newRow("space inside") << QByteArrayList{"a b"} << QByteArray();
        QTest::newRow("quoted space") << QByteArrayList{"\"a b\""} << QByteArray();
        QTest::newRow("tab") << QByteArrayList{"a\tb"} << QByteArray();
        QTest::newRow("not ASCII") << QByteArrayList{"\xe4\xb8\x80"} << QByteArray();
        QTest::newRow("unclosed quote") << QByteArrayList{"\"a"} << QByteArray();
        QTest::newRow("text after the quote") << QByteArrayList{"\"a\"b"} << QByteArray();
        QTest::newRow("parameters") << QByteArrayList{"\"a\";p=1"} << QByteArray();
        QTest::newRow("unknown escape") << QByteArrayList{"\"a\\n\""} << QByteArray();
    }
    void aKeyIsTheSameBareAndQuoted()
    {
        QFETCH(QByteArrayList, lines);
        QFETCH(QByteArray, key);
        QString why;
        const auto read = readIdempotencyKey(lines, &why);
        QCOMPARE(read.value_or(QByteArray()), key);
        QCOMPARE(read.has_value(), why.isEmpty());
    }
};

IKKAI_TEST_MAIN(RequestParserTest)
#include "tst_request_parser.moc"
