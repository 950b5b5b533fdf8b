#include "mock-server/bank/redis_lock_strategy.h"

#include "mock-server/bank/answers.h"
#include "mock-server/bank/charging.h"
#include "mock-server/bank/http_date.h"
#include "mock-server/bank/key_look_up.h"
#include "mock-server/bank/voiding.h"

#include <QtCore/QJsonDocument>

#include <algorithm>

namespace mockbank {

namespace {

// It cannot know how long the other one will take.
constexpr qint64 askAgainMs = 1000;

constexpr QLatin1StringView inProgressWord("IN_PROGRESS");
constexpr QLatin1StringView completedWord("COMPLETED");

QJsonObject troubleFact(const QString &text)
{
    return {{QStringLiteral("detail"), text}};
}

QByteArray lockKey(const ChargeWork &work)
{
    return "idempotency:" + work.name.key;
}

QByteArray inProgressValue()
{
    return QJsonDocument(QJsonObject{{QStringLiteral("status"), inProgressWord}}).toJson(QJsonDocument::Compact);
}

QByteArray completedValue(const Answer &answer, const QByteArray &chargeId, qint64 nowMs)
{
    const QJsonObject response{{QStringLiteral("status"), answer.status},
                               {QStringLiteral("content_type"), QString::fromUtf8(answer.contentType)},
                               {QStringLiteral("body"), QString::fromUtf8(answer.body)},
                               {QStringLiteral("charge_id"), QString::fromUtf8(chargeId)},
                               {QStringLiteral("answered_at_ms"), nowMs}};
    return QJsonDocument(QJsonObject{{QStringLiteral("status"), completedWord}, {QStringLiteral("response"), response}})
        .toJson(QJsonDocument::Compact);
}

/// Nothing where this is no answer that was kept.
std::optional<Answer> keptAnswer(const QJsonObject &record)
{
    const QJsonObject response = record.value(QLatin1StringView("response")).toObject();
    Answer answer;
    answer.status = response.value(QLatin1StringView("status")).toInt();
    if (record.value(QLatin1StringView("status")) != completedWord || answer.status < 200 || answer.status > 599)
        return std::nullopt;
    answer.contentType = response.value(QLatin1StringView("content_type")).toString().toUtf8();
    answer.body = response.value(QLatin1StringView("body")).toString().toUtf8();
    answer.headers.emplaceBack("Idempotent-Replayed", "true");
    answer.headers.emplaceBack("Original-Date",
                               imfFixdate(response.value(QLatin1StringView("answered_at_ms")).toInteger()));
    answer.replayed = true;
    return answer;
}

} // namespace

RedisLockStrategy::RedisLockStrategy(std::shared_ptr<KeyLock> lock)
    : m_lock(std::move(lock))
{
}

StepOutcome RedisLockStrategy::step(ChargeWork &work, Step &at)
{
    switch (work.step) {
    case LookingUp:
        return lookUp(work, at);
    case Found:
        return found(work, at);
    case Locked:
        return locked(work, at);
    case Charging:
        return charge(work, at);
    case Answering:
        return answer(work, at);
    default:
        return remembered(work, at);
    }
}

StepOutcome RedisLockStrategy::lookUp(ChargeWork &work, Step &at)
{
    if (work.arrival.fault == LedgerFault::RedisDown) {
        at.tell("lock_unreachable", work, troubleFact(QStringLiteral("a fault keeps the lock out of reach")));
        return answers::lockUnreachable(work.name.key);
    }
    if (const std::optional<KeyRecord> record = at.store.key(work.name); record && record->state == KeyState::Voided)
        return key_look_up::toChargeOfVoided(record->mark, work, at);
    work.step = Found;
    return NextStep{.pause = Pause::Commit,
                    .ask = [this, key = lockKey(work), fault = work.arrival.fault,
                            busyMs = std::max<qint64>(work.arrival.faultMs, 1), now = at.nowMs] {
                        if (fault == LedgerFault::ExpireKey)
                            (void)m_lock->remove(key);
                        else if (fault == LedgerFault::Busy) // somebody else is at work, and needs that long
                            (void)m_lock->setIfAbsent(key, inProgressValue(), busyMs, now);
                        return m_lock->get(key, now);
                    }};
}

StepOutcome RedisLockStrategy::found(ChargeWork &work, Step &at)
{
    const LockAnswer &got = work.reply->answer();
    if (!got.trouble.isEmpty()) {
        at.tell("lock_unreachable", work, troubleFact(got.trouble));
        return answers::lockUnreachable(work.name.key);
    }
    if (got.found) {
        const QJsonObject record = QJsonDocument::fromJson(got.value).object();
        if (record.value(QLatin1StringView("status")) == inProgressWord) {
            at.tell("in_progress", work);
            return answers::inProgress(work.name.key, askAgainMs);
        }
        if (std::optional<Answer> kept = keptAnswer(record)) {
            work.chargeId = record.value(QLatin1StringView("response"))
                                .toObject()
                                .value(QLatin1StringView("charge_id"))
                                .toString()
                                .toUtf8();
            at.tell("replayed", work);
            return *std::move(kept);
        }
        at.tell("lock_unreachable", work,
                troubleFact(QStringLiteral("the lock holds something that is no record of a payment")));
        return answers::lockUnreachable(work.name.key);
    }
    work.step = Locked;
    return NextStep{.pause = Pause::Commit,
                    .ask = [this, key = lockKey(work), life = at.settings.lockMs, now = at.nowMs] {
                        return m_lock->setIfAbsent(key, inProgressValue(), life, now);
                    }};
}

StepOutcome RedisLockStrategy::locked(ChargeWork &work, Step &at)
{
    const LockAnswer &got = work.reply->answer();
    if (!got.trouble.isEmpty()) {
        at.tell("lock_unreachable", work, troubleFact(got.trouble));
        return answers::lockUnreachable(work.name.key);
    }
    if (!got.done) {
        at.tell("in_progress", work);
        return answers::inProgress(work.name.key, askAgainMs);
    }
    at.tell("locked", work);
    work.step = Charging;
    // Nothing is written on this side between lock and charge.
    return NextStep{.mayJoin = true};
}

StepOutcome RedisLockStrategy::charge(ChargeWork &work, Step &at)
{
    if (work.arrival.fault == LedgerFault::CrashBeforeCommit)
        return answers::crashed();
    at.store.savepoint();
    work.verdict = judge(work, at);
    const bool approved = work.verdict.declineCode.isEmpty();
    if (approved)
        work.event = moveMoney(work, work.verdict, Guard::None, at);
    if (work.arrival.fault == LedgerFault::FailBeforeCommit) {
        at.store.rollbackToSavepoint();
        work.event.reset();
        work.chargeId.clear();
        at.tell("rolled_back", work);
        return keep(work, answers::keptFailure(work.name.key), at);
    }
    at.store.releaseSavepoint();
    at.tell(approved ? "committed" : "declined", work);
    work.step = Answering;
    return NextStep{.pause = Pause::Commit};
}

StepOutcome RedisLockStrategy::answer(ChargeWork &work, Step &at)
{
    if (work.arrival.fault == LedgerFault::CrashHalfWay)
        return answers::crashed(work.verdict);
    if (work.event)
        at.publish(*work.event);
    return keep(work, answers::first(work.verdict), at);
}

/// The answer leaves; what is said of it to the lock is sent off and not waited for.
AnswerAndGoOn RedisLockStrategy::keep(ChargeWork &work, Answer answer, Step &at)
{
    work.step = Remembered;
    AnswerAndGoOn outcome;
    if (work.arrival.fault != LedgerFault::RedisLostWrite)
        outcome.ask = completing(work, answer, at);
    outcome.answer = std::move(answer);
    return outcome;
}

std::function<KeyLock::Reply()> RedisLockStrategy::completing(const ChargeWork &work, const Answer &answer,
                                                              const Step &at)
{
    return [this, key = lockKey(work), value = completedValue(answer, work.chargeId, at.nowMs),
            life = at.settings.keyTtlMs, now = at.nowMs] { return m_lock->set(key, value, life, now); };
}

StepOutcome RedisLockStrategy::remembered(ChargeWork &work, Step &at)
{
    if (!work.reply)
        at.tell("completed_lost", work, troubleFact(QStringLiteral("a fault kept it from the lock")));
    else if (!work.reply->answer().trouble.isEmpty())
        at.tell("completed_lost", work, troubleFact(work.reply->answer().trouble));
    return Done{};
}

Answer RedisLockStrategy::inquire(const InquiryArrival &arrival, const ScopedKey &name, Step &at)
{
    return inquireUnguarded(arrival, name, at);
}

StepOutcome RedisLockStrategy::voidCharge(VoidWork &work, Step &at)
{
    return voidUnguarded(work, at);
}

std::optional<Answer> RedisLockStrategy::readBackVoid(VoidWork &work, Step &at)
{
    return voiding::readBack(work, at);
}

std::optional<Answer> RedisLockStrategy::readBack(ChargeWork &work, Step &at)
{
    if (work.step < Charging)
        return std::nullopt;
    std::optional<Answer> answer;
    if (work.step == Remembered && !work.chargeId.isEmpty()) // the charge had been committed before
        answer = answers::first(work.verdict);
    else
        answer = committedAfterAll(work, at);
    // The lock is held, so whatever is answered now is kept there.
    (void)completing(work, answer ? *answer : answers::unavailable(work.name.key), at)();
    return answer;
}

} // namespace mockbank
