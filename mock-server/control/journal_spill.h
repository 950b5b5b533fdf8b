#pragma once

#include "mock-server/control/journal_filter.h"

#include <QtCore/QTemporaryFile>

#include <deque>
#include <functional>
#include <memory>

namespace mockbank {

/// Records that no longer fit into memory, in one file that never grows beyond its cap: it is written round and round,
/// the newest over the oldest. The file has no name where the system can do that, else it goes with this object, so
/// nothing is left behind. Where the disk refuses, records are dropped and counted.
class JournalSpill {
public:
    explicit JournalSpill(qint64 capBytes)
        : m_capBytes(capBytes)
    {
    }

    /// Writes these, the oldest first, in one go. What they replace or push out is gone; `forgotten` is told each.
    void put(const QList<JournalRecord> &records, const std::function<void(const JournalCard &)> &forgotten);
    [[nodiscard]] std::optional<JournalRecord> read(quint64 n);
    [[nodiscard]] bool has(quint64 n) const;
    void clear();

    /// Kept here, rising by number.
    [[nodiscard]] const std::deque<JournalCard> &cards() const { return m_cards; }
    [[nodiscard]] quint64 dropped() const { return m_dropped; }
    [[nodiscard]] qint64 fileBytes() const { return m_file ? m_file->size() : 0; }
    [[nodiscard]] qint64 capBytes() const { return m_capBytes; }

private:
    struct Place {
        quint64 n = 0;
        qint64 offset = 0;
        qint64 length = 0;
    };

    [[nodiscard]] bool openFile();
    void makeRoom(qint64 offset, qint64 length, const std::function<void(const JournalCard &)> &forgotten);
    [[nodiscard]] std::optional<JournalCard> take(quint64 n);

    const qint64 m_capBytes;
    std::unique_ptr<QTemporaryFile> m_file;
    qint64 m_next = 0;           ///< where the next record goes
    std::deque<Place> m_written; ///< in the order of writing, the oldest first: that is the order of being overwritten
    std::deque<JournalCard> m_cards;
    QHash<quint64, Place> m_places;
    quint64 m_dropped = 0;
};

} // namespace mockbank
