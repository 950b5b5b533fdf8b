#pragma once

#include "mock-server/store/store.h"

#include <functional>
#include <memory>

namespace ikkai::test {

/// What a test does to a store, shared by all connections to it. Each hook runs on the ledger thread.
struct StoreTroubles {
    std::function<void()> beforeCommit;   ///< may throw: nothing of the transaction is kept
    std::function<void()> afterCommit;    ///< may throw: the commit was durable and reported failure all the same
    std::function<void()> beforeMovement; ///< may throw
    std::function<bool()> hidesCharges;   ///< true: the ledger look-up finds nothing
    std::function<void(mockbank::Store &)> whenLocking; ///< before an account is read
    std::function<qint64()> ownClock;                   ///< the store has a clock of its own, as a shared one has
    std::function<void()> beforeMark;                   ///< before a void writes; may throw
};

/// A real store with troubles.
class FailingStore final : public mockbank::Store {
public:
    FailingStore(std::unique_ptr<mockbank::Store> real, std::shared_ptr<StoreTroubles> troubles)
        : m_real(std::move(real))
        , m_troubles(std::move(troubles))
    {
    }

    void begin() override { m_real->begin(); }
    bool commit() override
    {
        call(m_troubles->beforeCommit);
        const bool written = m_real->commit();
        call(m_troubles->afterCommit);
        return written;
    }
    void rollback() override { m_real->rollback(); }
    void savepoint() override { m_real->savepoint(); }
    void releaseSavepoint() override { m_real->releaseSavepoint(); }
    void rollbackToSavepoint() override { m_real->rollbackToSavepoint(); }
    bool holdInstance(const QByteArray &instance) override { return m_real->holdInstance(instance); }
    QByteArray ledgerId(const QByteArray &suggested) override { return m_real->ledgerId(suggested); }
    QList<mockbank::Account> accounts() override { return m_real->accounts(); }
    std::optional<mockbank::Account> lockAccount(const QString &source) override
    {
        if (m_troubles->whenLocking)
            m_troubles->whenLocking(*m_real);
        return m_real->lockAccount(source);
    }
    void putAccount(const mockbank::Account &account) override { m_real->putAccount(account); }
    void addAccount(const mockbank::Account &account) override { m_real->addAccount(account); }
    bool debit(const QString &source, qint64 amountMinor) override { return m_real->debit(source, amountMinor); }
    std::optional<mockbank::KeyRecord> key(const mockbank::ScopedKey &name) override { return m_real->key(name); }
    bool addClaim(const mockbank::Claim &claim) override { return m_real->addClaim(claim); }
    bool takeOverClaim(const mockbank::Claim &old, const mockbank::Claim &next) override
    {
        return m_real->takeOverClaim(old, next);
    }
    bool renewClaim(const mockbank::Claim &claim, qint64 untilMs) override
    {
        return m_real->renewClaim(claim, untilMs);
    }
    bool deleteClaim(const mockbank::Claim &claim) override { return m_real->deleteClaim(claim); }
    bool finishClaim(const mockbank::Claim &claim, const mockbank::Verdict &verdict) override
    {
        return m_real->finishClaim(claim, verdict);
    }
    int endLeases(const mockbank::ClaimOwner &living) override { return m_real->endLeases(living); }
    QList<mockbank::KeyRecord> keys(int limit) override { return m_real->keys(limit); }
    std::optional<mockbank::Movement> chargeUnder(const mockbank::ScopedKey &name) override
    {
        if (m_troubles->hidesCharges && m_troubles->hidesCharges())
            return std::nullopt;
        return m_real->chargeUnder(name);
    }
    qint64 addMovement(const mockbank::Movement &movement) override
    {
        call(m_troubles->beforeMovement);
        return m_real->addMovement(movement);
    }
    QList<mockbank::Movement> movements(qint64 after, int limit) override { return m_real->movements(after, limit); }
    void addOutboxEvent(const mockbank::OutboxEvent &event) override { m_real->addOutboxEvent(event); }
    QList<mockbank::OutboxEvent> outbox(qint64 after, int limit, mockbank::OutboxRows rows) override
    {
        return m_real->outbox(after, limit, rows);
    }
    void resetLedger(const QByteArray &newLedgerId) override { m_real->resetLedger(newLedgerId); }
    std::optional<qint64> ownClockMs() override
    {
        return m_troubles->ownClock ? std::optional(m_troubles->ownClock()) : m_real->ownClockMs();
    }
    mockbank::ClockSetting clockSetting() override { return m_real->clockSetting(); }
    void setClock(const mockbank::ClockSetting &setting) override { m_real->setClock(setting); }
    std::optional<qint64> credit(const QString &source, qint64 amountMinor) override
    {
        return m_real->credit(source, amountMinor);
    }
    bool putAnswer(const mockbank::ScopedKey &name, const QByteArray &fingerprint,
                   const mockbank::Verdict &verdict) override
    {
        return m_real->putAnswer(name, fingerprint, verdict);
    }
    bool addTombstone(const mockbank::ScopedKey &name, const mockbank::VoidMark &mark) override
    {
        call(m_troubles->beforeMark);
        return m_real->addTombstone(name, mark);
    }
    bool voidClaim(const mockbank::Claim &claim, const mockbank::VoidMark &mark) override
    {
        call(m_troubles->beforeMark);
        return m_real->voidClaim(claim, mark);
    }
    bool voidFinished(const mockbank::ScopedKey &name, const mockbank::VoidMark &mark) override
    {
        call(m_troubles->beforeMark);
        return m_real->voidFinished(name, mark);
    }
    QList<mockbank::KeyRecord> lapsedClaims(qint64 nowMs, int limit) override
    {
        return m_real->lapsedClaims(nowMs, limit);
    }
    QList<mockbank::ScopedKey> sweepAnswers(qint64 nowMs, int limit) override
    {
        return m_real->sweepAnswers(nowMs, limit);
    }
    bool expireAnswer(const mockbank::ScopedKey &name, qint64 nowMs) override
    {
        return m_real->expireAnswer(name, nowMs);
    }
    std::optional<mockbank::VoidKey> voidKey(const mockbank::ScopedKey &name) override { return m_real->voidKey(name); }
    bool addVoidKey(const mockbank::VoidKey &key) override { return m_real->addVoidKey(key); }
    std::optional<mockbank::Movement> chargeById(const QByteArray &chargeId) override
    {
        return m_real->chargeById(chargeId);
    }
    std::optional<mockbank::Movement> reversalOf(const QByteArray &chargeId) override
    {
        return m_real->reversalOf(chargeId);
    }
    QList<mockbank::ChargeRow> charges(const mockbank::ChargeFilter &filter) override
    {
        return m_real->charges(filter);
    }
    OutboxCount countOutbox() override { return m_real->countOutbox(); }
    bool holdPublisher() override { return m_real->holdPublisher(); }
    QList<mockbank::OutboxEvent> dueOutbox(qint64 nowMs, int limit) override { return m_real->dueOutbox(nowMs, limit); }
    void outboxDueAgain() override { m_real->outboxDueAgain(); }
    void outboxDelivered(qint64 id, qint64 atMs) override { m_real->outboxDelivered(id, atMs); }
    void outboxFailed(qint64 id, qint64 nextAttemptAtMs, const QString &error) override
    {
        m_real->outboxFailed(id, nextAttemptAtMs, error);
    }

private:
    static void call(const std::function<void()> &hook)
    {
        if (hook)
            hook();
    }

    std::unique_ptr<mockbank::Store> m_real;
    std::shared_ptr<StoreTroubles> m_troubles;
};

} // namespace ikkai::test
