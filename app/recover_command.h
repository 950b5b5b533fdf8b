#pragma once

#include "app/options.h"

namespace ikkai::app {

/// `payment-terminal recover`: asks about everything that is open, sends started voids again, and lists what is open
/// then. Exit codes: 0 none, 12 some.
int runRecover(const Options &options);

} // namespace ikkai::app
