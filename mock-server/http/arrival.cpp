#include "mock-server/http/arrival.h"

#include "mock-server/http/idempotency_key.h"
#include "mock-server/http/list_query.h"

#include <QtCore/QJsonDocument>

#include <algorithm>

namespace mockbank {

namespace {

constexpr qsizetype longestFact = 200;

Problem badHeader(const QByteArray &field, const QString &detail)
{
    return {400, QByteArrayLiteral("invalid-request"), QStringLiteral("A header is wrong"), detail, false, field, {}};
}

Problem badKey(const QByteArray &field, const QString &why)
{
    return {400,
            QByteArrayLiteral("idempotency-key-required"),
            QStringLiteral("The idempotency key is missing or malformed"),
            why,
            false,
            field,
            {}};
}

/// Attempt-Number: 0 where there is none, -1 where it is no number from 1 on.
int readAttempt(const QByteArrayList &lines)
{
    if (lines.isEmpty())
        return 0;
    const QByteArray text = lines.first().trimmed();
    const bool digits =
        !text.isEmpty() && text.size() <= 7 && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
    return lines.size() == 1 && digits && text.toInt() > 0 ? text.toInt() : -1;
}

/// What a watcher wants to know of a request before the bank has judged it; nothing is decided by this.
void addBodyFacts(const QByteArray &body, QJsonObject *facts)
{
    const QJsonObject json = QJsonDocument::fromJson(body).object();
    for (const auto name :
         {QLatin1StringView("order_id"), QLatin1StringView("amount"), QLatin1StringView("currency"),
          QLatin1StringView("source"), QLatin1StringView("terminal_id"), QLatin1StringView("original_key")}) {
        const QJsonValue value = json.value(name);
        // Ten thousand events are kept, and a body may be 64 KiB of one name.
        if (value.isString())
            facts->insert(name, value.toString().left(longestFact));
        else if (value.isDouble())
            facts->insert(name, value);
    }
}

void readKey(const QByteArrayList &lines, const QByteArray &field, Arrival *arrival)
{
    QString why;
    const auto key = readIdempotencyKey(lines, &why);
    if (key) {
        arrival->attempt.key = *key;
        arrival->facts.insert(QStringLiteral("idempotency_key"), QString::fromLatin1(*key));
    } else {
        arrival->flaw =
            badKey(field, field == "key" ? QStringLiteral("a key has 1 to 255 visible ASCII characters") : why);
    }
}

QJsonObject numbersOf(const Exchange &exchange, RouteMatch route)
{
    return {{QStringLiteral("arrival_id"), static_cast<qint64>(exchange.arrivalId)},
            {QStringLiteral("request_id"), static_cast<qint64>(exchange.requestId)},
            {QStringLiteral("route"), QString::fromLatin1(routeName(route))}};
}

} // namespace

std::optional<Placement> Arrival::placement() const
{
    return fault && !faultIsOver ? std::optional(fault->fault.placement) : std::nullopt;
}

ArrivalPtr readArrival(const std::shared_ptr<Exchange> &exchange, RouteMatch route, const QByteArray &segment)
{
    const Request &request = exchange->request;
    auto arrival = std::make_shared<Arrival>();
    arrival->exchange = exchange;
    arrival->route = route;
    arrival->attempt.route = route;
    arrival->facts = numbersOf(*exchange, route);
    if (route == RouteMatch::Inquiry)
        readKey({QByteArray::fromPercentEncoding(segment)}, "key", arrival.get());
    else if (route != RouteMatch::List)
        readKey(request.values("Idempotency-Key"), "Idempotency-Key", arrival.get());
    else if (const auto list = readListQuery(request.query); const auto *wanted = std::get_if<ListArrival>(&list))
        arrival->attempt.terminal = wanted->terminalId;

    const int attempt = readAttempt(request.values("Attempt-Number"));
    arrival->attempt.number = std::max(attempt, 0);
    if (attempt > 0)
        arrival->facts.insert(QStringLiteral("attempt"), attempt);
    if (attempt < 0 && !arrival->flaw)
        arrival->flaw = badHeader("Attempt-Number", QStringLiteral("Attempt-Number counts from 1"));
    if (request.values("Expect-Ledger").size() > 1 && !arrival->flaw)
        arrival->flaw = badHeader("Expect-Ledger", QStringLiteral("there is more than one Expect-Ledger header"));
    if (route != RouteMatch::List && !request.query.isEmpty() && !arrival->flaw) {
        const QByteArray name = QByteArray::fromPercentEncoding(request.query.split('&').first().split('=').first());
        arrival->flaw = badHeader(name.left(60), QStringLiteral("this call takes no parameters in its URL"));
    }
    if (!request.body.isEmpty()) {
        addBodyFacts(request.body, &arrival->facts);
        readBody(request.body, &arrival->attempt);
    }
    return arrival;
}

ArrivalPtr copyOf(const Arrival &arrival, const std::shared_ptr<Exchange> &exchange)
{
    auto copy = std::make_shared<Arrival>();
    copy->exchange = exchange;
    copy->route = arrival.route;
    copy->attempt = arrival.attempt;
    copy->flaw = arrival.flaw;
    copy->facts = with(with(arrival.facts, numbersOf(*exchange, arrival.route)),
                       {{QStringLiteral("copy_of"), static_cast<qint64>(arrival.id())}});
    return copy;
}

} // namespace mockbank
