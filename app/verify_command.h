#pragma once

#include "app/options.h"

namespace ikkai::app {

/// `payment-terminal verify-journal`: what history is read from against what the events say. Exit codes: 0 they agree,
/// 20 they do not.
int runVerifyJournal(const Options &options);

} // namespace ikkai::app
