#include "mock-server/http/payment_endpoint.h"

#include "mock-server/http/list_query.h"

#include <QtCore/QDateTime>
#include <QtCore/QPointer>

namespace mockbank {

namespace payment_http {

Response wrongApiKey()
{
    Response response = toResponse({401,
                                    QByteArrayLiteral("unauthorized"),
                                    QStringLiteral("Unauthorized"),
                                    QStringLiteral("this bank needs a valid API key"),
                                    false,
                                    "Authorization",
                                    {}});
    response.headers.emplaceBack("WWW-Authenticate", "Bearer");
    return response;
}

Response wrongMediaType(const QByteArray &key)
{
    return toResponse({415, QByteArrayLiteral("unsupported-media-type"), QStringLiteral("Unsupported media type"),
                       QStringLiteral("a charge is sent as application/json"), false, "Content-Type", key});
}

Response fromAnswer(Answer &&answer)
{
    return {answer.status, std::move(answer.contentType), std::move(answer.headers), std::move(answer.body)};
}

bool isJson(const QByteArray &contentType)
{
    return contentType.split(';').first().trimmed().toLower() == "application/json";
}

/// The event that tells of an arrival.
const char *eventOf(RouteMatch route)
{
    switch (route) {
    case RouteMatch::Charge:
        return "arrival";
    case RouteMatch::Inquiry:
        return "inquiry";
    case RouteMatch::Void:
        return "void";
    case RouteMatch::List:
        return "list";
    case RouteMatch::Any:
        break;
    }
    Q_UNREACHABLE();
}

} // namespace payment_http

using namespace payment_http;

PaymentEndpoint::PaymentEndpoint(PaymentContext context)
    : m_context(std::move(context))
    , m_sender(m_context.faults, m_context.events)
    , m_player({m_context.faults, m_context.held, m_context.events, m_sender, m_context.nowMs, m_context.crash,
                [this](const Arrival &original) { takeCopy(original); }})
{
}

PaymentEndpoint::~PaymentEndpoint() = default;

void PaymentEndpoint::take(const std::shared_ptr<Exchange> &exchange, RouteMatch route, const QByteArray &segment)
{
    const ArrivalPtr arrival = readArrival(exchange, route, segment);
    m_context.events.append(eventOf(route), arrival->facts);
    exchange->setClientGone([this, guard = QPointer(this), arrival] {
        if (guard)
            m_player.clientGone(arrival);
    });

    const auto merchant = m_context.access.merchantOf(exchange->request);
    if (!merchant) {
        m_sender.send(arrival, wrongApiKey());
        return;
    }
    arrival->attempt.merchant = *merchant;
    arrival->facts.insert(QStringLiteral("merchant"), QString::fromUtf8(*merchant));

    std::optional<Fault> headerFault;
    if (!readHeaderFault(arrival, &headerFault))
        return;
    const qint64 nowMs = QDateTime::currentMSecsSinceEpoch();
    m_player.logLights(arrival, m_context.faults.arrived(arrival->attempt, nowMs));
    arrival->fault = m_context.faults.decide(arrival->attempt, headerFault, nowMs);
    if (arrival->fault)
        m_player.logFault(arrival, "matched");
    m_player.request(arrival, [this, arrival] { check(arrival); });
}

void PaymentEndpoint::takeCopy(const Arrival &original)
{
    const ArrivalPtr copy = copyOf(original, m_context.countCopy(*original.exchange, original.route));
    m_context.events.append(eventOf(copy->route), copy->facts);
    check(copy);
}

bool PaymentEndpoint::readHeaderFault(const ArrivalPtr &arrival, std::optional<Fault> *fault)
{
    const Request &request = arrival->exchange->request;
    const QByteArrayList specs = request.values("Fault");
    if (specs.isEmpty())
        return true;
    if (!m_context.access.isControlToken(request.value("Control-Token"))) {
        m_sender.send(arrival,
                      toResponse({401, QByteArrayLiteral("control-token-required"), QStringLiteral("Unauthorized"),
                                  QStringLiteral("a Fault header needs the control token in Control-Token"), false,
                                  "Control-Token", arrival->attempt.key}));
        return false;
    }
    FaultResult parsed = specs.size() == 1
                             ? parseFault(specs.first())
                             : FaultResult(FaultError{QStringLiteral("spec"), QStringLiteral("is given twice")});
    if (const auto *read = std::get_if<Fault>(&parsed)) {
        if (const auto why = m_context.faults.whyNotInHeader(*read, arrival->route))
            parsed = *why;
    }
    if (const auto *error = std::get_if<FaultError>(&parsed)) {
        m_sender.send(arrival,
                      toResponse({422, QByteArrayLiteral("bad-fault"), QStringLiteral("The fault is not accepted"),
                                  error->member + QLatin1Char(' ') + error->detail, false, error->member.toUtf8(),
                                  arrival->attempt.key}));
        return false;
    }
    *fault = std::get<Fault>(parsed);
    return true;
}

void PaymentEndpoint::check(const ArrivalPtr &arrival)
{
    const Request &request = arrival->exchange->request;
    if (request.method == "POST" && !isJson(request.value("Content-Type"))) {
        m_player.answer(arrival, wrongMediaType(arrival->attempt.key));
        return;
    }
    if (arrival->flaw) {
        m_player.answer(arrival, toResponse(*arrival->flaw));
        return;
    }
    if (arrival->route != RouteMatch::List) {
        m_player.checked(arrival, [this, arrival] { toBank(arrival); });
        return;
    }
    auto list = readListQuery(request.query);
    if (const auto *flaw = std::get_if<Problem>(&list))
        m_player.answer(arrival, toResponse(*flaw));
    else
        m_player.checked(arrival, [this, arrival, list] { toBank(arrival, std::get<ListArrival>(list)); });
}

void PaymentEndpoint::toBank(const ArrivalPtr &arrival)
{
    const Request &request = arrival->exchange->request;
    const ClientAttempt &attempt = arrival->attempt;
    const QByteArray expectLedger = request.value("Expect-Ledger");
    if (arrival->route == RouteMatch::Inquiry) {
        m_context.bank.inquire({arrival->id(), attempt.merchant, attempt.key, expectLedger}, answerOf(arrival));
        return;
    }
    const LedgerFault fault = FaultPlayer::ledgerFault(*arrival);
    if (arrival->route == RouteMatch::Void) {
        m_context.bank.voidCharge({arrival->id(), attempt.merchant, attempt.key, attempt.number, request.body,
                                   expectLedger, fault, arrival->facts},
                                  answerOf(arrival));
        return;
    }
    ChargeArrival charge;
    charge.arrivalId = arrival->id();
    charge.merchant = attempt.merchant;
    charge.key = attempt.key;
    charge.attempt = attempt.number;
    charge.body = request.body;
    charge.expectLedger = expectLedger;
    charge.fault = fault;
    charge.faultMs = fault == LedgerFault::None ? 0 : arrival->manifestation().durationMs;
    if (arrival->placement() && arrival->manifestation().kind == ManifestationKind::Decline)
        charge.declineAs = arrival->manifestation().declineCode;
    charge.facts = arrival->facts;
    m_context.bank.charge(std::move(charge), answerOf(arrival));
}

void PaymentEndpoint::toBank(const ArrivalPtr &arrival, ListArrival list)
{
    list.arrivalId = arrival->id();
    list.merchant = arrival->attempt.merchant;
    list.expectLedger = arrival->exchange->request.value("Expect-Ledger");
    m_context.bank.list(std::move(list), answerOf(arrival));
}

std::function<void(Answer)> PaymentEndpoint::answerOf(const ArrivalPtr &arrival)
{
    m_running.insert(arrival->id(), arrival);
    // Runs on the ledger thread and may outlive this object: it carries nothing but the number.
    return [this, mailbox = m_context.mailbox, id = arrival->id()](Answer answer) {
        mailbox->post([this, id, answer = std::move(answer)] { bankAnswered(id, answer); });
    };
}

void PaymentEndpoint::bankAnswered(quint64 arrivalId, Answer answer)
{
    const ArrivalPtr arrival = m_running.take(arrivalId);
    if (!arrival)
        return;
    arrival->moneyMoved = answer.moneyMoved;
    arrival->replayed = answer.replayed;
    const bool crashed = answer.crashed;
    m_player.answer(arrival, fromAnswer(std::move(answer)), crashed);
}

void PaymentEndpoint::cancelWaiting()
{
    m_player.cancelDelayed();
    m_context.held.cutAll();
}

} // namespace mockbank
