#pragma once

#include "core/domain/clock.h"

#include <optional>

namespace ikkai {

/// Notices that the machine was suspended: the boot clock went on while the monotonic clock stood still. Pure.
class ResumeWatch {
public:
    explicit ResumeWatch(const Stamp &now)
        : m_asleepMs(now.bootMs - now.monotonicMs)
    {
    }

    /// How long it slept since the last look; none where it did not, or for less than a second.
    std::optional<qint64> sleptMs(const Stamp &now)
    {
        constexpr qint64 noticedMs = 1'000;
        const qint64 asleepMs = now.bootMs - now.monotonicMs;
        const qint64 sleptMs = asleepMs - m_asleepMs;
        if (sleptMs < noticedMs)
            return {};
        m_asleepMs = asleepMs;
        return sleptMs;
    }

private:
    qint64 m_asleepMs; ///< since boot
};

} // namespace ikkai
