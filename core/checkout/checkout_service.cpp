#include "core/checkout/checkout_service.h"

#include "core/checkout/recovery.h"
#include "core/checkout/retry_after.h"
#include "core/gateway/wire_codec.h"

#include <algorithm>
#include <utility>

namespace ikkai {

namespace {

constexpr qint64 recordAgainAfterMs = 1'000;
constexpr qint64 learnAgainAfterMs = 5'000;
constexpr size_t finalCheckoutsKept = 256; ///< for answers that come late within this session

verdict::NotSent::Why whyNotLearned(Transmission::End end)
{
    switch (end) {
    case Transmission::End::ConnectionRefused:
        return verdict::NotSent::Why::ConnectionRefused;
    case Transmission::End::HostNotFound:
        return verdict::NotSent::Why::HostNotFound;
    case Transmission::End::TlsFailed:
        return verdict::NotSent::Why::TlsFailed;
    case Transmission::End::Answered:
    case Transmission::End::DeadlinePassed:
    case Transmission::End::ConnectionLost:
    case Transmission::End::ResendPrevented:
    case Transmission::End::AnswerCut:
        return verdict::NotSent::Why::BankNotLearned;
    }
    Q_UNREACHABLE();
}

/// The bank's word must not be lost for a full disk; what a person or a timer asks for can simply be refused.
bool isBanksWord(const EventBody &body)
{
    return std::holds_alternative<event::AttemptEnded>(body) || std::holds_alternative<event::LateAnswer>(body) ||
           std::holds_alternative<event::InquiryEnded>(body) || std::holds_alternative<event::VoidEnded>(body);
}

std::optional<qint64> bankDateMs(const Transmission &transmission)
{
    return transmission.answer ? httpDateMs(transmission.answer->header("date")) : std::nullopt;
}

ExpectedEcho expectedEcho(const Checkout &checkout)
{
    return {checkout.key, checkout.order, checkout.money, checkout.ledgerId};
}

EarlierAttempts earlierAttempts(const Checkout &checkout, int attempt)
{
    const bool allNotSent =
        std::all_of(checkout.attempts.begin(), checkout.attempts.end(), [&](const AttemptRecord &record) {
            return record.number == attempt ||
                   (record.verdict && std::holds_alternative<verdict::NotSent>(*record.verdict));
        });
    return allNotSent ? EarlierAttempts::AllNotSent : EarlierAttempts::SomeUnanswered;
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
    }
    m_keys.emplace(*newest);
    for (const IdempotencyKey &key : *open)
        post(key, event::Restarted{m_clock.bootId()});
    learnBank();
    Q_EMIT recovered();
}

std::optional<StartRejection> CheckoutService::reasonAgainst(const StartRequest &request)
{
    using Why = StartRejection::Why;
    if (!m_keys)
        return StartRejection{Why::CannotRecord, request, {}, QStringLiteral("the journal was not read")};
    for (const auto &[key, live] : m_live) {
        if (live.checkout.order == request.order && (isOpen(live.checkout.state) || !live.unrecorded.empty()))
            return StartRejection{Why::OrderIsOpen, request, live.checkout, {}};
    }
    if (m_bank && !m_bank->authorized) {
        m_bank.reset(); // the key may have been put right at the bank meanwhile: the next press asks again
        learnBank();
        return StartRejection{Why::ApiKeyRefused, request, {}, {}};
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
    if (const auto rejection = reasonAgainst(request)) {
        Q_EMIT startRejected(*rejection);
        return;
    }
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
    };
    const Step step = begin(started, at);
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

void CheckoutService::checkNow(const IdempotencyKey &key)
{
    post(key, event::InquiryStarted{});
}

void CheckoutService::tryAgain(const IdempotencyKey &key)
{
    endOtherRuns(key);
    post(key, event::TriedAgain{m_settings.policy});
}

void CheckoutService::leaveOpen(const IdempotencyKey &key)
{
    post(key, event::LeftOpen{});
}

void CheckoutService::voidSafely(const IdempotencyKey &key)
{
    const Live *live = find(key);
    if (!live || !std::holds_alternative<state::Unknown>(live->checkout.state))
        return;
    const IdempotencyKey voidKey = m_keys->next(m_clock.now().wallMs, m_random.next64(), m_random.next64());
    post(key, event::VoidStarted{voidKey, voidBody(key, live->checkout.order, live->checkout.money), {}});
}

void CheckoutService::overrideOpen(const OverrideRequest &request)
{
    Q_EMIT supervisorAnswered({SupervisorAnswer::What::NoPin, request.open, 0, {}});
}

void CheckoutService::writeOff(const WriteOffRequest &request)
{
    Q_EMIT supervisorAnswered({SupervisorAnswer::What::NoPin, request.key, 0, {}});
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

void CheckoutService::take(Queued queued)
{
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
    } else if (std::holds_alternative<event::WaitElapsed>(event.body)) {
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
    live.checkout = unrecorded.step.after;
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
    if (someLeft)
        recordAgainLater();
    takeQueued();
}

void CheckoutService::settle(Live &live, const Event &event, const Step &step)
{
    live.checkout = step.after;
    Q_EMIT eventRecorded(event, live.checkout);
    show(live);
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

void CheckoutService::carryOut(const Command &command)
{
    std::visit([this](const auto &one) { carryOut(one); }, command);
}

void CheckoutService::carryOut(const command::LearnBank &learn)
{
    m_waitingForBank.push_back(learn.attempt);
    learnBank();
}

void CheckoutService::carryOut(const command::SendCharge &send)
{
    m_gateway.charge({send.attempt, send.body, send.expectLedger, send.deadlineMs});
}

void CheckoutService::carryOut(const command::StartWait &wait)
{
    m_scheduler.at(wait.untilMonotonicMs, [this, alive = m_alive, wait] {
        if (*alive)
            post(wait.key, event::WaitElapsed{wait.nextAttempt});
    });
}

void CheckoutService::carryOut(const command::SendInquiry &inquiry)
{
    m_gateway.inquire({inquiry.key, inquiry.expectLedger, inquiry.deadlineMs});
}

void CheckoutService::carryOut(const command::SendVoid &send)
{
    m_gateway.voidCharge({send.key, send.voidKey, send.voidTry, send.body, send.expectLedger, send.deadlineMs});
}

void CheckoutService::carryOut(const command::StartVoidWait &wait)
{
    m_scheduler.at(wait.untilMonotonicMs, [this, alive = m_alive, wait] {
        if (*alive)
            post(wait.key, event::VoidWaitElapsed{wait.nextTry});
    });
}

void CheckoutService::learnBank()
{
    if (m_learning)
        return;
    m_learning = true;
    m_gateway.learnBank(m_settings.policy.attemptDeadlineMs);
}

void CheckoutService::bankLearned(const Result<BankIdentity, Transmission> &identity)
{
    m_learning = false;
    const std::vector<AttemptId> waiting = std::exchange(m_waitingForBank, {});
    if (identity) {
        m_bank = *identity;
        setLink(identity->authorized ? BankLink::Online : BankLink::ApiKeyRefused);
    } else {
        setLink(identity.error().end);
    }
    for (const AttemptId &attempt : waiting) {
        if (identity && identity->authorized) {
            post(attempt.key, event::BankLearned{attempt.number, identity->ledgerId, identity->keyTtlMs});
        } else {
            const auto why = identity ? verdict::NotSent::Why::ApiKeyRefused : whyNotLearned(identity.error().end);
            post(attempt.key, event::AttemptEnded{attempt.number,
                                                  verdict::NotSent{why},
                                                  0,
                                                  identity ? 0 : identity.error().elapsedMs,
                                                  quint32(m_random.next64()),
                                                  {}});
        }
    }
    if (!identity) {
        m_scheduler.at(m_clock.now().monotonicMs + learnAgainAfterMs, [this, alive = m_alive] {
            if (*alive && !m_bank)
                learnBank();
        });
    }
}

void CheckoutService::attemptEnded(const AttemptId &attempt, const Transmission &transmission)
{
    const Live *live = find(attempt.key);
    if (!live)
        return;
    setLink(transmission.end);
    const ChargeVerdict verdict =
        classifyCharge(transmission, expectedEcho(live->checkout), earlierAttempts(live->checkout, attempt.number));
    if (std::holds_alternative<verdict::OtherLedger>(verdict)) {
        m_bank.reset(); // another ledger answers there now: the next checkout asks who it is
        learnBank();
    }
    post(attempt.key, event::AttemptEnded{attempt.number, verdict, transmission.wireSends, transmission.elapsedMs,
                                          quint32(m_random.next64()), bankDateMs(transmission)});
}

void CheckoutService::lateAnswer(const AttemptId &attempt, const Transmission &transmission)
{
    const Live *live = find(attempt.key);
    if (!live)
        return;
    setLink(transmission.end);
    // Late, so this attempt was unanswered once: no refusal can be believed any more.
    post(attempt.key,
         event::LateAnswer{attempt.number,
                           classifyCharge(transmission, expectedEcho(live->checkout), EarlierAttempts::SomeUnanswered),
                           bankDateMs(transmission)});
}

void CheckoutService::inquiryEnded(const IdempotencyKey &key, const Transmission &transmission)
{
    const Live *live = find(key);
    if (!live)
        return;
    setLink(transmission.end);
    post(key,
         event::InquiryEnded{classifyInquiry(transmission, expectedEcho(live->checkout)), bankDateMs(transmission)});
}

void CheckoutService::voidEnded(const IdempotencyKey &key, int voidTry, const Transmission &transmission)
{
    const Live *live = find(key);
    if (!live)
        return;
    setLink(transmission.end);
    post(key,
         event::VoidEnded{voidTry, classifyVoid(transmission, expectedEcho(live->checkout)), transmission.wireSends,
                          transmission.elapsedMs, quint32(m_random.next64()), bankDateMs(transmission)});
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

void CheckoutService::setLink(Transmission::End end)
{
    switch (end) {
    case Transmission::End::Answered:
        setLink(BankLink::Online);
        return;
    case Transmission::End::ConnectionRefused:
    case Transmission::End::HostNotFound:
    case Transmission::End::TlsFailed:
        setLink(BankLink::Unreachable);
        return;
    case Transmission::End::DeadlinePassed:
    case Transmission::End::ConnectionLost:
    case Transmission::End::ResendPrevented:
    case Transmission::End::AnswerCut:
        setLink(BankLink::NotAnswering);
        return;
    }
}

void CheckoutService::setLink(BankLink link)
{
    if (std::exchange(m_link, link) != link)
        Q_EMIT bankLinkChanged(link);
}

CheckoutService::Live *CheckoutService::find(const IdempotencyKey &key)
{
    const auto it = m_live.find(key);
    return it == m_live.end() ? nullptr : &it->second;
}

} // namespace ikkai
