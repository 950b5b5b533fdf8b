#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QJsonObject>
#include <QtCore/QString>

#include <optional>

namespace mockbank {

/// What a fault makes the bank itself do to one arrival. Everything a fault does to the *network* is done outside.
enum class LedgerFault {
    None,
    FailBeforeCommit,  ///< the charging transaction is rolled back and the claim deleted, so the next try runs at once
    CrashBeforeCommit, ///< the claim stays committed, the charge never happens: what a crash leaves behind
    CrashHalfWay,      ///< unsafe strategies only: the money moved, nothing was remembered of the key
    Busy,              ///< somebody else holds the claim for `faultMs`: this arrival meets a real 409
    ExpireKey,         ///< the stored answer of the key ends now, before the arrival is looked at
    RedisDown,         ///< `redis_lock`: its Redis is gone when the key is looked up
    RedisLostWrite,    ///< `redis_lock`: COMPLETED never arrives there
};

/// One POST /v1/charges whose head and body were read completely.
struct ChargeArrival {
    quint64 arrivalId = 0;   ///< counts arrivals of this run
    QByteArray merchant;     ///< half of the scope; `default` where no API key is configured
    QByteArray key;          ///< 1..255 visible ASCII characters, unquoted
    int attempt = 0;         ///< Attempt-Number, 0 where the client sent none
    QByteArray body;         ///< as received; the bank checks it
    QByteArray expectLedger; ///< Expect-Ledger, empty where the client sent none
    LedgerFault fault = LedgerFault::None;
    qint64 faultMs = 0;   ///< LedgerFault::Busy: for how long
    QByteArray declineAs; ///< not empty: the bank declines with this code, whatever the account says
    /// What the network side has written down about it for its own events, so that the bank's events say the same
    /// without writing it again. Empty: the bank writes its own. Nothing is decided by it.
    QJsonObject facts;
};

/// One POST /v1/voids whose head and body were read completely.
struct VoidArrival {
    quint64 arrivalId = 0;
    QByteArray merchant;
    QByteArray key; ///< the void's own
    int attempt = 0;
    QByteArray body; ///< {"original_key","order_id","amount","currency"}, checked by the bank
    QByteArray expectLedger;
    LedgerFault fault = LedgerFault::None; ///< FailBeforeCommit and CrashBeforeCommit mean something here
    QJsonObject facts;
};

/// One GET /v1/charges.
struct ListArrival {
    quint64 arrivalId = 0;
    QByteArray merchant;
    QByteArray expectLedger;
    qint64 after = 0;
    int limit = 100; ///< 1 to 500
    QString terminalId;
    std::optional<qint64> fromMs;
    std::optional<qint64> beforeMs;
};

/// One GET /v1/charges/{key}.
struct InquiryArrival {
    quint64 arrivalId = 0;
    QByteArray merchant;
    QByteArray key;
    QByteArray expectLedger;
};

} // namespace mockbank
