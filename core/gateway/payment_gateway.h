#pragma once

#include "core/domain/ids.h"
#include "core/domain/result.h"
#include "core/gateway/transmission.h"

#include <QtCore/QByteArray>
#include <QtCore/QString>

#include <vector>

namespace ikkai {

/// What `GET /healthz` tells of a bank.
struct BankIdentity {
    QString ledgerId;
    qint64 keyTtlMs = 24 * 3'600'000;
    bool authorized = true; ///< false: our API key is refused there
    friend bool operator==(const BankIdentity &, const BankIdentity &) = default;
};

/// One POST of a charge. The gateway cannot make a key: it has to be given one.
struct ChargeTransmission {
    AttemptId attempt;
    QByteArray body;
    QString expectLedger;
    qint64 deadlineMs = 3'000; ///< total, from the call
};

/// One POST of a void, with its own key.
struct VoidTransmission {
    IdempotencyKey key; ///< of the checkout: reports come back under it
    IdempotencyKey voidKey;
    int voidTry = 1;
    QByteArray body;
    QString expectLedger;
    qint64 deadlineMs = 3'000; ///< total, from the call
};

struct InquiryTransmission {
    IdempotencyKey key;
    QString expectLedger;
    qint64 deadlineMs = 3'000;
};

/// What a gateway reports. All calls come on the gateway's thread, never from inside the call that caused them.
class GatewaySink {
public:
    virtual ~GatewaySink() = default;
    /// The error is how the exchange ended when it was no usable answer.
    virtual void bankLearned(const Result<BankIdentity, Transmission> &identity) = 0;
    /// Exactly one per charge().
    virtual void attemptEnded(const AttemptId &attempt, const Transmission &transmission) = 0;
    /// At most one per charge(), only after DeadlinePassed, only for a complete answer.
    virtual void lateAnswer(const AttemptId &attempt, const Transmission &transmission) = 0;
    /// Exactly one per inquire().
    virtual void inquiryEnded(const IdempotencyKey &key, const Transmission &transmission) = 0;
    /// Exactly one per voidCharge(), under the checkout's key.
    virtual void voidEnded(const IdempotencyKey &key, int voidTry, const Transmission &transmission) = 0;
};

/// The way to the bank: values in, values out, one transmission per charge() and voidCharge(). Lives on one thread.
class PaymentGateway {
public:
    virtual ~PaymentGateway() = default;
    virtual void setSink(GatewaySink *sink) = 0;

    virtual void learnBank(qint64 deadlineMs) = 0;
    virtual void charge(const ChargeTransmission &transmission) = 0;
    virtual void inquire(const InquiryTransmission &transmission) = 0;
    virtual void voidCharge(const VoidTransmission &transmission) = 0;

    /// Reports at once whatever has come in and was not reported yet (attempts that ended, late answers). Called
    /// before an unknown outcome is put on the screen.
    virtual void drain() = 0;
};

} // namespace ikkai
