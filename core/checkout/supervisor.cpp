#include "core/checkout/supervisor.h"

#include "core/journal/supervisor_pin.h"

#include <utility>

namespace ikkai {

Supervisor::Supervisor(Journal &journal, Elsewhere elsewhere)
    : m_journal(journal)
    , m_elsewhere(std::move(elsewhere))
    , m_alive(std::make_shared<bool>(true))
{
}

void Supervisor::admit(const QString &pin, std::function<void(const Verdict &)> decided)
{
    m_waiting.push_back({pin, std::move(decided)});
    next();
}

void Supervisor::next()
{
    if (m_busy || m_waiting.empty())
        return;
    m_busy = true;
    const auto stored = m_journal.supervisorPin();
    if (!stored)
        return decide({SupervisorAnswer::What::CannotRecord, 0, describe(stored.error())});
    if (!*stored)
        return decide({SupervisorAnswer::What::NoPin, 0, {}});
    PinRecord record = **stored;
    if (record.wrongTries >= maxWrongPins)
        return decide({SupervisorAnswer::What::Locked, 0, {}});
    ++record.wrongTries;
    if (const auto counted = m_journal.storeSupervisorPin(record); !counted)
        return decide({SupervisorAnswer::What::CannotRecord, 0, describe(counted.error())});
    m_elsewhere(
        [record, pin = m_waiting.front().pin] { return isPin(record, pin); },
        [this, alive = std::weak_ptr<bool>(m_alive), record](bool right) mutable {
            if (alive.expired())
                return;
            const int triesLeft = maxWrongPins - record.wrongTries;
            if (!right)
                return decide(
                    {triesLeft > 0 ? SupervisorAnswer::What::WrongPin : SupervisorAnswer::What::Locked, triesLeft, {}});
            record.wrongTries = 0;
            if (const auto cleared = m_journal.storeSupervisorPin(record); !cleared)
                return decide({SupervisorAnswer::What::CannotRecord, 0, describe(cleared.error())});
            decide({SupervisorAnswer::What::Done, 0, {}});
        });
}

void Supervisor::decide(const Verdict &verdict)
{
    const Waiting waiting = std::move(m_waiting.front());
    m_waiting.pop_front();
    m_busy = false;
    waiting.decided(verdict);
    next();
}

} // namespace ikkai
