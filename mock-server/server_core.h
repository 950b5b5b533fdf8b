#pragma once

#include "mock-server/control/control_api.h"
#include "mock-server/http/door.h"
#include "mock-server/http/listener.h"
#include "mock-server/http/payment_endpoint.h"
#include "mock-server/mock_server.h"
#include "mock-server/outbox/publishing.h"

#include <QtCore/QTimer>

#include <memory>
#include <optional>

namespace mockbank {

/// Everything of a mock bank that lives on its network thread, and the order in which it comes, goes and comes back.
/// Rules, counters and events outlive a simulated crash: they are the trainer's, not the bank's.
class ServerCore : public QObject, private RequestHandler {
    Q_OBJECT

public:
    explicit ServerCore(const MockServerOptions &options);
    ~ServerCore() override;

    [[nodiscard]] std::variant<RunningServer, StartError> start();
    void stop();
    void crash(int downMs);

private:
    /// What a crash destroys.
    struct Run {
        std::unique_ptr<Bank> bank;
        std::shared_ptr<Mailbox> mailbox;
        std::unique_ptr<PaymentEndpoint> payments;
        std::unique_ptr<ControlApi> control;
        Headers commonHeaders;
    };

    [[nodiscard]] bool openRun(QString *error);
    /// Why what the options ask for cannot strike, or nothing.
    [[nodiscard]] std::optional<QString> armFromOptions();
    void closeRun();
    void comeBack();

    void countArrival(RouteMatch route, Exchange &exchange);
    void headRead(Exchange &exchange) override;
    void requestRead(const std::shared_ptr<Exchange> &exchange) override;
    void requestLost(Exchange &exchange, const QByteArray &why) override;
    Headers commonHeaders(quint64 requestId) override;
    quint64 nextRequestId() override { return ++m_lastRequestId; }
    bool isServedBeyondLimit(const Request &request) override;
    void handshakeFailed(const QString &why) override;
    [[nodiscard]] QJsonObject counters() const;

    MockServerOptions m_options;
    QHostAddress m_address;
    Access m_access;
    FaultPlan m_faults;
    HeldMessages m_held;
    EventLog m_events;
    RequestJournal m_journal;
    EventStreams m_streams;
    Publishing m_publishing;
    Listener m_listener;
    Door m_door;
    Run m_run;
    QTimer m_comeBack;
    bool m_down = false;
    QString m_lastFailure; ///< to come back
    CutSelfTest m_cuts;
    quint16 m_port = 0;

    quint64 m_lastRequestId = 0;
    quint64 m_lastArrivalId = 0; ///< of the data plane, whatever the route
    quint64 m_arrivals = 0;      ///< charge POSTs whose head was read completely
    quint64 m_inquiries = 0;
    quint64 m_voids = 0;
    quint64 m_lists = 0;
    quint64 m_controlRequests = 0;
    quint64 m_healthRequests = 0;
    quint64 m_otherRequests = 0;
    quint64 m_restarts = 0;
    quint64 m_handshakesFailed = 0;
    qint64 m_dateSeconds = 0;
    QByteArray m_date;
};

} // namespace mockbank
