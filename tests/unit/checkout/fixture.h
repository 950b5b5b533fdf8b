#pragma once

#include "core/checkout/transition.h"

#include <QtCore/QString>

/// One sale of ¥1,200 under one key, and what can happen to it.
namespace ikkai::test {

inline const QByteArray keyText = "017f22e2-79b0-7cc3-98c4-dc0c0c07398f";
inline const QByteArray ledgerText = "ldg_1";
inline const QByteArray bodyText =
    R"({"order_id":"A-1001","amount":1200,"currency":"JPY","source":"card_ok","terminal_id":"till-1"})";

inline constexpr Stamp t0{1'700'000'000'000, 1'000, 50'000};
inline constexpr qint64 hourMs = 3'600'000;

/// `ms` later on all three clocks.
inline Stamp after(qint64 ms, const Stamp &from = t0)
{
    return {from.wallMs + ms, from.monotonicMs + ms, from.bootMs + ms};
}

inline IdempotencyKey key()
{
    return IdempotencyKey::parse(QString::fromLatin1(keyText)).value();
}

inline event::CheckoutStarted started(const QString &ledgerId = QString::fromLatin1(ledgerText))
{
    return {key(),
            OrderId::parse(u"A-1001").value(),
            Money::ofMinor(1'200, Currency::jpy()).value(),
            SourceId::parse(u"card_ok").value(),
            QStringLiteral("till-1"),
            bodyText,
            QStringLiteral("embedded"),
            ledgerId,
            24 * hourMs,
            RetryPolicy{},
            QStringLiteral("boot-1")};
}

inline ChargeDetails details()
{
    return {QStringLiteral("ch_1"), {}, QStringLiteral("req_1"), {}};
}

inline ChargeVerdict approved(SettledBy by = SettledBy::Answer)
{
    return verdict::Approved{by, details()};
}
inline ChargeVerdict declined(SettledBy by = SettledBy::Answer)
{
    return verdict::Declined{by, details()};
}
inline ChargeVerdict voided(VoidResult result)
{
    return verdict::Voided{SettledBy::Answer, result};
}
inline ChargeVerdict noAnswer()
{
    return verdict::NoAnswer{verdict::NoAnswer::Why::DeadlinePassed, {}};
}
inline ChargeVerdict notSent()
{
    return verdict::NotSent{verdict::NotSent::Why::ConnectionRefused};
}
inline ChargeVerdict trouble(std::optional<qint64> retryAfterMs = {})
{
    return verdict::ServerTrouble{503, retryAfterMs};
}
inline ChargeVerdict processing(std::optional<qint64> retryAfterMs = {})
{
    return verdict::StillProcessing{retryAfterMs};
}
inline ChargeVerdict refused()
{
    return verdict::Refused{400, QStringLiteral("bad-field"), QStringLiteral("amount"), {}};
}

inline IdempotencyKey voidKey()
{
    return IdempotencyKey::parse(u"017f22e2-79b0-7cc3-98c4-dc0c0c073aaa").value();
}
inline const QByteArray voidBodyText =
    R"({"original_key":"017f22e2-79b0-7cc3-98c4-dc0c0c07398f","order_id":"A-1001","amount":1200,"currency":"JPY"})";

inline event::VoidStarted voidStarted(const QString &overrideReason = {})
{
    return {voidKey(), voidBodyText, overrideReason};
}
inline event::VoidEnded voidEnded(int voidTry, VoidVerdict verdict, quint32 jitterDraw = 0)
{
    return {voidTry, std::move(verdict), 1, 40, jitterDraw, {}};
}
inline VoidVerdict voidSettled(VoidResult result)
{
    return voiding::Settled{result, QStringLiteral("req_2")};
}

/// An attempt that ended, by default with the largest jitter.
inline event::AttemptEnded ended(int attempt, ChargeVerdict verdict, quint32 jitterDraw = 0xffff'ffff)
{
    const bool sent = !std::holds_alternative<verdict::NotSent>(verdict);
    return {attempt, std::move(verdict), sent ? 1 : 0, 3'000, jitterDraw, {}};
}

/// Plays events one after the other, and keeps the newest step.
class Play {
public:
    explicit Play(const event::CheckoutStarted &start = started())
        : m_step(begin(start, t0))
        , m_events{{t0, start}}
    {
    }

    Play &at(qint64 ms, EventBody body)
    {
        m_now = after(ms);
        return with({m_now, std::move(body)});
    }
    Play &with(const Event &event)
    {
        m_now = event.at;
        m_step = transition(m_step.after, event);
        m_events.push_back(event);
        return *this;
    }

    [[nodiscard]] const Step &step() const { return m_step; }
    [[nodiscard]] const Checkout &checkout() const { return m_step.after; }
    [[nodiscard]] const State &state() const { return m_step.after.state; }
    [[nodiscard]] QString word() const { return outcomeWord(state()); }
    [[nodiscard]] const std::vector<Event> &events() const { return m_events; }

    template <class T>
    [[nodiscard]] const T *is() const
    {
        return std::get_if<T>(&state());
    }
    /// The only command of the newest step, if it is of this kind.
    template <class T>
    [[nodiscard]] const T *commands() const
    {
        return m_step.commands.size() == 1 ? std::get_if<T>(&m_step.commands.front()) : nullptr;
    }
    [[nodiscard]] bool isUnknown(state::Unknown::Why why) const
    {
        const auto *unknown = is<state::Unknown>();
        return unknown && unknown->why == why;
    }

private:
    Step m_step;
    Stamp m_now = t0;
    std::vector<Event> m_events;
};

} // namespace ikkai::test
