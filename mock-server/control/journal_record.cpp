#include "mock-server/control/journal_record.h"

#include <QtCore/QDataStream>
#include <QtCore/QDateTime>
#include <QtCore/QIODevice>
#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QStringDecoder>

#include <algorithm>

namespace mockbank {

namespace journal_text {

struct EndName {
    JournalEnd end;
    const char *name;
};
constexpr std::array endNames{EndName{JournalEnd::Open, "open"},
                              EndName{JournalEnd::Held, "held"},
                              EndName{JournalEnd::Answered, "answered"},
                              EndName{JournalEnd::Fin, "fin"},
                              EndName{JournalEnd::Rst, "rst"},
                              EndName{JournalEnd::ClientGone, "client_gone"},
                              EndName{JournalEnd::Crash, "crash"},
                              EndName{JournalEnd::Copy, "copy"},
                              EndName{JournalEnd::Incomplete, "incomplete"}};

constexpr std::array<const char *, 6> secretHeaders{"authorization", "proxy-authorization", "control-token",
                                                    "cookie",        "set-cookie",          "x-api-key"};

bool isSecret(const QByteArray &name)
{
    return std::ranges::any_of(secretHeaders, [&](const char *secret) {
        return name.compare(QByteArrayView(secret), Qt::CaseInsensitive) == 0;
    });
}

QJsonArray headersJson(const Headers &headers)
{
    QJsonArray array;
    for (const auto &[name, value] : headers) {
        array.append(QJsonObject{{QStringLiteral("name"), QString::fromLatin1(name)},
                                 {QStringLiteral("value"), QString::fromUtf8(value)}});
    }
    return array;
}

/// As text where it is text, else in base64 and said so.
void insertBytes(QJsonObject *object, const QString &name, const QByteArray &bytes)
{
    QStringDecoder utf8(QStringDecoder::Utf8);
    const QString text = utf8.decode(bytes);
    if (!utf8.hasError() && !bytes.contains('\0')) {
        object->insert(name, text);
        return;
    }
    object->insert(name, QString::fromLatin1(bytes.toBase64()));
    object->insert(name + QStringLiteral("_encoding"), QStringLiteral("base64"));
}

QJsonValue ms(qint64 fromUs, qint64 toUs)
{
    if (fromUs < 0 || toUs < 0)
        return QJsonValue::Null;
    return static_cast<double>(toUs - fromUs) / 1000;
}

QJsonValue answerJson(const JournalRecord &record)
{
    if (record.bytesWritten == 0)
        return QJsonValue::Null;
    const SentAnswer sent = readSent(record.sent);
    QJsonObject answer{{QStringLiteral("status"), record.status},
                       {QStringLiteral("made_up"), record.madeUp},
                       {QStringLiteral("replayed"), record.replayed}};
    if (sent.wholeHead) {
        answer.insert(QStringLiteral("reason"), QString::fromLatin1(sent.reason));
        answer.insert(QStringLiteral("headers"), headersJson(withoutSecrets(sent.headers)));
        insertBytes(&answer, QStringLiteral("body"), sent.body);
    } else {
        insertBytes(&answer, QStringLiteral("raw"), record.sent);
    }
    if (record.bytesWritten > record.sent.size())
        answer.insert(QStringLiteral("bytes_not_kept"), record.bytesWritten - record.sent.size());
    return answer;
}

} // namespace journal_text

using namespace journal_text;

QByteArray endName(JournalEnd end)
{
    const auto found = std::ranges::find(endNames, end, &EndName::end);
    return found->name;
}

std::optional<JournalEnd> endOf(const QByteArray &name)
{
    const auto found = std::ranges::find_if(endNames, [&](const EndName &known) { return name == known.name; });
    return found == endNames.end() ? std::nullopt : std::optional(found->end);
}

Headers withoutSecrets(const Headers &headers)
{
    const auto carries = [](const std::pair<QByteArray, QByteArray> &header) { return isSecret(header.first); };
    if (std::none_of(headers.cbegin(), headers.cend(), carries))
        return headers;
    Headers clean = headers;
    for (auto &[name, value] : clean) {
        if (isSecret(name))
            value = "[redacted]";
    }
    return clean;
}

qsizetype JournalRecord::cost() const
{
    constexpr qsizetype perPiece = 48; // a QByteArray and what the heap adds to it
    qsizetype bytes = 1024 + body.size() + sent.size() + path.size() + query.size() + key.size() + 2 * order.size();
    for (const auto &[name, value] : headers)
        bytes += 2 * perPiece + name.size() + value.size();
    return bytes + steps.size() * perPiece + (fault.isEmpty() ? 0 : 1024);
}

SentAnswer readSent(const QByteArray &bytes)
{
    SentAnswer answer;
    const qsizetype end = bytes.indexOf("\r\n\r\n");
    const QByteArrayList lines = bytes.first(std::max<qsizetype>(end, 0)).split('\n');
    const QByteArrayList status = lines.first().trimmed().split(' ');
    if (end < 0 || status.size() < 2 || !status[0].startsWith("HTTP/")) {
        answer.body = bytes;
        return answer;
    }
    answer.wholeHead = true;
    answer.version = status[0];
    answer.status = status[1].toInt();
    answer.reason = status.mid(2).join(' ');
    for (const QByteArray &line : lines.mid(1)) {
        const qsizetype colon = line.indexOf(':');
        answer.headers.emplaceBack(line.first(std::max<qsizetype>(colon, 0)), line.mid(colon + 1).trimmed());
    }
    answer.headBytes = end + 4;
    answer.body = bytes.mid(answer.headBytes);
    return answer;
}

QJsonObject toJson(const JournalRecord &record, const SameAttempt &same)
{
    QJsonObject request{{QStringLiteral("method"), QString::fromLatin1(record.method)},
                        {QStringLiteral("path"), QString::fromLatin1(record.path)},
                        {QStringLiteral("query"), QString::fromLatin1(record.query)},
                        {QStringLiteral("headers"), headersJson(record.headers)},
                        {QStringLiteral("complete"), record.complete}};
    insertBytes(&request, QStringLiteral("body"), record.body);
    if (!record.lostBecause.isEmpty())
        request.insert(QStringLiteral("lost_because"), QString::fromUtf8(record.lostBecause));

    QJsonArray steps;
    for (const JournalStep &step : record.steps) {
        steps.append(QJsonObject{{QStringLiteral("kind"), QString::fromLatin1(step.kind)},
                                 {QStringLiteral("at_ms"), step.atMs}});
    }
    QJsonValue held = QJsonValue::Null;
    if (record.heldId > 0) {
        held = QJsonObject{{QStringLiteral("id"), static_cast<qint64>(record.heldId)},
                           {QStringLiteral("action"), record.heldAction.isEmpty()
                                                          ? QJsonValue(QJsonValue::Null)
                                                          : QJsonValue(QString::fromLatin1(record.heldAction))}};
    }
    return {
        {QStringLiteral("n"), static_cast<qint64>(record.n)},
        {QStringLiteral("arrival_id"), static_cast<qint64>(record.n)},
        {QStringLiteral("request_id"), QStringLiteral("req_%1").arg(record.requestId)},
        {QStringLiteral("run"), QString::fromLatin1(record.run)},
        {QStringLiteral("route"), QString::fromLatin1(record.route)},
        {QStringLiteral("copy_of"),
         record.copyOf == 0 ? QJsonValue(QJsonValue::Null) : QJsonValue(static_cast<qint64>(record.copyOf))},
        {QStringLiteral("received_at_ms"), record.receivedAtMs},
        {QStringLiteral("connection"), static_cast<qint64>(record.connection)},
        {QStringLiteral("peer"), QString::fromLatin1(record.peer)},
        {QStringLiteral("request"), request},
        {QStringLiteral("idempotency_key"),
         record.key.isEmpty() ? QJsonValue(QJsonValue::Null) : QJsonValue(QString::fromLatin1(record.key))},
        {QStringLiteral("attempt"), record.attempt},
        {QStringLiteral("order_id"), record.order.isEmpty() ? QJsonValue(QJsonValue::Null) : QJsonValue(record.order)},
        {QStringLiteral("fault"), record.fault.isEmpty() ? QJsonValue(QJsonValue::Null) : QJsonValue(record.fault)},
        {QStringLiteral("bank"), steps},
        {QStringLiteral("committed"), record.committed},
        {QStringLiteral("held"), held},
        {QStringLiteral("answer"), answerJson(record)},
        {QStringLiteral("bytes_written"), record.bytesWritten},
        {QStringLiteral("ended"), QString::fromLatin1(endName(record.end))},
        {QStringLiteral("delivered"), record.delivered},
        {QStringLiteral("client_gone"), record.end == JournalEnd::ClientGone},
        {QStringLiteral("same_attempt"), QJsonObject{{QStringLiteral("first"), static_cast<qint64>(record.firstOfSame)},
                                                     {QStringLiteral("nth"), record.nthOfSame},
                                                     {QStringLiteral("seen"), same.seen},
                                                     {QStringLiteral("last"), static_cast<qint64>(same.last)}}},
        {QStringLiteral("timings_ms"),
         QJsonObject{{QStringLiteral("request"), ms(0, record.completeUs)},
                     {QStringLiteral("wait"), ms(record.completeUs, record.firstByteUs)},
                     {QStringLiteral("answer"), ms(record.firstByteUs, record.lastByteUs)},
                     {QStringLiteral("ended"), ms(0, record.endedUs)},
                     {QStringLiteral("delivered"), ms(0, record.deliveredUs)}}},
    };
}

QByteArray pack(const JournalRecord &r)
{
    QByteArray bytes;
    bytes.reserve(512 + r.body.size() + r.sent.size());
    QDataStream out(&bytes, QIODevice::WriteOnly);
    out << r.n << r.requestId << r.connection << r.peer << r.run << r.route << r.copyOf << r.method << r.path << r.query
        << r.http11 << r.headers << r.body << r.complete << r.lostBecause << r.key << r.attempt << r.order
        << r.attemptId << r.firstOfSame << r.nthOfSame << r.committed << r.replayed << r.madeUp << r.heldId
        << r.heldAction << r.sent << r.bytesWritten << r.status << static_cast<int>(r.end) << r.delivered
        << r.receivedAtMs << r.startUs << r.completeUs << r.firstByteUs << r.lastByteUs << r.endedUs << r.deliveredUs;
    out << (r.fault.isEmpty() ? QByteArray() : QJsonDocument(r.fault).toJson(QJsonDocument::Compact));
    out << static_cast<qint32>(r.steps.size());
    for (const JournalStep &step : r.steps)
        out << step.kind << step.atMs;
    return bytes;
}

std::optional<JournalRecord> unpack(const QByteArray &bytes)
{
    JournalRecord r;
    QDataStream in(bytes);
    int end = 0;
    QByteArray fault;
    qint32 steps = 0;
    in >> r.n >> r.requestId >> r.connection >> r.peer >> r.run >> r.route >> r.copyOf >> r.method >> r.path >>
        r.query >> r.http11 >> r.headers >> r.body >> r.complete >> r.lostBecause >> r.key >> r.attempt >> r.order >>
        r.attemptId >> r.firstOfSame >> r.nthOfSame >> r.committed >> r.replayed >> r.madeUp >> r.heldId >>
        r.heldAction >> r.sent >> r.bytesWritten >> r.status >> end >> r.delivered >> r.receivedAtMs >> r.startUs >>
        r.completeUs >> r.firstByteUs >> r.lastByteUs >> r.endedUs >> r.deliveredUs >> fault >> steps;
    r.end = static_cast<JournalEnd>(end);
    if (!fault.isEmpty())
        r.fault = QJsonDocument::fromJson(fault).object();
    for (qint32 i = 0; i < steps && in.status() == QDataStream::Ok; ++i) {
        JournalStep step;
        in >> step.kind >> step.atMs;
        r.steps.append(step);
    }
    return in.status() == QDataStream::Ok ? std::optional(r) : std::nullopt;
}

} // namespace mockbank
