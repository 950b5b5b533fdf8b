#pragma once

#include "mock-server/bank/clock.h"
#include "mock-server/store/records.h"

#include <memory>
#include <mutex>
#include <optional>

namespace mockbank {

class Store;

/// The setting after a change; `trueMs` is what the clock below says. Nothing where it would go too far.
[[nodiscard]] std::optional<ClockSetting> changedClock(const ClockSetting &setting, const ClockChange &change,
                                                       qint64 trueMs);

/// The bank's clock: the store's own where it has one, else the machine's, moved by the setting in the store. Leases,
/// times to live, dates and the sweep go by it; timers do not.
class BankClock {
public:
    explicit BankClock(std::shared_ptr<Clock> machine);

    /// Looks into the store and tells the bank's time, which is then the time of a whole transaction. Ledger thread.
    qint64 read(Store &store);
    /// Changes the setting in the store; nothing, and nothing changed, where it would go too far. Ledger thread.
    std::optional<ClockSetting> change(Store &store, const ClockChange &change);

    /// As of the last look into the store. Any thread.
    [[nodiscard]] ClockState state() const;

private:
    qint64 trueMs(Store &store) const;

    std::shared_ptr<Clock> m_machine;
    mutable std::mutex m_mutex;
    qint64 m_storeAheadMs = 0; ///< the store's own clock minus the machine's
    ClockSetting m_setting;
};

} // namespace mockbank
