#include "mock-server/faults/scenario.h"

#include "mock-server/bank/strategy.h"
#include "mock-server/faults/fault_plan.h"

#include <QtCore/QJsonArray>
#include <QtCore/QRandomGenerator>

#include <algorithm>

namespace mockbank {

namespace scenario_reader {

using Wrong = std::optional<FaultError>;

constexpr qint64 maxBalance = 9'007'199'254'740'991; // what JSON can say exactly
constexpr qsizetype longestName = 200;

FaultError error(const QString &member, const QString &detail)
{
    return {member, detail};
}

std::optional<qint64> integer(const QJsonValue &value, qint64 high)
{
    const qint64 number = value.toInteger(-1);
    return value.isDouble() && number >= 0 && number <= high ? std::optional(number) : std::nullopt;
}

Wrong unknownMember(const QJsonObject &json, const QString &path, const QStringList &known)
{
    for (auto it = json.begin(); it != json.end(); ++it) {
        if (!known.contains(it.key())) {
            return error(path + it.key().left(60),
                         QStringLiteral("is not known here; known: ") + known.join(QStringLiteral(", ")));
        }
    }
    return std::nullopt;
}

Wrong readAccountMember(const QString &name, const QJsonValue &value, QList<Account> *accounts)
{
    const QString path = QStringLiteral("bank.accounts.") + name.left(64);
    const bool nameFits = !name.isEmpty() && name.size() <= 64 &&
                          std::ranges::all_of(name, [](QChar c) { return c.unicode() > 0x20 && c.unicode() < 0x7f; });
    if (!nameFits)
        return error(path, QStringLiteral("must have a name of 1 to 64 visible ASCII characters"));
    Account account{name, 0, false};
    QJsonValue balance = value;
    QString balancePath = path;
    if (value.isObject()) {
        const QJsonObject object = value.toObject();
        if (auto wrong = unknownMember(object, path + QLatin1Char('.'),
                                       {QStringLiteral("balance"), QStringLiteral("declining")}))
            return wrong;
        balance = object.value(QLatin1StringView("balance"));
        balancePath += QStringLiteral(".balance");
        const QJsonValue declining = object.value(QLatin1StringView("declining"));
        if (!declining.isUndefined() && !declining.isBool())
            return error(path + QStringLiteral(".declining"), QStringLiteral("must be true or false"));
        account.declining = declining.toBool();
    }
    const auto minor = integer(balance, maxBalance);
    if (!minor)
        return error(balancePath, QStringLiteral("must be an integer of minor units from 0 to %1").arg(maxBalance));
    account.balanceMinor = *minor;
    accounts->append(account);
    return std::nullopt;
}

Wrong readBank(const QJsonValue &value, Scenario *scenario)
{
    if (value.isUndefined())
        return std::nullopt;
    if (!value.isObject())
        return error(QStringLiteral("bank"), QStringLiteral("must be an object"));
    const QJsonObject bank = value.toObject();
    if (auto wrong =
            unknownMember(bank, QStringLiteral("bank."), {QStringLiteral("strategy"), QStringLiteral("accounts")}))
        return wrong;
    if (const QJsonValue strategy = bank.value(QLatin1StringView("strategy")); !strategy.isUndefined()) {
        if (!strategyNames().contains(strategy.toString())) {
            return error(QStringLiteral("bank.strategy"),
                         QStringLiteral("must be one of ") + strategyNames().join(QStringLiteral(", ")));
        }
        scenario->strategy = strategy.toString();
    }
    const QJsonValue accounts = bank.value(QLatin1StringView("accounts"));
    if (!accounts.isUndefined() && !accounts.isObject())
        return error(QStringLiteral("bank.accounts"), QStringLiteral("must be an object of balances"));
    const QJsonObject named = accounts.toObject();
    for (auto it = named.begin(); it != named.end(); ++it) {
        if (auto wrong = readAccountMember(it.key(), it.value(), &scenario->accounts))
            return wrong;
    }
    return std::nullopt;
}

Wrong readSteps(const QJsonValue &value, QList<Fault> *steps)
{
    if (!value.isArray())
        return error(QStringLiteral("steps"), QStringLiteral("must be a list of faults"));
    const QJsonArray array = value.toArray();
    if (array.size() > FaultPlan::maxSteps) {
        return error(QStringLiteral("steps"),
                     QStringLiteral("has more than %1 steps").arg(static_cast<int>(FaultPlan::maxSteps)));
    }
    for (qsizetype i = 0; i < array.size(); ++i) {
        const QString path = QStringLiteral("steps[%1]").arg(i);
        if (!array[i].isObject())
            return error(path, QStringLiteral("must be an object"));
        const FaultResult step = parseFault(array[i].toObject());
        if (const auto *wrong = std::get_if<FaultError>(&step))
            return error(path + QLatin1Char('.') + wrong->member, wrong->detail);
        steps->append(std::get<Fault>(step));
    }
    return std::nullopt;
}

} // namespace scenario_reader

using namespace scenario_reader;

std::variant<Scenario, FaultError> readScenario(const QJsonObject &json)
{
    if (auto wrong = unknownMember(json, QString(),
                                   {QStringLiteral("name"), QStringLiteral("seed"), QStringLiteral("bank"),
                                    QStringLiteral("steps"), QStringLiteral("expect")}))
        return *wrong;
    Scenario scenario;
    scenario.given = json;
    const QJsonValue name = json.value(QLatin1StringView("name"));
    if (!name.isString() || name.toString().isEmpty() || name.toString().size() > longestName)
        return error(QStringLiteral("name"), QStringLiteral("must be a text of 1 to %1 characters").arg(longestName));
    scenario.name = name.toString();
    const QJsonValue seed = json.value(QLatin1StringView("seed"));
    const auto number = integer(seed, static_cast<qint64>(maxFaultSeed));
    if (!seed.isUndefined() && !number)
        return error(QStringLiteral("seed"), QStringLiteral("must be an integer from 0 to %1").arg(maxFaultSeed));
    scenario.seed = number ? static_cast<quint64>(*number) : QRandomGenerator::global()->generate64() & maxFaultSeed;
    scenario.given.insert(QStringLiteral("seed"), static_cast<qint64>(scenario.seed));
    if (auto wrong = readBank(json.value(QLatin1StringView("bank")), &scenario))
        return *wrong;
    if (auto wrong = readSteps(json.value(QLatin1StringView("steps")), &scenario.steps))
        return *wrong;
    const QJsonValue expect = json.value(QLatin1StringView("expect"));
    if (!expect.isUndefined() && !expect.isObject())
        return error(QStringLiteral("expect"), QStringLiteral("must be an object"));
    return scenario;
}

} // namespace mockbank
