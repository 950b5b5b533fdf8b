#include "ui/cashier/outcome_words.h"

#include "core/checkout/retry_after.h"

#include "ui/i18n/store_time.h"

#include <QtCore/QCoreApplication>

#include <algorithm>

namespace ikkai {

namespace {

using icons::Icon;
using theme::Role;

constexpr qint64 wayOutAfterMs = 10'000;

/// Where every sentence of the table is translated.
struct OutcomeWords {
    Q_DECLARE_TR_FUNCTIONS(OutcomeWords)

public:
    const Checkout &checkout;
    const Stamp &now;

    [[nodiscard]] Outcome operator()(const state::Sending &sending) const;
    [[nodiscard]] Outcome operator()(const state::Waiting &waiting) const;
    [[nodiscard]] Outcome operator()(const state::Approved &approved) const;
    [[nodiscard]] Outcome operator()(const state::Declined &declined) const;
    [[nodiscard]] Outcome operator()(const state::Refused &refused) const;
    [[nodiscard]] Outcome operator()(const state::NotSent &notSent) const;
    [[nodiscard]] Outcome operator()(const state::Voided &voided) const;
    [[nodiscard]] Outcome operator()(const state::Unknown &unknown) const;
    [[nodiscard]] Outcome operator()(const state::KeyMismatch &mismatch) const;
    [[nodiscard]] Outcome operator()(const state::Voiding &voiding) const;
    [[nodiscard]] Outcome operator()(const state::VoidPending &pending) const;
    [[nodiscard]] Outcome operator()(const state::WrittenOff &off) const;
    [[nodiscard]] Outcome cancelling() const;

    [[nodiscard]] Outcome contacting() const;
    [[nodiscard]] Outcome checking() const;
    [[nodiscard]] Outcome stillWorking() const;
    [[nodiscard]] Outcome lookAtThis(const Outcome &settled) const;
    [[nodiscard]] QString whyUnknown(const state::Unknown &unknown) const;
    [[nodiscard]] QString repeatedAnswer(const ChargeDetails &details) const;
    [[nodiscard]] QString outcomeSaid(const QString &word) const;
    [[nodiscard]] bool earlierTriesNotSent() const;
    [[nodiscard]] const ChargeVerdict *lastVerdict() const;
};

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

Outcome OutcomeWords::cancelling() const
{
    Outcome out;
    out.role = Role::Wrk;
    out.icon = Icon::Working;
    out.headline = tr("Cancelling |safely");
    out.sentence = tr("The bank cancels this charge. <b>It settles by itself,</b> also after a restart.");
    out.offers = {{Action::LeaveOpen, {}}};
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

Outcome OutcomeWords::operator()(const state::WrittenOff &off) const
{
    Outcome out;
    out.role = Role::Neu;
    out.icon = Icon::NotSent;
    out.headline = tr("Outcome |never known");
    out.sentence = tr("Closed by a supervisor: %1").arg(off.reason.toHtmlEscaped());
    out.offers = {{Action::NewSale, {}}, {Action::Receipt, {}}};
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
    out.lead = declineReason(declined.details.declineCode) + QLatin1Char(' ') + tr("|The card was not charged.");
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
    out.tell = tr("“We will check with your bank. You will not be charged twice.”");
    out.middle = Outcome::Middle::Question;
    out.listsAttempts = false;
    out.offers = {
        {Action::TryAgain, keyTooOld(checkout, now)
                               ? tr("This charge is too old to be sent again.\nCheck now, or leave it "
                                    "open.")
                               : QString()},
        {Action::VoidSafely, tr("This version cannot do it yet.\nLeave it open: nothing is lost.")},
        {Action::LeaveOpen, {}},
        {Action::Receipt, {}},
        {Action::CheckNow, checkout.inquiryUnderWay ? tr("The bank is being asked.") : QString()},
    };
    return out;
}

Outcome OutcomeWords::operator()(const state::KeyMismatch &) const
{
    Outcome out;
    out.role = Role::Bad;
    out.icon = Icon::Refused;
    out.headline = tr("Bank has |other details");
    out.sentence = tr("This request was not carried out; an earlier one may have been. <b>Call support.</b>");
    out.tell = tr("“Our terminal and the bank disagree. We are calling support.”");
    out.middle = Outcome::Middle::SideBySide;
    out.listsAttempts = false;
    out.offers = {
        {Action::LeaveOpen, {}},
        {Action::CopyDetails, {}},
        {Action::CheckNow, checkout.inquiryUnderWay ? tr("The bank is being asked.") : QString()},
        {Action::Details, {}},
    };
    return out;
}

QString OutcomeWords::outcomeSaid(const QString &word) const
{
    if (word == QLatin1StringView("approved"))
        return tr("Paid");
    if (word == QLatin1StringView("declined"))
        return tr("Declined");
    if (word == QLatin1StringView("voided"))
        return tr("Voided");
    if (word == QLatin1StringView("refused"))
        return tr("Not accepted");
    return word;
}

Outcome OutcomeWords::lookAtThis(const Outcome &settled) const
{
    Outcome out;
    out.role = Role::Bad;
    out.icon = Icon::Contradiction;
    out.headline = tr("Look at |this one");
    out.lead = tr("The bank now says: %1. |Shown here before: %2.")
                   .arg(outcomeSaid(checkout.contradiction->said), QString(settled.headline).remove(QLatin1Char('|')));
    out.explanation = tr("Neither is dropped. A supervisor has to compare this order with the bank.");
    out.tell = tr("“We have to look at this with the bank. We will call you.”");
    out.offers = {{Action::NewSale, {}}, {Action::Details, {}}};
    return out;
}

} // namespace

const Offer *Outcome::offer(Action action) const
{
    const auto found =
        std::find_if(offers.begin(), offers.end(), [action](const Offer &offer) { return offer.action == action; });
    return found == offers.end() ? nullptr : &*found;
}

Outcome outcomeOf(const Checkout &checkout, bool recorded, const Stamp &now)
{
    const OutcomeWords words{checkout, now};
    Outcome out = std::visit(words, checkout.state);
    if (checkout.contradiction && isFinal(checkout.state))
        out = words.lookAtThis(out);
    out.word = outcomeWord(checkout.state);
    if (!recorded)
        out.notice = OutcomeWords::tr("Not recorded yet: the terminal cannot write it down. Leave it switched on.");
    return out;
}

QString shortWordOf(const Checkout &checkout)
{
    const Outcome out = outcomeOf(checkout, true, Stamp{});
    QString plain = out.headline;
    return plain.remove(QLatin1Char('|'));
}

bool mayHaveBeenCharged(const Checkout &checkout)
{
    return std::any_of(checkout.attempts.begin(), checkout.attempts.end(), [](const AttemptRecord &attempt) {
        return !attempt.verdict || std::holds_alternative<verdict::NoAnswer>(*attempt.verdict) ||
               std::holds_alternative<verdict::ServerTrouble>(*attempt.verdict) ||
               std::holds_alternative<verdict::StoredFailure>(*attempt.verdict) ||
               std::holds_alternative<verdict::StillProcessing>(*attempt.verdict) ||
               std::holds_alternative<verdict::Unclear>(*attempt.verdict);
    });
}

QString declineReason(const QString &declineCode)
{
    if (declineCode == QLatin1StringView("insufficient_funds"))
        return OutcomeWords::tr("There is not enough money on this account.");
    if (declineCode == QLatin1StringView("expired_card"))
        return OutcomeWords::tr("This card has expired.");
    if (declineCode == QLatin1StringView("no_such_account"))
        return OutcomeWords::tr("The bank does not know this card.");
    return OutcomeWords::tr("The bank did not approve this card.");
}

QString shortDeclineReason(const QString &declineCode)
{
    if (declineCode == QLatin1StringView("insufficient_funds"))
        return OutcomeWords::tr("not enough money");
    if (declineCode == QLatin1StringView("expired_card"))
        return OutcomeWords::tr("card expired");
    if (declineCode == QLatin1StringView("no_such_account"))
        return OutcomeWords::tr("card not known");
    return {};
}

QString shortOrder(const QString &order)
{
    constexpr qsizetype most = 12;
    return order.size() <= most ? order : order.left(6) + QStringLiteral("…") + order.right(most - 7);
}

QString secondsText(qint64 ms)
{
    const qint64 tenths = (std::max<qint64>(0, ms) + 99) / 100;
    return QStringLiteral("%1.%2").arg(tenths / 10).arg(tenths % 10);
}

QString clockText(qint64 wallMs)
{
    return store::clock(wallMs);
}

QString shortClockText(qint64 wallMs)
{
    return store::shortClock(wallMs);
}

} // namespace ikkai
