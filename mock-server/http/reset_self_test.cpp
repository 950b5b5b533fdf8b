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

} // namespace mockbank
