#pragma once

#include "tests/bench/samples.h"

#include <QtCore/QByteArray>
#include <QtCore/QString>

#include <chrono>
#include <cstdint>

namespace ikkai::bench {

/// Charges of 1 JPY from `card_ok`, sent one after the other on each of some keep-alive connections.
struct LoadPlan {
    std::uint16_t port = 0;
    QByteArray ledgerId;
    int connections = 1;
    std::chrono::milliseconds warmUp{0};   ///< answered and counted, but not measured
    std::chrono::milliseconds duration{0}; ///< after the warm-up
    std::uint64_t firstKey = 0;            ///< number of the first key
    std::uint64_t keyCount = 0;            ///< 0: every request has a new key; else these keys again and again
    std::uint64_t maxRequests = 5'000'000; ///< the end whatever the clock says
};

struct LoadResult {
    std::uint64_t answered = 0; ///< right answers, warm-up included
    std::uint64_t measured = 0;
    std::int64_t measuredNs = 0;
    Samples latencies;         ///< request written to whole answer read, of the measured ones
    std::int64_t cpuNs = 0;    ///< of the generator itself, while it measured
    std::int64_t allCpuNs = 0; ///< of the process, while it measured
    void add(const LoadResult &other);
    QString flaw; ///< the first thing that went wrong, which ended the run; empty where nothing did
};

/// Runs the plan on the calling thread, and returns when the last answer has come. Each answer must be the 201 to its
/// key, marked as a replay exactly where keys repeat. A silence of 30 s ends it.
[[nodiscard]] LoadResult runLoad(const LoadPlan &plan);

} // namespace ikkai::bench
