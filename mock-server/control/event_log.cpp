#include "mock-server/control/event_log.h"

#include <QtCore/QDateTime>
#include <QtCore/QJsonDocument>

#include <algorithm>

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
    if (m_events.size() >= capacity)
        m_events.pop_front();
    m_events.push_back({m_run, ++m_lastN, QDateTime::currentMSecsSinceEpoch(), kind, std::move(data)});
    Q_EMIT appended(m_events.back());
}

EventLog::Missed EventLog::after(const QByteArray &lastId) const
{
    Missed missed;
    auto from = m_events.begin();
    if (lastId == "0") {
        missed.gap = !m_events.empty() && m_events.front().n != 1;
    } else {
        const auto known =
            std::ranges::find_if(m_events, [&](const LoggedEvent &event) { return event.id() == lastId; });
        missed.gap = known == m_events.end();
        if (!missed.gap)
            from = std::next(known);
    }
    missed.events = QList<LoggedEvent>(from, m_events.end());
    return missed;
}

} // namespace mockbank
