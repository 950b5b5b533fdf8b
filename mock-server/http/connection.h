#pragma once

#include "mock-server/http/arrival_witness.h"
#include "mock-server/http/message.h"
#include "mock-server/http/parser.h"

#include <QtCore/QObject>
#include <QtCore/QPointer>
#include <QtNetwork/QHostAddress>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>

class QSslConfiguration;
class QSslSocket;
class QTcpSocket;

namespace mockbank {

class Connection;

struct ConnectionLimits {
    RequestLimits request;
    std::chrono::milliseconds slowSender{10'000};    ///< from the first byte of a request to its last: 408; and for a
                                                     ///< TLS handshake, which ends without a word
    std::chrono::milliseconds idle{120'000};         ///< between requests: closed without a word
    std::chrono::milliseconds restAfter{2'000};      ///< between requests: kept without a socket object of its own
    std::chrono::milliseconds stalledReader{30'000}; ///< nothing of an answer could be written: reset
    std::chrono::milliseconds lingering{2'000};      ///< after our FIN, for the client to close too
};

/// How the bank ends a connection.
enum class Cut {
    Fin, ///< orderly: what was written arrives first
    Rst, ///< SO_LINGER 0: the client sees ECONNRESET
};

/// One request and the right to answer it once. Lives on the network thread; may outlive its connection, whose end
/// makes every call on it harmless.
class Exchange {
public:
    Exchange(Connection *connection, Request request, quint64 requestId);

    Request request;
    const quint64 requestId;           ///< of this server, 1 for the first
    QHostAddress localAddress;         ///< the end of the connection that is ours
    quint64 connectionNumber = 0;      ///< of this server, 1 for the first
    QByteArray peer;                   ///< the client's end, as in 127.0.0.1:40001
    quint64 arrivalId = 0;             ///< 1 for the first arrival at the data plane, 0 for every other request
    bool ofControlPlane = false;       ///< its connection stays open while the port refuses
    ArrivalWitness *witness = nullptr; ///< is told what leaves and how it ended; nobody where null
    WitnessNotes notes;

    [[nodiscard]] bool isOpen() const;

    /// Writes the answer. `delivered` is called at most once, when the client's system has acknowledged every byte.
    void answer(const Response &response, std::function<void()> delivered = {});

    /// The bytes `answer` would write, for those who write them in pieces.
    struct Wire {
        QByteArray head;
        QByteArray body;
    };
    [[nodiscard]] Wire toWire(const Response &response) const;
    /// A head that promises so many bytes of body, whatever will come; below 0 it promises none.
    [[nodiscard]] QByteArray headOf(const Response &response, qsizetype promisedLength) const;
    void writePart(const QByteArray &bytes);
    /// Ends an answer that was written in parts.
    void finish(std::function<void()> delivered = {});

    /// Starts an answer without an end, as server-sent events are; writePart goes on with it.
    void startStream(const Response &head);
    [[nodiscard]] qint64 bytesWaiting() const;

    void cut(Cut how);
    /// After the answer: ends the connection if it waits for a next request, or as soon as it does. False where the
    /// client has ended it already.
    bool cutWhenIdle(Cut how);

    /// Called at most once, when the client ends the connection before the answer is finished.
    void setClientGone(std::function<void()> gone);

private:
    friend class Connection;
    QPointer<Connection> m_connection;
    std::function<void()> m_gone;
};

/// What a connection tells. All calls are made on the network thread.
class RequestHandler {
public:
    virtual ~RequestHandler() = default;
    /// The head was read completely; the body may still be on its way.
    virtual void headRead(Exchange &exchange) = 0;
    virtual void requestRead(const std::shared_ptr<Exchange> &exchange) = 0;
    /// The head was read but the body never was: the client left, was too slow, or broke a rule.
    virtual void requestLost(Exchange &exchange, const QByteArray &why) = 0;
    /// Headers of every answer, `Request-Id` among them.
    virtual Headers commonHeaders(quint64 requestId) = 0;
    virtual quint64 nextRequestId() = 0;
    /// Whether a connection beyond the limit may have this request answered all the same.
    virtual bool isServedBeyondLimit(const Request &request) = 0;
    /// A client spoke TLS, or ought to have, and got no further.
    virtual void handshakeFailed(const QString &why) = 0;
};

/// One accepted connection: reads requests one after the other, answers in their order, never blocks. Over TLS where it
/// is given a configuration, which must outlive it; who speaks plain HTTP there is told so in plain HTTP.
class Connection : public QObject {
    Q_OBJECT

public:
    /// A `beyondLimit` connection has its requests answered 503 but for those the handler lets through.
    Connection(qintptr descriptor, const ConnectionLimits &limits, RequestHandler *handler, bool beyondLimit,
               const QSslConfiguration *tls, QObject *parent);
    ~Connection() override;

    /// Looks at the deadlines; called several times a second by the owner, so that no request needs a timer.
    void sweep(std::chrono::steady_clock::time_point now);

    void cut(Cut how);
    /// Now if nothing is being read or answered, else after the answer that is under way.
    void cutWhenIdle(Cut how);

    /// Its last request was of the control plane.
    [[nodiscard]] bool servesControl() const { return m_exchange ? m_exchange->ofControlPlane : m_servedControl; }

    void setNumber(quint64 number) { m_number = number; }
    [[nodiscard]] quint64 number() const { return m_number; }

    /// Waits for a next request, for long enough, with nothing left of the last one: all that is worth keeping is the
    /// descriptor. Never over TLS, whose keys live in the socket object.
    [[nodiscard]] bool canRest(std::chrono::steady_clock::time_point now) const;
    [[nodiscard]] std::chrono::steady_clock::time_point idleSince() const { return m_since; }
    /// A second descriptor of the connection, which keeps it when this object goes; below 0 where there is none.
    [[nodiscard]] int keepDescriptor() const;

Q_SIGNALS:
    void closed();

private:
    friend class Exchange;
    enum class State { Handshake, Reading, Answering, Streaming, Closing, Closed };

    void listenTo(QTcpSocket *socket);
    void readMore();
    void beginTls();
    void goOnReading();
    void takeBytes();
    void onRequest();
    void refuse(const RequestParser::Failure &failure);
    void write(const QByteArray &bytes);
    void finishAnswer(std::function<void()> delivered);
    void markDelivery();
    void checkDelivery();
    void watchDelivery();
    void endWatch();
    void releaseExchange(ExchangeEnd end);
    void endWriting();
    void shutDownWriting();
    void sayGoodbye();
    void lingerOn();
    void onStateChanged();
    void onDisconnected();
    [[nodiscard]] bool willKeepAlive() const;
    [[nodiscard]] qint64 unsentBytes() const;
    [[nodiscard]] int descriptor() const;

    const ConnectionLimits m_limits;
    RequestHandler *const m_handler;
    const bool m_beyondLimit;
    QTcpSocket *m_socket;
    QSslSocket *m_tls = nullptr; ///< m_socket where it can speak TLS, until it has said goodbye
    int m_watchDescriptor = -1;  ///< a second one while an answer is on its way, to see its acknowledgement to the end
    int m_keptDescriptor = -1;   ///< of this connection, once its QSslSocket is on its way out
    quint64 m_number = 0;
    QByteArray m_peer;
    RequestParser m_parser;
    QByteArray m_buffer;
    State m_state = State::Reading;
    std::shared_ptr<Exchange> m_exchange;
    std::weak_ptr<Exchange> m_lastExchange;        ///< somebody may have plans with this connection yet
    std::function<void()> m_delivered;             ///< of the last answer, not acknowledged yet
    quint64 m_deliveryMark = 0;                    ///< bytes of this connection up to that answer's end, 0: not known
    std::chrono::steady_clock::time_point m_since; ///< start of what m_state waits for
    qint64 m_lastBytesToWrite = 0;
    bool m_finAfterWriting = false;
    bool m_finSent = false;
    std::optional<Cut> m_cutAfterAnswer;
    bool m_servedControl = false;
    bool m_reading = false;
};

} // namespace mockbank
