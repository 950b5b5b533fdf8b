#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QHashFunctions>
#include <QtCore/QString>

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

enum class KeyState {
    Claimed, ///< being worked on, or left behind by a crash
    Finished,
};

struct KeyRecord {
    KeyState state = KeyState::Claimed;
    Claim claim;
    Verdict verdict; ///< KeyState::Finished
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

/// Something to tell the world, written in the transaction of the movement it tells of.
struct OutboxEvent {
    qint64 id = 0; ///< given by the store
    qint64 movementId = 0;
    QByteArray topic;
    QByteArray payload; ///< JSON
    qint64 createdAtMs = 0;
};

} // namespace mockbank
