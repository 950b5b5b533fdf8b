#pragma once

#include "app/options.h"

namespace ikkai::app {

/// `payment-terminal reconcile`: the bank's charges against this journal. Exit codes: 0 no difference, 20 differences,
/// 12 the bank's list could not be read.
int runReconcile(const Options &options);

/// `payment-terminal close-day`: the next numbered report.
int runCloseDay(const Options &options);

} // namespace ikkai::app
