#pragma once

#include <QtCore/QtGlobal>

namespace ikkai {

/// When an unanswered charge is sent again, by itself, with the same key. Milliseconds on the monotonic clock.
struct RetryPolicy {
    qint64 attemptDeadlineMs = 3'000;
    int maxAttempts = 5;      ///< of one automatic run; a 409 does not count here
    qint64 budgetMs = 30'000; ///< of one automatic run
    qint64 backoffBaseMs = 500;
    qint64 backoffCapMs = 8'000;
    qint64 conflictBudgetMs = 30'000; ///< of the 409s of one run, from the first one
    qint64 ceilingMs = 60'000;        ///< of one automatic run, whatever the answers

    friend bool operator==(const RetryPolicy &, const RetryPolicy &) = default;
};

/// The delay before the try after `triesSoFar` (>= 1) tries: equal jitter, half of min(cap, base x 2^(n-1)) plus a
/// random part of the other half, clamped to [0, cap]. The exponent saturates. `draw`: 32 random bits.
[[nodiscard]] qint64 backoffMs(const RetryPolicy &policy, int triesSoFar, quint32 draw);

/// The delay before what may be asked for ever (an inquiry that goes on by itself, a void that was started): 5 s, then
/// twice as much each time up to 60 s, less a random part of at most a fifth. `triesSoFar` >= 1; `draw`: 32 random
/// bits.
[[nodiscard]] qint64 patientDelayMs(int triesSoFar, quint32 draw);

} // namespace ikkai
