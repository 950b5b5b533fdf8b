#pragma once

#include "core/checkout/transition.h"
#include "core/closing/day_book.h"
#include "core/domain/clock.h"
#include "core/journal/sqlite_connection.h"
#include "tests/unit/closing/day_samples.h"
#include "tests/unit/journal/journal_bench.h"

#include <QtCore/QTemporaryDir>

#include <map>

namespace ikkai::test {

/// A clock that stands where the test puts it.
struct StandingClock final : Clock {
    Stamp at;
    [[nodiscard]] Stamp now() const override { return at; }
    [[nodiscard]] QString bootId() const override { return QStringLiteral("boot-1"); }
};

/// A till's journal on a disk, with sales that happen when the test says so.
class TillJournal {
public:
    explicit TillJournal(BusinessCalendar calendar = tokyo())
        : m_settings{std::move(calendar)}
        , m_journal(opened(file(), m_settings))
    {
    }

    [[nodiscard]] QString file() const { return m_dir.filePath(QStringLiteral("journal.sqlite")); }
    [[nodiscard]] QString path(const char *name) const { return m_dir.filePath(QString::fromLatin1(name)); }
    [[nodiscard]] const BusinessCalendar &calendar() const { return m_settings.calendar; }
    void setLedger(const QString &ledgerId) { m_ledgerId = ledgerId; }

    /// Checkout n of `order` (A-n where none is named) is started and on its way.
    IdempotencyKey start(int n, qint64 atMs, const QString &order = {})
    {
        const QString name = order.isEmpty() ? QStringLiteral("A-%1").arg(n) : order;
        event::CheckoutStarted begun = started(n, name);
        begun.ledgerId = m_ledgerId;
        const Event event{stampAt(atMs), begun};
        const Checkout after = begin(begun, event.at).after;
        store(1, event, after);
        return begun.key;
    }
    void happen(int n, qint64 atMs, const EventBody &body)
    {
        const Event event{stampAt(atMs), body};
        const Checkout &before = m_checkouts.at(n);
        store(before.nextSeq, event, transition(before, event).after);
    }
    void answer(int n, qint64 atMs, const ChargeVerdict &verdict)
    {
        happen(n, atMs, event::AttemptEnded{1, verdict, 1, 50, 7U, {}});
    }
    void sale(int n, qint64 atMs) // started and paid
    {
        start(n, atMs);
        answer(n, atMs, verdict::Approved{SettledBy::Answer, details()});
    }
    /// Nobody answered, and the cashier served the next customer.
    void leftOpen(int n, qint64 atMs)
    {
        start(n, atMs);
        leaveOpen(n, atMs);
    }
    void leaveOpen(int n, qint64 atMs)
    {
        answer(n, atMs, verdict::NoAnswer{});
        happen(n, atMs, event::LeftOpen{});
    }
    void voidStarted(int n, qint64 atMs, const QString &reason = {})
    {
        happen(n, atMs, event::VoidStarted{keyNumber(2'000 + n), "{}", reason});
    }
    void voidAnswered(int n, qint64 atMs, VoidResult result)
    {
        happen(n, atMs, event::VoidEnded{1, voiding::Settled{result, QStringLiteral("req_9")}, 1, 50, 7U, {}});
    }
    /// No more sales; the file is let go.
    void shutDown() { m_journal.reset(); }
    [[nodiscard]] const Checkout &checkout(int n) const { return m_checkouts.at(n); }

    /// Closes at that moment, on a connection of its own. Number 0 where it did not work, which is told as a warning.
    DayReport close(qint64 atMs)
    {
        SqliteConnection database(file(), JournalAccess::Write);
        if (const auto error = database.open(m_settings))
            qWarning("%s", qPrintable(describe(*error)));
        const auto closed = DayBook(database, m_settings.calendar, QStringLiteral("till-1")).close(atMs);
        if (!closed)
            qWarning("%s", qPrintable(describe(closed.error())));
        return closed ? closed.value() : DayReport();
    }
    DayReport preview(qint64 atMs)
    {
        SqliteConnection database(file(), JournalAccess::ReadOnly);
        if (const auto error = database.open())
            qWarning("%s", qPrintable(describe(*error)));
        const auto next = DayBook(database, m_settings.calendar, QStringLiteral("till-1")).preview(atMs);
        if (!next)
            qWarning("%s", qPrintable(describe(next.error())));
        return next ? next.value() : DayReport();
    }

private:
    static Stamp stampAt(qint64 atMs) { return {atMs, atMs % 1'000'000'000, atMs % 1'000'000'000}; }
    void store(int seq, const Event &event, const Checkout &after)
    {
        const auto done = m_journal->append(seq, event, after);
        if (!done)
            qWarning("%s", qPrintable(describe(done.error())));
        const int n = after.key.text().mid(15, 3).toInt(nullptr, 16);
        m_checkouts.insert_or_assign(n, after);
    }

    QTemporaryDir m_dir;
    JournalSettings m_settings;
    QString m_ledgerId = QStringLiteral("led_1");
    std::unique_ptr<SqliteJournal> m_journal;
    std::map<int, Checkout> m_checkouts;
};

} // namespace ikkai::test
