#pragma once

#include "tests/bench/settings.h"

namespace ikkai::bench {

/// Prints how long a window waits for pages of a journal's history: 1,000,000 checkouts, or 20,000 in a short run.
/// False, and why on stderr, where a page was not read or holds something else than was asked for.
[[nodiscard]] bool printHistoryMarks(const Settings &settings);

} // namespace ikkai::bench
