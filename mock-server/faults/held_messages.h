#pragma once

#include "mock-server/faults/fault_plan.h"
#include "mock-server/http/connection.h"

#include <QtCore/QJsonArray>

#include <functional>
#include <map>
#include <memory>

namespace mockbank {

/// A request or an answer that a fault keeps back, and what lets it go on.
struct HeldMessage {
    std::shared_ptr<Exchange> exchange;
    QJsonObject facts; ///< arrival_id, idempotency_key, attempt, rule_id, spec ...
    std::function<void()> release;
};

/// What is held now. Costs memory only: no thread, no timer. Lives on the network thread.
class HeldMessages {
public:
    enum class Action {
        Release, ///< the message goes on its way, late
        Drop,    ///< it is forgotten; the client goes on waiting
        Cut,     ///< the connection is closed
    };

    quint64 hold(HeldMessage message, qint64 nowMs);
    /// The client has gone: there is nobody to release it to.
    void forget(quint64 id);
    void clear();
    /// False where there is no such message.
    bool act(quint64 id, Action action);
    [[nodiscard]] QJsonArray list() const;

private:
    std::map<quint64, HeldMessage> m_held;
    quint64 m_lastId = 0;
};

} // namespace mockbank
