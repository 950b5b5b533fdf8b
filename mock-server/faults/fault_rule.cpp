#include "mock-server/faults/fault_rule.h"

#include <QtCore/QJsonDocument>

#include <algorithm>

namespace mockbank {

namespace fault_rule {

/// A matcher that is not given matches everything.
template <typename Wanted, typename Value>
bool fits(const std::optional<Wanted> &wanted, const Value &value)
{
    return !wanted || *wanted == value;
}

QString endName(FaultRule::End end)
{
    switch (end) {
    case FaultRule::End::Disarmed:
        return QStringLiteral("disarmed");
    case FaultRule::End::Expired:
        return QStringLiteral("expired");
    case FaultRule::End::StrategyChanged:
        return QStringLiteral("strategy_changed");
    }
    Q_UNREACHABLE();
}

} // namespace fault_rule

using namespace fault_rule;

void readBody(const QByteArray &body, ClientAttempt *attempt)
{
    const QJsonObject json = QJsonDocument::fromJson(body).object();
    attempt->terminal = json.value(QLatin1StringView("terminal_id")).toString();
    attempt->order = json.value(QLatin1StringView("order_id")).toString();
    attempt->source = json.value(QLatin1StringView("source")).toString();
    attempt->currency = json.value(QLatin1StringView("currency")).toString();
    constexpr qint64 none = -1;
    if (const qint64 amount = json.value(QLatin1StringView("amount")).toInteger(none); amount != none)
        attempt->amountMinor = amount;
}

QString sourceName(FaultSource source)
{
    switch (source) {
    case FaultSource::Header:
        return QStringLiteral("header");
    case FaultSource::Armed:
        return QStringLiteral("armed");
    case FaultSource::Scenario:
        return QStringLiteral("scenario");
    case FaultSource::Magic:
        return QStringLiteral("magic");
    case FaultSource::Profile:
        return QStringLiteral("profile");
    }
    Q_UNREACHABLE();
}

bool FaultRule::isSpent() const
{
    return fault.selector.next && taken >= *fault.selector.next;
}

std::optional<qint64> FaultRule::endsAtMs() const
{
    if (fault.manifestation.kind == ManifestationKind::Refuse && fault.manifestation.durationMs > 0)
        return armedAtMs + fault.manifestation.durationMs;
    if (fault.selector.forMs)
        return armedAtMs + *fault.selector.forMs;
    return fault.selector.untilMs;
}

bool FaultRule::meets(const ClientAttempt &attempt, int nth) const
{
    const Selector &s = fault.selector;
    const RouteMatch route = s.route.value_or(RouteMatch::Charge);
    if (fault.placement == Placement::Connect || (route != RouteMatch::Any && route != attempt.route))
        return false;
    if (lastThreeDigits >= 0) {
        const bool yen = attempt.currency == QLatin1StringView("JPY") && attempt.amountMinor.value_or(0) > 0;
        if (!yen || *attempt.amountMinor % 1000 != lastThreeDigits)
            return false;
    }
    if (firstAttemptOnly && (attempt.number > 1 || (attempt.number == 0 && nth > 1)))
        return false;
    return fits(s.attempt, attempt.number) && fits(s.key, attempt.key) && fits(s.terminal, attempt.terminal) &&
           fits(s.order, attempt.order) && fits(s.source, attempt.source) && fits(s.amount, attempt.amountMinor);
}

bool FaultRule::take()
{
    ++met;
    const int left = met - fault.selector.skip.value_or(0);
    if (left <= 0 || left % fault.selector.every.value_or(1) != 0)
        return false;
    ++taken;
    return true;
}

QString FaultRule::light() const
{
    if (fired == 0) {
        // Every draw of a rule that takes no more has missed: it cannot fire any more either.
        const bool over = end || (isSpent() && matched == 0);
        return over ? QStringLiteral("not_fired") : matched > 0 ? QStringLiteral("matched") : QStringLiteral("armed");
    }
    if (healed >= fired)
        return QStringLiteral("healed");
    return seen >= fired ? QStringLiteral("seen") : QStringLiteral("fired");
}

QJsonObject FaultRule::toJson() const
{
    QJsonObject json = faultToJson(fault);
    json.insert(QStringLiteral("id"), QString::fromLatin1(id));
    json.insert(QStringLiteral("source"), sourceName(source));
    json.insert(QStringLiteral("spec"), QString::fromLatin1(printFault(fault)));
    json.insert(QStringLiteral("light"), light());
    json.insert(QStringLiteral("live"), isLive());
    json.insert(QStringLiteral("ended"), end         ? QJsonValue(endName(*end))
                                         : isSpent() ? QJsonValue(QStringLiteral("spent"))
                                                     : QJsonValue());
    json.insert(QStringLiteral("armed_at_ms"), armedAtMs);
    const auto endsAt = endsAtMs();
    json.insert(QStringLiteral("ends_at_ms"), endsAt ? QJsonValue(*endsAt) : QJsonValue());
    json.insert(QStringLiteral("met"), met);
    json.insert(QStringLiteral("taken"), taken);
    json.insert(QStringLiteral("matched"), matched);
    json.insert(QStringLiteral("fired"), fired);
    json.insert(QStringLiteral("seen"), seen);
    json.insert(QStringLiteral("healed"), healed);
    json.insert(QStringLiteral("left"),
                fault.selector.next ? QJsonValue(end ? 0 : *fault.selector.next - taken) : QJsonValue());
    json.insert(QStringLiteral("reached"), truth->reachesBank);
    json.insert(QStringLiteral("charged"), moneyName(truth->money));
    json.insert(QStringLiteral("knowable"), truth->knowable);
    json.insert(QStringLiteral("wire"), QString::fromLatin1(truth->wire));
    return json;
}

} // namespace mockbank
