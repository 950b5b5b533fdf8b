#pragma once

#include "core/gateway/authorities.h"
#include "core/gateway/transmission.h"
#include "core/gateway/wire_codec.h"

#include <QtCore/QByteArray>
#include <QtCore/QElapsedTimer>
#include <QtCore/QObject>
#include <QtCore/QTimer>
#include <QtCore/QUrl>

#include <memory>
#include <optional>

class QNetworkAccessManager;
class QNetworkReply;
class QNetworkRequest;

namespace ikkai {

class OneShotBody;

/// Has a request that goes to https trust these authorities and no others; none: those the system trusts.
void trustOnly(const Authorities &authorities, QNetworkRequest *request);

/// A loopback address or `localhost`: no proxy stands between.
[[nodiscard]] bool isOnThisMachine(const QUrl &url);

struct ExchangeRequest {
    QByteArray verb;
    QUrl url;
    HeaderList headers;
    QByteArray body;
    qint64 deadlineMs = 0;              ///< total, from start()
    qint64 lateAnswerMs = 0;            ///< how long after the deadline an answer is still waited for; 0: not at all
    qint64 maxAnswerBytes = 256 * 1024; ///< a longer body is cut off
    Authorities authorities = {};       ///< who may vouch for an https bank; empty: those the system trusts
    qint64 maxHeadBytes = 64 * 1024;    ///< an answer with a longer head is cut off
};

/// One request, transmitted at most once, and its answer. Has a manager, so a connection, of its own: a host has six
/// connections per manager, and a seventh request would wait unsent behind exchanges that are only waited for.
/// Lives on the thread that starts it; signals come from its event loop, never from inside start().
///
/// A bound that is not ours: the transport collects a head on a thread of its own, byte by byte (about 2 MB/s) and deaf
/// to abort() while more bytes are there, so a peer that sends a head without end is reported in time but holds that
/// memory, and up to 5 s of ~Exchange, until it stops.
class Exchange final : public QObject {
    Q_OBJECT

public:
    explicit Exchange(ExchangeRequest request, QObject *parent = nullptr);
    ~Exchange() override;

    void start();
    /// Emits now what has come in already.
    void drain();

Q_SIGNALS:
    /// Exactly once.
    void ended(const ikkai::Transmission &transmission);
    /// At most once, after `ended` said DeadlinePassed; a complete answer only.
    void answeredLate(const ikkai::Transmission &transmission);
    /// Nothing will follow: it can be deleted.
    void over();

private:
    enum class Phase { Running, DeadlinePassed, Over };

    void takeHead();
    void takeBytes();
    void refuse(const QString &tooLarge);
    void finish();
    void passDeadline();
    void giveUp();
    void deliver();
    [[nodiscard]] Transmission outcome() const;
    [[nodiscard]] Transmission::End failureEnd() const;
    [[nodiscard]] int wireSends() const;
    void abortSilently();

    ExchangeRequest m_request;
    std::unique_ptr<QNetworkAccessManager> m_manager;
    std::unique_ptr<OneShotBody> m_body;
    std::unique_ptr<QNetworkReply> m_reply;
    QElapsedTimer m_clock;
    QTimer m_deadline;
    QTimer m_lateLimit;
    Phase m_phase = Phase::Running;
    bool m_aborting = false; ///< set before abort(): what then ends is our own doing, not an error of the wire
    QString m_tooLarge;      ///< what was, if anything
    int m_requestsSent = 0;
    QByteArray m_answerBody;
    std::optional<Transmission> m_unreported;
};

} // namespace ikkai
