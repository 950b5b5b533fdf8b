#pragma once

#include "core/journal/journal.h"
#include "core/journal/journal_settings.h"
#include "core/journal/journal_verification.h"

#include <QtCore/QString>

#include <memory>
#include <vector>

namespace ikkai {

class SqliteConnection;

/// The journal in one SQLite file: WAL, synchronous=FULL, so an append that has returned survives a power cut.
/// Lives on the thread that opened it; using it on another one ends the program.
class SqliteJournal final : public Journal {
public:
    using Access = JournalAccess;

    /// Opens or makes the journal and brings it to the newest version. `:memory:` is a journal that is forgotten.
    /// One writer per journal is JournalLock's business. Errors: CannotOpen, ReadOnly, Corrupt, NewerVersion, Locked
    /// (another program is writing), DiskFull, InputOutput; each names the file.
    static Result<std::unique_ptr<SqliteJournal>, JournalError> open(const QString &file, Access access = Access::Write,
                                                                     const JournalSettings &settings = {});
    ~SqliteJournal() override;

    /// A number that is taken by an equal event counts as appended: its commit had succeeded though the disk said
    /// otherwise, and the caller tries again. Any other taken number, or a gap, is Corrupt.
    Result<Done, JournalError> append(int seq, const Event &event, const Checkout &after) override;
    /// Corrupt names key and number of what cannot be read.
    Result<std::vector<Event>, JournalError> events(const IdempotencyKey &key) override;
    Result<std::vector<IdempotencyKey>, JournalError> openKeys() override;
    Result<std::vector<IdempotencyKey>, JournalError> keysOfOrder(const OrderId &order) override;
    Result<std::optional<IdempotencyKey>, JournalError> newestKey() override;
    Result<std::optional<PinRecord>, JournalError> supervisorPin() override;
    Result<Done, JournalError> storeSupervisorPin(const PinRecord &record) override;

    /// Folds all events anew and compares with the projection; empty: they agree. The first thousand differences.
    Result<std::vector<ProjectionDifference>, JournalError> compareProjection();
    /// Replaces the projection by what the events lead to, in one transaction. The number of checkouts.
    Result<qint64, JournalError> rebuildProjection();

private:
    SqliteJournal(std::unique_ptr<SqliteConnection> database, JournalSettings settings);

    std::unique_ptr<SqliteConnection> m_database;
    JournalSettings m_settings;
};

} // namespace ikkai
