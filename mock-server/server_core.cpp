#include "mock-server/server_core.h"

#include "mock-server/control/control_json.h"
#include "mock-server/http/reset_self_test.h"

#include <QtCore/QDateTime>
#include <QtCore/QJsonDocument>

#include <chrono>

namespace mockbank {

namespace {

constexpr int comeBackRetryMs = 100;

enum class ServerRoute { Charge, Inquiry, Control, Health, Other };

constexpr QByteArrayView chargesPath("/v1/charges");
constexpr QByteArrayView oneChargePath("/v1/charges/");

ServerRoute routeOf(const Request &request)
{
    if (request.path == chargesPath)
        return request.method == "POST" ? ServerRoute::Charge : ServerRoute::Other;
    if (request.path.startsWith(oneChargePath))
        return request.method == "GET" ? ServerRoute::Inquiry : ServerRoute::Other;
    if (request.path.startsWith("/control/"))
        return ServerRoute::Control;
    return request.path == "/healthz" ? ServerRoute::Health : ServerRoute::Other;
}

QList<ApiKey> toApiKeys(const QList<std::pair<QByteArray, QByteArray>> &pairs)
{
    QList<ApiKey> keys;
    for (const auto &[merchant, key] : pairs)
        keys.append({merchant, key});
    return keys;
}

Response methodNotAllowed(const QByteArray &allow)
{
    Response response = toResponse({405,
                                    QByteArrayLiteral("method-not-allowed"),
                                    QStringLiteral("Method not allowed"),
                                    QStringLiteral("this path takes ") + QString::fromLatin1(allow),
                                    false,
                                    {},
                                    {}});
    response.headers.emplaceBack("Allow", allow);
    return response;
}

QHostAddress addressOf(const QString &bind)
{
    return bind == QLatin1StringView("localhost") ? QHostAddress(QHostAddress::LocalHost) : QHostAddress(bind);
}

QString urlOf(const QHostAddress &address, quint16 port)
{
    const bool v6 = address.protocol() == QAbstractSocket::IPv6Protocol;
    return QStringLiteral("http://%1:%2")
        .arg(v6 ? QLatin1Char('[') + address.toString() + QLatin1Char(']') : address.toString())
        .arg(port);
}

} // namespace

ServerCore::ServerCore(const MockServerOptions &options)
    : m_options(options)
    , m_address(addressOf(options.bind))
    , m_access(options.controlToken, toApiKeys(options.apiKeys), options.allowedHosts)
    , m_journal(options.journal)
    , m_publishing(options.webhook, [this](const char *kind, const QJsonObject &data) { m_events.append(kind, data); })
    , m_listener(options.maxConnections, ConnectionLimits(), this, nullptr)
{
    m_comeBack.setSingleShot(true);
    connect(&m_comeBack, &QTimer::timeout, this, &ServerCore::comeBack);
    connect(&m_events, &EventLog::appended, this, [this](const LoggedEvent &event) {
        m_journal.observe(event);
        if (m_streams.count() > 0)
            m_streams.send({event.id(), event.kind, event.json()});
    });
}

ServerCore::~ServerCore()
{
    stop();
}

std::variant<RunningServer, StartError> ServerCore::start()
{
    if (m_address.isNull())
        return StartError{QStringLiteral("%1 is not an address to bind to").arg(m_options.bind)};
    if (!m_address.isLoopback() && !m_access.needsApiKey())
        return StartError{QStringLiteral("binding to %1, beyond loopback, needs API keys").arg(m_options.bind)};
    m_resetsAreReal = resetsAreReal();
    QString error;
    if (!openRun(&error))
        return StartError{error};
    if (!m_listener.open(m_address, m_options.port, &error)) {
        closeRun();
        return StartError{error};
    }
    m_port = m_listener.serverPort();
    m_access.setPort(m_port);
    m_events.append("started", {{QStringLiteral("port"), m_port}});
    return RunningServer{urlOf(m_address, m_port), m_port, m_options.controlToken, m_run.bank->ledgerId(),
                         m_run.bank->runId()};
}

bool ServerCore::openRun(QString *error)
{
    Run run;
    run.bank = Bank::open(m_options.bank, error);
    if (!run.bank)
        return false;
    // Keeps a store in memory for the next run.
    m_options.bank = run.bank->options();
    run.mailbox = std::make_shared<Mailbox>(this);
    m_events.setRun(run.bank->runId().toLatin1());
    run.bank->setObserver([this, mailbox = run.mailbox](const BankEvent &event) {
        mailbox->post([this, event] {
            m_journal.bankDid(event);
            m_publishing.bankDid(event.kind);
            QJsonObject data = event.data;
            if (!data.contains(QLatin1StringView("arrival_id")))
                data.insert(QStringLiteral("arrival_id"), static_cast<qint64>(event.arrivalId));
            m_events.append(event.kind, std::move(data));
        });
    });
    const auto crashSoon = [this](int downMs) {
        QMetaObject::invokeMethod(
            this, [this, downMs] { crash(downMs); }, Qt::QueuedConnection);
    };
    run.payments = std::make_unique<PaymentEndpoint>(
        PaymentContext{*run.bank, run.mailbox, m_access, m_faults, m_held, m_events, crashSoon});
    run.control = std::make_unique<ControlApi>(
        ControlContext{*run.bank, run.mailbox, m_access, m_faults, m_held, m_events, m_journal, m_streams, crashSoon,
                       [this] { return counters(); }, [this] { return m_publishing.report(); }, m_resetsAreReal});
    const auto ttl = std::chrono::duration_cast<std::chrono::seconds>(m_options.bank.keyTtl);
    run.commonHeaders = {{"Idempotency-Key-TTL", QByteArray::number(static_cast<qint64>(ttl.count()))},
                         {"Server-Run-Id", run.bank->runId().toLatin1()}};
    m_run = std::move(run);
    m_publishing.open(*m_run.bank, m_run.mailbox);
    return true;
}

void ServerCore::closeRun()
{
    if (m_run.mailbox)
        m_run.mailbox->close();
    m_held.clear();
    m_run.control.reset();
    m_run.payments.reset();
    m_publishing.close();
    m_run.bank.reset();
    m_run.mailbox.reset();
}

void ServerCore::stop()
{
    m_comeBack.stop();
    m_listener.close();
    if (m_run.bank) {
        m_publishing.finish();
        m_run.bank->close();
        m_run.mailbox->deliver();
        m_events.append("stopped", {});
        m_streams.flush();
    }
    m_listener.closeAll();
    closeRun();
    m_down = false;
}

void ServerCore::crash(int downMs)
{
    if (m_down || !m_run.bank)
        return;
    m_down = true;
    ++m_restarts;
    m_events.append("crashed", {{QStringLiteral("down_ms"), downMs}});
    m_streams.flush();
    m_listener.crash();
    closeRun();
    m_comeBack.start(downMs);
}

void ServerCore::comeBack()
{
    QString error;
    if ((!m_run.bank && !openRun(&error)) || !m_listener.open(m_address, m_port, &error)) {
        // Tried again until it works, told once.
        if (error != m_lastFailure)
            m_events.append("restart_failed", {{QStringLiteral("detail"), error}});
        m_lastFailure = error;
        m_comeBack.start(comeBackRetryMs);
        return;
    }
    m_lastFailure.clear();
    m_down = false;
    m_events.append("started", {{QStringLiteral("port"), m_port}});
}

void ServerCore::headRead(Exchange &exchange)
{
    switch (routeOf(exchange.request)) {
    case ServerRoute::Charge:
        ++m_arrivals;
        exchange.arrivalId = ++m_lastArrivalId;
        m_journal.headRead(exchange, QByteArrayLiteral("charge"));
        break;
    case ServerRoute::Inquiry:
        ++m_inquiries;
        exchange.arrivalId = ++m_lastArrivalId;
        m_journal.headRead(exchange, QByteArrayLiteral("inquiry"));
        break;
    case ServerRoute::Control:
        ++m_controlRequests;
        break;
    case ServerRoute::Health:
        ++m_healthRequests;
        break;
    case ServerRoute::Other:
        ++m_otherRequests;
        break;
    }
}

void ServerCore::requestRead(const std::shared_ptr<Exchange> &exchange)
{
    const Request &request = exchange->request;
    if (exchange->arrivalId > 0)
        m_journal.requestRead(*exchange);
    if (const auto foreign = m_access.refuseForeign(request, exchange->localAddress)) {
        exchange->answer(toResponse(*foreign));
        return;
    }
    if (routeOf(request) != ServerRoute::Charge && !request.values("Fault").isEmpty()) {
        exchange->answer(unprocessable(QStringLiteral("Fault"), QStringLiteral("is taken with POST /v1/charges only")));
        return;
    }
    switch (routeOf(request)) {
    case ServerRoute::Charge:
        m_run.payments->charge(exchange);
        return;
    case ServerRoute::Inquiry:
        m_run.payments->inquire(exchange, request.path.mid(oneChargePath.size()));
        return;
    case ServerRoute::Control:
        m_run.control->handle(exchange);
        return;
    case ServerRoute::Health:
        if (request.method == "GET" || request.method == "HEAD")
            m_run.control->health(exchange);
        else
            exchange->answer(methodNotAllowed("GET, HEAD"));
        return;
    case ServerRoute::Other:
        break;
    }
    if (request.path == chargesPath)
        exchange->answer(methodNotAllowed("POST"));
    else if (request.path.startsWith(oneChargePath))
        exchange->answer(methodNotAllowed("GET"));
    else
        exchange->answer(toResponse({404,
                                     QByteArrayLiteral("not-found"),
                                     QStringLiteral("Not found"),
                                     QStringLiteral("there is nothing under this path"),
                                     false,
                                     {},
                                     {}}));
}

void ServerCore::requestLost(Exchange &exchange, const QByteArray &why)
{
    if (exchange.arrivalId > 0)
        m_journal.requestLost(exchange, why);
    if (routeOf(exchange.request) == ServerRoute::Charge) {
        m_events.append("arrival_incomplete", {{QStringLiteral("arrival_id"), static_cast<qint64>(exchange.arrivalId)},
                                               {QStringLiteral("detail"), QString::fromUtf8(why)}});
    }
}

Headers ServerCore::commonHeaders(quint64 requestId)
{
    const qint64 seconds = m_run.bank ? m_run.bank->nowMs() / 1000 : QDateTime::currentSecsSinceEpoch();
    if (seconds != m_dateSeconds) {
        m_dateSeconds = seconds;
        m_date = httpDate(seconds);
    }
    Headers headers = m_run.commonHeaders;
    // Asked anew each time: a reset gives the ledger another id while the run goes on.
    if (m_run.bank)
        headers.emplaceBack("Ledger-Id", m_run.bank->ledgerId().toLatin1());
    headers.emplaceBack("Date", m_date);
    headers.emplaceBack("Request-Id", "req_" + QByteArray::number(requestId));
    return headers;
}

bool ServerCore::isServedBeyondLimit(const Request &request)
{
    return routeOf(request) == ServerRoute::Control || routeOf(request) == ServerRoute::Health;
}

QJsonObject ServerCore::counters() const
{
    return {{QStringLiteral("arrivals"), static_cast<qint64>(m_arrivals)},
            {QStringLiteral("inquiries"), static_cast<qint64>(m_inquiries)},
            {QStringLiteral("control_requests"), static_cast<qint64>(m_controlRequests)},
            {QStringLiteral("health_requests"), static_cast<qint64>(m_healthRequests)},
            {QStringLiteral("other_requests"), static_cast<qint64>(m_otherRequests)},
            {QStringLiteral("connections"), static_cast<qint64>(m_listener.accepted())},
            {QStringLiteral("connections_open"), static_cast<qint64>(m_listener.openCount())},
            {QStringLiteral("connections_beyond_limit"), static_cast<qint64>(m_listener.refused())},
            {QStringLiteral("restarts"), static_cast<qint64>(m_restarts)}};
}

} // namespace mockbank
