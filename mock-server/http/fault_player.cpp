#include "mock-server/http/fault_player.h"

#include "mock-server/http/request_copy.h"
#include "mock-server/http/slow_writer.h"
#include "mock-server/http/wrong_answer.h"

#include <QtCore/QDateTime>
#include <QtCore/QTimer>

namespace mockbank {

namespace {

QString cutName(Cut how)
{
    return how == Cut::Fin ? QStringLiteral("fin") : QStringLiteral("rst");
}

/// What the bank does to itself and answers for itself; nothing is left to do on the wire.
bool isPlayedByTheBank(ManifestationKind kind)
{
    switch (kind) {
    case ManifestationKind::Busy:
    case ManifestationKind::ExpireKey:
    case ManifestationKind::Decline:
    case ManifestationKind::RedisDown:
    case ManifestationKind::RedisLostWrite:
        return true;
    default:
        return false;
    }
}

} // namespace

FaultPlayer::FaultPlayer(StageContext context)
    : m_context(std::move(context))
{
}

// Before the bank looks.

void FaultPlayer::request(const ArrivalPtr &arrival, const Step &goOn)
{
    const auto placement = arrival->placement();
    if (placement == Placement::Unread)
        strike(arrival, noAnswerOfTheBank(arrival->attempt.key), HeldThing::Request, goOn);
    else if (placement == Placement::InTransit)
        strike(arrival, noAnswerOfTheBank(arrival->attempt.key), HeldThing::RequestInTransit, goOn);
    else
        goOn();
}

void FaultPlayer::checked(const ArrivalPtr &arrival, const Step &goOn)
{
    if (arrival->placement() == Placement::BeforeCommit && arrival->manifestation().kind == ManifestationKind::Delay)
        strike(arrival, noAnswerOfTheBank(arrival->attempt.key), HeldThing::Request, goOn);
    else
        goOn();
}

LedgerFault FaultPlayer::ledgerFault(const Arrival &arrival)
{
    if (!arrival.placement())
        return LedgerFault::None;
    const FaultTruth *truth = faultTruth(arrival.fault->fault.placement, arrival.manifestation().kind);
    return truth ? truth->ledgerFault : LedgerFault::None;
}

// When the bank has spoken.

void FaultPlayer::answer(const ArrivalPtr &arrival, const Response &response, bool crashed)
{
    const auto placement = arrival->placement();
    const Step send = [this, arrival, response] { m_context.sender.send(arrival, response); };
    switch (placement.value_or(Placement::Connect)) {
    case Placement::BeforeCommit:
    case Placement::AfterCommit:
        strike(arrival, response, HeldThing::Answer, send);
        return;
    case Placement::HalfWay:
        // A strategy without such a place has just done its work.
        if (crashed || arrival->manifestation().kind == ManifestationKind::RedisLostWrite)
            strike(arrival, response, HeldThing::Answer, send);
        else
            send();
        return;
    case Placement::MidAnswer:
        midAnswer(arrival, response);
        return;
    case Placement::Late:
        late(arrival, response);
        return;
    case Placement::Connect:
    case Placement::Unread:
    case Placement::InTransit:
        send();
        return;
    }
    Q_UNREACHABLE();
}

// One manifestation at the place where an arrival stands; `truth` is what the bank has answered.
void FaultPlayer::strike(const ArrivalPtr &arrival, const Response &truth, HeldThing what, const Step &goOn)
{
    const Manifestation &manifestation = arrival->manifestation();
    if (isWrongAnswer(manifestation.kind)) {
        fired(arrival);
        arrival->madeUp = true;
        m_context.sender.send(arrival, wrongAnswer(manifestation, *arrival, truth));
        return;
    }
    if (isMalformed(manifestation.kind)) {
        fired(arrival);
        arrival->madeUp = true;
        m_context.sender.sendRaw(arrival, malformedAnswer(manifestation, *arrival->exchange, truth));
        return;
    }
    if (isPlayedByTheBank(manifestation.kind)) {
        // Half way, a write that is lost takes the answer with it: the client comes again.
        if (arrival->placement() == Placement::HalfWay) {
            hold(arrival, what, goOn);
            return;
        }
        fired(arrival);
        goOn();
        return;
    }
    switch (manifestation.kind) {
    case ManifestationKind::Hold:
        hold(arrival, what, goOn);
        return;
    case ManifestationKind::Fin:
        cut(arrival, Cut::Fin);
        return;
    case ManifestationKind::Rst:
        cut(arrival, Cut::Rst);
        return;
    case ManifestationKind::Delay:
        fired(arrival);
        after(arrival->fault->delayMs, arrival, [arrival, goOn] {
            arrival->faultIsOver = true;
            goOn();
        });
        return;
    case ManifestationKind::Restart:
        crash(arrival);
        return;
    case ManifestationKind::Drop:
        // Nobody holds it: the connection stays, and stays silent.
        fired(arrival);
        return;
    case ManifestationKind::Twice:
        deliverTwice(arrival, goOn);
        return;
    case ManifestationKind::ClockSkew: {
        fired(arrival);
        Response skewed = truth;
        skewed.headers.emplaceBack("Date", httpDate(m_context.nowMs() / 1000 + manifestation.skewS));
        m_context.sender.send(arrival, skewed);
        return;
    }
    default:
        Q_UNREACHABLE(); // not a legal pair
    }
}

void FaultPlayer::midAnswer(const ArrivalPtr &arrival, const Response &response)
{
    const Exchange::Wire wire = arrival->exchange->toWire(response);
    const qsizetype offset = cutOffset(arrival->manifestation().at, wire.head, wire.body.size());
    const AnswerSender::Started started = m_context.sender.begin(arrival, response, offset);
    const Step goOn = [this, arrival, started, offset] {
        arrival->exchange->writePart(started.bytes.sliced(offset));
        m_context.sender.finish(arrival, started.facts);
    };
    strike(arrival, response, HeldThing::Answer, goOn);
}

void FaultPlayer::late(const ArrivalPtr &arrival, const Response &response)
{
    switch (arrival->manifestation().kind) {
    case ManifestationKind::Dribble:
    case ManifestationKind::Bandwidth:
        fired(arrival);
        after(arrival->fault->delayMs, arrival, [this, arrival, response] { sendSlowly(arrival, response); });
        return;
    case ManifestationKind::Fin:
        endIdleConnectionLater(arrival, Cut::Fin);
        m_context.sender.send(arrival, response);
        return;
    case ManifestationKind::Rst:
        endIdleConnectionLater(arrival, Cut::Rst);
        m_context.sender.send(arrival, response);
        return;
    default:
        strike(arrival, response, HeldThing::Answer,
               [this, arrival, response] { m_context.sender.send(arrival, response); });
    }
}

void FaultPlayer::sendSlowly(const ArrivalPtr &arrival, const Response &response)
{
    const Manifestation &manifestation = arrival->manifestation();
    const AnswerSender::Started started = m_context.sender.begin(arrival, response, 0);
    const WritingPace pace = manifestation.kind == ManifestationKind::Dribble
                                 ? WritingPace::dribble(manifestation.bytes, manifestation.durationMs)
                                 : WritingPace::bandwidth(manifestation.bytesPerSecond);
    // Goes away by itself.
    new SlowWriter(
        arrival->exchange, started.bytes, pace,
        [this, arrival, started] { m_context.sender.finish(arrival, started.facts); }, this);
}

void FaultPlayer::endIdleConnectionLater(const ArrivalPtr &arrival, Cut how)
{
    after(arrival->manifestation().durationMs, arrival, [this, arrival, how] {
        if (!arrival->exchange->cutWhenIdle(how))
            return; // the client has closed it first
        fired(arrival);
        m_context.events.append("cut", with(arrival->facts, {{QStringLiteral("how"), cutName(how)},
                                                             {QStringLiteral("after_answer"), true}}));
    });
}

// What a manifestation is made of.

void FaultPlayer::hold(const ArrivalPtr &arrival, HeldThing what, const Step &release)
{
    fired(arrival);
    // What is under way to the bank gets there also when its client has gone; the rest was the client's alone.
    const bool onItsWay = what == HeldThing::RequestInTransit;
    if (!onItsWay && !arrival->exchange->isOpen())
        return;
    HeldMessage message;
    message.facts = with(
        with(arrival->facts, ruleFacts(*arrival->fault)),
        {{QStringLiteral("what"), what == HeldThing::Answer ? QStringLiteral("answer") : QStringLiteral("request")}});
    const QPointer guard(this);
    message.release = [guard, arrival, release] {
        if (!guard)
            return;
        arrival->faultIsOver = true;
        release();
    };
    message.cut = [arrival] { arrival->exchange->cut(Cut::Fin); };
    if (what != HeldThing::Answer) {
        message.twice = [this, guard, arrival, go = message.release] {
            go();
            if (guard)
                m_context.deliverCopy(*arrival);
        };
    }
    const QJsonObject facts = message.facts;
    const quint64 id = m_context.held.hold(std::move(message), QDateTime::currentMSecsSinceEpoch());
    m_context.events.append("held", with(facts, {{QStringLiteral("held_id"), static_cast<qint64>(id)}}));
    const auto gone = [this, guard, arrival, id, onItsWay] {
        if (!guard)
            return;
        if (onItsWay)
            m_context.held.abandon(id);
        else
            m_context.held.forget(id);
        clientGone(arrival);
    };
    if (arrival->exchange->isOpen())
        arrival->exchange->setClientGone(gone);
    else
        m_context.held.abandon(id);
}

void FaultPlayer::deliverTwice(const ArrivalPtr &arrival, const Step &goOn)
{
    fired(arrival);
    const Step copy = [this, arrival] {
        if (arrival->manifestation().to.isEmpty())
            m_context.deliverCopy(*arrival);
        else
            forwardCopy(arrival);
    };
    arrival->faultIsOver = true;
    goOn();
    if (arrival->manifestation().gapMs > 0)
        after(arrival->manifestation().gapMs, arrival, copy);
    else
        copy();
}

void FaultPlayer::forwardCopy(const ArrivalPtr &arrival)
{
    const QByteArray to = arrival->manifestation().to;
    const QJsonObject facts = with(arrival->facts, {{QStringLiteral("to"), QString::fromLatin1(to)}});
    m_context.events.append("copy_sent", facts);
    // Goes away by itself.
    new RequestCopy(
        arrival->exchange->request, QUrl(QString::fromLatin1(to)),
        [this, facts](int status, const QString &detail) {
            m_context.events.append(
                "copy_answered", with(facts, {{QStringLiteral("status"), status}, {QStringLiteral("detail"), detail}}));
        },
        this);
}

void FaultPlayer::cut(const ArrivalPtr &arrival, Cut how)
{
    fired(arrival);
    m_context.events.append("cut", with(arrival->facts, {{QStringLiteral("how"), cutName(how)}}));
    arrival->exchange->cut(how);
}

void FaultPlayer::crash(const ArrivalPtr &arrival)
{
    fired(arrival);
    m_context.crash(arrival->manifestation().durationMs);
}

void FaultPlayer::after(int ms, const ArrivalPtr &arrival, const Step &work)
{
    if (ms <= 0) {
        work();
        return;
    }
    const quint64 wait = ++m_lastWait;
    m_delayed.insert(wait, arrival);
    QTimer::singleShot(ms, Qt::PreciseTimer, this, [this, wait, work] {
        if (m_delayed.remove(wait))
            work();
    });
}

void FaultPlayer::cancelDelayed()
{
    const auto delayed = std::exchange(m_delayed, {});
    for (const ArrivalPtr &arrival : delayed)
        arrival->exchange->cut(Cut::Fin);
}

// What is told of it.

void FaultPlayer::fired(const ArrivalPtr &arrival)
{
    if (!arrival->fault || arrival->struck)
        return;
    arrival->struck = true;
    m_context.faults.fired(arrival->fault->ruleId, arrival->attempt);
    logFault(arrival, "fired");
}

void FaultPlayer::logFault(const ArrivalPtr &arrival, const char *light)
{
    QJsonObject facts =
        with(with(arrival->facts, ruleFacts(*arrival->fault)), {{QStringLiteral("light"), QString::fromLatin1(light)}});
    if (arrival->struck) {
        facts.insert(QStringLiteral("reached"), reachesBank(*arrival->fault));
        facts.insert(QStringLiteral("charged"), arrival->moneyMoved);
        facts.insert(QStringLiteral("knowable"), isKnowable(*arrival->fault));
    }
    m_context.events.append("fault", facts);
}

void FaultPlayer::logLights(const ArrivalPtr &arrival, const QList<LightChange> &lights)
{
    for (const LightChange &change : lights) {
        m_context.events.append(
            "fault", with(arrival->facts, {{QStringLiteral("light"), change.light},
                                           {QStringLiteral("rule_id"), QString::fromLatin1(change.ruleId)}}));
    }
}

void FaultPlayer::clientGone(const ArrivalPtr &arrival)
{
    m_context.events.append("client_gone", arrival->facts);
    if (arrival->struck)
        logLights(arrival, m_context.faults.seen(arrival->attempt));
}

} // namespace mockbank
