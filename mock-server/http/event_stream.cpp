#include "mock-server/http/event_stream.h"

#include <QtCore/QJsonDocument>

#include <algorithm>
#include <chrono>

namespace mockbank {

namespace {

// Beyond this a reader gets nothing more until it has read.
constexpr qint64 unreadBytes = 1024 * 1024;
constexpr quint64 sliceEvents = 200;
constexpr auto heartbeatInterval = std::chrono::seconds(15);
constexpr auto fullInterval = std::chrono::milliseconds(20);

QByteArray writeEvent(const QByteArray &id, const QByteArray &kind, const QByteArray &json)
{
    QByteArray text;
    if (!id.isEmpty())
        text += "id: " + id + '\n';
    return text + "event: " + kind + "\ndata: " + json + "\n\n";
}

QByteArray gapAfter(const QByteArray &lastId)
{
    const QJsonObject gap{{QStringLiteral("kind"), QStringLiteral("gap")},
                          {QStringLiteral("last_event_id"), QString::fromLatin1(lastId)}};
    return writeEvent({}, "gap", QJsonDocument(gap).toJson(QJsonDocument::Compact));
}

} // namespace

EventStreams::EventStreams(EventLog &log, QObject *parent)
    : QObject(parent)
    , m_log(log)
{
    m_flush.setSingleShot(true);
    connect(&m_flush, &QTimer::timeout, this, &EventStreams::flush);
    connect(&m_log, &EventLog::appended, this, [this] {
        if (!m_streams.isEmpty() && (!m_flush.isActive() || m_flush.interval() > 0))
            m_flush.start(0);
    });
    m_heartbeat.setInterval(heartbeatInterval);
    connect(&m_heartbeat, &QTimer::timeout, this, [this] {
        for (const Stream &stream : std::as_const(m_streams)) {
            if (stream.exchange->bytesWaiting() <= unreadBytes)
                stream.exchange->writePart(": still here\n\n");
        }
        flush();
    });
}

void EventStreams::open(const std::shared_ptr<Exchange> &exchange, const QByteArray &lastId)
{
    Stream stream{exchange, m_log.lastN() + 1, lastId};
    QByteArray first = "retry: 500\n\n";
    if (!lastId.isEmpty()) {
        const EventLog::Position position = m_log.after(lastId);
        stream.next = position.next;
        if (position.gap)
            first += gapAfter(lastId);
    }
    Response head;
    head.contentType = QByteArrayLiteral("text/event-stream");
    head.headers.emplaceBack("Cache-Control", "no-store");
    exchange->startStream(head);
    exchange->writePart(first);
    m_streams.append(stream);
    m_heartbeat.start();
    flush();
}

void EventStreams::flush()
{
    m_flush.stop();
    m_sharedText.clear();
    bool goesOn = false;
    bool isFull = false;
    m_streams.removeIf([](const Stream &stream) { return !stream.exchange->isOpen(); });
    for (Stream &stream : m_streams) {
        const Progress progress = serve(&stream);
        goesOn = goesOn || progress == Progress::GoesOn;
        isFull = isFull || progress == Progress::Full;
    }
    m_flushed = m_log.lastN();
    if (m_streams.isEmpty())
        m_heartbeat.stop();
    else if (goesOn)
        m_flush.start(0);
    else if (isFull)
        m_flush.start(fullInterval);
}

EventStreams::Progress EventStreams::serve(Stream *stream)
{
    const quint64 last = m_log.lastN();
    if (stream->next > last)
        return Progress::UpToDate;
    if (stream->exchange->bytesWaiting() > unreadBytes)
        return Progress::Full;
    if (stream->next < m_log.firstN()) {
        stream->exchange->writePart(gapAfter(stream->lastId));
        stream->next = m_log.firstN();
    }
    const quint64 to = std::min(last, stream->next + sliceEvents - 1);
    if (stream->next == m_flushed + 1 && to == last) {
        if (m_sharedText.isEmpty())
            m_sharedText = textOf(stream->next, to);
        stream->exchange->writePart(m_sharedText);
    } else {
        stream->exchange->writePart(textOf(stream->next, to));
    }
    stream->lastId = m_log.event(to).id();
    stream->next = to + 1;
    return to == last ? Progress::UpToDate : Progress::GoesOn;
}

QByteArray EventStreams::textOf(quint64 from, quint64 to) const
{
    QByteArray text;
    for (quint64 n = from; n <= to; ++n) {
        const LoggedEvent &event = m_log.event(n);
        text += writeEvent(event.id(), event.kind, event.json());
    }
    return text;
}

} // namespace mockbank
