#pragma once

#include "mock-server/faults/fault.h"

namespace mockbank {

/// Draws that depend on nothing but what is put in: not on time, not on who came first, not on the process.

/// 64 bits of a text; the same on every machine and for ever.
[[nodiscard]] quint64 steadyHash(QByteArrayView text);

/// The draw of one rule for one attempt.
[[nodiscard]] quint64 mixDraw(quint64 seed, quint64 rule, quint64 attempt);

/// A draw as 0 .. 999,999, all alike. It hits where it is below the probability's millionths: 0 never does, 1,000,000
/// always.
[[nodiscard]] int toMillionths(quint64 draw);

/// How much later a law says with this draw, in ms; never more than 600,000.
[[nodiscard]] int drawnDelayMs(const DelayLaw &law, quint64 draw);

} // namespace mockbank
