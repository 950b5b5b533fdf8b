#include "core/training/control_client.h"

#include "core/gateway/exchange.h"
#include "core/training/control_codec.h"

#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>

#include <utility>

namespace ikkai {

namespace control_call {

// A thousand faults with all that is known of them, or a page of 500 movements.
constexpr qint64 maxAnswerBytes = 4 * 1024 * 1024;

HeaderList headersOf(const ControlClientSettings &settings)
{
    HeaderList headers{{"User-Agent", "ikkai-terminal"}, {"Accept-Encoding", "identity"}};
    if (!settings.token.isEmpty())
        headers.emplace_back("Authorization", "Bearer " + settings.token);
    return headers;
}

QUrl urlOf(const ControlClientSettings &settings, const QByteArray &path)
{
    return QUrl::fromEncoded(settings.baseUrl.toEncoded() + "/control/" + path, QUrl::StrictMode);
}

QByteArray json(const QJsonObject &object)
{
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

} // namespace control_call

ControlClient::ControlClient(ControlClientSettings settings, QObject *parent)
    : QObject(parent)
    , m_settings(std::move(settings))
    , m_follower({control_call::urlOf(m_settings, "events"), control_call::headersOf(m_settings),
                  m_settings.reconnectBaseMs, m_settings.reconnectCapMs, m_settings.silenceLimitMs,
                  m_settings.authorities},
                 this)
{
    connect(&m_follower, &EventFollower::happened, this, &ControlClient::happened);
    connect(&m_follower, &EventFollower::gapNoticed, this, &ControlClient::gapNoticed);
    connect(&m_follower, &EventFollower::linkChanged, this, &ControlClient::linkChanged);
    connect(&m_follower, &EventFollower::troubled, this, &ControlClient::streamTroubled);
}

ControlClient::~ControlClient() = default;

template <class Read, class Done>
ControlClient::CallId ControlClient::ask(const QByteArray &verb, const QByteArray &path, const QByteArray &body,
                                         Read read, Done done)
{
    return call(verb, path, body, [this, read, done](CallId id, const Transmission &transmission) {
        const Result<QJsonObject, ControlError> object = control::objectOf(transmission);
        if (!object) {
            Q_EMIT failed(id, object.error());
            return;
        }
        const auto value = read(object.value());
        if (!value)
            Q_EMIT failed(id, value.error());
        else
            done(id, value.value());
    });
}

ControlClient::CallId ControlClient::armFault(const QString &spec)
{
    return ask("POST", "faults", control_call::json({{QStringLiteral("spec"), spec}}), control::readFault,
               [this](CallId id, const FaultStatus &fault) { Q_EMIT faultArmed(id, fault); });
}

ControlClient::CallId ControlClient::listFaults()
{
    return ask("GET", "faults", {}, control::readFaults,
               [this](CallId id, const QList<FaultStatus> &faults) { Q_EMIT faultsListed(id, faults); });
}

ControlClient::CallId ControlClient::disarmFault(const QString &faultId)
{
    return ask("DELETE", "faults/" + QUrl::toPercentEncoding(faultId), {}, control::readFault,
               [this](CallId id, const FaultStatus &fault) { Q_EMIT faultDisarmed(id, fault); });
}

ControlClient::CallId ControlClient::disarmAllFaults()
{
    const auto read = [](const QJsonObject &object) -> Result<int, ControlError> {
        const int count = object.value(QLatin1String("disarmed")).toInt(-1);
        if (count < 0)
            return control::notUnderstood(QStringLiteral("member disarmed is not as it must be"));
        return count;
    };
    return ask("DELETE", "faults", {}, read, [this](CallId id, int count) { Q_EMIT allFaultsDisarmed(id, count); });
}

ControlClient::CallId ControlClient::readLedger(qint64 after, int limit)
{
    const QByteArray path = "ledger?after=" + QByteArray::number(after) + "&limit=" + QByteArray::number(limit);
    return ask("GET", path, {}, control::readLedgerPage,
               [this](CallId id, const LedgerPage &page) { Q_EMIT ledgerRead(id, page); });
}

ControlClient::CallId ControlClient::readState()
{
    return ask("GET", "state", {}, control::readState,
               [this](CallId id, const BankState &state) { Q_EMIT stateRead(id, state); });
}

ControlClient::CallId ControlClient::listAccounts()
{
    return ask("GET", "accounts", {}, control::readAccounts,
               [this](CallId id, const QList<BankAccount> &accounts) { Q_EMIT accountsListed(id, accounts); });
}

ControlClient::CallId ControlClient::putAccount(const BankAccount &account)
{
    const QByteArray body = control_call::json(
        {{QStringLiteral("balance"), account.balanceMinor}, {QStringLiteral("declining"), account.declining}});
    return ask("PUT", "accounts/" + QUrl::toPercentEncoding(account.source), body, control::readAccount,
               [this](CallId id, const BankAccount &put) { Q_EMIT accountPut(id, put); });
}

ControlClient::CallId ControlClient::actOnHeld(qint64 heldId, const QString &action)
{
    const auto anything = [](const QJsonObject &) -> Result<Done, ControlError> { return Done{}; };
    return ask("POST", "held/" + QByteArray::number(heldId), control_call::json({{QStringLiteral("action"), action}}),
               anything, [this](CallId id, Done) { Q_EMIT heldActedOn(id); });
}

ControlClient::CallId ControlClient::restartBank(qint64 downMs)
{
    const auto anything = [](const QJsonObject &) -> Result<Done, ControlError> { return Done{}; };
    return ask("POST", "restart", control_call::json({{QStringLiteral("down_ms"), downMs}}), anything,
               [this](CallId id, Done) { Q_EMIT restarting(id); });
}

void ControlClient::follow(EventFollower::From from)
{
    m_follower.start(from);
}

void ControlClient::stopFollowing()
{
    m_follower.stop();
}

ControlClient::CallId ControlClient::call(const QByteArray &verb, const QByteArray &path, const QByteArray &body,
                                          std::function<void(CallId, const Transmission &)> ended)
{
    const CallId id = ++m_lastCall;
    ExchangeRequest request{verb,
                            control_call::urlOf(m_settings, path),
                            control_call::headersOf(m_settings),
                            body,
                            m_settings.callDeadlineMs,
                            0,
                            control_call::maxAnswerBytes,
                            m_settings.authorities};
    if (!body.isEmpty())
        request.headers.emplace_back("Content-Type", "application/json");
    // Sent once, like a charge: a repeated POST would arm two faults.
    auto *exchange = new Exchange(std::move(request), this);
    connect(exchange, &Exchange::ended, this,
            [id, ended = std::move(ended)](const Transmission &transmission) { ended(id, transmission); });
    connect(exchange, &Exchange::over, exchange, &QObject::deleteLater);
    exchange->start();
    return id;
}

} // namespace ikkai
