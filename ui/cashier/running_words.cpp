#include "ui/cashier/outcome_table.h"

#include <algorithm>

namespace ikkai::detail {

using icons::Icon;
using theme::Role;

namespace {

constexpr qint64 wayOutAfterMs = 10'000;

} // namespace

bool OutcomeWords::earlierTriesNotSent() const
{
    return std::all_of(checkout.attempts.begin(), checkout.attempts.end(), [this](const AttemptRecord &attempt) {
        const bool underWay = !attempt.verdict && attempt.number == checkout.attempts.back().number;
        return underWay || (attempt.verdict && std::holds_alternative<verdict::NotSent>(*attempt.verdict));
    });
}

const ChargeVerdict *OutcomeWords::lastVerdict() const
{
    for (auto attempt = checkout.attempts.rbegin(); attempt != checkout.attempts.rend(); ++attempt) {
        if (attempt->verdict)
            return &*attempt->verdict;
    }
    return nullptr;
}

Outcome OutcomeWords::contacting() const
{
    Outcome out;
    out.role = Role::Wrk;
    out.icon = Icon::Working;
    out.headline = tr("Contacting |the bank");
    out.middle = Outcome::Middle::Track;
    if (lastVerdict() == nullptr) {
        out.sentence = tr("The charge is on its way. <b>Please wait.</b>");
    } else {
        out.sentence = tr("The bank cannot be reached. <b>Nothing has been charged:</b> the terminal tries again.");
    }
    out.meaning = tr("The terminal has written this charge down and sends it to the bank. If no answer comes, it sends "
                     "the same charge again. The bank knows it by its number, so it cannot be charged twice.");
    const bool first = lastVerdict() == nullptr;
    if (!first || now.monotonicMs - checkout.run.startedMonotonicMs > wayOutAfterMs)
        out.offers = {{Action::LeaveOpen, {}}};
    return out;
}

Outcome OutcomeWords::checking() const
{
    Outcome out = contacting();
    out.headline = tr("Checking |with the bank");
    const auto *last = lastVerdict();
    const auto *trouble = last ? std::get_if<verdict::ServerTrouble>(last) : nullptr;
    if (trouble) {
        out.sentence =
            tr("The bank has trouble of its own. <b>Nobody is charged twice:</b> the same charge is sent again.");
    } else {
        out.sentence = tr("No answer yet. <b>Nobody is charged twice:</b> the same charge is sent again.");
    }
    out.offers = {{Action::LeaveOpen, {}}};
    return out;
}

Outcome OutcomeWords::stillWorking() const
{
    Outcome out = checking();
    out.headline = tr("Bank is |still working");
    out.sentence = tr("The bank has this charge and is not done yet. <b>Nothing to do:</b> the terminal asks again.");
    out.meaning = tr("The bank says that it is working on this very charge. The terminal waits and asks again with the "
                     "same charge. It cannot be charged twice.");
    return out;
}

Outcome OutcomeWords::operator()(const state::Sending &) const
{
    const auto *last = lastVerdict();
    if (last && std::holds_alternative<verdict::StillProcessing>(*last))
        return stillWorking();
    return earlierTriesNotSent() ? contacting() : checking();
}

Outcome OutcomeWords::operator()(const state::Waiting &waiting) const
{
    if (waiting.why == state::Waiting::Why::StillProcessing)
        return stillWorking();
    return earlierTriesNotSent() ? contacting() : checking();
}

} // namespace ikkai::detail
