#pragma once

#include "tests/bench/settings.h"

namespace ikkai::bench {

/// Prints what the terminal adds to a checkout. False, and why on stderr, where a checkout did not end approved.
[[nodiscard]] bool printTerminalMarks(const Settings &settings);

} // namespace ikkai::bench
