#pragma once

#include "core/checkout/retry_policy.h"
#include "core/checkout/verdict.h"
#include "core/domain/clock.h"
#include "core/domain/ids.h"
#include "core/domain/money.h"

#include <QtCore/QByteArray>
#include <QtCore/QMetaType>
#include <QtCore/QString>

#include <optional>
#include <variant>
#include <vector>

namespace ikkai {

/// The states of one checkout. Sending and Waiting are automatic; Unknown, Voiding, VoidPending and KeyMismatch are
/// open; the rest is final.
namespace state {

struct Sending {
    int attempt = 1;
    friend bool operator==(const Sending &, const Sending &) = default;
};

struct Waiting {
    enum class Why { NotSent, NoAnswer, ServerTrouble, StillProcessing };
    int nextAttempt = 2;
    qint64 untilMonotonicMs = 0;
    Why why = Why::NoAnswer;
    friend bool operator==(const Waiting &, const Waiting &) = default;
};

struct Approved {
    SettledBy by = SettledBy::Answer;
    ChargeDetails details;
    int attempt = 0; ///< whose answer settled it; 0 for an inquiry
    friend bool operator==(const Approved &, const Approved &) = default;
};

struct Declined {
    SettledBy by = SettledBy::Answer;
    ChargeDetails details;
    friend bool operator==(const Declined &, const Declined &) = default;
};

struct Refused {
    verdict::Refused problem;
    friend bool operator==(const Refused &, const Refused &) = default;
};

struct NotSent {
    verdict::NotSent::Why why = verdict::NotSent::Why::ConnectionRefused;
    friend bool operator==(const NotSent &, const NotSent &) = default;
};

struct Voided {
    SettledBy by = SettledBy::Answer;
    VoidResult result = VoidResult::Prevented;
    friend bool operator==(const Voided &, const Voided &) = default;
};

struct Unknown {
    enum class Why {
        TriesRanOut,
        BudgetRanOut,
        RetryAfterTooLong,
        KeyTooOld,
        StoredFailure,
        RefusedAfterUnanswered,
        NotTheBanksAnswer,
        AnswerExpired,
        OtherLedger,
        LeftOpen,
        AnotherStarted,
        Restarted,
    };
    Why why = Why::TriesRanOut;
    qint64 sinceWallMs = 0;
    std::optional<qint64> retryAfterMs; ///< RetryAfterTooLong: what the bank asked for
    friend bool operator==(const Unknown &, const Unknown &) = default;
};

/// `theirs` is empty until an inquiry shows the bank's record.
struct KeyMismatch {
    std::optional<inquiry::OtherDetails> theirs;
    QString detail;
    friend bool operator==(const KeyMismatch &, const KeyMismatch &) = default;
};

/// A void is on the wire. From VoidStarted on no charge is sent again, by anyone.
struct Voiding {
    int voidTry = 1;
    friend bool operator==(const Voiding &, const Voiding &) = default;
};

/// The void is not answered yet; the same void follows.
struct VoidPending {
    int nextTry = 2;
    qint64 untilMonotonicMs = 0;
    friend bool operator==(const VoidPending &, const VoidPending &) = default;
};

/// Closed by a supervisor: the outcome was never known.
struct WrittenOff {
    enum class Why { Mismatch, LedgerGone };
    Why why = Why::Mismatch;
    QString reason; ///< the supervisor's words
    friend bool operator==(const WrittenOff &, const WrittenOff &) = default;
};

} // namespace state

using State = std::variant<state::Sending, state::Waiting, state::Approved, state::Declined, state::Refused,
                           state::NotSent, state::Voided, state::Unknown, state::KeyMismatch, state::Voiding,
                           state::VoidPending, state::WrittenOff>;

struct AttemptRecord {
    int number = 0;
    Stamp startedAt;
    std::optional<ChargeVerdict> verdict; ///< none: under way, or its end was never recorded: it counts as unanswered
    int wireSends = 0;
    qint64 elapsedMs = 0;
    friend bool operator==(const AttemptRecord &, const AttemptRecord &) = default;
};

/// The automatic run that is (or was last) under way.
struct Run {
    qint64 startedMonotonicMs = 0;
    int firstAttempt = 1;
    int countedTries = 0; ///< ended tries that count against maxAttempts (all but 409)
    std::optional<qint64> firstConflictMonotonicMs;
    qint64 startedBootMs = 0;     ///< suspension counts towards the ceiling: the customer does not wait through it
    bool forgivesNotSent = false; ///< after a resume the network comes back later than the program: once
    friend bool operator==(const Run &, const Run &) = default;
};

/// The one void of a checkout: its own key and the exact body that every try sends.
struct VoidIntent {
    IdempotencyKey key;
    QByteArray body;
    Stamp startedAt;
    QString overrideReason; ///< a supervisor's words; empty: the cashier's Void safely
    int wireSends = 0;
    std::optional<voiding::Nothing> lastTry; ///< what came of the newest try that brought nothing
    QString heardMeanwhile; ///< outcome word that the bank said of the charge since then; it settles nothing
    friend bool operator==(const VoidIntent &, const VoidIntent &) = default;
};

/// A word of the bank that contradicts a final state. It never overwrites it.
struct Contradiction {
    QString said; ///< outcome word: approved, declined, voided ...
    qint64 atWallMs = 0;
    friend bool operator==(const Contradiction &, const Contradiction &) = default;
};

/// One logical checkout: one order to be paid once. The fold of its events; a plain value, safe to copy to any thread.
struct Checkout {
    // Fixed when it started.
    IdempotencyKey key;
    OrderId order;
    Money money;
    SourceId source;
    QString terminalId;
    QByteArray body; ///< the exact bytes every attempt sends
    QString bankAt;  ///< URL, or `embedded`
    RetryPolicy policy;
    Stamp startedAt;
    QString startedBootId;
    std::optional<IdempotencyKey> replaces; ///< the open checkout of this order that a supervisor overrode
    QString overrideReason;                 ///< the supervisor's words, unless the void of that one tells them

    // Learned on the way.
    QString ledgerId;                 ///< empty until the bank has told it; then every request expects it
    qint64 keyTtlMs = 24 * 3'600'000; ///< the bank's Idempotency-Key-TTL
    std::vector<AttemptRecord> attempts;
    Run run;
    bool inquiryUnderWay = false;
    std::optional<qint64> oldestBankDateMs;
    std::optional<qint64> newestBankDateMs;
    std::optional<Contradiction> contradiction;
    std::optional<VoidIntent> voidIntent; ///< from VoidStarted on
    std::optional<qint64> settledWallMs;  ///< when it became final
    bool bootIsTheSame = true;            ///< no restart onto another boot since it started
    int nextSeq = 1;                      ///< sequence number of its next event
    qint64 updatedWallMs = 0;

    State state;

    friend bool operator==(const Checkout &, const Checkout &) = default;
};

[[nodiscard]] bool isAutomatic(const State &state); ///< Sending, Waiting
[[nodiscard]] bool isOpen(const State &state);    ///< not final: automatic, Unknown, KeyMismatch, Voiding, VoidPending
[[nodiscard]] bool isVoiding(const State &state); ///< Voiding, VoidPending
[[nodiscard]] bool isFinal(const State &state);

/// approved, declined, refused, not_sent, voided, written_off, unknown, key_mismatch, voiding, void_pending, sending,
/// waiting.
[[nodiscard]] QString outcomeWord(const State &state);

/// Every attempt that was recorded has the recorded result NotSent (so nothing can have been charged).
[[nodiscard]] bool everyAttemptNotSent(const Checkout &checkout);
[[nodiscard]] int totalWireSends(const Checkout &checkout);

/// The largest of: wall clock now minus start, newest minus oldest bank Date, boot clock elapsed (same boot only).
/// A start that lies in the future counts as older than anything (std::numeric_limits<qint64>::max()).
[[nodiscard]] qint64 keyAgeMs(const Checkout &checkout, const Stamp &now);
/// No charge POST from here on: age >= min(23 h, 95 % of the bank's TTL).
[[nodiscard]] bool keyTooOld(const Checkout &checkout, const Stamp &now);

} // namespace ikkai

Q_DECLARE_METATYPE(ikkai::Checkout)
