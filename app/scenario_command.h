#pragma once

#include "app/options.h"

namespace ikkai::app {

/// `payment-terminal run-scenario FILE`: plays terminal and bank without a window, tells what happens line by line, and
/// holds the end against what the file expects. Runs its own event loop; returns the exit code: 0 as expected, 20 not
/// as expected, 2 the file or an option is wrong, else as `charge`.
[[nodiscard]] int runScenario(const Options &options);

} // namespace ikkai::app
