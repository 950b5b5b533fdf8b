#pragma once

#include "mock-server/faults/fault_rule.h"
#include "mock-server/faults/network_profile.h"

#include <QtCore/QHash>
#include <QtCore/QJsonArray>
#include <QtCore/QList>

#include <deque>
#include <memory>
#include <mutex>

namespace mockbank {

/// The fault that strikes an attempt, whose it is, and the draw that decided it.
struct FaultDecision {
    QByteArray ruleId; ///< of the rule; `header`, `magic-069`, `profile`
    Fault fault;
    FaultSource source = FaultSource::Armed;
    /// Below the probability's millionths, where there was one; a profile's is its own.
    std::optional<int> drawMillionths;
    /// What the manifestation's delay law said for this attempt: `delay`, and before the first byte of `bandwidth`.
    int delayMs = 0;
};

/// A port that a rule keeps closed.
struct Refusal {
    FaultDecision decision;
    qint64 untilMs = 0;
};

/// A rule that got one light further.
struct LightChange {
    QByteArray ruleId;
    QString light;
};

/// Every fault somebody asked for, and the one place that decides which of them strikes. Deciding and counting are one
/// step, so `next=n` strikes exactly n attempts however many callers there are at once. Safe from any thread.
///
/// The strongest wins: the request's own header, an armed rule, a step of the scenario, a magic amount, the network
/// profile; among rules of one kind the first that was armed. Times (`nowMs`, since 1970 UTC) are the machine's: rules
/// are the trainer's, and the bank's clock may be frozen or a day ahead.
class FaultPlan {
public:
    /// Bounds: rules kept, rules of a scenario, attempts remembered, ended rules listed and for how long. Beyond them
    /// the oldest attempt is forgotten, and of the rules the oldest that has nothing left to do.
    static constexpr std::size_t maxRules = 1000;
    static constexpr qsizetype maxSteps = 1000;
    static constexpr std::size_t maxAttempts = 65536;
    static constexpr int maxEnded = 200;
    static constexpr qint64 endedShownMs = 10 * 60'000;

    /// The strategy the bank works by from now on, first and after every switch. What it cannot play ends: an armed
    /// rule that could never strike would be ignored in silence. Returns the ids of those.
    QList<QByteArray> setStrategy(const QString &name, qint64 nowMs);

    /// Why a fault cannot be armed now, or nothing: the strategy has no such place, or its time is over.
    [[nodiscard]] std::optional<FaultError> whyNot(const Fault &fault, qint64 nowMs) const;
    /// The same for a fault in the head of the request that it is to strike.
    /// Without a route of its own it means this request.
    [[nodiscard]] std::optional<FaultError> whyNotInHeader(const Fault &fault, RouteMatch route) const;

    /// Arms a rule and returns its id. A rule with a probability and no seed gets one, and shows it.
    std::variant<QByteArray, FaultError> arm(const Fault &fault, qint64 nowMs);
    /// Ends a rule, a step of a scenario too; it stays listed for a while. One that has ended is forgotten at once.
    bool disarm(const QByteArray &id, qint64 nowMs);
    /// Ends every armed rule (not the scenario's) and returns how many were live.
    int disarmAll(qint64 nowMs);

    /// Why these steps cannot be loaded under this strategy; the member begins with `steps[i].`.
    [[nodiscard]] static std::optional<FaultError> whyNotScenario(const QList<Fault> &steps, const QString &strategy,
                                                                  qint64 nowMs);
    /// Puts these rules (ids s1, s2 ...) in place of the last scenario's. Draws without a seed of their own get theirs
    /// from `seed`. All or nothing: on failure nothing changes. `given` is kept for those who ask what runs.
    std::optional<FaultError> loadScenario(const QList<Fault> &steps, quint64 seed, qint64 nowMs,
                                           const QJsonObject &given = {});
    [[nodiscard]] std::optional<QJsonObject> scenario() const;
    /// Ends the scenario's rules and returns how many were live.
    int clearScenario(qint64 nowMs);

    void setMagicAmounts(bool on);
    [[nodiscard]] bool magicAmounts() const;
    /// Null: no profile. The seed makes its draws.
    void setProfile(const NetworkProfile *profile, quint64 seed);
    [[nodiscard]] const NetworkProfile *profile() const;
    [[nodiscard]] quint64 profileSeed() const;

    /// Forgets everything but the strategy: rules, scenario, magic amounts, profile, attempts.
    void reset();

    /// Decides once per attempt: the same attempt again gets the same answer and is not counted again. A fault named by
    /// the request speaks of this request alone and is not remembered.
    std::optional<FaultDecision> decide(const ClientAttempt &attempt, const std::optional<Fault> &fromRequest,
                                        qint64 nowMs);

    /// Asked once for each accepted connection: is it to be kept unread (`connect:hold`)?
    std::optional<FaultDecision> decideConnection(qint64 nowMs);
    /// Is the port to be closed now, and until when (`connect:refuse`)? To be asked after every change of the rules.
    [[nodiscard]] std::optional<Refusal> refusal(qint64 nowMs) const;

    /// The fault was really played on the wire for this attempt; an attempt sent again counts once.
    void fired(const QByteArray &ruleId, const ClientAttempt &attempt);
    /// A connection was struck.
    void fired(const QByteArray &ruleId);

    /// Seen by the terminal: what it showed by its own behaviour that it noticed. An answer of the struck attempt
    /// arrived there, whole or not the bank's, or the client ended the connection.
    QList<LightChange> seen(const ClientAttempt &attempt);
    /// To be told of every arrival before it is decided. A further attempt of a key shows that the one before was seen;
    /// any arrival shows that a closed port or an unread connection is over.
    QList<LightChange> arrived(const ClientAttempt &attempt, qint64 nowMs);
    /// A final answer to this attempt went out unharmed and arrived. Returns the rules that this healed.
    QList<QByteArray> delivered(const ClientAttempt &attempt);

    /// Rules that ended by themselves since this was last asked, and when to ask again (nothing: not before a change).
    struct Ended {
        QList<LightChange> rules;
        std::optional<qint64> nextMs;
    };
    Ended takeEnded(qint64 nowMs);

    /// Armed rules and the scenario's with their counts, ended ones too for a while; `light` is the farthest each came.
    [[nodiscard]] QJsonArray list(qint64 nowMs);
    [[nodiscard]] std::optional<QJsonObject> find(const QByteArray &id, qint64 nowMs);
    /// The legend with counts, while magic amounts are on.
    [[nodiscard]] QJsonArray magicRules() const;

private:
    using Rules = std::deque<FaultRule>;
    using DecisionPtr = std::shared_ptr<const FaultDecision>;
    /// A key on which a fault was played and not healed yet.
    struct Hurt {
        QByteArray ruleId;
        int attempt = 0;
        bool seen = false;
    };

    void expire(qint64 nowMs);
    [[nodiscard]] static std::optional<FaultError> whyNotWith(const QString &strategy, const Fault &fault,
                                                              qint64 nowMs);
    [[nodiscard]] FaultRule *ruleOf(const QByteArray &id);
    DecisionPtr choose(const ClientAttempt &attempt, quint64 identity, int nth);
    void remember(const QByteArray &attemptId, const DecisionPtr &decision);

    mutable std::mutex m_mutex;
    QString m_strategy = QStringLiteral("atomic");
    Rules m_armed;
    Rules m_scenario;
    std::optional<QJsonObject> m_scenarioGiven;
    Rules m_magic; ///< empty: off
    const NetworkProfile *m_profile = nullptr;
    quint64 m_profileSeed = 0;
    quint64 m_lastId = 0;
    std::optional<qint64> m_nextEndMs; ///< when the next rule ends by itself
    QList<LightChange> m_ended;        ///< by themselves, not told yet
    QHash<QByteArray, DecisionPtr> m_decided;
    std::deque<QByteArray> m_decidedOrder;
    QHash<QByteArray, int> m_numberless;       ///< arrivals without a number, by route and key
    QHash<QByteArray, QList<Hurt>> m_hurtKeys; ///< by key
};

} // namespace mockbank
