#pragma once

#include "mock-server/bank/bank.h"
#include "mock-server/control/event_log.h"
#include "mock-server/faults/fault_plan.h"
#include "mock-server/faults/held_messages.h"
#include "mock-server/http/access.h"
#include "mock-server/http/connection.h"
#include "mock-server/http/mailbox.h"

#include <QtCore/QHash>
#include <QtCore/QObject>

#include <functional>
#include <memory>

namespace mockbank {

/// What the two calls of the data plane work with. Everything outlives the endpoint.
struct PaymentContext {
    Bank &bank;
    std::shared_ptr<Mailbox> mailbox;
    const Access &access;
    FaultPlan &faults;
    HeldMessages &held;
    EventLog &events;
    std::function<void(int downMs)> crash; ///< takes effect after the running event
};

/// `POST /v1/charges` and `GET /v1/charges/{key}`: checks what belongs to HTTP, lets the bank do the rest, and plays
/// the faults on the way (`fault_table.h`). One for each run of the bank: what it still has to do dies with it.
class PaymentEndpoint : public QObject {
    Q_OBJECT

public:
    explicit PaymentEndpoint(PaymentContext context);
    ~PaymentEndpoint() override;

    void charge(const std::shared_ptr<Exchange> &exchange);
    void inquire(const std::shared_ptr<Exchange> &exchange, const QByteArray &encodedKey);

private:
    struct Charge;
    using ChargePtr = std::shared_ptr<Charge>;

    [[nodiscard]] bool readHeaderFault(const ChargePtr &charge, std::optional<Fault> *fault);
    void strikeUnread(const ChargePtr &charge);
    void check(const ChargePtr &charge);
    void toBank(const ChargePtr &charge);
    void bankAnswered(quint64 arrivalId, Answer answer);
    void strike(const ChargePtr &charge, Response response);
    void strikeMidAnswer(const ChargePtr &charge, const Response &response);
    void send(const ChargePtr &charge, const Response &response);
    void sendMadeUp(const ChargePtr &charge);
    void hold(const ChargePtr &charge, std::function<void()> release);
    void cut(const ChargePtr &charge, Cut how);
    void crash(const ChargePtr &charge);
    void later(const ChargePtr &charge, std::function<void()> work);
    void fired(const ChargePtr &charge);
    void delivered(const ChargePtr &charge, const QJsonObject &facts);
    void logFault(const ChargePtr &charge, const char *light);

    PaymentContext m_context;
    QHash<quint64, ChargePtr> m_running;                   ///< by arrival, while the bank works on it
    QHash<quint64, std::shared_ptr<Exchange>> m_inquiries; ///< by arrival
};

} // namespace mockbank
