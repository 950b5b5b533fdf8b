#pragma once

#include <QtCore/QtGlobal>

#include <functional>

namespace ikkai {

/// Calls back once the monotonic clock has reached a time; never from inside `at` itself.
class Scheduler {
public:
    virtual ~Scheduler() = default;
    virtual void at(qint64 monotonicMs, std::function<void()> call) = 0;
};

} // namespace ikkai
