#include "tests/crash/rounds.h"

#include <QtCore/QCommandLineParser>
#include <QtCore/QCoreApplication>
#include <QtCore/QDir>
#include <QtCore/QTemporaryDir>

#include <cstdio>
#include <optional>

namespace {

/// One line on standard error, and the exit code of a usage error.
int usage(const char *what)
{
    std::fprintf(stderr, "crash-harness: %s\n", what);
    return 2;
}

} // namespace

/// Exit codes: 0 nothing charged twice, lost or left open; 1 something was (journal and ledger are kept, and named);
/// 2 usage.
int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    ikkai::crash::Plan plan;
    QCommandLineParser line;
    line.setApplicationDescription(QStringLiteral(
        "Kills terminal and bank at random moments, heals everything, and holds the journal against the ledger."));
    line.addHelpOption();
    line.addOptions(
        {{QStringLiteral("rounds"), QStringLiteral("kills of the terminal, and as many of the bank"),
          QStringLiteral("N"), QStringLiteral("20")},
         {QStringLiteral("seed"), QStringLiteral("which plan"), QStringLiteral("S"), QStringLiteral("1")},
         {QStringLiteral("strategy"), QStringLiteral("of the bank: naive shows that double charges are seen"),
          QStringLiteral("NAME"), plan.strategy},
         {QStringLiteral("folder"), QStringLiteral("an empty folder to work in, which stays"), QStringLiteral("DIR")}});
    line.process(application);

    bool isCount = false;
    bool isSeed = false;
    // The last of each counts: ./dev crash puts its own before what it is given.
    plan.rounds = line.values(QStringLiteral("rounds")).constLast().toInt(&isCount);
    plan.seed = line.values(QStringLiteral("seed")).constLast().toULongLong(&isSeed);
    plan.strategy = line.value(QStringLiteral("strategy"));
    if (!isCount || plan.rounds < 1 || plan.rounds > 100'000)
        return usage("--rounds is not a number from 1 to 100000");
    if (!isSeed)
        return usage("--seed is not a number");
    if (!line.positionalArguments().isEmpty())
        return usage("only options are taken");

    std::optional<QTemporaryDir> own;
    if (line.isSet(QStringLiteral("folder"))) {
        plan.folder = QDir(line.value(QStringLiteral("folder"))).absolutePath();
        if (!QDir().mkpath(plan.folder) || !QDir(plan.folder).isEmpty())
            return usage("--folder is not an empty folder");
    } else {
        plan.folder = own.emplace(QDir::tempPath() + QStringLiteral("/ikkai-crash-XXXXXX")).path();
    }
    const bool isClean = ikkai::crash::Rounds(plan).run();
    if (!isClean) {
        if (own)
            own->setAutoRemove(false);
        std::fprintf(stderr, "crash-harness: not clean; journal and ledger stay in %s\n", qUtf8Printable(plan.folder));
    }
    return isClean ? 0 : 1;
}
