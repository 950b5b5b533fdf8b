#pragma once

#include "mock-server/bank/bank.h"
#include "mock-server/control/event_log.h"
#include "mock-server/control/fault_calls.h"
#include "mock-server/control/later_answers.h"
#include "mock-server/control/request_journal.h"
#include "mock-server/faults/held_messages.h"

namespace mockbank {

/// The calls of the control API that turn the bank as a whole: its clock, and the reset. Lives on the network thread;
/// everything it refers to outlives it.
class BankCalls {
public:
    using ExchangePtr = std::shared_ptr<Exchange>;

    struct Context {
        Bank &bank;
        FaultPlan &faults;
        HeldMessages &held;
        EventLog &events;
        RequestJournal &journal;
        LaterAnswers &later;
        FaultCalls &faultCalls;
        std::function<void()> cancelWaiting; ///< cuts what faults hold and forgets what they delay
    };

    explicit BankCalls(const Context &context);

    void clock(const ExchangePtr &exchange);
    void setClock(const ExchangePtr &exchange);
    void reset(const ExchangePtr &exchange);

    [[nodiscard]] static QJsonObject clockJson(const ClockState &clock);

private:
    Context m_context;
};

} // namespace mockbank
