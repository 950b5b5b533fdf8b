#pragma once

#include <QtCore/QString>
#include <QtSql/QSqlDatabase>
#include <QtSql/QSqlQuery>

#include <chrono>
#include <cstdint>

namespace ikkai::bench {

/// What the disk and SQLite alone can do in the same minute: a loop without network, protocol or checks that writes
/// the rows of a charge, durably (WAL, synchronous=FULL). A mark is judged by its ratio to this, so that a busy machine
/// slows both. Lives on the thread that made it.
class SqlitePeer {
public:
    /// Makes the file. On failure `flaw` is not empty.
    explicit SqlitePeer(const QString &file);
    ~SqlitePeer();
    SqlitePeer(const SqlitePeer &) = delete;
    SqlitePeer &operator=(const SqlitePeer &) = delete;

    /// Charges per second: a debit, a key record, a movement and an outbox row each, `perCommit` of them to a commit.
    [[nodiscard]] double chargesPerSecond(std::chrono::milliseconds duration, int perCommit);
    /// Look-ups of a key's record per second, `perTransaction` of them in one transaction that writes nothing.
    [[nodiscard]] double lookUpsPerSecond(std::chrono::milliseconds duration, int perTransaction);
    /// What a journal does for one event: an event row and its checkout's row, and a commit.
    void commitEvent();
    [[nodiscard]] QString flaw() const { return m_flaw; }

private:
    void exec(const char *sql);
    void prepare(QSqlQuery &query, const char *sql);
    void run(QSqlQuery &query);
    void charge();
    void lookUp(std::uint64_t number);
    template <class F>
    double perSecond(std::chrono::milliseconds duration, int perTransaction, F work);

    QString m_flaw;
    QSqlDatabase m_database;
    QSqlQuery m_begin, m_commit, m_debit, m_key, m_movement, m_outbox, m_select, m_event, m_checkout;
    std::uint64_t m_charges = 0;
    std::uint64_t m_events = 0;
};

} // namespace ikkai::bench
