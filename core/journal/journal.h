#pragma once

#include "core/checkout/checkout.h"
#include "core/checkout/event.h"
#include "core/domain/result.h"
#include "core/journal/supervisor_pin.h"

#include <QtCore/QString>

#include <optional>
#include <vector>

namespace ikkai {

struct JournalError {
    enum class Kind { CannotOpen, ReadOnly, DiskFull, Corrupt, NewerVersion, Locked, InputOutput };
    Kind kind = Kind::InputOutput;
    QString file;
    QString detail;

    friend bool operator==(const JournalError &, const JournalError &) = default;
};

/// One English sentence that names the file.
[[nodiscard]] QString describe(const JournalError &error);

/// The terminal's memory: events append-only, and a projection of each checkout kept in the same transaction.
/// Synchronous; lives on one thread.
class Journal {
public:
    virtual ~Journal() = default;

    /// Appends one event as number `seq` of `after.key` and stores `after` as the projection: one transaction, on disk
    /// when this returns. A number that is taken is an error, never overwritten.
    virtual Result<Done, JournalError> append(int seq, const Event &event, const Checkout &after) = 0;

    /// All events of one checkout in order; empty where there is no such key.
    virtual Result<std::vector<Event>, JournalError> events(const IdempotencyKey &key) = 0;
    /// Keys of all checkouts that are not final, oldest first.
    virtual Result<std::vector<IdempotencyKey>, JournalError> openKeys() = 0;
    /// Keys of this order's checkouts, oldest first.
    virtual Result<std::vector<IdempotencyKey>, JournalError> keysOfOrder(const OrderId &order) = 0;
    /// The newest key that was made here, of a charge or of a void.
    virtual Result<std::optional<IdempotencyKey>, JournalError> newestKey() = 0;

    /// None: no PIN is set.
    virtual Result<std::optional<PinRecord>, JournalError> supervisorPin() = 0;
    virtual Result<Done, JournalError> storeSupervisorPin(const PinRecord &record) = 0;
};

} // namespace ikkai
