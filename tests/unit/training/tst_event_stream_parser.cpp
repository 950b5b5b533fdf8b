#include "core/training/event_stream_parser.h"
#include "tests/support/test.h"

using namespace ikkai;

namespace {

std::vector<ServerSentEvent> parsed(const QByteArray &text)
{
    return EventStreamParser().feed(text);
}

} // namespace

class TestEventStreamParser : public ikkai::test::Test {
    Q_OBJECT

private Q_SLOTS:
    void events_are_read_as_the_standard_says_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArrayList>("expected"); // id, event, data of each
        const auto row = [](const char *name, const QByteArray &text, const QByteArrayList &expected) {
            QTest::newRow(name) << text << expected;
        };
        row("one", "id: r.1\nevent: arrival\ndata: {}\n\n", {"r.1", "arrival", "{}"});
        row("no space", "id:r.1\nevent:arrival\ndata:{}\n\n", {"r.1", "arrival", "{}"});
        row("one space only is dropped", "data:  x\n\n", {"", "message", " x"});
        row("lines are joined", "data: a\ndata: b\ndata\n\n", {"", "message", "a\nb\n"});
        row("windows line ends", "data: a\r\ndata: b\r\n\r\n", {"", "message", "a\nb"});
        row("old line ends", "data: a\rdata: b\r\r", {"", "message", "a\nb"});
        row("mixed line ends", "data: a\r\n\ndata: b\n\r\n", {"", "message", "a", "", "message", "b"});
        row("comments", ": still here\n\n:\ndata: a\n: x\n\n", {"", "message", "a"});
        row("no data, no event", "event: arrival\n\ndata: a\n\n", {"", "message", "a"});
        row("the id stays", "id: 1\ndata: a\n\ndata: b\n\n", {"1", "message", "a", "1", "message", "b"});
        row("an empty id ends it", "id: 1\ndata: a\n\nid\ndata: b\n\n", {"1", "message", "a", "", "message", "b"});
        row("an id with a zero byte is none", QByteArray("id: 1\nid: a\0b\ndata: a\n\n", 23), {"1", "message", "a"});
        row("unknown fields", "colour: red\nDATA: x\ndata: a\n\n", {"", "message", "a"});
        row("byte order mark",
            "\xef\xbb\xbf"
            "data: a\n\n",
            {"", "message", "a"});
        row("a colon in the data", "data: {\"a\":1}\n\n", {"", "message", "{\"a\":1}"});
        row("not finished", "data: a\n", {});
        row("empty data", "data:\n\n", {});
        row("the name does not stay", "event: arrival\ndata: a\n\ndata: b\n\n",
            {"", "arrival", "a", "", "message", "b"});
    }
    void events_are_read_as_the_standard_says()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArrayList, expected);
        std::vector<ServerSentEvent> events;
        for (qsizetype i = 0; i + 2 < expected.size() + 0; i += 3)
            events.push_back({expected[i], expected[i + 1], expected[i + 2]});
        QVERIFY(parsed(text) == events);

        // In two pieces, split anywhere, and byte by byte.
        for (qsizetype at = 0; at <= text.size(); ++at) {
            EventStreamParser parser;
            std::vector<ServerSentEvent> pieces = parser.feed(text.first(at));
            for (const ServerSentEvent &event : parser.feed(text.sliced(at)))
                pieces.push_back(event);
            QVERIFY2(pieces == events, qPrintable(QString::number(at)));
        }
        EventStreamParser parser;
        std::vector<ServerSentEvent> bytes;
        for (const char c : text) {
            for (const ServerSentEvent &event : parser.feed(QByteArray(1, c)))
                bytes.push_back(event);
        }
        QVERIFY(bytes == events);
    }

    void the_waiting_time_is_digits_only()
    {
        EventStreamParser parser;
        QVERIFY(!parser.retryMs());
        parser.feed("retry: 1.5\nretry: -3\nretry: 99999999999999999999\n\n");
        QVERIFY(!parser.retryMs());
        parser.feed("retry: 500\n\n");
        QCOMPARE(*parser.retryMs(), 500);
    }

    void an_event_without_end_does_not_fill_the_memory()
    {
        EventStreamParser parser;
        const QByteArray much(64 * 1024, 'x');
        for (int i = 0; i < 100; ++i)
            QVERIFY(parser.feed(much).empty());
        QVERIFY(parser.feed("\nid: 7\ndata: part of the lost one\n\n").empty());
        QVERIFY(parser.hasLost());
        QVERIFY(parser.feed("data: next\n\n") == (std::vector<ServerSentEvent>{{"7", "message", "next"}}));
    }

    void many_lines_of_data_are_bounded_too()
    {
        EventStreamParser parser;
        const QByteArray line = "data: " + QByteArray(64 * 1024, 'x') + "\n";
        for (int i = 0; i < 100; ++i)
            QVERIFY(parser.feed(line).empty());
        QVERIFY(parser.feed("\n").empty());
        QVERIFY(parser.hasLost());
    }
};

IKKAI_TEST_MAIN(TestEventStreamParser)
#include "tst_event_stream_parser.moc"
