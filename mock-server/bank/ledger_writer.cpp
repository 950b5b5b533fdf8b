#include "mock-server/bank/ledger_writer.h"

#include "mock-server/bank/answers.h"

#include <algorithm>

namespace mockbank {

namespace {

// Losing a claim needs another owner to move in between; this many times in a row is a defect, not bad luck.
constexpr int maxResolutions = 8;

} // namespace

LedgerWriter::LedgerWriter(Environment environment, std::shared_ptr<Strategy> strategy)
    : m_environment(std::move(environment))
    , m_strategy(std::move(strategy))
{
    openStore();
}

LedgerWriter::~LedgerWriter() = default;

void LedgerWriter::openStore()
{
    const ClaimOwner &self = m_environment.settings.self;
    std::unique_ptr<Store> store = m_environment.openStore();
    if (!store->holdInstance(self.instance)) {
        throw StoreError(QStringLiteral("a bank named \"%1\" runs at this store already; give another --instance")
                             .arg(QString::fromUtf8(self.instance)));
    }
    store->begin();
    const QByteArray ledgerId = store->ledgerId(m_environment.ids->make("ldg_"));
    if (!m_ledgerId.isEmpty() && ledgerId != m_ledgerId)
        throw StoreError(QStringLiteral("the store now holds another ledger"));
    store->endLeases(self);
    for (const Account &account : m_environment.accounts)
        store->addAccount(account);
    store->commit();
    m_ledgerId = ledgerId;
    m_store = std::move(store);
}

Step LedgerWriter::stepNow()
{
    return Step{*m_store, *m_environment.ids, m_environment.settings, m_runningForMs, m_environment.clock->nowMs(),
                {},       &m_publish};
}

std::optional<qint64> LedgerWriter::nextDueMs() const
{
    std::optional<qint64> next;
    for (const Parked &parked : m_parked) {
        const qint64 due = parked.waits() ? parked.renewMs : std::min(parked.dueMs, parked.renewMs);
        next = next ? std::min(*next, due) : due;
    }
    return next;
}

bool LedgerWriter::onlyWaits() const
{
    return !m_parked.empty() && std::ranges::all_of(m_parked, &Parked::waits);
}

void LedgerWriter::runBatch(std::vector<LedgerTask> tasks, bool hurry)
{
    std::vector<Entry> entries = takeDue(std::move(tasks), hurry);
    if (!m_store && !reopen()) {
        recover(entries);
    } else {
        try {
            if (!commitBatch(entries))
                return;
        } catch (const StoreError &error) {
            ++m_counters.commitFailures;
            m_store.reset();
            if (m_environment.vanished())
                return;
            tellTrouble(error);
            reopen();
            recover(entries);
        }
    }
    tell(entries);
}

std::vector<LedgerWriter::Entry> LedgerWriter::takeDue(std::vector<LedgerTask> tasks, bool hurry)
{
    std::vector<Entry> entries;
    entries.reserve(tasks.size());
    const qint64 now = m_environment.clock->elapsedMs();
    const auto waits = [&](const Parked &parked) { return parked.waits() || (!hurry && parked.dueMs > now); };
    // The longest waiting first, as they came.
    const auto due = std::stable_partition(m_parked.begin(), m_parked.end(), waits);
    for (auto parked = due; parked != m_parked.end(); ++parked)
        entries.push_back({.task = std::move(parked->task), .events = {}, .answer = {}, .after = {}, .ask = {}});
    m_parked.erase(due, m_parked.end());
    for (LedgerTask &task : tasks)
        entries.push_back({.task = std::move(task), .events = {}, .answer = {}, .after = {}, .ask = {}});

    m_runningForMs.clear();
    for (const Parked &parked : m_parked) {
        if (parked.task.done)
            m_runningForMs.insert(parked.task.work.name, parked.dueMs - now);
    }
    return entries;
}

/// False where the bank vanished meanwhile.
bool LedgerWriter::commitBatch(std::vector<Entry> &entries)
{
    m_store->begin();
    renewLeases();
    for (Entry &entry : entries)
        run(entry);
    if (m_environment.vanished()) {
        m_store.reset();
        return false;
    }
    if (m_store->commit()) {
        ++m_counters.commits;
        if (entries.size() > 1)
            ++m_counters.commitsBatched;
    }
    return !m_environment.vanished();
}

void LedgerWriter::renewLeases()
{
    const qint64 now = m_environment.clock->elapsedMs();
    Step at = stepNow();
    for (Parked &parked : m_parked) {
        if (parked.renewMs > now)
            continue;
        parked.task.strategy->renew(parked.task.work, at);
        parked.renewMs = now + m_environment.settings.leaseMs / 3;
    }
}

void LedgerWriter::run(Entry &entry)
{
    if (auto *charge = std::get_if<ChargeTask>(&entry.task)) {
        runCharge(*charge, entry);
    } else if (auto *inquiry = std::get_if<InquiryTask>(&entry.task)) {
        Step at = stepNow();
        entry.answer = inquiry->ready ? *inquiry->ready : m_strategy->inquire(inquiry->arrival, inquiry->name, at);
        entry.events = std::move(at.events);
    } else {
        entry.after = std::get<DeskTask>(entry.task).run(*m_store);
    }
}

void LedgerWriter::runCharge(ChargeTask &task, Entry &entry)
{
    Step at = stepNow();
    if (task.ready) {
        at.tell(task.readyEvent, task.work);
        entry.events = std::move(at.events);
        entry.answer = *task.ready;
        return;
    }
    if (!task.strategy)
        task.strategy = m_strategy;
    for (int resolutions = 0; resolutions < maxResolutions;) {
        const qsizetype told = at.events.size();
        m_store->savepoint();
        StepOutcome outcome = task.strategy->step(task.work, at);
        ++m_counters.steps;
        const auto *anew = std::get_if<ResolveAnew>(&outcome);
        if (anew && !anew->keepWrites)
            m_store->rollbackToSavepoint();
        else
            m_store->releaseSavepoint();
        if (anew) {
            at.events.resize(told);
            task.work.step = 0;
            ++resolutions;
            continue;
        }
        if (takeOutcome(outcome, task, entry))
            break;
    }
    if (!entry.answer && !entry.parks && task.done)
        entry.answer = answers::unavailable(task.work.name.key);
    entry.events = std::move(at.events);
}

/// False where the next step may follow at once.
bool LedgerWriter::takeOutcome(StepOutcome &outcome, ChargeTask &task, Entry &entry)
{
    if (auto *answer = std::get_if<Answer>(&outcome)) {
        entry.answer = std::move(*answer);
    } else if (auto *goOn = std::get_if<AnswerAndGoOn>(&outcome)) {
        entry.answer = std::move(goOn->answer);
        entry.ask = std::move(goOn->ask);
        entry.parks = true;
    } else if (auto *next = std::get_if<NextStep>(&outcome)) {
        const qint64 pauseMs = next->pause == Pause::Processing ? m_environment.processingMs : 0;
        if (next->mayJoin && pauseMs == 0)
            return false;
        entry.parks = true;
        entry.pauseMs = pauseMs;
        entry.ask = std::move(next->ask);
        // Others in this batch must find it running, not left behind.
        m_runningForMs.insert(task.work.name, pauseMs);
    }
    return true;
}

bool LedgerWriter::reopen()
{
    try {
        m_store.reset();
        openStore();
        return true;
    } catch (const StoreError &error) {
        tellTrouble(error);
        return false;
    }
}

void LedgerWriter::announce(const BankEvent &event) const
{
    if (m_observer)
        m_observer(event);
}

void LedgerWriter::tellTrouble(const StoreError &error)
{
    announce({"commit_failed", 0, QJsonObject{{QStringLiteral("detail"), QString::fromUtf8(error.what())}}});
}

/// Nothing that the failed batch said is used: what the store says now is the answer, and 503 where it says nothing.
void LedgerWriter::recover(std::vector<Entry> &entries)
{
    for (Entry &entry : entries) {
        entry.events.clear();
        entry.answer.reset();
        entry.after = nullptr;
        entry.parks = false;
    }
    if (m_store) {
        try {
            m_store->begin();
            readBack(entries);
            m_store->commit();
        } catch (const StoreError &) {
            m_store.reset();
        }
    }
    if (!m_store) {
        for (Entry &entry : entries) {
            entry.events.clear();
            entry.answer.reset();
            entry.after = nullptr;
        }
    }
    for (Entry &entry : entries) {
        if (auto *charge = std::get_if<ChargeTask>(&entry.task)) {
            if (!entry.answer)
                entry.answer = charge->ready ? *charge->ready : answers::unavailable(charge->work.name.key);
        } else if (auto *inquiry = std::get_if<InquiryTask>(&entry.task)) {
            if (!entry.answer)
                entry.answer = inquiry->ready ? *inquiry->ready : answers::unavailable(inquiry->name.key);
        } else if (!entry.after) {
            entry.after = std::get<DeskTask>(entry.task).failed;
        }
    }
}

void LedgerWriter::readBack(std::vector<Entry> &entries)
{
    for (Entry &entry : entries) {
        if (auto *charge = std::get_if<ChargeTask>(&entry.task)) {
            if (charge->ready || !charge->done)
                continue;
            Step at = stepNow();
            entry.answer = (charge->strategy ? charge->strategy : m_strategy)->readBack(charge->work, at);
            entry.events = std::move(at.events);
        } else {
            // It stores no answer, so it can simply be done again.
            run(entry);
        }
    }
}

void LedgerWriter::tell(std::vector<Entry> &entries)
{
    std::vector<std::function<void(Answer)>> told(entries.size());
    // All are parked before anyone is called: a callback may count what is running.
    for (size_t i = 0; i < entries.size(); ++i) {
        if (auto *charge = std::get_if<ChargeTask>(&entries[i].task); charge && entries[i].answer)
            told[i] = std::exchange(charge->done, nullptr);
        if (entries[i].parks)
            park(entries[i]);
    }
    for (size_t i = 0; i < entries.size(); ++i) {
        Entry &entry = entries[i];
        count(entry);
        for (const BankEvent &event : entry.events)
            announce(event);
        if (told[i])
            told[i](std::move(*entry.answer));
        else if (auto *inquiry = std::get_if<InquiryTask>(&entry.task))
            inquiry->done(std::move(*entry.answer));
        else if (entry.after)
            entry.after();
    }
}

void LedgerWriter::park(Entry &entry)
{
    const qint64 now = m_environment.clock->elapsedMs();
    ChargeTask &task = std::get<ChargeTask>(entry.task);
    task.work.waited = true;
    task.work.reply = entry.ask ? entry.ask() : nullptr;
    m_parked.push_back({std::move(task), now + entry.pauseMs, now + m_environment.settings.leaseMs / 3});
}

void LedgerWriter::count(const Entry &entry)
{
    if (std::holds_alternative<InquiryTask>(entry.task))
        ++m_counters.inquiries;
    for (const BankEvent &event : entry.events) {
        if (event.kind == "committed")
            ++m_counters.charges;
        else if (event.kind == "declined")
            ++m_counters.declines;
        else if (event.kind == "replayed")
            ++m_counters.replays;
        else if (event.kind == "in_progress")
            ++m_counters.inProgress;
        else if (event.kind == "mismatch")
            ++m_counters.mismatches;
        else if (event.kind == "rolled_back")
            ++m_counters.rolledBack;
    }
}

} // namespace mockbank
