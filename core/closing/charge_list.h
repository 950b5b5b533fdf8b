#pragma once

#include "core/checkout/bank_answer.h"
#include "core/closing/reconciliation.h"

#include <QtCore/QObject>

namespace ikkai {

/// Which of the bank's charges are to be read.
struct ChargeListRequest {
    QString expectLedger;       ///< Ledger-Id that every answer must carry; empty: that of the first answer
    QString terminalId;         ///< empty: those of every terminal of the merchant
    qint64 fromWallMs = 0;      ///< of `created_at`, inclusive; 0: from the first one on
    qint64 toWallMs = 0;        ///< of `created_at`, exclusive; 0: to the newest one
    qint64 maxRows = 2'000'000; ///< more end the reading in TooMany, so that no bank fills the memory
};

/// The end of a list that was read to it.
struct ChargeListEnd {
    QString ledgerId;
    qint64 rows = 0;
    qint64 bankWallMs = 0; ///< the bank's clock when it gave the last page (its Date, whole seconds); 0: it did not say
    friend bool operator==(const ChargeListEnd &, const ChargeListEnd &) = default;
};

/// Why a list, or the outcome of one key, could not be read.
struct ChargeListError {
    enum class Kind {
        Unreachable,   ///< no connection: refused, host not found, TLS
        NoAnswer,      ///< none in time, or not a whole one
        ServerTrouble, ///< 408, 425, 429, 5xx
        ApiKeyRefused, ///< 401, 403
        OtherLedger,   ///< 421, or an answer of another ledger
        NotOffered,    ///< 404 (of a list), 405, 501: this bank has no such call
        Refused,       ///< any other 4xx; `member` is the parameter that the bank names
        NotUnderstood, ///< an answer that is not as the contract says; `member` names what is wrong with it
        TooMany,       ///< more rows than ChargeListRequest::maxRows
    };
    Kind kind = Kind::NoAnswer;
    int status = 0; ///< of the answer; 0 where there was none
    QString member; ///< as in `charges[17].amount`; empty where no single one is wrong
    QString detail; ///< one English sentence that says all of it
    friend bool operator==(const ChargeListError &, const ChargeListError &) = default;
};

/// What the bank says of one key, asked by itself.
struct KeyInquiry {
    enum class What {
        Found,      ///< `charge` is the bank's record; its key is the one that was asked for
        InProgress, ///< the bank works on it
        NeverSeen,  ///< which is no promise that it never will be
        NotOffered, ///< this bank answers no inquiries (501)
        NoAnswer,   ///< no word that can be used; `error` says why
    };
    QString key;
    What what = What::NoAnswer;
    std::optional<BankCharge> charge;
    ChargeListError error;
};

/// The bank's own list of charges, for reconciliation. It moves no money: everything here may be asked again. Calls
/// never block, and signals never come from inside a call. Lives on one thread.
class ChargeList : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

public Q_SLOTS:
    /// Reads page after page, one reading at a time: the call is ignored while one is under way. Ends in exactly one of
    /// finished, failed, cancelled.
    virtual void read(const ikkai::ChargeListRequest &request) = 0;
    /// Asks for one key, which may be of any form (1 to 255 visible ASCII characters). Any number may be asked at once,
    /// also during a reading; a few are on the wire at a time. Each ends in exactly one `inquired`, but those that are
    /// cancelled. `expectLedger` as in a request; here empty means: of any ledger.
    virtual void inquire(const QString &key, const QString &expectLedger) = 0;
    /// Ends the reading and all inquiries without a further word but `cancelled`, which comes if there was any.
    virtual void cancel() = 0;

Q_SIGNALS:
    /// One page, in the bank's order of commits; rows come only here and are not kept. `rowsSoFar` counts these.
    void pageRead(const QList<ikkai::BankChargeRow> &rows, qint64 rowsSoFar);
    /// A page did not come; the same one is asked for again after `delayMs`.
    void waiting(const ikkai::ChargeListError &why, qint64 delayMs);
    void finished(const ikkai::ChargeListEnd &end);
    void failed(const ikkai::ChargeListError &error);
    void cancelled();
    void inquired(const ikkai::KeyInquiry &answer);
};

} // namespace ikkai

Q_DECLARE_METATYPE(ikkai::BankChargeRow)
Q_DECLARE_METATYPE(ikkai::ChargeListRequest)
Q_DECLARE_METATYPE(ikkai::ChargeListEnd)
Q_DECLARE_METATYPE(ikkai::ChargeListError)
Q_DECLARE_METATYPE(ikkai::KeyInquiry)
