#pragma once

#include "app/options.h"

namespace ikkai::app {

/// `payment-terminal`: the window. Makes the QApplication, runs its event loop, returns the exit code.
[[nodiscard]] int runWindow(int argc, char **argv, const Options &options);

} // namespace ikkai::app
