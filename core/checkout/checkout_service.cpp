#include "core/checkout/checkout_service.h"

#include "core/checkout/guard.h"
#include "core/checkout/recovery.h"
#include "core/gateway/wire_codec.h"

#include <algorithm>
#include <utility>

namespace ikkai {

namespace {

constexpr qint64 recordAgainAfterMs = 1'000;
constexpr qint64 watchForSleepEveryMs = 2'000;
constexpr size_t finalCheckoutsKept = 256; ///< for answers that come late within this session

/// The bank's word must not be lost for a full disk; what a person asks for can simply be refused.
bool isBanksWord(const EventBody &body)
{
    return std::holds_alternative<event::AttemptEnded>(body) || std::holds_alternative<event::LateAnswer>(body) ||
           std::holds_alternative<event::InquiryEnded>(body) || std::holds_alternative<event::VoidEnded>(body);
}

/// Without these a checkout would stand still, or a run go on that has to end.
bool mustComeAgain(const EventBody &body)
{
    return std::holds_alternative<event::WaitElapsed>(body) || std::holds_alternative<event::VoidWaitElapsed>(body) ||
           std::holds_alternative<event::Restarted>(body) || std::holds_alternative<event::AnotherStarted>(body);
}

/// A PIN takes tenths of a second, on purpose, in which money must not wait.
Elsewhere onThreadOf(QThreadPool &pool, QObject *here)
{
    return [&pool, here](std::function<bool()> work, std::function<void(bool)> done) {
        pool.start([here, work = std::move(work), done = std::move(done)] {
            const bool result = work();
            QMetaObject::invokeMethod(
                here, [done, result] { done(result); }, Qt::QueuedConnection);
        });
    };
}

Result<Checkout, JournalError> readCheckout(Journal &journal, const IdempotencyKey &key)
{
    const auto events = journal.events(key);
    if (!events)
        return events.error();
    auto checkout = fold(*events);
    if (!checkout)
        return JournalError{JournalError::Kind::Corrupt, {}, key.text() + QStringLiteral(": ") + checkout.error()};
    return std::move(checkout).value();
}

} // namespace

CheckoutService::CheckoutService(Journal &journal, PaymentGateway &gateway, Clock &clock, Random &random,
                                 Scheduler &scheduler, ServiceSettings settings, QObject *parent)
    : QObject(parent)
    , m_journal(journal)
    , m_gateway(gateway)
    , m_clock(clock)
    , m_random(random)
    , m_scheduler(scheduler)
    , m_settings(std::move(settings))
    , m_sleep(clock.now())
    , m_supervisor(journal, m_settings.elsewhere ? m_settings.elsewhere : onThreadOf(m_elsewhere, this))
    , m_alive(std::make_shared<bool>(true))
{
    m_elsewhere.setMaxThreadCount(1);
    m_gateway.setSink(this);
}

CheckoutService::~CheckoutService()
{
    *m_alive = false;
    m_elsewhere.waitForDone(); // it reports to this object
    m_gateway.setSink(nullptr);
}

void CheckoutService::recover()
{
    watchForSleep();
    const auto newest = m_journal.newestKey();
    const auto open = m_journal.openKeys();
    if (newest && open) {
        m_isJournalRead = true;
        m_keys.emplace(*newest);
        for (const IdempotencyKey &key : *open) {
            auto checkout = readCheckout(m_journal, key);
            if (checkout) {
                m_live.insert_or_assign(key, Live{std::move(checkout).value(), {}});
                m_recovered.insert(key);
            } else {
                m_isJournalRead = false; // what can be read is looked after, but nothing new is begun beside it
                cannotRecord(checkout.error());
            }
        }
        for (const IdempotencyKey &key : std::set(m_recovered))
            post(key, event::Restarted{m_clock.bootId()});
        learnBank();
    } else {
        cannotRecord(newest ? open.error() : newest.error());
    }
    Q_EMIT recovered();
}

const Checkout *CheckoutService::openCheckoutOf(const OrderId &order, const std::optional<IdempotencyKey> &replaces)
{
    const Checkout *found = nullptr; // the newest: it is the one that is not being cancelled for another
    for (const auto &[key, live] : m_live) {
        const bool isOverridden = replaces && (key == *replaces || isVoiding(live.checkout.state));
        const bool isUnsettled = isOpen(live.checkout.state) || !live.unrecorded.empty();
        if (live.checkout.order == order && isUnsettled && !isOverridden)
            found = &live.checkout;
    }
    return found;
}

std::optional<StartRejection> CheckoutService::reasonAgainst(const StartRequest &request,
                                                             const std::optional<IdempotencyKey> &replaces)
{
    using Why = StartRejection::Why;
    if (!m_isJournalRead)
        return StartRejection{Why::CannotRecord, request, {}, QStringLiteral("the journal was not read")};
    if (const Checkout *open = openCheckoutOf(request.order, replaces))
        return StartRejection{Why::OrderIsOpen, request, *open, {}};
    if (m_bank && !m_bank->authorized) {
        forgetBank(); // the key may have been put right at the bank meanwhile: the next press asks again
        return StartRejection{Why::ApiKeyRefused, request, {}, {}};
    }
    if (const Checkout *elsewhere = m_bank ? openElsewhere(m_bank->ledgerId) : nullptr) {
        const StartRejection rejection{Why::OtherLedger, request, *elsewhere, {}};
        learnBank(); // the right one may be there again by the next press
        return rejection;
    }
    if (request.secondSale == SecondSale::Confirmed)
        return {};
    const auto keys = m_journal.keysOfOrder(request.order);
    if (!keys)
        return StartRejection{Why::CannotRecord, request, {}, describe(keys.error())};
    for (const IdempotencyKey &key : *keys) {
        const auto checkout = readCheckout(m_journal, key);
        if (!checkout)
            return StartRejection{Why::CannotRecord, request, {}, describe(checkout.error())};
        if (std::holds_alternative<state::Approved>(checkout->state))
            return StartRejection{Why::AlreadyPaid, request, *checkout, {}};
    }
    return {};
}

void CheckoutService::start(const StartRequest &request)
{
    auto rejection = reasonAgainst(request, {});
    if (!rejection) {
        if (const auto error = begin(request))
            rejection = StartRejection{StartRejection::Why::CannotRecord, request, {}, describe(*error)};
    }
    if (rejection)
        Q_EMIT startRejected(*rejection);
}

std::optional<JournalError> CheckoutService::begin(const StartRequest &request,
                                                   const std::optional<IdempotencyKey> &replaces,
                                                   const QString &overrideReason)
{
    const Stamp at = m_clock.now();
    const IdempotencyKey key = m_keys->next(at.wallMs, m_random.next64(), m_random.next64());
    const event::CheckoutStarted started{
        key,
        request.order,
        request.money,
        request.source,
        m_settings.terminalId,
        chargeBody(request.order, request.money, request.source, m_settings.terminalId),
        m_settings.bankAt,
        m_bank ? m_bank->ledgerId : QString(),
        m_bank ? m_bank->keyTtlMs : BankIdentity().keyTtlMs,
        m_settings.policy,
        m_clock.bootId(),
        replaces,
        overrideReason,
    };
    const Step step = ikkai::begin(started, at);
    const Event first{at, started};
    if (const auto recorded = m_journal.append(1, first, step.after); !recorded) {
        cannotRecord(recorded.error());
        return recorded.error();
    }
    endOtherRuns(key);
    settle(m_live.insert_or_assign(key, Live{step.after, {}}).first->second, first, step);
    takeQueued();
    return {};
}

void CheckoutService::endOtherRuns(const IdempotencyKey &key)
{
    std::vector<IdempotencyKey> running;
    for (const auto &[other, live] : m_live) {
        if (other != key && isAutomatic(live.checkout.state))
            running.push_back(other);
    }
    for (const IdempotencyKey &other : running)
        post(other, event::AnotherStarted{});
}

void CheckoutService::post(const IdempotencyKey &key, EventBody body)
{
    m_queue.push_back({key, std::move(body)});
    takeQueued();
}

void CheckoutService::takeQueued()
{
    if (m_taking)
        return; // a command reported back from inside: its event waits its turn
    m_taking = true;
    noteSleep(); // before a timer that fell due in the sleep has its way
    while (!m_queue.empty()) {
        Queued next = std::move(m_queue.front());
        m_queue.pop_front();
        take(std::move(next));
    }
    m_taking = false;
}

void CheckoutService::take(Queued queued)
{
    Live *live = find(queued.key);
    if (!live)
        return;
    if (live->mustEnd && std::holds_alternative<event::WaitElapsed>(queued.body))
        queued.body = event::AnotherStarted{}; // no try goes before the end that is owed
    const Event event{m_clock.now(), queued.body};
    if (!isTimely(live->checkout, event)) {
        show(*live);
        return;
    }
    Step step = transition(live->checkout, event);

    const bool entersUnknown = std::holds_alternative<state::Unknown>(step.after.state) &&
                               !std::holds_alternative<state::Unknown>(live->checkout.state);
    if (entersUnknown && !queued.drained) {
        m_gateway.drain(); // an answer that has already come in is taken before "unknown" is said
        queued.drained = true;
        m_queue.push_back(std::move(queued));
        return;
    }

    const int seq = live->checkout.nextSeq;
    if (!live->unrecorded.empty()) {
        if (isBanksWord(event.body))
            keepUnrecorded(*live, {seq, event, std::move(step)});
        else
            show(*live); // nothing new is begun on a checkout whose last word is not on disk
        return;
    }
    const auto recorded = m_journal.append(seq, event, step.after);
    if (recorded) {
        settle(*live, event, step);
        return;
    }
    cannotRecord(recorded.error());
    if (isBanksWord(event.body)) {
        keepUnrecorded(*live, {seq, event, std::move(step)});
    } else if (const auto *learned = std::get_if<event::BankLearned>(&event.body)) {
        // Unrecorded means unsent: the attempt that waited for the bank's identity ends without a byte.
        post(queued.key,
             event::AttemptEnded{
                 learned->attempt, verdict::NotSent{verdict::NotSent::Why::BankNotLearned}, 0, 0, draw(), {}});
    } else if (mustComeAgain(event.body)) {
        live->mustEnd = live->mustEnd || std::holds_alternative<event::AnotherStarted>(event.body);
        at(event.at.monotonicMs + recordAgainAfterMs, [this, queued] { post(queued.key, queued.body); });
    } else {
        show(*live);
    }
}

void CheckoutService::cannotRecord(const JournalError &error)
{
    m_lastError = error;
    Q_EMIT journalFailed(error);
}

void CheckoutService::keepUnrecorded(Live &live, Unrecorded unrecorded)
{
    live.checkout = unrecorded.step.after;
    live.unrecorded.push_back(std::move(unrecorded));
    show(live);
    reviewInquiry(live, InquiryQueue::First::Patiently);
    recordAgainLater();
}

void CheckoutService::recordAgainLater()
{
    if (!std::exchange(m_recordingAgain, true))
        at(m_clock.now().monotonicMs + recordAgainAfterMs, [this] { recordAgain(); });
}

void CheckoutService::recordAgain()
{
    m_recordingAgain = false;
    m_taking = true; // what a command reports meanwhile waits its turn
    bool someLeft = false;
    for (auto &[key, live] : m_live) {
        while (!live.unrecorded.empty()) {
            const Unrecorded oldest = live.unrecorded.front();
            if (!m_journal.append(oldest.seq, oldest.event, oldest.step.after)) {
                someLeft = true;
                break;
            }
            live.unrecorded.pop_front();
            Q_EMIT eventRecorded(oldest.event, oldest.step.after);
            show(live);
            for (const Command &command : oldest.step.commands)
                carryOut(command);
            isRecorded(live);
        }
    }
    m_taking = false;
    if (someLeft)
        recordAgainLater();
    takeQueued();
}

void CheckoutService::settle(Live &live, const Event &event, const Step &step)
{
    live.checkout = step.after;
    live.mustEnd = live.mustEnd && isAutomatic(live.checkout.state);
    if (std::holds_alternative<event::VoidEnded>(event.body))
        live.voidEndedMs = event.at.monotonicMs;
    Q_EMIT eventRecorded(event, live.checkout);
    show(live);
    for (const Command &command : step.commands)
        carryOut(command);
    isRecorded(live);
    forgetOldFinals();
}

/// What follows once all that is known of a checkout is on disk.
void CheckoutService::isRecorded(Live &live)
{
    reviewInquiry(live, InquiryQueue::First::Patiently);
    if (!isFinal(live.checkout.state) || !live.unrecorded.empty())
        return;
    if (m_recovered.erase(live.checkout.key) > 0)
        Q_EMIT settledMeanwhile(live.checkout);
    if (m_link == BankLink::OtherLedger && m_bank && !openElsewhere(m_bank->ledgerId))
        setLink(BankLink::Online);
}

void CheckoutService::forgetOldFinals()
{
    const auto isDone = [](const Live &live) {
        return isFinal(live.checkout.state) && live.unrecorded.empty() && !live.checkout.inquiryUnderWay;
    };
    size_t finals =
        size_t(std::count_if(m_live.begin(), m_live.end(), [&](const auto &entry) { return isDone(entry.second); }));
    for (auto it = m_live.begin(); finals > finalCheckoutsKept && it != m_live.end();) {
        if (isDone(it->second)) {
            it = m_live.erase(it);
            --finals;
        } else {
            ++it;
        }
    }
}

void CheckoutService::watchForSleep()
{
    at(m_clock.now().monotonicMs + watchForSleepEveryMs, [this] {
        takeQueued();
        watchForSleep();
    });
}

void CheckoutService::noteSleep()
{
    const Stamp now = m_clock.now();
    const auto sleptMs = m_sleep.sleptMs(now);
    if (!sleptMs)
        return;
    for (const auto &[key, live] : m_live) {
        const event::Resumed resumed{*sleptMs, draw()};
        if (isTimely(live.checkout, {now, resumed}))
            m_queue.push_front({key, resumed});
    }
    m_inquiries.planAnew(now.monotonicMs, draw());
    reviewInquiries(InquiryQueue::First::Patiently);
}

void CheckoutService::show(const Live &live)
{
    Q_EMIT checkoutChanged(live.checkout, live.unrecorded.empty());
    QList<Checkout> open;
    for (const auto &[key, each] : m_live) {
        if (isOpen(each.checkout.state))
            open.append(each.checkout);
    }
    Q_EMIT openChanged(open);
}

/// Runs later, never early, and not at all once this is gone.
void CheckoutService::at(qint64 monotonicMs, std::function<void()> call)
{
    m_scheduler.at(monotonicMs, [this, alive = m_alive, monotonicMs, call = std::move(call)] {
        if (!*alive)
            return;
        if (m_clock.now().monotonicMs < monotonicMs)
            at(monotonicMs, call);
        else
            call();
    });
}

CheckoutService::Live *CheckoutService::find(const IdempotencyKey &key)
{
    const auto it = m_live.find(key);
    return it == m_live.end() ? nullptr : &it->second;
}

/// Also one that was settled long ago. None: never begun here, or it cannot be read.
CheckoutService::Live *CheckoutService::findOrRead(const IdempotencyKey &key)
{
    if (Live *live = find(key))
        return live;
    const auto events = m_journal.events(key);
    if (!events)
        cannotRecord(events.error());
    if (!events || events->empty())
        return nullptr;
    auto checkout = fold(*events);
    if (!checkout || isOpen(checkout->state)) // what is open and could not be read at the start is left alone
        return nullptr;
    Checkout settled = std::move(checkout).value();
    settled.inquiryUnderWay = false; // of an earlier process
    return &m_live.insert_or_assign(key, Live{std::move(settled), {}}).first->second;
}

} // namespace ikkai
