#pragma once

#include <QtCore/QString>

// The disk below SQLite, to be spoiled by a test: everything this process opens through SQLite from the first
// FaultyDisk on goes through it. Faults are armed and disarmed from any thread.
namespace ikkai::test {

enum class DiskCall { Write, Sync, Read };

/// What SQLite is told, as a real disk would: https://www.sqlite.org/rescode.html.
enum class DiskFault { Full, InputOutput, ReadOnly };

class FaultyDisk {
public:
    /// From now on the disk works until told otherwise.
    FaultyDisk();
    ~FaultyDisk();
    FaultyDisk(const FaultyDisk &) = delete;
    FaultyDisk &operator=(const FaultyDisk &) = delete;

    /// Calls of this kind end with `fault` from the `nth` on (1: the next one), all of them.
    void failFrom(int nth, DiskCall call, DiskFault fault);
    /// Only the `nth` call of writes and syncs together.
    void failOnce(int nth, DiskFault fault);
    /// Every sync takes this long, as a commit does on a worn card. Until heal().
    void slowSyncs(int ms);
    void heal();
    /// Calls that failed since it was made.
    [[nodiscard]] int failures() const;
    /// Writes and syncs since failOnce or since it was made.
    [[nodiscard]] int changes() const;
};

} // namespace ikkai::test
