#pragma once

namespace mockbank {

/// Whether SO_LINGER 0 really becomes a reset on this system's loopback: some sandboxes and proxies turn it into an
/// orderly close, and a fault must not claim what it does not send. Takes well under a millisecond of system calls.
[[nodiscard]] bool resetsAreReal();

} // namespace mockbank
