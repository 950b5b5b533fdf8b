#pragma once

#include "mock-server/store/records.h"

#include <QtCore/QByteArray>
#include <QtCore/QList>
#include <QtCore/QString>

#include <optional>

namespace mockbank {

class Store;

/// What a publisher asks for.
struct OutboxAsk {
    qint64 nowMs = 0; ///< on the publisher's clock
    int limit = 64;
    /// The publisher is new at this store: what another one (or the one before a restart) wanted to wait for, by its
    /// own clock, is due at once.
    bool afresh = false;
};

/// What a publisher may do now.
struct OutboxTurn {
    enum class Right {
        Held,
        HeldElsewhere, ///< another bank at this store publishes
        Unknown,       ///< the store is unavailable
    };
    Right right = Right::Unknown;
    QByteArray ledgerId;    ///< the one that the events belong to
    QList<OutboxEvent> due; ///< at most one of each order, the oldest first
};

/// What came of one try.
struct OutboxMark {
    QByteArray ledgerId; ///< of the turn: ids begin anew with a new ledger
    qint64 eventId = 0;
    qint64 atMs = 0;
    struct Failure {
        qint64 nextAttemptAtMs = 0;
        QString error;
    };
    std::optional<Failure> failure; ///< empty: delivered
};

/// What the publisher does at the store, each in one transaction of the ledger thread.
namespace outbox_desk {

/// The name of an event for the world: the same at every delivery, never given twice.
[[nodiscard]] QByteArray eventId(const QByteArray &ledgerId, qint64 id);

/// `ledgerId`: the one that this bank knows; the store may know a newer one.
[[nodiscard]] OutboxTurn turn(Store &store, const OutboxAsk &ask, const QByteArray &ledgerId);
void mark(Store &store, const OutboxMark &mark);

} // namespace outbox_desk

} // namespace mockbank
