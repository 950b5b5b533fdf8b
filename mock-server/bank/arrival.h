#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QJsonObject>

namespace mockbank {

/// What a fault makes the bank itself do to one arrival. Everything a fault does to the *network* is done outside.
enum class LedgerFault {
    None,
    FailBeforeCommit,  ///< the charging transaction is rolled back and the claim deleted, so the next try runs at once
    CrashBeforeCommit, ///< the claim stays committed, the charge never happens: what a crash leaves behind
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
    /// What the network side has written down about it for its own events, so that the bank's events say the same
    /// without writing it again. Empty: the bank writes its own. Nothing is decided by it.
    QJsonObject facts;
};

/// One GET /v1/charges/{key}.
struct InquiryArrival {
    quint64 arrivalId = 0;
    QByteArray merchant;
    QByteArray key;
    QByteArray expectLedger;
};

} // namespace mockbank
