#pragma once

#include "core/closing/reconciliation.h"

#include <vector>

namespace ikkai {

struct ReconcileSettings {
    QString terminalId;        ///< of this till
    qint64 fromWallMs = 0;     ///< inclusive
    qint64 toWallMs = 0;       ///< exclusive; 0: no end
    qint64 nowWallMs = 0;      ///< of this till, when its rows were read
    qint64 bankNowWallMs = 0;  ///< of the bank, when its list was read; 0: as here
    qint64 holdBackMs = 5'000; ///< a row that is younger may still be on its way to the other side
};

/// Compares this journal's checkouts with the bank's list of charges and names every difference. Pure; the order of the
/// rows does not matter; the time it takes grows with their number, not with its square.
///
/// `ours` may hold checkouts from outside the range: those serve to recognise the bank's rows, and are not missed at
/// the bank. `theirs` may hold rows that are no charge but say what became of a key (status declined or voided). A row
/// of another till is no difference of this one; a row without a till, or of this till, that the journal does not know
/// is of unknown origin. A row that lies further in the future than `holdBackMs` (a clock was wrong) is compared.
[[nodiscard]] Reconciliation reconcile(const std::vector<OurRow> &ours, const std::vector<BankChargeRow> &theirs,
                                       const ReconcileSettings &settings);

/// Worst first, then by time, then by key.
void sortDifferences(QList<Difference> &differences);

} // namespace ikkai
