#pragma once

#include "app/options.h"

namespace ikkai::app {

/// `payment-terminal supervisor-pin`: sets the PIN that overriding and writing off ask for.
int runSupervisorPin(const Options &options);

} // namespace ikkai::app
