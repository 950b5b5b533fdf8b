#include "ui/history/history_model.h"

#include "ui/history/history_client.h"

#include <algorithm>
#include <utility>

namespace ikkai {

namespace {

constexpr int lookRows = 20;

} // namespace

HistoryModel::HistoryModel(HistoryClient *client, QObject *parent)
    : QAbstractTableModel(parent)
    , m_client(client)
{
    connect(m_client, &HistoryClient::pageRead, this, &HistoryModel::takePage);
    connect(m_client, &HistoryClient::readFailed, this, &HistoryModel::takeFailure);
}

void HistoryModel::setFilter(const HistoryFilter &filter)
{
    if (m_wasRead && filter == m_filter && m_trouble.isEmpty())
        return;
    m_filter = filter;
    readFirst();
}

void HistoryModel::readFirst()
{
    m_wasRead = true;
    m_trouble.clear();
    m_total.reset();
    m_moreId = 0;
    m_lookId = 0;
    m_toLookAt.clear();
    m_firstId = m_client->read({0, m_filter, std::nullopt, pageRows, false});
    // Counting a million rows takes longer than reading a hundred: the page does not wait for it.
    m_countId = m_client->read({0, m_filter, std::nullopt, 1, true});
    Q_EMIT statusChanged();
}

void HistoryModel::retry()
{
    if (m_trouble.isEmpty())
        return;
    if (m_rows.empty()) {
        readFirst();
        return;
    }
    m_trouble.clear();
    Q_EMIT statusChanged();
    fetchMore({});
}

void HistoryModel::refresh(const IdempotencyKey &key)
{
    if (!m_wasRead || m_firstId != 0)
        return; // the first page will have it
    const auto waiting = m_toLookAt.begin() + (m_lookId != 0 ? 1 : 0);
    if (std::find(waiting, m_toLookAt.end(), key) == m_toLookAt.end())
        m_toLookAt.push_back(key);
    lookNext();
}

/// One at a time: a few rows from where the checkout stands or would stand.
void HistoryModel::lookNext()
{
    while (m_lookId == 0 && !m_toLookAt.empty()) {
        const int place = placeOf(m_toLookAt.front());
        if (place == rowCount() && !m_isLast) {
            m_toLookAt.pop_front(); // older than what has been read
            continue;
        }
        std::optional<IdempotencyKey> after;
        if (place > 0)
            after = at(place - 1).key;
        m_lookId = m_client->read({0, m_filter, after, lookRows, false});
    }
}

int HistoryModel::placeOf(const IdempotencyKey &key) const
{
    const auto found =
        std::lower_bound(m_rows.begin(), m_rows.end(), key,
                         [](const HistoryRow &row, const IdempotencyKey &wanted) { return row.key > wanted; });
    return static_cast<int>(found - m_rows.begin());
}

int HistoryModel::rowOfKey(const IdempotencyKey &key) const
{
    const int place = placeOf(key);
    return place < rowCount() && at(place).key == key ? place : -1;
}

void HistoryModel::takePage(const HistoryPage &page)
{
    if (page.id == 0)
        return;
    if (page.id == m_firstId)
        takeFirst(page);
    else if (page.id == m_moreId)
        takeMore(page);
    else if (page.id == m_lookId)
        takeLook(page);
    else if (page.id == m_countId) {
        m_countId = 0;
        m_total = page.total;
    } else {
        return; // of an older filter
    }
    Q_EMIT statusChanged();
}

void HistoryModel::takeFirst(const HistoryPage &page)
{
    m_firstId = 0;
    beginResetModel();
    m_rows.assign(page.rows.begin(), page.rows.end());
    m_isLast = page.isLast;
    endResetModel();
}

void HistoryModel::takeMore(const HistoryPage &page)
{
    m_moreId = 0;
    m_isLast = page.isLast;
    std::vector<HistoryRow> older;
    for (const HistoryRow &row : page.rows) {
        if (m_rows.empty() || row.key < m_rows.back().key)
            older.push_back(row);
    }
    if (older.empty())
        return;
    beginInsertRows({}, rowCount(), rowCount() + static_cast<int>(older.size()) - 1);
    m_rows.insert(m_rows.end(), std::make_move_iterator(older.begin()), std::make_move_iterator(older.end()));
    endInsertRows();
}

/// The page goes from the row before to the checkout that is looked for; newer ones that came meanwhile are in it too.
void HistoryModel::takeLook(const HistoryPage &page)
{
    m_lookId = 0;
    const IdempotencyKey key = m_toLookAt.front();
    m_toLookAt.pop_front();
    bool fits = false;
    for (const HistoryRow &row : page.rows) {
        if (row.key < key)
            break;
        fits = fits || row.key == key;
        put(row);
    }
    const bool reachesIt = fits || page.isLast || page.rows.isEmpty() || page.rows.back().key < key;
    if (!reachesIt) {
        m_toLookAt.push_front(key);
    } else if (const int place = rowOfKey(key); !fits && place >= 0) {
        beginRemoveRows({}, place, place);
        m_rows.erase(m_rows.begin() + place);
        endRemoveRows();
        addToTotal(-1);
    }
    lookNext();
}

void HistoryModel::put(const HistoryRow &row)
{
    const int place = placeOf(row.key);
    if (place == rowCount() || at(place).key != row.key) {
        beginInsertRows({}, place, place);
        m_rows.insert(m_rows.begin() + place, row);
        endInsertRows();
        addToTotal(1);
    } else if (at(place) != row) {
        m_rows[static_cast<std::size_t>(place)] = row;
        Q_EMIT dataChanged(index(place, 0), index(place, ColumnCount - 1));
    }
}

void HistoryModel::addToTotal(int by)
{
    if (m_total)
        *m_total = std::max<qint64>(rowCount(), *m_total + by);
}

void HistoryModel::takeFailure(int id, const QString &what)
{
    if (id == m_lookId && id != 0) {
        m_lookId = 0;
        m_toLookAt.pop_front();
        lookNext();
    } else if (id == m_countId && id != 0) {
        m_countId = 0; // the rows are there: that is what was asked for
    } else if (id == m_firstId && id != 0) {
        m_firstId = 0;
        m_trouble = what;
        beginResetModel(); // rows of another search would be taken for an answer to this one
        m_rows.clear();
        m_isLast = true;
        endResetModel();
    } else if (id == m_moreId && id != 0) {
        m_moreId = 0;
        m_trouble = what;
    }
    Q_EMIT statusChanged();
}

bool HistoryModel::canFetchMore(const QModelIndex &parent) const
{
    return !parent.isValid() && !m_isLast && m_firstId == 0 && m_moreId == 0 && m_trouble.isEmpty() &&
           rowCount() < mostRows;
}

void HistoryModel::fetchMore(const QModelIndex &parent)
{
    if (!canFetchMore(parent))
        return;
    std::optional<IdempotencyKey> after;
    if (!m_rows.empty())
        after = m_rows.back().key;
    m_moreId = m_client->read({0, m_filter, after, pageRows, false});
}

void HistoryModel::setToday(const QDate &today)
{
    if (m_today == today)
        return;
    m_today = today;
    retranslate();
}

void HistoryModel::retranslate()
{
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
}

RowWords HistoryModel::wordsAt(int row) const
{
    return rowWordsOf(checkoutOf(at(row)));
}

int HistoryModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int HistoryModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant HistoryModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const HistoryRow &row = at(index.row());
    if (role == KeyRole)
        return row.key.text();
    if (role == Qt::TextAlignmentRole && (index.column() == Amount || index.column() == Reference))
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole)
        return {};
    switch (index.column()) {
    case Time:
        return rowTimeText(row.createdWallMs, m_today);
    case Order:
        return row.order.text();
    case Amount:
        return format(row.money);
    case Outcome:
        return wordsAt(index.row()).word;
    case Reference:
        return QStringLiteral("…") + row.key.lastFour();
    default:
        return {};
    }
}

QVariant HistoryModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Time:
        return tr("Time");
    case Order:
        return tr("Order");
    case Amount:
        return tr("Amount");
    case Outcome:
        return tr("Outcome");
    case Reference:
        return tr("Ref");
    default:
        return {};
    }
}

} // namespace ikkai
