#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QHashFunctions>
#include <QtCore/QString>

#include <optional>

namespace mockbank {

/// What a charge is about, as the client asked for it.
struct ChargeDetails {
    QString orderId;
    qint64 amountMinor = 0;
    QByteArray currency;
    QString source;
    QString terminalId; ///< empty where the client sent none
};

/// Under which name an idempotency key is looked up: merchant + method + path, and the key itself.
struct ScopedKey {
    QByteArray scope;
    QByteArray key;
    bool operator==(const ScopedKey &) const = default;
};

inline size_t qHash(const ScopedKey &name, size_t seed = 0)
{
    return qHashMulti(seed, name.scope, name.key);
}

/// Who works on a key: an instance of the bank (held by a lock) and one run of it.
struct ClaimOwner {
    QByteArray instance;
    QByteArray run;
    bool operator==(const ClaimOwner &) const = default;
};

/// The right to work on a key, as committed. A later claim of the same key has a higher epoch.
struct Claim {
    ScopedKey name;
    ClaimOwner owner;
    qint64 epoch = 1;
    qint64 leaseUntilMs = 0;
    QByteArray fingerprint;
    qint64 claimedAtMs = 0;
};

/// What became of a key, stored in the same transaction as the money.
struct Verdict {
    int status = 0;  ///< HTTP status of the answer: 201 or 402
    QByteArray body; ///< as sent; empty once swept
    QByteArray chargeId;
    ChargeDetails details;
    QByteArray declineCode; ///< empty where approved
    qint64 balanceMinor = 0;
    qint64 answeredAtMs = 0;
    qint64 expiresAtMs = 0;
};

/// What a void found, and made of it.
enum class VoidResult {
    Reversed,   ///< was approved: the money went back
    Prevented,  ///< had never been seen: the key is a tombstone, a late arrival is answered 410
    NotCharged, ///< was declined
};

/// What is told of a voided key, for ever: the first void's result, its time and the details it named.
struct VoidMark {
    VoidResult result = VoidResult::Prevented;
    qint64 atMs = 0;
    QString orderId;
    qint64 amountMinor = 0;
    QByteArray currency;
    bool operator==(const VoidMark &) const = default;
};

enum class KeyState {
    Claimed, ///< being worked on, or left behind by a crash
    Finished,
    Voided, ///< a tombstone, or a finished key that was voided; never leaves this state
};

struct KeyRecord {
    KeyState state = KeyState::Claimed;
    Claim claim;     ///< owner and lease mean something while Claimed; a tombstone has no fingerprint
    Verdict verdict; ///< KeyState::Finished; a swept decline has no body any more
    VoidMark mark;   ///< KeyState::Voided
};

/// The key a void was sent under, so that the same key with another body can be told apart. Swept like an answer.
struct VoidKey {
    ScopedKey name;
    QByteArray fingerprint;
    ScopedKey original;
    qint64 expiresAtMs = 0;
};

enum class MovementKind { Charge, Reversal };

/// One movement of money. Never changed, never deleted.
struct Movement {
    qint64 id = 0; ///< given by the store, rising in commit order
    MovementKind kind = MovementKind::Charge;
    QByteArray chargeId;
    ScopedKey name;
    /// Written under a claim: the store lets only one such charge exist for each key. Unsafe strategies write outside.
    bool guarded = true;
    QByteArray fingerprint;
    ChargeDetails details;
    qint64 balanceMinor = 0; ///< of the source, afterwards
    qint64 atMs = 0;
};

/// A charge as reconciliation sees it: one row for each charge made, with its reversal.
struct ChargeRow {
    Movement charge;
    std::optional<Movement> reversal;
};

/// Which charges to list: those of one scope with a higher movement id than `after`, in commit order.
struct ChargeFilter {
    QByteArray scope;
    qint64 after = 0;
    int limit = 100;
    QString terminalId;             ///< empty: all
    std::optional<qint64> fromMs;   ///< inclusive
    std::optional<qint64> beforeMs; ///< exclusive
};

/// How the bank's clock stands to the clock it is read from; kept in the store, so that several banks agree.
struct ClockSetting {
    qint64 offsetMs = 0;
    std::optional<qint64> frozenAtMs; ///< the bank's time, standing still
    bool operator==(const ClockSetting &) const = default;
};

/// Something to tell the world, written in the transaction of the movement it tells of.
struct OutboxEvent {
    qint64 id = 0; ///< given by the store
    qint64 movementId = 0;
    QByteArray topic;
    QByteArray payload; ///< JSON
    qint64 createdAtMs = 0;
    QString orderId;                     ///< events of one order are delivered in the order of their ids
    int attempts = 0;                    ///< deliveries tried
    qint64 nextAttemptAtMs = 0;          ///< not before then, on the clock of the publisher that set it; 0: at once
    QString lastError;                   ///< of the last failed delivery
    std::optional<qint64> deliveredAtMs; ///< on the publisher's clock
};

enum class OutboxRows {
    All,
    Pending, ///< not delivered yet
};

} // namespace mockbank
