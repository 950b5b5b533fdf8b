#pragma once

#include "mock-server/bank/ledger_counters.h"
#include "mock-server/store/store.h"

#include <QtCore/QJsonObject>

/// What the control API shows of the bank (README.md, "Control API"). Read inside a transaction of the ledger thread.
namespace mockbank::reports {

/// The body of GET /v1/charges: one row for each charge made, not for each key.
[[nodiscard]] QByteArray charges(Store &store, ChargeFilter filter);
[[nodiscard]] QJsonObject movements(Store &store, qint64 after, int limit);
[[nodiscard]] QJsonObject keys(Store &store, qint64 nowMs);
[[nodiscard]] QJsonObject outbox(Store &store, qint64 after, int limit, OutboxRows rows, const QByteArray &ledgerId);
[[nodiscard]] QJsonObject counters(const LedgerCounters &counters, size_t running);
/// {"pending","delivered","oldest_pending_ms"}: the last is its age, null where nothing is pending.
[[nodiscard]] QJsonObject outboxCount(Store &store, qint64 nowMs);

} // namespace mockbank::reports
