#include "mock-server/options.h"

#include "mock-server/http/access.h"
#include "mock-server/secret_files.h"
#include "mock-server/tls_files.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QFile>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QSocketNotifier>
#include <QtNetwork/QHostAddress>

#include <array>
#include <csignal>
#include <cstdio>
#include <sys/socket.h>
#include <unistd.h>

#include <optional>
#include <utility>

namespace {

using namespace mockbank;

constexpr int exitCannotStart = 1;
constexpr int exitUsage = 2;

int complain(int exitCode, const QString &detail)
{
    std::fprintf(stderr, "mock-payment-server: %s\n", qUtf8Printable(detail));
    return exitCode;
}

void warn(const QString &detail)
{
    std::fprintf(stderr, "mock-payment-server: warning: %s\n", qUtf8Printable(detail));
}

bool isBeyondLoopback(const QString &bind)
{
    const QHostAddress address(bind);
    return !address.isNull() && !address.isLoopback();
}

bool loadApiKeys(ProgramOptions *options, QString *error)
{
    if (options->apiKeyFile.isEmpty())
        return true;
    QFile file(options->apiKeyFile);
    if (!file.open(QIODevice::ReadOnly)) {
        *error = QStringLiteral("--api-key-file %1: %2").arg(options->apiKeyFile, file.errorString());
        return false;
    }
    constexpr qint64 largestFile = 1024 * 1024;
    const auto keys = readApiKeys(file.read(largestFile), error);
    if (!keys) {
        *error = QStringLiteral("--api-key-file %1: %2").arg(options->apiKeyFile, *error);
        return false;
    }
    for (const ApiKey &key : *keys)
        options->server.apiKeys.append({key.merchant, key.key});
    const auto others = readableByOthers(options->apiKeyFile);
    if (!others)
        return true;
    // On loopback the keys are mostly a part of somebody's tests. Beyond it they are all that guards the bank.
    const QString detail = QStringLiteral("--api-key-file %1: others can read it (%2); chmod 600 takes that away")
                               .arg(options->apiKeyFile, *others);
    if (isBeyondLoopback(options->server.bind)) {
        *error = detail;
        return false;
    }
    warn(detail);
    return true;
}

/// Reads `--cert` and `--key`, or makes what `--self-signed` asks for.
bool loadTls(ProgramOptions *options, std::optional<SelfSignedCertificate> *selfSigned, QString *error)
{
    std::optional<TlsPem> pem;
    if (options->selfSigned) {
        *selfSigned =
            SelfSignedCertificate::make(QStringList{options->server.bind} + options->server.allowedHosts, error);
        if (*selfSigned)
            pem = (*selfSigned)->pem();
    } else if (!options->certFile.isEmpty()) {
        pem = readTlsFiles(options->certFile, options->keyFile, error);
        if (const auto others = readableByOthers(options->keyFile); pem && others) {
            warn(QStringLiteral("--key %1: others can read it (%2); chmod 600 takes that away")
                     .arg(options->keyFile, *others));
        }
    } else {
        return true;
    }
    if (!pem)
        return false;
    options->server.certificatePem = pem->certificate;
    options->server.keyPem = pem->key;
    return true;
}

std::array<int, 2> signalPipe{-1, -1};

/// A signal handler may do next to nothing: it wakes the event loop through a socket.
void onSignal(int)
{
    const char byte = 1;
    [[maybe_unused]] const ssize_t written = ::write(signalPipe[0], &byte, 1);
}

void quitOnSignals(QCoreApplication *application)
{
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, signalPipe.data()) != 0)
        return;
    auto *notifier = new QSocketNotifier(signalPipe[1], QSocketNotifier::Read, application);
    QObject::connect(notifier, &QSocketNotifier::activated, application, [] { QCoreApplication::quit(); });
    struct sigaction action {};
    action.sa_handler = onSignal;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    ::sigaction(SIGTERM, &action, nullptr);
    ::sigaction(SIGINT, &action, nullptr);
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("mock-payment-server"));
    QCoreApplication::setApplicationVersion(QStringLiteral(IKKAI_VERSION));

    auto read = readOptions(application.arguments().mid(1));
    if (const auto *error = std::get_if<UsageError>(&read))
        return complain(exitUsage, error->detail);
    auto &options = std::get<ProgramOptions>(read);
    if (options.helpWanted) {
        std::fputs(qUtf8Printable(helpText()), stdout);
        return 0;
    }
    if (options.versionWanted) {
        std::printf("mock-payment-server %s\n", IKKAI_VERSION);
        return 0;
    }
    QString error;
    if (!loadApiKeys(&options, &error))
        return complain(exitUsage, error);
    if (isBeyondLoopback(options.server.bind) && options.apiKeyFile.isEmpty())
        return complain(exitUsage,
                        QStringLiteral("--bind %1, beyond loopback, needs --api-key-file").arg(options.server.bind));

    std::optional<SelfSignedCertificate> selfSigned;
    if (!loadTls(&options, &selfSigned, &error))
        return complain(options.selfSigned ? exitCannotStart : exitUsage, error);

    // Before the bank listens, so that no signal finds nobody to end it in order.
    quitOnSignals(&application);
    MockServer server;
    const auto started = server.start(std::exchange(options.server, {}));
    if (const auto *failure = std::get_if<StartError>(&started))
        return complain(exitCannotStart, failure->detail);
    const auto &running = std::get<RunningServer>(started);
    if (!options.tokenFile.isEmpty() && !writeSecret(options.tokenFile, running.controlToken, &error))
        return complain(exitCannotStart, QStringLiteral("--token-file ") + error);

    QJsonObject line{{QStringLiteral("url"), running.url},
                     {QStringLiteral("ledger_id"), running.ledgerId},
                     {QStringLiteral("pid"), static_cast<qint64>(::getpid())}};
    if (!options.tokenFile.isEmpty())
        line.insert(QStringLiteral("token_file"), options.tokenFile);
    if (selfSigned)
        line.insert(QStringLiteral("certificate_file"), selfSigned->certificateFile());
    std::printf("%s\n", QJsonDocument(line).toJson(QJsonDocument::Compact).constData());
    std::fflush(stdout);

    return application.exec();
}
