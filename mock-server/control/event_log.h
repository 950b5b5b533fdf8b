#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QJsonObject>
#include <QtCore/QObject>

#include <deque>

namespace mockbank {

struct LoggedEvent {
    QByteArray run;  ///< Server-Run-Id at that moment
    quint64 n = 0;   ///< counts on over a simulated crash
    qint64 atMs = 0; ///< since 1970 UTC
    QByteArray kind;
    QJsonObject data; ///< shared with others as it came, so nothing is added here that can be added when it is read

    [[nodiscard]] QByteArray id() const { return run + '.' + QByteArray::number(n); }
    /// `data` with run, n, at_ms and kind, in one line.
    [[nodiscard]] QByteArray json() const;
};

/// What happened at the bank, newest last. Bounded memory: so many events, and whoever writes one keeps it short, for
/// an arrival's words are cut (http/arrival.cpp). Lives on the network thread.
class EventLog : public QObject {
    Q_OBJECT

public:
    /// Keeps that many events.
    explicit EventLog(std::size_t capacity = 10'000, QObject *parent = nullptr)
        : QObject(parent)
        , m_capacity(capacity)
    {
    }

    void setRun(const QByteArray &run) { m_run = run; }
    void append(const QByteArray &kind, QJsonObject data);

    [[nodiscard]] quint64 firstN() const { return m_lastN + 1 - m_events.size(); }
    [[nodiscard]] quint64 lastN() const { return m_lastN; }
    /// One that is kept: `n` from firstN to lastN.
    [[nodiscard]] const LoggedEvent &event(quint64 n) const { return m_events[n - firstN()]; }

    struct Position {
        bool gap = false; ///< something after `lastId` is not kept any more, or `lastId` is of another process
        quint64 next = 1; ///< the first event to be read
    };
    /// Where to go on after the event with this id, or, for `0`, from the first.
    [[nodiscard]] Position after(const QByteArray &lastId) const;

Q_SIGNALS:
    void appended(const mockbank::LoggedEvent &event);

private:
    const std::size_t m_capacity;
    QByteArray m_run;
    quint64 m_lastN = 0;
    std::deque<LoggedEvent> m_events;
};

} // namespace mockbank
