#include "core/domain/random.h"

#include <QtCore/QRandomGenerator>

namespace ikkai {

quint64 SystemRandom::next64()
{
    return QRandomGenerator::system()->generate64();
}

} // namespace ikkai
