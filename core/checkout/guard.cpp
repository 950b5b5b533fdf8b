#include "core/checkout/guard.h"

namespace ikkai {

namespace guard_detail {

struct Timely {
    const Checkout &checkout;
    const Stamp &now;

    [[nodiscard]] bool isUnknown() const { return std::holds_alternative<state::Unknown>(checkout.state); }

    bool operator()(const event::CheckoutStarted &) const { return false; }
    bool operator()(const event::BankLearned &) const { return true; }
    bool operator()(const event::AttemptEnded &) const { return true; }
    bool operator()(const event::LateAnswer &) const { return true; }
    bool operator()(const event::InquiryEnded &) const { return true; }
    bool operator()(const event::VoidEnded &) const { return true; }
    bool operator()(const event::WaitElapsed &elapsed) const
    {
        const auto *waiting = std::get_if<state::Waiting>(&checkout.state);
        // A wait that was planned anew has the same number: its old timer comes too early.
        return waiting && waiting->nextAttempt == elapsed.nextAttempt && now.monotonicMs >= waiting->untilMonotonicMs;
    }
    bool operator()(const event::InquiryStarted &) const
    {
        return !isAutomatic(checkout.state) && !isVoiding(checkout.state) && !checkout.inquiryUnderWay;
    }
    bool operator()(const event::TriedAgain &) const { return isUnknown() && !checkout.voidIntent; }
    bool operator()(const event::LeftOpen &) const { return isAutomatic(checkout.state); }
    bool operator()(const event::AnotherStarted &) const { return isAutomatic(checkout.state); }
    bool operator()(const event::Restarted &) const { return isOpen(checkout.state); }
    bool operator()(const event::VoidStarted &) const { return isUnknown() && !checkout.voidIntent; }
    bool operator()(const event::VoidWaitElapsed &elapsed) const
    {
        const auto *pending = std::get_if<state::VoidPending>(&checkout.state);
        return pending && pending->nextTry == elapsed.nextTry;
    }
    bool operator()(const event::Resumed &) const
    {
        return isAutomatic(checkout.state) || std::holds_alternative<state::VoidPending>(checkout.state);
    }
    bool operator()(const event::WrittenOff &off) const
    {
        if (off.why == state::WrittenOff::Why::Mismatch)
            return std::holds_alternative<state::KeyMismatch>(checkout.state);
        return isUnknown() || isVoiding(checkout.state);
    }
};

} // namespace guard_detail

bool isTimely(const Checkout &checkout, const Event &event)
{
    return std::visit(guard_detail::Timely{checkout, event.at}, event.body);
}

} // namespace ikkai
