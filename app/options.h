#pragma once

#include "core/checkout/retry_policy.h"
#include "core/domain/result.h"
#include "core/gateway/wire_codec.h"

#include <QtCore/QProcessEnvironment>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include <optional>

namespace ikkai::app {

enum class Role { Cashier, Trainer };
enum class Command { Window, Charge };

/// What one start of `payment-terminal` was asked to do; every value from the command line, else the environment, else
/// the INI file, else its default. The table of settings stands in options.cpp.
struct Options {
    Command command = Command::Window;
    QUrl server; ///< empty: the embedded bank
    QString apiKeyFile;
    QString caFile; ///< empty: an https bank is vouched for by those the system trusts
    KeyFormat keyFormat = KeyFormat::Bare;
    QString journal;
    QString bankStore;                           ///< file of the embedded bank
    QString strategy = QStringLiteral("atomic"); ///< of the embedded bank
    QString terminalId;
    Role role = Role::Trainer;
    QString language; ///< `ja` or `en`
    QString theme;    ///< `light` or `dark`
    RetryPolicy policy;

    // charge
    QString order;
    QString amount;
    QString currency;
    QString source;
    QStringList faults;
    QString controlTokenFile;
    bool json = false;
};

/// Why nothing was started: one line for people, and the exit code (0 for help and version).
struct Stop {
    int exitCode = 2;
    QString line;
};

/// `arguments` without the program's name. Errors name the option, the environment variable or the file and member.
Result<Options, Stop> readOptions(const QStringList &arguments, const QProcessEnvironment &environment);

} // namespace ikkai::app
