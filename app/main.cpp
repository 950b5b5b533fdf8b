#include "app/charge_command.h"
#include "app/options.h"
#include "app/scenario_command.h"
#include "app/scorecard_command.h"
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
        std::fprintf(stop.exitCode == 0 ? stdout : stderr, "%s\n", qUtf8Printable(stop.line));
        return stop.exitCode;
    }
    if (options->command != Command::Window) {
        const QCoreApplication application(argc, argv);
        switch (options->command) {
        case Command::RunScenario:
            return runScenario(*options);
        case Command::Scorecard:
            return runScorecard(*options);
        default:
            return runCharge(*options);
        }
    }
#ifdef IKKAI_WITH_WINDOW
    return runWindow(argc, argv, *options);
#else
    std::fputs("payment-terminal: this build has no window; there are: charge, run-scenario, scorecard\n", stderr);
    return 2;
#endif
}
