#pragma once

#include "core/checkout/checkout.h"
#include "core/checkout/classify.h"
#include "core/checkout/inquiry_queue.h"
#include "core/checkout/resume_watch.h"
#include "core/checkout/scheduler.h"
#include "core/checkout/supervisor.h"
#include "core/checkout/transition.h"
#include "core/domain/clock.h"
#include "core/domain/key_generator.h"
#include "core/domain/random.h"
#include "core/gateway/payment_gateway.h"
#include "core/journal/journal.h"

#include <QtCore/QList>
#include <QtCore/QObject>

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace ikkai {

/// A second sale under an order that was paid here already is legal, but somebody has to mean it.
enum class SecondSale { Ask, Confirmed };

/// What the cashier fixed when Charge was pressed.
struct StartRequest {
    OrderId order;
    Money money;
    SourceId source;
    SecondSale secondSale = SecondSale::Ask;
};

/// Why nothing was started; nothing was sent.
struct StartRejection {
    enum class Why {
        OrderIsOpen,   ///< `existing` must be settled first
        AlreadyPaid,   ///< `existing` paid this order; start again with SecondSale::Confirmed if that is meant
        CannotRecord,  ///< the journal does not take it: cannot record, so cannot charge; `detail` names the file
        ApiKeyRefused, ///< the bank does not accept this terminal's API key
        OtherLedger,   ///< `existing` is open at another ledger than the one that answers now: settle it there first
    };
    Why why = Why::OrderIsOpen;
    StartRequest request;
    std::optional<Checkout> existing;
    QString detail;
};

/// A supervisor starts this order anew although it is open: the old checkout is voided first, the new one starts at
/// once.
struct OverrideRequest {
    IdempotencyKey open; ///< the checkout that is overridden
    QString pin;
    QString reason; ///< journalled; must not be empty
    StartRequest next;
};

/// A supervisor closes a checkout that nobody can settle.
struct WriteOffRequest {
    IdempotencyKey key;
    QString pin;
    QString reason; ///< journalled; must not be empty
};

/// What the last real result says of the way to the bank.
/// OtherLedger: it answers, but an open checkout belongs to another ledger.
enum class BankLink { NotTriedYet, Online, NotAnswering, Unreachable, ApiKeyRefused, OtherLedger };

struct ServiceSettings {
    QString terminalId = QStringLiteral("till-1");
    QString bankAt = QStringLiteral("embedded"); ///< URL, or `embedded`
    RetryPolicy policy;
    qint64 inquiryDeadlineMs = 3'000; ///< of those that go on by themselves
    Elsewhere elsewhere = {};         ///< where a supervisor's PIN is hashed; empty: a thread of the pool
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
    /// Folds what is open, journals Restarted for each, sends the voids that were started, learns the bank and asks it
    /// about everything that is open, one after the other. Nothing is charged. Call once, first. Emits openChanged.
    void recover();
    void start(const ikkai::StartRequest &request);
    /// Asks the bank, also about a settled checkout (of any age): a word against it becomes a contradiction.
    void checkNow(const ikkai::IdempotencyKey &key);
    void tryAgain(const ikkai::IdempotencyKey &key);
    void leaveOpen(const ikkai::IdempotencyKey &key);
    /// From Unknown only: the point of no return. Journalled first; sent until the bank has answered it.
    void voidSafely(const ikkai::IdempotencyKey &key);
    /// A supervisor: voids the open checkout (journalled first, sent until answered) and starts the next one at once.
    void overrideOpen(const ikkai::OverrideRequest &request);
    /// A supervisor: closes a mismatch, or what is open at a ledger that is not there any more.
    void writeOff(const ikkai::WriteOffRequest &request);

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
    void supervisorAnswered(const ikkai::SupervisorAnswer &answer);
    /// When the next inquiry of an open checkout follows, and what the last one brought.
    void inquiryPlanned(const ikkai::InquiryPlan &plan);
    /// A checkout that was open when the program began has been settled: finished while you were away.
    void settledMeanwhile(const ikkai::Checkout &checkout);
    void recovered();

private:
    struct Queued {
        IdempotencyKey key;
        EventBody body;
        bool drained = false; ///< what had come in was taken before this one
    };
    /// A step whose event the journal has not taken yet.
    struct Unrecorded {
        int seq = 0;
        Event event;
        Step step;
    };
    struct Live {
        Checkout checkout;
        std::deque<Unrecorded> unrecorded;
    };

    void bankLearned(const Result<BankIdentity, Transmission> &identity) override;
    void attemptEnded(const AttemptId &attempt, const Transmission &transmission) override;
    void lateAnswer(const AttemptId &attempt, const Transmission &transmission) override;
    void inquiryEnded(const IdempotencyKey &key, const Transmission &transmission) override;
    void voidEnded(const IdempotencyKey &key, int voidTry, const Transmission &transmission) override;

    void learnBank();
    [[nodiscard]] std::optional<StartRejection> reasonAgainst(const StartRequest &request,
                                                              const std::optional<IdempotencyKey> &overridden);
    [[nodiscard]] const Checkout *openAtAnotherLedger() const;
    void begin(const StartRequest &request, const std::optional<IdempotencyKey> &replaces);
    IdempotencyKey makeKey(qint64 wallMs);
    void overrideAdmitted(const OverrideRequest &request);
    void writeOffAdmitted(const WriteOffRequest &request);
    void endOtherRuns(const IdempotencyKey &key);
    void post(const IdempotencyKey &key, EventBody body);
    void takeQueued();
    void take(Queued queued);
    void keepUnrecorded(Live &live, Unrecorded unrecorded);
    void recordAgainLater();
    void recordAgain();
    void settle(Live &live, const Event &event, const Step &step);
    void carryOut(const Command &command);
    void carryOut(const command::LearnBank &learn);
    void carryOut(const command::SendCharge &send);
    void carryOut(const command::StartWait &wait);
    void carryOut(const command::SendInquiry &inquiry);
    void carryOut(const command::SendVoid &send);
    void carryOut(const command::StartVoidWait &wait);
    bool noteSleep();
    void watch(const Checkout &before, const Checkout &after);
    void askInTurn();
    void wakeForTurn();
    void tellPlan(const IdempotencyKey &key);
    void sendVoidsSoon();
    void show(const Live &live);
    void setLink(BankLink link);
    void setLink(Transmission::End end);

    Live *find(const IdempotencyKey &key);
    Live *findOrRead(const IdempotencyKey &key);

    Journal &m_journal;
    PaymentGateway &m_gateway;
    Clock &m_clock;
    Random &m_random;
    Scheduler &m_scheduler;
    ServiceSettings m_settings;

    std::optional<KeyGenerator> m_keys; ///< none until the journal has told the newest key
    std::map<IdempotencyKey, Live> m_live;
    std::deque<Queued> m_queue;
    std::set<IdempotencyKey> m_openBefore; ///< when the program began
    InquiryQueue m_inquiries;
    std::optional<qint64> m_turnAwaitedMs;
    ResumeWatch m_resumes;
    Supervisor m_supervisor;
    std::optional<BankIdentity> m_bank;
    std::vector<AttemptId> m_waitingForBank;
    bool m_learning = false;
    bool m_taking = false;
    bool m_recordingAgain = false;
    BankLink m_link = BankLink::NotTriedYet;
    std::shared_ptr<bool> m_alive; ///< scheduled calls outlive nobody
};

} // namespace ikkai

Q_DECLARE_METATYPE(ikkai::StartRequest)
Q_DECLARE_METATYPE(ikkai::StartRejection)
Q_DECLARE_METATYPE(ikkai::OverrideRequest)
Q_DECLARE_METATYPE(ikkai::WriteOffRequest)
Q_DECLARE_METATYPE(ikkai::SupervisorAnswer)
Q_DECLARE_METATYPE(ikkai::InquiryPlan)
Q_DECLARE_METATYPE(ikkai::BankLink)
Q_DECLARE_METATYPE(ikkai::JournalError)
