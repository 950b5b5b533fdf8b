#include "app/options.h"

#include "app/setting_values.h"
#include "app/settings_table.h"
#include "mock-server/bank/strategy.h"

#include <QtCore/QDir>
#include <QtCore/QFileInfo>
#include <QtCore/QLocale>
#include <QtCore/QStandardPaths>
#include <QtCore/QUrl>

#include <algorithm>
#include <memory>

namespace ikkai::app {

namespace {

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
        const auto all = settings();
        const bool known = std::any_of(all.begin(), all.end(), [&](const Setting &setting) {
            return setting.belongs.has(Command::Window) && member == latin1(setting.name);
        });
        if (!known)
            return Stop{2, QStringLiteral("--config: %1: there is no setting \"%2\"").arg(name, member)};
    }
    return {};
}

/// What the window and the commands have in common.
std::optional<Stop> readCommon(const Values &values, Options &options)
{
    if (auto stop = readServer(values, &options.server))
        return stop;
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
        return stop;
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
        return stop;
    if (auto stop = readChoice<Role>(
            values, "role", {{QStringLiteral("cashier"), Role::Cashier}, {QStringLiteral("trainer"), Role::Trainer}},
            &options.role))
        return stop;
    if (auto stop = readChoice<QString>(values, "lang", {{ja, ja}, {en, en}}, &options.language))
        return stop;
    if (auto stop = readChoice<QString>(values, "theme", {{light, light}, {dark, dark}}, &options.theme))
        return stop;
    if (auto stop = readCalendar(values, &options.calendar))
        return stop;
    if (auto stop = readPolicy(values, &options.policy))
        return stop;
    options.controlTokenFile = values.text("control-token-file");
    options.json = values.isSet("json");
    return {};
}

Result<Options, Stop> readCharge(const Values &values, Options options)
{
    options.order = values.text("order");
    options.amount = values.text("amount");
    options.currency = values.text("currency", QStringLiteral("JPY"));
    options.source = values.text("source", QStringLiteral("card_ok"));
    options.faults = values.all("fault");
    options.secondSale = values.isSet("second-sale");
    if (options.order.isNull())
        return Stop{2, QStringLiteral("charge: --order is missing")};
    if (options.amount.isNull())
        return Stop{2, QStringLiteral("charge: --amount is missing")};
    if (!options.faults.isEmpty() && !options.server.isEmpty() && options.controlTokenFile.isEmpty())
        return Stop{2, QStringLiteral("charge: --fault at --server needs --control-token-file")};
    return options;
}

Result<Options, Stop> readResolve(const Values &values, Options options)
{
    static const QList<std::pair<const char *, Resolution>> ways{{"check", Resolution::Check},
                                                                 {"try-again", Resolution::TryAgain},
                                                                 {"void", Resolution::Void},
                                                                 {"write-off", Resolution::WriteOff},
                                                                 {"override", Resolution::Override}};
    const auto given =
        std::count_if(ways.begin(), ways.end(), [&](const auto &way) { return values.isSet(way.first); });
    if (given != 1)
        return Stop{2,
                    QStringLiteral("resolve: exactly one of --check, --try-again, --void, --write-off, --override is "
                                   "needed; %1 are given")
                        .arg(given)};
    options.resolution =
        std::find_if(ways.begin(), ways.end(), [&](const auto &way) { return values.isSet(way.first); })->second;
    constexpr qsizetype shortestEnd = 4;
    options.key = values.text("key").trimmed().toLower();
    if (values.text("key").isNull())
        return Stop{2, QStringLiteral("resolve: --key is missing")};
    if (options.key.size() < shortestEnd)
        return values.wrong("key", QStringLiteral("a key, or 4 or more characters of its end"));
    if (auto stop = readDuration(values, "wait", 1, &options.waitMs))
        return *stop;
    const bool isSupervisors = options.resolution == Resolution::WriteOff || options.resolution == Resolution::Override;
    options.reason = values.text("reason").trimmed();
    options.pinFile = values.text("pin-file");
    for (const char *name : {"reason", "pin-file"}) {
        if (isSupervisors && values.text(name).trimmed().isEmpty())
            return Stop{2, QStringLiteral("resolve: --%1 is missing").arg(latin1(name))};
        if (!isSupervisors && values.isOnLine(latin1(name)))
            return Stop{2, QStringLiteral("resolve: --%1 belongs to --write-off and --override").arg(latin1(name))};
    }
    return options;
}

std::optional<Stop> readOutput(const Values &values, Options &options)
{
    options.outputFile = values.text("output");
    if (!values.text("output").isNull() && options.outputFile.isEmpty())
        return values.wrong("output", QStringLiteral("a file"));
    if (options.outputFile.endsWith(QStringLiteral(".json"), Qt::CaseInsensitive))
        options.format = ExportFormat::Json;
    return readChoice<ExportFormat>(
        values, "format", {{QStringLiteral("csv"), ExportFormat::Csv}, {QStringLiteral("json"), ExportFormat::Json}},
        &options.format);
}

Result<Options, Stop> readExport(const Values &values, Options options)
{
    static const QStringList known{
        QStringLiteral("approved"),     QStringLiteral("declined"),     QStringLiteral("refused"),
        QStringLiteral("not_sent"),     QStringLiteral("voided"),       QStringLiteral("written_off"),
        QStringLiteral("unknown"),      QStringLiteral("key_mismatch"), QStringLiteral("voiding"),
        QStringLiteral("void_pending"), QStringLiteral("sending"),      QStringLiteral("waiting")};
    if (auto stop = readOutput(values, options))
        return *stop;
    if (options.outputFile.isNull())
        return Stop{2, QStringLiteral("export: --output is missing")};
    options.filter.states = values.all("state");
    for (const QString &state : std::as_const(options.filter.states)) {
        if (!known.contains(state))
            return Stop{
                2, QStringLiteral("--state: \"%1\" is not one of: %2").arg(state, known.join(QStringLiteral(", ")))};
    }
    options.filter.text = values.text("order-text");
    if (auto stop = readDay(values, "day", &options.filter.day))
        return *stop;
    return options;
}

Result<Options, Stop> readReconcile(const Values &values, Options options)
{
    if (auto stop = readOutput(values, options))
        return *stop;
    if (options.outputFile.isNull() && !values.text("format").isNull())
        return Stop{2, QStringLiteral("reconcile: --format needs --output")};
    if (auto stop = readDay(values, "from", &options.fromDay))
        return *stop;
    if (auto stop = readDay(values, "to", &options.toDay))
        return *stop;
    if (options.fromDay && options.toDay && *options.toDay < *options.fromDay)
        return values.wrong("to", QStringLiteral("a day that comes after --from"));
    return options;
}

Result<Options, Stop> readScorecard(const Values &values, Options options)
{
    static const QStringList known{QStringLiteral("naive"), QStringLiteral("check_then_act"),
                                   QStringLiteral("redis_lock"), QStringLiteral("atomic")};
    options.htmlFile = values.text("html");
    options.onlyFaults = values.all("only");
    options.strategies = values.all("strategy");
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

void addOptions(QCommandLineParser &line, Command command)
{
    for (const Setting &setting : settings()) {
        if (!setting.belongs.has(command))
            continue;
        if (setting.value)
            line.addOption({latin1(setting.name), latin1(setting.help), latin1(setting.value)});
        else
            line.addOption({latin1(setting.name), latin1(setting.help)});
    }
}

/// The name of what stands twice on the line, though one value is all there is room for.
std::optional<QString> givenTwice(const QCommandLineParser &line, Command command)
{
    const auto all = settings();
    for (const QString &name : line.optionNames()) {
        const bool isRepeatable = std::any_of(all.begin(), all.end(), [&](const Setting &setting) {
            return setting.times == Setting::Times::Repeatable && setting.belongs.has(command) &&
                   name == latin1(setting.name);
        });
        if (!isRepeatable && line.values(name).size() > 1)
            return name;
    }
    return {};
}

} // namespace

Result<Options, Stop> readOptions(const QStringList &arguments, const QProcessEnvironment &environment)
{
    QStringList rest = arguments;
    Options options;
    if (!rest.isEmpty() && !rest.first().startsWith(QLatin1Char('-'))) {
        const auto names = commandNames();
        const auto named = std::find_if(names.begin(), names.end(), [&](const CommandName &name) {
            return name.word && rest.first() == latin1(name.word);
        });
        if (named == names.end())
            return Stop{2,
                        QStringLiteral("there is no command \"%1\"; there are: %2").arg(rest.first(), commandWords())};
        options.command = named->command;
        rest.removeFirst();
    }

    QCommandLineParser line;
    line.setApplicationDescription(latin1(nameOf(options.command).about));
    const QCommandLineOption help({QStringLiteral("h"), QStringLiteral("help")}, QStringLiteral("show this help"));
    const QCommandLineOption version(QStringLiteral("version"), QStringLiteral("show the version"));
    const QCommandLineOption config(
        QStringLiteral("config"),
        QStringLiteral("INI file (default: ikkai/terminal.ini in the user's configuration folder)"),
        QStringLiteral("FILE"));
    line.addOptions({help, version, config});
    addOptions(line, options.command);
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

    if (const auto name = givenTwice(line, options.command))
        return Stop{2, QStringLiteral("--%1 is given twice").arg(*name)};

    std::unique_ptr<QSettings> file;
    const QString named = line.isSet(config) ? line.value(config)
                          : environment.contains(QStringLiteral("IKKAI_CONFIG"))
                              ? environment.value(QStringLiteral("IKKAI_CONFIG"))
                              : QString();
    if (auto stop = openFile(named, &file))
        return *stop;
    const Values values(line, environment, file.get());

    if (auto stop = readCommon(values, options))
        return *stop;
    switch (options.command) {
    case Command::Window:
    case Command::CloseDay:
    case Command::SupervisorPin:
        return options;
    case Command::Charge:
        return readCharge(values, std::move(options));
    case Command::Recover:
        if (auto stop = readDuration(values, "wait", 1, &options.waitMs))
            return *stop;
        return options;
    case Command::Resolve:
        return readResolve(values, std::move(options));
    case Command::Export:
        return readExport(values, std::move(options));
    case Command::VerifyJournal:
        options.rebuild = values.isSet("rebuild");
        return options;
    case Command::Reconcile:
        return readReconcile(values, std::move(options));
    case Command::RunScenario:
        if (!options.server.isEmpty() && options.controlTokenFile.isEmpty())
            return Stop{2, QStringLiteral("run-scenario: --server needs --control-token-file")};
        return options;
    case Command::Scorecard:
        return readScorecard(values, std::move(options));
    }
    return options;
}

} // namespace ikkai::app
