#include "core/gateway/wire_codec.h"

#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QJsonValue>

#include <algorithm>

namespace ikkai {

namespace wire {

// Years rather than for ever: a larger number is a mistake, and milliseconds of it must not overflow.
constexpr qint64 maxTtlS = 10LL * 366 * 86'400;
constexpr qsizetype maxApiKeyChars = 512;

/// A JSON string with its quotes. QJsonObject would sort the members, so the object around it is put together by hand.
QByteArray jsonString(const QString &text)
{
    const QByteArray array = QJsonDocument(QJsonArray{text}).toJson(QJsonDocument::Compact);
    return array.sliced(1, array.size() - 2);
}

bool isVisibleAscii(const QByteArray &text)
{
    return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7f'; });
}

void addAuthorization(HeaderList &headers, const QByteArray &apiKey)
{
    if (!apiKey.isEmpty())
        headers.emplace_back("Authorization", "Bearer " + apiKey);
}

void addExpectLedger(HeaderList &headers, const QString &ledgerId)
{
    if (!ledgerId.isEmpty())
        headers.emplace_back("Expect-Ledger", ledgerId.toUtf8());
}

/// `identity` keeps the transport from unpacking the body: its length is then the one that was announced.
HeaderList headersOfAny()
{
    return {{"Accept", "application/json, application/problem+json"},
            {"Accept-Encoding", "identity"},
            {"User-Agent", "ikkai-terminal"}};
}

QUrl under(const QUrl &base, const QByteArray &path)
{
    return QUrl::fromEncoded(base.toEncoded() + path, QUrl::StrictMode);
}

bool closesItself(const QByteArray &body)
{
    return QJsonDocument::fromJson(body).isObject();
}

} // namespace wire

QByteArray chargeBody(const OrderId &order, const Money &money, const SourceId &source, const QString &terminalId)
{
    return "{\"order_id\":" + wire::jsonString(order.text()) +
           ",\"amount\":" + QByteArray::number(money.amountMinor()) +
           ",\"currency\":" + wire::jsonString(money.currency().code()) +
           ",\"source\":" + wire::jsonString(source.text()) + ",\"terminal_id\":" + wire::jsonString(terminalId) + "}";
}

QByteArray voidBody(const IdempotencyKey &originalKey, const OrderId &order, const Money &money)
{
    return "{\"original_key\":" + wire::jsonString(originalKey.text()) +
           ",\"order_id\":" + wire::jsonString(order.text()) +
           ",\"amount\":" + QByteArray::number(money.amountMinor()) +
           ",\"currency\":" + wire::jsonString(money.currency().code()) + "}";
}

QByteArray keyHeaderValue(const IdempotencyKey &key, KeyFormat format)
{
    switch (format) {
    case KeyFormat::Bare:
        return key.bytes();
    case KeyFormat::Quoted:
        break;
    }
    // A UUID holds no quote and no backslash, so nothing has to be escaped.
    return '"' + key.bytes() + '"';
}

HeaderList chargeHeaders(const ChargeTransmission &charge, const QByteArray &apiKey, KeyFormat format)
{
    HeaderList headers = wire::headersOfAny();
    headers.emplace_back("Content-Type", "application/json");
    headers.emplace_back("Idempotency-Key", keyHeaderValue(charge.attempt.key, format));
    headers.emplace_back("Attempt-Number", QByteArray::number(charge.attempt.number));
    wire::addAuthorization(headers, apiKey);
    wire::addExpectLedger(headers, charge.expectLedger);
    return headers;
}

HeaderList voidHeaders(const VoidTransmission &transmission, const QByteArray &apiKey, KeyFormat format)
{
    HeaderList headers = wire::headersOfAny();
    headers.emplace_back("Content-Type", "application/json");
    headers.emplace_back("Idempotency-Key", keyHeaderValue(transmission.voidKey, format));
    headers.emplace_back("Attempt-Number", QByteArray::number(transmission.voidTry));
    wire::addAuthorization(headers, apiKey);
    wire::addExpectLedger(headers, transmission.expectLedger);
    return headers;
}

HeaderList readHeaders(const QByteArray &apiKey, const QString &expectLedger)
{
    HeaderList headers = wire::headersOfAny();
    wire::addAuthorization(headers, apiKey);
    wire::addExpectLedger(headers, expectLedger);
    return headers;
}

HeaderList inquiryHeaders(const InquiryTransmission &inquiry, const QByteArray &apiKey)
{
    return readHeaders(apiKey, inquiry.expectLedger);
}

HeaderList learnHeaders(const QByteArray &apiKey)
{
    HeaderList headers = wire::headersOfAny();
    wire::addAuthorization(headers, apiKey);
    return headers;
}

QUrl voidUrl(const QUrl &base)
{
    return wire::under(base, "/v1/voids");
}

QUrl chargeUrl(const QUrl &base)
{
    return wire::under(base, "/v1/charges");
}

QUrl inquiryUrl(const QUrl &base, const IdempotencyKey &key)
{
    return wire::under(base, "/v1/charges/" + QUrl::toPercentEncoding(key.text()));
}

QUrl foreignInquiryUrl(const QUrl &base, const QString &key)
{
    return wire::under(base, "/v1/charges/" + QUrl::toPercentEncoding(key));
}

QUrl chargeListUrl(const QUrl &base, const QByteArray &query)
{
    return wire::under(base, "/v1/charges" + (query.isEmpty() ? QByteArray() : '?' + query));
}

QUrl learnUrl(const QUrl &base)
{
    return wire::under(base, "/healthz");
}

Result<QUrl, FieldError> parseBankUrl(QStringView text)
{
    const QString given = text.trimmed().toString();
    const auto wrong = [&](FieldError::Problem problem) {
        return FieldError{QStringLiteral("server"), problem, given};
    };
    if (given.isEmpty())
        return wrong(FieldError::Problem::Empty);
    QUrl url(given, QUrl::StrictMode);
    if (!url.isValid())
        return wrong(FieldError::Problem::BadCharacter);
    if (url.hasQuery() || url.hasFragment())
        return wrong(FieldError::Problem::BadCharacter);
    if (!url.userInfo().isEmpty()) {
        // What stands there may be a password: the message must not repeat it.
        return FieldError{QStringLiteral("server"), FieldError::Problem::BadCharacter,
                          url.toDisplayString(QUrl::RemoveUserInfo)};
    }
    const bool known = url.scheme() == QLatin1String("http") || url.scheme() == QLatin1String("https");
    if (!known || url.host().isEmpty())
        return wrong(FieldError::Problem::UnknownValue);
    QString path = url.path(QUrl::FullyEncoded);
    while (path.endsWith(QLatin1Char('/')))
        path.chop(1);
    url.setPath(path, QUrl::TolerantMode);
    return url;
}

Result<QByteArray, FieldError> parseApiKey(const QByteArray &text)
{
    const QByteArray key = text.trimmed();
    const auto wrong = [](FieldError::Problem problem) {
        return FieldError{QStringLiteral("api_key"), problem, QString()};
    };
    if (key.isEmpty())
        return wrong(FieldError::Problem::Empty);
    if (key.size() > wire::maxApiKeyChars)
        return wrong(FieldError::Problem::TooLong);
    if (!wire::isVisibleAscii(key))
        return wrong(FieldError::Problem::BadCharacter);
    return key;
}

std::optional<QString> whyCut(const HttpAnswer &answer)
{
    const bool hasLength = answer.headers.contains("content-length");
    if (hasLength && answer.headers.contains("transfer-encoding"))
        return QStringLiteral("both Content-Length and Transfer-Encoding");
    if (hasLength) {
        const QByteArray length = answer.header("content-length");
        const bool digits =
            !length.isEmpty() && std::all_of(length.begin(), length.end(), [](char c) { return c >= '0' && c <= '9'; });
        bool fits = false;
        const qint64 announced = length.toLongLong(&fits);
        if (!digits || !fits)
            return QStringLiteral("Content-Length is not a number");
        if (announced != answer.body.size())
            return QStringLiteral("%1 bytes of %2 came").arg(answer.body.size()).arg(announced);
        return std::nullopt;
    }
    if (answer.status == 204 || answer.status == 304 || wire::closesItself(answer.body))
        return std::nullopt;
    return QStringLiteral("no Content-Length, and the body does not show that it is whole");
}

Result<BankIdentity, QString> bankIdentity(const HttpAnswer &answer)
{
    if (answer.status != 200)
        return QStringLiteral("the bank answered /healthz with status %1").arg(answer.status);
    const QJsonObject object = QJsonDocument::fromJson(answer.body).object();
    const QString ledgerId = object.value(QLatin1String("ledger_id")).toString();
    if (ledgerId.isEmpty() || ledgerId.size() > 255 || !wire::isVisibleAscii(ledgerId.toUtf8()))
        return QStringLiteral("/healthz names no ledger_id");
    const QJsonValue ttl = object.value(QLatin1String("idempotency_key_ttl_s"));
    const qint64 ttlS = ttl.toInteger(-1);
    if (ttlS <= 0 || ttlS > wire::maxTtlS)
        return QStringLiteral("/healthz names no usable idempotency_key_ttl_s");
    const QJsonValue authorized = object.value(QLatin1String("authorized"));
    if (!authorized.isUndefined() && !authorized.isBool())
        return QStringLiteral("/healthz: authorized is neither true nor false");
    return BankIdentity{ledgerId, ttlS * 1'000, authorized.toBool(true)};
}

} // namespace ikkai
