#pragma once

#include "core/domain/field_error.h"
#include "core/domain/ids.h"
#include "core/domain/money.h"
#include "core/domain/result.h"
#include "core/gateway/payment_gateway.h"
#include "core/gateway/transmission.h"

#include <QtCore/QByteArray>
#include <QtCore/QStringView>
#include <QtCore/QUrl>

#include <optional>
#include <utility>
#include <vector>

// The bytes that go to the bank and what can be said of the bytes that come back, without any socket. All pure.
namespace ikkai {

/// How Idempotency-Key stands in the header: as most banks expect it, or as a structured-field string
/// (RFC 8941, section 3.3.3), which the IETF Idempotency-Key draft asks for.
enum class KeyFormat { Bare, Quoted };

/// The exact body of a charge, members in the contract's order, no white space. Made once per checkout, kept in the
/// journal and sent unchanged by every attempt.
[[nodiscard]] QByteArray chargeBody(const OrderId &order, const Money &money, const SourceId &source,
                                    const QString &terminalId);

/// The exact body of a void, members in the contract's order, no white space. Made once, kept in the journal and sent
/// unchanged by every try.
[[nodiscard]] QByteArray voidBody(const IdempotencyKey &originalKey, const OrderId &order, const Money &money);

using HeaderList = std::vector<std::pair<QByteArray, QByteArray>>;

/// The key as header value.
[[nodiscard]] QByteArray keyHeaderValue(const IdempotencyKey &key, KeyFormat format);
/// Empty `apiKey` or `expectLedger`: that header is left out.
[[nodiscard]] HeaderList chargeHeaders(const ChargeTransmission &charge, const QByteArray &apiKey, KeyFormat format);
[[nodiscard]] HeaderList voidHeaders(const VoidTransmission &transmission, const QByteArray &apiKey, KeyFormat format);
[[nodiscard]] HeaderList inquiryHeaders(const InquiryTransmission &inquiry, const QByteArray &apiKey);
/// Of a GET that reads and moves nothing.
[[nodiscard]] HeaderList readHeaders(const QByteArray &apiKey, const QString &expectLedger);
[[nodiscard]] HeaderList learnHeaders(const QByteArray &apiKey);

/// `base` (as of parseBankUrl) plus /v1/charges, /v1/voids, /v1/charges/{key}, /healthz.
[[nodiscard]] QUrl chargeUrl(const QUrl &base);
[[nodiscard]] QUrl voidUrl(const QUrl &base);
[[nodiscard]] QUrl inquiryUrl(const QUrl &base, const IdempotencyKey &key);
/// Of a key that is not ours, so may be of any form: 1 to 255 visible ASCII characters.
[[nodiscard]] QUrl foreignInquiryUrl(const QUrl &base, const QString &key);
/// `query`: name=value pairs, encoded, without the question mark.
[[nodiscard]] QUrl chargeListUrl(const QUrl &base, const QByteArray &query);
[[nodiscard]] QUrl learnUrl(const QUrl &base);

/// Where a bank is: http or https, a host, perhaps a path; no user, query or fragment (a secret in a URL ends in logs).
/// A closing slash is dropped. Errors: field `server`.
Result<QUrl, FieldError> parseBankUrl(QStringView text);
/// An API key as it stands in a file: one line of visible ASCII, white space around it dropped, at most 512 characters.
/// Errors: field `api_key`; never repeats what was given.
Result<QByteArray, FieldError> parseApiKey(const QByteArray &text);

/// Why this answer cannot be taken as whole; none where it can. Whole is: as many bytes as its one Content-Length
/// (RFC 9112, section 6.3), or, without a length, a JSON object that closes itself, because the transport reports
/// neither a bad chunk nor a cut of such a body.
[[nodiscard]] std::optional<QString> whyCut(const HttpAnswer &answer);

/// Reads the answer to GET /healthz; the error is one sentence.
Result<BankIdentity, QString> bankIdentity(const HttpAnswer &answer);

} // namespace ikkai
