#include "core/domain/field_error.h"

namespace ikkai {

namespace field_error_detail {

QString complaint(FieldError::Problem problem)
{
    switch (problem) {
    case FieldError::Problem::Empty:
        return QStringLiteral("must not be empty");
    case FieldError::Problem::NotDigits:
        return QStringLiteral("must be digits only, without sign, point, comma or space");
    case FieldError::Problem::TooSmall:
        return QStringLiteral("is too small");
    case FieldError::Problem::TooLarge:
        return QStringLiteral("is too large");
    case FieldError::Problem::TooLong:
        return QStringLiteral("is too long");
    case FieldError::Problem::BadCharacter:
        return QStringLiteral("has a character that is not allowed");
    case FieldError::Problem::UnknownValue:
        return QStringLiteral("is not known");
    }
    return {};
}

/// What was typed may be megabytes of anything; one line of a log shows its beginning, without control characters.
QString shown(const QString &given)
{
    constexpr qsizetype longestShown = 80;
    QString text = given.left(longestShown);
    for (QChar &c : text) {
        if (c.category() == QChar::Other_Control)
            c = QLatin1Char('?');
    }
    return given.size() > longestShown ? text + QStringLiteral("...") : text;
}

} // namespace field_error_detail

QString describe(const FieldError &error)
{
    using namespace field_error_detail;
    if (error.problem == FieldError::Problem::Empty)
        return QStringLiteral("%1 %2.").arg(error.field, complaint(error.problem));
    return QStringLiteral("%1 %2 (given: \"%3\").").arg(error.field, complaint(error.problem), shown(error.given));
}

} // namespace ikkai
