#pragma once

#include "core/checkout/scheduler.h"
#include "core/domain/clock.h"

#include <QtCore/QObject>

namespace ikkai {

/// Scheduler on the event loop of the thread it lives on: precise single-shot timers.
class QtScheduler final : public QObject, public Scheduler {
    Q_OBJECT

public:
    explicit QtScheduler(const Clock &clock, QObject *parent = nullptr);
    void at(qint64 monotonicMs, std::function<void()> call) override;

private:
    const Clock &m_clock;
};

} // namespace ikkai
