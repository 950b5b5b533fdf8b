#include "tests/bench/process_facts.h"

#include <QtCore/QFile>
#include <QtCore/QStorageInfo>

#include <time.h>

namespace ikkai::bench {

static std::int64_t clockNs(clockid_t clock)
{
    timespec at{};
    ::clock_gettime(clock, &at);
    return static_cast<std::int64_t>(at.tv_sec) * 1'000'000'000 + at.tv_nsec;
}

std::int64_t processCpuNs()
{
    return clockNs(CLOCK_PROCESS_CPUTIME_ID);
}

std::int64_t threadCpuNs()
{
    return clockNs(CLOCK_THREAD_CPUTIME_ID);
}

double peakResidentMiB()
{
    QFile status(QStringLiteral("/proc/self/status"));
    if (!status.open(QIODevice::ReadOnly))
        return 0;
    // It has no size, so it has to be read to its end rather than line by line until atEnd().
    for (const QByteArray &line : status.readAll().split('\n')) {
        if (line.startsWith("VmHWM:"))
            return line.mid(6).trimmed().split(' ').first().toDouble() / 1024;
    }
    return 0;
}

void forgetPeak()
{
    QFile file(QStringLiteral("/proc/self/clear_refs"));
    if (file.open(QIODevice::WriteOnly))
        file.write("5");
}

QString fileSystemOf(const QString &path)
{
    return QString::fromLatin1(QStorageInfo(path).fileSystemType());
}

} // namespace ikkai::bench
