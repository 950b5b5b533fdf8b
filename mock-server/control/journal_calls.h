#pragma once

#include "mock-server/control/request_journal.h"

#include <memory>

/// `GET /control/journal` and `GET /control/journal/{n}` (README.md, "Request journal").
namespace mockbank::journal_calls {

void list(RequestJournal &journal, const std::shared_ptr<Exchange> &exchange);
/// False where no such record is kept.
[[nodiscard]] bool one(RequestJournal &journal, const std::shared_ptr<Exchange> &exchange, const QByteArray &n);
[[nodiscard]] QJsonObject boundsJson(const RequestJournal::Bounds &bounds);

} // namespace mockbank::journal_calls
