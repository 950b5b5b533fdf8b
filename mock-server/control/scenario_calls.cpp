#include "mock-server/control/scenario_calls.h"

#include "mock-server/control/control_json.h"

#include <QtCore/QDateTime>
#include <QtCore/QJsonArray>

#include <algorithm>
#include <utility>

namespace mockbank {

/// A scenario on its way into the bank.
struct ScenarioCalls::Loading {
    Scenario scenario;
    qint64 nowMs = 0;
    QList<Account> before; ///< the bank's accounts as they were
    qsizetype accountsSet = 0;
    std::function<void(bool done)> finish; ///< from any thread
    /// Once. What is called holds this object: kept here, the two would hold each other for ever.
    void end(bool done) { std::exchange(finish, nullptr)(done); }
};

ScenarioCalls::ScenarioCalls(const Context &context)
    : m_context(context)
{
}

QJsonArray ScenarioCalls::steps() const
{
    QJsonArray steps;
    for (const QJsonValue &rule : m_context.faults.list(QDateTime::currentMSecsSinceEpoch())) {
        if (rule.toObject().value(QLatin1StringView("source")) == sourceName(FaultSource::Scenario))
            steps.append(rule);
    }
    return steps;
}

void ScenarioCalls::show(const ExchangePtr &exchange)
{
    const auto given = m_context.faults.scenario();
    exchange->answer(jsonResponse(200, {{QStringLiteral("scenario"), given ? QJsonValue(*given) : QJsonValue()},
                                        {QStringLiteral("faults"), steps()}}));
}

void ScenarioCalls::stop(const ExchangePtr &exchange)
{
    const int count = m_context.faults.clearScenario(QDateTime::currentMSecsSinceEpoch());
    m_context.events.append("scenario", {{QStringLiteral("name"), QJsonValue()}, {QStringLiteral("stopped"), count}});
    exchange->answer(jsonResponse(200, {{QStringLiteral("stopped"), count}}));
    m_context.faultCalls.rulesChanged();
}

void ScenarioCalls::run(const ExchangePtr &exchange)
{
    const auto body =
        readObject(exchange->request.body, {QStringLiteral("name"), QStringLiteral("seed"), QStringLiteral("bank"),
                                            QStringLiteral("steps"), QStringLiteral("expect")});
    if (const auto *refusal = std::get_if<Response>(&body)) {
        exchange->answer(*refusal);
        return;
    }
    const auto read = readScenario(std::get<QJsonObject>(body));
    const auto *scenario = std::get_if<Scenario>(&read);
    const qint64 nowMs = QDateTime::currentMSecsSinceEpoch();
    std::optional<FaultError> wrong;
    if (scenario) {
        wrong = FaultPlan::whyNotScenario(scenario->steps,
                                          scenario->strategy.value_or(m_context.bank.options().strategy), nowMs);
    } else {
        wrong = std::get<FaultError>(read);
    }
    if (wrong) {
        exchange->answer(unprocessable(wrong->member, wrong->detail));
        return;
    }
    const auto loading = std::make_shared<Loading>();
    loading->scenario = *scenario;
    loading->nowMs = nowMs;
    loading->finish = m_context.later.to<bool>(
        exchange, [this, loading](bool done) { return done ? loaded(loading) : LaterAnswers::ledgerBusy(); });
    if (loading->scenario.accounts.isEmpty()) {
        setStrategy(loading);
        return;
    }
    m_context.bank.listAccounts([this, loading, mailbox = m_context.mailbox](const QList<Account> &accounts) {
        mailbox->post([this, loading, accounts] {
            loading->before = accounts;
            setAccounts(loading);
        });
    });
}

void ScenarioCalls::setAccounts(const LoadingPtr &loading)
{
    if (loading->accountsSet == loading->scenario.accounts.size()) {
        setStrategy(loading);
        return;
    }
    const Account wanted = loading->scenario.accounts[loading->accountsSet];
    m_context.bank.putAccount(wanted, [this, loading, mailbox = m_context.mailbox](const Account &account) {
        mailbox->post([this, loading, account] {
            if (account.source.isEmpty()) {
                putBack(loading);
                return;
            }
            ++loading->accountsSet;
            setAccounts(loading);
        });
    });
}

void ScenarioCalls::putBack(const LoadingPtr &loading)
{
    for (const Account &changed : loading->scenario.accounts.first(loading->accountsSet)) {
        const auto was = std::ranges::find(loading->before, changed.source, &Account::source);
        if (was != loading->before.end())
            m_context.bank.putAccount(*was, [](const Account &) {});
    }
    loading->end(false);
}

void ScenarioCalls::setStrategy(const LoadingPtr &loading)
{
    if (!loading->scenario.strategy) {
        loading->end(true);
        return;
    }
    m_context.bank.setStrategy(*loading->scenario.strategy,
                               [loading](const std::optional<QString> &was) { loading->end(was.has_value()); });
}

Response ScenarioCalls::loaded(const LoadingPtr &loading)
{
    const Scenario &scenario = loading->scenario;
    QJsonArray endedRules;
    if (scenario.strategy)
        endedRules = m_context.faultCalls.strategyChanged(*scenario.strategy);
    if (const auto wrong = m_context.faults.loadScenario(scenario.steps, scenario.seed, loading->nowMs, scenario.given))
        return unprocessable(wrong->member, wrong->detail); // somebody has switched the strategy meanwhile
    m_context.events.append("scenario", {{QStringLiteral("name"), scenario.name},
                                         {QStringLiteral("seed"), static_cast<qint64>(scenario.seed)},
                                         {QStringLiteral("steps"), scenario.steps.size()},
                                         {QStringLiteral("strategy"), m_context.bank.options().strategy}});
    m_context.faultCalls.rulesChanged();
    Response running = jsonResponse(201, {{QStringLiteral("scenario"), scenario.given},
                                          {QStringLiteral("strategy"), m_context.bank.options().strategy},
                                          {QStringLiteral("faults"), steps()},
                                          {QStringLiteral("ended_rules"), endedRules}});
    running.headers.emplaceBack("Location", "/control/scenario");
    return running;
}

} // namespace mockbank
