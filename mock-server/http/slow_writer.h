#pragma once

#include "mock-server/http/connection.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QTimer>

#include <functional>

namespace mockbank {

/// How fast an answer leaves.
struct WritingPace {
    qsizetype bytes = 1; ///< so many
    int everyMs = 1;     ///< in so many ms
    bool smooth = false; ///< spread evenly over the time, else all at the end of each interval

    [[nodiscard]] static WritingPace dribble(int bytes, int everyMs) { return {bytes, everyMs, false}; }
    [[nodiscard]] static WritingPace bandwidth(int bytesPerSecond) { return {bytesPerSecond, 1000, true}; }

    /// How many bytes may have left this long after the first moment.
    [[nodiscard]] qsizetype allowed(qint64 elapsedMs) const;
    /// When the next byte may leave after so many have.
    [[nodiscard]] qint64 dueMs(qsizetype sent) const;
};

/// Writes bytes slowly and calls `done` after the last. Goes away by itself, also when the client has gone. Measures
/// the time, so a late timer makes up for it: the pace holds on average.
class SlowWriter : public QObject {
    Q_OBJECT

public:
    SlowWriter(std::shared_ptr<Exchange> exchange, QByteArray bytes, WritingPace pace, std::function<void()> done,
               QObject *parent);

private:
    void writeDue();

    const std::shared_ptr<Exchange> m_exchange;
    const QByteArray m_bytes;
    const WritingPace m_pace;
    const std::function<void()> m_done;
    qsizetype m_sent = 0;
    QElapsedTimer m_elapsed;
    QTimer m_timer;
};

} // namespace mockbank
