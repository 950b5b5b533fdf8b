#include "core/checkout/bank_answer.h"

#include "core/checkout/strict_json.h"

namespace ikkai {

namespace bank_answer_detail {

bool hasMediaType(const HttpAnswer &answer, const char *mediaType)
{
    return answer.header("content-type").split(';').first().trimmed().toLower() == mediaType;
}

template <class T>
const T *member(const json::Object &object, QStringView name)
{
    const json::Member *found = object.find(name);
    return found ? std::get_if<T>(&found->value) : nullptr;
}

/// Empty where there is none, or where it is not a string.
QString text(const json::Object &object, QStringView name)
{
    const QString *found = member<QString>(object, name);
    return found ? *found : QString();
}

std::optional<VoidResult> voidResult(const QString &word)
{
    if (word == u"reversed")
        return VoidResult::Reversed;
    if (word == u"prevented")
        return VoidResult::Prevented;
    if (word == u"not_charged")
        return VoidResult::NotCharged;
    return {};
}

/// What a status cannot do without, beyond the echoes.
bool isComplete(const BankCharge &charge)
{
    if (charge.status == u"voided")
        return charge.voided.has_value();
    return !charge.chargeId.isEmpty();
}

} // namespace bank_answer_detail

std::optional<BankCharge> readCharge(const HttpAnswer &answer)
{
    using namespace bank_answer_detail;
    if (!hasMediaType(answer, "application/json"))
        return {};
    const std::optional<json::Object> object = json::parseObject(answer.body);
    if (!object)
        return {};
    const qint64 *amountMinor = member<qint64>(*object, u"amount");
    if (!amountMinor)
        return {};

    BankCharge charge;
    charge.status = text(*object, u"status");
    charge.chargeId = text(*object, u"id");
    charge.declineCode = text(*object, u"decline_code");
    charge.key = text(*object, u"idempotency_key");
    charge.orderId = text(*object, u"order_id");
    charge.amountMinor = *amountMinor;
    charge.currency = text(*object, u"currency");
    if (const json::Object *voided = member<json::Object>(*object, u"voided"))
        charge.voided = voidResult(text(*voided, u"result"));

    if (charge.status.isEmpty() || charge.key.isEmpty() || charge.orderId.isEmpty() || charge.currency.isEmpty() ||
        !isComplete(charge))
        return {};
    return charge;
}

std::optional<BankVoid> readVoid(const HttpAnswer &answer)
{
    using namespace bank_answer_detail;
    if (!hasMediaType(answer, "application/json"))
        return {};
    const std::optional<json::Object> object = json::parseObject(answer.body);
    if (!object)
        return {};
    const qint64 *amountMinor = member<qint64>(*object, u"amount");
    const std::optional<VoidResult> result = voidResult(text(*object, u"result"));
    if (!amountMinor || !result || text(*object, u"at").isEmpty())
        return {};
    return BankVoid{text(*object, u"original_key"), text(*object, u"order_id"), *amountMinor,
                    text(*object, u"currency"), *result};
}

std::optional<BankProblem> readProblem(const HttpAnswer &answer)
{
    using namespace bank_answer_detail;
    if (!hasMediaType(answer, "application/problem+json"))
        return {};
    const std::optional<json::Object> object = json::parseObject(answer.body);
    if (!object)
        return {};
    const QString prefix = QStringLiteral("urn:ikkai:problem:");
    const QString type = text(*object, u"type");
    if (!type.startsWith(prefix) || type.size() == prefix.size())
        return {};

    BankProblem problem;
    problem.type = type.mid(prefix.size());
    if (const QString *key = member<QString>(*object, u"idempotency_key"))
        problem.key = *key;
    problem.field = text(*object, u"field");
    problem.detail = text(*object, u"detail");
    problem.voided = voidResult(text(*object, u"result"));
    problem.ledger = text(*object, u"ledger");
    problem.originalKey = text(*object, u"original_key");
    return problem;
}

} // namespace ikkai
