#pragma once

#include "mock-server/bank/strict_json.h"

#include <QtCore/QByteArray>
#include <QtCore/QList>
#include <QtCore/QString>

#include <initializer_list>
#include <optional>

namespace mockbank {

/// A body that is refused with 400: nothing is executed, nothing stored.
struct BadField {
    QString field;
    QString detail;
};

/// What the bodies of all calls have in common: how a member has to look, and what makes two bodies the same.
/// Pure; any thread. A check answers nothing where the member is as it should be.
namespace request_fields {

/// A name people and programs pass around: one line, not empty, at most 255 characters.
[[nodiscard]] std::optional<BadField> checkName(const JsonMember &member);
/// An integer of minor units, 1 to maxAmountMinor.
[[nodiscard]] std::optional<BadField> checkAmount(const JsonMember &member);
/// ISO 4217.
[[nodiscard]] std::optional<BadField> checkCurrency(const JsonMember &member);
/// An idempotency key: 1 to 255 visible ASCII characters.
[[nodiscard]] std::optional<BadField> checkKey(const JsonMember &member);
[[nodiscard]] std::optional<BadField> refuse(const QString &field, const QString &detail);
[[nodiscard]] std::optional<BadField> unknown(const JsonMember &member);
/// The first of the required members that is not there.
[[nodiscard]] std::optional<BadField> findMissing(const QList<JsonMember> &members,
                                                  std::initializer_list<const char *> required);
/// SHA-256 of the members sorted, without white space, integers only: the same request gives the same bytes however it
/// was written.
[[nodiscard]] QByteArray fingerprint(const QList<JsonMember> &members);

} // namespace request_fields

} // namespace mockbank
