#include "mock-server/http/payment_endpoint.h"

#include "mock-server/faults/fault_table.h"
#include "mock-server/http/idempotency_key.h"

#include <QtCore/QDateTime>
#include <QtCore/QJsonDocument>
#include <QtCore/QTimer>

#include <algorithm>

namespace mockbank {

/// One arrival of a charge, from its head to the end of its answer.
struct PaymentEndpoint::Charge {
    std::shared_ptr<Exchange> exchange;
    ClientAttempt attempt;
    std::optional<Problem> flaw; ///< of a header, answered once the request may be looked at
    std::optional<FaultDecision> fault;
    QJsonObject facts; ///< what every event about this arrival says
    bool moneyMoved = false;
    bool replayed = false;
    bool struck = false;      ///< its fault was played
    bool faultIsOver = false; ///< released or waited for: goes on as if there were none
};

namespace payment_http {

Problem badHeader(const QByteArray &field, const QString &detail)
{
    return {400, QByteArrayLiteral("invalid-request"), QStringLiteral("A header is wrong"), detail, false, field, {}};
}

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

Response fromAnswer(Answer &&answer)
{
    return {answer.status, std::move(answer.contentType), std::move(answer.headers), std::move(answer.body)};
}

bool isJson(const QByteArray &contentType)
{
    return contentType.split(';').first().trimmed().toLower() == "application/json";
}

/// Attempt-Number: 0 where there is none, -1 where it is no number from 1 on.
int readAttempt(const QByteArrayList &lines)
{
    if (lines.isEmpty())
        return 0;
    const QByteArray text = lines.first().trimmed();
    const bool digits =
        !text.isEmpty() && text.size() <= 7 && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
    return lines.size() == 1 && digits && text.toInt() > 0 ? text.toInt() : -1;
}

/// What a watcher wants to know of a charge before the bank has judged it; nothing is decided by this.
void addBodyFacts(const QByteArray &body, QJsonObject *facts)
{
    const QJsonObject json = QJsonDocument::fromJson(body).object();
    for (const auto name : {QLatin1StringView("order_id"), QLatin1StringView("amount"), QLatin1StringView("currency"),
                            QLatin1StringView("source"), QLatin1StringView("terminal_id")}) {
        const QJsonValue value = json.value(name);
        if (value.isString() || value.isDouble())
            facts->insert(name, value);
    }
}

QByteArray htmlPage(int status)
{
    const QByteArray title = QByteArray::number(status) + ' ' + reasonPhrase(status);
    return "<!DOCTYPE html>\n<html><head><title>" + title + "</title></head>\n<body><h1>" + title +
           "</h1></body></html>\n";
}

Response madeUpAnswer(const Manifestation &manifestation, const QByteArray &key)
{
    const int code = manifestation.code;
    Response response;
    if (manifestation.body == MadeUpBody::Html) {
        response = {code, QByteArrayLiteral("text/html; charset=utf-8"), {}, htmlPage(code)};
    } else {
        const bool retryable = code >= 500 || code == 408 || code == 409 || code == 425 || code == 429;
        response = toResponse({code,
                               problemTypeOf(code),
                               QString::fromLatin1(reasonPhrase(code)),
                               QStringLiteral("made up by an armed fault"),
                               retryable,
                               {},
                               key});
    }
    if (!manifestation.retryAfter.isEmpty())
        response.headers.emplaceBack("Retry-After", manifestation.retryAfter);
    return response;
}

QJsonObject with(QJsonObject facts, const QJsonObject &more)
{
    for (auto it = more.begin(); it != more.end(); ++it)
        facts.insert(it.key(), it.value());
    return facts;
}

} // namespace payment_http

using namespace payment_http;

PaymentEndpoint::PaymentEndpoint(PaymentContext context)
    : m_context(std::move(context))
{
}

PaymentEndpoint::~PaymentEndpoint() = default;

void PaymentEndpoint::charge(const std::shared_ptr<Exchange> &exchange)
{
    const Request &request = exchange->request;
    auto charge = std::make_shared<Charge>();
    charge->exchange = exchange;
    charge->facts.insert(QStringLiteral("arrival_id"), static_cast<qint64>(exchange->arrivalId));
    charge->facts.insert(QStringLiteral("route"), QStringLiteral("charge"));

    QString why;
    const auto key = readIdempotencyKey(request.values("Idempotency-Key"), &why);
    if (key) {
        charge->attempt.key = *key;
        charge->facts.insert(QStringLiteral("idempotency_key"), QString::fromLatin1(*key));
    } else {
        charge->flaw = Problem{400,
                               QByteArrayLiteral("idempotency-key-required"),
                               QStringLiteral("The idempotency key is missing or malformed"),
                               why,
                               false,
                               "Idempotency-Key",
                               {}};
    }
    const int attempt = readAttempt(request.values("Attempt-Number"));
    charge->attempt.number = std::max(attempt, 0);
    if (attempt > 0)
        charge->facts.insert(QStringLiteral("attempt"), attempt);
    if (attempt < 0 && !charge->flaw)
        charge->flaw = badHeader("Attempt-Number", QStringLiteral("Attempt-Number counts from 1"));
    if (request.values("Expect-Ledger").size() > 1 && !charge->flaw)
        charge->flaw = badHeader("Expect-Ledger", QStringLiteral("there is more than one Expect-Ledger header"));
    addBodyFacts(request.body, &charge->facts);
    readBody(request.body, &charge->attempt);
    m_context.events.append("arrival", charge->facts);
    exchange->setClientGone([this, guard = QPointer(this), charge] {
        if (guard)
            m_context.events.append("client_gone", charge->facts);
    });

    const auto merchant = m_context.access.merchantOf(request);
    if (!merchant) {
        send(charge, wrongApiKey());
        return;
    }
    charge->attempt.merchant = *merchant;
    charge->facts.insert(QStringLiteral("merchant"), QString::fromUtf8(*merchant));

    std::optional<Fault> headerFault;
    if (!readHeaderFault(charge, &headerFault))
        return;
    charge->fault = m_context.faults.decide(charge->attempt, headerFault, QDateTime::currentMSecsSinceEpoch());
    if (charge->fault) {
        logFault(charge, "matched");
        if (charge->fault->fault.placement == Placement::Unread) {
            strikeUnread(charge);
            return;
        }
    }
    check(charge);
}

bool PaymentEndpoint::readHeaderFault(const ChargePtr &charge, std::optional<Fault> *fault)
{
    const Request &request = charge->exchange->request;
    const QByteArrayList specs = request.values("Fault");
    if (specs.isEmpty())
        return true;
    if (!m_context.access.isControlToken(request.value("Control-Token"))) {
        send(charge, toResponse({401, QByteArrayLiteral("control-token-required"), QStringLiteral("Unauthorized"),
                                 QStringLiteral("a Fault header needs the control token in Control-Token"), false,
                                 "Control-Token", charge->attempt.key}));
        return false;
    }
    const FaultResult parsed = specs.size() == 1
                                   ? parseFault(specs.first())
                                   : FaultResult(FaultError{QStringLiteral("spec"), QStringLiteral("is given twice")});
    if (const auto *error = std::get_if<FaultError>(&parsed)) {
        send(charge, toResponse({422, QByteArrayLiteral("bad-fault"), QStringLiteral("The fault is not accepted"),
                                 error->member + QLatin1Char(' ') + error->detail, false, error->member.toUtf8(),
                                 charge->attempt.key}));
        return false;
    }
    *fault = std::get<Fault>(parsed);
    return true;
}

void PaymentEndpoint::strikeUnread(const ChargePtr &charge)
{
    switch (charge->fault->fault.manifestation.kind) {
    case ManifestationKind::Hold:
        hold(charge, [this, charge] { check(charge); });
        break;
    case ManifestationKind::Fin:
        cut(charge, Cut::Fin);
        break;
    case ManifestationKind::Rst:
        cut(charge, Cut::Rst);
        break;
    case ManifestationKind::Delay:
        later(charge, [this, charge] { check(charge); });
        break;
    case ManifestationKind::Status:
        sendMadeUp(charge);
        break;
    case ManifestationKind::Restart:
        crash(charge);
        break;
    default:
        Q_UNREACHABLE(); // not accepted yet
    }
}

void PaymentEndpoint::check(const ChargePtr &charge)
{
    const Request &request = charge->exchange->request;
    if (!isJson(request.value("Content-Type"))) {
        strike(charge,
               toResponse({415, QByteArrayLiteral("unsupported-media-type"), QStringLiteral("Unsupported media type"),
                           QStringLiteral("a charge is sent as application/json"), false, "Content-Type",
                           charge->attempt.key}));
        return;
    }
    if (charge->flaw) {
        strike(charge, toResponse(*charge->flaw));
        return;
    }
    const bool waits = charge->fault && !charge->faultIsOver &&
                       charge->fault->fault.placement == Placement::BeforeCommit &&
                       charge->fault->fault.manifestation.kind == ManifestationKind::Delay;
    if (waits)
        later(charge, [this, charge] { toBank(charge); });
    else
        toBank(charge);
}

void PaymentEndpoint::toBank(const ChargePtr &charge)
{
    const Request &request = charge->exchange->request;
    ChargeArrival arrival;
    arrival.arrivalId = charge->exchange->arrivalId;
    arrival.merchant = charge->attempt.merchant;
    arrival.key = charge->attempt.key;
    arrival.attempt = charge->attempt.number;
    arrival.body = request.body;
    arrival.facts = charge->facts;
    arrival.expectLedger = request.value("Expect-Ledger");
    if (charge->fault && !charge->faultIsOver) {
        const Fault &fault = charge->fault->fault;
        if (const FaultTruth *truth = faultTruth(fault.placement, fault.manifestation.kind))
            arrival.fault = truth->ledgerFault;
    }
    m_running.insert(arrival.arrivalId, charge);
    // The callback runs on the ledger thread and may outlive this object: it carries nothing but the number.
    m_context.bank.charge(std::move(arrival),
                          [this, mailbox = m_context.mailbox, id = charge->exchange->arrivalId](Answer answer) {
                              mailbox->post([this, id, answer = std::move(answer)] { bankAnswered(id, answer); });
                          });
}

void PaymentEndpoint::bankAnswered(quint64 arrivalId, Answer answer)
{
    const ChargePtr charge = m_running.take(arrivalId);
    if (!charge)
        return;
    charge->moneyMoved = answer.moneyMoved;
    charge->replayed = answer.replayed;
    if (answer.crashed)
        crash(charge);
    else
        strike(charge, fromAnswer(std::move(answer)));
}

void PaymentEndpoint::strike(const ChargePtr &charge, Response response)
{
    if (!charge->fault || charge->faultIsOver) {
        send(charge, response);
        return;
    }
    const Fault &fault = charge->fault->fault;
    if (fault.placement == Placement::MidAnswer) {
        strikeMidAnswer(charge, response);
        return;
    }
    switch (fault.manifestation.kind) {
    case ManifestationKind::Hold:
        hold(charge, [this, charge, response] { send(charge, response); });
        break;
    case ManifestationKind::Fin:
        cut(charge, Cut::Fin);
        break;
    case ManifestationKind::Rst:
        cut(charge, Cut::Rst);
        break;
    case ManifestationKind::Delay:
        later(charge, [this, charge, response] { send(charge, response); });
        break;
    case ManifestationKind::Status:
        sendMadeUp(charge);
        break;
    case ManifestationKind::Restart:
        crash(charge);
        break;
    default:
        Q_UNREACHABLE(); // not accepted yet
    }
}

void PaymentEndpoint::strikeMidAnswer(const ChargePtr &charge, const Response &response)
{
    const Exchange::Wire wire = charge->exchange->toWire(response);
    const QByteArray bytes = wire.head + wire.body;
    const qsizetype offset = cutOffset(charge->fault->fault.manifestation.at, wire.head, wire.body.size());
    QJsonObject facts = with(charge->facts, {{QStringLiteral("status"), response.status},
                                             {QStringLiteral("bytes"), offset},
                                             {QStringLiteral("bytes_whole"), bytes.size()},
                                             {QStringLiteral("money_moved"), charge->moneyMoved},
                                             {QStringLiteral("replayed"), charge->replayed}});
    m_context.events.append("answer_started", facts);
    if (offset > 0)
        charge->exchange->writePart(bytes.first(offset));
    const auto goOn = [this, charge, rest = bytes.sliced(offset), facts] {
        charge->exchange->writePart(rest);
        charge->exchange->finish([this, guard = QPointer(this), charge, facts] {
            if (guard)
                delivered(charge, facts);
        });
    };
    switch (charge->fault->fault.manifestation.kind) {
    case ManifestationKind::Hold:
        hold(charge, goOn);
        break;
    case ManifestationKind::Fin:
        cut(charge, Cut::Fin);
        break;
    case ManifestationKind::Rst:
        cut(charge, Cut::Rst);
        break;
    case ManifestationKind::Delay:
        later(charge, goOn);
        break;
    case ManifestationKind::Restart:
        crash(charge);
        break;
    default:
        Q_UNREACHABLE(); // not a legal pair
    }
}

void PaymentEndpoint::send(const ChargePtr &charge, const Response &response)
{
    const QJsonObject facts = with(charge->facts, {{QStringLiteral("status"), response.status},
                                                   {QStringLiteral("money_moved"), charge->moneyMoved},
                                                   {QStringLiteral("replayed"), charge->replayed},
                                                   {QStringLiteral("written"), charge->exchange->isOpen()}});
    // Written down before the first byte leaves.
    m_context.events.append("answer", facts);
    const bool final = response.status < 500 && response.status != 409;
    charge->exchange->answer(response, [this, guard = QPointer(this), charge, facts, final] {
        if (!guard)
            return;
        delivered(charge, facts);
        if (charge->struck || !final || charge->attempt.key.isEmpty())
            return;
        const auto rules = m_context.faults.delivered(charge->attempt);
        for (const QByteArray &rule : rules) {
            m_context.events.append("fault",
                                    with(charge->facts, {{QStringLiteral("light"), QStringLiteral("healed")},
                                                         {QStringLiteral("rule_id"), QString::fromLatin1(rule)}}));
        }
    });
}

void PaymentEndpoint::delivered(const ChargePtr &, const QJsonObject &facts)
{
    m_context.events.append("delivered", facts);
}

void PaymentEndpoint::sendMadeUp(const ChargePtr &charge)
{
    fired(charge);
    const Response response = madeUpAnswer(charge->fault->fault.manifestation, charge->attempt.key);
    charge->facts.insert(QStringLiteral("made_up"), true);
    send(charge, response);
}

void PaymentEndpoint::hold(const ChargePtr &charge, std::function<void()> release)
{
    fired(charge);
    if (!charge->exchange->isOpen())
        return;
    const QJsonObject facts =
        with(charge->facts,
             {{QStringLiteral("rule_id"), QString::fromLatin1(charge->fault->ruleId)},
              {QStringLiteral("spec"), QString::fromLatin1(printFault(charge->fault->fault))},
              {QStringLiteral("placement"), QString::fromLatin1(placementName(charge->fault->fault.placement))}});
    const QPointer guard(this);
    const quint64 id = m_context.held.hold({charge->exchange, facts,
                                            [this, guard, charge, release = std::move(release)] {
                                                if (!guard)
                                                    return;
                                                charge->faultIsOver = true;
                                                release();
                                            }},
                                           QDateTime::currentMSecsSinceEpoch());
    m_context.events.append("held", with(facts, {{QStringLiteral("held_id"), static_cast<qint64>(id)}}));
    charge->exchange->setClientGone([this, guard, charge, id] {
        if (!guard)
            return;
        m_context.held.forget(id);
        m_context.events.append("client_gone", charge->facts);
    });
}

void PaymentEndpoint::cut(const ChargePtr &charge, Cut how)
{
    fired(charge);
    m_context.events.append(
        "cut", with(charge->facts,
                    {{QStringLiteral("how"), how == Cut::Fin ? QStringLiteral("fin") : QStringLiteral("rst")}}));
    charge->exchange->cut(how);
}

void PaymentEndpoint::crash(const ChargePtr &charge)
{
    fired(charge);
    m_context.crash(charge->fault ? charge->fault->fault.manifestation.durationMs : 0);
}

void PaymentEndpoint::later(const ChargePtr &charge, std::function<void()> work)
{
    fired(charge);
    QTimer::singleShot(charge->fault->delayMs, Qt::PreciseTimer, this, [charge, work = std::move(work)] {
        charge->faultIsOver = true;
        work();
    });
}

void PaymentEndpoint::fired(const ChargePtr &charge)
{
    if (!charge->fault || charge->struck)
        return;
    charge->struck = true;
    m_context.faults.fired(charge->fault->ruleId, charge->attempt);
    logFault(charge, "fired");
}

void PaymentEndpoint::logFault(const ChargePtr &charge, const char *light)
{
    const FaultDecision &decision = *charge->fault;
    const Fault &fault = decision.fault;
    QJsonObject facts =
        with(charge->facts,
             {{QStringLiteral("light"), QString::fromLatin1(light)},
              {QStringLiteral("rule_id"), QString::fromLatin1(decision.ruleId)},
              {QStringLiteral("spec"), QString::fromLatin1(printFault(fault))},
              {QStringLiteral("placement"), QString::fromLatin1(placementName(fault.placement))},
              {QStringLiteral("manifestation"), QString::fromLatin1(manifestationName(fault.manifestation.kind))}});
    if (charge->struck) {
        const FaultTruth *truth = faultTruth(fault.placement, fault.manifestation.kind);
        facts.insert(QStringLiteral("reached"), true);
        facts.insert(QStringLiteral("charged"), charge->moneyMoved);
        facts.insert(QStringLiteral("knowable"), truth && truth->knowable);
    }
    m_context.events.append("fault", facts);
}

void PaymentEndpoint::inquire(const std::shared_ptr<Exchange> &exchange, const QByteArray &encodedKey)
{
    const Request &request = exchange->request;
    const auto merchant = m_context.access.merchantOf(request);
    if (!merchant) {
        exchange->answer(wrongApiKey());
        return;
    }
    QString why;
    const auto read = readIdempotencyKey({QByteArray::fromPercentEncoding(encodedKey)}, &why);
    if (!read) {
        exchange->answer(toResponse({400,
                                     QByteArrayLiteral("idempotency-key-required"),
                                     QStringLiteral("The idempotency key is malformed"),
                                     QStringLiteral("a key has 1 to 255 visible ASCII characters"),
                                     false,
                                     "key",
                                     {}}));
        return;
    }
    const QByteArray key = *read;
    const quint64 id = exchange->arrivalId;
    const QJsonObject facts{{QStringLiteral("arrival_id"), static_cast<qint64>(id)},
                            {QStringLiteral("route"), QStringLiteral("inquiry")},
                            {QStringLiteral("idempotency_key"), QString::fromLatin1(key)},
                            {QStringLiteral("request_id"), static_cast<qint64>(exchange->requestId)}};
    m_context.events.append("inquiry", facts);
    m_inquiries.insert(id, exchange);
    InquiryArrival arrival{id, *merchant, key, request.value("Expect-Ledger")};
    m_context.bank.inquire(std::move(arrival), [this, mailbox = m_context.mailbox, id, facts](Answer answer) {
        mailbox->post([this, id, facts, answer = std::move(answer)]() mutable {
            const std::shared_ptr<Exchange> waiting = m_inquiries.take(id);
            if (!waiting)
                return;
            m_context.events.append("answer", with(facts, {{QStringLiteral("status"), answer.status},
                                                           {QStringLiteral("written"), waiting->isOpen()}}));
            waiting->answer(fromAnswer(std::move(answer)));
        });
    });
}

} // namespace mockbank
