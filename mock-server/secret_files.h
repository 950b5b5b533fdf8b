#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QString>

#include <optional>

namespace mockbank {

/// Writes a secret for its owner's eyes alone (mode 0600). A file of that name is replaced and never written into, so
/// that nobody who could read or has opened the old one gets the new secret; a link is refused, because the name says
/// nothing about where it leads. What is no file (a pipe, a terminal) is written to as it is. False, with `error`
/// naming the file, where that cannot be done.
[[nodiscard]] bool writeSecret(const QString &fileName, const QByteArray &secret, QString *error);

/// Who but its owner can read this file, as in `mode 0644`; nothing where nobody can, or where it is no file.
[[nodiscard]] std::optional<QString> readableByOthers(const QString &fileName);

} // namespace mockbank
