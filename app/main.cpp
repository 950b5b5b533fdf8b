#include "app/charge_command.h"
#include "app/closing_commands.h"
#include "app/export_command.h"
#include "app/options.h"
#include "app/print.h"
#include "app/recover_command.h"
#include "app/resolve_command.h"
#include "app/scenario_command.h"
#include "app/scorecard_command.h"
#include "app/settings_table.h"
#include "app/supervisor_pin_command.h"
#include "app/verify_command.h"
#ifdef IKKAI_WITH_WINDOW
#include "app/window.h"
#endif

#include <QtCore/QCoreApplication>

#include <cstdio>

int main(int argc, char **argv)
{
    using namespace ikkai::app;
    QStringList arguments;
    for (int i = 1; i < argc; ++i)
        arguments.append(QString::fromLocal8Bit(argv[i]));

    const auto options = readOptions(arguments, QProcessEnvironment::systemEnvironment());
    if (!options) {
        const Stop &stop = options.error();
        if (stop.exitCode != 0)
            return complain(stop);
        std::fprintf(stdout, "%s\n", qUtf8Printable(stop.line)); // help has lines of its own
        return 0;
    }
    if (options->command != Command::Window) {
        const QCoreApplication application(argc, argv);
        switch (options->command) {
        case Command::RunScenario:
            return runScenario(*options);
        case Command::Scorecard:
            return runScorecard(*options);
        case Command::Charge:
            return runCharge(*options);
        case Command::Recover:
            return runRecover(*options);
        case Command::Resolve:
            return runResolve(*options);
        case Command::VerifyJournal:
            return runVerifyJournal(*options);
        case Command::SupervisorPin:
            return runSupervisorPin(*options);
        case Command::Export:
            return runExport(*options);
        case Command::Reconcile:
            return runReconcile(*options);
        case Command::CloseDay:
            return runCloseDay(*options);
        case Command::Window:
            break;
        }
    }
#ifdef IKKAI_WITH_WINDOW
    return runWindow(argc, argv, *options);
#else
    std::fprintf(stderr, "payment-terminal: this build has no window; there are: %s\n", qUtf8Printable(commandWords()));
    return 2;
#endif
}
