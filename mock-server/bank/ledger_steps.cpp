#include "mock-server/bank/answers.h"
#include "mock-server/bank/ledger_writer.h"
#include "mock-server/bank/reports.h"

namespace mockbank {

namespace {

// Losing a claim needs another owner to move in between; this many times in a row is a defect, not bad luck.
constexpr int maxResolutions = 8;

} // namespace

void LedgerWriter::run(Entry &entry)
{
    std::visit([&](auto &task) { run(task, entry); }, entry.task);
}

bool LedgerWriter::isOtherLedger(const QByteArray &expected) const
{
    // Asked here and not when it arrived: a reset may have come first.
    return !expected.isEmpty() && expected != m_ledgerId;
}

/// One step in its own savepoint; what it wrote is undone where it says so.
template <typename TakeStep>
StepOutcome LedgerWriter::inSavepoint(Step &at, const TakeStep &takeStep)
{
    const qsizetype told = at.events.size();
    const qsizetype ghosts = at.ghosts.size();
    m_store->savepoint();
    StepOutcome outcome = takeStep();
    ++m_counters.steps;
    const auto *anew = std::get_if<ResolveAnew>(&outcome);
    if (anew && !anew->keepWrites) {
        m_store->rollbackToSavepoint();
        at.ghosts.resize(ghosts);
    } else {
        m_store->releaseSavepoint();
    }
    if (anew)
        at.events.resize(told);
    return outcome;
}

/// Nothing, and the entry answered, where the charge may not go on.
bool LedgerWriter::mayRun(ChargeTask &task, Entry &entry, Step &at)
{
    if (!task.ledger.isEmpty()) {
        if (task.ledger == m_ledgerId)
            return true;
        // Begun in a ledger that a reset has taken away since: it must not go on in another one.
        at.tell("rolled_back", task.work, {{QStringLiteral("detail"), QStringLiteral("the ledger was reset")}});
        entry.answer = answers::unavailable(task.work.name.key);
    } else if (isOtherLedger(task.work.arrival.expectLedger)) {
        at.tell("other_ledger", task.work);
        entry.answer = answers::otherLedger(task.work.name.key, m_ledgerId);
    } else if (task.ready) {
        at.tell(task.readyEvent, task.work);
        entry.answer = *task.ready;
    } else {
        task.ledger = m_ledgerId;
        return true;
    }
    return false;
}

void LedgerWriter::run(ChargeTask &task, Entry &entry)
{
    Step at = stepNow();
    if (!task.strategy)
        task.strategy = m_strategy;
    bool runs = mayRun(task, entry, at);
    for (int resolutions = 0; runs && resolutions < maxResolutions;) {
        StepOutcome outcome = inSavepoint(at, [&] { return task.strategy->step(task.work, at); });
        if (std::holds_alternative<ResolveAnew>(outcome)) {
            task.work.step = 0;
            ++resolutions;
        } else {
            runs = takeOutcome(outcome, entry);
        }
    }
    // Others in this batch must find it running, not left behind.
    if (entry.parks && !entry.answer)
        m_runningForMs.insert(task.work.name, entry.parksForMs);
    if (runs) // it lost its claim again and again
        entry.answer = answers::unavailable(task.work.name.key);
    entry.events = std::move(at.events);
    entry.ghosts = std::move(at.ghosts);
}

/// True where the next step may follow in this transaction.
bool LedgerWriter::takeOutcome(StepOutcome &outcome, Entry &entry) const
{
    if (auto *answer = std::get_if<Answer>(&outcome)) {
        entry.answer = std::move(*answer);
    } else if (auto *early = std::get_if<AnswerAndGoOn>(&outcome)) {
        entry.answer = std::move(early->answer);
        entry.ask = std::move(early->ask);
        entry.parks = true;
    } else if (auto *next = std::get_if<NextStep>(&outcome)) {
        const qint64 pauseMs = next->pause == Pause::Processing ? m_environment.processingMs : 0;
        if (next->mayJoin && pauseMs == 0)
            return true;
        entry.parks = true;
        entry.parksForMs = pauseMs;
        entry.ask = std::move(next->ask);
    }
    return false;
}

void LedgerWriter::run(VoidTask &task, Entry &entry)
{
    Step at = stepNow();
    if (isOtherLedger(task.work.arrival.expectLedger)) {
        at.tell("other_ledger", task.work);
        entry.answer = answers::otherLedger(task.work.name.key, m_ledgerId);
    } else if (task.ready) {
        at.tell(task.readyEvent, task.work);
        entry.answer = *task.ready;
    }
    for (int resolutions = 0; !entry.answer && resolutions < maxResolutions; ++resolutions) {
        StepOutcome outcome = inSavepoint(at, [&] { return m_strategy->voidCharge(task.work, at); });
        if (auto *answer = std::get_if<Answer>(&outcome))
            entry.answer = std::move(*answer);
    }
    if (!entry.answer)
        entry.answer = answers::unavailable(task.work.name.key);
    entry.events = std::move(at.events);
}

void LedgerWriter::run(InquiryTask &task, Entry &entry)
{
    Step at = stepNow();
    entry.answer = isOtherLedger(task.arrival.expectLedger) ? answers::otherLedger(task.name.key, m_ledgerId)
                                                            : m_strategy->inquire(task.arrival, task.name, at);
    entry.events = std::move(at.events);
}

void LedgerWriter::run(ListTask &task, Entry &entry)
{
    if (isOtherLedger(task.arrival.expectLedger)) {
        entry.answer = answers::otherLedger({}, m_ledgerId);
        return;
    }
    const ListArrival &asked = task.arrival;
    ChargeFilter filter{task.scope, asked.after, asked.limit, asked.terminalId, asked.fromMs, asked.beforeMs};
    entry.answer = answers::listed(reports::charges(*m_store, std::move(filter)));
}

void LedgerWriter::run(ClockTask &task, Entry &entry)
{
    task.wanted = m_clock.change(*m_store, task.change);
    if (!task.wanted) {
        entry.after = [done = task.done] { done(std::nullopt); };
        return;
    }
    m_nowMs = m_clock.read(*m_store);
    // What runs here must not look left behind to the other banks because somebody moved the clock.
    renewLeases(Renew::All);
    tellClock(task, entry);
}

void LedgerWriter::tellClock(const ClockTask &task, Entry &entry)
{
    m_sweepDueMs = m_environment.clock->elapsedMs();
    const ClockState state = m_clock.state();
    entry.events = {{"clock", 0,
                     QJsonObject{{QStringLiteral("now_ms"), state.nowMs},
                                 {QStringLiteral("offset_ms"), state.offsetMs},
                                 {QStringLiteral("frozen"), state.frozen}}}};
    entry.after = [done = task.done, state] { done(state); };
}

void LedgerWriter::run(ResetTask &task, Entry &entry)
{
    if (task.ledgerToo) {
        task.newLedger = m_environment.ids->make("ldg_");
        m_store->resetLedger(task.newLedger);
        for (const Account &account : m_environment.accounts)
            m_store->addAccount(account);
        keepLedger(task.newLedger);
    } else {
        m_store->setClock({});
    }
    m_nowMs = m_clock.read(*m_store);
    renewLeases(Renew::All);
    entry.after = [done = task.done] { done(true); };
}

void LedgerWriter::run(DeskTask &task, Entry &entry)
{
    entry.after = task.run(*m_store);
}

} // namespace mockbank
