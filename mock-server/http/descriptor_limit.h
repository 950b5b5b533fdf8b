#pragma once

#include <QtCore/QString>

namespace mockbank {

/// Makes sure that this process may have `needed` files and sockets open, and raises its own limit (RLIMIT_NOFILE)
/// where the system lets it. False, with `error` saying what is allowed, where it does not.
[[nodiscard]] bool allowDescriptors(quint64 needed, QString *error);

} // namespace mockbank
