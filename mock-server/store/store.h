#pragma once

#include "mock-server/bank/account.h"
#include "mock-server/store/records.h"

#include <QtCore/QByteArray>
#include <QtCore/QList>
#include <QtCore/QString>

#include <optional>
#include <stdexcept>

namespace mockbank {

/// The store could not do what it was told; the open transaction is worthless. One line, naming the store.
class StoreError : public std::runtime_error {
public:
    explicit StoreError(const QString &line)
        : std::runtime_error(line.toStdString())
    {
    }
};

/// A uniqueness rule of the store refused a row. Only what was written since the last savepoint is worthless.
class StoreConflict : public StoreError {
public:
    using StoreError::StoreError;
};

/// Another writer was in the way (a serialization failure, a deadlock). Everything since `begin` is undone; the whole
/// transaction may be tried again.
class StoreBusy : public StoreError {
public:
    using StoreError::StoreError;
};

/// Where money and keys are kept. One object serves one thread, the one that made it; every call throws StoreError when
/// the store fails. Destroying a store with an open transaction loses that transaction, as a crash does.
class Store {
public:
    virtual ~Store() = default;

    // Transactions. At a store of one writer a transaction holds the right to write from its beginning, so what it has
    // read stays true. At a store that several banks share only what it has written or locked stays; the calls below
    // that tell false do so where another bank was first.
    virtual void begin() = 0;
    /// Makes everything since `begin` durable. False where nothing had been written, so that no disk was touched.
    virtual bool commit() = 0;
    virtual void rollback() = 0;
    // Savepoints nest; each is ended by exactly one of the other two.
    virtual void savepoint() = 0;
    virtual void releaseSavepoint() = 0;
    virtual void rollbackToSavepoint() = 0; ///< and ends it

    /// Holds the instance's lock for as long as this object lives. False where another holder lives.
    virtual bool holdInstance(const QByteArray &instance) = 0;

    /// Made with the ledger (by `suggested`, the first time) and kept with it.
    virtual QByteArray ledgerId(const QByteArray &suggested) = 0;
    /// Forgets money, keys, voids, outbox and clock setting; the accounts are emptied away too. The ledger gets the new
    /// id. For `POST /control/reset`.
    virtual void resetLedger(const QByteArray &newLedgerId) = 0;

    // Time. A store that several banks share has a clock of its own, which they all go by.
    /// Milliseconds since 1970 in UTC on the store's own clock; nothing for a store without one (SQLite).
    virtual std::optional<qint64> ownClockMs() = 0;
    virtual ClockSetting clockSetting() = 0;
    virtual void setClock(const ClockSetting &setting) = 0;

    // Accounts.
    virtual QList<Account> accounts() = 0;
    /// Reads an account and keeps others from changing it until the transaction ends.
    virtual std::optional<Account> lockAccount(const QString &source) = 0;
    virtual void putAccount(const Account &account) = 0;
    /// Makes the account if there is none of that name.
    virtual void addAccount(const Account &account) = 0;
    /// Takes the amount if the balance covers it; false, and nothing done, where it does not.
    virtual bool debit(const QString &source, qint64 amountMinor) = 0;
    /// Gives the amount back; tells the new balance. Nothing where there is no such account.
    virtual std::optional<qint64> credit(const QString &source, qint64 amountMinor) = 0;

    // Keys.
    virtual std::optional<KeyRecord> key(const ScopedKey &name) = 0;
    /// False where the key has a record already.
    virtual bool addClaim(const Claim &claim) = 0;
    /// Puts `next` in the place of `old` if the record is still exactly that claim.
    virtual bool takeOverClaim(const Claim &old, const Claim &next) = 0;
    // The next three act only while the record is the claim of that owner, epoch and fingerprint.
    virtual bool renewClaim(const Claim &claim, qint64 leaseUntilMs) = 0;
    virtual bool deleteClaim(const Claim &claim) = 0;
    virtual bool finishClaim(const Claim &claim, const Verdict &verdict) = 0;
    /// Ends the leases of earlier runs of an instance, of which `living` is the current one. Tells how many.
    virtual int endLeases(const ClaimOwner &living) = 0;
    /// The newest first.
    virtual QList<KeyRecord> keys(int limit) = 0;

    /// Writes a finished answer whatever was there: how strategies without claims remember. A void stays: false then.
    virtual bool putAnswer(const ScopedKey &name, const QByteArray &fingerprint, const Verdict &verdict) = 0;
    /// Makes a tombstone of a key without a record; false where it has one.
    virtual bool addTombstone(const ScopedKey &name, const VoidMark &mark) = 0;
    /// Makes a tombstone of exactly that (lapsed) claim; false where the record is another by now.
    virtual bool voidClaim(const Claim &claim, const VoidMark &mark) = 0;
    /// Marks a finished key voided; the stored answer goes. False where it is not finished.
    virtual bool voidFinished(const ScopedKey &name, const VoidMark &mark) = 0;
    /// Lapsed claims, the longest lapsed first.
    virtual QList<KeyRecord> lapsedClaims(qint64 nowMs, int limit) = 0;
    /// Forgets answers that have outlived their time: of an approved key the whole record (the ledger knows it), of a
    /// declined one the body. Void keys too. Tells the swept charge keys. Tombstones and void marks stay.
    virtual QList<ScopedKey> sweepAnswers(qint64 nowMs, int limit) = 0;
    /// Lets the answer of one key end now; false where there is no finished record.
    virtual bool expireAnswer(const ScopedKey &name, qint64 nowMs) = 0;

    // Voids.
    virtual std::optional<VoidKey> voidKey(const ScopedKey &name) = 0;
    virtual bool addVoidKey(const VoidKey &key) = 0; ///< false where it exists

    // Money.
    /// The first charge in the ledger under a key, whichever strategy wrote it.
    virtual std::optional<Movement> chargeUnder(const ScopedKey &name) = 0;
    /// Tells a number by which events of the same transaction refer to it; the id that readers see may be given only at
    /// the commit. StoreConflict where a guarded charge exists under that key.
    virtual qint64 addMovement(const Movement &movement) = 0;
    /// Those with a higher id than `after`, in commit order.
    virtual QList<Movement> movements(qint64 after, int limit) = 0;
    virtual std::optional<Movement> chargeById(const QByteArray &chargeId) = 0;
    virtual std::optional<Movement> reversalOf(const QByteArray &chargeId) = 0;
    virtual QList<ChargeRow> charges(const ChargeFilter &filter) = 0;

    // Outbox.
    /// Tells of a movement of this transaction, by the number that `addMovement` told.
    virtual void addOutboxEvent(const OutboxEvent &event) = 0;
    /// Those with a higher id than `after`, in the order of their ids.
    virtual QList<OutboxEvent> outbox(qint64 after, int limit, OutboxRows rows) = 0;
    struct OutboxCount {
        qint64 pending = 0;
        qint64 delivered = 0;
        std::optional<qint64> oldestPendingAtMs; ///< created then
    };
    virtual OutboxCount countOutbox() = 0;
    /// Takes, or still has, the right to publish: one publisher at a time at one store, for as long as this object
    /// lives. False where another one has it.
    virtual bool holdPublisher() = 0;
    /// What is due now: of every order id only its oldest undelivered event, the oldest first.
    virtual QList<OutboxEvent> dueOutbox(qint64 nowMs, int limit) = 0;
    /// Lets every undelivered event be due at once: a new publisher goes by a clock of its own.
    virtual void outboxDueAgain() = 0;
    virtual void outboxDelivered(qint64 id, qint64 atMs) = 0;
    virtual void outboxFailed(qint64 id, qint64 nextAttemptAtMs, const QString &error) = 0;
};

} // namespace mockbank
