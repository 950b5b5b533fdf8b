#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QJsonObject>
#include <QtCore/QString>

#include <optional>
#include <variant>

namespace mockbank {

/// Where in the life of a request a fault strikes.
enum class Placement { Unread, BeforeCommit, AfterCommit, MidAnswer };

/// What it looks like on the wire. `fault_table.h` says what every placement makes of it.
enum class ManifestationKind { Hold, Fin, Rst, Delay, Status, Restart };

enum class MadeUpBody { Problem, Html };

/// Where `mid_answer` cuts the answer. Bytes and fraction count over the whole answer, status line included; the
/// other three cut in the middle of that part.
struct CutPoint {
    enum class Kind { Bytes, Fraction, StatusLine, HeaderLines, Body };
    Kind kind = Kind::Body;
    int bytes = 0;
    int millionths = 0; ///< of the whole answer, for Kind::Fraction; an integer, so that it prints as it was read

    bool operator==(const CutPoint &) const = default;
};

struct Manifestation {
    ManifestationKind kind = ManifestationKind::Hold;
    CutPoint at;        ///< mid_answer only
    int durationMs = 0; ///< delay: how much later; restart: how long the bank is down
    int code = 500;     ///< status: 400..599
    MadeUpBody body = MadeUpBody::Problem;
    QByteArray retryAfter; ///< status: sent as it stands, empty for none

    bool operator==(const Manifestation &) const = default;
};

/// Which client attempts a rule takes. Both conditions hold together; neither given means every attempt.
struct Selector {
    std::optional<int> next;    ///< the next n attempts that match
    std::optional<int> attempt; ///< those whose Attempt-Number is this

    bool operator==(const Selector &) const = default;
};

struct Fault {
    Placement placement = Placement::Unread;
    Manifestation manifestation;
    Selector selector;

    bool operator==(const Fault &) const = default;
};

/// Why a fault is not accepted. `member` is the JSON path of what is wrong, as in `manifestation.code`.
struct FaultError {
    QString member;
    QString detail;
};

using FaultResult = std::variant<Fault, FaultError>;

/// Reads `placement:manifestation[(k=v,...)][:selector=value]...`. Values with other characters than letters, digits
/// and `_.+-` stand in double quotes, with `\` before a quote or a backslash.
[[nodiscard]] FaultResult parseFault(QByteArrayView spec);

/// Reads `{"placement","manifestation":{"kind",...},"selector":{...}}`.
[[nodiscard]] FaultResult parseFault(const QJsonObject &json);

/// The shortest spec that parseFault reads back to the same fault.
[[nodiscard]] QByteArray printFault(const Fault &fault);
[[nodiscard]] QJsonObject faultToJson(const Fault &fault);

[[nodiscard]] QByteArray placementName(Placement placement);
[[nodiscard]] QByteArray manifestationName(ManifestationKind kind);

/// Byte at which an answer of this head (up to and including its blank line) and body length is cut:
/// always before its last byte.
[[nodiscard]] qsizetype cutOffset(const CutPoint &at, QByteArrayView head, qsizetype bodyLength);

} // namespace mockbank
