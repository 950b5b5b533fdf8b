#include "core/journal/sqlite_connection.h"

#include "core/journal/migrations.h"

#include <QtCore/QFileInfo>
#include <QtCore/QThread>
#include <QtCore/QUrl>
#include <QtSql/QSqlError>

#include <atomic>

namespace ikkai {

namespace sqlite_connection {

const QString inMemory = QStringLiteral(":memory:");

QString freshName()
{
    static std::atomic<int> count = 0;
    return QStringLiteral("ikkai-journal-%1").arg(++count);
}

/// Owner root may write where no one may; a file or folder without any write permission is still meant not to be
/// written.
bool nobodyMayWrite(const QFileInfo &info)
{
    return (info.permissions() & (QFile::WriteOwner | QFile::WriteGroup | QFile::WriteOther)) == QFile::Permissions();
}

bool mayWrite(const QFileInfo &info)
{
    return info.isWritable() && !nobodyMayWrite(info);
}

std::optional<JournalError> whyNot(const QString &file, JournalAccess access)
{
    const auto error = [&](JournalError::Kind kind, const QString &detail) { return JournalError{kind, file, detail}; };
    if (file.isEmpty())
        return error(JournalError::Kind::CannotOpen, QStringLiteral("no file was named"));
    const QFileInfo info(file);
    const QFileInfo folder(info.absolutePath());
    if (!folder.isDir())
        return error(JournalError::Kind::CannotOpen, QStringLiteral("there is no folder %1").arg(folder.filePath()));
    if (info.isDir())
        return error(JournalError::Kind::CannotOpen, QStringLiteral("it is a folder"));
    // SQLite takes an empty file for a new database and throws the log beside it away: all that was ever recorded.
    if (info.exists() && info.size() == 0 && QFileInfo(file + QLatin1String("-wal")).size() > 0)
        return error(JournalError::Kind::Corrupt, QStringLiteral("it is empty, but its write-ahead log is not"));
    if (access == JournalAccess::ReadOnly) {
        if (!info.exists())
            return error(JournalError::Kind::CannotOpen, QStringLiteral("there is no such file"));
        return std::nullopt;
    }
    if (info.exists() && !mayWrite(info))
        return error(JournalError::Kind::ReadOnly, QStringLiteral("its permissions"));
    if (!mayWrite(folder))
        return error(JournalError::Kind::ReadOnly, QStringLiteral("the permissions of its folder"));
    return std::nullopt;
}

} // namespace sqlite_connection

SqliteConnection::SqliteConnection(QString file, JournalAccess access)
    : m_file(std::move(file))
    , m_access(access)
    , m_thread(QThread::currentThread())
    , m_name(sqlite_connection::freshName())
    , m_database(QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_name))
{
    QString options = QStringLiteral("QSQLITE_BUSY_TIMEOUT=2000");
    if (access == JournalAccess::ReadOnly)
        options += QLatin1String(";QSQLITE_OPEN_READONLY;QSQLITE_OPEN_URI");
    m_database.setConnectOptions(options);
    m_database.setDatabaseName(nameToOpen());
}

SqliteConnection::~SqliteConnection()
{
    m_prepared.clear();
    m_database.close();
    m_database = QSqlDatabase();
    QSqlDatabase::removeDatabase(m_name);
}

/// A reader of a write-ahead log keeps its index beside the file. Where nothing can be written (a copy on a read-only
/// disk) and no log is left, the file is all there is, and SQLite has to be told that nobody changes it.
QString SqliteConnection::nameToOpen() const
{
    if (m_access != JournalAccess::ReadOnly || m_file.isEmpty() || m_file == sqlite_connection::inMemory)
        return m_file;
    QString name = QString::fromLatin1(QUrl::fromLocalFile(QFileInfo(m_file).absoluteFilePath()).toEncoded());
    const QFileInfo folder(QFileInfo(m_file).absolutePath());
    if (!sqlite_connection::mayWrite(folder) && !QFileInfo::exists(m_file + QLatin1String("-wal")))
        name += QLatin1String("?immutable=1");
    return name;
}

std::optional<JournalError> SqliteConnection::open(const JournalSettings &settings)
{
    if (m_file != sqlite_connection::inMemory) {
        if (auto error = sqlite_connection::whyNot(m_file, m_access))
            return error;
    }
    if (!m_database.isValid())
        return JournalError{JournalError::Kind::CannotOpen, m_file, QStringLiteral("Qt's SQLite driver is missing")};
    if (!m_database.open())
        return journalErrorOf(m_database.lastError(), m_file);
    // Foreign keys are off in SQLite unless asked for, and FULL is what makes a commit last through a power cut.
    if (auto error = run("PRAGMA foreign_keys = ON"))
        return error;
    if (auto error = run("PRAGMA synchronous = FULL"))
        return error;
    if (m_access == JournalAccess::ReadOnly)
        return checkVersion();
    const auto migrated = migrate(m_database, m_file, journalMigrations(), settings.calendar);
    if (!migrated)
        return migrated.error();
    if (auto error = useWriteAheadLog())
        return error;
    // A journal that cannot be written must say so now, not when the first customer pays.
    if (auto error = run("BEGIN IMMEDIATE"))
        return error;
    return run("ROLLBACK");
}

Result<QSqlQuery *, JournalError> SqliteConnection::ask(const QString &statement, const QVariantList &values)
{
    assertThread();
    auto found = m_prepared.find(statement);
    if (found == m_prepared.end()) {
        QSqlQuery query(m_database);
        query.setForwardOnly(true);
        if (!query.prepare(statement))
            return journalErrorOf(query.lastError(), m_file);
        found = m_prepared.emplace(statement, std::move(query)).first;
    }
    QSqlQuery &query = found->second;
    query.finish();
    for (int i = 0; i < values.size(); ++i)
        query.bindValue(i, values.at(i));
    if (!query.exec()) {
        const JournalError error = journalErrorOf(query.lastError(), m_file);
        query.finish();
        return error;
    }
    return &query;
}

std::optional<JournalError> SqliteConnection::run(const QString &statement, const QVariantList &values)
{
    const auto asked = ask(statement, values);
    if (!asked)
        return asked.error();
    (*asked)->finish();
    return std::nullopt;
}

Result<qint64, JournalError> SqliteConnection::number(const QString &statement, const QVariantList &values)
{
    const auto asked = ask(statement, values);
    if (!asked)
        return asked.error();
    QSqlQuery &query = **asked;
    const qint64 value = query.next() ? query.value(0).toLongLong() : 0;
    const QSqlError error = query.lastError();
    query.finish();
    if (error.isValid())
        return journalErrorOf(error, m_file);
    return value;
}

void SqliteConnection::assertThread() const
{
    // A QSqlDatabase on another thread is not checked by Qt and damages what it touches.
    if (QThread::currentThread() != m_thread)
        qFatal("the journal was used on a thread it does not live on");
}

std::optional<JournalError> SqliteConnection::useWriteAheadLog()
{
    const auto asked = ask(QStringLiteral("PRAGMA journal_mode = WAL"));
    if (!asked)
        return asked.error();
    const QString mode = (*asked)->next() ? (*asked)->value(0).toString() : QString();
    (*asked)->finish();
    if (mode == QLatin1String("wal") || m_file == sqlite_connection::inMemory)
        return std::nullopt;
    return JournalError{JournalError::Kind::CannotOpen, m_file,
                        QStringLiteral("the disk takes no write-ahead log, its mode stays %1").arg(mode)};
}

/// For readers, who cannot migrate: any version that is not ours is somebody else's to read.
std::optional<JournalError> SqliteConnection::checkVersion()
{
    const auto id = number(QStringLiteral("PRAGMA application_id"));
    if (!id)
        return id.error();
    const auto version = number(QStringLiteral("PRAGMA user_version"));
    if (!version)
        return version.error();
    const int newest = journalMigrations().back().toVersion;
    if (id.value() != journalApplicationId)
        return JournalError{JournalError::Kind::CannotOpen, m_file, QStringLiteral("it is not a payment journal")};
    if (version.value() > newest) {
        return JournalError{
            JournalError::Kind::NewerVersion, m_file,
            QStringLiteral("its version is %1, this program knows %2").arg(version.value()).arg(newest)};
    }
    if (version.value() < newest) {
        return JournalError{JournalError::Kind::CannotOpen, m_file,
                            QStringLiteral("its version %1 is old: start the terminal once").arg(version.value())};
    }
    return std::nullopt;
}

} // namespace ikkai
