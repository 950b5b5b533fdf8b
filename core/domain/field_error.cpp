#include "core/domain/field_error.h"

namespace ikkai {

namespace field_error_detail {

QString complaint(const FieldError &error)
{
    const bool isAmount = error.field == QLatin1String("amount");
    switch (error.problem) {
    case FieldError::Problem::Empty:
        return QStringLiteral("must not be empty");
    case FieldError::Problem::NotDigits:
        return QStringLiteral("must be digits only, without sign, point, comma or space");
    case FieldError::Problem::TooSmall:
        return isAmount ? QStringLiteral("must be at least 1 minor unit") : QStringLiteral("is too small");
    case FieldError::Problem::TooLarge:
        return isAmount ? QStringLiteral("must be at most 99999999 minor units") : QStringLiteral("is too large");
    case FieldError::Problem::TooLong:
        return QStringLiteral("must have at most %1 characters")
            .arg(error.field == QLatin1String("api_key") ? 512 : 64);
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
        return QStringLiteral("%1 %2.").arg(error.field, complaint(error));
    return QStringLiteral("%1 %2 (given: \"%3\").").arg(error.field, complaint(error), shown(error.given));
}

} // namespace ikkai
