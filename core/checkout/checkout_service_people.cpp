#include "core/checkout/checkout_service.h"

#include "core/gateway/wire_codec.h"

// What people ask for: the cashier, and the supervisor.
namespace ikkai {

void CheckoutService::checkNow(const IdempotencyKey &key)
{
    const Live *live = findOrRead(key);
    if (!live || isAutomatic(live->checkout.state) || isVoiding(live->checkout.state))
        return;
    post(key, event::InquiryStarted{});
}

void CheckoutService::tryAgain(const IdempotencyKey &key)
{
    const Live *live = find(key);
    if (!live || !std::holds_alternative<state::Unknown>(live->checkout.state))
        return;
    if (m_bank && !live->checkout.ledgerId.isEmpty() && live->checkout.ledgerId != m_bank->ledgerId) {
        learnBank(); // not to this one; perhaps the right one is there again by the next press
        show(*live);
        return;
    }
    endOtherRuns(key);
    post(key, event::TriedAgain{m_settings.policy});
}

void CheckoutService::leaveOpen(const IdempotencyKey &key)
{
    const Live *live = find(key);
    if (live && isOpen(live->checkout.state))
        post(key, event::LeftOpen{});
}

void CheckoutService::voidSafely(const IdempotencyKey &key)
{
    const Live *live = find(key);
    if (!live || !std::holds_alternative<state::Unknown>(live->checkout.state))
        return;
    const Checkout &checkout = live->checkout;
    post(key, event::VoidStarted{makeKey(m_clock.now().wallMs), voidBody(key, checkout.order, checkout.money), {}});
}

void CheckoutService::overrideOpen(const OverrideRequest &request)
{
    if (request.reason.trimmed().isEmpty()) {
        Q_EMIT supervisorAnswered({SupervisorAnswer::What::NoReason, request.open, 0, {}});
        return;
    }
    m_supervisor.admit(request.pin, [this, request](const Supervisor::Verdict &verdict) {
        if (verdict.what == SupervisorAnswer::What::Done)
            overrideAdmitted(request);
        else
            Q_EMIT supervisorAnswered({verdict.what, request.open, verdict.triesLeft, verdict.detail});
    });
}

void CheckoutService::overrideAdmitted(const OverrideRequest &request)
{
    using What = SupervisorAnswer::What;
    const auto answer = [this, &request](What what, const QString &detail = {}) {
        Q_EMIT supervisorAnswered({what, request.open, 0, detail});
    };
    const Live *live = find(request.open);
    if (!live || isFinal(live->checkout.state))
        return answer(What::NotPossible, QStringLiteral("it is not open any more"));
    if (isAutomatic(live->checkout.state))
        return answer(What::NotPossible, QStringLiteral("it is still being sent"));
    if (live->checkout.order != request.next.order)
        return answer(What::NotPossible, QStringLiteral("it is of another order"));
    StartRequest next = request.next;
    next.secondSale = SecondSale::Confirmed; // a supervisor means it
    if (const auto rejection = reasonAgainst(next, request.open)) {
        Q_EMIT startRejected(*rejection);
        return answer(What::NotPossible, QStringLiteral("the next one cannot be started"));
    }

    const Checkout open = live->checkout;
    if (std::holds_alternative<state::KeyMismatch>(open.state))
        post(open.key, event::WrittenOff{state::WrittenOff::Why::Mismatch, request.reason.trimmed()});
    else if (std::holds_alternative<state::Unknown>(open.state))
        post(open.key, event::VoidStarted{makeKey(m_clock.now().wallMs), voidBody(open.key, open.order, open.money),
                                          request.reason.trimmed()});
    live = find(request.open);
    const bool stillUndecided = live && (std::holds_alternative<state::KeyMismatch>(live->checkout.state) ||
                                         std::holds_alternative<state::Unknown>(live->checkout.state));
    if (stillUndecided) // not on disk: then nothing new is begun beside it
        return answer(What::CannotRecord);
    answer(What::Done);
    begin(next, request.open);
}

void CheckoutService::writeOff(const WriteOffRequest &request)
{
    if (request.reason.trimmed().isEmpty()) {
        Q_EMIT supervisorAnswered({SupervisorAnswer::What::NoReason, request.key, 0, {}});
        return;
    }
    m_supervisor.admit(request.pin, [this, request](const Supervisor::Verdict &verdict) {
        if (verdict.what == SupervisorAnswer::What::Done)
            writeOffAdmitted(request);
        else
            Q_EMIT supervisorAnswered({verdict.what, request.key, verdict.triesLeft, verdict.detail});
    });
}

void CheckoutService::writeOffAdmitted(const WriteOffRequest &request)
{
    using What = SupervisorAnswer::What;
    const auto answer = [this, &request](What what, const QString &detail = {}) {
        Q_EMIT supervisorAnswered({what, request.key, 0, detail});
    };
    const Live *live = find(request.key);
    if (!live || isFinal(live->checkout.state))
        return answer(What::NotPossible, QStringLiteral("it is not open any more"));
    const Checkout &checkout = live->checkout;
    auto why = state::WrittenOff::Why::Mismatch;
    if (!std::holds_alternative<state::KeyMismatch>(checkout.state)) {
        if (isAutomatic(checkout.state))
            return answer(What::NotPossible, QStringLiteral("it is still being sent"));
        if (!m_bank || m_bank->ledgerId == checkout.ledgerId)
            return answer(What::NotPossible, m_bank ? QStringLiteral("its bank is there and can settle it")
                                                    : QStringLiteral("its bank has not answered; it may come back"));
        why = state::WrittenOff::Why::LedgerGone;
    }
    post(request.key, event::WrittenOff{why, request.reason.trimmed()});
    live = find(request.key);
    const bool written = live && std::holds_alternative<state::WrittenOff>(live->checkout.state);
    answer(written ? What::Done : What::CannotRecord);
}

} // namespace ikkai
