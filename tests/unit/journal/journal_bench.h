#pragma once

#include "core/journal/sqlite_journal.h"
#include "tests/unit/journal/samples.h"

#include <QtCore/QDebug>
#include <QtSql/QSqlDatabase>
#include <QtSql/QSqlError>
#include <QtSql/QSqlQuery>

#include <memory>
#include <optional>

namespace ikkai::test {

/// Another program that has the same file open.
class Sql {
public:
    explicit Sql(const QString &file)
        : m_name(QStringLiteral("by hand %1").arg(++s_count))
        , m_database(QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_name))
    {
        m_database.setDatabaseName(file);
        m_database.open();
    }
    ~Sql()
    {
        m_database.close();
        m_database = QSqlDatabase();
        QSqlDatabase::removeDatabase(m_name);
    }
    Sql(const Sql &) = delete;
    Sql &operator=(const Sql &) = delete;

    /// The first value, or the error as text.
    QVariant run(const QString &statement)
    {
        QSqlQuery query(m_database);
        if (!query.exec(statement))
            return query.lastError().text();
        return query.next() ? query.value(0) : QVariant();
    }
    /// All rows, `|` between columns, a row a line.
    QString all(const QString &statement)
    {
        QSqlQuery query(m_database);
        if (!query.exec(statement))
            return query.lastError().text();
        QStringList lines;
        while (query.next()) {
            QStringList values;
            for (int i = 0; query.value(i).isValid(); ++i)
                values << query.value(i).toString();
            lines << values.join(QLatin1Char('|'));
        }
        return lines.join(QLatin1Char('\n'));
    }
    QSqlDatabase &database() { return m_database; }

private:
    inline static int s_count = 0;
    QString m_name;
    QSqlDatabase m_database;
};

inline std::unique_ptr<SqliteJournal> opened(const QString &file, const JournalSettings &settings = {})
{
    auto journal = SqliteJournal::open(file, JournalAccess::Write, settings);
    if (!journal) {
        qWarning("%s", qPrintable(describe(journal.error())));
        return nullptr;
    }
    return std::move(journal).value();
}

inline std::optional<JournalError> appendAll(Journal &journal, const Story &story)
{
    for (size_t i = 0; i < story.events.size(); ++i) {
        const auto done = journal.append(static_cast<int>(i) + 1, story.events[i], story.after[i]);
        if (!done)
            return done.error();
    }
    return std::nullopt;
}

/// What was settled, in the order in which the journal learned it.
inline QString settlements(Sql &sql)
{
    return sql.all(QStringLiteral("SELECT settled_n, order_id, business_day FROM checkout WHERE settled_n IS NOT NULL "
                                  "ORDER BY settled_n"));
}

} // namespace ikkai::test
