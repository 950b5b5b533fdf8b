#include "mock-server/faults/fault_table.h"

#include "mock-server/bank/strategy.h"
#include "mock-server/faults/fault_words.h"

#include <QtCore/QJsonObject>

#include <algorithm>
#include <vector>

namespace mockbank {

namespace fault_truths {

using enum Placement;
using enum ManifestationKind;
using enum MoneyTruth;

constexpr RouteSet noRoute{};
constexpr RouteSet everyRoute{true, true, true, true};
constexpr RouteSet echoingRoutes{true, true, true, false}; // a list echoes nothing
constexpr RouteSet writingRoutes{true, true, false, false};
constexpr RouteSet chargesOnly{true, false, false, false};

constexpr StrategySet everyStrategy{true, true, true, true};
constexpr StrategySet unsafeStrategies{true, true, true, false};
constexpr StrategySet keepingKeys{false, true, true, true};
constexpr StrategySet claiming{false, false, true, true};
constexpr StrategySet redisOnly{false, false, true, false};

/// An answer that is broken as a transport, or is well-formed HTTP and not the bank's. `madeUp` is what goes out where
/// the bank gave no answer, `ofBank` what becomes of its own.
struct Malformed {
    ManifestationKind kind;
    const char *madeUp;
    const char *ofBank;
};

// A made-up answer that could be taken for an approval would be a lie about the ledger: what is broken in transport is
// a 500, and what looks like a success names another sale or lacks what an answer must have.
constexpr Malformed malformed[] = {
    {Garbage, "seeded bytes that are no HTTP, then the connection is closed",
     "seeded bytes that are no HTTP instead of the answer, then the connection is closed"},
    {HalfStatusLine, "half the status line of a made-up 500, then the connection is closed",
     "half the answer's status line, then the connection is closed"},
    {HalfHeaders, "a made-up 500 that ends within its headers, then the connection is closed",
     "the answer ends within its headers, then the connection is closed"},
    {ShortBody, "a made-up 500 with fewer bytes than its Content-Length, then the connection is closed",
     "the answer with fewer bytes than its Content-Length, then the connection is closed"},
    {LongBody, "a made-up 500 with more bytes than its Content-Length, then the connection is closed",
     "the answer with more bytes than its Content-Length, then the connection is closed"},
    {BadChunk, "a made-up 500 in chunks, one with a size that is no number, then the connection is closed",
     "the answer in chunks, one with a size that is no number, then the connection is closed"},
    {Html200, "status 200 with a web page, as a captive portal sends it",
     "status 200 with a web page instead of the answer"},
    {BadJson, "status 201 with a body that breaks off within its JSON",
     "the answer's status with a body that breaks off within its JSON"},
    {WrongShape, "status 201 with JSON that lacks what an answer must have",
     "the answer's status with JSON that lacks what an answer must have"},
    {WrongEcho, "an answer that names another key, order and amount",
     "the answer, but it names another key, order and amount"},
    {Redirect, "a redirect to `location`", "a redirect to `location` instead of the answer"},
};

std::vector<FaultTruth> build()
{
    std::vector<FaultTruth> table{
        {Connect, Refuse, false, LedgerFault::None, Untouched, true, noRoute, everyStrategy,
         "the port is closed for ms: new connections are refused, idle ones closed; then it is open again"},
        {Connect, Hold, false, LedgerFault::None, Untouched, false, noRoute, everyStrategy,
         "the connection is accepted and never read: silence until the client gives up"},

        {Unread, Hold, false, LedgerFault::None, Untouched, false, everyRoute, everyStrategy,
         "the request is read and put aside: silence until the client gives up"},
        {Unread, Fin, false, LedgerFault::None, Untouched, false, everyRoute, everyStrategy,
         "the request is read, then the connection is closed"},
        {Unread, Rst, false, LedgerFault::None, Untouched, false, everyRoute, everyStrategy,
         "the request is read, then the connection is reset"},
        {Unread, Delay, true, LedgerFault::None, AsIfButLater, true, everyRoute, everyStrategy,
         "the request is put aside for ms and looked at then, also when the client has gone"},
        {Unread, Status, false, LedgerFault::None, Untouched, false, everyRoute, everyStrategy,
         "a made-up answer; the bank never saw the request"},
        {Unread, Restart, false, LedgerFault::None, Untouched, false, everyRoute, everyStrategy,
         "the request is read, then the whole bank is down for ms: connections reset, port refused"},

        {InTransit, Hold, true, LedgerFault::None, AsIfButLater, false, everyRoute, everyStrategy,
         "the request waits in front of the bank: silence until it is released, dropped, cut or delivered twice by "
         "hand; released, it is handled also when the client has gone"},
        {InTransit, Delay, true, LedgerFault::None, AsIfButLater, true, everyRoute, everyStrategy,
         "the request reaches the bank ms later, also when the client has gone"},
        {InTransit, Drop, false, LedgerFault::None, Untouched, false, everyRoute, everyStrategy,
         "the request is lost in front of the bank and nobody can release it: silence until the client gives up"},
        {InTransit, Twice, true, LedgerFault::None, AsIfUnharmed, true, writingRoutes, everyStrategy,
         "the request reaches the bank twice, gap_ms apart, or the second time the bank at `to`; the client gets the "
         "answer to the first"},

        {BeforeCommit, Hold, true, LedgerFault::FailBeforeCommit, Untouched, false, writingRoutes, everyStrategy,
         "the charge is rolled back and its claim deleted, then silence until the client gives up"},
        {BeforeCommit, Fin, true, LedgerFault::FailBeforeCommit, Untouched, false, writingRoutes, everyStrategy,
         "the charge is rolled back and its claim deleted, then the connection is closed"},
        {BeforeCommit, Rst, true, LedgerFault::FailBeforeCommit, Untouched, false, writingRoutes, everyStrategy,
         "the charge is rolled back and its claim deleted, then the connection is reset"},
        {BeforeCommit, Delay, true, LedgerFault::None, AsIfButLater, true, writingRoutes, everyStrategy,
         "the request is checked, then waits ms before the bank claims and charges, also when the client has gone"},
        {BeforeCommit, Status, true, LedgerFault::FailBeforeCommit, Untouched, false, writingRoutes, everyStrategy,
         "the charge is rolled back and its claim deleted, then a made-up answer"},
        {BeforeCommit, Restart, true, LedgerFault::CrashBeforeCommit, Untouched, false, writingRoutes, everyStrategy,
         "the claim stays, the charge does not: the whole bank is down for ms, connections reset, port refused"},
        {BeforeCommit, Busy, true, LedgerFault::Busy, Untouched, true, chargesOnly, claiming,
         "somebody else holds the key's claim for ms: the bank's own 409, with Retry-After"},
        {BeforeCommit, ExpireKey, true, LedgerFault::ExpireKey, AsIfUnharmed, true, chargesOnly, keepingKeys,
         "the stored answer of the key ends, as after its lifetime, and the bank looks at the request then"},
        {BeforeCommit, Decline, true, LedgerFault::None, Untouched, true, chargesOnly, everyStrategy,
         "the bank declines with decline_code, and remembers that under the key"},
        {BeforeCommit, RedisDown, true, LedgerFault::RedisDown, Untouched, false, chargesOnly, redisOnly,
         "Redis is gone when the key is looked up: the bank's own 500, nothing charged"},

        {HalfWay, Hold, true, LedgerFault::CrashHalfWay, AsIfUnharmed, false, chargesOnly, unsafeStrategies,
         "the money moved, then the worker hangs and nothing is remembered of the key: silence until the client gives "
         "up"},
        {HalfWay, Fin, true, LedgerFault::CrashHalfWay, AsIfUnharmed, false, chargesOnly, unsafeStrategies,
         "the money moved, nothing is remembered of the key; the connection is closed"},
        {HalfWay, Rst, true, LedgerFault::CrashHalfWay, AsIfUnharmed, false, chargesOnly, unsafeStrategies,
         "the money moved, nothing is remembered of the key; the connection is reset"},
        {HalfWay, Status, true, LedgerFault::CrashHalfWay, AsIfUnharmed, false, chargesOnly, unsafeStrategies,
         "the money moved, nothing is remembered of the key; a made-up answer"},
        {HalfWay, Restart, true, LedgerFault::CrashHalfWay, AsIfUnharmed, false, chargesOnly, unsafeStrategies,
         "the money moved, nothing is remembered of the key; the whole bank is down for ms"},
        {HalfWay, RedisLostWrite, true, LedgerFault::RedisLostWrite, AsIfUnharmed, false, chargesOnly, redisOnly,
         "the money moved and COMPLETED never arrives in Redis; the answer is kept back: silence until the client "
         "gives up"},

        {AfterCommit, Hold, true, LedgerFault::None, AsIfUnharmed, false, everyRoute, everyStrategy,
         "committed; the answer is kept back: silence until the client gives up"},
        {AfterCommit, Fin, true, LedgerFault::None, AsIfUnharmed, false, everyRoute, everyStrategy,
         "committed; the connection is closed unanswered"},
        {AfterCommit, Rst, true, LedgerFault::None, AsIfUnharmed, false, everyRoute, everyStrategy,
         "committed; the connection is reset unanswered"},
        {AfterCommit, Delay, true, LedgerFault::None, AsIfUnharmed, true, everyRoute, everyStrategy,
         "committed; the answer leaves ms later"},
        {AfterCommit, Status, true, LedgerFault::None, AsIfUnharmed, false, everyRoute, everyStrategy,
         "committed; a made-up answer goes out instead of the bank's"},
        {AfterCommit, Restart, true, LedgerFault::None, AsIfUnharmed, false, everyRoute, everyStrategy,
         "committed; the whole bank is down for ms: connections reset, port refused"},
        {AfterCommit, ClockSkew, true, LedgerFault::None, AsIfUnharmed, true, everyRoute, everyStrategy,
         "committed; the answer goes out whole, but its Date is s seconds off"},
        {AfterCommit, RedisLostWrite, true, LedgerFault::RedisLostWrite, AsIfUnharmed, true, chargesOnly, redisOnly,
         "committed and answered; COMPLETED never arrives in Redis, so the key is free when its lock ends"},

        {MidAnswer, Hold, true, LedgerFault::None, AsIfUnharmed, false, everyRoute, everyStrategy,
         "committed; the answer stops at `at`, the rest is kept back"},
        {MidAnswer, Fin, true, LedgerFault::None, AsIfUnharmed, false, everyRoute, everyStrategy,
         "committed; the answer stops at `at` and the connection is closed"},
        {MidAnswer, Rst, true, LedgerFault::None, AsIfUnharmed, false, everyRoute, everyStrategy,
         "committed; the answer stops at `at` and the connection is reset"},
        {MidAnswer, Delay, true, LedgerFault::None, AsIfUnharmed, true, everyRoute, everyStrategy,
         "committed; the answer stops at `at` for ms, then goes on"},
        {MidAnswer, Restart, true, LedgerFault::None, AsIfUnharmed, false, everyRoute, everyStrategy,
         "committed; the answer stops at `at` and the whole bank is down for ms"},

        {Late, Delay, true, LedgerFault::None, AsIfUnharmed, true, everyRoute, everyStrategy,
         "the whole answer, ms later"},
        {Late, Dribble, true, LedgerFault::None, AsIfUnharmed, true, everyRoute, everyStrategy,
         "the whole answer, `bytes` bytes every ms"},
        {Late, Bandwidth, true, LedgerFault::None, AsIfUnharmed, true, everyRoute, everyStrategy,
         "the whole answer at bytes_per_s, after its delay if it has one"},
        {Late, Fin, true, LedgerFault::None, AsIfUnharmed, true, everyRoute, everyStrategy,
         "the whole answer at once; ms later the connection that it promised to keep is closed"},
        {Late, Rst, true, LedgerFault::None, AsIfUnharmed, true, everyRoute, everyStrategy,
         "the whole answer at once; ms later the connection that it promised to keep is reset"},
    };
    for (const Malformed &shape : malformed) {
        const bool echoes = shape.kind == WrongEcho;
        const RouteSet anyOf = echoes ? echoingRoutes : everyRoute;
        table.push_back({Unread, shape.kind, false, LedgerFault::None, Untouched, false, anyOf, everyStrategy,
                         QByteArray("the bank never saw the request: ") + shape.madeUp});
        table.push_back({BeforeCommit, shape.kind, true, LedgerFault::FailBeforeCommit, Untouched, false, writingRoutes,
                         everyStrategy,
                         QByteArray("the charge is rolled back and its claim deleted, then ") + shape.madeUp});
        table.push_back({AfterCommit, shape.kind, true, LedgerFault::None, AsIfUnharmed, false, anyOf, everyStrategy,
                         QByteArray("committed; ") + shape.ofBank});
    }
    std::ranges::stable_sort(table, {}, &FaultTruth::placement);
    return table;
}

const std::vector<FaultTruth> &truths()
{
    static const std::vector<FaultTruth> table = build();
    return table;
}

bool has(const StrategySet &set, const QString &strategy)
{
    return (set.naive && strategy == QLatin1StringView("naive")) ||
           (set.checkThenAct && strategy == QLatin1StringView("check_then_act")) ||
           (set.redisLock && strategy == QLatin1StringView("redis_lock")) ||
           (set.atomic && strategy == QLatin1StringView("atomic"));
}

} // namespace fault_truths

using namespace fault_truths;

std::span<const FaultTruth> faultTable()
{
    return truths();
}

const FaultTruth *faultTruth(Placement placement, ManifestationKind kind)
{
    const auto found = std::ranges::find_if(
        truths(), [&](const FaultTruth &truth) { return truth.placement == placement && truth.kind == kind; });
    return found == truths().end() ? nullptr : &*found;
}

QString moneyName(MoneyTruth money)
{
    switch (money) {
    case MoneyTruth::Untouched:
        return QStringLiteral("no");
    case MoneyTruth::AsIfUnharmed:
        return QStringLiteral("yes");
    case MoneyTruth::AsIfButLater:
        return QStringLiteral("later");
    }
    Q_UNREACHABLE();
}

bool takesRoute(const FaultTruth &truth, RouteMatch route)
{
    switch (route) {
    case RouteMatch::Charge:
        return truth.routes.charge;
    case RouteMatch::Void:
        return truth.routes.voiding;
    case RouteMatch::Inquiry:
        return truth.routes.inquiry;
    case RouteMatch::List:
        return truth.routes.list;
    case RouteMatch::Any:
        return truth.routes.charge && truth.routes.voiding && truth.routes.inquiry && truth.routes.list;
    }
    Q_UNREACHABLE();
}

QStringList strategiesOf(const FaultTruth &truth)
{
    QStringList names = strategyNames();
    names.removeIf([&](const QString &name) { return !has(truth.strategies, name); });
    return names;
}

std::optional<QString> whyNotUnder(const QString &strategy, const FaultTruth &truth)
{
    if (has(truth.strategies, strategy))
        return std::nullopt;
    QString why = QStringLiteral("it keeps nothing of that kind");
    if (truth.kind == RedisDown || truth.kind == RedisLostWrite)
        why = QStringLiteral("it asks no Redis");
    else if (truth.placement == HalfWay)
        why = QStringLiteral("the money and the key are one transaction there, so there is no half way");
    else if (truth.kind == Busy)
        why = QStringLiteral("it claims no key, so nobody can hold one");
    else if (truth.kind == ExpireKey)
        why = QStringLiteral("it remembers no key, so none can end");
    return QStringLiteral("%1 has no %2:%3: %4; offered by %5")
        .arg(strategy, QString::fromLatin1(placementName(truth.placement)),
             QString::fromLatin1(manifestationName(truth.kind)), why, strategiesOf(truth).join(QStringLiteral(", ")));
}

QJsonArray faultsOffered()
{
    QJsonArray pairs;
    for (const FaultTruth &truth : faultTable()) {
        QJsonArray routes;
        for (const RouteMatch route : {RouteMatch::Charge, RouteMatch::Void, RouteMatch::Inquiry, RouteMatch::List}) {
            if (takesRoute(truth, route))
                routes.append(QString::fromLatin1(routeName(route)));
        }
        QJsonArray parameters;
        for (const QByteArray &name : parametersOf(truth.placement, truth.kind))
            parameters.append(QString::fromLatin1(name));
        pairs.append(QJsonObject{{QStringLiteral("placement"), QString::fromLatin1(placementName(truth.placement))},
                                 {QStringLiteral("manifestation"), QString::fromLatin1(manifestationName(truth.kind))},
                                 {QStringLiteral("reached"), truth.reachesBank},
                                 {QStringLiteral("charged"), moneyName(truth.money)},
                                 {QStringLiteral("knowable"), truth.knowable},
                                 {QStringLiteral("wire"), QString::fromLatin1(truth.wire)},
                                 {QStringLiteral("routes"), routes},
                                 {QStringLiteral("strategies"), QJsonArray::fromStringList(strategiesOf(truth))},
                                 {QStringLiteral("parameters"), parameters}});
    }
    return pairs;
}

} // namespace mockbank
