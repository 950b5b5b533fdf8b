#pragma once

#include "ui/receipts/receipt.h"

#include <QtCore/QString>

#include <set>
#include <utility>

namespace ikkai {

/// Where a paper is asked for.
enum class PrintOrigin { Outcome, History };

/// Decides which papers are originals. There is one original of each kind for each checkout, and it comes from the
/// screen that saw this outcome come about in this run of the program. Everything else is a reprint: what is printed
/// from History, what was handed to a printer or a file before, and whatever came about before this start, for then an
/// original may have been printed that this run knows nothing of. So no list of prints has to survive a power cut, and
/// a mark can be one too many but never one too few.
class PrintMemory {
public:
    explicit PrintMemory(qint64 startedWallMs)
        : m_startedWallMs(startedWallMs)
    {
    }

    [[nodiscard]] Paper paperFor(const Checkout &checkout, PrintOrigin origin) const;
    /// This paper was handed over.
    void note(const Checkout &checkout);

private:
    using Printed = std::pair<QString, Receipt::Kind>;

    qint64 m_startedWallMs;
    std::set<Printed> m_printed;
};

} // namespace ikkai
