#pragma once

#include "mock-server/bank/bank.h"
#include "mock-server/faults/fault.h"

#include <span>

namespace mockbank {

/// What a fault means for the money of the arrival it strikes.
enum class MoneyTruth {
    Untouched,    ///< this arrival moves nothing
    AsIfUnharmed, ///< exactly what the bank does without the fault
    AsIfButLater, ///< the same, after the delay, whether or not the client has gone
};

/// One legal pair of placement and manifestation. The one place that says what a pair does.
struct FaultTruth {
    Placement placement;
    ManifestationKind kind;
    bool reachesBank;        ///< the ledger side is asked at all
    LedgerFault ledgerFault; ///< what it is told to do to itself
    MoneyTruth money;
    bool knowable; ///< can the client tell from what it receives
    const char *wire;
};

/// Every legal pair; a pair that is not here is refused.
[[nodiscard]] std::span<const FaultTruth> faultTable();
[[nodiscard]] const FaultTruth *faultTruth(Placement placement, ManifestationKind kind);

} // namespace mockbank
