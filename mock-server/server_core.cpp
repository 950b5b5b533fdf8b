#include "mock-server/server_core.h"

#include "mock-server/control/control_json.h"
#include "mock-server/http/descriptor_limit.h"
#include "mock-server/http/reset_self_test.h"
#include "mock-server/http/tls.h"

#include <QtCore/QDateTime>
#include <QtCore/QJsonDocument>
#include <QtCore/QRandomGenerator>

#include <chrono>

namespace mockbank {

namespace {

constexpr int comeBackRetryMs = 100;
// Beside its connections: store, pipes, event loop, connections beyond the limit or kept unread by a fault.
constexpr quint64 ownDescriptors = 200;

enum class ServerRoute { Data, Control, Health, Open, Other };

constexpr QByteArrayView chargesPath("/v1/charges");
constexpr QByteArrayView oneChargePath("/v1/charges/");
constexpr QByteArrayView voidsPath("/v1/voids");

std::optional<RouteMatch> dataRouteOf(const Request &request)
{
    const bool get = request.method == "GET";
    const bool post = request.method == "POST";
    if (request.path == chargesPath && post)
        return RouteMatch::Charge;
    if (request.path == chargesPath && get)
        return RouteMatch::List;
    if (request.path == voidsPath && post)
        return RouteMatch::Void;
    if (request.path.startsWith(oneChargePath) && get)
        return RouteMatch::Inquiry;
    return std::nullopt;
}

ServerRoute routeOf(const Request &request)
{
    if (dataRouteOf(request))
        return ServerRoute::Data;
    if (request.path.startsWith("/control/"))
        return ServerRoute::Control;
    if (request.path == "/metrics" || request.path == "/openapi.json")
        return ServerRoute::Open;
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

QString urlOf(const QString &scheme, const QHostAddress &address, quint16 port)
{
    const bool v6 = address.protocol() == QAbstractSocket::IPv6Protocol;
    return QStringLiteral("%1://%2:%3")
        .arg(scheme, v6 ? QLatin1Char('[') + address.toString() + QLatin1Char(']') : address.toString())
        .arg(port);
}

} // namespace

ServerCore::ServerCore(const MockServerOptions &options)
    : m_options(options)
    , m_address(addressOf(options.bind))
    , m_access(options.controlToken, toApiKeys(options.apiKeys), options.allowedHosts)
    , m_journal(options.journal)
    , m_streams(m_events)
    , m_publishing(options.webhook, [this](const char *kind, const QJsonObject &data) { m_events.append(kind, data); })
    , m_listener(options.maxConnections, ConnectionLimits(), this, nullptr)
    , m_door(m_faults, m_held, m_events, m_listener)
{
    // Only their hashes stay.
    m_options.apiKeys.clear();
    m_comeBack.setSingleShot(true);
    connect(&m_comeBack, &QTimer::timeout, this, &ServerCore::comeBack);
    connect(&m_events, &EventLog::appended, this, [this](const LoggedEvent &event) {
        m_journal.observe(event);
        // Before the call that has armed or disarmed it is answered: the port is closed when its caller reads on.
        if (event.kind == "fault" && !event.data.contains(QLatin1StringView("arrival_id")))
            m_door.look();
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
    const bool speaksTls = !m_options.certificatePem.isEmpty() || !m_options.keyPem.isEmpty();
    if (speaksTls) {
        const auto tls = serverTls(m_options.certificatePem, m_options.keyPem);
        if (const auto *flaw = std::get_if<TlsFlaw>(&tls))
            return StartError{describe(*flaw, QStringLiteral("the certificate"), QStringLiteral("its private key"))};
        m_listener.setTls(std::get<QSslConfiguration>(tls));
        // From here on it lives where it is needed.
        m_options.keyPem.clear();
    }
    m_cuts = {resetsAreReal(), orderlyClosesAreReal()};
    QString error;
    if (!allowDescriptors(static_cast<quint64>(m_options.maxConnections) + ownDescriptors, &error))
        return StartError{QStringLiteral("--max-connections %1 ").arg(m_options.maxConnections) + error};
    if (!openRun(&error))
        return StartError{error};
    if (const auto wrong = armFromOptions()) {
        closeRun();
        return StartError{*wrong};
    }
    if (!m_listener.open(m_address, m_options.port, &error)) {
        closeRun();
        return StartError{error};
    }
    m_port = m_listener.serverPort();
    m_access.setPort(m_port);
    m_door.look(); // a rule of the options may close the port at once
    m_events.append("started", {{QStringLiteral("port"), m_port}});
    return RunningServer{urlOf(speaksTls ? QStringLiteral("https") : QStringLiteral("http"), m_address, m_port), m_port,
                         m_options.controlToken, m_run.bank->ledgerId(), m_run.bank->runId()};
}

std::optional<QString> ServerCore::armFromOptions()
{
    m_faults.reset();
    for (const Fault &fault : m_options.faults) {
        const auto armed = m_faults.arm(fault, QDateTime::currentMSecsSinceEpoch());
        if (const auto *wrong = std::get_if<FaultError>(&armed))
            return QStringLiteral("the fault %1: %2 %3")
                .arg(QString::fromLatin1(printFault(fault)), wrong->member, wrong->detail);
    }
    m_faults.setMagicAmounts(m_options.magicAmounts);
    if (!m_options.profile.isEmpty()) {
        const NetworkProfile *profile = findProfile(m_options.profile);
        if (!profile)
            return QStringLiteral("there is no network profile %1; there are %2")
                .arg(m_options.profile, profileNames());
        m_faults.setProfile(profile, QRandomGenerator::global()->generate64() & maxFaultSeed);
    }
    return std::nullopt;
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
    m_faults.setStrategy(run.bank->options().strategy, QDateTime::currentMSecsSinceEpoch());
    run.bank->setObserver([this, mailbox = run.mailbox](const BankEvent &event) {
        mailbox->post([this, event] {
            m_journal.bankDid(event);
            m_publishing.bankDid(event.kind);
            QJsonObject data = event.data;
            if (event.arrivalId != 0 && !data.contains(QLatin1StringView("arrival_id")))
                data.insert(QStringLiteral("arrival_id"), static_cast<qint64>(event.arrivalId));
            m_events.append(event.kind, std::move(data));
        });
    });
    const auto crashSoon = [this](int downMs) {
        QMetaObject::invokeMethod(
            this, [this, downMs] { crash(downMs); }, Qt::QueuedConnection);
    };
    run.payments = std::make_unique<PaymentEndpoint>(
        PaymentContext{*run.bank, run.mailbox, m_access, m_faults, m_held, m_events,
                       [bank = run.bank.get()] { return bank->nowMs(); }, crashSoon,
                       [this](const Exchange &original, RouteMatch route) {
                           auto copy = std::make_shared<Exchange>(nullptr, original.request, nextRequestId());
                           countArrival(route, *copy);
                           m_journal.copyRead(*copy, routeName(route), original.arrivalId);
                           return copy;
                       }});
    run.control = std::make_unique<ControlApi>(ControlContext{
        *run.bank, run.mailbox, m_access, m_faults, m_held, m_events, m_journal, m_streams, crashSoon,
        [this] { return counters(); }, [this] { return m_publishing.report(); }, [this] { m_door.look(); },
        [payments = run.payments.get()] { payments->cancelWaiting(); }, m_cuts});
    const auto ttl = std::chrono::duration_cast<std::chrono::seconds>(m_options.bank.keyTtl);
    run.commonHeaders = {{"Idempotency-Key-TTL", QByteArray::number(static_cast<qint64>(ttl.count()))},
                         {"Server-Run-Id", run.bank->runId().toLatin1()}};
    m_run = std::move(run);
    m_publishing.open(*m_run.bank, m_run.mailbox);
    return true;
}

void ServerCore::closeRun()
{
    // What was changed while it ran stays changed after a crash.
    if (m_run.bank)
        m_options.bank = m_run.bank->options();
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
    m_door.goDown();
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
    m_door.goDown();
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
    m_door.look();
    m_events.append("started", {{QStringLiteral("port"), m_port}});
}

void ServerCore::headRead(Exchange &exchange)
{
    switch (routeOf(exchange.request)) {
    case ServerRoute::Data: {
        const RouteMatch route = *dataRouteOf(exchange.request);
        countArrival(route, exchange);
        m_journal.headRead(exchange, routeName(route));
        break;
    }
    case ServerRoute::Control:
        exchange.ofControlPlane = true;
        ++m_controlRequests;
        break;
    case ServerRoute::Health:
        ++m_healthRequests;
        break;
    case ServerRoute::Open:
        break;
    case ServerRoute::Other:
        ++m_otherRequests;
        break;
    }
}

void ServerCore::countArrival(RouteMatch route, Exchange &exchange)
{
    exchange.arrivalId = ++m_lastArrivalId;
    switch (route) {
    case RouteMatch::Charge:
        ++m_arrivals;
        break;
    case RouteMatch::Inquiry:
        ++m_inquiries;
        break;
    case RouteMatch::Void:
        ++m_voids;
        break;
    case RouteMatch::List:
        ++m_lists;
        break;
    case RouteMatch::Any:
        Q_UNREACHABLE();
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
    if (routeOf(request) != ServerRoute::Data && !request.values("Fault").isEmpty()) {
        exchange->answer(unprocessable(QStringLiteral("Fault"), QStringLiteral("is taken with calls under /v1/ only")));
        return;
    }
    switch (routeOf(request)) {
    case ServerRoute::Data: {
        const RouteMatch route = *dataRouteOf(request);
        const bool named = route == RouteMatch::Inquiry;
        m_run.payments->take(exchange, route, named ? request.path.mid(oneChargePath.size()) : QByteArray());
        return;
    }
    case ServerRoute::Control:
        m_run.control->handle(exchange);
        return;
    case ServerRoute::Health:
    case ServerRoute::Open:
        if (request.method == "GET" || request.method == "HEAD")
            m_run.control->tellOpen(exchange);
        else
            exchange->answer(methodNotAllowed("GET, HEAD"));
        return;
    case ServerRoute::Other:
        break;
    }
    if (request.path == chargesPath)
        exchange->answer(methodNotAllowed("GET, POST"));
    else if (request.path == voidsPath)
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
    if (exchange.arrivalId > 0) {
        m_journal.requestLost(exchange, why);
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
    const ServerRoute route = routeOf(request);
    return route == ServerRoute::Control || route == ServerRoute::Health || route == ServerRoute::Open;
}

void ServerCore::handshakeFailed(const QString &why)
{
    ++m_handshakesFailed;
    m_events.append("tls_failed", {{QStringLiteral("detail"), why}});
}

QJsonObject ServerCore::counters() const
{
    return {{QStringLiteral("arrivals"), static_cast<qint64>(m_arrivals)},
            {QStringLiteral("inquiries"), static_cast<qint64>(m_inquiries)},
            {QStringLiteral("voids"), static_cast<qint64>(m_voids)},
            {QStringLiteral("lists"), static_cast<qint64>(m_lists)},
            {QStringLiteral("control_requests"), static_cast<qint64>(m_controlRequests)},
            {QStringLiteral("health_requests"), static_cast<qint64>(m_healthRequests)},
            {QStringLiteral("other_requests"), static_cast<qint64>(m_otherRequests)},
            {QStringLiteral("connections"), static_cast<qint64>(m_listener.accepted())},
            {QStringLiteral("connections_open"), static_cast<qint64>(m_listener.openCount())},
            {QStringLiteral("connections_resting"), static_cast<qint64>(m_listener.restingCount())},
            {QStringLiteral("connections_beyond_limit"), static_cast<qint64>(m_listener.refused())},
            {QStringLiteral("tls_handshakes_failed"), static_cast<qint64>(m_handshakesFailed)},
            {QStringLiteral("restarts"), static_cast<qint64>(m_restarts)}};
}

} // namespace mockbank
