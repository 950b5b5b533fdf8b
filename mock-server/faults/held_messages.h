#pragma once

#include <QtCore/QJsonArray>
#include <QtCore/QJsonObject>

#include <functional>
#include <map>
#include <set>

namespace mockbank {

/// A connection, a request or an answer that a fault keeps back, and what may become of it.
struct HeldMessage {
    QJsonObject facts; ///< `what`, arrival_id, idempotency_key, attempt, rule_id, spec ...
    std::function<void()> release;
    std::function<void()> cut;
    std::function<void()> twice; ///< empty where it can go on its way only once
    std::function<void()> drop;  ///< empty where dropping takes nothing
};

/// What is held now. Costs memory only: no thread, no timer. Lives on the network thread.
class HeldMessages {
public:
    /// Of messages whose client has gone; beyond it the oldest of those is dropped.
    static constexpr std::size_t maxAbandoned = 10'000;

    enum class Action {
        Release, ///< the message goes on its way, late
        Drop,    ///< it is forgotten; the client goes on waiting
        Cut,     ///< its connection is closed
        Twice,   ///< it goes on its way two times
    };
    enum class Acted { Done, NotHeld, NotPossible };

    quint64 hold(HeldMessage message, qint64 nowMs);
    /// The client has gone and there is nobody to release it to.
    void forget(quint64 id);
    /// The client has gone; the message is on its way all the same.
    void abandon(quint64 id);
    void clear();
    /// Closes the connection of everything that is held, and forgets it.
    void cutAll();
    [[nodiscard]] Acted act(quint64 id, Action action);
    [[nodiscard]] std::size_t count() const { return m_held.size(); }
    [[nodiscard]] QJsonArray list() const;

private:
    std::map<quint64, HeldMessage> m_held;
    std::set<quint64> m_abandoned;
    quint64 m_lastId = 0;
};

} // namespace mockbank
