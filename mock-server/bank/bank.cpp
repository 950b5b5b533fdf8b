#include "mock-server/bank/bank.h"

#include "mock-server/bank/answers.h"
#include "mock-server/bank/charge_request.h"
#include "mock-server/bank/clock.h"
#include "mock-server/bank/id_source.h"
#include "mock-server/bank/ledger_writer.h"
#include "mock-server/bank/reports.h"
#include "mock-server/store/memory_key_lock.h"
#include "mock-server/store/redis_key_lock.h"
#include "mock-server/store/store_address.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <thread>
#include <utility>

namespace mockbank {

namespace {

// Bounds one transaction, so that the first of many answers does not wait for the last.
constexpr size_t maxBatch = 1024;

bool isPossible(const Account &account)
{
    return !account.source.isEmpty() && account.balanceMinor >= 0 && account.balanceMinor <= maxBalanceMinor;
}

/// One line where the options make no bank.
QString flawOf(const BankOptions &options)
{
    const auto isNamePart = [](QChar c) {
        return (c >= QLatin1Char('a') && c <= QLatin1Char('z')) || (c >= QLatin1Char('A') && c <= QLatin1Char('Z')) ||
               (c >= QLatin1Char('0') && c <= QLatin1Char('9')) || QStringLiteral("-_.").contains(c);
    };
    // The instance becomes part of the name of a lock file.
    if (options.instance.isEmpty() || options.instance.size() > 64 ||
        !std::all_of(options.instance.cbegin(), options.instance.cend(), isNamePart)) {
        return QStringLiteral("instance \"%1\": expected 1 to 64 letters, digits, - _ .").arg(options.instance);
    }
    if (options.keyTtl.count() <= 0 || options.lease.count() <= 0 || options.processing.count() < 0)
        return QStringLiteral("key time-to-live and lease must be longer than nothing, processing not shorter");
    if (options.redisLock.count() <= 0)
        return QStringLiteral("the time of a lock must be longer than nothing");
    if (!strategyNames().contains(options.strategy)) {
        return QStringLiteral("strategy \"%1\": expected %2")
            .arg(options.strategy, strategyNames().join(QStringLiteral(", ")));
    }
    if (options.mismatchStatus != 400 && options.mismatchStatus != 409 && options.mismatchStatus != 422)
        return QStringLiteral("mismatch status %1: expected 400, 409 or 422").arg(options.mismatchStatus);
    for (const Account &account : options.accounts) {
        if (!isPossible(account)) {
            return QStringLiteral("account %1=%2: expected a name and a balance of 0 to %3")
                .arg(account.source)
                .arg(account.balanceMinor)
                .arg(maxBalanceMinor);
        }
    }
    return {};
}

} // namespace

/// The ledger thread and its letter box.
class Bank::Private {
public:
    explicit Private(const BankOptions &options)
        : m_options(options)
    {
    }
    ~Private()
    {
        stop(End::Vanish);
        // A lock may wake the ledger until it has ended, and whoever trusts it keeps it alive.
        m_letters.clear();
        m_writer.reset();
        m_lock.reset();
    }

    enum class End { None, Orderly, Vanish };

    bool start(QString *error)
    {
        const std::optional<StoreAddress> address = resolve(error);
        if (const QString flaw = flawOf(m_options); !flaw.isEmpty())
            *error = flaw;
        if (!address || !error->isEmpty())
            return false;
        std::unique_ptr<Strategy> strategy = makeStrategy(m_options.strategy, m_lock);
        std::promise<QString> opened;
        std::future<QString> outcome = opened.get_future();
        m_thread = std::thread([this, address = *address, strategy = std::move(strategy), &opened]() mutable {
            work(address, std::move(strategy), opened);
        });
        *error = outcome.get();
        if (!error->isEmpty()) {
            m_thread.join();
            return false;
        }
        m_options.clock->onMoved(this, [this] { wake(); });
        return true;
    }

    void stop(End end)
    {
        if (!m_thread.joinable())
            return;
        {
            const std::scoped_lock lock(m_mutex);
            m_end = end;
            m_vanished = end == End::Vanish;
        }
        m_wake.notify_one();
        m_options.clock->onMoved(this, nullptr);
        m_thread.join();
    }

    void post(LedgerTask task)
    {
        {
            const std::scoped_lock lock(m_mutex);
            if (m_end != End::None)
                return;
            m_letters.push_back(std::move(task));
        }
        m_wake.notify_one();
    }

    void setObserver(std::function<void(const BankEvent &)> observer)
    {
        const std::scoped_lock lock(m_mutex);
        m_observer = std::move(observer);
    }

    void setDirectPublisher(std::function<void(const OutboxEvent &)> publish)
    {
        const std::scoped_lock lock(m_mutex);
        m_publish = std::move(publish);
    }

    /// Posts the switch behind everything that has arrived. It needs no store, and is not undone by its failure.
    void setStrategy(const QString &name, std::function<void(std::optional<QString> was)> done)
    {
        const std::shared_ptr<Strategy> strategy = makeStrategy(name, m_lock);
        {
            const std::scoped_lock lock(m_mutex);
            if (m_end != End::None)
                return;
            std::optional<QString> was;
            if (strategy)
                was = std::exchange(m_options.strategy, name);
            const auto change = [this, strategy] {
                if (strategy)
                    m_writer->setStrategy(strategy);
            };
            const auto tell = [this, name, was, done = std::move(done)] {
                if (was) {
                    m_writer->announce(
                        {"strategy", 0, {{QStringLiteral("name"), name}, {QStringLiteral("was"), *was}}});
                }
                done(was);
            };
            DeskTask task;
            task.run = [change, tell](Store &) {
                change();
                return tell;
            };
            task.failed = [change, tell] {
                change();
                tell();
            };
            m_letters.push_back(std::move(task));
        }
        m_wake.notify_one();
    }

    BankOptions options() const
    {
        const std::scoped_lock lock(m_mutex);
        return m_options;
    }
    QByteArray ledgerId() const
    {
        const std::scoped_lock lock(m_ledgerMutex);
        return m_ledgerId;
    }
    QByteArray runId() const { return m_runId; }
    const LedgerWriter *writer() const { return m_writer.get(); }

private:
    std::optional<StoreAddress> resolve(QString *error)
    {
        error->clear();
        if (!m_options.clock)
            m_options.clock = systemClock();
        if (!m_options.ids)
            m_options.ids = randomIds();
        if (!openLock(error))
            return std::nullopt;
        if (m_options.openStore)
            return StoreAddress{};
        std::optional<StoreAddress> address = readStoreAddress(m_options.store, m_options.memory, error);
        if (address)
            m_options.memory = address->memory;
        return address;
    }

    bool openLock(QString *error)
    {
        if (!m_options.keyLock)
            m_options.keyLock = std::make_shared<MemoryKeyLock>();
        m_lock = m_options.keyLock;
        if (m_options.redis.isEmpty())
            return true;
        const std::optional<RedisAddress> address = readRedisAddress(m_options.redis, error);
        if (address)
            m_lock = std::make_shared<RedisKeyLock>(*address, [this] { wake(); });
        else
            *error = QStringLiteral("redis: ") + *error;
        return address.has_value();
    }

    LedgerWriter::Environment environment(const StoreAddress &address)
    {
        LedgerWriter::Environment environment;
        environment.openStore = m_options.openStore;
        if (!environment.openStore)
            environment.openStore = [address] { return mockbank::openStore(address); };
        environment.clock = m_options.clock;
        environment.ids = m_options.ids;
        environment.accounts = m_options.accounts;
        environment.settings.keyTtlMs = m_options.keyTtl.count();
        environment.settings.leaseMs = m_options.lease.count();
        environment.settings.mismatchStatus = m_options.mismatchStatus;
        environment.settings.recheckDeclines = m_options.recheckDeclines;
        environment.settings.rerunExpired = m_options.expiredKeys == ExpiredKeys::Rerun;
        environment.settings.cache5xx = m_options.cache5xx;
        environment.settings.lockMs = m_options.redisLock.count();
        environment.settings.self = {m_options.instance.toUtf8(), m_runId};
        environment.processingMs = m_options.processing.count();
        environment.vanished = [this] { return m_vanished.load(); };
        environment.ledgerChanged = [this](const QByteArray &ledgerId) {
            keepLedgerId(ledgerId);
            // What it knows is of the ledger that is gone. Into a real Redis the bank does not reach like this.
            m_options.keyLock->clear();
        };
        return environment;
    }

    void work(const StoreAddress &address, std::unique_ptr<Strategy> strategy, std::promise<QString> &opened)
    {
        // Else it bears the name of the thread that made it, in debuggers and profiles.
        ::pthread_setname_np(::pthread_self(), "bank ledger");
        m_runId = m_options.ids->make("run_");
        try {
            m_writer = std::make_unique<LedgerWriter>(environment(address), std::move(strategy));
        } catch (const StoreError &error) {
            opened.set_value(QString::fromUtf8(error.what()));
            return;
        }
        keepLedgerId(m_writer->ledgerId());
        // After this line `opened` may be gone.
        opened.set_value({});
        serve(*m_writer);
        // The store belongs to this thread; the clock may be asked as long as the bank lives.
        m_writer->closeStore();
    }

    void keepLedgerId(const QByteArray &ledgerId)
    {
        const std::scoped_lock lock(m_ledgerMutex);
        m_ledgerId = ledgerId;
    }

    void serve(LedgerWriter &writer)
    {
        std::unique_lock lock(m_mutex);
        while (true) {
            waitForWork(writer, lock);
            if (m_end == End::Vanish)
                return;
            const bool hurry = m_end == End::Orderly;
            if (hurry && m_letters.empty() && writer.running() == 0)
                return;
            std::vector<LedgerTask> tasks;
            const size_t size = std::min(m_letters.size(), maxBatch);
            tasks.reserve(size);
            std::move(m_letters.begin(), m_letters.begin() + std::ptrdiff_t(size), std::back_inserter(tasks));
            m_letters.erase(m_letters.begin(), m_letters.begin() + std::ptrdiff_t(size));
            if (m_observer)
                writer.setObserver(std::exchange(m_observer, nullptr));
            if (m_publish)
                writer.setPublisher(std::exchange(m_publish, nullptr));
            lock.unlock();
            writer.runBatch(std::move(tasks), hurry);
            lock.lock();
        }
    }

    void waitForWork(const LedgerWriter &writer, std::unique_lock<std::mutex> &lock)
    {
        // An orderly end hurries everything but another machine.
        while (m_letters.empty() && (m_end == End::None || (m_end == End::Orderly && writer.onlyWaits()))) {
            const qint64 waitMs = writer.nextDueMs() - m_options.clock->elapsedMs();
            if (waitMs <= 0)
                return;
            m_wake.wait_for(lock, std::chrono::milliseconds(waitMs));
        }
    }

    void wake()
    {
        // Taking the mutex makes sure that the ledger thread is either waiting or has not looked at the clock yet.
        const std::scoped_lock lock(m_mutex);
        m_wake.notify_one();
    }

    BankOptions m_options;
    QByteArray m_runId;
    mutable std::mutex m_ledgerMutex;
    QByteArray m_ledgerId;
    std::unique_ptr<LedgerWriter> m_writer; ///< of the ledger thread, but for its clock

    mutable std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<LedgerTask> m_letters;
    std::function<void(const BankEvent &)> m_observer;
    std::function<void(const OutboxEvent &)> m_publish;
    End m_end = End::None;
    std::atomic<bool> m_vanished{false};
    std::thread m_thread;
    std::shared_ptr<KeyLock> m_lock;
};

Bank::Bank(std::unique_ptr<Private> inside)
    : d(std::move(inside))
{
}

Bank::~Bank() = default;

std::unique_ptr<Bank> Bank::open(const BankOptions &options, QString *error)
{
    auto inside = std::make_unique<Private>(options);
    if (!inside->start(error))
        return nullptr;
    return std::unique_ptr<Bank>(new Bank(std::move(inside)));
}

void Bank::setObserver(std::function<void(const BankEvent &)> observer)
{
    d->setObserver(std::move(observer));
}

void Bank::setDirectPublisher(std::function<void(const OutboxEvent &)> publish)
{
    d->setDirectPublisher(std::move(publish));
}

void Bank::setStrategy(const QString &name, std::function<void(std::optional<QString> was)> done)
{
    d->setStrategy(name, std::move(done));
}

void Bank::charge(ChargeArrival arrival, std::function<void(Answer)> done)
{
    // Read here, on the caller's thread: the ledger thread is the one that everybody waits for.
    ChargeTask task;
    task.work.name = chargeKey(arrival.merchant, arrival.key);
    const auto read = readChargeRequest(arrival.body);
    if (const auto *request = std::get_if<ChargeRequest>(&read))
        task.work.request = *request;
    if (const auto *flaw = std::get_if<BadField>(&read)) {
        task.ready = answers::badField(arrival.key, *flaw);
        task.readyEvent = "refused";
    }
    task.work.arrival = std::move(arrival);
    (void)task.work.facts();
    task.done = std::move(done);
    d->post(std::move(task));
}

void Bank::inquire(InquiryArrival arrival, std::function<void(Answer)> done)
{
    InquiryTask task;
    task.name = chargeKey(arrival.merchant, arrival.key);
    task.arrival = std::move(arrival);
    task.done = std::move(done);
    d->post(std::move(task));
}

void Bank::voidCharge(VoidArrival arrival, std::function<void(Answer)> done)
{
    VoidTask task;
    task.work.name = voidKey(arrival.merchant, arrival.key);
    const auto read = readVoidRequest(arrival.body);
    if (const auto *request = std::get_if<VoidRequest>(&read)) {
        task.work.request = *request;
        task.work.original = chargeKey(arrival.merchant, request->originalKey);
    } else {
        task.ready = answers::badField(arrival.key, std::get<BadField>(read));
        task.readyEvent = "refused";
    }
    task.work.arrival = std::move(arrival);
    (void)task.work.facts();
    task.done = std::move(done);
    d->post(std::move(task));
}

void Bank::list(ListArrival arrival, std::function<void(Answer)> done)
{
    ListTask task;
    task.scope = chargeKey(arrival.merchant, {}).scope;
    task.arrival = std::move(arrival);
    task.done = std::move(done);
    d->post(std::move(task));
}

void Bank::close()
{
    d->stop(Private::End::Orderly);
}

QString Bank::ledgerId() const
{
    return QString::fromUtf8(d->ledgerId());
}

QString Bank::runId() const
{
    return QString::fromUtf8(d->runId());
}

ClockState Bank::clock() const
{
    return d->writer()->clock().state();
}

qint64 Bank::nowMs() const
{
    return clock().nowMs;
}

void Bank::setClock(ClockChange change, std::function<void(std::optional<ClockState>)> done)
{
    d->post(ClockTask{change, std::move(done), {}});
}

void Bank::reset(bool ledgerToo, std::function<void(std::optional<QString>)> done)
{
    Private *inside = d.get();
    ResetTask task;
    task.ledgerToo = ledgerToo;
    task.done = [inside, done = std::move(done)](bool isDone) {
        done(isDone ? std::optional(QString::fromUtf8(inside->ledgerId())) : std::nullopt);
    };
    d->post(std::move(task));
}

BankOptions Bank::options() const
{
    return d->options();
}

void Bank::listAccounts(std::function<void(QList<Account>)> done)
{
    DeskTask task;
    task.run = [done](Store &store) { return [done, accounts = store.accounts()] { done(accounts); }; };
    task.failed = [done] { done({}); };
    d->post(std::move(task));
}

void Bank::putAccount(Account account, std::function<void(Account)> done)
{
    DeskTask task;
    task.run = [done, account](Store &store) {
        Account stored;
        if (isPossible(account)) {
            store.putAccount(account);
            stored = account;
        }
        return [done, stored] { done(stored); };
    };
    task.failed = [done] { done({}); };
    d->post(std::move(task));
}

/// A report that is one JSON object; {"error"} where the store cannot be read.
static LedgerTask reportTask(std::function<QJsonObject(Store &)> make, const std::function<void(QJsonObject)> &done)
{
    DeskTask task;
    task.run = [make = std::move(make), done](Store &store) { return [done, report = make(store)] { done(report); }; };
    task.failed = [done] { done({{QStringLiteral("error"), QStringLiteral("the bank's store is unavailable")}}); };
    return task;
}

void Bank::listMovements(qint64 after, int limit, std::function<void(QJsonObject)> done)
{
    d->post(reportTask([after, limit](Store &store) { return reports::movements(store, after, limit); }, done));
}

void Bank::listKeys(std::function<void(QJsonObject)> done)
{
    Private *inside = d.get();
    d->post(reportTask([inside](Store &store) { return reports::keys(store, inside->writer()->clock().state().nowMs); },
                       done));
}

void Bank::listOutbox(qint64 after, int limit, OutboxRows rows, std::function<void(QJsonObject)> done)
{
    Private *inside = d.get();
    const auto make = [=](Store &store) {
        QJsonObject report = reports::outbox(store, after, limit, rows, inside->writer()->ledgerId());
        const QJsonObject count = reports::outboxCount(store, inside->writer()->clock().state().nowMs);
        for (auto it = count.begin(); it != count.end(); ++it)
            report.insert(it.key(), it.value());
        return report;
    };
    d->post(reportTask(make, done));
}

void Bank::takeOutboxTurn(OutboxAsk ask, std::function<void(OutboxTurn)> done)
{
    Private *inside = d.get();
    DeskTask task;
    task.run = [=](Store &store) {
        const OutboxTurn turn = outbox_desk::turn(store, ask, inside->writer()->ledgerId());
        return [done, turn] { done(turn); };
    };
    task.failed = [done] { done({}); };
    d->post(std::move(task));
}

void Bank::markOutbox(OutboxMark mark, std::function<void(bool)> done)
{
    DeskTask task;
    task.run = [mark = std::move(mark), done](Store &store) {
        outbox_desk::mark(store, mark);
        return [done] { done(true); };
    };
    task.failed = [done] { done(false); };
    d->post(std::move(task));
}

void Bank::counters(std::function<void(QJsonObject)> done)
{
    // Counted by the ledger thread, so asked there; no store is needed.
    Private *inside = d.get();
    const auto report = [inside, done](const QJsonValue &outbox) {
        QJsonObject counted = reports::counters(inside->writer()->counters(), inside->writer()->running());
        counted.insert(QStringLiteral("outbox"), outbox);
        done(counted);
    };
    DeskTask task;
    task.run = [inside, report](Store &store) {
        const QJsonObject outbox = reports::outboxCount(store, inside->writer()->clock().state().nowMs);
        return [report, outbox] { report(outbox); };
    };
    task.failed = [report] { report(QJsonValue(QJsonValue::Null)); };
    d->post(std::move(task));
}

} // namespace mockbank
