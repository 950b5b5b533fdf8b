#include "mock-server/store/memory_store.h"

#include "mock-server/store/store.h"

#include <QtCore/QUuid>
#include <QtSql/QSqlDatabase>
#include <QtSql/QSqlError>
#include <QtSql/QSqlQuery>

namespace mockbank {

MemoryStore::MemoryStore()
{
    const QString name = QUuid::createUuid().toString(QUuid::WithoutBraces);
    // The memdb file system of SQLite (3.36): connections that name the same path share it, with the locks of a file.
    m_uri = QStringLiteral("file:/ikkai-%1?vfs=memdb").arg(name);
    m_connection = QStringLiteral("mock-bank-memory-%1").arg(name);
    QString failure;
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_connection);
        database.setConnectOptions(QStringLiteral("QSQLITE_OPEN_URI"));
        database.setDatabaseName(m_uri);
        // The database exists once it has been read.
        if (!database.open() || !QSqlQuery(database).exec(QStringLiteral("SELECT count(*) FROM sqlite_schema")))
            failure = QStringLiteral("bank store in memory: %1").arg(database.lastError().text());
    }
    if (!failure.isEmpty()) {
        QSqlDatabase::removeDatabase(m_connection);
        throw StoreError(failure);
    }
}

MemoryStore::~MemoryStore()
{
    QSqlDatabase::removeDatabase(m_connection);
}

bool MemoryStore::hold(const QByteArray &right)
{
    const std::scoped_lock lock(m_mutex);
    if (m_held.contains(right))
        return false;
    m_held.insert(right);
    return true;
}

void MemoryStore::letGo(const QByteArray &right)
{
    const std::scoped_lock lock(m_mutex);
    m_held.remove(right);
}

} // namespace mockbank
