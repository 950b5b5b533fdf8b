#include "mock-server/faults/fault_table.h"
#include "mock-server/faults/fault_values.h"

// What a written fault must be: every name known, every value in its bounds, nothing that contradicts itself.
namespace mockbank {

namespace fault_rules {

using namespace fault_words;

using namespace fault_values;

constexpr qint64 maxDurationMs = 600'000;
constexpr qint64 maxAmountMinor = 99'999'999;
constexpr qint64 maxSkewS = 315'360'000;      // ten years
constexpr qint64 maxForMs = 7 * 86'400'000LL; // a week
constexpr qint64 maxBytesPerSecond = 100'000'000;

/// Verdicts that hang on the bytes of the request alone: a client may take them as "never charged".
bool saysNotExecuted(int code)
{
    return code == 400 || code == 404 || code == 405 || code == 413 || code == 415 || code == 431;
}

Wrong readParameter(const Raw &raw, const QString &member, Manifestation *m)
{
    const bool delays = m->kind == ManifestationKind::Delay || m->kind == ManifestationKind::Bandwidth;
    if (raw.name == "ms") {
        const qint64 least = m->kind == ManifestationKind::Refuse || m->kind == ManifestationKind::Busy ||
                                     m->kind == ManifestationKind::Dribble
                                 ? 1
                                 : 0;
        return readInteger(raw, member, least, maxDurationMs, delays ? &m->delay.ms : &m->durationMs);
    }
    if (raw.name == "median_ms" || raw.name == "mean_ms")
        return readInteger(raw, member, 0, maxDurationMs, &m->delay.ms);
    if (raw.name == "min_ms" || raw.name == "max_ms")
        return readInteger(raw, member, 0, maxDurationMs, raw.name == "min_ms" ? &m->delay.minMs : &m->delay.maxMs);
    if (raw.name == "sigma") {
        qint64 thousandths = 0;
        auto wrong = readDecimal(raw, member, 3, 0, 10'000, &thousandths);
        m->delay.sigmaThousandths = static_cast<int>(thousandths);
        return wrong;
    }
    if (raw.name == "law")
        return readWord(raw, member, laws, &m->delay.kind);
    if (raw.name == "seed")
        return readInteger(raw, member, 0, static_cast<qint64>(maxFaultSeed), &m->seed);
    if (raw.name == "at")
        return readCutPoint(raw, member, &m->at);
    if (raw.name == "bytes")
        return readInteger(raw, member, 1, maxCount, &m->bytes);
    if (raw.name == "bytes_per_s")
        return readInteger(raw, member, 1, maxBytesPerSecond, &m->bytesPerSecond);
    if (raw.name == "kb_per_s") {
        qint64 bytes = 0;
        auto wrong = readDecimal(raw, member, 3, 1, maxBytesPerSecond, &bytes);
        m->bytesPerSecond = static_cast<int>(bytes);
        return wrong;
    }
    if (raw.name == "code" && m->kind == ManifestationKind::Redirect) {
        if (auto wrong = readInteger(raw, member, 301, 308, &m->code))
            return wrong;
        if (m->code >= 304 && m->code <= 306)
            return error(member, QStringLiteral("must be 301, 302, 303, 307 or 308"));
        return std::nullopt;
    }
    if (raw.name == "code")
        return readInteger(raw, member, 400, 599, &m->code);
    if (raw.name == "body")
        return readWord(raw, member, bodies, &m->body);
    if (raw.name == "retry_after")
        return readHeaderText(raw, member, 100, &m->retryAfter);
    if (raw.name == "location")
        return readHeaderText(raw, member, maxNameLength, &m->location);
    if (raw.name == "s")
        return readInteger(raw, member, -maxSkewS, maxSkewS, &m->skewS);
    if (raw.name == "decline_code")
        return readDeclineCode(raw, member, &m->declineCode);
    if (raw.name == "gap_ms")
        return readInteger(raw, member, 0, maxDurationMs, &m->gapMs);
    if (raw.name == "to")
        return readTo(raw, member, &m->to);
    Q_UNREACHABLE(); // parametersOf names no other
}

std::optional<QByteArray> firstTwice(const QList<Raw> &values)
{
    for (qsizetype i = 0; i < values.size(); ++i) {
        for (qsizetype j = 0; j < i; ++j) {
            if (values[i].name == values[j].name)
                return values[i].name;
        }
    }
    return std::nullopt;
}

bool isGiven(const QList<Raw> &values, const char *name)
{
    return std::ranges::any_of(values, [&](const Raw &raw) { return raw.name == name; });
}

QString parameter(const char *name)
{
    return QStringLiteral("manifestation.") + QString::fromLatin1(name);
}

QString selectorMember(const char *name)
{
    return QStringLiteral("selector.") + QString::fromLatin1(name);
}

/// The law is known by its parameters; `law` may say it too, and then they must agree.
Wrong settleLaw(const QList<Raw> &given, bool needed, DelayLaw *law)
{
    struct Member {
        const char *name;
        DelayLaw::Kind kind;
    };
    constexpr std::array members{
        Member{"ms", DelayLaw::Kind::Fixed},        Member{"min_ms", DelayLaw::Kind::Uniform},
        Member{"max_ms", DelayLaw::Kind::Uniform},  Member{"median_ms", DelayLaw::Kind::Lognormal},
        Member{"sigma", DelayLaw::Kind::Lognormal}, Member{"mean_ms", DelayLaw::Kind::Exponential},
    };
    std::optional<DelayLaw::Kind> kind = isGiven(given, "law") ? std::optional(law->kind) : std::nullopt;
    for (const Member &member : members) {
        if (!isGiven(given, member.name))
            continue;
        if (kind && *kind != member.kind) {
            return error(parameter(member.name), QStringLiteral("belongs to the law %1, and this delay is %2")
                                                     .arg(QString::fromLatin1(nameOf(laws, member.kind)),
                                                          QString::fromLatin1(nameOf(laws, *kind))));
        }
        kind = member.kind;
    }
    if (!kind) {
        if (needed)
            return error(QLatin1StringView("manifestation.ms"), QStringLiteral("is needed, in milliseconds"));
        if (isGiven(given, "seed"))
            return error(QLatin1StringView("manifestation.seed"), QStringLiteral("draws nothing without a law"));
        return std::nullopt;
    }
    for (const Member &member : members) {
        if (member.kind == *kind && !isGiven(given, member.name))
            return error(parameter(member.name),
                         QStringLiteral("is needed by the law %1").arg(QString::fromLatin1(nameOf(laws, *kind))));
    }
    if (*kind == DelayLaw::Kind::Fixed && isGiven(given, "seed"))
        return error(QLatin1StringView("manifestation.seed"), QStringLiteral("draws nothing: this delay is fixed"));
    if (law->minMs > law->maxMs)
        return error(QLatin1StringView("manifestation.max_ms"), QStringLiteral("must not be less than min_ms"));
    law->kind = *kind;
    return std::nullopt;
}

Wrong checkParameters(const Fault &fault, const QList<Raw> &given)
{
    const Manifestation &m = fault.manifestation;
    const bool ownWords = m.kind == ManifestationKind::Status && m.body == MadeUpBody::Problem;
    const bool moneyMoved = fault.placement == Placement::AfterCommit || fault.placement == Placement::HalfWay;
    if (ownWords && moneyMoved && saysNotExecuted(m.code)) {
        return error(QLatin1StringView("manifestation.code"),
                     QStringLiteral("%1 in the bank's own words says that nothing was executed, which %2 makes a lie "
                                    "no client can see through; take body=html")
                         .arg(m.code)
                         .arg(QString::fromLatin1(placementName(fault.placement))));
    }
    const auto need = [&](const char *name, const char *what) -> Wrong {
        if (isGiven(given, name))
            return std::nullopt;
        return error(parameter(name), QStringLiteral("is needed, ") + QString::fromLatin1(what));
    };
    switch (m.kind) {
    case ManifestationKind::Busy:
    case ManifestationKind::Restart:
        return need("ms", "in milliseconds");
    case ManifestationKind::Dribble:
        if (auto wrong = need("bytes", "so many at a time"))
            return wrong;
        return need("ms", "in milliseconds");
    case ManifestationKind::Fin:
    case ManifestationKind::Rst:
        return fault.placement == Placement::Late ? need("ms", "in milliseconds") : std::nullopt;
    case ManifestationKind::ClockSkew:
        return need("s", "in seconds, less than 0 for a clock that is behind");
    case ManifestationKind::Bandwidth:
        if (isGiven(given, "bytes_per_s") && isGiven(given, "kb_per_s"))
            return error(QLatin1StringView("manifestation.kb_per_s"),
                         QStringLiteral("says it again; give one of both"));
        return isGiven(given, "kb_per_s") ? std::nullopt : need("bytes_per_s", "or kb_per_s");
    default:
        return std::nullopt;
    }
}

Wrong readSelector(const Raw &raw, const QString &member, Selector *s)
{
    const auto integer = [&](qint64 low, qint64 high, auto *target) -> Wrong {
        qint64 value = 0;
        if (auto wrong = readInteger(raw, member, low, high, &value))
            return wrong;
        *target = static_cast<typename std::remove_reference_t<decltype(*target)>::value_type>(value);
        return std::nullopt;
    };
    if (raw.name == "next")
        return integer(1, maxCount, &s->next);
    if (raw.name == "skip")
        return integer(0, maxCount, &s->skip);
    if (raw.name == "every")
        return integer(1, maxCount, &s->every);
    if (raw.name == "attempt")
        return integer(1, maxCount, &s->attempt);
    if (raw.name == "amount")
        return integer(1, maxAmountMinor, &s->amount);
    if (raw.name == "seed")
        return integer(0, static_cast<qint64>(maxFaultSeed), &s->seed);
    if (raw.name == "key")
        return readKey(raw, member, &s->key);
    if (raw.name == "terminal")
        return readName(raw, member, &s->terminal);
    if (raw.name == "order")
        return readName(raw, member, &s->order);
    if (raw.name == "source")
        return readName(raw, member, &s->source);
    if (raw.name == "until")
        return readUntil(raw, member, &s->untilMs);
    if (raw.name == "route") {
        RouteMatch route = RouteMatch::Charge;
        auto wrong = readWord(raw, member, routes, &route);
        s->route = route;
        return wrong;
    }
    qint64 value = 0;
    if (raw.name == "probability") {
        auto wrong = readDecimal(raw, member, 6, 0, 1'000'000, &value);
        s->probabilityMillionths = static_cast<int>(value);
        return wrong;
    }
    if (raw.name == "for_s") {
        auto wrong = readDecimal(raw, member, 3, 1, maxForMs, &value);
        s->forMs = value;
        return wrong;
    }
    return error(member, unknown(raw.name, QStringLiteral("next, skip, every, attempt, key, terminal, order, source, "
                                                          "amount, route, probability, seed, for_s, until")));
}

/// A connection is struck before anything of a request is known.
Wrong checkConnect(const Fault &fault, const QList<Raw> &selectors)
{
    for (const Raw &raw : selectors) {
        if (raw.name != "next" && raw.name != "for_s" && raw.name != "until") {
            return error(QStringLiteral("selector.") + shown(raw.name),
                         QStringLiteral("is not known of a connection; connect takes next, for_s and until"));
        }
    }
    if (fault.manifestation.kind != ManifestationKind::Refuse)
        return std::nullopt;
    if (fault.selector.next) {
        return error(selectorMember("next"),
                     QStringLiteral("cannot be counted: nobody is there to see who knocks at a closed port; give ms"));
    }
    const int ends = (fault.manifestation.durationMs > 0) + (fault.selector.forMs.has_value()) +
                     (fault.selector.untilMs.has_value());
    if (ends == 0) {
        return error(QLatin1StringView("manifestation.ms"),
                     QStringLiteral("is needed, in milliseconds: a closed port hears no call to open it again"));
    }
    if (ends > 1) {
        return error(fault.selector.forMs ? selectorMember("for_s") : selectorMember("until"),
                     QStringLiteral("says another end; give one of ms, for_s and until"));
    }
    if (fault.selector.forMs.value_or(0) > maxDurationMs) {
        return error(selectorMember("for_s"),
                     QStringLiteral("must be at most %1 where the port is closed").arg(maxDurationMs / 1000));
    }
    return std::nullopt;
}

/// A matcher that no request of the route can meet would make a rule that never strikes.
Wrong checkMatchers(RouteMatch route, const QList<Raw> &selectors)
{
    struct Known {
        RouteMatch route;
        std::array<const char *, 6> names;
    };
    constexpr std::array known{
        Known{RouteMatch::Void, {"attempt", "key", "order", "amount", "", ""}},
        Known{RouteMatch::Inquiry, {"key", "", "", "", "", ""}},
        Known{RouteMatch::List, {"terminal", "", "", "", "", ""}},
    };
    const auto *names = std::ranges::find(known, route, &Known::route);
    if (names == known.end())
        return std::nullopt;
    for (const Raw &raw : selectors) {
        const bool matches = raw.name == "attempt" || raw.name == "key" || raw.name == "terminal" ||
                             raw.name == "order" || raw.name == "source" || raw.name == "amount";
        const bool carried = std::ranges::any_of(names->names, [&](const char *name) { return raw.name == name; });
        if (matches && !carried) {
            return error(QStringLiteral("selector.") + shown(raw.name),
                         QStringLiteral("is nothing that route=%1 carries: the rule would never strike")
                             .arg(QString::fromLatin1(nameOf(routes, route))));
        }
    }
    return std::nullopt;
}

Wrong checkSelectors(const Fault &fault, const FaultTruth &truth, const QList<Raw> &given)
{
    const Selector &s = fault.selector;
    if (s.seed && !s.probabilityMillionths)
        return error(selectorMember("seed"), QStringLiteral("draws nothing without probability"));
    if (s.forMs && s.untilMs)
        return error(selectorMember("until"), QStringLiteral("says another end than for_s; give one of both"));
    if (fault.placement == Placement::Connect)
        return checkConnect(fault, given);

    const RouteMatch route = s.route.value_or(RouteMatch::Charge);
    if (!takesRoute(truth, route)) {
        return error(selectorMember("route"),
                     QStringLiteral("%1:%2 cannot happen to %3")
                         .arg(QString::fromLatin1(placementName(fault.placement)),
                              QString::fromLatin1(manifestationName(fault.manifestation.kind)),
                              route == RouteMatch::Any ? QStringLiteral("every route")
                                                       : QString::fromLatin1(nameOf(routes, route))));
    }
    const Manifestation &m = fault.manifestation;
    if (m.kind == ManifestationKind::Status && m.body == MadeUpBody::Problem && m.code == 404 &&
        (route == RouteMatch::Inquiry || route == RouteMatch::Any)) {
        return error(QLatin1StringView("manifestation.code"),
                     QStringLiteral("404 in the bank's own words tells an inquiry that the key was never seen, which "
                                    "only the ledger may say; take body=html"));
    }
    return checkMatchers(route, given);
}

} // namespace fault_rules

using namespace fault_rules;

QString fault_words::shown(QByteArrayView text)
{
    constexpr qsizetype longest = 40;
    QString result = QString::fromUtf8(text.first(std::min(longest, text.size())));
    for (QChar &c : result) {
        if (!c.isPrint())
            c = QLatin1Char('?');
    }
    return text.size() > longest ? result + QStringLiteral("...") : result;
}

FaultResult fault_words::validate(const RawFault &raw)
{
    Fault fault;
    const auto placement = find(placements, raw.placement);
    if (!placement)
        return error(QLatin1StringView("placement"), unknown(raw.placement, wordList(placements)));
    fault.placement = *placement;

    Manifestation &m = fault.manifestation;
    const auto kind = find(manifestations, raw.kind);
    if (!kind)
        return error(QLatin1StringView("manifestation.kind"), unknown(raw.kind, wordList(manifestations)));
    m.kind = *kind;
    const FaultTruth *truth = faultTruth(*placement, *kind);
    if (!truth) {
        return error(QLatin1StringView("manifestation.kind"),
                     QStringLiteral("%1 cannot happen at %2")
                         .arg(QString::fromLatin1(raw.kind), QString::fromLatin1(raw.placement)));
    }
    if (*kind == ManifestationKind::Redirect) {
        m.code = defaultRedirectCode;
        m.location = defaultLocation.toByteArray();
    }
    if (*kind == ManifestationKind::Decline)
        m.declineCode = defaultDeclineCode.toByteArray();
    if (*kind == ManifestationKind::Garbage)
        m.bytes = defaultGarbageBytes;

    if (const auto twice = firstTwice(raw.parameters))
        return error(QStringLiteral("manifestation.") + shown(*twice), QStringLiteral("is given twice"));
    const QByteArrayList names = parametersOf(*placement, *kind);
    for (const Raw &given : raw.parameters) {
        const QString member = QStringLiteral("manifestation.") + shown(given.name);
        if (given.name == "at" && *placement != Placement::MidAnswer)
            return error(member, QStringLiteral("only mid_answer takes at="));
        if (!names.contains(given.name)) {
            return error(member, QStringLiteral("%1 takes no such parameter%2")
                                     .arg(QString::fromLatin1(raw.kind),
                                          names.isEmpty()
                                              ? QString()
                                              : QStringLiteral("; it takes ") + QString::fromLatin1(names.join(", "))));
        }
        if (auto wrong = readParameter(given, member, &m))
            return *wrong;
    }
    const bool delays = *kind == ManifestationKind::Delay || *kind == ManifestationKind::Bandwidth;
    if (delays) {
        if (auto wrong = settleLaw(raw.parameters, *kind == ManifestationKind::Delay, &m.delay))
            return *wrong;
    }
    if (auto wrong = checkParameters(fault, raw.parameters))
        return *wrong;

    if (const auto twice = firstTwice(raw.selectors))
        return error(QStringLiteral("selector.") + shown(*twice), QStringLiteral("is given twice"));
    for (const Raw &given : raw.selectors) {
        if (auto wrong = readSelector(given, QStringLiteral("selector.") + shown(given.name), &fault.selector))
            return *wrong;
    }
    if (auto wrong = checkSelectors(fault, *truth, raw.selectors))
        return *wrong;
    return fault;
}

QByteArrayList parametersOf(Placement placement, ManifestationKind kind)
{
    QByteArrayList names;
    if (placement == Placement::MidAnswer)
        names += "at";
    const QByteArrayList law{"ms", "min_ms", "max_ms", "median_ms", "sigma", "mean_ms", "law", "seed"};
    switch (kind) {
    case ManifestationKind::Delay:
        return names + law;
    case ManifestationKind::Bandwidth:
        return names + QByteArrayList{"bytes_per_s", "kb_per_s"} + law;
    case ManifestationKind::Refuse:
    case ManifestationKind::Busy:
    case ManifestationKind::Restart:
        return names + QByteArrayList{"ms"};
    case ManifestationKind::Fin:
    case ManifestationKind::Rst:
        return placement == Placement::Late ? names + QByteArrayList{"ms"} : names;
    case ManifestationKind::Dribble:
        return names + QByteArrayList{"bytes", "ms"};
    case ManifestationKind::Status:
        return names + QByteArrayList{"code", "body", "retry_after"};
    case ManifestationKind::Garbage:
        return names + QByteArrayList{"bytes", "seed"};
    case ManifestationKind::Redirect:
        return names + QByteArrayList{"code", "location"};
    case ManifestationKind::ClockSkew:
        return names + QByteArrayList{"s"};
    case ManifestationKind::Decline:
        return names + QByteArrayList{"decline_code"};
    case ManifestationKind::Twice:
        return names + QByteArrayList{"gap_ms", "to"};
    default:
        return names;
    }
}

} // namespace mockbank
