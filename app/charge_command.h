#pragma once

#include "app/options.h"

namespace ikkai::app {

/// `payment-terminal charge`: one checkout without a window, told line by line on standard output. Runs its own event
/// loop; returns the exit code.
[[nodiscard]] int runCharge(const Options &options);

} // namespace ikkai::app
