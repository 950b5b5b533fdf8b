#pragma once

#include "core/closing/reconciliation.h"
#include "core/domain/business_day.h"
#include "core/domain/result.h"
#include "core/journal/journal.h"

#include <QtCore/QDate>
#include <QtCore/QSet>
#include <QtCore/QVariantList>

#include <functional>
#include <optional>
#include <vector>

namespace ikkai {

class SqliteConnection;

/// This journal's checkouts, read for the comparison with one ledger. Those of another ledger are left out: this bank
/// can say nothing of them. Lives on its connection's thread.
class OurRows {
public:
    explicit OurRows(SqliteConnection &database);

    /// Of the newest checkout that learned one; empty: none did.
    Result<QString, JournalError> newestLedger();
    /// From here on only checkouts of this ledger, and those that never learned one.
    void useLedger(const QString &ledgerId) { m_ledgerId = ledgerId; }

    /// Started in [from, to); `toWallMs` 0: no end. `tell` hears now and then how many there are.
    std::optional<JournalError> readStarted(qint64 fromWallMs, qint64 toWallMs, std::vector<OurRow> &rows,
                                            const std::function<void(qint64)> &tell = {});
    /// How many started in [from, to).
    Result<qint64, JournalError> countStarted(qint64 fromWallMs, qint64 toWallMs);
    /// Those under these keys, whenever they started; what is no key of ours is not found.
    std::optional<JournalError> readKeys(const QSet<QString> &keys, std::vector<OurRow> &rows);
    std::optional<JournalError> readOrders(const QSet<QString> &orders, std::vector<OurRow> &rows);

    /// Where a comparison begins that was not told: see ReconcileRequest.
    Result<qint64, JournalError> defaultFromWallMs(const BusinessCalendar &calendar);

private:
    std::optional<JournalError> read(const QString &condition, QVariantList values, std::vector<OurRow> &rows,
                                     const std::function<void(qint64)> &tell = {});

    SqliteConnection &m_database;
    QString m_ledgerId;
};

} // namespace ikkai
