#pragma once

#include "mock-server/faults/fault_table.h"

#include <QtCore/QJsonObject>

namespace mockbank {

/// One try of one client, as far as a rule may ask for it. Arrivals that carry the same route, merchant, key and number
/// are one attempt, sent again by a transport; an arrival without Attempt-Number (0) or without a usable key is an
/// attempt of its own.
struct ClientAttempt {
    QByteArray merchant;
    QByteArray key; ///< of the charge or void; an inquiry's is the one it asks for
    int number = 0;
    RouteMatch route = RouteMatch::Charge; ///< never Any
    QString terminal;                      ///< `terminal_id`, of a charge's body or a list's query
    QString order;
    QString source;
    std::optional<qint64> amountMinor;
    QString currency;
};

/// Fills in what the body of a charge or void says, as far as it can be read. Judges nothing.
void readBody(const QByteArray &body, ClientAttempt *attempt);

/// Who asked for a fault, the strongest first.
enum class FaultSource { Header, Armed, Scenario, Magic, Profile };

/// `header`, `armed`, `scenario`, `magic`, `profile`.
[[nodiscard]] QString sourceName(FaultSource source);

/// A fault somebody asked for, and how far it came.
class FaultRule {
public:
    enum class End { Disarmed, Expired, StrategyChanged };

    QByteArray id;
    FaultSource source = FaultSource::Armed;
    Fault fault;
    const FaultTruth *truth = nullptr;
    quint64 drawIdentity = 0; ///< what makes its draws its own
    qint64 armedAtMs = 0;
    int lastThreeDigits = -1; ///< a magic amount's matcher
    bool firstAttemptOnly = false;

    int met = 0;     ///< attempts that its matchers let through
    int taken = 0;   ///< of those, the ones skip and every left: what next counts
    int matched = 0; ///< of those, the ones its draw hit: decided to strike
    int fired = 0;   ///< really played, once per attempt
    int seen = 0;
    int healed = 0;
    std::optional<End> end;
    qint64 endedAtMs = 0;

    [[nodiscard]] bool isSpent() const;
    [[nodiscard]] bool isLive() const { return !end && !isSpent(); }
    /// When it ends by itself; nothing where it does not.
    [[nodiscard]] std::optional<qint64> endsAtMs() const;
    /// Does the attempt meet every matcher? Counts nothing. `nth`: how manieth arrival of the key without a number.
    [[nodiscard]] bool meets(const ClientAttempt &attempt, int nth) const;
    /// Counts one attempt that it meets, and says whether it is this rule's turn.
    [[nodiscard]] bool take();
    /// armed, matched, fired, seen, healed; or not_fired, where it ended without.
    [[nodiscard]] QString light() const;
    [[nodiscard]] QJsonObject toJson() const;
};

} // namespace mockbank
