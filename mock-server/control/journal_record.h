#pragma once

#include "mock-server/bank/answer.h"

#include <QtCore/QByteArray>
#include <QtCore/QJsonObject>
#include <QtCore/QList>
#include <QtCore/QString>

#include <array>
#include <optional>

namespace mockbank {

/// Where an arrival stands, or how it ended.
enum class JournalEnd {
    Open,       ///< being read or worked on
    Held,       ///< a fault keeps the request or the answer back
    Answered,   ///< everything was written; whether it arrived is told apart
    Fin,        ///< closed by the bank before the answer was whole
    Rst,        ///< reset by the bank before the answer was whole
    ClientGone, ///< the client left first
    Crash,      ///< the bank crashed
    Copy,       ///< nobody waits for it: a fault sent a request twice
    Incomplete, ///< the client left, or was given up, before its request was complete
};

struct JournalStep {
    QByteArray kind; ///< of the bank's event: claimed, committed, replayed ...
    qint64 atMs = 0;
};

/// One arrival at the data plane, from its head to the end of its answer. Secrets are not in it.
struct JournalRecord {
    /// What is kept of one body or answer; what is beyond it is counted only.
    static constexpr qsizetype keptBytes = 64 * 1024;
    static constexpr std::array<const char *, 4> routes{"charge", "void", "inquiry", "list"};

    quint64 n = 0; ///< the arrival_id of the events about it; rises, never used twice
    quint64 requestId = 0;
    quint64 connection = 0;
    QByteArray peer;
    QByteArray run; ///< Server-Run-Id that received it
    QByteArray route;
    quint64 copyOf = 0; ///< the record whose request a fault sent twice; 0 for an arrival from a client

    QByteArray method;
    QByteArray path;
    QByteArray query;
    bool http11 = true;
    Headers headers;
    QByteArray body;
    bool complete = false; ///< head and body were read
    QByteArray lostBecause;

    QByteArray key;
    int attempt = 0;
    QString order;
    quint64 attemptId = 0;   ///< equal for arrivals of one client attempt, 0 where that cannot be told
    quint64 firstOfSame = 0; ///< the first record of this attempt, itself where it is the first
    int nthOfSame = 1;

    QJsonObject fault; ///< rule_id, spec, placement, manifestation, light, draw, reached, charged, knowable
    QList<JournalStep> steps;
    bool committed = false; ///< this very arrival moved money
    bool replayed = false;
    bool madeUp = false; ///< the answer is a fault's invention
    quint64 heldId = 0;
    QByteArray heldAction; ///< what was made of the held message, empty while nothing

    QByteArray sent; ///< the first keptBytes of what was written
    qint64 bytesWritten = 0;
    int status = 0; ///< as written, 0 where no whole status line was
    JournalEnd end = JournalEnd::Open;
    bool delivered = false; ///< acknowledged by the client's system, to the last byte of a whole answer

    qint64 receivedAtMs = 0; ///< head read; ms since 1970 UTC
    qint64 startUs = 0;      ///< the same moment on the steady clock of this process
    // Microseconds after that; -1 where it did not happen.
    qint64 completeUs = -1;
    qint64 firstByteUs = -1;
    qint64 lastByteUs = -1;
    qint64 endedUs = -1;
    qint64 deliveredUs = -1;

    /// About what it takes in memory.
    [[nodiscard]] qsizetype cost() const;
};

[[nodiscard]] QByteArray endName(JournalEnd end);
[[nodiscard]] std::optional<JournalEnd> endOf(const QByteArray &name);

/// The value of a header that carries a secret is replaced.
[[nodiscard]] Headers withoutSecrets(const Headers &headers);

/// An answer as it was written, taken apart again.
struct SentAnswer {
    bool wholeHead = false;
    QByteArray version;
    int status = 0;
    QByteArray reason;
    Headers headers;
    qsizetype headBytes = 0;
    QByteArray body; ///< what was written of it, still in its transfer coding; without `wholeHead` everything written
};
[[nodiscard]] SentAnswer readSent(const QByteArray &bytes);

/// As the journal call tells it (README.md). `again`: later arrivals of the same attempt that are known.
struct SameAttempt {
    int seen = 1;
    quint64 last = 0;
};
[[nodiscard]] QJsonObject toJson(const JournalRecord &record, const SameAttempt &same);

/// For the spill file: what `unpack` reads back.
[[nodiscard]] QByteArray pack(const JournalRecord &record);
[[nodiscard]] std::optional<JournalRecord> unpack(const QByteArray &bytes);

} // namespace mockbank
