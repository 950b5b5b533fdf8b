#pragma once

#include "core/checkout/checkout.h"

#include <map>
#include <optional>
#include <vector>

namespace ikkai {

/// Asking the bank by itself about one open checkout; moves no money.
struct InquiryPlan {
    IdempotencyKey key;
    bool underWay = false;
    std::optional<qint64> nextMonotonicMs;      ///< none: nothing is planned
    int asked = 0;                              ///< inquiries that ended since this program began
    std::optional<inquiry::Nothing> lastAnswer; ///< of the newest one that brought nothing
    qint64 lastEndedWallMs = 0;
};

/// Whose turn it is to be asked about, and when: each open checkout after 5 s growing to 60 s, one on the wire at a
/// time. Pure: times and random draws (32 bits) come from outside.
class InquiryQueue {
public:
    /// From now on asked about; nothing where it is already.
    void watch(const IdempotencyKey &key, qint64 nowMs, quint32 draw);
    /// The same, but its turn is now, after those whose turn it is already.
    void watchAtOnce(const IdempotencyKey &key, qint64 nowMs, quint32 draw);
    void forget(const IdempotencyKey &key);
    /// The bank is there again: everybody's turn, one after the other, spaced so that it is not flooded.
    void drain(qint64 nowMs, quint32 draw);

    /// The checkout to be asked about now; none while one is on the wire, or before the next turn.
    [[nodiscard]] std::optional<IdempotencyKey> due(qint64 nowMs) const;
    [[nodiscard]] std::optional<qint64> nextTurnMs() const;

    void begun(const IdempotencyKey &key);
    /// It brought nothing (or a person asked, and that brought nothing): the next turn is later.
    void ended(const IdempotencyKey &key, const inquiry::Nothing &nothing, const Stamp &now, quint32 draw);

    /// None where the checkout is not watched.
    [[nodiscard]] const InquiryPlan *plan(const IdempotencyKey &key) const;
    [[nodiscard]] std::vector<IdempotencyKey> watched() const;

private:
    std::map<IdempotencyKey, InquiryPlan> m_plans;
    std::optional<IdempotencyKey> m_onTheWire;
    qint64 m_notBeforeMs = 0; ///< turns that fell due while one was on the wire do not follow in one burst
};

} // namespace ikkai
