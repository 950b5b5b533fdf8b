#include "core/domain/ids.h"

#include <algorithm>

namespace ikkai {

namespace ids_detail {

constexpr qsizetype maxCharacters = 64;

bool isControl(char32_t c)
{
    switch (QChar::category(c)) {
    case QChar::Other_Control:
    case QChar::Other_Surrogate: // a lone half: it would not survive UTF-8, so no answer could echo it
    case QChar::Separator_Line:
    case QChar::Separator_Paragraph:
        return true;
    default:
        return false;
    }
}

bool isSourceCharacter(QChar c)
{
    const char16_t u = c.unicode();
    return (u >= u'a' && u <= u'z') || (u >= u'A' && u <= u'Z') || (u >= u'0' && u <= u'9') || u == u'_' || u == u'-' ||
           u == u'.';
}

bool isLowerHex(QChar c)
{
    const char16_t u = c.unicode();
    return (u >= u'0' && u <= u'9') || (u >= u'a' && u <= u'f');
}

/// RFC 9562, sections 4 and 5.7: 8-4-4-4-12 hex digits, version 7, variant 10.
bool isUuidV7(const QString &text)
{
    if (text.size() != 36)
        return false;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (dash ? text.at(i) != u'-' : !isLowerHex(text.at(i)))
            return false;
    }
    const QChar variant = text.at(19);
    return text.at(14) == u'7' && (variant == u'8' || variant == u'9' || variant == u'a' || variant == u'b');
}

} // namespace ids_detail

Result<OrderId, FieldError> OrderId::parse(QStringView text)
{
    const QString trimmed = text.trimmed().toString();
    const auto error = [&](FieldError::Problem problem) {
        return FieldError{QStringLiteral("order"), problem, text.toString()};
    };
    if (trimmed.isEmpty())
        return error(FieldError::Problem::Empty);
    const auto characters = trimmed.toStdU32String();
    if (std::any_of(characters.begin(), characters.end(), ids_detail::isControl))
        return error(FieldError::Problem::BadCharacter);
    // A lone surrogate becomes U+FFFD on the way to UTF-32, so the halves are looked for in the text itself.
    // One that stands there already is what a decoder put in place of bytes it could not read.
    if (!trimmed.isValidUtf16() || trimmed.contains(QChar::ReplacementCharacter))
        return error(FieldError::Problem::BadCharacter);
    if (static_cast<qsizetype>(characters.size()) > ids_detail::maxCharacters)
        return error(FieldError::Problem::TooLong);
    return OrderId(trimmed);
}

Result<SourceId, FieldError> SourceId::parse(QStringView text)
{
    const auto error = [&](FieldError::Problem problem) {
        return FieldError{QStringLiteral("source"), problem, text.toString()};
    };
    if (text.isEmpty())
        return error(FieldError::Problem::Empty);
    if (!std::all_of(text.begin(), text.end(), ids_detail::isSourceCharacter))
        return error(FieldError::Problem::BadCharacter);
    if (text.size() > ids_detail::maxCharacters)
        return error(FieldError::Problem::TooLong);
    return SourceId(text.toString());
}

Result<IdempotencyKey, FieldError> IdempotencyKey::parse(QStringView text)
{
    // Upper case is the same UUID (RFC 9562, section 4); the bank compares bytes, and knows the lower-case form.
    const QString lower = text.toString().toLower();
    if (!ids_detail::isUuidV7(lower))
        return FieldError{QStringLiteral("key"), FieldError::Problem::BadCharacter, text.toString()};
    return IdempotencyKey(lower);
}

} // namespace ikkai
