#include "mock-server/bank/ledger_writer.h"

#include "mock-server/bank/retention.h"

#include <QtCore/QStringList>

#include <algorithm>
#include <chrono>
#include <tuple>
#include <utility>

namespace mockbank {

namespace {

// Several banks that hinder each other get through within a few rounds, because one of them always does; more is a
// store that hinders everybody.
constexpr int maxBusyRepeats = 10;

constexpr qint64 minSweepEveryMs = 1000;
constexpr qint64 maxSweepEveryMs = 30'000;

} // namespace

/// Works as they were when the batch began, and the leases that it may have renewed.
struct LedgerWriter::BeforeBatch {
    struct Charge {
        ChargeWork work;
        QByteArray ledger;
    };
    std::vector<std::variant<std::monostate, Charge, VoidWork>> works;
    std::vector<std::pair<Claim, qint64>> leases;
    std::vector<Ghost> ghosts;
    quint64 steps = 0;

    static BeforeBatch of(const LedgerWriter &writer, const std::vector<Entry> &entries)
    {
        BeforeBatch before;
        before.works.reserve(entries.size());
        for (const Entry &entry : entries) {
            if (const auto *charge = std::get_if<ChargeTask>(&entry.task))
                before.works.emplace_back(Charge{charge->work, charge->ledger});
            else if (const auto *voiding = std::get_if<VoidTask>(&entry.task))
                before.works.emplace_back(voiding->work);
            else
                before.works.emplace_back();
        }
        for (const Parked &parked : writer.m_parked)
            before.leases.emplace_back(parked.task.work.claim, parked.renewMs);
        before.ghosts = writer.m_ghosts;
        before.steps = writer.m_counters.steps;
        return before;
    }

    void restore(LedgerWriter &writer, std::vector<Entry> &entries) const
    {
        for (size_t i = 0; i < entries.size(); ++i) {
            forget(entries[i]);
            if (const auto *charge = std::get_if<Charge>(&works[i])) {
                std::get<ChargeTask>(entries[i].task).work = charge->work;
                std::get<ChargeTask>(entries[i].task).ledger = charge->ledger;
            } else if (const auto *work = std::get_if<VoidWork>(&works[i])) {
                std::get<VoidTask>(entries[i].task).work = *work;
            }
        }
        for (size_t i = 0; i < leases.size(); ++i)
            std::tie(writer.m_parked[i].task.work.claim, writer.m_parked[i].renewMs) = leases[i];
        writer.m_ghosts = ghosts;
        writer.m_counters.steps = steps;
        writer.noteRunning();
    }
};

LedgerWriter::LedgerWriter(Environment environment, std::shared_ptr<Strategy> strategy)
    : m_environment(std::move(environment))
    , m_strategy(std::move(strategy))
    , m_clock(m_environment.clock)
{
    openStore();
    m_toldLedgerId = m_ledgerId;
    m_sweepDueMs = m_environment.clock->elapsedMs() + sweepEveryMs();
}

LedgerWriter::~LedgerWriter() = default;

qint64 LedgerWriter::sweepEveryMs() const
{
    const qint64 soonestMs = std::min(m_environment.settings.leaseMs, m_environment.settings.keyTtlMs);
    return std::clamp(soonestMs / 2, minSweepEveryMs, maxSweepEveryMs);
}

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
    store->endLeases(self);
    for (const Account &account : m_environment.accounts)
        store->addAccount(account);
    m_nowMs = m_clock.read(*store);
    m_sorts = store->ownClockMs().has_value();
    store->commit();
    m_ledgerId = ledgerId;
    m_store = std::move(store);
}

Step LedgerWriter::stepNow()
{
    return Step{*m_store, *m_environment.ids, m_environment.settings, m_runningForMs, m_nowMs, {}, {}, &m_publish};
}

qint64 LedgerWriter::nextDueMs() const
{
    qint64 next = m_sweepDueMs;
    for (const Parked &parked : m_parked)
        next = std::min({next, parked.waits() ? parked.renewMs : parked.dueMs, parked.renewMs});
    for (const Ghost &ghost : m_ghosts)
        next = std::min(next, ghost.dueMs);
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
    sweepWhenDue();
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
        entries.emplace_back(std::move(parked->task));
    m_parked.erase(due, m_parked.end());
    for (LedgerTask &task : tasks)
        entries.emplace_back(std::move(task));
    noteRunning();
    return entries;
}

void LedgerWriter::noteRunning()
{
    m_runningForMs.clear();
    const qint64 now = m_environment.clock->elapsedMs();
    for (const Parked &parked : m_parked) {
        if (parked.task.done)
            m_runningForMs.insert(parked.task.work.name, std::max<qint64>(parked.dueMs - now, 0));
    }
}

/// Banks that share a store take rows in one order, so that they wait for each other instead of dying together. A store
/// with a single writer needs none of it, and keeps the order in which things came. What is asked for by the desk stays
/// where it stands among the others.
void LedgerWriter::sortByAccount(std::vector<Entry> &entries)
{
    if (!m_sorts || entries.size() < 2)
        return;
    struct Place {
        QString account;
        ScopedKey name;
    };
    const auto nameOf = [](const Entry &entry) -> std::optional<ScopedKey> {
        if (const auto *charge = std::get_if<ChargeTask>(&entry.task))
            return charge->work.name;
        if (const auto *voiding = std::get_if<VoidTask>(&entry.task))
            return voiding->work.original;
        if (const auto *inquiry = std::get_if<InquiryTask>(&entry.task))
            return inquiry->name;
        return std::nullopt;
    };
    auto from = entries.begin();
    while (from != entries.end()) {
        const auto to = std::find_if(from, entries.end(), [&](const Entry &entry) { return !nameOf(entry); });
        // One account for a key, so that all that is about one key keeps the order in which it came.
        QHash<ScopedKey, QString> accounts;
        for (auto entry = from; entry != to; ++entry) {
            const auto *charge = std::get_if<ChargeTask>(&entry->task);
            if (charge && !accounts.contains(charge->work.name))
                accounts.insert(charge->work.name, charge->work.request.details.source);
        }
        std::stable_sort(from, to, [&](const Entry &a, const Entry &b) {
            const ScopedKey left = *nameOf(a);
            const ScopedKey right = *nameOf(b);
            const QString leftAccount = accounts.value(left);
            const QString rightAccount = accounts.value(right);
            return std::tie(leftAccount, left.scope, left.key) < std::tie(rightAccount, right.scope, right.key);
        });
        from = to == entries.end() ? to : std::next(to);
    }
}

/// All accounts of the batch at its beginning, in one order. A bank that locked each when its charge comes, with the
/// keys of earlier charges in hand, could meet a bank that has the account and waits for such a key.
void LedgerWriter::lockAccounts(const std::vector<Entry> &entries)
{
    if (!m_sorts)
        return;
    QStringList sources;
    for (const Entry &entry : entries) {
        const auto *charge = std::get_if<ChargeTask>(&entry.task);
        if (charge && !charge->ready)
            sources.append(charge->work.request.details.source);
    }
    sources.sort();
    sources.removeDuplicates();
    for (const QString &source : std::as_const(sources))
        (void)m_store->lockAccount(source);
}

/// False where the bank vanished meanwhile.
bool LedgerWriter::commitBatch(std::vector<Entry> &entries)
{
    sortByAccount(entries);
    const BeforeBatch before = BeforeBatch::of(*this, entries);
    for (int repeats = 0;; ++repeats) {
        try {
            return tryBatch(entries);
        } catch (const StoreBusy &) {
            if (repeats == maxBusyRepeats || m_environment.vanished())
                throw;
        }
        ++m_counters.busyRepeats;
        undo();
        before.restore(*this, entries);
    }
}

/// Ends a transaction that came to nothing.
void LedgerWriter::undo()
{
    try {
        m_store->rollback();
    } catch (const StoreError &) {
        // The store may have ended it by itself. If it is broken, the next `begin` says so.
    }
}

bool LedgerWriter::tryBatch(std::vector<Entry> &entries)
{
    beginTransaction();
    lockAccounts(entries);
    deleteGhosts();
    renewLeases(Renew::Due);
    for (Entry &entry : entries) {
        if (m_environment.vanished()) {
            m_store.reset();
            return false;
        }
        run(entry);
    }
    if (m_environment.vanished()) {
        m_store.reset();
        return false;
    }
    const auto began = std::chrono::steady_clock::now();
    if (m_store->commit()) {
        const auto took = std::chrono::steady_clock::now() - began;
        m_counters.commitUs.add(std::chrono::duration_cast<std::chrono::microseconds>(took).count());
        m_counters.batchSizes.add(qint64(entries.size()));
        ++m_counters.commits;
        if (entries.size() > 1)
            ++m_counters.commitsBatched;
    }
    return !m_environment.vanished();
}

/// The time and the ledger are those of the store, which others may have changed.
void LedgerWriter::beginTransaction()
{
    m_store->begin();
    m_nowMs = m_clock.read(*m_store);
    keepLedger(m_store->ledgerId(m_ledgerId));
}

void LedgerWriter::keepLedger(const QByteArray &ledgerId)
{
    if (ledgerId == m_ledgerId)
        return;
    m_ledgerId = ledgerId;
    m_ghosts.clear();
    // What was begun in the ledger that is gone is answered as soon as can be.
    for (Parked &parked : m_parked) {
        if (parked.task.ledger != m_ledgerId)
            parked.dueMs = m_environment.clock->elapsedMs();
    }
}

void LedgerWriter::renewLeases(Renew which)
{
    const qint64 now = m_environment.clock->elapsedMs();
    Step at = stepNow();
    for (Parked &parked : m_parked) {
        if (which == Renew::Due && parked.renewMs > now)
            continue;
        parked.task.strategy->renew(parked.task.work, at);
        parked.renewMs = now + m_environment.settings.leaseMs / 3;
    }
}

void LedgerWriter::deleteGhosts()
{
    const qint64 now = m_environment.clock->elapsedMs();
    std::erase_if(m_ghosts, [&](const Ghost &ghost) {
        if (ghost.dueMs > now)
            return false;
        (void)m_store->deleteClaim(ghost.claim);
        return true;
    });
}

void LedgerWriter::tell(std::vector<Entry> &entries)
{
    const qint64 now = m_environment.clock->elapsedMs();
    if (m_ledgerId != m_toldLedgerId) {
        m_toldLedgerId = m_ledgerId;
        if (m_environment.ledgerChanged)
            m_environment.ledgerChanged(m_ledgerId);
        tellEvents({{"ledger_reset", 0, QJsonObject{{QStringLiteral("ledger_id"), QString::fromUtf8(m_ledgerId)}}}});
    }
    // All are parked before anyone is called: a callback may count what is running.
    for (Entry &entry : entries) {
        for (const GhostClaim &ghost : entry.ghosts)
            m_ghosts.push_back({ghost.claim, now + ghost.forMs});
        if (!entry.parks)
            continue;
        ChargeTask task = std::move(std::get<ChargeTask>(entry.task));
        task.work.waited = true;
        task.work.reply = entry.ask ? entry.ask() : nullptr;
        if (entry.answer) // it leaves now, and the work goes on behind it
            entry.after = [done = std::exchange(task.done, nullptr), answer = std::move(*entry.answer)] {
                if (done)
                    done(answer);
            };
        m_parked.push_back({std::move(task), now + entry.parksForMs, now + m_environment.settings.leaseMs / 3});
    }
    for (Entry &entry : entries) {
        if (std::holds_alternative<InquiryTask>(entry.task))
            ++m_counters.inquiries;
        else if (std::holds_alternative<ListTask>(entry.task))
            ++m_counters.lists;
        tellEvents(entry.events);
        if (entry.after) {
            entry.after();
        } else if (entry.answer) {
            std::visit(
                [&](auto &task) {
                    if constexpr (requires { task.done(Answer()); }) {
                        if (task.done)
                            task.done(std::move(*entry.answer));
                    }
                },
                entry.task);
        }
    }
}

void LedgerWriter::tellEvents(const QList<BankEvent> &events)
{
    for (const BankEvent &event : events) {
        m_counters.count(event);
        if (m_observer)
            m_observer(event);
    }
}

void LedgerWriter::sweepWhenDue()
{
    const qint64 now = m_environment.clock->elapsedMs();
    if (m_sweepDueMs > now)
        return;
    m_sweepDueMs = now + sweepEveryMs();
    if (!m_store)
        return;
    try {
        beginTransaction();
        Step at = stepNow();
        const retention::Swept swept = retention::sweep(at);
        if (m_environment.vanished()) {
            m_store.reset();
            return;
        }
        m_store->commit();
        if (swept.more)
            m_sweepDueMs = now;
        tellEvents(at.events);
    } catch (const StoreBusy &) {
        undo(); // next time
    } catch (const StoreError &error) {
        ++m_counters.commitFailures;
        m_store.reset();
        tellTrouble(error);
    }
}

} // namespace mockbank
