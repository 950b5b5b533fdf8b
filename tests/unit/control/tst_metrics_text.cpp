#include "mock-server/control/metrics.h"
#include "tests/support/prometheus_text.h"
#include "tests/support/test.h"

using namespace mockbank;
using ikkai::test::Exposition;

class MetricsTextTest : public ikkai::test::Test {
    Q_OBJECT

private Q_SLOTS:
    void a_label_is_escaped()
    {
        PrometheusText out;
        out.family("a_info", PrometheusText::Type::Gauge, "back\\slash\nline");
        out.sample(1, {{"text", "quote\" back\\ line\n end"}});
        QVERIFY(out.text().contains(R"(# HELP a_info back\\slash\nline)"));
        const auto read = Exposition::parse(out.text());
        QVERIFY2(read, qPrintable(Exposition::lastError()));
        QCOMPARE(read->samples.size(), 1);
        QCOMPARE(read->samples[0].labels.value("text"), "quote\" back\\ line\n end");
    }

    void a_histogram_is_added_up()
    {
        PrometheusText out;
        out.family("a_seconds", PrometheusText::Type::Histogram, "h");
        out.histogram({500, 1'000'000}, {2, 0, 3}, 7'000'500, 1e6, {{"route", "charge"}});
        const auto read = Exposition::parse(out.text());
        QVERIFY2(read, qPrintable(Exposition::lastError()));
        QCOMPARE(read->value("a_seconds_bucket", {{"route", "charge"}, {"le", "0.0005"}}), 2.);
        QCOMPARE(read->value("a_seconds_bucket", {{"route", "charge"}, {"le", "1"}}), 2.);
        QCOMPARE(read->value("a_seconds_bucket", {{"route", "charge"}, {"le", "+Inf"}}), 5.);
        QCOMPARE(read->value("a_seconds_count", {{"route", "charge"}}), 5.);
        QCOMPARE(read->value("a_seconds_sum", {{"route", "charge"}}), 7.0005);
    }

    void the_parser_of_this_test_is_strict_data()
    {
        QTest::addColumn<QByteArray>("text");
        const QByteArray head = "# HELP a_total x\n# TYPE a_total counter\n";
        QTest::newRow("no line end") << head + "a_total 1";
        QTest::newRow("no type") << QByteArray("a_total 1\n");
        QTest::newRow("other family") << head + "b_total 1\n";
        QTest::newRow("twice") << head + "a_total 1\na_total 2\n";
        QTest::newRow("family twice") << head + "a_total 1\n" + head;
        QTest::newRow("open label") << head + "a_total{x=\"y} 1\n";
        QTest::newRow("no value") << head + "a_total \n";
        QTest::newRow("bad escape") << head + "a_total{x=\"\\q\"} 1\n";
        QTest::newRow("counter's name") << QByteArray("# HELP a x\n# TYPE a counter\na 1\n");
        const QByteArray h = "# HELP h x\n# TYPE h histogram\n";
        QTest::newRow("falling") << h + "h_bucket{le=\"1\"} 2\nh_bucket{le=\"+Inf\"} 1\nh_sum 1\nh_count 1\n";
        QTest::newRow("no +Inf") << h + "h_bucket{le=\"1\"} 2\nh_sum 1\nh_count 2\n";
        QTest::newRow("count differs") << h + "h_bucket{le=\"+Inf\"} 1\nh_sum 1\nh_count 2\n";
    }
    void the_parser_of_this_test_is_strict()
    {
        QFETCH(QByteArray, text);
        QVERIFY(!Exposition::parse(text));
    }
};

IKKAI_TEST_MAIN(MetricsTextTest)
#include "tst_metrics_text.moc"
