#pragma once

#include "core/checkout/event.h"

#include "ui/cashier/attempt_words.h"

#include <map>
#include <vector>

namespace ikkai {

/// The events of the checkouts on this till since the program began: what the fold of a checkout does not keep, as who
/// pressed what and how often the bank was asked. Bounded: the whole log stands in History.
class HappeningLog {
public:
    void take(const Event &event, const Checkout &after);
    [[nodiscard]] const std::vector<Event> &of(const IdempotencyKey &key) const;

private:
    struct Log {
        std::vector<Event> events;
        bool open = true;
    };
    std::map<IdempotencyKey, Log> m_logs;
};

/// "What happened": the tries of the checkout and, between them, presses, inquiries, the void, late answers, restarts.
/// At most `most` lines, the newest at the bottom; what does not fit is summed up in the first one.
[[nodiscard]] std::vector<AttemptRow> happenings(const Checkout &checkout, const std::vector<Event> &log,
                                                 const Stamp &now, int most);

} // namespace ikkai
