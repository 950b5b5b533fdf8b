#include "core/journal/journal_fold.h"

#include "core/checkout/recovery.h"
#include "core/journal/event_codec.h"
#include "core/journal/projection.h"
#include "core/journal/sqlite_connection.h"

#include <QtSql/QSqlError>

#include <array>
#include <map>

namespace ikkai {

namespace journal_fold {

constexpr int keysOnPage = 500;
constexpr size_t mostKept = 1'000;
constexpr QLatin1Char behindEveryKey('~');

/// Takes events in the order of key and number, and gives each checkout on when its last one is in.
class Folder {
public:
    using Visit = std::function<std::optional<JournalError>(const FoldedCheckout &)>;

    explicit Folder(const Visit &visit)
        : m_visit(visit)
    {
    }

    /// Columns: key, seq, at_ms, type, data.
    std::optional<JournalError> take(const QSqlQuery &row)
    {
        const QString key = row.value(0).toString();
        std::optional<JournalError> error;
        if (key != m_folded.key) {
            error = end();
            m_folded.key = key;
        }
        add(row.value(1).toLongLong(),
            {row.value(2).toLongLong(), row.value(3).toString(), row.value(4).toString().toUtf8()});
        return error;
    }

    /// After the last event.
    std::optional<JournalError> end()
    {
        std::optional<JournalError> error;
        if (m_folded.events > 0) {
            if (m_folded.flaw.isEmpty()) {
                const auto checkout = fold(m_events);
                if (checkout)
                    m_folded.checkout = checkout.value();
                else
                    m_folded.flaw = QStringLiteral("checkout %1: %2").arg(m_folded.key, checkout.error());
            }
            error = m_visit(m_folded);
        }
        m_folded = {};
        m_events.clear();
        return error;
    }

private:
    void add(qint64 seq, const StoredEvent &stored)
    {
        ++m_folded.events;
        if (!m_folded.flaw.isEmpty())
            return;
        const auto event = decodeEvent(stored);
        const QString where = QStringLiteral("checkout %1, event %2: %3").arg(m_folded.key).arg(seq);
        if (seq != m_folded.events)
            m_folded.flaw = where.arg(QLatin1String("the one before it is not there"));
        else if (!event)
            m_folded.flaw = where.arg(event.error());
        else
            m_events.push_back(event.value());
    }

    const Visit &m_visit;
    FoldedCheckout m_folded;
    std::vector<Event> m_events;
};

std::optional<JournalError> foldRows(SqliteConnection &database, const QString &statement, const QVariantList &values,
                                     const Folder::Visit &visit)
{
    const auto asked = database.ask(statement, values);
    if (!asked)
        return asked.error();
    QSqlQuery &query = **asked;
    Folder folder(visit);
    std::optional<JournalError> error;
    while (!error && query.next())
        error = folder.take(query);
    if (!error && query.lastError().isValid())
        error = journalErrorOf(query.lastError(), database.file());
    query.finish();
    return error ? error : folder.end();
}

/// None for null: of a null integer Qt says "0", which is a number like any other.
std::optional<QString> wordOf(const QVariant &value)
{
    return value.isNull() ? std::nullopt : std::optional(value.toString());
}

/// A row of `checkout`, then what `settlement` says of it.
constexpr size_t settledColumns = 2;
constexpr std::array settledNames{"settled_n", "business_day"};
using StoredRow = std::vector<std::optional<QString>>;

const QString &rowsOfPage()
{
    static const QString statement = [] {
        QStringList names;
        for (const char *column : projectionColumns)
            names << QStringLiteral("c.%1").arg(QLatin1String(column));
        return QStringLiteral("SELECT %1, c.settled_n, c.business_day, s.n, s.business_day FROM checkout AS c "
                              "LEFT JOIN settlement AS s ON s.key = c.key WHERE c.key > ? AND c.key <= ? "
                              "ORDER BY c.key")
            .arg(names.join(QLatin1String(", ")));
    }();
    return statement;
}

class Comparison {
public:
    Comparison(SqliteConnection &database, JournalVerification &found)
        : m_database(database)
        , m_found(found)
    {
    }

    /// The key the page ends with; empty after the last one.
    Result<QString, JournalError> page(const QString &after)
    {
        const auto upTo = endOfPage(after);
        if (!upTo)
            return upTo.error();
        const QString last = upTo->isEmpty() ? QString(behindEveryKey) : *upTo;
        if (const auto error = readRows(after, last))
            return *error;
        const auto error =
            foldRows(m_database,
                     QStringLiteral(
                         "SELECT key, seq, at_ms, type, data FROM event WHERE key > ? AND key <= ? ORDER BY key, seq"),
                     {after, last}, [this](const FoldedCheckout &folded) {
                         compare(folded);
                         return std::optional<JournalError>();
                     });
        if (error)
            return *error;
        for (const auto &[key, row] : m_rows)
            differs(key, "(row)", QStringLiteral("there"), {});
        return *upTo;
    }

private:
    Result<QString, JournalError> endOfPage(const QString &after)
    {
        const auto asked = m_database.ask(
            QStringLiteral("SELECT key FROM checkout WHERE key > ? ORDER BY key LIMIT %1").arg(keysOnPage), {after});
        if (!asked)
            return asked.error();
        QSqlQuery &query = **asked;
        QString last;
        int count = 0;
        while (query.next()) {
            last = query.value(0).toString();
            ++count;
        }
        const QSqlError error = query.lastError();
        query.finish();
        if (error.isValid())
            return journalErrorOf(error, m_database.file());
        return count < keysOnPage ? QString() : last;
    }

    std::optional<JournalError> readRows(const QString &after, const QString &last)
    {
        m_rows.clear();
        const auto asked = m_database.ask(rowsOfPage(), {after, last});
        if (!asked)
            return asked.error();
        QSqlQuery &query = **asked;
        while (query.next()) {
            StoredRow row;
            for (size_t i = 0; i < projectionColumns.size() + 2 * settledColumns; ++i)
                row.push_back(wordOf(query.value(static_cast<int>(i))));
            m_rows.emplace(query.value(0).toString(), std::move(row));
        }
        const QSqlError error = query.lastError();
        query.finish();
        return error.isValid() ? std::optional(journalErrorOf(error, m_database.file())) : std::nullopt;
    }

    void compare(const FoldedCheckout &folded)
    {
        ++m_found.checkouts;
        m_found.events += folded.events;
        const auto stored = m_rows.find(folded.key);
        const bool isThere = stored != m_rows.end();
        if (!folded.checkout) {
            ++m_found.unreadableCount;
            if (static_cast<size_t>(m_found.unreadable.size()) < mostKept)
                m_found.unreadable << folded.flaw;
        } else if (!isThere) {
            differs(folded.key, "(row)", {}, QStringLiteral("there"));
        } else {
            compareColumns(*folded.checkout, stored->second);
        }
        if (isThere)
            m_rows.erase(stored);
    }

    void compareColumns(const Checkout &checkout, const StoredRow &stored)
    {
        const QString key = checkout.key.text();
        const ProjectionRow expected = projectionOf(checkout);
        for (size_t i = 0; i < expected.size(); ++i) {
            if (stored[i] != wordOf(expected[i]))
                differs(key, projectionColumns[i], stored[i].value_or(QString()),
                        wordOf(expected[i]).value_or(QString()));
        }
        for (size_t i = 0; i < settledColumns; ++i) {
            const auto &copied = stored[expected.size() + i];
            const auto &settled = stored[expected.size() + settledColumns + i];
            if (copied != settled)
                differs(key, settledNames[i], copied.value_or(QString()), settled.value_or(QString()));
        }
        // The settlement itself: there if and only if the outcome is known.
        const bool isSettled = stored[expected.size() + settledColumns].has_value();
        if (isSettled != isFinal(checkout.state))
            differs(key, "(settlement)", isSettled ? QStringLiteral("there") : QString(),
                    isSettled ? QString() : QStringLiteral("there"));
    }

    void differs(const QString &key, const char *column, const QString &stored, const QString &expected)
    {
        ++m_found.differenceCount;
        if (m_found.differences.size() < mostKept)
            m_found.differences.push_back({key, QLatin1String(column), stored, expected});
    }

    SqliteConnection &m_database;
    JournalVerification &m_found;
    std::map<QString, StoredRow> m_rows;
};

} // namespace journal_fold

Result<std::vector<Event>, JournalError> readEvents(SqliteConnection &database, const IdempotencyKey &key)
{
    const auto asked = database.ask(
        QStringLiteral("SELECT seq, at_ms, type, data FROM event WHERE key = ? ORDER BY seq"), {key.text()});
    if (!asked)
        return asked.error();
    std::vector<Event> events;
    QString flaw;
    QSqlQuery &query = **asked;
    while (flaw.isEmpty() && query.next()) {
        const qint64 seq = query.value(0).toLongLong();
        const auto event =
            decodeEvent({query.value(1).toLongLong(), query.value(2).toString(), query.value(3).toString().toUtf8()});
        const QString where = QStringLiteral("checkout %1, event %2: %3").arg(key.text()).arg(seq);
        if (seq != static_cast<qint64>(events.size()) + 1)
            flaw = where.arg(QLatin1String("the one before it is not there"));
        else if (!event)
            flaw = where.arg(event.error());
        else
            events.push_back(event.value());
    }
    const QSqlError error = query.lastError();
    query.finish();
    if (!flaw.isEmpty())
        return JournalError{JournalError::Kind::Corrupt, database.file(), flaw};
    if (error.isValid())
        return journalErrorOf(error, database.file());
    return events;
}

std::optional<JournalError>
foldEachCheckout(SqliteConnection &database,
                 const std::function<std::optional<JournalError>(const FoldedCheckout &)> &visit)
{
    return journal_fold::foldRows(
        database, QStringLiteral("SELECT key, seq, at_ms, type, data FROM event ORDER BY key, seq"), {}, visit);
}

std::optional<JournalError> compareWithEvents(SqliteConnection &database, JournalVerification &found)
{
    journal_fold::Comparison comparison(database, found);
    QString after = QLatin1String("");
    do {
        const auto error = database.snapshot([&]() -> std::optional<JournalError> {
            const auto page = comparison.page(after);
            if (!page)
                return page.error();
            after = *page;
            return std::nullopt;
        });
        if (error)
            return error;
    } while (!after.isEmpty());
    return std::nullopt;
}

} // namespace ikkai
