#include "ui/history/event_lines.h"

#include "ui/cashier/attempt_words.h"
#include "ui/cashier/outcome_words.h"
#include "ui/history/history_words.h"

#include <QtCore/QCoreApplication>

#include <algorithm>

namespace ikkai {

namespace {

using theme::Role;

/// The words of one event. `tries` counts the charge's transmissions that the events before this one asked for.
struct EventWords {
    Q_DECLARE_TR_FUNCTIONS(EventWords)

public:
    const Checkout &checkout;
    int &tries;

    [[nodiscard]] EventLine operator()(const event::CheckoutStarted &started) const;
    [[nodiscard]] EventLine operator()(const event::BankLearned &learned) const;
    [[nodiscard]] EventLine operator()(const event::AttemptEnded &ended) const;
    [[nodiscard]] EventLine operator()(const event::LateAnswer &late) const;
    [[nodiscard]] EventLine operator()(const event::WaitElapsed &waited) const;
    [[nodiscard]] EventLine operator()(const event::InquiryStarted &started) const;
    [[nodiscard]] EventLine operator()(const event::InquiryEnded &ended) const;
    [[nodiscard]] EventLine operator()(const event::TriedAgain &again) const;
    [[nodiscard]] EventLine operator()(const event::LeftOpen &left) const;
    [[nodiscard]] EventLine operator()(const event::AnotherStarted &another) const;
    [[nodiscard]] EventLine operator()(const event::Restarted &restarted) const;
    [[nodiscard]] EventLine operator()(const event::VoidStarted &started) const;
    [[nodiscard]] EventLine operator()(const event::VoidEnded &ended) const;
    [[nodiscard]] EventLine operator()(const event::VoidWaitElapsed &waited) const;
    [[nodiscard]] EventLine operator()(const event::Resumed &resumed) const;
    [[nodiscard]] EventLine operator()(const event::WrittenOff &off) const;

    [[nodiscard]] AttemptRow verdictRow(const ChargeVerdict &verdict) const;
    [[nodiscard]] static QString wireText(qint64 elapsedMs, int wireSends);
    [[nodiscard]] static QString voidResult(VoidResult result);
    [[nodiscard]] static QString voidNothing(const voiding::Nothing &nothing);
    [[nodiscard]] static QString inquiryNothing(inquiry::Nothing::Why why);
};

EventLine eventLine(Role role, const QString &words)
{
    return {{}, role, words, {}, false};
}

AttemptRow EventWords::verdictRow(const ChargeVerdict &verdict) const
{
    Checkout one = checkout;
    one.attempts = {{1, {}, verdict, 1, 0}};
    return attemptRows(one, {}).front();
}

QString EventWords::wireText(qint64 elapsedMs, int wireSends)
{
    if (wireSends == 0)
        return tr(" (%1 s, not sent)").arg(secondsText(elapsedMs));
    if (wireSends == 1)
        return tr(" (%1 s, sent once)").arg(secondsText(elapsedMs));
    return tr(" (%1 s, sent %2 times)").arg(secondsText(elapsedMs)).arg(wireSends);
}

EventLine EventWords::operator()(const event::CheckoutStarted &) const
{
    tries = 1;
    return eventLine(Role::Wrk, tr("Key recorded, then sent (try 1)"));
}

EventLine EventWords::operator()(const event::BankLearned &) const
{
    return eventLine(Role::Neu, tr("The bank named its books"));
}

EventLine EventWords::operator()(const event::AttemptEnded &ended) const
{
    const AttemptRow row = verdictRow(ended.verdict);
    QString words = row.word;
    if (const auto *approved = std::get_if<verdict::Approved>(&ended.verdict)) {
        words = approved->by == SettledBy::Replay ? tr("Approved, the first answer again") : tr("Approved");
        return eventLine(row.role, words + wireText(ended.elapsedMs, ended.wireSends));
    }
    if (!row.detail.isEmpty())
        words += tr(": ") + row.detail;
    return eventLine(row.role, words + wireText(ended.elapsedMs, ended.wireSends));
}

EventLine EventWords::operator()(const event::LateAnswer &late) const
{
    const AttemptRow row = verdictRow(late.verdict);
    return eventLine(row.role, tr("Late answer to try %1: %2").arg(late.attempt).arg(row.word));
}

EventLine EventWords::operator()(const event::WaitElapsed &waited) const
{
    tries = waited.nextAttempt;
    return eventLine(Role::Wrk, tr("Same charge sent (try %1)").arg(waited.nextAttempt));
}

EventLine EventWords::operator()(const event::InquiryStarted &) const
{
    return eventLine(Role::Wrk, tr("The bank is asked how it ended"));
}

QString EventWords::inquiryNothing(inquiry::Nothing::Why why)
{
    switch (why) {
    case inquiry::Nothing::Why::InProgress:
        return tr("The bank is still working on it");
    case inquiry::Nothing::Why::NeverSeen:
        return tr("The bank has not seen it so far");
    case inquiry::Nothing::Why::NoAnswer:
        return tr("No answer to the question");
    case inquiry::Nothing::Why::NotTheBanksAnswer:
        return tr("What came was not the bank’s");
    case inquiry::Nothing::Why::ServerTrouble:
        return tr("The bank has trouble of its own");
    case inquiry::Nothing::Why::OtherLedger:
        return tr("Another bank’s books answered");
    }
    return {};
}

EventLine EventWords::operator()(const event::InquiryEnded &ended) const
{
    if (const auto *nothing = std::get_if<inquiry::Nothing>(&ended.verdict))
        return eventLine(nothing->why == inquiry::Nothing::Why::InProgress ? Role::Wrk : Role::Unk,
                         inquiryNothing(nothing->why));
    if (std::holds_alternative<inquiry::OtherDetails>(ended.verdict))
        return eventLine(Role::Bad, tr("The bank has other details"));
    if (std::holds_alternative<verdict::Approved>(ended.verdict))
        return eventLine(Role::Ok, tr("The bank says: paid"));
    if (std::holds_alternative<verdict::Declined>(ended.verdict))
        return eventLine(Role::Bad, tr("The bank says: declined"));
    return eventLine(Role::Neu, tr("The bank says: voided"));
}

EventLine EventWords::operator()(const event::TriedAgain &) const
{
    ++tries;
    return eventLine(Role::Wrk, tr("Try again: same charge sent (try %1)").arg(tries));
}

EventLine EventWords::operator()(const event::LeftOpen &) const
{
    return eventLine(Role::Unk, tr("Left open"));
}

EventLine EventWords::operator()(const event::AnotherStarted &) const
{
    return eventLine(Role::Unk, tr("Another sale was started"));
}

EventLine EventWords::operator()(const event::Restarted &) const
{
    return eventLine(Role::Neu, tr("The terminal was started anew"));
}

EventLine EventWords::operator()(const event::VoidStarted &started) const
{
    return eventLine(Role::Wrk, started.overrideReason.isEmpty() ? tr("Void safely: written down, then sent")
                                                                 : tr("Void by a supervisor: written down, then sent"));
}

QString EventWords::voidResult(VoidResult result)
{
    switch (result) {
    case VoidResult::Reversed:
        return tr("Voided: the money goes back");
    case VoidResult::Prevented:
        return tr("Voided: it had never arrived");
    case VoidResult::NotCharged:
        return tr("The bank had declined it: nothing to void");
    }
    return {};
}

QString EventWords::voidNothing(const voiding::Nothing &nothing)
{
    switch (nothing.why) {
    case voiding::Nothing::Why::InProgress:
        return tr("The bank is still working on the charge");
    case voiding::Nothing::Why::NotSent:
        return tr("The void was not sent: no line to the bank");
    case voiding::Nothing::Why::NoAnswer:
        return tr("No answer to the void");
    case voiding::Nothing::Why::NotTheBanksAnswer:
        return tr("What came was not the bank’s");
    case voiding::Nothing::Why::ServerTrouble:
        return tr("The bank has trouble of its own");
    case voiding::Nothing::Why::Refused:
        return tr("The bank did not take the void (%1)").arg(nothing.status);
    case voiding::Nothing::Why::OtherLedger:
        return tr("Another bank’s books answered");
    }
    return {};
}

EventLine EventWords::operator()(const event::VoidEnded &ended) const
{
    const QString wire = wireText(ended.elapsedMs, ended.wireSends);
    if (const auto *settled = std::get_if<voiding::Settled>(&ended.verdict))
        return eventLine(settled->result == VoidResult::NotCharged ? Role::Bad : Role::Ok,
                         voidResult(settled->result) + wire);
    if (const auto *nothing = std::get_if<voiding::Nothing>(&ended.verdict))
        return eventLine(nothing->why == voiding::Nothing::Why::InProgress ? Role::Wrk : Role::Unk,
                         voidNothing(*nothing) + wire);
    return eventLine(Role::Bad, tr("The bank has other details") + wire);
}

EventLine EventWords::operator()(const event::VoidWaitElapsed &waited) const
{
    return eventLine(Role::Wrk, tr("Same void sent (try %1)").arg(waited.nextTry));
}

EventLine EventWords::operator()(const event::Resumed &resumed) const
{
    return eventLine(Role::Neu, tr("The machine had slept for %1 s").arg((resumed.suspendedMs + 999) / 1000));
}

EventLine EventWords::operator()(const event::WrittenOff &) const
{
    return eventLine(Role::Neu, tr("Closed by a supervisor: outcome never known"));
}

/// "AttemptEnded 2": which try or void an event belongs to.
QString numberedName(const EventBody &body)
{
    QString name = eventName(body);
    if (const auto *ended = std::get_if<event::AttemptEnded>(&body))
        name += QStringLiteral(" %1").arg(ended->attempt);
    else if (const auto *late = std::get_if<event::LateAnswer>(&body))
        name += QStringLiteral(" %1").arg(late->attempt);
    else if (const auto *waited = std::get_if<event::WaitElapsed>(&body))
        name += QStringLiteral(" %1").arg(waited->nextAttempt);
    else if (const auto *voidEnded = std::get_if<event::VoidEnded>(&body))
        name += QStringLiteral(" %1").arg(voidEnded->voidTry);
    else if (const auto *voidWaited = std::get_if<event::VoidWaitElapsed>(&body))
        name += QStringLiteral(" %1").arg(voidWaited->nextTry);
    return name;
}

std::optional<SettledBy> settlerOf(const State &state)
{
    if (const auto *approved = std::get_if<state::Approved>(&state))
        return approved->by;
    if (const auto *declined = std::get_if<state::Declined>(&state))
        return declined->by;
    if (const auto *voided = std::get_if<state::Voided>(&state))
        return voided->by;
    return std::nullopt;
}

QString settledName(const State &state)
{
    const auto by = settlerOf(state);
    if (!by)
        return QStringLiteral("settled");
    switch (*by) {
    case SettledBy::Answer:
        return QStringLiteral("settled by answer");
    case SettledBy::Replay:
        return QStringLiteral("settled by replay");
    case SettledBy::Inquiry:
        return QStringLiteral("settled by inquiry");
    case SettledBy::Void:
        return QStringLiteral("settled by void");
    }
    return {};
}

} // namespace

std::vector<EventLine> eventLines(const HistoryDetail &detail)
{
    const Checkout &checkout = detail.checkout;
    std::vector<EventLine> lines;
    int tries = 0;
    std::optional<std::size_t> settledAfter;
    for (const Event &event : detail.events) {
        EventLine line = std::visit(EventWords{checkout, tries}, event.body);
        line.time = exactTimeText(event.at.wallMs);
        line.name = numberedName(event.body);
        const bool speaks = std::holds_alternative<event::LateAnswer>(event.body) ||
                            std::holds_alternative<event::InquiryEnded>(event.body) ||
                            std::holds_alternative<event::VoidEnded>(event.body);
        if (checkout.contradiction && speaks && event.at.wallMs == checkout.contradiction->atWallMs) {
            line.role = Role::Bad;
            line.strong = true;
        } else if (!settledAfter && checkout.settledWallMs == event.at.wallMs) {
            settledAfter = lines.size() + 1;
        }
        lines.push_back(line);
    }
    if (settledAfter && isFinal(checkout.state)) {
        Checkout plain = checkout;
        plain.contradiction.reset();
        const RowWords words = rowWordsOf(plain);
        const EventLine closing{exactTimeText(*checkout.settledWallMs), words.role, words.word,
                                settledName(checkout.state), true};
        lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(*settledAfter), closing);
    }
    return lines;
}

QString settledText(const Checkout &checkout)
{
    QStringList parts;
    if (const auto by = settlerOf(checkout.state)) {
        switch (*by) {
        case SettledBy::Answer:
            parts << EventWords::tr("by the bank’s answer");
            break;
        case SettledBy::Replay:
            parts << EventWords::tr("by the repeated answer");
            break;
        case SettledBy::Inquiry:
            parts << EventWords::tr("by asking the bank");
            break;
        case SettledBy::Void:
            parts << EventWords::tr("by the void");
            break;
        }
    } else if (std::holds_alternative<state::WrittenOff>(checkout.state)) {
        parts << EventWords::tr("by a supervisor");
    } else if (isFinal(checkout.state)) {
        parts << EventWords::tr("by this terminal");
    } else {
        parts << EventWords::tr("not yet");
    }
    const int sent = totalWireSends(checkout);
    parts << (sent == 1 ? EventWords::tr("sent once") : EventWords::tr("sent %1 times").arg(sent));
    const auto *voided = std::get_if<state::Voided>(&checkout.state);
    if (checkout.contradiction)
        parts << EventWords::tr("charges not certain");
    else if (std::holds_alternative<state::Approved>(checkout.state))
        parts << EventWords::tr("1 charge");
    else if (voided && voided->result == VoidResult::Reversed)
        parts << EventWords::tr("1 charge, money back");
    else if (isFinal(checkout.state) && !std::holds_alternative<state::WrittenOff>(checkout.state))
        parts << EventWords::tr("no charge");
    return parts.join(EventWords::tr(", ", "between the parts of a list"));
}

} // namespace ikkai
