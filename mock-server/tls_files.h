#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QString>
#include <QtCore/QStringList>
#include <QtCore/QTemporaryDir>

#include <memory>
#include <optional>

namespace mockbank {

/// Certificate chain and private key, PEM, proved to belong together.
struct TlsPem {
    QByteArray certificate;
    QByteArray key;
};

/// Reads `--cert` and `--key`. Nothing, with `error` naming option and file, where they are of no use.
[[nodiscard]] std::optional<TlsPem> readTlsFiles(const QString &certFile, const QString &keyFile, QString *error);

/// A certificate nobody has signed but itself, for lessons on certificates: made at every start, good for a day, for
/// localhost, the loopback addresses and `names`. Qt makes no certificates, so the `openssl` program does, in a private
/// temporary folder. The key is deleted as soon as it is read; the certificate stays for those who want to trust it,
/// until this object goes.
class SelfSignedCertificate {
public:
    /// Nothing, with `error`, where there is no `openssl` program or it fails.
    [[nodiscard]] static std::optional<SelfSignedCertificate> make(const QStringList &names, QString *error);

    [[nodiscard]] const TlsPem &pem() const { return m_pem; }
    [[nodiscard]] QString certificateFile() const { return m_folder->filePath(QStringLiteral("cert.pem")); }

private:
    SelfSignedCertificate() = default;
    std::unique_ptr<QTemporaryDir> m_folder;
    TlsPem m_pem;
};

} // namespace mockbank
