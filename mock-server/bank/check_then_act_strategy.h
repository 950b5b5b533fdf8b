#pragma once

#include "mock-server/bank/strategy.h"

namespace mockbank {

/// Looks the key up, charges, and writes the key down: three transactions, and whoever arrives between the first and
/// the last charges too. The answer under a key is given whatever the new request asks for: nothing is compared.
/// Publishes after the commit of the charge.
class CheckThenActStrategy final : public Strategy {
public:
    StepOutcome step(ChargeWork &work, Step &at) override;
    Answer inquire(const InquiryArrival &arrival, const ScopedKey &name, Step &at) override;
    StepOutcome voidCharge(VoidWork &work, Step &at) override;
    void renew(ChargeWork &, Step &) override {}
    std::optional<Answer> readBack(ChargeWork &work, Step &at) override;
    std::optional<Answer> readBackVoid(VoidWork &work, Step &at) override;

private:
    enum Place { Checking, Acting, Remembering, Answered };

    static StepOutcome check(ChargeWork &work, Step &at);
    static StepOutcome act(ChargeWork &work, Step &at);
    static StepOutcome remember(ChargeWork &work, Step &at);
};

} // namespace mockbank
