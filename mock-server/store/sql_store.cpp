#include "mock-server/store/sql_store.h"

#include <QtCore/QVariant>
#include <QtSql/QSqlError>

#include <atomic>

namespace mockbank {

bool SqlStore::Rows::next()
{
    if (m_query.next())
        return true;
    if (m_query.lastError().isValid())
        m_store.fail(m_query.lastError());
    return false;
}

SqlStore::SqlStore(QString where, Fetch fetch)
    : m_where(std::move(where))
    , m_fetch(fetch)
{
    static std::atomic<quint64> opened{0};
    m_connection = QStringLiteral("mock-bank-%1").arg(++opened);
}

SqlStore::~SqlStore()
{
    disconnect();
}

void SqlStore::disconnect()
{
    m_prepared.clear();
    m_database.close();
    m_database = QSqlDatabase();
    if (QSqlDatabase::contains(m_connection))
        QSqlDatabase::removeDatabase(m_connection);
}

void SqlStore::checkThread() const
{
    if (std::this_thread::get_id() != m_thread)
        qFatal("the bank's store is used on a thread that did not open it");
}

QSqlQuery &SqlStore::run(const char *sql, std::initializer_list<QVariant> values)
{
    checkThread();
    auto found = m_prepared.find(sql);
    if (found == m_prepared.end()) {
        QSqlQuery query(m_database);
        query.setForwardOnly(m_fetch == Fetch::RowByRow);
        if (!query.prepare(QString::fromLatin1(sql)))
            fail(query.lastError());
        found = m_prepared.emplace(sql, std::move(query)).first;
    }
    QSqlQuery &query = found->second;
    int place = 0;
    for (const QVariant &value : values)
        query.bindValue(place++, value);
    if (!query.exec()) {
        const QSqlError error = query.lastError();
        query.finish();
        fail(error);
    }
    return query;
}

int SqlStore::change(const char *sql, std::initializer_list<QVariant> values)
{
    QSqlQuery &query = run(sql, values);
    const int rows = query.numRowsAffected();
    query.finish();
    m_written = m_written || rows > 0;
    return rows;
}

qint64 SqlStore::insert(const char *sql, std::initializer_list<QVariant> values)
{
    Rows rows(*this, run(sql, values));
    m_written = true;
    return rows.next() ? rows.integer(0) : 0;
}

void SqlStore::begin()
{
    m_written = false;
    command("BEGIN");
}

bool SqlStore::commit()
{
    command("COMMIT");
    return m_written;
}

void SqlStore::rollback()
{
    command("ROLLBACK");
}

void SqlStore::savepoint()
{
    command("SAVEPOINT step");
}

void SqlStore::releaseSavepoint()
{
    command("RELEASE step");
}

void SqlStore::rollbackToSavepoint()
{
    command("ROLLBACK TO step");
    command("RELEASE step");
}

QByteArray SqlStore::ledgerId(const QByteArray &suggested)
{
    constexpr const char *read = "SELECT value FROM meta WHERE name = 'ledger_id'";
    {
        Rows rows(*this, run(read));
        if (rows.next())
            return rows.bytes(0);
    }
    change("INSERT INTO meta (name, value) VALUES ('ledger_id', ?) ON CONFLICT DO NOTHING", {sqlText(suggested)});
    // Another bank may have made it in between.
    Rows rows(*this, run(read));
    if (!rows.next())
        throw StoreError(QStringLiteral("%1: has no ledger id").arg(m_where));
    return rows.bytes(0);
}

void SqlStore::resetLedger(const QByteArray &newLedgerId)
{
    change("DELETE FROM outbox");
    change("DELETE FROM movement");
    change("DELETE FROM key_record");
    change("DELETE FROM void_key");
    change("DELETE FROM account");
    change("DELETE FROM meta WHERE name IN ('clock_offset', 'clock_frozen_at')");
    change("INSERT INTO meta (name, value) VALUES ('ledger_id', ?)"
           " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
           {sqlText(newLedgerId)});
}

ClockSetting SqlStore::clockSetting()
{
    ClockSetting setting;
    Rows rows(*this, run("SELECT name, value FROM meta WHERE name IN ('clock_offset', 'clock_frozen_at')"));
    while (rows.next()) {
        const qint64 valueMs = rows.string(1).toLongLong();
        if (rows.string(0) == QLatin1String("clock_offset"))
            setting.offsetMs = valueMs;
        else
            setting.frozenAtMs = valueMs;
    }
    return setting;
}

void SqlStore::setClock(const ClockSetting &setting)
{
    constexpr const char *put = "INSERT INTO meta (name, value) VALUES (?, ?)"
                                " ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    change(put, {QStringLiteral("clock_offset"), QString::number(setting.offsetMs)});
    if (setting.frozenAtMs)
        change(put, {QStringLiteral("clock_frozen_at"), QString::number(*setting.frozenAtMs)});
    else
        change("DELETE FROM meta WHERE name = 'clock_frozen_at'");
}

QList<Account> SqlStore::accounts()
{
    Rows rows(*this, run("SELECT source, balance, declining FROM account ORDER BY source"));
    QList<Account> accounts;
    while (rows.next())
        accounts.append({rows.string(0), rows.integer(1), rows.integer(2) != 0});
    return accounts;
}

void SqlStore::putAccount(const Account &account)
{
    change("INSERT INTO account (source, balance, declining) VALUES (?, ?, ?)"
           " ON CONFLICT (source) DO UPDATE SET balance = excluded.balance, declining = excluded.declining",
           {account.source, account.balanceMinor, account.declining ? 1 : 0});
}

void SqlStore::addAccount(const Account &account)
{
    change("INSERT INTO account (source, balance, declining) VALUES (?, ?, ?) ON CONFLICT (source) DO NOTHING",
           {account.source, account.balanceMinor, account.declining ? 1 : 0});
}

bool SqlStore::debit(const QString &source, qint64 amountMinor)
{
    return change("UPDATE account SET balance = balance - ? WHERE source = ? AND balance >= ?",
                  {amountMinor, source, amountMinor}) == 1;
}

std::optional<qint64> SqlStore::credit(const QString &source, qint64 amountMinor)
{
    Rows rows(*this, run("UPDATE account SET balance = balance + ? WHERE source = ? RETURNING balance",
                         {amountMinor, source}));
    if (!rows.next())
        return std::nullopt;
    m_written = true;
    return rows.integer(0);
}

} // namespace mockbank
