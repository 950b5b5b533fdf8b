#include "mock-server/bank/void_request.h"

#include <optional>

namespace mockbank {

namespace void_fields {

static std::optional<BadField> take(const JsonMember &member, VoidRequest &request)
{
    std::optional<BadField> flaw;
    if (member.name == QLatin1String("original_key")) {
        flaw = request_fields::checkKey(member);
        request.originalKey = member.text.toLatin1();
    } else if (member.name == QLatin1String("order_id")) {
        flaw = request_fields::checkName(member);
        request.orderId = member.text;
    } else if (member.name == QLatin1String("amount")) {
        flaw = request_fields::checkAmount(member);
        request.amountMinor = member.integer.value_or(0);
    } else if (member.name == QLatin1String("currency")) {
        flaw = request_fields::checkCurrency(member);
        request.currency = member.text.toLatin1();
    } else {
        flaw = request_fields::unknown(member);
    }
    return flaw;
}

} // namespace void_fields

std::variant<VoidRequest, BadField> readVoidRequest(const QByteArray &body)
{
    const auto read = readFlatObject(body);
    if (const auto *flaw = std::get_if<JsonFlaw>(&read))
        return BadField{flaw->field, flaw->detail};

    const QList<JsonMember> &members = std::get<QList<JsonMember>>(read);
    VoidRequest request;
    for (const JsonMember &member : members) {
        if (const auto flaw = void_fields::take(member, request))
            return *flaw;
    }
    if (const auto flaw = request_fields::findMissing(members, {"original_key", "order_id", "amount", "currency"}))
        return *flaw;
    request.fingerprint = request_fields::fingerprint(members);
    return request;
}

} // namespace mockbank
