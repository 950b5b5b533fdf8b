#include "ui/receipts/receipt.h"

#include "ui/cashier/outcome_words.h"
#include "ui/history/history_words.h"

#include <QtCore/QCoreApplication>

namespace ikkai {

namespace {

/// What each state puts on paper.
struct ReceiptWords {
    Q_DECLARE_TR_FUNCTIONS(ReceiptWords)

public:
    using Kind = Receipt::Kind;
    const Checkout &checkout;

    [[nodiscard]] Receipt operator()(const state::Approved &approved) const
    {
        Receipt paper = made(Kind::Paid, tr("Receipt"), tr("Paid"));
        paper.words << tr("Charged once.");
        if (!approved.details.bankChargeId.isEmpty())
            paper.lines.push_back({tr("Bank’s number"), approved.details.bankChargeId});
        return paper;
    }
    [[nodiscard]] Receipt operator()(const state::Declined &declined) const
    {
        Receipt paper = made(Kind::Declined, tr("Payment slip"), tr("Declined"));
        paper.words << plain(declineReason(declined.details.declineCode)) << tr("Nothing was charged.");
        return paper;
    }
    [[nodiscard]] Receipt operator()(const state::Refused &) const
    {
        Receipt paper = made(Kind::NothingCharged, tr("Payment slip"), tr("Not accepted"));
        paper.words << tr("Nothing was charged.");
        return paper;
    }
    [[nodiscard]] Receipt operator()(const state::NotSent &) const
    {
        Receipt paper = made(Kind::NothingCharged, tr("Payment slip"), tr("Not sent"));
        paper.words << tr("The bank could not be reached.") << tr("Nothing was charged.");
        return paper;
    }
    [[nodiscard]] Receipt operator()(const state::Voided &voided) const
    {
        Receipt paper = made(Kind::Voided, tr("Void slip"), tr("Voided"));
        if (voided.result == VoidResult::Reversed)
            paper.words << tr("The charge was reversed.") << tr("The money goes back to your account.");
        else
            paper.words << tr("Nothing was charged.");
        return paper;
    }
    [[nodiscard]] Receipt operator()(const state::WrittenOff &) const
    {
        Receipt paper = made(Kind::WrittenOff, tr("Outcome slip"), tr("Outcome never known"));
        paper.words << tr("A supervisor has closed this payment.")
                    << tr("If it stands on your statement, ask us with the Ref below.");
        return paper;
    }
    [[nodiscard]] Receipt operator()(const state::Voiding &) const { return cancelling(); }
    [[nodiscard]] Receipt operator()(const state::VoidPending &) const { return cancelling(); }
    [[nodiscard]] Receipt operator()(const state::KeyMismatch &) const { return notKnown(); }
    [[nodiscard]] Receipt operator()(const state::Unknown &) const { return notKnown(); }
    [[nodiscard]] Receipt operator()(const state::Sending &) const { return notKnown(); }
    [[nodiscard]] Receipt operator()(const state::Waiting &) const { return notKnown(); }

    [[nodiscard]] Receipt notKnown() const
    {
        Receipt paper = made(Kind::NotKnown, tr("Outcome slip"), tr("Outcome not known yet"));
        paper.words << tr("The bank has not told us how this ended. You may have been charged.")
                    << tr("Do not pay again before you have asked us.")
                    << tr("Keep this slip. We ask the bank, and tell you with the Ref below.")
                    << tr("You will not be charged twice.");
        return paper;
    }
    [[nodiscard]] Receipt cancelling() const
    {
        Receipt paper = made(Kind::NotKnown, tr("Outcome slip"), tr("Being cancelled"));
        paper.words << tr("The bank has been asked to cancel this charge and has not answered yet.")
                    << tr("If you were charged, the money goes back.")
                    << tr("Keep this slip and ask us with the Ref below.");
        return paper;
    }
    [[nodiscard]] Receipt disputed() const
    {
        Receipt paper = made(Kind::Disputed, tr("Outcome slip"), tr("Being looked into"));
        paper.words << tr("The bank and this terminal do not say the same.")
                    << tr("Do not pay again before you have asked us.")
                    << tr("Keep this slip and ask us with the Ref below.");
        return paper;
    }

private:
    static QString plain(QString marked)
    {
        return marked.remove(QLatin1Char('|')).remove(QStringLiteral("<b>")).remove(QStringLiteral("</b>"));
    }
    [[nodiscard]] Receipt made(Kind kind, const QString &title, const QString &headline) const
    {
        Receipt paper;
        paper.kind = kind;
        paper.title = title;
        paper.headline = headline;
        paper.amount = format(checkout.money);
        paper.lines = {
            {tr("Order"), checkout.order.text()},
            {tr("Pay by"), sourceWord(checkout.source)},
            {tr("Started"), momentText(checkout.startedAt.wallMs)},
        };
        if (checkout.settledWallMs)
            paper.lines.push_back({tr("Settled"), momentText(*checkout.settledWallMs)});
        paper.lines.push_back({tr("Terminal"), checkout.terminalId});
        paper.lines.push_back({tr("Ref"), checkout.key.lastFour()});
        paper.foot = checkout.key.text();
        return paper;
    }
};

} // namespace

QString Receipt::text() const
{
    QStringList all;
    if (isReprint())
        all << reprintMark;
    all << title << headline << amount << words;
    for (const Line &line : lines)
        all << line.name + QStringLiteral(": ") + line.value;
    all << foot;
    return all.join(QLatin1Char('\n'));
}

std::optional<Receipt> receiptOf(const Checkout &checkout, Paper paper)
{
    if (isAutomatic(checkout.state))
        return std::nullopt;
    const ReceiptWords words{checkout};
    Receipt made =
        checkout.contradiction && isFinal(checkout.state) ? words.disputed() : std::visit(words, checkout.state);
    if (paper == Paper::Reprint)
        made.reprintMark = QString::fromUtf8("再発行 / REPRINT"); // read by people of either language
    return made;
}

} // namespace ikkai
