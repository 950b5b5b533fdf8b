#pragma once

#include "mock-server/bank/bank.h"
#include "mock-server/faults/fault.h"

#include <QtCore/QByteArray>
#include <QtCore/QJsonArray>
#include <QtCore/QStringList>

#include <span>

namespace mockbank {

/// What a fault means for the money of the arrival it strikes.
enum class MoneyTruth {
    Untouched,    ///< this arrival moves nothing
    AsIfUnharmed, ///< exactly what the bank does without the fault
    AsIfButLater, ///< the same, after the delay, whether or not the client has gone
};

/// Which strategies have the place or the thing that a pair needs.
struct StrategySet {
    bool naive = false;
    bool checkThenAct = false;
    bool redisLock = false;
    bool atomic = false;
};

/// Which calls a pair can strike. `connect` strikes connections: none of them.
struct RouteSet {
    bool charge = false;
    bool voiding = false;
    bool inquiry = false;
    bool list = false;
};

/// One legal pair of placement and manifestation. The one place that says what a pair does.
struct FaultTruth {
    Placement placement = Placement::Unread;
    ManifestationKind kind = ManifestationKind::Hold;
    bool reachesBank = false;                    ///< the ledger side is asked at all
    LedgerFault ledgerFault = LedgerFault::None; ///< what it is told to do to itself
    MoneyTruth money = MoneyTruth::Untouched;
    bool knowable = false; ///< can the client tell from what it receives whether money moved
    RouteSet routes;
    StrategySet strategies;
    QByteArray wire; ///< one line for people: what happens, and what leaves the bank
};

/// Every legal pair; a pair that is not here is refused.
[[nodiscard]] std::span<const FaultTruth> faultTable();
[[nodiscard]] const FaultTruth *faultTruth(Placement placement, ManifestationKind kind);

/// `no`, `yes` or `later`.
[[nodiscard]] QString moneyName(MoneyTruth money);

/// Can a rule for this route take the pair? `any` means every one of the four.
[[nodiscard]] bool takesRoute(const FaultTruth &truth, RouteMatch route);

/// The strategies that have what this pair needs, by their names.
[[nodiscard]] QStringList strategiesOf(const FaultTruth &truth);
/// Why this strategy cannot play the pair, or nothing where it can. Half way through `atomic` is no place at all.
[[nodiscard]] std::optional<QString> whyNotUnder(const QString &strategy, const FaultTruth &truth);

/// The table for consoles that offer a choice: placement, manifestation, reached, charged, knowable, wire, routes,
/// strategies, and the parameters it takes.
[[nodiscard]] QJsonArray faultsOffered();

} // namespace mockbank
