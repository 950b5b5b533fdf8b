#pragma once

#include <QtCore/QString>

namespace ikkai {

/// Which input was wrong and how; the edges (window, command line) put it into words beside the field.
struct FieldError {
    enum class Problem {
        Empty,
        NotDigits, ///< anything but digits: sign, point, comma, letter, exponent
        TooSmall,
        TooLarge,
        TooLong,
        BadCharacter,
        UnknownValue,
    };

    QString field; ///< order, amount, currency, source, ...
    Problem problem = Problem::Empty;
    QString given; ///< what was typed

    friend bool operator==(const FieldError &, const FieldError &) = default;
};

/// One English sentence for the command line and logs, naming the field.
[[nodiscard]] QString describe(const FieldError &error);

} // namespace ikkai
