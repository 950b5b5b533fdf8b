#include "mock-server/http/wrong_answer.h"

#include <QtCore/QJsonDocument>
#include <QtCore/QRandomGenerator>

#include <algorithm>

namespace mockbank {

namespace {

constexpr int garbageBytes = 512;      // where the rule does not say
constexpr qsizetype missingBytes = 64; // of a short body

QByteArray htmlPage(int status)
{
    const QByteArray title = QByteArray::number(status) + ' ' + reasonPhrase(status);
    return "<!DOCTYPE html>\n<html><head><title>" + title + "</title></head>\n<body><h1>" + title +
           "</h1></body></html>\n";
}

Response html(int status)
{
    return {status, QByteArrayLiteral("text/html; charset=utf-8"), {}, htmlPage(status)};
}

Response madeUpStatus(const Manifestation &manifestation, const QByteArray &key)
{
    const int code = manifestation.code;
    Response response = html(code);
    if (manifestation.body == MadeUpBody::Problem) {
        const bool retryable = code >= 500 || code == 408 || code == 409 || code == 425 || code == 429;
        response = toResponse({code,
                               problemTypeOf(code),
                               QString::fromLatin1(reasonPhrase(code)),
                               QStringLiteral("made up by an armed fault"),
                               retryable,
                               {},
                               key});
    }
    if (!manifestation.retryAfter.isEmpty())
        response.headers.emplaceBack("Retry-After", manifestation.retryAfter);
    return response;
}

/// The answer to somebody else: whatever of key, order and amount it echoes is another.
QByteArray echoAnother(const QByteArray &body)
{
    QJsonObject json = QJsonDocument::fromJson(body).object();
    for (const auto name :
         {QLatin1StringView("idempotency_key"), QLatin1StringView("original_key"), QLatin1StringView("order_id")}) {
        if (json.contains(name))
            json.insert(name, QString(QStringLiteral("not-") + json.value(name).toString()).left(255));
    }
    const QLatin1StringView amount("amount");
    if (json.contains(amount))
        json.insert(amount, json.value(amount).toInteger() + 1);
    return QJsonDocument(json).toJson(QJsonDocument::Compact);
}

/// What a client would take for the approval of this request. No money stands behind it.
Response plausibleApproval(const Arrival &arrival)
{
    QJsonObject json{{QStringLiteral("id"), QStringLiteral("ch_made_up")},
                     {QStringLiteral("status"), QStringLiteral("approved")},
                     {QStringLiteral("idempotency_key"), QString::fromLatin1(arrival.attempt.key)}};
    const QJsonObject asked = QJsonDocument::fromJson(arrival.exchange->request.body).object();
    for (const auto name : {QLatin1StringView("order_id"), QLatin1StringView("amount"), QLatin1StringView("currency"),
                            QLatin1StringView("original_key")}) {
        if (asked.contains(name))
            json.insert(name, asked.value(name));
    }
    if (arrival.route == RouteMatch::Void)
        json.insert(QStringLiteral("result"), QStringLiteral("reversed"));
    Response response = jsonResponse(arrival.route == RouteMatch::Charge ? 201 : 200, json);
    if (arrival.route == RouteMatch::Charge)
        response.headers.emplaceBack("Idempotent-Replayed", "false");
    return response;
}

/// Successes and declines are what a client settles by; made into something else they are what it must not settle by.
Response settlingAnswer(const Arrival &arrival, const Response &truth)
{
    const bool settles = (truth.status >= 200 && truth.status < 300) || truth.status == 402;
    return settles ? truth : plausibleApproval(arrival);
}

QByteArray seededBytes(quint64 seed, int count)
{
    // Two words, so that seeds above 32 bits differ too.
    const quint32 words[] = {static_cast<quint32>(seed), static_cast<quint32>(seed >> 32)};
    QRandomGenerator random(words, 2);
    QByteArray bytes(count > 0 ? count : garbageBytes, Qt::Uninitialized);
    std::ranges::generate(bytes, [&] { return static_cast<char>(random.bounded(256)); });
    // What happens to begin as an answer does would not be garbage.
    if (bytes.startsWith('H'))
        bytes[0] = '\0';
    return bytes;
}

} // namespace

bool isWrongAnswer(ManifestationKind kind)
{
    switch (kind) {
    case ManifestationKind::Status:
    case ManifestationKind::Html200:
    case ManifestationKind::BadJson:
    case ManifestationKind::WrongShape:
    case ManifestationKind::WrongEcho:
    case ManifestationKind::Redirect:
        return true;
    default:
        return false;
    }
}

bool isMalformed(ManifestationKind kind)
{
    switch (kind) {
    case ManifestationKind::Garbage:
    case ManifestationKind::HalfStatusLine:
    case ManifestationKind::HalfHeaders:
    case ManifestationKind::ShortBody:
    case ManifestationKind::LongBody:
    case ManifestationKind::BadChunk:
        return true;
    default:
        return false;
    }
}

Response noAnswerOfTheBank(const QByteArray &key)
{
    return madeUpStatus({}, key);
}

Response wrongAnswer(const Manifestation &manifestation, const Arrival &arrival, const Response &truth)
{
    switch (manifestation.kind) {
    case ManifestationKind::Status:
        return madeUpStatus(manifestation, arrival.attempt.key);
    case ManifestationKind::Html200:
        return html(200);
    case ManifestationKind::Redirect: {
        Response response = html(manifestation.code);
        response.headers.emplaceBack("Location", manifestation.location);
        return response;
    }
    default:
        break;
    }
    Response response = settlingAnswer(arrival, truth);
    switch (manifestation.kind) {
    case ManifestationKind::BadJson:
        // A Content-Length that holds, and JSON that does not.
        response.body.truncate(response.body.size() / 2);
        break;
    case ManifestationKind::WrongShape:
        response.body = R"({"data":{"object":"charge","paid":true},"error":null})";
        break;
    case ManifestationKind::WrongEcho:
        response.body = echoAnother(response.body);
        break;
    default:
        Q_UNREACHABLE();
    }
    return response;
}

QByteArray malformedAnswer(const Manifestation &manifestation, const Exchange &exchange, const Response &truth)
{
    const QByteArray &body = truth.body;
    const Exchange::Wire wire = exchange.toWire(truth);
    switch (manifestation.kind) {
    case ManifestationKind::Garbage:
        return seededBytes(manifestation.seed, manifestation.bytes);
    case ManifestationKind::HalfStatusLine:
        return wire.head.first(cutOffset({CutPoint::Kind::StatusLine, 0, 0}, wire.head, body.size()));
    case ManifestationKind::HalfHeaders:
        return wire.head.first(cutOffset({CutPoint::Kind::HeaderLines, 0, 0}, wire.head, body.size()));
    case ManifestationKind::ShortBody:
        // All of it comes, and more was promised: a reader that does not count takes it for whole.
        return exchange.headOf(truth, body.size() + missingBytes) + body;
    case ManifestationKind::LongBody:
        // The promised half is no JSON; a reader that does not count takes all of it.
        return exchange.headOf(truth, body.size() / 2) + body;
    case ManifestationKind::BadChunk: {
        Response chunked = truth;
        chunked.headers.emplaceBack("Transfer-Encoding", "chunked");
        const QByteArray half = body.first(body.size() / 2);
        return exchange.headOf(chunked, -1) + QByteArray::number(half.size(), 16) + "\r\n" + half +
               "\r\nnot-a-size\r\n" + body.mid(half.size()) + "\r\n0\r\n\r\n";
    }
    default:
        Q_UNREACHABLE();
    }
}

} // namespace mockbank
