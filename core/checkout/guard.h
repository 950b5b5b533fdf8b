#pragma once

#include "core/checkout/event.h"

namespace ikkai {

/// The one guard that clicks, timers, a reconnect and a restart meet before anything is journalled: whether what a
/// person or a timer asks for still means anything to this checkout. A second click, a timer of a wait that is over
/// and a press on a screen that is older than the checkout do not. What the bank says always does: the table judges
/// it.
[[nodiscard]] bool isTimely(const Checkout &checkout, const Event &event);

} // namespace ikkai
