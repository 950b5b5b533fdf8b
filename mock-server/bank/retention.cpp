#include "mock-server/bank/retention.h"

#include "mock-server/bank/key_look_up.h"

#include <QtCore/QJsonArray>

namespace mockbank::retention {

namespace {

// An event is for people to look at; the count says the rest.
constexpr qsizetype maxKeysTold = 50;

} // namespace

qsizetype sweepAnswers(Step &at)
{
    const QList<ScopedKey> swept = at.store.sweepAnswers(at.nowMs, maxSweep);
    if (swept.isEmpty())
        return 0;
    QJsonArray keys;
    for (const ScopedKey &name : swept.mid(0, maxKeysTold))
        keys.append(QString::fromUtf8(name.key));
    at.events.append(
        {"swept", 0, QJsonObject{{QStringLiteral("count"), swept.size()}, {QStringLiteral("idempotency_keys"), keys}}});
    return swept.size();
}

Swept sweep(Step &at)
{
    Swept done;
    done.answers = sweepAnswers(at);
    const QList<KeyRecord> lapsed = at.store.lapsedClaims(at.nowMs, maxSweep);
    for (const KeyRecord &record : lapsed) {
        if (key_look_up::lives(record.claim, at) || !at.store.deleteClaim(record.claim))
            continue;
        ++done.claims;
        at.events.append({"claim_deleted", 0,
                          QJsonObject{{QStringLiteral("idempotency_key"), QString::fromUtf8(record.claim.name.key)},
                                      {QStringLiteral("by"), QStringLiteral("sweeper")}}});
    }
    // Claims that live stay in the list: only what was deleted promises more behind it.
    done.more = done.answers >= maxSweep || (lapsed.size() >= maxSweep && done.claims > 0);
    return done;
}

} // namespace mockbank::retention
