#pragma once

#include "core/journal/history.h"

#include "ui/icons/icons.h"
#include "ui/theme/tokens.h"

#include <QtCore/QDate>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include <vector>

namespace ikkai {

/// A row as the checkout it stands for, so far as a row tells: the words of an outcome come from one table
/// (outcome_words), for the list, the detail and the cashier alike.
[[nodiscard]] Checkout checkoutOf(const HistoryRow &row);

/// The outcome in a word or two, with its icon and colour.
struct RowWords {
    QString word;
    icons::Icon icon = icons::Icon::None;
    theme::Role role = theme::Role::Neu;
    friend bool operator==(const RowWords &, const RowWords &) = default;
};
[[nodiscard]] RowWords rowWordsOf(const Checkout &checkout);

/// What a chip of the page looks for.
struct StateChip {
    QString id; ///< end of its object name
    QString label;
    icons::Icon icon = icons::Icon::None;
    theme::Role role = theme::Role::Neu;
    QStringList states; ///< outcome words; empty: all
};
[[nodiscard]] std::vector<StateChip> stateChips();

/// How the customer paid: "Card OK".
[[nodiscard]] QString sourceWord(const SourceId &source);

/// "12:00:04" on the day that is today, "05-13 12:00" this year, "2025-12-31" before: figures of one width.
[[nodiscard]] QString rowTimeText(qint64 wallMs, const QDate &today);
/// "12:00:04.002"
[[nodiscard]] QString exactTimeText(qint64 wallMs);
/// "2026-05-14 12:00:04"
[[nodiscard]] QString momentText(qint64 wallMs);
/// "Thu 14 May", with the year where it is not this one.
[[nodiscard]] QString dayText(const QDate &day, const QDate &today);
/// Of the names of days and months: "en", "ja".
[[nodiscard]] QString dayLanguage();
/// "1,000,000"
[[nodiscard]] QString countText(qint64 count);

} // namespace ikkai
