#include "mock-server/control/event_log.h"

#include <QtCore/QDateTime>
#include <QtCore/QJsonDocument>

namespace mockbank {

QByteArray LoggedEvent::json() const
{
    QJsonObject object = data;
    object.insert(QStringLiteral("at_ms"), atMs);
    object.insert(QStringLiteral("run"), QString::fromLatin1(run));
    object.insert(QStringLiteral("n"), static_cast<qint64>(n));
    object.insert(QStringLiteral("kind"), QString::fromLatin1(kind));
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

void EventLog::append(const QByteArray &kind, QJsonObject data)
{
    if (m_events.size() >= m_capacity)
        m_events.pop_front();
    m_events.push_back({m_run, ++m_lastN, QDateTime::currentMSecsSinceEpoch(), kind, std::move(data)});
    Q_EMIT appended(m_events.back());
}

EventLog::Position EventLog::after(const QByteArray &lastId) const
{
    if (lastId == "0")
        return {firstN() != 1, firstN()};
    const quint64 n = lastId.mid(lastId.lastIndexOf('.') + 1).toULongLong();
    const bool known = n >= firstN() && n <= m_lastN && event(n).id() == lastId;
    return known ? Position{false, n + 1} : Position{true, firstN()};
}

} // namespace mockbank
