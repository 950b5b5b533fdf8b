#pragma once

#include "mock-server/bank/strategy.h"

namespace mockbank {

/// Charges a key at most once: a committed claim, then one transaction that takes the claim, moves the money and stores
/// the answer (README.md).
class AtomicStrategy final : public Strategy {
public:
    StepOutcome step(ChargeWork &work, Step &at) override;
    StepOutcome voidCharge(VoidWork &work, Step &at) override;
    Answer inquire(const InquiryArrival &arrival, const ScopedKey &name, Step &at) override;
    void renew(ChargeWork &work, Step &at) override;
    std::optional<Answer> readBack(ChargeWork &work, Step &at) override;
    std::optional<Answer> readBackVoid(VoidWork &work, Step &at) override;

private:
    enum Place { Claiming, Charging, ChargingAgain };

    StepOutcome claim(ChargeWork &work, Step &at);
    StepOutcome charge(ChargeWork &work, Step &at);
    StepOutcome answerOrRunAgain(const Verdict &verdict, const QByteArray &fingerprint, ChargeWork &work, Step &at);
    StepOutcome chargeAgain(ChargeWork &work, Step &at);
    static StepOutcome letGo(const ChargeWork &work, Step &at);
    static void strikeKey(ChargeWork &work, Step &at);
    StepOutcome claimAnew(const Claim *lapsed, ChargeWork &work, Step &at);
};

} // namespace mockbank
