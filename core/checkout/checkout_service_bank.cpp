#include "core/checkout/checkout_service.h"

#include "core/checkout/retry_after.h"

#include <algorithm>
#include <utility>

namespace ikkai {

namespace service_bank {

constexpr qint64 voidsApartFromMs = 300; ///< two voids that a reconnect pulls forward, and a random part of
constexpr qint64 voidsApartPartMs = 400; ///< this much more
constexpr qint64 voidSoonestAgainMs = 1'000;
constexpr qint64 quietAfterMs = 120'000; ///< so long after a probe the next one is the first of another trouble

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

BankLink linkAfter(Transmission::End end)
{
    switch (end) {
    case Transmission::End::Answered:
        return BankLink::Online;
    case Transmission::End::ConnectionRefused:
    case Transmission::End::HostNotFound:
    case Transmission::End::TlsFailed:
        return BankLink::Unreachable;
    case Transmission::End::DeadlinePassed:
    case Transmission::End::ConnectionLost:
    case Transmission::End::ResendPrevented:
    case Transmission::End::AnswerCut:
        return BankLink::NotAnswering;
    }
    Q_UNREACHABLE();
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

/// Asked about by itself: what nobody knows, and what a mismatch stands for until the bank has shown it. Never once a
/// void was started: only its own answer settles then. Nor where the bank was never known: nothing was sent.
bool isInquiredByItself(const Checkout &checkout)
{
    const auto *mismatch = std::get_if<state::KeyMismatch>(&checkout.state);
    const bool isWanted = std::holds_alternative<state::Unknown>(checkout.state) || (mismatch && !mismatch->theirs);
    return isWanted && !checkout.voidIntent && !checkout.ledgerId.isEmpty();
}

/// An inquiry that nobody asked for is recorded only where it changes what is known: a checkout that is open for days
/// must not grow its log.
bool isNews(const Checkout &checkout, const Event &event)
{
    const Checkout after = transition(checkout, event).after;
    return after.state != checkout.state || after.contradiction != checkout.contradiction ||
           after.voidIntent != checkout.voidIntent || keyTooOld(after, event.at) != keyTooOld(checkout, event.at);
}

} // namespace service_bank

using namespace service_bank;

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
    at(wait.untilMonotonicMs, [this, wait] { post(wait.key, event::WaitElapsed{wait.nextAttempt}); });
}

void CheckoutService::carryOut(const command::SendInquiry &inquiry)
{
    if (m_inquiries.personAsks(inquiry.key)) // else one is on the wire already: one answer serves both
        m_gateway.inquire({inquiry.key, inquiry.expectLedger, inquiry.deadlineMs});
    Q_EMIT inquiryPlanned(m_inquiries.planOf(inquiry.key));
}

void CheckoutService::carryOut(const command::SendVoid &send)
{
    const Live *live = find(send.key);
    switch (live ? bankFor(live->checkout) : BankFor::NotKnown) {
    case BankFor::Right:
        m_gateway.voidCharge({send.key, send.voidKey, send.voidTry, send.body, send.expectLedger, send.deadlineMs});
        return;
    case BankFor::NotKnown:
        m_heldVoids.push_back(send);
        learnBank();
        return;
    case BankFor::OtherLedger:
        endHeldVoid(send, voiding::Nothing::Why::OtherLedger);
        return;
    case BankFor::KeyRefused:
        endHeldVoid(send, voiding::Nothing::Why::NotSent);
        return;
    }
}

void CheckoutService::endHeldVoid(const command::SendVoid &send, voiding::Nothing::Why why)
{
    post(send.key, event::VoidEnded{send.voidTry, voiding::Nothing{why, 0, {}}, 0, 0, draw(), {}});
}

void CheckoutService::carryOut(const command::StartVoidWait &wait)
{
    at(wait.untilMonotonicMs, [this, wait] {
        const Live *live = find(wait.key);
        const auto *pending = live ? std::get_if<state::VoidPending>(&live->checkout.state) : nullptr;
        const bool isThisWait =
            pending && pending->nextTry == wait.nextTry && pending->untilMonotonicMs <= m_clock.now().monotonicMs;
        // Where its bank is not there it stays pending without a word in the journal: the link that comes back, or the
        // ledger, pulls it forward.
        if (isThisWait && bankFor(live->checkout) == BankFor::Right)
            post(wait.key, event::VoidWaitElapsed{wait.nextTry});
    });
}

void CheckoutService::sendHeldVoids(std::optional<voiding::Nothing::Why> whyNot)
{
    for (const command::SendVoid &send : std::exchange(m_heldVoids, {})) {
        const Live *live = find(send.key);
        const auto *voiding = live ? std::get_if<state::Voiding>(&live->checkout.state) : nullptr;
        if (!voiding || voiding->voidTry != send.voidTry) // written off meanwhile
            continue;
        if (whyNot)
            endHeldVoid(send, *whyNot);
        else
            carryOut(send);
    }
}

void CheckoutService::learnBank()
{
    if (std::exchange(m_learning, true))
        return;
    m_gateway.learnBank(m_settings.policy.attemptDeadlineMs);
}

void CheckoutService::forgetBank()
{
    m_bank.reset();
    reviewInquiries(InquiryQueue::First::AtOnce);
    learnBank();
}

CheckoutService::BankFor CheckoutService::bankFor(const Checkout &checkout) const
{
    if (!m_bank)
        return BankFor::NotKnown;
    if (!checkout.ledgerId.isEmpty() && checkout.ledgerId != m_bank->ledgerId)
        return BankFor::OtherLedger;
    return m_bank->authorized ? BankFor::Right : BankFor::KeyRefused;
}

const Checkout *CheckoutService::openElsewhere(const QString &ledgerId) const
{
    for (const auto &[key, live] : m_live) {
        const Checkout &checkout = live.checkout;
        if (isOpen(checkout.state) && !checkout.ledgerId.isEmpty() && checkout.ledgerId != ledgerId)
            return &checkout;
    }
    return nullptr;
}

void CheckoutService::bankLearned(const Result<BankIdentity, Transmission> &identity)
{
    using NotSentWhy = verdict::NotSent::Why;
    m_learning = false;
    std::optional<NotSentWhy> whyNot;
    if (identity) {
        m_bank = *identity;
        const bool isElsewhere = openElsewhere(identity->ledgerId) != nullptr;
        if (!identity->authorized)
            whyNot = NotSentWhy::ApiKeyRefused;
        else if (isElsewhere)
            whyNot = NotSentWhy::OtherLedger;
        setLink(!identity->authorized ? BankLink::ApiKeyRefused
                : isElsewhere         ? BankLink::OtherLedger
                                      : BankLink::Online);
    } else {
        whyNot = whyNotLearned(identity.error().end);
        const BankLink link = linkAfter(identity.error().end);
        setLink(link == BankLink::Online ? BankLink::NotAnswering : link); // it answered, but not as a bank
    }
    for (const AttemptId &attempt : std::exchange(m_waitingForBank, {})) {
        if (whyNot)
            post(attempt.key, event::AttemptEnded{attempt.number,
                                                  verdict::NotSent{*whyNot},
                                                  0,
                                                  identity ? 0 : identity.error().elapsedMs,
                                                  draw(),
                                                  {}});
        else
            post(attempt.key, event::BankLearned{attempt.number, identity->ledgerId, identity->keyTtlMs});
    }
    if (m_link == BankLink::Online)
        reconnected(); // the link may have been good all the time, only the bank not known
    sendHeldVoids(identity ? std::nullopt : std::optional(voiding::Nothing::Why::NotSent));
    reviewInquiries(InquiryQueue::First::AtOnce);
}

void CheckoutService::attemptEnded(const AttemptId &attempt, const Transmission &transmission)
{
    const Live *live = find(attempt.key);
    if (!live)
        return;
    const ChargeVerdict verdict =
        classifyCharge(transmission, expectedEcho(live->checkout), earlierAttempts(live->checkout, attempt.number));
    noteReport(transmission, std::holds_alternative<verdict::OtherLedger>(verdict));
    post(attempt.key, event::AttemptEnded{attempt.number, verdict, transmission.wireSends, transmission.elapsedMs,
                                          draw(), bankDateMs(transmission)});
}

void CheckoutService::lateAnswer(const AttemptId &attempt, const Transmission &transmission)
{
    const Live *live = find(attempt.key);
    if (!live)
        return;
    // Late, so this attempt was unanswered once: no refusal can be believed any more.
    const ChargeVerdict verdict =
        classifyCharge(transmission, expectedEcho(live->checkout), EarlierAttempts::SomeUnanswered);
    noteReport(transmission, std::holds_alternative<verdict::OtherLedger>(verdict));
    post(attempt.key, event::LateAnswer{attempt.number, verdict, bankDateMs(transmission)});
}

void CheckoutService::inquiryEnded(const IdempotencyKey &key, const Transmission &transmission)
{
    const Live *live = find(key);
    const InquiryVerdict verdict =
        live ? classifyInquiry(transmission, expectedEcho(live->checkout)) : inquiry::Nothing{};
    const auto *nothing = std::get_if<inquiry::Nothing>(&verdict);
    const Event event{m_clock.now(), event::InquiryEnded{verdict, bankDateMs(transmission)}};
    if (live) // before it counts as ended: a link that comes back with this answer does not bring it forward itself
        noteReport(transmission, nothing && nothing->why == inquiry::Nothing::Why::OtherLedger);
    const auto by = m_inquiries.end(key, event.at, nothing ? std::optional(*nothing) : std::nullopt, draw());
    if (live) {
        Q_EMIT inquiryPlanned(m_inquiries.planOf(key));
        if (by == InquiryQueue::AskedBy::Person || isNews(live->checkout, event))
            post(key, event.body);
    }
    askNext();
}

void CheckoutService::voidEnded(const IdempotencyKey &key, int voidTry, const Transmission &transmission)
{
    const Live *live = find(key);
    if (!live)
        return;
    const VoidVerdict verdict = classifyVoid(transmission, expectedEcho(live->checkout));
    const auto *nothing = std::get_if<voiding::Nothing>(&verdict);
    noteReport(transmission, nothing && nothing->why == voiding::Nothing::Why::OtherLedger);
    post(key, event::VoidEnded{voidTry, verdict, transmission.wireSends, transmission.elapsedMs, draw(),
                               bankDateMs(transmission)});
}

/// What any exchange but a probe says of the link, and of the bank at its end.
void CheckoutService::noteReport(const Transmission &transmission, bool isOtherLedger)
{
    const bool isKeyRefused = transmission.answer && transmission.answer->status == 401;
    if (isOtherLedger || isKeyRefused) {
        setLink(isOtherLedger ? BankLink::OtherLedger : BankLink::ApiKeyRefused);
        forgetBank(); // whoever answers there now: it is asked who it is before anything else is sent
        return;
    }
    if (transmission.end == Transmission::End::Answered)
        m_probes = 0;
    setLink(linkAfter(transmission.end));
}

void CheckoutService::setLink(BankLink link)
{
    const bool isNew = std::exchange(m_link, link) != link;
    if (isNew)
        Q_EMIT bankLinkChanged(link);
    if (link != BankLink::Online)
        probeLater();
    else if (isNew)
        reconnected();
}

/// While the link is not what it should be the bank is asked who it is, patiently: so the indicator turns by itself,
/// and what is parked is drained as soon as it can be.
void CheckoutService::probeLater()
{
    if (std::exchange(m_probing, true))
        return;
    const qint64 nowMs = m_clock.now().monotonicMs;
    if (nowMs - m_lastProbeMs > quietAfterMs)
        m_probes = 0;
    at(nowMs + patientDelayMs(++m_probes, draw()), [this] {
        m_probing = false;
        m_lastProbeMs = m_clock.now().monotonicMs;
        if (m_link == BankLink::Online)
            return;
        const bool isTryingAnyway = std::any_of(
            m_live.begin(), m_live.end(), [](const auto &entry) { return isAutomatic(entry.second.checkout.state); });
        if (m_learning || isTryingAnyway)
            probeLater();
        else
            learnBank();
    });
}

void CheckoutService::reconnected()
{
    const qint64 nowMs = m_clock.now().monotonicMs;
    m_inquiries.bringForward(nowMs);
    askNext();
    qint64 turnMs = nowMs;
    for (const auto &[key, live] : m_live) {
        const auto *pending = std::get_if<state::VoidPending>(&live.checkout.state);
        if (!pending || bankFor(live.checkout) != BankFor::Right)
            continue;
        const qint64 soonestMs = live.voidEndedMs ? *live.voidEndedMs + voidSoonestAgainMs : nowMs;
        at(std::max(turnMs, soonestMs), [this, key = key, nextTry = pending->nextTry] {
            const Live *then = find(key);
            if (then && bankFor(then->checkout) == BankFor::Right)
                post(key, event::VoidWaitElapsed{nextTry});
        });
        turnMs += voidsApartFromMs + qint64((quint64(draw()) * quint64(voidsApartPartMs + 1)) >> 32);
    }
}

void CheckoutService::reviewInquiry(const Live &live, InquiryQueue::First first)
{
    const Checkout &checkout = live.checkout;
    const InquiryPlan before = m_inquiries.planOf(checkout.key);
    if (isFinal(checkout.state))
        m_inquiries.forget(checkout.key);
    else if (isInquiredByItself(checkout) && live.unrecorded.empty() && bankFor(checkout) == BankFor::Right)
        m_inquiries.plan(checkout.key, first, m_clock.now().monotonicMs, draw());
    else if (isAutomatic(checkout.state))
        m_inquiries.stop(checkout.key);
    else
        m_inquiries.pause(checkout.key);
    const InquiryPlan after = m_inquiries.planOf(checkout.key);
    if (after != before)
        Q_EMIT inquiryPlanned(after);
    askNext();
}

void CheckoutService::reviewInquiries(InquiryQueue::First first)
{
    for (const auto &[key, live] : m_live)
        reviewInquiry(live, first);
}

void CheckoutService::askNext()
{
    const qint64 nowMs = m_clock.now().monotonicMs;
    if (const auto key = m_inquiries.begin(nowMs)) {
        if (const Live *live = find(*key)) {
            m_gateway.inquire({*key, live->checkout.ledgerId, m_settings.inquiryDeadlineMs});
            Q_EMIT inquiryPlanned(m_inquiries.planOf(*key));
        } else {
            m_inquiries.end(*key, m_clock.now(), {}, draw());
            m_inquiries.forget(*key);
        }
    }
    const std::optional<qint64> wakeMs = m_inquiries.wakeMs();
    if (!wakeMs || (m_askingAtMs && *m_askingAtMs <= *wakeMs))
        return;
    m_askingAtMs = wakeMs;
    at(*wakeMs, [this, atMs = *wakeMs] {
        if (m_askingAtMs == atMs)
            m_askingAtMs.reset();
        askNext();
    });
}

} // namespace ikkai
