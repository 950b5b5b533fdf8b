#pragma once

#include "core/domain/result.h"
#include "core/journal/journal.h"
#include "core/journal/journal_settings.h"
#include "core/journal/sqlite_error.h"

#include <QtCore/QString>
#include <QtCore/QVariant>
#include <QtSql/QSqlDatabase>
#include <QtSql/QSqlQuery>

#include <map>
#include <optional>

class QThread;

namespace ikkai {

/// One connection to a journal's file, its thread and its prepared statements. Lives on the thread that made it; using
/// it on another one ends the program. Errors are what SQLite reports, with the file named.
class SqliteConnection {
public:
    SqliteConnection(QString file, JournalAccess access);
    ~SqliteConnection();
    SqliteConnection(const SqliteConnection &) = delete;
    SqliteConnection &operator=(const SqliteConnection &) = delete;

    [[nodiscard]] const QString &file() const { return m_file; }
    [[nodiscard]] JournalAccess access() const { return m_access; }

    /// To write: brings the journal to the newest version (see `migrate`) and makes sure that it can be written. To
    /// read: refuses what is not a journal of the newest version. Call once, first.
    std::optional<JournalError> open(const JournalSettings &settings = {});

    /// The statement, prepared once, with these values; ready for next(). Call finish() when its rows are read: until
    /// then the write-ahead log cannot be emptied.
    Result<QSqlQuery *, JournalError> ask(const QString &statement, const QVariantList &values = {});
    std::optional<JournalError> run(const QString &statement, const QVariantList &values = {});
    std::optional<JournalError> run(const char *statement) { return run(QString::fromLatin1(statement)); }
    /// The first column of the first row; 0 where there is none.
    Result<qint64, JournalError> number(const QString &statement, const QVariantList &values = {});

    /// `work` in one transaction: committed where it reports no error, else rolled back.
    template <class Work>
    std::optional<JournalError> transact(Work work)
    {
        if (m_access == JournalAccess::ReadOnly)
            return JournalError{JournalError::Kind::ReadOnly, m_file, QStringLiteral("it was opened for reading")};
        return between("BEGIN IMMEDIATE", work);
    }
    /// All that `work` reads is of one moment, whoever writes meanwhile.
    template <class Work>
    std::optional<JournalError> snapshot(Work work)
    {
        return between("BEGIN", work);
    }

private:
    template <class Work>
    std::optional<JournalError> between(const char *begin, Work work)
    {
        if (auto error = run(begin))
            return error;
        std::optional<JournalError> error = work();
        if (!error)
            error = run("COMMIT");
        if (error)
            (void)run("ROLLBACK"); // SQLite may have done it already
        return error;
    }
    [[nodiscard]] QString nameToOpen() const;
    void assertThread() const;
    std::optional<JournalError> useWriteAheadLog();
    std::optional<JournalError> checkVersion();

    QString m_file;
    JournalAccess m_access;
    QThread *m_thread;
    QString m_name;
    QSqlDatabase m_database;
    std::map<QString, QSqlQuery> m_prepared;
};

} // namespace ikkai
