#pragma once

namespace mockbank {

/// Two ends of one TCP connection over loopback, to try out what this system really does. Owns what is not taken.
class LoopbackPair {
public:
    LoopbackPair();
    ~LoopbackPair();
    LoopbackPair(const LoopbackPair &) = delete;
    LoopbackPair &operator=(const LoopbackPair &) = delete;

    [[nodiscard]] bool isConnected() const { return m_client >= 0 && m_server >= 0; }
    [[nodiscard]] int client() const { return m_client; }
    /// The accepted end, which the caller now closes.
    [[nodiscard]] int takeServer();

private:
    int m_client = -1;
    int m_server = -1;
};

} // namespace mockbank
