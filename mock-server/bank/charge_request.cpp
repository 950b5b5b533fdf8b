#include "mock-server/bank/charge_request.h"

#include <optional>

namespace mockbank {

namespace charge_fields {

constexpr qsizetype maxDescriptionLength = 1000;

static std::optional<BadField> checkDescription(const JsonMember &member)
{
    if (member.kind != JsonMember::Kind::Text)
        return request_fields::refuse(member.name, QStringLiteral("description must be a string"));
    if (member.text.size() > maxDescriptionLength) {
        return request_fields::refuse(
            member.name, QStringLiteral("description is longer than %1 characters").arg(maxDescriptionLength));
    }
    return std::nullopt;
}

static std::optional<BadField> take(const JsonMember &member, ChargeDetails &details)
{
    std::optional<BadField> flaw;
    if (member.name == QLatin1String("amount")) {
        flaw = request_fields::checkAmount(member);
        details.amountMinor = member.integer.value_or(0);
    } else if (member.name == QLatin1String("order_id")) {
        flaw = request_fields::checkName(member);
        details.orderId = member.text;
    } else if (member.name == QLatin1String("currency")) {
        flaw = request_fields::checkCurrency(member);
        details.currency = member.text.toLatin1();
    } else if (member.name == QLatin1String("source")) {
        flaw = request_fields::checkName(member);
        details.source = member.text;
    } else if (member.name == QLatin1String("terminal_id")) {
        flaw = request_fields::checkName(member);
        details.terminalId = member.text;
    } else if (member.name == QLatin1String("description")) {
        flaw = checkDescription(member);
    } else {
        flaw = request_fields::unknown(member);
    }
    return flaw;
}

} // namespace charge_fields

std::variant<ChargeRequest, BadField> readChargeRequest(const QByteArray &body)
{
    const auto read = readFlatObject(body);
    if (const auto *flaw = std::get_if<JsonFlaw>(&read))
        return BadField{flaw->field, flaw->detail};

    const QList<JsonMember> &members = std::get<QList<JsonMember>>(read);
    ChargeRequest request;
    for (const JsonMember &member : members) {
        if (const auto flaw = charge_fields::take(member, request.details))
            return *flaw;
    }
    if (const auto flaw = request_fields::findMissing(members, {"order_id", "amount", "currency", "source"}))
        return *flaw;
    request.fingerprint = request_fields::fingerprint(members);
    return request;
}

} // namespace mockbank
