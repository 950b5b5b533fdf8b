#pragma once

#include "mock-server/bank/key_lock.h"
#include "mock-server/bank/strategy.h"

#include <memory>

namespace mockbank {

/// Keeps its keys in a Redis beside the store: GET, SET NX with the lock's time, charge, answer, and SET COMPLETED that
/// nobody waits for. The lock has no owner, so it ends whether the work has ended or not and anybody writes over it;
/// the key alone names it, whoever the merchant is; nothing is compared with the first request; and every answer is
/// kept, a failure of the bank too. Publishes after the commit of the charge.
class RedisLockStrategy final : public Strategy {
public:
    explicit RedisLockStrategy(std::shared_ptr<KeyLock> lock);

    StepOutcome step(ChargeWork &work, Step &at) override;
    /// From the ledger: nothing waits for the lock but a charge. A decline is known to the lock alone.
    Answer inquire(const InquiryArrival &arrival, const ScopedKey &name, Step &at) override;
    StepOutcome voidCharge(VoidWork &work, Step &at) override;
    void renew(ChargeWork &, Step &) override {}
    std::optional<Answer> readBack(ChargeWork &work, Step &at) override;
    std::optional<Answer> readBackVoid(VoidWork &work, Step &at) override;

private:
    enum Place { LookingUp, Found, Locked, Charging, Answering, Remembered };

    StepOutcome lookUp(ChargeWork &work, Step &at);
    StepOutcome found(ChargeWork &work, Step &at);
    StepOutcome locked(ChargeWork &work, Step &at);
    StepOutcome charge(ChargeWork &work, Step &at);
    StepOutcome answer(ChargeWork &work, Step &at);
    StepOutcome remembered(ChargeWork &work, Step &at);
    AnswerAndGoOn keep(ChargeWork &work, Answer answer, Step &at);
    std::function<KeyLock::Reply()> completing(const ChargeWork &work, const Answer &answer, const Step &at);

    std::shared_ptr<KeyLock> m_lock;
};

} // namespace mockbank
