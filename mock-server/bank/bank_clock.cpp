#include "mock-server/bank/bank_clock.h"

#include "mock-server/store/store.h"

#include <cstdlib>
#include <utility>

namespace mockbank {

static qint64 shownBy(const ClockSetting &setting, qint64 trueMs)
{
    return setting.frozenAtMs.value_or(trueMs + setting.offsetMs);
}

std::optional<ClockSetting> changedClock(const ClockSetting &setting, const ClockChange &change, qint64 trueMs)
{
    ClockSetting next = setting;
    switch (change.what) {
    case ClockChange::What::Freeze:
        next.frozenAtMs = shownBy(setting, trueMs);
        break;
    case ClockChange::What::Advance:
        if (std::abs(change.advanceMs) > maxClockOffsetMs)
            return std::nullopt;
        if (next.frozenAtMs)
            *next.frozenAtMs += change.advanceMs;
        else
            next.offsetMs += change.advanceMs;
        break;
    case ClockChange::What::Resume:
        next.offsetMs = shownBy(setting, trueMs) - trueMs;
        next.frozenAtMs.reset();
        break;
    case ClockChange::What::Reset:
        next = {};
        break;
    }
    if (std::abs(shownBy(next, trueMs) - trueMs) > maxClockOffsetMs)
        return std::nullopt;
    return next;
}

BankClock::BankClock(std::shared_ptr<Clock> machine)
    : m_machine(std::move(machine))
{
}

qint64 BankClock::trueMs(Store &store) const
{
    const std::optional<qint64> own = store.ownClockMs();
    return own ? *own : m_machine->nowMs();
}

qint64 BankClock::read(Store &store)
{
    const qint64 trueNowMs = trueMs(store);
    const ClockSetting setting = store.clockSetting();
    const std::scoped_lock lock(m_mutex);
    m_storeAheadMs = trueNowMs - m_machine->nowMs();
    m_setting = setting;
    return shownBy(setting, trueNowMs);
}

std::optional<ClockSetting> BankClock::change(Store &store, const ClockChange &change)
{
    const std::optional<ClockSetting> next = changedClock(store.clockSetting(), change, trueMs(store));
    if (next)
        store.setClock(*next);
    return next;
}

ClockState BankClock::state() const
{
    const std::scoped_lock lock(m_mutex);
    const qint64 trueNowMs = m_machine->nowMs() + m_storeAheadMs;
    const qint64 nowMs = shownBy(m_setting, trueNowMs);
    return {nowMs, m_setting.frozenAtMs ? nowMs - trueNowMs : m_setting.offsetMs, m_setting.frozenAtMs.has_value()};
}

} // namespace mockbank
