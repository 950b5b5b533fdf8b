#include "tests/bench/bank_marks.h"
#include "tests/bench/closing_marks.h"
#include "tests/bench/history_marks.h"
#include "tests/bench/terminal_marks.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QDir>
#include <QtCore/QTemporaryDir>

#include <cstdio>
#include <optional>

namespace ikkai::bench {

namespace {

constexpr const char *usage =
    "ikkai-bench [--quick] [--seconds N] [--only bank|terminal|history|closing] [--folder DIR]\n"
    "  --quick      a short run, which shows that it works rather than how fast it is\n"
    "  --seconds N  measuring time of one line, 1 to 60; default 3\n"
    "  --folder DIR where the databases go, so which disk is measured; default the system's\n"
    "               folder for temporary files\n";

enum class Only { All, Bank, Terminal, History, Closing };

struct Wanted {
    Settings settings;
    Only only = Only::All;
};

std::optional<Wanted> readArguments(const QStringList &arguments, QString *error)
{
    Wanted wanted;
    wanted.settings.folder = QDir::tempPath();
    for (qsizetype i = 1; i < arguments.size(); ++i) {
        const QString &name = arguments[i];
        if (name == QLatin1String("--quick")) {
            wanted.settings.perMark = std::chrono::milliseconds(200);
            continue;
        }
        const QString value = arguments.value(++i);
        bool isNumber = false;
        const int seconds = value.toInt(&isNumber);
        if (name == QLatin1String("--seconds") && isNumber && seconds >= 1 && seconds <= 60)
            wanted.settings.perMark = std::chrono::seconds(seconds);
        else if (name == QLatin1String("--only") && value == QLatin1String("bank"))
            wanted.only = Only::Bank;
        else if (name == QLatin1String("--only") && value == QLatin1String("terminal"))
            wanted.only = Only::Terminal;
        else if (name == QLatin1String("--only") && value == QLatin1String("history"))
            wanted.only = Only::History;
        else if (name == QLatin1String("--only") && value == QLatin1String("closing"))
            wanted.only = Only::Closing;
        else if (name == QLatin1String("--folder") && QDir(value).exists() && !value.isEmpty())
            wanted.settings.folder = value;
        else {
            *error = QStringLiteral("not understood: %1 %2").arg(name, value).trimmed();
            return std::nullopt;
        }
    }
    return wanted;
}

int run(const QStringList &arguments)
{
    if (arguments.contains(QStringLiteral("--help"))) {
        std::fputs(usage, stdout);
        return 0;
    }
    QString error;
    std::optional<Wanted> wanted = readArguments(arguments, &error);
    if (!wanted) {
        std::fprintf(stderr, "ikkai-bench: %s\n%s", qPrintable(error), usage);
        return 2;
    }
    const QTemporaryDir folder(wanted->settings.folder + QStringLiteral("/ikkai-bench-XXXXXX"));
    if (!folder.isValid()) {
        std::fprintf(stderr, "ikkai-bench: %s\n", qPrintable(folder.errorString()));
        return 2;
    }
    wanted->settings.folder = folder.path();
    const auto isWanted = [&](Only part) { return wanted->only == Only::All || wanted->only == part; };
    if (isWanted(Only::Bank) && !printBankMarks(wanted->settings))
        return 1;
    if (isWanted(Only::Terminal) && !printTerminalMarks(wanted->settings))
        return 1;
    if (isWanted(Only::History) && !printHistoryMarks(wanted->settings))
        return 1;
    if (isWanted(Only::Closing) && !printClosingMarks(wanted->settings))
        return 1;
    return 0;
}

} // namespace

} // namespace ikkai::bench

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    return ikkai::bench::run(QCoreApplication::arguments());
}
