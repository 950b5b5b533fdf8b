#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QString>

#include <optional>
#include <variant>

namespace ikkai {

/// By what word a checkout was settled.
enum class SettledBy { Answer, Replay, Inquiry, Void };

enum class VoidResult { Reversed, Prevented, NotCharged };

/// What the bank says of a charge it knows, echoes checked.
struct ChargeDetails {
    QString bankChargeId;
    QString declineCode;  ///< of a decline, else empty
    QString requestId;    ///< Request-Id of the answer
    QString originalDate; ///< Original-Date of a replay, as sent; else empty
    friend bool operator==(const ChargeDetails &, const ChargeDetails &) = default;
};

/// What one attempt's answer means: the right-hand side of the table "what the terminal makes of an answer".
/// Made by `classify`, nowhere else.
namespace verdict {

/// Nothing of the charge was transmitted.
struct NotSent {
    enum class Why { ConnectionRefused, HostNotFound, TlsFailed, BankNotLearned, ApiKeyRefused, OtherLedger };
    Why why = Why::ConnectionRefused;
    friend bool operator==(const NotSent &, const NotSent &) = default;
};

/// It may have been charged.
struct NoAnswer {
    enum class Why { DeadlinePassed, ConnectionLost, ResendPrevented, AnswerCut, NotTheBanksAnswer };
    Why why = Why::DeadlinePassed;
    QString detail; ///< what was odd, for details and logs
    friend bool operator==(const NoAnswer &, const NoAnswer &) = default;
};

struct Approved {
    SettledBy by = SettledBy::Answer;
    ChargeDetails details;
    friend bool operator==(const Approved &, const Approved &) = default;
};

struct Declined {
    SettledBy by = SettledBy::Answer;
    ChargeDetails details;
    friend bool operator==(const Declined &, const Declined &) = default;
};

struct Voided {
    SettledBy by = SettledBy::Answer;
    VoidResult result = VoidResult::Prevented;
    friend bool operator==(const Voided &, const Voided &) = default;
};

/// 409 in-progress: the bank is working on this very key.
struct StillProcessing {
    std::optional<qint64> retryAfterMs;
    friend bool operator==(const StillProcessing &, const StillProcessing &) = default;
};

/// The key stands for other details at the bank.
struct KeyMismatch {
    QString detail;
    friend bool operator==(const KeyMismatch &, const KeyMismatch &) = default;
};

/// 408, 425, 429, 5xx: it may have been charged.
struct ServerTrouble {
    int status = 0;
    std::optional<qint64> retryAfterMs;
    friend bool operator==(const ServerTrouble &, const ServerTrouble &) = default;
};

/// A trouble that was stored and is replayed: asking again brings nothing new.
struct StoredFailure {
    int status = 0;
    friend bool operator==(const StoredFailure &, const StoredFailure &) = default;
};

/// Not executed, for a reason that lies in the bytes alone.
struct Refused {
    int status = 0;
    QString problemType; ///< without the urn prefix, as in `bad-field`
    QString field;       ///< the member the bank complained about, if it said
    QString detail;
    friend bool operator==(const Refused &, const Refused &) = default;
};

/// An answer that decides nothing: refused after an unanswered attempt, or not the bank speaking.
struct Unclear {
    enum class Why { RefusedAfterUnanswered, NotTheBanksAnswer, AnswerExpired };
    Why why = Why::NotTheBanksAnswer;
    int status = 0;
    friend bool operator==(const Unclear &, const Unclear &) = default;
};

/// 421, or a Ledger-Id that is not the recorded one.
struct OtherLedger {
    QString theirs;
    friend bool operator==(const OtherLedger &, const OtherLedger &) = default;
};

} // namespace verdict

using ChargeVerdict =
    std::variant<verdict::NotSent, verdict::NoAnswer, verdict::Approved, verdict::Declined, verdict::Voided,
                 verdict::StillProcessing, verdict::KeyMismatch, verdict::ServerTrouble, verdict::StoredFailure,
                 verdict::Refused, verdict::Unclear, verdict::OtherLedger>;

/// What an inquiry's answer means. Only Approved, Declined and Voided settle.
namespace inquiry {
struct Nothing {
    enum class Why { InProgress, NeverSeen, NoAnswer, NotTheBanksAnswer, ServerTrouble, OtherLedger };
    Why why = Why::NoAnswer;
    friend bool operator==(const Nothing &, const Nothing &) = default;
};
/// The bank's record under this key has another order, amount or currency.
struct OtherDetails {
    QString orderId;
    qint64 amountMinor = 0;
    QString currency;
    friend bool operator==(const OtherDetails &, const OtherDetails &) = default;
};
} // namespace inquiry

using InquiryVerdict =
    std::variant<verdict::Approved, verdict::Declined, verdict::Voided, inquiry::OtherDetails, inquiry::Nothing>;

/// What the answer to a void means. Only Settled settles, and Mismatch ends the tries; the rest is tried again with the
/// same void key.
namespace voiding {
struct Settled {
    VoidResult result = VoidResult::Prevented;
    QString requestId; ///< Request-Id of the answer
    friend bool operator==(const Settled &, const Settled &) = default;
};
/// The bank's record of the charge has other details: nothing was moved.
struct Mismatch {
    QString detail;
    friend bool operator==(const Mismatch &, const Mismatch &) = default;
};
struct Nothing {
    enum class Why { InProgress, NotSent, NoAnswer, NotTheBanksAnswer, ServerTrouble, Refused, OtherLedger };
    Why why = Why::NoAnswer;
    int status = 0; ///< of the answer; 0 where there was none
    std::optional<qint64> retryAfterMs;
    friend bool operator==(const Nothing &, const Nothing &) = default;
};
} // namespace voiding

/// The bank has no voids at all: the void stays pending, but not for trouble that passes.
[[nodiscard]] inline bool saysNoVoids(const voiding::Nothing &nothing)
{
    return nothing.status == 501 || nothing.status == 405;
}

using VoidVerdict = std::variant<voiding::Settled, voiding::Mismatch, voiding::Nothing>;

} // namespace ikkai
