#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QByteArrayList>
#include <QtCore/QString>

#include <optional>

namespace mockbank {

/// Reads the lines of an Idempotency-Key header: one line, bare or as a quoted string of RFC 8941 section 3.3.3, both
/// the same key of 1..255 visible ASCII characters. On anything else returns nothing, and `why` says what is wrong.
[[nodiscard]] std::optional<QByteArray> readIdempotencyKey(const QByteArrayList &lines, QString *why);

} // namespace mockbank
