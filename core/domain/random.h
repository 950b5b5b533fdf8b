#pragma once

#include <QtCore/QtGlobal>

namespace ikkai {

class Random {
public:
    virtual ~Random() = default;
    [[nodiscard]] virtual quint64 next64() = 0;
};

/// The system's generator (QRandomGenerator::system()). Safe from any thread.
class SystemRandom final : public Random {
public:
    [[nodiscard]] quint64 next64() override;
};

} // namespace ikkai
