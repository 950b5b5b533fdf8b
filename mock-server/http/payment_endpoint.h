#pragma once

#include "mock-server/bank/bank.h"
#include "mock-server/control/event_log.h"
#include "mock-server/faults/fault_plan.h"
#include "mock-server/faults/held_messages.h"
#include "mock-server/http/access.h"
#include "mock-server/http/answer_sender.h"
#include "mock-server/http/arrival.h"
#include "mock-server/http/fault_player.h"
#include "mock-server/http/mailbox.h"

#include <QtCore/QHash>
#include <QtCore/QObject>

#include <functional>
#include <memory>

namespace mockbank {

/// What the calls of the data plane work with. Everything outlives the endpoint.
struct PaymentContext {
    Bank &bank;
    std::shared_ptr<Mailbox> mailbox;
    const Access &access;
    FaultPlan &faults;
    HeldMessages &held;
    EventLog &events;
    std::function<qint64()> nowMs;         ///< on the bank's clock
    std::function<void(int downMs)> crash; ///< takes effect after the running event
    /// Counts a request that the network delivers once more, and gives its exchange request and arrival number.
    std::function<std::shared_ptr<Exchange>(const Exchange &original, RouteMatch route)> countCopy;
};

/// The data plane: charges, voids, inquiries and lists. Checks what belongs to HTTP and lets the bank do the rest; what
/// faults do on the way is FaultPlayer's. One for each run of the bank: what it still has to do dies with it.
class PaymentEndpoint : public QObject {
    Q_OBJECT

public:
    explicit PaymentEndpoint(PaymentContext context);
    ~PaymentEndpoint() override;

    /// `segment`: the key in the path of an inquiry, percent-encoded.
    void take(const std::shared_ptr<Exchange> &exchange, RouteMatch route, const QByteArray &segment = {});

    /// What is delayed or held is dropped, its connections are closed: nothing of it will reach the bank any more.
    void cancelWaiting();

private:
    void takeCopy(const Arrival &original);
    [[nodiscard]] bool readHeaderFault(const ArrivalPtr &arrival, std::optional<Fault> *fault);
    void check(const ArrivalPtr &arrival);
    void toBank(const ArrivalPtr &arrival);
    void toBank(const ArrivalPtr &arrival, ListArrival list);
    [[nodiscard]] std::function<void(Answer)> answerOf(const ArrivalPtr &arrival);
    void bankAnswered(quint64 arrivalId, Answer answer);

    PaymentContext m_context;
    AnswerSender m_sender;
    FaultPlayer m_player;
    QHash<quint64, ArrivalPtr> m_running; ///< by arrival, while the bank works on it
};

} // namespace mockbank
