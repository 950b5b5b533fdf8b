#pragma once

#include "app/options.h"

namespace ikkai::app {

/// `payment-terminal resolve`: does one thing to one open checkout, as the buttons of the window do. Exit codes as
/// `charge`.
int runResolve(const Options &options);

} // namespace ikkai::app
