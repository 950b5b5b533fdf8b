#pragma once

#include "mock-server/http/connection.h"

#include <QtCore/QList>

#include <memory>

namespace mockbank {

/// Answers `/now` and `/big` at once and keeps every other request in `waiting`.
class Desk : public RequestHandler {
public:
    void headRead(Exchange &exchange) override
    {
        ++heads;
        exchange.arrivalId = static_cast<quint64>(heads);
        exchange.witness = witness;
        lastConnection = exchange.connectionNumber;
    }
    void requestRead(const std::shared_ptr<Exchange> &exchange) override
    {
        if (exchange->request.path == "/now")
            exchange->answer({200, "text/plain", {}, "now"}, [this] { ++delivered; });
        else if (exchange->request.path == "/big")
            exchange->answer({200, "text/plain", {}, QByteArray(64 * 1024, 'x')});
        else
            waiting.append(exchange);
    }
    void requestLost(Exchange &, const QByteArray &) override { ++lost; }
    Headers commonHeaders(quint64 requestId) override { return {{"Request-Id", QByteArray::number(requestId)}}; }
    quint64 nextRequestId() override { return ++lastId; }
    bool isServedBeyondLimit(const Request &) override { return false; }
    void handshakeFailed(const QString &why) override { failedHandshakes.append(why); }

    QList<std::shared_ptr<Exchange>> waiting;
    ArrivalWitness *witness = nullptr;
    quint64 lastId = 0;
    quint64 lastConnection = 0;
    QList<QString> failedHandshakes;
    int heads = 0;
    int lost = 0;
    int delivered = 0;
};

inline ConnectionLimits shortLimits()
{
    using std::chrono::milliseconds;
    ConnectionLimits limits;
    limits.slowSender = milliseconds(200);
    limits.idle = milliseconds(400);
    limits.stalledReader = milliseconds(300);
    limits.lingering = milliseconds(200);
    return limits;
}

} // namespace mockbank
