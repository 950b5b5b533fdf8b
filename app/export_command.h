#pragma once

#include "app/options.h"

namespace ikkai::app {

/// `payment-terminal export`: the history as a file.
int runExport(const Options &options);

} // namespace ikkai::app
