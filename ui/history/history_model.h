#pragma once

#include "core/journal/history.h"

#include "ui/history/history_words.h"

#include <QtCore/QAbstractTableModel>

#include <deque>
#include <optional>
#include <vector>

namespace ikkai {

class HistoryClient;

/// The journal as a table, newest first, read page by page as a view asks for more. Holds what was read, asks for what
/// comes next, and never waits: an answer that belongs to an older filter is dropped.
class HistoryModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Time, Order, Amount, Outcome, Reference, ColumnCount };
    enum Roles { KeyRole = Qt::UserRole + 1 };

    static constexpr int pageRows = 100;
    static constexpr int mostRows = 200'000; ///< more is found by narrowing the search, not by scrolling

    explicit HistoryModel(HistoryClient *client, QObject *parent = nullptr);

    /// Reads anew. What is there stays until the first page has come.
    void setFilter(const HistoryFilter &filter);
    [[nodiscard]] const HistoryFilter &filter() const { return m_filter; }
    /// Reads anew, or goes on where reading broke off.
    void retry();
    /// The journal has something new of this checkout: its row is read again, comes in, or goes where it no longer
    /// fits. Everything else stays where it is.
    void refresh(const IdempotencyKey &key);
    /// Times of this day are shown without their day.
    void setToday(const QDate &today);
    void retranslate();

    [[nodiscard]] const HistoryRow &at(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
    [[nodiscard]] RowWords wordsAt(int row) const;
    [[nodiscard]] int rowOfKey(const IdempotencyKey &key) const; ///< -1: not there
    /// How many fit the filter; none until it has been counted.
    [[nodiscard]] std::optional<qint64> total() const { return m_total; }
    /// No page of this filter has come yet.
    [[nodiscard]] bool isReadingFirst() const { return m_firstId != 0; }
    [[nodiscard]] bool isComplete() const { return m_isLast; } ///< nothing older is left
    /// What the source said when it could not read; empty: nothing is wrong.
    [[nodiscard]] const QString &trouble() const { return m_trouble; }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    bool canFetchMore(const QModelIndex &parent) const override;
    void fetchMore(const QModelIndex &parent) override;

Q_SIGNALS:
    /// total, isReadingFirst, isComplete or trouble are different now.
    void statusChanged();

private:
    void readFirst();
    void takePage(const HistoryPage &page);
    void takeFirst(const HistoryPage &page);
    void takeMore(const HistoryPage &page);
    void takeLook(const HistoryPage &page);
    void put(const HistoryRow &row);
    void takeFailure(int id, const QString &what);
    void lookNext();
    void addToTotal(int by);
    /// Where a row of this key stands or would stand.
    [[nodiscard]] int placeOf(const IdempotencyKey &key) const;

    HistoryClient *m_client;
    HistoryFilter m_filter;
    std::vector<HistoryRow> m_rows;
    std::optional<qint64> m_total;
    QString m_trouble;
    QDate m_today;
    bool m_isLast = true;
    bool m_wasRead = false;
    // Requests that are on their way; 0: none.
    int m_firstId = 0;
    int m_moreId = 0;
    int m_countId = 0;
    int m_lookId = 0;
    std::deque<IdempotencyKey> m_toLookAt; ///< the first one is being looked at while m_lookId is set
};

} // namespace ikkai
