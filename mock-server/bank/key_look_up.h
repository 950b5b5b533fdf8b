#pragma once

#include "mock-server/bank/strategy.h"

#include <optional>

/// What a strategy with keys says of a key by looking at it; nothing here moves money. Used on the ledger thread,
/// inside a step.
namespace mockbank::key_look_up {

/// Somebody works under this claim, or may: nobody else acts on its key.
[[nodiscard]] bool lives(const Claim &claim, const Step &at);
/// At a store of several writers a key may be written between two looks, and a charge found by the second look with its
/// answer unread: whether the record is another one than was read.
[[nodiscard]] bool changedSince(const std::optional<KeyRecord> &record, const ScopedKey &name, Step &at);
/// When to ask again about a key whose claim lives.
[[nodiscard]] qint64 retryAfterMs(const Claim &claim, const Step &at);

/// The answer to a charge under a finished key, or under one that only the ledger knows.
[[nodiscard]] Answer toCharge(const Verdict &verdict, const QByteArray &fingerprint, ChargeWork &work, Step &at);

/// The answer to a charge under a voided key. Its fingerprint is gone (a tombstone never had one), so the details that
/// the void named stand for it: the same order, amount and currency get 410 with the void's result. Others get the
/// mismatch: nothing is executed either way, but "your payment was reversed" would be said of a payment that never was.
[[nodiscard]] Answer toChargeOfVoided(const VoidMark &mark, ChargeWork &work, Step &at);

/// What the ledger alone can still tell. A guarded charge was stored with its answer, so without a record that answer
/// was swept; an unguarded one is as old as it is.
[[nodiscard]] Verdict ledgerVerdict(const Movement &charge, const Step &at);

/// Every answer to an inquiry. A lapsed claim is deleted; the ledger is asked where no record tells.
[[nodiscard]] Answer toInquiry(const InquiryArrival &arrival, const ScopedKey &name, Step &at);

} // namespace mockbank::key_look_up
