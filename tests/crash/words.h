#pragma once

#include <QtCore/QString>

namespace ikkai::crash {

[[nodiscard]] inline QString s(const char *text)
{
    return QString::fromLatin1(text);
}

constexpr int patienceMs = 30'000; ///< with a process that was asked to do something, or killed

} // namespace ikkai::crash
