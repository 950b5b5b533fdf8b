#include "app/bank_at_hand.h"

#include "app/secret_file.h"
#include "mock-server/mock_server.h"
#include "mock-server/options.h"

#include <QtCore/QFile>
#include <QtCore/QFileInfo>

#include <utility>

namespace ikkai::app {

namespace {

Result<Authorities, Stop> authoritiesOf(const QString &name)
{
    QFile file(name);
    const bool isFolder = QFileInfo(name).isDir();
    if (isFolder || !file.open(QIODevice::ReadOnly))
        return Stop{2, QStringLiteral("--ca-file: cannot read %1: %2")
                           .arg(name, isFolder ? QStringLiteral("it is a folder") : file.errorString())};
    constexpr qint64 largestFile = 16 * 1024 * 1024;
    auto authorities = readAuthorities(file.read(largestFile));
    if (!authorities)
        return Stop{2, QStringLiteral("--ca-file: %1 %2").arg(name, authorities.error())};
    return std::move(authorities).value();
}

} // namespace

BankAtHand::BankAtHand() = default;
BankAtHand::~BankAtHand() = default;

mockbank::MockServerOptions BankAtHand::embeddedOf(const Options &options)
{
    mockbank::MockServerOptions embedded;
    embedded.bank.store = QStringLiteral("sqlite:") + options.bankStore;
    embedded.bank.strategy = options.strategy;
    embedded.bank.accounts = mockbank::defaultAccounts();
    return embedded;
}

Result<std::unique_ptr<BankAtHand>, Stop> BankAtHand::open(const Options &options,
                                                           const mockbank::MockServerOptions &embedded)
{
    std::unique_ptr<BankAtHand> bank(new BankAtHand);
    if (auto stop = bank->readFiles(options))
        return *stop;
    if (!options.server.isEmpty()) {
        bank->m_url = options.server;
        return bank;
    }
    if (auto stop = bank->start(embedded))
        return *stop;
    return bank;
}

std::optional<Stop> BankAtHand::readFiles(const Options &options)
{
    if (!options.apiKeyFile.isEmpty()) {
        const auto line = readSecret(QStringLiteral("--api-key-file"), options.apiKeyFile);
        if (!line)
            return line.error();
        const auto key = parseApiKey(*line);
        if (!key)
            return Stop{2, QStringLiteral("--api-key-file: %1: %2").arg(options.apiKeyFile, describe(key.error()))};
        m_apiKey = *key;
    }
    if (!options.caFile.isEmpty()) {
        auto authorities = authoritiesOf(options.caFile);
        if (!authorities)
            return authorities.error();
        m_authorities = std::move(authorities).value();
    }
    if (!options.server.isEmpty() && !options.controlTokenFile.isEmpty()) {
        const auto token = readSecret(QStringLiteral("--control-token-file"), options.controlTokenFile);
        if (!token)
            return token.error();
        m_controlToken = *token;
    }
    return {};
}

std::optional<Stop> BankAtHand::start(const mockbank::MockServerOptions &embedded)
{
    m_embedded = std::make_unique<mockbank::MockServer>();
    const auto started = m_embedded->start(embedded);
    if (const auto *error = std::get_if<mockbank::StartError>(&started))
        return Stop{1, QStringLiteral("the embedded bank: ") + error->detail};
    const auto &running = std::get<mockbank::RunningServer>(started);
    m_url = QUrl(running.url);
    m_controlToken = running.controlToken;
    return {};
}

} // namespace ikkai::app
