#pragma once

#include "mock-server/bank/bank.h"
#include "mock-server/bank/strategy.h"

#include <QtCore/QHash>

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace mockbank {

/// A charge, or one whose answer needs no store (a bad body, another ledger).
struct ChargeTask {
    ChargeWork work;
    std::function<void(Answer)> done;   ///< null once it was called and the work goes on behind the answer
    std::shared_ptr<Strategy> strategy; ///< under which it began, and so ends
    std::optional<Answer> ready;
    const char *readyEvent = nullptr;
};

struct InquiryTask {
    InquiryArrival arrival;
    ScopedKey name;
    std::function<void(Answer)> done;
    std::optional<Answer> ready;
};

/// Anything the control API asks of the store. `run` gives back what is to be called after the commit.
struct DeskTask {
    std::function<std::function<void()>(Store &)> run;
    std::function<void()> failed; ///< the store could not be used
};

using LedgerTask = std::variant<ChargeTask, InquiryTask, DeskTask>;

struct LedgerCounters {
    quint64 charges = 0;
    quint64 declines = 0;
    quint64 replays = 0;
    quint64 inProgress = 0;
    quint64 mismatches = 0;
    quint64 rolledBack = 0;
    quint64 inquiries = 0;
    quint64 steps = 0;
    quint64 commits = 0;
    quint64 commitsBatched = 0;
    quint64 commitFailures = 0;
};

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
    void announce(const BankEvent &event) const;

    /// Commits one transaction with the next step of every task given and of every parked charge that is due; then
    /// tells. With `hurry` nothing waits for its processing time.
    void runBatch(std::vector<LedgerTask> tasks, bool hurry = false);

    /// When runBatch has something to do by itself (Clock::elapsedMs); nothing while nothing is parked. Of work that
    /// waits for another machine nothing is known until its reply is there.
    std::optional<qint64> nextDueMs() const;
    /// Something runs, and all of it waits for other machines.
    bool onlyWaits() const;

private:
    /// A task in the batch, and what came of it. What is told is told after the commit.
    struct Entry {
        LedgerTask task;
        QList<BankEvent> events;
        std::optional<Answer> answer;
        std::function<void()> after;
        bool parks = false; ///< comes back after `pauseMs`; with an answer, goes on behind it
        qint64 pauseMs = 0;
        Ask ask;
    };
    struct Parked {
        ChargeTask task;
        qint64 dueMs = 0;
        qint64 renewMs = 0;
        bool waits() const { return task.work.reply && !task.work.reply->isReady(); }
    };

    void openStore();
    std::vector<Entry> takeDue(std::vector<LedgerTask> tasks, bool hurry);
    bool commitBatch(std::vector<Entry> &entries);
    void renewLeases();
    void run(Entry &entry);
    void runCharge(ChargeTask &task, Entry &entry);
    bool takeOutcome(StepOutcome &outcome, ChargeTask &task, Entry &entry);
    void park(Entry &entry);
    void recover(std::vector<Entry> &entries);
    bool reopen();
    void tellTrouble(const StoreError &error);
    void readBack(std::vector<Entry> &entries);
    void tell(std::vector<Entry> &entries);
    void count(const Entry &entry);
    Step stepNow();

    Environment m_environment;
    std::shared_ptr<Strategy> m_strategy;
    std::unique_ptr<Store> m_store; ///< null after a failure, until it could be reopened
    QByteArray m_ledgerId;
    std::vector<Parked> m_parked;
    QHash<ScopedKey, qint64> m_runningForMs;
    LedgerCounters m_counters;
    std::function<void(const BankEvent &)> m_observer;
    std::function<void(const OutboxEvent &)> m_publish;
};

} // namespace mockbank
