#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QString>
#include <QtNetwork/QSslConfiguration>

#include <variant>

namespace mockbank {

/// Why a certificate and a key are of no use to a bank.
struct TlsFlaw {
    enum class Part { Certificate, Key, Both };
    Part part = Part::Both;
    QString detail; ///< goes on after the name of the file, as in `is not a PEM certificate`
};

/// The server's side of TLS 1.2 and later (RFC 8446, RFC 5246) with this chain, the bank's own certificate first, and
/// its private key (RSA or EC, not encrypted), both PEM. Proved to work: a key that does not fit the certificate is a
/// flaw found here and not at the first customer's. An expired certificate is none: it makes a good lesson.
[[nodiscard]] std::variant<QSslConfiguration, TlsFlaw> serverTls(const QByteArray &certificatePem,
                                                                 const QByteArray &keyPem);

/// The flaw in one sentence about the files, or whatever the two are called.
[[nodiscard]] QString describe(const TlsFlaw &flaw, const QString &certificateName, const QString &keyName);

} // namespace mockbank
