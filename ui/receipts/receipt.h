#pragma once

#include "core/checkout/checkout.h"

#include <QtCore/QString>
#include <QtCore/QStringList>

#include <vector>

namespace ikkai {

/// What stands on one paper, in the language in force when it was made. A value: safe on any thread.
struct Receipt {
    enum class Kind {
        Paid,
        Declined,       ///< by the bank: nothing was charged
        NothingCharged, ///< refused or not sent
        Voided,
        NotKnown,   ///< the slip of what is not settled: it never says how it ended
        WrittenOff, ///< closed by a supervisor: it never will be known
        Disputed,   ///< bank and terminal say different things
        DayReport,  ///< of no single checkout
    };
    struct Line {
        QString name;
        QString value;
        friend bool operator==(const Line &, const Line &) = default;
    };

    Kind kind = Kind::NotKnown;
    QString reprintMark; ///< both languages, whatever is in force; empty on an original
    QString title;
    QString headline; ///< how it ended, or that this is not known
    QString amount;
    QStringList words; ///< what the customer has to know and do
    std::vector<Line> lines;
    QString foot;

    [[nodiscard]] bool isReprint() const { return !reprintMark.isEmpty(); }
    /// Everything on the paper, line by line.
    [[nodiscard]] QString text() const;
    friend bool operator==(const Receipt &, const Receipt &) = default;
};

enum class Paper { Original, Reprint };

/// None of these is touched by printing: it is made from a copy of the checkout. While a charge is still running there
/// is nothing to put on paper.
[[nodiscard]] std::optional<Receipt> receiptOf(const Checkout &checkout, Paper paper);

} // namespace ikkai

Q_DECLARE_METATYPE(ikkai::Receipt)
