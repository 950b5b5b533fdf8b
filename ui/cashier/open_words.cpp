#include "ui/cashier/outcome_table.h"

#include <QtCore/QStringList>

#include <algorithm>

namespace ikkai::detail {

using icons::Icon;
using theme::Role;

QString OutcomeWords::whyUnknown(const state::Unknown &unknown) const
{
    using Why = state::Unknown::Why;
    switch (unknown.why) {
    case Why::TriesRanOut:
        return tr("%1 tries brought no answer.").arg(checkout.attempts.size());
    case Why::BudgetRanOut:
        return tr("No clear answer within %1 s.").arg(checkout.policy.budgetMs / 1000);
    case Why::RetryAfterTooLong:
        return tr("The bank asks to wait %1 s.").arg((unknown.retryAfterMs.value_or(0) + 999) / 1000);
    case Why::KeyTooOld:
        return tr("This charge is too old to be sent again.");
    case Why::StoredFailure:
        return tr("The bank had trouble of its own with this charge.");
    case Why::RefusedAfterUnanswered:
        return tr("The bank refused a later try, but an earlier one got no answer.");
    case Why::NotTheBanksAnswer:
        return tr("Something answered that is not the bank.");
    case Why::AnswerExpired:
        return tr("The bank no longer keeps its answer.");
    case Why::OtherLedger:
        return tr("Another bank’s books answered.");
    case Why::LeftOpen:
        return tr("It was left open.");
    case Why::AnotherStarted:
        return tr("Another sale was started meanwhile.");
    case Why::Restarted:
        return tr("The terminal was restarted meanwhile.");
    }
    return {};
}

Outcome OutcomeWords::operator()(const state::Unknown &unknown) const
{
    Outcome out;
    out.role = Role::Unk;
    out.icon = Icon::Unknown;
    const QStringList parts = tr("Outcome |not known yet").split(QStringLiteral(" — "));
    out.headline = parts.value(0);
    out.subHeadline = parts.value(1);
    out.sentence = mayHaveBeenCharged(checkout) ? tr("The customer may have been charged. <b>Do not start over.</b>")
                                                : tr("The bank has not said how this ended. <b>Do not start over.</b>");
    out.explanation = whyUnknown(unknown);
    if (const QString asked = lastInquiry(); !asked.isEmpty())
        out.explanation += QStringLiteral(" |") + asked;
    out.tell = tr("“We are asking your bank. You will not be charged twice.”");
    out.middle = Outcome::Middle::Question;
    out.listsAttempts = false;
    out.offers = {
        {Action::TryAgain, keyTooOld(checkout, now)
                               ? tr("This charge is too old to be sent again.\nCheck now, or void it "
                                    "safely.")
                               : QString()},
        {Action::VoidSafely, whyNoVoid()},
        {Action::LeaveOpen, {}},
        {Action::Receipt, {}},
        {Action::Details, {}},
        {Action::CheckNow, checkout.inquiryUnderWay ? tr("The bank is being asked.") : QString()},
    };
    if (beside.otherLedgerAnswers)
        out.offers.push_back({Action::Supervisor, {}});
    return out;
}

QString OutcomeWords::lastInquiry() const
{
    if (!beside.plan || !beside.plan->lastAnswer)
        return {};
    return tr("Asked at %1: %2.")
        .arg(clockText(beside.plan->lastEndedWallMs), inquiryAnswerWords(*beside.plan->lastAnswer));
}

QString OutcomeWords::whyNoVoid() const
{
    return beside.bankCannotVoid ? tr("This bank does not cancel charges.\nLeave it open: nothing is lost.")
                                 : QString();
}

Outcome OutcomeWords::operator()(const state::KeyMismatch &) const
{
    Outcome out;
    out.role = Role::Bad;
    out.icon = Icon::Refused;
    out.headline = tr("Bank has |other details");
    out.sentence =
        checkout.voidIntent
            ? tr("The bank did not cancel it: what it has under this reference differs. <b>Call support.</b>")
            : tr("This request was not carried out; an earlier one may have been. <b>Call support.</b>");
    out.tell = tr("“Our terminal and the bank disagree. We are calling support.”");
    out.middle = Outcome::Middle::SideBySide;
    out.listsAttempts = false;
    out.offers = {
        {Action::LeaveOpen, {}},
        {Action::CopyDetails, {}},
        {Action::CheckNow, checkout.inquiryUnderWay ? tr("The bank is being asked.") : QString()},
        {Action::Supervisor, {}},
    };
    return out;
}

Outcome OutcomeWords::cancelling() const
{
    Outcome out;
    out.role = Role::Wrk;
    out.icon = Icon::Working;
    out.headline = tr("Cancelling |safely");
    out.sentence = tr("The bank is told to cancel this charge. <b>It settles by itself,</b> also after a restart.");
    const VoidIntent *intent = checkout.voidIntent ? &*checkout.voidIntent : nullptr;
    if (intent && intent->heardMeanwhile == outcomeWord(state::Approved{}))
        out.explanation = tr("The bank says that it was charged. The cancelling returns the money.");
    else if (intent && intent->lastTry)
        out.explanation = tr("Last try: %1.").arg(voidAnswerWords(*intent->lastTry));
    out.tell = tr("“We are cancelling it. Whatever was taken is returned.”");
    out.meaning =
        tr("The terminal has written down that this charge is to be cancelled, and tells the bank until the bank "
           "has answered. If the charge was made, the money goes back. If it never arrived, it cannot any "
           "more. From now on this charge is not sent again, by anyone.");
    out.middle = Outcome::Middle::Cancelling;
    out.listsAttempts = false;
    out.offers = {
        {Action::TryAgain, tr("It is being cancelled.\nThis charge is not sent again.")},
        {Action::VoidSafely, tr("Under way already.\nIt goes on until the bank answers.")},
        {Action::LeaveOpen, {}},
        {Action::Details, {}},
    };
    if (beside.otherLedgerAnswers)
        out.offers.push_back({Action::Supervisor, {}});
    return out;
}

Outcome OutcomeWords::operator()(const state::Voiding &) const
{
    return cancelling();
}

Outcome OutcomeWords::operator()(const state::VoidPending &) const
{
    return cancelling();
}

} // namespace ikkai::detail

namespace ikkai {

namespace {

struct BankSaid {
    Q_DECLARE_TR_FUNCTIONS(BankSaid)
};

} // namespace

bool saidItCannotVoid(const Checkout &checkout)
{
    return isVoiding(checkout.state) && checkout.voidIntent && checkout.voidIntent->lastTry &&
           saysNoVoids(*checkout.voidIntent->lastTry);
}

bool saidByOtherLedger(const Checkout &checkout, const std::optional<InquiryPlan> &plan)
{
    if (const auto *unknown = std::get_if<state::Unknown>(&checkout.state);
        unknown && unknown->why == state::Unknown::Why::OtherLedger)
        return true;
    if (isVoiding(checkout.state) && checkout.voidIntent && checkout.voidIntent->lastTry &&
        checkout.voidIntent->lastTry->why == voiding::Nothing::Why::OtherLedger)
        return true;
    return plan && plan->lastAnswer && plan->lastAnswer->why == inquiry::Nothing::Why::OtherLedger;
}

QString inquiryAnswerWords(const inquiry::Nothing &nothing)
{
    using Why = inquiry::Nothing::Why;
    switch (nothing.why) {
    case Why::InProgress:
        return BankSaid::tr("it is still working on it");
    case Why::NeverSeen:
        return BankSaid::tr("it has no record of it yet");
    case Why::NoAnswer:
        return BankSaid::tr("no answer");
    case Why::NotTheBanksAnswer:
        return BankSaid::tr("what came was not the bank’s");
    case Why::ServerTrouble:
        return BankSaid::tr("the bank has trouble of its own");
    case Why::OtherLedger:
        return BankSaid::tr("another bank’s books answered");
    }
    return {};
}

QString voidAnswerWords(const voiding::Nothing &nothing)
{
    using Why = voiding::Nothing::Why;
    if (saysNoVoids(nothing))
        return BankSaid::tr("this bank does not cancel charges (%1)").arg(nothing.status);
    switch (nothing.why) {
    case Why::InProgress:
        return BankSaid::tr("the bank is still working on the charge");
    case Why::NotSent:
        return BankSaid::tr("the bank cannot be reached");
    case Why::NoAnswer:
        return BankSaid::tr("no answer");
    case Why::NotTheBanksAnswer:
        return BankSaid::tr("what came was not the bank’s");
    case Why::ServerTrouble:
        return BankSaid::tr("the bank has trouble (%1)").arg(nothing.status);
    case Why::Refused:
        return BankSaid::tr("the bank did not take it (%1)").arg(nothing.status);
    case Why::OtherLedger:
        return BankSaid::tr("another bank’s books answered");
    }
    return {};
}

QString outcomeSaid(const QString &word)
{
    if (word == QLatin1StringView("approved"))
        return BankSaid::tr("Paid");
    if (word == QLatin1StringView("declined"))
        return BankSaid::tr("Declined");
    if (word == QLatin1StringView("voided"))
        return BankSaid::tr("Voided");
    if (word == QLatin1StringView("refused"))
        return BankSaid::tr("Not accepted");
    if (word == QLatin1StringView("not_sent"))
        return BankSaid::tr("Not sent");
    if (word == QLatin1StringView("written_off"))
        return BankSaid::tr("Never known");
    return word;
}

} // namespace ikkai
