#pragma once

#include "mock-server/store/records.h"

#include <QtCore/QHash>
#include <QtCore/QList>

#include <optional>

namespace mockbank {

/// How long a failed delivery waits for its next try. It never gives up.
struct BackoffSettings {
    qint64 firstMs = 500;
    qint64 capMs = 30'000;
};

/// The wait after the `failures`th failure in a row (from 1): equal jitter, so between the half and the whole of
/// min(cap, first x 2^(failures-1)). `draw` is any random number.
[[nodiscard]] qint64 backoffMs(int failures, const BackoffSettings &settings, quint64 draw);

/// Decides which event goes out next. Pure: knows no clock, no network and no store.
///
/// An event occupies a slot from `next` to its `outcome`, and its order until the store has `recorded` the outcome: so
/// no two events of one order are ever on their way, and the next one goes only after the one before it is known to be
/// delivered. Events that have failed before share half of the slots, so that receivers' trouble with some orders
/// leaves room for all others.
///
/// While the receiver cannot be connected to at all, everything waits and one event at a time goes out to ask.
class DeliveryPlan {
public:
    explicit DeliveryPlan(int parallel, const BackoffSettings &backoff);

    /// What the store says is due, the oldest first, at most one event of each order; in the place of what was offered
    /// before. Asked of the store before any outcome was recorded that this plan does not know.
    void offer(const QList<OutboxEvent> &due);
    /// Something that was offered and never tried before has not gone yet.
    [[nodiscard]] bool hasFresh() const;
    /// Something that was offered has not gone yet.
    [[nodiscard]] bool hasWaiting() const { return !m_offered.isEmpty(); }

    /// The event to send now, if any. Occupies.
    [[nodiscard]] std::optional<OutboxEvent> next(qint64 nowMs);

    enum class Outcome {
        Delivered,
        Failed,      ///< refused, or no answer
        Unreachable, ///< there was no connection: nothing else would have got through either
    };
    /// Frees the slot. Tells when to try again (0 where it was delivered).
    [[nodiscard]] qint64 outcome(const OutboxEvent &event, Outcome outcome, qint64 nowMs, quint64 draw);
    /// Frees the order.
    void recorded(const OutboxEvent &event);

    [[nodiscard]] int inFlight() const { return m_inFlight; }
    /// Nothing goes out before then; 0 while the receiver can be reached.
    [[nodiscard]] qint64 pausedUntilMs() const { return m_pausedUntilMs; }

private:
    [[nodiscard]] bool isRetry(const OutboxEvent &event) const { return event.attempts > 0; }

    const int m_parallel;
    const BackoffSettings m_backoff;
    QList<OutboxEvent> m_offered;
    QHash<QString, qint64> m_busyOrders; ///< with the event's id
    int m_inFlight = 0;
    int m_retriesInFlight = 0;
    int m_unreachable = 0; ///< in a row
    qint64 m_pausedUntilMs = 0;
};

} // namespace mockbank
