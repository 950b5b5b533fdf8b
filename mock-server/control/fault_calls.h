#pragma once

#include "mock-server/control/event_log.h"
#include "mock-server/faults/fault_plan.h"
#include "mock-server/http/connection.h"

#include <QtCore/QObject>
#include <QtCore/QTimer>

#include <functional>
#include <memory>

namespace mockbank {

/// The calls of the control API that arm, show and end faults: rules, the network profile, magic amounts. Tells of
/// rules that end by themselves, too. Lives on the network thread; everything it refers to outlives it.
class FaultCalls : public QObject {
    Q_OBJECT

public:
    using ExchangePtr = std::shared_ptr<Exchange>;

    /// `rulesChanged` is called after every change that may close or open the port.
    FaultCalls(FaultPlan &plan, EventLog &events, std::function<void()> rulesChanged);

    void list(const ExchangePtr &exchange);
    void arm(const ExchangePtr &exchange);
    void disarmAll(const ExchangePtr &exchange);
    /// False where there is no such rule.
    [[nodiscard]] bool one(const ExchangePtr &exchange, const QByteArray &id);
    [[nodiscard]] bool disarm(const ExchangePtr &exchange, const QByteArray &id);

    void profile(const ExchangePtr &exchange);
    void putProfile(const ExchangePtr &exchange);
    void deleteProfile(const ExchangePtr &exchange);

    void magicAmounts(const ExchangePtr &exchange);
    void putMagicAmounts(const ExchangePtr &exchange);

    /// The bank works by another strategy now. What it cannot play ends; the ids of those rules.
    QJsonArray strategyChanged(const QString &name);
    /// To be called after every change of the rules made elsewhere.
    void rulesChanged();

    [[nodiscard]] static QJsonObject profileJson(const FaultPlan &plan);

private:
    void tellEnded();

    FaultPlan &m_plan;
    EventLog &m_events;
    std::function<void()> m_rulesChanged;
    QTimer m_nextEnd;
};

} // namespace mockbank
