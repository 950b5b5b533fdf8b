#pragma once

#include "mock-server/bank/strategy.h"

/// What all strategies do alike when it comes to the money. Each call belongs into a step's savepoint.
namespace mockbank {

/// Locks the account and decides what becomes of the charge; moves nothing yet. The charge gets its id.
[[nodiscard]] Verdict judge(ChargeWork &work, Step &at);

/// Written under a claim, so that the store refuses a second one of the same key; or not.
enum class Guard { Claim, None };

/// Debits what was approved and writes the movement; tells the event that the world is to hear of. Throws StoreConflict
/// where a guarded charge exists already.
[[nodiscard]] OutboxEvent moveMoney(const ChargeWork &work, const Verdict &verdict, Guard guard, Step &at);

// For strategies without claims.

/// After a failed commit of the charging step: the answer, if this very charge is in the ledger after all.
[[nodiscard]] std::optional<Answer> committedAfterAll(ChargeWork &work, Step &at);
/// As with claims, and a key that is worked on here counts as claimed.
[[nodiscard]] Answer inquireUnguarded(const InquiryArrival &arrival, const ScopedKey &name, Step &at);
[[nodiscard]] StepOutcome voidUnguarded(VoidWork &work, Step &at);

} // namespace mockbank
