#include "core/training/event_stream_parser.h"

#include <algorithm>
#include <utility>

namespace ikkai {

std::vector<ServerSentEvent> EventStreamParser::feed(const QByteArray &bytes)
{
    std::vector<ServerSentEvent> out;
    for (const char c : bytes) {
        if (std::exchange(m_afterReturn, false) && c == '\n')
            continue;
        if (c == '\r' || c == '\n') {
            m_afterReturn = c == '\r';
            takeLine(std::exchange(m_line, {}), out);
            continue;
        }
        if (m_line.size() < maxBytes)
            m_line += c;
        else
            m_lineTooLong = true;
    }
    return out;
}

void EventStreamParser::takeLine(const QByteArray &line, std::vector<ServerSentEvent> &out)
{
    const bool isFirst = std::exchange(m_atStart, false);
    if (std::exchange(m_lineTooLong, false)) {
        m_eventTooLong = true;
        return;
    }
    const QByteArray text = isFirst && line.startsWith("\xef\xbb\xbf") ? line.sliced(3) : line;
    if (text.isEmpty()) {
        dispatch(out);
        return;
    }
    const qsizetype colon = text.indexOf(':');
    if (colon == 0)
        return; // a comment: the server says that it is still there
    if (colon < 0) {
        takeField(text, QByteArray());
        return;
    }
    const qsizetype value = colon + 1 + (text.size() > colon + 1 && text.at(colon + 1) == ' ' ? 1 : 0);
    takeField(text.first(colon), text.sliced(value));
}

void EventStreamParser::takeField(const QByteArray &name, const QByteArray &value)
{
    if (name == "data") {
        if (m_data.size() + value.size() + 1 > maxBytes) {
            m_eventTooLong = true;
            return;
        }
        if (m_hasData)
            m_data += '\n';
        m_data += value;
        m_hasData = true;
    } else if (name == "event") {
        m_event = value;
    } else if (name == "id") {
        if (!value.contains('\0'))
            m_idBuffer = value;
    } else if (name == "retry") {
        const bool digits = std::all_of(value.begin(), value.end(), [](char c) { return c >= '0' && c <= '9'; });
        bool fits = false;
        const qint64 ms = value.toLongLong(&fits);
        if (digits && fits)
            m_retryMs = ms;
    }
}

void EventStreamParser::dispatch(std::vector<ServerSentEvent> &out)
{
    m_lastId = m_idBuffer;
    const bool lost = std::exchange(m_eventTooLong, false);
    m_hasLost = m_hasLost || lost;
    const QByteArray event = std::exchange(m_event, {});
    const QByteArray data = std::exchange(m_data, {});
    const bool hasData = std::exchange(m_hasData, false);
    if (hasData && !lost && !data.isEmpty())
        out.push_back({m_lastId, event.isEmpty() ? QByteArray("message") : event, data});
}

} // namespace ikkai
