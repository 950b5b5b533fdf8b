#include "core/checkout/checkout_service.h"

#include "core/checkout/guard.h"
#include "core/gateway/wire_codec.h"

#include <utility>

// What people ask for: the cashier, and the supervisor.
namespace ikkai {

namespace service_people {

QString sentence(const StartRejection &rejection)
{
    switch (rejection.why) {
    case StartRejection::Why::OrderIsOpen:
        return QStringLiteral("another checkout of this order is open: %1").arg(rejection.existing->key.text());
    case StartRejection::Why::AlreadyPaid:
        return QStringLiteral("this order was paid already: %1").arg(rejection.existing->key.text());
    case StartRejection::Why::CannotRecord:
        return rejection.detail;
    case StartRejection::Why::ApiKeyRefused:
        return QStringLiteral("the bank does not accept this terminal's API key");
    case StartRejection::Why::OtherLedger:
        return QStringLiteral("the bank that answers now has another ledger than the one of the open checkout %1")
            .arg(rejection.existing->key.text());
    }
    Q_UNREACHABLE();
}

} // namespace service_people

void CheckoutService::checkNow(const IdempotencyKey &key)
{
    const Live *live = findOrRead(key);
    if (!live)
        return;
    if (bankFor(live->checkout) == BankFor::OtherLedger) {
        InquiryPlan plan = m_inquiries.planOf(key);
        plan.lastAnswer = inquiry::Nothing{inquiry::Nothing::Why::OtherLedger};
        Q_EMIT inquiryPlanned(plan);
        show(*live);
        return;
    }
    post(key, event::InquiryStarted{});
}

void CheckoutService::tryAgain(const IdempotencyKey &key)
{
    const Live *live = find(key);
    if (!live)
        return;
    const Checkout &checkout = live->checkout;
    const event::TriedAgain again{m_settings.policy};
    if (!isTimely(checkout, {m_clock.now(), again})) {
        show(*live);
        return;
    }
    const BankFor bank = bankFor(checkout);
    if (bank == BankFor::OtherLedger || bank == BankFor::KeyRefused) {
        using Why = StartRejection::Why;
        Q_EMIT startRejected({bank == BankFor::OtherLedger ? Why::OtherLedger : Why::ApiKeyRefused,
                              {checkout.order, checkout.money, checkout.source},
                              checkout,
                              {}});
        learnBank(); // by the next press it may be the right one, or know the key
        return;
    }
    m_recovered.erase(key);
    endOtherRuns(key);
    post(key, again);
}

void CheckoutService::leaveOpen(const IdempotencyKey &key)
{
    post(key, event::LeftOpen{});
}

void CheckoutService::voidSafely(const IdempotencyKey &key)
{
    const Live *live = find(key);
    if (!live)
        return;
    if (!std::holds_alternative<state::Unknown>(live->checkout.state)) { // makes no key for a second click
        show(*live);
        return;
    }
    m_recovered.erase(key);
    post(key, newVoid(live->checkout, {}));
}

event::VoidStarted CheckoutService::newVoid(const Checkout &checkout, const QString &overrideReason)
{
    return {m_keys->next(m_clock.now().wallMs, m_random.next64(), m_random.next64()),
            voidBody(checkout.key, checkout.order, checkout.money), overrideReason};
}

void CheckoutService::answerSupervisor(const IdempotencyKey &key, SupervisorAnswer::What what, const QString &detail)
{
    Q_EMIT supervisorAnswered({what, key, 0, detail});
}

QString CheckoutService::lastJournalError() const
{
    return m_lastError ? describe(*m_lastError) : QStringLiteral("the journal was not read");
}

void CheckoutService::admit(const IdempotencyKey &key, const QString &pin, const QString &reason,
                            std::function<void()> allowed)
{
    if (reason.trimmed().isEmpty())
        return answerSupervisor(key, SupervisorAnswer::What::NoReason);
    m_supervisor.admit(pin, [this, key, allowed = std::move(allowed)](const Supervisor::Verdict &verdict) {
        if (verdict.what == SupervisorAnswer::What::Done)
            allowed();
        else
            Q_EMIT supervisorAnswered({verdict.what, key, verdict.triesLeft, verdict.detail});
    });
}

void CheckoutService::overrideOpen(const OverrideRequest &request)
{
    admit(request.open, request.pin, request.reason, [this, request] { overrideNow(request); });
}

std::optional<QString> CheckoutService::reasonAgainst(const OverrideRequest &request)
{
    const Live *live = find(request.open);
    if (!live)
        return QStringLiteral("no such checkout is open here");
    if (!isOpen(live->checkout.state))
        return QStringLiteral("it is settled: %1").arg(outcomeWord(live->checkout.state));
    if (live->checkout.order != request.next.order)
        return QStringLiteral("it is of another order");
    if (!live->unrecorded.empty())
        return QStringLiteral("the bank's last word on it is not recorded yet");
    if (const auto rejection = reasonAgainst(request.next, request.open))
        return service_people::sentence(*rejection);
    return {};
}

void CheckoutService::overrideNow(OverrideRequest request)
{
    request.next.secondSale = SecondSale::Confirmed; // a supervisor means it
    const IdempotencyKey key = request.open;
    const QString reason = request.reason.trimmed();
    const auto is = [&, this](auto state) {
        const Live *live = find(key);
        return live && std::holds_alternative<decltype(state)>(live->checkout.state);
    };
    auto against = reasonAgainst(request);
    if (!against && isAutomatic(find(key)->checkout.state)) {
        post(key, event::AnotherStarted{}); // as the start of any other checkout does; that may settle it
        against = reasonAgainst(request);
    }
    if (against)
        return answerSupervisor(key, SupervisorAnswer::What::NotPossible, *against);

    m_recovered.erase(key);
    const bool voidIsToldAlready = isVoiding(find(key)->checkout.state);
    if (is(state::Unknown{}))
        post(key, newVoid(find(key)->checkout, reason));
    else if (is(state::KeyMismatch{})) // the charge under that key is not ours: there is nothing to void
        post(key, event::WrittenOff{state::WrittenOff::Why::Mismatch, reason});
    const Checkout &old = find(key)->checkout;
    if (!isVoiding(old.state) && !isFinal(old.state))
        return answerSupervisor(key, SupervisorAnswer::What::CannotRecord, lastJournalError());
    if (const auto error = begin(request.next, key, voidIsToldAlready ? reason : QString()))
        return answerSupervisor(key, SupervisorAnswer::What::CannotRecord, describe(*error));
    answerSupervisor(key, SupervisorAnswer::What::Done);
}

void CheckoutService::writeOff(const WriteOffRequest &request)
{
    admit(request.key, request.pin, request.reason, [this, request] { writeOffNow(request); });
}

Result<state::WrittenOff::Why, QString> CheckoutService::reasonToWriteOff(const IdempotencyKey &key)
{
    const Live *live = find(key);
    if (!live)
        return QStringLiteral("no such checkout is open here");
    const Checkout &checkout = live->checkout;
    if (!isOpen(checkout.state))
        return QStringLiteral("it is settled: %1").arg(outcomeWord(checkout.state));
    if (isAutomatic(checkout.state))
        return QStringLiteral("it is being sent: leave it open first");
    if (std::holds_alternative<state::KeyMismatch>(checkout.state))
        return state::WrittenOff::Why::Mismatch;
    switch (bankFor(checkout)) {
    case BankFor::OtherLedger:
        return state::WrittenOff::Why::LedgerGone;
    case BankFor::NotKnown:
        return QStringLiteral("no bank answers now, so its ledger may still be there: it can be asked, or voided");
    case BankFor::Right:
    case BankFor::KeyRefused:
        return QStringLiteral("the bank that answers now has its ledger: it can be asked, or voided");
    }
    Q_UNREACHABLE();
}

void CheckoutService::writeOffNow(const WriteOffRequest &request)
{
    const auto why = reasonToWriteOff(request.key);
    if (!why)
        return answerSupervisor(request.key, SupervisorAnswer::What::NotPossible, why.error());
    m_recovered.erase(request.key);
    post(request.key, event::WrittenOff{*why, request.reason.trimmed()});
    const Live *live = find(request.key);
    if (live && isFinal(live->checkout.state))
        answerSupervisor(request.key, SupervisorAnswer::What::Done);
    else
        answerSupervisor(request.key, SupervisorAnswer::What::CannotRecord, lastJournalError());
}

} // namespace ikkai
