#include "app/options.h"

#include "mock-server/bank/strategy.h"

#include <QtCore/QCommandLineParser>
#include <QtCore/QDir>
#include <QtCore/QFileInfo>
#include <QtCore/QHash>
#include <QtCore/QLocale>
#include <QtCore/QSettings>
#include <QtCore/QStandardPaths>

#include <algorithm>
#include <iterator>
#include <limits>

namespace ikkai::app {

namespace {

/// Which commands know a setting; several are or'ed.
enum Belongs : unsigned {
    ToWindow = 1,
    ToCharge = 2,
    ToScenario = 4,
    ToScorecard = 8,
    ToTill = ToWindow | ToCharge,
    ToBankUser = ToWindow | ToCharge | ToScenario,
};

struct CommandName {
    const char *word; ///< nullptr: none, the window
    Command command;
    Belongs settings;
    const char *usage;
};

constexpr CommandName commandNames[] = {
    {nullptr, Command::Window, ToWindow, "payment-terminal [charge|run-scenario|scorecard]"},
    {"charge", Command::Charge, ToCharge, "payment-terminal charge"},
    {"run-scenario", Command::RunScenario, ToScenario, "payment-terminal run-scenario FILE"},
    {"scorecard", Command::Scorecard, ToScorecard, "payment-terminal scorecard"},
};

const CommandName &nameOf(Command command)
{
    return *std::find_if(std::begin(commandNames), std::end(commandNames),
                         [command](const CommandName &name) { return name.command == command; });
}

/// One setting: `--name`, IKKAI_NAME in the environment, `name` in the INI file.
struct Setting {
    const char *name;
    const char *value; ///< what the help calls it; nullptr for a switch
    const char *help;
    unsigned belongs = ToTill;
};

constexpr Setting settings[] = {
    {"server", "URL", "the bank to charge at; without it a bank runs inside this program", ToBankUser},
    {"api-key-file", "FILE", "file whose first line is this terminal's API key", ToBankUser},
    {"ca-file", "FILE", "PEM certificates that may vouch for an https:// bank, and no others (default: the system's)",
     ToBankUser},
    {"key-format", "bare|quoted", "how Idempotency-Key is written on the wire (default: bare)"},
    {"journal", "FILE", "the terminal's memory (default: terminal.sqlite in the user's data folder)"},
    {"bank-store", "FILE", "store of the embedded bank (default: beside the journal)"},
    {"strategy", "NAME", "of the embedded bank: atomic, or naive, check_then_act, redis_lock, which charge twice"},
    {"terminal-id", "NAME", "this terminal's name (default: till-1)"},
    {"role", "cashier|trainer", "who sits here (default: trainer with the embedded bank, else cashier)", ToWindow},
    {"lang", "ja|en", "language of the window (default: the system's)", ToWindow},
    {"theme", "light|dark", "colours of the window (default: light)", ToWindow},
    {"attempt-deadline", "TIME", "how long one try waits for its answer (default: 3s)"},
    {"max-attempts", "N", "tries of one automatic run (default: 5)"},
    {"budget", "TIME", "length of one automatic run (default: 30s)"},
    {"backoff-base", "TIME", "pause before the second try (default: 500ms)"},
    {"backoff-cap", "TIME", "longest pause between two tries (default: 8s)"},
    {"order", "ORDER", "what is paid, as in A-1", ToCharge},
    {"amount", "N", "minor units: 1200 is 1,200 yen, or 12.00 dollars", ToCharge},
    {"currency", "CODE", "ISO 4217 (default: JPY)", ToCharge},
    {"source", "ACCOUNT", "account at the bank that pays (default: card_ok)", ToCharge},
    {"fault", "SPEC", "arm a fault first, as in after_commit:hold:next=1; may be repeated", ToCharge},
    {"control-token-file", "FILE", "control token of the bank at --server, for the trainer, --fault and run-scenario",
     ToBankUser},
    {"json", nullptr, "JSON instead of sentences", ToCharge | ToScenario | ToScorecard},
    {"html", "FILE", "write the table as a page", ToScorecard},
    {"checkouts", "N", "checkouts of each row (default: 20)", ToScorecard},
    {"lanes", "N", "pairs of bank and terminal that work side by side (default: 20)", ToScorecard},
    {"strategy", "NAME", "only this strategy; may be repeated", ToScorecard},
    {"only", "FAULT", "only the rows whose fault begins so; may be repeated", ToScorecard},
};

QString latin1(const char *text)
{
    return QString::fromLatin1(text);
}

QString environmentName(const char *name)
{
    return QStringLiteral("IKKAI_") + latin1(name).toUpper().replace(QLatin1Char('-'), QLatin1Char('_'));
}

/// The three sources, in their order of precedence.
class Values {
public:
    Values(const QCommandLineParser &line, const QProcessEnvironment &environment, const QSettings *file)
        : m_line(line)
        , m_environment(environment)
        , m_file(file)
    {
    }

    [[nodiscard]] QString text(const char *name, const QString &fallback = {}) const
    {
        const QString option = latin1(name);
        if (isOnLine(option))
            return m_line.value(option);
        if (m_environment.contains(environmentName(name)))
            return m_environment.value(environmentName(name));
        // QSettings splits a value at its commas; the words of this file are single values.
        if (m_file && m_file->contains(option))
            return m_file->value(option).toStringList().join(QLatin1Char(','));
        return fallback;
    }

    /// Where the value came from, for error lines.
    [[nodiscard]] QString origin(const char *name) const
    {
        const QString option = latin1(name);
        if (isOnLine(option))
            return QStringLiteral("--") + option;
        if (m_environment.contains(environmentName(name)))
            return environmentName(name);
        if (m_file && m_file->contains(option))
            return m_file->fileName() + QStringLiteral(": ") + option;
        return QStringLiteral("--") + option;
    }

    [[nodiscard]] Stop wrong(const char *name, const QString &expected) const
    {
        return {2, QStringLiteral("%1: \"%2\" is not %3").arg(origin(name), text(name), expected)};
    }

    /// isSet would warn of an option that belongs to another command.
    [[nodiscard]] bool isOnLine(const QString &option) const { return m_line.optionNames().contains(option); }

private:
    const QCommandLineParser &m_line;
    const QProcessEnvironment &m_environment;
    const QSettings *m_file;
};

/// "300ms", "3s", "2m", "24h": digits and a unit, nothing else.
std::optional<qint64> durationMs(const QString &text)
{
    static const QHash<QString, qint64> units{{QStringLiteral("ms"), 1},
                                              {QStringLiteral("s"), 1'000},
                                              {QStringLiteral("m"), 60'000},
                                              {QStringLiteral("h"), 3'600'000}};
    qsizetype digits = 0;
    while (digits < text.size() && text.at(digits) >= QLatin1Char('0') && text.at(digits) <= QLatin1Char('9'))
        ++digits;
    const auto unit = units.constFind(text.mid(digits));
    if (digits == 0 || digits > 9 || unit == units.constEnd())
        return {};
    return text.left(digits).toLongLong() * unit.value();
}

std::optional<Stop> readDuration(const Values &values, const char *name, qint64 minimumMs, qint64 *target)
{
    if (values.text(name).isNull())
        return {};
    const auto ms = durationMs(values.text(name));
    if (!ms || *ms < minimumMs)
        return values.wrong(name, QStringLiteral("a time such as 500ms, 3s or 1m of at least %1 ms").arg(minimumMs));
    *target = *ms;
    return {};
}

std::optional<Stop> readPolicy(const Values &values, RetryPolicy *policy)
{
    if (auto stop = readDuration(values, "attempt-deadline", 1, &policy->attemptDeadlineMs))
        return stop;
    if (auto stop = readDuration(values, "budget", 1, &policy->budgetMs))
        return stop;
    if (auto stop = readDuration(values, "backoff-base", 0, &policy->backoffBaseMs))
        return stop;
    if (auto stop = readDuration(values, "backoff-cap", 0, &policy->backoffCapMs))
        return stop;
    if (!values.text("max-attempts").isNull()) {
        bool isNumber = false;
        policy->maxAttempts = values.text("max-attempts").toInt(&isNumber);
        if (!isNumber || policy->maxAttempts < 1 || policy->maxAttempts > 100)
            return values.wrong("max-attempts", QStringLiteral("a number from 1 to 100"));
    }
    return {};
}

template <class Enum>
std::optional<Stop> readChoice(const Values &values, const char *name, const QList<std::pair<QString, Enum>> &choices,
                               Enum *target)
{
    const QString given = values.text(name);
    if (given.isNull())
        return {};
    QStringList words;
    for (const auto &[word, meaning] : choices) {
        if (word == given) {
            *target = meaning;
            return {};
        }
        words.append(word);
    }
    return values.wrong(name, words.join(QStringLiteral(" or ")));
}

std::optional<Stop> readServer(const Values &values, QUrl *server)
{
    if (values.text("server").isNull())
        return {};
    const auto url = parseBankUrl(values.text("server"));
    if (!url)
        return values.wrong("server", QStringLiteral("a URL such as http://127.0.0.1:8080"));
    *server = *url;
    return {};
}

QString defaultJournal()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) +
           QStringLiteral("/ikkai/terminal.sqlite");
}

std::optional<Stop> openFile(const QString &given, std::unique_ptr<QSettings> *file)
{
    const QString standard =
        QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) + QStringLiteral("/ikkai/terminal.ini");
    const QString name = given.isNull() ? standard : given;
    const QFileInfo info(name);
    if (!info.exists() && given.isNull())
        return {};
    QFile probe(name);
    if (info.isDir() || !probe.open(QIODevice::ReadOnly))
        return Stop{2, QStringLiteral("--config: cannot read %1: %2")
                           .arg(name, info.isDir() ? QStringLiteral("it is a folder") : probe.errorString())};
    // QSettings reads anything and keeps what it understood; a shop's settings must not get lost that way.
    for (int number = 1; !probe.atEnd(); ++number) {
        const QByteArray text = probe.readLine(64 * 1024).trimmed();
        const bool isSetting = text.indexOf('=') > 0;
        const bool isSection = text.startsWith('[') && text.endsWith(']');
        if (!text.isEmpty() && !text.startsWith(';') && !text.startsWith('#') && !isSetting && !isSection)
            return Stop{2, QStringLiteral("--config: %1, line %2 is not name=value").arg(name).arg(number)};
    }
    *file = std::make_unique<QSettings>(name, QSettings::IniFormat);
    if ((*file)->status() != QSettings::NoError)
        return Stop{2, QStringLiteral("--config: %1 is not an INI file").arg(name)};
    for (const QString &member : (*file)->allKeys()) {
        const bool known = std::any_of(std::begin(settings), std::end(settings), [&](const Setting &setting) {
            return (setting.belongs & ToWindow) != 0 && member == latin1(setting.name);
        });
        if (!known)
            return Stop{2, QStringLiteral("--config: %1: there is no setting \"%2\"").arg(name, member)};
    }
    return {};
}

Result<Options, Stop> readCharge(const Values &values, const QCommandLineParser &line, Options options)
{
    options.order = values.text("order");
    options.amount = values.text("amount");
    options.currency = values.text("currency", QStringLiteral("JPY"));
    options.source = values.text("source", QStringLiteral("card_ok"));
    options.faults = line.values(QStringLiteral("fault"));
    options.json = line.isSet(QStringLiteral("json"));
    if (options.order.isNull())
        return Stop{2, QStringLiteral("charge: --order is missing")};
    if (options.amount.isNull())
        return Stop{2, QStringLiteral("charge: --amount is missing")};
    if (!options.faults.isEmpty() && !options.server.isEmpty() && options.controlTokenFile.isEmpty())
        return Stop{2, QStringLiteral("charge: --fault at --server needs --control-token-file")};
    return options;
}

std::optional<Stop> readCount(const Values &values, const char *name, int most, int *target)
{
    if (values.text(name).isNull())
        return {};
    bool isNumber = false;
    *target = values.text(name).toInt(&isNumber);
    if (!isNumber || *target < 1 || *target > most)
        return values.wrong(name, QStringLiteral("a number from 1 to %1").arg(most));
    return {};
}

Result<Options, Stop> readScorecard(const Values &values, const QCommandLineParser &line, Options options)
{
    static const QStringList known{QStringLiteral("naive"), QStringLiteral("check_then_act"),
                                   QStringLiteral("redis_lock"), QStringLiteral("atomic")};
    options.json = line.isSet(QStringLiteral("json"));
    options.htmlFile = values.text("html");
    options.onlyFaults = line.values(QStringLiteral("only"));
    options.strategies = line.values(QStringLiteral("strategy"));
    for (const QString &strategy : std::as_const(options.strategies)) {
        if (!known.contains(strategy)) {
            return Stop{
                2,
                QStringLiteral("--strategy: \"%1\" is not one of: %2").arg(strategy, known.join(QStringLiteral(", ")))};
        }
    }
    if (auto stop = readCount(values, "checkouts", 100'000, &options.checkouts))
        return *stop;
    if (auto stop = readCount(values, "lanes", 100, &options.lanes))
        return *stop;
    return options;
}

} // namespace

Result<Options, Stop> readOptions(const QStringList &arguments, const QProcessEnvironment &environment)
{
    QStringList rest = arguments;
    Options options;
    if (!rest.isEmpty() && !rest.first().startsWith(QLatin1Char('-'))) {
        const auto *named =
            std::find_if(std::begin(commandNames), std::end(commandNames),
                         [&](const CommandName &name) { return name.word && rest.first() == latin1(name.word); });
        if (named == std::end(commandNames)) {
            return Stop{2, QStringLiteral("there is no command \"%1\"; there are: charge, run-scenario, scorecard")
                               .arg(rest.first())};
        }
        options.command = named->command;
        rest.removeFirst();
    }

    QCommandLineParser line;
    line.setApplicationDescription(QStringLiteral(
        "Ikkai, the payment terminal that charges once.\n"
        "payment-terminal opens the window; charge does one checkout without one, run-scenario plays a file,\n"
        "scorecard holds the ways of handling keys against every fault.\n"
        "Exit codes of charge: 0 approved, 10 declined, 11 refused or mismatch, 12 unknown, 13 voided, 14 not sent,\n"
        "2 usage, 3 journal locked or unusable, 1 internal."));
    const QCommandLineOption help({QStringLiteral("h"), QStringLiteral("help")}, QStringLiteral("show this help"));
    const QCommandLineOption version(QStringLiteral("version"), QStringLiteral("show the version"));
    const QCommandLineOption config(
        QStringLiteral("config"),
        QStringLiteral("INI file (default: ikkai/terminal.ini in the user's configuration folder)"),
        QStringLiteral("FILE"));
    line.addOptions({help, version, config});
    for (const Setting &setting : settings) {
        if ((setting.belongs & nameOf(options.command).settings) == 0)
            continue;
        if (setting.value)
            line.addOption({latin1(setting.name), latin1(setting.help), latin1(setting.value)});
        else
            line.addOption({latin1(setting.name), latin1(setting.help)});
    }
    if (!line.parse(QStringList{QStringLiteral("payment-terminal")} + rest))
        return Stop{2, line.errorText()};
    if (line.isSet(help))
        return Stop{
            0, line.helpText().replace(QStringLiteral("<executable_name>"), latin1(nameOf(options.command).usage))};
    if (line.isSet(version))
        return Stop{0, QStringLiteral("payment-terminal " IKKAI_VERSION)};
    QStringList positional = line.positionalArguments();
    if (options.command == Command::RunScenario) {
        if (positional.isEmpty())
            return Stop{2, QStringLiteral("run-scenario: the file is missing")};
        options.scenarioFile = positional.takeFirst();
    }
    if (!positional.isEmpty())
        return Stop{2, QStringLiteral("\"%1\" is not an option").arg(positional.constFirst())};

    for (const QString &name : line.optionNames()) {
        static const QStringList repeatable{QStringLiteral("fault"), QStringLiteral("strategy"),
                                            QStringLiteral("only")};
        if (!repeatable.contains(name) && line.values(name).size() > 1)
            return Stop{2, QStringLiteral("--%1 is given twice").arg(name)};
    }

    std::unique_ptr<QSettings> file;
    const QString named = line.isSet(config) ? line.value(config)
                          : environment.contains(QStringLiteral("IKKAI_CONFIG"))
                              ? environment.value(QStringLiteral("IKKAI_CONFIG"))
                              : QString();
    if (auto stop = openFile(named, &file))
        return *stop;
    const Values values(line, environment, file.get());

    if (auto stop = readServer(values, &options.server))
        return *stop;
    options.apiKeyFile = values.text("api-key-file");
    options.caFile = values.text("ca-file");
    if (!values.text("ca-file").isNull() && options.server.scheme() != QStringLiteral("https"))
        return values.wrong("ca-file", QStringLiteral("of use without an https:// bank at --server"));
    if (!values.text("journal").isNull() && values.text("journal").isEmpty())
        return values.wrong("journal", QStringLiteral("a file"));
    for (const char *name : {"bank-store", "strategy"}) {
        if (!options.server.isEmpty() && values.isOnLine(latin1(name)))
            return Stop{
                2, QStringLiteral("--%1 belongs to the embedded bank; --server names another one").arg(latin1(name))};
    }
    QList<std::pair<QString, QString>> strategies;
    for (const QString &name : mockbank::strategyNames())
        strategies.emplaceBack(name, name);
    if (auto stop = readChoice<QString>(values, "strategy", strategies, &options.strategy))
        return *stop;
    options.journal = QFileInfo(values.text("journal", defaultJournal())).absoluteFilePath();
    const QFileInfo journal(options.journal);
    options.bankStore =
        QFileInfo(values.text("bank-store", journal.path() + QLatin1Char('/') + journal.completeBaseName() +
                                                QStringLiteral("-bank.sqlite")))
            .absoluteFilePath();
    options.terminalId = values.text("terminal-id", QStringLiteral("till-1"));
    options.role = options.server.isEmpty() ? Role::Trainer : Role::Cashier;
    options.language = QLocale::system().language() == QLocale::Japanese ? QStringLiteral("ja") : QStringLiteral("en");
    options.theme = QStringLiteral("light");
    const QString ja = QStringLiteral("ja"), en = QStringLiteral("en");
    const QString light = QStringLiteral("light"), dark = QStringLiteral("dark");
    if (auto stop = readChoice<KeyFormat>(
            values, "key-format",
            {{QStringLiteral("bare"), KeyFormat::Bare}, {QStringLiteral("quoted"), KeyFormat::Quoted}},
            &options.keyFormat))
        return *stop;
    if (auto stop = readChoice<Role>(
            values, "role", {{QStringLiteral("cashier"), Role::Cashier}, {QStringLiteral("trainer"), Role::Trainer}},
            &options.role))
        return *stop;
    if (auto stop = readChoice<QString>(values, "lang", {{ja, ja}, {en, en}}, &options.language))
        return *stop;
    if (auto stop = readChoice<QString>(values, "theme", {{light, light}, {dark, dark}}, &options.theme))
        return *stop;
    if (auto stop = readPolicy(values, &options.policy))
        return *stop;
    options.controlTokenFile = values.text("control-token-file");
    switch (options.command) {
    case Command::Window:
        return options;
    case Command::Charge:
        return readCharge(values, line, std::move(options));
    case Command::RunScenario:
        options.json = line.isSet(QStringLiteral("json"));
        if (!options.server.isEmpty() && options.controlTokenFile.isEmpty())
            return Stop{2, QStringLiteral("run-scenario: --server needs --control-token-file")};
        return options;
    case Command::Scorecard:
        return readScorecard(values, line, std::move(options));
    }
    return options;
}

} // namespace ikkai::app
