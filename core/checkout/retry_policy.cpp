#include "core/checkout/retry_policy.h"

#include <algorithm>

namespace ikkai {

qint64 backoffMs(const RetryPolicy &policy, int triesSoFar, quint32 draw)
{
    const qint64 capMs = std::max<qint64>(policy.backoffCapMs, 0);
    qint64 fullMs = std::clamp<qint64>(policy.backoffBaseMs, 0, capMs);
    for (int doubled = 1; doubled < triesSoFar && fullMs > 0 && fullMs < capMs; ++doubled)
        fullMs = fullMs > capMs / 2 ? capMs : fullMs * 2;

    const qint64 halfMs = fullMs / 2;
    // draw / 2^32 of the other half, both its ends included, in two products that cannot overflow.
    const auto choices = static_cast<quint64>(fullMs - halfMs) + 1;
    const quint64 partMs = (choices >> 32) * draw + (((choices & 0xffff'ffffU) * draw) >> 32);
    return std::clamp<qint64>(halfMs + static_cast<qint64>(partMs), 0, capMs);
}

} // namespace ikkai
