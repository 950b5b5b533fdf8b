#pragma once

#include "app/scorecard.h"

#include <QtCore/QByteArray>
#include <QtCore/QJsonObject>

namespace ikkai::app {

/// `payment-terminal scorecard`: strategies against faults, as a table on standard output (text or JSON) and as a page.
/// Runs its own event loop; returns the exit code: 0 the table is complete, 1 it is not, 2 usage.
[[nodiscard]] int runScorecard(const Options &options);

/// {"rows":[{"strategy","fault","checkouts","charged_twice","lost","events_lost","events_phantom","unknown",
/// "not_fired","seconds_to_known"}],"not_offered":[{"strategy","fault","why"}]}; seconds_to_known is null where no
/// checkout had a final word.
[[nodiscard]] QJsonObject toJson(const Scorecard &scorecard);
/// One page without anything from elsewhere.
[[nodiscard]] QByteArray toHtml(const Scorecard &scorecard);

} // namespace ikkai::app
