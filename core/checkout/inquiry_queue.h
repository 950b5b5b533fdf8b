#pragma once

#include "core/checkout/verdict.h"
#include "core/domain/clock.h"
#include "core/domain/ids.h"

#include <QtCore/QMetaType>
#include <QtCore/QtGlobal>

#include <map>
#include <optional>

namespace ikkai {

/// Asking the bank by itself about one open checkout; moves no money.
struct InquiryPlan {
    IdempotencyKey key;
    bool underWay = false;
    std::optional<qint64> nextMonotonicMs = {}; ///< none: nothing is planned (voiding, settled, the bank not known)
    int asked = 0;                              ///< inquiries that ended since this program began
    std::optional<inquiry::Nothing> lastAnswer = {}; ///< of the newest one that brought nothing
    qint64 lastEndedWallMs = 0;
    friend bool operator==(const InquiryPlan &, const InquiryPlan &) = default;
};

/// When each open checkout is inquired by itself: after 5 s, growing to 60 s, one at a time on the wire with a pause
/// between two, so that a till that comes back with forty open ones does not fall upon the bank. A plain value: the
/// clock and the random bits (`draw`, 32 of them) are given to it. Milliseconds on the monotonic clock.
class InquiryQueue {
public:
    enum class First { AtOnce, Patiently };

    /// Plans this checkout, if it is not planned yet. One that was planned before keeps its pace.
    void plan(const IdempotencyKey &key, First first, qint64 nowMs, quint32 draw);
    /// Plans nothing more for it; what is under way goes on. What was learned of it is kept.
    void pause(const IdempotencyKey &key);
    /// The same, and what is planned later begins its pace anew.
    void stop(const IdempotencyKey &key);
    /// It is settled: forgets it, if need be once the inquiry under way has ended.
    void forget(const IdempotencyKey &key);

    /// A person asks about this one, whatever is planned. False: one is on the wire already, whose answer is theirs
    /// now.
    [[nodiscard]] bool personAsks(const IdempotencyKey &key);
    /// The next one whose time has come: under way from now on.
    [[nodiscard]] std::optional<IdempotencyKey> begin(qint64 nowMs);
    /// When begin() may have one; none while one is under way or nothing is planned.
    [[nodiscard]] std::optional<qint64> wakeMs() const;

    enum class AskedBy { Itself, Person };
    /// An inquiry ended; `nothing` where it settled nothing and showed nothing. Who had asked.
    AskedBy end(const IdempotencyKey &key, const Stamp &now, const std::optional<inquiry::Nothing> &nothing,
                quint32 draw);

    /// The bank is there again: every planned one is due, one after the other, but none within 5 s of its last.
    void bringForward(qint64 nowMs);
    /// The machine slept: every planned one starts its pace anew.
    void planAnew(qint64 nowMs, quint32 draw);

    [[nodiscard]] InquiryPlan planOf(const IdempotencyKey &key) const;

private:
    struct Entry {
        InquiryPlan plan;
        bool isPlanned = false;
        bool isForgotten = false;
        bool byPerson = false;
        int triesSoFar = 0; ///< of the pace; `plan.asked` counts all
        std::optional<qint64> dueMs = {};
        std::optional<qint64> lastEndedMs = {};
    };
    Entry &entry(const IdempotencyKey &key);
    [[nodiscard]] bool isOneUnderWay() const;

    std::map<IdempotencyKey, Entry> m_entries;
    qint64 m_quietUntilMs = 0; ///< the pause between two
};

} // namespace ikkai

Q_DECLARE_METATYPE(ikkai::InquiryPlan)
