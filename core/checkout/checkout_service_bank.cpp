#include "core/checkout/checkout_service.h"

#include "core/checkout/retry_after.h"

#include <algorithm>
#include <utility>

// The way to the bank and back: commands go out, reports come in, and what is open is asked about in turn.
namespace ikkai {

namespace {

constexpr qint64 learnAgainAfterMs = 5'000;

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

/// What an inquiry that went on by itself brought is written down only where it changes something: a checkout may be
/// open for days.
bool isNews(const InquiryVerdict &verdict, const State &state)
{
    if (std::holds_alternative<inquiry::Nothing>(verdict))
        return false;
    const auto *details = std::get_if<inquiry::OtherDetails>(&verdict);
    const auto *mismatch = std::get_if<state::KeyMismatch>(&state);
    return !(details && mismatch && mismatch->theirs && *mismatch->theirs == *details);
}

/// Asked about by itself: Unknown, and a mismatch until the bank has shown what it has. Only where the bank is known:
/// before that nothing was sent.
bool isAskedAbout(const Checkout &checkout)
{
    if (checkout.ledgerId.isEmpty() || checkout.voidIntent)
        return false;
    const auto *mismatch = std::get_if<state::KeyMismatch>(&checkout.state);
    return std::holds_alternative<state::Unknown>(checkout.state) || (mismatch && !mismatch->theirs);
}

} // namespace

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
    if (m_bank && m_bank->ledgerId != send.expectLedger) { // the money is not there
        post(send.key, event::VoidEnded{send.voidTry,
                                        voiding::Nothing{voiding::Nothing::Why::OtherLedger, 0, {}},
                                        0,
                                        0,
                                        quint32(m_random.next64()),
                                        {}});
        return;
    }
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
        setLink(!identity->authorized   ? BankLink::ApiKeyRefused
                : openAtAnotherLedger() ? BankLink::OtherLedger
                                        : BankLink::Online);
        wakeForTurn();
    } else {
        setLink(identity.error().end);
    }
    const std::optional<verdict::NotSent::Why> whyNot = [&]() -> std::optional<verdict::NotSent::Why> {
        if (!identity)
            return whyNotLearned(identity.error().end);
        if (!identity->authorized)
            return verdict::NotSent::Why::ApiKeyRefused;
        if (openAtAnotherLedger())
            return verdict::NotSent::Why::OtherLedger;
        return {};
    }();
    for (const AttemptId &attempt : waiting) {
        if (!whyNot) {
            post(attempt.key, event::BankLearned{attempt.number, identity->ledgerId, identity->keyTtlMs});
        } else {
            post(attempt.key, event::AttemptEnded{attempt.number,
                                                  verdict::NotSent{*whyNot},
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
    const InquiryVerdict verdict = classifyInquiry(transmission, expectedEcho(live->checkout));
    const bool personAsked = live->checkout.inquiryUnderWay;
    if (personAsked || isNews(verdict, live->checkout.state))
        post(key, event::InquiryEnded{verdict, bankDateMs(transmission)});
    const auto *nothing = std::get_if<inquiry::Nothing>(&verdict);
    m_inquiries.ended(key, nothing ? *nothing : inquiry::Nothing{inquiry::Nothing::Why::InProgress}, m_clock.now(),
                      quint32(m_random.next64()));
    tellPlan(key);
    wakeForTurn();
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

void CheckoutService::watch(const Checkout &before, const Checkout &after)
{
    const IdempotencyKey key = after.key;
    const bool wasOpen = isOpen(before.state);
    if (wasOpen && isFinal(after.state) && m_openBefore.erase(key) > 0)
        Q_EMIT settledMeanwhile(after);
    const qint64 nowMs = m_clock.now().monotonicMs;
    if (isAskedAbout(after)) {
        const bool isNew = m_inquiries.plan(key) == nullptr;
        if (m_openBefore.count(key) > 0 && isNew)
            m_inquiries.watchAtOnce(key, nowMs, quint32(m_random.next64()));
        else
            m_inquiries.watch(key, nowMs, quint32(m_random.next64()));
        if (isNew)
            tellPlan(key);
        wakeForTurn();
    } else if (m_inquiries.plan(key)) {
        m_inquiries.forget(key);
        tellPlan(key);
        wakeForTurn();
    }
}

void CheckoutService::wakeForTurn()
{
    const auto turnMs = m_inquiries.nextTurnMs();
    if (!turnMs || (m_turnAwaitedMs && *m_turnAwaitedMs <= *turnMs))
        return;
    m_turnAwaitedMs = turnMs;
    m_scheduler.at(*turnMs, [this, alive = m_alive, turn = *turnMs] {
        if (!*alive)
            return;
        if (m_turnAwaitedMs == turn)
            m_turnAwaitedMs.reset();
        noteSleep();
        askInTurn();
    });
}

void CheckoutService::askInTurn()
{
    const Stamp now = m_clock.now();
    const auto key = m_inquiries.due(now.monotonicMs);
    if (!key) {
        wakeForTurn();
        return;
    }
    const Live *live = find(*key);
    const bool elsewhere = live && m_bank && m_bank->ledgerId != live->checkout.ledgerId;
    if (!live || elsewhere || live->checkout.inquiryUnderWay) {
        const auto why = elsewhere ? inquiry::Nothing::Why::OtherLedger : inquiry::Nothing::Why::InProgress;
        m_inquiries.ended(*key, inquiry::Nothing{why}, now, quint32(m_random.next64()));
        if (elsewhere)
            learnBank(); // the right one may be there again
        tellPlan(*key);
        wakeForTurn();
        return;
    }
    m_inquiries.begun(*key);
    tellPlan(*key);
    m_gateway.inquire({*key, live->checkout.ledgerId, m_settings.inquiryDeadlineMs});
}

void CheckoutService::tellPlan(const IdempotencyKey &key)
{
    const InquiryPlan *plan = m_inquiries.plan(key);
    Q_EMIT inquiryPlanned(plan ? *plan : InquiryPlan{key, false, {}, 0, {}, 0});
}

/// The bank is there again: voids that wait for their next try need not wait any longer.
void CheckoutService::sendVoidsSoon()
{
    constexpr qint64 spacingMs = 300;
    qint64 turnMs = m_clock.now().monotonicMs;
    for (const auto &[key, live] : m_live) {
        const auto *pending = std::get_if<state::VoidPending>(&live.checkout.state);
        if (!pending)
            continue;
        turnMs += spacingMs + qint64(m_random.next64() % quint64(spacingMs));
        m_scheduler.at(turnMs, [this, alive = m_alive, key = key, next = pending->nextTry] {
            if (*alive)
                post(key, event::VoidWaitElapsed{next});
        });
    }
}

void CheckoutService::setLink(Transmission::End end)
{
    switch (end) {
    case Transmission::End::Answered:
        setLink(openAtAnotherLedger() ? BankLink::OtherLedger : BankLink::Online);
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
    const BankLink before = std::exchange(m_link, link);
    if (before == link)
        return;
    Q_EMIT bankLinkChanged(link);
    const bool isBack = link == BankLink::Online && before != BankLink::NotTriedYet;
    if (!isBack)
        return;
    m_inquiries.drain(m_clock.now().monotonicMs, quint32(m_random.next64()));
    for (const IdempotencyKey &key : m_inquiries.watched())
        tellPlan(key);
    sendVoidsSoon();
    wakeForTurn();
}

} // namespace ikkai
