#pragma once

#include "tests/bench/settings.h"

namespace ikkai::bench {

/// Prints what the bank does over real sockets, on a store on disk. False, and why on stderr, where a charge that was
/// answered is not in the ledger, the ledger has more, or the bank failed.
[[nodiscard]] bool printBankMarks(const Settings &settings);

} // namespace ikkai::bench
