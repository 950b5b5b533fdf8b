#pragma once

#include "mock-server/bank/answer.h"
#include "mock-server/bank/arrival.h"
#include "mock-server/bank/charge_request.h"
#include "mock-server/bank/clock.h"
#include "mock-server/bank/id_source.h"
#include "mock-server/bank/key_lock.h"
#include "mock-server/bank/void_request.h"
#include "mock-server/store/store.h"

#include <QtCore/QHash>
#include <QtCore/QJsonObject>
#include <QtCore/QList>
#include <QtCore/QStringList>

#include <functional>
#include <memory>
#include <optional>
#include <variant>

namespace mockbank {

struct StrategySettings {
    qint64 keyTtlMs = 0;
    qint64 leaseMs = 0;
    int mismatchStatus = 422;
    bool recheckDeclines = false;
    bool rerunExpired = false;
    bool cache5xx = false;
    qint64 lockMs = 600'000; ///< `redis_lock`: how long a lock holds, whatever becomes of the work
    ClaimOwner self;
};

/// One charge on its way through a strategy, kept between its steps.
struct ChargeWork {
    ChargeArrival arrival;
    ChargeRequest request;
    ScopedKey name;
    int step = 0;        ///< the strategy's own counting
    bool waited = false; ///< something was committed since the first step, so others may have been here
    Claim claim;         ///< held since the claiming step
    QByteArray chargeId;
    KeyLock::Reply reply; ///< to what the last step asked; settled before the next one runs

    // For strategies that come back to a charge after its commit.
    Verdict verdict;
    std::optional<OutboxEvent> event; ///< to be published then

    /// What every event about it says, written down at the first call: from then on arrival, request and name stay.
    const QJsonObject &facts();

private:
    QJsonObject m_facts;
};

/// One void on its way: always a single step.
struct VoidWork {
    VoidArrival arrival;
    VoidRequest request;
    ScopedKey name;     ///< the void's own key
    ScopedKey original; ///< the charge's
    VoidMark mark;      ///< what the step wrote, to know it again after a commit that failed
    bool made = false;  ///< this very arrival wrote the mark

    /// As ChargeWork::facts.
    const QJsonObject &facts();

private:
    QJsonObject m_facts;
};

/// A claim that nobody works under: LedgerFault::Busy. The writer deletes it when its time has passed.
struct GhostClaim {
    Claim claim;
    qint64 forMs = 0; ///< on Clock::elapsedMs, so that it ends also while the bank's clock stands still
};

/// Everything a step may touch. Valid during the step only.
struct Step {
    Store &store;
    IdSource &ids;
    const StrategySettings &settings;
    const QHash<ScopedKey, qint64> &runningForMs; ///< keys between two steps here, and how long until the next
    qint64 nowMs = 0;
    QList<BankEvent> events;  ///< told after the commit
    QList<GhostClaim> ghosts; ///< written by this step, to be deleted later
    /// Where events go that are published directly instead of through the outbox; may be null.
    const std::function<void(const OutboxEvent &)> *publishNow = nullptr;

    void tell(const char *kind, ChargeWork &work, const QJsonObject &more = {});
    void tell(const char *kind, VoidWork &work, const QJsonObject &more = {});
    /// Tells the world at once, whatever becomes of the transaction.
    void publish(const OutboxEvent &event) const;
};

enum class Pause {
    Processing, ///< `--processing`, in which others arrive
    Commit,     ///< the commit of this step and nothing else, in which others may arrive
};

/// Asks another machine; called on the ledger thread once this step is committed. The next step waits for the reply.
using Ask = std::function<KeyLock::Reply()>;

/// Go on with the next step after a pause.
struct NextStep {
    /// The steps are provably equal in one transaction, so they may share one when there is no processing time.
    bool mayJoin = false;
    Pause pause = Pause::Processing;
    Ask ask = {};
};

/// The claim was lost to somebody else: start again from what the store says now.
struct ResolveAnew {
    bool keepWrites = false; ///< else everything this step has written is undone
};

/// The answer leaves after this commit, and the work goes on behind it (what a service does without waiting for it).
struct AnswerAndGoOn {
    Answer answer;
    Ask ask = {}; ///< called before the answer leaves
};

/// Nothing is left to do: the answer has left already.
struct Done {};

using StepOutcome = std::variant<Answer, NextStep, ResolveAnew, AnswerAndGoOn, Done>;

/// How a bank keeps one key from charging twice, or fails to. A machine of steps: each step is one transaction (or
/// shares one with the steps of others, each in its own savepoint), other arrivals run between two steps.
/// Used on the ledger thread only.
class Strategy {
public:
    virtual ~Strategy() = default;

    virtual StepOutcome step(ChargeWork &work, Step &at) = 0;
    virtual Answer inquire(const InquiryArrival &arrival, const ScopedKey &name, Step &at) = 0;
    /// One step, one transaction: an answer, or ResolveAnew. A strategy that keeps no keys answers 501, as this does;
    /// voiding.h has what the others share.
    virtual StepOutcome voidCharge(VoidWork &work, Step &at);
    /// Keeps the work's claim alive while its owner lives.
    virtual void renew(ChargeWork &work, Step &at) = 0;
    /// After a commit failed and the store was reopened: the answer that is in the store after all, or nothing, and
    /// then nothing is left behind that would keep the next try waiting.
    virtual std::optional<Answer> readBack(ChargeWork &work, Step &at) = 0;
    virtual std::optional<Answer> readBackVoid(VoidWork &work, Step &at);
};

/// `naive`, `check_then_act`, `redis_lock`, `atomic`.
[[nodiscard]] QStringList strategyNames();

/// Null where there is no strategy of that name. `lock` is what `redis_lock` trusts; without one it gets one in memory.
[[nodiscard]] std::unique_ptr<Strategy> makeStrategy(const QString &name, std::shared_ptr<KeyLock> lock = nullptr);

/// The scope of charge keys: merchant + method + path.
[[nodiscard]] ScopedKey chargeKey(const QByteArray &merchant, const QByteArray &key);
/// The scope of void keys.
[[nodiscard]] ScopedKey voidKey(const QByteArray &merchant, const QByteArray &key);

} // namespace mockbank
