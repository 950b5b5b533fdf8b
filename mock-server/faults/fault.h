#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QJsonObject>
#include <QtCore/QString>

#include <optional>
#include <variant>

namespace mockbank {

/// Where in the life of a request a fault strikes.
enum class Placement { Connect, Unread, InTransit, BeforeCommit, HalfWay, AfterCommit, MidAnswer, Late };

/// What it looks like on the wire. `fault_table.h` says what every placement makes of it.
enum class ManifestationKind {
    Refuse, ///< connect: the listener and idle connections are closed
    Hold,   ///< connect: accepted and never read
    Fin,
    Rst,
    Delay,
    Dribble,
    Bandwidth,
    Busy,
    Status,
    Garbage,
    HalfStatusLine,
    HalfHeaders,
    ShortBody,
    LongBody,
    BadChunk,
    Html200,
    BadJson,
    WrongShape,
    WrongEcho,
    Redirect,
    ClockSkew,
    ExpireKey,
    Restart,
    Decline, ///< the bank itself says no, and remembers it
    Drop,    ///< in_transit: the request is lost between two machines, the connection stays
    Twice,   ///< in_transit: the request is delivered two times
    RedisDown,
    RedisLostWrite,
};

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

/// How much later, drawn anew for each attempt (from the rule's seed).
struct DelayLaw {
    enum class Kind { Fixed, Uniform, Lognormal, Exponential };
    Kind kind = Kind::Fixed;
    int ms = 0;               ///< fixed; the median of lognormal; the mean of exponential
    int minMs = 0;            ///< uniform
    int maxMs = 0;            ///< uniform
    int sigmaThousandths = 0; ///< lognormal

    bool operator==(const DelayLaw &) const = default;
};

struct Manifestation {
    ManifestationKind kind = ManifestationKind::Hold;
    CutPoint at;    ///< mid_answer only
    DelayLaw delay; ///< delay; bandwidth: before its first byte. FaultDecision::delayMs is what was drawn from it
    /// restart, refuse: how long; busy: how long the claim is held; dribble: every so many ms; late fin and rst: how
    /// long after the answer.
    int durationMs = 0;
    int bytes = 0;          ///< dribble: so many at a time; garbage: so many
    int bytesPerSecond = 0; ///< bandwidth
    int code = 500;         ///< status: 400..599; redirect: 301, 302, 303, 307, 308
    MadeUpBody body = MadeUpBody::Problem;
    QByteArray retryAfter;  ///< status: sent as it stands, empty for none
    QByteArray location;    ///< redirect: never empty
    int skewS = 0;          ///< clock_skew: seconds added to Date
    QByteArray declineCode; ///< decline: what the bank says and stores
    int gapMs = 0;          ///< twice: the second so much later, 0 for the same moment
    QByteArray to;          ///< twice: http://host[:port] of the other bank that gets the copy, empty for this one
    quint64 seed = 0;       ///< garbage: of the bytes; delay and bandwidth: of the draws of their law

    bool operator==(const Manifestation &) const = default;
};

/// Which calls a rule strikes; charge POSTs where none is named.
enum class RouteMatch { Charge, Inquiry, Void, List, Any };

/// The largest seed: JSON says it exactly too.
inline constexpr quint64 maxFaultSeed = 9'007'199'254'740'991;

/// Which client attempts a rule takes. All conditions given hold together; none given means every attempt.
/// Matchers come first; skip, every and next count what they let through; the draw comes last.
struct Selector {
    std::optional<int> next;    ///< the next n attempts that match (connect: connections)
    std::optional<int> skip;    ///< not the first m that match
    std::optional<int> every;   ///< of those left, each n-th: the n-th, the 2n-th ...
    std::optional<int> attempt; ///< those whose Attempt-Number is this
    std::optional<QByteArray> key;
    std::optional<QString> terminal;
    std::optional<QString> order;
    std::optional<QString> source;
    std::optional<qint64> amount; ///< minor units
    std::optional<RouteMatch> route;
    std::optional<int> probabilityMillionths; ///< 0 never, 1,000,000 always; rolled once per attempt
    std::optional<quint64> seed;              ///< of the draws
    std::optional<qint64> forMs;              ///< from the arming on; `for_s` in whole or decimal seconds
    std::optional<qint64> untilMs;            ///< `until`, ms since 1970 in UTC (RFC 3339 text in the grammar)

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
/// and `_.+-` stand in double quotes, with `\` before a quote or a backslash. A pair that fault_table.h does not have,
/// a rule that contradicts itself and an unknown word are errors; what only some strategies can play is not.
[[nodiscard]] FaultResult parseFault(QByteArrayView spec);

/// Reads `{"placement","manifestation":{"kind",...},"selector":{...}}`.
[[nodiscard]] FaultResult parseFault(const QJsonObject &json);

/// The shortest spec that parseFault reads back to the same fault.
[[nodiscard]] QByteArray printFault(const Fault &fault);
[[nodiscard]] QJsonObject faultToJson(const Fault &fault);

[[nodiscard]] QByteArray placementName(Placement placement);
[[nodiscard]] QByteArray manifestationName(ManifestationKind kind);
[[nodiscard]] QByteArray routeName(RouteMatch route);

/// Byte at which an answer of this head (up to and including its blank line) and body length is cut:
/// always before its last byte.
[[nodiscard]] qsizetype cutOffset(const CutPoint &at, QByteArrayView head, qsizetype bodyLength);

} // namespace mockbank
