#include "core/closing/patient_get.h"

#include "core/checkout/retry_after.h"
#include "core/gateway/exchange.h"

#include <algorithm>
#include <utility>

namespace ikkai {

namespace patient_get {

using Kind = ChargeListError::Kind;

bool isTrouble(int status)
{
    return status == 408 || status == 425 || status == 429 || (status >= 500 && status <= 599 && status != 501);
}

Kind kindOf(Transmission::End end)
{
    switch (end) {
    case Transmission::End::ConnectionRefused:
    case Transmission::End::HostNotFound:
    case Transmission::End::TlsFailed:
        return Kind::Unreachable;
    case Transmission::End::Answered:
    case Transmission::End::DeadlinePassed:
    case Transmission::End::ConnectionLost:
    case Transmission::End::ResendPrevented:
    case Transmission::End::AnswerCut:
        break;
    }
    return Kind::NoAnswer;
}

} // namespace patient_get

PatientGet::PatientGet(PatientGetRequest request, Random &random, QObject *parent)
    : QObject(parent)
    , m_request(std::move(request))
    , m_random(random)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &PatientGet::ask);
}

PatientGet::~PatientGet() = default;

void PatientGet::start()
{
    m_clock.start();
    ask();
}

void PatientGet::askAgain(const ChargeListError &why)
{
    wait(why, {});
}

void PatientGet::ask()
{
    ++m_tries;
    auto *exchange = new Exchange({"GET", m_request.url, m_request.headers, QByteArray(), m_request.deadlineMs, 0,
                                   m_request.maxAnswerBytes, m_request.authorities},
                                  this);
    // The taker may end all of this from inside a signal: nothing follows it.
    connect(exchange, &Exchange::over, exchange, &QObject::deleteLater);
    connect(exchange, &Exchange::ended, this, &PatientGet::take);
    exchange->start();
}

void PatientGet::take(const Transmission &transmission)
{
    using namespace patient_get;
    if (transmission.end != Transmission::End::Answered || !transmission.answer) {
        const Kind kind = kindOf(transmission.end);
        const QString how =
            kind == Kind::Unreachable ? QStringLiteral("cannot be reached") : QStringLiteral("did not answer");
        wait({kind, 0, {}, QStringLiteral("For %1 the bank %2: %3.").arg(m_request.what, how, transmission.detail)},
             {});
        return;
    }
    const HttpAnswer &answer = *transmission.answer;
    if (isTrouble(answer.status)) {
        wait({Kind::ServerTrouble,
              answer.status,
              {},
              QStringLiteral("Asked for %1 the bank has trouble: status %2.").arg(m_request.what).arg(answer.status)},
             retryAfterMs(answer.header("retry-after"), answer.header("date")));
        return;
    }
    Q_EMIT answered(answer);
}

void PatientGet::wait(ChargeListError why, std::optional<qint64> retryAfterMs)
{
    const auto draw = static_cast<quint32>(m_random.next64() >> 32);
    const qint64 delayMs = std::max(backoffMs(m_request.retry, m_tries, draw), retryAfterMs.value_or(0));
    const bool isInTime = delayMs <= m_request.retry.budgetMs - m_clock.elapsed();
    if (m_tries >= m_request.retry.maxAttempts || !isInTime) {
        if (retryAfterMs && !isInTime)
            why.detail += QStringLiteral(" It asks to come back after %1 s.").arg(*retryAfterMs / 1'000);
        Q_EMIT failed(why);
        return;
    }
    m_timer.start(static_cast<int>(delayMs));
    Q_EMIT waiting(why, delayMs);
}

} // namespace ikkai
