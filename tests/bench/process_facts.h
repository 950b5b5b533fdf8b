#pragma once

#include <QtCore/QString>

#include <cstdint>

/// What the system tells about this process. All functions work from any thread.
namespace ikkai::bench {

/// CPU time of all threads so far, user and system.
[[nodiscard]] std::int64_t processCpuNs();
/// CPU time of the calling thread so far.
[[nodiscard]] std::int64_t threadCpuNs();

/// Most memory that was resident since the start or the last `forgetPeak`, in MiB; proc(5), VmHWM.
[[nodiscard]] double peakResidentMiB();
/// Starts the peak anew; proc(5), clear_refs. Where the system does not allow it the peak stays that of the process.
void forgetPeak();

/// Type of the file system a path is on, as in `ext4`: a commit on `tmpfs` costs nothing and says nothing.
[[nodiscard]] QString fileSystemOf(const QString &path);

} // namespace ikkai::bench
