#pragma once

#include <QtCore/QString>
#include <QtCore/QtGlobal>

namespace ikkai {

/// One moment, read from all three clocks at once. It travels inside every event, so that no pure function asks a
/// clock.
struct Stamp {
    qint64 wallMs = 0;      ///< Unix time: for people and for the key's age; may jump
    qint64 monotonicMs = 0; ///< for deadlines; never goes back, means nothing in another process
    qint64 bootMs = 0;      ///< since boot, suspend included (CLOCK_BOOTTIME)

    friend bool operator==(const Stamp &, const Stamp &) = default;
};

class Clock {
public:
    virtual ~Clock() = default;
    [[nodiscard]] virtual Stamp now() const = 0;
    /// Which boot `bootMs` counts from; empty where the system does not say.
    [[nodiscard]] virtual QString bootId() const = 0;
};

/// The machine's clocks. Safe from any thread.
class SystemClock final : public Clock {
public:
    [[nodiscard]] Stamp now() const override;
    [[nodiscard]] QString bootId() const override;
};

} // namespace ikkai
