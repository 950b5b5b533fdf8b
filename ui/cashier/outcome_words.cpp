#include "ui/cashier/outcome_words.h"

#include "ui/cashier/outcome_table.h"
#include "ui/i18n/store_time.h"

#include <algorithm>

namespace ikkai {

using detail::OutcomeWords;

const Offer *Outcome::offer(Action action) const
{
    const auto found =
        std::find_if(offers.begin(), offers.end(), [action](const Offer &offer) { return offer.action == action; });
    return found == offers.end() ? nullptr : &*found;
}

Outcome outcomeOf(const Checkout &checkout, bool recorded, const Stamp &now, const Circumstances &beside)
{
    const OutcomeWords words{checkout, now, beside};
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

QString quoted(const QString &words)
{
    QString safe;
    for (const QChar c : words) {
        if (c == QLatin1Char('|'))
            safe += QStringLiteral("／|");
        else if (c == QLatin1Char('<'))
            safe += QStringLiteral("‹");
        else
            safe += c;
        if (c.isSpace() || c == QLatin1Char('/') || c.unicode() >= 0x3000)
            safe += QLatin1Char('|');
    }
    return safe;
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
