#include "ui/cashier/outcome_table.h"

#include "core/checkout/retry_after.h"

#include "ui/widgets/flow_text.h"

namespace ikkai::detail {

using icons::Icon;
using theme::Role;

QString OutcomeWords::repeatedAnswer(const ChargeDetails &details) const
{
    if (const auto dateMs = httpDateMs(details.originalDate.toLatin1()))
        return tr("The bank repeated its answer of %1. Nothing was charged again.").arg(clockText(*dateMs));
    return tr("The bank repeated its first answer. Nothing was charged again.");
}

Outcome OutcomeWords::operator()(const state::Approved &approved) const
{
    Outcome out;
    out.role = Role::Ok;
    out.tell = tr("“Your payment is complete. You were charged once.”");
    out.offers = {{Action::NewSale, {}}, {Action::Receipt, {}}, {Action::Details, {}}};
    if (approved.by == SettledBy::Answer) {
        out.icon = Icon::Paid;
        out.headline = tr("Paid");
        if (totalWireSends(checkout) <= 1) {
            out.lead = tr("Charged once.");
        } else {
            out.lead = tr("The bank approved try %1.").arg(approved.attempt);
            out.explanation = tr("The tries before it were the same charge. It counts once.");
        }
        return out;
    }
    out.icon = Icon::Once;
    out.headline = tr("Paid, |charged once");
    out.lead = tr("There is one charge only.");
    out.sentence = approved.by == SettledBy::Replay
                       ? repeatedAnswer(approved.details)
                       : tr("The bank says that it has this payment. Nothing was charged again.");
    return out;
}

Outcome OutcomeWords::operator()(const state::Declined &declined) const
{
    Outcome out;
    out.role = Role::Bad;
    out.icon = Icon::Refused;
    out.headline = tr("Declined");
    if (declined.by == SettledBy::Void) {
        out.lead = tr("The bank had declined it: |there was nothing to cancel. |The card was not charged.");
    } else {
        out.lead = declineReason(declined.details.declineCode) + QLatin1Char(' ') + tr("|The card was not charged.");
    }
    out.explanation = tr("Another card or another amount is a new charge.");
    out.tell = tr("“Your bank did not approve it. Nothing was taken.”");
    out.offers = {{Action::NewChargeForOrder, {}}, {Action::NewSale, {}}, {Action::Receipt, {}}, {Action::Details, {}}};
    return out;
}

Outcome OutcomeWords::operator()(const state::Refused &refused) const
{
    Outcome out;
    out.role = Role::Bad;
    out.icon = Icon::Refused;
    out.headline = tr("Not accepted");
    const QString &field = refused.problem.field;
    if (field == QLatin1StringView("amount"))
        out.lead = tr("The bank does not take this amount. |Nothing was charged.");
    else if (field == QLatin1StringView("order_id"))
        out.lead = tr("The bank does not take this order number. |Nothing was charged.");
    else if (field == QLatin1StringView("source"))
        out.lead = tr("The bank does not take this way to pay. |Nothing was charged.");
    else
        out.lead = tr("The bank could not read this charge. |Nothing was charged.");
    out.explanation = field.isEmpty() ? tr("Call support and read out the reference. Then start again.")
                                      : tr("Put it right, then charge again.");
    out.tell = tr("“The terminal has a problem. Nothing was taken.”");
    out.offers = {{Action::Close, {}}, {Action::NewChargeForOrder, {}}, {Action::Details, {}}};
    return out;
}

Outcome OutcomeWords::operator()(const state::NotSent &notSent) const
{
    Outcome out;
    out.role = Role::Neu;
    out.icon = Icon::NotSent;
    out.headline = tr("Not sent, |nothing |was charged");
    switch (notSent.why) {
    case verdict::NotSent::Why::ApiKeyRefused:
        out.lead = tr("The bank does not accept this terminal.");
        out.explanation = tr("Call support: the terminal’s key for the bank has to be put right.");
        break;
    case verdict::NotSent::Why::OtherLedger:
        out.lead = tr("Another bank answers here.");
        out.explanation = tr("Open checkouts belong to the earlier bank: settle them there first.");
        break;
    case verdict::NotSent::Why::TlsFailed:
        out.lead = tr("There is no safe line to the bank.");
        out.explanation = tr("Try as a new charge, or take another way to pay.");
        break;
    case verdict::NotSent::Why::ConnectionRefused:
    case verdict::NotSent::Why::HostNotFound:
    case verdict::NotSent::Why::BankNotLearned:
        out.lead = tr("The bank cannot be reached.");
        out.explanation = tr("Try as a new charge, or take another way to pay.");
        break;
    }
    out.tell = tr("“We could not reach the bank. Nothing was taken.”");
    out.offers = {{Action::TryAsNewCharge, {}}, {Action::NewSale, {}}, {Action::Details, {}}};
    if (notSent.why == verdict::NotSent::Why::OtherLedger) // a new charge would be turned away just the same
        out.offers = {{Action::NewSale, {}}, {Action::Details, {}}};
    return out;
}

Outcome OutcomeWords::operator()(const state::Voided &voided) const
{
    Outcome out;
    out.role = Role::Neu;
    out.icon = Icon::Voided;
    out.headline = tr("Voided");
    switch (voided.result) {
    case VoidResult::Reversed:
        out.lead = tr("The charge was reversed. The money goes back.");
        out.tell = tr("“It was cancelled. What was taken is returned.”");
        break;
    case VoidResult::Prevented:
        out.lead = tr("The charge never arrived, and now it cannot any more.");
        out.tell = tr("“It was cancelled. Nothing was taken.”");
        break;
    case VoidResult::NotCharged:
        out.lead = tr("Nothing was charged.");
        out.tell = tr("“It was cancelled. Nothing was taken.”");
        break;
    }
    out.explanation = tr("Another charge for this order is a new one.");
    out.offers = {{Action::NewSale, {}}, {Action::Receipt, {}}, {Action::Details, {}}};
    return out;
}

Outcome OutcomeWords::operator()(const state::WrittenOff &off) const
{
    Outcome out;
    out.role = Role::Neu;
    out.icon = Icon::NotSent;
    out.headline = tr("Outcome |never known");
    out.lead = tr("A supervisor closed this payment.");
    out.sentence = tr("Reason: |%1").arg(quoted(off.reason));
    switch (off.why) {
    case state::WrittenOff::Why::Mismatch:
        out.explanation = tr("The bank has other details under this reference: |that charge is not ours. |It counts "
                             "apart on the day’s report.");
        break;
    case state::WrittenOff::Why::LedgerGone:
        out.explanation = tr("The bank it was open at is gone: |whether it was charged is not known. |It counts apart "
                             "on the day’s report.");
        break;
    }
    out.offers = {{Action::NewSale, {}}, {Action::Receipt, {}}, {Action::Details, {}}};
    return out;
}

Outcome OutcomeWords::lookAtThis(const Outcome &settled) const
{
    Outcome out;
    out.role = Role::Bad;
    out.icon = Icon::Contradiction;
    out.headline = tr("Look at |this one");
    out.lead = tr("The bank now says: %1. |Shown here before: %2.")
                   .arg(outcomeSaid(checkout.contradiction->said), plainWords(settled.headline));
    out.explanation = tr("Neither is dropped. A supervisor has to compare this order with the bank.");
    out.tell = tr("“We have to look at this with the bank. We will call you.”");
    out.middle = Outcome::Middle::SideBySide;
    out.listsAttempts = false;
    out.offers = {{Action::Reconcile, {}}, {Action::NewSale, {}}, {Action::Details, {}}};
    return out;
}

} // namespace ikkai::detail
