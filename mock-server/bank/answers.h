#pragma once

#include "mock-server/bank/answer.h"
#include "mock-server/bank/charge_request.h"
#include "mock-server/store/records.h"

#include <optional>

/// The bank's answers, word for word (README.md). Pure; any thread.
namespace mockbank::answers {

/// The body of a charge's answer. The same verdict always gives the same bytes, so a swept answer can be told again
/// from the ledger.
[[nodiscard]] QByteArray chargeBody(const QByteArray &key, const Verdict &verdict);

/// What the ledger alone still knows of a charge.
[[nodiscard]] Verdict verdictOf(const Movement &charge);

[[nodiscard]] Answer first(const Verdict &verdict);
[[nodiscard]] Answer replay(const QByteArray &key, const Verdict &verdict);
[[nodiscard]] Answer badField(const QByteArray &key, const BadField &flaw);
[[nodiscard]] Answer otherLedger(const QByteArray &key, const QByteArray &ledger);
[[nodiscard]] Answer mismatch(const QByteArray &key, int status);
[[nodiscard]] Answer inProgress(const QByteArray &key, qint64 retryAfterMs);
/// `ledger`: charged, declined, reversed or prevented.
[[nodiscard]] Answer expired(const QByteArray &key, const QByteArray &ledger);
/// 410 to a charge: the key was voided, before or after it arrived.
[[nodiscard]] Answer keyVoided(const QByteArray &key, const VoidMark &mark);
[[nodiscard]] Answer rolledBack(const QByteArray &key);
[[nodiscard]] Answer unavailable(const QByteArray &key);
[[nodiscard]] Answer crashed();
/// After the money had moved, or not.
[[nodiscard]] Answer crashed(const Verdict &committed);
/// The 500 of a bank that keeps it under the key.
[[nodiscard]] Answer keptFailure(const QByteArray &key);
/// 500: `redis_lock` could not look the key up; nothing was executed.
[[nodiscard]] Answer lockUnreachable(const QByteArray &key);
/// 501: the strategy at work has no such thing.
[[nodiscard]] Answer notImplemented(const QByteArray &key, const QString &detail);

// Inquiry.
[[nodiscard]] Answer stored(const QByteArray &key, const Verdict &verdict);
[[nodiscard]] Answer stillRunning(const QByteArray &key, qint64 retryAfterMs);
[[nodiscard]] Answer neverSeen(const QByteArray &key);
[[nodiscard]] Answer inquiryOfVoided(const QByteArray &key, const VoidMark &mark);

/// A page of charges.
[[nodiscard]] Answer listed(const QByteArray &body);

// Void. `key` is the void's own.
/// reversed, prevented, not_charged
[[nodiscard]] QByteArray voidWord(VoidResult result);
/// The void that did it.
[[nodiscard]] Answer voided(const QByteArray &originalKey, const VoidMark &mark);
/// Any later void of the same charge: the first one's words.
[[nodiscard]] Answer voidedBefore(const QByteArray &originalKey, const VoidMark &mark);
[[nodiscard]] Answer originalInProgress(const QByteArray &key, const QByteArray &originalKey, qint64 retryAfterMs);
/// The void key belongs to another void.
[[nodiscard]] Answer voidKeyMismatch(const QByteArray &key);
/// The charge under `originalKey` has another order, amount or currency.
[[nodiscard]] Answer voidDetailsMismatch(const QByteArray &key, const QByteArray &originalKey);

} // namespace mockbank::answers
