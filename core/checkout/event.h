#pragma once

#include "core/checkout/checkout.h"

namespace ikkai {

/// What can happen to a checkout. Each is appended to the journal and committed before any of its commands runs.
namespace event {

struct CheckoutStarted {
    IdempotencyKey key;
    OrderId order;
    Money money;
    SourceId source;
    QString terminalId;
    QByteArray body;
    QString bankAt;
    QString ledgerId; ///< empty where the bank is not known yet
    qint64 keyTtlMs = 24 * 3'600'000;
    RetryPolicy policy;
    QString bootId;
    std::optional<IdempotencyKey> replaces = {}; ///< the open checkout of this order that a supervisor overrode
    QString overrideReason = {}; ///< the supervisor's words, where the void of that one stood in its journal already
    friend bool operator==(const CheckoutStarted &, const CheckoutStarted &) = default;
};

/// The bank told its Ledger-Id and TTL: the attempt that waited for that may be transmitted.
struct BankLearned {
    int attempt = 1;
    QString ledgerId;
    qint64 keyTtlMs = 24 * 3'600'000;
    friend bool operator==(const BankLearned &, const BankLearned &) = default;
};

struct AttemptEnded {
    int attempt = 1;
    ChargeVerdict verdict;
    int wireSends = 0;
    qint64 elapsedMs = 0;
    quint32 jitterDraw = 0;           ///< 32 random bits for the delay that may follow
    std::optional<qint64> bankDateMs; ///< Date of the answer
    friend bool operator==(const AttemptEnded &, const AttemptEnded &) = default;
};

/// A complete answer to an attempt that had been given up at its deadline.
struct LateAnswer {
    int attempt = 1;
    ChargeVerdict verdict;
    std::optional<qint64> bankDateMs;
    friend bool operator==(const LateAnswer &, const LateAnswer &) = default;
};

struct WaitElapsed {
    int nextAttempt = 2;
    friend bool operator==(const WaitElapsed &, const WaitElapsed &) = default;
};

struct InquiryStarted {
    friend bool operator==(const InquiryStarted &, const InquiryStarted &) = default;
};

struct InquiryEnded {
    InquiryVerdict verdict;
    std::optional<qint64> bankDateMs;
    friend bool operator==(const InquiryEnded &, const InquiryEnded &) = default;
};

/// The cashier's Try again: the same charge, the same key, a new automatic run.
struct TriedAgain {
    RetryPolicy policy;
    friend bool operator==(const TriedAgain &, const TriedAgain &) = default;
};

struct LeftOpen {
    friend bool operator==(const LeftOpen &, const LeftOpen &) = default;
};

struct AnotherStarted {
    friend bool operator==(const AnotherStarted &, const AnotherStarted &) = default;
};

struct Restarted {
    QString bootId;
    friend bool operator==(const Restarted &, const Restarted &) = default;
};

/// The point of no return: from here on only this void is sent, until the bank has answered it.
struct VoidStarted {
    IdempotencyKey voidKey;
    QByteArray body;
    QString overrideReason; ///< a supervisor's words; empty: the cashier's Void safely
    friend bool operator==(const VoidStarted &, const VoidStarted &) = default;
};

struct VoidEnded {
    int voidTry = 1;
    VoidVerdict verdict;
    int wireSends = 0;
    qint64 elapsedMs = 0;
    quint32 jitterDraw = 0; ///< 32 random bits for the delay that may follow
    std::optional<qint64> bankDateMs;
    friend bool operator==(const VoidEnded &, const VoidEnded &) = default;
};

/// Time for the next try of the void, or the bank is there again.
struct VoidWaitElapsed {
    int nextTry = 2;
    friend bool operator==(const VoidWaitElapsed &, const VoidWaitElapsed &) = default;
};

/// The machine was suspended and runs again.
struct Resumed {
    qint64 suspendedMs = 0;
    quint32 jitterDraw = 0; ///< 32 random bits for the wait that is planned anew
    friend bool operator==(const Resumed &, const Resumed &) = default;
};

/// A supervisor closes what nobody can settle.
struct WrittenOff {
    state::WrittenOff::Why why = state::WrittenOff::Why::Mismatch;
    QString reason;
    friend bool operator==(const WrittenOff &, const WrittenOff &) = default;
};

} // namespace event

using EventBody = std::variant<event::CheckoutStarted, event::BankLearned, event::AttemptEnded, event::LateAnswer,
                               event::WaitElapsed, event::InquiryStarted, event::InquiryEnded, event::TriedAgain,
                               event::LeftOpen, event::AnotherStarted, event::Restarted, event::VoidStarted,
                               event::VoidEnded, event::VoidWaitElapsed, event::Resumed, event::WrittenOff>;

struct Event {
    Stamp at;
    EventBody body;
    friend bool operator==(const Event &, const Event &) = default;
};

/// CheckoutStarted, BankLearned, ... as the journal's `type`.
[[nodiscard]] QString eventName(const EventBody &body);

} // namespace ikkai
