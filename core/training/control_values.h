#pragma once

#include <QtCore/QJsonObject>
#include <QtCore/QList>
#include <QtCore/QMetaType>
#include <QtCore/QString>

#include <optional>

// What a bank's control API tells (mock-server/README.md), as values.
namespace ikkai {

/// How far a fault came, as the bank knows it: `Seen` is what the terminal showed by what it did next, `NotFired` a
/// rule that ended without.
enum class FaultLight { Armed, Matched, Fired, Seen, Healed, NotFired };

struct FaultStatus {
    QString id;
    QString spec; ///< in the one grammar: `after_commit:hold:next=1`
    FaultLight light = FaultLight::Armed;
    int matched = 0;
    int fired = 0;
    int healed = 0;
    std::optional<int> left; ///< attempts it still takes; none: no limit
    bool live = true;        ///< it may still strike: not disarmed, expired or used up
    QJsonObject data;        ///< everything the bank said of it
    friend bool operator==(const FaultStatus &, const FaultStatus &) = default;
};

/// One thing that happened at the bank.
struct BankLogEntry {
    QString run;     ///< Server-Run-Id
    qint64 n = 0;    ///< counts up within a run
    qint64 atMs = 0; ///< Unix time at the bank
    QString kind;    ///< arrival, claim, commit, answer, cut, fault, ...
    QJsonObject data;
    friend bool operator==(const BankLogEntry &, const BankLogEntry &) = default;
};

/// One movement of money.
struct LedgerMovement {
    enum class Kind { Charge, Reversal };
    qint64 id = 0;
    Kind kind = Kind::Charge;
    QString key; ///< idempotency key; empty where the charge had none
    QString orderId;
    qint64 amountMinor = 0;
    QString currency;
    QString source;
    QString at; ///< as the bank writes it
    friend bool operator==(const LedgerMovement &, const LedgerMovement &) = default;
};

struct LedgerPage {
    QList<LedgerMovement> movements;
    std::optional<qint64> next; ///< `after` of the next page; none: this was the last
    friend bool operator==(const LedgerPage &, const LedgerPage &) = default;
};

struct BankAccount {
    QString source;
    qint64 balanceMinor = 0;
    bool declining = false;
    friend bool operator==(const BankAccount &, const BankAccount &) = default;
};

struct BankState {
    QString strategy;
    QString store;
    QString ledgerId;
    QString runId;
    QList<FaultStatus> faults;
    qint64 arrivals = 0; ///< counters.arrivals: request heads fully read
    QJsonObject data;    ///< everything the bank said
    friend bool operator==(const BankState &, const BankState &) = default;
};

/// Why a call brought nothing.
struct ControlError {
    enum class Kind {
        Unreachable,   ///< nobody listens there
        NoAnswer,      ///< it may have been done
        TokenRefused,  ///< 401
        Forbidden,     ///< 403: Host or Origin
        NotThere,      ///< 404
        NotAccepted,   ///< 400, 422: `member` is what is wrong
        Trouble,       ///< any other status
        NotUnderstood, ///< an answer, but not this API's
    };
    Kind kind = Kind::NoAnswer;
    int status = 0; ///< 0 where no answer came
    QString member;
    QString detail;
    friend bool operator==(const ControlError &, const ControlError &) = default;
};

/// One English sentence.
[[nodiscard]] QString describe(const ControlError &error);

/// The event stream's connection.
enum class ControlLink {
    Off,        ///< not asked for, or the token is refused
    Connecting, ///< the first time, or again
    Following,  ///< events come as they happen
};

} // namespace ikkai

Q_DECLARE_METATYPE(ikkai::FaultStatus)
Q_DECLARE_METATYPE(ikkai::BankLogEntry)
Q_DECLARE_METATYPE(ikkai::LedgerPage)
Q_DECLARE_METATYPE(ikkai::BankAccount)
Q_DECLARE_METATYPE(ikkai::BankState)
Q_DECLARE_METATYPE(ikkai::ControlError)
Q_DECLARE_METATYPE(ikkai::ControlLink)
