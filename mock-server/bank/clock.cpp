#include "mock-server/bank/clock.h"

#include <chrono>

namespace mockbank {

namespace {

class SystemClock final : public Clock {
public:
    qint64 nowMs() const override { return milliseconds(std::chrono::system_clock::now()); }
    qint64 elapsedMs() const override { return milliseconds(std::chrono::steady_clock::now()); }
    void onMoved(const void *, std::function<void()>) override {}

private:
    template <typename TimePoint>
    static qint64 milliseconds(TimePoint at)
    {
        return std::chrono::duration_cast<std::chrono::milliseconds>(at.time_since_epoch()).count();
    }
};

} // namespace

std::shared_ptr<Clock> systemClock()
{
    return std::make_shared<SystemClock>();
}

} // namespace mockbank
