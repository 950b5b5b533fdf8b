#pragma once

#include "mock-server/bank/strategy.h"

namespace mockbank {

/// Looks at no key: every arrival charges, and void and inquiry are not offered. Publishes before its commit.
class NaiveStrategy final : public Strategy {
public:
    StepOutcome step(ChargeWork &work, Step &at) override;
    Answer inquire(const InquiryArrival &arrival, const ScopedKey &name, Step &at) override;
    void renew(ChargeWork &, Step &) override {}
    std::optional<Answer> readBack(ChargeWork &work, Step &at) override;

private:
    enum Place { Arriving, Charging, Dying };

    static StepOutcome charge(ChargeWork &work, Step &at);
};

} // namespace mockbank
