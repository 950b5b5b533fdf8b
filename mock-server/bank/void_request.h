#pragma once

#include "mock-server/bank/request_fields.h"

#include <QtCore/QByteArray>
#include <QtCore/QString>

#include <variant>

namespace mockbank {

/// A void's body, checked: which charge it is about, told twice (by its key and by its details), so that a slip of the
/// key cannot send somebody else's money back.
struct VoidRequest {
    QByteArray originalKey;
    QString orderId;
    qint64 amountMinor = 0;
    QByteArray currency;
    QByteArray fingerprint; ///< tells a retry from another void under the same key
};

/// Reads the body of POST /v1/voids (README.md, "Void"). Pure; any thread.
[[nodiscard]] std::variant<VoidRequest, BadField> readVoidRequest(const QByteArray &body);

} // namespace mockbank
