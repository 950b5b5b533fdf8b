#pragma once

#include "core/checkout/verdict.h"
#include "core/domain/ids.h"
#include "core/domain/money.h"
#include "core/gateway/transmission.h"

namespace ikkai {

/// What a genuine answer of the bank must echo.
struct ExpectedEcho {
    IdempotencyKey key;
    OrderId order;
    Money money;
    QString ledgerId; ///< empty: not learned, not checked
};

/// What is known of the attempts before the one that is classified.
enum class EarlierAttempts { AllNotSent, SomeUnanswered };

/// The table "what the terminal makes of an answer to a charge". Pure.
[[nodiscard]] ChargeVerdict classifyCharge(const Transmission &transmission, const ExpectedEcho &expected,
                                           EarlierAttempts earlier);

/// The inquiry's own table: only a 200, complete and echoing, settles. Pure.
[[nodiscard]] InquiryVerdict classifyInquiry(const Transmission &transmission, const ExpectedEcho &expected);

/// The void's own table: only a 200, complete, echoing and from the recorded ledger, settles. Pure.
[[nodiscard]] VoidVerdict classifyVoid(const Transmission &transmission, const ExpectedEcho &expected);

} // namespace ikkai
