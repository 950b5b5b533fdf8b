#pragma once

#include "core/domain/result.h"
#include "core/journal/history.h"
#include "core/journal/history_query.h"

#include <QtCore/QList>

namespace ikkai {

class SqliteConnection;

/// The rows that a filter asks for, newest first, a bounded piece of work at a time. Each step reads a moment of its
/// own and leaves nothing open, so whoever writes is never held up.
class HistoryWalk {
public:
    /// Below `after`, or from the newest. `database` must outlive this.
    HistoryWalk(SqliteConnection &database, const HistoryFilter &filter, const BusinessCalendar &calendar,
                const std::optional<IdempotencyKey> &after);

    [[nodiscard]] bool isAtEnd() const { return m_isAtEnd; }
    /// Adds at most `limit` rows; none may mean that the next ones lie further down.
    std::optional<JournalError> read(int limit, QList<HistoryRow> &rows);
    /// The same way, only counted.
    std::optional<JournalError> count(qint64 &total);

private:
    std::optional<JournalError> narrowToDay();
    /// Where this step's range begins.
    Result<QString, JournalError> boundOf(int most);

    SqliteConnection &m_database;
    HistoryQuery m_query;
    HistoryQuery::Range m_rest = HistoryQuery::everything(); ///< not walked yet
    bool m_isNarrowed = false;
    bool m_isAtEnd = false;
};

} // namespace ikkai
