#pragma once

#include "core/checkout/checkout.h"
#include "core/checkout/scheduler.h"
#include "core/checkout/transition.h"
#include "core/domain/clock.h"
#include "core/domain/key_generator.h"
#include "core/domain/random.h"
#include "core/gateway/payment_gateway.h"
#include "core/journal/journal.h"

#include <QtCore/QHash>
#include <QtCore/QList>
#include <QtCore/QObject>

#include <deque>
#include <optional>

namespace ikkai {

/// What the cashier fixed when Charge was pressed.
struct StartRequest {
    OrderId order;
    Money money;
    SourceId source;
};

/// Why nothing was started; nothing was sent.
struct StartRejection {
    enum class Why {
        OrderIsOpen,   ///< `existing` is the checkout that must be settled first
        CannotRecord,  ///< the journal does not take it: cannot record, so cannot charge
        ApiKeyRefused, ///< the bank does not accept this terminal's API key
    };
    Why why = Why::OrderIsOpen;
    StartRequest request;
    std::optional<Checkout> existing;
    QString detail;
};

/// What the last real result says of the way to the bank.
enum class BankLink { NotTriedYet, Online, NotAnswering, Unreachable, ApiKeyRefused };

struct ServiceSettings {
    QString terminalId = QStringLiteral("till-1");
    QString bankAt = QStringLiteral("embedded"); ///< URL, or `embedded`
    RetryPolicy policy;
    qint64 inquiryDeadlineMs = 3'000;
};

/// The only QObject around the pure checkout: takes events one at a time, journals each before its commands run,
/// guards that each checkout has one sender. Lives on the engine thread; every slot must be called there (queued from
/// others), every signal carries values.
class CheckoutService final : public QObject, private GatewaySink {
    Q_OBJECT

public:
    /// All references must outlive the service.
    CheckoutService(Journal &journal, PaymentGateway &gateway, Clock &clock, Random &random, Scheduler &scheduler,
                    ServiceSettings settings, QObject *parent = nullptr);
    ~CheckoutService() override;

public Q_SLOTS:
    /// Folds what is open, journals Restarted for each, learns the bank. Call once, first. Emits openChanged.
    void recover();
    void start(const ikkai::StartRequest &request);
    void checkNow(const ikkai::IdempotencyKey &key);
    void tryAgain(const ikkai::IdempotencyKey &key);
    void leaveOpen(const ikkai::IdempotencyKey &key);

Q_SIGNALS:
    /// After every event. `recorded` is false while the journal has not taken the last event yet.
    void checkoutChanged(const ikkai::Checkout &checkout, bool recorded);
    /// One journalled event, with the checkout after it: what `charge --json` prints.
    void eventRecorded(const ikkai::Event &event, const ikkai::Checkout &after);
    /// All checkouts that are not final, oldest first.
    void openChanged(const QList<ikkai::Checkout> &open);
    void startRejected(const ikkai::StartRejection &rejection);
    void bankLinkChanged(ikkai::BankLink link);
    void journalFailed(const ikkai::JournalError &error);
    void recovered();

private:
    struct Queued {
        IdempotencyKey key;
        EventBody body;
    };
    struct Live {
        Checkout checkout;
        std::deque<Event> unrecorded; ///< answers the journal has not taken yet, oldest first
    };

    void bankLearned(const Result<BankIdentity, Transmission> &identity) override;
    void attemptEnded(const AttemptId &attempt, const Transmission &transmission) override;
    void lateAnswer(const AttemptId &attempt, const Transmission &transmission) override;
    void inquiryEnded(const IdempotencyKey &key, const Transmission &transmission) override;

    void post(const IdempotencyKey &key, EventBody body);
    void takeQueued();
    void take(const Queued &queued);
    void carryOut(const Command &command);

    Journal &m_journal;
    PaymentGateway &m_gateway;
    Clock &m_clock;
    Random &m_random;
    Scheduler &m_scheduler;
    ServiceSettings m_settings;
};

} // namespace ikkai

Q_DECLARE_METATYPE(ikkai::StartRequest)
Q_DECLARE_METATYPE(ikkai::StartRejection)
Q_DECLARE_METATYPE(ikkai::BankLink)
Q_DECLARE_METATYPE(ikkai::JournalError)
