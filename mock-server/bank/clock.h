#pragma once

#include <QtCore/QtGlobal>

#include <functional>
#include <memory>

namespace mockbank {

/// Time as the bank sees it. Both functions may be called from any thread.
class Clock {
public:
    virtual ~Clock() = default;

    /// Milliseconds since 1970 in UTC: leases, time-to-live, dates. May be set back and forth by people.
    virtual qint64 nowMs() const = 0;

    /// Milliseconds since some fixed moment, never going back: timers.
    virtual qint64 elapsedMs() const = 0;

    /// `moved` is called, on the mover's thread, whenever this clock was moved by hand, so that a waiting ledger looks
    /// again. At most one caller per id; null ends it. A clock that only runs by itself ignores this.
    virtual void onMoved(const void *id, std::function<void()> moved) = 0;
};

/// The machine's own clock.
std::shared_ptr<Clock> systemClock();

} // namespace mockbank
