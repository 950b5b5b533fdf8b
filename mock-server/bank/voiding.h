#pragma once

#include "mock-server/bank/strategy.h"

#include <optional>

/// Voids, as every strategy with keys makes them: the ledger says what was charged, the key's record keeps what the
/// void made of it. Used on the ledger thread, inside a step.
namespace mockbank::voiding {

/// reversed (money back), prevented (the key is a tombstone now), not_charged (was declined); the first void's answer
/// again; 409 while the charge runs; 422 where the void key or the details are of another one. All in one transaction.
[[nodiscard]] StepOutcome voidCharge(VoidWork &work, Step &at);

/// After a commit failed and the store was reopened: the answer that is there after all, or nothing.
[[nodiscard]] std::optional<Answer> readBack(VoidWork &work, Step &at);

} // namespace mockbank::voiding
