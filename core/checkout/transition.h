#pragma once

#include "core/checkout/checkout.h"
#include "core/checkout/command.h"
#include "core/checkout/event.h"

#include <vector>

namespace ikkai {

struct Step {
    Checkout after;
    std::vector<Command> commands;
    bool impossible = false; ///< a pair that cannot happen: recorded, changes nothing, commands nothing
};

/// The first event of every checkout.
[[nodiscard]] Step begin(const event::CheckoutStarted &started, const Stamp &at);

/// One event on a checkout under way: the whole table state x event -> next, commands. Pure: no clock, no random,
/// no input or output; times and random draws arrive inside the event. A missing pair does not compile.
[[nodiscard]] Step transition(const Checkout &before, const Event &event);

} // namespace ikkai
