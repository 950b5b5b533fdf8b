#pragma once

#include "mock-server/bank/answer.h"

#include <QtCore/QtGlobal>

#include <array>
#include <cstddef>

namespace mockbank {

/// How often a value fell at or below each bound, as a Prometheus histogram wants it (but not added up).
template <std::size_t Size>
struct CountedBounds {
    std::array<qint64, Size> bounds{};
    std::array<quint64, Size + 1> counts{}; ///< the last one: beyond every bound
    qint64 sum = 0;
    quint64 count = 0;

    void add(qint64 value)
    {
        std::size_t place = 0;
        while (place < Size && value > bounds[place])
            ++place;
        ++counts[place];
        sum += value;
        ++count;
    }
};

/// What the ledger thread counts in one run of the bank.
struct LedgerCounters {
    quint64 charges = 0;
    quint64 declines = 0;
    quint64 replays = 0;
    quint64 inProgress = 0;
    quint64 mismatches = 0;
    quint64 rolledBack = 0;
    quint64 expired = 0;   ///< charges answered 410 after their time to live
    quint64 keyVoided = 0; ///< charges answered 410 after a void
    quint64 inquiries = 0;
    quint64 lists = 0;

    quint64 voidsReversed = 0;
    quint64 voidsPrevented = 0;
    quint64 voidsNotCharged = 0;
    quint64 voidReplays = 0;
    quint64 voidsInProgress = 0;
    quint64 voidMismatches = 0;

    quint64 takeovers = 0;     ///< lapsed claims that a charge took
    quint64 claimsDeleted = 0; ///< claims let go without a charge, by whomever
    quint64 swept = 0;         ///< answers forgotten

    quint64 steps = 0;
    quint64 commits = 0;
    quint64 commitsBatched = 0; ///< that carried more than one step
    quint64 commitFailures = 0;
    quint64 busyRepeats = 0; ///< batches done again because another writer was in the way

    CountedBounds<11> batchSizes{.bounds = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}};
    CountedBounds<14> commitUs{
        .bounds = {20, 50, 100, 200, 500, 1000, 2000, 5000, 10'000, 20'000, 50'000, 100'000, 500'000, 1'000'000}};

    /// By its kind.
    void count(const BankEvent &event);
};

} // namespace mockbank
