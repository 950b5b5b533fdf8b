#include "mock-server/http/door.h"

#include "mock-server/http/fault_facts.h"

#include <QtCore/QDateTime>

#include <algorithm>

namespace mockbank {

namespace {

constexpr qint64 reopenRetryMs = 100;

qint64 wallMs()
{
    return QDateTime::currentMSecsSinceEpoch();
}

} // namespace

Door::Door(FaultPlan &faults, HeldMessages &held, EventLog &events, Listener &listener)
    : m_faults(faults)
    , m_held(held)
    , m_events(events)
    , m_listener(listener)
{
    m_again.setSingleShot(true);
    m_again.setTimerType(Qt::PreciseTimer);
    connect(&m_again, &QTimer::timeout, this, &Door::look);
    m_listener.setDoor([this](qintptr descriptor) { return keepUnread(descriptor); });
}

void Door::look()
{
    if (!m_refusing && !m_listener.isListening())
        return; // the bank is down
    const auto refusal = m_faults.refusal(wallMs());
    if (refusal) {
        if (!m_refusing) {
            m_refusing = true;
            m_listener.refuse();
            m_events.append("port_closed", {{QStringLiteral("until_ms"), refusal->untilMs}});
        }
        if (m_lastRule != refusal->decision.ruleId) {
            m_lastRule = refusal->decision.ruleId;
            m_faults.fired(m_lastRule);
            tell(refusal->decision, "fired");
        }
        m_again.start(static_cast<int>(std::max<qint64>(refusal->untilMs - wallMs(), 1)));
        return;
    }
    if (!m_refusing)
        return;
    QString error;
    if (!m_listener.reopen(&error)) {
        m_again.start(reopenRetryMs);
        return;
    }
    m_again.stop();
    m_refusing = false;
    m_lastRule.clear();
    m_events.append("port_open", {{QStringLiteral("port"), m_listener.serverPort()}});
}

void Door::goDown()
{
    m_again.stop();
    m_refusing = false;
    m_lastRule.clear();
    m_unread.closeAll();
}

bool Door::keepUnread(qintptr descriptor)
{
    const auto decision = m_faults.decideConnection(wallMs());
    if (!decision)
        return false;
    const int fd = static_cast<int>(descriptor);
    m_faults.fired(decision->ruleId);
    tell(*decision, "matched");
    tell(*decision, "fired");
    HeldMessage message;
    message.facts = ruleFacts(*decision);
    message.facts.insert(QStringLiteral("what"), QStringLiteral("connection"));
    message.release = [this, fd] {
        if (m_unread.giveBack(fd))
            m_listener.adopt(fd);
    };
    message.cut = [this, fd] { m_unread.close(fd); };
    const QJsonObject facts = message.facts;
    const quint64 id = m_held.hold(std::move(message), wallMs());
    m_events.append("held", with(facts, {{QStringLiteral("held_id"), static_cast<qint64>(id)}}));
    m_unread.keep(fd, [this, id, facts] {
        m_held.forget(id);
        m_events.append("client_gone", facts);
    });
    return true;
}

void Door::tell(const FaultDecision &decision, const char *light)
{
    m_events.append("fault", with(ruleFacts(decision), {{QStringLiteral("light"), QString::fromLatin1(light)},
                                                        {QStringLiteral("reached"), false},
                                                        {QStringLiteral("charged"), false},
                                                        {QStringLiteral("knowable"), isKnowable(decision)}}));
}

} // namespace mockbank
