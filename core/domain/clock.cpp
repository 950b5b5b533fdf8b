#include "core/domain/clock.h"

#include <QtCore/QDateTime>
#include <QtCore/QFile>

#include <chrono>
#include <ctime>

namespace ikkai {

namespace clock_detail {

qint64 steadyMs()
{
    using namespace std::chrono;
    return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

qint64 bootMs()
{
#ifdef CLOCK_BOOTTIME
    timespec time{};
    if (clock_gettime(CLOCK_BOOTTIME, &time) == 0)
        return static_cast<qint64>(time.tv_sec) * 1'000 + time.tv_nsec / 1'000'000;
#endif
    return steadyMs(); // counts no suspend: the key's age then rests on the wall clock and on the bank's dates
}

} // namespace clock_detail

Stamp SystemClock::now() const
{
    return {QDateTime::currentMSecsSinceEpoch(), clock_detail::steadyMs(), clock_detail::bootMs()};
}

QString SystemClock::bootId() const
{
    QFile file(QStringLiteral("/proc/sys/kernel/random/boot_id"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QString::fromLatin1(file.readAll()).trimmed();
}

} // namespace ikkai
