#pragma once

#include "core/domain/ids.h"

#include <QtCore/QByteArray>
#include <QtCore/QString>

#include <variant>

namespace ikkai {

/// What a step asks the edges to do, after its event is on disk.
namespace command {

/// Ask the bank for its Ledger-Id and TTL; ends as BankLearned or as AttemptEnded(NotSent).
struct LearnBank {
    AttemptId attempt;
    qint64 deadlineMs = 0; ///< from now
    friend bool operator==(const LearnBank &, const LearnBank &) = default;
};

/// Transmit the charge exactly once.
struct SendCharge {
    AttemptId attempt;
    QByteArray body;
    QString expectLedger;
    qint64 deadlineMs = 0; ///< from now, total
    friend bool operator==(const SendCharge &, const SendCharge &) = default;
};

struct StartWait {
    IdempotencyKey key;
    int nextAttempt = 2;
    qint64 untilMonotonicMs = 0;
    friend bool operator==(const StartWait &, const StartWait &) = default;
};

struct SendInquiry {
    IdempotencyKey key;
    QString expectLedger;
    qint64 deadlineMs = 0;
    friend bool operator==(const SendInquiry &, const SendInquiry &) = default;
};

/// Transmit the void exactly once; ends as VoidEnded.
struct SendVoid {
    IdempotencyKey key; ///< of the checkout
    IdempotencyKey voidKey;
    int voidTry = 1;
    QByteArray body;
    QString expectLedger;
    qint64 deadlineMs = 0; ///< from now, total
    friend bool operator==(const SendVoid &, const SendVoid &) = default;
};

struct StartVoidWait {
    IdempotencyKey key; ///< of the checkout
    int nextTry = 2;
    qint64 untilMonotonicMs = 0;
    friend bool operator==(const StartVoidWait &, const StartVoidWait &) = default;
};

} // namespace command

using Command = std::variant<command::LearnBank, command::SendCharge, command::StartWait, command::SendInquiry,
                             command::SendVoid, command::StartVoidWait>;

} // namespace ikkai
