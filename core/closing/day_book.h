#pragma once

#include "core/closing/day_report.h"
#include "core/closing/day_rows.h"
#include "core/domain/business_day.h"
#include "core/domain/result.h"
#include "core/journal/journal.h"

#include <optional>

namespace ikkai {

class SqliteConnection;

/// The closed days of one journal and the day that is closed next. A report counts the outcomes that follow the last
/// report in the order in which the journal learned them, as far as they lie on one business day: every outcome is in
/// exactly one report, and in one of its own day, whatever the clock did. Lives on its connection's thread.
class DayBook {
public:
    DayBook(SqliteConnection &database, BusinessCalendar calendar, QString terminalId);

    /// What `close` would report now: the oldest business day that has outcomes no report counts, else today. Number 0.
    Result<DayReport, JournalError> preview(qint64 nowWallMs);
    /// Closes that day under the next number, whole or not at all; on disk when this returns. Nothing that is open
    /// hinders it. Needs a connection that writes.
    Result<DayReport, JournalError> close(qint64 nowWallMs);

    /// Newest first.
    Result<QList<DayReportHead>, JournalError> heads();
    /// None: there is no such number. Corrupt names the report and what cannot be read.
    Result<std::optional<DayReport>, JournalError> report(int number);

private:
    struct Last;
    struct Day;
    Result<Last, JournalError> last();
    Result<Day, JournalError> nextDay(qint64 nowWallMs);
    std::optional<JournalError> readUnsettled(qint64 uptoN, const QDate &day, DayRows &rows);
    std::optional<JournalError> readRows(const QString &condition, const QVariantList &values,
                                         std::vector<DayRow> &rows);
    [[nodiscard]] JournalError corrupt(const QString &what) const;

    SqliteConnection &m_database;
    BusinessCalendar m_calendar;
    QString m_terminalId;
};

} // namespace ikkai
