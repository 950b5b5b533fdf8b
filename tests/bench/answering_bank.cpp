#include "tests/bench/answering_bank.h"

#include "tests/bench/samples.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>

namespace ikkai::bench {

namespace {

constexpr int lookAroundMs = 50; // for the end

QByteArray memberOf(const QByteArray &json, const QByteArray &name)
{
    const qsizetype at = json.indexOf('"' + name + "\":");
    const qsizetype from = at + name.size() + 3;
    qsizetype to = from;
    while (at >= 0 && to < json.size() && json[to] != ',' && json[to] != '}')
        ++to;
    return json.mid(from, to - from);
}

QByteArray headerOf(const QByteArray &request, const QByteArray &name)
{
    const qsizetype at = request.toLower().indexOf("\r\n" + name.toLower() + ": ");
    const qsizetype from = at + name.size() + 4;
    return at < 0 ? QByteArray() : request.mid(from, request.indexOf("\r\n", from) - from);
}

QByteArray okAnswer(const QByteArray &statusLine, const QByteArray &body)
{
    return "HTTP/1.1 " + statusLine +
           "\r\nContent-Type: application/json\r\nContent-Length: " + QByteArray::number(body.size()) +
           "\r\nLedger-Id: ldg_bench\r\nIdempotent-Replayed: false\r\nConnection: keep-alive\r\n\r\n" + body;
}

} // namespace

AnsweringBank::AnsweringBank()
    : m_listener(listenOn(&m_port))
    , m_thread([this] { serve(); })
{
}

AnsweringBank::~AnsweringBank()
{
    m_ended = true;
    m_thread.join();
}

void AnsweringBank::serve()
{
    while (!m_ended && m_listener.isOpen()) {
        std::vector<pollfd> wanted{{m_listener.descriptor(), POLLIN, 0}};
        for (const Peer &peer : m_peers)
            wanted.push_back({peer.socket.descriptor(), POLLIN, 0});
        if (::poll(wanted.data(), wanted.size(), lookAroundMs) <= 0)
            continue;
        for (std::size_t i = m_peers.size(); i > 0; --i) {
            if (wanted[i].revents != 0 && !take(m_peers[i - 1]))
                m_peers.erase(m_peers.begin() + static_cast<std::ptrdiff_t>(i) - 1);
        }
        if (wanted[0].revents != 0) {
            Socket accepted(::accept4(m_listener.descriptor(), nullptr, nullptr, SOCK_CLOEXEC));
            if (accepted.isOpen())
                m_peers.push_back({std::move(accepted), {}, 0});
        }
    }
}

bool AnsweringBank::take(Peer &peer)
{
    char part[16 * 1024];
    const ssize_t got = ::recv(peer.socket.descriptor(), part, sizeof part, MSG_DONTWAIT);
    const std::int64_t now = nowNs();
    if (got <= 0)
        return false;
    if (peer.received.isEmpty())
        peer.firstByteNs = now;
    peer.received.append(part, got);
    return wholeMessageLength(peer.received) == 0 || answer(peer);
}

bool AnsweringBank::answer(Peer &peer)
{
    const QByteArray request = std::exchange(peer.received, {});
    if (!request.startsWith("POST "))
        return sendAll(peer.socket, okAnswer("200 OK", R"({"status":"ok","ledger_id":"ldg_bench",)"
                                                       R"("idempotency_key_ttl_s":86400,"authorized":true})"));
    const QByteArray body = R"({"id":"ch_bench","status":"approved","idempotency_key":")" +
                            headerOf(request, "Idempotency-Key") + R"(","order_id":)" + memberOf(request, "order_id") +
                            R"(,"amount":)" + memberOf(request, "amount") + R"(,"currency":)" +
                            memberOf(request, "currency") +
                            R"(,"balance":98800,"created_at":"2026-01-01T00:00:00.000Z"})";
    const QByteArray bytes = okAnswer("201 Created", body);
    m_firstByteReadNs = peer.firstByteNs;
    ++m_charges;
    // Noted before the last byte can arrive, else the other side could be done before the time is there.
    m_lastByteWrittenNs = nowNs();
    return sendAll(peer.socket, bytes);
}

} // namespace ikkai::bench
