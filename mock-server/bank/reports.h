#pragma once

#include "mock-server/bank/ledger_writer.h"

#include <QtCore/QJsonObject>

/// What the control API shows of the bank (README.md, "Control API"). Read inside a transaction of the ledger thread.
namespace mockbank::reports {

[[nodiscard]] QJsonObject movements(Store &store, qint64 after, int limit);
[[nodiscard]] QJsonObject keys(Store &store, qint64 nowMs);
[[nodiscard]] QJsonObject outbox(Store &store);
[[nodiscard]] QJsonObject counters(const LedgerCounters &counters, size_t running);

} // namespace mockbank::reports
