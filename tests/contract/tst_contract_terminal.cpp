#include "core/checkout/classify.h"
#include "core/closing/charge_page.h"
#include "core/gateway/wire_codec.h"
#include "core/journal/verdict_fields.h"
#include "golden.h"
#include "tests/support/test.h"

#include <QtCore/QUrlQuery>

using namespace ikkai;
using namespace ikkai::test;

namespace {

const QString ledger = QStringLiteral("ldg_golden");

/// The kind of a verdict, and the word that tells it apart.
struct VerdictWords {
    QString operator()(const verdict::Approved &v) const { return with(v, wordOf(v.by)); }
    QString operator()(const verdict::Declined &v) const { return with(v, wordOf(v.by)); }
    QString operator()(const verdict::Unclear &v) const { return with(v, wordOf(v.why)); }
    QString operator()(const verdict::NoAnswer &v) const { return with(v, wordOf(v.why)) + v.detail; }
    QString operator()(const verdict::Refused &v) const { return with(v, v.field.toUtf8().constData()); }
    QString operator()(const inquiry::Nothing &v) const { return with(v, wordOf(v.why)); }
    QString operator()(const voiding::Settled &v) const { return with(v, wordOf(v.result)); }
    QString operator()(const voiding::Nothing &v) const { return with(v, wordOf(v.why)); }
    template <class T>
    QString operator()(const T &) const
    {
        return QString::fromLatin1(kindOf(std::type_identity<T>{}));
    }

private:
    template <class T>
    static QString with(const T &, const char *word)
    {
        return QStringLiteral("%1/%2").arg(QLatin1String(kindOf(std::type_identity<T>{})), QLatin1String(word));
    }
};

QJsonValue filled(const QJsonValue &value)
{
    if (value.isObject()) {
        QJsonObject object = value.toObject();
        for (auto it = object.begin(); it != object.end(); ++it)
            it.value() = filled(it.value());
        return object;
    }
    if (value.isArray()) {
        QJsonArray array;
        for (const QJsonValue &element : value.toArray())
            array.append(filled(element));
        return array;
    }
    QString text = value.toString();
    if (!value.isString())
        return value;
    if (text == QLatin1String("<ledger>"))
        return ledger;
    if (text == QLatin1String("<time>"))
        return QStringLiteral("2026-04-01T00:00:00.000Z");
    return text.replace(QLatin1String("<any>"), QLatin1String("something"));
}

Transmission transmissionOf(const QJsonObject &golden)
{
    HttpAnswer answer;
    answer.status = golden.value(QLatin1String("status")).toInt();
    const QJsonObject headers = filled(golden.value(QLatin1String("headers"))).toObject();
    for (auto it = headers.begin(); it != headers.end(); ++it)
        answer.headers.insert(it.key().toLower().toLatin1(), it.value().toString().toUtf8());
    if (golden.value(QLatin1String("body")).isObject())
        answer.body =
            QJsonDocument(filled(golden.value(QLatin1String("body"))).toObject()).toJson(QJsonDocument::Compact);
    Transmission transmission;
    transmission.end = Transmission::End::Answered;
    transmission.answer = answer;
    transmission.wireSends = 1;
    return transmission;
}

const IdempotencyKey key = IdempotencyKey::parse(u"0190a8b5-2f4e-7001-8f3a-1c2d3e4f5a6b").value();

/// The sale that a golden request is about, as far as it is one.
struct Sale {
    OrderId order = OrderId::parse(u"A-1001").value();
    Money money = Money::ofMinor(1'200, Currency::jpy()).value();
    SourceId source = SourceId::parse(u"card_ok").value();
};

Sale saleOf(const QByteArray &body)
{
    const QJsonObject object = QJsonDocument::fromJson(body).object();
    Sale sale;
    if (const auto order = OrderId::parse(object.value(QLatin1String("order_id")).toString()))
        sale.order = order.value();
    if (const auto money = Money::ofMinor(object.value(QLatin1String("amount")).toInteger(), Currency::jpy()))
        sale.money = money.value();
    if (const auto source = SourceId::parse(object.value(QLatin1String("source")).toString()))
        sale.source = source.value();
    return sale;
}

/// What a golden target asks of the list; none where it is no list.
std::optional<ChargePageQuery> listQueryOf(const QJsonObject &send)
{
    const QUrl target(QString::fromLatin1(textOf(send, "target")));
    if (textOf(send, "method") != "GET" || target.path() != QLatin1String("/v1/charges"))
        return {};
    const QUrlQuery query(target);
    const auto number = [&](const char *name) { return query.queryItemValue(QLatin1String(name)).toLongLong(); };
    return ChargePageQuery{number("after"), static_cast<int>(number("limit")),
                           query.queryItemValue(QStringLiteral("terminal_id")), 0, 0};
}

QString pageWord(const HttpAnswer &answer, const ChargePageQuery &query)
{
    const Result<ChargePage, ChargeListError> page = readChargePage(answer, query);
    if (!page)
        return page.error().detail;
    const QString next = page->next ? QString::number(*page->next) : QStringLiteral("end");
    return QStringLiteral("page/%1/%2").arg(page->rows.size()).arg(next);
}

} // namespace

class TestContractTerminal : public Test {
    Q_OBJECT

private Q_SLOTS:
    void the_terminal_takes_each_answer_as_the_table_says_data() { goldenRows(); }
    void the_terminal_takes_each_answer_as_the_table_says()
    {
        QFETCH(QJsonObject, scenario);
        for (const QJsonValue &value : scenario.value(QLatin1String("exchanges")).toArray()) {
            const QJsonObject exchange = value.toObject();
            if (!exchange.contains(QLatin1String("terminal")))
                continue;
            const QString expected = exchange.value(QLatin1String("terminal")).toString();
            const QJsonObject send = exchange.value(QLatin1String("send")).toObject();
            const Transmission transmission = transmissionOf(exchange.value(QLatin1String("answer")).toObject());
            const Sale sale = saleOf(textOf(send, "body"));
            const ExpectedEcho echo{key, sale.order, sale.money, ledger};
            QString got;
            if (expected == QLatin1String("learned")) {
                const Result<BankIdentity, QString> bank = bankIdentity(*transmission.answer);
                got = bank ? QStringLiteral("learned") : bank.error();
            } else if (const std::optional<ChargePageQuery> query = listQueryOf(send)) {
                got = pageWord(*transmission.answer, *query);
            } else if (textOf(send, "target") == "/v1/voids") {
                got = std::visit(VerdictWords{}, classifyVoid(transmission, echo));
            } else if (textOf(send, "method") == "GET") {
                got = std::visit(VerdictWords{}, classifyInquiry(transmission, echo));
            } else {
                got = std::visit(VerdictWords{}, classifyCharge(transmission, echo, EarlierAttempts::AllNotSent));
                if (exchange.contains(QLatin1String("terminal_after_unanswered"))) {
                    QCOMPARE(
                        std::visit(VerdictWords{}, classifyCharge(transmission, echo, EarlierAttempts::SomeUnanswered)),
                        exchange.value(QLatin1String("terminal_after_unanswered")).toString());
                }
            }
            QCOMPARE(got, expected);
        }
    }

    void the_terminal_sends_each_request_word_for_word_data() { goldenRows(); }
    void the_terminal_sends_each_request_word_for_word()
    {
        QFETCH(QJsonObject, scenario);
        const QByteArray apiKey = textOf(scenario, "api_key");
        const QUrl bank = parseBankUrl(u"http://bank").value();
        for (const QJsonValue &value : scenario.value(QLatin1String("exchanges")).toArray()) {
            const QJsonObject send = value.toObject().value(QLatin1String("send")).toObject();
            if (!send.value(QLatin1String("sent_by_terminal")).toBool())
                continue;
            QJsonObject wanted = send.value(QLatin1String("headers")).toObject();
            HeaderList headers;
            QUrl url = learnUrl(bank);
            QByteArray body;
            const auto header = [&](const char *name) { return wanted.value(QLatin1String(name)).toString(); };
            if (textOf(send, "target") == "/v1/voids") {
                const Sale sale = saleOf(textOf(send, "body"));
                body = voidBody(key, sale.order, sale.money);
                const IdempotencyKey voidKey = IdempotencyKey::parse(header("Idempotency-Key")).value();
                const VoidTransmission sent{key, voidKey, header("Attempt-Number").toInt(), body, ledger, 3'000};
                headers = voidHeaders(sent, apiKey, KeyFormat::Bare);
                url = voidUrl(bank);
            } else if (const std::optional<ChargePageQuery> query = listQueryOf(send)) {
                headers = readHeaders(apiKey, ledger);
                url = chargeListUrl(bank, encode(*query));
            } else if (textOf(send, "method") == "POST") {
                const Sale sale = saleOf(textOf(send, "body"));
                body = chargeBody(sale.order, sale.money, sale.source, QStringLiteral("till-1"));
                const int attempt = header("Attempt-Number").toInt();
                const bool quoted = header("Idempotency-Key").startsWith(u'"');
                headers = chargeHeaders({AttemptId{key, attempt}, body, ledger, 3'000}, apiKey,
                                        quoted ? KeyFormat::Quoted : KeyFormat::Bare);
                url = chargeUrl(bank);
            } else if (textOf(send, "target") == "/healthz") {
                headers = learnHeaders(apiKey);
            } else {
                headers = inquiryHeaders({key, ledger, 3'000}, apiKey);
                url = inquiryUrl(bank, key);
            }
            QCOMPARE(body, textOf(send, "body"));
            QCOMPARE(url.toEncoded(QUrl::RemoveScheme | QUrl::RemoveAuthority), textOf(send, "target"));
            QJsonObject sent;
            for (const auto &[name, text] : headers)
                sent.insert(QString::fromLatin1(name), QString::fromUtf8(text));
            QCOMPARE(sent.size(), static_cast<qsizetype>(headers.size()));
            QCOMPARE(sent, filled(wanted).toObject());
        }
    }
};

IKKAI_TEST_MAIN(TestContractTerminal)
#include "tst_contract_terminal.moc"
