#pragma once

#include <QtCore/QString>

#include <chrono>

namespace ikkai::bench {

struct Settings {
    QString folder;                           ///< for databases; a new one, removed at the end
    std::chrono::milliseconds perMark{3'000}; ///< measuring time of one line of a table
};

} // namespace ikkai::bench
