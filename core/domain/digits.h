#pragma once

#include <QtCore/QChar>

namespace ikkai {

/// 0..9 for an ASCII or full-width digit (U+FF10...), as Japanese input methods type them; -1 for anything else, the
/// digits of other scripts too: they are not for money.
[[nodiscard]] constexpr int digitValue(QChar c)
{
    const char16_t u = c.unicode();
    if (u >= u'0' && u <= u'9')
        return u - u'0';
    if (u >= u'\uff10' && u <= u'\uff19')
        return u - u'\uff10';
    return -1;
}

} // namespace ikkai
