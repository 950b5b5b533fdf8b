#pragma once

#include "core/checkout/checkout.h"
#include "core/checkout/checkout_service.h"
#include "core/domain/clock.h"

#include <QtCore/QList>
#include <QtCore/QObject>

#include <optional>

namespace ikkai {

/// What lies on the cashier's desk: the checkout that is shown, the ones that are open, and whether money may be moved
/// now. It speaks to the service by queued values and holds no widget, so no widget can start a charge twice.
class Desk final : public QObject {
    Q_OBJECT

public:
    /// Why Charge is shut.
    enum class Shut { Starting, Running, ChooseFirst };
    struct ShutReason {
        Shut why = Shut::Running;
        QString order;
        bool mayLeave = true;
        friend bool operator==(const ShutReason &, const ShutReason &) = default;
    };

    /// `clock` must outlive the desk.
    Desk(CheckoutService *service, const Clock &clock, QObject *parent = nullptr);

    [[nodiscard]] const std::optional<Checkout> &shown() const { return m_shown; }
    [[nodiscard]] bool shownIsRecorded() const { return m_shownIsRecorded; }
    [[nodiscard]] const QList<Checkout> &open() const { return m_open; } ///< oldest first
    [[nodiscard]] BankLink link() const { return m_link; }
    /// The last start that was refused, until something else is done.
    [[nodiscard]] const std::optional<StartRejection> &rejection() const { return m_rejection; }
    [[nodiscard]] const std::optional<JournalError> &journalError() const { return m_journalError; }
    /// A checkout that was settled while another was on the screen, or none.
    [[nodiscard]] const std::optional<Checkout> &news() const { return m_news; }
    [[nodiscard]] const std::optional<OrderId> &leftOpen() const { return m_leftOpen; }
    [[nodiscard]] std::optional<ShutReason> shut() const;
    [[nodiscard]] Stamp now() const { return m_clock.now(); }

    /// How long the screen has shown what it shows: Enter moves no money before 300 ms.
    [[nodiscard]] qint64 screenAgeMs() const;
    /// The window has not been frozen just now: clicks that piled up meanwhile move no money.
    [[nodiscard]] bool isFresh() const;

public Q_SLOTS:
    /// Asks for one start; nothing while another is on its way, or while Charge is shut. The way of SecondSale is the
    /// caller's.
    bool charge(const ikkai::StartRequest &request);
    void tryAgain();
    void checkNow();
    void leaveOpen();
    /// Clears the screen of a settled checkout (an open one stays on the Open list).
    void newSale();
    /// Puts an open checkout on the screen.
    void show(const ikkai::IdempotencyKey &key);
    /// The heart of the window: ten times a second.
    void tick();

Q_SIGNALS:
    void changed();
    void started(const ikkai::Checkout &checkout);
    void rejected(const ikkai::StartRejection &rejection);

    void startWanted(const ikkai::StartRequest &request);
    void tryAgainWanted(const ikkai::IdempotencyKey &key);
    void checkWanted(const ikkai::IdempotencyKey &key);
    void leaveOpenWanted(const ikkai::IdempotencyKey &key);

private:
    void takeCheckout(const Checkout &checkout, bool recorded);
    void takeOpen(const QList<Checkout> &open);
    void takeRejection(const StartRejection &rejection);
    void put(const std::optional<Checkout> &checkout, bool recorded);
    void forget();
    [[nodiscard]] bool moneyMayMove() const;

    const Clock &m_clock;
    std::optional<Checkout> m_shown;
    bool m_shownIsRecorded = true;
    QList<Checkout> m_open;
    BankLink m_link = BankLink::NotTriedYet;
    std::optional<StartRequest> m_starting;
    std::optional<IdempotencyKey> m_asked; ///< of this checkout a command is on its way
    std::optional<StartRejection> m_rejection;
    std::optional<JournalError> m_journalError;
    std::optional<Checkout> m_news;
    std::optional<OrderId> m_leftOpen;
    std::optional<IdempotencyKey> m_parked;
    qint64 m_screenSinceMs = 0;
    qint64 m_lastTickMs = 0;
};

} // namespace ikkai
