#include "mock-server/options.h"

#include "mock-server/http/access.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QFile>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QSocketNotifier>
#include <QtNetwork/QHostAddress>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

using namespace mockbank;

constexpr int exitCannotStart = 1;
constexpr int exitUsage = 2;

int complain(int exitCode, const QString &detail)
{
    std::fprintf(stderr, "mock-payment-server: %s\n", qUtf8Printable(detail));
    return exitCode;
}

/// The file is made readable by its owner alone before the token is in it.
bool writeToken(const QString &fileName, const QByteArray &token, QString *error)
{
    const QByteArray path = QFile::encodeName(fileName);
    const int fd = ::open(path.constData(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR);
    const QByteArray line = token + '\n';
    const bool written = fd >= 0 && ::fchmod(fd, S_IRUSR | S_IWUSR) == 0 &&
                         ::write(fd, line.constData(), static_cast<size_t>(line.size())) == line.size();
    if (!written)
        *error = QStringLiteral("--token-file %1: %2").arg(fileName, QString::fromLocal8Bit(std::strerror(errno)));
    if (fd >= 0)
        ::close(fd);
    return written;
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
    const QHostAddress address(options.server.bind);
    if (!address.isNull() && !address.isLoopback() && options.apiKeyFile.isEmpty())
        return complain(exitUsage,
                        QStringLiteral("--bind %1, beyond loopback, needs --api-key-file").arg(options.server.bind));

    // Before the bank listens, so that no signal finds nobody to end it in order.
    quitOnSignals(&application);
    MockServer server;
    const auto started = server.start(options.server);
    if (const auto *failure = std::get_if<StartError>(&started))
        return complain(exitCannotStart, failure->detail);
    const auto &running = std::get<RunningServer>(started);
    if (!options.tokenFile.isEmpty() && !writeToken(options.tokenFile, running.controlToken, &error))
        return complain(exitCannotStart, error);

    QJsonObject line{{QStringLiteral("url"), running.url},
                     {QStringLiteral("ledger_id"), running.ledgerId},
                     {QStringLiteral("pid"), static_cast<qint64>(::getpid())}};
    if (!options.tokenFile.isEmpty())
        line.insert(QStringLiteral("token_file"), options.tokenFile);
    std::printf("%s\n", QJsonDocument(line).toJson(QJsonDocument::Compact).constData());
    std::fflush(stdout);

    return application.exec();
}
