#include "core/gateway/http_gateway.h"

#include "core/gateway/exchange.h"

#include <QtCore/QPointer>
#include <QtCore/QThread>

#include <algorithm>
#include <utility>

namespace ikkai {

QString describe(const HttpGatewaySettings &settings)
{
    return QStringLiteral("bank at %1, %2, %3 idempotency keys")
        .arg(settings.baseUrl.toDisplayString(QUrl::RemoveUserInfo),
             settings.apiKey.isEmpty() ? QStringLiteral("no API key") : QStringLiteral("with an API key"),
             settings.keyFormat == KeyFormat::Bare ? QStringLiteral("bare") : QStringLiteral("quoted"));
}

HttpGateway::HttpGateway(HttpGatewaySettings settings, QObject *parent)
    : QObject(parent)
    , m_settings(std::move(settings))
{
}

HttpGateway::~HttpGateway() = default;

void HttpGateway::setSink(GatewaySink *sink)
{
    m_sink = sink;
}

void HttpGateway::learnBank(qint64 deadlineMs)
{
    Exchange *exchange =
        begin({"GET", learnUrl(m_settings.baseUrl), learnHeaders(m_settings.apiKey), QByteArray(), deadlineMs, 0});
    connect(exchange, &Exchange::ended, this, [this](const Transmission &transmission) {
        if (!m_sink)
            return;
        if (transmission.end != Transmission::End::Answered) {
            m_sink->bankLearned(transmission);
            return;
        }
        const Result<BankIdentity, QString> identity = bankIdentity(*transmission.answer);
        if (identity) {
            m_sink->bankLearned(identity.value());
            return;
        }
        Transmission unusable = transmission;
        unusable.detail = identity.error();
        m_sink->bankLearned(unusable);
    });
}

void HttpGateway::charge(const ChargeTransmission &transmission)
{
    Exchange *exchange = begin({"POST", chargeUrl(m_settings.baseUrl),
                                chargeHeaders(transmission, m_settings.apiKey, m_settings.keyFormat), transmission.body,
                                transmission.deadlineMs, m_settings.lateAnswerMs});
    const AttemptId attempt = transmission.attempt;
    connect(exchange, &Exchange::ended, this, [this, attempt](const Transmission &end) {
        if (m_sink)
            m_sink->attemptEnded(attempt, end);
    });
    connect(exchange, &Exchange::answeredLate, this, [this, attempt](const Transmission &answer) {
        if (m_sink)
            m_sink->lateAnswer(attempt, answer);
    });
}

void HttpGateway::inquire(const InquiryTransmission &transmission)
{
    Exchange *exchange =
        begin({"GET", inquiryUrl(m_settings.baseUrl, transmission.key), inquiryHeaders(transmission, m_settings.apiKey),
               QByteArray(), transmission.deadlineMs, 0});
    connect(exchange, &Exchange::ended, this, [this, key = transmission.key](const Transmission &end) {
        if (m_sink)
            m_sink->inquiryEnded(key, end);
    });
}

void HttpGateway::voidCharge(const VoidTransmission &transmission)
{
    Exchange *exchange =
        begin({"POST", voidUrl(m_settings.baseUrl), voidHeaders(transmission, m_settings.apiKey, m_settings.keyFormat),
               transmission.body, transmission.deadlineMs, 0});
    connect(exchange, &Exchange::ended, this,
            [this, key = transmission.key, voidTry = transmission.voidTry](const Transmission &end) {
                if (m_sink)
                    m_sink->voidEnded(key, voidTry, end);
            });
}

void HttpGateway::drain()
{
    // Reports may begin or end exchanges while this list is walked.
    std::vector<QPointer<Exchange>> now;
    now.reserve(m_exchanges.size());
    for (Exchange *exchange : m_exchanges)
        now.emplace_back(exchange);
    for (const QPointer<Exchange> &exchange : now) {
        if (exchange)
            exchange->drain();
    }
}

Exchange *HttpGateway::begin(ExchangeRequest request)
{
    Q_ASSERT(QThread::currentThread() == thread());
    request.authorities = m_settings.authorities;
    auto *exchange = new Exchange(std::move(request), this);
    m_exchanges.push_back(exchange);
    connect(exchange, &Exchange::over, this, [this, exchange] {
        std::erase(m_exchanges, exchange);
        exchange->deleteLater();
    });
    exchange->start();
    return exchange;
}

} // namespace ikkai
