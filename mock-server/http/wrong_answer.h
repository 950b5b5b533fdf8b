#pragma once

#include "mock-server/faults/fault.h"
#include "mock-server/http/arrival.h"

namespace mockbank {

/// Whether this manifestation sends something else than the bank's answer, as a whole.
[[nodiscard]] bool isWrongAnswer(ManifestationKind kind);

/// Well-formed HTTP that is not what the bank had to say: `status`, `html_200`, `bad_json`, `wrong_shape`, `wrong_echo`
/// and `redirect`. `truth` is the bank's answer. Where that is no success and no decline (the bank was not asked, or
/// has rolled back) the approval that the client hopes for takes its place, to be spoilt in the same way.
[[nodiscard]] Response wrongAnswer(const Manifestation &manifestation, const Arrival &arrival, const Response &truth);

/// Whether this manifestation sends bytes that are no whole HTTP answer.
[[nodiscard]] bool isMalformed(ManifestationKind kind);

/// `truth` in bytes that break HTTP: `garbage`, `half_status_line`, `half_headers`, `short_body`, `long_body` and
/// `bad_chunk`. The connection ends after them.
[[nodiscard]] QByteArray malformedAnswer(const Manifestation &manifestation, const Exchange &exchange,
                                         const Response &truth);

/// Stands for the bank's answer where the bank was not asked: a 500.
[[nodiscard]] Response noAnswerOfTheBank(const QByteArray &key);

} // namespace mockbank
