#include "mock-server/http/slow_writer.h"

#include <algorithm>

namespace mockbank {

namespace {

constexpr qint64 smoothStepMs = 5; // finer than a reader can tell, and 200 wake-ups a second at most

} // namespace

qsizetype WritingPace::allowed(qint64 elapsedMs) const
{
    return smooth ? static_cast<qsizetype>(elapsedMs * bytes / everyMs) : (elapsedMs / everyMs + 1) * bytes;
}

qint64 WritingPace::dueMs(qsizetype sent) const
{
    if (smooth)
        return ((sent + 1) * everyMs + bytes - 1) / bytes;
    return sent / bytes * everyMs;
}

SlowWriter::SlowWriter(std::shared_ptr<Exchange> exchange, QByteArray bytes, WritingPace pace,
                       std::function<void()> done, QObject *parent)
    : QObject(parent)
    , m_exchange(std::move(exchange))
    , m_bytes(std::move(bytes))
    , m_pace(pace)
    , m_done(std::move(done))
{
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &SlowWriter::writeDue);
    m_elapsed.start();
    m_timer.start(static_cast<int>(m_pace.dueMs(0)));
}

void SlowWriter::writeDue()
{
    if (!m_exchange->isOpen()) {
        deleteLater();
        return;
    }
    const qsizetype until = std::min(m_bytes.size(), m_pace.allowed(m_elapsed.elapsed()));
    if (until > m_sent)
        m_exchange->writePart(m_bytes.sliced(m_sent, until - m_sent));
    m_sent = std::max(m_sent, until);
    if (m_sent == m_bytes.size()) {
        m_done();
        deleteLater();
        return;
    }
    qint64 wait = m_pace.dueMs(m_sent) - m_elapsed.elapsed();
    if (m_pace.smooth)
        wait = std::max(wait, smoothStepMs);
    m_timer.start(static_cast<int>(std::clamp<qint64>(wait, 0, 600'000)));
}

} // namespace mockbank
