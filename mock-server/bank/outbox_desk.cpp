#include "mock-server/bank/outbox_desk.h"

#include "mock-server/store/store.h"

namespace mockbank::outbox_desk {

QByteArray eventId(const QByteArray &ledgerId, qint64 id)
{
    return ledgerId + '-' + QByteArray::number(id);
}

OutboxTurn turn(Store &store, const OutboxAsk &ask, const QByteArray &ledgerId)
{
    OutboxTurn turn;
    if (!store.holdPublisher()) {
        turn.right = OutboxTurn::Right::HeldElsewhere;
        return turn;
    }
    turn.right = OutboxTurn::Right::Held;
    // In the same transaction as the events, so that no reset comes between.
    turn.ledgerId = store.ledgerId(ledgerId);
    if (ask.afresh)
        store.outboxDueAgain();
    turn.due = store.dueOutbox(ask.nowMs, ask.limit);
    return turn;
}

void mark(Store &store, const OutboxMark &mark)
{
    if (store.ledgerId(mark.ledgerId) != mark.ledgerId)
        return;
    if (mark.failure)
        store.outboxFailed(mark.eventId, mark.failure->nextAttemptAtMs, mark.failure->error);
    else
        store.outboxDelivered(mark.eventId, mark.atMs);
}

} // namespace mockbank::outbox_desk
