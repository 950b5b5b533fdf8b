#pragma once

#include "core/checkout/retry_policy.h"
#include "core/closing/charge_list.h"
#include "core/domain/random.h"
#include "core/gateway/authorities.h"
#include "core/gateway/transmission.h"
#include "core/gateway/wire_codec.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QObject>
#include <QtCore/QTimer>
#include <QtCore/QUrl>

#include <optional>

namespace ikkai {

class Exchange;

struct PatientGetRequest {
    QUrl url;
    HeaderList headers;
    QString what;               ///< of what error sentences speak, as in `the bank's list of charges`
    qint64 deadlineMs = 10'000; ///< of one try
    qint64 maxAnswerBytes = 1024 * 1024;
    RetryPolicy retry; ///< maxAttempts, budgetMs and the backoff count
    Authorities authorities = {};
};

/// A GET that moves nothing, asked again where no usable answer came, within the policy. Lives on the thread that
/// starts it; signals never come from inside start(). Destroying it ends it without a word.
class PatientGet final : public QObject {
    Q_OBJECT

public:
    /// `random` must outlive this.
    PatientGet(PatientGetRequest request, Random &random, QObject *parent = nullptr);
    ~PatientGet() override;

    void start();
    /// Of an answer that cannot be used although it came: asks again, or ends in `failed` with this error.
    void askAgain(const ChargeListError &why);

Q_SIGNALS:
    /// A whole answer that is no trouble of the bank's (408, 425, 429, 5xx but 501). What it means is the taker's
    /// business.
    void answered(const ikkai::HttpAnswer &answer);
    /// No usable answer; the same is asked again after `delayMs`.
    void waiting(const ikkai::ChargeListError &why, qint64 delayMs);
    /// Tries or time have run out, or the bank asks for a longer wait than is left.
    void failed(const ikkai::ChargeListError &error);

private:
    void ask();
    void take(const Transmission &transmission);
    void wait(ChargeListError why, std::optional<qint64> retryAfterMs);

    PatientGetRequest m_request;
    Random &m_random;
    QTimer m_timer;
    QElapsedTimer m_clock;
    int m_tries = 0;
};

} // namespace ikkai
