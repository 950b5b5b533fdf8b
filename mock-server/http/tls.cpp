#include "mock-server/http/tls.h"

#include "mock-server/http/loopback_pair.h"

#include <QtNetwork/QSslCertificate>
#include <QtNetwork/QSslKey>
#include <QtNetwork/QSslSocket>

#include <optional>

namespace mockbank {

namespace tls_check {

bool isEncrypted(const QByteArray &keyPem)
{
    return keyPem.contains("BEGIN ENCRYPTED PRIVATE KEY") || keyPem.contains("Proc-Type: 4,ENCRYPTED");
}

/// Qt says whether it can work with key and certificate only when a handshake begins: one does, on a connection that
/// leads nowhere.
std::optional<QString> whyNoHandshake(const QSslConfiguration &configuration)
{
    LoopbackPair pair;
    if (!pair.isConnected())
        return QStringLiteral("no connection on loopback to try it on");
    QSslSocket socket;
    socket.setSslConfiguration(configuration);
    std::optional<QString> why;
    QObject::connect(&socket, &QAbstractSocket::errorOccurred, &socket, [&] {
        if (!why)
            why = socket.errorString();
    });
    socket.setSocketDescriptor(pair.takeServer());
    socket.startServerEncryption();
    socket.abort();
    return why;
}

} // namespace tls_check

std::variant<QSslConfiguration, TlsFlaw> serverTls(const QByteArray &certificatePem, const QByteArray &keyPem)
{
    using enum TlsFlaw::Part;
    if (!QSslSocket::supportsSsl())
        return TlsFlaw{Both, QStringLiteral("needs OpenSSL, which Qt does not find here")};
    const QList<QSslCertificate> chain = QSslCertificate::fromData(certificatePem, QSsl::Pem);
    if (chain.isEmpty() || chain.first().isNull())
        return TlsFlaw{Certificate, QStringLiteral("is not a PEM certificate")};
    if (tls_check::isEncrypted(keyPem))
        return TlsFlaw{Key, QStringLiteral("is encrypted; openssl pkey -in FILE -out PLAIN takes the passphrase off")};
    if (!keyPem.contains("PRIVATE KEY-----"))
        return TlsFlaw{Key, QStringLiteral("is not a PEM private key")};
    const QSsl::KeyAlgorithm algorithm = chain.first().publicKey().algorithm();
    if (algorithm != QSsl::Rsa && algorithm != QSsl::Ec)
        return TlsFlaw{Certificate, QStringLiteral("is for a key that is neither RSA nor EC")};
    const QSslKey key(keyPem, algorithm, QSsl::Pem, QSsl::PrivateKey);
    if (key.isNull())
        return TlsFlaw{Key, QStringLiteral("is not a PEM private key of the certificate's kind")};

    QSslConfiguration configuration;
    configuration.setLocalCertificateChain(chain);
    configuration.setPrivateKey(key);
    configuration.setProtocol(QSsl::TlsV1_2OrLater);
    // Nobody is asked for a certificate, and without this line every connection would read the system's hundreds.
    configuration.setCaCertificates({});
    configuration.setPeerVerifyMode(QSslSocket::VerifyNone);
    if (const auto why = tls_check::whyNoHandshake(configuration)) {
        const bool mismatch = why->contains(QLatin1String("mismatch")) || why->contains(QLatin1String("certify")) ||
                              why->contains(QLatin1String("expecting"));
        return TlsFlaw{Both, mismatch ? QStringLiteral("do not belong together") : *why};
    }
    return configuration;
}

QString describe(const TlsFlaw &flaw, const QString &certificateName, const QString &keyName)
{
    switch (flaw.part) {
    case TlsFlaw::Part::Certificate:
        return certificateName + QLatin1Char(' ') + flaw.detail;
    case TlsFlaw::Part::Key:
        return keyName + QLatin1Char(' ') + flaw.detail;
    case TlsFlaw::Part::Both:
        break;
    }
    return certificateName + QLatin1String(" and ") + keyName + QLatin1String(": ") + flaw.detail;
}

} // namespace mockbank
