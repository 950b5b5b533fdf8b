#include "mock-server/faults/held_messages.h"

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
}

void HeldMessages::clear()
{
    m_held.clear();
}

bool HeldMessages::act(quint64 id, Action action)
{
    const auto node = m_held.extract(id);
    if (node.empty())
        return false;
    const HeldMessage &message = node.mapped();
    switch (action) {
    case Action::Release:
        message.release();
        break;
    case Action::Drop:
        break;
    case Action::Cut:
        message.exchange->cut(Cut::Fin);
        break;
    }
    return true;
}

QJsonArray HeldMessages::list() const
{
    QJsonArray list;
    for (const auto &[id, message] : m_held)
        list.append(message.facts);
    return list;
}

} // namespace mockbank
