#include "core/domain/key_generator.h"

#include <algorithm>

namespace ikkai {

namespace key_generator_detail {

constexpr qint64 newestMs = (qint64{1} << 48) - 1; ///< the year 10889
constexpr int newestCounter = 0xfff;

/// The counter starts with its top bit 0, so that at least 2,048 keys fit before it has to borrow.
int seededCounter(quint64 counterSeed)
{
    return static_cast<int>(counterSeed & 0x7ffU);
}

} // namespace key_generator_detail

KeyGenerator::KeyGenerator(const std::optional<IdempotencyKey> &lastIssued)
{
    if (!lastIssued)
        return;
    const QString &text = lastIssued->text();
    m_lastMs = (text.left(8) + text.mid(9, 4)).toLongLong(nullptr, 16);
    m_counter = text.mid(15, 3).toInt(nullptr, 16);
}

IdempotencyKey KeyGenerator::next(qint64 wallMs, quint64 random, quint64 counterSeed)
{
    using namespace key_generator_detail;
    const qint64 nowMs = std::clamp<qint64>(wallMs, 0, newestMs);
    if (nowMs > m_lastMs) {
        m_lastMs = nowMs;
        m_counter = seededCounter(counterSeed);
    } else if (m_counter < newestCounter) {
        ++m_counter;
    } else {
        m_lastMs = (m_lastMs + 1) & newestMs;
        m_counter = seededCounter(counterSeed);
    }
    return IdempotencyKey(uuidV7Text(static_cast<quint64>(m_lastMs), static_cast<quint16>(m_counter), random));
}

QString uuidV7Text(quint64 unixMs, quint16 randA, quint64 randB)
{
    const auto hex = [](quint64 value, int digits) {
        return QString::number(value, 16).rightJustified(digits, QLatin1Char('0'));
    };
    const quint64 tail = randB & 0xffff'ffff'ffffU;
    const quint64 variantAndTop = 0x8000U | ((randB >> 48) & 0x3fffU);
    return hex((unixMs >> 16) & 0xffff'ffffU, 8) + QLatin1Char('-') + hex(unixMs & 0xffffU, 4) + QLatin1Char('-') +
           hex(0x7000U | (randA & 0xfffU), 4) + QLatin1Char('-') + hex(variantAndTop, 4) + QLatin1Char('-') +
           hex(tail, 12);
}

} // namespace ikkai
