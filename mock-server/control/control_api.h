#pragma once

#include "mock-server/control/bank_calls.h"
#include "mock-server/control/request_journal.h"
#include "mock-server/control/scenario_calls.h"
#include "mock-server/control/wait_for.h"
#include "mock-server/faults/fault_plan.h"
#include "mock-server/faults/held_messages.h"
#include "mock-server/http/access.h"
#include "mock-server/http/connection.h"
#include "mock-server/http/event_stream.h"
#include "mock-server/http/mailbox.h"
#include "mock-server/http/reset_self_test.h"

#include <QtCore/QObject>

#include <functional>
#include <memory>

namespace mockbank {

/// What the control plane shows and drives. Everything outlives the API.
struct ControlContext {
    Bank &bank;
    std::shared_ptr<Mailbox> mailbox;
    const Access &access;
    FaultPlan &faults;
    HeldMessages &held;
    EventLog &events;
    RequestJournal &journal;
    EventStreams &streams;
    std::function<void(int downMs)> crash;   ///< takes effect after the running event
    std::function<QJsonObject()> counters;   ///< of the network side
    std::function<QJsonObject()> publishing; ///< what Publishing::report says
    std::function<void()> rulesChanged;      ///< the port may have to be closed or opened
    std::function<void()> cancelWaiting;     ///< cuts what faults hold and forgets what they delay
    CutSelfTest cuts;
};

/// The control API (README.md, "Control API"). Only what the bank's own ledger must say is asked of the ledger
/// thread, and no call waits for a charge: a held or slow one never delays an answer here. One for each run of the
/// bank.
class ControlApi : public QObject {
    Q_OBJECT

public:
    explicit ControlApi(ControlContext context);

    /// `path` begins with /control/.
    void handle(const std::shared_ptr<Exchange> &exchange);
    /// GET of /healthz, /metrics or /openapi.json, which need no control token.
    void tellOpen(const std::shared_ptr<Exchange> &exchange);

private:
    using ExchangePtr = std::shared_ptr<Exchange>;
    struct Route;

    void health(const ExchangePtr &exchange);
    /// Open to whoever is on this machine; from beyond it takes the control token or an API key.
    void metrics(const ExchangePtr &exchange);
    void state(const ExchangePtr &exchange);
    void putStrategy(const ExchangePtr &exchange);
    void listAccounts(const ExchangePtr &exchange);
    void putAccount(const ExchangePtr &exchange, const QByteArray &source);
    void actOnHeld(const ExchangePtr &exchange, const QByteArray &id);
    void ledger(const ExchangePtr &exchange);
    void outbox(const ExchangePtr &exchange);
    void events(const ExchangePtr &exchange);
    void restart(const ExchangePtr &exchange);

    ControlContext m_context;
    WaitFor m_waitFor;
    LaterAnswers m_later;
    FaultCalls m_faultCalls;
    BankCalls m_bankCalls;
    ScenarioCalls m_scenarioCalls;
};

} // namespace mockbank
