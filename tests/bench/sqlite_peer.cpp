#include "tests/bench/sqlite_peer.h"

#include "tests/bench/samples.h"

#include <QtCore/QByteArray>
#include <QtCore/QVariant>
#include <QtSql/QSqlError>

#include <algorithm>

namespace ikkai::bench {

namespace {

const QString peerConnection = QStringLiteral("bench-peer");

QString peerKey(std::uint64_t number)
{
    return QStringLiteral("01920000-0000-7000-8000-%1").arg(number, 12, 16, QLatin1Char('0'));
}

} // namespace

SqlitePeer::SqlitePeer(const QString &file)
    : m_database(QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), peerConnection))
{
    m_database.setDatabaseName(file);
    if (!m_database.open())
        m_flaw = m_database.lastError().text();
    for (const char *sql :
         {"PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL", "PRAGMA cache_size=-16000",
          "CREATE TABLE account (source TEXT PRIMARY KEY, balance INTEGER NOT NULL) STRICT, WITHOUT ROWID",
          "CREATE TABLE key_record (key TEXT NOT NULL UNIQUE, body BLOB NOT NULL, amount INTEGER NOT NULL) STRICT",
          "CREATE TABLE movement (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, amount INTEGER NOT NULL) STRICT",
          "CREATE TABLE outbox (id INTEGER PRIMARY KEY, payload BLOB NOT NULL) STRICT",
          "CREATE TABLE event (key TEXT NOT NULL, seq INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (key, seq))"
          " STRICT, WITHOUT ROWID",
          "CREATE TABLE checkout (key TEXT PRIMARY KEY, state TEXT NOT NULL, body BLOB NOT NULL) STRICT, WITHOUT ROWID",
          "INSERT INTO account VALUES ('card_ok', 9007199254740991)"})
        exec(sql);
    prepare(m_begin, "BEGIN IMMEDIATE");
    prepare(m_commit, "COMMIT");
    prepare(m_debit, "UPDATE account SET balance = balance - ? WHERE source = ?");
    prepare(m_key, "INSERT INTO key_record VALUES (?, ?, ?)");
    prepare(m_movement, "INSERT INTO movement (key, amount) VALUES (?, ?)");
    prepare(m_outbox, "INSERT INTO outbox (payload) VALUES (?)");
    prepare(m_select, "SELECT body FROM key_record WHERE key = ?");
    prepare(m_event, "INSERT INTO event VALUES (?, ?, ?)");
    prepare(m_checkout, "INSERT OR REPLACE INTO checkout VALUES (?, ?, ?)");
}

SqlitePeer::~SqlitePeer()
{
    for (QSqlQuery *query :
         {&m_begin, &m_commit, &m_debit, &m_key, &m_movement, &m_outbox, &m_select, &m_event, &m_checkout})
        *query = QSqlQuery();
    m_database.close();
    m_database = QSqlDatabase();
    QSqlDatabase::removeDatabase(peerConnection);
}

void SqlitePeer::exec(const char *sql)
{
    QSqlQuery query(m_database);
    if (m_flaw.isEmpty() && !query.exec(QString::fromLatin1(sql)))
        m_flaw = query.lastError().text();
}

void SqlitePeer::prepare(QSqlQuery &query, const char *sql)
{
    query = QSqlQuery(m_database);
    query.setForwardOnly(true);
    if (m_flaw.isEmpty() && !query.prepare(QString::fromLatin1(sql)))
        m_flaw = query.lastError().text();
}

void SqlitePeer::run(QSqlQuery &query)
{
    if (!query.exec() && m_flaw.isEmpty())
        m_flaw = query.lastError().text();
}

void SqlitePeer::charge()
{
    static const QByteArray body(240, 'x');
    const QString key = peerKey(++m_charges);
    m_debit.bindValue(0, 1);
    m_debit.bindValue(1, QStringLiteral("card_ok"));
    run(m_debit);
    m_key.bindValue(0, key);
    m_key.bindValue(1, body);
    m_key.bindValue(2, 1);
    run(m_key);
    m_movement.bindValue(0, key);
    m_movement.bindValue(1, 1);
    run(m_movement);
    m_outbox.bindValue(0, body);
    run(m_outbox);
}

void SqlitePeer::lookUp(std::uint64_t number)
{
    m_select.bindValue(0, peerKey(number % std::max<std::uint64_t>(m_charges, 1) + 1));
    run(m_select);
    if (!m_select.next() && m_flaw.isEmpty())
        m_flaw = QStringLiteral("a row that was committed is not there");
    m_select.finish();
}

void SqlitePeer::commitEvent()
{
    static const QByteArray data(300, 'x');
    // Three events to a checkout: started, bank learned or waited, answered.
    const QString key = peerKey(m_events / 3);
    run(m_begin);
    m_event.bindValue(0, key);
    m_event.bindValue(1, static_cast<qint64>(m_events % 3));
    m_event.bindValue(2, data);
    run(m_event);
    m_checkout.bindValue(0, key);
    m_checkout.bindValue(1, QStringLiteral("sending"));
    m_checkout.bindValue(2, data);
    run(m_checkout);
    run(m_commit);
    ++m_events;
}

template <class F>
double SqlitePeer::perSecond(std::chrono::milliseconds duration, int perTransaction, F work)
{
    const std::int64_t from = nowNs();
    const std::int64_t until = from + std::chrono::nanoseconds(duration).count();
    std::uint64_t done = 0;
    std::int64_t now = from;
    while (now < until && m_flaw.isEmpty()) {
        run(m_begin);
        for (int i = 0; i < perTransaction; ++i)
            work(done++);
        run(m_commit);
        now = nowNs();
    }
    return static_cast<double>(done) * 1e9 / static_cast<double>(now - from);
}

double SqlitePeer::chargesPerSecond(std::chrono::milliseconds duration, int perCommit)
{
    return perSecond(duration, perCommit, [this](std::uint64_t) { charge(); });
}

double SqlitePeer::lookUpsPerSecond(std::chrono::milliseconds duration, int perTransaction)
{
    return perSecond(duration, perTransaction, [this](std::uint64_t number) { lookUp(number); });
}

} // namespace ikkai::bench
