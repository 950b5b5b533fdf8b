#include "mock-server/control/journal_spill.h"

#include <algorithm>

namespace mockbank {

bool JournalSpill::openFile()
{
    if (m_file)
        return true;
    auto file = std::make_unique<QTemporaryFile>();
    if (!file->open())
        return false;
    m_file = std::move(file);
    return true;
}

void JournalSpill::put(const QList<JournalRecord> &records, const std::function<void(const JournalCard &)> &forgotten)
{
    QByteArray bytes;
    QList<std::pair<Place, const JournalRecord *>> ready;
    const auto flush = [&] {
        if (bytes.isEmpty())
            return;
        const qint64 start = ready.first().first.offset;
        makeRoom(start, bytes.size(), forgotten);
        const bool written =
            openFile() && m_file->seek(start) && m_file->write(bytes) == bytes.size() && m_file->flush();
        for (const auto &[place, record] : ready) {
            (void)take(record->n);
            if (!written) {
                ++m_dropped;
                forgotten(JournalCard(*record));
                continue;
            }
            m_written.push_back(place);
            m_places.insert(place.n, place);
            const auto at = std::ranges::lower_bound(m_cards, place.n, {}, &JournalCard::n);
            m_cards.insert(at, JournalCard(*record));
        }
        m_next = start + bytes.size();
        bytes.clear();
        ready.clear();
    };
    for (const JournalRecord &record : records) {
        const QByteArray packed = pack(record);
        if (packed.size() > m_capBytes) {
            (void)take(record.n);
            ++m_dropped;
            forgotten(JournalCard(record));
            continue;
        }
        qint64 offset = m_next + bytes.size();
        if (offset + packed.size() > m_capBytes) {
            flush();
            // What stands between here and the end is the oldest there is, and would keep its place for ever.
            makeRoom(m_next, m_capBytes - m_next, forgotten);
            m_next = offset = 0;
        }
        ready.append({{record.n, offset, packed.size()}, &record});
        bytes += packed;
    }
    flush();
}

void JournalSpill::makeRoom(qint64 offset, qint64 length, const std::function<void(const JournalCard &)> &forgotten)
{
    while (!m_written.empty()) {
        const Place &oldest = m_written.front();
        if (oldest.offset >= offset + length || offset >= oldest.offset + oldest.length)
            return;
        // A record that was written again lives elsewhere by now.
        const auto place = m_places.constFind(oldest.n);
        if (place != m_places.constEnd() && place->offset == oldest.offset) {
            if (const auto card = take(oldest.n)) {
                ++m_dropped;
                forgotten(*card);
            }
        }
        m_written.pop_front();
    }
}

std::optional<JournalCard> JournalSpill::take(quint64 n)
{
    if (m_places.remove(n) == 0)
        return std::nullopt;
    const auto at = std::ranges::lower_bound(m_cards, n, {}, &JournalCard::n);
    const JournalCard card = *at;
    m_cards.erase(at);
    return card;
}

bool JournalSpill::has(quint64 n) const
{
    return m_places.contains(n);
}

std::optional<JournalRecord> JournalSpill::read(quint64 n)
{
    const auto place = m_places.constFind(n);
    if (place == m_places.constEnd() || !m_file || !m_file->seek(place->offset))
        return std::nullopt;
    const QByteArray bytes = m_file->read(place->length);
    return bytes.size() == place->length ? unpack(bytes) : std::nullopt;
}

void JournalSpill::clear()
{
    m_file.reset();
    m_next = 0;
    m_written.clear();
    m_cards.clear();
    m_places.clear();
}

} // namespace mockbank
