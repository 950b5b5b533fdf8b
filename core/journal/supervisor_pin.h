#pragma once

#include "core/domain/result.h"

#include <QtCore/QByteArray>
#include <QtCore/QString>

namespace ikkai {

/// A supervisor's PIN as the journal keeps it: never the PIN itself. PBKDF2 with HMAC-SHA-512 (RFC 8018, section 5.2).
struct PinRecord {
    QByteArray salt;
    int iterations = 0;
    QByteArray hash;
    int wrongTries = 0; ///< since the last right one; at maxWrongPins it is locked until it is set anew
    qint64 setWallMs = 0;
    friend bool operator==(const PinRecord &, const PinRecord &) = default;
};

constexpr int maxWrongPins = 5;
constexpr int pinIterations = 210'000; ///< OWASP's number for PBKDF2 with HMAC-SHA-512

/// 4 to 12 digits (full-width ones count as their ASCII). The error is one sentence that does not repeat the PIN.
Result<PinRecord, QString> makePin(const QString &pin, qint64 nowWallMs, int iterations = pinIterations);
/// Compares in constant time; takes some tenths of a second on purpose.
[[nodiscard]] bool isPin(const PinRecord &record, const QString &pin);

} // namespace ikkai
