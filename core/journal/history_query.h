#pragma once

#include "core/domain/business_day.h"
#include "core/journal/history.h"

#include <QtCore/QString>
#include <QtCore/QStringList>
#include <QtCore/QVariant>

#include <optional>
#include <utility>
#include <vector>

namespace ikkai {

/// A statement and its values.
struct HistoryStatement {
    QString sql;
    QVariantList values;
};

/// How the rows that a filter asks for are found, newest first, without ever sorting or skipping what was read before:
/// one or more indexes are walked by falling key, each range of keys apart. Pure.
class HistoryQuery {
public:
    HistoryQuery(const HistoryFilter &filter, const BusinessCalendar &calendar);

    /// Half-open: `from <= key < below`.
    struct Range {
        QString from;
        QString below;
    };
    static Range everything();

    /// Where the filter names a day: asks for the smallest and the largest key of it. Keys rise with time, but a clock
    /// may be set back, so the rows are held against the day all the same.
    [[nodiscard]] std::optional<HistoryStatement> rangeOfDay() const;

    /// Some rows on the way do not fit, and nobody knows how many: the way has to be taken in ranges.
    [[nodiscard]] bool skipsRows() const { return m_skipsRows; }
    /// For each index that is walked: the smallest of its `most` largest keys in the range, and how many there are.
    [[nodiscard]] std::vector<HistoryStatement> bounds(const Range &range, int most) const;

    /// At most `limit` rows of the range, newest first; the columns are those of historyColumns().
    [[nodiscard]] HistoryStatement rows(const Range &range, int limit) const;
    /// How many rows of the range fit.
    [[nodiscard]] HistoryStatement count(const Range &range) const;

private:
    struct Condition {
        QString sql;
        QVariantList values;
    };
    struct Walk {
        QString index; ///< empty: the table itself, whose order is that of the keys
        std::optional<Condition> equals;
    };
    [[nodiscard]] HistoryStatement found(const Walk &walk, const QString &columns, const Range &range) const;

    std::vector<Walk> m_walks;
    std::optional<Condition> m_onIndex; ///< can be decided from the index alone
    std::optional<Condition> m_onRow;
    std::optional<std::pair<qint64, qint64>> m_dayMs;
    bool m_skipsRows = false;
    bool m_isEverything = false;
};

/// Columns of one HistoryRow, in the order in which rows() gives them.
[[nodiscard]] const QStringList &historyColumns();

} // namespace ikkai
