#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QJsonObject>
#include <QtCore/QList>
#include <QtCore/QString>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace mockbank {

using Headers = QList<std::pair<QByteArray, QByteArray>>;

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
};

/// One GET /v1/charges/{key}.
struct InquiryArrival {
    quint64 arrivalId = 0;
    QByteArray merchant;
    QByteArray key;
    QByteArray expectLedger;
};

/// An answer, ready for the wire but for the headers that every answer has (Content-Length, Date, Request-Id,
/// Ledger-Id, Idempotency-Key-TTL, Server-Run-Id), which the network side adds.
struct Answer {
    int status = 0;
    QByteArray contentType;
    Headers headers;
    QByteArray body;
    bool moneyMoved = false; ///< this very arrival made a movement in the ledger
    bool replayed = false;   ///< the stored answer of an earlier arrival
    bool crashed = false;    ///< LedgerFault::CrashBeforeCommit was carried out: there is no answer
};

/// One line of what happened inside the bank, for `GET /control/events`.
/// kinds: claimed, claim_taken_over, claim_deleted, committed, declined, replayed, in_progress, mismatch, rolled_back
struct BankEvent {
    QByteArray kind;
    quint64 arrivalId = 0;
    QJsonObject data; ///< idempotency_key, attempt, order_id, amount, currency, source, charge_id ... as far as known
};

struct Account {
    QString source;
    qint64 balanceMinor = 0;
    bool declining = false;
};

struct BankOptions {
    QString store = QStringLiteral("sqlite::memory:"); ///< `sqlite:FILE` or `sqlite::memory:`
    QString strategy = QStringLiteral("atomic");
    QString instance = QStringLiteral("bank-1"); ///< owner of claims, together with the run id
    std::chrono::milliseconds keyTtl = std::chrono::hours(24);
    std::chrono::milliseconds lease = std::chrono::seconds(10);
    std::chrono::milliseconds processing{0}; ///< time between the claim and the charging step
    QList<Account> accounts;                 ///< made if the store does not have them yet
};

/// The bank behind the network: accounts, ledger, idempotency. All calls are safe from any thread and never block on
/// the disk: work runs on one ledger thread with group commit, and every callback runs on that thread.
///
/// A Bank that is destroyed answers nothing more: callbacks of unfinished work are dropped, its open transaction is
/// lost, exactly as in a crash. `close` finishes what is running first.
class Bank
{
public:
    /// Opens the store and starts the ledger thread. On failure returns null and `error` says why, naming the file.
    static std::unique_ptr<Bank> open(const BankOptions &options, QString *error);
    ~Bank();

    /// Where BankEvents go; called on the ledger thread, after the commit they speak of. Set before the first arrival.
    void setObserver(std::function<void(const BankEvent &)> observer);

    void charge(ChargeArrival arrival, std::function<void(Answer)> done);
    void inquire(InquiryArrival arrival, std::function<void(Answer)> done);

    /// Finishes running work, then stops the ledger thread.
    void close();

    QString ledgerId() const; ///< made with the ledger, kept with it
    QString runId() const;    ///< new at every open
    const BankOptions &options() const;

    // What the control API shows and sets.
    void listAccounts(std::function<void(QList<Account>)> done);
    void putAccount(Account account, std::function<void(Account)> done);
    /// `after` is the last id seen, 0 for the start. Answers {"movements":[...],"next":id or null}.
    void listMovements(qint64 after, int limit, std::function<void(QJsonObject)> done);
    void listKeys(std::function<void(QJsonObject)> done);
    void listOutbox(std::function<void(QJsonObject)> done);
    /// {"charges":n,"declines":n,"commits":n,"commits_batched":n,...}
    void counters(std::function<void(QJsonObject)> done);

private:
    class Private;
    explicit Bank(std::unique_ptr<Private> d);
    std::unique_ptr<Private> d;
};

} // namespace mockbank
