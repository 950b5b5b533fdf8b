#pragma once

#include "core/checkout/checkout.h"
#include "core/checkout/event.h"
#include "core/journal/journal_verification.h"

#include <QtCore/QString>

#include <functional>
#include <optional>
#include <vector>

namespace ikkai {

class SqliteConnection;

/// All events of one checkout in order. Corrupt names key and number of the first that cannot be read.
Result<std::vector<Event>, JournalError> readEvents(SqliteConnection &database, const IdempotencyKey &key);

struct FoldedCheckout {
    QString key;
    std::optional<Checkout> checkout; ///< none: see `flaw`
    QString flaw;                     ///< one sentence that names key and event
    qint64 events = 0;
};

/// Every checkout as its events say, by rising key; the events are read one after the other, never all at once. Ends
/// with the first error of `visit` or of SQLite.
std::optional<JournalError>
foldEachCheckout(SqliteConnection &database,
                 const std::function<std::optional<JournalError>(const FoldedCheckout &)> &visit);

/// Compares table `checkout` with the events, by pages of keys, each of one moment. Adds what it finds.
std::optional<JournalError> compareWithEvents(SqliteConnection &database, JournalVerification &found);

} // namespace ikkai
