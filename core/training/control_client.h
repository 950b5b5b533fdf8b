#pragma once

#include "core/gateway/authorities.h"
#include "core/training/control_values.h"
#include "core/training/event_follower.h"

#include <QtCore/QByteArray>
#include <QtCore/QObject>
#include <QtCore/QUrl>

#include <functional>

namespace ikkai {

struct Transmission;

struct ControlClientSettings {
    QUrl baseUrl;     ///< of the bank, as parseBankUrl gives it
    QByteArray token; ///< the bearer token of its control API
    qint64 callDeadlineMs = 5'000;
    qint64 reconnectBaseMs = 500;
    qint64 reconnectCapMs = 15'000;
    qint64 silenceLimitMs = 45'000;
    Authorities authorities = {}; ///< who may vouch for an https bank; empty: those the system trusts
};

/// Drives a mock bank, embedded or remote, through its HTTP control API (mock-server/README.md), the only door
/// there is. Every call returns its number at once and ends in exactly one signal that carries it: its own, or
/// `failed`. Calls are transmitted once each. Lives on any one thread, the GUI's too: it never waits.
class ControlClient final : public QObject {
    Q_OBJECT

public:
    using CallId = quint64;

    explicit ControlClient(ControlClientSettings settings, QObject *parent = nullptr);
    ~ControlClient() override;

    /// `spec` in the one grammar, as in `after_commit:hold:next=1`. Ends in faultArmed.
    CallId armFault(const QString &spec);
    CallId listFaults();                   ///< ends in faultsListed
    CallId disarmFault(const QString &id); ///< ends in faultDisarmed
    CallId disarmAllFaults();              ///< ends in allFaultsDisarmed
    /// Movements after this id, `limit` 1 to 500 of them. Ends in ledgerRead.
    CallId readLedger(qint64 after = 0, int limit = 500);
    CallId readState();                            ///< ends in stateRead
    CallId listAccounts();                         ///< ends in accountsListed
    CallId putAccount(const BankAccount &account); ///< ends in accountPut
    /// `action`: release, drop or cut. Ends in heldActedOn.
    CallId actOnHeld(qint64 heldId, const QString &action);
    /// The bank crashes and is back after `downMs`. Ends in restarting.
    CallId restartBank(qint64 downMs);

    void follow(EventFollower::From from);
    void stopFollowing();
    [[nodiscard]] ControlLink link() const { return m_follower.link(); }

Q_SIGNALS:
    void faultArmed(quint64 call, const ikkai::FaultStatus &fault);
    void faultsListed(quint64 call, const QList<ikkai::FaultStatus> &faults);
    void faultDisarmed(quint64 call, const ikkai::FaultStatus &fault);
    void allFaultsDisarmed(quint64 call, int count);
    void ledgerRead(quint64 call, const ikkai::LedgerPage &page);
    void stateRead(quint64 call, const ikkai::BankState &state);
    void accountsListed(quint64 call, const QList<ikkai::BankAccount> &accounts);
    void accountPut(quint64 call, const ikkai::BankAccount &account);
    void heldActedOn(quint64 call);
    void restarting(quint64 call);
    void failed(quint64 call, const ikkai::ControlError &error);

    // Of follow():
    void happened(const ikkai::BankLogEntry &entry);
    void gapNoticed();
    void linkChanged(ikkai::ControlLink link);
    void streamTroubled(const ikkai::ControlError &error);

private:
    CallId call(const QByteArray &verb, const QByteArray &path, const QByteArray &body,
                std::function<void(CallId, const Transmission &)> ended);
    /// A call whose answer `read` understands and `done` announces.
    template <class Read, class Done>
    CallId ask(const QByteArray &verb, const QByteArray &path, const QByteArray &body, Read read, Done done);

    ControlClientSettings m_settings;
    EventFollower m_follower;
    CallId m_lastCall = 0;
};

} // namespace ikkai
