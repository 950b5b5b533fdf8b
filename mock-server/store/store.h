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

/// Where money and keys are kept. One object serves one thread, the one that made it; every call throws StoreError when
/// the store fails. Destroying a store with an open transaction loses that transaction, as a crash does.
class Store {
public:
    virtual ~Store() = default;

    // Transactions. A transaction holds the right to write from its beginning, so what it has read stays true.
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

    // Accounts.
    virtual QList<Account> accounts() = 0;
    /// Reads an account and keeps others from changing it until the transaction ends.
    virtual std::optional<Account> lockAccount(const QString &source) = 0;
    virtual void putAccount(const Account &account) = 0;
    /// Makes the account if there is none of that name.
    virtual void addAccount(const Account &account) = 0;
    /// Takes the amount if the balance covers it; false, and nothing done, where it does not.
    virtual bool debit(const QString &source, qint64 amountMinor) = 0;

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

    // Money.
    /// The first charge in the ledger under a key, whichever strategy wrote it.
    virtual std::optional<Movement> chargeUnder(const ScopedKey &name) = 0;
    /// Tells the id. StoreConflict where a guarded charge exists under that key.
    virtual qint64 addMovement(const Movement &movement) = 0;
    /// Those with a higher id than `after`, in commit order.
    virtual QList<Movement> movements(qint64 after, int limit) = 0;
    virtual void addOutboxEvent(const OutboxEvent &event) = 0;
    /// The newest first.
    virtual QList<OutboxEvent> outbox(int limit) = 0;
};

} // namespace mockbank
