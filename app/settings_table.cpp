#include "app/settings_table.h"

#include <QtCore/QStringList>

#include <algorithm>

namespace ikkai::app {

namespace settings_table {

constexpr Commands window = Commands::of(Command::Window);
constexpr Commands charge = Commands::of(Command::Charge);
constexpr Commands resolve = Commands::of(Command::Resolve);
constexpr Commands exporting = Commands::of(Command::Export);
constexpr Commands verifying = Commands::of(Command::VerifyJournal);
constexpr Commands reconciling = Commands::of(Command::Reconcile);
constexpr Commands closing = Commands::of(Command::CloseDay);
constexpr Commands scorecard = Commands::of(Command::Scorecard);

/// Those that hold the journal and send to the bank.
constexpr Commands tills = window | charge | resolve | Commands::of(Command::Recover);
constexpr Commands bankUsers = tills | reconciling | Commands::of(Command::RunScenario);
constexpr Commands journalUsers =
    tills | exporting | verifying | reconciling | closing | Commands::of(Command::SupervisorPin);
/// Those that show or store a business day.
constexpr Commands dayUsers = tills | exporting | verifying | reconciling | closing;
constexpr Commands jsonSpeakers = charge | resolve | verifying | reconciling | closing | scorecard |
                                  Commands::of(Command::Recover, Command::RunScenario);

constexpr CommandName names[] = {
    {nullptr, Command::Window, "payment-terminal [COMMAND]",
     "Ikkai, the payment terminal that charges once. Without a command the window opens. Commands (each with --help):\n"
     "  charge           one checkout without the window\n"
     "  recover          asks the bank about everything that is open, and lists what stays so\n"
     "  resolve          one open checkout: ask, try again, void, or a supervisor's way out\n"
     "  export           the history as a CSV or JSON file\n"
     "  verify-journal   folds all events anew and compares with the table beside them\n"
     "  reconcile        the bank's charges against this journal\n"
     "  close-day        closes the business day and prints its report\n"
     "  supervisor-pin   sets the PIN of the supervisor\n"
     "  run-scenario     plays a scenario file\n"
     "  scorecard        holds the ways of handling keys against every fault"},
    {"charge", Command::Charge, "payment-terminal charge --order ORDER --amount N",
     "One checkout without the window. Exit codes: 0 approved, 10 declined, 11 refused or mismatch, 12 unknown (or "
     "the\n"
     "order is open: nothing was sent), 13 voided, 14 not sent, 2 usage, 3 journal locked or unusable, 1 internal."},
    {"recover", Command::Recover, "payment-terminal recover",
     "Asks the bank about every open checkout and sends started voids again; nothing is charged. Exit codes: 0 none "
     "is\n"
     "open, 12 some are, 2 usage, 3 journal locked or unusable, 1 internal."},
    {"resolve", Command::Resolve,
     "payment-terminal resolve --key KEY --check|--try-again|--void|--write-off|--override",
     "One open checkout. Exit codes: 0 approved, 10 declined, 11 refused or mismatch, 12 still unknown or being "
     "voided,\n"
     "13 voided, 14 not sent, 15 written off, 2 usage, 3 journal locked or unusable, 1 internal."},
    {"export", Command::Export, "payment-terminal export --output FILE",
     "The history as a file, newest first. Only reads: the till may be running. Exit codes: 0, 2 usage, 3 journal\n"
     "unusable, 1 the file could not be written."},
    {"verify-journal", Command::VerifyJournal, "payment-terminal verify-journal",
     "Folds the events of every checkout anew and compares with the table that history is read from. Only reads, "
     "unless\n"
     "--rebuild is given. Exit codes: 0 they agree (or were made to), 20 differences, 2 usage, 3 journal unusable."},
    {"reconcile", Command::Reconcile, "payment-terminal reconcile",
     "The bank's charges against this journal. Only reads: the till may be running. Exit codes: 0 no difference,\n"
     "20 differences, 12 the bank's list could not be read, 2 usage, 3 journal unusable, 1 internal."},
    {"close-day", Command::CloseDay, "payment-terminal close-day",
     "Closes the business day: its report gets the next number and never changes. Exit codes: 0 closed, 2 usage,\n"
     "3 journal locked or unusable, 1 internal."},
    {"supervisor-pin", Command::SupervisorPin, "payment-terminal supervisor-pin",
     "Sets the PIN that overriding and writing off ask for: typed twice at a terminal, or one line of standard input.\n"
     "Exit codes: 0 set, 2 not a PIN, 3 journal locked (close the till first) or unusable."},
    {"run-scenario", Command::RunScenario, "payment-terminal run-scenario FILE",
     "Plays a scenario file. Exit codes: 0 as expected, 20 not, 2 usage or the file is wrong, 1 internal."},
    {"scorecard", Command::Scorecard, "payment-terminal scorecard",
     "Holds the ways of handling keys against every fault. Exit codes: 0, 2 usage, 1 internal."},
};

constexpr Setting table[] = {
    {"server", "URL", "the bank to charge at; without it a bank runs inside this program", bankUsers},
    {"api-key-file", "FILE", "file whose first line is this terminal's API key", bankUsers},
    {"ca-file", "FILE", "PEM certificates that may vouch for an https:// bank, and no others (default: the system's)",
     bankUsers},
    {"key-format", "bare|quoted", "how Idempotency-Key is written on the wire (default: bare)", tills},
    {"journal", "FILE", "the terminal's memory (default: terminal.sqlite in the user's data folder)", journalUsers},
    {"bank-store", "FILE", "store of the embedded bank (default: beside the journal)", tills | reconciling},
    {"strategy", "NAME", "of the embedded bank: atomic, or naive, check_then_act, redis_lock, which charge twice",
     tills | reconciling},
    {"terminal-id", "NAME", "this terminal's name (default: till-1)", tills | reconciling | closing},
    {"store-zone", "ZONE", "time zone of the store's days, as in Asia/Tokyo (default: the system's)", dayUsers},
    {"day-starts", "HH:MM", "when a business day begins, as in 05:00 (default: 00:00)", dayUsers},
    {"role", "cashier|trainer", "who sits here (default: trainer with the embedded bank, else cashier)", window},
    {"lang", "ja|en", "language of the window (default: the system's)", window},
    {"theme", "light|dark", "colours of the window (default: light)", window},
    {"attempt-deadline", "TIME", "how long one try waits for its answer (default: 3s)", tills},
    {"max-attempts", "N", "tries of one automatic run (default: 5)", tills},
    {"budget", "TIME", "length of one automatic run (default: 30s)", tills},
    {"backoff-base", "TIME", "pause before the second try (default: 500ms)", tills},
    {"backoff-cap", "TIME", "longest pause between two tries (default: 8s)", tills},
    {"order", "ORDER", "what is paid, as in A-1", charge},
    {"amount", "N", "minor units: 1200 is 1,200 yen, or 12.00 dollars", charge},
    {"currency", "CODE", "ISO 4217 (default: JPY)", charge},
    {"source", "ACCOUNT", "account at the bank that pays (default: card_ok)", charge},
    {"second-sale", nullptr, "charge an order that is paid already once more, as another sale", charge},
    {"fault", "SPEC", "arm a fault first, as in after_commit:hold:next=1; may be repeated", charge,
     Setting::Times::Repeatable},
    {"control-token-file", "FILE", "control token of the bank at --server, for the trainer, --fault and run-scenario",
     window | charge | Commands::of(Command::RunScenario)},
    {"key", "KEY", "which checkout: its key, or the end of it (4 characters or more)", resolve},
    {"check", nullptr, "ask the bank; moves no money", resolve},
    {"try-again", nullptr, "the same charge again: the customer is still here", resolve},
    {"void", nullptr, "void it: the customer leaves or pays otherwise. There is no way back", resolve},
    {"write-off", nullptr, "supervisor: close it, its outcome will never be known", resolve},
    {"override", nullptr, "supervisor: void it and start the order anew at once", resolve},
    {"reason", "TEXT", "the supervisor's reason; it is kept", resolve},
    {"pin-file", "FILE", "file whose first line is the supervisor's PIN; - is standard input", resolve},
    {"wait", "TIME", "how long to wait for the bank (default: 10s)", resolve | Commands::of(Command::Recover)},
    {"format", "csv|json", "of the file (default: as its name ends, else csv)", exporting | reconciling},
    {"output", "FILE", "the file; written whole or not at all", exporting | reconciling},
    {"state", "WORD", "only checkouts in this state, as in approved, unknown; may be repeated", exporting,
     Setting::Times::Repeatable},
    {"day", "YYYY-MM-DD", "only checkouts of this business day", exporting},
    {"order-text", "TEXT", "only orders that contain this, or the checkout whose key ends so", exporting},
    {"rebuild", nullptr, "make the table anew from the events where they differ; the till must not be running",
     verifying},
    {"from", "YYYY-MM-DD", "from this business day on (default: the first)", reconciling},
    {"to", "YYYY-MM-DD", "to this business day, with it (default: today)", reconciling},
    {"json", nullptr, "JSON instead of sentences", jsonSpeakers},
    {"html", "FILE", "write the table as a page", scorecard},
    {"checkouts", "N", "checkouts of each row (default: 20)", scorecard},
    {"lanes", "N", "pairs of bank and terminal that work side by side (default: 20)", scorecard},
    {"strategy", "NAME", "only this strategy; may be repeated", scorecard, Setting::Times::Repeatable},
    {"only", "FAULT", "only the rows whose fault begins so; may be repeated", scorecard, Setting::Times::Repeatable},
};

} // namespace settings_table

std::span<const CommandName> commandNames()
{
    return settings_table::names;
}

const CommandName &nameOf(Command command)
{
    return *std::find_if(std::begin(settings_table::names), std::end(settings_table::names),
                         [command](const CommandName &name) { return name.command == command; });
}

QString commandWords()
{
    QStringList words;
    for (const CommandName &name : settings_table::names) {
        if (name.word)
            words.append(QString::fromLatin1(name.word));
    }
    return words.join(QStringLiteral(", "));
}

std::span<const Setting> settings()
{
    return settings_table::table;
}

} // namespace ikkai::app
