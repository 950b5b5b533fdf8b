#include "mock-server/http/event_stream.h"

#include <chrono>

namespace mockbank {

namespace {

constexpr qint64 slowestReaderBytes = 4 * 1024 * 1024;
constexpr auto heartbeatInterval = std::chrono::seconds(15);

} // namespace

QByteArray writeEvent(const StreamedEvent &event)
{
    QByteArray text;
    if (!event.id.isEmpty())
        text += "id: " + event.id + '\n';
    return text + "event: " + event.kind + "\ndata: " + event.data + "\n\n";
}

EventStreams::EventStreams(QObject *parent)
    : QObject(parent)
{
    m_flush.setSingleShot(true);
    m_flush.setInterval(0);
    connect(&m_flush, &QTimer::timeout, this, &EventStreams::flush);
    m_heartbeat.setInterval(heartbeatInterval);
    connect(&m_heartbeat, &QTimer::timeout, this, [this] {
        m_unsent += ": still here\n\n";
        flush();
    });
}

void EventStreams::open(const std::shared_ptr<Exchange> &exchange, const QByteArray &missed)
{
    // What waits to be sent is part of `missed` already.
    flush();
    Response head;
    head.contentType = QByteArrayLiteral("text/event-stream");
    head.headers.emplaceBack("Cache-Control", "no-store");
    exchange->startStream(head);
    exchange->writePart("retry: 500\n\n" + missed);
    m_streams.append(exchange);
    m_heartbeat.start();
}

void EventStreams::send(const StreamedEvent &event)
{
    if (m_streams.isEmpty())
        return;
    m_unsent += writeEvent(event);
    if (!m_flush.isActive())
        m_flush.start();
}

void EventStreams::flush()
{
    m_flush.stop();
    const QByteArray text = std::exchange(m_unsent, {});
    m_streams.removeIf([&](const std::shared_ptr<Exchange> &stream) {
        if (!stream->isOpen())
            return true;
        if (stream->bytesWaiting() > slowestReaderBytes) {
            stream->cut(Cut::Rst);
            return true;
        }
        if (!text.isEmpty())
            stream->writePart(text);
        return false;
    });
    if (m_streams.isEmpty())
        m_heartbeat.stop();
}

} // namespace mockbank
