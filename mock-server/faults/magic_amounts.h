#pragma once

#include "mock-server/faults/fault.h"

#include <QtCore/QJsonArray>

#include <span>

namespace mockbank {

/// An amount whose last three digits ask for a fault, as the sandboxes of real banks have them. Yen only.
struct MagicAmount {
    int lastDigits;        ///< of the amount, 0 to 999
    const char *spec;      ///< what it does, in the grammar of faults
    bool firstAttemptOnly; ///< so that the next try of the key shows the cure
    const char *title;
    const char *meaning; ///< one line for a legend
};

[[nodiscard]] std::span<const MagicAmount> magicAmounts();

/// `magic-069`.
[[nodiscard]] QByteArray magicRuleId(const MagicAmount &magic);

/// `[{"ends_in":"069","spec","attempts":"first" or "every","title","meaning"}]`
[[nodiscard]] QJsonArray magicLegend();

} // namespace mockbank
