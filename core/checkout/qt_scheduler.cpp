#include "core/checkout/qt_scheduler.h"

#include <QtCore/QTimer>

#include <algorithm>
#include <utility>

namespace ikkai {

QtScheduler::QtScheduler(const Clock &clock, QObject *parent)
    : QObject(parent)
    , m_clock(clock)
{
}

void QtScheduler::at(qint64 monotonicMs, std::function<void()> call)
{
    const qint64 delayMs = std::max<qint64>(0, monotonicMs - m_clock.now().monotonicMs);
    QTimer::singleShot(std::chrono::milliseconds(delayMs), Qt::PreciseTimer, this, std::move(call));
}

} // namespace ikkai
