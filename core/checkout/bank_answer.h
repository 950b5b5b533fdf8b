#pragma once

#include "core/checkout/verdict.h"
#include "core/gateway/transmission.h"

#include <QtCore/QString>

#include <optional>

namespace ikkai {

/// The members of a charge as the bank tells it (mock-server/README.md).
struct BankCharge {
    QString status; ///< approved, declined, voided
    QString chargeId;
    QString declineCode;
    QString key;
    QString orderId;
    qint64 amountMinor = 0;
    QString currency;
    std::optional<VoidResult> voided;
};

/// A problem of this bank's own (RFC 9457): its type begins with `urn:ikkai:problem:`.
struct BankProblem {
    QString type; ///< without that prefix
    std::optional<QString> key;
    QString field;
    QString detail;
    std::optional<VoidResult> voided; ///< of a voided key
    QString ledger;                   ///< of an expired answer: charged, declined, reversed, prevented
    QString originalKey;              ///< of a void: the charge it was for
};

/// None unless the body is application/json and one object with status, idempotency_key, order_id, amount and currency,
/// each of its type, and an id where money was decided (approved, declined) or a void's result (voided).
[[nodiscard]] std::optional<BankCharge> readCharge(const HttpAnswer &answer);

/// What the bank says of a void.
struct BankVoid {
    QString originalKey;
    QString orderId;
    qint64 amountMinor = 0;
    QString currency;
    VoidResult result = VoidResult::Prevented;
};
/// None unless the body is application/json and one object with original_key, order_id, amount, currency, at and a
/// result that is known here.
[[nodiscard]] std::optional<BankVoid> readVoid(const HttpAnswer &answer);

/// None unless the body is application/problem+json and one object with a type of ours.
[[nodiscard]] std::optional<BankProblem> readProblem(const HttpAnswer &answer);

} // namespace ikkai
