#include "ui/cashier/happenings.h"

#include "ui/cashier/outcome_words.h"

#include <QtCore/QCoreApplication>

#include <algorithm>
#include <utility>

namespace ikkai {

namespace {

constexpr std::size_t mostEventsKept = 400;
constexpr std::size_t mostLogsKept = 100;

/// One event that is no try, as a line; empty word: nothing to tell.
struct HappeningWords {
    Q_DECLARE_TR_FUNCTIONS(HappeningWords)

public:
    const Event &event;

    [[nodiscard]] AttemptRow line(icons::Icon icon, theme::Role role, const QString &word,
                                  const QString &detail = {}) const
    {
        return {{}, clockText(event.at.wallMs), icon, role, word, false, detail, {}};
    }
    [[nodiscard]] AttemptRow press(icons::Icon icon, const QString &button) const
    {
        return line(icon, theme::Role::Neu, tr("Pressed: %1").arg(button));
    }

    AttemptRow operator()(const event::TriedAgain &) const
    {
        return press(icons::Icon::Person, tr("Try again (same charge)"));
    }
    AttemptRow operator()(const event::LeftOpen &) const { return press(icons::Icon::Bookmark, tr("Leave open")); }
    AttemptRow operator()(const event::AnotherStarted &) const
    {
        return line(icons::Icon::Bookmark, theme::Role::Neu, tr("Another sale was started"));
    }
    AttemptRow operator()(const event::Restarted &) const
    {
        return line(icons::Icon::Power, theme::Role::Neu, tr("The terminal was restarted"));
    }
    AttemptRow operator()(const event::Resumed &resumed) const
    {
        return line(icons::Icon::Power, theme::Role::Neu,
                    tr("The machine slept for %1 s").arg((resumed.suspendedMs + 999) / 1000));
    }
    AttemptRow operator()(const event::VoidStarted &started) const
    {
        return started.overrideReason.isEmpty() ? press(icons::Icon::Leave, tr("Void safely"))
                                                : line(icons::Icon::Leave, theme::Role::Neu,
                                                       tr("A supervisor started it anew"), started.overrideReason);
    }
    AttemptRow operator()(const event::WrittenOff &off) const
    {
        return line(icons::Icon::Dash, theme::Role::Neu, tr("Closed by a supervisor"), off.reason);
    }
    AttemptRow operator()(const event::InquiryEnded &ended) const { return std::visit(*this, ended.verdict); }
    AttemptRow operator()(const verdict::Approved &) const { return asked(icons::Icon::Check, tr("Paid"), true); }
    AttemptRow operator()(const verdict::Declined &) const { return asked(icons::Icon::Cross, tr("Declined"), true); }
    AttemptRow operator()(const verdict::Voided &) const { return asked(icons::Icon::Dash, tr("Voided"), true); }
    AttemptRow operator()(const inquiry::OtherDetails &) const
    {
        return asked(icons::Icon::Cross, tr("it has other details"), false);
    }
    AttemptRow operator()(const inquiry::Nothing &nothing) const
    {
        return asked(icons::Icon::Repeat, inquiryAnswerWords(nothing), false);
    }
    [[nodiscard]] AttemptRow asked(icons::Icon icon, const QString &answer, bool settles) const
    {
        AttemptRow row = line(icon, theme::Role::Neu, tr("Asked the bank"), answer);
        row.strong = settles;
        return row;
    }
    AttemptRow operator()(const event::VoidEnded &ended) const
    {
        if (const auto *settled = std::get_if<voiding::Settled>(&ended.verdict)) {
            AttemptRow row = line(icons::Icon::Check, theme::Role::Ok, tr("The bank cancelled it"));
            row.strong = true;
            switch (settled->result) {
            case VoidResult::Reversed:
                row.detail = tr("the money goes back");
                break;
            case VoidResult::Prevented:
                row.detail = tr("it had never arrived");
                break;
            case VoidResult::NotCharged:
                row.word = tr("The bank had declined it");
                row.detail = tr("there was nothing to cancel");
                break;
            }
            return row;
        }
        if (std::holds_alternative<voiding::Mismatch>(ended.verdict))
            return line(icons::Icon::Cross, theme::Role::Bad, tr("Cancelling"), tr("the bank has other details"));
        return line(icons::Icon::Clock, theme::Role::Unk, tr("Cancelling, try %1").arg(ended.voidTry),
                    voidAnswerWords(std::get<voiding::Nothing>(ended.verdict)));
    }
    AttemptRow operator()(const event::LateAnswer &late) const
    {
        const AttemptRecord record{late.attempt, event.at, late.verdict, 0, 0};
        AttemptRow row = attemptRow(record);
        row.tail = tr("came late");
        return row;
    }
    AttemptRow operator()(const event::CheckoutStarted &) const { return {}; }
    AttemptRow operator()(const event::BankLearned &) const { return {}; }
    AttemptRow operator()(const event::AttemptEnded &) const { return {}; } // the tries tell it
    AttemptRow operator()(const event::WaitElapsed &) const { return {}; }
    AttemptRow operator()(const event::VoidWaitElapsed &) const { return {}; }
    // What goes on by itself is not recorded: this was a person.
    AttemptRow operator()(const event::InquiryStarted &) const { return press(icons::Icon::Repeat, tr("Check now")); }

    static AttemptRow askedByItself(const CheckoutLog::Asked &asked)
    {
        AttemptRow row{{},
                       clockText(asked.wallMs),
                       icons::Icon::Repeat,
                       theme::Role::Neu,
                       tr("Asked the bank by itself"),
                       false,
                       inquiryAnswerWords(asked.answer),
                       {}};
        if (asked.times > 1)
            row.tail = tr("%1 times").arg(asked.times);
        return row;
    }
    static AttemptRow askingNow(const Stamp &now)
    {
        return {{}, clockText(now.wallMs), icons::Icon::Half, theme::Role::Wrk, tr("Asking the bank …"), false, {}, {}};
    }
    static AttemptRow folded(AttemptRow first, std::size_t count)
    {
        first.number = QStringLiteral("…");
        first.icon = icons::Icon::Clock;
        first.role = theme::Role::Neu;
        first.word = tr("%1 earlier lines").arg(count);
        first.strong = false;
        first.detail.clear();
        first.tail.clear();
        return first;
    }
};

struct TimedRow {
    qint64 wallMs = 0;
    AttemptRow row;
};

} // namespace

CheckoutLog &HappeningLog::logOf(const IdempotencyKey &key)
{
    CheckoutLog &log = m_logs[key];
    if (m_logs.size() > mostLogsKept) {
        const auto oldest = std::find_if(m_logs.begin(), m_logs.end(),
                                         [&](const auto &entry) { return entry.first != key && !entry.second.open; });
        if (oldest != m_logs.end())
            m_logs.erase(oldest);
    }
    return log;
}

void HappeningLog::take(const Event &event, const Checkout &after)
{
    CheckoutLog &log = logOf(after.key);
    log.open = isOpen(after.state);
    log.events.push_back(event);
    if (log.events.size() > mostEventsKept)
        log.events.erase(log.events.begin());
}

void HappeningLog::take(const InquiryPlan &plan)
{
    if (!plan.lastAnswer || plan.underWay)
        return;
    CheckoutLog &log = logOf(plan.key);
    // A person's press is an event and tells its answer itself.
    const bool wasPressed = !log.events.empty() &&
                            std::holds_alternative<event::InquiryEnded>(log.events.back().body) &&
                            log.events.back().at.wallMs == plan.lastEndedWallMs;
    const bool isTold = !log.asked.empty() && log.asked.back().wallMs == plan.lastEndedWallMs;
    if (wasPressed || isTold)
        return;
    if (!log.asked.empty() && log.asked.back().answer == *plan.lastAnswer &&
        log.asked.back().eventsBefore == log.events.size()) {
        ++log.asked.back().times;
        log.asked.back().wallMs = plan.lastEndedWallMs;
        return;
    }
    log.asked.push_back({plan.lastEndedWallMs, *plan.lastAnswer, 1, log.events.size()});
    if (log.asked.size() > mostEventsKept)
        log.asked.erase(log.asked.begin());
}

const CheckoutLog &HappeningLog::of(const IdempotencyKey &key) const
{
    static const CheckoutLog none;
    const auto found = m_logs.find(key);
    return found == m_logs.end() ? none : found->second;
}

std::vector<AttemptRow> happenings(const Checkout &checkout, const CheckoutLog &log, const Stamp &now, int most)
{
    std::vector<TimedRow> timed;
    bool voidIsTold = false;
    for (const Event &event : log.events) {
        voidIsTold = voidIsTold || std::holds_alternative<event::VoidStarted>(event.body);
        AttemptRow row = std::visit(HappeningWords{event}, event.body);
        if (!row.word.isEmpty())
            timed.push_back({event.at.wallMs, std::move(row)});
    }
    for (const CheckoutLog::Asked &asked : log.asked)
        timed.push_back({asked.wallMs, HappeningWords::askedByItself(asked)});
    if (checkout.voidIntent && !voidIsTold) { // started before this program was
        const VoidIntent &intent = *checkout.voidIntent;
        const Event started{intent.startedAt, event::VoidStarted{intent.key, intent.body, intent.overrideReason}};
        timed.push_back({intent.startedAt.wallMs, std::visit(HappeningWords{started}, started.body)});
    }
    // After the others: a press comes before the try that it leads to within the same millisecond.
    const std::vector<AttemptRow> tries = attemptRows(checkout, now);
    for (std::size_t i = 0; i < tries.size(); ++i)
        timed.push_back({checkout.attempts[i].startedAt.wallMs, tries[i]});
    std::stable_sort(timed.begin(), timed.end(),
                     [](const TimedRow &a, const TimedRow &b) { return a.wallMs < b.wallMs; });

    std::vector<AttemptRow> rows;
    rows.reserve(timed.size() + 1);
    for (TimedRow &one : timed)
        rows.push_back(std::move(one.row));
    if (checkout.inquiryUnderWay)
        rows.push_back(HappeningWords::askingNow(now));
    const auto shown = static_cast<std::size_t>(std::max(2, most));
    if (rows.size() > shown) {
        const std::size_t folded = rows.size() - shown + 1;
        const AttemptRow sum = HappeningWords::folded(rows.front(), folded);
        rows.erase(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(folded));
        rows.insert(rows.begin(), sum);
    }
    return rows;
}

} // namespace ikkai
