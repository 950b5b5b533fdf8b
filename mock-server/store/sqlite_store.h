#pragma once

#include "mock-server/store/sql_store.h"
#include "mock-server/store/store_address.h"

namespace mockbank {

class StoreLock;

/// Store on SQLite: WAL and synchronous=FULL on a file, so a commit that returned survives the power going off.
class SqliteStore final : public SqlStore {
public:
    explicit SqliteStore(const StoreAddress &address);
    ~SqliteStore() override;

    void begin() override;
    bool holdInstance(const QByteArray &instance) override;
    bool holdPublisher() override;
    std::optional<qint64> ownClockMs() override { return std::nullopt; }
    std::optional<Account> lockAccount(const QString &source) override;
    std::optional<KeyRecord> key(const ScopedKey &name) override;
    std::optional<Movement> chargeUnder(const ScopedKey &name) override;

private:
    void command(const char *sql) override;
    [[noreturn]] void fail(const QSqlError &error) override;
    void open();
    void tune(bool onFile);

    const StoreAddress m_address;
    std::unique_ptr<StoreLock> m_instance;
    std::unique_ptr<StoreLock> m_publisher;
};

} // namespace mockbank
