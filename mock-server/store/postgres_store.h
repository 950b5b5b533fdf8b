#pragma once

#include "mock-server/store/postgres_address.h"
#include "mock-server/store/sql_store.h"

#include <vector>

namespace mockbank {

/// Store on PostgreSQL (13 or newer), which several banks may share.
///
/// Transactions are READ COMMITTED: each statement sees what has been committed before it, and an UPDATE or DELETE that
/// had to wait looks again whether its WHERE still holds. Since claims, balances and marks are changed by such guarded
/// statements only, that is enough; a stricter level would refuse (40001) what the guards settle without refusing.
/// No call waits for ever: see `timeLimits` in the source.
class PostgresStore final : public SqlStore {
public:
    explicit PostgresStore(const PostgresAddress &address);
    ~PostgresStore() override;

    void begin() override;
    bool commit() override;
    void rollback() override;
    void savepoint() override;
    void releaseSavepoint() override;
    void rollbackToSavepoint() override;

    /// An advisory lock of this connection, which ends with it. Waits a moment for an earlier run's connection, that
    /// the server may still be burying; what that run was committing is then decided.
    bool holdInstance(const QByteArray &instance) override;
    bool holdPublisher() override;
    std::optional<qint64> ownClockMs() override;
    void resetLedger(const QByteArray &newLedgerId) override;

    std::optional<Account> lockAccount(const QString &source) override;
    std::optional<Movement> chargeUnder(const ScopedKey &name) override;
    qint64 addMovement(const Movement &movement) override;
    QList<Movement> movements(qint64 after, int limit) override;
    std::optional<Movement> chargeById(const QByteArray &chargeId) override;
    std::optional<Movement> reversalOf(const QByteArray &chargeId) override;
    QList<ChargeRow> charges(const ChargeFilter &filter) override;
    void addOutboxEvent(const OutboxEvent &event) override;

private:
    void open(const PostgresAddress &address);
    void command(const char *sql) override;
    [[noreturn]] void fail(const QSqlError &error) override;
    void forgetTransaction();
    void orderCommit();
    void writeEvents(qint64 base);

    const qint64 m_orderKey;
    const QString m_schema;
    bool m_publisher = false;

    // The open transaction.
    bool m_open = false;
    bool m_failed = false; ///< a statement failed: PostgreSQL takes no more until the savepoint is rolled back
    qint64 m_batch = 0;    ///< 0 until there is a movement
    int m_places = 0;
    std::vector<OutboxEvent> m_events; ///< written with the commit, so that their ids rise in commit order too
    struct Mark {
        int places = 0;
        size_t events = 0;
    };
    std::vector<Mark> m_savepoints;
};

} // namespace mockbank
