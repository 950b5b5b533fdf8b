#pragma once

#include "mock-server/store/store.h"

#include <QtSql/QSqlDatabase>
#include <QtSql/QSqlQuery>

#include <initializer_list>
#include <thread>
#include <unordered_map>

namespace mockbank {

/// What SQLite and PostgreSQL are told alike: almost every statement. How one connects, locks, keeps time and orders
/// commits is theirs.
class SqlStore : public Store {
public:
    ~SqlStore() override;

    void begin() override;
    bool commit() override;
    void rollback() override;
    void savepoint() override;
    void releaseSavepoint() override;
    void rollbackToSavepoint() override;

    QByteArray ledgerId(const QByteArray &suggested) override;
    void resetLedger(const QByteArray &newLedgerId) override;
    ClockSetting clockSetting() override;
    void setClock(const ClockSetting &setting) override;

    QList<Account> accounts() override;
    void putAccount(const Account &account) override;
    void addAccount(const Account &account) override;
    bool debit(const QString &source, qint64 amountMinor) override;
    std::optional<qint64> credit(const QString &source, qint64 amountMinor) override;

    std::optional<KeyRecord> key(const ScopedKey &name) override;
    bool addClaim(const Claim &claim) override;
    bool takeOverClaim(const Claim &old, const Claim &next) override;
    bool renewClaim(const Claim &claim, qint64 leaseUntilMs) override;
    bool deleteClaim(const Claim &claim) override;
    bool finishClaim(const Claim &claim, const Verdict &verdict) override;
    int endLeases(const ClaimOwner &living) override;
    QList<KeyRecord> keys(int limit) override;
    bool putAnswer(const ScopedKey &name, const QByteArray &fingerprint, const Verdict &verdict) override;
    bool addTombstone(const ScopedKey &name, const VoidMark &mark) override;
    bool voidClaim(const Claim &claim, const VoidMark &mark) override;
    bool voidFinished(const ScopedKey &name, const VoidMark &mark) override;
    QList<KeyRecord> lapsedClaims(qint64 nowMs, int limit) override;
    QList<ScopedKey> sweepAnswers(qint64 nowMs, int limit) override;
    bool expireAnswer(const ScopedKey &name, qint64 nowMs) override;
    std::optional<VoidKey> voidKey(const ScopedKey &name) override;
    bool addVoidKey(const VoidKey &key) override;

    std::optional<Movement> chargeUnder(const ScopedKey &name) override;
    qint64 addMovement(const Movement &movement) override;
    QList<Movement> movements(qint64 after, int limit) override;
    std::optional<Movement> chargeById(const QByteArray &chargeId) override;
    std::optional<Movement> reversalOf(const QByteArray &chargeId) override;
    QList<ChargeRow> charges(const ChargeFilter &filter) override;

    void addOutboxEvent(const OutboxEvent &event) override;
    QList<OutboxEvent> outbox(qint64 after, int limit, OutboxRows rows) override;
    OutboxCount countOutbox() override;
    QList<OutboxEvent> dueOutbox(qint64 nowMs, int limit) override;
    void outboxDueAgain() override;
    void outboxDelivered(qint64 id, qint64 atMs) override;
    void outboxFailed(qint64 id, qint64 nextAttemptAtMs, const QString &error) override;

protected:
    /// The rows of a query, whose statement is reset at the end: a forgotten one would hold up checkpoints.
    class Rows {
    public:
        Rows(SqlStore &store, QSqlQuery &query)
            : m_store(store)
            , m_query(query)
        {
        }
        ~Rows() { m_query.finish(); }
        Rows(const Rows &) = delete;
        Rows &operator=(const Rows &) = delete;

        bool next();
        bool null(int column) const { return m_query.isNull(column); }
        qint64 integer(int column) const { return m_query.value(column).toLongLong(); }
        QString string(int column) const { return m_query.value(column).toString(); }
        QByteArray bytes(int column) const { return m_query.value(column).toByteArray(); }

    private:
        SqlStore &m_store;
        QSqlQuery &m_query;
    };

    /// How a driver is to fetch rows: one by one as they are asked for, or all at once.
    enum class Fetch { RowByRow, Whole };

    /// `where` begins every error.
    SqlStore(QString where, Fetch fetch);

    /// Runs a statement that is prepared once for each literal and kept. Throws.
    QSqlQuery &run(const char *sql, std::initializer_list<QVariant> values = {});
    /// Runs a statement that writes; tells how many rows it changed.
    int change(const char *sql, std::initializer_list<QVariant> values = {});
    /// Runs an INSERT with RETURNING; tells the first value it returns.
    qint64 insert(const char *sql, std::initializer_list<QVariant> values);
    /// Runs what begins, ends or divides a transaction.
    virtual void command(const char *sql) = 0;
    /// Makes an exception of the right kind.
    [[noreturn]] virtual void fail(const QSqlError &error) = 0;
    void checkThread() const;
    /// Closes the connection and forgets its statements.
    void disconnect();

    // Of rows that begin with the columns of `keyColumns` and `movementColumns`.
    static KeyRecord keyRecordOf(const Rows &row);
    static Movement movementOf(const Rows &row, int first = 0);
    QList<KeyRecord> keyRecords(QSqlQuery &query);
    std::optional<Movement> oneMovement(QSqlQuery &query);
    QList<Movement> allMovements(QSqlQuery &query);

    static QString sqlText(const QByteArray &ascii) { return QString::fromUtf8(ascii); }
    static QVariant sqlTextOrNull(const QString &value) { return value.isEmpty() ? QVariant() : QVariant(value); }
    // A null QString or QByteArray would be SQL's NULL.
    static QString textOrEmpty(const QString &value) { return value.isNull() ? QStringLiteral("") : value; }
    static QVariant sqlBytes(const QByteArray &bytes) { return bytes.isNull() ? QByteArray("") : bytes; }

    const QString m_where;
    QString m_connection;
    QSqlDatabase m_database;
    bool m_written = false;

private:
    static OutboxEvent eventOf(const Rows &row);
    QList<OutboxEvent> events(QSqlQuery &query);

    const Fetch m_fetch;
    const std::thread::id m_thread = std::this_thread::get_id();
    std::unordered_map<const char *, QSqlQuery> m_prepared;
};

} // namespace mockbank
