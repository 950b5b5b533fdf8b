#include "tests/bench/load_generator.h"

#include "tests/bench/process_facts.h"
#include "tests/bench/raw_socket.h"

#include <errno.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <array>
#include <cstdio>
#include <vector>

namespace ikkai::bench {

namespace {

constexpr int patienceMs = 30'000;

struct Client {
    Socket socket;
    QByteArray key; ///< of the request under way; empty: none is
    std::int64_t sentNs = 0;
    QByteArray received;
};

class Load {
public:
    explicit Load(const LoadPlan &plan)
        : m_plan(plan)
        , m_replayedMark(plan.keyCount > 0 ? "\r\nIdempotent-Replayed: true\r\n" : "\r\nIdempotent-Replayed: false\r\n")
        , m_epoll(::epoll_create1(EPOLL_CLOEXEC))
    {
    }

    LoadResult run()
    {
        if (openClients()) {
            m_measureFromNs = nowNs() + std::chrono::nanoseconds(m_plan.warmUp).count();
            m_untilNs = m_measureFromNs + std::chrono::nanoseconds(m_plan.duration).count();
            for (Client &client : m_clients)
                send(client);
            while (m_underWay > 0 && m_result.flaw.isEmpty())
                await();
            m_result.cpuNs = threadCpuNs() - m_startedCpuNs;
            m_result.allCpuNs = processCpuNs() - m_startedAllCpuNs;
        }
        return std::move(m_result);
    }

private:
    bool openClients()
    {
        m_clients.resize(static_cast<std::size_t>(m_plan.connections));
        for (std::size_t i = 0; i < m_clients.size(); ++i) {
            m_clients[i].socket = connectTo(m_plan.port);
            epoll_event wanted{};
            wanted.events = EPOLLIN;
            wanted.data.u64 = i;
            if (!m_clients[i].socket.isOpen() ||
                ::epoll_ctl(m_epoll.descriptor(), EPOLL_CTL_ADD, m_clients[i].socket.descriptor(), &wanted) != 0)
                return fail(QStringLiteral("cannot connect"));
        }
        return true;
    }

    bool fail(const QString &flaw)
    {
        if (m_result.flaw.isEmpty())
            m_result.flaw = flaw;
        return false;
    }

    /// Keys as a terminal makes them: UUIDv7, rising.
    [[nodiscard]] QByteArray nextKey()
    {
        std::uint64_t number = m_sent++;
        if (m_plan.keyCount > 0)
            number %= m_plan.keyCount;
        number += m_plan.firstKey;
        char text[64];
        std::snprintf(text, sizeof text, "01920000-0000-7%03x-8000-%012llx", static_cast<unsigned>(number >> 52),
                      static_cast<unsigned long long>(number & 0xFFFF'FFFF'FFFFULL));
        return text;
    }

    void send(Client &client)
    {
        client.key = nextKey();
        const QByteArray body = R"({"order_id":"B-)" + client.key.right(8) +
                                R"(","amount":1,"currency":"JPY","source":"card_ok",)" + R"("terminal_id":"till-1"})";
        const QByteArray request = "POST /v1/charges HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                                   "Content-Length: " +
                                   QByteArray::number(body.size()) + "\r\nIdempotency-Key: " + client.key +
                                   "\r\nAttempt-Number: 1\r\nExpect-Ledger: " + m_plan.ledgerId + "\r\n\r\n" + body;
        client.sentNs = nowNs();
        if (!sendAll(client.socket, request)) {
            fail(QStringLiteral("a request could not be written"));
            return;
        }
        ++m_underWay;
    }

    void await()
    {
        std::array<epoll_event, 64> ready{};
        const int count = ::epoll_wait(m_epoll.descriptor(), ready.data(), static_cast<int>(ready.size()), patienceMs);
        if (count == 0)
            fail(QStringLiteral("no answer for 30 s"));
        for (int i = 0; i < count; ++i)
            take(m_clients[ready[static_cast<std::size_t>(i)].data.u64]);
    }

    void take(Client &client)
    {
        char part[16 * 1024];
        const ssize_t got = ::recv(client.socket.descriptor(), part, sizeof part, MSG_DONTWAIT);
        if (got < 0 && (errno == EAGAIN || errno == EINTR))
            return;
        if (got <= 0) {
            fail(QStringLiteral("the bank ended a connection"));
            return;
        }
        client.received.append(part, got);
        const qsizetype length = wholeMessageLength(client.received);
        if (length == 0)
            return;
        const std::int64_t now = nowNs();
        --m_underWay;
        if (length != client.received.size() || !isRight(client)) {
            fail(QStringLiteral("not the answer that was due: ") +
                 QString::fromUtf8(client.received).left(2000).simplified());
            return;
        }
        count(client, now);
        client.received.clear();
        if (now < m_untilNs && m_sent < m_plan.maxRequests)
            send(client);
    }

    [[nodiscard]] bool isRight(const Client &client) const
    {
        return client.received.startsWith("HTTP/1.1 201 ") && client.received.contains(m_replayedMark) &&
               client.received.contains("\"idempotency_key\":\"" + client.key + '"');
    }

    void count(const Client &client, std::int64_t now)
    {
        ++m_result.answered;
        if (now < m_measureFromNs)
            return;
        if (m_startedNs == 0) {
            m_startedNs = now;
            m_startedCpuNs = threadCpuNs();
            m_startedAllCpuNs = processCpuNs();
            return;
        }
        ++m_result.measured;
        m_result.measuredNs = now - m_startedNs;
        m_result.latencies.add(now - client.sentNs);
    }

    const LoadPlan &m_plan;
    const QByteArray m_replayedMark;
    Socket m_epoll;
    std::vector<Client> m_clients;
    std::uint64_t m_sent = 0;
    int m_underWay = 0;
    std::int64_t m_measureFromNs = 0;
    std::int64_t m_untilNs = 0;
    std::int64_t m_startedNs = 0;
    std::int64_t m_startedCpuNs = 0;
    std::int64_t m_startedAllCpuNs = 0;
    LoadResult m_result;
};

} // namespace

void LoadResult::add(const LoadResult &other)
{
    answered += other.answered;
    measured += other.measured;
    measuredNs += other.measuredNs;
    latencies.add(other.latencies);
    cpuNs += other.cpuNs;
    allCpuNs += other.allCpuNs;
    if (flaw.isEmpty())
        flaw = other.flaw;
}

LoadResult runLoad(const LoadPlan &plan)
{
    return Load(plan).run();
}

} // namespace ikkai::bench
