#pragma once

#include "mock-server/control/event_log.h"
#include "mock-server/http/connection.h"

#include <QtCore/QList>
#include <QtCore/QTimer>

namespace mockbank {

/// The open event streams (server-sent events; WHATWG HTML). Lives on the network thread. Every reader has its own
/// place in the log and is written to only as fast as it reads, so a slow one costs one buffer and never holds up
/// others; where the log has moved on past its place it is told of a gap. A long backlog goes out in slices between
/// other work.
class EventStreams : public QObject {
    Q_OBJECT

public:
    explicit EventStreams(EventLog &log, QObject *parent = nullptr);

    /// Starts a stream after the event with this id, from the first one kept for `0`, from now on for none.
    void open(const std::shared_ptr<Exchange> &exchange, const QByteArray &lastId);
    /// Writes what readers may have now, at once.
    void flush();
    [[nodiscard]] qsizetype count() const { return m_streams.size(); }

private:
    struct Stream {
        std::shared_ptr<Exchange> exchange;
        quint64 next = 1;
        QByteArray lastId;
    };
    enum class Progress { UpToDate, GoesOn, Full };

    Progress serve(Stream *stream);
    [[nodiscard]] QByteArray textOf(quint64 from, quint64 to) const;

    EventLog &m_log;
    QList<Stream> m_streams;
    quint64 m_flushed = 0;   ///< the last event that readers who keep up have
    QByteArray m_sharedText; ///< of the events after it, written once for all of them
    QTimer m_flush;
    QTimer m_heartbeat;
};

} // namespace mockbank
