#include "mock-server/bank/answers.h"
#include "mock-server/bank/ledger_writer.h"

namespace mockbank {

bool LedgerWriter::reopen()
{
    try {
        m_store.reset();
        const QByteArray before = m_ledgerId;
        openStore();
        keepLedger(std::exchange(m_ledgerId, before));
        return true;
    } catch (const StoreError &error) {
        tellTrouble(error);
        return false;
    }
}

void LedgerWriter::tellTrouble(const StoreError &error)
{
    tellEvents({{"commit_failed", 0, QJsonObject{{QStringLiteral("detail"), QString::fromUtf8(error.what())}}}});
}

void LedgerWriter::forget(Entry &entry)
{
    entry.events.clear();
    entry.ghosts.clear();
    entry.answer.reset();
    entry.after = nullptr;
    entry.parks = false;
    entry.parksForMs = 0;
    entry.ask = nullptr;
}

/// Nothing that the failed batch said is used: what the store says now is the answer, and 503 where it says nothing.
void LedgerWriter::recover(std::vector<Entry> &entries)
{
    for (Entry &entry : entries)
        forget(entry);
    if (m_store) {
        try {
            beginTransaction();
            for (Entry &entry : entries)
                std::visit([&](auto &task) { readBack(task, entry); }, entry.task);
            m_store->commit();
        } catch (const StoreError &) {
            m_store.reset();
            for (Entry &entry : entries)
                forget(entry);
        }
    }
    for (Entry &entry : entries) {
        if (!entry.answer && !entry.after)
            std::visit([&](auto &task) { giveUp(task, entry); }, entry.task);
    }
}

void LedgerWriter::readBack(ChargeTask &task, Entry &entry)
{
    Step at = stepNow();
    // Before its first step there is nothing to be found but what needs no step.
    if (task.ledger.isEmpty() ? mayRun(task, entry, at) : task.ledger == m_ledgerId)
        entry.answer = (task.strategy ? task.strategy : m_strategy)->readBack(task.work, at);
    entry.events = std::move(at.events);
}

void LedgerWriter::readBack(VoidTask &task, Entry &entry)
{
    if (task.ready || isOtherLedger(task.work.arrival.expectLedger)) {
        run(task, entry);
        return;
    }
    Step at = stepNow();
    entry.answer = m_strategy->readBackVoid(task.work, at);
    entry.events = std::move(at.events);
}

// They store no answer, so they can simply be done again.
void LedgerWriter::readBack(InquiryTask &task, Entry &entry)
{
    run(task, entry);
}

void LedgerWriter::readBack(ListTask &task, Entry &entry)
{
    run(task, entry);
}

void LedgerWriter::readBack(DeskTask &task, Entry &entry)
{
    run(task, entry);
}

void LedgerWriter::readBack(ClockTask &task, Entry &entry)
{
    // An advance must not be done twice.
    if (task.wanted && m_store->clockSetting() == *task.wanted)
        tellClock(task, entry);
    else
        run(task, entry);
}

void LedgerWriter::readBack(ResetTask &task, Entry &entry)
{
    if (!task.newLedger.isEmpty() && task.newLedger == m_ledgerId)
        entry.after = [done = task.done] { done(true); };
    else
        run(task, entry);
}

void LedgerWriter::giveUp(ChargeTask &task, Entry &entry)
{
    entry.answer = task.ready ? *task.ready : answers::unavailable(task.work.name.key);
}

void LedgerWriter::giveUp(VoidTask &task, Entry &entry)
{
    entry.answer = task.ready ? *task.ready : answers::unavailable(task.work.name.key);
}

void LedgerWriter::giveUp(InquiryTask &task, Entry &entry)
{
    entry.answer = answers::unavailable(task.name.key);
}

void LedgerWriter::giveUp(ListTask &, Entry &entry)
{
    entry.answer = answers::unavailable({});
}

void LedgerWriter::giveUp(ClockTask &task, Entry &entry)
{
    entry.after = [done = task.done] { done(std::nullopt); };
}

void LedgerWriter::giveUp(ResetTask &task, Entry &entry)
{
    entry.after = [done = task.done] { done(false); };
}

void LedgerWriter::giveUp(DeskTask &task, Entry &entry)
{
    entry.after = task.failed;
}

} // namespace mockbank
