#include "core/gateway/authorities.h"

namespace ikkai {

Result<Authorities, QString> readAuthorities(const QByteArray &pem)
{
    const Authorities authorities = QSslCertificate::fromData(pem, QSsl::Pem);
    if (authorities.isEmpty())
        return QStringLiteral("has no PEM certificate in it");
    return authorities;
}

} // namespace ikkai
