#include "mock-server/http/message.h"

#include <QtCore/QDateTime>
#include <QtCore/QJsonDocument>
#include <QtCore/QLocale>

#include <algorithm>

namespace mockbank {

QByteArrayList Request::values(QByteArrayView name) const
{
    QByteArrayList found;
    for (const auto &[headerName, headerValue] : headers) {
        if (headerName.compare(name, Qt::CaseInsensitive) == 0)
            found.append(headerValue);
    }
    return found;
}

QByteArray Request::value(QByteArrayView name) const
{
    for (const auto &[headerName, headerValue] : headers) {
        if (headerName.compare(name, Qt::CaseInsensitive) == 0)
            return headerValue;
    }
    return {};
}

Response toResponse(const Problem &problem)
{
    QJsonObject json{{QStringLiteral("type"), QStringLiteral("urn:ikkai:problem:") + QString::fromLatin1(problem.type)},
                     {QStringLiteral("title"), problem.title},
                     {QStringLiteral("status"), problem.status},
                     {QStringLiteral("detail"), problem.detail},
                     {QStringLiteral("retryable"), problem.retryable}};
    if (!problem.field.isEmpty())
        json.insert(QStringLiteral("field"), QString::fromUtf8(problem.field));
    if (!problem.idempotencyKey.isEmpty())
        json.insert(QStringLiteral("idempotency_key"), QString::fromLatin1(problem.idempotencyKey));
    return {problem.status,
            QByteArrayLiteral("application/problem+json"),
            {},
            QJsonDocument(json).toJson(QJsonDocument::Compact)};
}

Response jsonResponse(int status, const QJsonObject &json)
{
    return {status, QByteArrayLiteral("application/json"), {}, QJsonDocument(json).toJson(QJsonDocument::Compact)};
}

QByteArray reasonPhrase(int status)
{
    switch (status) {
    case 100:
        return QByteArrayLiteral("Continue");
    case 200:
        return QByteArrayLiteral("OK");
    case 201:
        return QByteArrayLiteral("Created");
    case 202:
        return QByteArrayLiteral("Accepted");
    case 204:
        return QByteArrayLiteral("No Content");
    case 400:
        return QByteArrayLiteral("Bad Request");
    case 401:
        return QByteArrayLiteral("Unauthorized");
    case 402:
        return QByteArrayLiteral("Payment Required");
    case 403:
        return QByteArrayLiteral("Forbidden");
    case 404:
        return QByteArrayLiteral("Not Found");
    case 405:
        return QByteArrayLiteral("Method Not Allowed");
    case 406:
        return QByteArrayLiteral("Not Acceptable");
    case 408:
        return QByteArrayLiteral("Request Timeout");
    case 409:
        return QByteArrayLiteral("Conflict");
    case 410:
        return QByteArrayLiteral("Gone");
    case 411:
        return QByteArrayLiteral("Length Required");
    case 412:
        return QByteArrayLiteral("Precondition Failed");
    case 413:
        return QByteArrayLiteral("Content Too Large");
    case 414:
        return QByteArrayLiteral("URI Too Long");
    case 415:
        return QByteArrayLiteral("Unsupported Media Type");
    case 417:
        return QByteArrayLiteral("Expectation Failed");
    case 421:
        return QByteArrayLiteral("Misdirected Request");
    case 422:
        return QByteArrayLiteral("Unprocessable Content");
    case 423:
        return QByteArrayLiteral("Locked");
    case 425:
        return QByteArrayLiteral("Too Early");
    case 428:
        return QByteArrayLiteral("Precondition Required");
    case 429:
        return QByteArrayLiteral("Too Many Requests");
    case 431:
        return QByteArrayLiteral("Request Header Fields Too Large");
    case 500:
        return QByteArrayLiteral("Internal Server Error");
    case 501:
        return QByteArrayLiteral("Not Implemented");
    case 502:
        return QByteArrayLiteral("Bad Gateway");
    case 503:
        return QByteArrayLiteral("Service Unavailable");
    case 504:
        return QByteArrayLiteral("Gateway Timeout");
    case 505:
        return QByteArrayLiteral("HTTP Version Not Supported");
    default:
        return QByteArrayLiteral("Status");
    }
}

QByteArray problemTypeOf(int status)
{
    const QByteArray phrase = reasonPhrase(status);
    if (phrase == "Status")
        return "status-" + QByteArray::number(status);
    return phrase.toLower().replace(' ', '-');
}

QByteArray httpDate(qint64 secondsSinceEpoch)
{
    return QLocale::c()
        .toString(QDateTime::fromSecsSinceEpoch(secondsSinceEpoch, Qt::UTC),
                  QStringLiteral("ddd, dd MMM yyyy hh:mm:ss 'GMT'"))
        .toLatin1();
}

QByteArray writeHead(const Response &response, const Headers &common, qsizetype bodyLength, bool keepAlive)
{
    const auto own = [&](const QByteArray &name) {
        return std::ranges::any_of(response.headers, [&](const auto &header) { return header.first == name; });
    };
    QByteArray head;
    head.reserve(512);
    head += "HTTP/1.1 " + QByteArray::number(response.status) + ' ' + reasonPhrase(response.status) + "\r\n";
    if (!response.contentType.isEmpty())
        head += "Content-Type: " + response.contentType + "\r\n";
    if (bodyLength >= 0)
        head += "Content-Length: " + QByteArray::number(bodyLength) + "\r\n";
    for (const auto &[name, value] : common) {
        if (!own(name))
            head += name + ": " + value + "\r\n";
    }
    for (const auto &[name, value] : response.headers)
        head += name + ": " + value + "\r\n";
    head += keepAlive ? "Connection: keep-alive\r\n\r\n" : "Connection: close\r\n\r\n";
    return head;
}

} // namespace mockbank
