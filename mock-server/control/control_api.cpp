#include "mock-server/control/control_api.h"

#include "mock-server/bank/strategy.h"
#include "mock-server/control/control_json.h"
#include "mock-server/control/journal_calls.h"
#include "mock-server/control/metrics.h"
#include "mock-server/control/openapi.h"
#include "mock-server/faults/fault_table.h"
#include "mock-server/store/store_address.h"

#include <QtCore/QDateTime>
#include <QtCore/QJsonArray>
#include <QtCore/QTimer>

#include <algorithm>
#include <array>
#include <chrono>

namespace mockbank {

namespace control_http {

constexpr int maxDownMs = 600'000;
constexpr qint64 defaultPage = 100;
constexpr qint64 maxPage = 500;
constexpr qint64 maxBalance = 9'007'199'254'740'991; // what JSON can say exactly

Response notFound()
{
    return toResponse({404,
                       QByteArrayLiteral("not-found"),
                       QStringLiteral("Not found"),
                       QStringLiteral("there is nothing under this path"),
                       false,
                       {},
                       {}});
}

Response tokenNeeded(const QString &detail)
{
    Response refusal = toResponse({401,
                                   QByteArrayLiteral("control-token-required"),
                                   QStringLiteral("Unauthorized"),
                                   detail,
                                   false,
                                   "Authorization",
                                   {}});
    refusal.headers.emplaceBack("WWW-Authenticate", "Bearer");
    return refusal;
}

QJsonObject accountJson(const Account &account)
{
    return {{QStringLiteral("source"), account.source},
            {QStringLiteral("balance"), account.balanceMinor},
            {QStringLiteral("declining"), account.declining}};
}

bool isSourceName(const QByteArray &name)
{
    return !name.isEmpty() && name.size() <= 64 &&
           std::ranges::all_of(name, [](char c) { return c > 0x20 && c < 0x7f; });
}

} // namespace control_http

using namespace control_http;

/// One path of the control API. A path that ends in '/' takes one more segment.
struct ControlApi::Route {
    QByteArrayView path;
    QByteArrayView method;
    void (*call)(ControlApi &, const ExchangePtr &, const QByteArray &segment);
    bool takesQuery = false; ///< reads the parameters of its URL itself; all others refuse any
};

ControlApi::ControlApi(ControlContext context)
    : m_context(std::move(context))
    , m_waitFor(m_context.journal)
    , m_later(m_context.mailbox)
    , m_faultCalls(m_context.faults, m_context.events, m_context.rulesChanged)
    , m_bankCalls({m_context.bank, m_context.faults, m_context.held, m_context.events, m_context.journal, m_later,
                   m_faultCalls, m_context.cancelWaiting})
    , m_scenarioCalls({m_context.bank, m_context.mailbox, m_context.faults, m_context.events, m_later, m_faultCalls})
{
}

void ControlApi::handle(const ExchangePtr &exchange)
{
    static const std::array routes{
        Route{"state", "GET", [](ControlApi &api, const ExchangePtr &e, const QByteArray &) { api.state(e); }},
        Route{"strategy", "PUT", [](ControlApi &api, const ExchangePtr &e, const QByteArray &) { api.putStrategy(e); }},
        Route{"accounts", "GET",
              [](ControlApi &api, const ExchangePtr &e, const QByteArray &) { api.listAccounts(e); }},
        Route{"accounts/", "PUT",
              [](ControlApi &api, const ExchangePtr &e, const QByteArray &s) { api.putAccount(e, s); }},
        Route{"faults", "GET",
              [](ControlApi &api, const ExchangePtr &e, const QByteArray &) { api.m_faultCalls.list(e); }},
        Route{"faults", "POST",
              [](ControlApi &api, const ExchangePtr &e, const QByteArray &) { api.m_faultCalls.arm(e); }},
        Route{"faults", "DELETE",
              [](ControlApi &api, const ExchangePtr &e, const QByteArray &) { api.m_faultCalls.disarmAll(e); }},
        Route{"faults/", "GET",
              [](ControlApi &api, const ExchangePtr &e, const QByteArray &s) {
                  if (!api.m_faultCalls.one(e, s))
                      e->answer(notFound());
              }},
        Route{"faults/", "DELETE",
              [](ControlApi &api, const ExchangePtr &e, const QByteArray &s) {
                  if (!api.m_faultCalls.disarm(e, s))
                      e->answer(notFound());
              }},
        Route{"profile", "GET",
              [](ControlApi &api, const ExchangePtr &e, const QByteArray &) { api.m_faultCalls.profile(e); }},
        Route{"profile", "PUT",
              [](ControlApi &api, const ExchangePtr &e, const QByteArray &) { api.m_faultCalls.putProfile(e); }},
        Route{"profile", "DELETE",
              [](ControlApi &api, const ExchangePtr &e, const QByteArray &) { api.m_faultCalls.deleteProfile(e); }},
        Route{"magic-amounts", "GET",
              [](ControlApi &api, const ExchangePtr &e, const QByteArray &) { api.m_faultCalls.magicAmounts(e); }},
        Route{"magic-amounts", "PUT",
              [](ControlApi &api, const ExchangePtr &e, const QByteArray &) { api.m_faultCalls.putMagicAmounts(e); }},
        Route{"scenario", "GET",
              [](ControlApi &api, const ExchangePtr &e, const QByteArray &) { api.m_scenarioCalls.show(e); }},
        Route{"scenario", "POST",
              [](ControlApi &api, const ExchangePtr &e, const QByteArray &) { api.m_scenarioCalls.run(e); }},
        Route{"scenario", "DELETE",
              [](ControlApi &api, const ExchangePtr &e, const QByteArray &) { api.m_scenarioCalls.stop(e); }},
        Route{"clock", "GET",
              [](ControlApi &api, const ExchangePtr &e, const QByteArray &) { api.m_bankCalls.clock(e); }},
        Route{"clock", "POST",
              [](ControlApi &api, const ExchangePtr &e, const QByteArray &) { api.m_bankCalls.setClock(e); }},
        Route{"reset", "POST",
              [](ControlApi &api, const ExchangePtr &e, const QByteArray &) { api.m_bankCalls.reset(e); }},
        Route{"held", "GET",
              [](ControlApi &api, const ExchangePtr &e, const QByteArray &) {
                  e->answer(jsonResponse(200, {{QStringLiteral("held"), api.m_context.held.list()}}));
              }},
        Route{"held/", "POST", [](ControlApi &api, const ExchangePtr &e, const QByteArray &s) { api.actOnHeld(e, s); }},
        Route{"ledger", "GET", [](ControlApi &api, const ExchangePtr &e, const QByteArray &) { api.ledger(e); }, true},
        Route{"keys", "GET",
              [](ControlApi &api, const ExchangePtr &e, const QByteArray &) {
                  api.m_context.bank.listKeys(
                      api.m_later.to<QJsonObject>(e, [](const QJsonObject &keys) { return jsonResponse(200, keys); }));
              }},
        Route{"outbox", "GET", [](ControlApi &api, const ExchangePtr &e, const QByteArray &) { api.outbox(e); }, true},
        Route{"events", "GET", [](ControlApi &api, const ExchangePtr &e, const QByteArray &) { api.events(e); }},
        Route{"journal", "GET",
              [](ControlApi &api, const ExchangePtr &e, const QByteArray &) {
                  journal_calls::list(api.m_context.journal, e);
              },
              true},
        Route{"journal/", "GET",
              [](ControlApi &api, const ExchangePtr &e, const QByteArray &s) {
                  if (!journal_calls::one(api.m_context.journal, e, s))
                      e->answer(notFound());
              }},
        Route{"wait-for", "POST",
              [](ControlApi &api, const ExchangePtr &e, const QByteArray &) { api.m_waitFor.call(e); }},
        Route{"restart", "POST", [](ControlApi &api, const ExchangePtr &e, const QByteArray &) { api.restart(e); }},
    };

    const Request &request = exchange->request;
    if (!m_context.access.isControlToken(Access::bearerOf(request))) {
        exchange->answer(tokenNeeded(QStringLiteral("the control API needs its token as a bearer token")));
        return;
    }
    const QByteArray path = request.path.mid(QByteArrayView("/control/").size());
    const qsizetype slash = path.indexOf('/');
    const QByteArray name = slash < 0 ? path : path.first(slash + 1);
    const QByteArray segment = slash < 0 ? QByteArray() : QByteArray::fromPercentEncoding(path.mid(slash + 1));
    QByteArrayList allowed;
    for (const Route &route : routes) {
        if (route.path != name || (slash >= 0 && segment.isEmpty()))
            continue;
        if (route.method == request.method) {
            const auto query = readQuery(route.takesQuery ? QByteArray() : request.query, {});
            if (const auto *refusal = std::get_if<Response>(&query))
                exchange->answer(*refusal);
            else
                route.call(*this, exchange, segment);
            return;
        }
        allowed.append(route.method.toByteArray());
    }
    if (allowed.isEmpty()) {
        exchange->answer(notFound());
        return;
    }
    Response refusal = toResponse({405,
                                   QByteArrayLiteral("method-not-allowed"),
                                   QStringLiteral("Method not allowed"),
                                   QStringLiteral("this path takes ") + QString::fromLatin1(allowed.join(", ")),
                                   false,
                                   {},
                                   {}});
    refusal.headers.emplaceBack("Allow", allowed.join(", "));
    exchange->answer(refusal);
}

void ControlApi::tellOpen(const ExchangePtr &exchange)
{
    const QByteArray &path = exchange->request.path;
    if (path == "/metrics")
        metrics(exchange);
    else if (path == "/openapi.json")
        exchange->answer({200, QByteArrayLiteral("application/json"), {}, openApiDocument()});
    else
        health(exchange);
}

void ControlApi::health(const ExchangePtr &exchange)
{
    const bool authorized = m_context.access.merchantOf(exchange->request).has_value();
    const auto make = [this, authorized] {
        const Bank &bank = m_context.bank;
        return jsonResponse(
            200,
            {{QStringLiteral("status"), QStringLiteral("ok")},
             {QStringLiteral("ledger_id"), bank.ledgerId()},
             {QStringLiteral("run_id"), bank.runId()},
             {QStringLiteral("strategy"), bank.options().strategy},
             {QStringLiteral("idempotency_key_ttl_s"),
              static_cast<qint64>(std::chrono::duration_cast<std::chrono::seconds>(bank.options().keyTtl).count())},
             {QStringLiteral("authorized"), authorized}});
    };
    // Another bank at the same store may have reset the ledger: whoever asks here expects what is true now, and sends
    // it back as Expect-Ledger. The ledger thread reads it anew; where that takes too long, the last one known is told.
    m_context.bank.counters(m_later.to<QJsonObject>(
        exchange, [make](const QJsonObject &) { return make(); }, make));
}

void ControlApi::metrics(const ExchangePtr &exchange)
{
    const Access &access = m_context.access;
    const bool mayRead = exchange->localAddress.isLoopback() ||
                         access.isControlToken(Access::bearerOf(exchange->request)) ||
                         (access.needsApiKey() && access.merchantOf(exchange->request));
    if (!mayRead) {
        exchange->answer(tokenNeeded(
            QStringLiteral("from beyond this machine metrics need the control token or an API key as a bearer token")));
        return;
    }
    const auto make = [this](const QJsonValue &bankCounters) {
        const BankOptions &options = m_context.bank.options();
        const MetricsFacts facts{m_context.journal.counted(),  m_context.journal.bounds(),
                                 m_context.counters(),         bankCounters,
                                 m_context.held.list().size(), m_context.streams.count(),
                                 m_waitFor.waiting(),          options.strategy.toUtf8(),
                                 options.instance.toUtf8(),    m_context.bank.runId().toUtf8()};
        return Response{200, QByteArrayLiteral("text/plain; version=0.0.4; charset=utf-8"), {}, metricsText(facts)};
    };
    m_context.bank.counters(m_later.to<QJsonObject>(
        exchange, [make](const QJsonObject &counters) { return make(counters); },
        [make] { return make(QJsonValue::Null); }));
}

void ControlApi::state(const ExchangePtr &exchange)
{
    const auto make = [this](const QJsonValue &bankCounters) {
        const Bank &bank = m_context.bank;
        QJsonObject counters = m_context.counters();
        counters.insert(QStringLiteral("event_streams"), m_context.streams.count());
        counters.insert(QStringLiteral("wait_for_callers"), static_cast<qint64>(m_waitFor.waiting()));
        counters.insert(QStringLiteral("bank"), bankCounters);
        const BankOptions options = bank.options();
        const auto scenario = m_context.faults.scenario();
        return jsonResponse(
            200,
            {{QStringLiteral("strategy"), options.strategy},
             {QStringLiteral("store"), shownStoreAddress(options.store)},
             {QStringLiteral("instance"), options.instance},
             {QStringLiteral("ledger_id"), bank.ledgerId()},
             {QStringLiteral("run_id"), bank.runId()},
             {QStringLiteral("key_ttl_ms"), static_cast<qint64>(options.keyTtl.count())},
             {QStringLiteral("lease_ms"), static_cast<qint64>(options.lease.count())},
             {QStringLiteral("processing_ms"), static_cast<qint64>(options.processing.count())},
             {QStringLiteral("clock"), BankCalls::clockJson(bank.clock())},
             {QStringLiteral("rst"), m_context.cuts.resets ? QStringLiteral("reset") : QStringLiteral("orderly close")},
             {QStringLiteral("fin"),
              m_context.cuts.orderlyCloses ? QStringLiteral("orderly close") : QStringLiteral("reset")},
             {QStringLiteral("faults"), m_context.faults.list(QDateTime::currentMSecsSinceEpoch())},
             {QStringLiteral("faults_offered"), faultsOffered()},
             {QStringLiteral("profile"), FaultCalls::profileJson(m_context.faults)},
             {QStringLiteral("scenario"),
              scenario ? scenario->value(QLatin1StringView("name")) : QJsonValue(QJsonValue::Null)},
             {QStringLiteral("magic_amounts"), m_context.faults.magicAmounts()},
             {QStringLiteral("held"), m_context.held.list()},
             {QStringLiteral("counters"), counters}});
    };
    m_context.bank.counters(m_later.to<QJsonObject>(
        exchange, [make](const QJsonObject &counters) { return make(counters); }, [make] { return make({}); }));
}

void ControlApi::putStrategy(const ExchangePtr &exchange)
{
    const auto body = readObject(exchange->request.body, {QStringLiteral("name")});
    if (const auto *refusal = std::get_if<Response>(&body)) {
        exchange->answer(*refusal);
        return;
    }
    const QJsonValue name = std::get<QJsonObject>(body).value(QLatin1StringView("name"));
    if (!strategyNames().contains(name.toString())) {
        exchange->answer(unprocessable(QStringLiteral("name"),
                                       QStringLiteral("must be one of ") + strategyNames().join(QStringLiteral(", "))));
        return;
    }
    m_context.bank.setStrategy(
        name.toString(), m_later.to<std::optional<QString>>(exchange, [this, name](const std::optional<QString> &was) {
            const QJsonArray ended = m_faultCalls.strategyChanged(name.toString());
            return jsonResponse(200, {{QStringLiteral("name"), name},
                                      {QStringLiteral("was"), was.value_or(QString())},
                                      {QStringLiteral("ended_rules"), ended}});
        }));
}

void ControlApi::listAccounts(const ExchangePtr &exchange)
{
    m_context.bank.listAccounts(m_later.to<QList<Account>>(exchange, [](const QList<Account> &accounts) {
        QJsonArray list;
        for (const Account &account : accounts)
            list.append(accountJson(account));
        return jsonResponse(200, {{QStringLiteral("accounts"), list}});
    }));
}

void ControlApi::putAccount(const ExchangePtr &exchange, const QByteArray &source)
{
    if (!isSourceName(source)) {
        exchange->answer(
            unprocessable(QStringLiteral("source"), QStringLiteral("has 1 to 64 visible ASCII characters")));
        return;
    }
    const auto body = readObject(exchange->request.body, {QStringLiteral("balance"), QStringLiteral("declining")});
    if (const auto *refusal = std::get_if<Response>(&body)) {
        exchange->answer(*refusal);
        return;
    }
    const QJsonObject json = std::get<QJsonObject>(body);
    const auto balance = exactInteger(json.value(QLatin1StringView("balance")), 0, maxBalance);
    if (!balance) {
        exchange->answer(
            unprocessable(QStringLiteral("balance"),
                          QStringLiteral("must be an integer of minor units from 0 to %1").arg(maxBalance)));
        return;
    }
    const QJsonValue declining = json.value(QLatin1StringView("declining"));
    if (!declining.isUndefined() && !declining.isBool()) {
        exchange->answer(unprocessable(QStringLiteral("declining"), QStringLiteral("must be true or false")));
        return;
    }
    m_context.bank.putAccount({QString::fromLatin1(source), *balance, declining.toBool()},
                              m_later.to<Account>(exchange, [this](const Account &account) {
                                  if (account.source.isEmpty()) {
                                      return unprocessable(QStringLiteral("source"),
                                                           QStringLiteral("was not accepted by the bank"));
                                  }
                                  m_context.events.append("account", accountJson(account));
                                  return jsonResponse(200, accountJson(account));
                              }));
}

void ControlApi::actOnHeld(const ExchangePtr &exchange, const QByteArray &id)
{
    const auto body = readObject(exchange->request.body, {QStringLiteral("action")});
    if (const auto *refusal = std::get_if<Response>(&body)) {
        exchange->answer(*refusal);
        return;
    }
    const QString name = std::get<QJsonObject>(body).value(QLatin1StringView("action")).toString();
    std::optional<HeldMessages::Action> action;
    if (name == QLatin1StringView("release"))
        action = HeldMessages::Action::Release;
    else if (name == QLatin1StringView("drop"))
        action = HeldMessages::Action::Drop;
    else if (name == QLatin1StringView("cut"))
        action = HeldMessages::Action::Cut;
    else if (name == QLatin1StringView("twice"))
        action = HeldMessages::Action::Twice;
    if (!action) {
        exchange->answer(
            unprocessable(QStringLiteral("action"), QStringLiteral("must be release, drop, cut or twice")));
        return;
    }
    bool isNumber = false;
    const quint64 number = id.toULongLong(&isNumber);
    const auto acted = isNumber ? m_context.held.act(number, *action) : HeldMessages::Acted::NotHeld;
    if (acted == HeldMessages::Acted::NotHeld) {
        exchange->answer(notFound());
        return;
    }
    if (acted == HeldMessages::Acted::NotPossible) {
        exchange->answer(unprocessable(QStringLiteral("action"),
                                       QStringLiteral("twice is for a held request; this one can go on only once")));
        return;
    }
    m_context.events.append("held_" + name.toLatin1(), {{QStringLiteral("held_id"), static_cast<qint64>(number)}});
    exchange->answer(
        jsonResponse(200, {{QStringLiteral("id"), static_cast<qint64>(number)}, {QStringLiteral("action"), name}}));
}

void ControlApi::ledger(const ExchangePtr &exchange)
{
    const auto query = readQuery(exchange->request.query, {"after", "limit"});
    if (const auto *refusal = std::get_if<Response>(&query)) {
        exchange->answer(*refusal);
        return;
    }
    const auto &values = std::get<QHash<QByteArray, qint64>>(query);
    const qint64 limit = values.value("limit", defaultPage);
    if (limit < 1 || limit > maxPage) {
        exchange->answer(unprocessable(QStringLiteral("limit"), QStringLiteral("must be from 1 to %1").arg(maxPage)));
        return;
    }
    m_context.bank.listMovements(
        values.value("after", 0), static_cast<int>(limit),
        m_later.to<QJsonObject>(exchange, [](const QJsonObject &page) { return jsonResponse(200, page); }));
}

void ControlApi::outbox(const ExchangePtr &exchange)
{
    const auto query = readQuery(exchange->request.query, {"after", "limit", "pending"});
    if (const auto *refusal = std::get_if<Response>(&query)) {
        exchange->answer(*refusal);
        return;
    }
    const auto &values = std::get<QHash<QByteArray, qint64>>(query);
    const qint64 limit = values.value("limit", defaultPage);
    if (limit < 1 || limit > maxPage) {
        exchange->answer(unprocessable(QStringLiteral("limit"), QStringLiteral("must be from 1 to %1").arg(maxPage)));
        return;
    }
    const qint64 pending = values.value("pending", 0);
    if (pending > 1) {
        exchange->answer(unprocessable(QStringLiteral("pending"), QStringLiteral("must be 1 or 0")));
        return;
    }
    m_context.bank.listOutbox(values.value("after", 0), static_cast<int>(limit),
                              pending == 1 ? OutboxRows::Pending : OutboxRows::All,
                              m_later.to<QJsonObject>(exchange, [this](QJsonObject page) {
                                  const QJsonObject publishing = m_context.publishing();
                                  for (auto it = publishing.begin(); it != publishing.end(); ++it)
                                      page.insert(it.key(), it.value());
                                  return jsonResponse(200, page);
                              }));
}

void ControlApi::events(const ExchangePtr &exchange)
{
    m_context.streams.open(exchange, exchange->request.value("Last-Event-ID"));
}

void ControlApi::restart(const ExchangePtr &exchange)
{
    const auto body = readObject(exchange->request.body, {QStringLiteral("down_ms")});
    if (const auto *refusal = std::get_if<Response>(&body)) {
        exchange->answer(*refusal);
        return;
    }
    const QJsonValue value = std::get<QJsonObject>(body).value(QLatin1StringView("down_ms"));
    const auto downMs = exactInteger(value, 0, maxDownMs);
    if (!downMs) {
        exchange->answer(
            unprocessable(QStringLiteral("down_ms"), QStringLiteral("must be an integer from 0 to %1").arg(maxDownMs)));
        return;
    }
    // The answer has to be out before everything goes down, and a caller that does not read it stops nothing.
    const auto crash = [context = &m_context, downMs, done = std::make_shared<bool>(false)] {
        if (!std::exchange(*done, true))
            context->crash(static_cast<int>(*downMs));
    };
    exchange->request.keepAlive = false;
    exchange->answer(
        jsonResponse(202, {{QStringLiteral("down_ms"), *downMs}, {QStringLiteral("run_id"), m_context.bank.runId()}}),
        crash);
    QTimer::singleShot(100, this, crash);
}

} // namespace mockbank
