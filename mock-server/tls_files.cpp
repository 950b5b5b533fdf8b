#include "mock-server/tls_files.h"

#include "mock-server/http/tls.h"

#include <QtCore/QFile>
#include <QtCore/QFileInfo>
#include <QtCore/QProcess>
#include <QtCore/QStandardPaths>
#include <QtNetwork/QHostAddress>

namespace mockbank {

namespace tls_files {

constexpr qint64 largestFile = 1024 * 1024;
constexpr int opensslPatienceMs = 20'000;

std::optional<QByteArray> readFile(const QString &option, const QString &name, QString *error)
{
    QFile file(name);
    const bool isFolder = QFileInfo(name).isDir();
    if (isFolder || !file.open(QIODevice::ReadOnly)) {
        *error = QStringLiteral("%1 %2: %3")
                     .arg(option, name, isFolder ? QStringLiteral("is a folder") : file.errorString());
        return std::nullopt;
    }
    return file.read(largestFile);
}

QString subjectAltName(const QStringList &names)
{
    QStringList parts{QStringLiteral("DNS:localhost"), QStringLiteral("IP:127.0.0.1"), QStringLiteral("IP:::1")};
    for (const QString &name : names) {
        QHostAddress address(name);
        address.setScopeId({});
        const QString part =
            address.isNull() ? QStringLiteral("DNS:") + name : QStringLiteral("IP:") + address.toString();
        if (!parts.contains(part))
            parts.append(part);
    }
    return QStringLiteral("subjectAltName=") + parts.join(QLatin1Char(','));
}

} // namespace tls_files

using namespace tls_files;

std::optional<TlsPem> readTlsFiles(const QString &certFile, const QString &keyFile, QString *error)
{
    const auto certificate = readFile(QStringLiteral("--cert"), certFile, error);
    if (!certificate)
        return std::nullopt;
    const auto key = readFile(QStringLiteral("--key"), keyFile, error);
    if (!key)
        return std::nullopt;
    const auto tls = serverTls(*certificate, *key);
    if (const auto *flaw = std::get_if<TlsFlaw>(&tls)) {
        *error = describe(*flaw, QStringLiteral("--cert ") + certFile, QStringLiteral("--key ") + keyFile);
        return std::nullopt;
    }
    return TlsPem{*certificate, *key};
}

std::optional<SelfSignedCertificate> SelfSignedCertificate::make(const QStringList &names, QString *error)
{
    const QString openssl = QStandardPaths::findExecutable(QStringLiteral("openssl"));
    if (openssl.isEmpty()) {
        *error = QStringLiteral("--self-signed needs the openssl program, which is not in PATH");
        return std::nullopt;
    }
    SelfSignedCertificate made;
    made.m_folder = std::make_unique<QTemporaryDir>(); // readable by its owner alone
    if (!made.m_folder->isValid()) {
        *error = QStringLiteral("--self-signed: ") + made.m_folder->errorString();
        return std::nullopt;
    }
    const QString keyFile = made.m_folder->filePath(QStringLiteral("key.pem"));
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.setStandardInputFile(QProcess::nullDevice());
    process.start(openssl,
                  {QStringLiteral("req"), QStringLiteral("-x509"), QStringLiteral("-newkey"), QStringLiteral("ec"),
                   QStringLiteral("-pkeyopt"), QStringLiteral("ec_paramgen_curve:prime256v1"), QStringLiteral("-nodes"),
                   QStringLiteral("-days"), QStringLiteral("1"), QStringLiteral("-subj"),
                   QStringLiteral("/CN=mock-payment-server"), QStringLiteral("-addext"), subjectAltName(names),
                   QStringLiteral("-keyout"), keyFile, QStringLiteral("-out"), made.certificateFile()});
    const bool ended = process.waitForFinished(opensslPatienceMs);
    if (!ended || process.exitStatus() != QProcess::NormalExit || process.exitCode() != 0) {
        const QString said = QString::fromLocal8Bit(process.readAll()).simplified();
        *error = QStringLiteral("--self-signed: openssl made no certificate: ") +
                 (said.isEmpty() ? process.errorString() : said);
        process.kill();
        process.waitForFinished();
        return std::nullopt;
    }
    const auto pem = readTlsFiles(made.certificateFile(), keyFile, error);
    QFile::remove(keyFile);
    if (!pem)
        return std::nullopt;
    made.m_pem = *pem;
    return made;
}

} // namespace mockbank
