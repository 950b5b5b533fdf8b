#pragma once

#include "mock-server/bank/strategy.h"

/// What time does to keys. Used on the ledger thread, inside a transaction of its own or a step.
namespace mockbank::retention {

/// Rows looked at in one go, so that a sweep never keeps a charge waiting for long.
inline constexpr int maxSweep = 500;

struct Swept {
    qsizetype answers = 0;
    qsizetype claims = 0;
    bool more = false; ///< there may be others
};

/// Forgets answers that have outlived their time; the ledger, tombstones and void marks stay. Tells `swept`.
[[nodiscard]] qsizetype sweepAnswers(Step &at);

/// The same, and resolves lapsed claims: nobody works under them, so they are deleted. Never moves money, never touches
/// a claim that is worked on here.
[[nodiscard]] Swept sweep(Step &at);

} // namespace mockbank::retention
