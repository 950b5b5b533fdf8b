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

/// What a hand does to the bank's clock.
struct ClockChange {
    enum class What {
        Freeze,  ///< it stands still from now on
        Advance, ///< it jumps ahead, and stands or runs on as before
        Resume,  ///< it runs on from where it stood
        Reset,   ///< it is right again: no offset, running
    };
    What what = What::Reset;
    qint64 advanceMs = 0; ///< What::Advance

    bool operator==(const ClockChange &) const = default;
};

/// The longest way ahead a clock is set, all changes together: a hundred years.
inline constexpr qint64 maxClockOffsetMs = 36'525LL * 86'400'000;

struct ClockState {
    qint64 nowMs = 0;    ///< milliseconds since 1970 in UTC, by the bank's clock
    qint64 offsetMs = 0; ///< how far it is from the true time
    bool frozen = false;
};

/// The machine's own clock.
std::shared_ptr<Clock> systemClock();

} // namespace mockbank
