#pragma once

#include "mock-server/http/message.h"

#include <QtCore/QString>

#include <memory>
#include <optional>

namespace mockbank {

/// Bounds of one request (README.md, "Charge").
struct RequestLimits {
    qsizetype headerBytes = 16 * 1024;
    qsizetype bodyBytes = 64 * 1024;
};

/// Reads HTTP/1.1 requests from bytes in any portions (RFC 9112). Refuses what different readers could read
/// differently: two Content-Lengths, Content-Length with Transfer-Encoding, bare LF, two Hosts.
class RequestParser {
public:
    enum class Stage {
        Idle, ///< not a byte of this request yet
        Head,
        Body, ///< the head is complete: head() may be read
        Done,
        Failed,
    };
    /// Why reading ended: the status to answer with (400, 413, 417, 431, 501, 505). The connection is of no use
    /// afterwards.
    struct Failure {
        int status = 400;
        QString detail;
    };

    explicit RequestParser(const RequestLimits &limits = {});
    ~RequestParser();
    RequestParser(const RequestParser &) = delete;
    RequestParser &operator=(const RequestParser &) = delete;

    /// Takes the bytes of the wire up to the end of the current request; what follows it stays in `buffer`.
    Stage read(QByteArray *buffer);

    [[nodiscard]] Stage stage() const;
    [[nodiscard]] const Request &head() const; ///< from Body on; its body is empty until Done
    [[nodiscard]] const Failure &failure() const;

    /// The finished request; the parser then waits for the next one.
    [[nodiscard]] Request take();

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace mockbank
