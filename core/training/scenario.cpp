#include "core/training/scenario.h"

#include <QtCore/QJsonArray>
#include <QtCore/QStringList>

#include <cmath>
#include <limits>

namespace ikkai {

namespace {

constexpr int mostCheckouts = 1'000;

/// Takes members out of one object of the file; the first flaw is kept, everything after it is skipped.
class ScenarioMembers {
public:
    ScenarioMembers(const JsonLines &lines, QJsonObject object, QString path, std::optional<FileFlaw> &flaw)
        : m_lines(lines)
        , m_object(std::move(object))
        , m_path(std::move(path))
        , m_flaw(flaw)
    {
    }

    void only(const QStringList &known)
    {
        const QStringList names = m_object.keys();
        for (const QString &name : names) {
            if (!known.contains(name))
                wrong(name, QStringLiteral("is not a member here; there are: ") + known.join(QStringLiteral(", ")));
        }
    }

    [[nodiscard]] QJsonValue value(const QString &name) const { return m_object.value(name); }
    [[nodiscard]] bool has(const QString &name) const { return m_object.contains(name); }

    std::optional<qint64> integer(const QString &name, qint64 low, qint64 high)
    {
        if (!has(name))
            return {};
        const double number = value(name).toDouble(std::numeric_limits<double>::quiet_NaN());
        if (!value(name).isDouble() || number != std::floor(number) || number < double(low) || number > double(high)) {
            wrong(name, QStringLiteral("must be an integer from %1 to %2").arg(low).arg(high));
            return {};
        }
        return qint64(number);
    }

    std::optional<QString> text(const QString &name)
    {
        if (!has(name))
            return {};
        if (!value(name).isString() || value(name).toString().isEmpty()) {
            wrong(name, QStringLiteral("must be a text that is not empty"));
            return {};
        }
        return value(name).toString();
    }

    std::optional<bool> flag(const QString &name)
    {
        if (!has(name))
            return {};
        if (!value(name).isBool()) {
            wrong(name, QStringLiteral("must be true or false"));
            return {};
        }
        return value(name).toBool();
    }

    QJsonObject object(const QString &name)
    {
        if (has(name) && !value(name).isObject())
            wrong(name, QStringLiteral("must be an object"));
        return value(name).toObject();
    }

    QJsonArray array(const QString &name)
    {
        if (has(name) && !value(name).isArray())
            wrong(name, QStringLiteral("must be an array"));
        return value(name).toArray();
    }

    ScenarioMembers inside(const QString &name) { return {m_lines, object(name), pathOf(name), m_flaw}; }

    void wrong(const QString &name, const QString &detail)
    {
        if (!m_flaw)
            m_flaw = m_lines.flaw(pathOf(name), detail);
    }

private:
    [[nodiscard]] QString pathOf(const QString &name) const
    {
        return m_path.isEmpty() ? name : m_path + QLatin1Char('.') + name;
    }

    const JsonLines &m_lines;
    QJsonObject m_object;
    QString m_path;
    std::optional<FileFlaw> &m_flaw;
};

void readBank(ScenarioMembers bank, Scenario &scenario)
{
    QJsonObject later;
    const auto keepForStart = [&](const QString &name, qint64 low, qint64 high) {
        if (const auto number = bank.integer(name, low, high))
            scenario.bankAtStart.insert(name, *number);
    };
    keepForStart(QStringLiteral("processing_ms"), 0, 600'000);
    keepForStart(QStringLiteral("lease_ms"), 1, 600'000);
    keepForStart(QStringLiteral("key_ttl_s"), 1, 10 * 366 * 24 * 3600);
    keepForStart(QStringLiteral("lock_s"), 1, 10 * 366 * 24 * 3600);
}

void readPolicy(ScenarioMembers terminal, RetryPolicy &policy)
{
    terminal.only({QStringLiteral("attempt_deadline_ms"), QStringLiteral("max_attempts"), QStringLiteral("budget_ms"),
                   QStringLiteral("backoff_base_ms"), QStringLiteral("backoff_cap_ms"),
                   QStringLiteral("conflict_budget_ms")});
    const auto take = [&](const QString &name, qint64 low, qint64 &target) {
        if (const auto ms = terminal.integer(name, low, 600'000))
            target = *ms;
    };
    take(QStringLiteral("attempt_deadline_ms"), 1, policy.attemptDeadlineMs);
    take(QStringLiteral("budget_ms"), 1, policy.budgetMs);
    take(QStringLiteral("backoff_base_ms"), 0, policy.backoffBaseMs);
    take(QStringLiteral("backoff_cap_ms"), 0, policy.backoffCapMs);
    take(QStringLiteral("conflict_budget_ms"), 1, policy.conflictBudgetMs);
    if (const auto attempts = terminal.integer(QStringLiteral("max_attempts"), 1, 100))
        policy.maxAttempts = int(*attempts);
}

void readCheckout(ScenarioMembers members, int number, std::vector<ScenarioCheckout> &checkouts)
{
    members.only(
        {QStringLiteral("order"), QStringLiteral("amount"), QStringLiteral("currency"), QStringLiteral("source")});
    const auto order =
        OrderId::parse(members.text(QStringLiteral("order")).value_or(QStringLiteral("S-%1").arg(number)));
    if (!order)
        members.wrong(QStringLiteral("order"), describe(order.error()));
    const auto currency = Currency::parse(members.text(QStringLiteral("currency")).value_or(QStringLiteral("JPY")));
    if (!currency)
        members.wrong(QStringLiteral("currency"), describe(currency.error()));
    const auto source = SourceId::parse(members.text(QStringLiteral("source")).value_or(QStringLiteral("card_ok")));
    if (!source)
        members.wrong(QStringLiteral("source"), describe(source.error()));
    const qint64 amount = members.integer(QStringLiteral("amount"), 1, 99'999'999).value_or(1'200);
    if (!order || !currency || !source)
        return;
    const auto money = Money::ofMinor(amount, *currency);
    if (!money)
        members.wrong(QStringLiteral("amount"), describe(money.error()));
    else
        checkouts.push_back({*order, *money, *source});
}

void readActs(ScenarioMembers cashier, std::vector<CashierAct> &acts)
{
    cashier.only({QStringLiteral("on_unknown")});
    const QJsonArray words = cashier.array(QStringLiteral("on_unknown"));
    for (qsizetype i = 0; i < words.size(); ++i) {
        if (words.at(i) == QLatin1String("check_now"))
            acts.push_back(CashierAct::CheckNow);
        else if (words.at(i) == QLatin1String("try_again"))
            acts.push_back(CashierAct::TryAgain);
        else
            cashier.wrong(QStringLiteral("on_unknown[%1]").arg(i), QStringLiteral("must be check_now or try_again"));
    }
}

void readExpectation(ScenarioMembers members, ScenarioExpectation &expect)
{
    static const QStringList outcomes{QStringLiteral("approved"),    QStringLiteral("declined"),
                                      QStringLiteral("refused"),     QStringLiteral("not_sent"),
                                      QStringLiteral("voided"),      QStringLiteral("unknown"),
                                      QStringLiteral("key_mismatch")};
    members.only({QStringLiteral("charges_per_order"), QStringLiteral("outcome"), QStringLiteral("replayed"),
                  QStringLiteral("max_wire_sends"), QStringLiteral("max_seconds")});
    const auto count = [&](const QString &name, int low) -> std::optional<int> {
        const auto number = members.integer(name, low, 1'000'000);
        return number ? std::optional(int(*number)) : std::nullopt;
    };
    expect.chargesPerOrder = count(QStringLiteral("charges_per_order"), 0);
    expect.maxWireSends = count(QStringLiteral("max_wire_sends"), 0);
    expect.maxSeconds = count(QStringLiteral("max_seconds"), 1);
    expect.replayed = members.flag(QStringLiteral("replayed"));
    expect.outcome = members.text(QStringLiteral("outcome"));
    if (expect.outcome && !outcomes.contains(*expect.outcome))
        members.wrong(QStringLiteral("outcome"),
                      QStringLiteral("must be one of: ") + outcomes.join(QStringLiteral(", ")));
}

} // namespace

Result<Scenario, FileFlaw> readScenario(const QByteArray &text)
{
    auto lines = JsonLines::read(text);
    if (!lines)
        return lines.error();
    Scenario scenario{{}, {}, {}, {}, {}, {}, {}, std::move(lines).value()};
    const QJsonObject &file = scenario.lines.object();
    std::optional<FileFlaw> flaw;
    ScenarioMembers members(scenario.lines, file, {}, flaw);
    members.only({QStringLiteral("$schema"), QStringLiteral("name"), QStringLiteral("seed"), QStringLiteral("bank"),
                  QStringLiteral("terminal"), QStringLiteral("checkouts"), QStringLiteral("cashier"),
                  QStringLiteral("steps"), QStringLiteral("expect")});
    if (!members.has(QStringLiteral("name")))
        members.wrong(QStringLiteral("name"), QStringLiteral("is missing"));
    scenario.name = members.text(QStringLiteral("name")).value_or(QString());
    (void)members.integer(QStringLiteral("seed"), 0, 9'007'199'254'740'991);
    (void)members.array(QStringLiteral("steps"));
    readBank(members.inside(QStringLiteral("bank")), scenario);
    readPolicy(members.inside(QStringLiteral("terminal")), scenario.policy);
    readActs(members.inside(QStringLiteral("cashier")), scenario.onUnknown);
    readExpectation(members.inside(QStringLiteral("expect")), scenario.expect);

    QJsonArray checkouts = members.array(QStringLiteral("checkouts"));
    if (!members.has(QStringLiteral("checkouts")))
        checkouts.append(QJsonObject());
    if (checkouts.isEmpty() || checkouts.size() > mostCheckouts)
        members.wrong(QStringLiteral("checkouts"), QStringLiteral("must have 1 to %1 elements").arg(mostCheckouts));
    for (qsizetype i = 0; i < checkouts.size() && !flaw; ++i) {
        const QString path = QStringLiteral("checkouts[%1]").arg(i);
        if (!checkouts.at(i).isObject())
            members.wrong(path, QStringLiteral("must be an object"));
        else
            readCheckout({scenario.lines, checkouts.at(i).toObject(), path, flaw}, int(i) + 1, scenario.checkouts);
    }
    if (flaw)
        return *flaw;

    scenario.forBank.insert(QStringLiteral("name"), scenario.name);
    scenario.forBank.insert(QStringLiteral("steps"), file.value(QLatin1String("steps")).toArray());
    if (file.contains(QLatin1String("seed")))
        scenario.forBank.insert(QStringLiteral("seed"), file.value(QLatin1String("seed")));
    QJsonObject bank = file.value(QLatin1String("bank")).toObject();
    const QStringList atStart = scenario.bankAtStart.keys();
    for (const QString &name : atStart)
        bank.remove(name);
    if (!bank.isEmpty())
        scenario.forBank.insert(QStringLiteral("bank"), bank);
    return scenario;
}

} // namespace ikkai
