#pragma once

#include "ui/cashier/desk.h"

namespace ikkai {

/// The strip that says what is odd about what is on the screen; no words: nothing is.
struct Notice {
    theme::Role role = theme::Role::Bad;
    QString words;
};

/// Why the last start was turned away, what the disk does not take, or what is open from before.
[[nodiscard]] Notice noticeOf(const Desk &desk, const Outcome &outcome);

} // namespace ikkai
