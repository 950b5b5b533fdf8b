#pragma once

#include "core/closing/day_report.h"
#include "core/closing/reconciliation.h"

#include "ui/icons/icons.h"
#include "ui/theme/tokens.h"

#include <QtCore/QList>
#include <QtCore/QString>

#include <utility>

namespace ikkai {

struct Settling;

/// An outcome in a word or two, with its sign.
struct OutcomeSign {
    QString word;
    icons::Icon icon = icons::Icon::None;
    theme::Role role = theme::Role::Neu;
    friend bool operator==(const OutcomeSign &, const OutcomeSign &) = default;
};
/// `outcome`: an outcome word. One that a later version added claims nothing: it reads as open.
[[nodiscard]] OutcomeSign outcomeSign(const QString &outcome);

/// Who can do something about a difference: a column of tiles over the table, worst first.
enum class DifferenceGroup { NeedsPerson, CanBeSettled, SettlesItself, NotFromHere };
[[nodiscard]] DifferenceGroup groupOf(DifferenceKind kind);

/// What the window says of one difference, and the one thing that can be done about it.
struct DifferenceWords {
    enum class Action { ShowRecord, ShowBankCharges, Settle, Nothing };

    QString word;
    QString sentence;
    icons::Icon icon = icons::Icon::None;
    theme::Role role = theme::Role::Neu;
    QString here;
    QString atBank;
    QString bankMinusHere;
    Action action = Action::Nothing;
    QString actionLabel; ///< of the button; with Nothing: what stands in its place
};
/// `settling`: what came of asking for this row, or nullptr. In the language in force.
[[nodiscard]] DifferenceWords differenceWords(const Difference &difference, const Settling *settling);

/// "1,284"
[[nodiscard]] QString countWords(qint64 count);
/// "+¥3,400", "−¥450", "¥0"
[[nodiscard]] QString signedAmount(qint64 amountMinor, const Currency &currency);
/// "¥1,936,420 · $12.00"; empty for none
[[nodiscard]] QString sumsWords(const QList<std::pair<Currency, qint64>> &sums);

} // namespace ikkai
