#include "mock-server/faults/held_messages.h"

#include <utility>

namespace mockbank {

quint64 HeldMessages::hold(HeldMessage message, qint64 nowMs)
{
    message.facts.insert(QStringLiteral("id"), static_cast<qint64>(++m_lastId));
    message.facts.insert(QStringLiteral("since_ms"), nowMs);
    m_held.emplace(m_lastId, std::move(message));
    return m_lastId;
}

void HeldMessages::forget(quint64 id)
{
    m_held.erase(id);
    m_abandoned.erase(id);
}

void HeldMessages::abandon(quint64 id)
{
    const auto held = m_held.find(id);
    if (held == m_held.end())
        return;
    held->second.facts.insert(QStringLiteral("client_gone"), true);
    m_abandoned.insert(id);
    if (m_abandoned.size() > maxAbandoned)
        forget(*m_abandoned.begin());
}

void HeldMessages::clear()
{
    m_held.clear();
    m_abandoned.clear();
}

void HeldMessages::cutAll()
{
    const auto held = std::exchange(m_held, {});
    m_abandoned.clear();
    for (const auto &[id, message] : held)
        message.cut();
}

HeldMessages::Acted HeldMessages::act(quint64 id, Action action)
{
    const auto held = m_held.find(id);
    if (held == m_held.end())
        return Acted::NotHeld;
    if (action == Action::Twice && !held->second.twice)
        return Acted::NotPossible;
    // Taken out first: what it sets off may hold again.
    const HeldMessage message = std::move(held->second);
    forget(id);
    switch (action) {
    case Action::Release:
        message.release();
        break;
    case Action::Drop:
        if (message.drop)
            message.drop();
        break;
    case Action::Cut:
        message.cut();
        break;
    case Action::Twice:
        message.twice();
        break;
    }
    return Acted::Done;
}

QJsonArray HeldMessages::list() const
{
    QJsonArray list;
    for (const auto &[id, message] : m_held)
        list.append(message.facts);
    return list;
}

} // namespace mockbank
