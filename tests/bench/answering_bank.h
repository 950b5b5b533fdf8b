#pragma once

#include "tests/bench/raw_socket.h"

#include <QtCore/QByteArray>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace ikkai::bench {

/// A peer that approves every charge at once and notes when: as fast as a bank can be, so that what is measured is the
/// terminal. Raw sockets on a thread of its own.
class AnsweringBank {
public:
    AnsweringBank();
    ~AnsweringBank();
    AnsweringBank(const AnsweringBank &) = delete;
    AnsweringBank &operator=(const AnsweringBank &) = delete;

    [[nodiscard]] bool isListening() const { return m_listener.isOpen(); }
    [[nodiscard]] std::uint16_t port() const { return m_port; }

    // Of the charge that came last; `nowNs()` of samples.h. From any thread.
    [[nodiscard]] std::int64_t firstByteReadNs() const { return m_firstByteReadNs; }
    [[nodiscard]] std::int64_t lastByteWrittenNs() const { return m_lastByteWrittenNs; }
    [[nodiscard]] std::uint64_t charges() const { return m_charges; }

private:
    struct Peer {
        Socket socket;
        QByteArray received;
        std::int64_t firstByteNs = 0;
    };

    void serve();
    /// False where the connection is over.
    bool take(Peer &peer);
    bool answer(Peer &peer);

    std::uint16_t m_port = 0;
    Socket m_listener;
    std::vector<Peer> m_peers;
    std::atomic<std::int64_t> m_firstByteReadNs{0};
    std::atomic<std::int64_t> m_lastByteWrittenNs{0};
    std::atomic<std::uint64_t> m_charges{0};
    std::atomic<bool> m_ended{false};
    std::thread m_thread;
};

} // namespace ikkai::bench
