#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QString>
#include <QtCore/QStringView>

#include <functional>
#include <optional>
#include <variant>
#include <vector>

/// A reader for answers about money. QJsonDocument cannot tell 1200.0 from 1200 and silently keeps the last of two
/// equal members; an answer that needs such charity is not an answer.
namespace ikkai::json {

struct Null {};
struct Fraction {}; ///< a number with a point or an exponent, or beyond 64 bits: nothing here may be one
struct Array {};    ///< read through, not kept

struct Member;

struct Object {
    std::vector<Member> members;
    /// Null where there is no such member.
    [[nodiscard]] const Member *find(QStringView name) const;
};

using Value = std::variant<Null, bool, qint64, Fraction, QString, Array, Object>;

struct Member {
    QString name;
    Value value;
};

/// One whole JSON object (RFC 8259) in UTF-8 and nothing after it. None where it is not exactly that, where a member
/// name comes twice at any depth, a string holds half a surrogate pair, or it is nested deeper than 16.
[[nodiscard]] std::optional<Object> parseObject(const QByteArray &text);

/// The same, for an object with a list in it that is too long to be kept: each element of its member `list` goes to
/// `take`, in order and as soon as it was read; what follows it may still turn out to be no JSON. None also where an
/// element is no object, or where `take` says false.
[[nodiscard]] std::optional<Object> parseObject(const QByteArray &text, QStringView list,
                                                const std::function<bool(Object &&)> &take);

} // namespace ikkai::json
