#pragma once

#include "app/options.h"

namespace ikkai::app {

/// The first line of a file that an option names, without the space around it: a key, a token or a PIN never stands on
/// a command line. `-` is standard input. Errors name option and file: it cannot be read, or the line is empty.
Result<QByteArray, Stop> readSecret(const QString &option, const QString &file);

} // namespace ikkai::app
