#pragma once

#include "core/domain/ids.h"

#include <optional>

namespace ikkai {

/// Makes UUIDv7 idempotency keys (RFC 9562, section 5.7) that strictly increase: within one millisecond by a 12-bit
/// counter that starts with its top bit 0 (section 6.2, method 1), past 4,096 keys by borrowing from the next
/// millisecond, when the clock is set back by staying on the newest millisecond, and over a restart by starting
/// after the last key issued. Not for several threads.
class KeyGenerator {
public:
    /// `lastIssued`: the newest key of the journal, if there is one.
    explicit KeyGenerator(const std::optional<IdempotencyKey> &lastIssued);

    /// `wallMs`: Unix time now. `random`: 64 fresh random bits for the tail (62 used), `counterSeed`: 11 bits used.
    [[nodiscard]] IdempotencyKey next(qint64 wallMs, quint64 random, quint64 counterSeed);

private:
    qint64 m_lastMs = -1;
    int m_counter = 0;
};

/// The 36-character text of a UUIDv7 with exactly these parts (RFC 9562 A.6): 48-bit Unix ms, 12 bits rand_a,
/// 62 bits rand_b.
[[nodiscard]] QString uuidV7Text(quint64 unixMs, quint16 randA, quint64 randB);

} // namespace ikkai
