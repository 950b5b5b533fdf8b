#pragma once

#include "mock-server/faults/fault.h"

#include <QtCore/QHash>
#include <QtCore/QJsonArray>
#include <QtCore/QList>

#include <deque>
#include <mutex>

namespace mockbank {

/// One try of one client to have one key charged. Arrivals that carry the same three are one attempt, sent again by a
/// transport; an arrival without Attempt-Number (0) or without a usable key is an attempt of its own.
struct ClientAttempt {
    QByteArray merchant;
    QByteArray key;
    int number = 0;
};

/// The fault that strikes an attempt, and the rule it came from (`header` for one named by the request itself).
struct FaultDecision {
    QByteArray ruleId;
    Fault fault;
};

/// The armed rules. Deciding and counting are one step, so `next=n` strikes exactly n attempts however many callers
/// there are at once. Safe from any thread.
class FaultPlan {
public:
    /// Bounds: rules kept, attempts remembered. Beyond them the oldest attempt is forgotten, and of the rules the
    /// oldest that has nothing left to do.
    static constexpr std::size_t maxRules = 1000;
    static constexpr std::size_t maxAttempts = 65536;

    /// Arms a rule and returns its id, or nothing where maxRules rules are still at work.
    std::optional<QByteArray> arm(const Fault &fault, qint64 nowMs);
    bool disarm(const QByteArray &id);
    int disarmAll();

    /// Decides once per attempt: a fault named by the request wins, else the first armed rule that matches, else none.
    std::optional<FaultDecision> decide(const ClientAttempt &attempt, const std::optional<Fault> &fromRequest);

    /// The fault was really played on the wire for this attempt.
    void fired(const QByteArray &ruleId, const ClientAttempt &attempt);

    /// A final answer for this key went out unharmed and arrived. Returns the rules that this healed.
    QList<QByteArray> delivered(const QByteArray &merchant, const QByteArray &key);

    /// Every rule with its counts; `light` is the farthest it came: armed, matched, fired, healed.
    [[nodiscard]] QJsonArray list() const;
    [[nodiscard]] std::optional<QJsonObject> find(const QByteArray &id) const;

private:
    struct Rule {
        QByteArray id;
        Fault fault;
        qint64 armedAtMs = 0;
        int matched = 0;
        int fired = 0;
        int healed = 0;
    };

    static bool isSpent(const Rule &rule);
    static QJsonObject toJson(const Rule &rule);
    std::optional<FaultDecision> choose(int attemptNumber);
    void remember(const QByteArray &attemptId, const std::optional<FaultDecision> &decision);

    mutable std::mutex m_mutex;
    std::deque<Rule> m_rules;
    quint64 m_lastId = 0;
    QHash<QByteArray, std::optional<FaultDecision>> m_decided;
    std::deque<QByteArray> m_decidedOrder;
    QHash<QByteArray, QList<QByteArray>> m_hurtKeys; ///< key -> rules that fired on it and are not healed yet
};

} // namespace mockbank
