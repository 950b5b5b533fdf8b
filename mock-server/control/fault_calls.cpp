#include "mock-server/control/fault_calls.h"

#include "mock-server/control/control_json.h"
#include "mock-server/faults/magic_amounts.h"

#include <QtCore/QDateTime>
#include <QtCore/QRandomGenerator>

#include <algorithm>

namespace mockbank {

namespace fault_calls {

qint64 now()
{
    return QDateTime::currentMSecsSinceEpoch();
}

QJsonObject lightEvent(const char *light, const QJsonObject &rule)
{
    return {{QStringLiteral("light"), QString::fromLatin1(light)},
            {QStringLiteral("rule_id"), rule.value(QLatin1StringView("id"))},
            {QStringLiteral("source"), rule.value(QLatin1StringView("source"))},
            {QStringLiteral("spec"), rule.value(QLatin1StringView("spec"))}};
}

} // namespace fault_calls

using namespace fault_calls;

FaultCalls::FaultCalls(FaultPlan &plan, EventLog &events, std::function<void()> rulesChanged)
    : m_plan(plan)
    , m_events(events)
    , m_rulesChanged(std::move(rulesChanged))
{
    m_nextEnd.setSingleShot(true);
    connect(&m_nextEnd, &QTimer::timeout, this, &FaultCalls::tellEnded);
    tellEnded();
}

QJsonArray FaultCalls::strategyChanged(const QString &name)
{
    QJsonArray ids;
    const qint64 nowMs = now();
    for (const QByteArray &id : m_plan.setStrategy(name, nowMs)) {
        ids.append(QString::fromLatin1(id));
        const QJsonObject rule = m_plan.find(id, nowMs).value_or(QJsonObject());
        QJsonObject event = lightEvent("disarmed", rule);
        event.insert(QStringLiteral("light"), rule.value(QLatin1StringView("light")));
        event.insert(QStringLiteral("ended"), QStringLiteral("strategy_changed"));
        m_events.append("fault", event);
    }
    return ids;
}

void FaultCalls::rulesChanged()
{
    tellEnded();
    if (m_rulesChanged)
        m_rulesChanged();
}

void FaultCalls::tellEnded()
{
    const qint64 nowMs = now();
    const FaultPlan::Ended ended = m_plan.takeEnded(nowMs);
    for (const LightChange &change : ended.rules) {
        const QJsonObject rule = m_plan.find(change.ruleId, nowMs).value_or(QJsonObject());
        QJsonObject event = lightEvent("expired", rule);
        if (change.light == QLatin1StringView("not_fired"))
            event.insert(QStringLiteral("light"), change.light);
        event.insert(QStringLiteral("ended"), QStringLiteral("expired"));
        m_events.append("fault", event);
    }
    constexpr qint64 longestTimerMs = 3'600'000; // a week does not fit into a timer, and clocks are set
    if (ended.nextMs)
        m_nextEnd.start(static_cast<int>(std::clamp<qint64>(*ended.nextMs - nowMs, 0, longestTimerMs)));
    else
        m_nextEnd.stop();
}

void FaultCalls::list(const ExchangePtr &exchange)
{
    exchange->answer(jsonResponse(200, {{QStringLiteral("faults"), m_plan.list(now())}}));
}

void FaultCalls::arm(const ExchangePtr &exchange)
{
    const auto body = readObject(exchange->request.body, {QStringLiteral("spec"), QStringLiteral("placement"),
                                                          QStringLiteral("manifestation"), QStringLiteral("selector")});
    if (const auto *refusal = std::get_if<Response>(&body)) {
        exchange->answer(*refusal);
        return;
    }
    const QJsonObject json = std::get<QJsonObject>(body);
    const QJsonValue spec = json.value(QLatin1StringView("spec"));
    FaultResult parsed = FaultError{QStringLiteral("spec"), QStringLiteral("must be a string and stand alone")};
    if (spec.isUndefined())
        parsed = parseFault(json);
    else if (spec.isString() && json.size() == 1)
        parsed = parseFault(spec.toString().toUtf8());
    std::optional<FaultError> wrong;
    QByteArray id;
    const qint64 nowMs = now();
    if (const auto *error = std::get_if<FaultError>(&parsed)) {
        wrong = *error;
    } else {
        const auto armed = m_plan.arm(std::get<Fault>(parsed), nowMs);
        if (const auto *refused = std::get_if<FaultError>(&armed))
            wrong = *refused;
        else
            id = std::get<QByteArray>(armed);
    }
    if (wrong) {
        exchange->answer(unprocessable(wrong->member, wrong->detail));
        return;
    }
    const QJsonObject rule = m_plan.find(id, nowMs).value_or(QJsonObject());
    m_events.append("fault", lightEvent("armed", rule));
    Response created = jsonResponse(201, rule);
    created.headers.emplaceBack("Location", "/control/faults/" + id);
    exchange->answer(created);
    rulesChanged();
}

void FaultCalls::disarmAll(const ExchangePtr &exchange)
{
    const int count = m_plan.disarmAll(now());
    m_events.append("fault", {{QStringLiteral("light"), QStringLiteral("disarmed")}, {QStringLiteral("count"), count}});
    exchange->answer(jsonResponse(200, {{QStringLiteral("disarmed"), count}}));
    rulesChanged();
}

bool FaultCalls::one(const ExchangePtr &exchange, const QByteArray &id)
{
    const auto rule = m_plan.find(id, now());
    if (rule)
        exchange->answer(jsonResponse(200, *rule));
    return rule.has_value();
}

bool FaultCalls::disarm(const ExchangePtr &exchange, const QByteArray &id)
{
    const qint64 nowMs = now();
    const auto before = m_plan.find(id, nowMs);
    if (!before || !m_plan.disarm(id, nowMs))
        return false;
    // One that had ended is forgotten now, and was told of when it ended.
    const auto after = m_plan.find(id, nowMs);
    if (after)
        m_events.append("fault", lightEvent("disarmed", *after));
    exchange->answer(jsonResponse(200, after.value_or(*before)));
    rulesChanged();
    return true;
}

QJsonObject FaultCalls::profileJson(const FaultPlan &plan)
{
    const NetworkProfile *profile = plan.profile();
    if (!profile)
        return {{QStringLiteral("name"), QJsonValue()}};
    QJsonObject json = toJson(*profile);
    json.insert(QStringLiteral("seed"), static_cast<qint64>(plan.profileSeed()));
    return json;
}

void FaultCalls::profile(const ExchangePtr &exchange)
{
    QJsonObject json = profileJson(m_plan);
    QJsonArray offered;
    for (const NetworkProfile &profile : networkProfiles())
        offered.append(toJson(profile));
    json.insert(QStringLiteral("offered"), offered);
    exchange->answer(jsonResponse(200, json));
}

void FaultCalls::putProfile(const ExchangePtr &exchange)
{
    const auto body = readObject(exchange->request.body, {QStringLiteral("name"), QStringLiteral("seed")});
    if (const auto *refusal = std::get_if<Response>(&body)) {
        exchange->answer(*refusal);
        return;
    }
    const QJsonObject json = std::get<QJsonObject>(body);
    const NetworkProfile *profile = findProfile(json.value(QLatin1StringView("name")).toString());
    if (!profile) {
        exchange->answer(unprocessable(QStringLiteral("name"), QStringLiteral("must be one of ") + profileNames()));
        return;
    }
    quint64 seed = QRandomGenerator::global()->generate64() & maxFaultSeed;
    if (const QJsonValue given = json.value(QLatin1StringView("seed")); !given.isUndefined()) {
        const auto number = exactInteger(given, 0, static_cast<qint64>(maxFaultSeed));
        if (!number) {
            exchange->answer(unprocessable(QStringLiteral("seed"),
                                           QStringLiteral("must be an integer from 0 to %1").arg(maxFaultSeed)));
            return;
        }
        seed = static_cast<quint64>(*number);
    }
    m_plan.setProfile(profile, seed);
    const QJsonObject now = profileJson(m_plan);
    m_events.append("profile", {{QStringLiteral("name"), now.value(QLatin1StringView("name"))},
                                {QStringLiteral("title"), now.value(QLatin1StringView("title"))},
                                {QStringLiteral("seed"), now.value(QLatin1StringView("seed"))}});
    exchange->answer(jsonResponse(200, now));
}

void FaultCalls::deleteProfile(const ExchangePtr &exchange)
{
    m_plan.setProfile(nullptr, 0);
    m_events.append("profile", {{QStringLiteral("name"), QJsonValue()}});
    exchange->answer(jsonResponse(200, profileJson(m_plan)));
}

void FaultCalls::magicAmounts(const ExchangePtr &exchange)
{
    exchange->answer(jsonResponse(200, {{QStringLiteral("on"), m_plan.magicAmounts()},
                                        {QStringLiteral("currency"), QStringLiteral("JPY")},
                                        {QStringLiteral("legend"), magicLegend()},
                                        {QStringLiteral("rules"), m_plan.magicRules()}}));
}

void FaultCalls::putMagicAmounts(const ExchangePtr &exchange)
{
    const auto body = readObject(exchange->request.body, {QStringLiteral("on")});
    if (const auto *refusal = std::get_if<Response>(&body)) {
        exchange->answer(*refusal);
        return;
    }
    const QJsonValue on = std::get<QJsonObject>(body).value(QLatin1StringView("on"));
    if (!on.isBool()) {
        exchange->answer(unprocessable(QStringLiteral("on"), QStringLiteral("must be true or false")));
        return;
    }
    m_plan.setMagicAmounts(on.toBool());
    m_events.append("magic_amounts", {{QStringLiteral("on"), on.toBool()}});
    magicAmounts(exchange);
}

} // namespace mockbank
