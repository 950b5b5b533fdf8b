#include "core/checkout/checkout_service.h"

#include "core/checkout/recovery.h"
#include "core/gateway/wire_codec.h"

#include <QtCore/QPointer>
#include <QtCore/QThreadPool>

#include <algorithm>
#include <utility>

namespace ikkai {

namespace {

constexpr qint64 recordAgainAfterMs = 1'000;
constexpr size_t finalCheckoutsKept = 256; ///< for answers that come late within this session

/// The bank's word must not be lost for a full disk; what a person or a timer asks for can simply be refused.
bool isBanksWord(const EventBody &body)
{
    return std::holds_alternative<event::AttemptEnded>(body) || std::holds_alternative<event::LateAnswer>(body) ||
           std::holds_alternative<event::InquiryEnded>(body) || std::holds_alternative<event::VoidEnded>(body);
}

/// What a timer or the start of the program asks for has to happen sooner or later.
bool comesAgain(const EventBody &body)
{
    return std::holds_alternative<event::WaitElapsed>(body) || std::holds_alternative<event::VoidWaitElapsed>(body) ||
           std::holds_alternative<event::Restarted>(body);
}

Elsewhere onThePool(QObject *here)
{
    return [here](std::function<bool()> work, std::function<void(bool)> done) {
        QThreadPool::globalInstance()->start([here = QPointer<QObject>(here), work, done] {
            const bool result = work();
            if (here)
                QMetaObject::invokeMethod(
                    here, [done, result] { done(result); }, Qt::QueuedConnection);
        });
    };
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
    , m_resumes(clock.now())
    , m_supervisor(journal, m_settings.elsewhere ? m_settings.elsewhere : onThePool(this))
    , m_alive(std::make_shared<bool>(true))
{
    m_gateway.setSink(this);
}

CheckoutService::~CheckoutService()
{
    *m_alive = false;
    m_gateway.setSink(nullptr);
}

void CheckoutService::recover()
{
    const auto newest = m_journal.newestKey();
    const auto open = m_journal.openKeys();
    if (!newest || !open) {
        Q_EMIT journalFailed(newest ? open.error() : newest.error());
        Q_EMIT recovered();
        return;
    }
    for (const IdempotencyKey &key : *open) {
        const auto events = m_journal.events(key);
        if (!events) {
            Q_EMIT journalFailed(events.error());
            Q_EMIT recovered();
            return;
        }
        auto checkout = fold(*events);
        if (!checkout) {
            Q_EMIT journalFailed(
                {JournalError::Kind::Corrupt, {}, key.text() + QStringLiteral(": ") + checkout.error()});
            Q_EMIT recovered();
            return;
        }
        m_live.insert_or_assign(key, Live{std::move(checkout).value(), {}});
        m_openBefore.insert(key);
    }
    m_keys.emplace(*newest);
    for (const IdempotencyKey &key : *open)
        post(key, event::Restarted{m_clock.bootId()});
    learnBank();
    Q_EMIT recovered();
}

const Checkout *CheckoutService::openAtAnotherLedger() const
{
    if (!m_bank)
        return nullptr;
    for (const auto &[key, live] : m_live) {
        const Checkout &checkout = live.checkout;
        if (isOpen(checkout.state) && !checkout.ledgerId.isEmpty() && checkout.ledgerId != m_bank->ledgerId)
            return &checkout;
    }
    return nullptr;
}

std::optional<StartRejection> CheckoutService::reasonAgainst(const StartRequest &request,
                                                             const std::optional<IdempotencyKey> &overridden)
{
    using Why = StartRejection::Why;
    if (!m_keys)
        return StartRejection{Why::CannotRecord, request, {}, QStringLiteral("the journal was not read")};
    for (const auto &[key, live] : m_live) {
        if (key != overridden && live.checkout.order == request.order &&
            (isOpen(live.checkout.state) || !live.unrecorded.empty()))
            return StartRejection{Why::OrderIsOpen, request, live.checkout, {}};
    }
    if (m_bank && !m_bank->authorized) {
        m_bank.reset(); // the key may have been put right at the bank meanwhile: the next press asks again
        learnBank();
        return StartRejection{Why::ApiKeyRefused, request, {}, {}};
    }
    if (const Checkout *elsewhere = openAtAnotherLedger()) {
        const StartRejection rejection{Why::OtherLedger, request, *elsewhere, {}};
        learnBank(); // the earlier bank may be there again by the next press
        return rejection;
    }
    if (request.secondSale == SecondSale::Confirmed)
        return {};
    const auto keys = m_journal.keysOfOrder(request.order);
    if (!keys)
        return StartRejection{Why::CannotRecord, request, {}, describe(keys.error())};
    for (const IdempotencyKey &key : *keys) {
        const auto events = m_journal.events(key);
        if (!events)
            return StartRejection{Why::CannotRecord, request, {}, describe(events.error())};
        const auto checkout = fold(*events);
        if (checkout && std::holds_alternative<state::Approved>(checkout->state))
            return StartRejection{Why::AlreadyPaid, request, *checkout, {}};
    }
    return {};
}

void CheckoutService::start(const StartRequest &request)
{
    if (const auto rejection = reasonAgainst(request, {}))
        Q_EMIT startRejected(*rejection);
    else
        begin(request, {});
}

IdempotencyKey CheckoutService::makeKey(qint64 wallMs)
{
    return m_keys->next(wallMs, m_random.next64(), m_random.next64());
}

void CheckoutService::begin(const StartRequest &request, const std::optional<IdempotencyKey> &replaces)
{
    const Stamp at = m_clock.now();
    const IdempotencyKey key = makeKey(at.wallMs);
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
    };
    const Step step = ikkai::begin(started, at);
    const Event first{at, started};
    if (const auto recorded = m_journal.append(1, first, step.after); !recorded) {
        Q_EMIT journalFailed(recorded.error());
        Q_EMIT startRejected({StartRejection::Why::CannotRecord, request, {}, describe(recorded.error())});
        return;
    }
    endOtherRuns(key);
    Live &live = m_live.insert_or_assign(key, Live{step.after, {}}).first->second;
    settle(live, first, step);
    takeQueued();
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
    while (!m_queue.empty()) {
        Queued next = std::move(m_queue.front());
        m_queue.pop_front();
        take(std::move(next));
    }
    m_taking = false;
}

/// Every checkout that waits for something is told that the machine slept, before anything else happens to it.
bool CheckoutService::noteSleep()
{
    const auto sleptMs = m_resumes.sleptMs(m_clock.now());
    if (!sleptMs)
        return false;
    std::vector<IdempotencyKey> waiting;
    for (const auto &[key, live] : m_live) {
        if (isAutomatic(live.checkout.state) || std::holds_alternative<state::VoidPending>(live.checkout.state))
            waiting.push_back(key);
    }
    for (const IdempotencyKey &key : waiting)
        take({key, event::Resumed{*sleptMs, quint32(m_random.next64())}, false});
    m_inquiries.drain(m_clock.now().monotonicMs, quint32(m_random.next64()));
    return true;
}

void CheckoutService::take(Queued queued)
{
    const bool isOldTimer = std::holds_alternative<event::WaitElapsed>(queued.body) ||
                            std::holds_alternative<event::VoidWaitElapsed>(queued.body);
    if (noteSleep() && isOldTimer)
        return; // its wait has just been planned anew
    Live *live = find(queued.key);
    if (!live)
        return;
    const Event event{m_clock.now(), queued.body};
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
    Q_EMIT journalFailed(recorded.error());
    if (isBanksWord(event.body)) {
        keepUnrecorded(*live, {seq, event, std::move(step)});
    } else if (const auto *learned = std::get_if<event::BankLearned>(&event.body)) {
        // Unrecorded means unsent: the attempt that waited for the bank's identity ends without a byte.
        post(queued.key, event::AttemptEnded{learned->attempt,
                                             verdict::NotSent{verdict::NotSent::Why::BankNotLearned},
                                             0,
                                             0,
                                             quint32(m_random.next64()),
                                             {}});
    } else if (comesAgain(event.body)) {
        m_scheduler.at(event.at.monotonicMs + recordAgainAfterMs, [this, alive = m_alive, queued] {
            if (*alive)
                post(queued.key, queued.body);
        });
    } else {
        show(*live);
    }
}

void CheckoutService::keepUnrecorded(Live &live, Unrecorded unrecorded)
{
    const Checkout before = std::exchange(live.checkout, unrecorded.step.after);
    watch(before, live.checkout);
    live.unrecorded.push_back(std::move(unrecorded));
    show(live);
    recordAgainLater();
}

void CheckoutService::recordAgainLater()
{
    if (std::exchange(m_recordingAgain, true))
        return;
    m_scheduler.at(m_clock.now().monotonicMs + recordAgainAfterMs, [this, alive = m_alive] {
        if (*alive)
            recordAgain();
    });
}

void CheckoutService::recordAgain()
{
    m_recordingAgain = false;
    bool someLeft = false;
    m_taking = true; // what the commands report back waits until the list has been walked
    for (auto &[key, live] : m_live) {
        while (!live.unrecorded.empty()) {
            const Unrecorded oldest = live.unrecorded.front();
            if (!m_journal.append(oldest.seq, oldest.event, oldest.step.after)) {
                someLeft = true;
                break;
            }
            live.unrecorded.pop_front();
            Q_EMIT eventRecorded(oldest.event, oldest.step.after);
            for (const Command &command : oldest.step.commands)
                carryOut(command);
            show(live);
        }
    }
    m_taking = false;
    if (someLeft)
        recordAgainLater();
    takeQueued();
}

void CheckoutService::settle(Live &live, const Event &event, const Step &step)
{
    const Checkout before = std::exchange(live.checkout, step.after);
    Q_EMIT eventRecorded(event, live.checkout);
    show(live);
    watch(before, live.checkout);
    for (const Command &command : step.commands)
        carryOut(command);

    size_t finals = size_t(std::count_if(m_live.begin(), m_live.end(), [](const auto &entry) {
        return isFinal(entry.second.checkout.state) && entry.second.unrecorded.empty();
    }));
    for (auto it = m_live.begin(); finals > finalCheckoutsKept && it != m_live.end();) {
        if (isFinal(it->second.checkout.state) && it->second.unrecorded.empty()) {
            it = m_live.erase(it);
            --finals;
        } else {
            ++it;
        }
    }
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

CheckoutService::Live *CheckoutService::find(const IdempotencyKey &key)
{
    const auto it = m_live.find(key);
    return it == m_live.end() ? nullptr : &it->second;
}

CheckoutService::Live *CheckoutService::findOrRead(const IdempotencyKey &key)
{
    if (Live *live = find(key))
        return live;
    const auto events = m_journal.events(key);
    if (!events) {
        Q_EMIT journalFailed(events.error());
        return nullptr;
    }
    auto checkout = fold(*events);
    if (!checkout) // no such key
        return nullptr;
    return &m_live.insert_or_assign(key, Live{std::move(checkout).value(), {}}).first->second;
}

} // namespace ikkai
