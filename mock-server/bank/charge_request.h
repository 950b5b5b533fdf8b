#pragma once

#include "mock-server/bank/request_fields.h"
#include "mock-server/store/records.h"

#include <QtCore/QByteArray>
#include <QtCore/QString>

#include <variant>

namespace mockbank {

/// A charge's body, checked: what to move, and the SHA-256 that tells a retry from another payment under the same key.
struct ChargeRequest {
    ChargeDetails details;
    QByteArray fingerprint;
};

/// Reads the body of POST /v1/charges (README.md, "Charge"). Pure; any thread.
[[nodiscard]] std::variant<ChargeRequest, BadField> readChargeRequest(const QByteArray &body);

} // namespace mockbank
