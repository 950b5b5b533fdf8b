#include "mock-server/control/bank_calls.h"

#include "mock-server/bank/clock.h"
#include "mock-server/control/control_json.h"

#include <algorithm>
#include <array>

namespace mockbank {

namespace bank_calls {

struct ClockAction {
    const char *name;
    ClockChange::What what;
};

constexpr std::array clockActions{
    ClockAction{"freeze", ClockChange::What::Freeze},
    ClockAction{"advance", ClockChange::What::Advance},
    ClockAction{"resume", ClockChange::What::Resume},
    ClockAction{"reset", ClockChange::What::Reset},
};

/// `{"action":"freeze"}`, or `{"advance_ms":n}`, with or without its action.
std::variant<ClockChange, Response> readClockChange(const QJsonObject &json, qint64 offsetMs)
{
    const QJsonValue action = json.value(QLatin1StringView("action"));
    const QJsonValue advance = json.value(QLatin1StringView("advance_ms"));
    ClockChange change;
    change.what = ClockChange::What::Advance;
    if (!action.isUndefined() || advance.isUndefined()) {
        const auto *known = std::ranges::find_if(
            clockActions, [&](const ClockAction &one) { return action.toString() == QLatin1StringView(one.name); });
        if (known == clockActions.end())
            return unprocessable(QStringLiteral("action"), QStringLiteral("must be freeze, advance, resume or reset"));
        change.what = known->what;
    }
    if (change.what != ClockChange::What::Advance) {
        if (!advance.isUndefined())
            return unprocessable(QStringLiteral("advance_ms"),
                                 QStringLiteral("goes with the action advance, not with %1").arg(action.toString()));
        return change;
    }
    const auto ms = exactInteger(advance, 1, maxClockOffsetMs);
    if (!ms || *ms > maxClockOffsetMs - std::max<qint64>(offsetMs, 0)) {
        return unprocessable(
            QStringLiteral("advance_ms"),
            QStringLiteral("must be an integer from 1, and keep the clock within %1 ms of the true time")
                .arg(maxClockOffsetMs));
    }
    change.advanceMs = *ms;
    return change;
}

} // namespace bank_calls

using namespace bank_calls;

BankCalls::BankCalls(const Context &context)
    : m_context(context)
{
}

QJsonObject BankCalls::clockJson(const ClockState &clock)
{
    return {{QStringLiteral("now_ms"), clock.nowMs},
            {QStringLiteral("offset_ms"), clock.offsetMs},
            {QStringLiteral("frozen"), clock.frozen}};
}

void BankCalls::clock(const ExchangePtr &exchange)
{
    exchange->answer(jsonResponse(200, clockJson(m_context.bank.clock())));
}

void BankCalls::setClock(const ExchangePtr &exchange)
{
    const auto body = readObject(exchange->request.body, {QStringLiteral("action"), QStringLiteral("advance_ms")});
    if (const auto *refusal = std::get_if<Response>(&body)) {
        exchange->answer(*refusal);
        return;
    }
    const auto change = readClockChange(std::get<QJsonObject>(body), m_context.bank.clock().offsetMs);
    if (const auto *refusal = std::get_if<Response>(&change)) {
        exchange->answer(*refusal);
        return;
    }
    m_context.bank.setClock(std::get<ClockChange>(change), m_context.later.to<std::optional<ClockState>>(
                                                               exchange, [](const std::optional<ClockState> &now) {
                                                                   if (!now)
                                                                       return LaterAnswers::ledgerBusy();
                                                                   return jsonResponse(200, clockJson(*now));
                                                               }));
}

void BankCalls::reset(const ExchangePtr &exchange)
{
    const auto body = readObject(exchange->request.body, {QStringLiteral("ledger")});
    if (const auto *refusal = std::get_if<Response>(&body)) {
        exchange->answer(*refusal);
        return;
    }
    const QJsonValue ledger = std::get<QJsonObject>(body).value(QLatin1StringView("ledger"));
    if (!ledger.isUndefined() && !ledger.isBool()) {
        exchange->answer(unprocessable(QStringLiteral("ledger"), QStringLiteral("must be true or false")));
        return;
    }
    const bool ledgerToo = ledger.toBool();
    // The ledger first: it alone can fail, and then nothing has changed.
    m_context.bank.reset(ledgerToo, m_context.later.to<std::optional<QString>>(
                                        exchange, [this, ledgerToo](const std::optional<QString> &ledgerId) {
                                            if (!ledgerId)
                                                return LaterAnswers::ledgerBusy();
                                            const auto held = static_cast<qint64>(m_context.held.count());
                                            m_context.cancelWaiting();
                                            m_context.faults.reset();
                                            m_context.journal.clear();
                                            m_context.faultCalls.rulesChanged();
                                            const QJsonObject done{{QStringLiteral("ledger"), ledgerToo},
                                                                   {QStringLiteral("ledger_id"), *ledgerId},
                                                                   {QStringLiteral("held_cut"), held}};
                                            m_context.events.append("reset", done);
                                            return jsonResponse(200, done);
                                        }));
}

} // namespace mockbank
