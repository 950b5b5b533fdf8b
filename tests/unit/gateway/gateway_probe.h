#pragma once

#include "core/gateway/http_gateway.h"

#include <QtCore/QDeadlineTimer>
#include <QtCore/QEventLoop>
#include <QtCore/QTimer>
#include <QtTest/QTest>

#include <map>
#include <utility>
#include <vector>

namespace ikkai::test {

/// Runs the event loop until it is so, or 10 s have gone. Looks again after every event, where QTRY_VERIFY looks only
/// every 50 ms: with thousands of exchanges that is the difference between seconds and minutes.
template <class Predicate>
[[nodiscard]] bool waitFor(Predicate predicate)
{
    QTimer tick; // for what no event of this thread announces
    tick.start(5);
    const QDeadlineTimer deadline(10'000);
    QEventLoop loop;
    while (!predicate()) {
        if (deadline.hasExpired())
            return false;
        loop.processEvents(QEventLoop::WaitForMoreEvents);
    }
    return true;
}

/// Takes what a gateway reports.
class GatewayProbe final : public GatewaySink {
public:
    void bankLearned(const Result<BankIdentity, Transmission> &identity) override { learned.push_back(identity); }
    void attemptEnded(const AttemptId &attempt, const Transmission &transmission) override
    {
        insideACall = insideACall || calling;
        ended.emplace_back(attempt, transmission);
    }
    void lateAnswer(const AttemptId &attempt, const Transmission &transmission) override
    {
        late.emplace_back(attempt, transmission);
    }
    void inquiryEnded(const IdempotencyKey &key, const Transmission &transmission) override
    {
        insideACall = insideACall || calling;
        inquiries.emplace_back(key, transmission);
    }
    void voidEnded(const IdempotencyKey &key, int voidTry, const Transmission &transmission) override
    {
        insideACall = insideACall || calling;
        voids.push_back({key, voidTry, transmission});
    }

    std::vector<Result<BankIdentity, Transmission>> learned;
    std::vector<std::pair<AttemptId, Transmission>> ended;
    std::vector<std::pair<AttemptId, Transmission>> late;
    std::vector<std::pair<IdempotencyKey, Transmission>> inquiries;
    struct VoidEnd {
        IdempotencyKey key;
        int voidTry = 0;
        Transmission transmission;
    };
    std::vector<VoidEnd> voids;
    bool calling = false;     ///< a call of the gateway is on the stack
    bool insideACall = false; ///< a report came while it was
};

inline IdempotencyKey keyNumber(int n)
{
    return IdempotencyKey::parse(QStringLiteral("0190a8b5-2f4e-7%1-8f3a-1c2d3e4f5a6b").arg(n, 3, 16, QLatin1Char('0')))
        .value();
}

inline ChargeTransmission chargeOf(const IdempotencyKey &key, int attempt = 1, qint64 deadlineMs = 3'000)
{
    return {AttemptId{key, attempt},
            R"({"order_id":"A-1001","amount":1200,"currency":"JPY","source":"card_ok","terminal_id":"till-1"})",
            QStringLiteral("led_1"), deadlineMs};
}

} // namespace ikkai::test

namespace ikkai {
inline char *toString(const Transmission::End &end)
{
    static const std::map<Transmission::End, const char *> names{
        {Transmission::End::Answered, "Answered"},
        {Transmission::End::ConnectionRefused, "ConnectionRefused"},
        {Transmission::End::HostNotFound, "HostNotFound"},
        {Transmission::End::TlsFailed, "TlsFailed"},
        {Transmission::End::DeadlinePassed, "DeadlinePassed"},
        {Transmission::End::ConnectionLost, "ConnectionLost"},
        {Transmission::End::ResendPrevented, "ResendPrevented"},
        {Transmission::End::AnswerCut, "AnswerCut"},
    };
    return qstrdup(names.at(end));
}
} // namespace ikkai
