#include "mock-server/bank/charge_request.h"

#include "mock-server/bank/account.h"
#include "mock-server/bank/currency.h"
#include "mock-server/bank/strict_json.h"

#include <QtCore/QCryptographicHash>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>

#include <algorithm>
#include <optional>

namespace mockbank {

namespace charge_fields {

constexpr qsizetype maxNameLength = 255;
constexpr qsizetype maxDescriptionLength = 1000;

static std::optional<BadField> refuse(const QString &field, const QString &detail)
{
    return BadField{field, detail};
}

/// A name people and programs pass around: one line, not empty, bounded.
static std::optional<BadField> checkName(const JsonMember &member)
{
    if (member.kind != JsonMember::Kind::Text)
        return refuse(member.name, QStringLiteral("%1 must be a string").arg(member.name));
    if (member.text.isEmpty())
        return refuse(member.name, QStringLiteral("%1 must not be empty").arg(member.name));
    if (member.text.size() > maxNameLength) {
        return refuse(member.name,
                      QStringLiteral("%1 is longer than %2 characters").arg(member.name).arg(maxNameLength));
    }
    const auto isControl = [](QChar c) { return c.category() == QChar::Other_Control; };
    if (std::any_of(member.text.cbegin(), member.text.cend(), isControl))
        return refuse(member.name, QStringLiteral("%1 must not hold control characters").arg(member.name));
    return std::nullopt;
}

static std::optional<BadField> checkAmount(const JsonMember &member)
{
    switch (member.kind) {
    case JsonMember::Kind::Integer:
        if (member.integer && *member.integer >= 1 && *member.integer <= maxAmountMinor)
            return std::nullopt;
        return refuse(member.name, QStringLiteral("amount must be 1 to %1 minor units").arg(maxAmountMinor));
    case JsonMember::Kind::Number:
        return refuse(member.name, QStringLiteral("amount must be written without fraction and exponent"));
    case JsonMember::Kind::Text:
    case JsonMember::Kind::Other:
        break;
    }
    return refuse(member.name, QStringLiteral("amount must be an integer of minor units"));
}

static std::optional<BadField> checkCurrency(const JsonMember &member)
{
    if (member.kind != JsonMember::Kind::Text || !minorUnitDigits(member.text.toLatin1()))
        return refuse(member.name, QStringLiteral("currency must be an ISO 4217 code, as in JPY"));
    return std::nullopt;
}

static std::optional<BadField> checkDescription(const JsonMember &member)
{
    if (member.kind != JsonMember::Kind::Text)
        return refuse(member.name, QStringLiteral("description must be a string"));
    if (member.text.size() > maxDescriptionLength)
        return refuse(member.name,
                      QStringLiteral("description is longer than %1 characters").arg(maxDescriptionLength));
    return std::nullopt;
}

static std::optional<BadField> take(const JsonMember &member, ChargeDetails &details)
{
    std::optional<BadField> flaw;
    if (member.name == QLatin1String("amount")) {
        flaw = checkAmount(member);
        details.amountMinor = member.integer.value_or(0);
    } else if (member.name == QLatin1String("order_id")) {
        flaw = checkName(member);
        details.orderId = member.text;
    } else if (member.name == QLatin1String("currency")) {
        flaw = checkCurrency(member);
        details.currency = member.text.toLatin1();
    } else if (member.name == QLatin1String("source")) {
        flaw = checkName(member);
        details.source = member.text;
    } else if (member.name == QLatin1String("terminal_id")) {
        flaw = checkName(member);
        details.terminalId = member.text;
    } else if (member.name == QLatin1String("description")) {
        flaw = checkDescription(member);
    } else {
        flaw = refuse(member.name, QStringLiteral("unknown member \"%1\"").arg(member.name));
    }
    return flaw;
}

/// Members sorted, no white space, integers only: the same payment gives the same bytes however it was written.
static QByteArray canonicalForm(const QList<JsonMember> &members)
{
    QJsonObject sorted;
    for (const JsonMember &member : members) {
        if (member.integer)
            sorted.insert(member.name, *member.integer);
        else
            sorted.insert(member.name, member.text);
    }
    return QJsonDocument(sorted).toJson(QJsonDocument::Compact);
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
    for (const char *name : {"order_id", "amount", "currency", "source"}) {
        const QString required = QString::fromLatin1(name);
        const auto isIt = [&](const JsonMember &member) { return member.name == required; };
        if (std::none_of(members.cbegin(), members.cend(), isIt))
            return BadField{required, QStringLiteral("%1 is missing").arg(required)};
    }
    request.fingerprint = QCryptographicHash::hash(charge_fields::canonicalForm(members), QCryptographicHash::Sha256);
    return request;
}

} // namespace mockbank
