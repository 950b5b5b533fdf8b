#pragma once

#include "mock-server/bank/bank.h"

#include <QtCore/QByteArray>
#include <QtCore/QByteArrayList>
#include <QtCore/QJsonObject>

namespace mockbank {

/// One HTTP request as it was read: nothing decoded, nothing merged.
struct Request {
    QByteArray method;
    QByteArray path;  ///< of the target, still percent-encoded, without the query
    QByteArray query; ///< after the '?', empty for none
    QByteArray host;  ///< authority of an absolute-form target, else the Host header; RFC 9112 section 3.2
    Headers headers;  ///< trailers are not among them
    QByteArray body;
    bool http11 = true;
    bool keepAlive = true;
    bool expectsContinue = false;

    /// Every line of this header, in order. Names compare without regard to case.
    [[nodiscard]] QByteArrayList values(QByteArrayView name) const;
    /// The first line of this header, empty where there is none.
    [[nodiscard]] QByteArray value(QByteArrayView name) const;
};

struct Response {
    int status = 200;
    QByteArray contentType;
    Headers headers;
    QByteArray body;
};

/// A problem of RFC 9457. `type` is the last part of `urn:ikkai:problem:...`.
struct Problem {
    int status = 400;
    QByteArray type;
    QString title;
    QString detail;
    bool retryable = false;
    QByteArray field;          ///< what is wrong with the request, empty for none
    QByteArray idempotencyKey; ///< where it is known
};

[[nodiscard]] Response toResponse(const Problem &problem);
[[nodiscard]] Response jsonResponse(int status, const QJsonObject &json);

/// The name of a status, as in `Not Found`; `Status` for one without.
[[nodiscard]] QByteArray reasonPhrase(int status);
/// The last part of the problem type of an answer that says no more than its status does.
[[nodiscard]] QByteArray problemTypeOf(int status);

/// Status line and headers with the blank line; a header of the response stands for the common one of that name.
/// `Content-Length` comes from `bodyLength`, none where it is negative;
/// `Connection` from `keepAlive`.
[[nodiscard]] QByteArray writeHead(const Response &response, const Headers &common, qsizetype bodyLength,
                                   bool keepAlive);

/// RFC 9110 IMF-fixdate of this moment.
[[nodiscard]] QByteArray httpDate(qint64 secondsSinceEpoch);

} // namespace mockbank
