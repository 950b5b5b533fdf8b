#pragma once

#include "core/checkout/checkout.h"
#include "core/checkout/classify.h"
#include "core/checkout/inquiry_queue.h"
#include "core/checkout/requests.h"
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
#include <QtCore/QThreadPool>

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace ikkai {

/// What the last real result says of the way to the bank.
enum class BankLink {
    NotTriedYet,
    Online,
    NotAnswering, ///< it is reached, or may be, and says nothing
    Unreachable,
    ApiKeyRefused,
    OtherLedger ///< a bank answers, but not the one at which a checkout is open here
};

struct ServiceSettings {
    QString terminalId = QStringLiteral("till-1");
    QString bankAt = QStringLiteral("embedded"); ///< URL, or `embedded`
    RetryPolicy policy;
    qint64 inquiryDeadlineMs = 3'000; ///< of those that go on by themselves
    Elsewhere elsewhere = {};         ///< where a supervisor's PIN is hashed; empty: on a thread of its own
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
    /// Folds what is open, journals Restarted for each, learns the bank, asks it about each, one by one. Call once,
    /// first. Emits openChanged.
    void recover();
    void start(const ikkai::StartRequest &request);
    // Everything that is asked for here meets one guard: a press that means nothing (any more) is not journalled, and
    // the checkout is shown again as it is.

    /// Asks the bank now, whatever is planned, also about a settled checkout of any age: a word against it becomes a
    /// contradiction. Not while tries or a void run by themselves.
    void checkNow(const ikkai::IdempotencyKey &key);
    /// From Unknown only. Emits startRejected where the bank that answers now is not the one of this checkout, or
    /// refuses the API key.
    void tryAgain(const ikkai::IdempotencyKey &key);
    /// Ends automatic tries.
    void leaveOpen(const ikkai::IdempotencyKey &key);
    /// From Unknown only: the point of no return. Journalled first; sent until the bank has answered it.
    void voidSafely(const ikkai::IdempotencyKey &key);
    void overrideOpen(const ikkai::OverrideRequest &request);
    /// A mismatch, or a ledger that is gone for good: only while a bank with another ledger answers.
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
    void recovered();
    /// A checkout that was open when this program started is settled, and nobody here had a hand in it: "finished
    /// while you were away". Once for each.
    void settledMeanwhile(const ikkai::Checkout &checkout);

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
        std::optional<qint64> voidEndedMs = {}; ///< monotonic; the newest try of its void
        bool mustEnd = false; ///< another was started, but the end of this one's tries is not on disk yet
    };
    /// How the bank that answers now stands to a checkout.
    enum class BankFor { NotKnown, Right, OtherLedger, KeyRefused };

    void bankLearned(const Result<BankIdentity, Transmission> &identity) override;
    void attemptEnded(const AttemptId &attempt, const Transmission &transmission) override;
    void lateAnswer(const AttemptId &attempt, const Transmission &transmission) override;
    void inquiryEnded(const IdempotencyKey &key, const Transmission &transmission) override;
    void voidEnded(const IdempotencyKey &key, int voidTry, const Transmission &transmission) override;

    // checkout_service.cpp: one event at a time, each on disk before anything follows
    [[nodiscard]] std::optional<StartRejection> reasonAgainst(const StartRequest &request,
                                                              const std::optional<IdempotencyKey> &replaces);
    [[nodiscard]] const Checkout *openCheckoutOf(const OrderId &order, const std::optional<IdempotencyKey> &replaces);
    std::optional<JournalError> begin(const StartRequest &request, const std::optional<IdempotencyKey> &replaces = {},
                                      const QString &overrideReason = {});
    void endOtherRuns(const IdempotencyKey &key);
    void post(const IdempotencyKey &key, EventBody body);
    void takeQueued();
    void take(Queued queued);
    void cannotRecord(const JournalError &error);
    void keepUnrecorded(Live &live, Unrecorded unrecorded);
    void recordAgainLater();
    void recordAgain();
    void settle(Live &live, const Event &event, const Step &step);
    void isRecorded(Live &live);
    void forgetOldFinals();
    void watchForSleep();
    void noteSleep();
    void show(const Live &live);
    void at(qint64 monotonicMs, std::function<void()> call);
    [[nodiscard]] quint32 draw() { return quint32(m_random.next64()); }

    // checkout_service_bank.cpp: commands out, reports in, the link, inquiries that go on by themselves
    void carryOut(const Command &command);
    void carryOut(const command::LearnBank &learn);
    void carryOut(const command::SendCharge &send);
    void carryOut(const command::StartWait &wait);
    void carryOut(const command::SendInquiry &inquiry);
    void carryOut(const command::SendVoid &send);
    void carryOut(const command::StartVoidWait &wait);
    void endHeldVoid(const command::SendVoid &send, voiding::Nothing::Why why);
    void sendHeldVoids(std::optional<voiding::Nothing::Why> whyNot);
    void learnBank();
    void forgetBank();
    void probeLater();
    [[nodiscard]] BankFor bankFor(const Checkout &checkout) const;
    [[nodiscard]] const Checkout *openElsewhere(const QString &ledgerId) const;
    void noteReport(const Transmission &transmission, bool isOtherLedger);
    void setLink(BankLink link);
    void reconnected();
    void reviewInquiry(const Live &live, InquiryQueue::First first);
    void reviewInquiries(InquiryQueue::First first);
    void askNext();

    // checkout_service_people.cpp: the cashier and the supervisor
    [[nodiscard]] event::VoidStarted newVoid(const Checkout &checkout, const QString &overrideReason);
    void answerSupervisor(const IdempotencyKey &key, SupervisorAnswer::What what, const QString &detail = {});
    void admit(const IdempotencyKey &key, const QString &pin, const QString &reason, std::function<void()> allowed);
    [[nodiscard]] std::optional<QString> reasonAgainst(const OverrideRequest &request);
    void overrideNow(OverrideRequest request);
    [[nodiscard]] Result<state::WrittenOff::Why, QString> reasonToWriteOff(const IdempotencyKey &key);
    void writeOffNow(const WriteOffRequest &request);
    [[nodiscard]] QString lastJournalError() const;

    Live *find(const IdempotencyKey &key);
    Live *findOrRead(const IdempotencyKey &key);

    Journal &m_journal;
    PaymentGateway &m_gateway;
    Clock &m_clock;
    Random &m_random;
    Scheduler &m_scheduler;
    ServiceSettings m_settings;

    std::optional<KeyGenerator> m_keys; ///< none until the journal has told the newest key
    bool m_isJournalRead = false;       ///< every open checkout could be read
    std::optional<JournalError> m_lastError;
    std::map<IdempotencyKey, Live> m_live;
    std::set<IdempotencyKey> m_recovered; ///< open since before the start, and untouched by anybody here
    std::deque<Queued> m_queue;
    bool m_taking = false;
    bool m_recordingAgain = false;
    ResumeWatch m_sleep;

    std::optional<BankIdentity> m_bank;
    bool m_learning = false;
    std::vector<AttemptId> m_waitingForBank;
    std::vector<command::SendVoid> m_heldVoids; ///< started while it is not known which bank answers
    BankLink m_link = BankLink::NotTriedYet;
    bool m_probing = false;
    int m_probes = 0; ///< since the bank last answered anything else
    qint64 m_lastProbeMs = 0;
    InquiryQueue m_inquiries;
    std::optional<qint64> m_askingAtMs; ///< a call to askNext is scheduled

    QThreadPool m_elsewhere; ///< of one thread
    Supervisor m_supervisor;
    std::shared_ptr<bool> m_alive; ///< scheduled calls outlive nobody
};

} // namespace ikkai

Q_DECLARE_METATYPE(ikkai::SupervisorAnswer)
Q_DECLARE_METATYPE(ikkai::BankLink)
Q_DECLARE_METATYPE(ikkai::JournalError)
