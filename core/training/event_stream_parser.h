#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QString>
#include <QtCore/QtGlobal>

#include <optional>
#include <vector>

namespace ikkai {

struct ServerSentEvent {
    QByteArray id;    ///< the last one given so far on this stream, not only with this event
    QByteArray event; ///< `message` where none was given
    QByteArray data;  ///< lines joined by \n
    friend bool operator==(const ServerSentEvent &, const ServerSentEvent &) = default;
};

/// Reads a stream of server-sent events in whatever pieces it comes (WHATWG HTML, section 9.2.6). Pure.
class EventStreamParser {
public:
    /// What one line, and the data of one event, may be long (bytes).
    static constexpr qsizetype maxBytes = 1024 * 1024;

    /// The events that these bytes complete. Those of an event that is too long are dropped.
    std::vector<ServerSentEvent> feed(const QByteArray &bytes);

    /// An event was too long and is lost. Stays true.
    [[nodiscard]] bool hasLost() const { return m_hasLost; }
    /// The waiting time before a reconnect that the stream asked for (`retry`).
    [[nodiscard]] std::optional<qint64> retryMs() const { return m_retryMs; }
    [[nodiscard]] const QByteArray &lastEventId() const { return m_lastId; }

private:
    void takeLine(const QByteArray &line, std::vector<ServerSentEvent> &out);
    void takeField(const QByteArray &name, const QByteArray &value);
    void dispatch(std::vector<ServerSentEvent> &out);

    QByteArray m_line;
    bool m_atStart = true;      ///< a byte order mark may come
    bool m_afterReturn = false; ///< a \n that follows belongs to the \r before it
    bool m_lineTooLong = false;
    bool m_eventTooLong = false;
    bool m_hasLost = false;

    bool m_hasData = false;
    QByteArray m_data;
    QByteArray m_event;
    QByteArray m_idBuffer;
    QByteArray m_lastId;
    std::optional<qint64> m_retryMs;
};

} // namespace ikkai
