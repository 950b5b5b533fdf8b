#include "mock-server/faults/fault_plan.h"

#include "mock-server/faults/fault_draw.h"
#include "mock-server/faults/magic_amounts.h"

#include <QtCore/QRandomGenerator>

#include <algorithm>
#include <limits>

namespace mockbank {

namespace fault_plan {

constexpr qint64 longestRefusalMs = 600'000;
constexpr quint64 delaySalt = 0x64656c6179ULL; // a delay and a probability of one rule are two draws

/// Attempts of one key, on one route.
QByteArray keyId(const ClientAttempt &attempt)
{
    return routeName(attempt.route) + '\n' + attempt.merchant + '\n' + attempt.key;
}

/// Nothing can be said later about a request that names nothing; lists have no keys and stand for each other.
bool canBeRemembered(const ClientAttempt &attempt)
{
    return !attempt.key.isEmpty() || attempt.route == RouteMatch::List;
}

FaultDecision decisionOf(const FaultRule &rule, quint64 identity)
{
    FaultDecision decision{rule.id, rule.fault, rule.source, std::nullopt, 0};
    const Manifestation &m = rule.fault.manifestation;
    decision.delayMs = drawnDelayMs(m.delay, mixDraw(m.seed ^ delaySalt, rule.drawIdentity, identity));
    return decision;
}

/// Rolls, where there is something to roll. False: the draw missed.
bool rollInto(FaultDecision *decision, quint64 rule, quint64 identity)
{
    const Selector &s = decision->fault.selector;
    if (!s.probabilityMillionths)
        return true;
    decision->drawMillionths = toMillionths(mixDraw(s.seed.value_or(0), rule, identity));
    return *decision->drawMillionths < *s.probabilityMillionths;
}

FaultRule makeRule(const QByteArray &id, FaultSource source, const Fault &fault, qint64 nowMs,
                   const std::deque<FaultRule> &among)
{
    FaultRule rule;
    rule.id = id;
    rule.source = source;
    rule.fault = fault;
    rule.truth = faultTruth(fault.placement, fault.manifestation.kind);
    rule.armedAtMs = nowMs;
    // Not the id: the same rules armed again must draw the same, and two alike must not.
    const QByteArray text = printFault({fault.placement, fault.manifestation, {}});
    const auto alike = std::ranges::count_if(among, [&](const FaultRule &other) {
        return other.isLive() && printFault({other.fault.placement, other.fault.manifestation, {}}) == text;
    });
    rule.drawIdentity = steadyHash(text) + static_cast<quint64>(alike);
    return rule;
}

void endRule(FaultRule &rule, FaultRule::End how, qint64 nowMs)
{
    rule.end = how;
    rule.endedAtMs = nowMs;
}

void forgetLongEnded(std::deque<FaultRule> &rules, qint64 nowMs)
{
    std::erase_if(rules,
                  [&](const FaultRule &rule) { return rule.end && nowMs - rule.endedAtMs >= FaultPlan::endedShownMs; });
    auto tooMany =
        std::ranges::count_if(rules, [](const FaultRule &rule) { return rule.end.has_value(); }) - FaultPlan::maxEnded;
    std::erase_if(rules, [&](const FaultRule &rule) { return rule.end && tooMany-- > 0; });
}

void becomeSeen(FaultRule *rule, QList<LightChange> *changes)
{
    if (!rule)
        return;
    ++rule->seen;
    changes->append({rule->id, QStringLiteral("seen")});
}

} // namespace fault_plan

using namespace fault_plan;

QList<QByteArray> FaultPlan::setStrategy(const QString &name, qint64 nowMs)
{
    const std::lock_guard lock(m_mutex);
    m_strategy = name;
    QList<QByteArray> ended;
    for (Rules *rules : {&m_armed, &m_scenario}) {
        for (FaultRule &rule : *rules) {
            if (rule.end || !whyNotUnder(name, *rule.truth))
                continue;
            if (rule.isLive())
                ended.append(rule.id);
            endRule(rule, FaultRule::End::StrategyChanged, nowMs);
        }
    }
    return ended;
}

std::optional<FaultError> FaultPlan::whyNot(const Fault &fault, qint64 nowMs) const
{
    const std::lock_guard lock(m_mutex);
    return whyNotWith(m_strategy, fault, nowMs);
}

std::optional<FaultError> FaultPlan::whyNotWith(const QString &strategy, const Fault &fault, qint64 nowMs)
{
    if (const FaultTruth *truth = faultTruth(fault.placement, fault.manifestation.kind)) {
        if (const auto why = whyNotUnder(strategy, *truth)) {
            return FaultError{fault.placement == Placement::HalfWay && strategy == QLatin1StringView("atomic")
                                  ? QStringLiteral("placement")
                                  : QStringLiteral("manifestation.kind"),
                              *why};
        }
    }
    const qint64 until = fault.selector.untilMs.value_or(std::numeric_limits<qint64>::max());
    if (until <= nowMs)
        return FaultError{QStringLiteral("selector.until"), QStringLiteral("is over already")};
    if (fault.manifestation.kind == ManifestationKind::Refuse && fault.selector.untilMs &&
        until - nowMs > longestRefusalMs) {
        return FaultError{QStringLiteral("selector.until"),
                          QStringLiteral("must be within %1 s where the port is closed").arg(longestRefusalMs / 1000)};
    }
    return std::nullopt;
}

std::optional<FaultError> FaultPlan::whyNotInHeader(const Fault &fault, RouteMatch route) const
{
    if (fault.placement == Placement::Connect) {
        return FaultError{QStringLiteral("placement"),
                          QStringLiteral("connect is over before a request can ask for it; arm a rule")};
    }
    const Selector &s = fault.selector;
    const char *counted = s.skip ? "skip" : s.every ? "every" : s.forMs ? "for_s" : s.untilMs ? "until" : nullptr;
    if (counted) {
        return FaultError{QStringLiteral("selector.") + QString::fromLatin1(counted),
                          QStringLiteral("means nothing in the head of one request; arm a rule")};
    }
    const FaultTruth *truth = faultTruth(fault.placement, fault.manifestation.kind);
    const bool meant = !s.route || *s.route == RouteMatch::Any || *s.route == route;
    if (!meant || (truth && !takesRoute(*truth, route))) {
        return FaultError{
            QStringLiteral("selector.route"),
            QStringLiteral("this fault cannot happen to this request, %1").arg(QString::fromLatin1(routeName(route)))};
    }
    const std::lock_guard lock(m_mutex);
    return whyNotWith(m_strategy, fault, 0);
}

std::variant<QByteArray, FaultError> FaultPlan::arm(const Fault &fault, qint64 nowMs)
{
    const std::lock_guard lock(m_mutex);
    expire(nowMs);
    if (auto why = whyNotWith(m_strategy, fault, nowMs))
        return *why;
    forgetLongEnded(m_armed, nowMs);
    if (m_armed.size() >= maxRules) {
        const auto over = std::ranges::find_if(m_armed, [](const FaultRule &rule) { return !rule.isLive(); });
        if (over == m_armed.end()) {
            return FaultError{QStringLiteral("selector"), QStringLiteral("there are %1 rules already").arg(maxRules)};
        }
        m_armed.erase(over);
    }
    Fault seeded = fault;
    if (seeded.selector.probabilityMillionths && !seeded.selector.seed)
        seeded.selector.seed = QRandomGenerator::global()->generate64() & maxFaultSeed;
    m_armed.push_back(makeRule("f" + QByteArray::number(++m_lastId), FaultSource::Armed, seeded, nowMs, m_armed));
    const auto endsAt = m_armed.back().endsAtMs();
    if (endsAt && *endsAt < m_nextEndMs.value_or(std::numeric_limits<qint64>::max()))
        m_nextEndMs = endsAt;
    return m_armed.back().id;
}

bool FaultPlan::disarm(const QByteArray &id, qint64 nowMs)
{
    const std::lock_guard lock(m_mutex);
    expire(nowMs);
    for (Rules *rules : {&m_armed, &m_scenario}) {
        const auto rule = std::ranges::find(*rules, id, &FaultRule::id);
        if (rule == rules->end())
            continue;
        if (rule->end)
            rules->erase(rule);
        else
            endRule(*rule, FaultRule::End::Disarmed, nowMs);
        return true;
    }
    return false;
}

int FaultPlan::disarmAll(qint64 nowMs)
{
    const std::lock_guard lock(m_mutex);
    expire(nowMs);
    int live = 0;
    for (FaultRule &rule : m_armed) {
        live += rule.isLive();
        if (!rule.end)
            endRule(rule, FaultRule::End::Disarmed, nowMs);
    }
    forgetLongEnded(m_armed, nowMs);
    return live;
}

std::optional<FaultError> FaultPlan::whyNotScenario(const QList<Fault> &steps, const QString &strategy, qint64 nowMs)
{
    if (steps.size() > maxSteps)
        return FaultError{QStringLiteral("steps"), QStringLiteral("has more than %1 steps").arg(maxSteps)};
    for (qsizetype i = 0; i < steps.size(); ++i) {
        if (auto why = whyNotWith(strategy, steps[i], nowMs))
            return FaultError{QStringLiteral("steps[%1].%2").arg(i).arg(why->member), why->detail};
    }
    return std::nullopt;
}

std::optional<FaultError> FaultPlan::loadScenario(const QList<Fault> &steps, quint64 seed, qint64 nowMs,
                                                  const QJsonObject &given)
{
    const std::lock_guard lock(m_mutex);
    if (auto why = whyNotScenario(steps, m_strategy, nowMs))
        return why;
    Rules rules;
    for (Fault step : steps) {
        const auto number = rules.size() + 1;
        if (step.selector.probabilityMillionths && !step.selector.seed)
            step.selector.seed = mixDraw(seed, number, 0) & maxFaultSeed;
        rules.push_back(
            makeRule("s" + QByteArray::number(static_cast<qint64>(number)), FaultSource::Scenario, step, nowMs, rules));
    }
    m_scenario = std::move(rules);
    m_scenarioGiven = given;
    m_nextEndMs = 0; // found anew when it is next asked
    return std::nullopt;
}

std::optional<QJsonObject> FaultPlan::scenario() const
{
    const std::lock_guard lock(m_mutex);
    return m_scenarioGiven;
}

int FaultPlan::clearScenario(qint64 nowMs)
{
    const std::lock_guard lock(m_mutex);
    expire(nowMs);
    m_scenarioGiven.reset();
    int live = 0;
    for (FaultRule &rule : m_scenario) {
        live += rule.isLive();
        if (!rule.end)
            endRule(rule, FaultRule::End::Disarmed, nowMs);
    }
    return live;
}

void FaultPlan::setMagicAmounts(bool on)
{
    const std::lock_guard lock(m_mutex);
    if (on != m_magic.empty())
        return;
    m_magic.clear();
    if (!on)
        return;
    for (const MagicAmount &magic : mockbank::magicAmounts()) {
        FaultRule rule = makeRule(magicRuleId(magic), FaultSource::Magic,
                                  std::get<Fault>(parseFault(QByteArrayView(magic.spec))), 0, {});
        rule.lastThreeDigits = magic.lastDigits;
        rule.firstAttemptOnly = magic.firstAttemptOnly;
        m_magic.push_back(rule);
    }
}

bool FaultPlan::magicAmounts() const
{
    const std::lock_guard lock(m_mutex);
    return !m_magic.empty();
}

void FaultPlan::setProfile(const NetworkProfile *profile, quint64 seed)
{
    const std::lock_guard lock(m_mutex);
    m_profile = profile;
    m_profileSeed = seed;
}

const NetworkProfile *FaultPlan::profile() const
{
    const std::lock_guard lock(m_mutex);
    return m_profile;
}

quint64 FaultPlan::profileSeed() const
{
    const std::lock_guard lock(m_mutex);
    return m_profileSeed;
}

void FaultPlan::reset()
{
    const std::lock_guard lock(m_mutex);
    m_armed.clear();
    m_scenario.clear();
    m_scenarioGiven.reset();
    m_magic.clear();
    m_profile = nullptr;
    m_profileSeed = 0;
    m_nextEndMs.reset();
    m_ended.clear();
    m_decided.clear();
    m_decidedOrder.clear();
    m_numberless.clear();
    m_hurtKeys.clear();
}

void FaultPlan::expire(qint64 nowMs)
{
    if (!m_nextEndMs || nowMs < *m_nextEndMs)
        return;
    m_nextEndMs.reset();
    for (Rules *rules : {&m_armed, &m_scenario}) {
        for (FaultRule &rule : *rules) {
            const auto endsAt = rule.endsAtMs();
            if (!endsAt || rule.end)
                continue;
            if (*endsAt > nowMs) {
                m_nextEndMs = std::min(*endsAt, m_nextEndMs.value_or(*endsAt));
                continue;
            }
            endRule(rule, FaultRule::End::Expired, nowMs);
            m_ended.append({rule.id, rule.light()});
        }
    }
    // Nobody may be listening.
    if (m_ended.size() > static_cast<qsizetype>(maxRules))
        m_ended = m_ended.last(static_cast<qsizetype>(maxRules));
}

FaultPlan::DecisionPtr FaultPlan::choose(const ClientAttempt &attempt, quint64 identity, int nth)
{
    for (Rules *rules : {&m_armed, &m_scenario, &m_magic}) {
        for (FaultRule &rule : *rules) {
            if (!rule.isLive() || !rule.meets(attempt, nth) || whyNotUnder(m_strategy, *rule.truth) || !rule.take())
                continue;
            FaultDecision decision = decisionOf(rule, identity);
            if (!rollInto(&decision, rule.drawIdentity, identity))
                continue;
            ++rule.matched;
            return std::make_shared<const FaultDecision>(std::move(decision));
        }
    }
    if (!m_profile)
        return nullptr;
    const quint64 rule = steadyHash(m_profile->name);
    const quint64 draw = mixDraw(m_profileSeed, rule, identity);
    const auto fault = profileFault(*m_profile, draw);
    if (!fault)
        return nullptr;
    FaultDecision decision{QByteArrayLiteral("profile"), *fault, FaultSource::Profile, toMillionths(draw), 0};
    decision.delayMs = drawnDelayMs(fault->manifestation.delay, mixDraw(m_profileSeed ^ delaySalt, rule, identity));
    return std::make_shared<const FaultDecision>(std::move(decision));
}

void FaultPlan::remember(const QByteArray &attemptId, const DecisionPtr &decision)
{
    if (m_decidedOrder.size() >= maxAttempts) {
        m_decided.remove(m_decidedOrder.front());
        m_decidedOrder.pop_front();
    }
    m_decided.insert(attemptId, decision);
    m_decidedOrder.push_back(attemptId);
}

std::optional<FaultDecision> FaultPlan::decide(const ClientAttempt &attempt, const std::optional<Fault> &fromRequest,
                                               qint64 nowMs)
{
    const std::lock_guard lock(m_mutex);
    expire(nowMs);
    const QByteArray key = keyId(attempt);
    // Only what may move money has attempts: asking twice is two questions, whatever a client writes in its head.
    const bool moves = attempt.route == RouteMatch::Charge || attempt.route == RouteMatch::Void;
    const bool numbered = moves && attempt.number > 0 && !attempt.key.isEmpty();
    const QByteArray attemptId = key + '\n' + QByteArray::number(attempt.number);
    if (numbered && !fromRequest) {
        if (const auto known = m_decided.constFind(attemptId); known != m_decided.constEnd())
            return *known ? std::optional(**known) : std::nullopt;
    }
    int nth = 0;
    if (!numbered) {
        if (m_numberless.size() >= static_cast<qsizetype>(maxAttempts))
            m_numberless.clear();
        nth = ++m_numberless[key];
    }
    const quint64 identity = steadyHash(numbered ? attemptId : key + "\n#" + QByteArray::number(nth));
    if (fromRequest) {
        FaultRule rule = makeRule(QByteArrayLiteral("header"), FaultSource::Header, *fromRequest, nowMs, {});
        rule.fault.selector.route = attempt.route;
        FaultDecision decision = decisionOf(rule, identity);
        if (!rule.meets(attempt, nth) || !rollInto(&decision, rule.drawIdentity, identity))
            return std::nullopt;
        decision.fault = *fromRequest;
        return decision;
    }
    const DecisionPtr decision = choose(attempt, identity, nth);
    if (numbered)
        remember(attemptId, decision);
    return decision ? std::optional(*decision) : std::nullopt;
}

std::optional<FaultDecision> FaultPlan::decideConnection(qint64 nowMs)
{
    const std::lock_guard lock(m_mutex);
    expire(nowMs);
    for (Rules *rules : {&m_armed, &m_scenario}) {
        for (FaultRule &rule : *rules) {
            const bool holds =
                rule.fault.placement == Placement::Connect && rule.fault.manifestation.kind == ManifestationKind::Hold;
            if (!holds || !rule.isLive() || !rule.take())
                continue;
            ++rule.matched;
            return decisionOf(rule, 0);
        }
    }
    return std::nullopt;
}

std::optional<Refusal> FaultPlan::refusal(qint64 nowMs) const
{
    const std::lock_guard lock(m_mutex);
    std::optional<Refusal> longest;
    for (const Rules *rules : {&m_armed, &m_scenario}) {
        for (const FaultRule &rule : *rules) {
            const auto endsAt = rule.endsAtMs();
            const bool closes = rule.fault.manifestation.kind == ManifestationKind::Refuse && rule.isLive();
            if (closes && endsAt && *endsAt > nowMs && (!longest || *endsAt > longest->untilMs))
                longest = Refusal{decisionOf(rule, 0), *endsAt};
        }
    }
    return longest;
}

FaultRule *FaultPlan::ruleOf(const QByteArray &id)
{
    for (Rules *rules : {&m_armed, &m_scenario, &m_magic}) {
        const auto rule = std::ranges::find(*rules, id, &FaultRule::id);
        if (rule != rules->end())
            return &*rule;
    }
    return nullptr;
}

void FaultPlan::fired(const QByteArray &ruleId, const ClientAttempt &attempt)
{
    const std::lock_guard lock(m_mutex);
    FaultRule *rule = ruleOf(ruleId);
    if (!rule)
        return;
    if (!canBeRemembered(attempt)) {
        ++rule->fired;
        return;
    }
    const QByteArray key = keyId(attempt);
    if (!m_hurtKeys.contains(key) && m_hurtKeys.size() >= static_cast<qsizetype>(maxAttempts))
        m_hurtKeys.erase(m_hurtKeys.begin());
    QList<Hurt> &hurts = m_hurtKeys[key];
    const bool again = attempt.number > 0 && std::ranges::any_of(hurts, [&](const Hurt &hurt) {
                           return hurt.attempt == attempt.number && hurt.ruleId == ruleId;
                       });
    if (again)
        return;
    ++rule->fired;
    hurts.append({ruleId, attempt.number, false});
}

void FaultPlan::fired(const QByteArray &ruleId)
{
    const std::lock_guard lock(m_mutex);
    FaultRule *rule = ruleOf(ruleId);
    if (!rule)
        return;
    rule->matched = std::max(rule->matched, rule->fired + 1); // a closed port is decided for nobody
    ++rule->fired;
}

QList<LightChange> FaultPlan::seen(const ClientAttempt &attempt)
{
    const std::lock_guard lock(m_mutex);
    QList<LightChange> changes;
    const auto hurts = m_hurtKeys.find(keyId(attempt));
    if (hurts == m_hurtKeys.end())
        return changes;
    for (Hurt &hurt : *hurts) {
        if (hurt.attempt == attempt.number && !std::exchange(hurt.seen, true))
            becomeSeen(ruleOf(hurt.ruleId), &changes);
    }
    return changes;
}

QList<LightChange> FaultPlan::arrived(const ClientAttempt &attempt, qint64 nowMs)
{
    const std::lock_guard lock(m_mutex);
    expire(nowMs);
    QList<LightChange> changes;
    for (Rules *rules : {&m_armed, &m_scenario}) {
        for (FaultRule &rule : *rules) {
            if (rule.fault.placement != Placement::Connect || rule.isLive() || rule.healed >= rule.fired)
                continue;
            rule.seen = rule.fired;
            rule.healed = rule.fired;
            changes.append({rule.id, QStringLiteral("healed")});
        }
    }
    const auto hurts = m_hurtKeys.find(keyId(attempt));
    if (hurts == m_hurtKeys.end())
        return changes;
    for (Hurt &hurt : *hurts) {
        const bool another = attempt.number == 0 || hurt.attempt != attempt.number;
        if (another && !std::exchange(hurt.seen, true))
            becomeSeen(ruleOf(hurt.ruleId), &changes);
    }
    return changes;
}

QList<QByteArray> FaultPlan::delivered(const ClientAttempt &attempt)
{
    const std::lock_guard lock(m_mutex);
    QList<QByteArray> healed;
    if (m_hurtKeys.isEmpty())
        return healed;
    const QList<Hurt> hurts = m_hurtKeys.take(keyId(attempt));
    for (const Hurt &hurt : hurts) {
        healed.append(hurt.ruleId);
        if (FaultRule *rule = ruleOf(hurt.ruleId)) {
            rule->seen += !hurt.seen;
            ++rule->healed;
        }
    }
    return healed;
}

FaultPlan::Ended FaultPlan::takeEnded(qint64 nowMs)
{
    const std::lock_guard lock(m_mutex);
    expire(nowMs);
    return {std::exchange(m_ended, {}), m_nextEndMs};
}

QJsonArray FaultPlan::list(qint64 nowMs)
{
    const std::lock_guard lock(m_mutex);
    expire(nowMs);
    QJsonArray json;
    for (Rules *rules : {&m_armed, &m_scenario}) {
        forgetLongEnded(*rules, nowMs);
        for (const FaultRule &rule : *rules)
            json.append(rule.toJson());
    }
    return json;
}

std::optional<QJsonObject> FaultPlan::find(const QByteArray &id, qint64 nowMs)
{
    const std::lock_guard lock(m_mutex);
    expire(nowMs);
    const FaultRule *rule = ruleOf(id);
    return rule ? std::optional(rule->toJson()) : std::nullopt;
}

QJsonArray FaultPlan::magicRules() const
{
    const std::lock_guard lock(m_mutex);
    QJsonArray json;
    for (const FaultRule &rule : m_magic)
        json.append(rule.toJson());
    return json;
}

} // namespace mockbank
