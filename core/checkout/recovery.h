#pragma once

#include "core/checkout/checkout.h"
#include "core/checkout/event.h"
#include "core/domain/result.h"

#include <vector>

namespace ikkai {

/// The state that these events of one checkout, in order, lead to; no command is carried out.
/// Errors (one sentence): no events, the first one is not CheckoutStarted, or a second one is.
Result<Checkout, QString> fold(const std::vector<Event> &events);

} // namespace ikkai
