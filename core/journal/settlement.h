#pragma once

#include "core/checkout/checkout.h"
#include "core/domain/business_day.h"
#include "core/journal/journal.h"

#include <optional>

class QSqlDatabase;

namespace ikkai {

class SqliteConnection;

/// Where `after` is final and was not before, gives it the next number in the order in which this journal learned the
/// outcomes (1, 2, 3 ...) and the business day of its settlement; both never change again. Belongs in the transaction
/// of the event that made it final, after its row is stored.
std::optional<JournalError> recordSettlement(SqliteConnection &database, const Checkout &after,
                                             const BusinessCalendar &calendar);

/// The same for a journal of before there were numbers (version 1): in the order in which its checkouts were settled,
/// as their events say. A checkout whose events cannot be read counts as settled when its row was last changed.
std::optional<JournalError> settleOldRows(QSqlDatabase &database, const QString &file,
                                          const BusinessCalendar &calendar);

} // namespace ikkai
