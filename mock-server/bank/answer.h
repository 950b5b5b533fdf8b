#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QJsonObject>
#include <QtCore/QList>

#include <utility>

namespace mockbank {

using Headers = QList<std::pair<QByteArray, QByteArray>>;

/// An answer, ready for the wire but for the headers that every answer has (Content-Length, Date, Request-Id,
/// Ledger-Id, Idempotency-Key-TTL, Server-Run-Id), which the network side adds.
struct Answer {
    int status = 0;
    QByteArray contentType;
    Headers headers;
    QByteArray body;
    bool moneyMoved = false; ///< this very arrival made a movement in the ledger
    bool replayed = false;   ///< the stored answer of an earlier arrival
    bool crashed = false;    ///< LedgerFault::CrashBeforeCommit or CrashHalfWay was carried out: there is no answer
};

/// One line of what happened inside the bank, for `GET /control/events`.
/// kinds: claimed, claim_taken_over, claim_deleted, committed, declined, replayed, in_progress, mismatch, rolled_back,
/// refused (bad body), expired, other_ledger, commit_failed, strategy (a switch), run_again (a lesson); of
/// `redis_lock`: locked, lock_unreachable, completed_lost
struct BankEvent {
    QByteArray kind;
    quint64 arrivalId = 0;
    QJsonObject data; ///< idempotency_key, attempt, order_id, amount, currency, source, charge_id ... as far as known
};

} // namespace mockbank
