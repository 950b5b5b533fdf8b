#include "mock-server/faults/fault_words.h"

#include <QtCore/QDateTime>

namespace mockbank {

namespace fault_print {

using namespace fault_words;

/// One name and value of a fault, on its way into either form.
struct Shown {
    QByteArray name;
    QByteArray text;
    bool number = false;
    bool standard = false; ///< what is taken where nothing is given: the text form leaves it out
};

Shown integer(const char *name, qint64 value, bool standard = false)
{
    return {name, QByteArray::number(value), true, standard};
}

/// `value` units of which `perOne` make one, as a decimal number: 1500 thousandths are 1.5.
QByteArray decimal(qint64 value, int decimals)
{
    QByteArray digits = QByteArray::number(value).rightJustified(decimals + 1, '0');
    QByteArray text = digits.chopped(decimals);
    QByteArray fraction = digits.last(decimals);
    while (fraction.endsWith('0'))
        fraction.chop(1);
    return fraction.isEmpty() ? text : text + '.' + fraction;
}

Shown cutPoint(const CutPoint &at)
{
    const bool standard = at == CutPoint();
    if (at.kind == CutPoint::Kind::Bytes)
        return integer("at", at.bytes, standard);
    if (at.kind == CutPoint::Kind::Fraction)
        return {"at", decimal(at.millionths, 6), true, standard};
    return {"at", nameOf(cutPlaces, at.kind), false, standard};
}

void appendLaw(const DelayLaw &law, QList<Shown> *list)
{
    switch (law.kind) {
    case DelayLaw::Kind::Fixed:
        list->append(integer("ms", law.ms));
        break;
    case DelayLaw::Kind::Uniform:
        list->append(integer("min_ms", law.minMs));
        list->append(integer("max_ms", law.maxMs));
        break;
    case DelayLaw::Kind::Lognormal:
        list->append(integer("median_ms", law.ms));
        list->append({"sigma", decimal(law.sigmaThousandths, 3), true});
        break;
    case DelayLaw::Kind::Exponential:
        list->append(integer("mean_ms", law.ms));
        break;
    }
}

QList<Shown> parameters(const Fault &fault)
{
    const Manifestation &m = fault.manifestation;
    QList<Shown> list;
    if (fault.placement == Placement::MidAnswer)
        list.append(cutPoint(m.at));
    switch (m.kind) {
    case ManifestationKind::Refuse:
        if (m.durationMs > 0)
            list.append(integer("ms", m.durationMs));
        break;
    case ManifestationKind::Busy:
    case ManifestationKind::Restart:
        list.append(integer("ms", m.durationMs));
        break;
    case ManifestationKind::Fin:
    case ManifestationKind::Rst:
        if (fault.placement == Placement::Late)
            list.append(integer("ms", m.durationMs));
        break;
    case ManifestationKind::Delay:
        appendLaw(m.delay, &list);
        if (m.delay.kind != DelayLaw::Kind::Fixed)
            list.append(integer("seed", static_cast<qint64>(m.seed), m.seed == 0));
        break;
    case ManifestationKind::Dribble:
        list.append(integer("bytes", m.bytes));
        list.append(integer("ms", m.durationMs));
        break;
    case ManifestationKind::Bandwidth:
        list.append(integer("bytes_per_s", m.bytesPerSecond));
        if (m.delay != DelayLaw())
            appendLaw(m.delay, &list);
        if (m.delay.kind != DelayLaw::Kind::Fixed)
            list.append(integer("seed", static_cast<qint64>(m.seed), m.seed == 0));
        break;
    case ManifestationKind::Status:
        list.append(integer("code", m.code));
        list.append({"body", nameOf(bodies, m.body), false, m.body == MadeUpBody::Problem});
        if (!m.retryAfter.isEmpty())
            list.append({"retry_after", m.retryAfter});
        break;
    case ManifestationKind::Garbage:
        list.append(integer("bytes", m.bytes, m.bytes == defaultGarbageBytes));
        list.append(integer("seed", static_cast<qint64>(m.seed), m.seed == 0));
        break;
    case ManifestationKind::Redirect:
        list.append(integer("code", m.code, m.code == defaultRedirectCode));
        list.append({"location", m.location, false, m.location == defaultLocation});
        break;
    case ManifestationKind::ClockSkew:
        list.append(integer("s", m.skewS));
        break;
    case ManifestationKind::Decline:
        list.append({"decline_code", m.declineCode, false, m.declineCode == defaultDeclineCode});
        break;
    case ManifestationKind::Twice:
        list.append(integer("gap_ms", m.gapMs, m.gapMs == 0));
        if (!m.to.isEmpty())
            list.append({"to", m.to});
        break;
    default:
        break; // takes none
    }
    return list;
}

QByteArray untilText(qint64 ms)
{
    const QDateTime at = QDateTime::fromMSecsSinceEpoch(ms, Qt::UTC);
    return at.toString(ms % 1000 == 0 ? Qt::ISODate : Qt::ISODateWithMs).toLatin1();
}

QList<Shown> selectors(const Selector &s)
{
    QList<Shown> list;
    if (s.route)
        list.append({"route", routeName(*s.route)});
    if (s.attempt)
        list.append(integer("attempt", *s.attempt));
    if (s.key)
        list.append({"key", *s.key});
    if (s.terminal)
        list.append({"terminal", s.terminal->toUtf8()});
    if (s.order)
        list.append({"order", s.order->toUtf8()});
    if (s.source)
        list.append({"source", s.source->toUtf8()});
    if (s.amount)
        list.append(integer("amount", *s.amount));
    if (s.skip)
        list.append(integer("skip", *s.skip));
    if (s.every)
        list.append(integer("every", *s.every));
    if (s.next)
        list.append(integer("next", *s.next));
    if (s.probabilityMillionths)
        list.append({"probability", decimal(*s.probabilityMillionths, 6), true});
    if (s.seed)
        list.append(integer("seed", static_cast<qint64>(*s.seed)));
    if (s.forMs)
        list.append({"for_s", decimal(*s.forMs, 3), true});
    if (s.untilMs)
        list.append({"until", untilText(*s.untilMs)});
    return list;
}

QByteArray assignment(const Shown &value)
{
    if (isPlain(value.text))
        return value.name + '=' + value.text;
    return value.name + "=\"" + QByteArray(value.text).replace('\\', "\\\\").replace('"', "\\\"") + '"';
}

void insert(const Shown &value, QJsonObject *object)
{
    QJsonValue json(QString::fromUtf8(value.text));
    if (value.number)
        json = value.text.contains('.') ? QJsonValue(value.text.toDouble()) : QJsonValue(value.text.toLongLong());
    object->insert(QString::fromLatin1(value.name), json);
}

} // namespace fault_print

using namespace fault_print;

QByteArray printFault(const Fault &fault)
{
    QByteArrayList inner;
    for (const Shown &parameter : parameters(fault)) {
        if (!parameter.standard)
            inner.append(assignment(parameter));
    }
    QByteArray spec = placementName(fault.placement) + ':' + manifestationName(fault.manifestation.kind);
    if (!inner.isEmpty())
        spec += '(' + inner.join(',') + ')';
    for (const Shown &selector : selectors(fault.selector))
        spec += ':' + assignment(selector);
    return spec;
}

QJsonObject faultToJson(const Fault &fault)
{
    QJsonObject manifestation{
        {QStringLiteral("kind"), QString::fromLatin1(manifestationName(fault.manifestation.kind))}};
    for (const Shown &parameter : parameters(fault))
        insert(parameter, &manifestation);
    QJsonObject selector;
    for (const Shown &one : selectors(fault.selector))
        insert(one, &selector);
    return {{QStringLiteral("placement"), QString::fromLatin1(placementName(fault.placement))},
            {QStringLiteral("manifestation"), manifestation},
            {QStringLiteral("selector"), selector}};
}

QByteArray placementName(Placement placement)
{
    return nameOf(placements, placement);
}

QByteArray manifestationName(ManifestationKind kind)
{
    return nameOf(manifestations, kind);
}

QByteArray routeName(RouteMatch route)
{
    return nameOf(routes, route);
}

} // namespace mockbank
