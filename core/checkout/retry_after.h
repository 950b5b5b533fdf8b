#pragma once

#include <QtCore/QByteArray>

#include <optional>

namespace ikkai {

/// Milliseconds that a Retry-After asks for (RFC 9110, section 10.2.3): delay-seconds (digits only) or an HTTP-date in
/// any of its three forms (section 5.6.7), measured against the answer's own Date header; past means 0; malformed, or
/// a date without a Date to measure it by, means none. Saturates instead of overflowing.
[[nodiscard]] std::optional<qint64> retryAfterMs(const QByteArray &retryAfter, const QByteArray &date);

/// Unix milliseconds of an HTTP-date (IMF-fixdate, RFC 850, asctime), none where malformed.
[[nodiscard]] std::optional<qint64> httpDateMs(const QByteArray &text);

} // namespace ikkai
