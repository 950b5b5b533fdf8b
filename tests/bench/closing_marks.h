#pragma once

#include "tests/bench/settings.h"

namespace ikkai::bench {

/// Prints what a reconciliation takes from the bank's last row to the result. False, with the reason on stderr, where
/// something did not work or a difference was missed.
bool printClosingMarks(const Settings &settings);

} // namespace ikkai::bench
