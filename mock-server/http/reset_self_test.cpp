#include "mock-server/http/reset_self_test.h"

#include "mock-server/http/loopback_pair.h"

#include <cerrno>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace mockbank {

bool resetsAreReal()
{
    LoopbackPair pair;
    if (!pair.isConnected())
        return false;
    const int server = pair.takeServer();
    const linger atOnce{1, 0};
    ::setsockopt(server, SOL_SOCKET, SO_LINGER, &atOnce, sizeof atOnce);
    ::close(server);
    pollfd readable{pair.client(), POLLIN, 0};
    char byte = 0;
    return ::poll(&readable, 1, 200) == 1 && ::recv(pair.client(), &byte, 1, MSG_DONTWAIT) < 0 && errno == ECONNRESET;
}

bool orderlyClosesAreReal()
{
    LoopbackPair pair;
    if (!pair.isConnected())
        return false;
    const int server = pair.takeServer();
    const char sent = 'x';
    const bool written = ::send(server, &sent, 1, MSG_NOSIGNAL) == 1;
    ::shutdown(server, SHUT_WR);
    ::close(server);
    pollfd readable{pair.client(), POLLIN, 0};
    char got = 0;
    const auto reads = [&] {
        return ::poll(&readable, 1, 200) == 1 ? ::recv(pair.client(), &got, 1, MSG_DONTWAIT) : -1;
    };
    return written && reads() == 1 && got == sent && reads() == 0;
}

} // namespace mockbank
