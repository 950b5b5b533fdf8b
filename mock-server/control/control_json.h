#pragma once

#include "mock-server/http/message.h"

#include <QtCore/QJsonObject>
#include <QtCore/QStringList>

#include <optional>
#include <variant>

namespace mockbank {

/// The 422 of the control API: `member` is what is wrong.
[[nodiscard]] Response unprocessable(const QString &member, const QString &detail);

/// The body as a JSON object with no members but these; an empty body is an object without members.
[[nodiscard]] std::variant<QJsonObject, Response> readObject(const QByteArray &body, const QStringList &members);

/// A query of `name=integer` pairs with no names but these, every value at least 0.
[[nodiscard]] std::variant<QHash<QByteArray, qint64>, Response> readQuery(const QByteArray &query,
                                                                          const QByteArrayList &names);

/// A query of `name=value` pairs with no names but these, percent-decoded.
[[nodiscard]] std::variant<QHash<QByteArray, QByteArray>, Response> readTextQuery(const QByteArray &query,
                                                                                  const QByteArrayList &names);

/// An integer that a JSON number states exactly, within bounds.
[[nodiscard]] std::optional<qint64> exactInteger(const QJsonValue &value, qint64 low, qint64 high);

} // namespace mockbank
