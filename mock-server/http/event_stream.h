#pragma once

#include "mock-server/http/connection.h"

#include <QtCore/QList>
#include <QtCore/QTimer>

namespace mockbank {

/// One server-sent event (WHATWG HTML, "Server-sent events").
struct StreamedEvent {
    QByteArray id;
    QByteArray kind;
    QByteArray data; ///< one line
};

[[nodiscard]] QByteArray writeEvent(const StreamedEvent &event);

/// The open event streams. Lives on the network thread. A reader that does not keep up is cut off rather than kept in
/// memory; it resumes with Last-Event-ID.
class EventStreams : public QObject {
    Q_OBJECT

public:
    explicit EventStreams(QObject *parent = nullptr);

    /// Starts a stream with what its reader has missed, already written as events.
    void open(const std::shared_ptr<Exchange> &exchange, const QByteArray &missed);
    void send(const StreamedEvent &event);
    /// Writes what was sent since the last turn of the event loop now.
    void flush();
    [[nodiscard]] qsizetype count() const { return m_streams.size(); }

private:
    QList<std::shared_ptr<Exchange>> m_streams;
    QByteArray m_unsent;
    QTimer m_flush;
    QTimer m_heartbeat;
};

} // namespace mockbank
