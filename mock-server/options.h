#pragma once

#include "mock-server/mock_server.h"

#include <QtCore/QStringList>

#include <optional>
#include <variant>

namespace mockbank {

/// What the command line of mock-payment-server asks for.
struct ProgramOptions {
    MockServerOptions server;
    QString tokenFile; ///< where the control token is written, empty for nowhere
    QString apiKeyFile;
    QString certFile;
    QString keyFile;
    bool selfSigned = false;
    bool helpWanted = false;
    bool versionWanted = false;
};

/// Why a command line is refused: one line that names the option.
struct UsageError {
    QString detail;
};

/// Reads the arguments after the program's name: `--name value` or `--name=value`. Reads no file.
[[nodiscard]] std::variant<ProgramOptions, UsageError> readOptions(const QStringList &arguments);

/// `24h`, `10s`, `300ms`, `5m`: a number of digits and one unit. Nothing for anything else, or beyond 10 years.
[[nodiscard]] std::optional<std::chrono::milliseconds> readDuration(const QString &text);

/// `name=balance` in minor units, or `name=declining`.
[[nodiscard]] std::optional<Account> readAccount(const QString &text);

/// The accounts of a bank that was given none.
[[nodiscard]] QList<Account> defaultAccounts();

[[nodiscard]] QString helpText();

} // namespace mockbank
