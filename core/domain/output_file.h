#pragma once

#include <QtCore/QString>

#include <optional>

namespace ikkai {

/// Why nothing may be put in this file's place, as the end of a sentence; none where a file may be written there. A
/// file that is written whole or not at all replaces what stood under its name: a device or a pipe would be gone for
/// good.
[[nodiscard]] std::optional<QString> whyNotReplaced(const QString &file);

} // namespace ikkai
