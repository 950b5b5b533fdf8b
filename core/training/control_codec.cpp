#include "core/training/control_codec.h"

#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonValue>

#include <limits>

namespace ikkai {

QString describe(const ControlError &error)
{
    const auto sentence = [&error](const QString &what) {
        return error.detail.isEmpty() ? what + QLatin1Char('.') : QStringLiteral("%1: %2.").arg(what, error.detail);
    };
    switch (error.kind) {
    case ControlError::Kind::Unreachable:
        return sentence(QStringLiteral("The bank's control API cannot be reached"));
    case ControlError::Kind::NoAnswer:
        return sentence(QStringLiteral("The bank's control API did not answer"));
    case ControlError::Kind::TokenRefused:
        return QStringLiteral("The bank refuses the control token.");
    case ControlError::Kind::Forbidden:
        return sentence(QStringLiteral("The bank takes no control calls from here"));
    case ControlError::Kind::NotThere:
        return sentence(QStringLiteral("The bank knows nothing of that"));
    case ControlError::Kind::NotAccepted:
        return sentence(error.member.isEmpty() ? QStringLiteral("The bank does not accept that")
                                               : QStringLiteral("The bank does not accept %1").arg(error.member));
    case ControlError::Kind::Trouble:
        return sentence(QStringLiteral("The bank's control API answered with status %1").arg(error.status));
    case ControlError::Kind::NotUnderstood:
        return sentence(QStringLiteral("That is not a bank's control API"));
    }
    return error.detail;
}

namespace control {

namespace {

/// Takes members out of an object and remembers the first that was not as it must be.
class Members {
public:
    explicit Members(const QJsonObject &object)
        : m_object(object)
    {
    }
    QString text(const char *name)
    {
        const QJsonValue value = m_object.value(QLatin1String(name));
        if (!value.isString())
            wrong(name);
        return value.toString();
    }
    /// Empty where the bank says null: a charge without a key.
    QString textOrNull(const char *name)
    {
        return m_object.value(QLatin1String(name)).isNull() ? QString() : text(name);
    }
    qint64 integer(const char *name, qint64 low = std::numeric_limits<qint64>::min())
    {
        const QJsonValue value = m_object.value(QLatin1String(name));
        const qint64 number = value.toInteger(0);
        if (!value.isDouble() || number != value.toInteger(1) || number < low)
            wrong(name);
        return number;
    }
    int count(const char *name)
    {
        const qint64 number = integer(name, 0);
        if (number > std::numeric_limits<int>::max())
            wrong(name);
        return static_cast<int>(number);
    }
    bool flag(const char *name)
    {
        const QJsonValue value = m_object.value(QLatin1String(name));
        if (!value.isBool())
            wrong(name);
        return value.toBool();
    }
    QJsonArray array(const char *name)
    {
        const QJsonValue value = m_object.value(QLatin1String(name));
        if (!value.isArray())
            wrong(name);
        return value.toArray();
    }
    [[nodiscard]] bool isNull(const char *name) const
    {
        const QJsonValue value = m_object.value(QLatin1String(name));
        return value.isNull() || value.isUndefined();
    }
    void wrong(const char *name)
    {
        if (m_wrong.isEmpty())
            m_wrong = QLatin1String(name);
    }

    template <class T>
    Result<T, ControlError> finish(T value) const
    {
        if (m_wrong.isEmpty())
            return value;
        return notUnderstood(QStringLiteral("member %1 is not as it must be").arg(m_wrong));
    }

private:
    const QJsonObject &m_object;
    QString m_wrong;
};

template <class T, class Read>
Result<QList<T>, ControlError> readAll(const QJsonArray &array, Read read)
{
    QList<T> all;
    all.reserve(array.size());
    for (const QJsonValue &value : array) {
        const Result<T, ControlError> one = read(value.toObject());
        if (!one)
            return one.error();
        all.append(one.value());
    }
    return all;
}

Result<LedgerMovement, ControlError> readMovement(const QJsonObject &object)
{
    Members members(object);
    LedgerMovement movement;
    movement.id = members.integer("id", 0);
    const QString kind = members.text("kind");
    if (kind == QLatin1String("reversal"))
        movement.kind = LedgerMovement::Kind::Reversal;
    else if (kind != QLatin1String("charge"))
        members.wrong("kind");
    movement.key = members.textOrNull("idempotency_key");
    movement.orderId = members.text("order_id");
    movement.amountMinor = members.integer("amount");
    movement.currency = members.text("currency");
    movement.source = members.text("source");
    movement.at = members.text("at");
    return members.finish(movement);
}

QJsonObject jsonOf(const HttpAnswer &answer)
{
    return QJsonDocument::fromJson(answer.body).object();
}

ControlError::Kind kindOfStatus(int status)
{
    switch (status) {
    case 400:
    case 422:
        return ControlError::Kind::NotAccepted;
    case 401:
        return ControlError::Kind::TokenRefused;
    case 403:
        return ControlError::Kind::Forbidden;
    case 404:
        return ControlError::Kind::NotThere;
    default:
        return ControlError::Kind::Trouble;
    }
}

} // namespace

ControlError notUnderstood(const QString &what)
{
    return {ControlError::Kind::NotUnderstood, 200, QString(), what};
}

ControlError errorOf(const Transmission &transmission)
{
    switch (transmission.end) {
    case Transmission::End::ConnectionRefused:
    case Transmission::End::HostNotFound:
    case Transmission::End::TlsFailed:
        return {ControlError::Kind::Unreachable, 0, QString(), transmission.detail};
    case Transmission::End::DeadlinePassed:
    case Transmission::End::ConnectionLost:
    case Transmission::End::ResendPrevented:
    case Transmission::End::AnswerCut:
        return {ControlError::Kind::NoAnswer, 0, QString(), transmission.detail};
    case Transmission::End::Answered:
        break;
    }
    const QJsonObject problem = jsonOf(*transmission.answer);
    QString detail = problem.value(QLatin1String("detail")).toString();
    while (detail.endsWith(QLatin1Char('.')))
        detail.chop(1);
    return {kindOfStatus(transmission.answer->status), transmission.answer->status,
            problem.value(QLatin1String("field")).toString(), detail};
}

Result<QJsonObject, ControlError> objectOf(const Transmission &transmission)
{
    if (transmission.end != Transmission::End::Answered || transmission.answer->status / 100 != 2)
        return errorOf(transmission);
    const QJsonDocument document = QJsonDocument::fromJson(transmission.answer->body);
    if (!document.isObject())
        return notUnderstood(QStringLiteral("its answer is not a JSON object"));
    return document.object();
}

Result<FaultStatus, ControlError> readFault(const QJsonObject &object)
{
    Members members(object);
    FaultStatus fault;
    fault.id = members.text("id");
    fault.spec = members.text("spec");
    const QString light = members.text("light");
    if (light == QLatin1String("matched"))
        fault.light = FaultLight::Matched;
    else if (light == QLatin1String("fired"))
        fault.light = FaultLight::Fired;
    else if (light == QLatin1String("seen"))
        fault.light = FaultLight::Seen;
    else if (light == QLatin1String("healed"))
        fault.light = FaultLight::Healed;
    else if (light == QLatin1String("not_fired"))
        fault.light = FaultLight::NotFired;
    else if (light != QLatin1String("armed"))
        members.wrong("light");
    fault.matched = members.count("matched");
    fault.fired = members.count("fired");
    fault.healed = members.count("healed");
    if (!members.isNull("left"))
        fault.left = members.count("left");
    fault.live = fault.left.value_or(1) > 0;
    if (!members.isNull("live"))
        fault.live = members.flag("live");
    fault.data = object;
    return members.finish(fault);
}

Result<QList<FaultStatus>, ControlError> readFaults(const QJsonObject &object)
{
    Members members(object);
    const QJsonArray array = members.array("faults");
    const auto shape = members.finish(Done{});
    if (!shape)
        return shape.error();
    return readAll<FaultStatus>(array, readFault);
}

Result<LedgerPage, ControlError> readLedgerPage(const QJsonObject &object)
{
    Members members(object);
    const QJsonArray array = members.array("movements");
    LedgerPage page;
    if (!members.isNull("next"))
        page.next = members.integer("next", 0);
    const auto shape = members.finish(Done{});
    if (!shape)
        return shape.error();
    const auto movements = readAll<LedgerMovement>(array, readMovement);
    if (!movements)
        return movements.error();
    page.movements = movements.value();
    return page;
}

Result<BankAccount, ControlError> readAccount(const QJsonObject &object)
{
    Members members(object);
    const BankAccount account{members.text("source"), members.integer("balance"), members.flag("declining")};
    return members.finish(account);
}

Result<QList<BankAccount>, ControlError> readAccounts(const QJsonObject &object)
{
    Members members(object);
    const QJsonArray array = members.array("accounts");
    const auto shape = members.finish(Done{});
    if (!shape)
        return shape.error();
    return readAll<BankAccount>(array, readAccount);
}

Result<BankState, ControlError> readState(const QJsonObject &object)
{
    const Result<QList<FaultStatus>, ControlError> faults = readFaults(object);
    if (!faults)
        return faults.error();
    Members members(object);
    BankState state;
    state.strategy = members.text("strategy");
    state.store = members.text("store");
    state.ledgerId = members.text("ledger_id");
    state.runId = members.text("run_id");
    state.faults = faults.value();
    const QJsonObject counters = object.value(QLatin1String("counters")).toObject();
    state.arrivals = Members(counters).integer("arrivals");
    if (!counters.value(QLatin1String("arrivals")).isDouble())
        members.wrong("counters.arrivals");
    state.data = object;
    return members.finish(state);
}

Result<BankLogEntry, ControlError> readLogEntry(const QByteArray &data)
{
    const QJsonDocument document = QJsonDocument::fromJson(data);
    if (!document.isObject())
        return notUnderstood(QStringLiteral("an event is not a JSON object"));
    const QJsonObject object = document.object();
    Members members(object);
    BankLogEntry entry;
    entry.run = members.text("run");
    entry.n = members.integer("n", 0);
    entry.atMs = members.integer("at_ms");
    entry.kind = members.text("kind");
    entry.data = object;
    return members.finish(entry);
}

} // namespace control

} // namespace ikkai
