#include "mock-server/faults/fault_draw.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace mockbank {

namespace fault_draw {

constexpr double maxDelayMs = 600'000;

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): every bit in changes half of the bits out.
quint64 scramble(quint64 x)
{
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9ULL;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

/// In (0, 1]: a logarithm is taken of it.
double toUnit(quint64 draw)
{
    return (static_cast<double>(draw >> 11) + 1) / 9'007'199'254'740'992.0;
}

int bounded(double ms)
{
    return static_cast<int>(std::lround(std::clamp(ms, 0.0, maxDelayMs)));
}

} // namespace fault_draw

using namespace fault_draw;

quint64 steadyHash(QByteArrayView text)
{
    // FNV-1a. qHash is no choice: its seed is new in every process.
    quint64 hash = 0xcbf29ce484222325ULL;
    for (const char c : text) {
        hash ^= static_cast<unsigned char>(c);
        hash *= 0x100000001b3ULL;
    }
    return hash;
}

quint64 mixDraw(quint64 seed, quint64 rule, quint64 attempt)
{
    constexpr quint64 golden = 0x9e3779b97f4a7c15ULL;
    return scramble((scramble(scramble(seed + golden) ^ rule) + golden) ^ attempt);
}

int toMillionths(quint64 draw)
{
    return static_cast<int>(((draw >> 32) * 1'000'000) >> 32);
}

int drawnDelayMs(const DelayLaw &law, quint64 draw)
{
    switch (law.kind) {
    case DelayLaw::Kind::Fixed:
        return law.ms;
    case DelayLaw::Kind::Uniform: {
        const auto width = static_cast<quint64>(law.maxMs - law.minMs) + 1;
        return law.minMs + static_cast<int>(((draw >> 32) * width) >> 32);
    }
    case DelayLaw::Kind::Lognormal: {
        // Box and Muller: two even draws make one of the normal distribution.
        const double radius = std::sqrt(-2 * std::log(toUnit(draw)));
        const double angle = 2 * std::numbers::pi * toUnit(scramble(draw + 1));
        return bounded(law.ms * std::exp(law.sigmaThousandths / 1000.0 * radius * std::cos(angle)));
    }
    case DelayLaw::Kind::Exponential:
        return bounded(-law.ms * std::log(toUnit(draw)));
    }
    Q_UNREACHABLE();
}

} // namespace mockbank
