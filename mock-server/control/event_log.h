#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QJsonObject>
#include <QtCore/QList>
#include <QtCore/QObject>

#include <deque>
#include <optional>

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

/// What happened at the bank, newest last, in bounded memory. Lives on the network thread.
class EventLog : public QObject {
    Q_OBJECT

public:
    static constexpr std::size_t capacity = 10'000;

    using QObject::QObject;

    void setRun(const QByteArray &run) { m_run = run; }
    void append(const QByteArray &kind, QJsonObject data);

    struct Missed {
        bool gap = false; ///< something after `lastId` is not kept any more, or `lastId` is of another process
        QList<LoggedEvent> events;
    };
    /// Everything after the event with this id, or, for `0`, from the first.
    [[nodiscard]] Missed after(const QByteArray &lastId) const;

Q_SIGNALS:
    void appended(const mockbank::LoggedEvent &event);

private:
    QByteArray m_run;
    quint64 m_lastN = 0;
    std::deque<LoggedEvent> m_events;
};

} // namespace mockbank
