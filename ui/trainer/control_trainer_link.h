#pragma once

#include "core/checkout/checkout_service.h"
#include "core/training/control_client.h"

#include "ui/trainer/trainer_link.h"

#include <QtCore/QSet>

namespace ikkai {

/// The trainer's link over a bank's control API, embedded or remote. The lights armed, matched, fired and healed are
/// the bank's; "seen" is the terminal's own: after the fault fired, a try ended without the bank's word.
class ControlTrainerLink final : public TrainerLink {
    Q_OBJECT

public:
    /// Both must outlive the link; `client` lives on the GUI thread, `service` may live on another.
    ControlTrainerLink(ControlClient *client, CheckoutService *service, QObject *parent = nullptr);

    /// Starts to follow the bank's events and reads its faults.
    void start();

    void arm(const QString &spec) override;
    void disarm(const QString &id) override;
    void disarmAll() override;

private:
    void takeFaults(const QList<FaultStatus> &faults);
    void takeEntry(const BankLogEntry &entry);
    void takeEvent(const Event &event);
    void tell();

    ControlClient *m_client;
    QList<FaultStatus> m_faults;
    QSet<QString> m_seen;
};

/// "try 2, A-1001, ¥1,200, 201, replayed": what an event says, in the words of the wire.
[[nodiscard]] QString bankEventWords(const BankLogEntry &entry);

} // namespace ikkai
