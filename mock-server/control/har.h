#pragma once

#include "mock-server/control/journal_record.h"

namespace mockbank {

/// Records as an HTTP Archive (HAR 1.2, http://www.softwareishard.com/blog/har-12-spec/), which browsers and proxies
/// open. What HAR has no word for stands in members that begin with `_`; an arrival that was never answered has
/// status 0, as browsers write it.
[[nodiscard]] QJsonObject toHar(const QList<JournalRecord> &records, std::optional<quint64> next);

} // namespace mockbank
