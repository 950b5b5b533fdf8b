#include "core/checkout/retry_policy.h"

#include <algorithm>

namespace ikkai {

namespace retry_policy_detail {

constexpr qint64 patientFirstMs = 5'000;
constexpr qint64 patientMostMs = 60'000;

/// draw / 2^32 of `wholeMs`, both its ends included, in two products that cannot overflow.
qint64 drawnPartMs(qint64 wholeMs, quint32 draw)
{
    const auto choices = static_cast<quint64>(wholeMs) + 1;
    return static_cast<qint64>((choices >> 32) * draw + (((choices & 0xffff'ffffU) * draw) >> 32));
}

} // namespace retry_policy_detail

qint64 backoffMs(const RetryPolicy &policy, int triesSoFar, quint32 draw)
{
    const qint64 capMs = std::max<qint64>(policy.backoffCapMs, 0);
    qint64 fullMs = std::clamp<qint64>(policy.backoffBaseMs, 0, capMs);
    for (int doubled = 1; doubled < triesSoFar && fullMs > 0 && fullMs < capMs; ++doubled)
        fullMs = fullMs > capMs / 2 ? capMs : fullMs * 2;

    const qint64 halfMs = fullMs / 2;
    return std::clamp<qint64>(halfMs + retry_policy_detail::drawnPartMs(fullMs - halfMs, draw), 0, capMs);
}

qint64 patientDelayMs(int triesSoFar, quint32 draw)
{
    using namespace retry_policy_detail;
    qint64 fullMs = patientFirstMs;
    for (int doubled = 1; doubled < triesSoFar && fullMs < patientMostMs; ++doubled)
        fullMs = std::min(fullMs * 2, patientMostMs);
    return fullMs - drawnPartMs(fullMs / 5, draw);
}

} // namespace ikkai
