#pragma once

#include "mock-server/control/event_log.h"
#include "mock-server/faults/fault_plan.h"
#include "mock-server/faults/fault_table.h"
#include "mock-server/faults/held_messages.h"
#include "mock-server/http/answer_sender.h"
#include "mock-server/http/arrival.h"

#include <QtCore/QHash>
#include <QtCore/QObject>

#include <functional>

namespace mockbank {

/// What faults are played with. Everything outlives the player.
struct StageContext {
    FaultPlan &faults;
    HeldMessages &held;
    EventLog &events;
    AnswerSender &sender;
    std::function<qint64()> nowMs;         ///< on the bank's clock
    std::function<void(int downMs)> crash; ///< takes effect after the running event
    /// The network delivers the same request once more.
    std::function<void(const Arrival &arrival)> deliverCopy;
};

/// What a placement and a manifestation do to the wire, beside `fault_table.h`, which says what they mean. An arrival
/// comes by three times: `request` before the bank looks at it, `checked` before the bank works on it, `answer` when
/// the bank has spoken. An arrival without a fault, or whose fault strikes elsewhere, passes.
class FaultPlayer : public QObject {
    Q_OBJECT

public:
    using Step = std::function<void()>;

    explicit FaultPlayer(StageContext context);

    /// `goOn` lets the bank look at it: called now, later, or never.
    void request(const ArrivalPtr &arrival, const Step &goOn);
    void checked(const ArrivalPtr &arrival, const Step &goOn);
    /// What the bank is told to do to itself.
    [[nodiscard]] static LedgerFault ledgerFault(const Arrival &arrival);
    /// `crashed`: the bank did not get to an answer (LedgerFault::CrashBeforeCommit, CrashHalfWay).
    void answer(const ArrivalPtr &arrival, const Response &response, bool crashed = false);

    /// What is delayed here is dropped and its connections are closed.
    void cancelDelayed();
    [[nodiscard]] qsizetype delayedCount() const { return m_delayed.size(); }

    void logFault(const ArrivalPtr &arrival, const char *light);
    void logLights(const ArrivalPtr &arrival, const QList<LightChange> &lights);
    /// Tells of a client that has ended the connection before its answer was finished.
    void clientGone(const ArrivalPtr &arrival);

private:
    enum class HeldThing { Request, RequestInTransit, Answer };

    void strike(const ArrivalPtr &arrival, const Response &truth, HeldThing what, const Step &goOn);
    void midAnswer(const ArrivalPtr &arrival, const Response &response);
    void late(const ArrivalPtr &arrival, const Response &response);
    void sendSlowly(const ArrivalPtr &arrival, const Response &response);
    void endIdleConnectionLater(const ArrivalPtr &arrival, Cut how);
    void hold(const ArrivalPtr &arrival, HeldThing what, const Step &release);
    void deliverTwice(const ArrivalPtr &arrival, const Step &goOn);
    void forwardCopy(const ArrivalPtr &arrival);
    void cut(const ArrivalPtr &arrival, Cut how);
    void crash(const ArrivalPtr &arrival);
    void after(int ms, const ArrivalPtr &arrival, const Step &work);
    void fired(const ArrivalPtr &arrival);

    StageContext m_context;
    QHash<quint64, ArrivalPtr> m_delayed; ///< by the number of their wait
    quint64 m_lastWait = 0;
};

} // namespace mockbank
