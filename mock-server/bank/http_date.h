#pragma once

#include <QtCore/QByteArray>

namespace mockbank {

/// IMF-fixdate, as in "Sun, 06 Nov 1994 08:49:37 GMT" (RFC 9110, section 5.6.7).
[[nodiscard]] QByteArray imfFixdate(qint64 atMs);

/// As in 1994-11-06T08:49:37.000Z (RFC 3339).
[[nodiscard]] QByteArray isoTime(qint64 atMs);

} // namespace mockbank
