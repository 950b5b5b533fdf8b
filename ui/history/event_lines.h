#pragma once

#include "core/journal/history.h"

#include "ui/theme/tokens.h"

#include <QtCore/QString>

#include <vector>

namespace ikkai {

/// One line of the record: what happened in plain words, and the journal's own name for it.
struct EventLine {
    QString time; ///< "12:00:04.002"
    theme::Role role = theme::Role::Neu;
    QString words;
    QString name; ///< "AttemptEnded 1"; what was drawn from the events and is not one itself: "settled by replay"
    bool strong = false; ///< it settled the checkout, or contradicts that
    friend bool operator==(const EventLine &, const EventLine &) = default;
};

/// The events in their order, one line each, and one more where they settled the checkout.
[[nodiscard]] std::vector<EventLine> eventLines(const HistoryDetail &detail);

/// "settled by the repeated answer, sent 2 times, 1 charge": what the events come to.
[[nodiscard]] QString settledText(const Checkout &checkout);

} // namespace ikkai
