#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

namespace ikkai::bench {

using Monotonic = std::chrono::steady_clock;

[[nodiscard]] inline std::int64_t nowNs()
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(Monotonic::now().time_since_epoch()).count();
}

/// Durations in nanoseconds, and what is usually asked of them.
class Samples {
public:
    void add(std::int64_t ns)
    {
        m_ns.push_back(ns);
        m_sumNs += ns;
    }
    void add(const Samples &other)
    {
        m_ns.insert(m_ns.end(), other.m_ns.begin(), other.m_ns.end());
        m_sumNs += other.m_sumNs;
    }
    /// As many as these would be in a second, one after the other; 0 without values.
    [[nodiscard]] double perSecond() const
    {
        return m_sumNs > 0 ? static_cast<double>(m_ns.size()) * 1e9 / static_cast<double>(m_sumNs) : 0;
    }
    [[nodiscard]] std::size_t count() const { return m_ns.size(); }

    /// The smallest value that `percent` of all values do not exceed (nearest rank), in ms; 0 without values.
    [[nodiscard]] double percentileMs(int percent) const
    {
        if (m_ns.empty())
            return 0;
        std::vector<std::int64_t> sorted = m_ns;
        const std::size_t rank = (sorted.size() * static_cast<std::size_t>(percent) + 99) / 100;
        const auto at = sorted.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(rank, 1) - 1);
        std::nth_element(sorted.begin(), at, sorted.end());
        return static_cast<double>(*at) / 1e6;
    }

private:
    std::vector<std::int64_t> m_ns;
    std::int64_t m_sumNs = 0;
};

} // namespace ikkai::bench
