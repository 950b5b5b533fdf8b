#pragma once

#include "core/domain/business_day.h"
#include "core/journal/history.h"
#include "core/journal/history_walk.h"

#include <QtCore/QSaveFile>

#include <deque>
#include <memory>
#include <optional>

namespace ikkai {

class SqliteConnection;

/// History out of a journal's file, on a connection of its own that only reads and opens at the first request. Meant
/// to be moved to a thread of its own, never the window's; made anywhere, destroyed on the thread it lives on. Works in
/// pieces of some milliseconds, so a long search or an export holds up neither a newer request nor the end of the
/// program; needs no lock on the journal.
class HistoryReader final : public HistorySource {
    Q_OBJECT

public:
    HistoryReader(QString journalFile, BusinessCalendar calendar, QObject *parent = nullptr);
    ~HistoryReader() override;

    void read(const HistoryRequest &request) override;
    void readDetail(const IdempotencyKey &key) override;
    /// One after the other. The file is written whole or not at all; one that belongs to the journal is refused.
    void exportRows(const HistoryExport &wanted) override;

private:
    struct Reading {
        HistoryRequest request;
        HistoryPage page;
        std::optional<HistoryWalk> walk;
        std::optional<HistoryWalk> counting;
    };
    struct Exporting {
        HistoryExport wanted;
        std::unique_ptr<QSaveFile> file;
        std::optional<HistoryWalk> walk;
        qint64 rows = 0;
    };

    std::optional<JournalError> open();
    void fail(const JournalError &error, const HistoryAsked &asked);
    void workSoon();
    void work();
    /// Done, or an error; none: there is more to do.
    std::optional<Result<Done, JournalError>> step(Reading &reading);
    void stepExport();
    void failExport(const QString &what);
    [[nodiscard]] bool belongsToJournal(const QString &file) const;

    QString m_file;
    BusinessCalendar m_calendar;
    std::unique_ptr<SqliteConnection> m_database;
    std::deque<Reading> m_readings; ///< all of one filter
    std::deque<Exporting> m_exports;
    bool m_isWorkPosted = false;
};

} // namespace ikkai
