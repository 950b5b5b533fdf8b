#pragma once

#include "mock-server/bank/arrival.h"
#include "mock-server/http/message.h"

#include <variant>

namespace mockbank {

/// Reads the query of `GET /v1/charges`: `after` (a cursor, from 0), `limit` (1 to 500), `terminal_id`, `from`
/// (inclusive) and `to` (exclusive), both RFC 3339 with an offset. Names and values are percent-encoded. A problem with
/// status 400 names what is wrong.
[[nodiscard]] std::variant<ListArrival, Problem> readListQuery(const QByteArray &query);

} // namespace mockbank
