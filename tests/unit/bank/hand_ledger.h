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

/// A money box in memory that several ledgers can share, with its clock and its troubles.
struct SharedVault {
    std::shared_ptr<mockbank::MemoryStore> memory = std::make_shared<mockbank::MemoryStore>();
    std::shared_ptr<HandClock> clock = std::make_shared<HandClock>();
    std::shared_ptr<StoreTroubles> troubles = std::make_shared<StoreTroubles>();
    std::shared_ptr<mockbank::MemoryKeyLock> lock = std::make_shared<mockbank::MemoryKeyLock>();

    [[nodiscard]] std::unique_ptr<mockbank::Store> open() const
    {
        return std::make_unique<FailingStore>(mockbank::openStore({{}, memory}), troubles);
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
        writer->setObserver([this](const mockbank::BankEvent &event) { told.append(event.kind); });
    }

    /// Posts a charge into the next batch; the answer arrives in the slot returned.
    std::shared_ptr<std::optional<mockbank::Answer>> post(const QByteArray &key, qint64 amount,
                                                          mockbank::LedgerFault fault = mockbank::LedgerFault::None)
    {
        mockbank::ChargeTask task;
        task.work.arrival = arrival(key, chargeBody(amount));
        task.work.arrival.fault = fault;
        task.work.request = std::get<mockbank::ChargeRequest>(mockbank::readChargeRequest(task.work.arrival.body));
        task.work.name = mockbank::chargeKey("default", key);
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
                                           mockbank::LedgerFault fault = mockbank::LedgerFault::None)
    {
        const auto slot = post(key, amount, fault);
        run();
        return *slot;
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
};

} // namespace ikkai::test
