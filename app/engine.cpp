#include "app/engine.h"

#include "app/journal_door.h"
#include "core/checkout/qt_scheduler.h"
#include "core/closing/charge_list_client.h"
#include "core/closing/closing_service.h"
#include "core/domain/random.h"
#include "core/gateway/http_gateway.h"
#include "core/journal/history_reader.h"
#include "core/journal/sqlite_journal.h"
#include "mock-server/options.h"

#include <utility>

namespace ikkai::app {

namespace {

/// Everything on the thread ends there: timers, sockets and databases belong to it.
template <class Room>
void endOn(QThread &thread, Room *room)
{
    if (room) {
        QMetaObject::invokeMethod(
            room, [room] { delete room; }, Qt::BlockingQueuedConnection);
    }
    thread.quit();
    thread.wait();
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

/// What lives on the reading thread. Made here, for nothing of it opens anything before it is asked.
struct Engine::ReadingRoom : QObject {
    SystemClock clock;
    SystemRandom random;
    HistoryReader *history;
    ClosingService *closing;

    ReadingRoom(const Options &options, const BankAtHand &bank)
        : history(new HistoryReader(options.journal, options.calendar, this))
        , closing(
              new ClosingService({options.journal, options.calendar, options.terminalId}, clock,
                                 std::make_unique<ChargeListClient>(
                                     ChargeListClientSettings{bank.url(), bank.apiKey(), bank.authorities()}, random),
                                 this))
    {
    }
    ~ReadingRoom() override
    {
        delete closing; // before the clock and the random numbers that it uses
        delete history;
    }
};

Engine::Engine() = default;

Engine::~Engine()
{
    endOn(m_readingThread, m_readingRoom);
    endOn(m_thread, m_room);
}

Result<std::unique_ptr<Engine>, Stop> Engine::open(const Options &options)
{
    return open(options, BankAtHand::embeddedOf(options));
}

Result<std::unique_ptr<Engine>, Stop> Engine::open(const Options &options, const mockbank::MockServerOptions &embedded)
{
    std::unique_ptr<Engine> engine(new Engine);
    auto locked = lockJournal(options.journal);
    if (!locked)
        return locked.error();
    engine->m_lock = std::make_unique<JournalLock>(std::move(locked).value());
    auto bank = BankAtHand::open(options, embedded);
    if (!bank)
        return bank.error();
    engine->m_bank = std::move(bank).value();
    if (auto stop = engine->startService(options))
        return *stop;
    engine->startReading(options);
    return engine;
}

std::optional<Stop> Engine::startService(const Options &options)
{
    HttpGatewaySettings gateway;
    gateway.apiKey = m_bank->apiKey();
    gateway.authorities = m_bank->authorities();
    gateway.baseUrl = m_bank->url();
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

void Engine::startReading(const Options &options)
{
    m_readingThread.setObjectName(QStringLiteral("reading"));
    m_readingThread.start();
    m_readingRoom = new ReadingRoom(options, *m_bank);
    m_history = m_readingRoom->history;
    m_closing = m_readingRoom->closing;
    m_readingRoom->moveToThread(&m_readingThread);
}

void Engine::recover()
{
    QMetaObject::invokeMethod(m_service, &CheckoutService::recover, Qt::QueuedConnection);
}

} // namespace ikkai::app
