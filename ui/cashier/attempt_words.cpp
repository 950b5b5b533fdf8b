#include "ui/cashier/attempt_words.h"

#include "ui/cashier/outcome_words.h"

#include <QtCore/QCoreApplication>

namespace ikkai {

namespace {

using icons::Icon;
using theme::Role;

struct AttemptWords {
    Q_DECLARE_TR_FUNCTIONS(AttemptWords)

public:
    const AttemptRecord &attempt;

    [[nodiscard]] QString took() const { return tr("%1 s").arg(secondsText(attempt.elapsedMs)); }
    [[nodiscard]] AttemptRow line(Icon icon, Role role, const QString &word) const
    {
        return {
            QString::number(attempt.number), clockText(attempt.startedAt.wallMs), icon, role, word, false, {}, took()};
    }

    AttemptRow operator()(const verdict::NotSent &notSent) const
    {
        AttemptRow row = line(Icon::Dash, Role::Neu, tr("Not sent"));
        switch (notSent.why) {
        case verdict::NotSent::Why::ConnectionRefused:
        case verdict::NotSent::Why::HostNotFound:
        case verdict::NotSent::Why::BankNotLearned:
            row.detail = tr("the bank cannot be reached");
            break;
        case verdict::NotSent::Why::TlsFailed:
            row.detail = tr("no safe line to the bank");
            break;
        case verdict::NotSent::Why::ApiKeyRefused:
            row.detail = tr("the bank does not accept this terminal");
            break;
        case verdict::NotSent::Why::OtherLedger:
            row.detail = tr("another bank answers there");
            break;
        }
        return row;
    }
    AttemptRow operator()(const verdict::NoAnswer &noAnswer) const
    {
        AttemptRow row = line(Icon::Clock, Role::Unk, tr("No answer"));
        row.tail = tr("after %1 s").arg(secondsText(attempt.elapsedMs));
        switch (noAnswer.why) {
        case verdict::NoAnswer::Why::DeadlinePassed:
            break;
        case verdict::NoAnswer::Why::ConnectionLost:
        case verdict::NoAnswer::Why::ResendPrevented:
            row.detail = tr("the connection was lost");
            break;
        case verdict::NoAnswer::Why::AnswerCut:
            row.detail = tr("it was cut off in the middle");
            break;
        case verdict::NoAnswer::Why::NotTheBanksAnswer:
            row.detail = tr("what came was not the bank’s");
            break;
        }
        return row;
    }
    AttemptRow operator()(const verdict::Approved &approved) const
    {
        AttemptRow row = line(Icon::Check, Role::Ok, tr("Paid"));
        row.strong = true;
        if (approved.by == SettledBy::Replay)
            row.detail = tr("the bank repeated its first answer");
        return row;
    }
    AttemptRow operator()(const verdict::Declined &declined) const
    {
        const QString reason = shortDeclineReason(declined.details.declineCode);
        return line(Icon::Cross, Role::Bad,
                    reason.isEmpty() ? tr("Declined by the bank") : tr("Declined by the bank: %1").arg(reason));
    }
    AttemptRow operator()(const verdict::Voided &) const { return line(Icon::Dash, Role::Neu, tr("Voided")); }
    AttemptRow operator()(const verdict::StillProcessing &) const
    {
        return line(Icon::Half, Role::Wrk, tr("The bank is still working on it"));
    }
    AttemptRow operator()(const verdict::KeyMismatch &) const
    {
        return line(Icon::Cross, Role::Bad, tr("The bank has other details"));
    }
    AttemptRow operator()(const verdict::ServerTrouble &trouble) const
    {
        AttemptRow row = line(Icon::Clock, Role::Unk, tr("No clear answer"));
        row.detail = tr("the bank has trouble (%1)").arg(trouble.status);
        return row;
    }
    AttemptRow operator()(const verdict::StoredFailure &failure) const
    {
        AttemptRow row = line(Icon::Clock, Role::Unk, tr("No clear answer"));
        row.detail = tr("the bank repeats its trouble (%1)").arg(failure.status);
        return row;
    }
    AttemptRow operator()(const verdict::Refused &refused) const
    {
        AttemptRow row = line(Icon::Cross, Role::Bad, tr("Not accepted"));
        row.detail = tr("not carried out (%1)").arg(refused.status);
        return row;
    }
    AttemptRow operator()(const verdict::Unclear &unclear) const
    {
        AttemptRow row = line(Icon::Clock, Role::Unk, tr("No clear answer"));
        switch (unclear.why) {
        case verdict::Unclear::Why::RefusedAfterUnanswered:
            row.detail = tr("refused (%1), but an earlier try got no answer").arg(unclear.status);
            break;
        case verdict::Unclear::Why::NotTheBanksAnswer:
            row.detail = tr("what came was not the bank’s");
            break;
        case verdict::Unclear::Why::AnswerExpired:
            row.detail = tr("the bank no longer keeps its answer");
            break;
        }
        return row;
    }
    AttemptRow operator()(const verdict::OtherLedger &) const
    {
        AttemptRow row = line(Icon::Clock, Role::Unk, tr("No clear answer"));
        row.detail = tr("another bank’s books answered");
        return row;
    }

    [[nodiscard]] AttemptRow underWay(const Stamp &now) const
    {
        AttemptRow row = line(Icon::Half, Role::Wrk, tr("Sending …"));
        row.tail = tr("%1 s").arg(secondsText(now.monotonicMs - attempt.startedAt.monotonicMs));
        return row;
    }
    [[nodiscard]] AttemptRow cutOff() const
    {
        AttemptRow row = line(Icon::Clock, Role::Unk, tr("No answer"));
        row.detail = tr("its end was not seen");
        row.tail.clear();
        return row;
    }
};

} // namespace

std::vector<AttemptRow> attemptRows(const Checkout &checkout, const Stamp &now)
{
    std::vector<AttemptRow> rows;
    for (const AttemptRecord &attempt : checkout.attempts) {
        const AttemptWords words{attempt};
        const auto *sending = std::get_if<state::Sending>(&checkout.state);
        if (attempt.verdict)
            rows.push_back(std::visit(words, *attempt.verdict));
        else
            rows.push_back(sending && sending->attempt == attempt.number ? words.underWay(now) : words.cutOff());
    }
    return rows;
}

AttemptRow attemptRow(const AttemptRecord &attempt)
{
    return std::visit(AttemptWords{attempt}, *attempt.verdict);
}

} // namespace ikkai
