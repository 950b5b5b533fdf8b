#pragma once

#include "mock-server/bank/account.h"
#include "mock-server/bank/answer.h"
#include "mock-server/bank/arrival.h"
#include "mock-server/bank/clock.h"
#include "mock-server/bank/outbox_desk.h"

#include <QtCore/QByteArray>
#include <QtCore/QJsonObject>
#include <QtCore/QList>
#include <QtCore/QString>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace mockbank {

class IdSource;
class MemoryKeyLock;
class MemoryStore;
class Store;
struct OutboxEvent;

/// What becomes of a charge key whose answer has outlived its time.
enum class ExpiredKeys {
    Refuse, ///< 410, and nothing is executed
    Rerun,  ///< executed once more: a second charge is possible
};

struct BankOptions {
    QString store = QStringLiteral("sqlite::memory:"); ///< `sqlite:FILE`, `sqlite::memory:` or `postgres://...`
    QString strategy = QStringLiteral("atomic");       ///< `naive`, `check_then_act`, `redis_lock` or `atomic`
    QString instance = QStringLiteral("bank-1");       ///< owner of claims, together with the run id
    std::chrono::milliseconds keyTtl = std::chrono::hours(24);
    std::chrono::milliseconds lease = std::chrono::seconds(10);
    std::chrono::milliseconds processing{0}; ///< time between the claim and the charging step
    int mismatchStatus = 422;                ///< 400, 409 or 422: the same key with another fingerprint
    QList<Account> accounts;                 ///< made if the store does not have them yet
    QString redis; ///< `redis_lock`: as in redis_key_lock.h; empty: in this process, on the bank's clock
    std::chrono::milliseconds redisLock = std::chrono::minutes(10); ///< `redis_lock`: how long a lock holds
    // Lessons, off by default: what `atomic` could do instead, and why it does not.
    bool recheckDeclines = false; ///< a stored decline is judged anew
    ExpiredKeys expiredKeys = ExpiredKeys::Refuse;
    bool cache5xx = false; ///< the 500 of a charge that was rolled back is kept under its key

    /// The money of a store in memory. Left empty, `open` makes new memory and puts it into `Bank::options()`; opening
    /// again with a copy of those options after the first Bank was destroyed is how a store in memory outlives a crash.
    std::shared_ptr<MemoryStore> memory;
    /// The locks of `redis_lock` in this process; made and kept as `memory` is.
    std::shared_ptr<MemoryKeyLock> keyLock;
    std::shared_ptr<Clock> clock;  ///< the machine's own where empty
    std::shared_ptr<IdSource> ids; ///< random where empty
    /// Opens the store, on the ledger thread, at the start and after a failed commit; may throw StoreError. Left empty,
    /// what `store` names is opened. For tests that let the store fail.
    std::function<std::unique_ptr<Store>()> openStore;
};

/// The bank behind the network: accounts, ledger, idempotency. All calls are safe from any thread and never block on
/// the disk: work runs on one ledger thread with group commit, and every callback runs on that thread.
///
/// A Bank that is destroyed answers nothing more: callbacks of unfinished work are dropped, its open transaction is
/// lost, exactly as in a crash. `close` finishes what is running first, without waiting for `processing` to pass.
/// Neither may be called from a callback or an observer: they wait for the ledger thread.
class Bank {
public:
    /// Opens the store and starts the ledger thread. On failure returns null and `error` says why, naming the file.
    /// Refuses an instance that lives at this store already, in this process or another.
    [[nodiscard]] static std::unique_ptr<Bank> open(const BankOptions &options, QString *error);
    ~Bank();

    /// Where BankEvents go; called on the ledger thread, after the commit they speak of. Set before the first arrival.
    void setObserver(std::function<void(const BankEvent &)> observer);

    /// Where the unsafe strategies publish what happened, directly and not through the outbox: `naive` before its
    /// commit, the other two after it. Called on the ledger thread, which waits for it. Set before the first arrival.
    void setDirectPublisher(std::function<void(const OutboxEvent &)> publish);

    /// Charges that arrive from now on run under this strategy, those that are running end under the one they began
    /// with; inquiries and voids go by the new one. Tells which was in force before; nothing, and nothing changes,
    /// where there is no strategy of that name.
    void setStrategy(const QString &name, std::function<void(std::optional<QString> was)> done);

    // Answered on the ledger thread, after the commit.
    void charge(ChargeArrival arrival, std::function<void(Answer)> done);
    void inquire(InquiryArrival arrival, std::function<void(Answer)> done);
    void voidCharge(VoidArrival arrival, std::function<void(Answer)> done);
    void list(ListArrival arrival, std::function<void(Answer)> done);

    /// Finishes running work, then stops the ledger thread.
    void close();

    /// Made with the ledger, kept with it, new after a reset (here or by a bank that shares the store): ask anew for
    /// every answer that tells it.
    QString ledgerId() const;
    QString runId() const;       ///< new at every open
    BankOptions options() const; ///< `strategy` is the one in force

    /// The bank's clock as of the last look into the store. Leases, times to live, `created_at` and Date headers go by
    /// it. `--processing` and the intervals of sweep and renewal do not: they run on Clock::elapsedMs, so that a frozen
    /// bank still finishes what it has begun.
    ClockState clock() const;
    qint64 nowMs() const; ///< clock().nowMs
    /// Kept in the store, so that all banks at it agree; sweeps afterwards. Answers nothing where the store is away or
    /// the clock would go more than maxClockOffsetMs from the true time.
    void setClock(ClockChange change, std::function<void(std::optional<ClockState>)> done);

    /// Sets the clock right; with `ledgerToo` forgets money, keys, voids and outbox too: the ledger gets a new id and
    /// the accounts of the options, and the run goes on. What is running then is answered 503. Answers the ledger's id,
    /// nothing where the store is away.
    void reset(bool ledgerToo, std::function<void(std::optional<QString>)> done);

    // What the control API shows and sets.
    void listAccounts(std::function<void(QList<Account>)> done);
    /// Answers what is now in the store; an account without name where this one has no name or a balance out of range.
    void putAccount(Account account, std::function<void(Account)> done);
    /// `after` is the last id seen, 0 for the start. Answers {"movements":[...],"next":id or null}.
    void listMovements(qint64 after, int limit, std::function<void(QJsonObject)> done);
    /// {"keys":[...],"truncated":bool}, the newest first.
    void listKeys(std::function<void(QJsonObject)> done);
    /// {"events":[...],"next":id or null,"pending","delivered","oldest_pending_ms"}, in the order of their ids.
    void listOutbox(qint64 after, int limit, OutboxRows rows, std::function<void(QJsonObject)> done);
    /// What LedgerCounters counts, by names like `voids_reversed`, and "running"; "outbox": {"pending","delivered",
    /// "oldest_pending_ms"}, null while the store is away. Counted by this run.
    void counters(std::function<void(QJsonObject)> done);

    // What a publisher of events needs (mock-server/outbox).
    void takeOutboxTurn(OutboxAsk ask, std::function<void(OutboxTurn)> done);
    /// Answers whether it is in the store now; if not, the same mark may be made again.
    void markOutbox(OutboxMark mark, std::function<void(bool)> done);

private:
    class Private;
    explicit Bank(std::unique_ptr<Private> inside);
    std::unique_ptr<Private> d;
};

} // namespace mockbank
