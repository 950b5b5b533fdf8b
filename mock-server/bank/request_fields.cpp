#include "mock-server/bank/request_fields.h"

#include "mock-server/bank/account.h"
#include "mock-server/bank/currency.h"

#include <QtCore/QCryptographicHash>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>

#include <algorithm>

namespace mockbank::request_fields {

namespace {

constexpr qsizetype maxNameLength = 255;

} // namespace

std::optional<BadField> refuse(const QString &field, const QString &detail)
{
    return BadField{field, detail};
}

std::optional<BadField> unknown(const JsonMember &member)
{
    return refuse(member.name, QStringLiteral("unknown member \"%1\"").arg(member.name));
}

std::optional<BadField> checkName(const JsonMember &member)
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

std::optional<BadField> checkKey(const JsonMember &member)
{
    if (auto flaw = checkName(member))
        return flaw;
    const auto isVisible = [](QChar c) { return c > QLatin1Char(' ') && c < QLatin1Char('\x7f'); };
    if (!std::all_of(member.text.cbegin(), member.text.cend(), isVisible))
        return refuse(member.name, QStringLiteral("%1 must be visible ASCII characters").arg(member.name));
    return std::nullopt;
}

std::optional<BadField> checkAmount(const JsonMember &member)
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

std::optional<BadField> checkCurrency(const JsonMember &member)
{
    if (member.kind != JsonMember::Kind::Text || !minorUnitDigits(member.text.toLatin1()))
        return refuse(member.name, QStringLiteral("currency must be an ISO 4217 code, as in JPY"));
    return std::nullopt;
}

std::optional<BadField> findMissing(const QList<JsonMember> &members, std::initializer_list<const char *> required)
{
    for (const char *name : required) {
        const QString wanted = QString::fromLatin1(name);
        const auto isIt = [&](const JsonMember &member) { return member.name == wanted; };
        if (std::none_of(members.cbegin(), members.cend(), isIt))
            return refuse(wanted, QStringLiteral("%1 is missing").arg(wanted));
    }
    return std::nullopt;
}

QByteArray fingerprint(const QList<JsonMember> &members)
{
    QJsonObject sorted;
    for (const JsonMember &member : members) {
        if (member.integer)
            sorted.insert(member.name, *member.integer);
        else
            sorted.insert(member.name, member.text);
    }
    return QCryptographicHash::hash(QJsonDocument(sorted).toJson(QJsonDocument::Compact), QCryptographicHash::Sha256);
}

} // namespace mockbank::request_fields
