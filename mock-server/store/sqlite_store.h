#pragma once

#include "mock-server/store/store.h"
#include "mock-server/store/store_address.h"

#include <QtSql/QSqlDatabase>
#include <QtSql/QSqlQuery>

#include <initializer_list>
#include <thread>
#include <unordered_map>

namespace mockbank {

class InstanceLock;

/// Store on SQLite: WAL and synchronous=FULL on a file, so a commit that returned survives the power going off.
class SqliteStore final : public Store {
public:
    explicit SqliteStore(const StoreAddress &address);
    ~SqliteStore() override;

    void begin() override;
    bool commit() override;
    void rollback() override;
    void savepoint() override;
    void releaseSavepoint() override;
    void rollbackToSavepoint() override;
    bool holdInstance(const QByteArray &instance) override;
    QByteArray ledgerId(const QByteArray &suggested) override;
    QList<Account> accounts() override;
    std::optional<Account> lockAccount(const QString &source) override;
    void putAccount(const Account &account) override;
    void addAccount(const Account &account) override;
    bool debit(const QString &source, qint64 amountMinor) override;
    std::optional<KeyRecord> key(const ScopedKey &name) override;
    bool addClaim(const Claim &claim) override;
    bool takeOverClaim(const Claim &old, const Claim &next) override;
    bool renewClaim(const Claim &claim, qint64 leaseUntilMs) override;
    bool deleteClaim(const Claim &claim) override;
    bool finishClaim(const Claim &claim, const Verdict &verdict) override;
    int endLeases(const ClaimOwner &living) override;
    QList<KeyRecord> keys(int limit) override;
    std::optional<Movement> chargeUnder(const ScopedKey &name) override;
    qint64 addMovement(const Movement &movement) override;
    QList<Movement> movements(qint64 after, int limit) override;
    void addOutboxEvent(const OutboxEvent &event) override;
    QList<OutboxEvent> outbox(int limit) override;

private:
    class Rows;

    void open(const StoreAddress &address);
    void tune(bool onFile);
    /// Runs a statement that is prepared once for each literal and kept. Throws.
    QSqlQuery &run(const char *sql, std::initializer_list<QVariant> values = {});
    /// Runs a statement that writes; tells how many rows it changed.
    int change(const char *sql, std::initializer_list<QVariant> values = {});
    [[noreturn]] void fail(const QSqlError &error) const;
    static KeyRecord keyRecordOf(const Rows &row);
    static Movement movementOf(const Rows &row);

    const std::thread::id m_thread = std::this_thread::get_id();
    const StoreAddress m_address;
    QString m_where; ///< begins every error
    QString m_connection;
    QSqlDatabase m_database;
    std::unordered_map<const char *, QSqlQuery> m_prepared;
    std::unique_ptr<InstanceLock> m_instance;
    bool m_written = false;
};

} // namespace mockbank
