#include "core/closing/charge_page.h"
#include "tests/support/test.h"
#include "tests/unit/closing/bank_rows.h"

#include <QtCore/QDateTime>

using namespace ikkai;
using namespace ikkai::test;

namespace {

struct Flaw {
    QByteArray name;
    RowMembers row;
    QString member;
};

std::vector<Flaw> brokenRows()
{
    const RowMembers good = bankRow(2);
    std::vector<Flaw> rows;
    for (const char *name : {"id", "movement", "status", "idempotency_key", "order_id", "amount", "currency",
                             "terminal_id", "created_at", "reversal"}) {
        const QString member = QStringLiteral("charges[1].") + QLatin1String(name);
        rows.push_back({QByteArray("without ") + name, without(good, name), member});
        rows.push_back({QByteArray("a list as ") + name, with(good, name, "[]"), member});
        rows.push_back({QByteArray("true as ") + name, with(good, name, "true"), member});
    }
    for (const char *name : {"id", "status", "idempotency_key", "order_id", "currency", "terminal_id", "created_at"})
        rows.push_back({QByteArray("empty ") + name, with(good, name, "\"\""),
                        QStringLiteral("charges[1].") + QLatin1String(name)});
    const auto flaw = [&](const char *name, const char *value) {
        rows.push_back({QByteArray(name) + ' ' + value, with(good, name, value),
                        QStringLiteral("charges[1].") + QLatin1String(name)});
    };
    for (const char *amount : {"0", "-5", "1200.0", "1.2e3", "\"1200\"", "null", "100000000", "9223372036854775808"})
        flaw("amount", amount);
    for (const char *movement : {"0", "-1", "1", "2.0", "\"2\""}) // 1 stands before it
        flaw("movement", movement);
    for (const char *status : {"\"pending\"", "\"Approved\"", "1"})
        flaw("status", status);
    for (const char *currency : {"\"XXQ\"", "\"jpy\"", "392"})
        flaw("currency", currency);
    for (const char *at : {"\"yesterday\"", "1700000000", "\"2026-04-01T00:00:00\"", "\"2026-02-30T00:00:00Z\""})
        flaw("created_at", at);
    flaw("reversal", "\"yes\"");
    flaw("reversal", "7");
    return rows;
}

} // namespace

class ChargePageTest : public test::Test {
    Q_OBJECT

private Q_SLOTS:
    void a_page_is_rows_and_a_cursor()
    {
        const QByteArray reversed = R"({"movement":9,"at":"2026-04-02T00:00:00.000Z"})";
        const QByteArray body =
            pageJson({bankRow(7), with(with(bankRow(8), "reversal", reversed), "terminal_id", "null")}, "8");
        const auto page = readChargePage(pageAnswer(body), {6, 2, {}, 0, 0});
        QVERIFY(page);
        QCOMPARE(page->next, std::optional<qint64>(8));
        const qint64 at =
            QDateTime::fromString(QStringLiteral("2026-04-01T00:00:00.125Z"), Qt::ISODateWithMs).toMSecsSinceEpoch();
        const BankChargeRow first{QStringLiteral("ch_7"),
                                  QStringLiteral("approved"),
                                  QStringLiteral("key-7"),
                                  QStringLiteral("A-7"),
                                  1'200,
                                  QStringLiteral("JPY"),
                                  QStringLiteral("till-1"),
                                  at,
                                  false};
        QCOMPARE(page->rows.size(), 2);
        QVERIFY(page->rows[0] == first);
        QVERIFY(page->rows[1].reversed);
        QVERIFY(page->rows[1].terminalId.isEmpty());
    }

    void the_last_page_has_no_cursor_and_may_be_empty()
    {
        const auto last = readChargePage(pageAnswer(pageOf(0, 3, "null")), {});
        QVERIFY(last && !last->next);
        QCOMPARE(last->rows.size(), 3);
        const auto empty = readChargePage(pageAnswer(pageJson({}, "null")), {3, 500, {}, 0, 0});
        QVERIFY(empty && !empty->next && empty->rows.isEmpty());
    }

    void what_is_wrong_with_a_row_is_named_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QString>("member");
        for (const Flaw &flaw : brokenRows())
            QTest::newRow(flaw.name.constData()) << pageJson({bankRow(1), flaw.row}, "null") << flaw.member;
    }
    void what_is_wrong_with_a_row_is_named()
    {
        QFETCH(QByteArray, body);
        QFETCH(QString, member);
        const auto page = readChargePage(pageAnswer(body), {});
        QVERIFY(!page);
        QCOMPARE(page.error().kind, ChargeListError::Kind::NotUnderstood);
        QCOMPARE(page.error().member, member);
        QVERIFY2(page.error().detail.contains(member), qPrintable(page.error().detail));
    }

    void what_is_wrong_with_a_page_is_named_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QString>("member");
        const auto row = [](const char *name, const QByteArray &body, const char *member) {
            QTest::newRow(name) << body << QString::fromLatin1(member);
        };
        row("no charges", R"({"next":null})", "charges");
        row("charges null", R"({"charges":null,"next":null})", "charges");
        row("charges an object", R"({"charges":{},"next":null})", "charges");
        row("no next", R"({"charges":[]})", "next");
        row("next as text", R"({"charges":[],"next":"9"})", "next");
        row("next 9.0", R"({"charges":[],"next":9.0})", "next");
        row("a cursor that stands still: the same page for ever", R"({"charges":[],"next":4})", "next");
        row("a cursor that goes back", R"({"charges":[],"next":3})", "next");
        row("a cursor before the last row", pageOf(4, 6, "5"), "next");
        row("more rows than were asked for", pageOf(4, 8, "8"), "charges");
        row("a row that was told before", pageOf(3, 5, "5"), "charges[0].movement");
        row("the same row twice", pageJson({bankRow(5), bankRow(5)}, "5"), "charges[1].movement");
        row("not JSON", "<html></html>", "");
        row("an empty body", "", "");
        row("a list", "[]", "");
        row("cut", pageOf(4, 6, "6").chopped(1), "");
        row("two pages", pageOf(4, 5, "5") + pageOf(4, 5, "5"), "");
        row("rows that are no objects", R"({"charges":[1,2],"next":null})", "");
    }
    void what_is_wrong_with_a_page_is_named()
    {
        QFETCH(QByteArray, body);
        QFETCH(QString, member);
        const auto page = readChargePage(pageAnswer(body), {4, 3, {}, 0, 0});
        QVERIFY(!page);
        QCOMPARE(page.error().member, member);
        QVERIFY(!page.error().detail.isEmpty());
    }

    void a_page_of_another_media_type_is_nobodys()
    {
        QVERIFY(readChargePage(pageAnswer(pageOf(0, 1, "null"), "Application/JSON; charset=utf-8"), {}));
        const auto page = readChargePage(pageAnswer(pageOf(0, 1, "null"), "text/html"), {});
        QVERIFY(!page);
        QVERIFY(page.error().member.isEmpty());
    }

    void rows_that_were_not_asked_for_are_refused()
    {
        const qint64 at = *momentMs(u"2026-04-01T00:00:00.125Z");
        const HttpAnswer answer = pageAnswer(pageOf(0, 1, "null"));
        const auto member = [&](const ChargePageQuery &query) {
            const auto page = readChargePage(answer, query);
            return page ? QString() : page.error().member;
        };
        QCOMPARE(member({0, 500, QStringLiteral("till-1"), at, at + 1}), QString());
        QCOMPARE(member({0, 500, QStringLiteral("till-2"), 0, 0}), QStringLiteral("charges[0].terminal_id"));
        QCOMPARE(member({0, 500, {}, at + 1, 0}), QStringLiteral("charges[0].created_at"));
        QCOMPARE(member({0, 500, {}, 0, at}), QStringLiteral("charges[0].created_at"));
    }

    void a_query_is_encoded()
    {
        QCOMPARE(encode({}), QByteArray("after=0&limit=500"));
        const qint64 from = *momentMs(u"2026-04-01T05:00:00+09:00");
        QCOMPARE(encode({12, 10, QStringLiteral("till 1&2"), from, from + 1}),
                 QByteArray("after=12&limit=10&terminal_id=till%201%262&from=2026-03-31T20:00:00.000Z"
                            "&to=2026-03-31T20:00:00.001Z"));
    }

    void a_moment_is_read_as_rfc_3339_has_it_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("ms"); // -1: none
        const auto row = [](const char *text, qint64 ms) { QTest::newRow(text) << QString::fromLatin1(text) << ms; };
        row("1970-01-01T00:00:00Z", 0);
        row("1970-01-01t00:00:00.001z", 1);
        row("1970-01-01T00:00:00.1Z", 100);
        row("1970-01-01T00:00:00.123456789Z", 123);
        row("1970-01-01T09:00:00+09:00", 0);
        row("1969-12-31T19:30:00-04:30", 0);
        row("2000-02-29T12:34:56.789Z", 951'827'696'789);
        row("2026-12-01T00:55:12.339Z", 1'796'086'512'339);
        row("2016-12-31T23:59:60Z", 1'483'228'800'000);
        for (const char *text : {"",
                                 "2026-04-01",
                                 "2026-04-01T00:00:00",
                                 "2026-04-01 00:00:00Z",
                                 "2026-04-01T00:00Z",
                                 "2026-13-01T00:00:00Z",
                                 "2026-02-29T00:00:00Z",
                                 "2026-04-01T24:00:00Z",
                                 "2026-04-01T00:60:00Z",
                                 "2026-04-01T00:00:61Z",
                                 "2026-04-01T00:00:00.Z",
                                 "2026-04-01T00:00:00.1234567890Z",
                                 "2026-04-01T00:00:00+0900",
                                 "2026-04-01T00:00:00+09",
                                 "2026-04-01T00:00:00+24:00",
                                 "2026-04-01T00:00:00+09:60",
                                 "2026-04-01T00:00:00Zx",
                                 "2026-04-01T00:00:00,5Z",
                                 "+026-04-01T00:00:00Z",
                                 "2026-04-01T-1:00:00Z",
                                 "0000-01-01T00:00:00Z",
                                 "2026-04-01T00:00:00.",
                                 "2026-04-01T00:00:00.5"})
            row(text, -1);
    }
    void a_moment_is_read_as_rfc_3339_has_it()
    {
        QFETCH(QString, text);
        QTEST(momentMs(text).value_or(-1), "ms");
    }

    void a_moment_is_what_the_library_reads_too()
    {
        for (qint64 ms = -1'000'000'000'000; ms < 4'000'000'000'000; ms += 86'399'997'123) {
            const QString text = QDateTime::fromMSecsSinceEpoch(ms, Qt::UTC).toString(Qt::ISODateWithMs);
            QCOMPARE(momentMs(text), std::optional(ms));
        }
    }
};

IKKAI_TEST_MAIN(ChargePageTest)
#include "tst_charge_page.moc"
