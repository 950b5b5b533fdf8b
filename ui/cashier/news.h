#pragma once

#include "core/checkout/checkout.h"

#include <map>
#include <vector>

namespace ikkai {

/// What was settled while something else was on the screen, until a person has seen it. A plain value.
class News {
public:
    struct Item {
        Checkout checkout;
        bool whileAway = false; ///< it was open before this start: "finished while you were away"
        friend bool operator==(const Item &, const Item &) = default;
    };

    /// A settled checkout that is not on the screen. One that was seen already is news again only if the bank
    /// contradicts itself.
    void take(const Checkout &checkout, bool whileAway);
    /// It is on the screen.
    void see(const Checkout &checkout);
    [[nodiscard]] const std::vector<Item> &items() const { return m_items; } ///< oldest first

private:
    std::vector<Item> m_items;
    std::map<IdempotencyKey, bool> m_seen; ///< with its contradiction, or without
};

} // namespace ikkai
