#pragma once

#include "mock-server/bank/bank.h"
#include "mock-server/bank/bank_clock.h"
#include "mock-server/bank/ledger_counters.h"
#include "mock-server/bank/ledger_task.h"
#include "mock-server/bank/strategy.h"

#include <QtCore/QHash>

#include <functional>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace mockbank {

/// The one writer: runs steps in batches, each batch one transaction, each step in its own savepoint, and tells answers
/// and events only after the commit. Belongs to one thread; knows no threads and never waits, so that a simulation can
/// drive it.
class LedgerWriter {
public:
    using OpenStore = std::function<std::unique_ptr<Store>()>;
    struct Environment {
        OpenStore openStore;
        std::shared_ptr<Clock> clock;
        std::shared_ptr<IdSource> ids;
        QList<Account> accounts;
        StrategySettings settings;
        qint64 processingMs = 0;
        /// True once the bank is to vanish: nothing is committed or told from then on.
        std::function<bool()> vanished;
        /// Called when the bank finds that it keeps another ledger: after a reset, here or by a bank it shares with.
        std::function<void(const QByteArray &)> ledgerChanged;
    };

    /// Opens the store, makes what is missing in it, ends the leases of earlier runs. Throws StoreError.
    LedgerWriter(Environment environment, std::shared_ptr<Strategy> strategy);
    ~LedgerWriter();

    QByteArray ledgerId() const { return m_ledgerId; }
    const LedgerCounters &counters() const { return m_counters; }
    size_t running() const { return m_parked.size(); }
    void setObserver(std::function<void(const BankEvent &)> observer) { m_observer = std::move(observer); }
    /// Where strategies publish that do not use the outbox; called in the middle of a batch.
    void setPublisher(std::function<void(const OutboxEvent &)> publish) { m_publish = std::move(publish); }
    /// Charges that begin from now on run under it, the running ones end under theirs.
    void setStrategy(std::shared_ptr<Strategy> strategy) { m_strategy = std::move(strategy); }
    void announce(const BankEvent &event) { tellEvents({event}); }
    /// Nothing is run any more; the open transaction is lost. On the thread that opened it.
    void closeStore() { m_store.reset(); }
    /// Any thread.
    const BankClock &clock() const { return m_clock; }

    /// Commits one transaction with the next step of every task given and of every parked charge that is due; then
    /// tells. Afterwards, where it is due, sweeps in a transaction of its own. With `hurry` nothing waits for its
    /// processing time.
    void runBatch(std::vector<LedgerTask> tasks, bool hurry = false);

    /// When runBatch has something to do by itself (Clock::elapsedMs): parked charges, leases, the sweep. Of work that
    /// waits for another machine nothing is known until its reply is there.
    qint64 nextDueMs() const;
    /// Something runs, and all of it waits for other machines.
    bool onlyWaits() const;
    /// How often the sweep looks, in real time whatever the bank's clock says.
    qint64 sweepEveryMs() const;

private:
    /// A task in the batch, and what came of it. What is told is told after the commit.
    struct Entry {
        explicit Entry(LedgerTask given)
            : task(std::move(given))
        {
        }
        LedgerTask task;
        QList<BankEvent> events;
        QList<GhostClaim> ghosts;
        std::optional<Answer> answer;
        std::function<void()> after;
        bool parks = false;
        qint64 parksForMs = 0;
        Ask ask; ///< called when it parks
    };
    struct Parked {
        ChargeTask task;
        qint64 dueMs = 0;
        qint64 renewMs = 0;
        bool waits() const { return task.work.reply && !task.work.reply->isReady(); }
    };
    struct Ghost {
        Claim claim;
        qint64 dueMs = 0;
    };
    struct BeforeBatch; ///< all that a repeated batch has to find as it was

    enum class Renew { Due, All };

    // ledger_writer.cpp: a batch and its commit.
    void openStore();
    std::vector<Entry> takeDue(std::vector<LedgerTask> tasks, bool hurry);
    void noteRunning();
    void sortByAccount(std::vector<Entry> &entries);
    void lockAccounts(const std::vector<Entry> &entries);
    bool commitBatch(std::vector<Entry> &entries);
    bool tryBatch(std::vector<Entry> &entries);
    void undo();
    void beginTransaction();
    void keepLedger(const QByteArray &ledgerId);
    void renewLeases(Renew which);
    void deleteGhosts();
    void tell(std::vector<Entry> &entries);
    void tellEvents(const QList<BankEvent> &events);
    void sweepWhenDue();
    Step stepNow();

    // ledger_steps.cpp: what becomes of one task.
    void run(Entry &entry);
    void run(ChargeTask &task, Entry &entry);
    bool takeOutcome(StepOutcome &outcome, Entry &entry) const;
    void run(VoidTask &task, Entry &entry);
    void run(InquiryTask &task, Entry &entry);
    void run(ListTask &task, Entry &entry);
    void run(ClockTask &task, Entry &entry);
    void run(ResetTask &task, Entry &entry);
    void run(DeskTask &task, Entry &entry);
    template <typename TakeStep>
    StepOutcome inSavepoint(Step &at, const TakeStep &takeStep);
    bool mayRun(ChargeTask &task, Entry &entry, Step &at);
    bool isOtherLedger(const QByteArray &expected) const;
    void tellClock(const ClockTask &task, Entry &entry);

    // ledger_recovery.cpp: after a store that failed.
    bool reopen();
    void tellTrouble(const StoreError &error);
    static void forget(Entry &entry);
    void recover(std::vector<Entry> &entries);
    void readBack(ChargeTask &task, Entry &entry);
    void readBack(VoidTask &task, Entry &entry);
    void readBack(InquiryTask &task, Entry &entry);
    void readBack(ListTask &task, Entry &entry);
    void readBack(ClockTask &task, Entry &entry);
    void readBack(ResetTask &task, Entry &entry);
    void readBack(DeskTask &task, Entry &entry);
    static void giveUp(ChargeTask &task, Entry &entry);
    static void giveUp(VoidTask &task, Entry &entry);
    static void giveUp(InquiryTask &task, Entry &entry);
    static void giveUp(ListTask &task, Entry &entry);
    static void giveUp(ClockTask &task, Entry &entry);
    static void giveUp(ResetTask &task, Entry &entry);
    static void giveUp(DeskTask &task, Entry &entry);

    Environment m_environment;
    std::shared_ptr<Strategy> m_strategy;
    BankClock m_clock;
    std::unique_ptr<Store> m_store; ///< null after a failure, until it could be reopened
    QByteArray m_ledgerId;          ///< of the transaction that is open, or was last
    QByteArray m_toldLedgerId;
    bool m_sorts = false; ///< several banks may use the store at once
    qint64 m_nowMs = 0;   ///< the bank's time in this transaction
    std::vector<Parked> m_parked;
    std::vector<Ghost> m_ghosts;
    QHash<ScopedKey, qint64> m_runningForMs;
    qint64 m_sweepDueMs = 0;
    LedgerCounters m_counters;
    std::function<void(const BankEvent &)> m_observer;
    std::function<void(const OutboxEvent &)> m_publish;
};

} // namespace mockbank
