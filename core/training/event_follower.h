#pragma once

#include "core/gateway/authorities.h"
#include "core/gateway/wire_codec.h"
#include "core/training/control_values.h"
#include "core/training/event_stream_parser.h"

#include <QtCore/QByteArray>
#include <QtCore/QHash>
#include <QtCore/QObject>
#include <QtCore/QTimer>
#include <QtCore/QUrl>

#include <optional>

class QNetworkAccessManager;
class QNetworkReply;

namespace ikkai {

struct EventFollowerSettings {
    QUrl url; ///< of GET /control/events
    HeaderList headers;
    qint64 reconnectBaseMs = 500; ///< before the first try again, doubled each time; the stream may ask for another
    qint64 reconnectCapMs = 15'000;
    qint64 silenceLimitMs = 45'000; ///< the bank says something every 15 s: silent for longer is a dead connection
    Authorities authorities = {};   ///< who may vouch for an https bank; empty: those the system trusts
};

/// How long to wait before the try that follows `failuresBefore` failures in a row: doubled each time, never beyond the
/// cap.
[[nodiscard]] qint64 reconnectDelayMs(qint64 baseMs, qint64 capMs, int failuresBefore);

/// Keeps an event stream open: again after every end, from where it was (`Last-Event-ID`), no event twice. What could
/// not be had is said, never skipped in silence.
class EventFollower final : public QObject {
    Q_OBJECT

public:
    enum class From {
        Now,
        Beginning ///< everything the bank still has
    };

    explicit EventFollower(EventFollowerSettings settings, QObject *parent = nullptr);
    ~EventFollower() override;

    void start(From from);
    void stop();
    [[nodiscard]] ControlLink link() const { return m_link; }

Q_SIGNALS:
    void happened(const ikkai::BankLogEntry &entry);
    /// Something happened there that cannot be shown: a person must know that the list has a hole here.
    void gapNoticed();
    void linkChanged(ikkai::ControlLink link);
    /// Why the connection ended or was not made. With TokenRefused it stays off, else it is tried again.
    void troubled(const ikkai::ControlError &error);

private:
    void connectNow();
    void takeHead();
    void takeBytes();
    void take(const ServerSentEvent &event);
    void end();
    void fail(const ControlError &error);
    void dropReply();
    void setLink(ControlLink link);
    [[nodiscard]] bool isNew(const BankLogEntry &entry);

    EventFollowerSettings m_settings;
    QNetworkAccessManager *m_manager = nullptr; ///< a child, made on the thread that starts
    QNetworkReply *m_reply = nullptr;
    std::optional<EventStreamParser> m_parser;
    QTimer m_again{this};
    QTimer m_silence{this};
    ControlLink m_link = ControlLink::Off;
    QByteArray m_lastId;    ///< where to go on
    bool m_wasOpen = false; ///< a stream was open since start()
    int m_failures = 0;     ///< in a row
    qint64 m_baseMs = 0;
    QHash<QString, qint64> m_newestOfRun;
    QList<QString> m_runs; ///< of that hash, oldest first
};

} // namespace ikkai
