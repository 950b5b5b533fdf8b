#include "mock-server/control/har.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QDateTime>
#include <QtCore/QJsonArray>
#include <QtCore/QUrlQuery>

#include <algorithm>

namespace mockbank {

namespace har {

QString valueOf(const Headers &headers, const char *name)
{
    for (const auto &[headerName, value] : headers) {
        if (headerName.compare(QByteArrayView(name), Qt::CaseInsensitive) == 0)
            return QString::fromUtf8(value);
    }
    return {};
}

QJsonArray pairs(const Headers &headers)
{
    QJsonArray array;
    for (const auto &[name, value] : headers) {
        array.append(QJsonObject{{QStringLiteral("name"), QString::fromLatin1(name)},
                                 {QStringLiteral("value"), QString::fromUtf8(value)}});
    }
    return array;
}

QJsonArray queryOf(const QByteArray &query)
{
    QJsonArray array;
    const auto items = QUrlQuery(QString::fromLatin1(query)).queryItems(QUrl::FullyDecoded);
    for (const auto &[name, value] : items)
        array.append(QJsonObject{{QStringLiteral("name"), name}, {QStringLiteral("value"), value}});
    return array;
}

double msBetween(qint64 fromUs, qint64 toUs)
{
    return fromUs < 0 || toUs < fromUs ? 0 : static_cast<double>(toUs - fromUs) / 1000;
}

QJsonObject requestOf(const JournalRecord &record)
{
    const QString host = valueOf(record.headers, "Host");
    QString url = QStringLiteral("http://") + (host.isEmpty() ? QStringLiteral("localhost") : host) +
                  QString::fromLatin1(record.path);
    if (!record.query.isEmpty())
        url += QLatin1Char('?') + QString::fromLatin1(record.query);
    QJsonObject request{{QStringLiteral("method"), QString::fromLatin1(record.method)},
                        {QStringLiteral("url"), url},
                        {QStringLiteral("httpVersion"), QLatin1StringView(record.http11 ? "HTTP/1.1" : "HTTP/1.0")},
                        {QStringLiteral("cookies"), QJsonArray()},
                        {QStringLiteral("headers"), pairs(record.headers)},
                        {QStringLiteral("queryString"), queryOf(record.query)},
                        {QStringLiteral("headersSize"), -1},
                        {QStringLiteral("bodySize"), record.complete ? record.body.size() : -1}};
    if (!record.body.isEmpty()) {
        request.insert(QStringLiteral("postData"),
                       QJsonObject{{QStringLiteral("mimeType"), valueOf(record.headers, "Content-Type")},
                                   {QStringLiteral("params"), QJsonArray()},
                                   {QStringLiteral("text"), QString::fromUtf8(record.body)}});
    }
    return request;
}

QJsonObject responseOf(const JournalRecord &record)
{
    const SentAnswer sent = readSent(record.sent);
    const QByteArray &body = sent.body;
    const QString text = QString::fromUtf8(body);
    QJsonObject content{{QStringLiteral("size"), body.size()},
                        {QStringLiteral("mimeType"), valueOf(sent.headers, "Content-Type")}};
    if (text.toUtf8() == body) {
        content.insert(QStringLiteral("text"), text);
    } else {
        content.insert(QStringLiteral("text"), QString::fromLatin1(body.toBase64()));
        content.insert(QStringLiteral("encoding"), QStringLiteral("base64"));
    }
    const bool started = record.bytesWritten > 0;
    return {{QStringLiteral("status"), record.status},
            {QStringLiteral("statusText"), QString::fromLatin1(sent.reason)},
            {QStringLiteral("httpVersion"), sent.wholeHead ? QString::fromLatin1(sent.version) : QString()},
            {QStringLiteral("cookies"), QJsonArray()},
            {QStringLiteral("headers"), pairs(withoutSecrets(sent.headers))},
            {QStringLiteral("content"), content},
            {QStringLiteral("redirectURL"), valueOf(sent.headers, "Location")},
            {QStringLiteral("headersSize"), sent.wholeHead ? sent.headBytes : -1},
            {QStringLiteral("bodySize"), started ? record.bytesWritten - sent.headBytes : -1}};
}

QJsonObject entryOf(const JournalRecord &record)
{
    const double send = msBetween(0, record.completeUs);
    const double wait = msBetween(record.completeUs, record.firstByteUs < 0 ? record.endedUs : record.firstByteUs);
    const double receive = msBetween(record.firstByteUs, record.lastByteUs);
    return {
        {QStringLiteral("startedDateTime"),
         QDateTime::fromMSecsSinceEpoch(record.receivedAtMs, Qt::UTC).toString(Qt::ISODateWithMs)},
        {QStringLiteral("time"), send + wait + receive},
        {QStringLiteral("request"), requestOf(record)},
        {QStringLiteral("response"), responseOf(record)},
        {QStringLiteral("cache"), QJsonObject()},
        {QStringLiteral("timings"), QJsonObject{{QStringLiteral("blocked"), -1},
                                                {QStringLiteral("dns"), -1},
                                                {QStringLiteral("connect"), -1},
                                                {QStringLiteral("send"), send},
                                                {QStringLiteral("wait"), wait},
                                                {QStringLiteral("receive"), receive},
                                                {QStringLiteral("ssl"), -1}}},
        {QStringLiteral("connection"), QString::number(record.connection)},
        {QStringLiteral("_n"), static_cast<qint64>(record.n)},
        {QStringLiteral("_ended"), QString::fromLatin1(endName(record.end))},
        {QStringLiteral("_delivered"), record.delivered},
        {QStringLiteral("_committed"), record.committed},
        {QStringLiteral("_fault"), record.fault.isEmpty() ? QJsonValue(QJsonValue::Null) : QJsonValue(record.fault)}};
}

} // namespace har

QJsonObject toHar(const QList<JournalRecord> &records, std::optional<quint64> next)
{
    QJsonArray entries;
    for (const JournalRecord &record : records)
        entries.append(har::entryOf(record));
    const QString version = QCoreApplication::applicationVersion();
    QJsonObject log{{QStringLiteral("version"), QStringLiteral("1.2")},
                    {QStringLiteral("creator"),
                     QJsonObject{{QStringLiteral("name"), QStringLiteral("mock-payment-server")},
                                 {QStringLiteral("version"), version.isEmpty() ? QStringLiteral("0") : version}}},
                    {QStringLiteral("pages"), QJsonArray()},
                    {QStringLiteral("entries"), entries}};
    if (next)
        log.insert(QStringLiteral("_next"), static_cast<qint64>(*next));
    return {{QStringLiteral("log"), log}};
}

} // namespace mockbank
