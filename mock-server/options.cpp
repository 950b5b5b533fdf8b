#include "mock-server/options.h"

#include "mock-server/bank/strategy.h"
#include "mock-server/faults/fault_table.h"
#include "mock-server/faults/network_profile.h"
#include "mock-server/store/redis_key_lock.h"

#include <QtCore/QHash>

#include <algorithm>
#include <array>

namespace mockbank {

namespace {

bool isDigits(const QString &text, qsizetype longest)
{
    return !text.isEmpty() && text.size() <= longest &&
           std::ranges::all_of(text, [](QChar c) { return c >= QLatin1Char('0') && c <= QLatin1Char('9'); });
}

using Flaw = std::optional<QString>;

Flaw readNumber(const QString &text, int low, int high, int *number)
{
    if (!isDigits(text, 9) || text.toInt() < low || text.toInt() > high)
        return QStringLiteral("must be a number from %1 to %2, not \"%3\"").arg(low).arg(high).arg(text);
    *number = text.toInt();
    return std::nullopt;
}

Flaw readTime(const QString &text, std::chrono::milliseconds *time)
{
    const auto read = readDuration(text);
    if (!read)
        return QStringLiteral("must be a time such as 300ms, 10s, 5m or 24h, not \"%1\"").arg(text);
    *time = *read;
    return std::nullopt;
}

/// A time that is waited by a timer.
Flaw readWait(const QString &text, std::chrono::milliseconds *time)
{
    std::chrono::milliseconds read{0};
    if (const Flaw flaw = readTime(text, &read))
        return flaw;
    if (read < std::chrono::milliseconds(1) || read > std::chrono::hours(24))
        return QStringLiteral("must be from 1ms to 24h, not \"%1\"").arg(text);
    *time = read;
    return std::nullopt;
}

Flaw readText(const QString &text, QString *target)
{
    if (text.isEmpty())
        return QStringLiteral("must not be empty");
    *target = text;
    return std::nullopt;
}

/// One option that takes a value, or a switch, which reads nothing.
struct Option {
    const char *name;
    Flaw (*read)(const QString &value, ProgramOptions *options);
    bool isSwitch = false;
};

constexpr std::array programOptions{
    Option{"--bind", [](const QString &value, ProgramOptions *o) { return readText(value, &o->server.bind); }},
    Option{"--port",
           [](const QString &value, ProgramOptions *o) {
               int port = 0;
               const Flaw flaw = readNumber(value, 0, 65535, &port);
               o->server.port = static_cast<quint16>(port);
               return flaw;
           }},
    Option{"--store", [](const QString &value, ProgramOptions *o) { return readText(value, &o->server.bank.store); }},
    Option{"--strategy",
           [](const QString &value, ProgramOptions *o) -> Flaw {
               if (!strategyNames().contains(value)) {
                   return QStringLiteral("must be one of %1, not \"%2\"")
                       .arg(strategyNames().join(QStringLiteral(", ")), value);
               }
               o->server.bank.strategy = value;
               return std::nullopt;
           }},
    Option{"--token-file", [](const QString &value, ProgramOptions *o) { return readText(value, &o->tokenFile); }},
    Option{"--api-key-file", [](const QString &value, ProgramOptions *o) { return readText(value, &o->apiKeyFile); }},
    Option{"--cert", [](const QString &value, ProgramOptions *o) { return readText(value, &o->certFile); }},
    Option{"--key", [](const QString &value, ProgramOptions *o) { return readText(value, &o->keyFile); }},
    Option{"--key-ttl",
           [](const QString &value, ProgramOptions *o) -> Flaw {
               if (const Flaw flaw = readTime(value, &o->server.bank.keyTtl))
                   return flaw;
               // The header that announces it counts seconds.
               if (o->server.bank.keyTtl < std::chrono::seconds(1))
                   return QStringLiteral("must be at least 1s");
               return std::nullopt;
           }},
    Option{"--lease",
           [](const QString &value, ProgramOptions *o) -> Flaw {
               if (const Flaw flaw = readTime(value, &o->server.bank.lease))
                   return flaw;
               if (o->server.bank.lease.count() == 0)
                   return QStringLiteral("must be longer than nothing");
               return std::nullopt;
           }},
    Option{"--processing",
           [](const QString &value, ProgramOptions *o) { return readTime(value, &o->server.bank.processing); }},
    Option{"--redis",
           [](const QString &value, ProgramOptions *o) -> Flaw {
               QString flaw;
               if (!readRedisAddress(value, &flaw))
                   return flaw;
               o->server.bank.redis = value;
               return std::nullopt;
           }},
    Option{"--redis-lock",
           [](const QString &value, ProgramOptions *o) -> Flaw {
               if (const Flaw flaw = readTime(value, &o->server.bank.redisLock))
                   return flaw;
               if (o->server.bank.redisLock.count() == 0)
                   return QStringLiteral("must be longer than nothing");
               return std::nullopt;
           }},
    Option{"--mismatch-status",
           [](const QString &value, ProgramOptions *o) -> Flaw {
               if (value != QLatin1StringView("400") && value != QLatin1StringView("409") &&
                   value != QLatin1StringView("422"))
                   return QStringLiteral("must be 400, 409 or 422, not \"%1\"").arg(value);
               o->server.bank.mismatchStatus = value.toInt();
               return std::nullopt;
           }},
    Option{"--expired-keys",
           [](const QString &value, ProgramOptions *o) -> Flaw {
               if (value != QLatin1StringView("refuse") && value != QLatin1StringView("rerun"))
                   return QStringLiteral("must be refuse or rerun, not \"%1\"").arg(value);
               o->server.bank.expiredKeys =
                   value == QLatin1StringView("rerun") ? ExpiredKeys::Rerun : ExpiredKeys::Refuse;
               return std::nullopt;
           }},
    Option{"--recheck-declines",
           [](const QString &, ProgramOptions *o) -> Flaw {
               o->server.bank.recheckDeclines = true;
               return std::nullopt;
           },
           true},
    Option{"--cache-5xx",
           [](const QString &, ProgramOptions *o) -> Flaw {
               o->server.bank.cache5xx = true;
               return std::nullopt;
           },
           true},
    Option{"--account",
           [](const QString &value, ProgramOptions *o) -> Flaw {
               const auto account = readAccount(value);
               if (!account)
                   return QStringLiteral("must be NAME=BALANCE or NAME=declining, not \"%1\"").arg(value);
               const QList<Account> &known = o->server.bank.accounts;
               if (std::ranges::any_of(known, [&](const Account &other) { return other.source == account->source; }))
                   return QStringLiteral("names %1 twice").arg(account->source);
               o->server.bank.accounts.append(*account);
               return std::nullopt;
           }},
    Option{"--instance",
           [](const QString &value, ProgramOptions *o) { return readText(value, &o->server.bank.instance); }},
    Option{"--allow-host",
           [](const QString &value, ProgramOptions *o) -> Flaw {
               if (value.isEmpty() || value.contains(QLatin1Char('/')) || value.contains(QLatin1Char(' ')))
                   return QStringLiteral("must be a host name, not \"%1\"").arg(value);
               o->server.allowedHosts.append(value);
               return std::nullopt;
           }},
    Option{"--webhook",
           [](const QString &value, ProgramOptions *o) -> Flaw {
               QString error;
               const auto url = readWebhookUrl(value, &error);
               if (!url)
                   return error;
               o->server.webhook.url = *url;
               return std::nullopt;
           }},
    Option{"--webhook-timeout",
           [](const QString &value, ProgramOptions *o) { return readWait(value, &o->server.webhook.timeout); }},
    Option{"--webhook-max-wait",
           [](const QString &value, ProgramOptions *o) -> Flaw {
               std::chrono::milliseconds longest{0};
               if (const Flaw flaw = readWait(value, &longest))
                   return flaw;
               o->server.webhook.backoff.capMs = longest.count();
               return std::nullopt;
           }},
    Option{"--fault",
           [](const QString &value, ProgramOptions *o) -> Flaw {
               const FaultResult read = parseFault(value.toUtf8());
               if (const auto *wrong = std::get_if<FaultError>(&read))
                   return QStringLiteral("%1: %2 %3").arg(value, wrong->member, wrong->detail);
               o->server.faults.append(std::get<Fault>(read));
               return std::nullopt;
           }},
    Option{"--profile",
           [](const QString &value, ProgramOptions *o) -> Flaw {
               const NetworkProfile *profile = findProfile(value);
               if (!profile)
                   return QStringLiteral("must be one of %1, not \"%2\"").arg(profileNames(), value);
               o->server.profile = QString::fromLatin1(profile->name);
               return std::nullopt;
           }},
    Option{"--magic-amounts",
           [](const QString &, ProgramOptions *o) -> Flaw {
               o->server.magicAmounts = true;
               return std::nullopt;
           },
           true},
    Option{"--max-connections",
           [](const QString &value, ProgramOptions *o) {
               return readNumber(value, 1, 100'000, &o->server.maxConnections);
           }},
};

/// One option that stands alone.
struct Switch {
    const char *name;
    bool ProgramOptions::*target;
};

constexpr std::array switches{Switch{"--self-signed", &ProgramOptions::selfSigned},
                              Switch{"--help", &ProgramOptions::helpWanted}, Switch{"-h", &ProgramOptions::helpWanted},
                              Switch{"--version", &ProgramOptions::versionWanted}};

// Options that may be given more than once.
constexpr std::array repeatable{"--account", "--allow-host", "--fault"};

} // namespace

std::optional<std::chrono::milliseconds> readDuration(const QString &text)
{
    struct Unit {
        QLatin1StringView name;
        qint64 milliseconds;
    };
    // `ms` stands before `m` and `s`, which it ends in or begins with.
    constexpr std::array units{Unit{QLatin1StringView("ms"), 1}, Unit{QLatin1StringView("s"), 1000},
                               Unit{QLatin1StringView("m"), 60'000}, Unit{QLatin1StringView("h"), 3'600'000}};
    constexpr qint64 longest = qint64(10) * 366 * 24 * 3'600'000;
    for (const Unit &unit : units) {
        if (!text.endsWith(unit.name))
            continue;
        const QString number = text.chopped(unit.name.size());
        if (!isDigits(number, 12) || number.toLongLong() > longest / unit.milliseconds)
            return std::nullopt;
        return std::chrono::milliseconds(number.toLongLong() * unit.milliseconds);
    }
    return std::nullopt;
}

std::optional<Account> readAccount(const QString &text)
{
    const qsizetype equals = text.indexOf(QLatin1Char('='));
    const QString name = text.left(equals);
    const QString value = text.mid(equals + 1);
    const bool nameFits = equals > 0 && equals <= 64 &&
                          std::ranges::all_of(name, [](QChar c) { return c > QLatin1Char(' ') && c.unicode() < 0x7f; });
    if (!nameFits)
        return std::nullopt;
    if (value == QLatin1StringView("declining"))
        return Account{name, 0, true};
    if (!isDigits(value, 16) || value.toLongLong() > maxBalanceMinor)
        return std::nullopt;
    return Account{name, value.toLongLong(), false};
}

QList<Account> defaultAccounts()
{
    return {{QStringLiteral("card_ok"), 100'000, false},
            {QStringLiteral("card_low"), 300, false},
            {QStringLiteral("card_decline"), 100'000, true}};
}

std::variant<ProgramOptions, UsageError> readOptions(const QStringList &arguments)
{
    ProgramOptions options;
    QStringList seen;
    for (qsizetype i = 0; i < arguments.size(); ++i) {
        const QString &argument = arguments[i];
        const auto *alone =
            std::ranges::find_if(switches, [&](const Switch &o) { return argument == QLatin1StringView(o.name); });
        if (alone != switches.end()) {
            options.*(alone->target) = true;
            continue;
        }
        const qsizetype equals = argument.indexOf(QLatin1Char('='));
        const QString name = argument.left(equals);
        const auto *option =
            std::ranges::find_if(programOptions, [&](const Option &o) { return name == QLatin1StringView(o.name); });
        if (option == programOptions.end())
            return UsageError{QStringLiteral("%1 is not an option; --help lists them").arg(name)};
        const bool again = std::ranges::any_of(
            repeatable, [&](const char *repeatableName) { return name == QLatin1StringView(repeatableName); });
        if (seen.contains(name) && !again)
            return UsageError{QStringLiteral("%1 is given twice").arg(name)};
        seen.append(name);
        if (option->isSwitch && equals >= 0)
            return UsageError{QStringLiteral("%1 takes no value").arg(name)};
        if (!option->isSwitch && equals < 0 && i + 1 == arguments.size())
            return UsageError{QStringLiteral("%1 needs a value").arg(name)};
        const QString value = option->isSwitch ? QString() : equals < 0 ? arguments[++i] : argument.mid(equals + 1);
        if (const Flaw flaw = option->read(value, &options))
            return UsageError{name + QLatin1Char(' ') + *flaw};
    }
    for (const QString &name : seen) {
        if (name.startsWith(QLatin1StringView("--webhook-")) && options.server.webhook.url.isEmpty())
            return UsageError{QStringLiteral("%1 needs --webhook").arg(name)};
    }
    if (options.certFile.isEmpty() != options.keyFile.isEmpty())
        return UsageError{options.keyFile.isEmpty()
                              ? QStringLiteral("--cert needs --key, the certificate's private key")
                              : QStringLiteral("--key needs --cert, the key's certificate")};
    if (options.selfSigned && !options.certFile.isEmpty())
        return UsageError{QStringLiteral("--self-signed makes its own certificate and takes no --cert")};
    for (const Fault &fault : std::as_const(options.server.faults)) {
        const FaultTruth *truth = faultTruth(fault.placement, fault.manifestation.kind);
        if (const auto why = whyNotUnder(options.server.bank.strategy, *truth))
            return UsageError{QStringLiteral("--fault %1: %2").arg(QString::fromLatin1(printFault(fault)), *why)};
    }
    if (options.server.bank.accounts.isEmpty())
        options.server.bank.accounts = defaultAccounts();
    return options;
}

QString helpText()
{
    return QStringLiteral(
        R"(mock-payment-server [options]
A mock bank: POST /v1/charges, GET /v1/charges/{key}, and a control API that arms faults.

  --bind ADDRESS        where to listen (127.0.0.1); beyond loopback only with --api-key-file
  --port N              0 takes any free one (0)
  --store STORE         sqlite:FILE, sqlite::memory: or postgres://USER@HOST:PORT/DATABASE (sqlite::memory:)
  --strategy NAME       atomic, or one that charges twice: naive, check_then_act, redis_lock (atomic)
  --token-file FILE     write the control token there, readable by you alone
  --api-key-file FILE   one "merchant:key" or "key" a line; without it every client is the same merchant
  --cert FILE           serve https:// with this certificate (PEM, its chain behind it) ...
  --key FILE            ... and its private key (PEM, RSA or EC, no passphrase)
  --self-signed         serve https:// with a certificate made now, which nobody trusts: for lessons on that; the line
                        names it as "certificate_file" for those who want to trust it (needs the openssl program)
  --key-ttl TIME        how long a stored answer lives (24h)
  --lease TIME          how long a claim lives without its owner (10s)
  --processing TIME     time between the claim and the charge (0ms)
  --redis ADDRESS       redis_lock: redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE], which goes by its own clock; without
                        it the locks are kept in this process, on the bank's clock
  --redis-lock TIME     redis_lock: how long a lock holds, whatever becomes of the work (10m)
  --mismatch-status N   400, 409 or 422 to a key that belongs to another payment (422)
  --account NAME=N      an account with a balance in minor units, or NAME=declining; may be repeated
                        (card_ok=100000, card_low=300, and card_decline, which declines everything)
  --instance NAME       owner of claims; one bank a name at one store (bank-1)
  --allow-host NAME     answer under this Host too; may be repeated
  --webhook URL         POST every movement of money there, until it answers 2xx (nowhere)
  --webhook-timeout TIME   for one try (10s)
  --webhook-max-wait TIME  between two tries of the same event at most (30s)
  --max-connections N   beyond them 503 (512)
  --fault SPEC          arm a fault, as in after_commit:hold:next=1; may be repeated
  --profile NAME        a network between the clients and the bank: offline, very_bad_network, slow_3g, flaky_wifi, good
  --magic-amounts       amounts in yen whose last three digits ask for a fault: 051, 054, 068, 069, 070, 009, 091
  Lessons, with atomic:
  --recheck-declines    judge a stored decline anew when its key comes again
  --expired-keys WHAT   refuse or rerun: rerun charges once more (refuse)
  --cache-5xx           keep the 500 of a charge that was rolled back, and give it again
  --help, --version

When it listens it prints one line of JSON: {"url","ledger_id","pid","token_file"}.
Ends on SIGTERM and SIGINT. Exit: 0 ended, 1 could not start, 2 the options are wrong.
)");
}

} // namespace mockbank
