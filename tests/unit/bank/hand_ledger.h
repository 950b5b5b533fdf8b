#pragma once

#include "mock-server/bank/charge_request.h"
#include "mock-server/bank/id_source.h"
#include "mock-server/bank/ledger_writer.h"
#include "mock-server/store/memory_key_lock.h"
#include "mock-server/store/memory_store.h"
#include "mock-server/store/store_address.h"
#include "tests/unit/bank/bank_desk.h"
#include "tests/unit/bank/failing_store.h"

#include <QtTest/QTest>

namespace ikkai::test {

/// A money box that several ledgers can share, with its clock and its troubles; in memory unless another is given.
struct SharedVault {
    SharedVault() = default;
    explicit SharedVault(std::function<std::unique_ptr<mockbank::Store>()> real)
        : openReal(std::move(real))
    {
    }

    std::function<std::unique_ptr<mockbank::Store>()> openReal = [memory = std::make_shared<mockbank::MemoryStore>()] {
        return mockbank::openStore({{}, memory});
    };
    std::shared_ptr<HandClock> clock = std::make_shared<HandClock>();
    std::shared_ptr<StoreTroubles> troubles = std::make_shared<StoreTroubles>();
    std::shared_ptr<mockbank::MemoryKeyLock> lock = std::make_shared<mockbank::MemoryKeyLock>();

    [[nodiscard]] std::unique_ptr<mockbank::Store> open() const
    {
        return std::make_unique<FailingStore>(openReal(), troubles);
    }
};

/// A bank's ledger without its thread: each batch runs when the test says so, so every interleaving can be written
/// down.
struct HandLedger {
    explicit HandLedger(const SharedVault &vault, std::chrono::milliseconds processing = std::chrono::seconds(2),
                        const QByteArray &instance = "bank-1", const QString &strategy = QStringLiteral("atomic"),
                        const std::function<void(mockbank::StrategySettings &)> &adjust = {})
        : clock(vault.clock)
        , lock(vault.lock)
    {
        mockbank::LedgerWriter::Environment environment;
        environment.openStore = [vault] { return vault.open(); };
        environment.clock = vault.clock;
        environment.ids = mockbank::randomIds();
        environment.accounts = {{QStringLiteral("card_ok"), 100'000, false}};
        environment.settings.keyTtlMs = 86'400'000;
        environment.settings.leaseMs = 10'000;
        environment.settings.self = {instance, environment.ids->make("run_")};
        if (adjust)
            adjust(environment.settings);
        environment.processingMs = processing.count();
        environment.vanished = [] { return false; };
        writer =
            std::make_unique<mockbank::LedgerWriter>(std::move(environment), mockbank::makeStrategy(strategy, lock));
        writer->setPublisher([this](const mockbank::OutboxEvent &event) { published.append(event); });
        writer->setObserver([this](const mockbank::BankEvent &event) {
            told.append(event.kind);
            facts.append(event.data);
        });
    }

    /// Posts a charge into the next batch; the answer arrives in the slot returned.
    std::shared_ptr<std::optional<mockbank::Answer>> post(const QByteArray &key, qint64 amount,
                                                          mockbank::LedgerFault fault = mockbank::LedgerFault::None,
                                                          qint64 faultMs = 0)
    {
        mockbank::ChargeArrival sent = arrival(key, chargeBody(amount));
        sent.fault = fault;
        sent.faultMs = faultMs;
        return post(std::move(sent));
    }
    std::shared_ptr<std::optional<mockbank::Answer>> postFrom(const QString &source, const QByteArray &key,
                                                              qint64 amount)
    {
        return post(arrival(key, chargeBody(amount, QStringLiteral("A-1001"), source)));
    }
    std::shared_ptr<std::optional<mockbank::Answer>> post(mockbank::ChargeArrival sent)
    {
        mockbank::ChargeTask task;
        task.work.request = std::get<mockbank::ChargeRequest>(mockbank::readChargeRequest(sent.body));
        task.work.name = mockbank::chargeKey("default", sent.key);
        task.work.arrival = std::move(sent);
        auto slot = std::make_shared<std::optional<mockbank::Answer>>();
        task.done = [slot](mockbank::Answer answer) { *slot = std::move(answer); };
        waiting.emplace_back(std::move(task));
        return slot;
    }
    void run()
    {
        std::vector<mockbank::LedgerTask> batch;
        batch.swap(waiting);
        writer->runBatch(std::move(batch));
    }
    /// Batches, until nothing is due at this moment.
    void runDue()
    {
        do
            run();
        while (writer->nextDueMs() <= clock->elapsedMs());
    }
    /// One charge in a batch of its own; nothing where it is still being processed.
    std::optional<mockbank::Answer> charge(const QByteArray &key, qint64 amount,
                                           mockbank::LedgerFault fault = mockbank::LedgerFault::None,
                                           qint64 faultMs = 0)
    {
        const auto slot = post(key, amount, fault, faultMs);
        run();
        return *slot;
    }
    std::shared_ptr<std::optional<mockbank::Answer>> postVoid(mockbank::VoidArrival sent)
    {
        mockbank::VoidTask task;
        task.work.request = std::get<mockbank::VoidRequest>(mockbank::readVoidRequest(sent.body));
        task.work.name = mockbank::voidKey(sent.merchant, sent.key);
        task.work.original = mockbank::chargeKey(sent.merchant, task.work.request.originalKey);
        task.work.arrival = std::move(sent);
        auto slot = std::make_shared<std::optional<mockbank::Answer>>();
        task.done = [slot](mockbank::Answer answer) { *slot = std::move(answer); };
        waiting.emplace_back(std::move(task));
        return slot;
    }
    std::shared_ptr<std::optional<mockbank::Answer>> postVoid(const QByteArray &key, const QByteArray &original,
                                                              qint64 amount)
    {
        return postVoid(voidArrival(key, voidBody(original, amount)));
    }
    /// One void in a batch of its own.
    mockbank::Answer voidCharge(const mockbank::VoidArrival &sent)
    {
        const auto slot = postVoid(sent);
        run();
        return slot->value_or(mockbank::Answer());
    }
    mockbank::Answer voidCharge(const QByteArray &key, const QByteArray &original, qint64 amount)
    {
        return voidCharge(voidArrival(key, voidBody(original, amount)));
    }
    std::optional<mockbank::ClockState> setClock(const mockbank::ClockChange &change)
    {
        std::optional<mockbank::ClockState> got;
        waiting.emplace_back(
            mockbank::ClockTask{change, [&](std::optional<mockbank::ClockState> state) { got = state; }, {}});
        run();
        return got;
    }
    bool reset(bool ledgerToo)
    {
        bool got = false;
        waiting.emplace_back(mockbank::ResetTask{ledgerToo, [&](bool done) { got = done; }, {}});
        run();
        return got;
    }
    mockbank::Answer inquire(const QByteArray &key)
    {
        mockbank::InquiryTask task;
        task.name = mockbank::chargeKey("default", key);
        std::optional<mockbank::Answer> got;
        task.done = [&](mockbank::Answer answer) { got = std::move(answer); };
        waiting.emplace_back(std::move(task));
        run();
        return got.value_or(mockbank::Answer());
    }
    mockbank::Answer list(mockbank::ListArrival asked)
    {
        asked.merchant = "default";
        std::optional<mockbank::Answer> got;
        waiting.emplace_back(mockbank::ListTask{asked, mockbank::chargeKey("default", {}).scope,
                                                [&](mockbank::Answer answer) { got = std::move(answer); }});
        run();
        return got.value_or(mockbank::Answer());
    }
    /// Reads or changes the store in a batch.
    void withStore(const std::function<void(mockbank::Store &)> &use)
    {
        mockbank::DeskTask task;
        task.run = [use](mockbank::Store &store) {
            use(store);
            return std::function<void()>();
        };
        waiting.emplace_back(std::move(task));
        run();
    }
    qint64 balance()
    {
        qint64 found = -1;
        withStore([&](mockbank::Store &store) { found = store.lockAccount(QStringLiteral("card_ok"))->balanceMinor; });
        return found;
    }
    qsizetype movements()
    {
        qsizetype found = -1;
        withStore([&](mockbank::Store &store) { found = store.movements(0, 1000).size(); });
        return found;
    }
    std::optional<mockbank::KeyRecord> record(const QByteArray &key)
    {
        std::optional<mockbank::KeyRecord> found;
        withStore([&](mockbank::Store &store) { found = store.key(mockbank::chargeKey("default", key)); });
        return found;
    }

    std::shared_ptr<HandClock> clock;
    std::shared_ptr<mockbank::KeyLock> lock;
    std::unique_ptr<mockbank::LedgerWriter> writer;
    std::vector<mockbank::LedgerTask> waiting;
    QList<QByteArray> told;
    QList<mockbank::OutboxEvent> published; ///< directly, not through the outbox
    QList<QJsonObject> facts; ///< of each event told
};

} // namespace ikkai::test
