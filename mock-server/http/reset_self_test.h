#pragma once

namespace mockbank {

/// Whether SO_LINGER 0 really becomes a reset on this system's loopback: some sandboxes and proxies turn it into an
/// orderly close, and a fault must not claim what it does not send. Takes well under a millisecond of system calls.
[[nodiscard]] bool resetsAreReal();

/// Whether what was written before an orderly close arrives first, and then an end that is no reset.
[[nodiscard]] bool orderlyClosesAreReal();

/// What the self-test at start saw.
struct CutSelfTest {
    bool resets = true;
    bool orderlyCloses = true;
};

} // namespace mockbank
