#pragma once

#include "mock-server/bank/bank.h"
#include "mock-server/control/event_log.h"
#include "mock-server/control/fault_calls.h"
#include "mock-server/control/later_answers.h"
#include "mock-server/faults/scenario.h"

namespace mockbank {

/// The calls of the control API that run, show and stop a scenario. All or nothing: a scenario is read to its end
/// before the first thing is changed, and where the ledger gives up on the way its accounts are put back. Lives on the
/// network thread; everything it refers to outlives it.
class ScenarioCalls {
public:
    using ExchangePtr = std::shared_ptr<Exchange>;

    struct Context {
        Bank &bank;
        std::shared_ptr<Mailbox> mailbox;
        FaultPlan &faults;
        EventLog &events;
        LaterAnswers &later;
        FaultCalls &faultCalls;
    };

    explicit ScenarioCalls(const Context &context);

    void run(const ExchangePtr &exchange);
    void show(const ExchangePtr &exchange);
    /// Ends the steps; strategy and accounts stay as the scenario has set them.
    void stop(const ExchangePtr &exchange);

private:
    struct Loading;
    using LoadingPtr = std::shared_ptr<Loading>;

    void setAccounts(const LoadingPtr &loading);
    void putBack(const LoadingPtr &loading);
    void setStrategy(const LoadingPtr &loading);
    [[nodiscard]] Response loaded(const LoadingPtr &loading);
    [[nodiscard]] QJsonArray steps() const;

    Context m_context;
};

} // namespace mockbank
