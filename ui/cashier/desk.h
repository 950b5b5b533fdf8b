#pragma once

#include "core/checkout/checkout.h"
#include "core/checkout/checkout_service.h"
#include "core/domain/clock.h"

#include "ui/cashier/happenings.h"
#include "ui/cashier/news.h"
#include "ui/cashier/outcome_words.h"

#include <QtCore/QList>
#include <QtCore/QObject>

#include <map>
#include <optional>
#include <set>

namespace ikkai {

/// What a supervisor is asked to do, and what came of it so far.
struct SupervisorAsk {
    enum class What { Override, WriteOff };
    What what = What::WriteOff;
    Checkout checkout;                ///< the one that is overridden or closed
    std::optional<StartRequest> next; ///< Override: what starts instead
    bool underWay = false;
    std::optional<SupervisorAnswer> answer; ///< of the newest request
};

/// What lies on the cashier's desk: the checkout that is shown, the ones that are open, and whether money may be moved
/// now. It speaks to the service by queued values and holds no widget, so no widget can start a charge twice.
class Desk final : public QObject {
    Q_OBJECT

public:
    /// Why Charge is shut.
    enum class Shut { Starting, Running, ChooseFirst, Supervisor, Journal };
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
    /// What was settled while something else was on the screen.
    [[nodiscard]] const std::vector<News::Item> &news() const { return m_news.items(); }
    /// Checkouts that were open when the program began, until a person has looked at one or gone on; else 0.
    [[nodiscard]] int openFromBefore() const { return m_openFromBefore; }
    /// The supervisor's panel, while it is open.
    [[nodiscard]] const std::optional<SupervisorAsk> &supervisor() const { return m_supervisor; }
    /// What stands beside a checkout and is not part of it: inquiries planned, what the bank cannot do.
    [[nodiscard]] Circumstances circumstancesOf(const Checkout &checkout) const;
    [[nodiscard]] const CheckoutLog &logOf(const IdempotencyKey &key) const { return m_log.of(key); }
    /// What the supervisor would be asked about the checkout on the screen.
    [[nodiscard]] SupervisorAsk::What supervisorsWay() const;
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
    /// The point of no return; from Unknown only.
    void voidSafely();
    void leaveOpen();
    /// Opens the supervisor's panel for the checkout on the screen.
    void callSupervisor();
    void dismissSupervisor();
    /// Sends what the panel asks; nothing while an earlier request has no answer.
    void askSupervisor(const QString &pin, const QString &reason);
    /// Clears the screen of a settled checkout (an open one stays on the Open list).
    void newSale();
    /// Puts an open checkout on the screen.
    void show(const ikkai::IdempotencyKey &key);
    /// Puts the oldest news on the screen.
    void showNews();
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
    void voidWanted(const ikkai::IdempotencyKey &key);
    void overrideWanted(const ikkai::OverrideRequest &request);
    void writeOffWanted(const ikkai::WriteOffRequest &request);
    /// The heart of the window has beaten: what counts down may be painted anew.
    void ticked();

private:
    void listen(const CheckoutService *service);
    void takeCheckout(const Checkout &checkout, bool recorded);
    void takeOpen(const QList<Checkout> &open);
    void takeRejection(const StartRejection &rejection);
    void takeRecovered();
    void takePlan(const InquiryPlan &plan);
    void takeSupervisorAnswer(const SupervisorAnswer &answer);
    void takeSettledElsewhere(const Checkout &checkout, bool recorded);
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
    std::optional<SupervisorAsk> m_supervisor;
    std::optional<IdempotencyKey> m_overriding; ///< an override of this checkout is on its way
    News m_news;
    HappeningLog m_log;
    std::map<IdempotencyKey, InquiryPlan> m_plans; ///< of open checkouts
    std::set<IdempotencyKey> m_fromBefore;         ///< open when the program began
    int m_openFromBefore = 0;
    bool m_recovered = false;
    std::optional<OrderId> m_leftOpen;
    std::optional<IdempotencyKey> m_parked;
    qint64 m_screenSinceMs = 0;
    qint64 m_lastTickMs = 0;
};

} // namespace ikkai
