#pragma once

#include "core/checkout/retry_policy.h"
#include "core/domain/business_day.h"
#include "core/domain/result.h"
#include "core/gateway/wire_codec.h"
#include "core/journal/history.h"

#include <QtCore/QProcessEnvironment>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include <optional>

namespace ikkai::app {

enum class Role { Cashier, Trainer };
enum class Command {
    Window,
    Charge,
    Recover,
    Resolve,
    Export,
    VerifyJournal,
    Reconcile,
    CloseDay,
    SupervisorPin,
    RunScenario,
    Scorecard,
};

/// What `resolve` does to its checkout.
enum class Resolution { Check, TryAgain, Void, WriteOff, Override };

/// What one start of `payment-terminal` was asked to do; every value from the command line, else the environment, else
/// the INI file, else its default. The table of settings stands in settings_table.cpp.
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
    BusinessCalendar calendar;
    Role role = Role::Trainer;
    QString language; ///< `ja` or `en`
    QString theme;    ///< `light` or `dark`
    RetryPolicy policy;
    bool json = false;

    // charge
    QString order;
    QString amount;
    QString currency;
    QString source;
    QStringList faults;
    bool secondSale = false; ///< a paid order is charged again
    QString controlTokenFile;

    // recover, resolve
    qint64 waitMs = 10'000;

    // resolve
    QString key; ///< whole, or its end
    Resolution resolution = Resolution::Check;
    QString reason;  ///< a supervisor's
    QString pinFile; ///< `-`: standard input

    // export, reconcile
    HistoryFilter filter;
    ExportFormat format = ExportFormat::Csv;
    QString outputFile;
    std::optional<QDate> fromDay;
    std::optional<QDate> toDay; ///< inclusive

    // verify-journal
    bool rebuild = false;

    // run-scenario
    QString scenarioFile;

    // scorecard
    QString htmlFile;       ///< empty: text
    int checkouts = 20;     ///< of each row
    int lanes = 20;         ///< pairs of bank and terminal that work side by side
    QStringList strategies; ///< empty: all
    QStringList onlyFaults; ///< rows by name; empty: all
};

/// Why nothing was started: one line for people, and the exit code (0 for help and version).
struct Stop {
    int exitCode = 2;
    QString line;
    std::optional<JournalError> journal = {}; ///< where it is the journal that cannot be used
};

/// Exit code 3, in the journal's own words.
[[nodiscard]] inline Stop stopFor(const JournalError &error)
{
    return {3, describe(error), error};
}

/// `arguments` without the program's name. Errors name the option, the environment variable or the file and member.
Result<Options, Stop> readOptions(const QStringList &arguments, const QProcessEnvironment &environment);

} // namespace ikkai::app
