#include "core/closing/charge_list_client.h"
#include "core/gateway/wire_codec.h"
#include "tests/support/bank_under_test.h"
#include "tests/support/scripted_server.h"
#include "tests/support/test.h"
#include "tests/support/tls_lab.h"
#include "tests/unit/closing/bank_rows.h"

#include <QtCore/QElapsedTimer>
#include <set>
#include <utility>

using namespace ikkai;
using namespace ikkai::test;
using Kind = ChargeListError::Kind;
using What = KeyInquiry::What;

namespace {

class NoRandom final : public Random {
public:
    [[nodiscard]] quint64 next64() override { return 0; }
};

/// Waits that a test can sit through.
RetryPolicy quick()
{
    RetryPolicy policy;
    policy.backoffBaseMs = 2;
    policy.backoffCapMs = 10;
    policy.budgetMs = 4'000;
    return policy;
}

ChargeListClientSettings settingsFor(const QUrl &url, int pageRows = 500)
{
    ChargeListClientSettings settings;
    settings.baseUrl = url;
    settings.pageRows = pageRows;
    settings.retry = quick();
    return settings;
}

/// A client and everything it has said.
struct Reader {
    explicit Reader(ChargeListClientSettings settings)
        : client(std::move(settings), random)
    {
        QObject::connect(&client, &ChargeList::pageRead, &client,
                         [this](const QList<BankChargeRow> &page, qint64 rowsSoFar) {
                             rows.append(page);
                             progress.append(rowsSoFar);
                         });
        QObject::connect(&client, &ChargeList::finished, &client,
                         [this](const ChargeListEnd &end) { ends.append(end); });
        QObject::connect(&client, &ChargeList::failed, &client,
                         [this](const ChargeListError &error) { errors.append(error); });
        QObject::connect(&client, &ChargeList::waiting, &client,
                         [this](const ChargeListError &error, qint64) { waits.append(error); });
        QObject::connect(&client, &ChargeList::cancelled, &client, [this] { ++cancels; });
        QObject::connect(&client, &ChargeList::inquired, &client,
                         [this](const KeyInquiry &answer) { inquiries.append(answer); });
    }
    [[nodiscard]] int words() const { return static_cast<int>(ends.size() + errors.size()) + cancels; }

    NoRandom random;
    ChargeListClient client;
    QList<BankChargeRow> rows;
    QList<qint64> progress;
    QList<ChargeListEnd> ends;
    QList<ChargeListError> errors;
    QList<ChargeListError> waits;
    QList<KeyInquiry> inquiries;
    int cancels = 0;
};

const QByteArray ofLedger = "Ledger-Id: ldg_1\r\nDate: Wed, 01 Apr 2026 00:00:10 GMT\r\n";

Script answering(const QByteArray &statusLine, const QByteArray &body, const QByteArray &headers = ofLedger)
{
    return {act::ReadRequest{}, act::Write{httpAnswer(statusLine, body, headers)}};
}
Script problemAnswer(const QByteArray &statusLine, const QByteArray &type, const QByteArray &moreMembers = {})
{
    const QByteArray body = "{\"type\":\"urn:ikkai:problem:" + type + "\",\"detail\":\"because\"" + moreMembers + '}';
    return {act::ReadRequest{},
            act::Write{"HTTP/1.1 " + statusLine + "\r\nContent-Type: application/problem+json\r\n" + ofLedger +
                       "Content-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body}};
}
/// Every fifth charge comes from the second till.
QByteArray chargeOf(int n)
{
    const QJsonObject charge{
        {QStringLiteral("order_id"), QStringLiteral("A-%1").arg(n)},
        {QStringLiteral("amount"), 100 + n},
        {QStringLiteral("currency"), QStringLiteral("JPY")},
        {QStringLiteral("source"), QStringLiteral("card_ok")},
        {QStringLiteral("terminal_id"), n % 5 == 0 ? QStringLiteral("till-2") : QStringLiteral("till-1")}};
    return QJsonDocument(charge).toJson(QJsonDocument::Compact);
}

Script paging(qint64 after, qint64 last, const QByteArray &next)
{
    return answering("200 OK", pageOf(after, last, next));
}

} // namespace

class ChargeListClientTest : public test::Test {
    Q_OBJECT

private Q_SLOTS:
    void page_follows_page_to_the_end()
    {
        ScriptedServer server({paging(0, 2, "2"), paging(2, 4, "4"), paging(4, 5, "null")});
        Reader reader(settingsFor(server.url(), 2));
        reader.client.read({});
        QVERIFY(reader.rows.isEmpty()); // never from inside the call
        QTRY_COMPARE(reader.words(), 1);
        QCOMPARE(reader.rows.size(), 5);
        QCOMPARE(reader.rows.last().key, QStringLiteral("key-5"));
        QCOMPARE(reader.progress, (QList<qint64>{2, 4, 5}));
        QCOMPARE(reader.ends, (QList<ChargeListEnd>{{QStringLiteral("ldg_1"), 5, 1'775'001'610'000}}));
        QCOMPARE(server.arrivals(), 3);
        QVERIFY(server.received()[0].startsWith("GET /v1/charges?after=0&limit=2 HTTP/1.1\r\n"));
        QVERIFY(server.received()[1].startsWith("GET /v1/charges?after=2&limit=2 HTTP/1.1\r\n"));
        // The first answer says which ledger it is; from then on only that one is asked.
        QVERIFY(!server.received()[0].contains("Expect-Ledger"));
        QVERIFY(server.received()[1].contains("\r\nExpect-Ledger: ldg_1\r\n"));
    }

    void what_is_asked_for_stands_on_the_wire()
    {
        ScriptedServer server({answering("200 OK", pageJson({}, "null"))});
        ChargeListClientSettings settings = settingsFor(server.url());
        settings.apiKey = "sk_test";
        Reader reader(settings);
        reader.client.read({QStringLiteral("ldg_1"), QStringLiteral("till-1"), 1'775'001'600'000, 1'775'088'000'000});
        QTRY_COMPARE(reader.ends.size(), 1);
        const QByteArray request = server.received().front();
        QVERIFY2(request.startsWith("GET /v1/charges?after=0&limit=500&terminal_id=till-1"
                                    "&from=2026-04-01T00:00:00.000Z&to=2026-04-02T00:00:00.000Z HTTP/1.1\r\n"),
                 request.constData());
        QVERIFY(request.contains("\r\nExpect-Ledger: ldg_1\r\n"));
        QVERIFY(request.contains("\r\nAuthorization: Bearer sk_test\r\n"));
        QCOMPARE(reader.rows.size(), 0);
    }

    void a_page_that_does_not_come_is_asked_for_again_and_no_row_comes_twice_data()
    {
        QTest::addColumn<Script>("trouble");
        QTest::addColumn<int>("kind");
        using namespace act;
        const auto row = [](const char *name, const Script &script, Kind kind) {
            QTest::newRow(name) << script << static_cast<int>(kind);
        };
        const QByteArray whole = httpAnswer("200 OK", pageOf(2, 4, "4"), ofLedger);
        row("reset", {ReadRequest{}, Rst{}}, Kind::NoAnswer);
        row("closed", {ReadRequest{}, Fin{}}, Kind::NoAnswer);
        row("cut", {ReadRequest{}, Write{whole.chopped(7)}, Fin{}}, Kind::NoAnswer);
        row("held", {ReadRequest{}}, Kind::NoAnswer);
        row("503", answering("503 Service Unavailable", "{}"), Kind::ServerTrouble);
        row("429 with Retry-After 0", answering("429 Too Many Requests", "{}", ofLedger + "Retry-After: 0\r\n"),
            Kind::ServerTrouble);
        row("a login page", answering("200 OK", "<html></html>"), Kind::NotUnderstood);
        row("a redirect", answering("307 Temporary Redirect", "{}", ofLedger + "Location: /x\r\n"),
            Kind::NotUnderstood);
        row("a teapot", answering("418 I'm a teapot", "{}"), Kind::NotUnderstood);
    }
    void a_page_that_does_not_come_is_asked_for_again_and_no_row_comes_twice()
    {
        QFETCH(Script, trouble);
        QFETCH(int, kind);
        ScriptedServer server({paging(0, 2, "2"), trouble, trouble, paging(2, 3, "null")});
        ChargeListClientSettings settings = settingsFor(server.url(), 2);
        settings.deadlineMs = 150;
        Reader reader(settings);
        reader.client.read({});
        QTRY_COMPARE(reader.words(), 1);
        QCOMPARE(reader.ends.size(), 1);
        QCOMPARE(reader.rows.size(), 3);
        QCOMPARE(reader.waits.size(), 2);
        QCOMPARE(static_cast<int>(reader.waits[0].kind), kind);
        QVERIFY(!reader.waits[0].detail.isEmpty());
        QCOMPARE(server.arrivals(), 4);
    }

    void tries_run_out()
    {
        ScriptedServer server({answering("500 Internal Server Error", "{}")});
        Reader reader(settingsFor(server.url()));
        reader.client.read({});
        QTRY_COMPARE(reader.words(), 1);
        QCOMPARE(reader.errors.size(), 1);
        QCOMPARE(reader.errors[0].kind, Kind::ServerTrouble);
        QCOMPARE(reader.errors[0].status, 500);
        QCOMPARE(server.arrivals(), 5);
        QCOMPARE(reader.waits.size(), 4);
        // Another reading is a new one.
        reader.client.read({});
        QTRY_COMPARE(reader.errors.size(), 2);
        QCOMPARE(server.arrivals(), 10);
    }

    void case_26_a_longer_wait_than_there_is_time_for_ends_it_and_is_told()
    {
        ScriptedServer server({answering("503 Service Unavailable", "{}", ofLedger + "Retry-After: 86400\r\n")});
        Reader reader(settingsFor(server.url()));
        reader.client.read({});
        QTRY_COMPARE(reader.errors.size(), 1);
        QVERIFY(reader.errors[0].detail.contains(QLatin1String("86400 s")));
        QCOMPARE(server.arrivals(), 1);
    }

    void a_bank_that_is_not_there_is_unreachable()
    {
        Reader reader(settingsFor(QUrl(QStringLiteral("http://127.0.0.1:%1").arg(ScriptedServer::closedPort()))));
        reader.client.read({});
        QTRY_COMPARE(reader.errors.size(), 1);
        QCOMPARE(reader.errors[0].kind, Kind::Unreachable);
        QCOMPARE(reader.errors[0].status, 0);
    }

    void what_asking_again_cannot_help_ends_it_at_once_data()
    {
        QTest::addColumn<Script>("answer");
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("member");
        const auto row = [](const char *name, const Script &script, Kind kind, const char *member = "") {
            QTest::newRow(name) << script << static_cast<int>(kind) << QString::fromLatin1(member);
        };
        row("401", problemAnswer("401 Unauthorized", "unauthorized"), Kind::ApiKeyRefused);
        row("403", problemAnswer("403 Forbidden", "forbidden"), Kind::ApiKeyRefused);
        row("404", answering("404 Not Found", "{}"), Kind::NotOffered);
        row("405", answering("405 Method Not Allowed", "{}"), Kind::NotOffered);
        row("501", answering("501 Not Implemented", "{}"), Kind::NotOffered);
        row("400", problemAnswer("400 Bad Request", "invalid-request", ",\"field\":\"from\""), Kind::Refused, "from");
        row("421", problemAnswer("421 Misdirected Request", "other-ledger"), Kind::OtherLedger, "Ledger-Id");
        row("another ledger", answering("200 OK", pageOf(0, 1, "null"), "Ledger-Id: ldg_2\r\n"), Kind::OtherLedger,
            "Ledger-Id");
        row("no ledger", answering("200 OK", pageOf(0, 1, "null"), ""), Kind::NotUnderstood, "Ledger-Id");
        row("a wrong amount", answering("200 OK", pageJson({with(bankRow(1), "amount", "12.5")}, "null")),
            Kind::NotUnderstood, "charges[0].amount");
        row("more rows than are wanted", paging(0, 4, "null"), Kind::TooMany);
    }
    void what_asking_again_cannot_help_ends_it_at_once()
    {
        QFETCH(Script, answer);
        QFETCH(int, kind);
        QFETCH(QString, member);
        ScriptedServer server({answer});
        Reader reader(settingsFor(server.url()));
        reader.client.read({QStringLiteral("ldg_1"), {}, 0, 0, 3});
        QTRY_COMPARE(reader.words(), 1);
        QCOMPARE(reader.errors.size(), 1);
        QCOMPARE(static_cast<int>(reader.errors[0].kind), kind);
        QCOMPARE(reader.errors[0].member, member);
        QVERIFY(reader.errors[0].detail.endsWith(u'.'));
        QVERIFY(reader.rows.isEmpty());
        QCOMPARE(server.arrivals(), 1);
    }

    void a_ledger_that_changes_between_two_pages_ends_it()
    {
        ScriptedServer server({paging(0, 2, "2"), answering("200 OK", pageOf(2, 3, "null"), "Ledger-Id: ldg_2\r\n")});
        Reader reader(settingsFor(server.url(), 2));
        reader.client.read({});
        QTRY_COMPARE(reader.words(), 1);
        QCOMPARE(reader.errors[0].kind, Kind::OtherLedger);
        QCOMPARE(reader.rows.size(), 2);
    }

    void a_page_without_end_costs_one_page_of_memory()
    {
        const QByteArray huge = "{\"charges\":[],\"note\":\"" + QByteArray(3 * 1024 * 1024, 'x') + "\",\"next\":null}";
        ScriptedServer server({answering("200 OK", huge)});
        ChargeListClientSettings settings = settingsFor(server.url());
        settings.retry.maxAttempts = 1;
        Reader reader(settings);
        reader.client.read({});
        QTRY_COMPARE(reader.errors.size(), 1);
        QCOMPARE(reader.errors[0].kind, Kind::NoAnswer);
        QVERIFY(reader.errors[0].detail.contains(QLatin1String("1048576")));
    }

    void cancelling_ends_all_with_one_word()
    {
        ScriptedServer server({{act::ReadRequest{}}});
        Reader reader(settingsFor(server.url()));
        reader.client.cancel(); // nothing to cancel, nothing said
        reader.client.read({});
        for (int n = 0; n < 6; ++n)
            reader.client.inquire(QStringLiteral("key-%1").arg(n), {});
        QTRY_VERIFY(server.arrivals() >= 5);
        reader.client.cancel();
        QCOMPARE(reader.cancels, 0);
        QTRY_COMPARE(reader.cancels, 1);
        QTRY_COMPARE(server.closedByPeer(), server.connections());
        QCoreApplication::processEvents();
        QCOMPARE(reader.words(), 1);
        QVERIFY(reader.inquiries.isEmpty());
    }

    void cancelling_from_inside_a_page_ends_it_and_a_new_reading_may_begin_there()
    {
        ScriptedServer server({paging(0, 2, "2"), paging(0, 2, "2"), paging(2, 3, "null")});
        Reader reader(settingsFor(server.url(), 2));
        bool first = true;
        connect(&reader.client, &ChargeList::pageRead, this, [&] {
            if (!std::exchange(first, false))
                return;
            reader.client.cancel();
            reader.client.read({});
        });
        reader.client.read({});
        QTRY_COMPARE(reader.ends.size(), 1);
        QCOMPARE(reader.cancels, 1);
        QCOMPARE(reader.progress, (QList<qint64>{2, 2, 3}));
        QCOMPARE(server.arrivals(), 3);
    }

    void one_reading_at_a_time()
    {
        ScriptedServer server({paging(0, 1, "null")});
        Reader reader(settingsFor(server.url()));
        reader.client.read({});
        reader.client.read({});
        QTRY_COMPARE(reader.ends.size(), 1);
        QCoreApplication::processEvents();
        QCOMPARE(server.arrivals(), 1);
        QCOMPARE(reader.ends.size(), 1);
    }

    void going_away_ends_it_without_a_word()
    {
        ScriptedServer server({{act::ReadRequest{}}});
        QElapsedTimer clock;
        {
            Reader reader(settingsFor(server.url()));
            reader.client.read({});
            reader.client.inquire(QStringLiteral("k"), {});
            QTRY_COMPARE(server.arrivals(), 2);
            clock.start();
        }
        QVERIFY(clock.elapsed() < 2'000);
    }

    void a_real_bank_is_read_as_it_keeps_its_books()
    {
        const BankUnderTest bank;
        for (int n = 1; n <= 25; ++n) {
            QCOMPARE(bank.charge("key-" + QByteArray::number(n), 1, chargeOf(n)).status, 201);
        }
        QCOMPARE(bank.charge("declined", 1, BankUnderTest::chargeBody(50, "card_decline")).status, 402);
        const QByteArray voiding = R"({"original_key":"key-3","order_id":"A-3","amount":103,"currency":"JPY"})";
        const RawAnswer reversed = bank.exchange(bank.request(
            "POST", "/v1/voids", "Content-Type: application/json\r\nIdempotency-Key: void-3\r\n", voiding));
        QCOMPARE(reversed.status, 200);

        Reader all(settingsFor(parseBankUrl(bank.url()).value(), 10));
        all.client.read({});
        QTRY_COMPARE(all.words(), 1);
        QCOMPARE(all.ends.size(), 1);
        QCOMPARE(all.ends[0].ledgerId, bank.ledgerId());
        QVERIFY(all.ends[0].bankWallMs > 0);
        QCOMPARE(all.progress, (QList<qint64>{10, 20, 25}));
        QCOMPARE(all.rows[2].key, QStringLiteral("key-3"));
        QCOMPARE(all.rows[2].amountMinor, 103);
        for (qsizetype at = 0; at < all.rows.size(); ++at)
            QCOMPARE(all.rows[at].reversed, at == 2);

        Reader second(settingsFor(parseBankUrl(bank.url()).value(), 10));
        second.client.read(
            {bank.ledgerId(), QStringLiteral("till-2"), all.rows[0].createdWallMs, all.rows[24].createdWallMs + 1});
        QTRY_COMPARE(second.ends.size(), 1);
        QCOMPARE(second.rows.size(), 5);
        second.rows.clear();
        second.client.read({bank.ledgerId(), {}, all.rows[24].createdWallMs + 1, 0});
        QTRY_COMPARE(second.ends.size(), 2);
        QVERIFY(second.rows.isEmpty());
        second.client.read({QStringLiteral("ldg_other"), {}, 0, 0});
        QTRY_COMPARE(second.errors.size(), 1);
        QCOMPARE(second.errors[0].kind, Kind::OtherLedger);
    }

    void a_real_bank_that_stumbles_is_read_to_its_end()
    {
        const BankUnderTest bank;
        for (int n = 1; n <= 6; ++n)
            QCOMPARE(bank.charge("key-" + QByteArray::number(n)).status, 201);
        for (const char *fault :
             {"unread:rst", "after_commit:fin", "mid_answer:fin(at=body)", "unread:status(code=503)",
              "after_commit:bad_json", "after_commit:html_200", "unread:restart(ms=20)"})
            bank.arm(QByteArray(fault) + ":route=list:next=1");
        ChargeListClientSettings settings = settingsFor(parseBankUrl(bank.url()).value(), 2);
        settings.retry.maxAttempts = 20;
        settings.deadlineMs = 3'000;
        Reader reader(settings);
        reader.client.read({});
        QTRY_COMPARE(reader.words(), 1);
        QCOMPARE(reader.ends.size(), 1);
        QCOMPARE(reader.rows.size(), 6);
        QVERIFY(reader.waits.size() >= 7);
    }

    void a_key_is_asked_for_by_itself()
    {
        const BankUnderTest bank;
        QCOMPARE(bank.charge("a/strange?key=%2F&\"it\"").status, 201);
        QCOMPARE(bank.charge("declined", 1, BankUnderTest::chargeBody(50, "card_decline")).status, 402);
        Reader reader(settingsFor(parseBankUrl(bank.url()).value()));
        const auto ask = [&](const char *key, const QString &ledger) {
            reader.inquiries.clear();
            reader.client.inquire(QString::fromLatin1(key), ledger);
            QTRY_COMPARE(reader.inquiries.size(), 1);
            QCOMPARE(reader.inquiries[0].key, QString::fromLatin1(key));
        };
        ask("a/strange?key=%2F&\"it\"", bank.ledgerId());
        QCOMPARE(reader.inquiries[0].what, What::Found);
        QCOMPARE(reader.inquiries[0].charge->status, QStringLiteral("approved"));
        QCOMPARE(reader.inquiries[0].charge->amountMinor, 1'200);
        ask("declined", {});
        QCOMPARE(reader.inquiries[0].what, What::Found);
        QCOMPARE(reader.inquiries[0].charge->status, QStringLiteral("declined"));
        ask("never-sent", {});
        QCOMPARE(reader.inquiries[0].what, What::NeverSeen);
        ask("..", {});
        QCOMPARE(reader.inquiries[0].what, What::NeverSeen);
        ask("declined", QStringLiteral("ldg_other"));
        QCOMPARE(reader.inquiries[0].what, What::NoAnswer);
        QCOMPARE(reader.inquiries[0].error.kind, Kind::OtherLedger);
        bank.control("PUT", "strategy", R"({"name":"naive"})");
        ask("declined", {});
        QCOMPARE(reader.inquiries[0].what, What::NotOffered);
    }

    void many_keys_are_asked_a_few_at_a_time_and_each_gets_one_word()
    {
        const BankUnderTest bank;
        bank.arm("after_commit:rst:route=inquiry:next=20");
        ChargeListClientSettings settings = settingsFor(parseBankUrl(bank.url()).value());
        settings.retry.maxAttempts = 21; // all of it may strike the same key
        Reader reader(settings);
        std::set<QString> keys;
        for (int n = 0; n < 60; ++n) {
            const QString key = QStringLiteral("key-%1").arg(n);
            keys.insert(key);
            reader.client.inquire(key, bank.ledgerId());
        }
        QTRY_COMPARE(reader.inquiries.size(), 60);
        for (const KeyInquiry &answer : reader.inquiries) {
            QCOMPARE(answer.what, What::NeverSeen);
            QCOMPARE(keys.erase(answer.key), 1U);
        }
    }

    void an_answer_about_another_key_is_no_answer()
    {
        const QByteArray charge =
            R"({"id":"ch_1","status":"approved","idempotency_key":"other","order_id":"A","amount":1,"currency":"JPY"})";
        ScriptedServer server({answering("200 OK", charge), answering("202 Accepted", "{}"),
                               answering("404 Not Found", "<html></html>"),
                               problemAnswer("404 Not Found", "not-found")});
        Reader reader(settingsFor(server.url()));
        reader.client.inquire(QStringLiteral("mine"), {});
        QTRY_COMPARE(reader.inquiries.size(), 1);
        QCOMPARE(reader.inquiries[0].what, What::NoAnswer);
        QCOMPARE(reader.inquiries[0].error.member, QStringLiteral("idempotency_key"));
        reader.client.inquire(QStringLiteral("mine"), {});
        QTRY_COMPARE(reader.inquiries.size(), 2);
        QCOMPARE(reader.inquiries[1].what, What::InProgress);
        reader.client.inquire(QStringLiteral("mine"), {}); // a 404 that is nobody's says nothing: asked again
        QTRY_COMPARE(reader.inquiries.size(), 3);
        QCOMPARE(reader.inquiries[2].what, What::NeverSeen);
        QCOMPARE(server.arrivals(), 4);
    }

    void https_is_read_under_the_named_authority_and_no_other()
    {
        if (!CertificateLab::isPossible())
            QSKIP("no openssl program");
        const CertificateLab lab;
        const CertificateLab::Pair pair = lab.issue(QStringLiteral("bank"));
        mockbank::MockServerOptions options;
        options.certificatePem = pair.certificate();
        options.keyPem = pair.key();
        options.apiKeys = {{"shop", "sk_list"}};
        mockbank::MockServer server;
        const auto started = server.start(options);
        const auto *running = std::get_if<mockbank::RunningServer>(&started);
        QVERIFY(running);
        ChargeListClientSettings settings = settingsFor(parseBankUrl(running->url).value());
        settings.authorities = lab.authorities();
        settings.apiKey = "sk_list";
        Reader reader(settings);
        reader.client.read({});
        QTRY_COMPARE(reader.words(), 1);
        QVERIFY2(reader.errors.isEmpty(), qPrintable(reader.errors.isEmpty() ? QString() : reader.errors[0].detail));
        QCOMPARE(reader.ends[0].ledgerId, running->ledgerId);

        settings.apiKey = "sk_wrong";
        Reader wrongKey(settings);
        wrongKey.client.read({});
        QTRY_COMPARE(wrongKey.errors.size(), 1);
        QCOMPARE(wrongKey.errors[0].kind, Kind::ApiKeyRefused);
        QVERIFY(!wrongKey.errors[0].detail.contains(QLatin1String("sk_")));

        settings.authorities = QSslCertificate::fromData(lab.selfSigned(QStringLiteral("stranger")).certificate());
        Reader stranger(settings);
        stranger.client.read({});
        QTRY_COMPARE(stranger.errors.size(), 1);
        QCOMPARE(stranger.errors[0].kind, Kind::Unreachable);
    }
};

Q_DECLARE_METATYPE(ikkai::test::Script)

IKKAI_TEST_MAIN(ChargeListClientTest)
#include "tst_charge_list_client.moc"
