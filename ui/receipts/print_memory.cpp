#include "ui/receipts/print_memory.h"

namespace ikkai {

namespace {

/// When the checkout came to be what the paper says.
qint64 cameAboutMs(const Checkout &checkout)
{
    if (checkout.contradiction && isFinal(checkout.state))
        return checkout.contradiction->atWallMs;
    if (checkout.settledWallMs)
        return *checkout.settledWallMs;
    if (checkout.voidIntent)
        return checkout.voidIntent->startedAt.wallMs;
    if (const auto *unknown = std::get_if<state::Unknown>(&checkout.state))
        return unknown->sinceWallMs;
    return checkout.startedAt.wallMs;
}

} // namespace

Paper PrintMemory::paperFor(const Checkout &checkout, PrintOrigin origin) const
{
    const auto receipt = receiptOf(checkout, Paper::Original);
    const bool wasPrinted = receipt && m_printed.contains({checkout.key.text(), receipt->kind});
    const bool isOlder = cameAboutMs(checkout) < m_startedWallMs;
    return origin == PrintOrigin::History || wasPrinted || isOlder ? Paper::Reprint : Paper::Original;
}

void PrintMemory::note(const Checkout &checkout)
{
    if (const auto receipt = receiptOf(checkout, Paper::Original))
        m_printed.insert({checkout.key.text(), receipt->kind});
}

} // namespace ikkai
