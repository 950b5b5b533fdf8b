#include "app/engine.h"

#include "app/journal_door.h"
#include "app/secret_file.h"
#include "core/checkout/qt_scheduler.h"
#include "core/domain/random.h"
#include "core/gateway/http_gateway.h"
#include "core/journal/sqlite_journal.h"
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

/// What lives on the engine thread, in the order of its making.
struct Engine::Room : QObject {
    std::unique_ptr<SqliteJournal> journal;
    std::unique_ptr<HttpGateway> gateway;
    SystemClock clock;
    SystemRandom random;
    std::unique_ptr<QtScheduler> scheduler;
    std::unique_ptr<CheckoutService> service;

    std::optional<Stop> open(const QString &file, const JournalSettings &journalSettings,
                             HttpGatewaySettings gatewaySettings, ServiceSettings settings)
    {
        auto opened = SqliteJournal::open(file, SqliteJournal::Access::Write, journalSettings);
        if (!opened)
            return stopFor(opened.error());
        journal = std::move(opened).value();
        gateway = std::make_unique<HttpGateway>(std::move(gatewaySettings));
        scheduler = std::make_unique<QtScheduler>(clock);
        service = std::make_unique<CheckoutService>(*journal, *gateway, clock, random, *scheduler, std::move(settings));
        return {};
    }
};

Engine::Engine() = default;

Engine::~Engine()
{
    if (m_room) {
        // Everything on the thread ends there: timers, sockets and the database belong to it.
        QMetaObject::invokeMethod(
            m_room, [room = m_room] { delete room; }, Qt::BlockingQueuedConnection);
    }
    m_thread.quit();
    m_thread.wait();
}

Result<std::unique_ptr<Engine>, Stop> Engine::open(const Options &options)
{
    mockbank::MockServerOptions embedded;
    embedded.bank.store = QStringLiteral("sqlite:") + options.bankStore;
    embedded.bank.strategy = options.strategy;
    embedded.bank.accounts = mockbank::defaultAccounts();
    return open(options, embedded);
}

Result<std::unique_ptr<Engine>, Stop> Engine::open(const Options &options, const mockbank::MockServerOptions &embedded)
{
    std::unique_ptr<Engine> engine(new Engine);
    auto locked = lockJournal(options.journal);
    if (!locked)
        return locked.error();
    engine->m_lock = std::make_unique<JournalLock>(std::move(locked).value());
    if (auto stop = engine->startService(options, embedded))
        return *stop;
    return engine;
}

std::optional<Stop> Engine::startBank(const Options &options, const mockbank::MockServerOptions &embedded)
{
    if (!options.server.isEmpty()) {
        m_bankUrl = options.server;
        if (options.controlTokenFile.isEmpty())
            return {};
        const auto token = readSecret(QStringLiteral("--control-token-file"), options.controlTokenFile);
        if (!token)
            return token.error();
        m_controlToken = *token;
        return {};
    }
    m_bank = std::make_unique<mockbank::MockServer>();
    const auto started = m_bank->start(embedded);
    if (const auto *error = std::get_if<mockbank::StartError>(&started))
        return Stop{1, QStringLiteral("the embedded bank: ") + error->detail};
    const auto &running = std::get<mockbank::RunningServer>(started);
    m_bankUrl = QUrl(running.url);
    m_controlToken = running.controlToken;
    return {};
}

std::optional<Stop> Engine::startService(const Options &options, const mockbank::MockServerOptions &embedded)
{
    HttpGatewaySettings gateway;
    if (!options.apiKeyFile.isEmpty()) {
        const auto line = readSecret(QStringLiteral("--api-key-file"), options.apiKeyFile);
        if (!line)
            return line.error();
        const auto key = parseApiKey(*line);
        if (!key)
            return Stop{2, QStringLiteral("--api-key-file: %1: %2").arg(options.apiKeyFile, describe(key.error()))};
        gateway.apiKey = *key;
    }
    if (!options.caFile.isEmpty()) {
        const auto authorities = authoritiesOf(options.caFile);
        if (!authorities)
            return authorities.error();
        m_authorities = authorities.value();
        gateway.authorities = m_authorities;
    }
    if (auto stop = startBank(options, embedded))
        return stop;
    gateway.baseUrl = m_bankUrl;
    gateway.keyFormat = options.keyFormat;
    ServiceSettings settings;
    settings.terminalId = options.terminalId;
    settings.bankAt = options.server.isEmpty() ? QStringLiteral("embedded") : options.server.toString();
    settings.policy = options.policy;

    m_thread.setObjectName(QStringLiteral("engine"));
    m_thread.start();
    m_room = new Room;
    m_room->moveToThread(&m_thread);
    std::optional<Stop> stop;
    QMetaObject::invokeMethod(
        m_room, [&] { stop = m_room->open(options.journal, {options.calendar}, gateway, settings); },
        Qt::BlockingQueuedConnection);
    m_service = m_room->service.get();
    return stop;
}

void Engine::recover()
{
    QMetaObject::invokeMethod(m_service, &CheckoutService::recover, Qt::QueuedConnection);
}

} // namespace ikkai::app
