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

class QTcpSocket;

namespace mockbank {

class Connection;

struct ConnectionLimits {
    RequestLimits request;
    std::chrono::milliseconds slowSender{10'000};    ///< from the first byte of a request to its last: 408
    std::chrono::milliseconds idle{120'000};         ///< between requests: closed without a word
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
    ArrivalWitness *witness = nullptr; ///< is told what leaves and how it ended; nobody where null

    [[nodiscard]] bool isOpen() const;

    /// Writes the answer. `delivered` is called at most once, when the client's system has acknowledged every byte.
    void answer(const Response &response, std::function<void()> delivered = {});

    /// The bytes `answer` would write, for those who write them in pieces.
    struct Wire {
        QByteArray head;
        QByteArray body;
    };
    [[nodiscard]] Wire toWire(const Response &response) const;
    void writePart(const QByteArray &bytes);
    /// Ends an answer that was written in parts.
    void finish(std::function<void()> delivered = {});

    /// Starts an answer without an end, as server-sent events are; writePart goes on with it.
    void startStream(const Response &head);
    [[nodiscard]] qint64 bytesWaiting() const;

    void cut(Cut how);

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
};

/// One accepted connection: reads requests one after the other, answers in their order, never blocks.
class Connection : public QObject {
    Q_OBJECT

public:
    /// A `beyondLimit` connection has its requests answered 503 but for those the handler lets through.
    Connection(qintptr descriptor, const ConnectionLimits &limits, RequestHandler *handler, bool beyondLimit,
               QObject *parent);
    ~Connection() override;

    /// Looks at the deadlines; called several times a second by the owner, so that no request needs a timer.
    void sweep(std::chrono::steady_clock::time_point now);

    void cut(Cut how);

    void setNumber(quint64 number) { m_number = number; }

Q_SIGNALS:
    void closed();

private:
    friend class Exchange;
    enum class State { Reading, Answering, Streaming, Closing, Closed };

    void readMore();
    void takeBytes();
    void onRequest();
    void refuse(const RequestParser::Failure &failure);
    void write(const QByteArray &bytes);
    void finishAnswer(std::function<void()> delivered);
    void checkDelivery();
    void releaseExchange(ExchangeEnd end);
    void shutDownWriting();
    void onStateChanged();
    void onDisconnected();
    [[nodiscard]] bool willKeepAlive() const;

    const ConnectionLimits m_limits;
    RequestHandler *const m_handler;
    const bool m_beyondLimit;
    QTcpSocket *const m_socket;
    quint64 m_number = 0;
    QByteArray m_peer;
    RequestParser m_parser;
    QByteArray m_buffer;
    State m_state = State::Reading;
    std::shared_ptr<Exchange> m_exchange;
    std::function<void()> m_delivered;             ///< of the last answer, not acknowledged yet
    std::chrono::steady_clock::time_point m_since; ///< start of what m_state waits for
    qint64 m_lastBytesToWrite = 0;
    bool m_finAfterWriting = false;
    bool m_finSent = false;
    bool m_reading = false;
};

} // namespace mockbank
