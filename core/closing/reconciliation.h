#pragma once

#include "core/domain/ids.h"
#include "core/domain/money.h"

#include <QtCore/QList>
#include <QtCore/QMetaType>
#include <QtCore/QString>

#include <optional>
#include <vector>

namespace ikkai {

/// One charge in the bank's list (`GET /v1/charges`): one per charge made, not per key.
struct BankChargeRow {
    QString chargeId;
    QString status; ///< approved, declined, voided
    QString key;
    QString orderId;
    qint64 amountMinor = 0;
    QString currency;
    QString terminalId;
    qint64 createdWallMs = 0;
    bool reversed = false;
    friend bool operator==(const BankChargeRow &, const BankChargeRow &) = default;
};

/// One checkout of this terminal's journal.
struct OurRow {
    QString key;
    QString orderId;
    qint64 amountMinor = 0;
    QString currency;
    QString state; ///< outcome word
    qint64 createdWallMs = 0;
    friend bool operator==(const OurRow &, const OurRow &) = default;
};

/// What can differ, worst first.
enum class DifferenceKind {
    ChargedTwice,     ///< one key with two movements, or an order with more unreversed charges than Approved keys here
    PaidAfterVoid,    ///< voided here, an unreversed charge there
    PaidAfterRefused, ///< refused, not sent or declined here, charged there
    DifferentAmount,
    TwoTerminals,  ///< one order charged from two terminals
    NotAtBank,     ///< approved here, not there
    OpenHere,      ///< open here, settled there: an inquiry settles it
    VoidUnderWay,  ///< after VoidStarted: settles by itself
    UnknownOrigin, ///< no till of this shop sent it
};

enum class Confirmation { ByInquiry, NotOffered, NoAnswer };

struct Difference {
    DifferenceKind kind = DifferenceKind::UnknownOrigin;
    QString key; ///< of our checkout, or the bank's
    QString orderId;
    std::optional<OurRow> ours;
    std::vector<BankChargeRow> theirs;
    Currency currency = Currency::jpy();
    qint64 bankMinusHereMinor = 0;
    Confirmation confirmation = Confirmation::NotOffered;
    QString wouldSettleAs; ///< OpenHere: outcome word of the inquiry, else empty
};

struct Reconciliation {
    qint64 fromWallMs = 0;
    qint64 toWallMs = 0;
    qint64 checkedWallMs = 0;
    qint64 tookMs = 0;
    qint64 bankRows = 0;
    qint64 ourRows = 0;
    qint64 agreeCount = 0;
    QList<std::pair<Currency, qint64>> agreeSums; ///< minor units, per currency
    int heldBack = 0;                             ///< rows younger than 5 s
    QList<Difference> differences;                ///< worst first, then by time
};

} // namespace ikkai

Q_DECLARE_METATYPE(ikkai::Reconciliation)
