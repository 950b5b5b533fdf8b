#pragma once

#include "core/domain/result.h"

#include <QtCore/QByteArray>
#include <QtCore/QList>
#include <QtCore/QString>
#include <QtNetwork/QSslCertificate>

namespace ikkai {

/// Who may vouch for an https bank, and nobody else; none: those the system trusts.
using Authorities = QList<QSslCertificate>;

/// Reads PEM certificates. The error goes on after a file's name, as in `has no PEM certificate in it`.
[[nodiscard]] Result<Authorities, QString> readAuthorities(const QByteArray &pem);

} // namespace ikkai
