#include "core/checkout/recovery.h"

#include "core/checkout/transition.h"

namespace ikkai {

Result<Checkout, QString> fold(const std::vector<Event> &events)
{
    if (events.empty())
        return QStringLiteral("There are no events to fold.");
    const auto *started = std::get_if<event::CheckoutStarted>(&events.front().body);
    if (!started)
        return QStringLiteral("The first event is %1, not CheckoutStarted.").arg(eventName(events.front().body));

    Checkout checkout = begin(*started, events.front().at).after;
    for (std::size_t i = 1; i < events.size(); ++i) {
        if (std::holds_alternative<event::CheckoutStarted>(events[i].body))
            return QStringLiteral("Event %1 is a second CheckoutStarted.").arg(i + 1);
        checkout = transition(checkout, events[i]).after;
    }
    return checkout;
}

} // namespace ikkai
