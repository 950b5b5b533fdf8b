#pragma once

#include "core/checkout/checkout_service.h"
#include "core/checkout/event.h"

#include "ui/cashier/attempt_words.h"

#include <map>
#include <vector>

namespace ikkai {

/// What is known of one checkout besides what its fold keeps, since the program began.
struct CheckoutLog {
    /// The bank was asked by itself and brought nothing; the same again counts.
    struct Asked {
        qint64 wallMs = 0;
        inquiry::Nothing answer;
        int times = 1;
        std::size_t eventsBefore = 0;
    };
    std::vector<Event> events;
    std::vector<Asked> asked;
    bool open = true;
};

/// The logs of the checkouts on this till: who pressed what, how often the bank was asked. Bounded: the whole log
/// stands in History.
class HappeningLog {
public:
    void take(const Event &event, const Checkout &after);
    /// Asking that goes on by itself is no event.
    void take(const InquiryPlan &plan);
    [[nodiscard]] const CheckoutLog &of(const IdempotencyKey &key) const;

private:
    CheckoutLog &logOf(const IdempotencyKey &key);

    std::map<IdempotencyKey, CheckoutLog> m_logs;
};

/// "What happened": the tries of the checkout and, between them, presses, inquiries, the void, late answers, restarts.
/// At most `most` lines, the newest at the bottom; what does not fit is summed up in the first one.
[[nodiscard]] std::vector<AttemptRow> happenings(const Checkout &checkout, const CheckoutLog &log, const Stamp &now,
                                                 int most);

} // namespace ikkai
