#pragma once

#include "core/checkout/checkout_service.h"
#include "core/domain/clock.h"

#include "ui/icons/icons.h"
#include "ui/theme/tokens.h"

#include <QtCore/QString>
#include <QtCore/QStringList>

#include <optional>
#include <vector>

namespace ikkai {

/// What the cashier can do about the checkout on the screen.
enum class Action {
    NewSale,
    NewChargeForOrder, ///< prepares the entry; charges nothing by itself
    TryAsNewCharge,    ///< starts a new checkout for the same order: nothing was charged before
    TryAgain,          ///< the same charge, the same key
    VoidSafely,
    LeaveOpen,
    CheckNow,
    CopyDetails,
    Details,
    Receipt, ///< a paper to print: the receipt, or the slip of what is not known yet
    Close,
    Supervisor, ///< opens the supervisor's panel
    Reconcile,  ///< opens the comparison with the bank
};

/// A button. What cannot work now is shown shut, with its reason.
struct Offer {
    Action action = Action::NewSale;
    QString shutReason; ///< empty: it works
    friend bool operator==(const Offer &, const Offer &) = default;
};

/// Everything the window says of one checkout. Sentences may carry `<b>` and, in Japanese, `|` between phrases.
struct Outcome {
    /// What stands between the sentences and the buttons.
    enum class Middle {
        Nothing,
        Track,      ///< the automatic run
        Question,   ///< two large choices
        Cancelling, ///< how the void goes on, and the two choices, shut
        SideBySide  ///< two records or words that do not fit
    };

    QString word; ///< the outcome word of the state: approved, unknown, ...
    theme::Role role = theme::Role::Neu;
    icons::Icon icon = icons::Icon::None;
    QString headline;
    QString subHeadline;
    QString lead;        ///< the strong sentence
    QString sentence;    ///< the sentence under the banner
    QString explanation; ///< a quieter one
    QString tell;        ///< what to tell the customer
    QString notice;      ///< what is odd
    QString meaning;     ///< "What does this mean?"
    Middle middle = Middle::Nothing;
    bool listsAttempts = true;
    std::vector<Offer> offers;

    [[nodiscard]] const Offer *offer(Action action) const;
};

/// What stands beside a checkout and is not part of it.
struct Circumstances {
    std::optional<InquiryPlan> plan; ///< asking the bank by itself
    bool bankCannotVoid = false;     ///< it said so of an open checkout
    bool otherLedgerAnswers = false; ///< where this one is open, another bank answers now
};

/// The one table: state (and the facts beside it) to role, icon, words and buttons. `recorded`: the journal has the
/// last event. In the language in force; call again after a change of language.
[[nodiscard]] Outcome outcomeOf(const Checkout &checkout, bool recorded, const Stamp &now,
                                const Circumstances &beside = {});

/// The state in a word or two, for lists.
[[nodiscard]] QString shortWordOf(const Checkout &checkout);

/// An attempt went without the bank's word: it may have been charged.
[[nodiscard]] bool mayHaveBeenCharged(const Checkout &checkout);

/// The bank answered a void of this checkout with "not offered here".
[[nodiscard]] bool saidItCannotVoid(const Checkout &checkout);
/// Another ledger has answered for this checkout: its attempts, its void or its inquiries.
[[nodiscard]] bool saidByOtherLedger(const Checkout &checkout, const std::optional<InquiryPlan> &plan);

/// "it has no record of it yet": what an inquiry brought, for the middle of a line.
[[nodiscard]] QString inquiryAnswerWords(const inquiry::Nothing &nothing);
/// "the bank cannot be reached": what came of a try of the void, for the middle of a line.
[[nodiscard]] QString voidAnswerWords(const voiding::Nothing &nothing);
/// "Paid", "Declined": an outcome word for people.
[[nodiscard]] QString outcomeSaid(const QString &outcomeWord);
/// Somebody's own words, safe within a sentence: marks lose their meaning, and it may break anywhere.
[[nodiscard]] QString quoted(const QString &words);

/// Why the bank declined, for people: "There is not enough money on this account."
[[nodiscard]] QString declineReason(const QString &declineCode);
/// "not enough money", for a list row; empty where the code says nothing to people.
[[nodiscard]] QString shortDeclineReason(const QString &declineCode);

/// An order's name for the middle of a sentence: a long one is shortened in its middle.
[[nodiscard]] QString shortOrder(const QString &order);

/// "3.0", in seconds with one decimal; rounded up, so that a countdown ends at 0.0.
[[nodiscard]] QString secondsText(qint64 ms);
/// "12:00:01" in the time zone of the till.
[[nodiscard]] QString clockText(qint64 wallMs);
[[nodiscard]] QString shortClockText(qint64 wallMs); ///< "12:00"

} // namespace ikkai
