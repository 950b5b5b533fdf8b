#include "ui/cashier/news.h"

#include <algorithm>

namespace ikkai {

namespace {

constexpr std::size_t mostNews = 100;
constexpr std::size_t mostSeen = 1'000;

} // namespace

void News::take(const Checkout &checkout, bool whileAway)
{
    const auto seen = m_seen.find(checkout.key);
    if (seen != m_seen.end() && (seen->second || !checkout.contradiction))
        return;
    const auto known = std::find_if(m_items.begin(), m_items.end(),
                                    [&](const Item &item) { return item.checkout.key == checkout.key; });
    if (known != m_items.end()) {
        known->checkout = checkout;
        return;
    }
    m_items.push_back({checkout, whileAway});
    if (m_items.size() > mostNews)
        m_items.erase(m_items.begin());
}

void News::see(const Checkout &checkout)
{
    std::erase_if(m_items, [&](const Item &item) { return item.checkout.key == checkout.key; });
    if (!isFinal(checkout.state))
        return;
    m_seen.insert_or_assign(checkout.key, checkout.contradiction.has_value());
    if (m_seen.size() > mostSeen)
        m_seen.erase(m_seen.begin()); // keys grow with time: the oldest checkout
}

} // namespace ikkai
