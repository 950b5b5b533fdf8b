#pragma once

#include "mock-server/control/event_log.h"
#include "mock-server/control/journal_spill.h"
#include "mock-server/control/wire_counters.h"
#include "mock-server/http/connection.h"
#include "mock-server/mock_server.h"

#include <deque>
#include <functional>

namespace mockbank {

/// One record for each arrival at the data plane: what came, what the bank did, what left and how it ended. It sees the
/// wire as the witness of the exchanges and the bank by the event log, and writes a record before the first byte of its
/// answer leaves. Newest records in memory, older ones in a temporary file, both bounded. Outlives a simulated crash.
/// Lives on the network thread.
class RequestJournal : public ArrivalWitness {
public:
    explicit RequestJournal(const JournalLimits &limits = {});

    /// The head of an arrival was read: a record begins, and the exchange is watched from now on.
    void headRead(Exchange &exchange, const QByteArray &route);
    /// A network on the way has made a second arrival out of one; nobody waits for its answer.
    void copyRead(Exchange &copy, const QByteArray &route, quint64 original);
    void requestRead(Exchange &exchange);
    void requestLost(const Exchange &exchange, const QByteArray &why);
    /// Something happened at the bank or on the wire; what is of no arrival is passed over.
    void observe(const LoggedEvent &event);
    /// The ledger side has done something about an arrival.
    void bankDid(const BankEvent &event);

    void writing(Exchange &exchange, const QByteArray &bytes) override;
    void ended(const Exchange &exchange, ExchangeEnd how) override;
    void delivered(quint64 arrivalId, const QByteArray &route) override;

    /// Forgets every record; numbers and what was counted go on.
    void clear();

    struct Page {
        QList<JournalRecord> records; ///< rising by number
        std::optional<quint64> next;  ///< go on after this one; nothing where the end was reached
    };
    /// Records after this number that meet the filter: at most `limit`, and fewer where they are large.
    [[nodiscard]] Page page(const JournalFilter &filter, quint64 after, int limit);
    [[nodiscard]] std::optional<JournalRecord> find(quint64 n);
    [[nodiscard]] SameAttempt sameAttempt(const JournalRecord &record) const;

    struct Bounds {
        quint64 newest = 0; ///< 0 where nothing ever came
        quint64 oldest = 0; ///< kept; 0 for none
        qsizetype inMemory = 0;
        qsizetype onDisk = 0;
        qint64 memoryBytes = 0;
        qint64 diskBytes = 0;
        quint64 dropped = 0; ///< records that were pushed out or could not be written to disk
    };
    [[nodiscard]] Bounds bounds() const;
    [[nodiscard]] const WireCounters &counted() const { return m_counted; }

    /// Called with a record whenever a condition of a filter may have come true for it; with null after `clear`.
    void setObserver(std::function<void(const JournalRecord *)> observer) { m_observer = std::move(observer); }

private:
    struct Entry {
        JournalRecord record;
        qsizetype cost = 0;
    };

    void begin(Exchange &exchange, const QByteArray &route, quint64 copyOf);
    Entry *inMemory(quint64 n);
    /// Changes a record wherever it is. False where it is not kept any more.
    bool change(quint64 n, const std::function<void(JournalRecord &)> &edit);
    void observeArrival(quint64 n, const LoggedEvent &event);
    void readAttempt(JournalRecord *record, const Request &request);
    void spillWhatIsTooMuch();
    void forgotten(const JournalCard &card);
    void tell(const JournalRecord &record);
    void weigh(Entry *entry);

    struct Seen {
        quint64 first = 0;
        quint64 last = 0;
        int count = 0;
    };

    const JournalLimits m_limits;
    std::deque<Entry> m_records; ///< rising by number
    qsizetype m_memoryBytes = 0;
    JournalSpill m_spill;
    QHash<quint64, Seen> m_attempts; ///< by attemptId
    QHash<quint64, quint64> m_held;  ///< held id -> record
    std::function<void(const JournalRecord *)> m_observer;
    quint64 m_newest = 0;
    WireCounters m_counted;
    bool m_crashing = false;
    QByteArray m_run;
};

} // namespace mockbank
