#pragma once

#include "core/checkout/checkout.h"
#include "core/domain/clock.h"

#include "ui/icons/icons.h"
#include "ui/theme/tokens.h"

#include <QtCore/QString>

#include <vector>

namespace ikkai {

/// One line of "what happened": a try and how it ended.
struct AttemptRow {
    QString number;
    QString time;
    icons::Icon icon = icons::Icon::None;
    theme::Role role = theme::Role::Neu;
    QString word;
    bool strong = false; ///< it settled the checkout
    QString detail;
    QString tail; ///< at the right: how long it took
    friend bool operator==(const AttemptRow &, const AttemptRow &) = default;
};

/// One line per try, in their order.
[[nodiscard]] std::vector<AttemptRow> attemptRows(const Checkout &checkout, const Stamp &now);
/// One try that has a result.
[[nodiscard]] AttemptRow attemptRow(const AttemptRecord &attempt);

} // namespace ikkai
